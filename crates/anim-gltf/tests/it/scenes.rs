//! Small scenes and their parts, for tests to modify.

use anim_ir::Channel::{MorphWeights, Rotation, Scale, Translation};
use anim_ir::Interpolation::Linear;
use anim_ir::{
    Channel, Clip, Event, Extras, Influences, Interpolation, Joint, JointId, JointRef, Mat4,
    MaterialId, Mesh, MeshId, Node, NodeId, PoseSpace, Primitive, Quat, Scene, Skeleton,
    SkeletonId, Skin, SkinId, TimeBase, TimelineBuilder, Topology, Transform, Value, Vec3, Wrap,
};

pub(crate) fn quarter_turn() -> Quat {
    Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), std::f64::consts::FRAC_PI_2)
}

pub(crate) fn moved(x: f32, y: f32, z: f32) -> Transform {
    Transform { translation: Vec3::new(x, y, z), ..Transform::IDENTITY }
}

/// Returns a joint with a parent.
pub(crate) fn below(parent: usize, name: impl Into<String>) -> Joint {
    Joint::new(name, Some(JointId::new(parent)))
}

/// Returns the parent of a node that is attached to a joint.
pub(crate) fn at(skeleton: usize, joint: usize) -> Option<JointRef> {
    Some(JointRef { skeleton: SkeletonId::new(skeleton), joint: JointId::new(joint) })
}

pub(crate) fn arm() -> Skeleton {
    let mut skeleton = Skeleton::new("arm");
    skeleton.joints.push(Joint::new("shoulder", None));
    skeleton.joints.push(Joint { rest: moved(0.0, 1.0, 0.0), ..below(0, "elbow") });
    skeleton
}

pub(crate) fn part(topology: Topology, indices: &[u32]) -> Primitive {
    Primitive { topology, indices: indices.to_vec(), material: None }
}

/// Returns a primitive with a material.
pub(crate) fn painted(material: usize, part: Primitive) -> Primitive {
    Primitive { material: Some(MaterialId::new(material)), ..part }
}

pub(crate) fn triangle(name: &str) -> Mesh {
    Mesh {
        name: name.into(),
        positions: vec![Vec3::ZERO, Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0)],
        primitives: vec![part(Topology::Triangles, &[0, 1, 2])],
        ..Mesh::default()
    }
}

pub(crate) fn skinned_triangle(
    name: &str,
    per_vertex: usize,
    joints: &[u32],
    weights: &[f32],
) -> Mesh {
    Mesh {
        influences: Influences { per_vertex, joints: joints.into(), weights: weights.into() },
        ..triangle(name)
    }
}

pub(crate) fn node(name: &str, mesh: usize, skin: Option<usize>) -> Node {
    let (mesh, skin) = (Some(MeshId::new(mesh)), skin.map(SkinId::new));
    Node { name: name.into(), mesh, skin, ..Node::default() }
}

pub(crate) fn skin_of(skeleton: &Skeleton) -> Skin {
    let rest = skeleton.rest_model_matrices();
    Skin {
        skeleton: SkeletonId::default(),
        joints: (0..rest.len()).map(JointId::new).collect(),
        inverse_bind: rest.iter().map(|m| m.inverse().unwrap_or_default()).collect(),
    }
}

pub(crate) fn clip(name: &str, start: f32, end: f32) -> Clip {
    Clip { name: name.into(), start, end, ..Clip::default() }
}

pub(crate) fn extras(name: &str, value: impl Into<Value>) -> Extras {
    Extras::from([(name.to_owned(), value.into())])
}

/// Returns a waving arm with a skinned triangle.
pub(crate) fn waving() -> Scene {
    let skeleton = arm();
    let mut builder =
        TimelineBuilder::new("wave").with_time_base(TimeBase::Frames { per_second: 24.0 });
    keys(&mut builder, 1, Rotation, Linear, &[0.0, 0.1], &quarter());
    keys(&mut builder, 1, Translation, Linear, &[0.0, 0.1], &[0., 1., 0., 0., 2., 0.]);
    builder.constant(JointId::new(0).into(), Scale, &[2.0; 3]).unwrap();
    builder.event(Event {
        time: 0.1,
        name: "clap".into(),
        payload: extras("volume", 0.5_f32),
        ..Event::default()
    });
    let weights = [1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.1, 0.9, 0.0, 0.0];
    let joints = [0, 1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0];
    let wave = Clip {
        wrap: Wrap::Loop,
        extras: extras("amo", Value::from([("line", 12.0.into())])),
        ..clip("wave", 0.0, 0.1)
    };
    Scene {
        name: "waving".into(),
        skins: vec![skin_of(&skeleton)],
        meshes: vec![skinned_triangle("sleeve", 4, &joints, &weights)],
        nodes: vec![node("sleeve", 0, Some(0))],
        ..moving(skeleton, builder, vec![wave])
    }
}

/// Returns a scene with three rest poses: one with shear, one with non-uniform scale and rotation
/// keys, and one with non-uniform scale but no rotation keys. The first joint moves by `way`.
pub(crate) fn sheared(way: [f32; 3]) -> Scene {
    let shear = Mat4 {
        columns: [
            [1.0, 0.0, 0.0, 0.0],
            [0.5, 1.0, 0.0, 0.0],
            [0.0, 0.0, -2.0, 0.0],
            [3.0, 0.0, 0.0, 1.0],
        ],
    };
    let uneven = Transform { scale: Vec3::new(1.0, 2.0, 3.0), ..moved(0.0, 1.0, 0.0) };
    let mut skeleton = Skeleton::new("sheared");
    skeleton.joints = vec![
        Joint {
            exact_rest: Some(shear),
            rest: shear.to_transform(),
            extras: extras("amo", 1.0),
            ..Joint::new("sheared", None)
        },
        Joint { rest: uneven, ..below(0, "turned") },
        Joint { rest: uneven, ..below(0, "pushed") },
    ];
    let mut builder = TimelineBuilder::new("t").with_pose_space(PoseSpace::DeltaFromRest);
    keys(&mut builder, 0, Rotation, Linear, &[0.0, 1.0], &quarter());
    keys(&mut builder, 1, Rotation, Linear, &[0.0, 1.0], &quarter());
    keys(&mut builder, 0, Translation, Linear, &[0.0, 1.0], &[[0.; 3], way].concat());
    keys(&mut builder, 2, Translation, Linear, &[0.0, 1.0], &[0., 0., 0., 1., 1., 1.]);
    keys(&mut builder, 2, Scale, Linear, &[0.0, 1.0], &[1., 1., 1., 2., 2., 2.]);
    moving(skeleton, builder, vec![clip("t", 0.0, 1.0)])
}

/// Returns a scene with a skeleton and its animation.
pub(crate) fn moving(skeleton: Skeleton, builder: TimelineBuilder, clips: Vec<Clip>) -> Scene {
    let (skeletons, timelines) = (vec![skeleton], vec![builder.finish()]);
    Scene { skeletons, timelines, clips, ..Scene::default() }
}

/// Returns the values of two rotation keys, 90° apart.
pub(crate) fn quarter() -> Vec<f32> {
    [Quat::IDENTITY, quarter_turn()].map(Quat::to_array).concat()
}

/// Returns the integers from 0 to `numbers` - 1.
pub(crate) fn count(numbers: u8) -> Vec<f32> {
    (0..numbers).map(f32::from).collect()
}

/// Adds a track for a node's morph weights.
pub(crate) fn weights(
    builder: &mut TimelineBuilder,
    node: usize,
    interpolation: Interpolation,
    times: &[f32],
    values: &[f32],
) {
    builder.keys(NodeId::new(node).into(), MorphWeights, interpolation, times, values).unwrap();
}

/// Adds a track for a joint.
pub(crate) fn keys(
    builder: &mut TimelineBuilder,
    joint: usize,
    channel: Channel,
    interpolation: Interpolation,
    times: &[f32],
    values: &[f32],
) {
    builder.keys(JointId::new(joint).into(), channel, interpolation, times, values).unwrap();
}

#[track_caller]
pub(crate) fn assert_near(found: &[[f64; 3]], expected: &[[f64; 3]]) {
    let mut numbers = found.as_flattened().iter().zip(expected.as_flattened());
    assert!(found.len() == expected.len(), "expected {expected:?}, found {found:?}");
    assert!(numbers.all(|(a, b)| (a - b).abs() < 1e-6), "expected {expected:?}, found {found:?}");
}
