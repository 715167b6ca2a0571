//! Scene to documents: frames sampled from the clips.

mod losses;
mod sample;

use anim_ir::diag::escape;
use anim_ir::{
    Axes, Bake, Clip, Converted, EulerOrder, LimitError, Limits, Scene, Severity, TimeBase,
    validate,
};

use crate::document::Document;
use crate::error::{FromIrError, WriteError};
use crate::sequence::Sequence;
use crate::to_ir::positive;
use losses::{Errors, clip_losses, scene_losses};
use sample::{Sampling, frames};

/// How to write a scene.
#[derive(Clone, Debug)]
pub struct FromIr {
    /// Only this clip; `None`: all.
    pub clip: Option<usize>,
    /// Frames a second, a whole number from 1 to 32,767. `None`: those of the clip's timeline where
    /// they are such a number, otherwise 30.
    pub frames_per_second: Option<f32>,
    /// In which order the three angles of a rotation are applied.
    pub rotation_order: EulerOrder,
    /// Length of the files' unit in the scene's: positions are divided by it.
    pub unit: f32,
    /// Whether positions and scales that do not fit become the nearest that do. Otherwise the scene
    /// is refused.
    pub clamp: bool,
    /// Whether a clip that does not fit one file becomes several. Otherwise the scene is refused.
    pub split: bool,
    /// Bounds on what is written; a sample is a joint in one frame.
    pub limits: Limits,
}

impl Default for FromIr {
    fn default() -> FromIr {
        FromIr {
            clip: None,
            frames_per_second: None,
            rotation_order: EulerOrder::Zyx,
            unit: 1.0,
            clamp: false,
            split: false,
            limits: Limits::default(),
        }
    }
}

/// A file that a clip became.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// Name of the clip, with `_2`, `_3`, … where it takes several files. As unique as the names of
    /// the clips are.
    pub name: String,
    /// The file.
    pub document: Document<'static>,
}

/// The scene's clips as files; what they cannot say is reported.
///
/// Joint n becomes object n. A frame is what is seen when it starts: clip.start + n / rate seconds.
/// Objects that are hidden have no key, parts that are the identity are left out. Joints that hang
/// from others are written at their place in the model.
///
/// # Errors
///
/// [`FromIrError`] where the scene is not valid ([`anim_ir::validate`]) or does not fit: see the
/// options.
pub fn from_ir(scene: &Scene, options: &FromIr) -> Result<Converted<Vec<Written>>, FromIrError> {
    if let Some(problem) =
        validate(scene).iter().find(|problem| problem.severity() == Severity::Error)
    {
        return Err(FromIrError::Invalid(problem.message.clone()));
    }
    positive(Some(options.unit)).ok_or(FromIrError::Unit(options.unit))?;
    let keyed = scene.in_keys(Axes::YDown, &Bake { limits: options.limits, ..Bake::default() })?;
    let (scene, mut losses) = (&*keyed.value, keyed.losses);
    let mut errors = Errors::default();
    let mut written = Vec::new();
    let mut room = options.limits.samples;
    for clip in clips(scene, options.clip)? {
        let sampling = Sampling::new(scene, clip, rate(scene, clip, options)?)?;
        room = room
            .checked_sub(sampling.samples())
            .ok_or_else(|| too_many(&sampling, room, options))?;
        let sequence = Sequence {
            rate: sampling.rate,
            frames: frames(&sampling, options, &mut errors)?,
            trailing: Vec::new(),
        };
        let documents = if options.split {
            sequence.split()
        } else {
            sequence.write().map(|document| vec![document])
        };
        let documents = documents.map_err(|error| unwritable(clip, error))?;
        written.extend(
            documents
                .into_iter()
                .enumerate()
                .map(|(part, document)| Written { name: part_name(&clip.name, part), document }),
        );
        clip_losses(&sampling, &mut losses);
    }
    scene_losses(scene, &mut losses);
    errors.report(&mut losses);
    Ok(Converted { value: written, losses })
}

fn clips(scene: &Scene, asked: Option<usize>) -> Result<&[Clip], FromIrError> {
    let count = scene.clips.len();
    let found = match asked {
        Some(clip) => scene.clips.get(clip).map(std::slice::from_ref),
        None => Some(scene.clips.as_slice()).filter(|clips| !clips.is_empty()),
    };
    found.ok_or(FromIrError::Clip { clip: asked.unwrap_or(0), count })
}

/// The rate that the file will name.
fn rate(scene: &Scene, clip: &Clip, options: &FromIr) -> Result<i16, FromIrError> {
    let own = match scene.timelines.get(clip.timeline).map(|timeline| timeline.time_base) {
        Some(TimeBase::Frames { per_second }) => whole_rate(per_second),
        _ => None,
    };
    options
        .frames_per_second
        .map_or(Ok(own.unwrap_or(30)), |asked| whole_rate(asked).ok_or(FromIrError::Rate(asked)))
}

fn whole_rate(per_second: f32) -> Option<i16> {
    let rate = crate::quantize::fit(f64::from(per_second)).filter(|rate| *rate > 0)?;
    (f32::from(rate).total_cmp(&per_second).is_eq()).then_some(rate)
}

fn too_many(sampling: &Sampling<'_>, room: usize, options: &FromIr) -> LimitError {
    let most = options.limits.samples;
    let found = (most - room).saturating_add(sampling.samples());
    LimitError { what: "the animation", unit: "samples", found, most }
}

fn unwritable(clip: &Clip, error: WriteError) -> FromIrError {
    FromIrError::Write { clip: escape(&clip.name), error }
}

fn part_name(clip: &str, part: usize) -> String {
    if part == 0 { clip.to_owned() } else { format!("{clip}_{}", part + 1) }
}
