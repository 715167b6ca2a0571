//! Tests the events of steps with hand-written tables.

use test_oracle::play::Wrap;
use test_oracle::play::events::{Clip, Event, Playback, Speed};
use test_oracle::random::Rng;

/// Returns a clip of 10 ticks with the events `a` at its start, `b` and `c` at 4, and `d` at its
/// end. The last event is after the end.
fn clip(wrap: Wrap) -> Clip {
    let events = [0, 4, 4, 10, 11].map(|time| Event { time, group: None }).to_vec();
    Clip { duration: 10, wrap, group: None, events }
}

/// Plays steps of so many ticks at normal speed, backwards if negative, and returns for each step
/// the events with the ticks since its start.
fn play(clip: &Clip, start: i64, steps: &[i64]) -> Vec<String> {
    let mut playback = Playback::new(clip);
    playback.seek(start);
    let mut walked = playback.clone();
    let step = |&ticks: &i64| {
        let speed = (ticks.signum(), 1);
        let events = playback.advance(ticks.abs(), speed);
        assert_eq!(events, walked.walk(ticks.abs(), speed));
        let text = events.iter().map(|event| {
            let way = if event.backwards { "<" } else { "" };
            format!("{}{}{way}", ['a', 'b', 'c', 'd', 'e'][event.event], event.after)
        });
        text.collect::<Vec<_>>().join(" ")
    };
    steps.iter().map(step).collect()
}

#[test]
fn a_clip_that_plays_once_stops_at_its_ends() {
    let once = clip(Wrap::Once);
    assert_eq!(play(&once, 0, &[4, 6, 5, 5]), ["a0 b4 c4", "d6", "", ""]);
    assert_eq!(play(&once, 0, &[0, 3, 1, 100]), ["", "a0", "b1 c1", "d6"]);
    assert_eq!(play(&once, 10, &[-6, -4, -1]), ["d0< c6< b6<", "a4<", ""]);
    assert_eq!(play(&once, 5, &[-1, 1, -2]), ["c1< b1<", "", "c1< b1<"]);
    assert_eq!(play(&once, 10, &[1, 1]), ["d0", ""]);
    assert_eq!(play(&once, 0, &[-1, 1]), ["a0<", ""]);
}

#[test]
fn a_loop_has_the_events_of_its_end_and_of_its_start() {
    let round = clip(Wrap::Loop);
    assert_eq!(play(&round, 5, &[5, 4]), ["d5 a5", "b4 c4"]);
    assert_eq!(play(&round, 5, &[30]), ["d5 a5 b9 c9 d15 a15 b19 c19 d25 a25 b29 c29"]);
    assert_eq!(play(&round, 5, &[-5, -6]), ["c1< b1< a5<", "d0< c6< b6<"]);
    assert_eq!(play(&round, 0, &[-1]), ["a0< d0<"]);
    assert_eq!(play(&round, 9, &[1, -1]), ["d1 a1", "d0<"]);
}

#[test]
fn a_ping_pong_clip_has_the_events_of_its_turning_points_once() {
    let there = clip(Wrap::PingPong);
    assert_eq!(play(&there, 5, &[5, 6, 4, 4]), ["d5", "c6< b6<", "a4<", "b4 c4"]);
    assert_eq!(play(&there, 0, &[40]), ["a0 b4 c4 d10 c16< b16< a20< b24 c24 d30 c36< b36< a40<"]);
    assert_eq!(play(&there, 0, &[-4, -6]), ["a0 b4 c4", "d6"]);
    let once = clip(Wrap::PingPongOnce);
    assert_eq!(play(&once, 0, &[40, 5]), ["a0 b4 c4 d10 c16< b16< a20<", ""]);
    assert_eq!(play(&once, 5, &[-9, 5]), ["c1< b1< a5<", "b4 c4"]);
}

#[test]
fn without_a_wrap_mode_the_clock_continues() {
    let free = clip(Wrap::Unspecified);
    assert_eq!(play(&free, 5, &[50, -60, 60]), ["d5", "d45< c51< b51< a55<", "a5 b9 c9 d15"]);
}

#[test]
fn a_clip_without_duration_has_its_events_in_the_first_step() {
    for wrap in Wrap::ALL {
        let events = [-1, 0, 0, 1].map(|time| Event { time, group: None }).to_vec();
        let clip = Clip { duration: 0, wrap, group: None, events };
        assert_eq!(play(&clip, 0, &[0, 7, 7]), ["", "b0 c0", ""]);
        assert_eq!(play(&clip, 0, &[-7]), ["c0< b0<"]);
    }
}

#[test]
fn speed_scales_the_time_into_the_step_and_groups_exclude_others() {
    let events = [(2, None), (3, Some(0)), (3, Some(1))].map(|(time, group)| Event { time, group });
    let mut clip = Clip { duration: 8, wrap: Wrap::Loop, group: Some(1), events: events.to_vec() };
    let mut playback = Playback::new(&clip);
    let found = playback.advance(4, (2, 1));
    let found: Vec<_> = found.iter().map(|found| (found.event, found.time, found.after)).collect();
    assert_eq!(found, [(0, 2, 1.0), (2, 3, 1.5)]);
    assert_eq!((playback.clock(), playback.rounds()), (0, 1));
    clip.group = None;
    assert_eq!(Playback::new(&clip).advance(6, (1, 2)).len(), 3);
}

#[test]
fn clocks_and_rounds_match_a_table() {
    for (wrap, position, clock, rounds) in [
        (Wrap::Loop, -1, 9, -1),
        (Wrap::Loop, 30, 0, 3),
        (Wrap::PingPong, 13, 7, 0),
        (Wrap::PingPong, 20, 0, 1),
        (Wrap::PingPong, -1, 1, -1),
        (Wrap::PingPongOnce, 99, 0, 0),
        (Wrap::Once, 99, 10, 0),
        (Wrap::Once, -99, 0, 0),
        (Wrap::Unspecified, 99, 99, 0),
    ] {
        let clip = clip(wrap);
        let mut playback = Playback::new(&clip);
        playback.advance(position, (1, 1));
        assert_eq!((playback.clock(), playback.rounds()), (clock, rounds), "{wrap:?} {position}");
        let stops = matches!(wrap, Wrap::Once | Wrap::PingPongOnce);
        assert_eq!(playback.is_finished(position < 0), stops);
    }
}

#[test]
fn listing_and_walking_find_the_same_events_in_any_partition_of_time() {
    let mut rng = Rng::new(17);
    for _ in 0..2000 {
        let duration = rng.below(12) as i64;
        let mut events: Vec<Event> = (0..rng.below(6))
            .map(|_| Event { time: rng.below(duration as usize + 4) as i64 - 1, group: None })
            .collect();
        events.sort_by_key(|event| event.time);
        let clip = Clip { duration, wrap: rng.pick(&Wrap::ALL), group: None, events };
        let mut one = Playback::new(&clip);
        one.seek(rng.below(duration as usize + 1) as i64);
        let (mut other, mut parts) = (one.clone(), one.clone());
        for _ in 0..4 {
            let (ticks, speed) = (2 * rng.below(20) as i64, rng.pick(&SPEEDS));
            let whole = one.advance(ticks, speed);
            assert_eq!(whole, other.walk(ticks, speed), "{clip:?}");
            assert_eq!(one.position(), other.position());
            let first = 2 * rng.below(ticks as usize / 2 + 1) as i64;
            let mut in_parts = parts.advance(first, speed);
            let late = parts.advance(ticks - first, speed);
            in_parts.extend(late.into_iter().map(|mut event| {
                event.after += first as f64;
                event
            }));
            assert_eq!(whole, in_parts, "{clip:?}");
        }
    }
}

const SPEEDS: [Speed; 6] = [(1, 1), (-1, 1), (2, 1), (-4, 1), (1, 2), (-1, 2)];
