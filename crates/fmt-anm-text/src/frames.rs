//! Conversion between frames, the file's unit of time, and seconds.

use anim_ir::number::narrow;

/// Frames per second (from the specification's description of the EV line).
pub const FRAMES_PER_SECOND: f64 = 24.0;

/// The help text of the frame rate option.
pub(crate) const RATE: &str = "Frame rate to use instead of the one in the file, if it has one \
                               (ANM text: 24 by default)";

/// Returns the requested rate if it is valid, or else the default.
pub(crate) fn rate(asked: Option<f64>) -> f64 {
    asked.filter(|rate| rate.is_finite() && *rate > 0.0).unwrap_or(FRAMES_PER_SECOND)
}

/// Converts frames to seconds.
pub(crate) fn seconds(frames: f32, frames_per_second: f64) -> f32 {
    narrow(f64::from(frames) / frames_per_second)
}
