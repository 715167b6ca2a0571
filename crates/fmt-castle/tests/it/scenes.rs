//! Scenes to write: a quad that is attached or skinned to a two-joint arm, or has morph targets.

use anim_ir::Channel::{MorphWeights, Rotation, Scale, Translation};
use anim_ir::{
    Channel, Clip, Influences, Interpolation, Joint, JointId, JointRef, Mesh, MorphTarget, Node,
    NodeId, PoseSpace, Primitive, Quat, Scene, Skeleton, SkeletonId, Skin, Target, Timeline,
    TimelineBuilder, Topology, Transform, Vec3, Wrap,
};

pub(crate) fn turn(degrees: f64) -> [f32; 4] {
    Quat::from_axis_angle(Vec3::new(1.0, 2.0, -0.5), degrees.to_radians()).to_array()
}

/// Adds keys with linear interpolation.
fn keys(
    builder: &mut TimelineBuilder,
    target: impl Into<Target>,
    channel: Channel,
    times: &[f32],
    values: &[f32],
) {
    builder.keys(target.into(), channel, Interpolation::Linear, times, values).unwrap();
}

/// Builds a timeline with one track.
pub(crate) fn track(
    target: impl Into<Target>,
    channel: Channel,
    interpolation: Interpolation,
    times: &[f32],
    values: &[f32],
) -> Timeline {
    let mut builder = TimelineBuilder::new("");
    builder.keys(target.into(), channel, interpolation, times, values).unwrap();
    builder.finish()
}

/// Builds the timeline of a joint that rotates between 1 s and 2.5 s.
pub(crate) fn turning(joint: usize, degrees: f64) -> Timeline {
    let turns = [turn(0.0), turn(degrees)].concat();
    track(JointId::new(joint), Rotation, Interpolation::Linear, &[1.0, 2.5], &turns)
}

/// Builds two triangles that share an edge but not its texture coordinates, hence six vertices.
pub(crate) fn quad() -> Mesh {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.25], [0.0, 1.0, 0.0], [1.0, 1.0, 0.5]];
    let texcoords = [[0.0, 0.0], [0.5, 0.0], [0.0, 1.0], [0.75, 0.125], [1.0, 1.0], [0.25, 0.875]];
    let part =
        Primitive { topology: Topology::Triangles, indices: (0..6).collect(), material: None };
    Mesh {
        name: "quad".into(),
        positions: [0, 1, 2, 1, 3, 2].map(|corner: usize| corners[corner].into()).to_vec(),
        texcoords: texcoords.to_vec(),
        primitives: vec![part],
        ..Mesh::default()
    }
}

/// Builds a scene with a skeleton of two joints, parent and child. The joints are bones or nodes;
/// both rotate, and the child also translates and scales.
pub(crate) fn arm(bones: bool, space: PoseSpace) -> Scene {
    let mut skeleton = if bones { Skeleton::new("arm") } else { Skeleton::nodes("arm") };
    let upper = skeleton.add_joint(Joint::new("upper arm", None));
    skeleton.joints[0].rest.translation = Vec3::new(0.5, 0.0, 0.0);
    let lower = skeleton.add_joint(Joint::new("upper arm", Some(upper)));
    skeleton.joints[1].rest = Transform {
        translation: Vec3::new(0.0, 1.0, 0.0),
        rotation: turn(30.0).into(),
        scale: Vec3::ONE,
    };
    let mut builder = TimelineBuilder::new("").with_pose_space(space);
    let times = [1.0, 2.0, 2.5];
    let turns = [turn(0.0), turn(80.0), turn(-20.0)].concat();
    keys(&mut builder, upper, Rotation, &times, &turns);
    keys(&mut builder, lower, Translation, &times, &[0.0, 1.0, 0.0, 0.5, 1.5, -1.0, 0.0, 1.0, 0.0]);
    keys(&mut builder, lower, Scale, &times, &[1.0, 1.0, 1.0, 2.0, 0.5, 1.0, 1.0, 1.0, 1.0]);
    let clip =
        Clip { name: "wave".into(), start: 1.0, end: 2.5, wrap: Wrap::Loop, ..Clip::default() };
    Scene {
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips: vec![clip],
        ..Scene::default()
    }
}

pub(crate) fn on_joint(mut scene: Scene, joint: usize) -> Scene {
    let mesh = scene.add_mesh(quad());
    let transform = Transform {
        translation: Vec3::new(0.0, 0.0, 2.0),
        rotation: turn(45.0).into(),
        scale: Vec3::new(1.0, 2.0, 0.5),
    };
    scene.nodes.push(Node {
        name: "quad".into(),
        parent: Some(JointRef { skeleton: SkeletonId::new(0), joint: JointId::new(joint) }),
        transform,
        mesh: Some(mesh),
        ..Node::default()
    });
    scene
}

pub(crate) fn skinned(mut scene: Scene) -> Scene {
    let mut mesh = quad();
    let weights = [[1.0, 0.0], [0.75, 0.25], [0.5, 0.5], [0.75, 0.25], [0.0, 1.0], [0.5, 0.5]];
    mesh.influences =
        Influences { per_vertex: 2, joints: [0, 1].repeat(6), weights: weights.concat() };
    let mesh = scene.add_mesh(mesh);
    let rest = scene.skeletons[0].rest_model_matrices();
    let inverse_bind = rest.iter().map(|rest| rest.inverse().unwrap()).collect();
    let joints = [0, 1].map(JointId::new).to_vec();
    let skin = scene.add_skin(Skin { skeleton: SkeletonId::new(0), joints, inverse_bind });
    scene.add_node(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    scene
}

pub(crate) fn morphing(mut scene: Scene) -> Scene {
    let mesh = scene.meshes.last_mut().unwrap();
    let target = |x: f32| MorphTarget {
        name: String::new(),
        positions: (0..6).map(|n| Vec3::new(x, n as f32 / 4.0, -x)).collect(),
        normals: Vec::new(),
    };
    mesh.morph_targets = vec![target(1.0), target(-0.5)];
    mesh.morph_weights = vec![0.25, 0.5];
    let mut builder = TimelineBuilder::new("");
    let turns = [turn(0.0), turn(120.0)].concat();
    keys(&mut builder, NodeId::new(0), MorphWeights, &[1.0, 2.5], &[0.0, 1.0, 1.0, -0.5]);
    keys(&mut builder, JointId::new(0), Rotation, &[1.0, 2.5], &turns);
    scene.timelines = vec![builder.finish()];
    scene
}
