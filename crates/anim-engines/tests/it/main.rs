//! Written files are read with small readers that follow the engines' formats.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail loudly"
)]

mod godot;
mod unity;

use anim_ir::{
    Channel, Clip, ClipId, Diagnostics, Joint, JointId, Motion, Scene, Sequence, SequenceKey,
    SequenceOrder, Skeleton, State, StateId, StateMachine, TimelineBuilder, Transition, Wave, Wrap,
};

/// Returns a scene with a skeleton of two joints, and a machine without states.
fn empty() -> Scene {
    let mut skeleton = Skeleton::nodes("robot");
    skeleton.joints.push(Joint::new("head", None));
    skeleton.joints.push(Joint::new("arm", None));
    Scene { skeletons: vec![skeleton], machines: vec![StateMachine::default()], ..Scene::default() }
}

/// Adds a state that plays a clip of this length, which repeats unless the length is 0.
fn add_clip(scene: &mut Scene, name: &str, seconds: f32) -> StateId {
    let mut builder = TimelineBuilder::new("");
    let wave = Wave { end: [1.0, 0.0, 0.0], period: seconds, ..Wave::default() };
    builder.wave(JointId::new(0).into(), Channel::Translation, wave).unwrap();
    let timeline = scene.add_timeline(builder.finish());
    let wrap = if seconds > 0.0 { Wrap::Loop } else { Wrap::Once };
    let clip = Clip { name: name.to_owned(), timeline, end: seconds, wrap, ..Clip::default() };
    let clip = scene.add_clip(clip);
    add(scene, name, Motion::Clip(clip))
}

fn add(scene: &mut Scene, name: &str, motion: Motion) -> StateId {
    scene.machines[0].add_state(State { name: name.to_owned(), motion })
}

/// Adds a sequence of keys: a state, whether it may be left, the duration, and whether it morphs.
fn add_sequence(
    scene: &mut Scene,
    name: &str,
    order: SequenceOrder,
    keys: &[(usize, bool, f32, bool)],
) -> StateId {
    let key = |(state, exit, seconds, morph): &(usize, bool, f32, bool)| {
        let way = Transition { seconds: *seconds, morph: *morph };
        SequenceKey { state: Some(StateId::new(*state)), exit: *exit, forward: way, backward: way }
    };
    let keys = keys.iter().map(key).collect();
    add(scene, name, Motion::Sequence(Sequence::new(order, 0, keys)))
}

/// Returns a robot that stands, scans, patrols and salutes.
fn robot() -> Scene {
    let mut scene = empty();
    add_clip(&mut scene, "stand", 0.0);
    add_clip(&mut scene, "scan", 2.0);
    let (stand, scan) = (0, 1);
    let patrol = [(stand, true, 1.5, true), (scan, false, 4.0, false)];
    add_sequence(&mut scene, "patrol", SequenceOrder::PingPongForwards, &patrol);
    let salute = [(scan, false, 2.0, false), (stand, true, 0.0, true)];
    add_sequence(&mut scene, "salute", SequenceOrder::OnceForwards, &salute);
    add_sequence(
        &mut scene,
        "shift",
        SequenceOrder::LoopForwards,
        &[(2, true, 5.5, false), (stand, true, 1.0, false)],
    );
    scene
}

/// Returns the codes of losses, without repetitions.
fn codes(losses: &Diagnostics) -> Vec<&'static str> {
    let mut codes: Vec<&str> = losses.iter().map(|loss| loss.code.id).collect();
    codes.dedup();
    codes
}

/// Returns states with names that are hard to write.
fn odd_names() -> Scene {
    let mut scene = empty();
    for name in
        ["", "a/b", "a_b", "ab", "dup", "dup", "say \"hi\"\\", "two\nlines", "\u{1}[x] = ä;", "#1"]
    {
        add_clip(&mut scene, name, 0.0);
    }
    scene
}

/// Returns a scene with this number of states and sequences of two of them.
fn many(count: usize) -> Scene {
    let mut scene = empty();
    add_clip(&mut scene, "stand", 0.0);
    for number in 1..count {
        let motion = Motion::Clip(ClipId::default());
        let name = format!("state {number}");
        if number % 2 == 0 {
            let keys = [(0, true, 1.0, true), (number - 1, true, 1.0, false)];
            add_sequence(&mut scene, &name, SequenceOrder::LoopForwards, &keys);
        } else {
            add(&mut scene, &name, motion);
        }
    }
    scene
}

/// Returns a sequence that plays itself, and one that plays a missing state and one without keys.
fn without_poses() -> Scene {
    let mut scene = empty();
    add_sequence(&mut scene, "ring", SequenceOrder::LoopForwards, &[(0, true, 1.0, false); 2]);
    add_sequence(&mut scene, "empty", SequenceOrder::LoopForwards, &[]);
    let missing = SequenceKey { exit: true, ..SequenceKey::default() };
    let sequence = Sequence::new(SequenceOrder::Stay, 0, vec![missing]);
    add(&mut scene, "missing", Motion::Sequence(sequence));
    scene
}
