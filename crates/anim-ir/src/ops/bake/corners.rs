//! The times at which a joint's motion jumps or bends.

use std::cell::Cell;

use crate::file::number::narrow;
use crate::model::machine::DEEPEST;
use crate::ops::bake::joint_player::Source;
use crate::ops::bake::tracks::Tracks;
use crate::{Clip, Curve, JointId, Motion, Scene, Sequence, SequenceOrder, StateMachine, Timeline};

/// Maximum number of corners to list for a joint.
const MOST_CORNERS: f64 = 1e7;
/// Maximum number of parts of sequences to visit for a joint.
const MOST_VISITS: usize = 4_000_000;

/// Finds the corners of a joint's motion.
pub(super) struct Corners<'a> {
    scene: &'a Scene,
    tracks: &'a Tracks<'a>,
    joint: JointId,
    /// Number of parts of sequences visited so far.
    visits: Cell<usize>,
}

/// A clip or a part of a clip that is played within a time range.
struct Part<'a> {
    clip: &'a Clip,
    timeline: &'a Timeline,
    /// The offset to add to times in the range to get times on the timeline.
    ahead: f64,
    from: f64,
    to: f64,
}

impl<'a> Corners<'a> {
    pub(super) const fn of(scene: &'a Scene, tracks: &'a Tracks<'a>, joint: JointId) -> Self {
        Corners { scene, tracks, joint, visits: Cell::new(0) }
    }

    /// Returns the times within a range at which the motion jumps or bends, in ascending order, or
    /// `None` if there are too many to list.
    pub(super) fn inside(&self, source: &Source<'_>, from: f64, to: f64) -> Option<Vec<f64>> {
        let count = self.count(source, from, to);
        // The count may exceed any possible list length.
        (count <= MOST_CORNERS && self.visits.get() < MOST_VISITS)
            .then(|| self.list(source, from, to))
    }

    /// Returns an upper bound for the number of corners, not counting the ends of the parts.
    fn count(&self, source: &Source<'_>, from: f64, to: f64) -> f64 {
        let mut count = 0.0;
        self.each_part(source, from, to, &mut |Part { clip, timeline, from, to, .. }| {
            for track in self.tracks.of_joint(clip.timeline, self.joint) {
                count += match &track.curve {
                    Curve::Wave(wave) => wave.corner_count(from, to),
                    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
                    Curve::Keys { .. } => timeline.keys(track).times.len() as f64,
                    Curve::Constant(_) => 0.0,
                };
            }
        });
        count
    }

    fn list(&self, source: &Source<'_>, from: f64, to: f64) -> Vec<f64> {
        let mut corners = Vec::new();
        self.each_part(source, from, to, &mut |Part { clip, timeline, ahead, from, to }| {
            corners.extend([from, to]);
            for track in self.tracks.of_joint(clip.timeline, self.joint) {
                match &track.curve {
                    Curve::Wave(wave) => {
                        let own = wave.corners(from + ahead, to + ahead);
                        corners.extend(own.into_iter().map(|time| time - ahead));
                    }
                    Curve::Keys { .. } => {
                        let own = timeline.keys(track).times.iter();
                        corners.extend(own.map(|time| f64::from(*time) - ahead));
                    }
                    Curve::Constant(_) => {}
                }
            }
        });
        corners.retain(|time| from < *time && *time < to);
        corners.sort_by(f64::total_cmp);
        // Merge times that f32 cannot distinguish.
        corners.dedup_by(|a, b| narrow(*a) <= narrow(*b));
        corners.retain(|time| narrow(from) < narrow(*time) && narrow(*time) < narrow(to));
        corners
    }

    fn each_part(&self, source: &Source<'_>, from: f64, to: f64, visit: &mut dyn FnMut(Part<'_>)) {
        match source {
            Source::Clip { clip, timeline, .. } => {
                visit(Part { clip, timeline, ahead: 0.0, from, to })
            }
            Source::Sequence { machine, sequence } => {
                self.each_in_sequence(machine, sequence, (from, to), DEEPEST, visit)
            }
        }
    }

    fn each_in_sequence(
        &self,
        machine: &StateMachine,
        sequence: &Sequence,
        (from, to): (f64, f64),
        depth: usize,
        visit: &mut dyn FnMut(Part<'_>),
    ) {
        let Some(bounds) = bounds(sequence, from, to) else {
            self.visits.set(MOST_VISITS);
            return;
        };
        for (&from, &to) in bounds.iter().zip(bounds.iter().skip(1)) {
            self.visits.set(self.visits.get().saturating_add(1));
            if self.visits.get() >= MOST_VISITS {
                return;
            }
            let Some(moment) = sequence.at(from + (to - from) * 0.5) else { continue };
            let keys = [Some(moment.key), moment.blend.map(|(next, _)| next)];
            for key in keys.into_iter().flatten() {
                match sequence.state_of(key).and_then(|state| machine.motion(state)) {
                    Some(Motion::Clip(clip)) => {
                        if let Some(clip) = self.scene.clip(*clip)
                            && let Some(timeline) = self.scene.timeline(clip.timeline)
                        {
                            visit(Part { clip, timeline, ahead: clip.start.into(), from, to });
                        }
                    }
                    Some(Motion::Sequence(inner)) if depth > 1 => {
                        let depth = depth.saturating_sub(1);
                        self.each_in_sequence(machine, inner, (from, to), depth, visit);
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Returns the ends of a range and the times in it at which a sequence reaches a key, or `None` if
/// there are too many.
pub(super) fn bounds(sequence: &Sequence, from: f64, to: f64) -> Option<Vec<f64>> {
    let mut bounds: Vec<f64> = vec![from];
    let round = sequence.duration();
    if round > 0.0 {
        // The range may contain several rounds of an inner sequence.
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let parts = ((to - from) / round + 2.0) * sequence.keys().len() as f64;
        if parts > MOST_CORNERS {
            return None;
        }
        let mut began = (from / round).floor() * round;
        while began < to {
            let reached = sequence.boundaries().map(|time| began + time);
            bounds.extend(reached.filter(|time| from < *time && *time < to));
            let next = began + round;
            if next <= began || sequence.order() == SequenceOrder::OnceForwards {
                break;
            }
            began = next;
        }
    }
    bounds.push(to);
    Some(bounds)
}
