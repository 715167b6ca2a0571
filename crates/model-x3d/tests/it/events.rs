//! Routes, interpolators and filters in combinations that few files have.

use anim_ir::{Channel, Converted, Limits, Scene};
use model_x3d::{Document, ToIr, codes, to_ir};

use crate::frames::{assert_near, seen_at};
use crate::sensors::{made, times};

fn said(made: &Converted<Scene>) -> Vec<(&'static str, &str)> {
    made.losses.iter().map(|found| (found.code.id, found.message.as_str())).collect()
}

const TRIANGLE: &str = "Shape { geometry IndexedFaceSet { coordIndex [ 0 1 2 ]
    coord Coordinate { point [ 1 0 0 0 0 0 0 0 1 ] } } }";

/// Returns the x coordinate of the first point after half of the cycle.
fn middle(made: &Converted<Scene>) -> f32 {
    seen_at(&made.value, 0, 0.5)[0].x
}

/// A triangle that an interpolator of points moves up, with its normals.
fn waving(normals: &str) -> String {
    format!(
        "Shape {{ geometry IndexedFaceSet {{ coordIndex [ 0 1 2 ] normalPerVertex TRUE
           coord DEF Points Coordinate {{ point [ 0 0 0 1 0 0 0 1 0 ] }}
           normal DEF Normals Normal {{ vector [ 0 0 1 0 0 1 0 0 1 ] }} }} }}
         DEF Clock TimeSensor {{ }}
         DEF Wave CoordinateInterpolator {{ key [ 0 1 ]
           keyValue [ 0 0 0 1 0 0 0 1 0, 0 0 0 1 0 0 0 1 4 ] }}
         DEF Tilt NormalInterpolator {{ {normals} }}
         ROUTE Clock.fraction_changed TO Wave.set_fraction
         ROUTE Clock.fraction_changed TO Tilt.set_fraction
         ROUTE Wave.value_changed TO Points.point ROUTE Tilt.value_changed TO Normals.vector"
    )
}

/// Shapes have points and normals at the same times.
#[test]
fn normals_at_other_times_than_the_points_keep_their_initial_value() {
    let turned = "keyValue [ 0 0 1 0 0 1 0 0 1, 1 0 0 1 0 0 1 0 0 ]";
    let both = made(&waving(&format!("key [ 0 1 ] {turned}")));
    assert_eq!(said(&both), []);
    let targets = |made: &Converted<Scene>| {
        let changes = made.value.meshes[0].morph_targets.iter();
        changes.map(|target| target.normals.len()).collect::<Vec<_>>()
    };
    assert_eq!(targets(&both), [3]);
    let points = made(&waving(&format!("key [ 0 0.5 ] {turned}")));
    assert_eq!(
        said(&points),
        [(
            "x3d-not-animated",
            "vector of Normal `Normals` keeps its initial value, although TimeSensor `Clock` \
             animates it: it does not animate the points at the same times"
        )]
    );
    assert_near(&seen_at(&points.value, 0, 0.5)[2..], &[[0.0, 1.0, 2.0]]);
}

#[test]
fn points_follow_a_fraction_between_their_keys() {
    let made = made(
        "Shape { geometry IndexedFaceSet { coordIndex [ 0 1 2 ]
           coord DEF Points Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } } }
         DEF Clock TimeSensor { }
         DEF Pace ScalarInterpolator { key [ 0 0.25 0.5 0.75 1 ] keyValue [ 0.1 0.3 0.6 0.8 0.9 ] }
         DEF Wave CoordinateInterpolator { key [ 0 1 ]
           keyValue [ 0 0 0 1 0 0 0 1 0, 0 0 0 1 0 0 0 1 4 ] }
         ROUTE Clock.fraction_changed TO Pace.set_fraction
         ROUTE Pace.value_changed TO Wave.set_fraction
         ROUTE Wave.value_changed TO Points.point",
    );
    assert_eq!(said(&made), []);
    for (time, part) in [(0.0, 0.1), (0.125, 0.2), (0.5, 0.6), (0.875, 0.85), (1.0, 0.9)] {
        assert_near(&seen_at(&made.value, 0, time)[2..], &[[0.0, 1.0, 4.0 * part]]);
    }
}

/// Normals that an interpolator sets for the second time are charged, like points.
#[test]
fn reused_normals_are_limited() {
    let keys: Vec<String> = (0..200).map(|n| format!("{}", n as f32 / 199.0)).collect();
    let lists =
        |list: &str| format!("key [ {} ] keyValue [ {} ]", keys.join(" "), list.repeat(200));
    let mut text = String::from("#X3D V3.3 utf8\nDEF Clock TimeSensor { }\n");
    text += &format!("DEF Tilt NormalInterpolator {{ {} }}\n", lists("0 0 1 0 0 1 0 0 1 "));
    text += "ROUTE Clock.fraction_changed TO Tilt.set_fraction\n";
    for n in 0..20 {
        text += &format!(
            "Shape {{ geometry IndexedFaceSet {{ coordIndex [ 0 1 2 ]
               coord DEF P{n} Coordinate {{ point [ 0 0 0 1 0 0 0 1 {n} ] }}
               normal DEF N{n} Normal {{ vector [ 0 0 1 0 0 1 0 0 1 ] }} }} }}
             DEF Wave{n} CoordinateInterpolator {{ {} }}
             ROUTE Clock.fraction_changed TO Wave{n}.set_fraction
             ROUTE Wave{n}.value_changed TO P{n}.point ROUTE Tilt.value_changed TO N{n}.vector\n",
            lists("0 0 0 1 0 0 0 1 0 ")
        );
    }
    let document = Document::parse(text.as_bytes()).unwrap().value;
    let mut found = Vec::new();
    for memory in (0..60).map(|step| 20_000 + step * 20_000) {
        let limits = Limits { memory: Some(memory), ..Limits::default() };
        let made = to_ir(&document, &ToIr::default().with_limits(limits));
        let normals = made.losses.iter().filter(|loss| {
            loss.code == &codes::EXPANSION && loss.message.starts_with("the poses of reused points")
        });
        found.extend(normals.map(|loss| &text[loss.span.unwrap().start..][..6]));
    }
    assert!(!found.is_empty() && found.iter().all(|node| *node == "Normal"), "{found:?}");
}

/// Only routes that set a field to different values at the same time contradict each other.
#[test]
fn triggers_that_send_the_same_value_do_not_contradict() {
    let chosen = |second: &str| {
        made(&format!(
            "DEF S Switch {{ whichChoice 0 children [ {TRIANGLE} Shape {{ geometry Box {{ }} }} ] }}
             DEF Clock TimeSensor {{ }} DEF A IntegerTrigger {{ integerKey 1 }}
             DEF B {second}
             ROUTE Clock.isActive TO A.set_boolean ROUTE A.triggerValue TO S.set_whichChoice"
        ))
    };
    let same = chosen(
        "IntegerTrigger { integerKey 1 }
         ROUTE Clock.isActive TO B.set_boolean ROUTE B.triggerValue TO S.set_whichChoice",
    );
    assert_eq!(said(&same), []);
    assert_eq!(seen_at(&same.value, 0, 0.5).len(), 24);
    let other = chosen(
        "IntegerSequencer { key [ 0 0.5 ] keyValue [ 0 1 ] }
         ROUTE Clock.fraction_changed TO B.set_fraction
         ROUTE B.value_changed TO S.set_whichChoice",
    );
    assert_eq!(other.losses.count(&codes::ROUTE_FAN_IN), 1, "{:?}", said(&other));
}

#[test]
fn events_that_are_not_fields_are_lost() {
    let made = made(
        "DEF View Viewpoint { } DEF Clock TimeSensor { }
         ROUTE Clock.isActive TO View.set_bind",
    );
    let expected = "set_bind of Viewpoint `View` keeps its initial value, although TimeSensor \
                    `Clock` animates it";
    assert!(said(&made).contains(&("x3d-not-animated", expected)), "{:?}", said(&made));
}

/// T · C · -C is T, whatever the keys of the center are.
#[test]
fn a_spline_and_a_center_with_other_keys_add_up() {
    let spline = |center: &str| {
        made(&format!(
            "DEF Place Transform {{ children {TRIANGLE} }} DEF Clock TimeSensor {{ }}
             DEF Path SplinePositionInterpolator {{ key [ 0 0.5 1 ]
               keyValue [ 0 0 0, 4 1 0, 0 2 0 ] keyVelocity [ 0 0 0, 1 1 1, 0 0 0 ] }}
             DEF Center PositionInterpolator {{ key [ 0 0.3 1 ] keyValue [ 0 0 0, 5 0 0, 1 0 0 ] }}
             ROUTE Clock.fraction_changed TO Path.set_fraction
             ROUTE Path.value_changed TO Place.translation
             ROUTE Clock.fraction_changed TO Center.set_fraction {center}"
        ))
    };
    let both = spline("ROUTE Center.value_changed TO Place.center");
    let (alone, both) = (spline("").value, both.value);
    for time in [0.0, 0.1, 0.25, 0.3, 0.45, 0.5, 0.7, 1.0] {
        let expected: Vec<[f32; 3]> =
            seen_at(&alone, 0, time).iter().map(|point| point.to_array()).collect();
        assert_near(&seen_at(&both, 0, time), &expected);
    }
}

/// A rotation about an axis of length zero is none.
#[test]
fn rotations_without_an_axis_do_not_turn() {
    let turned = |values: &str| {
        made(&format!(
            "DEF Place Transform {{ children {TRIANGLE} }} DEF Clock TimeSensor {{ }}
             DEF Turn OrientationInterpolator {{ key [ 0 1 ] keyValue [ {values} ] }}
             ROUTE Clock.fraction_changed TO Turn.set_fraction
             ROUTE Turn.value_changed TO Place.rotation"
        ))
    };
    let near = |made: &Converted<Scene>, angle: f32| {
        let x = middle(made);
        assert!((x - angle.cos()).abs() < 1e-5, "{x} at {angle}");
    };
    near(&turned("0 0 1 2, 0 0 0 1"), 1.0);
    near(&turned("0 0 0 1, 0 0 1 2"), 1.0);
    near(&turned("0 0 0 1, 0 0 0 2"), 0.0);
}

/// With one key, the fraction is that of the start.
#[test]
fn an_ease_with_one_key_stays_at_the_start() {
    let made = made(&format!(
        "DEF Place Transform {{ children {TRIANGLE} }} DEF Clock TimeSensor {{ }}
         DEF Ease EaseInEaseOut {{ key 0 easeInEaseOut [ 0 0 ] }}
         DEF Path PositionInterpolator {{ key [ 0 1 ] keyValue [ 3 0 0, 9 0 0 ] }}
         ROUTE Clock.fraction_changed TO Ease.set_fraction
         ROUTE Ease.modifiedFraction_changed TO Path.set_fraction
         ROUTE Path.value_changed TO Place.translation"
    ));
    assert_eq!((said(&made), middle(&made)), (vec![], 4.0));
    assert!(times(&made.value, 0, Channel::Translation).len() <= 2);
}

#[test]
fn exports_of_skipped_nodes_are_reported() {
    let made = made("DEF Odd Sparkle { } EXPORT Odd");
    let message = "routes of `Odd` are ignored, since the node is skipped";
    assert!(said(&made).contains(&("x3d-route", message)), "{:?}", said(&made));
}

/// No interpolator sends matrices, so what they place stays there.
#[test]
fn a_matrix_beside_what_moves_stays() {
    let made = made(&format!(
        "MatrixTransform {{ matrix 1 0 0 0 0 1 0 0 0 0 1 0 5 0 0 1 children {TRIANGLE} }}
         DEF Place Transform {{ children {TRIANGLE} }} DEF Clock TimeSensor {{ }}
         DEF Path PositionInterpolator {{ key [ 0 1 ] keyValue [ 0 0 0, 4 0 0 ] }}
         ROUTE Clock.fraction_changed TO Path.set_fraction
         ROUTE Path.value_changed TO Place.translation"
    ));
    assert_eq!(said(&made), []);
    let found = seen_at(&made.value, 0, 0.5);
    assert_near(&[found[0], found[3]], &[[6.0, 0.0, 0.0], [3.0, 0.0, 0.0]]);
}

/// A filter sends one event or another, never both at the same time (ISO/IEC 19775-1, 30.4.1).
#[test]
fn triggers_after_a_filter_take_turns() {
    // The numbers of corners from 0.5 s to 3.5 s: 3 for the triangle, 24 for the box.
    let shown = |initial: i32, values: &str, routes: &str| {
        let made = made(&format!(
            "DEF S Switch {{ whichChoice {initial}
               children [ {TRIANGLE} Shape {{ geometry Box {{ }} }} ] }}
             DEF Clock TimeSensor {{ cycleInterval 4 }}
             DEF Blink BooleanSequencer {{ key [ 0 0.25 0.75 ] keyValue [ {values} ] }}
             DEF Either BooleanFilter {{ }} DEF A IntegerTrigger {{ integerKey 0 }}
             DEF B IntegerTrigger {{ integerKey 1 }} DEF None IntegerTrigger {{ }}
             ROUTE Clock.fraction_changed TO Blink.set_fraction
             ROUTE Blink.value_changed TO Either.set_boolean {routes}"
        ));
        // Some triggers are not used.
        assert!(said(&made).iter().all(|(code, _)| *code == "x3d-dropped"), "{:?}", said(&made));
        [0.5, 1.5, 2.5, 3.5].map(|time| seen_at(&made.value, 0, time).len())
    };
    let a = "ROUTE Either.inputTrue TO A.set_boolean ROUTE A.triggerValue TO S.whichChoice";
    let b = "ROUTE Either.inputTrue TO B.set_boolean ROUTE B.triggerValue TO S.whichChoice";
    let none = "ROUTE Either.inputFalse TO None.set_boolean
        ROUTE None.triggerValue TO S.whichChoice";
    assert_eq!(shown(-1, "FALSE TRUE FALSE", &format!("{a} {none}")), [0, 3, 3, 0]);
    assert_eq!(shown(-1, "FALSE TRUE FALSE", &format!("{none} {a}")), [0, 3, 3, 0]);
    assert_eq!(shown(0, "TRUE FALSE TRUE", &format!("{none} {b}")), [24, 0, 0, 24]);
    // Nothing follows from the other event.
    assert_eq!(shown(-1, "FALSE TRUE FALSE", a), [0, 3, 3, 3]);
    assert_eq!(shown(0, "FALSE TRUE TRUE", b), [3, 24, 24, 24]);
    // Any event triggers.
    let any = "ROUTE Blink.value_changed TO B.set_boolean ROUTE B.triggerValue TO S.whichChoice";
    assert_eq!(shown(0, "FALSE TRUE FALSE", any), [24; 4]);
    let negated = "ROUTE Either.inputNegate TO Again.set_boolean DEF Again BooleanFilter { }
        ROUTE Again.inputTrue TO A.set_boolean ROUTE A.triggerValue TO S.whichChoice
        ROUTE Again.inputFalse TO B.set_boolean ROUTE B.triggerValue TO S.whichChoice";
    assert_eq!(shown(-1, "FALSE TRUE FALSE", negated), [3, 24, 24, 3]);
}

/// Two triggers after the same event contradict each other.
#[test]
fn triggers_after_the_same_event_contradict() {
    let made = made(&format!(
        "DEF S Switch {{ children [ {TRIANGLE} Shape {{ geometry Box {{ }} }} ] }}
         DEF Clock TimeSensor {{ }}
         DEF Blink BooleanSequencer {{ key [ 0 0.5 ] keyValue [ FALSE TRUE ] }}
         DEF Either BooleanFilter {{ }} DEF A IntegerTrigger {{ integerKey 0 }}
         DEF B IntegerTrigger {{ integerKey 1 }}
         ROUTE Clock.fraction_changed TO Blink.set_fraction
         ROUTE Blink.value_changed TO Either.set_boolean
         ROUTE Either.inputTrue TO A.set_boolean ROUTE Either.inputTrue TO B.set_boolean
         ROUTE A.triggerValue TO S.whichChoice ROUTE B.triggerValue TO S.whichChoice"
    ));
    assert_eq!(made.losses.count(&codes::ROUTE_FAN_IN), 1, "{:?}", said(&made));
    assert_eq!(seen_at(&made.value, 0, 0.75).len(), 24);
}
