//! Sampling of timelines.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use crate::file::number::narrow;
use crate::math::double;
use crate::math::slerp::SlerpWeights;
use crate::{
    Channel, Clip, Curve, Interpolation, Joint, JointId, KeyTable, NodeId, Pose, PoseSpace, Quat,
    Skeleton, Target, Timeline, Track, Transform, Vec3, Wave,
};

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

#[derive(Clone, Debug)]
struct TablePlan<'a> {
    table: &'a KeyTable,
    cursor: usize,
    translations: Vec<TrackPlan>,
    rotations: Vec<TrackPlan>,
    scales: Vec<TrackPlan>,
    others: Vec<TrackPlan>,
}

impl TablePlan<'_> {
    /// Returns the tracks that are sampled like those of this channel.
    fn tracks_like(&mut self, channel: Channel) -> &mut Vec<TrackPlan> {
        match channel {
            Channel::Translation => &mut self.translations,
            Channel::Rotation => &mut self.rotations,
            Channel::Scale => &mut self.scales,
            _ => &mut self.others,
        }
    }

    fn all_tracks(&self) -> impl Iterator<Item = &TrackPlan> {
        [&self.translations, &self.rotations, &self.scales, &self.others].into_iter().flatten()
    }

    fn retain(&mut self, keep: impl Fn(&TrackPlan) -> bool) {
        let TablePlan { translations, rotations, scales, others, .. } = self;
        for tracks in [translations, rotations, scales, others] {
            tracks.retain(&keep);
        }
    }
}

impl<'a> Sampler<'a> {
    /// Creates a sampler for all joints of the timeline.
    pub fn new(skeleton: &Skeleton, timeline: &'a Timeline) -> Sampler<'a> {
        let tracks = timeline.tracks();
        Sampler::with(&skeleton.joints, timeline, tracks, |joint| Some(joint.index()))
    }

    /// Creates a sampler for the joints of a clip. Other joints stay at rest.
    pub fn for_clip(skeleton: &Skeleton, timeline: &'a Timeline, clip: &Clip) -> Sampler<'a> {
        Sampler::with(&skeleton.joints, timeline, timeline.tracks(), |joint| {
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
        tracks: impl IntoIterator<Item = &'a Track, IntoIter: Clone>,
    ) -> Sampler<'a> {
        Sampler::with([joint], timeline, tracks, |_| Some(0))
    }

    /// Creates a sampler for some joints of a clip. Its poses are in the order of `joints`.
    pub(crate) fn for_joints(
        skeleton: &Skeleton,
        timeline: &'a Timeline,
        clip: &Clip,
        joints: &[usize],
    ) -> Sampler<'a> {
        let places: HashMap<usize, usize> =
            joints.iter().enumerate().map(|(place, joint)| (*joint, place)).collect();
        let joints = joints.iter().filter_map(|joint| skeleton.joints.get(*joint));
        Sampler::with(joints, timeline, timeline.tracks(), |joint| {
            places.get(&joint.index()).copied().filter(|_| clip.has_joint(joint))
        })
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

    fn with<'j>(
        joints: impl IntoIterator<Item = &'j Joint, IntoIter: Clone>,
        timeline: &'a Timeline,
        tracks: impl IntoIterator<Item = &'a Track, IntoIter: Clone>,
        place: impl Fn(JointId) -> Option<usize>,
    ) -> Sampler<'a> {
        let (joints, tracks) = (joints.into_iter(), tracks.into_iter());
        let rest = match timeline.pose_space {
            PoseSpace::ParentRelative => joints.clone().map(|joint| joint.rest).collect(),
            PoseSpace::DeltaFromRest => joints.clone().map(|_| Transform::IDENTITY).collect(),
        };
        let mut used: Vec<usize> = tracks.clone().filter_map(table_of).collect();
        used.sort_unstable();
        used.dedup();
        let plan = |table: &'a KeyTable| TablePlan {
            table,
            cursor: 0,
            translations: Vec::new(),
            rotations: Vec::new(),
            scales: Vec::new(),
            others: Vec::new(),
        };
        let mut tables: Vec<_> =
            used.iter().filter_map(|table| timeline.tables().get(*table)).map(plan).collect();
        let (mut constants, mut waves, mut morphing) = (Vec::new(), Vec::new(), Vec::new());
        for track in tracks.clone() {
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
                Curve::Constant(_) => constants.push((track, target)),
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
        let hides = tracks.clone().any(|track| track.channel == Channel::Visibility)
            || joints.clone().any(|joint| !joint.visible);
        let hiding = joints.filter(|_| hides);
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

/// Returns the table that has the keys of a track.
const fn table_of(track: &Track) -> Option<usize> {
    match track.curve {
        Curve::Keys { table, .. } => Some(table),
        _ => None,
    }
}

/// A track with values in the rows of a table.
#[derive(Clone, Copy, Debug)]
struct TrackPlan {
    channel: Channel,
    /// Index of the joint, or index into [`Pose::morph_weights`].
    target: usize,
    column: usize,
    width: usize,
}

/// Joint indices with offsets.
type Offsets = Vec<(usize, [f64; 3])>;

fn set_weights(pose: &mut Pose, place: usize, values: impl Iterator<Item = f32>) {
    if let Some((_, weights)) = pose.morph_weights.get_mut(place) {
        weights.clear();
        weights.extend(values);
    }
}

/// Stores a value of any channel in the pose.
fn put(pose: &mut Pose, offsets: &mut Offsets, channel: Channel, target: usize, value: &[f32]) {
    match channel {
        Channel::MorphWeights => set_weights(pose, target, value.iter().copied()),
        Channel::Visibility => {
            if let Some(visible) = pose.visible.get_mut(target) {
                *visible = value.first().is_none_or(|value| *value != 0.0);
            }
        }
        Channel::Translation | Channel::Rotation | Channel::Scale => {
            if let Some(transform) = pose.transforms.get_mut(target) {
                assign(transform, channel, value);
            }
        }
        Channel::Euler(_) | Channel::Offset => {
            if let [x, y, z] = *value {
                put_exact(pose, offsets, channel, target, [x, y, z].map(f64::from));
            }
        }
    }
}

/// Stores a three-component value. Euler angles are converted to a rotation before rounding.
#[inline]
fn put_exact(
    pose: &mut Pose,
    offsets: &mut Offsets,
    channel: Channel,
    target: usize,
    value: [f64; 3],
) {
    let Some(transform) = pose.transforms.get_mut(target) else { return };
    match channel {
        Channel::Translation => transform.translation = value.map(narrow).into(),
        Channel::Scale => transform.scale = value.map(narrow).into(),
        Channel::Euler(order) => transform.rotation = Quat::from_euler(value, order),
        Channel::Offset => offsets.push((target, value)),
        Channel::Rotation | Channel::MorphWeights | Channel::Visibility => {}
    }
}

fn assign(transform: &mut Transform, channel: Channel, value: &[f32]) {
    match (channel, value) {
        (Channel::Translation, [x, y, z]) => transform.translation = Vec3::new(*x, *y, *z),
        (Channel::Rotation, [x, y, z, w]) => transform.rotation = Quat::new(*x, *y, *z, *w),
        (Channel::Scale, [x, y, z]) => transform.scale = Vec3::new(*x, *y, *z),
        _ => {}
    }
}

/// Stores the values of one row. `part` is 1 for the middle value of a cubic key.
fn copy_row(
    plan: &TablePlan<'_>,
    row: &[f32],
    part: usize,
    pose: &mut Pose,
    offsets: &mut Offsets,
) {
    for track in plan.all_tracks() {
        let start = track.column.saturating_add(part.saturating_mul(track.width));
        let value = row.get(start..start.saturating_add(track.width)).unwrap_or_default();
        put(pose, offsets, track.channel, track.target, value);
    }
}

fn blend_rows(
    plan: &TablePlan<'_>,
    [a, b]: [&[f32]; 2],
    t: f32,
    pose: &mut Pose,
    offsets: &mut Offsets,
) {
    // Rows of a table have the same length. If the compiler knows, it checks places once.
    let Some(b) = b.get(..a.len()) else { return };
    blend_vectors(&plan.translations, [a, b], t, pose, |transform| &mut transform.translation);
    blend_vectors(&plan.scales, [a, b], t, pose, |transform| &mut transform.scale);
    let weights = SlerpWeights::at(t);
    let ends = |track: &TrackPlan| match (chunk(a, track.column), chunk(b, track.column)) {
        (Some(a), Some(b)) => [a, b],
        _ => [&[0.0, 0.0, 0.0, 1.0]; 2],
    };
    weights.blend_pairs(&plan.rotations, ends, |track, rotation| {
        if let Some(transform) = pose.transforms.get_mut(track.target) {
            transform.rotation = rotation;
        }
    });
    for track in &plan.others {
        match track.channel {
            Channel::MorphWeights => {
                let range = track.column..track.column.saturating_add(track.width);
                if let (Some(a), Some(b)) = (a.get(range.clone()), b.get(range)) {
                    set_weights(pose, track.target, a.iter().zip(b).map(|(a, b)| a + (b - a) * t));
                }
            }
            Channel::Euler(_) | Channel::Offset => {
                if let (Some(a), Some(b)) = (chunk(a, track.column), chunk(b, track.column)) {
                    let [a, b] = [a, b].map(|value: &[f32; 3]| value.map(f64::from));
                    let value = double::lerp(a, b, f64::from(t));
                    put_exact(pose, offsets, track.channel, track.target, value);
                }
            }
            // The timeline builder ensures that visibility uses step interpolation, and the rest
            // has been sampled above.
            _ => {}
        }
    }
}

/// Blends translations or scales, four numbers at once where the row has as many.
#[inline]
fn blend_vectors(
    tracks: &[TrackPlan],
    [a, b]: [&[f32]; 2],
    t: f32,
    pose: &mut Pose,
    field: impl Fn(&mut Transform) -> &mut Vec3,
) {
    let Some(b) = b.get(..a.len()) else { return };
    for track in tracks {
        let Some(transform) = pose.transforms.get_mut(track.target) else { continue };
        if let (Some(a), Some(b)) = (chunk::<4>(a, track.column), chunk::<4>(b, track.column)) {
            let mut b = b.iter();
            let [x, y, z, _] = a.map(|a| a + (b.next().copied().unwrap_or_default() - a) * t);
            *field(transform) = Vec3::new(x, y, z);
        } else if let (Some(a), Some(b)) = (chunk(a, track.column), chunk(b, track.column)) {
            *field(transform) = Vec3::from(*a).lerp(Vec3::from(*b), t);
        }
    }
}

/// Evaluates Hermite splines as defined by glTF: tangents are scaled by the time between the keys,
/// and rotations are normalised afterwards.
fn spline_rows(
    plan: &TablePlan<'_>,
    a: &[f32],
    b: &[f32],
    t: f32,
    span: f32,
    pose: &mut Pose,
    offsets: &mut Offsets,
) {
    let (t2, t3) = (t * t, t * t * t);
    let (at_a, out_a, at_b, in_b) = (
        2.0 * t3 - 3.0 * t2 + 1.0,
        (t3 - 2.0 * t2 + t) * span,
        -2.0 * t3 + 3.0 * t2,
        (t3 - t2) * span,
    );
    for track in plan.all_tracks() {
        let part = |row: &'_ [f32], index: usize, component: usize| {
            let first = track.column.saturating_add(index.saturating_mul(track.width));
            row.get(first.saturating_add(component)).copied().unwrap_or_default()
        };
        let value = |i: usize| {
            at_a * part(a, 1, i)
                + out_a * part(a, 2, i)
                + at_b * part(b, 1, i)
                + in_b * part(b, 0, i)
        };
        match track.channel {
            Channel::MorphWeights => set_weights(pose, track.target, (0..track.width).map(value)),
            Channel::Visibility => {}
            Channel::Rotation => {
                if let Some(transform) = pose.transforms.get_mut(track.target) {
                    transform.rotation =
                        Quat::new(value(0), value(1), value(2), value(3)).normalized();
                }
            }
            channel => put(pose, offsets, channel, track.target, &[value(0), value(1), value(2)]),
        }
    }
}

fn chunk<const N: usize>(row: &[f32], column: usize) -> Option<&[f32; N]> {
    row.get(column..)?.first_chunk()
}
