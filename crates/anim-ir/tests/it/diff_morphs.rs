//! Tests that morphs are compared by what they look like.

use anim_ir::Interpolation::Linear;
use anim_ir::diff::{Difference, Options, diff};
use anim_ir::{Channel, Mesh, MorphTarget, Node, NodeId, Primitive, Scene, Topology, Vec3};

use crate::diff::moving;
use crate::keys;

fn point(x: f32) -> Vec3 {
    Vec3::new(x, 0.0, 0.0)
}

/// A merged file has the morph targets of all its clips, so the weights of a clip differ from those
/// in its own file although the shape is the same.
#[test]
fn morphed_shapes_of_different_targets() {
    let target = |x: f32| MorphTarget { positions: vec![point(x)], ..MorphTarget::default() };
    let morphing = |base: f32, targets: &[f32], values: &[f32]| {
        let mut scene = moving(|builder| {
            keys(builder, NodeId::new(0), Channel::MorphWeights, Linear, &[1.0, 2.0], values)
        });
        let mesh = scene.add_mesh(Mesh {
            positions: vec![point(base)],
            primitives: vec![Primitive {
                topology: Topology::Points,
                indices: vec![0],
                ..Primitive::default()
            }],
            morph_targets: targets.iter().map(|x| target(*x)).collect(),
            morph_weights: vec![0.0; targets.len()],
            ..Mesh::default()
        });
        scene.add_node(Node { name: "face".into(), mesh: Some(mesh), ..Node::default() });
        scene
    };
    let motion = |a: &Scene, b: &Scene| {
        let options = Options::default().with_shapes(false).with_materials(false);
        diff(a, b, &options).unwrap().differences
    };
    let alone = morphing(1.0, &[1.0], &[0.0, 1.0]);
    let merged = morphing(1.0, &[2.0, 1.0], &[0.0, 0.0, 0.0, 1.0]);
    assert_eq!(motion(&alone, &merged), []);
    // The base is that of another clip.
    let other_base = morphing(3.0, &[-2.0, -1.0], &[1.0, 0.0, 0.0, 1.0]);
    assert_eq!(motion(&alone, &other_base), []);
    let wrong = morphing(1.0, &[2.0, 1.0], &[0.0, 0.0, 0.5, 1.0]);
    let (clip, node) = ("walk".into(), "face".into());
    assert_eq!(motion(&alone, &wrong), [Difference::Morphed { clip, node, time: 1.0, by: 1.0 }]);
}

/// A quad may be split along another diagonal if the first frame is another one.
#[test]
fn morphed_quads_of_different_diagonals() {
    let square = [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]];
    // A quarter turn, so that each corner is at the place of the next one.
    let turned: Vec<[f32; 2]> = square.iter().cycle().skip(1).take(4).copied().collect();
    let delta = |sign: f32| {
        let by = turned
            .iter()
            .zip(&square)
            .map(|([a, b], [x, y])| Vec3::new(sign * (a - x), sign * (b - y), 0.0));
        MorphTarget { positions: by.collect(), ..MorphTarget::default() }
    };
    let scene = |base: &[[f32; 2]], indices: [u32; 6], sign: f32, values: &[f32]| {
        let mut scene = moving(|builder| {
            keys(builder, NodeId::new(0), Channel::MorphWeights, Linear, &[1.0, 2.0], values)
        });
        let mesh = scene.add_mesh(Mesh {
            positions: base.iter().map(|[x, y]| Vec3::new(*x, *y, 0.0)).collect(),
            primitives: vec![Primitive { indices: indices.into(), ..Primitive::default() }],
            morph_targets: vec![delta(sign)],
            morph_weights: vec![0.0],
            ..Mesh::default()
        });
        scene.add_node(Node { name: "face".into(), mesh: Some(mesh), ..Node::default() });
        scene
    };
    let a = scene(&square, [0, 1, 2, 0, 2, 3], 1.0, &[0.0, 1.0]);
    let b = scene(&turned, [1, 2, 3, 1, 3, 0], -1.0, &[1.0, 0.0]);
    let options = Options::default().with_materials(false);
    assert_eq!(diff(&a, &b, &options.with_shapes(false)).unwrap().differences, []);

    // The same shape with the other diagonal.
    let other = scene(&square, [1, 2, 3, 1, 3, 0], 1.0, &[0.0, 1.0]);
    let shape = "face".to_owned();
    let found = diff(&a, &other, &options).unwrap().differences;
    assert_eq!(found, [Difference::Diagonals { shape, count: 1 }]);
}
