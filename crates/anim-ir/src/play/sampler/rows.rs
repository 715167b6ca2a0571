//! Samples the tracks of a table between two of its rows.

use std::ops::Range;

use super::values::{Offsets, put, put_exact, set_weights};
use crate::math::double;
use crate::math::slerp::SlerpWeights;
use crate::{Channel, KeyTable, Pose, Quat, Transform, Vec3};

/// The tracks of a table, by the way in which they are sampled.
#[derive(Clone, Debug)]
pub(super) struct TablePlan<'a> {
    pub(super) table: &'a KeyTable,
    /// The row that was found last.
    pub(super) cursor: usize,
    pub(super) translations: Vec<TrackPlan>,
    pub(super) rotations: Vec<TrackPlan>,
    pub(super) scales: Vec<TrackPlan>,
    pub(super) others: Vec<TrackPlan>,
    /// The joints at the start of the rows whose translation, rotation and scale are next to each
    /// other. Their tracks come first in the lists above.
    pub(super) whole: Range<usize>,
}

impl TablePlan<'_> {
    /// Returns the tracks that are sampled like those of this channel.
    pub(super) fn tracks_like(&mut self, channel: Channel) -> &mut Vec<TrackPlan> {
        match channel {
            Channel::Translation => &mut self.translations,
            Channel::Rotation => &mut self.rotations,
            Channel::Scale => &mut self.scales,
            _ => &mut self.others,
        }
    }

    pub(super) fn all_tracks(&self) -> impl Iterator<Item = &TrackPlan> {
        [&self.translations, &self.rotations, &self.scales, &self.others].into_iter().flatten()
    }

    pub(super) fn retain(&mut self, keep: impl Fn(&TrackPlan) -> bool) {
        let TablePlan { translations, rotations, scales, others, .. } = self;
        for tracks in [translations, rotations, scales, others] {
            tracks.retain(&keep);
        }
        self.find_whole_joints();
    }

    /// Finds out which joints can be sampled as a whole.
    pub(super) fn find_whole_joints(&mut self) {
        let first = self.translations.first().map_or(0, |track| track.target);
        let mut count = 0_usize;
        for ((translation, rotation), scale) in
            self.translations.iter().zip(&self.rotations).zip(&self.scales)
        {
            let (target, column) = (first.saturating_add(count), count.saturating_mul(JOINT_WIDTH));
            let is_whole =
                [(translation, 0), (rotation, 3), (scale, 7)].iter().all(|(track, part)| {
                    track.target == target && track.column == column.saturating_add(*part)
                });
            if !is_whole {
                break;
            }
            count = count.saturating_add(1);
        }
        self.whole = first..first.saturating_add(count);
    }
}

/// A track with values in the rows of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrackPlan {
    pub(super) channel: Channel,
    /// Index of the joint, or index into [`Pose::morph_weights`].
    pub(super) target: usize,
    pub(super) column: usize,
    pub(super) width: usize,
}

/// Stores the values of one row. `part` is 1 for the middle value of a cubic key.
pub(super) fn copy_row(
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

pub(super) fn blend_rows<'p>(
    plan: &'p TablePlan<'_>,
    [a, b]: [&[f32]; 2],
    t: f32,
    pose: &mut Pose,
    offsets: &mut Offsets,
) {
    // Rows of a table have the same length. If the compiler knows, it checks places once.
    let Some(b) = b.get(..a.len()) else { return };
    let weights = SlerpWeights::at(t);
    let Range { start, end } = plan.whole;
    let end = end.min(pose.transforms.len());
    let whole = pose.transforms.get_mut(start..end).unwrap_or_default();
    blend_whole_joints([a, b], t, &weights, whole);
    let others = |tracks: &'p [TrackPlan]| tracks.get(plan.whole.len()..).unwrap_or_default();
    let [translations, rotations, scales] =
        [&plan.translations, &plan.rotations, &plan.scales].map(|tracks| others(tracks));
    blend_vectors(translations, [a, b], t, pose, |transform| &mut transform.translation);
    blend_vectors(scales, [a, b], t, pose, |transform| &mut transform.scale);
    let column = |at: usize| rotations.get(at).map_or(usize::MAX, |track| track.column);
    let pair = |at: usize| match (chunk(a, column(at)), chunk(b, column(at))) {
        (Some(a), Some(b)) => [a, b],
        _ => NO_ROTATIONS,
    };
    weights.blend_pairs(rotations.len(), pair, |at, rotation| {
        let target = rotations.get(at).and_then(|track| pose.transforms.get_mut(track.target));
        if let Some(transform) = target {
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

/// The pair beyond the end of a list.
const NO_ROTATIONS: [&[f32; 4]; 2] = [&[0.0, 0.0, 0.0, 1.0]; 2];

/// The numbers of a joint with a translation, a rotation and a scale. They are in the order of a
/// [`Transform`].
const JOINT_WIDTH: usize = 10;

/// Blends joints whose numbers are next to each other at the start of the rows, in the order of
/// the transforms.
fn blend_whole_joints(
    [a, b]: [&[f32]; 2],
    t: f32,
    weights: &SlerpWeights,
    transforms: &mut [Transform],
) {
    let [(a, _), (b, _)] = [a.as_chunks::<JOINT_WIDTH>(), b.as_chunks::<JOINT_WIDTH>()];
    // In one loop over all numbers, without regard to their meaning, which compilers vectorise.
    // Rotations are then replaced.
    let numbers: &mut [f32] = bytemuck::cast_slice_mut(transforms);
    for (number, (a, b)) in numbers.iter_mut().zip(a.as_flattened().iter().zip(b.as_flattened())) {
        *number = a + (b - a) * t;
    }
    let pair = |at: usize| match (a.get(at), b.get(at)) {
        (Some(a), Some(b)) => [rotation_of(a), rotation_of(b)],
        _ => NO_ROTATIONS,
    };
    weights.blend_pairs(a.len().min(transforms.len()), pair, |at, rotation| {
        if let Some(transform) = transforms.get_mut(at) {
            transform.rotation = rotation;
        }
    });
}

/// Returns the rotation of a joint with a translation, a rotation and a scale.
#[inline]
fn rotation_of(joint: &[f32; JOINT_WIDTH]) -> &[f32; 4] {
    let [_, _, _, rotation @ .., _, _, _] = joint;
    rotation
}

/// Blends four numbers, which compilers do in a vector register.
#[inline]
fn lerp([ax, ay, az, aw]: &[f32; 4], [bx, by, bz, bw]: &[f32; 4], t: f32) -> [f32; 4] {
    [ax + (bx - ax) * t, ay + (by - ay) * t, az + (bz - az) * t, aw + (bw - aw) * t]
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
            let [x, y, z, _] = lerp(a, b, t);
            *field(transform) = Vec3::new(x, y, z);
        } else if let (Some(a), Some(b)) = (chunk(a, track.column), chunk(b, track.column)) {
            *field(transform) = Vec3::from(*a).lerp(Vec3::from(*b), t);
        }
    }
}

/// Evaluates Hermite splines as defined by glTF: tangents are scaled by the time between the keys,
/// and rotations are normalised afterwards.
pub(super) fn spline_rows(
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
