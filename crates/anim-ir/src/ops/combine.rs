//! Combines clips that move different joints into one.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use thiserror::Error;

use crate::file::number::{count, narrow};
use crate::ops::bake::Baker;
use crate::{
    Bake, Budget, Clip, ClipId, Curve, Cut, Event, Interpolation, JointId, JointMask, Keys,
    LimitError, Scene, Skeleton, Target, Timeline, TimelineBuilder, TimelineId, Track, Wave,
    WaveShape, Wrap, insert_all,
};

/// The memory charged for each value of a repeated key.
const VALUE_BYTES: usize = 8;
/// How much later or earlier a repeated wave may be than the rounds of its clip, in periods.
const LATE: f64 = 1e-4;

/// The error for clips that cannot be combined.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CombineError {
    /// A clip, its timeline or its skeleton does not exist.
    #[error("a clip does not exist")]
    NoClip,
    /// The clips move different skeletons.
    #[error("the clips move different skeletons")]
    Skeletons,
    /// The timelines have different pose spaces.
    #[error("the keys of some clips are relative to the parent, of others to the rest pose")]
    Spaces,
    /// Too many keys.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

impl Scene {
    /// Adds a clip that plays several clips at once, from 0 s, as layers of full weight in a
    /// [`crate::Mixer`]: a joint or node that several of them move follows the last one. It is as
    /// long as the longest of them. Loops are repeated up to there, and all others hold their last
    /// pose; the waves of a clip are baked as by [`Scene::baked`] if they would continue instead.
    /// The clip has the wrap mode of the longest clip, and the events of all.
    ///
    /// # Errors
    ///
    /// Returns [`CombineError`] if the clips do not exist, or differ in their skeleton or pose
    /// space, or if baked or repeated keys exceed the budget.
    pub fn combine(
        &mut self,
        name: &str,
        clips: &[ClipId],
        budget: &Budget,
    ) -> Result<ClipId, CombineError> {
        let (timeline, clip) = self.combined(name, clips, budget)?;
        let timeline = self.add_timeline(timeline);
        Ok(self.add_clip(Clip { timeline, ..clip }))
    }

    fn combined(
        &self,
        name: &str,
        clips: &[ClipId],
        budget: &Budget,
    ) -> Result<(Timeline, Clip), CombineError> {
        let mut parts = Vec::with_capacity(clips.len());
        for id in clips {
            let clip = self.clip(*id).ok_or(CombineError::NoClip)?;
            let (timeline, skeleton) = self.motion_of(clip).ok_or(CombineError::NoClip)?;
            parts.push(Part { timeline: Cow::Borrowed(timeline), skeleton, clip });
        }
        let longest = parts.iter().max_by(|a, b| a.duration().total_cmp(&b.duration()));
        let longest = longest.ok_or(CombineError::NoClip)?.clip;
        let length = longest.duration();
        let first = self.timeline(longest.timeline).ok_or(CombineError::NoClip)?;
        if parts.iter().any(|part| part.timeline.skeleton != first.skeleton) {
            return Err(CombineError::Skeletons);
        }
        if parts.iter().any(|part| part.timeline.pose_space != first.pose_space) {
            return Err(CombineError::Spaces);
        }
        let bake = Bake::default();
        for (part, id) in parts.iter_mut().zip(clips) {
            if let Cow::Borrowed(timeline) = part.timeline
                && part.has_wave_to_bake(length)
            {
                let mut baker = Baker::new(self, &bake, budget);
                part.timeline = Cow::Owned(baker.clip(*id, part.clip, timeline)?);
            }
        }
        let mut builder = TimelineBuilder::new(name)
            .with_skeleton(first.skeleton)
            .with_time_base(first.time_base)
            .with_pose_space(first.pose_space);
        let (mut joints, mut nodes) = (BTreeSet::new(), HashSet::new());
        // The last clip that moves a joint decides.
        for part in parts.iter().rev() {
            part.add(length, (&mut joints, &mut nodes), budget, &mut builder)?;
        }
        let clip = Clip {
            name: name.to_owned(),
            timeline: TimelineId::default(),
            end: narrow(length),
            wrap: longest.wrap,
            joints: Some(joints),
            ..Clip::default()
        };
        let timeline = builder.finish();
        // The last round of a loop may be incomplete.
        let is_repeated = parts.iter().any(|part| part.rounds(length) > 1);
        let cut = Cut::default().with_borders(true);
        Ok((if is_repeated { timeline.cut(&clip, cut) } else { timeline }, clip))
    }
}

/// A clip to be combined with others.
struct Part<'a> {
    timeline: Cow<'a, Timeline>,
    skeleton: &'a Skeleton,
    clip: &'a Clip,
}

impl Part<'_> {
    fn duration(&self) -> f64 {
        self.clip.duration()
    }

    /// How often the clip starts within a time.
    fn rounds(&self, length: f64) -> usize {
        let is_repeated = self.clip.wrap == Wrap::Loop && self.duration() > 0.0;
        if is_repeated { count((length / self.duration()).ceil()).max(1) } else { 1 }
    }

    /// Whether the clip has a wave that would not end or restart with the clip.
    fn has_wave_to_bake(&self, length: f64) -> bool {
        let is_baked = |track: &Track| match &track.curve {
            Curve::Wave(wave) => self.clip.has_target(track.target) && !self.restarts(wave, length),
            _ => false,
        };
        self.duration() < length && self.timeline.tracks().iter().any(is_baked)
    }

    /// Whether a wave has the same value at the same time of each round.
    fn restarts(&self, wave: &Wave, length: f64) -> bool {
        let periods = self.duration() / f64::from(wave.period);
        let late = (periods - periods.round()).abs() * (length / self.duration());
        let is_periodic = !matches!(wave.shape, WaveShape::Once | WaveShape::Growth);
        wave.is_constant() || (self.clip.wrap == Wrap::Loop && is_periodic && late <= LATE)
    }

    /// Adds the tracks of all joints and nodes that are not taken, and the events.
    fn add(
        &self,
        length: f64,
        (joints, nodes): (&mut BTreeSet<JointId>, &mut HashSet<Target>),
        budget: &Budget,
        builder: &mut TimelineBuilder,
    ) -> Result<(), LimitError> {
        let mask = JointMask::of_clip(self.skeleton, &self.timeline, self.clip);
        let moved = self.skeleton.enumerate_joints().map(|(joint, _)| joint);
        let free: BTreeSet<JointId> =
            insert_all(moved.filter(|joint| mask.contains(*joint) && !joints.contains(joint)));
        joints.extend(&free);
        let clip = Clip { joints: Some(free), ..self.clip.clone() };
        let cut = self.timeline.cut(&clip, Cut::default().with_borders(true).with_rebase(true));
        let rounds = self.rounds(length);
        let repeated = |items: usize| items.saturating_mul(rounds).saturating_mul(VALUE_BYTES);
        let mut own = HashSet::new();
        for track in cut.tracks() {
            if matches!(track.target, Target::Node(_)) {
                if nodes.contains(&track.target) {
                    continue;
                }
                own.insert(track.target);
            }
            let keys = cut.keys(track);
            let width = keys.values().next().map_or(0, <[f32]>::len);
            let [at_start, at_end] = self.missing(keys.times).map(usize::from);
            let times = keys.times.len().saturating_add(at_start).saturating_add(at_end);
            let values = times.saturating_mul(width.saturating_add(1));
            budget.charge("the keys of combined clips", repeated(values))?;
            self.add_track(&cut, track, length, builder);
        }
        nodes.extend(own);
        budget.charge("the events of combined clips", repeated(cut.events.len() * 16))?;
        for round in 0..rounds {
            let start = self.start_of(round);
            for event in &cut.events {
                let time = start + f64::from(event.time);
                if time <= length {
                    builder.event(Event { time: narrow(time), group: None, ..event.clone() });
                }
            }
        }
        Ok(())
    }

    #[expect(clippy::cast_precision_loss, reason = "rounds are charged, so they are few")]
    fn start_of(&self, round: usize) -> f64 {
        round as f64 * self.duration()
    }

    fn add_track(&self, cut: &Timeline, track: &Track, length: f64, builder: &mut TimelineBuilder) {
        let keys = cut.keys(track);
        let (target, channel) = (track.target, track.channel);
        let added = match &track.curve {
            Curve::Constant(value) => builder.constant(target, channel, value),
            Curve::Wave(wave) => builder.wave(target, channel, *wave),
            Curve::Keys { .. } => {
                let (times, values) = self.repeated(&keys, self.rounds(length));
                builder.keys(target, channel, keys.interpolation, &times, values)
            }
        };
        // Cannot fail: the track was already valid, and times rise.
        debug_assert_eq!(added, Ok(()));
    }

    /// Returns the times and values of the keys in all rounds.
    fn repeated(&self, keys: &Keys<'_>, rounds: usize) -> (Vec<f32>, Vec<f32>) {
        let width = keys.values().next().map_or(0, <[f32]>::len);
        let mut round = (keys.times.to_vec(), keys.values().flatten().copied().collect());
        if rounds == 1 || width == 0 {
            return round;
        }
        self.close(&mut round, width, keys.interpolation);
        let (mut times, mut values) = (Vec::<f32>::new(), Vec::new());
        for number in 0..rounds {
            let start = self.start_of(number);
            for (time, value) in round.0.iter().zip(round.1.chunks_exact(width)) {
                let time = narrow(start + f64::from(*time));
                if times.last().is_some_and(|last| *last >= time) {
                    let is_same = values.ends_with(value);
                    if is_same || !make_room(&mut times, time) {
                        times.pop();
                        values.truncate(values.len().saturating_sub(width));
                    }
                }
                times.push(time);
                values.extend_from_slice(value);
            }
        }
        (times, values)
    }

    /// Adds keys at the start and end of a round. Without them, a track would move from its last
    /// key in one round to its first key in the next one.
    fn close(
        &self,
        (times, values): &mut (Vec<f32>, Vec<f32>),
        width: usize,
        interpolation: Interpolation,
    ) {
        // The slopes before and after the value of a cubic key.
        let slopes = if interpolation == Interpolation::Cubic { width / 3 } else { 0 };
        let [at_start, at_end] = self.missing(times);
        if at_start {
            values.iter_mut().take(slopes).for_each(|slope| *slope = 0.0);
            let mut all: Vec<f32> = values.iter().take(width).copied().collect();
            all.iter_mut().rev().take(slopes).for_each(|slope| *slope = 0.0);
            all.append(values);
            *values = all;
            times.insert(0, 0.0);
        }
        if at_end {
            values.iter_mut().rev().take(slopes).for_each(|slope| *slope = 0.0);
            let last = values.len().saturating_sub(width);
            values.extend_from_within(last..);
            values.iter_mut().skip(last.saturating_add(width)).take(slopes).for_each(|slope| {
                *slope = 0.0;
            });
            times.push(narrow(self.duration()));
        }
    }

    /// Whether the keys lack one at the start of a round, and one at its end.
    fn missing(&self, times: &[f32]) -> [bool; 2] {
        let end = narrow(self.duration());
        [
            times.first().is_some_and(|first| *first > 0.0),
            times.last().is_some_and(|last| *last < end),
        ]
    }
}

/// Moves the last key to just before a time, where the motion jumps. Returns `false` if the key
/// before it leaves no room.
fn make_room(times: &mut [f32], time: f32) -> bool {
    let before = time.next_down();
    let second = times.len().checked_sub(2).and_then(|second| times.get(second)).copied();
    if second.is_some_and(|second| second >= before) {
        return false;
    }
    times.last_mut().is_some_and(|last| {
        *last = before;
        before >= 0.0
    })
}
