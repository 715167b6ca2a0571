//! Cuts a track's keys to the range of a clip.

use anim_ir::number::narrow;
use anim_ir::{
    Channel, Curve, Interpolation, Joint, JointId, KeyTable, NodeId, Pose, Sampler, Skeleton,
    Target, Timeline, TimelineBuilder, Track,
};

use super::window::Window;
use crate::math::finite;

/// The keys of a track within a window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) first: usize,
    pub(crate) count: usize,
}

/// Returns the range of a track's keys that are within a window; `None` for a constant.
pub(crate) fn cut(timeline: &Timeline, track: &Track, window: &Window<'_>) -> Option<Cut> {
    let Curve::Keys { .. } = track.curve else { return None };
    let times = timeline.keys(track).times;
    let first = times.partition_point(|time| *time < window.start);
    let after = times.partition_point(|time| *time <= window.end);
    Some(Cut { first, count: after.saturating_sub(first) })
}

/// Whether motion is lost between the start or end of the window and the nearest key within it.
pub(crate) fn loses_motion(table: &KeyTable, track: &Track, cut: Cut, window: &Window<'_>) -> bool {
    let Curve::Keys { column, width, .. } = track.curve else { return false };
    let differ = |a: usize, b: usize| table.moves_between((column, width), [a, b]);
    let (times, after) = (table.times(), cut.first.saturating_add(cut.count));
    let before = cut.first.checked_sub(1);
    let steps = table.interpolation() == Interpolation::Step;
    if cut.count == 0 {
        return !steps && after < times.len() && before.is_some_and(|before| differ(before, after));
    }
    let last = after.saturating_sub(1);
    let late = times.get(cut.first).is_some_and(|first| *first > window.start);
    let early = times.get(last).is_some_and(|last| *last < window.end);
    (late && before.is_some_and(|before| differ(before, cut.first)))
        || (early && !steps && after < times.len() && differ(last, after))
}

/// Evaluates a track at a time between the keys in rows `next - 1` and `next`.
pub(crate) fn value_at(table: &KeyTable, track: &Track, next: usize, time: f32) -> Vec<f32> {
    let Curve::Keys { column, width, .. } = track.curve else { return Vec::new() };
    let first = next.saturating_sub(1);
    let rows = first..next.saturating_add(1).min(table.times().len());
    let times = table.times().get(rows.clone()).unwrap_or_default();
    let width = width.saturating_mul(table.interpolation().values_per_key());
    let keys: Vec<f32> = rows
        .filter_map(|row| table.row(row).get(column..column.saturating_add(width)))
        .flatten()
        .copied()
        .collect();
    // Sample a track that consists of only these two keys.
    let (joint, node) = (JointId::default(), NodeId::default());
    let is_weights = track.channel == Channel::MorphWeights;
    let target: Target = if is_weights { node.into() } else { joint.into() };
    let mut builder = TimelineBuilder::new("");
    if builder.keys(target, track.channel, table.interpolation(), times, &keys).is_err() {
        return Vec::new();
    }
    let timeline = builder.finish();
    let mut skeleton = Skeleton::new("");
    skeleton.add_joint(Joint::new("", None));
    let mut pose = Pose::default();
    Sampler::new(&skeleton, &timeline).sample(f64::from(time), &mut pose);
    let transform = pose.transform(joint).copied().unwrap_or_default();
    let value = match track.channel {
        Channel::Rotation => transform.rotation.to_array().to_vec(),
        Channel::Scale => transform.scale.to_array().to_vec(),
        Channel::MorphWeights => pose.weights_of(node).map(<[f32]>::to_vec).unwrap_or_default(),
        Channel::Visibility => vec![if pose.visible.first() == Some(&false) { 0.0 } else { 1.0 }],
        _ => transform.translation.to_array().to_vec(),
    };
    // Interpolating between extreme values may overflow f32.
    value.into_iter().map(|number| finite(f64::from(number))).collect()
}

/// Subtracts the offset from the times. The results are nonnegative, strictly increasing and
/// finite. Near the limits of f32, times for which rounding or overflow makes this impossible are
/// omitted.
pub(crate) fn moved_times(times: &[f32], offset: f32) -> Vec<f32> {
    let mut moved: Vec<f32> = Vec::with_capacity(times.len());
    for time in times {
        // Adding zero turns negative zero into zero.
        let exact =
            if offset == 0.0 { *time + 0.0 } else { narrow(f64::from(*time) - f64::from(offset)) };
        let after = moved.last().map_or(0.0, |last| last.next_up());
        let time = exact.max(after);
        if !time.is_finite() {
            break;
        }
        moved.push(time);
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifted_times_stay_distinct() {
        assert_eq!(
            moved_times(&[-0.0, 0.5], 0.0).iter().map(|t| t.to_bits()).collect::<Vec<_>>(),
            [0.0_f32, 0.5].map(f32::to_bits)
        );
        let moved = moved_times(&[-1_000.0, 0.000_01, 0.000_02], -1_000.0);
        assert_eq!(moved, [0.0, 1_000.0, 1_000.0_f32.next_up()]);
        assert_eq!(moved_times(&[f32::MIN, 0.0, f32::MAX], f32::MIN), [0.0, f32::MAX]);
    }
}
