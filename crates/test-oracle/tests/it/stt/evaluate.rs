//! Tests parsing, channels and poses with hand-computed cases.

use std::collections::BTreeSet;
use std::f64::consts::FRAC_1_SQRT_2;

use test_oracle::math::{Mat4, mul, transform_point, translation};
use test_oracle::stt::{self, Behaviour, Channel, File, Motion, Order, Transform};

use crate::close;

const STATIC_EXAMPLE: &str = "#MINDRENDER 1.1
1
{my_first_state}
SINGLE
1
{my_static_node}
STATIC
0.000000 50.000000 0.000000
0.000000 0.000000 0.000000
0.000000 45.000000 0.000000
";

const DYNAMIC_EXAMPLE: &str =
    "#MINDRENDER 1.1 1 {my_second_state} SINGLE 1 {my_dynamic_node} DYNAMIC
0.000000 -50.000000 0.000000 0.000000 50.000000 0.000000 2.000000 0.000000 3
0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 8
0.000000 -80.000000 0.000000 0.000000 180.000000 0.000000 4.000000 0.000000 7";

const KEYFRAME_EXAMPLE: &str = "#MINDRENDER 1.1 3
{my_keyframe_state} KEYFRAME 2 3 {my_first_state}
1 4.000000 4.000000 0 0 {my_second_state}
1 4.000000 4.000000 0 0 {my_first_state}
{my_first_state} SINGLE 1 {my_dynamic_node} STATIC
0.000000 50.000000 0.000000 0.000000 0.000000 0.000000 0.000000 45.000000 0.000000
{my_second_state} SINGLE 1 {my_dynamic_node} DYNAMIC
0.000000 -50.000000 0.000000 0.000000 50.000000 0.000000 2.000000 0.000000 3
0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 8
0.000000 -80.000000 0.000000 0.000000 180.000000 0.000000 4.000000 0.000000 7";

/// Returns the vectors of the first state's only node at a given time.
fn vectors(file: &File, t: f64) -> [[f64; 3]; 3] {
    let [(_, vectors)] = stt::single(file, 0, t).try_into().unwrap();
    vectors
}

#[test]
fn the_first_example_is_a_single_static_node() {
    let file = stt::parse(STATIC_EXAMPLE);
    assert_eq!((&*file.version, &*file.states[0].name), ("1.1", "my_first_state"));
    let still = [[0.0, 50.0, 0.0], [0.0; 3], [0.0, 45.0, 0.0]];
    let Motion::Single(nodes) = &file.states[0].motion else { panic!() };
    assert_eq!((&*nodes[0].name, nodes[0].behaviour), ("my_static_node", Behaviour::Static(still)));
    assert_eq!([-3.0, 0.0, 7.5].map(|t| vectors(&file, t)), [still; 3]);
    let pose = &stt::pose_at(&file, 0, 0.0, Order::default())["my_static_node"];
    // A rotation by 45° about y rotates z towards x.
    close(&transform_point(&pose.matrix(), [0.0, 0.0, 1.0]), &[FRAC_1_SQRT_2, 50.0, FRAC_1_SQRT_2]);
}

#[test]
fn the_second_example_swings_and_goes_up_and_down() {
    let file = stt::parse(DYNAMIC_EXAMPLE);
    let expected = [
        // The displacement repeats after two seconds, the orientation after four.
        (0.0, -50.0, 50.0),
        (0.5, 0.0, 50.0 + 130.0 * FRAC_1_SQRT_2),
        (1.0, 50.0, 180.0),
        (1.5, 0.0, 50.0 + 130.0 * FRAC_1_SQRT_2),
        (2.0, -50.0, 50.0),
        (3.0, 50.0, -80.0),
        (4.0, -50.0, 50.0),
    ];
    for (t, up, turned) in expected {
        let expected = [[0.0, up, 0.0], [0.0; 3], [0.0, turned, 0.0]];
        close(vectors(&file, t).as_flattened(), expected.as_flattened());
    }
}

#[test]
fn the_third_example_switches_every_four_seconds() {
    let file = stt::parse(KEYFRAME_EXAMPLE);
    let Motion::Keyframe(sequence) = &file.states[0].motion else { panic!() };
    assert_eq!((sequence.kind, sequence.start_key()), (3, Some(1)));
    let height =
        |t: f64| stt::pose_at(&file, 0, t, Order::default())["my_dynamic_node"].translation[1];
    close(&[0.0, 3.9, 8.0, 11.9, 16.5].map(height), &[50.0; 5]);
    // The ping-pong wave of the second state, whose clock ran before the state was shown.
    close(&[4.0, 4.5, 5.0, 7.9, 12.25].map(height), &[-50.0, 0.0, 50.0, -40.0, -25.0]);
    assert_eq!([0.0, 4.0, 8.0].map(|t| stt::moment_at(sequence, t).unwrap().key), [1, 0, 1]);
}

#[test]
fn tokens_do_not_need_separate_lines() {
    let words = "#MINDRENDER\t1.1\r1\x0c{ two\n words } SINGLE 1{SINGLE}STATIC .5 1. +1 -0 1e-400 \
                 2E1 0.1 16777217 -1e0";
    let file = stt::parse(words);
    assert_eq!(file.states[0].name, " two\n words ");
    let Motion::Single(nodes) = &file.states[0].motion else { panic!() };
    assert_eq!(nodes[0].name, "SINGLE");
    // The value is rounded to f32.
    let Behaviour::Static(vectors) = nodes[0].behaviour else { panic!() };
    let last = [f64::from(0.1_f32), 16_777_216.0, -1.0];
    assert_eq!(vectors, [[0.5, 1.0, 1.0], [0.0, 0.0, 20.0], last]);
}

#[test]
fn a_file_with_an_error_panics() {
    let fails = |from: &str, to: &str| {
        let text = KEYFRAME_EXAMPLE.replacen(from, to, 1);
        assert_ne!(text, KEYFRAME_EXAMPLE);
        std::panic::catch_unwind(|| stt::parse(&text)).is_err()
    };
    assert!(fails("#MIND", "#"));
    assert!(fails("1.1 3", "1.1 2") && fails("1.1 3", "1.1 4") && fails("1.1 3", "1.1 -1"));
    assert!(fails("KEYFRAME 2 3", "KEYFRAME 2 6") && fails(" 7", " 10"));
    assert!(fails("0 0 {", "0 2 {") && fails("1 4.0", "1 -4.0"));
    assert!(fails("-80.000000", "nan") && fails("-80.000000", "1e39") && fails("-80.000000", ""));
    assert!(fails("{my_first_state}", "my_first_state}"));
    assert!(!fails("-80.000000", "-180.000000"));
}

/// Returns a channel from (10, 0, −4) to (20, 0, 4) with an offset of one second.
fn moving(kind: u8, period: f64) -> Channel {
    Channel { start: [10.0, 0.0, -4.0], end: [20.0, 0.0, 4.0], period, offset: 1.0, kind }
}

/// Times at which u is 1/8, 3/4, 3/2, −1/4 and −1, with a period of 4 s.
const TIMES: [f64; 5] = [-0.5, 2.0, 5.0, -2.0, -5.0];

#[test]
fn each_type_of_channel_follows_the_table() {
    let sine = 5.0 * FRAC_1_SQRT_2;
    let expected = [
        [10.0, 10.0, 10.0, 10.0, 10.0],
        [11.25, 17.5, 15.0, 17.5, 10.0],
        [18.75, 12.5, 15.0, 12.5, 20.0],
        [12.5, 15.0, 20.0, 15.0, 10.0],
        [17.5, 15.0, 10.0, 15.0, 20.0],
        [11.25, 17.5, 20.0, 10.0, 10.0],
        [18.75, 12.5, 10.0, 20.0, 20.0],
        [15.0 + sine, 10.0, 15.0, 10.0, 15.0],
        [10.0, 10.0, 10.0, 10.0, 10.0],
        [1.25, 7.5, 15.0, -2.5, -10.0],
    ];
    for (kind, expected) in expected.into_iter().enumerate() {
        let channel = moving(kind as u8, 4.0);
        close(&TIMES.map(|t| stt::channel(&channel, t)[0]), &expected);
        assert_eq!(TIMES.map(|t| stt::channel(&channel, t)[1]), [0.0; 5]);
        // The last component is −4 if the first is 10, and 4 if the first is 20. A delta has no end
        // value.
        let third = |x: f64| if kind == 9 { -0.4 * x } else { (x - 15.0) * 0.8 };
        close(&TIMES.map(|t| stt::channel(&channel, t)[2]), &expected.map(third));
    }
}

#[test]
fn a_negative_offset_is_a_delay() {
    let late =
        |kind: u8, t: f64| stt::channel(&Channel { offset: -3.0, ..moving(kind, 4.0) }, t)[0];
    close(&[0.0, 3.0, 4.0].map(|t| late(1, t)), &[12.5, 10.0, 12.5]);
    close(&[0.0, 3.0, 4.0, 7.0].map(|t| late(5, t)), &[10.0, 10.0, 12.5, 20.0]);
    close(&[0.0, 3.0, 5.0].map(|t| late(9, t)), &[-7.5, 0.0, 5.0]);
}

#[test]
fn without_a_period_only_deltas_move() {
    for period in [0.0, -0.0, -4.0] {
        for kind in 0..9 {
            let found = TIMES.map(|t| stt::channel(&moving(kind, period), t));
            assert_eq!(found, [[10.0, 0.0, -4.0]; 5]);
        }
        // Without a period, the offset has no effect.
        let delta = TIMES.map(|t| stt::channel(&moving(9, period), t)[0]);
        assert_eq!(delta, [-5.0, 20.0, 50.0, -20.0, -50.0]);
    }
}

#[test]
fn a_node_is_translated_then_rotated_then_displaced() {
    let vectors = [[10.0, 20.0, 30.0], [1.0, 0.0, 0.0], [90.0, 90.0, 0.0]];
    let place = |order, point| transform_point(&Transform::of(vectors, order).matrix(), point);
    // (1 1 0) is rotated about x to (1 0 1), then about y to (1 0 −1).
    close(&place(Order::Zyx, [0.0, 1.0, 0.0]), &[11.0, 20.0, 29.0]);
    // (1 1 0) is rotated about y to (0 1 −1), then about x to (0 1 1).
    close(&place(Order::Xyz, [0.0, 1.0, 0.0]), &[10.0, 21.0, 31.0]);
    assert_eq!(Order::default(), Order::Zyx);
}

#[test]
fn each_order_is_the_product_that_it_names() {
    let (displacement, moved, angles) =
        ([1.0, -2.0, 3.0], [4.0, 5.0, -6.0], [200.0_f64, -70.0, 33.0]);
    // The expected product is computed without quaternions.
    let about = |axis: usize| -> Mat4 {
        let (sin, cos) = angles[axis].to_radians().sin_cos();
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut m = translation([0.0; 3]);
        (m[next][next], m[next][last], m[last][next], m[last][last]) = (cos, sin, -sin, cos);
        m
    };
    let mut seen = BTreeSet::new();
    for order in Order::ALL {
        let name = format!("{order:?}").to_lowercase();
        let turns: Vec<Mat4> = name.bytes().map(|axis| about(usize::from(axis - b'x'))).collect();
        let turned = mul(&turns[0], &mul(&turns[1], &turns[2]));
        let expected = mul(&translation(displacement), &mul(&turned, &translation(moved)));
        let found = Transform::of([displacement, moved, angles], order).matrix();
        close(found.as_flattened(), expected.as_flattened());
        seen.insert(format!("{:.6?}", expected));
    }
    assert_eq!(seen.len(), 6);
}
