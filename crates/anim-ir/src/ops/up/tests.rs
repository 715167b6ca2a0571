use super::*;
use crate::{Joint, Primitive};

/// Returns a scene whose file does not state its up axis.
fn unstated() -> Scene {
    Scene { up: StatedUp::Nowhere, ..Scene::default() }
}

/// Returns a scene with root joints at the given positions.
fn with_joints(joints: &[(&str, [f32; 3])]) -> Scene {
    let mut skeleton = Skeleton::new("rig");
    for (name, place) in joints {
        let mut joint = Joint::new(*name, None);
        joint.rest.translation = (*place).into();
        skeleton.add_joint(joint);
    }
    Scene { skeletons: vec![skeleton], ..unstated() }
}

fn with_box(min: [f32; 3], max: [f32; 3]) -> Scene {
    let positions = vec![min.into(), max.into()];
    let mut scene = unstated();
    let parts = vec![Primitive { indices: vec![0, 1, 1], ..Primitive::default() }];
    let mesh = scene.add_mesh(Mesh { positions, primitives: parts, ..Mesh::default() });
    scene.add_node(Node { mesh: Some(mesh), ..Node::default() });
    scene
}

fn verdict(scene: &Scene) -> (UpAxis, UpEvidence) {
    let UpGuess { axis, evidence, .. } = scene.guess_up();
    (axis, evidence)
}

#[test]
fn the_format_and_the_dialect_take_precedence() {
    let standing = with_joints(&[("Head", [0.0, 0.0, 1.7]), ("LeftFoot", [0.1, 0.0, 0.0])]);
    let by_format = Scene { up: StatedUp::ByFormat, ..standing.clone() };
    assert_eq!(verdict(&by_format), (UpAxis::Y, UpEvidence::Format));
    let down = Scene { axes: Axes::YDown, ..standing };
    assert_eq!(verdict(&down), (UpAxis::MinusY, UpEvidence::Format));
    let dialect = Scene { up: StatedUp::Z("said"), ..Scene::default() };
    assert_eq!(dialect.guess_up().reason, "said");
    assert_eq!(verdict(&dialect), (UpAxis::Z, UpEvidence::Dialect));
    assert_eq!(verdict(&unstated()), (UpAxis::Y, UpEvidence::Nothing));
}

#[test]
fn the_up_axis_is_guessed_from_joint_names() {
    for (high, low) in [
        ("Head", "LeftToeBase"),
        ("mixamorig:Spine2", "mixamorig:RightFoot"),
        ("spine.006", "heel.02.L"),
        ("Bip01 Neck", "Bip01 L Calf"),
        ("LShoulder", "LFoot"),
    ] {
        let z = with_joints(&[("root", [0.0; 3]), (high, [0.1, 0.2, 1.7]), (low, [0.1, 0.1, 0.0])]);
        assert_eq!(verdict(&z), (UpAxis::Z, UpEvidence::Bones), "{high} {low}");
        let y = with_joints(&[("root", [0.0; 3]), (high, [0.1, 1.7, 0.2]), (low, [0.1, 0.0, 0.1])]);
        assert_eq!(verdict(&y), (UpAxis::Y, UpEvidence::Bones), "{high} {low}");
    }
    // There is no evidence if the head is not clearly above the feet along y or z (lying on its
    // side, upside down, tilted), or if the names only contain the words as a substring.
    for (high, low, place) in [
        ("head", "foot", [1.7, 0.0, 0.0]),
        ("head", "foot", [0.0, 0.0, -1.7]),
        ("head", "foot", [0.0, 1.0, 1.0]),
        ("overhead", "wheel", [0.0, 0.0, 1.7]),
    ] {
        let scene = with_joints(&[(high, place), (low, [0.0; 3])]);
        assert_eq!(verdict(&scene), (UpAxis::Y, UpEvidence::Nothing), "{high} {low} {place:?}");
    }
}

#[test]
fn a_head_in_front_of_four_legs_is_not_above_them() {
    let dog = |up: fn(f32, f32) -> [f32; 3]| {
        let high = [("Head", up(1.2, 1.0)), ("Neck", up(0.9, 0.8)), ("Spine", up(0.6, 0.7))];
        let feet = ["LeftForeFoot", "RightForeFoot", "LeftHindFoot", "RightHindFoot"];
        let feet = feet.into_iter().zip([0.5, 0.5, -0.5, -0.5].map(|ahead| up(ahead, 0.4)));
        with_joints(&high.into_iter().chain(feet).collect::<Vec<_>>())
    };
    let nothing = (UpAxis::Y, UpEvidence::Nothing);
    assert_eq!(verdict(&dog(|ahead, up| [0.0, up, ahead])), nothing);
    assert_eq!(verdict(&dog(|ahead, up| [0.0, ahead, up])), nothing);
}

#[test]
fn the_up_axis_is_guessed_from_shapes_on_the_ground() {
    let z = (UpAxis::Z, UpEvidence::Bounds);
    assert_eq!(verdict(&with_box([-1.0, -0.2, 0.0], [1.0, 0.2, 2.0])), z);
    assert_eq!(verdict(&with_box([-5.0, -3.0, 0.0], [5.0, 3.0, 2.0])), z);
    let y = (UpAxis::Y, UpEvidence::Bounds);
    assert_eq!(verdict(&with_box([-1.0, 0.0, -4.6], [1.0, 9.9, 4.6])), y);
    let nothing = (UpAxis::Y, UpEvidence::Nothing);
    assert_eq!(verdict(&with_box([-1.0; 3], [1.0; 3])), nothing);
    assert_eq!(verdict(&with_box([0.0; 3], [1.0; 3])), nothing);
    assert!(!UpEvidence::Bounds.decides() && UpEvidence::Bones.decides());
}

#[test]
fn rest_bounds_enclose_all_meshes() {
    let mut scene = with_box([0.0; 3], [1.0, 2.0, 3.0]);
    let mut moved = scene.nodes[0].clone();
    moved.transform.translation = Vec3::new(10.0, 0.0, 0.0);
    scene.add_node(moved);
    let bounds = scene.rest_bounds().unwrap();
    assert_eq!((bounds.min, bounds.max), ([0.0; 3], [11.0, 2.0, 3.0]));
    assert_eq!(bounds.size(), [11.0, 2.0, 3.0]);
    let joints = with_joints(&[("a", [1.0, 0.0, 0.0]), ("b", [3.0, 5.0, 0.0])]);
    assert_eq!(joints.rest_bounds().unwrap().size(), [2.0, 5.0, 0.0]);
    assert_eq!(unstated().rest_bounds(), None);
}
