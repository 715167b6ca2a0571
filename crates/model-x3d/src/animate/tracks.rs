//! Construction of tracks.

use anim_ir::{Channel, Interpolation, Target, TimelineBuilder};

/// Builds a track from keys that may all be the same.
pub(super) fn add_track(
    builder: &mut TimelineBuilder,
    target: Target,
    channel: Channel,
    step: bool,
    keyed: &[(f32, Vec<f32>)],
) {
    let Some((_, value)) = keyed.first() else { return };
    // This cannot fail: values in the file are finite and times are checked when it is read;
    // invalid ones are left out there and reported.
    let _ = if keyed.iter().all(|(_, other)| other == value) {
        builder.constant(target, channel, value)
    } else {
        let times: Vec<f32> = keyed.iter().map(|(time, _)| *time).collect();
        let values: Vec<f32> = keyed.iter().flat_map(|(_, value)| value.iter().copied()).collect();
        let interpolation = if step { Interpolation::Step } else { Interpolation::Linear };
        builder.keys(target, channel, interpolation, &times, &values)
    };
}
