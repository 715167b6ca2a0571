//! Differences in the motion of a clip.

use crate::ops::diff::clip_start::is_seen;
use crate::ops::diff::differ::Differ;
use crate::ops::diff::difference::{Difference, Gap, Side, Worst};
use crate::ops::diff::moments::{KeyTimes, Spacing};
use crate::ops::diff::morphs::Known;
use crate::ops::diff::pairs::unmatched;
use crate::{Clip, Joint, JointId, Pose, Sampler, Skeleton, SkeletonId};

/// The cost of a joint's pose in samples. A pose takes about 60 ns, several times as long as other
/// samples.
const POSE: usize = 24;

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
        let keys = times.iter().map(KeyTimes::key_count).fold(0, usize::saturating_add);
        self.affords(keys.saturating_add(cost).min(self.left()));
        let ends = clips.map(|clip| f64::from(clip.end) - f64::from(clip.start));
        // In a clip without a duration, the times of keys do not affect the pose.
        if self.options.key_times && ends.iter().any(|end| *end > self.options.seconds) {
            self.compare_keys(name, &joints, &times);
        }
        let spacing = Spacing {
            ends,
            tolerance: self.options.seconds,
            has_cubic: times.iter().any(|times| times.has_cubic),
            has_waves: times.iter().any(|times| times.has_waves),
        };
        let keys = times.each_ref().map(KeyTimes::of_all_joints);
        let moments = spacing.moments(keys.each_ref().map(Vec::as_slice));
        let moments = self.afford_moments(moments, cost.saturating_mul(POSE));
        let sampler = |side: Side| {
            let (bones, timeline, clip) = side.of(takes);
            let of_side: Vec<usize> = joints.iter().map(|(pair, _)| side.of(*pair)).collect();
            (Sampler::for_joints(bones, timeline, clip, &of_side), clip)
        };
        let samplers = Side::BOTH.map(sampler);
        self.compare_poses(name, &joints, skeletons, samplers, &moments);
        let takes = takes.map(|(_, timeline, clip)| (timeline, clip));
        self.compare_weights(name, takes, &times, &spacing, known);
    }

    /// Charges for the comparison at some times, given the samples for each. Returns those that the
    /// budget allows.
    pub(super) fn afford_moments(&mut self, moments: Vec<[f64; 2]>, cost: usize) -> Vec<[f64; 2]> {
        let affordable = self.left() / cost.max(1);
        let affordable = if moments.len() > affordable {
            self.found.clips_in_part = self.found.clips_in_part.saturating_add(1);
            let every = moments.len() / affordable.max(1);
            moments.into_iter().step_by(every.saturating_add(1)).take(affordable).collect()
        } else {
            moments
        };
        self.affords(affordable.len().saturating_mul(cost));
        affordable
    }

    /// Returns the joints that exist in both skeletons and that either clip moves: their indices in
    /// each skeleton, and their index among the joints of all skeletons of the first scene.
    fn joints_of(
        &self,
        skeletons: [SkeletonId; 2],
        times: &[KeyTimes<'_>; 2],
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

    fn compare_keys(
        &mut self,
        name: &str,
        joints: &[([usize; 2], usize)],
        times: &[KeyTimes<'_>; 2],
    ) {
        let [a, b] = times;
        let of_joints = joints
            .iter()
            .map(|([x, y], joint)| ([a.of_joint(*x), b.of_joint(*y)], &self.joints, *joint));
        let morphed = self.nodes.of_either([a, b].map(|times| times.of_nodes.keys().copied()));
        let of_nodes =
            morphed.into_iter().map(|[x, y]| ([a.of_node(x), b.of_node(y)], &self.nodes, x));
        let mut found = Vec::new();
        for (lists, names, number) in of_joints.chain(of_nodes) {
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
    ) {
        let pair = |[x, y]: [usize; 2]| Some([bones_a.joints.get(x)?, bones_b.joints.get(y)?]);
        let pairs: Vec<[&Joint; 2]> = joints.iter().filter_map(|(both, _)| pair(*both)).collect();
        let mut poses = [Pose::default(), Pose::default()];
        let mut worst: Vec<Worst<Gap>> = vec![Worst::default(); joints.len()];
        let mut seen: Vec<Option<(f64, Side)>> = vec![None; joints.len()];
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
    }
}
