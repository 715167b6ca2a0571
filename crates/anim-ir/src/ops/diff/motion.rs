//! Differences in the motion of a clip.

use std::collections::BTreeMap;

use crate::ops::diff::clip_start::is_seen;
use crate::ops::diff::differ::Differ;
use crate::ops::diff::difference::{Difference, Gap, Side, Worst};
use crate::ops::diff::morphs::{Known, MorphWeights};
use crate::ops::diff::pairs::unmatched;
use crate::{
    Channel, Clip, Curve, Interpolation, Joint, JointId, Pose, Sampler, Skeleton, SkeletonId,
    Target, Timeline,
};

/// The number of equal intervals at whose ends a clip with waves is compared.
const WAVE_MOMENTS: u32 = 64;

/// The cost of a joint's pose in samples. A pose takes about 60 ns, several times as long as other
/// samples.
const POSE: usize = 8;

/// The times of the keys in a clip, relative to its start.
#[derive(Debug, Default)]
struct KeyTimes {
    /// The times for each joint with tracks, in ascending order. Other joints are at rest, and rest
    /// poses are compared separately.
    of_joints: BTreeMap<usize, Vec<f64>>,
    /// The times for each node with morph weights, in ascending order.
    of_nodes: BTreeMap<usize, Vec<f64>>,
    /// Whether any curve is cubic, for which comparing the midpoint between two keys is not enough.
    has_cubic: bool,
    /// Whether any curve is a wave.
    has_waves: bool,
}

impl KeyTimes {
    /// Collects up to `most` keys.
    fn of(timeline: &Timeline, clip: &Clip, joints: usize, most: usize) -> KeyTimes {
        let mut times = KeyTimes::default();
        let mut left = most;
        for track in timeline.tracks() {
            let slot = match track.target {
                Target::Joint(joint) if joint.index() < joints && clip.has_joint(joint) => {
                    Some(times.of_joints.entry(joint.index()).or_default())
                }
                Target::Node(node) if track.channel == Channel::MorphWeights => {
                    Some(times.of_nodes.entry(node.index()).or_default())
                }
                _ => None,
            };
            let Some(slot) = slot else { continue };
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
        for list in times.of_joints.values_mut().chain(times.of_nodes.values_mut()) {
            list.sort_by(f64::total_cmp);
            list.dedup();
        }
        times
    }

    fn all(&self) -> impl Iterator<Item = f64> {
        self.of_joints.values().chain(self.of_nodes.values()).flatten().copied()
    }
}

impl<'a> Differ<'a> {
    pub(super) fn compare_motion(
        &mut self,
        name: &str,
        clips: [&'a Clip; 2],
        known: &mut Known<'a>,
    ) {
        let [a, b] = self.scenes;
        let [clip_a, clip_b] = clips;
        let (Some(timeline_a), Some(timeline_b)) =
            (a.timeline(clip_a.timeline), b.timeline(clip_b.timeline))
        else {
            return;
        };
        let none = Skeleton::default();
        let skeletons = [(a, timeline_a), (b, timeline_b)]
            .map(|(scene, timeline)| scene.skeleton(timeline.skeleton).unwrap_or(&none));
        let takes = [(skeletons[0], timeline_a, clip_a), (skeletons[1], timeline_b, clip_b)];
        // Determining which joints move also counts towards the limit.
        let parts = takes.map(|(_, timeline, _)| timeline.tracks().len());
        if !self.affords(parts[0].saturating_add(parts[1])) {
            self.found.clips_in_part = self.found.clips_in_part.saturating_add(1);
            return;
        }
        let left = self.left();
        let times = takes
            .map(|(bones, timeline, clip)| KeyTimes::of(timeline, clip, bones.joints.len(), left));
        let joints = self.joints_of([timeline_a.skeleton, timeline_b.skeleton], &times);
        let cost = joints.len().saturating_add(1);
        let keys = times.iter().flat_map(KeyTimes::all).count();
        self.affords(keys.saturating_add(cost).min(self.left()));
        let cost = cost.saturating_mul(POSE);
        let ends = clips.map(|clip| f64::from(clip.end) - f64::from(clip.start));
        // In a clip without a duration, the times of keys do not affect the pose.
        if self.options.key_times && ends.iter().any(|end| *end > self.options.seconds) {
            self.compare_keys(name, &joints, &times);
        }
        let mut moments = moments(&times, ends, self.options.seconds);
        let affordable = self.left() / cost;
        if moments.len() > affordable {
            self.found.clips_in_part = self.found.clips_in_part.saturating_add(1);
            let every = moments.len() / affordable.max(1);
            moments =
                moments.into_iter().step_by(every.saturating_add(1)).take(affordable).collect();
        }
        self.affords(moments.len().saturating_mul(cost));
        let sampler = |side: Side| {
            let (bones, timeline, clip) = side.of(takes);
            let of_side: Vec<usize> = joints.iter().map(|(pair, _)| side.of(*pair)).collect();
            (Sampler::for_joints(bones, timeline, clip, &of_side), clip)
        };
        let samplers = Side::BOTH.map(sampler);
        self.compare_poses(name, &joints, skeletons, samplers, &moments, known);
    }

    /// Returns the joints that exist in both skeletons and that either clip moves: their indices in
    /// each skeleton, and their index among the joints of all skeletons of the first scene.
    fn joints_of(
        &self,
        skeletons: [SkeletonId; 2],
        times: &[KeyTimes; 2],
    ) -> Vec<([usize; 2], usize)> {
        let ranges = Side::BOTH.map(|side| {
            let (id, scene) = (side.of(skeletons), side.of(self.scenes));
            let start = side.of(self.starts.each_ref()).get(id.index()).copied();
            let start = start.unwrap_or_default();
            let joints = scene.skeleton(id).map_or(0, |skeleton| skeleton.joints.len());
            start..start.saturating_add(joints)
        });
        let [a, b] = &ranges;
        let moved = |side: Side| {
            let start = side.of(ranges.each_ref()).start;
            let joints = side.of(times.each_ref()).of_joints.keys();
            joints.map(move |joint| start.saturating_add(*joint))
        };
        let pairs = self.joints.of_either(Side::BOTH.map(moved)).into_iter();
        let pairs = pairs.filter(|[x, y]| a.contains(x) && b.contains(y));
        pairs.map(|[x, y]| ([x.saturating_sub(a.start), y.saturating_sub(b.start)], x)).collect()
    }

    fn compare_keys(&mut self, name: &str, joints: &[([usize; 2], usize)], times: &[KeyTimes; 2]) {
        let [a, b] = times;
        let of_joints = joints.iter().map(|([x, y], joint)| {
            let lists = [a.of_joints.get(x), b.of_joints.get(y)];
            (lists, &self.joints, *joint)
        });
        let morphed = self.nodes.of_either([a, b].map(|times| times.of_nodes.keys().copied()));
        let of_nodes = morphed.into_iter().map(|[x, y]| {
            let lists = [a.of_nodes.get(&x), b.of_nodes.get(&y)];
            (lists, &self.nodes, x)
        });
        let mut found = Vec::new();
        for (lists, names, number) in of_joints.chain(of_nodes) {
            let lists = lists.map(|list| list.map_or(&[][..], Vec::as_slice));
            let alone = unmatched(lists, self.options.seconds);
            for side in Side::BOTH {
                let mut of_side = alone.iter().filter(|(of, _)| *of == side);
                let Some(&(_, first)) = of_side.next() else { continue };
                let count = of_side.count().saturating_add(1);
                let (clip, target) = (name.to_owned(), names.label(Side::A, number));
                found.push(Difference::KeysOnly { clip, target, count, first, side });
            }
        }
        found.into_iter().for_each(|difference| self.push(difference));
    }

    fn compare_poses(
        &mut self,
        name: &str,
        joints: &[([usize; 2], usize)],
        [bones_a, bones_b]: [&Skeleton; 2],
        mut samplers: [(Sampler<'_>, &Clip); 2],
        moments: &[[f64; 2]],
        known: &mut Known<'a>,
    ) {
        let pair = |[x, y]: [usize; 2]| Some([bones_a.joints.get(x)?, bones_b.joints.get(y)?]);
        let pairs: Vec<[&Joint; 2]> = joints.iter().filter_map(|(both, _)| pair(*both)).collect();
        let mut poses = [Pose::default(), Pose::default()];
        let mut worst: Vec<Worst<Gap>> = vec![Worst::default(); joints.len()];
        let mut seen: Vec<Option<(f64, Side)>> = vec![None; joints.len()];
        let mut weights = MorphWeights::new(known);
        for times in moments {
            for ((time, (sampler, clip)), pose) in times.iter().zip(&mut samplers).zip(&mut poses) {
                sampler.sample(f64::from(clip.start) + time, pose);
            }
            let ([pose_a, pose_b], [time, _]) = (&poses, *times);
            let places = pairs.iter().enumerate();
            for (((place, [joint_a, joint_b]), worst), seen) in
                places.zip(&mut worst).zip(&mut seen)
            {
                let [a, b] = [
                    pose_a.local_transform(joint_a, JointId::new(place)),
                    pose_b.local_transform(joint_b, JointId::new(place)),
                ];
                let visible = |pose: &Pose| pose.visible.get(place).copied().unwrap_or(true);
                match [is_seen(visible(pose_a), a), is_seen(visible(pose_b), b)] {
                    [true, true] => {
                        let gap = Gap::between(a, b);
                        worst.take(gap.excess(self.length, self.options.tolerance), time, gap);
                    }
                    [false, false] => {}
                    [in_a, _] => {
                        *seen = seen.or(Some((time, if in_a { Side::A } else { Side::B })))
                    }
                }
            }
            weights.compare(self, [pose_a, pose_b], time);
        }
        for (((_, joint), worst), seen) in joints.iter().zip(worst).zip(seen) {
            let names = || (name.to_owned(), self.joints.label(Side::A, *joint));
            let seen = seen.map(|(time, seen_in)| {
                let (clip, joint) = names();
                Difference::Visible { clip, joint, time, seen_in }
            });
            let Worst { excess, time, gap } = worst;
            let pose = (excess > 1.0).then(|| {
                let (clip, joint) = names();
                Difference::Pose { clip, joint, time, gap }
            });
            [seen, pose].into_iter().flatten().for_each(|difference| self.push(difference));
        }
        weights.report(self, name);
    }
}

/// Returns the times at which to compare, relative to the start of each clip: at keys, between keys
/// and, if there are waves, at regular intervals. If both clips have a key at nearly the same time,
/// each is sampled at its own key, since the key may be a step.
fn moments(times: &[KeyTimes; 2], [end_a, end_b]: [f64; 2], tolerance: f64) -> Vec<[f64; 2]> {
    let end = end_a.min(end_b).max(0.0);
    let mut all: Vec<(f64, Option<Side>)> = vec![(0.0, None), (end, None)];
    for (side, times) in Side::BOTH.into_iter().zip(times) {
        let inside = times.all().filter(|time| *time <= end + tolerance);
        all.extend(inside.map(|time| (time, Some(side))));
    }
    if times.iter().any(|times| times.has_waves) {
        let part = |part: u32| end * f64::from(part) / f64::from(WAVE_MOMENTS);
        all.extend((1..WAVE_MOMENTS).map(|number| (part(number), None)));
    }
    all.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    all.dedup();
    let between: &[f64] =
        if times.iter().any(|times| times.has_cubic) { &[0.25, 0.5, 0.75] } else { &[0.5] };
    let mut moments = Vec::new();
    let mut rest = all.as_slice();
    let mut before: Option<f64> = None;
    while let Some((first, _)) = rest.first() {
        let (group, after) =
            rest.split_at(rest.partition_point(|(time, _)| time - first <= tolerance).max(1));
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
