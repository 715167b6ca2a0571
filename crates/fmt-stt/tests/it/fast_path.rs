//! Rows of numbers take a fast path in the parser. It must agree with the slow path, which is the
//! only one that accepts more than one whitespace character between numbers.

use fmt_stt::Document;
use test_oracle::random::Rng;
use test_oracle::stt::generate::{self, Layout, Options};

/// Everything in a file but the locations.
fn content(text: &str) -> (Vec<String>, Vec<(&'static str, u64)>) {
    let parsed = Document::parse(text.as_bytes()).unwrap();
    let document = &parsed.value;
    let states = document.states().map(|state| {
        let nodes: Vec<_> =
            state.nodes().map(|node| (node.name().into_owned(), node.behaviour())).collect();
        let sequence = state.sequence().map(|sequence| {
            let keys = sequence.keys().map(|key| {
                let steps = (key.exit(), key.forward(), key.backward());
                (key.name().into_owned(), key.state(), steps, key.closes_circle())
            });
            (sequence.kind(), sequence.start(), keys.collect::<Vec<_>>())
        });
        format!("{} {nodes:?} {sequence:?}", state.name())
    });
    let counts = parsed.diagnostics.counts().iter().map(|(code, count)| (code.id, *count));
    (states.collect(), counts.collect())
}

/// Doubles all whitespace outside names.
fn spread(text: &str) -> String {
    let mut spread = String::new();
    let mut is_name = false;
    for c in text.chars() {
        is_name = c == '{' || is_name && c != '}';
        spread.push(c);
        if c.is_ascii_whitespace() && !is_name {
            spread.push(c);
        }
    }
    spread
}

#[test]
fn files_are_read_alike_on_both_paths() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let layout = rng.pick(&Layout::ALL);
        let options = Options { layout, odd: seed % 2 == 0, ..Options::default() };
        let text = generate::file(&mut rng, &options);
        assert_eq!(content(&text), content(&spread(&text)), "{text}");
    }
}

#[test]
fn wrong_words_are_found_on_both_paths() {
    let whole = String::from_utf8(generate::large(3_000, false)).unwrap();
    let words: Vec<&str> = whole.split(' ').collect();
    for at in 2..words.len() {
        for wrong in ["1,5", "nan", "1e39", "-", ".", "", "12345678.5", "1{x} 2", "{", "+1", "1e1"]
        {
            let mut words = words.clone();
            words[at] = wrong;
            let text = words.join(" ");
            assert_eq!(content(&text), content(&spread(&text)), "{wrong:?} as word {at}");
        }
    }
}

/// A state is compared with the previous one before its nodes are compared with each other.
#[test]
fn duplicate_nodes_are_found_after_states_with_the_same_nodes() {
    for more in [0, 20] {
        let state = |name: &str, nodes: &str| {
            let names: Vec<String> = (0..more).map(|index| format!("more {index}")).collect();
            let names = nodes.split_terminator(' ').chain(names.iter().map(String::as_str));
            let nodes: Vec<String> =
                names.map(|name| format!("{{{name}}} STATIC 0 0 0 0 0 0 0 0 0\n")).collect();
            format!("{{{name}}} SINGLE {}\n{}", nodes.len(), nodes.concat())
        };
        let duplicates = |states: &[&str]| {
            let states = states.iter().enumerate();
            let states: Vec<String> =
                states.map(|(index, nodes)| state(&index.to_string(), nodes)).collect();
            let text = format!("#MINDRENDER 1.1 {}\n{}", states.len(), states.concat());
            Document::parse(text.as_bytes())
                .unwrap()
                .diagnostics
                .count(&fmt_stt::codes::NODE_DUPLICATE)
        };
        assert_eq!(duplicates(&["a b", "a b", "a b c", "b a"]), 0);
        assert_eq!(duplicates(&["a b", "a a", "a a", "a b"]), 2);
        assert_eq!(duplicates(&["a b c", "a b a", "a", "c b c"]), 2);
    }
}

/// Keys are resolved while reading where possible, but always to the first state with their name.
#[test]
fn keys_show_the_first_state_with_their_name() {
    let text = "#MINDRENDER 1.1 6 {a} SINGLE 0 {b} SINGLE 0 {a} SINGLE 0 {b} SINGLE 0 \
                {all} KEYFRAME 5 1 {b} 0 0 0 0 0 {a} 0 0 0 0 0 {b} 0 0 0 0 0 {a} 0 0 0 0 0 {b} \
                0 0 0 0 0 {late} {late} SINGLE 0";
    let document = Document::parse(text.as_bytes()).unwrap().value;
    let sequence = document.state(4).unwrap().sequence().unwrap();
    let states: Vec<_> = sequence.keys().map(|key| key.state()).collect();
    assert_eq!(states, [Some(0), Some(1), Some(0), Some(1), Some(5)]);
    assert_eq!(sequence.start(), 1);
}
