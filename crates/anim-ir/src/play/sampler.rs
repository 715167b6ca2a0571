//! Sampling of timelines.

mod rows;
#[cfg(test)]
mod tests;
mod values;

use std::collections::HashMap;

use crate::file::number::narrow;
use crate::{
    Channel, Clip, Curve, Interpolation, Joint, JointId, KeyTable, NodeId, Pose, PoseSpace,
    Skeleton, Target, Timeline, Track, Transform, Vec3, Wave, sort_by,
};
use rows::{TablePlan, TrackPlan, blend_rows, copy_row, spline_rows};
use values::{Offsets, put, put_exact};

/// Samples a timeline for a skeleton. The last position is cached, so sequential playback does not
/// require searching.
///
/// Before the first key and after the last key of a track, the value is constant; waves continue.
/// To play a clip with its wrap mode, use [`crate::Player`].
#[derive(Clone, Debug)]
pub struct Sampler<'a> {
    timeline: &'a Timeline,
    rest: Vec<Transform>,
    /// Whether each joint is visible at rest. Empty if all joints are visible and no track animates
    /// visibility.
    visible_at_rest: Vec<bool>,
    constants: Vec<(&'a Track, usize)>,
    waves: Vec<(&'a Wave, Channel, usize)>,
    /// Offsets of joints, applied after the rotations have been computed.
    offsets: Offsets,
    tables: Vec<TablePlan<'a>>,
    /// Nodes with animated morph weights, indexed by the targets of the plans.
    morphing: Vec<NodeId>,
}

impl<'a> Sampler<'a> {
    /// Creates a sampler for all joints of the timeline.
    pub fn new(skeleton: &Skeleton, timeline: &'a Timeline) -> Sampler<'a> {
        Sampler::with(&all(&skeleton.joints), timeline, &all(timeline.tracks()), &|joint| {
            Some(joint.index())
        })
    }

    /// Creates a sampler for the joints of a clip. Other joints stay at rest.
    pub fn for_clip(skeleton: &Skeleton, timeline: &'a Timeline, clip: &Clip) -> Sampler<'a> {
        Sampler::with(&all(&skeleton.joints), timeline, &all(timeline.tracks()), &|joint| {
            clip.has_joint(joint).then_some(joint.index())
        })
    }

    /// Returns a sampler for each joint that a clip moves. Its poses have that joint only. If each
    /// is sampled at its own keys, the time is in proportion to the number of keys, even if no two
    /// joints have keys at the same times.
    pub fn for_each_joint(
        skeleton: &Skeleton,
        timeline: &'a Timeline,
        clip: &Clip,
    ) -> impl Iterator<Item = (JointId, Sampler<'a>)> {
        let joints = timeline.tracks_by_joint().into_iter().filter(|(id, _)| clip.has_joint(*id));
        joints.filter_map(|(id, tracks)| {
            Some((id, Sampler::for_joint(skeleton.joint(id)?, timeline, tracks)))
        })
    }

    /// Creates a sampler for a single joint, given its tracks.
    pub(crate) fn for_joint(
        joint: &Joint,
        timeline: &'a Timeline,
        tracks: impl IntoIterator<Item = &'a Track>,
    ) -> Sampler<'a> {
        let tracks: Vec<&Track> = tracks.into_iter().collect();
        Sampler::with(&[joint], timeline, &tracks, &|_| Some(0))
    }

    /// Creates a sampler for some joints of a clip. Its poses are in the order of `joints`, without
    /// morph weights.
    pub(crate) fn for_joints(
        skeleton: &Skeleton,
        timeline: &'a Timeline,
        clip: &Clip,
        joints: &[usize],
    ) -> Sampler<'a> {
        let places: HashMap<usize, usize> =
            joints.iter().enumerate().map(|(place, joint)| (*joint, place)).collect();
        let joints: Vec<&Joint> =
            joints.iter().filter_map(|joint| skeleton.joints.get(*joint)).collect();
        let mut tracks = all(timeline.tracks());
        tracks.retain(|track| matches!(track.target, Target::Joint(_)));
        Sampler::with(&joints, timeline, &tracks, &|joint| {
            places.get(&joint.index()).copied().filter(|_| clip.has_joint(joint))
        })
    }

    /// Creates a sampler for the morph weights of a track. Its poses have no joints.
    pub(crate) fn for_weights(timeline: &'a Timeline, track: &'a Track) -> Sampler<'a> {
        Sampler::with(&[], timeline, &[track], &|_| None)
    }

    /// Returns a sampler that only moves one joint, and no morph weights.
    pub(super) fn only(&self, joint: usize) -> Sampler<'a> {
        let is_it =
            |channel: Channel, target: usize| target == joint && channel != Channel::MorphWeights;
        let mut own = self.clone();
        own.constants.retain(|(track, target)| is_it(track.channel, *target));
        own.waves.retain(|(_, channel, target)| is_it(*channel, *target));
        for table in &mut own.tables {
            table.retain(|track| is_it(track.channel, track.target));
        }
        own.tables.retain(|table| table.all_tracks().next().is_some());
        own.morphing.clear();
        own
    }

    fn with(
        joints: &[&Joint],
        timeline: &'a Timeline,
        tracks: &[&'a Track],
        place: &dyn Fn(JointId) -> Option<usize>,
    ) -> Sampler<'a> {
        let rest = match timeline.pose_space {
            PoseSpace::ParentRelative => joints.iter().map(|joint| joint.rest).collect(),
            PoseSpace::DeltaFromRest => joints.iter().map(|_| Transform::IDENTITY).collect(),
        };
        let mut used: Vec<usize> = tracks.iter().filter_map(|track| table_of(track)).collect();
        sort_by(&mut used, Ord::cmp);
        used.dedup();
        let plan = |table: &'a KeyTable| TablePlan {
            table,
            cursor: 0,
            translations: Vec::new(),
            rotations: Vec::new(),
            scales: Vec::new(),
            others: Vec::new(),
            whole: 0..0,
        };
        let mut tables: Vec<_> =
            used.iter().filter_map(|table| timeline.tables().get(*table)).map(plan).collect();
        let (mut constants, mut waves, mut morphing) = (Vec::new(), Vec::new(), Vec::new());
        for track in tracks {
            let target = match (track.target, track.channel) {
                (Target::Joint(joint), channel) if channel != Channel::MorphWeights => {
                    let Some(place) = place(joint) else { continue };
                    place
                }
                (Target::Node(node), Channel::MorphWeights) => {
                    morphing.push(node);
                    morphing.len().saturating_sub(1)
                }
                _ => continue,
            };
            match &track.curve {
                Curve::Constant(_) => constants.push((*track, target)),
                Curve::Wave(wave) => waves.push((wave, track.channel, target)),
                Curve::Keys { table, column, width } => {
                    let (channel, column, width) = (track.channel, *column, *width);
                    let place = used.binary_search(table).ok();
                    if let Some(plan) = place.and_then(|place| tables.get_mut(place)) {
                        let tracks = plan.tracks_like(channel);
                        tracks.push(TrackPlan { channel, target, column, width });
                    }
                }
            }
        }
        tables.retain(|plan| plan.all_tracks().next().is_some());
        tables.iter_mut().for_each(TablePlan::find_whole_joints);
        let hides = tracks.iter().any(|track| track.channel == Channel::Visibility)
            || joints.iter().any(|joint| !joint.visible);
        let hiding = joints.iter().filter(|_| hides);
        let visible_at_rest = hiding.map(|joint| joint.visible).collect();
        let offsets = Vec::new();
        Sampler { timeline, rest, visible_at_rest, constants, waves, offsets, tables, morphing }
    }

    /// Computes the pose at `time` in seconds. Only the first call with a given `pose` allocates.
    pub fn sample(&mut self, time: f64, pose: &mut Pose) {
        let exact_time = if time.is_finite() { time } else { 0.0 };
        let time = narrow(time);
        pose.space = self.timeline.pose_space;
        pose.transforms.clone_from(&self.rest);
        pose.visible.clone_from(&self.visible_at_rest);
        self.offsets.clear();
        if !pose.morph_weights.iter().map(|(node, _)| node).eq(&self.morphing) {
            pose.morph_weights = self.morphing.iter().map(|node| (*node, Vec::new())).collect();
        }
        for (track, target) in &self.constants {
            let Curve::Constant(value) = &track.curve else { continue };
            put(pose, &mut self.offsets, track.channel, *target, value);
        }
        for (wave, channel, target) in &self.waves {
            put_exact(pose, &mut self.offsets, *channel, *target, wave.at(exact_time));
        }
        for plan in &mut self.tables {
            let (before, after, fraction) = plan.table.locate(time, plan.cursor);
            plan.cursor = before;
            let (a, b) = (plan.table.row(before), plan.table.row(after));
            match plan.table.interpolation() {
                Interpolation::Linear if fraction > 0.0 => {
                    blend_rows(plan, [a, b], fraction, pose, &mut self.offsets)
                }
                Interpolation::Step | Interpolation::Linear => {
                    copy_row(plan, a, 0, pose, &mut self.offsets)
                }
                Interpolation::Cubic if fraction > 0.0 => {
                    let time = |row: usize| plan.table.times().get(row).copied();
                    let span =
                        time(after).zip(time(before)).map_or(0.0, |(end, start)| end - start);
                    spline_rows(plan, a, b, fraction, span, pose, &mut self.offsets);
                }
                Interpolation::Cubic => copy_row(plan, a, 1, pose, &mut self.offsets),
            }
        }
        for (joint, offset) in &self.offsets {
            if let Some(Transform { translation, rotation, .. }) = pose.transforms.get_mut(*joint) {
                *translation += rotation.rotate(Vec3::from_f64(*offset));
            }
        }
    }
}

/// Returns references to the items of a list.
fn all<T>(items: &[T]) -> Vec<&T> {
    items.iter().collect()
}

/// Returns the table that has the keys of a track.
const fn table_of(track: &Track) -> Option<usize> {
    match track.curve {
        Curve::Keys { table, .. } => Some(table),
        _ => None,
    }
}
