//! Builds tracks.

use anim_ir::{Channel, Interpolation, Target, TimelineBuilder};

/// Adds a track with these keys, or a constant if all values are equal.
pub(super) fn add_track(
    builder: &mut TimelineBuilder,
    target: Target,
    channel: Channel,
    step: bool,
    keyed: &[(f32, Vec<f32>)],
) {
    let Some((_, value)) = keyed.first() else { return };
    // Cannot fail: the reader has already rejected non-finite values and invalid times.
    let _ = if keyed.iter().all(|(_, other)| other == value) {
        builder.constant(target, channel, value)
    } else {
        let times: Vec<f32> = keyed.iter().map(|(time, _)| *time).collect();
        let values: Vec<f32> = keyed.iter().flat_map(|(_, value)| value.iter().copied()).collect();
        let interpolation = if step { Interpolation::Step } else { Interpolation::Linear };
        builder.keys(target, channel, interpolation, &times, values)
    };
}
