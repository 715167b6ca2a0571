//! The keys of an object, as the values of its tracks.

use std::f64::consts::TAU;
use std::ops::Range;
use std::sync::LazyLock;

use anim_ir::{Channel, EulerOrder, Interpolation, Quat, Target, TimelineBuilder, TimelineError};

use crate::key::Key;
use crate::options::{ToIr, positive, scaled};
use crate::times::Times;

const NO_ROTATION: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
/// The most frames for which memory is reserved: 256 objects with a single key take 6 MB.
const FEW_FRAMES: usize = 512;

/// The drawn keys of one object: the last key of each frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// The runs of frames that draw the object: the numbers of the first, and after the last.
    drawn: Vec<Range<usize>>,
    /// The times of the values. Frames with the same time in f32 share one, with the last values.
    times: Vec<f32>,
    translations: Vec<[f32; 3]>,
    rotations: Vec<[f32; 4]>,
    scales: Vec<[f32; 3]>,
    /// Whether the last key has a position, a rotation and a scale.
    last: [bool; 3],
    /// Whether any earlier key has one.
    earlier: [bool; 3],
}

impl Rows {
    /// Reserves memory for keys in this many frames, before the first.
    pub(crate) fn reserve(&mut self, frames: usize) {
        if self.times.is_empty() {
            let frames = frames.min(FEW_FRAMES);
            self.times.reserve(frames);
            self.translations.reserve(frames);
            self.rotations.reserve(frames);
            self.scales.reserve(frames);
        }
    }

    /// Adds a key of a frame with this number and time, which are not lower than those before.
    #[inline]
    pub(crate) fn add(&mut self, (frame, time): (usize, f32), key: &Key, values: &KeyValues) {
        match self.drawn.last_mut() {
            Some(run) if run.end >= frame => run.end = frame + 1,
            _ => self.drawn.push(frame..frame + 1),
        }
        if self.times.last().is_some_and(|last| time <= *last) {
            // The later key replaces the values.
            self.translations.pop();
            self.rotations.pop();
            self.scales.pop();
        } else {
            self.times.push(time);
            self.earlier = self.has();
        }
        let Key { position, rotation, scale, .. } = key;
        self.last = [position.is_some(), rotation.is_some(), scale.is_some()];
        let hold = values.hold;
        add(&mut self.translations, position.map(|part| values.translation(part)), [0.0; 3], hold);
        add(&mut self.rotations, rotation.map(|part| values.rotation(part)), NO_ROTATION, hold);
        add(&mut self.scales, scale.map(|part| values.scale(part)), [1.0; 3], hold);
    }

    /// Whether any key has a position, a rotation and a scale.
    fn has(&self) -> [bool; 3] {
        let ([a, b, c], [x, y, z]) = (self.earlier, self.last);
        [a | x, b | y, c | z]
    }

    /// Adds the tracks of the object. If it is drawn in the last frame, its last key is repeated at
    /// the end of the clip, since players end a clip at its last key.
    pub(crate) fn add_tracks(
        mut self,
        target: Target,
        times: &Times,
        options: &ToIr,
        builder: &mut TimelineBuilder,
    ) -> Result<(), TimelineError> {
        let drawn_last = self.drawn.last().is_some_and(|run| run.end == times.frames());
        if drawn_last && self.times.last().is_some_and(|last| *last < times.end()) {
            self.times.push(times.end());
            self.translations.extend_from_within(self.translations.len().saturating_sub(1)..);
            self.rotations.extend_from_within(self.rotations.len().saturating_sub(1)..);
            self.scales.extend_from_within(self.scales.len().saturating_sub(1)..);
        }
        let interpolation =
            if options.linear { Interpolation::Linear } else { Interpolation::Step };
        let [has_translation, has_rotation, has_scale] = self.has();
        for (has, channel, values) in [
            (
                has_translation,
                Channel::Translation,
                std::mem::take(&mut self.translations).into_flattened(),
            ),
            (has_rotation, Channel::Rotation, std::mem::take(&mut self.rotations).into_flattened()),
            (has_scale, Channel::Scale, std::mem::take(&mut self.scales).into_flattened()),
        ] {
            if has {
                builder.keys(target, channel, interpolation, &self.times, values)?;
            }
        }
        self.add_visibility(target, times, builder)
    }

    /// Adds steps where the object appears and disappears, unless it is always visible.
    fn add_visibility(
        &self,
        target: Target,
        times: &Times,
        builder: &mut TimelineBuilder,
    ) -> Result<(), TimelineError> {
        if self.drawn.is_empty() {
            // Two keys preserve the length of a clip in which nothing is drawn.
            return match times.end() {
                end if end > 0.0 => builder.keys(
                    target,
                    Channel::Visibility,
                    Interpolation::Step,
                    &[0.0, end],
                    &[0.0; 2],
                ),
                _ => builder.constant(target, Channel::Visibility, &[0.0]),
            };
        }
        let mut changes = Vec::new();
        let mut hidden_from = 0;
        for run in &self.drawn {
            if run.start > hidden_from {
                changes.push((times.at(hidden_from), 0.0));
            }
            changes.push((times.at(run.start), 1.0));
            hidden_from = run.end;
        }
        if hidden_from < times.frames() {
            changes.push((times.at(hidden_from), 0.0));
        }
        if changes.len() < 2 {
            return Ok(());
        }
        // Extend to the end of the clip, like other keys.
        changes.extend(changes.last().map(|(_, seen)| (times.end(), *seen)));
        ascending(&mut changes);
        let (times, values): (Vec<f32>, Vec<f32>) = changes.into_iter().unzip();
        builder.keys(target, Channel::Visibility, Interpolation::Step, &times, values)
    }
}

/// Adds a value or, if there is none, the one before or the identity.
#[inline]
fn add<const N: usize>(
    list: &mut Vec<[f32; N]>,
    value: Option<[f32; N]>,
    identity: [f32; N],
    hold: bool,
) {
    let missing = || list.last().copied().filter(|_| hold).unwrap_or(identity);
    list.push(value.unwrap_or_else(missing));
}

/// Merges entries whose times are equal in f32, keeping the last value.
fn ascending<T: Copy>(moments: &mut Vec<(f32, T)>) {
    moments.dedup_by(|later, earlier| {
        let same = later.0 <= earlier.0;
        if same {
            earlier.1 = later.1;
        }
        same
    });
}

/// Converts the integers of keys.
pub(crate) struct KeyValues {
    unit: f64,
    order: EulerOrder,
    /// Whether missing parts keep the value of the key before.
    hold: bool,
    sines: &'static [f64; SINE_COUNT],
}

/// The number of angles in a turn of half angles: a turn is 4096, and rotations repeat after two.
const HALF_ANGLES: usize = 8192;
const QUARTER: usize = HALF_ANGLES / 4;
const SINE_COUNT: usize = HALF_ANGLES + QUARTER;

/// The sines of all half angles, and of the first quarter again, for cosines.
static SINES: LazyLock<Box<[f64; SINE_COUNT]>> = LazyLock::new(|| {
    let step = TAU / HALF_ANGLES as f64;
    let first: Vec<f64> = (0..=QUARTER).map(|angle| (angle as f64 * step).sin()).collect();
    let rise = || first.iter().take(QUARTER).copied();
    let fall = || first.iter().rev().take(QUARTER).copied();
    let down = rise().chain(fall()).map(|sine| -sine);
    let mut sines = Box::new([0.0; SINE_COUNT]);
    let all = rise().chain(fall()).chain(down).chain(rise());
    sines.iter_mut().zip(all).for_each(|(slot, sine)| *slot = sine);
    sines
});

impl KeyValues {
    pub(crate) fn new(options: &ToIr) -> KeyValues {
        KeyValues {
            unit: f64::from(positive(Some(options.unit)).unwrap_or(1.0)),
            order: options.rotation_order,
            hold: options.hold,
            sines: &SINES,
        }
    }

    #[inline]
    fn translation(&self, position: [i16; 3]) -> [f32; 3] {
        position.map(|number| scaled(number, self.unit))
    }

    #[inline]
    fn rotation(&self, angles: [i16; 3]) -> [f32; 4] {
        let halves = angles.map(|angle| {
            let angle = usize::from(angle.cast_unsigned()) % HALF_ANGLES;
            let sine = |angle: usize| self.sines.get(angle).copied().unwrap_or_default();
            (sine(angle), sine(angle + QUARTER))
        });
        Quat::from_half_angles(halves, self.order).to_array()
    }

    #[inline]
    fn scale(&self, scale: [i16; 3]) -> [f32; 3] {
        scale.map(|number| scaled(number, 1.0 / 4096.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_are_those_of_the_angles_in_radians() {
        let options = ToIr::default();
        let values = KeyValues::new(&options);
        for x in (i16::MIN..=i16::MAX).step_by(7) {
            let angles = [x, x.wrapping_mul(3), x.wrapping_add(1024)];
            let radians = angles.map(|angle| f64::from(angle) * TAU / 4096.0);
            let expected = Quat::from_euler(radians, options.rotation_order).to_array();
            for (found, expected) in values.rotation(angles).into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-7, "{angles:?}");
            }
        }
    }
}
