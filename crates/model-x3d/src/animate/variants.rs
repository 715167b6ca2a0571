//! Variants: frames of equal structure, and the times at which each take shows them.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use anim_ir::diag::quote;
use anim_ir::{Diagnostic, Diagnostics};

use super::takes::{Frame, Take};
use crate::codes;
use crate::compare::{structure_hash, unify};
use crate::events::Drives;
use crate::graph::{Graph, Node, NodeId};

/// Frames of equal structure from all takes, which share one plan.
#[derive(Debug, Default)]
pub(super) struct Variant {
    pub(super) frames: Vec<Arc<Graph>>,
    /// The takes that show the variant, each with the indices of the runs that show it.
    pub(super) runs: BTreeMap<usize, Vec<usize>>,
}

/// A sequence of consecutive frames of one take with equal structure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    variant: usize,
    /// The index of its first frame in the take and in the variant.
    first: usize,
    first_in_variant: usize,
    count: usize,
}

/// The keys of a take in one variant, as (time, frame of the variant).
pub(super) type Keys = Vec<(f32, usize)>;

/// The times at which visibility changes, each with the new visibility.
pub(super) type Shown = Vec<(f32, bool)>;

/// A variant and its keys in all takes.
pub(super) struct Played<'v> {
    pub(super) frames: &'v [Arc<Graph>],
    /// The takes that show the variant, with their numbers.
    pub(super) takes: Vec<(usize, &'v Take)>,
    /// One entry for each of these takes.
    pub(super) keys: Vec<Keys>,
    /// Whether there is more than one take.
    pub(super) is_of_many: bool,
    /// The takes that sensors play.
    pub(super) all_takes: &'v [Take],
    /// What the sensors of the scene animate.
    pub(super) drives: &'v Drives,
    /// The poses of a shape, in addition to those in the frames, and numbered after them.
    pub(super) poses: Vec<Pose<'v>>,
}

/// A pose of a shape whose points an interpolator sets.
pub(super) struct Pose<'v> {
    pub(super) points: Cow<'v, [f32]>,
    /// The normals, if an interpolator sets them at the same times.
    pub(super) normals: Option<Cow<'v, [f32]>>,
    /// Whether the file contains the pose's numbers, so that it is not charged.
    pub(super) is_given: bool,
}

impl<'v> Played<'v> {
    pub(super) fn new(
        variant: &'v Variant,
        takes: &'v [Take],
        runs: &[Vec<Run>],
        drives: &'v Drives,
    ) -> Played<'v> {
        let shows = |(take, mine): (&usize, &Vec<usize>)| {
            let keys = keys_of(takes.get(*take)?, runs.get(*take)?, mine);
            Some(((*take, takes.get(*take)?), keys))
        };
        let (takes_and_numbers, keys) = variant.runs.iter().filter_map(shows).unzip();
        let is_of_many = takes.len() > 1;
        Played {
            takes: takes_and_numbers,
            keys,
            is_of_many,
            ..Played::still(&variant.frames, drives)
        }
    }

    /// Returns a variant that no take of frames shows.
    pub(super) fn still(frames: &'v [Arc<Graph>], drives: &'v Drives) -> Played<'v> {
        Played {
            frames,
            takes: Vec::new(),
            keys: Vec::new(),
            is_of_many: false,
            all_takes: &[],
            drives,
            poses: Vec::new(),
        }
    }

    /// Returns the number of frames and poses.
    pub(super) fn frame_count(&self) -> usize {
        self.frames.len().saturating_add(self.poses.len())
    }

    /// Returns the versions of a node in the frames. A version that consecutive frames share is
    /// returned once.
    pub(super) fn versions(&self, id: NodeId) -> impl Iterator<Item = &'v Node> {
        versions(self.frames, id)
    }
}

/// Returns the versions of a node in the frames. A version that consecutive frames share is
/// returned once.
pub(super) fn versions(frames: &[Arc<Graph>], id: NodeId) -> impl Iterator<Item = &Node> {
    let mut last: Option<&Arc<Node>> = None;
    frames.iter().filter_map(move |graph| {
        let node = graph.nodes.get(id.index())?;
        if last.replace(node).is_some_and(|last| Arc::ptr_eq(last, node)) {
            None
        } else {
            Some(node.as_ref())
        }
    })
}

/// Splits a take into runs, and adds their frames to the variants.
pub(super) fn find_runs(
    (take_number, take): (usize, &mut Take),
    variants: &mut Vec<Variant>,
    by_structure: &mut HashMap<u64, Vec<usize>>,
    losses: &mut Diagnostics,
) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut before: Option<Arc<Graph>> = None;
    for (number, frame) in take.frames.iter_mut().enumerate() {
        let difference = match &before {
            None => None,
            Some(before) if Arc::ptr_eq(before, &frame.graph) => None,
            Some(before) => unify(before, Arc::make_mut(&mut frame.graph), take.tolerance),
        };
        let starts = before.is_none() || difference.is_some();
        if let Some(difference) = difference {
            losses.report(&codes::FRAMES_DIFFER, || {
                let what = format!(
                    "frame {number} of clip {} differs in structure from the previous frame",
                    quote(take.clip.name.as_bytes())
                );
                let span = difference.span.or(frame.span);
                Diagnostic::new(&codes::FRAMES_DIFFER, span, format!("{what}: {}", difference.what))
            });
        }
        if starts {
            let variant = find_variant(frame, variants, by_structure);
            let first_in_variant = variants.get(variant).map_or(0, |variant| variant.frames.len());
            if let Some(variant) = variants.get_mut(variant) {
                variant.runs.entry(take_number).or_default().push(runs.len());
            }
            runs.push(Run { variant, first: number, first_in_variant, count: 0 });
        }
        if let Some(run) = runs.last_mut() {
            run.count = run.count.saturating_add(1);
            if let Some(variant) = variants.get_mut(run.variant) {
                variant.frames.push(Arc::clone(&frame.graph));
            }
        }
        before = Some(Arc::clone(&frame.graph));
    }
    runs
}

fn find_variant(
    frame: &mut Frame,
    variants: &mut Vec<Variant>,
    by_structure: &mut HashMap<u64, Vec<usize>>,
) -> usize {
    let candidates = by_structure.entry(structure_hash(&frame.graph)).or_default();
    for candidate in candidates.iter() {
        let Some(known) = variants.get(*candidate).and_then(|variant| variant.frames.first())
        else {
            continue;
        };
        if Arc::ptr_eq(known, &frame.graph)
            || unify(known, Arc::make_mut(&mut frame.graph), 0.0).is_none()
        {
            return *candidate;
        }
    }
    variants.push(Variant::default());
    let index = variants.len().saturating_sub(1);
    candidates.push(index);
    index
}

/// Returns the keys of a take in a variant: the times at which it shows each frame. `mine` are the
/// indices of the runs that show the variant.
fn keys_of(take: &Take, runs: &[Run], mine: &[usize]) -> Keys {
    let mut keys = Keys::new();
    let mut mine = mine.iter().filter_map(|number| Some((*number, runs.get(*number)?))).peekable();
    while let Some((number, run)) = mine.next() {
        let times = take.frames.iter().skip(run.first).take(run.count).map(|frame| frame.time);
        keys.extend(times.zip(run.first_in_variant..));
        // Hold the last frame until the variant is hidden. Otherwise it would be blended with the
        // first frame of the variant's next run.
        let hidden =
            runs.get(number.saturating_add(1)).and_then(|next| take.frames.get(next.first));
        if let (Some(hidden), Some(_), Some((last, frame))) =
            (hidden, mine.peek(), keys.last().copied())
            && hidden.time.next_down() > last
        {
            keys.push((hidden.time.next_down(), frame));
        }
    }
    keys
}

/// Returns the times at which a take shows (true) or hides (false) a variant. `mine` are the
/// indices of the runs that show it.
pub(super) fn shown_of(take: &Take, runs: &[Run], mine: &[usize]) -> Shown {
    let time = |run: &Run| take.frames.get(run.first).map_or(0.0, |frame| frame.time);
    let shown = around(mine).filter_map(|(number, is)| Some((time(runs.get(number)?), is)));
    changes(shown, (take.clip.start, false))
}

/// Returns ascending numbers together with the number after each of them, without duplicates.
pub(super) fn with_next(numbers: &[usize]) -> Vec<usize> {
    let both = numbers.iter().flat_map(|number| [*number, number.saturating_add(1)]);
    let mut both: Vec<usize> = both.collect();
    both.dedup();
    both
}

/// Returns the indices at which membership in ascending `numbers` may change, each with whether it
/// is a member: 0, each number, and the number after it.
pub(super) fn around(numbers: &[usize]) -> impl Iterator<Item = (usize, bool)> {
    let first = (numbers.first() != Some(&0)).then_some(0);
    let all = first.into_iter().chain(with_next(numbers));
    all.map(|number| (number, numbers.binary_search(&number).is_ok()))
}

/// Returns the moments at which visibility changes. If there are no moments at all, returns only
/// `otherwise`.
pub(super) fn changes(moments: impl Iterator<Item = (f32, bool)>, otherwise: (f32, bool)) -> Shown {
    let mut shown: Shown = moments.collect();
    shown.dedup_by_key(|(_, is)| *is);
    if shown.is_empty() { vec![otherwise] } else { shown }
}
