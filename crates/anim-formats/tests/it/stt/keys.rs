//! Tests the times and number of keys.

use test_oracle::glb;

use super::{Case, STILL, one_node};
use crate::glb_with;

/// The default tolerance.
const TOLERANCE: &str = "0.001";

fn keys(displacement: &str) -> Vec<f64> {
    model(&one_node(displacement, STILL, STILL), TOLERANCE).key_times(0)
}

fn model(text: &str, tolerance: &str) -> glb::Model {
    glb_with(&Case::new(text).scene, &[("tolerance", tolerance)])
}

#[test]
fn a_triangle_has_its_corners() {
    assert_eq!(keys("0 0 0  4 0 0  2 0 3"), [0.0, 1.0, 2.0]);
    assert_eq!(keys("0 0 0  4 0 0  2 0.5 4"), [0.0, 0.5, 1.5, 2.0]);
    assert_eq!(keys("0 0 0  4 0 0  2 -0.25 3"), [0.0, 0.25, 1.25, 2.0], "a negative offset");
}

#[test]
fn a_sawtooth_has_two_keys_where_it_jumps() {
    let before = |time: f32| f64::from(time.next_down());
    assert_eq!(keys("0 0 0  4 0 0  2 0.5 1"), [0.0, before(1.5), 1.5, 2.0]);
    assert_eq!(
        keys("0 0 0  4 0 0  2 0 2"),
        [0.0, 2.0],
        "no extra key is needed if the jump is at the end"
    );
    let model = model(&one_node("1 0 0  4 0 0  2 0.5 1", STILL, STILL), TOLERANCE);
    let x = |time: f64| model.node_world(Some(0), "node", time)[3][0];
    assert_eq!([x(before(1.5)), x(1.5)].map(|x| (x * 1e5).round() / 1e5), [4.0, 1.0]);
}

#[test]
fn a_wave_that_runs_once_bends_once() {
    assert_eq!(keys("0 0 0  4 0 0  2 0 5"), [0.0, 2.0]);
    assert_eq!(keys("0 0 0  4 0 0  2 -1 6"), [0.0, 1.0, 3.0], "the wave starts after a delay");
    assert_eq!(keys("1 0 0  4 0 0  2 0 9"), [0.0, 2.0], "a straight line has no keys in between");
}

#[test]
fn a_still_wave_has_one_key_that_is_held() {
    for still in
        ["1 2 3  4 5 6  2 0 0", "1 2 3  4 5 6  2 0 8", "1 2 3  1 2 3  2 0 7", "1 2 3  4 5 6  0 0 3"]
    {
        assert_eq!(keys(still).len(), 2, "{still}");
    }
}

/// Line segments between points on a sine of amplitude 1 stay within e of it if they are at most
/// √(8 e / |sin|) long. This takes 4.79 / √(8 e) keys per period, since the integral of √|sin| is
/// 4.79.
#[test]
fn a_sine_has_little_more_than_the_minimum_number_of_keys() {
    for tolerance in ["0.01", "0.001", "0.0001"] {
        let part: f64 = tolerance.parse().unwrap();
        let least = 4.79 / f64::sqrt(8.0 * part);
        let model = model(&one_node("-1 0 0  1 0 0  2 0 7", STILL, STILL), tolerance);
        let found = model.key_times(0).len() as f64;
        assert!(
            least * 0.8 < found && found < least * 2.5,
            "{tolerance}: {found} keys; the minimum is {least}"
        );
    }
}

/// A node that rotates at a constant speed needs few keys, and a node whose angle jumps at the end
/// of a revolution continues to rotate.
#[test]
fn a_constant_rotation_needs_few_keys() {
    let text = one_node(STILL, STILL, "0 0 0  0 360 0  4 0 1");
    let model = model(&text, TOLERANCE);
    let keys = model.key_times(0);
    assert!((3..=10).contains(&keys.len()), "{keys:?}");
    for time in [0.3, 1.0, 1.9, 2.0, 3.5] {
        let found = model.node_world(Some(0), "node", time);
        let (sin, cos) = (time / 4.0 * std::f64::consts::TAU).sin_cos();
        assert!(
            (found[0][0] - cos).abs() < 1e-3 && (found[0][2] + sin).abs() < 1e-3,
            "{time}: {found:?}"
        );
    }
}

/// A sequence also has keys where its transitions end.
#[test]
fn a_sequence_has_keys_where_its_transitions_end() {
    let states = "{low} SINGLE 1 {node} STATIC 0 0 0 0 0 0 0 0 0 {high} SINGLE 1 {node} STATIC 0 \
                  8 0 0 0 0 0 0 0";
    let sequence = |flags: &str| {
        format!(
            "#MINDRENDER 1.1 3 {states} {{both}} KEYFRAME 2 1 {{low}} 1 1.5 1 {flags} {{low}} 1 \
             0.5 1 {flags} {{high}}"
        )
    };
    let found = |flags: &str| {
        let model = model(&sequence(flags), TOLERANCE);
        let animation = model.animation_names().iter().position(|name| name == "both").unwrap();
        let y =
            |time: f64| (model.node_world(Some(animation), "node", time)[3][1] * 1e4).round() / 1e4;
        (model.key_times(animation), [0.75, 1.49, 1.5, 1.75].map(y))
    };
    assert_eq!(found("1 1"), (vec![0.0, 1.5, 2.0], [4.0, 7.9467, 8.0, 4.0]));
    let before = f64::from(1.5_f32.next_down());
    assert_eq!(found("0 0").0[..3], [0.0, before, 1.5]);
    assert_eq!(found("0 0").1, [0.0, 0.0, 8.0, 8.0]);
}
