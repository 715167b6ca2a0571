//! Helpers for indices, numbers and double-precision vectors.

pub(crate) use anim_ir::double::{cross, dot};
use anim_ir::number::narrow;

/// Returns the value at each index. For an index out of range, which only occurs in a frame with a
/// different structure, this is the last value.
pub(crate) fn pick<T: Copy + Default>(indices: &[u32], values: &[T]) -> Vec<T> {
    let last = values.last().copied().unwrap_or_default();
    indices.iter().map(|index| values.get(*index as usize).copied().unwrap_or(last)).collect()
}

/// Converts a count to the index type used in files.
pub(crate) fn to_i32(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// Converts a count.
pub(crate) fn to_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Converts a number computed from numbers in the file: values beyond the range of f32 become the
/// largest f32.
pub(crate) fn to_f32(value: f64) -> f32 {
    narrow(value.clamp(f32::MIN.into(), f32::MAX.into()))
}

pub(crate) fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn subtract(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Normalises a vector; zero if its length is zero or not finite.
pub(crate) fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = dot(v, v).sqrt();
    if length > 0.0 && length.is_finite() { v.map(|c| c / length) } else { [0.0; 3] }
}

pub(crate) fn scaled(v: [f64; 3], factor: f64) -> [f64; 3] {
    v.map(|c| c * factor)
}
