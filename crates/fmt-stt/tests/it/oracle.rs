//! Compares sampled scenes with an independent evaluator that shares no code with this crate.

use anim_ir::{
    Answer, EulerOrder, MachineId, Pose, Sampler, Scene, StateId, StatePlayer, Transform,
};
use fmt_stt::{Behaviour, Document, NewMotion, ToIr, to_ir};
use test_oracle::fixtures;
use test_oracle::random::Rng;
use test_oracle::stt::generate::{self, Layout, Options};
use test_oracle::stt::{self, Order, Player};

/// A generated file, as read by this crate and by the oracle.
struct Case {
    document: Document<'static>,
    scene: Scene,
    file: stt::File,
    order: Order,
    /// The largest length and the largest angle (in radians) that any node reaches up to
    /// [`LATEST`], at least 1. The tolerances are proportional to them.
    lengths: f64,
    angles: f64,
}

/// The latest time at which poses are compared, in seconds.
const LATEST: f64 = 20.0;

impl Case {
    fn new(text: String, order: usize) -> Case {
        let file = stt::parse(&text);
        let document = Document::parse(text.into_bytes()).unwrap().value;
        let options = ToIr::default().with_rotation_order(EulerOrder::ALL[order]);
        let scene = to_ir(&document, &options).value;
        assert!(anim_ir::validate(&scene).is_empty());
        let mut case =
            Case { document, scene, file, order: Order::ALL[order], lengths: 1.0, angles: 1.0 };
        for state in &case.file.states {
            let stt::Motion::Single(nodes) = &state.motion else { continue };
            for node in nodes {
                for (part, channel) in channels(&node.behaviour).iter().enumerate() {
                    let grows = match channel.kind {
                        9 if channel.period > 0.0 => {
                            (LATEST + channel.offset.abs()) / channel.period
                        }
                        9 => LATEST,
                        _ => 1.0,
                    };
                    let numbers = channel.start.iter().chain(&channel.end);
                    let size = numbers.fold(0.0, |size: f64, number| size.max(number.abs()));
                    let size = size * grows.max(1.0);
                    let range = if part == 2 { &mut case.angles } else { &mut case.lengths };
                    *range = range.max(if part == 2 { size.to_radians() } else { size });
                }
            }
        }
        case
    }

    /// Compares a state's pose with the oracle's.
    fn check(&self, seed: u64, state: usize, time: f64, pose: &Pose) {
        let expected = stt::pose_at(&self.file, state, time, self.order);
        self.compare(pose, &expected, &format!("seed {seed}, state {state}, {time} s"));
    }

    /// Compares two poses. Joints missing from the expected pose must be at rest.
    fn compare(&self, pose: &Pose, expected: &stt::Pose, what: &str) {
        let joints = &self.scene.skeletons[0].joints;
        assert!(
            expected.keys().all(|name| joints.iter().any(|joint| joint.name == *name)),
            "{what}"
        );
        for (joint, found) in joints.iter().zip(&pose.transforms) {
            let Some(place) = expected.get(&joint.name) else {
                assert_eq!(*found, Transform::IDENTITY, "{what}: {}", joint.name);
                continue;
            };
            let farthest = |a: &[f64], b: &[f64]| {
                a.iter().zip(b).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
            };
            let found_at = found.translation.to_array().map(f64::from);
            let apart = farthest(&found_at, &place.translation);
            let most = 1e-5 * self.lengths * (1.0 + self.angles);
            assert!(apart <= most, "{what}: {} is off by {apart}", joint.name);
            let turned = found.rotation.to_array().map(f64::from);
            let cosine: f64 = turned.iter().zip(&place.rotation).map(|(a, b)| a * b).sum();
            // Compare components, since the cosine is inaccurate for small angles. Its sign makes
            // the two quaternions comparable: q and -q are the same rotation.
            let off = farthest(&turned, &place.rotation.map(|b| b * cosine.signum()));
            assert!(off <= 1e-5 * self.angles, "{what}: {} is rotated by {off}", joint.name);
        }
    }
}

fn channels(behaviour: &stt::Behaviour) -> [stt::Channel; 3] {
    match behaviour {
        stt::Behaviour::Static(vectors) => vectors.map(|value| stt::Channel {
            start: value,
            end: value,
            period: 0.0,
            offset: 0.0,
            kind: 8,
        }),
        stt::Behaviour::Dynamic(channels) => *channels,
    }
}

fn cases(odd: bool) -> impl Iterator<Item = (u64, Case)> {
    (0..120).map(move |seed| {
        let layout = Layout::ALL[seed as usize % 4];
        let text = generate::file(
            &mut Rng::new(seed),
            &Options { layout, states: 8, odd, tiny_periods: false },
        );
        (seed, Case::new(text, seed as usize % 6))
    })
}

/// Compares all values of all generated files.
#[test]
fn values_match_the_evaluation() {
    let same = |a: [f32; 3], b: [f64; 3]| a.map(f64::from) == b;
    let mut nodes_seen = 0;
    for (seed, case) in cases(true) {
        for (state, expected) in case.document.data().iter().zip(&case.file.states) {
            assert_eq!(state.name, expected.name);
            match (&state.motion, &expected.motion) {
                (NewMotion::Single(nodes), stt::Motion::Single(expected)) => {
                    assert_eq!(nodes.len(), expected.len(), "{seed}");
                    for (node, expected) in nodes.iter().zip(expected) {
                        assert_eq!(node.name, expected.name);
                        let equal = match (&node.behaviour, &expected.behaviour) {
                            (Behaviour::Static(found), stt::Behaviour::Static(expected)) => {
                                found.iter().zip(expected).all(|(a, b)| same(*a, *b))
                            }
                            (Behaviour::Dynamic(found), stt::Behaviour::Dynamic(expected)) => {
                                found.iter().zip(expected).all(|(a, b)| {
                                    let times =
                                        [a.period, a.offset].map(f64::from) == [b.period, b.offset];
                                    same(a.start, b.start)
                                        && same(a.end, b.end)
                                        && times
                                        && a.kind.number() == i32::from(b.kind)
                                })
                            }
                            _ => false,
                        };
                        assert!(
                            equal,
                            "{seed}: {:?} is not {:?}",
                            node.behaviour, expected.behaviour
                        );
                        nodes_seen += 1;
                    }
                }
                (NewMotion::Keyframe(found), stt::Motion::Keyframe(expected)) => {
                    assert_eq!(
                        (found.kind.number(), &found.start),
                        (i32::from(expected.kind), &expected.start)
                    );
                    assert_eq!(found.keys.len(), expected.keys.len());
                    for (a, b) in found.keys.iter().zip(&expected.keys) {
                        assert_eq!(
                            (&a.state, a.exit, a.forward.morph, a.backward.morph),
                            (&b.state, b.exit, b.forward.morph, b.backward.morph)
                        );
                        assert_eq!(
                            [a.forward.seconds, a.backward.seconds].map(f64::from),
                            [b.forward.time, b.backward.time]
                        );
                    }
                }
                _ => panic!("{seed}: unexpected kind of state"),
            }
        }
    }
    assert!(nodes_seen > 500);
}

/// Samples SINGLE states over several periods, including negative times.
#[test]
fn clips_match_the_evaluation() {
    let mut compared = 0;
    for (seed, case) in cases(true) {
        let mut rng = Rng::new(seed);
        for (clip, scene_clip) in case.scene.clips.iter().enumerate() {
            let is_single =
                |state: &usize| matches!(case.file.states[*state].motion, stt::Motion::Single(_));
            let state = (0..case.file.states.len()).filter(is_single).nth(clip).unwrap();
            let (timeline, skeleton) = case.scene.motion_of(scene_clip).unwrap();
            let mut sampler = Sampler::for_clip(skeleton, timeline, scene_clip);
            for _ in 0..20 {
                let time = rng.range(-LATEST, LATEST);
                let mut pose = Pose::default();
                sampler.sample(time, &mut pose);
                case.check(seed, state, time, &pose);
                compared += 1;
            }
        }
    }
    assert!(compared > 5_000);
}

/// Samples KEYFRAME states directly at arbitrary times, rather than step by step.
#[test]
fn sequences_match_the_evaluation() {
    let mut compared = 0;
    for (seed, case) in cases(true) {
        let mut rng = Rng::new(seed);
        let mut player = StatePlayer::new(&case.scene, MachineId::new(0)).unwrap();
        for state in 0..case.file.states.len() {
            if !matches!(case.file.states[state].motion, stt::Motion::Keyframe(_)) {
                continue;
            }
            for _ in 0..20 {
                let time = rng.range(0.0, LATEST);
                player.enter(StateId::new(state));
                player.advance(time);
                let mut pose = Pose::default();
                player.pose(&mut pose);
                case.check(seed, state, time, &pose);
                compared += 1;
            }
        }
    }
    assert!(compared > 1_000);
}

/// Sends random requests at random times. Both players must leave and enter the same states at the
/// same times.
#[test]
fn players_agree() {
    let mut entered = 0;
    for (seed, case) in cases(false) {
        let mut rng = Rng::new(seed + 1_000);
        let states = case.file.states.len();
        let (mut player, mut expected) = (
            StatePlayer::new(&case.scene, MachineId::new(0)).unwrap(),
            Player::enter(&case.file, 0),
        );
        for step in 0..150 {
            if rng.chance(30) {
                let state = rng.below(states);
                let mut asked = expected.clone();
                asked.request(state);
                if let Answer::Refused(_) = player.request(StateId::new(state)) {
                    asked.advance(1e4);
                    assert_eq!(asked.state(), expected.state(), "seed {seed}, step {step}");
                } else {
                    expected = asked;
                }
            }
            let before = expected.state();
            let seconds = if rng.chance(20) { 0.0 } else { rng.range(0.0, 1.5) };
            player.advance(seconds);
            expected.advance(seconds);
            entered += usize::from(expected.state() != before);
            let what = format!("seed {seed}, step {step}");
            assert_eq!(
                (player.state().index(), player.requested().map(StateId::index)),
                (expected.state(), expected.requested()),
                "{what}"
            );
            assert!((player.clock() - expected.clock()).abs() < 1e-9, "{what}");
            // The tolerances are only valid up to `LATEST`.
            if player.clock() < LATEST {
                let mut pose = Pose::default();
                player.pose(&mut pose);
                case.compare(&pose, &expected.pose(case.order), &what);
            }
        }
    }
    assert!(entered > 200, "{entered}");
}

/// Samples hand-written fixtures at the times listed in `EXPECTED.tsv`.
#[test]
fn fixtures_match_their_table() {
    let scene = |name: &str| {
        let bytes = std::fs::read(fixtures::folder("stt").join("ok").join(name)).unwrap();
        to_ir(&Document::parse(bytes).unwrap().value, &ToIr::default()).value
    };
    let at = |scene: &Scene, time: f64, joint: &str| {
        let mut player = StatePlayer::new(scene, MachineId::new(0)).unwrap();
        player.advance(time);
        let mut pose = Pose::default();
        player.pose(&mut pose);
        let joint = scene.skeletons[0].joints.iter().position(|found| found.name == joint).unwrap();
        pose.transforms[joint].translation.to_array()
    };
    let lamp = scene("published_3.stt");
    assert_eq!(
        [1.0, 3.9, 8.1].map(|time| at(&lamp, time, "my_dynamic_node")[1]),
        [50.0, 50.0, 50.0]
    );
    assert!((at(&lamp, 4.5, "my_dynamic_node")[1] - 0.0).abs() < 1e-4);
    let morph = scene("keyframe_morph.stt");
    assert_eq!([1.0, 2.0, 3.0, 6.0].map(|time| at(&morph, time, "boom")[1]), [4.0, 8.0, 6.0, 0.0]);
    let three = scene("dynamic_three_channels.stt");
    let moved = at(&three, 1.0, three.skeletons[0].joints[0].name.as_str());
    // Displacement 2 0 0, and translation 0 3 0 rotated by 21.213203 degrees about z.
    let (sin, cos) = 21.213_203_f64.to_radians().sin_cos();
    let expected = [2.0 - 3.0 * sin, 3.0 * cos, 0.0];
    assert!(
        moved.iter().zip(expected).all(|(a, b)| (f64::from(*a) - b).abs() < 1e-5),
        "{moved:?} is not {expected:?}"
    );
}
