//! Scenes of other formats as frames.

use std::sync::Arc;

use anim_ir::{
    Budget, Camera, Influences, Joint, JointRef, Limits, Mat4, Mesh, Node, Quat, Scene, Skeleton,
    Skin, Span, Transform, Vec3,
};
use model_x3d::{Graph, ToIr};

use crate::frames::{assert_near, make, of_graphs, seen_at};
use crate::written::triangle;

fn graph(scene: &Scene) -> Arc<Graph> {
    let budget = Budget::new(&Limits::default(), 1 << 20);
    Arc::new(Graph::of_scene(scene, ("glTF", Span::default()), &budget).unwrap())
}

fn shown(scene: &Scene) -> Scene {
    make(vec![of_graphs("", std::iter::once(graph(scene)))], &ToIr::default()).value
}

/// Returns a scene with a triangle on a joint.
fn on(joint: Joint) -> Scene {
    let mut skeleton = Skeleton::new("");
    let joint = skeleton.add_joint(joint);
    let mut scene = Scene::default();
    let skeleton = scene.add_skeleton(skeleton);
    let mesh = scene.add_mesh(triangle());
    let parent = Some(JointRef { skeleton, joint });
    scene.add_node(Node { parent, mesh: Some(mesh), ..Node::default() });
    scene
}

#[test]
fn matrices_that_are_more_than_their_parts_are_kept() {
    let columns =
        [[1.0, 0.5, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [3.0, 0.0, 0.0, 1.0]];
    let exact = Mat4::from_columns(columns.concat().try_into().unwrap());
    let sheared = Joint { exact_rest: Some(exact), ..Joint::new("sheared", None) };
    let corners = [[3.0, 0.0, 0.0], [4.0, 0.5, 0.0], [3.0, 2.0, 0.0]];
    assert_near(&seen_at(&shown(&on(sheared)), 0, 0.0), &corners);
}

#[test]
fn joints_hide_what_they_carry() {
    let hidden = Joint { visible: false, ..Joint::new("hidden", None) };
    assert_near(&seen_at(&shown(&on(hidden)), 0, 0.0), &[]);
}

/// The transforms of nodes are applied, and cameras are skipped with a note.
#[test]
fn nodes_are_placed_and_cameras_are_reported() {
    let mut scene = on(Joint::new("", None));
    let camera = scene.add_camera(Camera::default());
    scene.nodes[0].camera = Some(camera);
    scene.nodes[0].transform = Transform {
        translation: Vec3::new(0.0, 5.0, 0.0),
        rotation: Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), std::f64::consts::PI),
        scale: Vec3::ONE,
    };
    let made = make(vec![of_graphs("", std::iter::once(graph(&scene)))], &ToIr::default());
    let corners = [[0.0, 5.0, 0.0], [-1.0, 5.0, 0.0], [0.0, 4.0, 0.0]];
    assert_near(&seen_at(&made.value, 0, 0.0), &corners);
    let said: Vec<_> = made.losses.iter().map(|it| (it.code.id, it.message.as_str())).collect();
    assert_eq!(said, [("x3d-surroundings", "skipped, not part of the model: Viewpoint")]);
}

/// Meshes that skins bend have vertices of their own, also if two nodes share them.
#[test]
fn skins_bend_shared_meshes_at_rest() {
    let mut scene = on(Joint {
        rest: Transform { translation: Vec3::new(0.0, 0.0, 2.0), ..Transform::IDENTITY },
        ..Joint::new("", None)
    });
    let at = scene.nodes[0].parent.unwrap();
    scene.meshes[0].influences =
        Influences { per_vertex: 1, joints: vec![0; 3], weights: vec![1.0; 3] };
    let moved = Transform { translation: Vec3::new(7.0, 0.0, 0.0), ..Transform::IDENTITY };
    for bind in [Transform::IDENTITY, moved] {
        let skin = Skin {
            skeleton: at.skeleton,
            joints: vec![at.joint],
            inverse_bind: vec![bind.to_matrix()],
        };
        let skin = Some(scene.add_skin(skin));
        let mesh = scene.nodes[0].mesh;
        scene.add_node(Node { mesh, skin, ..Node::default() });
    }
    scene.nodes.remove(0);
    let found = seen_at(&shown(&scene), 0, 0.0);
    assert_near(&[found[0], found[3]], &[[0.0, 0.0, 2.0], [7.0, 0.0, 2.0]]);
}

#[test]
fn vertices_are_limited() {
    let mut scene = on(Joint::new("", None));
    scene.meshes[0] = Mesh { positions: vec![Vec3::ZERO; 10_000], ..scene.meshes[0].clone() };
    let limits = Limits { memory: Some(10_000), ..Limits::default() };
    let error = Graph::of_scene(&scene, ("glTF", Span::default()), &Budget::new(&limits, 0));
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("models in frames need"), "{error}");
}
