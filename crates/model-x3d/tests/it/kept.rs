//! What a scene keeps as X3D, and what is reported as lost.

use anim_ir::{
    Channel, Clip, Image, Interpolation, Joint, JointId, JointRef, Material, Mesh, MorphTarget,
    Node, NodeId, Primitive, Scene, Skeleton, SkeletonId, Target, TimelineBuilder, Topology, Vec3,
};
use model_x3d::{Document, Encoding, FromIr, ToIr, to_ir};

use crate::frames::{assert_near, seen_at};
use crate::sensors::made;
use crate::written::{read, triangle, write};

const ENCODINGS: [Encoding; 2] = [Encoding::Xml, Encoding::Classic];

/// A scene that shows a mesh, below one joint.
fn showing(mesh: Mesh) -> Scene {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("scene");
    skeleton.add_joint(Joint::new("place", None));
    scene.add_skeleton(skeleton);
    let mesh = scene.add_mesh(mesh);
    scene.add_node(Node { mesh: Some(mesh), ..Node::default() });
    scene
}

#[test]
fn clips_that_move_nothing_are_kept() {
    let mut scene = showing(triangle());
    let timeline = scene.add_timeline(TimelineBuilder::new("").finish());
    for (name, end) in [("wait", 3.0), ("stand still", 0.5)] {
        scene.add_clip(Clip { name: name.into(), timeline, end, ..Clip::default() });
    }
    for encoding in ENCODINGS {
        let (text, _) = write(&scene, &FromIr::default(), encoding);
        let clips = read(&text).clips;
        let clips: Vec<_> = clips.iter().map(|clip| (&*clip.name, clip.start, clip.end)).collect();
        assert_eq!(clips, [("wait", 0.0, 3.0), ("stand still", 0.0, 0.5)], "{text}");
    }
}

#[test]
fn other_sensors_without_routes_are_no_clips() {
    let text = "#X3D V4.0 utf8\nPROFILE Immersive\nShape { geometry Box { } }\n\
                DEF wait TimeSensor { cycleInterval 3 }";
    let parsed = Document::parse(text.as_bytes()).unwrap();
    assert!(to_ir(&parsed.value, &ToIr::default()).value.clips.is_empty());
}

#[test]
fn clips_that_start_later_are_moved_with_a_note() {
    let mut scene = showing(triangle());
    let mut builder = TimelineBuilder::new("");
    let (joint, linear) = (JointId::new(0).into(), Interpolation::Linear);
    let moves = [0.0, 0.0, 0.0, 3.0, 0.0, 0.0];
    builder.keys(joint, Channel::Translation, linear, &[2.0, 5.0], &moves).unwrap();
    let timeline = scene.add_timeline(builder.finish());
    let clip = Clip { name: "late".into(), timeline, start: 2.0, end: 5.0, ..Clip::default() };
    scene.add_clip(clip);
    let (text, codes) = write(&scene, &FromIr::default(), Encoding::Xml);
    assert_eq!(codes, ["x3d-loss-start"]);
    let after = read(&text);
    assert_eq!((after.clips[0].start, after.clips[0].end), (0.0, 3.0));
}

#[test]
fn lit_or_double_sided_lines_and_points_are_reported() {
    for (topology, unlit, double_sided, expected) in [
        (Topology::Lines, false, false, &["x3d-loss-light"][..]),
        (Topology::Points, false, false, &["x3d-loss-light"]),
        (Topology::Lines, true, false, &[]),
        (Topology::Lines, true, true, &["x3d-loss-light"]),
        (Topology::Triangles, false, true, &[]),
    ] {
        let mut scene = showing(triangle());
        let material = Material { unlit, double_sided, ..Material::new("wire") };
        let material = scene.add_material(material);
        let indices = if topology == Topology::Lines { vec![0, 1] } else { vec![0, 1, 2] };
        let part = Primitive { topology, indices, material: Some(material) };
        scene.meshes[0].primitives = vec![part];
        let (_, codes) = write(&scene, &FromIr::default(), Encoding::Xml);
        assert_eq!(codes, expected, "{topology:?}, unlit: {unlit}, {double_sided}");
    }
}

/// Two triangles that meet at a right angle. A file without normals has smooth faces unless it
/// says otherwise.
#[test]
fn flat_meshes_stay_flat() {
    let mut mesh = triangle();
    mesh.positions.push(Vec3::new(0.0, 0.0, 1.0));
    mesh.primitives[0].indices = vec![0, 1, 2, 0, 3, 1];
    let scene = showing(mesh);
    for encoding in ENCODINGS {
        let (text, codes) = write(&scene, &FromIr::default(), encoding);
        assert!(codes.is_empty() && text.contains("normalPerVertex"), "{codes:?} {text}");
        let after = read(&text);
        assert!(after.meshes[0].normals.is_empty());
        assert_eq!(after.meshes[0].positions, scene.meshes[0].positions);
    }
}

#[test]
fn names_of_shapes_materials_and_images_are_kept() {
    let mut scene = showing(triangle());
    let image = Image { name: "pennant (front)".into(), ..Image::at("pennant.png") };
    let image = scene.add_image(image);
    let material = Material { base_color_image: Some(image), ..Material::new("pennant.png") };
    let material = Some(scene.add_material(material));
    // Two shapes in the file.
    let part = Primitive { material, ..scene.meshes[0].primitives[0].clone() };
    scene.meshes[0].primitives = vec![part.clone(), part];
    scene.nodes[0].name = "hash#tag".into();
    for encoding in ENCODINGS {
        let (text, codes) = write(&scene, &FromIr::default(), encoding);
        assert_eq!(codes, ["x3d-loss-name"]);
        let after = read(&text);
        let names: Vec<&str> = after.nodes.iter().map(|node| &*node.name).collect();
        assert_eq!(names, ["hash#tag", "hash#tag"], "{text}");
        assert_eq!(after.materials[0].name, "pennant.png");
        assert_eq!(after.images[0].name, "pennant (front)");
    }
}

/// The node, or else the mesh, names the shape. A joint of the same name has it already.
#[test]
fn the_name_of_a_mesh_is_kept_or_reported() {
    for (joint, node, mesh, shape, expected) in [
        ("mast", "flag", "sail", "flag", &["x3d-loss-name"][..]),
        ("mast", "mast", "sail", "sail", &[]),
        ("mast", "", "sail", "sail", &[]),
        ("sail", "flag", "sail", "flag", &[]),
        ("mast", "flag", "", "flag", &[]),
        ("mast", "flag", "flag", "flag", &[]),
    ] {
        let mut scene = showing(triangle());
        let mut skeleton = Skeleton::new("scene");
        let on = skeleton.add_joint(Joint::new(joint, None));
        let skeleton = scene.add_skeleton(skeleton);
        scene.nodes[0].parent = Some(JointRef { skeleton, joint: on });
        scene.nodes[0].name = node.into();
        scene.meshes[0].name = mesh.into();
        let (text, codes) = write(&scene, &FromIr::default(), Encoding::Xml);
        assert_eq!(codes, expected, "{joint} {node} {mesh}");
        assert_eq!(read(&text).nodes[0].name, shape, "{text}");
    }
    // Another node has the name of the mesh.
    let mut scene = showing(triangle());
    let other = Node { name: "flag".into(), ..scene.nodes[0].clone() };
    scene.nodes[0].name = "sail".into();
    scene.nodes.push(other);
    let (_, codes) = write(&scene, &FromIr::default(), Encoding::Xml);
    assert!(codes.is_empty(), "{codes:?}");
}

#[test]
fn shapes_stay_among_the_joints_beside_them() {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("scene");
    let left = skeleton.add_joint(Joint::new("left", None));
    let hand = skeleton.add_joint(Joint::new("hand", Some(left)));
    let right = skeleton.add_joint(Joint::new("right", None));
    scene.add_skeleton(skeleton);
    let mesh = Some(scene.add_mesh(triangle()));
    for (name, joint) in [
        ("first", None),
        ("in the hand", Some(hand)),
        ("on the left", Some(left)),
        ("between", None),
        ("on the right", Some(right)),
        ("last", None),
    ] {
        let parent = joint.map(|joint| JointRef { skeleton: SkeletonId::default(), joint });
        scene.add_node(Node { name: name.into(), parent, mesh, ..Node::default() });
    }
    for encoding in ENCODINGS {
        let (text, _) = write(&scene, &FromIr::default(), encoding);
        let after = read(&text);
        let shapes = |scene: &Scene| -> Vec<String> {
            scene.nodes.iter().map(|node| node.name.clone()).collect()
        };
        assert_eq!(shapes(&after), shapes(&scene), "{text}");
        let joints = |scene: &Scene| -> Vec<String> {
            scene.skeletons[0].joints.iter().map(|joint| joint.name.clone()).collect()
        };
        assert_eq!(joints(&after), joints(&scene));
    }
}

/// Files define materials outside of shapes, for the shapes that use them.
#[test]
fn materials_outside_of_shapes_are_reported_unless_they_are_used() {
    let shape = "Shape { appearance Appearance { material USE M } geometry USE G }";
    let made = made(&format!(
        "DEF M Material {{ }} DEF A Appearance {{ }} DEF G Box {{ }}
         Group {{ children DEF N Material {{ }} }}
         {shape} Shape {{ appearance USE A geometry Box {{ }} }}"
    ));
    let said: Vec<_> = made.losses.iter().map(|found| &*found.message).collect();
    assert_eq!(said, ["1 Material node is skipped"]);
}

/// Lines have no normals, so nothing moves them.
#[test]
fn normals_of_morphed_lines_are_not_animated() {
    let mut mesh = triangle();
    mesh.normals = vec![Vec3::new(0.0, 0.0, 1.0); 3];
    mesh.primitives[0].topology = Topology::Lines;
    mesh.primitives[0].indices = vec![0, 1, 1, 2];
    mesh.morph_targets = vec![MorphTarget {
        positions: vec![Vec3::new(0.0, 0.0, 2.0); 3],
        normals: vec![Vec3::new(1.0, 0.0, 0.0); 3],
        ..MorphTarget::default()
    }];
    mesh.morph_weights = vec![0.0];
    let mut scene = showing(mesh);
    let mut builder = TimelineBuilder::new("");
    let (node, linear) = (Target::Node(NodeId::new(0)), Interpolation::Linear);
    builder.keys(node, Channel::MorphWeights, linear, &[0.0, 1.0], &[0.0, 1.0]).unwrap();
    let timeline = scene.add_timeline(builder.finish());
    scene.add_clip(Clip { name: "bend".into(), timeline, end: 1.0, ..Clip::default() });
    for encoding in ENCODINGS {
        let (text, _) = write(&scene, &FromIr::default(), encoding);
        assert!(!text.contains("Normal"), "{text}");
        let points = [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]];
        assert_near(&seen_at(&read(&text), 0, 0.5), &points);
    }
}
