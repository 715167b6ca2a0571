//! Compares vertices and normals with an independent textbook implementation in f64, which applies
//! the transforms of each joint's ancestors one by one.

use anim_ir::Interpolation::Linear;
use anim_ir::{
    Channel, Clip, ClipId, Deformer, Influences, Joint, JointId, Mat4, Mesh, MorphTarget, Node,
    NodeId, Player, Pose, Quat, Scene, Skeleton, SkeletonId, Skin, Target, TimelineBuilder,
    Transform, Vec3,
};
use proptest::prelude::*;

use crate::keys;

const TIMES: [f32; 2] = [0.0, 1.0];
const JOINTS: usize = 5;
const INFLUENCES: usize = 6;

type Point = [f64; 3];

/// Rotates a point about a unit axis with Rodrigues' formula.
fn rodrigues(axis: Point, angle: f64, v: Point) -> Point {
    let (sin, cos) = angle.sin_cos();
    let along: f64 = (0..3).map(|i| axis[i] * v[i]).sum();
    let across = [
        axis[1] * v[2] - axis[2] * v[1],
        axis[2] * v[0] - axis[0] * v[2],
        axis[0] * v[1] - axis[1] * v[0],
    ];
    std::array::from_fn(|i| v[i] * cos + across[i] * sin + axis[i] * along * (1.0 - cos))
}

/// A translation, a rotation about an axis, and scale factors.
#[derive(Clone, Copy, Debug)]
struct Local {
    moved: Point,
    axis: Point,
    angle: f64,
    scale: Point,
}

impl Local {
    fn apply(&self, p: Point) -> Point {
        let scaled = std::array::from_fn(|i| p[i] * self.scale[i]);
        let turned = rodrigues(self.axis, self.angle, scaled);
        std::array::from_fn(|i| turned[i] + self.moved[i])
    }

    fn invert(&self, p: Point) -> Point {
        let back = std::array::from_fn(|i| p[i] - self.moved[i]);
        let turned = rodrigues(self.axis, -self.angle, back);
        std::array::from_fn(|i| turned[i] / self.scale[i])
    }

    fn transform(&self) -> Transform {
        let [moved, axis, scale] = [self.moved, self.axis, self.scale].map(vector);
        Transform { translation: moved, rotation: Quat::from_axis_angle(axis, self.angle), scale }
    }
}

fn vector(p: Point) -> Vec3 {
    Vec3::from_f64(p)
}

fn local() -> impl Strategy<Value = Local> {
    let three = |range: std::ops::Range<f64>| prop::array::uniform3(range);
    (three(-2.0..2.0), three(-1.0..1.0), -3.0..3.0, three(0.5..2.0)).prop_map(
        |(moved, axis, angle, scale)| {
            let length = axis.iter().map(|c| c * c).sum::<f64>().sqrt();
            let axis = if length > 0.1 { axis.map(|c| c / length) } else { [0.0, 0.0, 1.0] };
            Local { moved, axis, angle, scale }
        },
    )
}

/// Returns a scene with a mesh that is skinned to a chain of joints, with the rest pose `rest` and
/// the pose `posed` at 1 s.
fn scene(rest: &[Local], posed: &[Local], mesh: Mesh) -> Scene {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("chain");
    let mut parent = None;
    for local in rest {
        parent =
            Some(skeleton.add_joint(Joint { rest: local.transform(), ..Joint::new("j", parent) }));
    }
    let inverse_bind = skeleton.rest_model_matrices().into_iter().map(|m| m.inverse().unwrap());
    let inverse_bind: Vec<Mat4> = inverse_bind.rev().collect();
    let joints = (0..rest.len()).rev().map(JointId::new).collect();
    let mut builder = TimelineBuilder::new("t");
    for (joint, (from, to)) in rest.iter().zip(posed).enumerate() {
        let [from, to] = [from, to].map(|local| local.transform());
        let target = Target::Joint(JointId::new(joint));
        let mut track = |channel, values: Vec<f32>| {
            keys(&mut builder, target, channel, Linear, &TIMES, &values);
        };
        let arrays = |a: Vec3, b: Vec3| [a.to_array(), b.to_array()].concat();
        track(Channel::Translation, arrays(from.translation, to.translation));
        track(Channel::Rotation, [from.rotation, to.rotation].map(Quat::to_array).concat());
        track(Channel::Scale, arrays(from.scale, to.scale));
    }
    let weights = Target::Node(NodeId::new(0));
    keys(&mut builder, weights, Channel::MorphWeights, Linear, &TIMES, &[0.0, 0.0, 0.5, -1.0]);
    let skeleton = scene.add_skeleton(skeleton);
    let skin = scene.add_skin(Skin { skeleton, joints, inverse_bind });
    let mesh = scene.add_mesh(mesh);
    scene.add_node(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    let timeline = scene.add_timeline(builder.finish());
    scene.add_clip(Clip { timeline, end: 1.0, ..Clip::default() });
    scene
}

/// Returns the posed position of the vertex at `p`: moves it with each of its joints from the rest
/// pose to the pose, and blends the results by weight.
fn expected(rest: &[Local], posed: &[Local], row: &(Vec<u32>, Vec<f32>), p: Point) -> Point {
    let (joints, weights) = row;
    let mut sum = [0.0; 3];
    for (joint, weight) in joints.iter().zip(weights) {
        // The skin lists the joints from last to first.
        let last = rest.len() - 1 - *joint as usize;
        let inside = rest[..=last].iter().fold(p, |p, local| local.invert(p));
        let out = posed[..=last].iter().rev().fold(inside, |p, local| local.apply(p));
        for i in 0..3 {
            sum[i] += out[i] * f64::from(*weight);
        }
    }
    sum
}

fn sum_of(a: Point, b: Point) -> Point {
    std::array::from_fn(|i| a[i] + b[i])
}

fn size_of(v: Point) -> f64 {
    v.iter().map(|c| c * c).sum::<f64>().sqrt()
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn skinned_vertices_and_normals(
        rest in prop::collection::vec(local(), JOINTS),
        posed in prop::collection::vec(local(), JOINTS),
        weights in prop::array::uniform6(0.01_f32..1.0),
        corner in prop::array::uniform3(-2.0_f64..2.0),
    ) {
        // A triangle with the same joints and weights at all vertices stays flat, so its normal is
        // known.
        let sum: f32 = weights.iter().sum();
        let row = (vec![0, 1, 2, 3, 4, 0], weights.map(|weight| weight / sum).to_vec());
        let (u, v) = ([1.0, 0.25, 0.0], [-0.5, 0.0, 1.0]);
        let corners = [[0.0; 3], u, v].map(|side| sum_of(corner, side));
        let normal = vector(cross(u, v)).normalized().unwrap();
        let bent = |x: f64| {
            let positions = vec![vector([x, 0.0, 2.0 * x]); 3];
            MorphTarget { positions, ..MorphTarget::default() }
        };
        let (joints, weights) = (row.0.repeat(3), row.1.repeat(3));
        let influences = Influences { per_vertex: INFLUENCES, joints, weights };
        let mesh = Mesh {
            positions: corners.map(vector).to_vec(),
            normals: vec![normal; 3],
            influences,
            morph_targets: vec![bent(1.0), bent(-0.25)],
            ..Mesh::default()
        };
        let scene = scene(&rest, &posed, mesh);
        let mut player = Player::new(&scene, ClipId::new(0)).unwrap();
        let (mut pose, mut deformer) = (Pose::default(), Deformer::default());
        player.advance(1.0);
        player.pose(&mut pose);
        prop_assert!(deformer.deform_node(&scene, NodeId::new(0), SkeletonId::new(0), &pose));
        // Morph targets are applied first: 0.5 · 1 + -1 · -0.25.
        let moved = corners.map(|[x, y, z]| [x + 0.75, y, z + 1.5]);
        let by_hand = moved.map(|p| expected(&rest, &posed, &row, p));
        let size = by_hand.iter().flatten().fold(1.0_f64, |most, c| most.max(c.abs()));
        // Inverse bind matrices are rounded to f32.
        for (found, expected) in deformer.positions().iter().zip(&by_hand) {
            for (found, expected) in found.to_f64().iter().zip(expected) {
                let apart = (found - expected).abs();
                prop_assert!(apart < 1e-5 * size.max(100.0), "{found} {expected}");
            }
        }
        let back = by_hand[0].map(|c| -c);
        let sides = [by_hand[1], by_hand[2]].map(|corner| sum_of(corner, back));
        let plane = cross(sides[0], sides[1]);
        let (lengths, length) = (sides.map(size_of), size_of(plane));
        // Nearly flattened triangles have no reliable normal.
        if length > 0.05 * lengths[0] * lengths[1] && lengths.iter().all(|length| *length > 0.05) {
            for normal in deformer.normals() {
                let normal = normal.to_f64();
                let along: f64 = (0..3).map(|i| normal[i] * plane[i] / length).sum();
                prop_assert!((size_of(normal) - 1.0).abs() < 1e-5, "{normal:?}");
                prop_assert!(along.abs() > 0.999, "{along}");
            }
        }
    }
}

#[test]
fn a_mesh_without_a_skin_stays_in_mesh_space_and_blends_normals() {
    let target = MorphTarget {
        positions: vec![Vec3::new(0.0, 2.0, 0.0)],
        normals: vec![Vec3::new(1.0, -1.0, 0.0)],
        ..MorphTarget::default()
    };
    let mesh = Mesh {
        positions: vec![Vec3::ONE, Vec3::ONE],
        normals: vec![Vec3::new(0.0, 1.0, 0.0), Vec3::ZERO],
        morph_targets: vec![target],
        morph_weights: vec![1.0],
        ..Mesh::default()
    };
    let mut scene = Scene::default();
    let mesh = scene.add_mesh(mesh);
    let node = scene.add_node(Node { mesh: Some(mesh), ..Node::default() });
    let empty = scene.add_node(Node::default());
    let mut deformer = Deformer::default();
    let mut show = |node| deformer.deform_node(&scene, node, SkeletonId::new(0), &Pose::default());
    assert!(show(node));
    assert_eq!(deformer.positions(), [Vec3::new(1.0, 3.0, 1.0), Vec3::ONE]);
    assert_eq!(deformer.normals(), [Vec3::new(1.0, 0.0, 0.0), Vec3::ZERO]);
    assert!(!deformer.deform_node(&scene, empty, SkeletonId::new(0), &Pose::default()));
    assert!(deformer.positions().is_empty() && deformer.normals().is_empty());
}

/// Normals are mirrored with the surface, but scaled by the inverse of a non-uniform scale.
#[test]
fn normals_are_correct_for_reflections_and_non_uniform_scales() {
    let (joints, weights) = (vec![0, 1, 9], vec![1.0, 1.0, 0.0]);
    let influences = Influences { per_vertex: 1, joints, weights };
    let mesh = Mesh {
        positions: vec![Vec3::ONE; 3],
        normals: vec![Vec3::new(0.6, 0.8, 0.0); 3],
        influences,
        ..Mesh::default()
    };
    let scaled = |x: f32, y: f32| {
        Transform { scale: Vec3::new(x, y, 1.0), ..Transform::IDENTITY }.to_matrix()
    };
    let mut deformer = Deformer::default();
    deformer.deform(&mesh, &[], &[scaled(-1.0, 1.0), scaled(0.75, 1.0)]);
    let [mirrored, squeezed, free] = deformer.normals() else { panic!() };
    assert!(mirrored.distance(Vec3::new(-0.6, 0.8, 0.0)) < 1e-6, "{mirrored:?}");
    // The x component is divided by the scale: 0.6 / 0.75 is 0.8, which equals the y component.
    assert!((squeezed.x - squeezed.y).abs() < 1e-6 && (squeezed.length() - 1.0).abs() < 1e-6);
    assert_eq!((*free, deformer.positions()[2]), (Vec3::new(0.6, 0.8, 0.0), Vec3::ONE));
}
