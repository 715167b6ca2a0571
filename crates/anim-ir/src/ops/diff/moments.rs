//! The times at which clips are compared.

use std::collections::BTreeMap;

use crate::ops::diff::difference::Side;
use crate::{Channel, Clip, Curve, Interpolation, Target, Timeline, Track};

/// The number of equal intervals at whose ends a clip with waves is compared.
const WAVE_MOMENTS: u32 = 64;

/// Times of keys in ascending order, and the first track that they come from. The tracks of joints
/// are not needed, but maps of one type take less code.
type Lists<'a> = BTreeMap<usize, (Vec<f64>, &'a Track)>;

/// The times of the keys in a clip, relative to its start.
#[derive(Debug, Default)]
pub(super) struct KeyTimes<'a> {
    /// The times for each joint with tracks. Other joints are at rest, and rest poses are compared
    /// separately.
    pub(super) of_joints: Lists<'a>,
    /// The times for each node with morph weights.
    pub(super) of_nodes: Lists<'a>,
    /// Whether any curve is cubic, for which comparing the midpoint between two keys is not enough.
    pub(super) has_cubic: bool,
    /// Whether any curve is a wave.
    pub(super) has_waves: bool,
}

impl<'a> KeyTimes<'a> {
    /// Collects up to `most` keys.
    pub(super) fn of(
        timeline: &'a Timeline,
        clip: &Clip,
        joints: usize,
        most: usize,
    ) -> KeyTimes<'a> {
        let mut times = KeyTimes::default();
        let mut left = most;
        for track in timeline.tracks() {
            let slot = match track.target {
                Target::Joint(joint) if joint.index() < joints && clip.has_joint(joint) => {
                    Some((&mut times.of_joints, joint.index()))
                }
                Target::Node(node) if track.channel == Channel::MorphWeights => {
                    Some((&mut times.of_nodes, node.index()))
                }
                _ => None,
            };
            let Some((lists, target)) = slot else { continue };
            let (slot, _) = lists.entry(target).or_insert((Vec::new(), track));
            match track.curve {
                Curve::Constant(_) => continue,
                Curve::Wave(_) => times.has_waves = true,
                Curve::Keys { .. } => {
                    let keys = timeline.keys(track);
                    // A track with a single key is constant, so the time of the key is irrelevant.
                    if keys.times.len() <= 1 {
                        continue;
                    }
                    times.has_cubic |= keys.interpolation == Interpolation::Cubic;
                    let first = keys.times.partition_point(|time| *time < clip.start);
                    let end = keys.times.partition_point(|time| *time <= clip.end);
                    let count = end.saturating_sub(first).min(left);
                    let inside = keys.times.iter().skip(first).take(count);
                    let known = slot.len();
                    slot.extend(inside.map(|time| f64::from(*time) - f64::from(clip.start)));
                    // The channels of a joint usually have the same times, which are kept once.
                    let (before, added) = slot.split_at(known);
                    if before.ends_with(added) {
                        slot.truncate(known);
                    }
                    left = left.saturating_sub(count);
                }
            }
        }
        for (list, _) in times.of_joints.values_mut().chain(times.of_nodes.values_mut()) {
            list.sort_by(f64::total_cmp);
            list.dedup();
        }
        times
    }

    /// Returns the times of the keys of all joints, in ascending order.
    pub(super) fn of_all_joints(&self) -> Vec<f64> {
        let mut all: Vec<f64> = Vec::new();
        let mut last: &[f64] = &[];
        for (times, _) in self.of_joints.values() {
            // Usually, many joints have the same times.
            if times != last {
                all.extend(times);
            }
            last = times;
        }
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }

    /// Returns the times of the keys of a joint.
    pub(super) fn of_joint(&self, joint: usize) -> &[f64] {
        self.of_joints.get(&joint).map_or(&[], |(times, _)| times)
    }

    /// Returns the number of keys.
    pub(super) fn key_count(&self) -> usize {
        let all = self.of_joints.values().chain(self.of_nodes.values());
        all.map(|(times, _)| times.len()).fold(0, usize::saturating_add)
    }

    /// Returns the times of the keys of a node's weights.
    pub(super) fn of_node(&self, node: usize) -> &[f64] {
        self.of_nodes.get(&node).map_or(&[], |(times, _)| times)
    }
}

/// How the times at which to compare two clips follow from their keys.
pub(super) struct Spacing {
    /// The ends of the clips, relative to their starts.
    pub(super) ends: [f64; 2],
    /// The distance at which two times are considered equal.
    pub(super) tolerance: f64,
    /// Whether any curve is cubic, for which comparing the midpoint between two keys is not enough.
    pub(super) has_cubic: bool,
    /// Whether any curve is a wave.
    pub(super) has_waves: bool,
}

impl Spacing {
    /// Returns the times at which to compare, relative to the start of each clip: at keys, between
    /// keys and, if there are waves, at regular intervals. If both clips have a key at nearly the
    /// same time, each is sampled at its own key, since the key may be a step.
    pub(super) fn moments(&self, keys: [&[f64]; 2]) -> Vec<[f64; 2]> {
        let end = self.ends[0].min(self.ends[1]).max(0.0);
        let mut all: Vec<(f64, Option<Side>)> = vec![(0.0, None), (end, None)];
        for (side, keys) in Side::BOTH.into_iter().zip(keys) {
            let inside = keys.iter().filter(|time| **time <= end + self.tolerance);
            all.extend(inside.map(|time| (*time, Some(side))));
        }
        if self.has_waves {
            let part = |part: u32| end * f64::from(part) / f64::from(WAVE_MOMENTS);
            all.extend((1..WAVE_MOMENTS).map(|number| (part(number), None)));
        }
        all.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        all.dedup();
        let between: &[f64] = if self.has_cubic { &[0.25, 0.5, 0.75] } else { &[0.5] };
        let mut moments = Vec::new();
        let mut rest = all.as_slice();
        let mut before: Option<f64> = None;
        while let Some((first, _)) = rest.first() {
            let (group, after) = rest
                .split_at(rest.partition_point(|(time, _)| time - first <= self.tolerance).max(1));
            let last = group.last().map_or(*first, |(time, _)| *time);
            if let Some(before) = before {
                moments.extend(between.iter().map(|part| [before + (first - before) * part; 2]));
            }
            moments.push(own_keys(group).unwrap_or([last; 2]));
            before = Some(last);
            rest = after;
        }
        moments
    }
}

/// Returns the last key of each clip in a group of times that are close together, if these keys
/// belong together. They do not if one clip has keys so dense that another key of its own is nearer
/// to the key of the other clip.
fn own_keys(group: &[(f64, Option<Side>)]) -> Option<[f64; 2]> {
    let keys = |side| group.iter().filter(move |(_, of)| *of == Some(side)).map(|(time, _)| *time);
    let [a, b] = [keys(Side::A).next_back()?, keys(Side::B).next_back()?];
    let later = if a < b { Side::B } else { Side::A };
    let (other, gap) = (a.min(b), (a - b).abs());
    let is_nearest = keys(later).all(|time| (time - other).abs() >= gap);
    is_nearest.then_some([a, b])
}
