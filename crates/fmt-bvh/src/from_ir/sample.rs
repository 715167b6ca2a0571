//! Sampling of a clip at frame times.

use anim_ir::number::{count, narrow};
use anim_ir::{Pose, Sampler, Transform};

use super::bones::Bones;
use super::local::locals;
use super::source::Source;

/// The source and the times at which it is sampled.
pub(super) struct Sampling<'a> {
    source: &'a Source<'a>,
    pub(super) rate: f64,
    frames: usize,
}

impl<'a> Sampling<'a> {
    pub(super) fn new(source: &'a Source<'a>, rate: f64) -> Sampling<'a> {
        let mut sampling = Sampling { source, rate, frames: 1 };
        sampling.frames = count(sampling.exact_steps().round()).saturating_add(1);
        sampling
    }

    /// The number of frames, including those at the clip's start and end.
    pub(super) const fn frames(&self) -> usize {
        self.frames
    }

    /// The length of the clip in frames, not necessarily an integer.
    pub(super) fn exact_steps(&self) -> f64 {
        self.source.clip.map_or(0.0, |(clip, _)| clip.duration() * self.rate)
    }

    pub(super) fn samples(&self) -> usize {
        self.frames.saturating_mul(self.source.skeleton.joints.len())
    }

    /// The time of a frame, in seconds on the timeline. Snaps to a key within rounding error, so
    /// that stepped values change in the right frame.
    pub(super) fn time(&self, frame: usize) -> f64 {
        let Some((clip, timeline)) = self.source.clip else { return 0.0 };
        let frame = f64::from(u32::try_from(frame).unwrap_or(u32::MAX));
        let exact = f64::from(clip.start) + frame / self.rate;
        let hair = exact.abs() * 4.0 * f64::from(f32::EPSILON);
        let near = timeline.tables().iter().filter_map(|table| {
            let times = table.times();
            let after = times.partition_point(|time| f64::from(*time) <= exact + hair);
            let time = f64::from(*times.get(after.checked_sub(1)?)?);
            (time >= exact - hair).then_some(time)
        });
        near.fold(f64::from(narrow(exact)), f64::max)
    }

    pub(super) fn run(&self, bones: &mut Bones) {
        let skeleton = self.source.skeleton;
        let Some((clip, timeline)) = self.source.clip else {
            let rest: Vec<Transform> = skeleton.joints.iter().map(|joint| joint.rest).collect();
            let matrices = self.source.has_scale().then(|| skeleton.rest_model_matrices());
            return bones.add(&locals(skeleton, &rest, matrices.as_deref()));
        };
        let mut sampler = Sampler::for_clip(skeleton, timeline, clip);
        let (mut pose, mut matrices) = (Pose::default(), Vec::new());
        let has_scale = self.source.has_scale();
        let mut transforms: Vec<Transform> = Vec::with_capacity(skeleton.joints.len());
        for frame in 0..self.frames {
            sampler.sample(self.time(frame), &mut pose);
            transforms.clear();
            let joints = skeleton.enumerate_joints();
            transforms.extend(joints.map(|(id, joint)| pose.local_transform(joint, id)));
            if has_scale {
                pose.model_matrices(skeleton, &mut matrices);
            }
            bones.add(&locals(skeleton, &transforms, has_scale.then_some(&matrices)));
        }
    }
}
