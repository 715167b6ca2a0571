//! The events of steps of a clip.

use anim_ir::{Clip, ClipId, Crossing, Event, Joint, Player, Scene, Skeleton, TimelineBuilder};
use test_oracle::play::Wrap;
use test_oracle::play::events::{self, Occurrence, Playback, Speed};
use test_oracle::random::Rng;

/// About a millionth of a second. Multiples of it are exact in floating point.
const MICROSECOND: f64 = 1.0 / 1_048_576.0;

/// Returns a scene with a skeleton of a joint.
pub(super) fn empty_scene() -> Scene {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("s");
    skeleton.add_joint(Joint::new("j", None));
    scene.add_skeleton(skeleton);
    scene
}

/// Adds a clip that starts at a tick of its timeline.
pub(super) fn add_clip(scene: &mut Scene, clip: &events::Clip, start: i64, tick: f64) {
    let seconds = |ticks: i64| {
        let exact = (start + ticks) as f64 * tick;
        assert_eq!(f64::from(exact as f32), exact);
        exact as f32
    };
    let group = |group: Option<usize>| group.map(|number| number.to_string());
    let mut builder = TimelineBuilder::new("t");
    for (number, event) in clip.events.iter().enumerate() {
        builder.event(Event {
            time: seconds(event.time),
            name: number.to_string(),
            group: group(event.group),
            ..Event::default()
        });
    }
    let timeline = scene.add_timeline(builder.finish());
    scene.add_clip(Clip {
        timeline,
        start: seconds(0),
        end: seconds(clip.duration),
        wrap: super::wrap(clip.wrap),
        group: group(clip.group),
        ..Clip::default()
    });
}

/// Returns a scene with a clip that starts at a tick of its timeline.
fn scene(clip: &events::Clip, start: i64, tick: f64) -> Scene {
    let mut scene = empty_scene();
    add_clip(&mut scene, clip, start, tick);
    scene
}

fn player(scene: &Scene) -> Player<'_> {
    Player::new(scene, ClipId::new(0)).unwrap()
}

fn speed((numerator, denominator): Speed) -> f64 {
    numerator as f64 / denominator as f64
}

/// Returns what was crossed in ticks, to be compared with the oracle.
fn in_ticks<'a>(crossings: impl Iterator<Item = Crossing<'a>>, tick: f64) -> Vec<Occurrence> {
    let ticks = |seconds: f64| {
        let ticks = seconds / tick;
        assert_eq!(ticks.round(), ticks);
        ticks as i64
    };
    let occurrence = |crossing: Crossing<'_>| Occurrence {
        event: crossing.event.name.parse().unwrap(),
        time: ticks(crossing.time),
        after: crossing.after / tick,
        backwards: crossing.backwards,
    };
    crossings.map(occurrence).collect()
}

/// Each row is a wrap mode and a step from the middle of a clip of 10 s, followed by how many
/// seconds into the step the events at 0 s, 4 s and 10 s occur.
#[test]
fn sixty_cases_match_a_table() {
    const NEVER: &[i32] = &[];
    type Times = &'static [i32];
    let table: [(Wrap, i32, [Times; 3]); 20] = [
        (Wrap::Once, 5, [NEVER, NEVER, &[5]]),
        (Wrap::Once, 25, [NEVER, NEVER, &[5]]),
        (Wrap::Once, -5, [&[5], &[1], NEVER]),
        (Wrap::Once, -25, [&[5], &[1], NEVER]),
        (Wrap::Loop, 5, [&[5], NEVER, &[5]]),
        (Wrap::Loop, 25, [&[5, 15, 25], &[9, 19], &[5, 15, 25]]),
        (Wrap::Loop, -5, [&[5], &[1], NEVER]),
        (Wrap::Loop, -25, [&[5, 15, 25], &[1, 11, 21], &[5, 15]]),
        (Wrap::PingPong, 5, [NEVER, NEVER, &[5]]),
        (Wrap::PingPong, 25, [&[15], &[11, 19], &[5, 25]]),
        (Wrap::PingPong, -5, [&[5], &[1], NEVER]),
        (Wrap::PingPong, -25, [&[5, 25], &[1, 9, 21], &[15]]),
        (Wrap::PingPongOnce, 5, [NEVER, NEVER, &[5]]),
        (Wrap::PingPongOnce, 25, [&[15], &[11], &[5]]),
        (Wrap::PingPongOnce, -5, [&[5], &[1], NEVER]),
        (Wrap::PingPongOnce, -25, [&[5], &[1], NEVER]),
        (Wrap::Unspecified, 5, [NEVER, NEVER, &[5]]),
        (Wrap::Unspecified, 25, [NEVER, NEVER, &[5]]),
        (Wrap::Unspecified, -5, [&[5], &[1], NEVER]),
        (Wrap::Unspecified, -25, [&[5], &[1], NEVER]),
    ];
    for (wrap, step, expected) in table {
        for (time, expected) in [0, 4, 10].into_iter().zip(expected) {
            let event = events::Event { time, group: None };
            let clip = events::Clip { duration: 10, wrap, group: None, events: vec![event] };
            let scene = scene(&clip, 3, 1.0);
            let mut player = player(&scene);
            player.seek(5.0);
            let found: Vec<f64> = player.advance(step.into()).map(|found| found.after).collect();
            let expected: Vec<f64> = expected.iter().map(|seconds| f64::from(*seconds)).collect();
            assert_eq!(found, expected, "{wrap:?}, {step} s, event at {time} s");
            let mut playback = Playback::new(&clip);
            playback.seek(5);
            let speed = (i64::from(step.signum()), 1);
            let walked = playback.walk(step.abs().into(), speed);
            assert_eq!(walked.iter().map(|event| event.after).collect::<Vec<_>>(), expected);
        }
    }
}

/// Returns a random clip that lasts up to so many ticks.
fn random_clip(rng: &mut Rng, longest: usize) -> events::Clip {
    let duration = if rng.chance(5) { 0 } else { rng.below(longest) + 1 };
    let group = |rng: &mut Rng| rng.pick(&[None, None, Some(0), Some(1)]);
    let count = rng.pick(&[0, 1, 3, 12]);
    let event = |rng: &mut Rng| {
        let time = match rng.below(8) {
            0 => 0,
            1 => duration as i64,
            2 => rng.below(2 * duration + 2) as i64 - duration as i64 / 2,
            _ => rng.below(duration + 1) as i64,
        };
        events::Event { time, group: group(rng) }
    };
    let mut events: Vec<_> = (0..count).map(|_| event(rng)).collect();
    events.sort_by_key(|event| event.time);
    let wrap = rng.pick(&Wrap::ALL);
    events::Clip { duration: duration as i64, wrap, group: group(rng), events }
}

/// A random step in ticks: none, short, until an end, or some rounds.
fn random_step(rng: &mut Rng, playback: &Playback<'_>, duration: i64) -> i64 {
    match rng.below(6) {
        0 => 0,
        1 => 4 * rng.below(3) as i64,
        2 => 4 * (duration - playback.clock()).max(0),
        3 => 4 * playback.clock().clamp(0, duration),
        4 => 4 * rng.below(duration as usize + 1) as i64,
        _ => 4 * rng.below(5 * duration as usize + 1) as i64,
    }
}

/// Plays a random clip and compares each step with the oracle, which moves by single ticks or
/// lists the events of all rounds.
fn run(seed: u64, walking: bool) {
    let mut rng = Rng::new(seed);
    let clip = random_clip(&mut rng, if walking { 40 } else { 4_000_000 });
    let start = rng.below(4_000_000) as i64;
    let scene = scene(&clip, start, MICROSECOND);
    let (mut player, mut playback) = (player(&scene), Playback::new(&clip));
    for step in 0..rng.between(1, 8) {
        if rng.chance(15) {
            let time = rng.below(clip.duration as usize + 1) as i64;
            player.seek(time as f64 * MICROSECOND);
            playback.seek(time);
        }
        let ticks = random_step(&mut rng, &playback, clip.duration);
        let speeds = [(0, 1), (1, 1), (1, 1), (-1, 1), (2, 1), (-2, 1), (1, 4), (-1, 2)];
        let factor = rng.pick(&speeds);
        player.set_speed(speed(factor));
        let found = in_ticks(player.advance(ticks as f64 * MICROSECOND), MICROSECOND);
        let expected =
            if walking { playback.walk(ticks, factor) } else { playback.advance(ticks, factor) };
        let place = format!("run {seed}, step {step}: {ticks} at {factor:?} of {clip:?}");
        assert_eq!(found, expected, "{place}");
        assert_eq!(player.time(), playback.clock() as f64 * MICROSECOND, "{place}");
        if clip.duration > 0 {
            let phase = playback.clock() as f64 / clip.duration as f64;
            assert!((player.phase() - phase).abs() < 1e-12, "{place}");
        }
        assert_eq!(player.rounds(), playback.rounds(), "{place}");
        if factor.0 != 0 {
            assert_eq!(player.is_finished(), playback.is_finished(factor.0 < 0), "{place}");
        }
    }
}

#[test]
fn three_thousand_random_runs_match_a_walk_of_single_microseconds() {
    (0..3000).for_each(|seed| run(seed, true));
}

#[test]
fn seven_thousand_random_runs_match_the_list_of_all_rounds() {
    (3000..10_000).for_each(|seed| run(seed, false));
}

#[test]
fn the_events_of_any_partition_of_time_are_those_of_the_whole() {
    for seed in 0..1000 {
        let mut rng = Rng::new(seed);
        let clip = random_clip(&mut rng, 3_000_000);
        let scene = scene(&clip, 0, MICROSECOND);
        let factor = rng.pick(&[0.3, 1.0, 1.7, -0.9, -2.1]);
        let mut whole = player(&scene).with_speed(factor);
        let mut parts = whole.clone();
        let steps: Vec<f64> = (0..rng.between(1, 9)).map(|_| rng.range(0.0, 2.0)).collect();
        let total: f64 = steps.iter().sum();
        // Rounding may put an event at the very end of the time before or after it.
        let all = |player: &mut Player<'_>, step: f64, began: f64| {
            let events =
                player.advance(step).map(|found| (found.event.name.clone(), began + found.after));
            events.filter(|(_, after)| *after < total - 1e-9).collect::<Vec<_>>()
        };
        let expected = all(&mut whole, total, 0.0);
        let mut found = Vec::new();
        let mut now = 0.0;
        for step in steps {
            found.extend(all(&mut parts, step, now));
            now += step;
        }
        let names = |events: &[(String, f64)]| {
            events.iter().map(|event| event.0.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&found), names(&expected), "run {seed}");
        let apart = found.iter().zip(&expected).map(|(a, b)| (a.1 - b.1).abs());
        assert!(apart.fold(0.0, f64::max) < 1e-9, "run {seed}");
    }
}

#[test]
fn a_step_of_many_rounds_computes_only_the_events_that_are_taken() {
    let event = events::Event { time: 1, group: None };
    let clip = events::Clip { duration: 4, wrap: Wrap::Loop, group: None, events: vec![event] };
    let scene = scene(&clip, 0, 0.25);
    let mut player = player(&scene);
    let after: Vec<f64> = player.advance(1e9).take(3).map(|found| found.after).collect();
    assert_eq!(after, [0.25, 1.25, 2.25]);
    assert_eq!((player.time(), player.rounds()), (0.0, 1_000_000_000));
    let _ = player.advance(0.5);
    assert_eq!(player.time(), 0.5, "the clock moves even if no event is taken");
    assert_eq!(player.advance(1.0).count(), 1);
}

/// Steps that no game makes: the clock stays in the clip, and nothing takes forever.
#[test]
fn extreme_steps_are_bounded() {
    let event = |time| events::Event { time, group: None };
    for wrap in Wrap::ALL {
        for duration in [0, 4] {
            let events = vec![event(0), event(duration)];
            let clip = events::Clip { duration, wrap, group: None, events };
            let scene = scene(&clip, 1, 0.25);
            let mut player = player(&scene);
            for step in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                assert_eq!(player.advance(step).count(), 0, "{wrap:?}, {duration}");
                assert_eq!(player.time(), 0.0);
            }
            for step in [1e300, -1e300, f64::MAX, f64::MIN_POSITIVE, -1e-300, 1e18, -1e18] {
                assert!(player.advance(step).take(5).count() <= 5);
                let time = player.time();
                let inside = (0.0..=player.duration()).contains(&time);
                assert!(
                    inside || wrap == Wrap::Unspecified,
                    "{wrap:?}, {duration}, {step}: {time}"
                );
                assert!(player.phase().is_finite());
                player.seek(step);
                player.set_speed(step);
                assert!(player.advance(1e10).take(5).count() <= 5);
                player.set_speed(1.0);
                player.seek(0.0);
            }
        }
    }
}
