//! What a file cannot say of a scene.

use anim_ir::diag::{plural, quote};
use anim_ir::{Channel, Curve, Diagnostics, Interpolation, Scene, Wrap};

use super::sample::Sampling;
use crate::codes;

/// What rounding to whole numbers changed, over all frames of all joints.
#[derive(Debug, Default)]
pub(super) struct Errors {
    /// In degrees.
    pub(super) rotation: Greatest,
    /// In the scene's unit.
    pub(super) position: Greatest,
    /// As a factor.
    pub(super) scale: Greatest,
    /// As a part of the greatest number in the matrix.
    pub(super) shear: Greatest,
    /// Each number that did not fit.
    pub(super) clamped: Diagnostics,
}

/// The greatest of many errors.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Greatest(f64);

impl Greatest {
    pub(super) fn see(&mut self, error: f64) {
        self.0 = self.0.max(error);
    }

    /// Sees an error unless it is one of f32 itself.
    pub(super) fn see_rounding(&mut self, error: f64, value: f64) {
        if error.abs() > value.abs() * 4.0 * f64::from(f32::EPSILON) {
            self.see(error.abs());
        }
    }
}

/// What f32 leaves of a rotation, in degrees, and of a matrix.
const NO_ROTATION: f64 = 1e-4;
const NO_SHEAR: f64 = 1e-5;

impl Errors {
    pub(super) fn report(self, losses: &mut Diagnostics) {
        let Errors {
            rotation: Greatest(rotation),
            position: Greatest(position),
            scale: Greatest(scale),
            shear: Greatest(shear),
            clamped,
        } = self;
        losses.append(clamped);
        if shear > NO_SHEAR {
            losses.push(&codes::LOSS_SHEAR, None, || {
                format!("places are sheared, by up to {:.2} % of their size", shear * 100.0)
            });
        }
        if rotation > NO_ROTATION {
            losses.push(&codes::LOSS_ROTATION, None, || {
                format!("rotations change by up to {rotation:.4}°")
            });
        }
        if position > 0.0 {
            losses.push(&codes::LOSS_POSITION, None, || {
                format!("positions change by up to {position:.4}")
            });
        }
        if scale > 0.0 {
            losses.push(&codes::LOSS_SCALE, None, || format!("scales change by up to {scale:.6}"));
        }
    }
}

/// What a clip has that a file has not.
pub(super) fn clip_losses(sampling: &Sampling<'_>, losses: &mut Diagnostics) {
    let Sampling { clip, timeline, skeleton, rate, frames } = *sampling;
    let name = quote(clip.name.as_bytes());
    let mut note = |code, lost: bool, what: &dyn Fn() -> String| {
        if lost {
            losses.push(code, None, || format!("{name} {}", what()));
        }
    };
    let hanging = skeleton.joints.iter().filter(|joint| joint.parent.is_some()).count();
    note(&codes::LOSS_HIERARCHY, hanging > 0, &|| {
        format!("moves {} below others", plural(hanging, "joint"))
    });
    let named = skeleton
        .joints
        .iter()
        .enumerate()
        .find(|(index, joint)| joint.name != format!("object_{index}"));
    note(&codes::LOSS_NAMES, named.is_some(), &|| {
        let (index, joint) = named.map_or((0, ""), |(index, joint)| (index, joint.name.as_str()));
        format!("moves joints with names; {} is object {index}", quote(joint.as_bytes()))
    });
    let keys = || {
        timeline
            .tracks()
            .iter()
            .filter(|track| matches!(track.curve, Curve::Keys { .. }))
            .map(|track| timeline.keys(track))
    };
    let smooth =
        keys().any(|keys| keys.interpolation != Interpolation::Step && keys.times.len() > 1);
    note(&codes::LOSS_SAMPLED, smooth, &|| {
        format!("becomes {}, {rate} a second", plural(frames, "frame"))
    });
    let exact = sampling.exact_frames();
    // Off by more than f32 leaves of times of that size.
    let hair = (f64::from(clip.start).abs() + f64::from(clip.end).abs())
        * f64::from(f32::EPSILON)
        * f64::from(rate);
    let odd = exact > 0.0 && (exact - exact.round()).abs() > hair;
    note(&codes::LOSS_DURATION, odd, &|| {
        format!("is {exact:.3} frames long, {frames} are written")
    });
    let events = timeline.events.iter().filter(|event| clip.takes(event)).count();
    note(&codes::LOSS_EVENTS, events > 0, &|| format!("has {}", plural(events, "event")));
    let morphs = timeline.tracks().iter().any(|track| track.channel == Channel::MorphWeights);
    note(&codes::LOSS_MORPH, morphs, &|| "moves morph targets".to_owned());
    note(&codes::LOSS_WRAP, !matches!(clip.wrap, Wrap::Unspecified | Wrap::Once), &|| {
        format!("repeats ({})", clip.wrap.name())
    });
}

/// What is around the clips.
pub(super) fn scene_losses(scene: &Scene, losses: &mut Diagnostics) {
    let mut note = |code, count: usize, what: &str| {
        if count > 0 {
            losses.push(code, None, || format!("{what}: {count}"));
        }
    };
    note(&codes::LOSS_MESHES, scene.meshes.len(), "meshes that are left out");
    note(&codes::LOSS_CAMERAS, scene.cameras.len(), "cameras that are left out");
    note(
        &codes::LOSS_SKELETONS,
        if scene.skeletons.len() > 1 { scene.skeletons.len() } else { 0 },
        "skeletons, of which a clip moves one",
    );
    note(
        &codes::LOSS_EXTRAS,
        scene.all_extras().count(),
        "joints, clips and others whose extras are left out",
    );
}
