//! Interpolators with curves, compared with values computed by hand.

use anim_ir::{Channel, Interpolation, Scene};
use model_x3d::codes;

use crate::frames::seen_at;
use crate::sensors::{fixture, made, times};

/// A triangle that a spline moves, without the spline's fields.
fn moved(fields: &str) -> Scene {
    let made = made(&format!(
        "DEF T Transform {{ children Shape {{ geometry IndexedFaceSet {{
          coord Coordinate {{ point [ 0 0 0, 1 0 0, 0 1 0 ] }} coordIndex [ 0 1 2 -1 ] }} }} }}
        DEF C TimeSensor {{ }}
        DEF P SplinePositionInterpolator {{ {fields} }}
        ROUTE C.fraction_changed TO P.set_fraction ROUTE P.value_changed TO T.translation"
    ));
    assert!(made.losses.is_empty(), "{:?}", made.losses);
    made.value
}

#[track_caller]
fn assert_path(scene: &Scene, clip: usize, error: f32, expected: &[(f64, [f32; 2])]) {
    for (time, [x, y]) in expected {
        let found = seen_at(scene, clip, *time)[0];
        let is_near = (found.x - x).abs() <= error && (found.y - y).abs() <= error;
        assert!(is_near, "{found:?} at {time}, expected {x} {y}");
    }
}

/// The tangent at the middle key is (2, 4, 0). It is multiplied by 1.5 before the key and 0.5 after
/// it, since the first interval is a third of the second. The tangents at the ends are 0.
#[test]
fn splines_keep_their_keys_and_tangents() {
    let scene = fixture("ok/spline.x3dv");
    assert_eq!(times(&scene, 0, Channel::Translation), [0.0, 1.0, 4.0]);
    let track = &scene.timelines[0].tracks()[0];
    assert_eq!(scene.timelines[0].keys(track).interpolation, Interpolation::Cubic);
    let path = [
        (0.0, [0.0, 0.0]),
        (0.5, [1.625, -0.75]),
        (1.0, [4.0, 0.0]),
        (2.5, [4.125, 4.25]),
        (4.0, [4.0, 8.0]),
    ];
    assert_path(&scene, 0, 1e-6, &path);
}

/// With an ease-out of 0.5 and an ease-in of 0.25, the speed of the straight part is 1.6.
#[test]
fn fractions_ease_in_and_out() {
    let scene = fixture("ok/spline.x3dv");
    let path = [
        (0.0, [0.0, 0.0]),
        (0.5, [0.8, 0.0]),
        (1.0, [3.2, 0.0]),
        (1.5, [6.4, 0.0]),
        (1.75, [7.6, 0.0]),
        (2.0, [8.0, 0.0]),
    ];
    assert_path(&scene, 1, 2e-4, &path);
}

#[test]
fn velocities_of_splines() {
    let middle = |fields: &str| {
        let scene = moved(&format!("key [ 0 0.5 1 ] {fields}"));
        [0.25, 0.75].map(|time| seen_at(&scene, 0, time)[0]).map(|point| [point.x, point.y])
    };
    let open = "keyValue [ 0 0 0, 4 0 0, 4 4 0 ]";
    // Halfway, a curve is at the middle of its ends, plus an eighth of the difference of tangents.
    assert_eq!(middle(open), [[1.75, -0.25], [4.25, 2.25]]);
    let all = format!("{open} keyVelocity [ 0 8 0, 0 0 0, 8 0 0 ]");
    assert_eq!(middle(&all), [[2.0, 1.0], [3.0, 2.0]]);
    let ends = format!("{open} keyVelocity [ 0 8 0, 8 0 0 ]");
    assert_eq!(middle(&ends), [[1.75, 0.75], [3.25, 2.25]]);
    // The path is 8 long.
    let same_length = format!("{open} keyVelocity [ 0 1 0, 0 0 0, 2 0 0 ] normalizeVelocity TRUE");
    assert_eq!(middle(&same_length), [[2.0, 1.0], [3.0, 2.0]]);
    // A closed path has the same tangent at both ends.
    let loop_of = |closed: &str| {
        let scene = moved(&format!(
            "key [ 0 0.25 0.5 0.75 1 ] closed {closed}
            keyValue [ 0 0 0, 4 0 0, 4 4 0, 0 4 0, 0 0 0 ]"
        ));
        let point = seen_at(&scene, 0, 0.125)[0];
        [point.x, point.y]
    };
    assert_eq!(loop_of("TRUE"), [2.0, -0.5]);
    assert_eq!(loop_of("FALSE"), [1.75, -0.25]);
}

/// The curve of the numbers becomes lines, which the other interpolator follows.
#[test]
fn splines_of_numbers_move_other_interpolators() {
    let made = made(
        "DEF T Transform { children Shape { geometry IndexedFaceSet {
          coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0 ] } coordIndex [ 0 1 2 -1 ] } } }
        DEF C TimeSensor { }
        DEF S SplineScalarInterpolator { key [ 0 1 ] keyValue [ 0 1 ] }
        DEF P PositionInterpolator { key [ 0 1 ] keyValue [ 0 0 0, 8 0 0 ] }
        DEF Q SplinePositionInterpolator { key [ 0 1 ] keyValue [ 1 1 1, 2 2 2 ] }
        ROUTE C.fraction_changed TO S.set_fraction ROUTE S.value_changed TO P.set_fraction
        ROUTE P.value_changed TO T.translation
        ROUTE S.value_changed TO Q.set_fraction ROUTE Q.value_changed TO T.scale",
    );
    assert!(made.losses.is_empty(), "{:?}", made.losses);
    // 3u² - 2u³
    let path = [(0.25, [1.25, 0.0]), (0.5, [4.0, 0.0]), (0.75, [6.75, 0.0])];
    assert_path(&made.value, 0, 2e-4, &path);
    let corner = seen_at(&made.value, 0, 0.25)[1];
    let fraction = 3.0 * 0.15625_f32.powi(2) - 2.0 * 0.15625_f32.powi(3);
    assert!((corner.x - 1.25 - 1.0 - fraction).abs() < 1e-3, "{corner:?}");
}

#[test]
fn splines_with_invalid_keys() {
    for fields in [
        "key [ 0 1 ] keyValue [ 0 0 0 ]",
        "key [ ] keyValue [ 0 0 0 ]",
        "key [ 0 1 0.5 ] keyValue [ 0 0 0, 1 0 0, 2 0 0 ]",
        "key [ 0 0 ] keyValue [ 0 0 0, 1 0 0 ]",
        "key [ 0 0.5 0.5 1 ] keyValue [ 0 0 0, 1 0 0, 3e38 0 0, -3e38 0 0 ]",
        "key [ 0 0.5 1 ] keyValue [ 0 0 0, 1 0 0, 2 0 0 ] keyVelocity [ 1 0 0 ]",
    ] {
        for kind in ["SplinePositionInterpolator", "EaseInEaseOut"] {
            let fields = if kind.starts_with('E') {
                fields.replace("keyValue", "easeInEaseOut")
            } else {
                fields.to_owned()
            };
            let made = made(&format!(
                "DEF T Transform {{ }} DEF C TimeSensor {{ }} DEF P {kind} {{ {fields} }}
                DEF Q PositionInterpolator {{ key [ 0 1 ] keyValue [ 0 0 0, 1 0 0 ] }}
                ROUTE C.fraction_changed TO P.set_fraction
                ROUTE {} ROUTE Q.value_changed TO T.translation",
                if kind.starts_with('E') {
                    "P.modifiedFraction_changed TO Q.set_fraction"
                } else {
                    "P.value_changed TO T.scale"
                }
            ));
            let is_wrong =
                ["[ ]", "1 0.5 ]", "Velocity"].iter().any(|wrong| fields.contains(wrong));
            let errors = [&codes::KEY_COUNT, &codes::KEY_ORDER, &codes::COUNT];
            let is_reported = errors.iter().any(|code| made.losses.count(code) > 0);
            assert!(!is_wrong || is_reported, "{fields}: {:?}", made.losses);
        }
    }
}
