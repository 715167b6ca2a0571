//! A state machine allocates until every state has been shown, and then no more.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail loudly")]

use anim_ir::{
    Channel, Clip, EulerOrder, Joint, Motion, Pose, Scene, Sequence, SequenceKey, SequenceOrder,
    Skeleton, State, StateMachine, StatePlayer, Target, TimelineBuilder, Transition, Wave,
    WaveShape,
};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

#[test]
fn stepping_allocates_nothing() {
    let mut scene = Scene { skeletons: vec![Skeleton::nodes("s")], ..Scene::default() };
    for joint in 0..10 {
        scene.skeletons[0].joints.push(Joint::new(format!("j{joint}"), None));
    }
    let mut states = Vec::new();
    for number in 0..4_u8 {
        let mut builder = TimelineBuilder::new("");
        for joint in 0..10 {
            let wave = Wave {
                shape: WaveShape::Sine,
                end: [f32::from(number), 1.0, 2.0],
                period: 1.5,
                ..Wave::default()
            };
            builder.wave(Target::Joint(joint), Channel::Translation, wave).unwrap();
            builder.wave(Target::Joint(joint), Channel::Euler(EulerOrder::Zyx), wave).unwrap();
            builder.wave(Target::Joint(joint), Channel::Offset, wave).unwrap();
        }
        scene.timelines.push(builder.finish());
        scene.clips.push(Clip { timeline: usize::from(number), ..Clip::default() });
        states.push(State { name: number.to_string(), motion: Motion::Clip(usize::from(number)) });
    }
    let key = |state| SequenceKey {
        state: Some(state),
        exit: true,
        forward: Transition { seconds: 0.5, morph: true },
        ..SequenceKey::default()
    };
    let sequence = |keys| Motion::Sequence(Sequence::new(SequenceOrder::LoopForwards, 0, keys));
    states.push(State { name: "round".into(), motion: sequence((0..4).map(key).collect()) });
    states.push(State { name: "nested".into(), motion: sequence(vec![key(4), key(2)]) });
    scene.machines.push(StateMachine { states, ..StateMachine::default() });

    let _profiler = dhat::Profiler::builder().testing().build();
    let mut player = StatePlayer::new(&scene, 0).unwrap();
    let mut pose = Pose::default();
    let mut play = |steps: usize| {
        for step in 0..steps {
            player.request(step / 100 % 6);
            player.advance(0.016);
            player.pose(&mut pose);
        }
    };
    play(1200);
    // The harness has a thread of its own, which may allocate at any time: the fewest of several
    // runs are ours.
    let blocks = || dhat::HeapStats::get().total_blocks;
    let mut run = || {
        let before = blocks();
        play(2000);
        blocks() - before
    };
    assert_eq!((0..5).map(|_| run()).min(), Some(0));
}
