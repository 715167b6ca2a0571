//! Animations, each with its own timeline.

use std::collections::HashMap;

use anim_ir::number::narrow;
use anim_ir::{
    Channel, Clip, Interpolation, JointId, PoseSpace, Quat, Scene, Target, TimeBase,
    TimelineBuilder, Wrap, sort_by,
};

use crate::content::{Animation, KeyValue};
use crate::dialect::Dialect;
use crate::document::Document;

/// Adds an animation to the scene. `joints` are the indices of the document's joints in the
/// skeleton.
pub(crate) fn animation(
    document: &Document<'_>,
    animation: &Animation,
    pose_space: PoseSpace,
    joints: &[JointId],
    scene: &mut Scene,
) {
    let dialect = document.dialect();
    let seconds = |time: f32| dialect.seconds(animation.duration_ms, time);
    let duration = animation.duration_ms.filter(|_| dialect.groups_keys()).map(|_| seconds(1.0));
    let time_base = match (dialect, duration) {
        (Dialect::Spec | Dialect::Editamo, _) => TimeBase::Seconds,
        (_, Some(duration)) => TimeBase::Progress { duration },
        (Dialect::Counted, None) => TimeBase::Progress { duration: 1.0 },
        (Dialect::Extobj | Dialect::Lines, None) => {
            TimeBase::Frames { per_second: narrow(Dialect::FRAMES_PER_SECOND) }
        }
    };
    let mut builder =
        TimelineBuilder::new(&animation.name).with_time_base(time_base).with_pose_space(pose_space);
    let mut groups: Vec<f32> = animation.group_times.iter().map(|time| seconds(*time)).collect();
    groups.sort_by(f32::total_cmp);
    groups.dedup();
    for (joint, keys) in keys_by_joint(document, animation) {
        let target = Target::Joint(joints.get(joint as usize).copied().unwrap_or_default());
        let sorted = |keys: Vec<(f32, [f32; 4])>, identity: [f32; 4]| {
            if dialect.groups_keys() {
                fill(&groups, keys, identity)
            } else {
                last_at_each_time(keys)
            }
        };
        let mut track = |channel, keys: &[(f32, [f32; 4])], values: Vec<f32>| {
            let times: Vec<f32> = keys.iter().map(|(time, _)| *time).collect();
            // Times are finite, sorted and distinct, so the builder can only reject an empty track.
            let _ = builder.keys(target, channel, Interpolation::Linear, &times, values);
        };
        let positions = sorted(keys.positions, [0.0; 4]);
        let values = positions.iter().flat_map(|(_, value)| value.iter().take(3).copied());
        track(Channel::Translation, &positions, values.collect());
        let rotations = sorted(keys.rotations, Quat::IDENTITY.to_array());
        let values =
            rotations.iter().flat_map(|(_, value)| Quat::from(*value).normalized().to_array());
        track(Channel::Rotation, &rotations, values.collect());
    }
    let timeline = builder.finish();
    let (start, end) = match (duration, timeline.range()) {
        (None, range) => range.unwrap_or_default(),
        (Some(duration), None) => (0.0, duration),
        (Some(duration), Some((start, end))) => (start.min(0.0), end.max(duration)),
    };
    let timeline = scene.add_timeline(timeline);
    let name = animation.name.clone();
    let wrap = Wrap::Unspecified;
    scene.add_clip(Clip { name, timeline, start, end, wrap, ..Clip::default() });
}

#[derive(Default)]
struct JointKeys {
    positions: Vec<(f32, [f32; 4])>,
    rotations: Vec<(f32, [f32; 4])>,
}

/// The keys of each joint in the document, in file order, with times in seconds.
fn keys_by_joint(document: &Document<'_>, animation: &Animation) -> Vec<(u32, JointKeys)> {
    let mut joints: Vec<(u32, JointKeys)> = Vec::new();
    let mut places: HashMap<usize, usize> = HashMap::new();
    for key in &animation.keys {
        let at = *places.entry(key.joint as usize).or_insert_with(|| {
            joints.push((key.joint, JointKeys::default()));
            joints.len() - 1
        });
        let Some((_, keys)) = joints.get_mut(at) else { continue };
        let time = document.seconds(animation, key.time);
        match key.value {
            KeyValue::Position([x, y, z]) => keys.positions.push((time, [x, y, z, 0.0])),
            KeyValue::Rotation(rotation) => keys.rotations.push((time, rotation)),
        }
    }
    joints
}

/// Sorts keys by time. If several have the same time, keeps the last one in the file.
fn last_at_each_time(mut keys: Vec<(f32, [f32; 4])>) -> Vec<(f32, [f32; 4])> {
    sort_by(&mut keys, |(a, _), (b, _)| (a + 0.0).total_cmp(&(b + 0.0)));
    let mut sorted: Vec<(f32, [f32; 4])> = Vec::with_capacity(keys.len());
    for key in keys {
        match sorted.last_mut() {
            Some(last) if last.0 >= key.0 => *last = key,
            _ => sorted.push(key),
        }
    }
    sorted
}

/// Adds identity keys at the key groups that omit the joint, as dialects with key groups require.
/// Adds nothing if the joint has no keys of this type at all.
fn fill(groups: &[f32], keys: Vec<(f32, [f32; 4])>, identity: [f32; 4]) -> Vec<(f32, [f32; 4])> {
    if keys.is_empty() {
        return keys;
    }
    let keys = last_at_each_time(keys);
    let mut next = keys.into_iter().peekable();
    groups
        .iter()
        .map(|time| next.next_if(|(at, _)| at <= time).unwrap_or((*time, identity)))
        .collect()
}
