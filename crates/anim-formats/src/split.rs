//! Splits a long take into the named clips defined by an ANM text file.

use std::collections::HashSet;

use anim_ir::diag::{plural, quote};
use anim_ir::number::narrow;
use anim_ir::{
    Budget, Channel, Clip, ClipId, Converted, Cut, Diagnostics, Event, Interpolation, LimitError,
    Scene, Skeleton, Target, Timeline, TimelineId, Track, sort_by,
};
use fmt_anm_text::{BindOptions, Bound, Document, bind};
use thiserror::Error;

use crate::codes;
use crate::registry::AnyDocument;

/// Options for splitting a take.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SplitOptions {
    /// How to interpret bones, events and times.
    pub bind: BindOptions,
    /// How to assign the keys to clips.
    pub cut: Cut,
}

/// A take to split: a clip of a scene, or several clips with the same name that animate different
/// skeletons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Take {
    /// Its name.
    pub name: String,
    /// The clips of the scene, in order.
    pub clips: Vec<ClipId>,
}

/// An error that prevents a take from being split.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SplitError {
    /// The model is a state machine, whose states do not share a timeline.
    #[error("cannot split a state machine: its states do not share a timeline")]
    States,
    /// The take does not exist or animates nothing.
    #[error("the take does not animate a skeleton")]
    Take,
    /// No range contains a key or an event.
    #[error(
        "{} a key or an event of the model; do they use a different frame rate (--fps)?",
        if *.0 == 1 {
            "the only range does not contain".to_owned()
        } else {
            format!("none of the {0} ranges contains", .0)
        }
    )]
    Nothing(usize),
    /// The limits are exceeded.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

/// Returns the ANM text document, or `None` if the document has a different format.
pub fn cuts_of<'a>(document: &'a AnyDocument<'_>) -> Option<&'a Document<'a>> {
    match document {
        AnyDocument::AnmText(cuts) => Some(cuts),
        #[allow(unreachable_patterns, reason = "other formats may not be built in")]
        _ => None,
    }
}

/// Returns the takes of a scene: its clips, where consecutive clips with the same name and
/// different skeletons form one take.
pub fn takes(scene: &Scene) -> Vec<Take> {
    let skeleton = |clip: &Clip| scene.timeline(clip.timeline).map(|timeline| timeline.skeleton);
    let mut takes: Vec<Take> = Vec::new();
    for (index, clip) in scene.enumerate_clips() {
        let is_same = |take: &&mut Take| {
            let others = take.clips.iter().filter_map(|other| scene.clip(*other));
            take.name == clip.name
                && others.into_iter().all(|other| skeleton(other) != skeleton(clip))
        };
        match takes.last_mut().filter(is_same) {
            Some(take) => take.clips.push(index),
            None => takes.push(Take { name: clip.name.clone(), clips: vec![index] }),
        }
    }
    takes
}

/// Notes clips that start later than 0 s (`split-starts-late`), for formats in which keys keep
/// their times.
pub fn note_late_clips(scene: &Scene) -> Diagnostics {
    let mut late = scene.clips.iter().filter(|clip| clip.start > 0.0);
    let mut losses = Diagnostics::new();
    if let Some(first) = late.next() {
        losses.push(&codes::SPLIT_LATE, None, || {
            let others = match late.count() {
                0 => String::new(),
                more => format!(" (and {} later than 0 s)", plural(more, "other clip")),
            };
            format!(
                "{} starts at {} s{others}, and players show a still pose until then; use \
                 --rebase to start each clip at 0 s",
                quote(first.name.as_bytes()),
                first.start
            )
        });
    }
    losses
}

/// Replaces a take with the animations of a document. The spans of diagnostics refer to the
/// document.
///
/// # Errors
///
/// Returns a [`SplitError`], in which case the scene is unchanged.
pub fn split(
    scene: &mut Scene,
    take: &Take,
    cuts: &Document<'_>,
    options: &SplitOptions,
) -> Result<Diagnostics, SplitError> {
    if !scene.machines.is_empty() {
        return Err(SplitError::States);
    }
    let mut losses = Diagnostics::new();
    // The clips are usually written, which takes memory as well.
    let budget = Budget::for_scene(&options.bind.limits, scene).half();
    let index = part(scene, take, cuts, &mut losses).ok_or(SplitError::Take)?;
    let timeline = scene.timeline(index).ok_or(SplitError::Take)?;
    let skeleton = scene.skeleton(timeline.skeleton).ok_or(SplitError::Take)?;
    let Converted { value: bound, losses: problems } =
        bind(cuts, skeleton, timeline, &options.bind)?;
    losses.append(problems);
    if bound.clips.is_empty() {
        return Err(SplitError::Nothing(cuts.sets().map(|set| set.clips().len()).sum()));
    }
    if !options.cut.borders {
        report_open(&bound.clips, timeline, scene, &budget, &mut losses);
    }
    let Bound { clips, events, .. } = bound;
    let timeline = scene.timeline_mut(index).ok_or(SplitError::Take)?;
    let own_events = timeline.events.clone();
    timeline.events.extend(events);
    sort_by(&mut timeline.events, Event::by_time);
    let parts = parts(clips, timeline, options, &budget, &mut losses)
        .inspect_err(|_| timeline.events = own_events)?;
    scene.remove_clips(|_, clip| clip.timeline == index);
    for (clip, part) in parts {
        let timeline = scene.add_timeline(part);
        scene.add_clip(Clip { timeline, ..clip });
    }
    Ok(losses)
}

/// Returns the timeline of the take whose skeleton has the most bones of the document, which is the
/// one to split. Reports bones that are in other skeletons.
fn part(
    scene: &Scene,
    take: &Take,
    cuts: &Document<'_>,
    losses: &mut Diagnostics,
) -> Option<TimelineId> {
    let bones: HashSet<String> =
        cuts.sets().flat_map(|set| set.bones()).map(|bone| bone.name().into_owned()).collect();
    let of = |skeleton: &Skeleton| {
        skeleton.joints.iter().filter(|joint| bones.contains(&joint.name)).count()
    };
    let parts = take.clips.iter().filter_map(|clip| {
        let index = scene.clip(*clip)?.timeline;
        let skeleton = scene.skeleton(scene.timeline(index)?.skeleton)?;
        Some((index, of(skeleton), skeleton))
    });
    let parts: Vec<_> = parts.collect();
    // Ties are resolved in favour of the first.
    let (chosen, ..) = parts.iter().rev().max_by_key(|(_, count, _)| *count).copied()?;
    for (_, count, skeleton) in
        parts.iter().filter(|(index, count, _)| *index != chosen && *count > 0)
    {
        losses.push(&codes::SPLIT_ELSEWHERE, None, || {
            format!(
                "{count} of the bones are in skeleton {}, for which the take is not split",
                quote(skeleton.name.as_bytes())
            )
        });
    }
    Some(chosen)
}

/// Reports clips that move differently from the take because they have no keys at their borders.
/// The budget bounds the number of tracks to compare.
fn report_open(
    clips: &[Clip],
    take: &Timeline,
    scene: &Scene,
    budget: &Budget,
    losses: &mut Diagnostics,
) {
    let most = budget.left() / size_of::<Track>() / take.tracks().len().max(1);
    for clip in clips.iter().take(most) {
        let open = take.open_tracks(clip, scene);
        if open > 0 {
            losses.push(&codes::SPLIT_OPEN, None, || {
                let name = quote(clip.name.as_bytes());
                format!(
                    "animation {name} has no key at its start or end, but the take moves there \
                     ({})",
                    plural(open, "track")
                )
            });
        }
    }
    if clips.len() > most {
        losses.push(&codes::SPLIT_OPEN, None, || {
            "further animations were not compared with the take".to_owned()
        });
    }
}

/// The name of split content in error messages.
const SPLIT: &str = "the keys and events of the split clips";

/// Cuts the timeline of the take into a timeline for each clip.
fn parts(
    clips: Vec<Clip>,
    take: &Timeline,
    options: &SplitOptions,
    budget: &Budget,
    losses: &mut Diagnostics,
) -> Result<Vec<(Clip, Timeline)>, LimitError> {
    let cubic: HashSet<Target> = rotations(take, Interpolation::Cubic).collect();
    let mut parts = Vec::with_capacity(clips.len());
    for mut clip in clips {
        let mut part = take.cut(&clip, options.cut);
        // Overlapping clips duplicate keys and events.
        budget.charge(SPLIT, part.size())?;
        let sampled =
            rotations(&part, Interpolation::Linear).filter(|target| cubic.contains(target)).count();
        if sampled > 0 {
            losses.push(&codes::SPLIT_SAMPLED, None, || {
                format!(
                    "animation {}: cubic rotations are sampled ({})",
                    quote(clip.name.as_bytes()),
                    plural(sampled, "track")
                )
            });
        }
        if options.cut.rebase {
            // The difference is computed in f64 and rounded only once, as for key times.
            (clip.start, clip.end) = (0.0, narrow(f64::from(clip.end) - f64::from(clip.start)));
            // The new timeline no longer shares the key times of the take.
            part.name.clone_from(&clip.name);
        }
        parts.push((clip, part));
    }
    Ok(parts)
}

/// Returns the targets of rotation tracks with this interpolation.
fn rotations(timeline: &Timeline, interpolation: Interpolation) -> impl Iterator<Item = Target> {
    let is_of_kind = move |track: &&Track| {
        track.channel == Channel::Rotation && timeline.keys(track).interpolation == interpolation
    };
    timeline.tracks().iter().filter(is_of_kind).map(|track| track.target)
}
