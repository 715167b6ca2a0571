//! Tests of mixing by hand-computed values.

use super::*;
use crate::{
    Channel, Clip, Interpolation, Joint, JointId, JointMask, Mesh, Node, Player, Quat, Target,
    TimelineBuilder, Transform, Vec3,
};

const A: JointId = JointId::new(0);
const B: JointId = JointId::new(1);

/// Returns a scene with two joints at x = 100, and two clips. In the first, x of both is the
/// time from 0 to 4 s; in the second, it is 10 plus twice the time from 0 to 2 s, `b` turns
/// by 90° and the morph weight goes from 0 to 1.
fn scene() -> Scene {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("s");
    let rest = Transform { translation: Vec3::new(100.0, 0.0, 0.0), ..Transform::IDENTITY };
    for name in ["a", "b"] {
        skeleton.add_joint(Joint { rest, ..Joint::new(name, None) });
    }
    scene.add_skeleton(skeleton);
    let mesh = scene.add_mesh(Mesh { morph_weights: vec![0.5], ..Mesh::default() });
    let node = scene.add_node(Node { mesh: Some(mesh), ..Node::default() });
    let line = Interpolation::Linear;
    for (end, from, to) in [(4.0, 0.0, 4.0), (2.0, 10.0, 14.0)] {
        let mut builder = TimelineBuilder::new("t");
        for joint in [A, B] {
            let ways = [from, 0.0, 0.0, to, 0.0, 0.0];
            builder.keys(joint.into(), Channel::Translation, line, &[0.0, end], &ways[..]).unwrap();
        }
        if end == 2.0 {
            let turn = quarter().to_array();
            builder.constant(B.into(), Channel::Rotation, &turn).unwrap();
            let weights = [0.0, 1.0];
            builder
                .keys(Target::Node(node), Channel::MorphWeights, line, &[0.0, end], &weights[..])
                .unwrap();
            builder
                .keys(A.into(), Channel::Visibility, Interpolation::Step, &[0.0], &[0.0][..])
                .unwrap();
        }
        let timeline = scene.add_timeline(builder.finish());
        let wrap = crate::Wrap::Loop;
        scene.add_clip(Clip { timeline, end, wrap, ..Clip::default() });
    }
    scene
}

fn quarter() -> Quat {
    Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), std::f64::consts::FRAC_PI_2)
}

fn player(scene: &Scene, clip: usize) -> Player<'_> {
    Player::new(scene, crate::ClipId::new(clip)).unwrap()
}

fn posed(mixer: &mut Mixer<'_>) -> ([f32; 2], Pose) {
    let mut pose = Pose::default();
    mixer.pose(&mut pose);
    ([0, 1].map(|joint| pose.transforms[joint].translation.x), pose)
}

#[test]
fn layers_by_hand() {
    let scene = scene();
    let mut mixer = Mixer::new(&scene, SkeletonId::new(0)).unwrap();
    assert_eq!(posed(&mut mixer).0, [100.0, 100.0], "at rest without layers");
    mixer.layers.push(Layer::clip(player(&scene, 0)));
    mixer.layers.push(
        Layer::clip(player(&scene, 1))
            .with_weight(0.25)
            .with_mask(JointMask::of(mixer.skeleton(), [B])),
    );
    mixer.advance(1.0);
    // 1 + (12 - 1) / 4
    let (places, pose) = posed(&mut mixer);
    assert_eq!(places, [1.0, 3.75]);
    assert_eq!(pose.visible, [true, true]);
    assert_eq!(pose.morph_weights, [(NodeId::new(0), vec![0.5])]);
    let angle = pose.transforms[1].rotation.angle_to(Quat::IDENTITY).to_degrees();
    assert!((angle - 22.5).abs() < 1e-4, "{angle}");
    mixer.layers[1].fade_to(1.0, 0.5);
    mixer.advance(0.25);
    assert_eq!(mixer.layers[1].weight(), 0.625);
    mixer.advance(0.25);
    let (places, pose) = posed(&mut mixer);
    assert_eq!(places, [1.5, 13.0]);
    assert_eq!(pose.transforms[1].rotation, quarter());
    assert_eq!(pose.morph_weights, [(NodeId::new(0), vec![0.75])]);
    mixer.layers[1] = Layer::clip(player(&scene, 1)).additive();
    mixer.advance(0.5);
    // 2 + (11 - 100)
    let (places, pose) = posed(&mut mixer);
    assert_eq!(places, [-87.0, -87.0]);
    assert_eq!(pose.visible, [true, true], "additive layers do not hide");
    assert_eq!(pose.morph_weights, [(NodeId::new(0), vec![0.25])]);
    let mut reference = Pose::default();
    player(&scene, 1).pose(&mut reference);
    mixer.layers[1] = Layer::clip(player(&scene, 1)).additive_to(reference);
    mixer.advance(0.5);
    let (places, pose) = posed(&mut mixer);
    assert_eq!(places, [3.5, 3.5]);
    assert_eq!(pose.transforms[1].rotation, Quat::IDENTITY);
}

#[test]
fn synchronised_crossfades_keep_the_phase() {
    let scene = scene();
    let mut mixer = Mixer::new(&scene, SkeletonId::new(0)).unwrap();
    mixer.layers.push(Layer::clip(player(&scene, 0)));
    mixer.advance(1.0);
    mixer.layers[0].crossfade(player(&scene, 1), 1.0, true);
    assert_eq!(mixer.layers[0].player_mut().unwrap().phase(), 0.25);
    // From a quarter to half a round per second: in one second, three eighths of a round.
    for steps in [1, 4] {
        let mut mixer = mixer.clone();
        for _ in 0..steps {
            mixer.advance(1.0 / f64::from(steps));
        }
        assert!(!mixer.layers[0].is_crossfading());
        let phase = mixer.layers[0].player_mut().unwrap().phase();
        assert!((phase - 0.625).abs() < 1e-12, "{phase}");
        assert_eq!(posed(&mut mixer).0, [12.5, 12.5]);
    }
    mixer.advance(0.5);
    // Phase 0.25 + 0.5 * 0.3125 = 0.40625: halfway from 1.625 to 11.625.
    let (places, pose) = posed(&mut mixer);
    assert_eq!(places, [6.625, 6.625]);
    assert_eq!(pose.visible, [false, true], "half of the weight decides");
    let weights = pose.morph_weights[0].1[0];
    assert!((weights - (0.5 + 0.40625) / 2.0).abs() < 1e-6, "{weights}");
}

#[test]
fn events_of_layers_are_in_order_of_time() {
    let mut scene = scene();
    for (timeline, times) in scene.timelines.iter_mut().zip([[0.5, 3.0], [0.25, 1.0]]) {
        timeline.events = times.map(|time| crate::Event { time, ..Default::default() }).into();
    }
    let mut mixer = Mixer::new(&scene, SkeletonId::new(0)).unwrap();
    mixer.layers.push(Layer::clip(player(&scene, 0)));
    mixer.layers.push(Layer::clip(player(&scene, 1)).with_weight(0.0));
    let fired: Vec<_> =
        mixer.advance(3.0).map(|fired| (fired.layer, fired.crossing.after)).collect();
    assert_eq!(fired, [(1, 0.25), (0, 0.5), (1, 1.0), (1, 2.25), (0, 3.0), (1, 3.0)]);
}
