//! Scene to documents: frames sampled from the clip.

mod losses;
mod sample;

use anim_ir::diag::escape;
use anim_ir::format::SeveralClips;
use anim_ir::{Axes, Bake, Clip, Converted, EulerOrder, Scene, require_valid};

use crate::document::Document;
use crate::error::{FromIrError, RateError};
use crate::join::SPLIT;
use crate::quantize::whole_rate;
use crate::sequence::Sequence;
use crate::to_ir::{ROTATION_ORDER, UNIT_SCALE, positive};
use losses::{Errors, clip_losses, scene_losses};
use sample::{Sampling, frames};

anim_ir::options! {
    /// How to write a scene. A sample, of which [`limits`](Self::limits) bounds the number, is a
    /// joint in one frame.
    pub struct FromIr {
        /// Frames a second, a whole number from 1 to 32,767. `None`: those of the clip's timeline
        /// where they are such a number, otherwise 30.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("fps", None,
                "Sampling rate, for targets that cannot store the source's keys exactly");
        /// In which order the three angles of a rotation are applied.
        rotation_order (with_rotation_order): EulerOrder = EulerOrder::Zyx,
            choice("rotation-order", EulerOrder::NAMES, Some("zyx"), ROTATION_ORDER);
        /// Length of the files' unit in the scene's: positions are divided by it.
        unit (with_unit): f32 = 1.0, positive("unit-scale", Some("1"), UNIT_SCALE);
        /// Whether positions and scales that do not fit become the nearest that do. Otherwise the
        /// scene is refused.
        clamp (with_clamp): bool = false, flag("clamp", "Clamp values that are out of range");
        /// Whether a clip that does not fit one file becomes several. Otherwise the scene is
        /// refused.
        split (with_split): bool = false, flag("split", SPLIT);
    }
}

/// The scene's clip as a file, or as several where [`FromIr::split`] allows it and one is not
/// enough; what they cannot say is reported.
///
/// Joint n becomes object n. A frame is what is seen when it starts: clip.start + n / rate seconds.
/// Objects that are hidden have no key, parts that are the identity are left out. Joints that hang
/// from others are written at their place in the model.
///
/// # Errors
///
/// [`FromIrError`] where the scene is not valid ([`anim_ir::validate`]), has several clips or none,
/// or does not fit: see the options.
pub fn from_ir(
    scene: &Scene,
    options: &FromIr,
) -> Result<Converted<Vec<Document<'static>>>, FromIrError> {
    require_valid(scene)?;
    SeveralClips::check(scene)?;
    positive(Some(options.unit)).ok_or(FromIrError::Unit(options.unit))?;
    let keyed = scene.in_keys(Axes::YDown, &Bake::default().with_limits(options.limits))?;
    let (scene, mut losses) = (&*keyed.value, keyed.losses);
    let clip = scene.clips.first().ok_or(FromIrError::Empty)?;
    let sampling = Sampling::new(scene, clip, rate(scene, clip, options)?)?;
    options.limits.check_samples("the animation", sampling.samples())?;
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

/// The rate that the file will name.
fn rate(scene: &Scene, clip: &Clip, options: &FromIr) -> Result<i16, RateError> {
    if let Some(asked) = options.frames_per_second {
        return whole_rate(asked);
    }
    let own = scene.timeline(clip.timeline).and_then(|own| own.time_base.frames_per_second());
    Ok(own.and_then(|own| whole_rate(own).ok()).unwrap_or(30))
}
