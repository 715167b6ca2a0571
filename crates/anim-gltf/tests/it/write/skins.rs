//! Skins, vertex joints and vertex weights.

use std::collections::BTreeSet;

use anim_gltf::{FromIr, FromIrError, from_ir};
use anim_ir::Channel::Translation;
use anim_ir::Interpolation::Linear;
use anim_ir::{
    Influences, Joint, JointId, Mesh, Node, Scene, Skeleton, Skin, SkinId, TimelineBuilder,
    Topology, Vec3,
};
use gltf::Semantic;

use crate::read::there_and_back;
use crate::scenes::{
    arm, assert_near, at, below, keys, moved, moving, node, part, skin_of, skinned_triangle, waving,
};
use crate::written::{names, write, write_with};

#[test]
fn an_arm_waves() {
    let written = write("waving", &waving());
    insta::assert_snapshot!(written.pretty());
    assert!(written.losses.is_empty());
    // The joint at (0, 1, 0) moves up by 1 and rotates by 90°, and its parent has a scale of 2.
    let expected = [
        [0.0, 0.0, 0.0],
        // The vertex (0.1, 0, 0) is (0.1, -1, 0) relative to the elbow, (1, 0.1, 0) rotated,
        // (1, 2.1, 0) translated, (2, 4.2, 0) doubled.
        [0.5 * 0.2 + 0.5 * 2.0, 0.5 * 4.2, 0.0],
        [0.9 * -2.0, 0.1 * 4.0 + 0.9 * 4.0, 0.0],
    ];
    assert_near(&written.drawn(Some("wave"), 0.1_f32.into(), "sleeve"), &expected);
    let part = written.part("sleeve");
    let reader = part.reader(|_| Some(&written.bin));
    let joints: Vec<_> = reader.read_joints(0).unwrap().into_u16().collect();
    // Influences with a weight of 0 use joint 0.
    assert_eq!(joints, [[0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]]);
    let weights = reader.read_weights(0).unwrap().into_f32().nth(2);
    assert_eq!(weights, Some([0.1, 0.9, 0.0, 0.0]));
    assert_eq!(part.bounding_box().max, [0.1, 2.0, 0.0]);
}

#[test]
fn vertices_without_influences_stay() {
    let mut skeleton = arm();
    skeleton.joints[0].rest = moved(0.0, 0.0, 9.0);
    let mut builder = TimelineBuilder::new("t");
    keys(&mut builder, 0, Translation, Linear, &[0.0, 1.0], &[0., 0., 9., 5., 0., 9.]);
    let weights = [0.5, 0.5, 0.0, 0.0, 3.0, 0.0];
    // A skinned node's own transform and parent are ignored.
    let skinned = Node { parent: at(0, 1), transform: moved(7., 7., 7.), ..node("n", 0, Some(0)) };
    let scene = Scene {
        skins: vec![skin_of(&skeleton)],
        meshes: vec![skinned_triangle("m", 2, &[0, 1, 0, 0, 1, 0], &weights)],
        nodes: vec![skinned],
        ..moving(skeleton, builder, vec![])
    };
    let written = write("at-rest", &scene);
    assert_eq!(written.codes(), [("gltf-weights-sum", 1)]);
    let found = written.drawn(Some("t"), 1.0, "n");
    assert_near(&found, &[[5.0, 0.0, 0.0], [0.1_f32.into(), 0.0, 0.0], [5.0, 2.0, 0.0]]);
    let joints = written.node("arm").children();
    assert_eq!(names(joints, |item| item.name()), ["shoulder", "arm.static"]);
}

#[test]
fn a_mesh_with_and_without_skins() {
    let mut scene = waving();
    let skin = scene.skins[0].clone();
    // The second skin lists the elbow twice with different matrices, and the shoulder twice with
    // the same matrix.
    let shifted = moved(1.0, 0.0, 0.0).to_matrix() * skin.inverse_bind[1];
    let [shoulder, elbow] = skin.inverse_bind[..] else { panic!("two joints") };
    scene.skins.push(Skin {
        joints: [1, 1, 0, 0].map(JointId::new).into(),
        inverse_bind: vec![elbow, shifted, shoulder, shoulder],
        ..skin
    });
    scene.nodes.push(node("twice", 0, Some(1)));
    scene.nodes.push(node("plain", 0, None));
    scene.nodes.push(node("sleeve", 0, Some(0)));
    let written = write("two-skins", &scene);
    assert_eq!(written.document.meshes().count(), 3);
    let parts = written.document.meshes().map(|mesh| mesh.primitives().next().unwrap());
    let positions: BTreeSet<usize> =
        parts.map(|part| part.get(&Semantic::Positions).unwrap().index()).collect();
    assert_eq!(positions.len(), 1);
    let mesh = |node: &str| written.node(node).mesh().unwrap().index();
    assert_eq!(mesh("sleeve.001"), mesh("sleeve"));
    // At rest, the second entry offsets vertices by 1 along x, with a weight of 0.5 for the second
    // vertex and 0.9 for the third.
    let found = written.drawn(None, 0.0, "twice");
    assert_near(&found, &[[0.0, 0.0, 0.0], [0.6, 0.0, 0.0], [0.9, 2.0, 0.0]]);
    let skin = written.document.skins().nth(1).unwrap();
    assert_eq!(names(skin.joints(), |item| item.name()), ["elbow", "elbow.again", "shoulder"]);
    assert!(written.part("plain").get(&Semantic::Joints(0)).is_none());
}

#[test]
fn influences_without_a_skin_and_skins_without_influences() {
    let mut scene = waving();
    scene.nodes[0].skin = None;
    let written = write("no-skin", &scene);
    assert_eq!(written.codes(), [("gltf-no-skin", 1)]);
    let mut scene = waving();
    scene.meshes[0].influences = Influences::default();
    let written = write("no-influences", &scene);
    assert!(written.losses.is_empty() && written.node("sleeve").skin().is_none());
}

#[test]
fn five_influences_become_four() {
    let mut scene = waving();
    for i in 2..300 {
        scene.skeletons[0].joints.push(below(0, format!("j{i}")));
    }
    scene.skins = vec![skin_of(&scene.skeletons[0])];
    let weights = [0.2, 0.2, 0.2, 0.2, 0.2, 0.1, 0.2, 0.3, 0.4, 0.0, 0.1, 0.1, 0.2, 0.3, 0.3];
    scene.meshes[0] =
        skinned_triangle("five", 5, &[0, 1, 2, 3, 299, 4, 299, 6, 7, 8, 0, 0, 1, 2, 2], &weights);
    let written = write("five", &scene);
    assert_eq!(written.codes(), [("gltf-influences", 1)]);
    let part = written.part("sleeve");
    let joints = part.get(&Semantic::Joints(0)).unwrap();
    assert_eq!(joints.data_type(), gltf::accessor::DataType::U16);
    let reader = part.reader(|_| Some(&written.bin));
    let joints = reader.read_joints(0).unwrap().into_u16();
    assert!(joints.eq([[0, 1, 2, 3], [4, 299, 6, 7], [0, 1, 2, 0]]));
    assert_eq!(reader.read_weights(0).unwrap().into_f32().next(), Some([0.25; 4]));
}

#[test]
fn skins_with_more_joints_than_16_bit_indices() {
    let count = 70_000;
    let mut skeleton = Skeleton::new("crowd");
    skeleton.joints = (0..count)
        .map(|i| Joint { rest: moved(i as f32, 0.0, 0.0), ..Joint::new(format!("j{i}"), None) })
        .collect();
    let (joints, weights) = ([69_999, 3, 5, 69_998, 0, 1], [0.5, 0.5, 1.0, 0.0, 0.0, 0.0]);
    let mut scene = Scene {
        skins: vec![skin_of(&skeleton)],
        skeletons: vec![skeleton],
        meshes: vec![skinned_triangle("m", 2, &joints, &weights)],
        nodes: vec![node("n", 0, Some(0))],
        ..Scene::default()
    };
    let written = write("crowd", &scene);
    let skin = written.document.skins().next().unwrap();
    assert_eq!(names(skin.joints(), |item| item.name()), ["j3", "j5", "j69999", "crowd.static"]);
    let at_rest: Vec<_> = scene.meshes[0].positions.iter().map(|place| place.to_f64()).collect();
    assert_near(&written.drawn(None, 0.0, "n"), &at_rest);

    let vertices = 66_000;
    scene.meshes[0] = Mesh {
        positions: vec![Vec3::ZERO; vertices],
        influences: Influences {
            per_vertex: 1,
            joints: (0..vertices as u32).collect(),
            weights: vec![1.0; vertices],
        },
        primitives: vec![part(Topology::Points, &[0])],
        ..Mesh::default()
    };
    assert_eq!(
        from_ir(&scene, &FromIr::default()).unwrap_err(),
        FromIrError::TooManyJoints { skin: SkinId::new(0), joints: 66_000 }
    );
}

#[test]
fn up_to_eight_influences_are_two_sets() {
    let mut scene = waving();
    for i in 2..9 {
        scene.skeletons[0].joints.push(below(0, format!("j{i}")));
    }
    scene.skins = vec![skin_of(&scene.skeletons[0])];
    let weights = [0.25, 0.25, 0.125, 0.125, 0.125, 0.125];
    let (joints, weights) = ([0, 1, 2, 3, 4, 5].repeat(3), weights.repeat(3));
    scene.meshes[0] = skinned_triangle("six", 6, &joints, &weights);
    let options = FromIr::default().with_influences(8);
    let written = write_with("six", &scene, &options);
    assert!(written.losses.is_empty());
    let part = written.part("sleeve");
    let reader = part.reader(|_| Some(&written.bin));
    let joints = |set| reader.read_joints(set).unwrap().into_u16().next().unwrap();
    let weights = |set| reader.read_weights(set).unwrap().into_f32().next().unwrap();
    assert_eq!([joints(0), joints(1)], [[0, 1, 2, 3], [4, 5, 0, 0]]);
    assert_eq!([weights(0), weights(1)], [[0.25, 0.25, 0.125, 0.125], [0.125, 0.125, 0.0, 0.0]]);
    // All influences are read back and can be written again unchanged.
    let back = there_and_back(&scene, &options).value;
    let Influences { per_vertex, weights, .. } = back.meshes[0].influences.clone();
    assert_eq!(
        (per_vertex, weights[..6].to_vec()),
        (8, scene.meshes[0].influences.weights[..6].to_vec())
    );
    assert_eq!(there_and_back(&back, &options).value.meshes, back.meshes);
    // Without the option, four are kept, and the message suggests it.
    let four = write("", &scene);
    let messages: Vec<_> = four.losses.iter().map(|loss| loss.message.clone()).collect();
    let expected = "3 vertices of mesh `six` have more than four influences; four are kept, or \
                    up to eight with `--influences 8`";
    assert_eq!(messages, [expected]);
}

#[test]
fn nine_influences_become_eight() {
    let mut scene = waving();
    for i in 2..12 {
        scene.skeletons[0].joints.push(below(0, format!("j{i}")));
    }
    scene.skins = vec![skin_of(&scene.skeletons[0])];
    let joints: Vec<u32> = (0..9).collect::<Vec<_>>().repeat(3);
    scene.meshes[0] = skinned_triangle("nine", 9, &joints, &[1.0 / 9.0; 27]);
    let written = write_with("", &scene, &FromIr::default().with_influences(8));
    let [loss] = written.losses.iter().collect::<Vec<_>>()[..] else { panic!() };
    assert_eq!(
        loss.message,
        "3 vertices of mesh `nine` have more than eight influences; eight are kept"
    );
}

/// A skin may use a joint twice with different matrices. The second node is shared by all skins.
#[test]
fn skins_share_the_nodes_of_repeated_joints() {
    let mut scene = waving();
    let binds = |x: f32| vec![moved(0.0, 0.0, 0.0).to_matrix(), moved(x, 0.0, 0.0).to_matrix()];
    let skin = |x: f32| Skin {
        joints: vec![JointId::new(0); 2],
        inverse_bind: binds(x),
        ..scene.skins[0].clone()
    };
    scene.skins = vec![skin(1.0), skin(2.0)];
    scene.nodes.push(node("other", 0, Some(1)));
    let written = write("", &scene);
    let skins = written.json["skins"].as_array().unwrap();
    assert_eq!((skins.len(), &skins[0]["joints"]), (2, &skins[1]["joints"]));
}

/// Weights are written in blocks; only some of them have changes.
#[test]
fn one_vertex_without_weights_among_many() {
    let mut scene = waving();
    let count = 10_000;
    let (joints, mut weights) = ([0, 1, 0, 0].repeat(count), [0.75, 0.25, 0.0, 0.0].repeat(count));
    weights[4 * (count - 1)..].fill(0.0);
    let mesh = &mut scene.meshes[0];
    mesh.positions = vec![Vec3::ONE; count];
    mesh.influences = Influences { per_vertex: 4, joints, weights };
    let written = write("", &scene);
    let part = written.part("sleeve");
    let reader = part.reader(|_| Some(&written.bin));
    let weights: Vec<[f32; 4]> = reader.read_weights(0).unwrap().into_f32().collect();
    let (last, others) = weights.split_last().unwrap();
    assert!(others.iter().all(|weights| *weights == [0.75, 0.25, 0.0, 0.0]));
    assert_eq!(*last, [1.0, 0.0, 0.0, 0.0], "bound to a node at rest");
}
