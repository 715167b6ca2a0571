//! Tests state machines with hand-computed cases.

use test_oracle::play::machine::{Answer, Machine, Motion, Occurrence, Player, State, Step};
use test_oracle::random::Rng;
use test_oracle::stt::{self, Key, Sequence, Way};

/// Returns the clips a, b and c, which have events at 0 and every 2 ticks, and a sequence of the
/// three as state 3. Forwards, the keys take 2, 3 and 4 ticks, backwards 5, 6 and 7.
fn machine(kind: u8, start: &str, morph: bool, exits: [bool; 3]) -> Machine {
    let clip = |name: &str| State {
        name: name.to_owned(),
        motion: Motion::Clip { duration: 100, events: (0..=100).step_by(2).collect() },
    };
    let way = |time| Way { time, morph };
    let keys = [("a", 2.0, 5.0), ("b", 3.0, 6.0), ("c", 4.0, 7.0)].into_iter().zip(exits);
    let keys = keys.map(|((state, forward, backward), exit)| Key {
        state: state.to_owned(),
        exit,
        forward: way(forward),
        backward: way(backward),
    });
    let sequence = Sequence { kind, start: start.to_owned(), keys: keys.collect() };
    let all = State { name: "all".to_owned(), motion: Motion::Sequence(sequence) };
    Machine { states: vec![clip("a"), clip("b"), clip("c"), all] }
}

/// Returns the answer to a request for state 1, some ticks after the sequence was entered.
fn answer(kind: u8, start: &str, morph: bool, exits: [bool; 3], ticks: i64) -> Answer {
    let machine = machine(kind, start, morph, exits);
    let mut player = Player::new(&machine);
    assert_eq!(player.request(3), Answer::Entered);
    player.advance(ticks);
    player.request(1)
}

#[test]
fn answers_match_a_table() {
    use Answer::{Entered, NoExit, NoExitAhead, Waiting};
    const FIRST: [bool; 3] = [true, false, false];
    const LAST: [bool; 3] = [false, false, true];
    for (kind, start, morph, exits, ticks, expected) in [
        (1, "a", false, [false; 3], 5, NoExit),
        (1, "a", false, FIRST, 1, Entered),
        (1, "a", true, FIRST, 0, Entered),
        (1, "a", true, FIRST, 1, Waiting { key: 0, ticks: 8 }),
        (1, "a", false, FIRST, 2, Waiting { key: 0, ticks: 7 }),
        (1, "a", false, LAST, 20, Waiting { key: 2, ticks: 3 }),
        (2, "a", true, LAST, 1, Waiting { key: 2, ticks: 4 }),
        // a for 2 ticks, b for 3, c for 7, b for 6.
        (3, "a", true, FIRST, 6, Waiting { key: 0, ticks: 12 }),
        (3, "a", true, LAST, 6, Waiting { key: 2, ticks: 17 }),
        (4, "b", false, LAST, 0, Waiting { key: 2, ticks: 11 }),
        (5, "a", true, LAST, 1, Waiting { key: 2, ticks: 4 }),
        (5, "a", true, LAST, 5, Entered),
        (5, "a", true, LAST, 50, Entered),
        (5, "a", true, FIRST, 1, NoExitAhead),
        (5, "a", false, FIRST, 1, Entered),
        (5, "b", false, FIRST, 0, NoExitAhead),
        (0, "b", false, FIRST, 9, NoExitAhead),
        (0, "a", false, FIRST, 9, Entered),
    ] {
        let found = answer(kind, start, morph, exits, ticks);
        assert_eq!(found, expected, "{kind} {start} {morph} {exits:?} {ticks}");
    }
}

#[test]
fn a_refused_request_changes_nothing_and_a_later_one_replaces() {
    let machine = machine(1, "a", true, [true, false, false]);
    let mut player = Player::new(&machine);
    player.enter(3);
    player.advance(1);
    assert_eq!(player.request(0), Answer::Waiting { key: 0, ticks: 8 });
    assert_eq!((player.request(4), player.requested()), (Answer::UnknownState, Some(0)));
    assert_eq!(player.request(2), Answer::Waiting { key: 0, ticks: 8 });
    assert_eq!(player.advance(10).entered, Some((2, 8)));
    assert_eq!((player.state(), player.clock(), player.requested()), (2, 2, None));
}

#[test]
fn events_of_the_states_that_are_shown_occur() {
    let events = |morph, steps: &[i64]| {
        let machine = machine(1, "a", morph, [true, false, false]);
        let mut player = Player::new(&machine);
        player.enter(3);
        let text = |&ticks: &i64| {
            let found = player.advance(ticks).events;
            let text = found.iter().map(|Occurrence { state, event, time, after }| {
                assert_eq!(*time, 2 * *event as i64);
                format!("{}{time}+{after}", ["a", "b", "c"][*state])
            });
            text.collect::<Vec<_>>().join(" ")
        };
        steps.iter().map(text).collect::<Vec<_>>()
    };
    // a until 2, b until 5, c until 9, a again.
    assert_eq!(events(false, &[0, 2, 8]), ["", "a0+0 b2+2", "b4+2 c6+4 c8+6 a10+8"]);
    assert_eq!(
        events(true, &[6, 4]),
        ["a0+0 b0+0 b2+2 c2+2 b4+4 c4+4 a6+6 c6+6", "a8+2 c8+2 a10+4 b10+4"]
    );
}

#[test]
fn a_state_that_is_entered_within_a_step_has_the_rest_of_it() {
    let machine = machine(5, "a", false, [false, true, false]);
    let mut player = Player::new(&machine);
    player.enter(3);
    player.advance(1);
    assert_eq!(player.request(0), Answer::Waiting { key: 1, ticks: 1 });
    let mut exactly = player.clone();
    let event = |state, event, time, after| Occurrence { state, event, time, after };
    let events = vec![event(1, 1, 2, 1), event(0, 0, 0, 1), event(0, 1, 2, 3)];
    assert_eq!(player.advance(3), Step { entered: Some((0, 1)), events });
    assert_eq!(exactly.advance(1), Step { entered: Some((0, 1)), events: vec![event(1, 1, 2, 1)] });
    assert_eq!(exactly.advance(1).events, [event(0, 0, 0, 0)]);
}

/// Compares answers with the player of the format, by waiting for what happens.
#[test]
fn requests_are_granted_when_the_player_of_the_format_leaves() {
    let mut rng = Rng::new(3);
    for _ in 0..500 {
        let way = |rng: &mut Rng| Way { time: rng.below(4) as f64, morph: rng.chance(50) };
        let mut keys = Vec::new();
        for _ in 0..rng.between(1, 4) {
            let state = rng.pick(&["a", "b", "c"]).to_owned();
            let (exit, forward, backward) = (rng.chance(30), way(&mut rng), way(&mut rng));
            keys.push(Key { state, exit, forward, backward });
        }
        let start = rng.pick(&["a", "b", "c", "d"]).to_owned();
        let sequence = Sequence { kind: rng.below(6) as u8, start, keys };
        let mut machine = machine(0, "a", false, [false; 3]);
        machine.states[3].motion = Motion::Sequence(sequence.clone());
        let single = |name: &str| stt::State {
            name: name.to_owned(),
            motion: stt::Motion::Single(Vec::new()),
        };
        let mut states = vec![single("a"), single("b"), single("c")];
        let motion = stt::Motion::Keyframe(sequence);
        states.push(stt::State { name: "all".to_owned(), motion });
        let file = stt::File { version: String::new(), states };
        let mut other = stt::Player::enter(&file, 3);
        let mut player = Player::new(&machine);
        player.enter(3);
        let ticks = rng.below(12) as i64;
        player.advance(ticks);
        other.advance(ticks as f64);
        let answer = player.request(0);
        other.request(0);
        let mut waited = 0;
        while other.state() == 3 && waited < 60 {
            other.advance(1.0);
            waited += 1;
        }
        let expected = match answer {
            Answer::Entered => 0,
            Answer::Waiting { ticks, .. } => ticks,
            _ => 60,
        };
        assert_eq!(waited, expected, "{answer:?} {machine:?} at {ticks}");
    }
}
