//! Tests root motion with hand-computed cases.

use std::f64::consts::FRAC_1_SQRT_2 as HALF;

use test_oracle::play::root_motion::{RootMotion, yaw};
use test_oracle::play::{Transform, Wrap};

use crate::close;

const UP: [f64; 3] = [0.0, 1.0, 0.0];

/// Returns the quaternion of a turn about y.
fn turn(degrees: f64) -> [f64; 4] {
    let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
    [0.0, sin, 0.0, cos]
}

/// Walks 3 units along x in 2 seconds, from x = 1.
fn straight(t: f64) -> Transform {
    Transform { translation: [1.0 + 1.5 * t, 0.0, 0.0], ..Transform::IDENTITY }
}

/// Walks along x while turning left: 90° in a second.
fn curve(t: f64) -> Transform {
    Transform { translation: [t, 0.0, 0.0], rotation: turn(90.0 * t), scale: [1.0; 3] }
}

fn check(delta: &Transform, translation: [f64; 3], degrees: f64) {
    close(&delta.translation, &translation);
    close(&delta.rotation, &turn(degrees));
}

#[test]
fn a_straight_walk_continues_over_the_rounds_of_a_loop() {
    let walk = |wrap| RootMotion { motion: &straight, duration: 2.0, wrap, up: Some(UP) };
    let x = |wrap, from, to| walk(wrap).delta(from, to).translation[0];
    close(&[x(Wrap::Loop, 0.5, 5.0), x(Wrap::Loop, 5.0, 0.5)], &[6.75, -6.75]);
    close(&[x(Wrap::Loop, -1.0, 1.0), x(Wrap::Loop, 2.0, 2.0)], &[3.0, 0.0]);
    close(&[x(Wrap::PingPong, 0.5, 3.0), x(Wrap::PingPong, 0.0, 4.0)], &[0.75, 0.0]);
    close(&[x(Wrap::Once, 1.0, 9.0), x(Wrap::Once, 1.0, -9.0)], &[1.5, -1.5]);
    close(&[x(Wrap::Unspecified, 1.0, 9.0), x(Wrap::PingPongOnce, 1.0, 9.0)], &[12.0, -1.5]);
    let place = |wrap, position| walk(wrap).continued(position).translation[0];
    close(&[place(Wrap::Loop, 5.0), place(Wrap::Loop, -1.0)], &[8.5, -0.5]);
    close(&[place(Wrap::PingPong, 5.0), place(Wrap::Once, 5.0)], &[2.5, 4.0]);
    let left = walk(Wrap::Loop).remainder(1.7);
    close(&left.translation, &[1.0, 0.0, 0.0]);
}

#[test]
fn a_turn_is_part_of_the_delta_if_it_is_a_yaw() {
    let with = RootMotion { motion: &curve, duration: 1.0, wrap: Wrap::Loop, up: Some(UP) };
    // After a round, the object has moved by 1 along x and looks along -z, where it moves next.
    check(&with.delta(0.0, 1.0), [1.0, 0.0, 0.0], 90.0);
    check(&with.delta(0.0, 2.0), [1.0, 0.0, -1.0], 180.0);
    check(&with.continued(1.5), [1.0, 0.0, -0.5], 135.0);
    check(&with.delta(1.0, 2.0), [1.0, 0.0, 0.0], 90.0);
    check(&with.delta(2.0, 1.0), [0.0, 0.0, -1.0], -90.0);
    let left = with.remainder(0.3);
    check(&left, [0.0; 3], 0.0);
    let without = RootMotion { up: None, ..with };
    check(&without.delta(0.0, 2.0), [2.0, 0.0, 0.0], 0.0);
    check(&without.remainder(0.5), [0.0; 3], 45.0);
}

#[test]
fn the_yaw_is_the_twist_about_the_axis() {
    close(&yaw(turn(70.0), UP), &turn(70.0));
    close(&yaw([HALF, 0.0, 0.0, HALF], UP), &turn(0.0));
    close(&yaw([1.0, 0.0, 0.0, 0.0], UP), &turn(0.0));
    // First a quarter turn about x, then 50° about y.
    let [_, sin, _, cos] = turn(50.0);
    close(&yaw([HALF * cos, HALF * sin, -HALF * sin, HALF * cos], UP), &turn(50.0));
}
