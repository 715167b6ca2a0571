//! Conversion from scenes to documents, by sampling the clip at each frame.

mod errors;
mod losses;
mod sample;

use anim_ir::diag::escape;
use anim_ir::format::SeveralClips;
use anim_ir::{Axes, Bake, Budget, Clip, Converted, Scene, require_valid};

use crate::document::Document;
use crate::error::{FromIrError, RateError};
use crate::options::{FromIr, positive};
use crate::quantize::whole_rate;
use crate::sequence::Sequence;
use errors::Errors;
use losses::{clip_losses, scene_losses};
use sample::{Sampling, frames};

/// Converts the scene's clip to a file, or to several if one is not enough and [`FromIr::split`] is
/// set. Losses are reported.
///
/// Joint n becomes object n. A frame shows the scene at the frame's start, clip.start + n / rate
/// seconds. No keys are written for hidden objects, and parts equal to the identity are omitted.
/// Child joints are written with their transform in model space.
///
/// # Errors
///
/// Returns a [`FromIrError`] if the scene is invalid ([`anim_ir::validate`]), does not have exactly
/// one clip, or exceeds the limits of the format (see [`FromIr`]), or if an option is invalid.
pub fn from_ir(
    scene: &Scene,
    options: &FromIr,
) -> Result<Converted<Vec<Document<'static>>>, FromIrError> {
    require_valid(scene)?;
    SeveralClips::check(scene)?;
    positive(Some(options.unit)).ok_or(FromIrError::Unit(options.unit))?;
    let budget = Budget::for_scene(&options.limits, scene);
    let keyed = scene.in_keys(Axes::YDown, &Bake::default(), &budget)?;
    let (scene, mut losses) = (&*keyed.value, keyed.losses);
    let clip = scene.clips.first().ok_or(FromIrError::Empty)?;
    let sampling = Sampling::new(scene, clip, rate(scene, clip, options)?)?;
    budget.charge("the sampled frames", sampling.samples().saturating_mul(SAMPLE_BYTES))?;
    let mut errors = Errors::default();
    let sequence = Sequence {
        rate: sampling.rate,
        frames: frames(&sampling, options, &mut errors)?,
        trailing: Vec::new(),
    };
    let files = sequence.files(options.split);
    let files = files.map_err(|error| FromIrError::Write { clip: escape(&clip.name), error })?;
    clip_losses(&sampling, &mut losses);
    scene_losses(scene, &mut losses);
    errors.report(&mut losses);
    Ok(Converted { value: files, losses })
}

/// The memory charged for the pose of an object in a frame.
const SAMPLE_BYTES: usize = 96;

/// Returns the rate to write to the file.
fn rate(scene: &Scene, clip: &Clip, options: &FromIr) -> Result<i16, RateError> {
    if let Some(asked) = options.frames_per_second {
        return whole_rate(asked);
    }
    let own = scene.timeline(clip.timeline).and_then(|own| own.time_base.frames_per_second());
    Ok(own.and_then(|own| whole_rate(own).ok()).unwrap_or(30))
}
