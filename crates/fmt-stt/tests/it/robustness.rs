//! Robustness tests beyond the common suite: arbitrary values and adversarial files. The reader
//! must never panic, and its time and memory must be proportional to the input.

use anim_ir::{Extras, Limits, Severity};
use conformance::Growth;
use fmt_stt::{
    Behaviour, Channel, ChannelType, Document, FromIr, NewKey, NewMotion, NewNode, NewSequence,
    NewState, ParseOptions, SequenceType, Step, ToIr, codes, from_extras, from_ir, to_ir,
};
use proptest::prelude::*;
use test_oracle::random::Rng;
use test_oracle::stt::generate::{self, Layout, Options};

use crate::strategies::state;

/// Checks beyond the common suite: the canonical form and rebuilt documents have the same values,
/// and a scene can be written with and without its extras.
pub(crate) fn also(bytes: &[u8]) {
    let Ok(parsed) = Document::parse(bytes) else { return };
    let mut scene = to_ir(&parsed.value, &ToIr::default()).value;
    let data = parsed.value.data();
    let formatted = parsed.value.formatted();
    let again = Document::parse(&formatted[..]).unwrap().value;
    assert_eq!(again.data(), data, "the canonical form has the same content");
    match Document::build(&data) {
        Ok(built) => {
            assert_eq!(built.data(), data);
            assert_eq!(from_extras(&scene.extras).unwrap().to_bytes(), built.to_bytes());
        }
        Err(_) => assert!(from_extras(&scene.extras).is_none(), "some names cannot be written"),
    }
    scene.extras = Extras::new();
    if let Ok(written) = from_ir(&scene, &FromIr::default()) {
        let again = Document::parse(written.value.to_bytes()).unwrap().diagnostics;
        let wrong = [&codes::STATE_DUPLICATE, &codes::UNDEFINED, &codes::NODE_DUPLICATE];
        assert!(wrong.iter().all(|code| again.count(code) == 0));
    }
}

fn exercise(bytes: &[u8]) {
    crate::conformance().exercise(bytes);
}

const WORDS: &[&str] = &[
    "{a}", "{b}", "SINGLE", "KEYFRAME", "STATIC", "DYNAMIC", "0", "1", "2", "-1", "{", "}", "nan",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Written documents can be read back, and restored from a scene's extras.
    #[test]
    fn written_documents_are_read_back(states in prop::collection::vec(state(), 0..5)) {
        let document = Document::build(&states).unwrap();
        prop_assert_eq!(document.data(), states.clone());
        let scene = to_ir(&document, &ToIr::default()).value;
        prop_assert_eq!(from_extras(&scene.extras).map(|document| document.data()), Some(states));
        exercise(&document.to_bytes());
    }

    /// Generates words of the format in arbitrary order.
    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(WORDS), 0..80)) {
        exercise(format!("#MINDRENDER 1.1 {}", words.join(" ")).as_bytes());
        exercise(format!("#MINDRENDER 1.1 2 {{a}} SINGLE {}", words.concat()).as_bytes());
    }
}

/// Truncating a valid file is an error, except within the last number or word.
#[test]
fn every_prefix_of_a_valid_file() {
    for seed in 0..10 {
        let options = Options { layout: Layout::Published, ..Options::default() };
        let text = generate::file(&mut Rng::new(seed), &options);
        let bytes = text.trim_end().as_bytes();
        let last_token =
            bytes.iter().rposition(|byte| matches!(byte, b' ' | b'\n' | b'{')).unwrap();
        for length in 0..=last_token {
            let worst = Document::parse(&bytes[..length]).map(|parsed| parsed.diagnostics.worst());
            let is_error = worst.is_err() || worst == Ok(Some(Severity::Error));
            assert!(is_error, "{length} of {}: {worst:?}", bytes.len());
        }
    }
}

/// Returns a chain of `count` states, each of which plays the next state. The last state plays
/// `last`.
fn chain(count: usize, last: &str) -> Vec<u8> {
    let mut text = format!("#MINDRENDER 1.1 {count}");
    for number in 0..count {
        let next = if number + 1 == count { last.to_owned() } else { format!("s{}", number + 1) };
        text += &format!("{{s{number}}}KEYFRAME 1 1{{{next}}}1 1 1 0 0{{{next}}}");
    }
    text.into_bytes()
}

/// Rows S09, S21 and S29, and other inputs that slow down a reader that backtracks, looks ahead or
/// recurses.
pub(crate) fn growth() -> Vec<Growth> {
    fn file(states: &str) -> Vec<u8> {
        format!("#MINDRENDER 1.1 4000000000 {states}").into_bytes()
    }
    vec![
        ("unclosed braces", 20_000, |count| file(&"{".repeat(count))),
        ("unclosed braces instead of numbers", 20_000, |count| {
            file(&format!("{{a}} SINGLE 1 {{b}} STATIC {}", "{".repeat(count)))
        }),
        ("states without nodes", 10_000, generate::states),
        ("states with the same name", 10_000, |count| file(&"{a}SINGLE 0".repeat(count))),
        ("broken states", 10_000, |count| file(&"{a}SINGLE 1{b}STATIC x".repeat(count))),
        ("names that are not states", 20_000, |count| file(&"{a}".repeat(count))),
        ("states after one with many nodes", 3_000, |count| {
            let zeros = "STATIC 0 0 0 0 0 0 0 0 0";
            let nodes: String = (0..count).map(|node| format!("{{{node}}}{zeros}")).collect();
            let states = format!("{{b}}SINGLE 1{{c}}{zeros}").repeat(count);
            file(&format!("{{a}}SINGLE {count} {nodes}{states}"))
        }),
        ("keys without a state", 10_000, |count| {
            file(&format!("{{a}}KEYFRAME {count} 1{{b}}{}", "1 1 1 0 0{b}".repeat(count)))
        }),
        ("a chain", 10_000, |count| chain(count, "none")),
        ("a cycle", 10_000, |count| chain(count, "s0")),
        ("cycles in cycles", 5_000, |count| {
            let state = |state| {
                let next = state + 1;
                format!("{{s{state}}}KEYFRAME 2 1{{s0}}1 1 1 0 0{{s0}}1 1 1 0 0{{s{next}}}")
            };
            file(&(0..count).map(state).collect::<String>())
        }),
    ]
}

/// A state is played eight levels deep.
#[test]
fn deep_nesting_is_reported() {
    let said = |levels: usize| {
        let bytes = chain(levels, "none");
        let document = Document::parse(&bytes[..]).unwrap().value;
        let converted = to_ir(&document, &ToIr::default());
        let found = converted.losses.iter().find(|loss| loss.code.id == codes::NESTING.id);
        found.map(|loss| loss.message.clone())
    };
    assert_eq!(said(8), None);
    let message = "state `s0` nests keyframe states 9 levels deep; states deeper than 8 show the \
                   rest pose";
    assert_eq!(said(9).as_deref(), Some(message));
}

/// Row S21: a chain of a million states is followed without recursion, and a long cycle is
/// abbreviated in the message.
#[test]
fn long_chains() {
    let bytes = chain(1_000_000, "none");
    assert_eq!(Document::parse(&bytes[..]).unwrap().diagnostics.count(&codes::CIRCLE), 0);
    let bytes = chain(1_000, "s0");
    let parsed = Document::parse(&bytes[..]).unwrap();
    let circle = parsed.diagnostics.iter().find(|found| found.code.id == codes::CIRCLE.id).unwrap();
    let message = "keyframe states play each other: `s0` → `s1` → `s2` → `s3` → `s4` → `s5` → \
                   `s6` → `s7` → `s8` → … → `s0`";
    assert_eq!(circle.message, message);
    let keys = parsed.value.states().flat_map(|state| state.sequence().unwrap().keys());
    let closing = keys.enumerate().filter(|(_, key)| key.closes_circle());
    assert_eq!(closing.map(|(number, _)| number).collect::<Vec<_>>(), [999]);
    exercise(&bytes);
}

#[test]
fn name_length_is_limited() {
    let bytes = b"#MINDRENDER 1.1 2 {long name} SINGLE 0 {b} SINGLE 0";
    let parse = |name_bytes| {
        let limits = Limits { name_bytes, ..Limits::default() };
        let options = ParseOptions::default().with_limits(limits);
        Document::parse_with(&bytes[..], &options).unwrap()
    };
    assert_eq!(parse(9).diagnostics.count(&codes::NAME_LENGTH), 0);
    let parsed = parse(8);
    assert_eq!(parsed.diagnostics.count(&codes::NAME_LENGTH), 1);
    let names: Vec<_> = parsed.value.states().map(|state| state.name().into_owned()).collect();
    assert_eq!(names, ["b"]);
}

/// Row S11: a ten-megabyte name causes a single error with a truncated message.
#[test]
fn a_name_of_ten_megabytes() {
    let name = "x".repeat(10 << 20);
    let text = format!("#MINDRENDER 1.1 2 {{{name}}} SINGLE 0 {{b}} SINGLE 0");
    let found = Document::parse(text.as_bytes()).unwrap().diagnostics;
    assert_eq!((found.count(&codes::NAME_LENGTH), found.total(Severity::Error)), (1, 1));
    exercise(text.as_bytes());
}

#[test]
fn extreme_numbers_result_in_valid_scenes() {
    let ends = [f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45, 0.0, -1.0];
    for (index, period) in ends.into_iter().enumerate() {
        for number in 0..10 {
            let offset = ends[(index + 1) % ends.len()];
            let (start, end, kind) = ([f32::MAX; 3], [f32::MIN; 3], ChannelType::from(number));
            let channel = Channel { start, end, period, offset, kind };
            let behaviour = Behaviour::Dynamic([channel; 3]);
            let node = NewNode { name: "n".to_owned(), behaviour };
            let [forward, backward] = [period, offset].map(|seconds| Step { seconds, morph: true });
            let key = NewKey { state: "a".to_owned(), exit: true, forward, backward };
            let kind = SequenceType::PingPongBackwards;
            let sequence = NewSequence { kind, start: "a".to_owned(), keys: vec![key; 3] };
            let states = [
                NewState { name: "a".to_owned(), motion: NewMotion::Single(vec![node]) },
                NewState { name: "b".to_owned(), motion: NewMotion::Keyframe(sequence) },
            ];
            exercise(&Document::build(&states).unwrap().to_bytes());
        }
    }
}
