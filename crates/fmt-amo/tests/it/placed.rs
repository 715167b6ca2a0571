//! Where written meshes are: in animations, and at rest. The expected places are worked out by
//! hand; those in the file come from an independent evaluator of the format.

use anim_ir::{
    Channel, Clip, Influences, Interpolation, Joint, JointId, JointRef, Limits, Mat4, Material,
    MaterialId, Mesh, Node, Primitive, Quat, Scene, Skeleton, SkeletonId, Skin, TimelineBuilder,
    Topology, Transform, Vec3,
};
use fmt_amo::{Document, FromIr, ToIr, from_ir, to_ir};
use test_oracle::amo;

fn moved(x: f32) -> Transform {
    Transform { translation: Vec3::new(x, 0.0, 0.0), ..Transform::IDENTITY }
}

fn triangle(name: &str, x: f32) -> Mesh {
    let part = |topology, indices: &[u32]| Primitive {
        topology,
        indices: indices.to_vec(),
        material: None,
    };
    Mesh {
        name: name.to_owned(),
        positions: [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]].map(Vec3::from).to_vec(),
        primitives: vec![part(Topology::Triangles, &[0, 1, 2])],
        ..Mesh::default()
    }
}

/// Adds a skeleton of roots at these places, bound at the origin.
fn add_rig(scene: &mut Scene, places: &[f32]) -> (SkeletonId, Skin) {
    let mut skeleton = Skeleton::new("rig");
    for x in places {
        let joint = skeleton.add_joint(Joint::new(format!("{}_{x}", scene.skeletons.len()), None));
        skeleton.joints[joint.index()].rest = moved(*x);
    }
    let joints: Vec<JointId> = skeleton.enumerate_joints().map(|(id, _)| id).collect();
    let inverse_bind = vec![Mat4::IDENTITY; joints.len()];
    let skeleton = scene.add_skeleton(skeleton);
    (skeleton, Skin { skeleton, joints, inverse_bind })
}

/// Adds a triangle at the origin with these weights for all vertices.
fn add_body(scene: &mut Scene, skin: Skin, weights: &[f32]) {
    let influences = Influences {
        per_vertex: weights.len(),
        joints: (0..weights.len() as u32).collect::<Vec<_>>().repeat(3),
        weights: weights.repeat(3),
    };
    let mesh = Some(scene.add_mesh(Mesh { influences, ..triangle("body", 0.0) }));
    let skin = Some(scene.add_skin(skin));
    scene.add_node(Node { mesh, skin, ..Node::default() });
}

/// Adds a clip of one second that moves the first joint along x.
fn add_clip(scene: &mut Scene, skeleton: SkeletonId, places: [f32; 2]) {
    let mut builder = TimelineBuilder::new("go");
    let values = places.map(|x| [x, 0.0, 0.0]).concat();
    let (channel, line) = (Channel::Translation, Interpolation::Linear);
    builder.keys(JointId::default().into(), channel, line, &[0.0, 1.0], &values).unwrap();
    let mut timeline = builder.finish();
    timeline.skeleton = skeleton;
    let timeline = scene.add_timeline(timeline);
    scene.add_clip(Clip { name: "go".into(), timeline, end: 1.0, ..Clip::default() });
}

fn written(scene: &Scene) -> String {
    let written = from_ir(scene, &FromIr::default()).unwrap().value.to_bytes().into_owned();
    let read = Document::parse(&written[..]).unwrap();
    assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
    String::from_utf8(written).unwrap()
}

/// The x of the first corner of each face of a scene's file, at a time of its first animation.
fn first_corners(scene: &Scene, time: f64) -> Vec<f64> {
    let model = amo::read(written(scene).as_bytes(), amo::Dialect::Spec);
    model.face_corners_at(0, time).iter().map(|face| face[0][0]).collect()
}

/// The x of the first corner of each face at rest.
fn resting(scene: &Scene) -> Vec<f64> {
    let model = amo::read(written(scene).as_bytes(), amo::Dialect::Spec);
    model.rest_corners().iter().map(|face| face[0][0]).collect()
}

/// A hand at x = 1, bound at the origin, holds a sword, whose first vertex is 5 from the hand.
#[test]
fn a_mesh_attached_to_a_joint_that_is_bound_elsewhere() {
    let mut scene = Scene::default();
    let (skeleton, skin) = add_rig(&mut scene, &[1.0]);
    add_body(&mut scene, skin, &[1.0]);
    let mesh = Some(scene.add_mesh(triangle("sword", 3.0)));
    let parent = Some(JointRef { skeleton, joint: JointId::default() });
    scene.add_node(Node { mesh, parent, transform: moved(2.0), ..Node::default() });
    assert_eq!(resting(&scene), [1.0, 6.0]);
    add_clip(&mut scene, skeleton, [1.0, 3.0]);
    assert_eq!(first_corners(&scene, 0.0), [1.0, 6.0]);
    assert_eq!(first_corners(&scene, 1.0), [3.0, 8.0]);
}

/// A joint that is scaled to nothing at rest hides its mesh.
#[test]
fn a_mesh_without_size_at_rest_stays_invisible() {
    let mut scene = Scene::default();
    let (skeleton, _) = add_rig(&mut scene, &[0.0]);
    scene.skeletons[0].joints[0].rest.scale = Vec3::ZERO;
    let mesh = Some(scene.add_mesh(triangle("sword", 3.0)));
    let parent = Some(JointRef { skeleton, joint: JointId::default() });
    scene.add_node(Node { mesh, parent, ..Node::default() });
    add_clip(&mut scene, skeleton, [0.0, 1.0]);
    assert!(written(&scene).contains("v 0 0 0\nv 0 0 0\nv 0 0 0\n"));
}

/// Half of each vertex belongs to a joint at 10, half to one at 20.
#[test]
fn a_skinned_mesh_keeps_its_rest_shape_where_nothing_moves_its_skeleton() {
    let mut scene = Scene::default();
    let (_, skin) = add_rig(&mut scene, &[10.0, 20.0]);
    add_body(&mut scene, skin, &[0.5, 0.5]);
    assert_eq!(resting(&scene), [15.0], "without animations");
    let (other, _) = add_rig(&mut scene, &[0.0]);
    add_clip(&mut scene, other, [0.0, 1.0]);
    assert_eq!(first_corners(&scene, 0.5), [15.0], "in an animation of another skeleton");
    add_clip(&mut scene, SkeletonId::default(), [30.0, 40.0]);
    scene.clips.remove(0);
    assert_eq!(first_corners(&scene, 1.0), [30.0], "in an animation of one of its joints");
}

/// The bind pose is what other programs see, so vertices do not move if it is the rest pose.
#[test]
fn vertices_bound_at_rest_are_written_unchanged() {
    let mut scene = Scene::default();
    let (_, mut skin) = add_rig(&mut scene, &[0.1]);
    skin.inverse_bind = vec![moved(-0.1).to_matrix()];
    add_body(&mut scene, skin, &[1.0]);
    scene.meshes[0].normals = vec![Vec3::new(0.0, 0.0, 3.0); 3];
    let text = written(&scene);
    assert!(text.contains("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 3\n"), "{text}");
}

/// `usemtl` also applies to the objects that follow.
#[test]
fn meshes_without_a_material_do_not_inherit_one() {
    let mut scene = Scene::default();
    for name in ["red", ""] {
        scene.add_material(Material::new(name));
    }
    let [red, unnamed] = [0, 1].map(|at| Some(MaterialId::new(at)));
    let given = [None, red, None, red, red, unnamed, None];
    for material in given {
        let mut mesh = triangle("mesh", 0.0);
        mesh.primitives[0].material = material;
        let mesh = Some(scene.add_mesh(mesh));
        scene.add_node(Node { mesh, ..Node::default() });
    }
    let text = written(&scene);
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("usemtl")).collect();
    assert_eq!(
        lines,
        ["usemtl red", "usemtl", "usemtl red", "usemtl material_2", "usemtl"],
        "a line for each change"
    );
    let document = Document::parse(text.as_bytes()).unwrap().value;
    let read = to_ir(&document, &ToIr::default()).value;
    let materials: Vec<_> = read.meshes.iter().map(|mesh| mesh.primitives[0].material).collect();
    assert_eq!(materials, given);
}

/// Lines and points of moving meshes move with their joints.
#[test]
fn lines_and_points_have_joints() {
    let mut scene = Scene::default();
    let (skeleton, _) = add_rig(&mut scene, &[0.0]);
    let mut rope = triangle("rope", 0.0);
    rope.primitives[0].topology = Topology::Lines;
    rope.primitives[0].indices = vec![0, 1, 1, 2];
    rope.primitives.push(Primitive {
        topology: Topology::Points,
        indices: vec![2],
        material: None,
    });
    let mesh = Some(scene.add_mesh(rope));
    let joint = JointId::default();
    let parent = Some(JointRef { skeleton, joint });
    scene.add_node(Node { mesh, parent, ..Node::default() });
    scene.add_node(Node { mesh, ..Node::default() });
    add_clip(&mut scene, skeleton, [0.0, 3.0]);
    let text = written(&scene);
    let still = "l 4 5\nl 5 6\np 6\n";
    assert!(text.contains("l 1///1/1 2///1/1\nl 2///1/1 3///1/1\np 3///1/1\n"), "{text}");
    assert!(text.contains(still), "{text}");
    let document = Document::parse(text.as_bytes()).unwrap().value;
    let read = to_ir(&document, &ToIr::default()).value;
    let influences = &read.meshes[0].influences;
    assert_eq!(
        (&influences.joints[..4], &influences.weights[..4]),
        (&[0; 4][..], &[1.0, 0.0, 0.0, 0.0][..])
    );
    assert_eq!(influences.weights.iter().sum::<f32>(), 3.0, "of three vertices");
    assert_eq!(read.nodes[1].skin, None);
}

/// Mirroring turns faces inside out unless their corners are reversed. Joints that mirror a skin do
/// not change its winding (glTF 2.0, 3.7.4), so the last face keeps its order.
#[test]
fn faces_of_mirrored_nodes_are_reversed() {
    let mut scene = Scene::default();
    let (skeleton, _) = add_rig(&mut scene, &[0.0]);
    let mesh = scene
        .add_mesh(Mesh { normals: vec![Vec3::new(0.0, 0.0, 1.0); 3], ..triangle("mesh", 0.0) });
    let half = Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), std::f64::consts::PI);
    let parent = Some(JointRef { skeleton, joint: JointId::default() });
    for (scale, parent) in
        [([-1.0, 1.0, 1.0], None), ([-1.0, -1.0, 1.0], None), ([-2.0; 3], parent)]
    {
        let transform = Transform { scale: scale.into(), rotation: half, ..Transform::IDENTITY };
        scene.add_node(Node { mesh: Some(mesh), transform, parent, ..Node::default() });
    }
    let (_, skin) = add_rig(&mut scene, &[0.0]);
    scene.skeletons[1].joints[0].rest.scale.x = -1.0;
    add_body(&mut scene, skin, &[1.0]);
    scene.meshes[1].normals = vec![Vec3::new(0.0, 0.0, 1.0); 3];
    let model = amo::read(written(&scene).as_bytes(), amo::Dialect::Spec);
    let document = Document::parse(written(&scene).as_bytes()).unwrap().value.normals().to_vec();
    assert_eq!(model.faces.len(), 4);
    for (number, face) in model.rest_corners().iter().enumerate() {
        let [a, b, c] = [0, 1, 2].map(|at| face[at]);
        let side = |to: [f64; 3]| [0, 1, 2].map(|axis| to[axis] - a[axis]);
        let [_, _, z] = test_oracle::math::cross(side(b), side(c));
        let way = if number < 3 { 1.0 } else { -1.0 };
        assert!(way * z * f64::from(document[number * 3][2]) > 0.0, "face {number}");
    }
}

/// Each joint is evaluated at its own keys only, even if no two have keys at the same times.
#[test]
fn clips_with_many_joints_stay_within_the_budget() {
    const JOINTS: u32 = 1000;
    const KEYS: u32 = 20;
    let mut scene = Scene::default();
    let (skeleton, _) = add_rig(&mut scene, &[1.0; JOINTS as usize]);
    let mut builder = TimelineBuilder::new("go");
    for joint in 0..JOINTS {
        let times: Vec<f32> =
            (0..KEYS).map(|key| (key * JOINTS + joint) as f32 / (JOINTS * KEYS) as f32).collect();
        let values = [joint as f32, 0.0, 0.0].repeat(times.len());
        let target = JointId::new(joint as usize).into();
        let (channel, line) = (Channel::Translation, Interpolation::Linear);
        builder.keys(target, channel, line, &times, &values).unwrap();
    }
    let mut timeline = builder.finish();
    timeline.skeleton = skeleton;
    let timeline = scene.add_timeline(timeline);
    scene.add_clip(Clip { name: "go".into(), timeline, end: 1.0, ..Clip::default() });
    let limits = Limits { memory: Some(32 << 20), ..Limits::default() };
    let written = from_ir(&scene, &FromIr::default().with_limits(limits)).unwrap().value;
    let keys = &written.animations()[0].keys;
    assert_eq!(keys.len(), 2 * (JOINTS * KEYS) as usize);
    // A joint without a skin is bound at rest, which is at 1.
    let last = keys.iter().find(|key| key.joint == JOINTS - 1).unwrap();
    assert_eq!(last.value, fmt_amo::KeyValue::Position([(JOINTS - 2) as f32, 0.0, 0.0]));
}
