//! Tests the mixing of layers with hand-computed cases.

use std::collections::BTreeMap;

use test_oracle::play::Transform;
use test_oracle::play::mixer::{
    Kind, Layer, Motion, Node, Pose, Reference, Rig, faded, mix, synchronised_rounds,
};

use crate::close;

/// Returns the quaternion of a turn about z.
fn turn(degrees: f64) -> [f64; 4] {
    let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
    [0.0, 0.0, sin, cos]
}

fn transform(x: f64, degrees: f64, scale: f64) -> Transform {
    Transform { translation: [x, 0.0, 0.0], rotation: turn(degrees), scale: [scale; 3] }
}

/// Returns two joints at x = 1, turned by 10°, and a node at the second joint and one at no joint.
fn rig() -> Rig {
    let node = |joint| Node { joint, weights: vec![0.5] };
    let rest = vec![transform(1.0, 10.0, 1.0); 2];
    Rig { rest, visible: vec![true; 2], nodes: vec![node(Some(1)), node(None)] }
}

/// Returns a hidden pose that is the same for all joints, with weight 1 for each of the nodes.
fn motion(x: f64, degrees: f64, scale: f64, moves: [bool; 2], nodes: &[usize]) -> Motion {
    let weights = nodes.iter().map(|node| (*node, vec![1.0])).collect();
    let transforms = vec![transform(x, degrees, scale); 2];
    let pose = Pose { transforms, visible: vec![false; 2], weights };
    Motion { pose, moves: moves.to_vec(), deltas: false }
}

fn layer(motion: Motion, weight: f64) -> Layer {
    Layer { motion, fading_to: None, weight, mask: None, kind: Kind::Override }
}

/// Checks x, angle and scale of both joints.
#[track_caller]
fn check(pose: &Pose, expected: [(f64, f64, f64); 2]) {
    for (found, (x, degrees, scale)) in pose.transforms.iter().zip(expected) {
        close(&found.translation, &[x, 0.0, 0.0]);
        close(&found.rotation, &turn(degrees));
        close(&found.scale, &[scale; 3]);
    }
}

#[test]
fn override_layers_interpolate_from_what_is_below() {
    let rig = rig();
    assert_eq!(mix(&rig, &[]).pose.transforms, rig.rest);
    let first = layer(motion(3.0, 50.0, 2.0, [true; 2], &[0]), 0.5);
    let second = layer(motion(10.0, 90.0, 5.5, [true, false], &[]), 0.25);
    let mixed = mix(&rig, &[first.clone(), second]).pose;
    check(&mixed, [(4.0, 45.0, 2.5), (2.0, 30.0, 1.5)]);
    assert_eq!(mixed.visible, [false; 2], "hidden by the first layer");
    assert_eq!(mixed.weights, BTreeMap::from([(0, vec![0.75]), (1, vec![0.5])]));
    let masked = Layer { mask: Some(vec![true, false]), ..first };
    let mixed = mix(&rig, &[Layer { weight: 0.4, ..masked }]).pose;
    check(&mixed, [(1.8, 26.0, 1.4), (1.0, 10.0, 1.0)]);
    assert_eq!((mixed.visible, &mixed.weights[&0]), (vec![true; 2], &vec![0.5]));
}

#[test]
fn additive_layers_add_the_difference_from_the_reference() {
    let rig = rig();
    let kind = Kind::Additive(None);
    let mut added = Layer { kind, ..layer(motion(3.0, 50.0, 2.0, [true; 2], &[1]), 0.5) };
    let mixed = mix(&rig, &[added.clone(), added.clone()]).pose;
    check(&mixed, [(3.0, 50.0, 2.0); 2]);
    assert_eq!(mixed.visible, [true; 2]);
    assert_eq!(mixed.weights[&1], [1.0]);
    let reference =
        Pose { weights: [(1, vec![0.0])].into(), ..motion(4.0, 20.0, 1.0, [true; 2], &[]).pose };
    added.kind = Kind::Additive(Some(Reference { pose: reference, deltas: false }));
    let mixed = mix(&rig, &[added]).pose;
    check(&mixed, [(0.5, 25.0, 1.5); 2]);
    assert_eq!(mixed.weights[&1], [1.0]);
}

#[test]
fn a_crossfade_interpolates_the_motions_of_a_layer() {
    let rig = rig();
    let fading_to = Some((motion(7.0, 90.0, 5.0, [false, true], &[0]), 0.25));
    let old = motion(3.0, 50.0, 1.0, [true; 2], &[1]);
    let fading = Layer { fading_to, ..layer(old, 0.5) };
    let mixed = mix(&rig, std::slice::from_ref(&fading)).pose;
    // The first joint has weight 0.375. The second one goes halfway to x = 4, 60° and scale 2.
    check(&mixed, [(1.75, 25.0, 1.0), (2.5, 35.0, 1.5)]);
    close(&mixed.weights[&0], &[0.5625]);
    close(&mixed.weights[&1], &[0.6875]);
}

#[test]
fn deltas_are_mixed_as_such_if_all_layers_have_them() {
    let rig = rig();
    let deltas = Motion { deltas: true, ..motion(2.0, 40.0, 3.0, [true; 2], &[]) };
    let mixed = mix(&rig, &[layer(deltas.clone(), 0.5)]);
    assert!(mixed.deltas);
    check(&mixed.pose, [(1.0, 20.0, 2.0); 2]);
    let mixed = mix(&rig, &[layer(deltas, 1.0), layer(motion(0.0, 0.0, 1.0, [true; 2], &[]), 0.0)]);
    assert!(!mixed.deltas);
    let (sin, cos) = 10_f64.to_radians().sin_cos();
    close(&mixed.pose.transforms[0].translation, &[1.0 + 2.0 * cos, 2.0 * sin, 0.0]);
    close(&mixed.pose.transforms[0].rotation, &turn(50.0));
}

#[test]
fn fades_are_linear_in_time() {
    let at = |elapsed| faded(0.5, 1.0, 2.0, elapsed);
    close(&[at(0.0), at(1.0), at(3.0), faded(1.0, 0.0, 0.0, 0.0)], &[0.5, 0.75, 1.0, 0.0]);
    // From 1 to 3 rounds per second in 2 s: t + t² / 2, then 3 t.
    let rounds = |elapsed| synchronised_rounds([1.0, 3.0], 2.0, elapsed);
    close(&[rounds(0.0), rounds(1.0), rounds(2.0), rounds(3.0)], &[0.0, 1.5, 4.0, 7.0]);
}
