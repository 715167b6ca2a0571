//! What the generator writes, the evaluator reads and the player plays.

use std::collections::BTreeSet;

use test_oracle::random::Rng;
use test_oracle::stt::generate::{self, Layout, Options};
use test_oracle::stt::{self, Behaviour, Channel, File, Motion, Order, Player, Sequence};

fn files(options: Options) -> impl Iterator<Item = (Rng, File)> {
    (0..150).map(move |seed| {
        let mut rng = Rng::new(seed);
        let text = generate::file(&mut rng, &options);
        assert_eq!(text, generate::file(&mut Rng::new(seed), &options));
        let file = stt::parse(&text);
        assert_eq!((&*file.version, file.states.len()), ("1.1", options.states));
        (rng, file)
    })
}

fn sequences(file: &File) -> impl Iterator<Item = &Sequence> {
    file.states.iter().filter_map(|state| {
        if let Motion::Keyframe(sequence) = &state.motion { Some(sequence) } else { None }
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
            for (state, _) in file
                .states
                .iter()
                .enumerate()
                .filter(|(_, state)| matches!(state.motion, Motion::Keyframe(_)))
            {
                let order = rng.pick(&Order::ALL);
                let mut player = Player::enter(&file, state);
                for _ in 0..30 {
                    let pose = player.pose(order);
                    let expected = stt::pose_at(&file, state, player.clock(), order);
                    assert!(pose.keys().eq(expected.keys()));
                    for (found, expected) in pose.values().zip(expected.values()) {
                        let (found, expected) = (found.matrix(), expected.matrix());
                        let far = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-6 * (1.0 + b.abs());
                        assert!(
                            !found.as_flattened().iter().zip(expected.as_flattened()).any(far),
                            "{found:?} is not {expected:?}"
                        );
                    }
                    blends +=
                        usize::from(player.moment().is_some_and(|moment| moment.blend.is_some()));
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
fn files_have_every_type_and_what_is_asked_for() {
    for odd in [false, true] {
        let files: Vec<File> =
            files(Options { odd, ..Options::default() }).map(|(_, file)| file).collect();
        let channels: Vec<Channel> = files.iter().flat_map(channels).collect();
        let sequences: Vec<&Sequence> = files.iter().flat_map(sequences).collect();
        assert_eq!(
            channels.iter().map(|channel| channel.kind).collect::<BTreeSet<_>>(),
            (0..10).collect()
        );
        assert_eq!(
            sequences.iter().map(|sequence| sequence.kind).collect::<BTreeSet<_>>(),
            (0..6).collect()
        );
        assert!(
            channels.iter().any(|channel| channel.offset < 0.0)
                && channels.iter().any(|channel| channel.offset > channel.period.abs())
        );
        assert!(
            channels.iter().any(|channel| channel.period == 0.0)
                && channels.iter().any(|channel| channel.period < 0.0)
        );
        assert!(!channels.iter().any(|channel| 0.0 < channel.period && channel.period < 0.1));

        let keys = || sequences.iter().flat_map(|sequence| &sequence.keys);
        assert!(keys().any(|key| key.exit) && keys().any(|key| !key.exit));
        assert!(
            keys().any(|key| key.forward.time == 0.0) && keys().any(|key| key.forward.time > 0.0)
        );
        assert!(keys().any(|key| key.backward.morph != key.forward.morph));
        assert!(sequences.iter().any(|sequence| sequence.start_key().is_some_and(|key| key > 0)));
        let names: Vec<&str> =
            files.iter().flat_map(|file| &file.states).map(|state| &*state.name).collect();
        assert!(
            names.iter().any(|name| name.starts_with(' '))
                && names.iter().any(|name| name.contains("two  blanks"))
        );

        // What is odd.
        let still = channels
            .iter()
            .filter(|channel| !matches!(channel.kind, 0 | 8) && channel.period <= 0.0)
            .count();
        let unknown = sequences
            .iter()
            .filter(|sequence| sequence.keys.iter().all(|key| key.state != sequence.start))
            .count();
        let is_keyframe = |file: &File, name: &str| {
            matches!(file.states[file.find(name)].motion, Motion::Keyframe(_))
        };
        let nested = files
            .iter()
            .map(|file| sequences_playing(file, |name| is_keyframe(file, name)))
            .sum::<usize>();
        let single = |motion: &Motion| {
            if let Motion::Single(nodes) = motion { nodes.is_empty() } else { false }
        };
        let empty = files
            .iter()
            .flat_map(|file| &file.states)
            .filter(|state| single(&state.motion))
            .count();
        let no_keys = sequences.iter().filter(|sequence| sequence.keys.is_empty()).count();
        let nameless = names.iter().filter(|name| name.is_empty()).count();
        let found = [
            still,
            unknown,
            nested,
            empty,
            no_keys,
            nameless,
            names.iter().filter(|name| name.contains('\t')).count(),
        ];
        assert!(found.iter().all(|&count| (count > 0) == odd), "{found:?}");
    }
    let tiny = files(Options { tiny_periods: true, ..Options::default() })
        .flat_map(|(_, file)| channels(&file));
    assert!(tiny.filter(|channel| 0.0 < channel.period && channel.period < 1e-5).count() > 100);
}

fn sequences_playing(file: &File, test: impl Fn(&str) -> bool) -> usize {
    sequences(file).filter(|sequence| sequence.keys.iter().any(|key| test(&key.state))).count()
}

#[test]
fn files_name_no_state_twice_and_play_only_what_there_is() {
    for (_, file) in files(Options { odd: true, states: 40, ..Options::default() }) {
        let names: BTreeSet<&str> = file.states.iter().map(|state| &*state.name).collect();
        assert_eq!(names.len(), 40);
        let played = || {
            sequences(&file).flat_map(|sequence| {
                sequence.keys.iter().map(|key| &*key.state).chain([&*sequence.start])
            })
        };
        assert!(played().count() > 0 && played().all(|name| names.contains(name)));
        for state in 0..40 {
            stt::pose_at(&file, state, 1.0, Order::default());
        }
    }
}

#[test]
fn layouts_are_what_they_are_called() {
    let text = |layout| generate::file(&mut Rng::new(3), &Options { layout, ..Options::default() });
    let published = text(Layout::Published);
    // Numbers with a point have six decimals, and a vector has a line.
    let with_point = |word: &&str| word.contains('.') && word.parse::<f64>().is_ok();
    let numbers: Vec<&str> =
        published.lines().skip(1).flat_map(str::split_whitespace).filter(with_point).collect();
    assert!(
        numbers.len() > 50
            && numbers.iter().all(|number| number.rsplit_once('.').unwrap().1.len() == 6),
        "{published}"
    );
    assert!(published.lines().any(|line| line.split(' ').filter(with_point).count() == 3));
    assert!(text(Layout::Tokens).lines().all(|line| line.starts_with('{') || !line.contains(' ')));
    assert!(!text(Layout::Line).contains(['\n', '\r']));
    assert!(text(Layout::Mixed).contains('\x0c') && text(Layout::Mixed).contains("\r\n"));
    assert!(text(Layout::Line).contains('e') && text(Layout::Line).contains('+'));
}

#[test]
fn big_files_are_as_big_as_asked() {
    for one_line in [false, true] {
        let bytes = generate::large(100_000, one_line);
        assert!((100_000..110_000).contains(&bytes.len()), "{}", bytes.len());
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text.contains('\n'), !one_line);
        let file = stt::parse(&text);
        assert!(sequences(&file).count() > 2 && channels(&file).len() > 100);
        assert!(
            sequences(&file)
                .flat_map(|sequence| &sequence.keys)
                .all(|key| file.find(&key.state) < file.states.len())
        );
    }
    let file = stt::parse(&String::from_utf8(generate::states(1000)).unwrap());
    let names: BTreeSet<&str> = file.states.iter().map(|state| &*state.name).collect();
    assert!(
        names.len() == 1000
            && file.states.iter().all(|state| state.motion == Motion::Single(Vec::new()))
    );
}
