//! Bakes clips and sequences to keys, one joint at a time.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::file::number::narrow;
use crate::model::machine::DEEPEST;
use crate::ops::bake::corners::Corners;
use crate::ops::bake::joint_player::{JointPlayer, Source};
use crate::ops::bake::place::{Place, Range};
use crate::ops::bake::tracks::{Tracks, copy_plain};
use crate::{
    Budget, Channel, Clip, ClipId, Interpolation, Joint, JointId, JointRef, LimitError, Motion,
    PoseSpace, Scene, Sequence, SequenceOrder, SkeletonId, StateId, StateMachine, Target, Timeline,
    TimelineBuilder, Wrap, insert_all,
};

crate::options! {
    /// Baking options.
    #[derive(Copy)]
    pub struct Bake {
        /// Maximum deviation from the original motion, relative to how far the joint moves, rotates
        /// or scales in the clip.
        tolerance (with_tolerance): f64 = 0.001;
    }
}

/// Maximum number of times that an interval between two corners (times at which the motion jumps or
/// bends) is halved.
const MOST_HALVINGS: u32 = 16;

/// What is charged for an evaluation, mostly for its time. A key takes at least four evaluations
/// and about 60 bytes.
const SAMPLE_BYTES: usize = 32;

/// Builds timelines with baked keys.
pub(in crate::ops) struct Baker<'a> {
    scene: &'a Scene,
    options: &'a Bake,
    tracks: Rc<Tracks<'a>>,
    budget: &'a Budget,
}

impl<'a> Baker<'a> {
    pub(in crate::ops) fn new(
        scene: &'a Scene,
        options: &'a Bake,
        budget: &'a Budget,
    ) -> Baker<'a> {
        Baker { scene, options, tracks: Rc::new(Tracks::of(scene)), budget }
    }

    /// Charges evaluations, of which a few become one key.
    fn spend(&self, samples: usize) -> Result<(), LimitError> {
        self.budget.charge("the keys of baked motion", samples.saturating_mul(SAMPLE_BYTES))
    }

    /// Bakes the motion of a clip, with the times of its timeline.
    pub(in crate::ops) fn clip(
        &mut self,
        id: ClipId,
        clip: &'a Clip,
        timeline: &'a Timeline,
    ) -> Result<Timeline, LimitError> {
        let moved = self.tracks.joints(clip.timeline);
        let joints: BTreeSet<JointId> = insert_all(moved.filter(|joint| clip.has_joint(*joint)));
        let mut builder = TimelineBuilder::new(timeline.name.as_str())
            .with_skeleton(timeline.skeleton)
            .with_time_base(timeline.time_base)
            .with_pose_space(timeline.pose_space);
        copy_plain(timeline, &joints, &mut builder);
        let source = Source::Clip { id, clip, timeline };
        let range = (f64::from(clip.start), f64::from(clip.end));
        for joint in joints {
            if let Some(rest) = self.joint_of(timeline.skeleton, joint)
                && self.tracks.has_more_than_keys(clip.timeline, joint)
            {
                self.joint(&source, (joint, rest), timeline.pose_space, range, &mut builder)?;
            }
        }
        timeline.events_in(clip).for_each(|event| builder.event(event.clone()));
        Ok(builder.finish())
    }

    /// Bakes one round of a sequence. If a round has no duration, bakes the clip, or one round of
    /// the sequence, of the state in which it stays.
    pub(super) fn sequence(
        &mut self,
        machine: &'a StateMachine,
        sequence: &'a Sequence,
    ) -> Result<(Clip, Timeline), LimitError> {
        let (mut end, mut wrap) = round_of(sequence);
        if end == 0.0 {
            let state = sequence.at(0.0).and_then(|moment| sequence.state_of(moment.key));
            let motion = state.and_then(|state| machine.lasting(machine.motion(state)?));
            match motion {
                Some(Motion::Clip(clip)) => {
                    if let Some(clip) = self.scene.clip(*clip) {
                        (end, wrap) = (f64::from(clip.end) - f64::from(clip.start), clip.wrap);
                    }
                }
                Some(Motion::Sequence(inner)) => (end, wrap) = round_of(inner),
                None => {}
            }
        }
        let mut builder = TimelineBuilder::new("").with_skeleton(machine.skeleton);
        let source = Source::Sequence { machine, sequence };
        for joint in self.joints(machine, sequence)? {
            if let Some(rest) = self.joint_of(machine.skeleton, joint) {
                let space = PoseSpace::ParentRelative;
                self.joint(&source, (joint, rest), space, (0.0, end), &mut builder)?;
            }
        }
        Ok((Clip { end: narrow(end), wrap, ..Clip::default() }, builder.finish()))
    }

    fn joint_of(&self, skeleton: SkeletonId, joint: JointId) -> Option<&'a Joint> {
        self.scene.joint(JointRef { skeleton, joint })
    }

    /// Returns the joints moved by any state of a sequence, directly or through nested sequences,
    /// up to the maximum nesting depth.
    fn joints(
        &mut self,
        machine: &StateMachine,
        sequence: &Sequence,
    ) -> Result<BTreeSet<JointId>, LimitError> {
        let mut joints = BTreeSet::new();
        let mut level: Vec<StateId> = sequence.keys().iter().filter_map(|key| key.state).collect();
        let mut seen: BTreeSet<StateId> = insert_all(level.iter().copied());
        for _ in 0..DEEPEST {
            self.spend(level.len())?;
            let mut below = Vec::new();
            for state in level {
                match machine.motion(state) {
                    Some(Motion::Clip(clip)) => {
                        let Some(clip) = self.scene.clip(*clip) else { continue };
                        let moved = self.tracks.joints(clip.timeline);
                        joints.extend(moved.filter(|joint| clip.has_joint(*joint)));
                    }
                    Some(Motion::Sequence(inner)) => {
                        let states = inner.keys().iter().filter_map(|key| key.state);
                        below.extend(states.filter(|state| seen.insert(*state)));
                    }
                    None => {}
                }
            }
            level = below;
        }
        Ok(joints)
    }

    /// Bakes one joint.
    fn joint(
        &mut self,
        source: &Source<'a>,
        (joint, rest): (JointId, &'a Joint),
        pose_space: PoseSpace,
        (from, to): (f64, f64),
        builder: &mut TimelineBuilder,
    ) -> Result<(), LimitError> {
        let corners = Corners::of(self.scene, &self.tracks, joint).inside(source, from, to);
        self.spend(corners.as_ref().map_or(usize::MAX, Vec::len))?;
        let mut player =
            JointPlayer::new(self.scene, Rc::clone(&self.tracks), (joint, rest), pose_space);
        let mut bounds = vec![from];
        bounds.extend(corners.unwrap_or_default());
        if to > from {
            bounds.push(to);
        }
        // The values just after the start and just before the end of each interval, since the
        // motion may jump at a corner.
        let mut pieces: Vec<[(f64, Place); 2]> = Vec::new();
        for (&start, &end) in bounds.iter().zip(bounds.iter().skip(1)) {
            let inside = (end - start) * 1e-9;
            pieces.push([
                (start, player.at(source, start + inside)),
                (end, player.at(source, end - inside)),
            ]);
            self.spend(player.take_looks())?;
        }
        if pieces.is_empty() {
            let place = player.at(source, from);
            pieces.push([(from, place), (from, place)]);
        }
        let range = Range::of(&pieces, |time| player.at(source, time));
        self.spend(player.take_looks())?;
        let (target, at_rest) = (Target::Joint(joint), player.at_rest());
        for channel in [Channel::Translation, Channel::Rotation, Channel::Scale] {
            let Keys { times, values, .. } =
                self.channel(source, &mut player, &pieces, channel, &range)?;
            let rest = at_rest.numbers(channel);
            let rest = rest.as_slice();
            let first = values.get(..rest.len()).unwrap_or_default();
            let still = values.chunks_exact(rest.len()).all(|value| value == first);
            // Cannot fail: times are ascending and values are finite.
            let added = if !still {
                builder.keys(target, channel, Interpolation::Linear, &times, values)
            } else if first == rest {
                Ok(())
            } else {
                builder.constant(target, channel, first)
            };
            debug_assert_eq!(added, Ok(()));
        }
        Ok(())
    }

    /// Returns the keys of one channel: at corners, and between them where linear interpolation is
    /// not accurate enough.
    fn channel(
        &mut self,
        source: &Source<'a>,
        player: &mut JointPlayer<'a>,
        pieces: &[[(f64, Place); 2]],
        channel: Channel,
        range: &Range,
    ) -> Result<Keys, LimitError> {
        let tolerance = range.tolerance(channel, self.options.tolerance);
        let mut keys = Keys::new(channel, tolerance);
        let mut open = Vec::new();
        for [start, end] in pieces {
            keys.put(start.0, &start.1);
            // From left to right: after a split, the right half is below the left half on the
            // stack.
            open.push((*start, *end, 0_u32));
            while let Some((a, b, depth)) = open.pop() {
                let probes = [0.23, 0.5, 0.81]
                    .map(|part| (part, player.at(source, a.0 + (b.0 - a.0) * part)));
                self.spend(player.take_looks())?;
                let near = probes.iter().all(|(part, place)| {
                    place.distance(&a.1.toward(&b.1, *part), channel) <= tolerance
                });
                if near || depth >= MOST_HALVINGS {
                    keys.put(b.0, &b.1);
                } else {
                    let [_, (_, half), _] = probes;
                    let middle = (a.0 + (b.0 - a.0) * 0.5, half);
                    open.push((middle, b, depth.saturating_add(1)));
                    open.push((a, middle, depth.saturating_add(1)));
                }
            }
        }
        Ok(keys)
    }
}

/// Returns the duration of a round of a sequence, and whether rounds follow each other.
fn round_of(sequence: &Sequence) -> (f64, Wrap) {
    let once = sequence.order() == SequenceOrder::OnceForwards;
    (sequence.duration(), if once { Wrap::Once } else { Wrap::Loop })
}

/// The keys of a channel, sorted by time, each with the same count of numbers.
struct Keys {
    channel: Channel,
    tolerance: f64,
    times: Vec<f32>,
    values: Vec<f32>,
    /// The joint's transform at the last key.
    at_last: Option<Place>,
}

impl Keys {
    const fn new(channel: Channel, tolerance: f64) -> Keys {
        Keys { channel, tolerance, times: Vec::new(), values: Vec::new(), at_last: None }
    }

    fn put(&mut self, time: f64, place: &Place) {
        let (time, value) = (narrow(time), place.numbers(self.channel));
        let last = self.at_last.replace(*place);
        let jumps = last.is_some_and(|last| last.distance(place, self.channel) > self.tolerance);
        if self.times.last().is_some_and(|last| *last >= time) {
            if !jumps {
                return;
            }
            // The value jumps. Hold the old value until just before the jump.
            let before = time.next_down();
            if let [.., second, _] = *self.times.as_slice()
                && second >= before
            {
                self.times.pop();
                self.values.truncate(self.values.len().saturating_sub(value.as_slice().len()));
            } else if let Some(last) = self.times.last_mut() {
                *last = before;
            }
        }
        self.times.push(time);
        self.values.extend_from_slice(value.as_slice());
    }
}
