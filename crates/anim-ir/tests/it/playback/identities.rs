//! Properties of layers that need no other evaluation.

use anim_ir::{
    ClipId, JointId, JointMask, Layer, Mixer, NodeId, Player, Pose, PoseSpace, SkeletonId,
    Transform,
};
use test_oracle::random::Rng;

use super::layers::World;

const SKELETON: SkeletonId = SkeletonId::new(0);

/// Returns the pose of layers after some seconds.
fn mixed<'a>(world: &'a World, layers: impl IntoIterator<Item = Layer<'a>>, seconds: f64) -> Pose {
    let mut mixer = Mixer::new(&world.scene, SKELETON).unwrap();
    mixer.layers.extend(layers);
    let _ = mixer.advance(seconds);
    let mut pose = Pose::default();
    mixer.pose(&mut pose);
    pose
}

fn player(world: &World, clip: usize) -> Player<'_> {
    Player::new(&world.scene, ClipId::new(clip)).unwrap()
}

fn layer(world: &World, clip: usize) -> Layer<'_> {
    Layer::clip(player(world, clip))
}

/// Returns the pose of a clip after some seconds.
fn played(world: &World, clip: usize, seconds: f64) -> Pose {
    let mut player = player(world, clip);
    let _ = player.advance(seconds);
    let mut pose = Pose::default();
    player.pose(&mut pose);
    pose
}

/// Returns the visibility of all joints.
fn visible(world: &World, pose: &Pose) -> Vec<bool> {
    (0..world.rig.rest.len())
        .map(|joint| pose.visible.get(joint).copied().unwrap_or(true))
        .collect()
}

/// Asserts that two poses are equal in every bit.
#[track_caller]
fn same(world: &World, a: &Pose, b: &Pose) {
    assert_eq!((&a.transforms, a.space), (&b.transforms, b.space));
    assert_eq!(visible(world, a), visible(world, b));
    for node in 0..world.rig.nodes.len() {
        let own = &world.scene.meshes[node].morph_weights;
        let [a, b] = [a, b].map(|pose| pose.weights_of(NodeId::new(node)).unwrap_or(own));
        assert_eq!(a, b);
    }
}

/// A world whose clips are all relative to the parents.
fn world(rng: &mut Rng, clips: usize) -> World {
    loop {
        let world = World::random(rng, clips);
        if !world.deltas.contains(&true) {
            return world;
        }
    }
}

#[test]
fn a_layer_of_weight_0_changes_nothing() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let (world, seconds) = (world(&mut rng, 2), rng.range(0.0, 3.0));
        let without = mixed(&world, [layer(&world, 0).with_weight(0.7)], seconds);
        for nothing in [layer(&world, 1), layer(&world, 1).additive()] {
            let layers = [layer(&world, 0).with_weight(0.7), nothing.with_weight(0.0)];
            same(&world, &mixed(&world, layers, seconds), &without);
        }
    }
}

#[test]
fn a_layer_of_weight_1_replaces_what_is_below() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let (world, seconds) = (world(&mut rng, 2), rng.range(0.0, 3.0));
        let below = mixed(&world, [layer(&world, 0).with_weight(0.7)], seconds);
        let both = mixed(&world, [layer(&world, 0).with_weight(0.7), layer(&world, 1)], seconds);
        let own = played(&world, 1, seconds);
        for (joint, moves) in world.moves[1].iter().enumerate() {
            let expected = if *moves { &own } else { &below };
            assert_eq!(both.transforms[joint], expected.transforms[joint]);
            assert_eq!(visible(&world, &both)[joint], visible(&world, expected)[joint]);
        }
        for (node, weights) in &own.morph_weights {
            assert_eq!(both.weights_of(*node), Some(&weights[..]));
        }
    }
}

#[test]
fn layers_with_disjoint_masks_do_not_depend_on_their_order() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let (mut world, seconds) = (world(&mut rng, 2), rng.range(0.0, 3.0));
        // Nodes without a joint are in all masks.
        world.scene.nodes.clear();
        world.rig.nodes.clear();
        let joints = world.rig.rest.len();
        let first: Vec<bool> = (0..joints).map(|_| rng.chance(50)).collect();
        let layer = |clip: usize, weight: f32| {
            let inside = (0..joints).filter(|joint| first[*joint] == (clip == 0));
            let mask = JointMask::of(&world.scene.skeletons[0], inside.map(JointId::new));
            layer(&world, clip).with_mask(mask).with_weight(weight)
        };
        for weight in [1.0, 0.3] {
            let pose = mixed(&world, [layer(0, weight), layer(1, 1.0)], seconds);
            let swapped = mixed(&world, [layer(1, 1.0), layer(0, weight)], seconds);
            same(&world, &pose, &swapped);
            let own = [0, 1].map(|clip| played(&world, clip, seconds));
            for joint in (0..joints).filter(|joint| weight == 1.0 || !first[*joint]) {
                let clip = usize::from(!first[joint]);
                if world.moves[clip][joint] {
                    assert_eq!(pose.transforms[joint], own[clip].transforms[joint]);
                }
            }
        }
    }
}

#[test]
fn adding_the_difference_from_a_reference_to_the_reference_restores_the_pose() {
    let apart = |a: &Transform, b: &Transform| {
        let (rotation, other) = (a.rotation.to_array(), b.rotation.to_array());
        let dot: f32 = rotation.iter().zip(other).map(|(x, y)| x * y).sum();
        let rotated = rotation.iter().zip(other).map(|(x, y)| (x - y * dot.signum()).abs());
        let moved = a.translation - b.translation;
        let scaled = a.scale - b.scale;
        let rest = moved.to_array().into_iter().chain(scaled.to_array()).map(f32::abs);
        rotated.chain(rest).fold(0.0, f32::max)
    };
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let (world, seconds) = (world(&mut rng, 2), rng.range(0.0, 3.0));
        let reference = mixed(&world, [layer(&world, 0)], seconds);
        let layers = [layer(&world, 0), layer(&world, 1).additive_to(reference.clone())];
        let found = mixed(&world, layers, seconds);
        assert_eq!(found.space, PoseSpace::ParentRelative);
        let expected = played(&world, 1, seconds);
        for (joint, moves) in world.moves[1].iter().enumerate() {
            let expected = if *moves { &expected } else { &reference };
            let error = apart(&found.transforms[joint], &expected.transforms[joint]);
            assert!(error <= 1e-6, "seed {seed}: {error}");
        }
    }
}
