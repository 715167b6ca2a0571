//! The events of layers.

use anim_ir::{
    Answer, ClipId, Layer, MachineId, Mixer, Motion, Player, Sequence, SequenceKey, SequenceOrder,
    SkeletonId, State, StateId, StateMachine, StatePlayer, Transition,
};
use test_oracle::play::Wrap;
use test_oracle::play::events::{Clip, Event, Playback};
use test_oracle::play::mixer::faded;
use test_oracle::random::Rng;

use super::events::add_clip;

const TICK: f64 = 1.0 / 64.0;

/// Returns a random clip of up to 40 ticks.
fn random_clip(rng: &mut Rng) -> Clip {
    let duration = rng.between(1, 40);
    let mut times: Vec<i64> = (0..rng.below(5)).map(|_| rng.below(duration + 1) as i64).collect();
    times.sort_unstable();
    let events = times.into_iter().map(|time| Event { time, group: None }).collect();
    Clip { duration: duration as i64, wrap: rng.pick(&Wrap::ALL), group: None, events }
}

#[test]
fn events_of_layers_are_in_the_order_of_time_then_of_layers() {
    let mut count = 0;
    for seed in 0..500 {
        let mut rng = Rng::new(seed);
        let clips: Vec<Clip> = (0..rng.between(1, 4)).map(|_| random_clip(&mut rng)).collect();
        let mut scene = super::events::empty_scene();
        for clip in &clips {
            add_clip(&mut scene, clip, 0, TICK);
        }
        let mut mixer = Mixer::new(&scene, SkeletonId::new(0)).unwrap();
        let mut playing: Vec<_> = clips.iter().map(Playback::new).collect();
        let speeds: Vec<i64> = clips.iter().map(|_| rng.pick(&[1, 2, -1])).collect();
        let weights: Vec<f64> = clips.iter().map(|_| rng.pick(&[0.0, 0.5, 1.0])).collect();
        for (clip, speed) in speeds.iter().enumerate() {
            let player = Player::new(&scene, ClipId::new(clip)).unwrap().with_speed(*speed as f64);
            let mut layer = Layer::clip(player).with_weight(weights[clip] as f32);
            layer.fade_to(1.0, 2.0);
            mixer.layers.push(layer);
        }
        let mut now = 0.0;
        for _ in 0..4 {
            let ticks = rng.below(100) as i64;
            now += ticks as f64 * TICK;
            let mut expected = Vec::new();
            for (layer, playback) in playing.iter_mut().enumerate() {
                let weight = faded(weights[layer], 1.0, 2.0, now);
                for found in playback.walk(ticks, (speeds[layer], 1)) {
                    expected.push((layer, found, weight));
                }
            }
            // Keeps the order of the layers and of the events of a layer.
            expected.sort_by(|a, b| a.1.after.total_cmp(&b.1.after));
            let found: Vec<_> = mixer.advance(ticks as f64 * TICK).collect();
            assert_eq!(found.len(), expected.len(), "seed {seed}");
            for (found, (layer, event, weight)) in found.iter().zip(&expected) {
                assert_eq!(found.layer, *layer, "seed {seed}");
                assert_eq!(found.crossing.event.name, event.event.to_string(), "seed {seed}");
                assert_eq!(found.crossing.after, event.after * TICK);
                assert_eq!(found.crossing.time, event.time as f64 * TICK);
                assert_eq!(found.crossing.backwards, event.backwards);
                assert!((f64::from(found.weight) - weight).abs() < 1e-6);
                count += 1;
            }
        }
    }
    assert!(count > 1000, "{count}");
}

/// The first clip has an event every second, the second one every half.
#[test]
fn both_clips_of_a_crossfade_have_events_until_it_is_over() {
    let mut scene = super::events::empty_scene();
    for every in [64, 32] {
        let events = vec![Event { time: every / 2, group: None }];
        let clip = Clip { duration: every, wrap: Wrap::Loop, group: None, events };
        add_clip(&mut scene, &clip, 0, TICK);
    }
    let player = |clip: usize| Player::new(&scene, ClipId::new(clip)).unwrap();
    let mut mixer = Mixer::new(&scene, SkeletonId::new(0)).unwrap();
    mixer.layers.push(Layer::clip(player(0)));
    let events = |mixer: &mut Mixer<'_>, seconds: f64| {
        let times = mixer.advance(seconds).map(|found| (found.crossing.time, found.crossing.after));
        times.collect::<Vec<_>>()
    };
    assert_eq!(events(&mut mixer, 1.0), [(0.5, 0.5)]);
    mixer.layers[0].crossfade(player(1), 1.0, false);
    let both = [(0.25, 0.25), (0.5, 0.5), (0.25, 0.75), (0.25, 1.25), (0.25, 1.75)];
    assert_eq!(events(&mut mixer, 2.0), both, "the old clip has no event at 1.5 s");
    assert_eq!(events(&mut mixer, 0.5), [(0.25, 0.25)]);
}

/// A machine enters its second state at 1.5 s, then the clip of the other layer has an event.
#[test]
fn a_layer_can_play_a_state_machine() {
    let mut scene = super::events::empty_scene();
    for (duration, time) in [(64, 32), (128, 0), (128, 112)] {
        let events = vec![Event { time, group: None }];
        let clip = Clip { duration, wrap: Wrap::Once, group: None, events };
        add_clip(&mut scene, &clip, 0, TICK);
    }
    let clip = |clip| State { name: String::new(), motion: Motion::Clip(ClipId::new(clip)) };
    let key = |state, exit| SequenceKey {
        state: Some(StateId::new(state)),
        exit,
        forward: Transition { seconds: 1.5, morph: false },
        ..SequenceKey::default()
    };
    let sequence = Sequence::new(SequenceOrder::OnceForwards, 0, vec![key(0, false), key(0, true)]);
    let round = State { name: String::new(), motion: Motion::Sequence(sequence) };
    let states = vec![clip(0), clip(1), round];
    scene.add_machine(StateMachine { states, ..StateMachine::default() });
    let mut states = StatePlayer::new(&scene, MachineId::new(0)).unwrap();
    states.enter(StateId::new(2));
    assert_eq!(states.request(StateId::new(1)), Answer::Waiting { key: 1, seconds: 1.5 });
    let mut mixer = Mixer::new(&scene, SkeletonId::new(0)).unwrap();
    let player = Player::new(&scene, ClipId::new(2)).unwrap();
    mixer.layers.extend([Layer::clip(player), Layer::machine(states)]);
    let events = mixer.advance(2.0).map(|found| (found.layer, found.crossing.after));
    assert_eq!(events.collect::<Vec<_>>(), [(1, 0.5), (1, 1.5), (0, 1.75)]);
    assert_eq!(mixer.layers[1].states_mut().unwrap().state(), StateId::new(1));
}
