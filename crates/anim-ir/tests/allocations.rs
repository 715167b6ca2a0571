//! Tests that playback only allocates on the first calls.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail loudly")]

use allocation_counter::measure;
use anim_ir::{
    Channel, Clip, ClipId, Deformer, EulerOrder, Event, Influences, Interpolation, Joint, JointId,
    JointMask, Layer, MachineId, Mat4, Mesh, Mixer, MorphTarget, Motion, Node, NodeId, Player,
    Pose, RootMotion, Scene, Sequence, SequenceKey, SequenceOrder, Skeleton, SkeletonId, Skin,
    State, StateId, StateMachine, StatePlayer, Target, TimelineBuilder, Transition, Vec3, Wave,
    WaveShape, Wrap,
};

#[test]
fn only_the_first_frame_of_a_clip_allocates() {
    let mut skeleton = Skeleton::new("s");
    let mut builder = TimelineBuilder::new("t");
    for joint in 0..20_usize {
        let parent = joint.checked_sub(1).map(JointId::new);
        let joint = skeleton.add_joint(Joint::new("j", parent));
        for (channel, interpolation, values) in [
            (Channel::Rotation, Interpolation::Linear, &[0.0, 0.0, 0.0, 1.0].repeat(3)[..]),
            (Channel::Translation, Interpolation::Step, &[1.0; 9]),
            (Channel::Scale, Interpolation::Cubic, &[1.0; 27]),
        ] {
            let times = [0.0, 0.5, 1.0];
            builder.keys(joint.into(), channel, interpolation, &times, values).unwrap();
        }
    }
    let [moving, still] = [3, 4].map(|node| Target::Node(NodeId::new(node)));
    let (weights, line) = (Channel::MorphWeights, Interpolation::Linear);
    builder.keys(moving, weights, line, &[0.0, 1.0], &[0.0; 10]).unwrap();
    builder.constant(still, weights, &[0.0; 7]).unwrap();
    let timeline = builder.finish();
    let mut scene = Scene::default();
    let skeleton = scene.add_skeleton(skeleton);
    let joints: Vec<JointId> = (0..20).map(JointId::new).collect();
    let skin = Skin { skeleton, joints, inverse_bind: vec![Mat4::IDENTITY; 20] };
    let skin = scene.add_skin(skin);
    let (joints, weights) = ([0, 5, 9, 19].repeat(50), vec![0.25; 200]);
    let influences = Influences { per_vertex: 4, joints, weights };
    let mesh = scene.add_mesh(Mesh {
        positions: vec![Vec3::ONE; 50],
        normals: vec![Vec3::ONE; 50],
        influences,
        ..Mesh::default()
    });
    let node = scene.add_node(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    let timeline = scene.add_timeline(timeline);
    let clip = scene.add_clip(Clip { timeline, end: 1.0, wrap: Wrap::Loop, ..Clip::default() });

    let mut player = Player::new(&scene, clip).unwrap();
    let (mut pose, mut deformer) = (Pose::default(), Deformer::default());
    let mut frame = || {
        player.advance(1.0 / 700.0);
        player.pose(&mut pose);
        deformer.deform_node(&scene, node, skeleton, &pose);
    };
    frame();
    assert_eq!(measure(|| (0..1000).for_each(|_| frame())).count_total, 0);
}

#[test]
fn a_state_machine_only_allocates_until_every_state_has_been_played() {
    let mut scene = Scene { skeletons: vec![Skeleton::nodes("s")], ..Scene::default() };
    for joint in 0..10 {
        scene.skeletons[0].joints.push(Joint::new(format!("j{joint}"), None));
    }
    let mut states = Vec::new();
    for number in 0..4_u8 {
        let mut builder = TimelineBuilder::new("");
        let (shape, end) = (WaveShape::Sine, [f32::from(number), 1.0, 2.0]);
        let wave = Wave { shape, end, period: 1.5, ..Wave::default() };
        for joint in (0..10).map(JointId::new) {
            for channel in [Channel::Translation, Channel::Euler(EulerOrder::Zyx), Channel::Offset]
            {
                builder.wave(joint.into(), channel, wave).unwrap();
            }
        }
        let timeline = scene.add_timeline(builder.finish());
        let clip = scene.add_clip(Clip { timeline, ..Clip::default() });
        states.push(State { name: number.to_string(), motion: Motion::Clip(clip) });
    }
    let key = |state| SequenceKey {
        state: Some(StateId::new(state)),
        exit: true,
        forward: Transition { seconds: 0.5, morph: true },
        ..SequenceKey::default()
    };
    let sequence = |keys| Motion::Sequence(Sequence::new(SequenceOrder::LoopForwards, 0, keys));
    states.push(State { name: "round".into(), motion: sequence((0..4).map(key).collect()) });
    states.push(State { name: "nested".into(), motion: sequence(vec![key(4), key(2)]) });
    scene.machines.push(StateMachine { states, ..StateMachine::default() });

    let mut player = StatePlayer::new(&scene, MachineId::new(0)).unwrap();
    let mut pose = Pose::default();
    let mut play = |steps: usize| {
        for step in 0..steps {
            player.request(StateId::new(step / 100 % 6));
            player.advance(0.016);
            player.pose(&mut pose);
        }
    };
    play(1200);
    assert_eq!(measure(|| play(2000)).count_total, 0);
}

/// Returns a scene of 20 joints and three looping clips with keys, events and a node with morph
/// weights.
fn scene_with_clips() -> Scene {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("s");
    for joint in 0..20_usize {
        skeleton.add_joint(Joint::new("j", joint.checked_sub(1).map(JointId::new)));
    }
    scene.add_skeleton(skeleton);
    let morph_targets = vec![MorphTarget::default(); 3];
    let mesh = Mesh { morph_targets, morph_weights: vec![0.0; 3], ..Mesh::default() };
    let mesh = scene.add_mesh(mesh);
    let node = scene.add_node(Node { mesh: Some(mesh), ..Node::default() });
    for (end, x) in [(1.0, 1.0), (0.75, 2.0), (2.0, 3.0)] {
        let mut builder = TimelineBuilder::new("t");
        let times = [0.0, end];
        for joint in (0..20).map(JointId::new) {
            for (channel, values) in [
                (Channel::Rotation, &[0.0, 0.0, 0.0, 1.0, 0.0, x, 0.0, 1.0][..]),
                (Channel::Translation, &[0.0, 0.0, 0.0, x, x, x]),
            ] {
                let line = Interpolation::Linear;
                builder.keys(joint.into(), channel, line, &times, values).unwrap();
            }
        }
        let (weights, line) = (Channel::MorphWeights, Interpolation::Linear);
        builder.keys(node.into(), weights, line, &times, &[0.0, 0.0, 0.0, 1.0, x, 1.0]).unwrap();
        for number in 0..10_u8 {
            let time = end * f32::from(number) / 10.0;
            builder.event(Event { time, name: number.to_string(), ..Event::default() });
        }
        let timeline = scene.add_timeline(builder.finish());
        scene.add_clip(Clip { timeline, end, wrap: Wrap::Loop, ..Clip::default() });
    }
    scene
}

#[test]
fn layers_events_and_root_motion_only_allocate_in_the_first_frame() {
    let scene = scene_with_clips();
    let player = |clip| Player::new(&scene, ClipId::new(clip)).unwrap();
    let root = RootMotion { joint: JointId::new(0), yaw: Some(Vec3::new(0.0, 1.0, 0.0)) };
    let mask = JointMask::subtree(&scene.skeletons[0], JointId::new(7));
    let mut mixer = Mixer::new(&scene, SkeletonId::new(0)).unwrap();
    mixer.layers.extend([
        Layer::clip(player(0)),
        Layer::clip(player(1)).with_mask(mask).with_weight(0.5),
        Layer::clip(player(2)).additive(),
    ]);
    let mut moving = player(0).with_root_motion(root);
    // A crossfade that is never over.
    mixer.layers[0].crossfade(player(2), 1e9, true);
    let mut pose = Pose::default();
    let mut frame = || {
        let events = mixer.advance(0.3).count() + moving.advance(2.5).count();
        mixer.pose(&mut pose);
        moving.pose(&mut pose);
        (events, moving.root_delta())
    };
    frame();
    let mut events = 0;
    let measured = measure(|| (0..1000).for_each(|_| events += frame().0));
    assert_eq!(measured.count_total, 0);
    assert!(events > 10_000, "{events}");
}
