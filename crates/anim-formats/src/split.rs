//! A long take cut into named clips, as ANM text says.

use std::collections::HashSet;

use anim_ir::diag::{plural, quote};
use anim_ir::number::narrow;
use anim_ir::{
    Category, Channel, Clip, Code, Converted, Cut, Diagnostics, Event, Interpolation, LimitError, Limits, Scene, Severity, Skeleton, Target,
    Timeline, Track,
};
use fmt_anm_text::{BindOptions, Bound, Document, bind};
use thiserror::Error;

/// A clip that plays otherwise than its part of the take.
pub(crate) static OPEN: Code = Code {
    id: "split-open",
    severity: Severity::Warning,
    category: Category::Loss,
    meaning: "A clip has the keys that are in its range. Tracks with keys before and behind it, but none at its border, start later than the clip, end earlier, \
              or are at rest throughout.",
    example: "an 10 20 wave, on a take with keys at frames 0, 15 and 30",
    action: "The clip is as the file says; the option `borders` (`--borders`) adds keys at its start and end.",
};

/// Bones of the model that the cuts cannot reach.
pub(crate) static ELSEWHERE: Code = Code {
    id: "split-elsewhere",
    severity: Severity::Warning,
    category: Category::Loss,
    meaning: "The take moves several skeletons, and the cuts name bones of more than one. A cut is for one skeleton.",
    example: "",
    action: "The skeleton with the most of the bones is cut; the take stays whole for the others.",
};

/// Cubic rotations that are sampled.
pub(crate) static SAMPLED: Code = Code {
    id: "split-sampled",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "A clip is to look as the take does at its borders, and begins or ends between the keys of a rotation on a cubic curve, which has no key for that.",
    example: "",
    action: "The track has straight lines instead, as many as it takes to be near the curve.",
};

/// All codes of this module.
pub(crate) static CODES: [&Code; 3] = [&OPEN, &ELSEWHERE, &SAMPLED];

/// How to cut.
#[derive(Clone, Copy, Debug, Default)]
pub struct SplitOptions {
    /// How bones, events and times are meant.
    pub bind: BindOptions,
    /// What is done to the keys.
    pub cut: Cut,
}

/// Something long to cut: a clip of a scene, or several of one name that move a skeleton each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Take {
    /// Its name.
    pub name: String,
    /// Clips of the scene, in order.
    pub clips: Vec<usize>,
}

/// Why nothing was cut.
#[derive(Debug, Error)]
pub enum SplitError {
    /// States have no timeline that could be cut.
    #[error("the model has states, each with a time of its own; only keys on one timeline can be cut")]
    States,
    /// There is no such take, or it moves nothing.
    #[error("the take moves no skeleton")]
    Take,
    /// No range holds anything.
    #[error("none of the {0} ranges has a key or an event of the model; are they counted in other frames a second?")]
    Nothing(usize),
    /// More than the limits allow.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

/// What can be cut: the clips of a scene, those of one name one behind the other for different skeletons as one.
pub fn takes(scene: &Scene) -> Vec<Take> {
    let skeleton = |clip: &Clip| scene.timelines.get(clip.timeline).map(|timeline| timeline.skeleton);
    let mut takes: Vec<Take> = Vec::new();
    for (index, clip) in scene.clips.iter().enumerate() {
        let is_same = |take: &&mut Take| {
            let others = take.clips.iter().filter_map(|other| scene.clips.get(*other));
            take.name == clip.name && others.into_iter().all(|other| skeleton(other) != skeleton(clip))
        };
        match takes.last_mut().filter(is_same) {
            Some(take) => take.clips.push(index),
            None => takes.push(Take { name: clip.name.clone(), clips: vec![index] }),
        }
    }
    takes
}

/// Puts the animations of a document into the place of a take. Problems point into the document.
///
/// # Errors
///
/// [`SplitError`]; the scene is then as it was.
pub fn split(scene: &mut Scene, take: &Take, cuts: &Document<'_>, options: &SplitOptions) -> Result<Diagnostics, SplitError> {
    if !scene.machines.is_empty() {
        return Err(SplitError::States);
    }
    let mut losses = Diagnostics::new();
    let index = part(scene, take, cuts, &mut losses).ok_or(SplitError::Take)?;
    let timeline = scene.timelines.get(index).ok_or(SplitError::Take)?;
    let skeleton = scene.skeletons.get(timeline.skeleton).ok_or(SplitError::Take)?;
    let Converted { value: bound, losses: problems } = bind(cuts, skeleton, timeline, &options.bind)?;
    losses.append(problems);
    if bound.clips.is_empty() {
        return Err(SplitError::Nothing(cuts.sets().map(|set| set.clips().len()).sum()));
    }
    if !options.cut.borders {
        report_open(&bound.clips, timeline, skeleton, &options.bind.limits, &mut losses);
    }
    let parts = parts(bound, timeline, options, &mut losses)?;
    scene.clips.retain(|clip| clip.timeline != index);
    scene.timelines.remove(index);
    for clip in scene.clips.iter_mut().filter(|clip| clip.timeline > index) {
        clip.timeline = clip.timeline.saturating_sub(1);
    }
    for (clip, part) in parts {
        scene.clips.push(Clip { timeline: scene.timelines.len(), ..clip });
        scene.timelines.push(part);
    }
    Ok(losses)
}

/// The timeline of a take that moves the most of the bones.
fn part(scene: &Scene, take: &Take, cuts: &Document<'_>, losses: &mut Diagnostics) -> Option<usize> {
    let bones: HashSet<String> = cuts.sets().flat_map(|set| set.bones()).map(|bone| bone.name().into_owned()).collect();
    let of = |skeleton: &Skeleton| skeleton.joints.iter().filter(|joint| bones.contains(&joint.name)).count();
    let parts = take.clips.iter().filter_map(|clip| {
        let index = scene.clips.get(*clip)?.timeline;
        let skeleton = scene.skeletons.get(scene.timelines.get(index)?.skeleton)?;
        Some((index, of(skeleton), skeleton))
    });
    let parts: Vec<_> = parts.collect();
    // The first of several equals.
    let (chosen, ..) = parts.iter().rev().max_by_key(|(_, count, _)| *count).copied()?;
    for (_, count, skeleton) in parts.iter().filter(|(index, count, _)| *index != chosen && *count > 0) {
        losses.push(&ELSEWHERE, None, || format!("{count} of the bones are in skeleton {}, which is not cut", quote(skeleton.name.as_bytes())));
    }
    Some(chosen)
}

/// Tells of clips that do not look as the take does, as long as there are not too many tracks to look at.
fn report_open(clips: &[Clip], take: &Timeline, skeleton: &Skeleton, limits: &Limits, losses: &mut Diagnostics) {
    let most = limits.samples / take.tracks().len().max(1);
    for clip in clips.iter().take(most) {
        let open = take.open_tracks(clip, skeleton);
        if open > 0 {
            losses.push(&OPEN, None, || {
                let name = quote(clip.name.as_bytes());
                format!("animation {name}: the take moves beyond its border where it has no key ({})", plural(open, "track"))
            });
        }
    }
    if clips.len() > most {
        losses.push(&OPEN, None, || "there are more animations, which were not compared with the take".to_owned());
    }
}

/// Each clip with a timeline of its own.
fn parts(bound: Bound, take: &Timeline, options: &SplitOptions, losses: &mut Diagnostics) -> Result<Vec<(Clip, Timeline)>, LimitError> {
    let Cut { rebase, .. } = options.cut;
    // Clips that overlap multiply keys.
    let most = options.bind.limits.samples.saturating_add(take.key_count());
    let cubic: HashSet<Target> = rotations(take, Interpolation::Cubic).collect();
    let mut keys = 0_usize;
    let mut parts = Vec::with_capacity(bound.clips.len());
    for mut clip in bound.clips {
        let mut part = take.cut(&clip, options.cut);
        keys = keys.saturating_add(part.key_count());
        if keys > most {
            return Err(LimitError { what: "what is cut out", unit: "keys", found: keys, most });
        }
        let sampled = rotations(&part, Interpolation::Linear).filter(|target| cubic.contains(target)).count();
        if sampled > 0 {
            losses.push(&SAMPLED, None, || format!("animation {}: {}", quote(clip.name.as_bytes()), plural(sampled, "track")));
        }
        let first = bound.events.partition_point(|event| event.time < clip.start);
        let own = bound.events.iter().skip(first).take_while(|event| event.time <= clip.end).filter(|event| clip.takes(event));
        let moved = |time: f32| if rebase { narrow(f64::from(time) - f64::from(clip.start)) } else { time };
        part.events.extend(own.map(|event| Event { time: moved(event.time), ..event.clone() }));
        part.events.sort_by(|a, b| a.time.total_cmp(&b.time));
        if rebase {
            (clip.start, clip.end) = (0.0, moved(clip.end));
            // Its times are no longer those of the take.
            part.name.clone_from(&clip.name);
        }
        parts.push((clip, part));
    }
    Ok(parts)
}

/// What is turned by keys of that kind.
fn rotations(timeline: &Timeline, interpolation: Interpolation) -> impl Iterator<Item = Target> {
    let is_of_kind = move |track: &&Track| track.channel == Channel::Rotation && timeline.keys(track).interpolation == interpolation;
    timeline.tracks().iter().filter(is_of_kind).map(|track| track.target)
}
