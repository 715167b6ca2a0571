//! Checks with random scenes that an independent reader of the glTF file and the scene model
//! produce the same results.

use std::collections::HashMap;

use anim_gltf::{FromIr, from_ir};
use anim_ir::Interpolation::{Cubic, Linear, Step};
use anim_ir::{
    Channel, Influences, Interpolation, Joint, JointId, Mat4, Mesh, MorphTarget, Node, NodeId,
    Pose, PoseSpace, Quat, Sampler, Scene, Skeleton, SkeletonId, Skin, Target, TimelineBuilder,
    Topology, Transform, Vec3,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use test_oracle::math;

use crate::scenes::{clip, moving, node, part};
use crate::written::{folder, write_with};

pub(crate) fn numbers(range: std::ops::Range<f32>) -> impl Strategy<Value = [f32; 3]> {
    prop::array::uniform3(range)
}

pub(crate) fn rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0f32..1.0).prop_map(|q| Quat::from(q).normalized())
}

/// A rest pose, and an exact matrix if the pose only approximates it.
type Rest = (Transform, Option<Mat4>);

fn rest() -> impl Strategy<Value = Rest> {
    let scale = prop_oneof![
        Just([1.0; 3]),
        (0.5f32..1.5).prop_map(|s| [s; 3]),
        numbers(0.5..1.5),
        numbers(-1.5..-0.5)
    ];
    let plain = (numbers(-1.0..1.0), rotation(), scale).prop_map(|(t, rotation, s)| {
        (Transform { translation: t.into(), rotation, scale: s.into() }, None)
    });
    let exact = prop::array::uniform12(-1.0f32..1.0).prop_map(|numbers| {
        let matrix = affine(numbers);
        (matrix.to_transform(), Some(matrix))
    });
    prop_oneof![3 => plain, 1 => Just((Transform::IDENTITY, None)), 2 => exact]
}

/// Creates a matrix from its four columns, without the last row.
fn affine(numbers: [f32; 12]) -> Mat4 {
    let column = |at: usize, last: f32| [numbers[at], numbers[at + 1], numbers[at + 2], last];
    Mat4 { columns: [column(0, 0.0), column(3, 0.0), column(6, 0.0), column(9, 1.0)] }
}

#[derive(Clone, Debug)]
struct Keys {
    interpolation: Option<Interpolation>,
    times: usize,
    values: Vec<f32>,
}

fn keys() -> impl Strategy<Value = Option<Keys>> {
    let kinds = vec![None, Some(Step), Some(Linear), Some(Linear), Some(Cubic)];
    let kind = prop::sample::select(kinds);
    let one = (kind, 0usize..3, vec(-1.0f32..1.0, 60));
    let keys = one.prop_map(|(interpolation, times, values)| Keys { interpolation, times, values });
    prop::option::weighted(0.6, keys)
}

/// Lists of key times, including a single key.
const TIMES: [&[f32]; 3] = [&[0.0, 0.5, 1.25, 2.0], &[0.25, 1.0, 1.5], &[0.75]];

/// The channels of joints, with the number of components of each value.
const CHANNELS: [(Channel, usize); 3] =
    [(Channel::Translation, 3), (Channel::Rotation, 4), (Channel::Scale, 3)];

fn add(builder: &mut TimelineBuilder, target: Target, channel: Channel, width: usize, keys: &Keys) {
    let shape = |values: &[f32], is_tangent: bool| -> Vec<f32> {
        match channel {
            Channel::Rotation | Channel::Scale if is_tangent => {
                values.iter().map(|value| value * 0.3).collect()
            }
            // At most 125° between two keys, since the model's slerp is an approximation with
            // errors of 1e-4 near 180°.
            Channel::Rotation => {
                let [x, y, z] = [0, 1, 2].map(|axis| values[axis] * 0.35);
                Quat::new(x, y, z, 1.0).normalized().to_array().to_vec()
            }
            Channel::Scale => values.iter().map(|value| 1.0 + value * 0.5).collect(),
            _ => values.to_vec(),
        }
    };
    let Some(interpolation) = keys.interpolation else {
        builder.constant(target, channel, &shape(&keys.values[..width], false)).unwrap();
        return;
    };
    let times = TIMES[keys.times];
    let parts = interpolation.values_per_key();
    let mut values = Vec::new();
    for (number, value) in keys.values.chunks(width).take(times.len() * parts).enumerate() {
        values.extend(shape(value, parts == 3 && number % 3 != 1));
    }
    builder.keys(target, channel, interpolation, times, &values).unwrap();
}

/// Position, and joints with weights in tenths.
type Vertex = ([f32; 3], Vec<(Index, u8)>);

#[derive(Clone, Debug)]
struct Recipe {
    joints: Vec<(Option<Index>, Rest, [Option<Keys>; 3])>,
    delta: bool,
    vertices: Vec<Vertex>,
    bind: Vec<Mat4>,
    per_vertex: usize,
    targets: usize,
    weights: Option<Keys>,
}

prop_compose! {
    fn recipe()(
        joints in vec((prop::option::of(any::<Index>()), rest(), [keys(), keys(), keys()]), 1..5),
        delta in any::<bool>(),
        vertices in vec((numbers(-1.0..1.0), vec((any::<Index>(), 0u8..5), 6)), 1..6),
        bind in vec(prop::array::uniform12(-1.0f32..1.0).prop_map(affine), 5),
        per_vertex in 1usize..7,
        targets in 0usize..4,
        weights in keys(),
    ) -> Recipe {
        Recipe { joints, delta, vertices, bind, per_vertex, targets, weights }
    }
}

fn mesh(recipe: &Recipe, joints: usize) -> Mesh {
    let vertices = recipe.vertices.len();
    let rows = recipe.vertices.iter().flat_map(|(_, row)| row.iter().take(recipe.per_vertex));
    let (joints, weights) =
        rows.map(|(joint, weight)| (joint.index(joints) as u32, f32::from(*weight) * 0.1)).unzip();
    let target = |i: usize| MorphTarget {
        name: format!("t{i}"),
        positions: vec![Vec3::ONE; vertices],
        normals: vec![],
    };
    Mesh {
        name: "mesh".into(),
        positions: recipe.vertices.iter().map(|(p, _)| Vec3::from(*p)).collect(),
        influences: Influences { per_vertex: recipe.per_vertex, joints, weights },
        morph_targets: (0..recipe.targets).map(target).collect(),
        primitives: vec![part(Topology::Points, &Vec::from_iter(0..vertices as u32))],
        ..Mesh::default()
    }
}

fn build(recipe: &Recipe) -> Scene {
    let mut skeleton = Skeleton::new("skeleton");
    let mut builder = TimelineBuilder::new("timeline");
    if recipe.delta {
        builder = builder.with_pose_space(PoseSpace::DeltaFromRest);
    }
    for (index, (parent, rest, tracks)) in recipe.joints.iter().enumerate() {
        let parent = parent.filter(|_| index > 0).map(|parent| JointId::new(parent.index(index)));
        let joint = Joint::new(format!("j{index}"), parent);
        skeleton.joints.push(Joint { rest: rest.0, exact_rest: rest.1, ..joint });
        for (keys, (channel, width)) in tracks.iter().zip(CHANNELS) {
            if let Some(keys) = keys {
                add(&mut builder, JointId::new(index).into(), channel, width, keys);
            }
        }
    }
    if recipe.targets > 0
        && let Some(keys) = &recipe.weights
    {
        add(&mut builder, NodeId::new(0).into(), Channel::MorphWeights, recipe.targets, keys);
    }
    let joints = skeleton.joints.len();
    let skin = Skin {
        skeleton: SkeletonId::default(),
        joints: (0..joints).map(JointId::new).collect(),
        inverse_bind: recipe.bind[..joints].to_vec(),
    };
    Scene {
        skins: vec![skin],
        meshes: vec![mesh(recipe, joints)],
        nodes: vec![node("node", 0, Some(0))],
        ..moving(skeleton, builder, vec![clip("clip", 0.0, 2.0)])
    }
}

/// Returns the position of a vertex according to the definition, with a morph offset along each
/// axis. Uses the four largest influences after merging duplicate joints, divided by their sum.
fn expected(scene: &Scene, model: &[Mat4], moved: f64, vertex: usize) -> [f64; 3] {
    let (mesh, skin) = (&scene.meshes[0], &scene.skins[0]);
    let position = mesh.positions[vertex].to_f64().map(|c| c + moved);
    let mut weights: HashMap<usize, (f64, usize)> = HashMap::new();
    for slot in vertex * mesh.influences.per_vertex..(vertex + 1) * mesh.influences.per_vertex {
        let joint = mesh.influences.joints[slot] as usize;
        if mesh.influences.weights[slot] > 0.0 {
            weights.entry(joint).or_insert((0.0, slot)).0 +=
                f64::from(mesh.influences.weights[slot]);
        }
    }
    let mut weights: Vec<(usize, (f64, usize))> = weights.into_iter().collect();
    weights.sort_by(|(_, a), (_, b)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    weights.truncate(4);
    let total: f64 = weights.iter().map(|(_, (weight, _))| weight).sum();
    if total == 0.0 {
        return position;
    }
    let wide = |m: Mat4| m.columns.map(|c| c.map(f64::from));
    let mut sum = [0.0; 3];
    for (joint, (weight, _)) in weights {
        let (to_model, bind) = (model[skin.joints[joint].index()], skin.inverse_bind[joint]);
        let matrix = math::mul(&wide(to_model), &wide(bind));
        let moved = math::transform_point(&matrix, position);
        for axis in 0..3 {
            sum[axis] += moved[axis] * weight / total;
        }
    }
    sum
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn poses_skins_and_weights_match_the_scene_model(recipe in recipe(), time in 0.0f64..2.0) {
        let scene = build(&recipe);
        let written = write_with("", &scene, &FromIr::default().with_cubic(true));
        let (skeleton, timeline) = (&scene.skeletons[0], &scene.timelines[0]);
        let mut sampler = Sampler::new(skeleton, timeline);
        let (mut pose, mut model) = (Pose::default(), Vec::new());
        let animated = !timeline.tracks().is_empty();
        // The model's slerp is an approximation, but exact at the keys.
        let times =
            [(time, 1e-4), (0.0, 1e-5), (0.25, 1e-4), (0.5, 1e-4), (1.25, 1e-4), (2.0, 1e-5)];
        for (time, tolerance) in times {
            sampler.sample(time, &mut pose);
            pose.model_matrices(skeleton, &mut model);
            let animation = animated.then_some("clip");
            let weights = written.model.node_weights(animation.map(|_| 0), "node", time);
            let entries = model.iter().flat_map(|m| m.to_columns());
            let size = entries.fold(1.0, |most: f32, e| most.max(e.abs()));
            for (joint, model) in skeleton.joints.iter().zip(&model) {
                let found = written.world(animation, time, &joint.name);
                for (found, model) in found.iter().flatten().zip(model.columns.iter().flatten()) {
                    let is_near = (found - f64::from(*model)).abs() <= tolerance * f64::from(size);
                    let name = &joint.name;
                    prop_assert!(is_near, "{name} at {time}: expected {model}, found {found}");
                }
            }
            let found = written.drawn(animation, time, "node");
            for (vertex, found) in found.iter().enumerate() {
                let expected = expected(&scene, &model, weights.iter().sum(), vertex);
                let most = 5.0 * tolerance * f64::from(size);
                let is_near = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= most);
                prop_assert!(is_near, "vertex {vertex}: expected {expected:?}, found {found:?}");
            }
            for (node, expected) in &pose.morph_weights {
                prop_assert_eq!((*node, weights.len()), (NodeId::new(0), expected.len()));
                let mut pairs = weights.iter().zip(expected);
                prop_assert!(pairs.all(|(a, b)| (a - f64::from(*b)).abs() < 1e-5));
            }
        }
        // Keep one file of each kind for the validator.
        if recipe.joints.len() >= 4 {
            let name = format!("random-{}-{}-{}", recipe.delta, recipe.per_vertex, recipe.targets);
            let sample = from_ir(&scene, &FromIr::default()).unwrap().value;
            std::fs::write(folder().join(format!("{name}.glb")), sample).unwrap();
        }
    }
}

/// Values at the limits of f32.
fn extreme() -> impl Strategy<Value = f32> {
    const TINY: f32 = f32::MIN_POSITIVE;
    let moderate = [0.0, -0.0, 1.0, -1.0, 0.1, 1e-20];
    let ends = [f32::MAX, f32::MIN, TINY, 1e-45, -1e-45, 1e30, -1e30];
    prop::sample::select([&moderate[..], &ends].concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn extreme_values_produce_finite_output(
        n in vec(extreme(), 200),
        seed in any::<u64>(),
    ) {
        let at = |i: usize| n[i % n.len()];
        let vec3 = |i: usize| Vec3::new(at(i), at(i + 1), at(i + 2));
        let mut skeleton = Skeleton::new("s");
        for i in 0..3 {
            let rest = Transform {
                translation: vec3(i),
                rotation: Quat::new(at(i + 3), at(i + 4), at(i + 5), at(i + 6)),
                scale: vec3(i + 7),
            };
            let exact = Mat4::from_columns(std::array::from_fn(|k| at(i * 16 + k)));
            let exact_rest = (seed >> i & 1 == 0).then_some(exact);
            let joint = Joint::new("j", i.checked_sub(1).map(JointId::new));
            skeleton.joints.push(Joint { rest, exact_rest, ..joint });
        }
        let mut times: Vec<f32> = n[..6].iter().map(|n| n + 0.0).collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        let space =
            if seed & 8 == 0 { PoseSpace::DeltaFromRest } else { PoseSpace::ParentRelative };
        let mut builder = TimelineBuilder::new("t").with_pose_space(space);
        for joint in 0..3 {
            for (number, (channel, width)) in CHANNELS.into_iter().enumerate() {
                let bits = seed >> (8 + joint * 6 + number * 2) & 3;
                let interpolation = [Step, Linear, Cubic][bits as usize % 3];
                let count = times.len() * width * interpolation.values_per_key();
                let values: Vec<f32> =
                    (0..count).map(|k| at(joint * 40 + number * 7 + k)).collect();
                let joint = JointId::new(joint).into();
                builder.keys(joint, channel, interpolation, &times, &values).unwrap();
            }
        }
        let mesh = Mesh {
            positions: (0..4).map(|i| vec3(20 + i)).collect(),
            normals: (0..4).map(|i| vec3(30 + i)).collect(),
            texcoords: (0..4).map(|i| [at(40 + i), at(41 + i)]).collect(),
            colors: (0..4).map(|i| [at(50 + i), at(51 + i), at(52 + i), at(53 + i)]).collect(),
            influences: Influences {
                per_vertex: 4,
                joints: (0..16).map(|i| i % 3).collect(),
                weights: (0..16).map(|i| at(60 + i)).collect(),
            },
            primitives: vec![part(Topology::Triangles, &[0, 1, 2, 1, 2, 3])],
            ..Mesh::default()
        };
        let (start, end) = (at(90).min(at(91)), at(90).max(at(91)));
        let bind = |i: usize| Mat4::from_columns(std::array::from_fn(|k| at(100 + i * 16 + k)));
        let rotation = Quat::new(at(5), at(6), at(7), at(8));
        let turned = Transform { rotation, ..Transform::IDENTITY };
        let clips = vec![clip("c", start, end), clip("all", f32::MIN, f32::MAX)];
        let scene = Scene {
            skins: vec![Skin {
                skeleton: SkeletonId::default(),
                joints: [0, 1, 2].map(JointId::new).into(),
                inverse_bind: [0, 1, 2].map(bind).into(),
            }],
            meshes: vec![mesh],
            nodes: vec![node("", 0, Some(0)), Node { transform: turned, ..node("", 0, None) }],
            ..moving(skeleton, builder, clips)
        };
        // The oracle rejects non-finite values, and times that are negative or decreasing.
        for at_zero in [false, true] {
            let options = FromIr::default().with_clips_start_at_zero(at_zero);
            write_with(&format!("extreme-{at_zero}-{}", seed % 8), &scene, &options);
        }
    }
}
