//! Integration tests of operations on whole scenes, using the public API.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "tests fail loudly"
)]

mod alpha;
mod cut;
mod diff;
mod diff_morphs;
mod diff_shapes;
mod merge;
mod playback;
mod resample;
mod retarget;
mod skinning;

use anim_ir::{Channel, Interpolation, Target, TimelineBuilder};

/// Adds a track with keys.
fn keys(
    builder: &mut TimelineBuilder,
    target: impl Into<Target>,
    channel: Channel,
    interpolation: Interpolation,
    times: &[f32],
    values: &[f32],
) {
    builder.keys(target.into(), channel, interpolation, times, values).unwrap();
}
