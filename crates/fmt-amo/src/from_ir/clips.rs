//! Writes animations. A joint keeps its own keys if they are relative to the parent, its rest pose,
//! its bind matrix and its parent's bind matrix are the identity, and no sampling rate is set. The
//! keys of all other joints are rewritten.

use std::collections::BTreeMap;

use anim_ir::number::{count, index32, narrow};
use anim_ir::{
    Channel, Clip, Curve, Interpolation, JointId, JointRef, LimitError, Mat4, Pose, PoseSpace,
    Sampler, Skeleton, Timeline, Track, Transform, Vec3,
    diag::{escape, plural},
    sort_by,
};

use crate::codes;
use crate::from_ir::Conversion;
use crate::writer::SpecText;

impl Conversion<'_> {
    pub(crate) fn clip(&mut self, clip: &Clip) -> Result<(), LimitError> {
        let Some(timeline) = self.scene.timeline(clip.timeline) else { return Ok(()) };
        self.text.gap();
        self.named("a", &clip.name);
        self.clip_losses(clip, timeline);
        let Some(skeleton) = self.scene.skeleton(timeline.skeleton) else { return Ok(()) };
        let mut tracks: BTreeMap<JointId, Vec<&Track>> = BTreeMap::new();
        for track in timeline.tracks() {
            if let Some(joint) = track.joint()
                && clip.has_joint(joint)
            {
                tracks.entry(joint).or_default().push(track);
            }
        }
        let plain_keys = self.rate.is_none() && timeline.pose_space == PoseSpace::ParentRelative;
        let displaced = self.binding.displaced(timeline.skeleton);
        // A displaced joint needs a key even if it has no track.
        for joint in displaced {
            tracks.entry(*joint).or_default();
        }
        let mut rewritten = Vec::new();
        for (id, own) in tracks {
            if plain_keys && displaced.binary_search(&id).is_err() {
                let number = self.binding.number(joint_of(timeline, id));
                for track in own {
                    self.charge_keys(timeline.keys(track).times.len(), LINE_BYTES)?;
                    write_track(&mut self.text, timeline, clip, track, number);
                }
            } else {
                rewritten.push((id, self.key_times(timeline, clip, &own)?));
            }
        }
        if rewritten.is_empty() {
            Ok(())
        } else {
            self.rewrite(clip, timeline, skeleton, &rewritten)
        }
    }

    /// Charges keys of the scene. Those that were read from a file of their size are paid for;
    /// combined and split clips have many more.
    fn charge_keys(&self, count: usize, bytes: usize) -> Result<(), LimitError> {
        let bytes = count.saturating_mul(bytes);
        let paid = bytes.min(self.paid.get());
        self.paid.set(self.paid.get() - paid);
        self.budget.charge("the keys", bytes - paid)
    }

    /// The key times of a joint whose keys are rewritten.
    fn key_times(
        &self,
        timeline: &Timeline,
        clip: &Clip,
        tracks: &[&Track],
    ) -> Result<Vec<f32>, LimitError> {
        let rate = self.rate.filter(|rate| rate.is_finite() && *rate > 0.0);
        if let Some(rate) = rate.filter(|_| !tracks.is_empty()) {
            return self.sampled_times(clip, rate);
        }
        let times = tracks.iter().flat_map(|track| timeline.keys(track).times).copied();
        let mut times: Vec<f32> = times.filter(|time| inside(clip, *time)).collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        // A joint whose rest pose differs from its bind pose needs a key even if it is not
        // animated.
        if times.is_empty() {
            self.budget.charge("the keys of joints at rest", KEY_BYTES)?;
            times.push(clip.start);
        }
        Ok(times)
    }

    /// Returns times from the clip's start to its end, at `rate` per second.
    fn sampled_times(&self, clip: &Clip, rate: f64) -> Result<Vec<f32>, LimitError> {
        let (start, end) = (f64::from(clip.start), f64::from(clip.end));
        let count = count(((end - start) * rate).ceil());
        self.budget.charge("the sampled keys", count.saturating_mul(KEY_BYTES))?;
        let time = |step: usize| narrow((start + f64::from(index32(step)) / rate).min(end));
        let mut times: Vec<f32> = (0..=count).map(time).collect();
        times.dedup();
        Ok(times)
    }

    /// Writes keys at the given times that have the same effect on vertices as the scene's keys.
    fn rewrite(
        &mut self,
        clip: &Clip,
        timeline: &Timeline,
        skeleton: &Skeleton,
        joints: &[(JointId, Vec<f32>)],
    ) -> Result<(), LimitError> {
        let mut pose = Pose::default();
        let bound = |joint| self.binding.bound(joint_of(timeline, joint));
        // The time of each key, its joint, and the number of keys of that joint.
        let mut by_time: Vec<(f32, JointId, usize)> = joints
            .iter()
            .flat_map(|(joint, times)| times.iter().map(|time| (*time, *joint, times.len())))
            .collect();
        sort_by(&mut by_time, |(a, i, _), (b, j, _)| a.total_cmp(b).then(i.cmp(j)));
        if self.rate.is_none() {
            self.charge_keys(by_time.len(), KEY_BYTES)?;
        }
        let times = by_time.chunk_by(|(a, ..), (b, ..)| a.total_cmp(b).is_eq()).count();
        let evaluations = times.saturating_mul(skeleton.joints.len());
        self.budget.charge("the poses of clips", evaluations.saturating_mul(POSE_BYTES))?;
        let mut sampler = Sampler::for_clip(skeleton, timeline, clip);
        let mut sampled = f32::NAN;
        let mut keys: Vec<(JointId, f32, Transform)> = Vec::with_capacity(by_time.len());
        let (mut scaled, mut bent, mut overflowed) = (false, false, 0_usize);
        for (time, id, count) in by_time {
            let Some(joint) = skeleton.joint(id) else { continue };
            if sampled.total_cmp(&time).is_ne() {
                sampler.sample(f64::from(time), &mut pose);
                sampled = time;
            }
            let unbind = joint.parent.map_or(Mat4::IDENTITY, |parent| bound(parent).unbind);
            let matrix = unbind * pose.local_matrix(joint, id) * bound(id).bind;
            let transform = rigid(matrix, &mut scaled);
            bent |= count > 1;
            if !transform.is_finite() {
                overflowed = overflowed.saturating_add(1);
            } else if count > 1 || !matrix.is_near(Mat4::IDENTITY, 1e-6) {
                keys.push((id, time, transform));
            }
        }
        sort_by(&mut keys, |(i, a, _), (j, b, _)| i.cmp(j).then(a.total_cmp(b)));
        let number = |joint: &JointId| self.binding.number(joint_of(timeline, *joint));
        for (joint, time, transform) in &keys {
            self.text.position_key(*time, number(joint), transform.translation);
        }
        for (joint, time, transform) in &keys {
            self.text.rotation_key(*time, number(joint), transform.rotation);
        }
        let name = escape(&clip.name);
        self.losses.lost(&codes::LOSS_SCALE, scaled, || {
            format!("animation `{name}` scales joints, by its keys or by the rest pose")
        });
        self.losses.lost(&codes::LOSS_OVERFLOW, overflowed > 0, || {
            format!("{} of animation `{name}`", plural(overflowed, "key"))
        });
        self.losses.lost(&codes::LOSS_PATH, bent, || {
            format!("animation `{name}` is exact only at its keys")
        });
        Ok(())
    }
}

/// The memory charged for a sampled key: its transform, its text and its entry in the document.
const KEY_BYTES: usize = 320;

/// The memory charged for a key that is written as it is: a line of text and its entry in the
/// document.
const LINE_BYTES: usize = 160;

/// The memory charged for evaluating a joint at a time, which allocates nothing.
const POSE_BYTES: usize = 4;

/// A joint of the skeleton that the timeline animates.
const fn joint_of(timeline: &Timeline, joint: JointId) -> JointRef {
    JointRef { skeleton: timeline.skeleton, joint }
}

fn inside(clip: &Clip, time: f32) -> bool {
    clip.start <= time && time <= clip.end
}

/// Writes the track's keys that are inside the clip.
fn write_track(text: &mut SpecText, timeline: &Timeline, clip: &Clip, track: &Track, joint: usize) {
    let keys = timeline.keys(track);
    // A cubic key is stored as in-tangent, value, out-tangent.
    let (constant, cubic) =
        (matches!(track.curve, Curve::Constant(_)), keys.interpolation == Interpolation::Cubic);
    for (time, value) in keys.times.iter().zip(keys.values()) {
        let time = if constant { clip.start } else { *time };
        let part = value.len() / if cubic { 3 } else { 1 };
        let value = value.chunks_exact(part.max(1)).nth(usize::from(cubic)).unwrap_or_default();
        if !inside(clip, time) {
            continue;
        }
        match (track.channel, value) {
            (Channel::Translation, [x, y, z]) => {
                text.position_key(time, joint, Vec3::new(*x, *y, *z))
            }
            (Channel::Rotation, [x, y, z, w]) => {
                text.rotation_key(time, joint, [*x, *y, *z, *w].into())
            }
            _ => {}
        }
    }
}

/// Returns the translation and rotation of a matrix. Sets `scaled` if the matrix has other
/// components.
fn rigid(matrix: Mat4, scaled: &mut bool) -> Transform {
    let transform = matrix.to_transform();
    let rigid = Transform { scale: Vec3::ONE, ..transform };
    *scaled |= !matrix.is_near(rigid.to_matrix(), 1e-3);
    rigid
}
