//! Conversion of tracks to curves with keys on whole frames.

use std::collections::BTreeMap;

use anim_ir::diag::{quote, seconds};
use anim_ir::number::narrow;
use anim_ir::{
    Budget, Channel, Clip, Curve, Diagnostics, Interpolation, Joint, JointId, LimitError, Pose,
    Quat, Sampler, Skeleton, Target, Timeline, Track, sort_by,
};

use crate::codes;
use crate::error::FromIrError;
use crate::node::{Kind, Node};

/// Maximum distance of a key from a whole frame, in frames, at which it counts as being on the
/// frame, unless the precision of f32 is coarser.
const TOLERANCE: f64 = 0.001;

/// The clip's time axis in frames, starting at 0.
#[derive(Debug)]
pub(crate) struct Frames {
    start: f64,
    end: f64,
    /// Frames per second, as written to the file.
    pub(crate) rate: f64,
    /// The last frame.
    pub(crate) last: u32,
    /// Whether the last frame is exactly at the clip's end.
    is_whole: bool,
}

impl Frames {
    pub(crate) fn new(clip: &Clip, rate: f64) -> Result<Frames, FromIrError> {
        let written = f64::from(narrow(rate));
        if !(rate.is_finite() && written > 0.0) {
            return Err(FromIrError::Rate(rate));
        }
        let (start, end, rate) = (f64::from(clip.start), f64::from(clip.end), written);
        let length = (end - start) * rate;
        let is_whole = (length - length.round()).abs() <= tolerance(end, rate);
        let frames = if is_whole { length.round() } else { length.ceil() };
        let (found, most) = (usize::MAX, u32::MAX as usize);
        let limit = LimitError { what: "the clip", unit: "frames", found, most };
        let last = whole(frames).ok_or(limit)?;
        Ok(Frames { start, end, rate, last, is_whole })
    }

    /// Returns the frame nearest to a time in the clip, and whether the time is on that frame.
    pub(crate) fn nearest(&self, time: f32) -> (u32, bool) {
        let frame = (f64::from(time) - self.start) * self.rate;
        let nearest = frame.round();
        (
            whole(nearest).unwrap_or_default().min(self.last),
            (frame - nearest).abs() <= tolerance(f64::from(time), self.rate),
        )
    }

    /// Returns -1 for a time before the clip, 0 for a time in the clip, and 1 for a time after it.
    fn side(&self, time: f32) -> i8 {
        let time = f64::from(time);
        let tolerance = tolerance(time, self.rate) / self.rate;
        i8::from(time > self.end + tolerance) - i8::from(time < self.start - tolerance)
    }

    /// Returns the time of a frame in seconds on the timeline.
    fn time(&self, frame: u32) -> f64 {
        (self.start + f64::from(frame) / self.rate).min(self.end)
    }
}

/// Returns the tolerance in frames for a `time` in seconds.
fn tolerance(time: f64, rate: f64) -> f64 {
    TOLERANCE.max(time.abs() * f64::from(f32::EPSILON) * rate)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an integer within the range of u32"
)]
fn whole(frames: f64) -> Option<u32> {
    (0.0..=f64::from(u32::MAX)).contains(&frames).then_some(frames as u32)
}

fn name_of(names: &[String], joint: JointId) -> &str {
    names.get(joint.index()).map_or("", String::as_str)
}

/// The memory charged for a key: its frame, its moment and its values.
const KEY_BYTES: usize = 64;

/// A track being sampled.
struct Plan {
    joint: JointId,
    channel: Channel,
    frames: Vec<u32>,
    /// The number of frames sampled so far.
    next: usize,
    values: Vec<[f32; 4]>,
}

/// Returns the curves of all tracks: one per component, but a single curve for a rotation.
pub(crate) fn nodes(
    skeleton: &Skeleton,
    timeline: &Timeline,
    clip: &Clip,
    names: &[String],
    frames: &Frames,
    budget: &Budget,
    losses: &mut Diagnostics,
) -> Result<Vec<Node>, FromIrError> {
    if !frames.is_whole {
        losses.push(&codes::RANGE, None, || {
            format!("the clip ends at {}, between two frames", seconds(frames.end))
        });
    }
    // The times at which to sample each frame: the exact time of the last key on that frame, if
    // any, so that a step already has its new value.
    let mut moments: BTreeMap<u32, f64> = BTreeMap::new();
    let mut plans = Vec::new();
    for track in timeline.tracks() {
        let (joint, channel) = match (track.target, track.channel) {
            (Target::Joint(joint), channel) if clip.has_joint(joint) => (joint, channel),
            (Target::Node(_), Channel::MorphWeights) => {
                losses.push(&codes::LOSS_MORPH, None, || "morph weights are dropped".to_owned());
                continue;
            }
            _ => continue,
        };
        let (list, is_sampled) = frames_of(timeline, track, frames, &mut moments, budget)?;
        if is_sampled {
            losses.push(&codes::SAMPLED, None, || {
                let bone = quote(name_of(names, joint).as_bytes());
                format!("the {channel} of bone {bone} is sampled on every frame")
            });
        }
        plans.push(Plan { joint, channel, frames: list, next: 0, values: Vec::new() });
    }
    let mut of_joints: BTreeMap<JointId, Vec<&mut Plan>> = BTreeMap::new();
    for plan in &mut plans {
        of_joints.entry(plan.joint).or_default().push(plan);
    }
    for (id, mut sampler) in Sampler::for_each_joint(skeleton, timeline, clip) {
        if let (Some(joint), Some(plans)) = (skeleton.joint(id), of_joints.get_mut(&id)) {
            sample(&mut sampler, joint, plans, &moments);
        }
    }
    Ok(plans.iter().flat_map(|plan| plan.nodes(names)).collect())
}

/// Samples the tracks of a joint at their frames.
fn sample(
    sampler: &mut Sampler<'_>,
    joint: &Joint,
    plans: &mut [&mut Plan],
    moments: &BTreeMap<u32, f64>,
) {
    let mut frames: Vec<u32> = plans.iter().flat_map(|plan| &plan.frames).copied().collect();
    sort_by(&mut frames, Ord::cmp);
    frames.dedup();
    let mut pose = Pose::default();
    for frame in frames {
        sampler.sample(moments.get(&frame).copied().unwrap_or_default(), &mut pose);
        for plan in plans.iter_mut().filter(|plan| plan.frames.get(plan.next) == Some(&frame)) {
            plan.next = plan.next.saturating_add(1);
            let value = plan.value(joint, &pose);
            plan.values.push(value);
        }
    }
}

/// Returns the frames at which a track needs keys, in ascending order, and whether it has to be
/// sampled on every frame.
fn frames_of(
    timeline: &Timeline,
    track: &Track,
    frames: &Frames,
    moments: &mut BTreeMap<u32, f64>,
    budget: &Budget,
) -> Result<(Vec<u32>, bool), LimitError> {
    let keys = timeline.keys(track);
    let mut is_sampled = keys.interpolation == Interpolation::Cubic;
    let mut list: Vec<u32> = Vec::new();
    if let Curve::Keys { .. } = track.curve {
        let inside: Vec<f32> =
            keys.times.iter().copied().filter(|time| frames.side(*time) == 0).collect();
        budget.charge("the keys", inside.len().saturating_mul(KEY_BYTES))?;
        let is_step = keys.interpolation == Interpolation::Step;
        is_sampled |= inside.iter().any(|time| !frames.nearest(*time).1);
        let [before, after] =
            [-1, 1].map(|side| keys.times.iter().any(|time| frames.side(*time) == side));
        if !is_sampled {
            list.extend(before.then_some(0));
            for time in &inside {
                let (frame, _) = frames.nearest(*time);
                // Curves are interpolated linearly, so the old value needs a key on the frame
                // before the step.
                list.extend(frame.checked_sub(1).filter(|_| is_step && !list.is_empty()));
                list.push(frame);
                let moment = moments.entry(frame).or_insert(f64::from(*time));
                *moment = moment.max(f64::from(*time));
            }
            list.extend((after && !list.is_empty()).then_some(frames.last));
            list.dedup();
        }
    }
    if is_sampled {
        let count = usize::try_from(frames.last).unwrap_or(usize::MAX);
        budget.charge("the keys", count.saturating_mul(KEY_BYTES))?;
        list = (0..=frames.last).collect();
    }
    if list.is_empty() {
        // A constant gets a single key, as does a track without keys in or around the clip.
        list.push(0);
    }
    for frame in &list {
        moments.entry(*frame).or_insert_with(|| frames.time(*frame));
    }
    Ok((list, is_sampled))
}

impl Plan {
    /// Returns the value of the track in a pose of its joint alone, relative to the parent.
    fn value(&self, joint: &Joint, pose: &Pose) -> [f32; 4] {
        let transform = pose.local_transform(joint, JointId::default());
        let three = |[x, y, z]: [f32; 3]| [x, y, z, 0.0];
        match self.channel {
            Channel::Rotation | Channel::Euler(_) => self.nearer(transform.rotation).to_array(),
            Channel::Scale => three(transform.scale.to_array()),
            Channel::Visibility => {
                let is_seen = pose.visible.first().copied().unwrap_or(true);
                three([u8::from(is_seen).into(), 0.0, 0.0])
            }
            _ => three(transform.translation.to_array()),
        }
    }

    /// Returns the rotation, or its negation if that is closer to the previous key, since not every
    /// reader interpolates along the shorter arc.
    fn nearer(&self, rotation: Quat) -> Quat {
        let dot: f64 = self.values.last().map_or(0.0, |before| {
            let before = Quat::from(*before).to_f64();
            rotation.to_f64().iter().zip(before).map(|(a, b)| a * b).sum()
        });
        if narrow(dot) < 0.0 { -rotation } else { rotation }
    }

    fn nodes(&self, names: &[String]) -> Vec<Node> {
        let curve = |property: &str| {
            let mut curve = Node::new(Kind::Curve);
            curve.text("nn", name_of(names, self.joint));
            curve.text("kp", property);
            curve.text("m", "absolute");
            curve.frames("kb", &self.frames);
            curve
        };
        let axes = |properties: [&str; 3]| {
            let node = |(axis, property): (usize, &str)| {
                let mut curve = curve(property);
                let number = |value: &[f32; 4]| value.get(axis).copied().unwrap_or_default();
                let values: Vec<f32> = self.values.iter().map(number).collect();
                curve.floats("kv", &values);
                curve
            };
            properties.into_iter().enumerate().map(node).collect()
        };
        match self.channel {
            Channel::Rotation | Channel::Euler(_) => {
                let mut curve = curve("rq");
                curve.vectors("kv", &self.values);
                vec![curve]
            }
            Channel::Scale => axes(["sx", "sy", "sz"]),
            Channel::Visibility => {
                let mut curve = curve("vb");
                let values: Vec<u8> =
                    self.values.iter().map(|[seen, ..]| u8::from(*seen > 0.0)).collect();
                curve.bytes("kv", &values);
                vec![curve]
            }
            _ => axes(["tx", "ty", "tz"]),
        }
    }
}
