//! The motion of a clip, given by keys.

use super::Transform;
use crate::math;

/// The motion of a joint: keys as times and values, each empty if the channel is not animated.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    /// Interpolated linearly.
    pub translation: Vec<(f64, [f64; 3])>,
    /// Interpolated along the shorter arc at constant speed.
    pub rotation: Vec<(f64, [f64; 4])>,
    /// Interpolated linearly.
    pub scale: Vec<(f64, [f64; 3])>,
    /// Held until the next key.
    pub visible: Vec<(f64, bool)>,
}

impl Keys {
    /// Returns the transform at a time. Channels without keys stay as in `rest`.
    pub fn at(&self, time: f64, rest: &Transform) -> Transform {
        Transform {
            translation: math::sample(&self.translation, time, math::lerp)
                .unwrap_or(rest.translation),
            rotation: math::sample(&self.rotation, time, math::slerp).unwrap_or(rest.rotation),
            scale: math::sample(&self.scale, time, math::lerp).unwrap_or(rest.scale),
        }
    }

    /// Returns the visibility at a time.
    pub fn visible_at(&self, time: f64, rest: bool) -> bool {
        math::sample(&self.visible, time, |before, _, _| before).unwrap_or(rest)
    }
}

/// Returns morph weights, which are interpolated linearly, at a time.
pub fn weights_at(keys: &[(f64, Vec<f64>)], time: f64) -> Vec<f64> {
    let weight = |index: usize| {
        let keys: Vec<(f64, f64)> = keys.iter().map(|key| (key.0, key.1[index])).collect();
        math::sample(&keys, time, |a, b, u| a + (b - a) * u).unwrap()
    };
    (0..keys[0].1.len()).map(weight).collect()
}
