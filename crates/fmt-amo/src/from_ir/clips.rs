//! Writes animations. A joint keeps its own keys if they are relative to the parent, its rest pose,
//! its bind matrix and its parent's bind matrix are the identity, and no sampling rate is set. The
//! keys of all other joints are rewritten.

use std::collections::BTreeMap;

use anim_ir::number::{count, index32, narrow};
use anim_ir::{
    Channel, Clip, Curve, Interpolation, JointId, JointRef, LimitError, Mat4, Pose, PoseSpace,
    Sampler, Timeline, Track, Transform, Vec3,
    diag::{escape, plural},
    sort_by,
};

use crate::codes;
use crate::from_ir::Conversion;
use crate::from_ir::binding::is_origin;
use crate::writer::SpecText;

impl Conversion<'_> {
    pub(crate) fn clip(&mut self, clip: &Clip) -> Result<(), LimitError> {
        let Some(timeline) = self.scene.timeline(clip.timeline) else { return Ok(()) };
        self.text.gap();
        self.named("a", &clip.name);
        self.clip_losses(clip, timeline);
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
        self.rewrite(clip, timeline, &rewritten)
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
        if let Some(rate) = rate {
            return self.sampled_times(clip, rate);
        }
        let times = tracks.iter().flat_map(|track| timeline.keys(track).times).copied();
        let mut times: Vec<f32> = times.filter(|time| inside(clip, *time)).collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        // A joint whose keys are all outside the clip stays where they put it.
        if times.is_empty() {
            times.push(clip.start);
        }
        self.charge_keys(times.len(), KEY_BYTES)?;
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

    /// Writes keys at the given times that have the same effect on vertices as the scene's keys,
    /// and keys for the joints of all skeletons that stay at rest, unless that is at the origin.
    fn rewrite(
        &mut self,
        clip: &Clip,
        timeline: &Timeline,
        joints: &[(JointId, Vec<f32>)],
    ) -> Result<(), LimitError> {
        let (mut scaled, mut bent, mut overflowed) = (false, false, 0_usize);
        let mut keys: Vec<(usize, f32, Transform)> = Vec::new();
        let mut add = |joint, time, matrix| {
            let transform = rigid(matrix, &mut scaled);
            if transform.is_finite() {
                keys.push((self.binding.number(joint), time, transform));
            } else {
                overflowed = overflowed.saturating_add(1);
            }
        };
        let times_of = |joint: JointId| {
            let at = joints.binary_search_by(|(other, _)| other.cmp(&joint)).ok()?;
            joints.get(at).map(|(_, times)| times)
        };
        for (joint, matrix) in self.binding.resting() {
            if joint.skeleton != timeline.skeleton || times_of(joint.joint).is_none() {
                self.budget.charge("the keys of joints at rest", KEY_BYTES)?;
                add(*joint, clip.start, *matrix);
            }
        }
        let mut pose = Pose::default();
        let skeleton = self.scene.skeleton(timeline.skeleton);
        let samplers = skeleton.map(|skeleton| Sampler::for_each_joint(skeleton, timeline, clip));
        for (id, mut sampler) in samplers.into_iter().flatten() {
            let joint = skeleton.and_then(|skeleton| skeleton.joint(id));
            let Some((joint, times)) = joint.zip(times_of(id)) else { continue };
            bent |= times.len() > 1;
            for time in times {
                sampler.sample(f64::from(*time), &mut pose);
                // The poses have only this joint.
                let local = pose.local_matrix(joint, JointId::default());
                let reference = joint_of(timeline, id);
                let matrix = self.binding.keyed(reference, joint, local);
                if times.len() > 1 || !is_origin(matrix) {
                    add(reference, *time, matrix);
                }
            }
        }
        sort_by(&mut keys, |(i, a, _), (j, b, _)| i.cmp(j).then(a.total_cmp(b)));
        for (joint, time, transform) in &keys {
            self.text.position_key(*time, *joint, transform.translation);
        }
        for (joint, time, transform) in &keys {
            self.text.rotation_key(*time, *joint, transform.rotation);
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
