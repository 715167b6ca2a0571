//! Stores sampled values in poses.

use crate::file::number::narrow;
use crate::{Channel, Pose, Quat, Transform, Vec3};

/// Joint indices with offsets.
pub(super) type Offsets = Vec<(usize, [f64; 3])>;

pub(super) fn set_weights(pose: &mut Pose, place: usize, values: impl Iterator<Item = f32>) {
    if let Some((_, weights)) = pose.morph_weights.get_mut(place) {
        weights.clear();
        weights.extend(values);
    }
}

/// Stores a value of any channel in the pose.
pub(super) fn put(
    pose: &mut Pose,
    offsets: &mut Offsets,
    channel: Channel,
    target: usize,
    value: &[f32],
) {
    match channel {
        Channel::MorphWeights => set_weights(pose, target, value.iter().copied()),
        Channel::Visibility => {
            if let Some(visible) = pose.visible.get_mut(target) {
                *visible = value.first().is_none_or(|value| *value != 0.0);
            }
        }
        Channel::Translation | Channel::Rotation | Channel::Scale => {
            if let Some(transform) = pose.transforms.get_mut(target) {
                assign(transform, channel, value);
            }
        }
        Channel::Euler(_) | Channel::Offset => {
            if let [x, y, z] = *value {
                put_exact(pose, offsets, channel, target, [x, y, z].map(f64::from));
            }
        }
    }
}

/// Stores a three-component value. Euler angles are converted to a rotation before rounding.
#[inline]
pub(super) fn put_exact(
    pose: &mut Pose,
    offsets: &mut Offsets,
    channel: Channel,
    target: usize,
    value: [f64; 3],
) {
    let Some(transform) = pose.transforms.get_mut(target) else { return };
    match channel {
        Channel::Translation => transform.translation = value.map(narrow).into(),
        Channel::Scale => transform.scale = value.map(narrow).into(),
        Channel::Euler(order) => transform.rotation = Quat::from_euler(value, order),
        Channel::Offset => offsets.push((target, value)),
        Channel::Rotation | Channel::MorphWeights | Channel::Visibility => {}
    }
}

pub(super) fn assign(transform: &mut Transform, channel: Channel, value: &[f32]) {
    match (channel, value) {
        (Channel::Translation, [x, y, z]) => transform.translation = Vec3::new(*x, *y, *z),
        (Channel::Rotation, [x, y, z, w]) => transform.rotation = Quat::new(*x, *y, *z, *w),
        (Channel::Scale, [x, y, z]) => transform.scale = Vec3::new(*x, *y, *z),
        _ => {}
    }
}
