//! Tests the evaluator and the player with generated files.

use std::collections::BTreeSet;

use test_oracle::random::Rng;
use test_oracle::stt::generate::{self, Layout, Options};
use test_oracle::stt::{
    self, Behaviour, Channel, File, Key, Motion, Order, Player, Sequence, State,
};

fn files(options: Options) -> impl Iterator<Item = (Rng, File)> {
    (0..150).map(move |seed| {
        let mut rng = Rng::new(seed);
        let text = generate::file(&mut rng, &options);
        let file = stt::parse(&text);
        assert_eq!((&*file.version, file.states.len()), ("1.1", options.states));
        (rng, file)
    })
}

fn sequences(file: &File) -> impl Iterator<Item = &Sequence> {
    file.states.iter().filter_map(|state| match &state.motion {
        Motion::Keyframe(sequence) => Some(sequence),
        Motion::Single(_) => None,
    })
}

fn channels(file: &File) -> Vec<Channel> {
    let nodes = file.states.iter().filter_map(|state| {
        if let Motion::Single(nodes) = &state.motion { Some(nodes) } else { None }
    });
    let dynamic = nodes.flatten().filter_map(|node| {
        if let Behaviour::Dynamic(channels) = node.behaviour { Some(channels) } else { None }
    });
    dynamic.flatten().collect()
}

#[test]
fn the_player_agrees_with_the_closed_form() {
    let (mut blends, mut turns) = (0, 0);
    for odd in [false, true] {
        for (mut rng, file) in files(Options { odd, layout: Layout::Mixed, ..Options::default() }) {
            let is_keyframe =
                |&state: &usize| matches!(file.states[state].motion, Motion::Keyframe(_));
            for state in (0..file.states.len()).filter(is_keyframe) {
                let order = rng.pick(&Order::ALL);
                let mut player = Player::enter(&file, state);
                for _ in 0..30 {
                    let pose = player.pose(order);
                    let expected = stt::pose_at(&file, state, player.clock(), order);
                    assert!(pose.keys().eq(expected.keys()));
                    for (found, expected) in pose.values().zip(expected.values()) {
                        let (found, expected) = (found.matrix(), expected.matrix());
                        let mut pairs = found.as_flattened().iter().zip(expected.as_flattened());
                        let is_near = pairs.all(|(a, b)| (a - b).abs() <= 1e-6 * (1.0 + b.abs()));
                        assert!(is_near, "{found:?} is not {expected:?}");
                    }
                    let is_blended = player.moment().is_some_and(|moment| moment.blend.is_some());
                    blends += usize::from(is_blended);
                    let key = player.key();
                    player.advance(rng.range(0.0, 1.5));
                    turns += usize::from(player.key() != key);
                }
            }
        }
    }
    assert!(blends > 1000 && turns > 1000, "{blends} {turns}");
}

#[test]
fn files_have_all_types_and_the_requested_content() {
    for odd in [false, true] {
        let files: Vec<File> =
            files(Options { odd, ..Options::default() }).map(|(_, file)| file).collect();
        let channels: Vec<Channel> = files.iter().flat_map(channels).collect();
        let sequences: Vec<&Sequence> = files.iter().flat_map(sequences).collect();
        let states = || files.iter().flat_map(|file| &file.states);
        let names: Vec<&str> = states().map(|state| &*state.name).collect();
        let keys: Vec<&Key> = sequences.iter().flat_map(|sequence| &sequence.keys).collect();
        let of_channels: BTreeSet<u8> = channels.iter().map(|channel| channel.kind).collect();
        let of_sequences: BTreeSet<u8> = sequences.iter().map(|sequence| sequence.kind).collect();
        let some_channel = |is: fn(&Channel) -> bool| channels.iter().any(is);
        let some_sequence = |is: fn(&&Sequence) -> bool| sequences.iter().any(is);
        let some_key = |is: fn(&&Key) -> bool| keys.iter().any(is);
        let some_name = |is: fn(&&str) -> bool| names.iter().any(is);
        for (what, is_so) in [
            ("types of channels", of_channels == (0..10).collect()),
            ("types of sequences", of_sequences == (0..6).collect()),
            ("delays", some_channel(|channel| channel.offset < 0.0)),
            ("late starts", some_channel(|channel| channel.offset > channel.period.abs())),
            ("zero periods", some_channel(|channel| channel.period == 0.0)),
            ("negative periods", some_channel(|channel| channel.period < 0.0)),
            ("no tiny periods", !some_channel(|c| 0.0 < c.period && c.period < 0.1)),
            ("exits", some_key(|key| key.exit)),
            ("keys that are not exits", some_key(|key| !key.exit)),
            ("zero times", some_key(|key| key.forward.time == 0.0)),
            ("non-zero times", some_key(|key| key.forward.time > 0.0)),
            ("one-way blends", some_key(|key| key.backward.morph != key.forward.morph)),
            ("later starts", some_sequence(|s| s.start_key().is_some_and(|key| key > 0))),
            ("spaces before names", some_name(|name| name.starts_with(' '))),
            ("spaces in names", some_name(|name| name.contains("two  blanks"))),
        ] {
            assert!(is_so, "odd {odd}: {what}");
        }
        let plays_sequences = |file: &File| {
            let is_sequence = |key: &Key| {
                matches!(file.states[file.find(&key.state)].motion, Motion::Keyframe(_))
            };
            self::sequences(file).any(|sequence| sequence.keys.iter().any(is_sequence))
        };
        let is_lost = |s: &&Sequence| s.keys.iter().all(|key| key.state != s.start);
        let is_empty =
            |state: &State| matches!(&state.motion, Motion::Single(nodes) if nodes.is_empty());
        for (what, is_so) in [
            ("still", some_channel(|c| !matches!(c.kind, 0 | 8) && c.period <= 0.0) == odd),
            ("unknown starts", some_sequence(is_lost) == odd),
            ("nested", files.iter().any(plays_sequences) == odd),
            ("empty states", states().any(is_empty) == odd),
            ("no keys", some_sequence(|sequence| sequence.keys.is_empty()) == odd),
            ("nameless", some_name(|name| name.is_empty()) == odd),
            ("tabs", some_name(|name| name.contains('\t')) == odd),
        ] {
            assert!(is_so, "odd {odd}: {what}");
        }
    }
    let tiny = files(Options { tiny_periods: true, ..Options::default() })
        .flat_map(|(_, file)| channels(&file));
    assert!(tiny.filter(|channel| 0.0 < channel.period && channel.period < 1e-5).count() > 100);
}

#[test]
fn state_names_are_unique_and_only_existing_states_are_played() {
    for (_, file) in files(Options { odd: true, states: 40, ..Options::default() }) {
        let names: BTreeSet<&str> = file.states.iter().map(|state| &*state.name).collect();
        assert_eq!(names.len(), 40);
        let played = |sequence: &Sequence| {
            let keys = sequence.keys.iter().map(|key| key.state.clone());
            keys.chain([sequence.start.clone()]).collect::<Vec<_>>()
        };
        let played: Vec<String> = sequences(&file).flat_map(played).collect();
        assert!(!played.is_empty() && played.iter().all(|name| names.contains(&**name)));
        for state in 0..40 {
            stt::pose_at(&file, state, 1.0, Order::default());
        }
    }
}

#[test]
fn layouts_match_their_names() {
    let text = |layout| generate::file(&mut Rng::new(3), &Options { layout, ..Options::default() });
    let published = text(Layout::Published);
    // Numbers with a decimal point have six decimals, and each vector has its own line.
    let with_point = |word: &&str| word.contains('.') && word.parse::<f64>().is_ok();
    let numbers: Vec<&str> =
        published.lines().skip(1).flat_map(str::split_whitespace).filter(with_point).collect();
    let has_six = |number: &&str| number.rsplit_once('.').unwrap().1.len() == 6;
    assert!(numbers.len() > 50 && numbers.iter().all(has_six), "{published}");
    assert!(published.lines().any(|line| line.split(' ').filter(with_point).count() == 3));
    assert!(text(Layout::Tokens).lines().all(|line| line.starts_with('{') || !line.contains(' ')));
    assert!(!text(Layout::Line).contains(['\n', '\r']));
    assert!(text(Layout::Mixed).contains('\x0c') && text(Layout::Mixed).contains("\r\n"));
    assert!(text(Layout::Line).contains('e') && text(Layout::Line).contains('+'));
}

#[test]
fn large_files_are_read() {
    for one_line in [false, true] {
        let text = String::from_utf8(generate::large(100_000, one_line)).unwrap();
        assert_eq!(text.contains('\n'), !one_line);
        let file = stt::parse(&text);
        assert!(sequences(&file).count() > 2 && channels(&file).len() > 100);
        let mut keys = sequences(&file).flat_map(|sequence| &sequence.keys);
        assert!(keys.all(|key| file.find(&key.state) < file.states.len()));
    }
    let file = stt::parse(&String::from_utf8(generate::states(1000)).unwrap());
    let names: BTreeSet<&str> = file.states.iter().map(|state| &*state.name).collect();
    assert_eq!(names.len(), 1000);
    assert!(file.states.iter().all(|state| state.motion == Motion::Single(Vec::new())));
}
