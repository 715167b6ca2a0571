//! Frames, the unit of the file, and seconds.

use anim_ir::number::narrow;

/// Frames per second (the EV line of the specification).
pub const FRAMES_PER_SECOND: f64 = 24.0;

/// Help of the option for the frame rate.
pub(crate) const RATE: &str = "Frame rate to use instead of the one in the file";

/// The requested rate, if it is valid.
pub(crate) fn rate(asked: Option<f64>) -> f64 {
    asked.filter(|rate| rate.is_finite() && *rate > 0.0).unwrap_or(FRAMES_PER_SECOND)
}

/// Converts frames to seconds.
pub(crate) fn seconds(frames: f32, frames_per_second: f64) -> f32 {
    narrow(f64::from(frames) / frames_per_second)
}
