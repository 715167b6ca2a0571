//! Sampling of a clip at frame times, in integers.

use anim_ir::diag::{escape, quote, seconds};
use anim_ir::number::{count, narrow};
use anim_ir::{Clip, Joint, Mat4, Pose, Sampler, Scene, Skeleton, Timeline, Transform};

use super::errors::{Errors, Greatest};
use crate::codes;
use crate::error::FromIrError;
use crate::key::Key;
use crate::options::FromIr;
use crate::quantize::{ONE, angles, fit, whole};
use crate::sequence::NewFrame;

/// The clip to sample, and the rate.
pub(super) struct Sampling<'a> {
    pub(super) clip: &'a Clip,
    pub(super) timeline: &'a Timeline,
    pub(super) skeleton: &'a Skeleton,
    pub(super) rate: i16,
    pub(super) frames: usize,
}

impl<'a> Sampling<'a> {
    pub(super) fn new(
        scene: &'a Scene,
        clip: &'a Clip,
        rate: i16,
    ) -> Result<Sampling<'a>, FromIrError> {
        let missing = || FromIrError::NoJoints(clip.name.clone());
        let (timeline, skeleton) = scene.motion_of(clip).ok_or_else(missing)?;
        let joints = skeleton.joints.len();
        if joints > 256 {
            return Err(FromIrError::Joints(joints));
        }
        let mut sampling = Sampling { clip, timeline, skeleton, rate, frames: 1 };
        // A clip of length 0 is written as one frame.
        sampling.frames = count(sampling.exact_frames().round()).max(1);
        Ok(sampling)
    }

    /// The length of the clip in frames, not necessarily an integer.
    pub(super) fn exact_frames(&self) -> f64 {
        self.clip.duration() * f64::from(self.rate)
    }

    pub(super) fn samples(&self) -> usize {
        self.frames.saturating_mul(self.skeleton.joints.len().max(1))
    }

    /// The start of a frame in seconds on the timeline. Snaps to a key within rounding error, so
    /// that stepped values change in the right frame.
    fn time(&self, frame: usize) -> f32 {
        let exact = f64::from(self.clip.start)
            + f64::from(u32::try_from(frame).unwrap_or(u32::MAX)) / f64::from(self.rate);
        let hair = exact.abs() * 4.0 * f64::from(f32::EPSILON);
        let near = self.timeline.tables().iter().filter_map(|table| {
            let after = table.times().partition_point(|time| f64::from(*time) <= exact + hair);
            table
                .times()
                .get(after.checked_sub(1)?)
                .copied()
                .filter(|time| f64::from(*time) >= exact - hair)
        });
        near.fold(narrow(exact), f32::max)
    }
}

/// Samples all frames of a clip.
pub(super) fn frames(
    sampling: &Sampling<'_>,
    options: &FromIr,
    errors: &mut Errors,
) -> Result<Vec<NewFrame>, FromIrError> {
    let Sampling { clip, timeline, skeleton, .. } = *sampling;
    let flat = skeleton.joints.iter().all(|joint| joint.parent.is_none());
    let mut sampler = Sampler::for_clip(skeleton, timeline, clip);
    let (mut pose, mut places) = (Pose::default(), Vec::new());
    let mut frames = Vec::new();
    for frame in 0..sampling.frames {
        let time = sampling.time(frame);
        sampler.sample(f64::from(time), &mut pose);
        pose.model_matrices(skeleton, &mut places);
        let seen = pose.effective_visibility(skeleton);
        let mut keys = Vec::new();
        for (((id, joint), place), seen) in skeleton.enumerate_joints().zip(&places).zip(seen) {
            if !seen {
                continue;
            }
            let transform =
                if flat { pose.local_transform(joint, id) } else { place.to_transform() };
            errors.shear.see(shear(*place, transform));
            // There are at most 256 joints.
            let object = u8::try_from(id.index()).unwrap_or(u8::MAX);
            keys.push(
                Quantizer { options, joint, time, errors: &mut *errors }.key(object, transform)?,
            );
        }
        frames.push(NewFrame::new(keys));
    }
    Ok(frames)
}

/// The difference between the 3 × 3 part of a matrix and that of its decomposed transform, relative
/// to the largest element.
fn shear(place: Mat4, transform: Transform) -> f64 {
    let made = transform.to_matrix();
    let numbers =
        place.columns.iter().zip(&made.columns).take(3).flat_map(|(a, b)| a.iter().zip(b));
    let (apart, greatest) = numbers.fold((0.0_f64, 0.0_f64), |(apart, greatest), (a, b)| {
        (apart.max((f64::from(*a) - f64::from(*b)).abs()), greatest.max(f64::from(a.abs())))
    });
    if greatest > 0.0 { apart / greatest } else { 0.0 }
}

/// Converts the transform of one joint at one time to a key.
struct Quantizer<'a> {
    options: &'a FromIr,
    joint: &'a Joint,
    time: f32,
    errors: &'a mut Errors,
}

impl Quantizer<'_> {
    /// Returns the key for a transform. Parts equal to the identity are omitted.
    fn key(&mut self, object: u8, transform: Transform) -> Result<Key, FromIrError> {
        let Transform { translation, rotation, scale } = transform;
        let (turned, error) = angles(rotation, self.options.rotation_order);
        self.errors.rotation.see(error.to_degrees());
        let position =
            self.vector(translation.to_array(), &POSITION, f64::from(self.options.unit))?;
        let factors = self.vector(scale.to_array(), &SCALE, 1.0 / ONE)?;
        Ok(Key {
            object,
            rotation: Some(turned).filter(|angles| *angles != [0; 3]),
            scale: Some(factors).filter(|factors| *factors != [4096; 3]),
            position: Some(position).filter(|position| *position != [0; 3]),
            ..Key::default()
        })
    }

    /// Converts three values to multiples of `unit`.
    fn vector(
        &mut self,
        values: [f32; 3],
        part: &Part,
        unit: f64,
    ) -> Result<[i16; 3], FromIrError> {
        let mut vector = [0; 3];
        for (slot, value) in vector.iter_mut().zip(values) {
            let (value, exact) = (f64::from(value), f64::from(value) / unit);
            *slot = match fit(exact) {
                Some(fits) => {
                    (part.error)(self.errors).see_rounding((f64::from(fits) - exact) * unit, value);
                    fits
                }
                None if self.options.clamp && !value.is_nan() => {
                    let taken = whole(exact);
                    self.errors.clamped.push(&codes::CLAMPED, None, || {
                        let (what, joint, time) =
                            (part.name, quote(self.joint.name.as_bytes()), seconds(self.time));
                        format!(
                            "{what} of joint {joint} at {time} is {value}; {} is written",
                            f64::from(taken) * unit
                        )
                    });
                    taken
                }
                None => return Err(self.refusal(part, value)),
            };
        }
        Ok(vector)
    }

    fn refusal(&self, part: &Part, value: f64) -> FromIrError {
        FromIrError::Value {
            what: part.name,
            joint: escape(&self.joint.name),
            time: self.time,
            value,
            range: part.range,
        }
    }
}

/// A part of a key, such as the scale, with its valid range and its maximum error.
struct Part {
    name: &'static str,
    range: &'static str,
    error: fn(&mut Errors) -> &mut Greatest,
}

const POSITION: Part = Part {
    name: "the position",
    range: "-32768 to 32767 units",
    error: |errors| &mut errors.position,
};
const SCALE: Part =
    Part { name: "the scale", range: "-8 to 7.9998", error: |errors| &mut errors.scale };
