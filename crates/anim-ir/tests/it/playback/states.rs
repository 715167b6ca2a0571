//! State machines, with requests and the events of their states.

use std::collections::BTreeMap;

use anim_ir::{
    Answer, Clip, Event, Joint, MachineId, Motion, Refusal, Scene, Sequence, SequenceKey,
    SequenceOrder, Skeleton, State, StateId, StateMachine, StatePlayer, TimelineBuilder,
    Transition,
};
use test_oracle::play::machine as oracle;
use test_oracle::random::Rng;
use test_oracle::stt::{Key, Sequence as Keys, Way};

const TICK: f64 = 1.0 / 8.0;

/// Returns a random machine. Sequences only play states before them.
fn random_machine(rng: &mut Rng) -> oracle::Machine {
    let mut states = Vec::new();
    let count = rng.between(2, 6);
    for number in 0..count {
        let clip = number == 0 || rng.chance(25);
        let motion = if clip { random_clip(rng) } else { random_sequence(rng, number) };
        states.push(oracle::State { name: number.to_string(), motion });
    }
    oracle::Machine { states }
}

fn random_clip(rng: &mut Rng) -> oracle::Motion {
    let duration = rng.pick(&[0, 3, 20, 200]);
    let mut events: Vec<i64> =
        (0..rng.pick(&[0, 2, 10, 40])).map(|_| rng.below(duration + 2) as i64).collect();
    events.sort_unstable();
    oracle::Motion::Clip { duration: duration as i64, events }
}

fn random_sequence(rng: &mut Rng, before: usize) -> oracle::Motion {
    let exits = rng.pick(&[0, 20, 20, 60]);
    let way = |rng: &mut Rng| {
        let time = if rng.chance(20) { 0 } else { rng.between(1, 7) };
        Way { time: time as f64, morph: rng.chance(50) }
    };
    let key = |rng: &mut Rng| Key {
        // Some keys have no state.
        state: if rng.chance(5) { "missing".to_owned() } else { rng.below(before).to_string() },
        exit: rng.chance(exits),
        forward: way(rng),
        backward: way(rng),
    };
    let keys: Vec<Key> = (0..rng.between(0, 5)).map(|_| key(rng)).collect();
    let start = rng.below(before + 1).to_string();
    let kind = rng.pick(&[0, 1, 2, 3, 4, 5, 5]);
    oracle::Motion::Sequence(Keys { kind, start, keys })
}

/// Returns a scene with the machine. An event has the numbers of its state and of itself as name.
fn scene(machine: &oracle::Machine) -> Scene {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::nodes("s");
    skeleton.add_joint(Joint::new("j", None));
    scene.add_skeleton(skeleton);
    let mut states = Vec::new();
    for (number, state) in machine.states.iter().enumerate() {
        let motion = match &state.motion {
            oracle::Motion::Clip { duration, events } => {
                let mut builder = TimelineBuilder::new("");
                for (event, time) in events.iter().enumerate() {
                    let time = (*time as f64 * TICK) as f32;
                    let name = format!("{number} {event}");
                    builder.event(Event { time, name, ..Event::default() });
                }
                let timeline = scene.add_timeline(builder.finish());
                let end = (*duration as f64 * TICK) as f32;
                Motion::Clip(scene.add_clip(Clip { timeline, end, ..Clip::default() }))
            }
            oracle::Motion::Sequence(sequence) => Motion::Sequence(in_scene(sequence)),
        };
        states.push(State { name: state.name.clone(), motion });
    }
    scene.add_machine(StateMachine { states, ..StateMachine::default() });
    scene
}

fn in_scene(sequence: &Keys) -> Sequence {
    let way = |way: Way| Transition { seconds: (way.time * TICK) as f32, morph: way.morph };
    let key = |key: &Key| SequenceKey {
        state: key.state.parse().ok().map(StateId::new),
        exit: key.exit,
        forward: way(key.forward),
        backward: way(key.backward),
    };
    let orders = [
        SequenceOrder::Stay,
        SequenceOrder::LoopForwards,
        SequenceOrder::LoopBackwards,
        SequenceOrder::PingPongForwards,
        SequenceOrder::PingPongBackwards,
        SequenceOrder::OnceForwards,
    ];
    let order = orders[usize::from(sequence.kind)];
    let keys = sequence.keys.iter().map(key).collect();
    Sequence::new(order, sequence.start_key().unwrap_or(0), keys)
}

fn answer(answer: Answer) -> oracle::Answer {
    match answer {
        Answer::Entered => oracle::Answer::Entered,
        Answer::Waiting { key, seconds } => oracle::Answer::Waiting { key, ticks: ticks(seconds) },
        Answer::Refused(Refusal::UnknownState) => oracle::Answer::UnknownState,
        Answer::Refused(Refusal::NoExit) => oracle::Answer::NoExit,
        Answer::Refused(Refusal::NoExitAhead) => oracle::Answer::NoExitAhead,
    }
}

fn ticks(seconds: f64) -> i64 {
    let ticks = seconds / TICK;
    assert!((ticks - ticks.round()).abs() < 1e-9, "{seconds} s");
    ticks.round() as i64
}

#[test]
fn a_thousand_random_machines_and_scripts_match_the_oracle() {
    let mut answers: BTreeMap<String, usize> = BTreeMap::new();
    let (mut events, mut entered) = (0, 0);
    for seed in 0..1000 {
        let mut rng = Rng::new(seed);
        let machine = random_machine(&mut rng);
        let scene = scene(&machine);
        let mut player = StatePlayer::new(&scene, MachineId::new(0)).unwrap();
        let mut expected = oracle::Player::new(&machine);
        for line in 0..rng.between(8, 40) {
            let place = format!("script {seed}, line {line}: {expected:?}");
            match rng.below(6) {
                0 | 1 => {
                    let state = rng.below(machine.states.len() + 1);
                    let found = answer(player.request(StateId::new(state)));
                    assert_eq!(found, expected.request(state), "request {state}, {place}");
                    let name = format!("{found:?}");
                    *answers.entry(name.split(' ').next().unwrap().to_owned()).or_default() += 1;
                }
                2 => {
                    let state = rng.between(machine.states.len() / 2, machine.states.len() - 1);
                    player.enter(StateId::new(state));
                    expected.enter(state);
                }
                _ => {
                    let ticks_now = rng.pick(&[0, 1, 1, 2, 3, 5, 30, 200]);
                    let wanted = expected.advance(ticks_now);
                    let step = player.advance(ticks_now as f64 * TICK);
                    let found = step.entered().map(|(state, after)| (state.index(), ticks(after)));
                    assert_eq!(found, wanted.entered, "{ticks_now} ticks, {place}");
                    let found: Vec<_> = step
                        .map(|crossing| {
                            assert!(!crossing.backwards);
                            let (state, event) = crossing.event.name.split_once(' ').unwrap();
                            oracle::Occurrence {
                                state: state.parse().unwrap(),
                                event: event.parse().unwrap(),
                                time: ticks(crossing.time),
                                after: ticks(crossing.after),
                            }
                        })
                        .collect();
                    assert_eq!(found, wanted.events, "{ticks_now} ticks, {place}");
                    events += found.len();
                    entered += usize::from(wanted.entered.is_some());
                }
            }
            assert_eq!(player.state().index(), expected.state(), "{place}");
            assert_eq!(ticks(player.clock()), expected.clock(), "{place}");
            assert_eq!(player.requested().map(StateId::index), expected.requested(), "{place}");
        }
    }
    let often = answers.values().all(|count| *count > 100);
    assert!(
        answers.len() == 5 && often && events > 10_000 && entered > 100,
        "{answers:?} {events} {entered}"
    );
}

#[test]
fn an_event_of_a_clip_that_two_states_show_occurs_once() {
    let clip = oracle::Motion::Clip { duration: 9, events: vec![2, 5] };
    let key = |state: &str| {
        let way = Way { time: 8.0, morph: true };
        Key { state: state.to_owned(), exit: false, forward: way, backward: way }
    };
    let keys = vec![key("0"), key("1")];
    let sequence = Keys { kind: 1, start: "0".to_owned(), keys };
    let motions = [clip.clone(), clip, oracle::Motion::Sequence(sequence)];
    let names = ["0", "1", "2"].map(str::to_owned);
    let states = names.into_iter().zip(motions);
    let states = states.map(|(name, motion)| oracle::State { name, motion }).collect();
    let mut scene = scene(&oracle::Machine { states });
    let states = &mut scene.machines[0].states;
    states[1].motion = states[0].motion.clone();
    let mut player = StatePlayer::new(&scene, MachineId::new(0)).unwrap();
    player.enter(StateId::new(2));
    let times: Vec<i64> = player.advance(1.0).map(|crossing| ticks(crossing.time)).collect();
    assert_eq!(times, [2, 5]);
}
