//! Skins and humanoids, compared with values computed by hand.

use anim_ir::{Converted, Limits, Scene};
use model_x3d::{Document, ToIr, codes, to_ir};

use crate::frames::{assert_near, seen_at};
use crate::sensors::made;

fn said(made: &Converted<Scene>) -> Vec<(&'static str, &str)> {
    made.losses.iter().map(|found| (found.code.id, found.message.as_str())).collect()
}

/// A humanoid whose knee, at (0, 1, 0), makes a quarter turn about the z axis. It moves the second
/// point of this skin.
fn humanoid(skin: &str, knee: &str) -> String {
    format!(
        "HAnimHumanoid {{
           skinCoord DEF Points Coordinate {{ point [ 0 0 0, 1 0 0, 0 1 0 ] }}
           skin [ {skin} ]
           skeleton DEF Knee HAnimJoint {{ center 0 1 0 {knee} }}
           joints [ USE Knee ]
         }}
         DEF Clock TimeSensor {{ }}
         DEF Turn OrientationInterpolator {{ key [ 0 1 ] keyValue [ 0 0 1 0, 0 0 1 1.5707964 ] }}
         ROUTE Clock.fraction_changed TO Turn.set_fraction
         ROUTE Turn.value_changed TO Knee.rotation"
    )
}

const KNEE: &str = "skinCoordIndex 1 skinCoordWeight 1";
const SHAPE: &str =
    "Shape { geometry IndexedFaceSet { coordIndex [ 0 1 2 -1 ] coord USE Points } }";
/// The points of the humanoid after its turn.
const BENT: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 1.0, 0.0]];

#[test]
fn joints_bend_the_shapes_in_groups_of_a_skin() {
    let skin = format!(
        "Group {{ children {SHAPE} }} {SHAPE} Switch {{ whichChoice 0 children {SHAPE} }}
         Transform {{ children {SHAPE} }}"
    );
    let made = made(&humanoid(&skin, KNEE));
    assert_eq!(said(&made), []);
    assert_near(&seen_at(&made.value, 0, 1.0), &[BENT; 4].concat());
}

/// The joints of the skeleton move the skin, whether or not the humanoid lists them.
#[test]
fn joints_that_a_humanoid_does_not_list_bend_its_skin() {
    let listed = humanoid(SHAPE, KNEE);
    let made = made(&listed.replace("joints [ USE Knee ]", "joints HAnimJoint { name \"hip\" }"));
    assert_eq!(
        said(&made),
        [
            ("x3d-humanoid", "HAnimJoint is not part of the skeleton of HAnimHumanoid"),
            ("x3d-humanoid", "missing from the `joints` of HAnimHumanoid: 1 joint with weights"),
        ]
    );
    assert_near(&seen_at(&made.value, 0, 1.0), &BENT);
}

/// The weights are those of the points of `skinCoord`.
#[test]
fn a_shape_with_points_of_its_own_is_attached_to_the_humanoid() {
    let hat = "Shape { geometry IndexedFaceSet { coordIndex [ 0 1 2 -1 ]
        coord Coordinate { point [ 5 0 0, 6 0 0, 5 1 0 ] } } }";
    let skin = format!("{SHAPE} {hat}");
    let text = humanoid(&skin, KNEE);
    let made = made(&text.replace("HAnimHumanoid {", "HAnimHumanoid { translation 0 0 3"));
    assert_eq!(said(&made), []);
    let moved = |[x, y, z]: [f32; 3]| [x, y, z + 3.0];
    let hat = [[5.0, 0.0, 3.0], [6.0, 0.0, 3.0], [5.0, 1.0, 3.0]];
    assert_near(&seen_at(&made.value, 0, 1.0), &[BENT.map(moved), hat].concat());
}

#[test]
fn a_bind_pose_is_reported() {
    let made_with = |fields: &str| {
        let text = humanoid(SHAPE, KNEE);
        made(&text.replace("HAnimHumanoid {", &format!("HAnimHumanoid {{ {fields}")))
    };
    let neutral = "jointBindingPositions 0 0 0 jointBindingRotations 1 0 0 0
        jointBindingScales 1 1 1";
    assert_eq!(said(&made_with(neutral)), []);
    let turned = "jointBindingPositions 0 0 0 jointBindingRotations 0 0 1 1.57
        jointBindingScales 2 1 1";
    let message =
        "the bind pose of HAnimHumanoid (jointBindingRotations, jointBindingScales) is ignored";
    assert_eq!(said(&made_with(turned)), [("x3d-bind-pose", message)]);
}

#[test]
fn more_than_eight_joints_at_a_point_are_reported() {
    let joints = |count: usize| {
        let joint = |n: usize| {
            format!("HAnimJoint {{ translation {n} 0 0 skinCoordIndex 1 skinCoordWeight 0.1 }} ")
        };
        let all: String = (0..count).map(joint).collect();
        let text = humanoid(SHAPE, "");
        let text = text.replace("skeleton DEF", &format!("skeleton [ {all} DEF"));
        made(&text.replace("joints [", "] joints ["))
    };
    let found = |count: usize| joints(count).losses.count(&codes::INFLUENCES);
    assert_eq!([8, 9].map(found), [0, 1]);
    let made = joints(10);
    let message =
        "more than 8 joints move 1 point of HAnimHumanoid; the largest 8 weights are kept";
    assert!(said(&made).contains(&("x3d-influences", message)), "{:?}", said(&made));
}

/// A skin places its shapes by itself. What is moved among them keeps its place, but is not bent.
#[test]
fn joints_do_not_bend_the_shapes_in_transforms_of_a_skin() {
    let skin =
        format!("DEF Far Transform {{ translation 5 0 0 children Group {{ children {SHAPE} }} }}");
    let large = format!("Transform {{ scale 2 2 2 children {SHAPE} }}");
    let made = made(&humanoid(&format!("{skin} {SHAPE} {large}"), KNEE));
    assert_eq!(
        said(&made),
        [
            ("x3d-not-animated", "joints do not bend the shapes in Transform `Far` of a skin"),
            ("x3d-not-animated", "joints do not bend the shapes in Transform of a skin")
        ]
    );
    let still = [[5.0, 0.0, 0.0], [6.0, 0.0, 0.0], [5.0, 1.0, 0.0]];
    let large = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
    assert_near(&seen_at(&made.value, 0, 1.0), &[still, BENT, large].concat());
}

/// A humanoid among the shapes of a skin has its own skeleton, which nothing bends.
#[test]
fn a_skeleton_inside_a_skin_is_not_bent_by_it() {
    let inner =
        "HAnimHumanoid { skeleton HAnimJoint { children HAnimSegment { children SHAPE } } }";
    let made = made(&humanoid(&inner.replace("SHAPE", SHAPE), KNEE));
    assert_eq!(said(&made), []);
    let still = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    assert_near(&seen_at(&made.value, 0, 1.0), &still);
}

#[test]
fn points_that_a_humanoid_does_not_have_are_reported() {
    let made = made(&humanoid(SHAPE, "skinCoordIndex [ 1 3 -1 ] skinCoordWeight [ 1 1 1 ]"));
    let message = "point 3 in skinCoordIndex of a skin with 3 points";
    assert_eq!(said(&made), [("x3d-index", message)]);
    assert_near(&seen_at(&made.value, 0, 1.0), &BENT);
}

#[test]
fn joints_outside_the_skeleton_of_a_skin_do_not_move() {
    let made = made(
        "Skin {
           shapes Shape { geometry IndexedFaceSet {
             coordIndex [ 0 1 2 -1 ] coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0 ] }
             skinJoints0 [ 0 -1 -1 -1, 1 -1 9 -1, 0 0 0 0 ]
             skinWeights0 [ 1 0 0 0, 1 0 0 0, 1 0 0 0 ]
           } }
           skeleton DEF Root Transform { }
           joints [ USE Root DEF Stray Transform { translation 0 0 7 } ]
         }
         DEF Clock TimeSensor { }
         DEF Path PositionInterpolator { key [ 0 1 ] keyValue [ 0 0 0, 0 0 4 ] }
         ROUTE Clock.fraction_changed TO Path.set_fraction
         ROUTE Path.value_changed TO Root.translation",
    );
    // Joints without a weight need not exist.
    assert_eq!(said(&made), [("x3d-skin", "a joint of this Skin is not part of its skeleton")]);
    let [a, b, c] = seen_at(&made.value, 0, 1.0)[..] else { panic!() };
    assert_near(&[a, c], &[[0.0, 0.0, 4.0], [0.0, 1.0, 4.0]]);
    assert_near(&[b], &[[1.0, 0.0, 0.0]]);
}

/// The memory for weights grows with the number of joints that move a point.
#[test]
fn the_weights_of_skins_are_limited() {
    let points = "0 0 0, ".repeat(1000);
    let text = format!(
        "#X3D V3.3 utf8\nHAnimHumanoid {{
           skinCoord DEF Points Coordinate {{ point [ {points} ] }}
           skin Shape {{ geometry PointSet {{ coord USE Points }} }}
           skeleton DEF Hip HAnimJoint {{ skinCoordIndex {} skinCoordWeight {} }} joints USE Hip
         }}",
        format_args!("[ {} ]", "1 ".repeat(8)),
        format_args!("[ {} ]", "1 ".repeat(8))
    );
    let document = Document::parse(text.as_bytes()).unwrap().value;
    let read = |memory| {
        let limits = Limits { memory: Some(memory), ..Limits::default() };
        to_ir(&document, &ToIr::default().with_limits(limits))
    };
    let few = read(100_000);
    assert!(few.value.nodes.is_empty());
    let [(code, message)] = said(&few)[..] else { panic!("{:?}", said(&few)) };
    assert_eq!(code, "x3d-expansion");
    assert!(message.contains("the weights of a skin"), "{message}");
    assert_eq!((said(&read(2_000_000)), read(2_000_000).value.nodes.len()), (vec![], 1));
}
