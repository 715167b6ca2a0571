//! Tests playback against `docs/playback.md` and its independent evaluation in `test-oracle`.

mod events;
mod identities;
mod layer_events;
mod layers;
mod root_motion;
mod states;
mod takes;

use anim_ir::{Transform, Wrap};
use test_oracle::play;

/// Returns the wrap mode of a player.
fn wrap(wrap: play::Wrap) -> Wrap {
    match wrap {
        play::Wrap::Unspecified => Wrap::Unspecified,
        play::Wrap::Once => Wrap::Once,
        play::Wrap::Loop => Wrap::Loop,
        play::Wrap::PingPong => Wrap::PingPong,
        play::Wrap::PingPongOnce => Wrap::PingPongOnce,
    }
}

/// Returns the largest difference of a component. A rotation and its negation are the same.
fn distance(found: &Transform, expected: &play::Transform) -> f64 {
    let between =
        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let rotation = found.rotation.to_array().map(f64::from);
    let rotated = between(&rotation, &expected.rotation)
        .min(between(&rotation, &expected.rotation.map(|x| -x)));
    between(&found.translation.to_f64(), &expected.translation)
        .max(between(&found.scale.to_f64(), &expected.scale))
        .max(rotated)
}
