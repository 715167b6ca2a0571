//! Conversion of a channel's keys to the scene model.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use anim_ir::double::{conjugate, multiply, to_matrix, transform};
use anim_ir::{Channel, Interpolation, JointId, SkeletonId, Target, Transform};

use crate::math::{finite_all, unit};
use crate::read::fault::Fault;
use crate::read::hierarchy::Part;
use crate::read::source::Source;

/// A parsed channel.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    /// Index of the skeleton; `None` for the weights of a node.
    pub(crate) skeleton: Option<SkeletonId>,
    pub(crate) target: Target,
    pub(crate) channel: Channel,
    pub(crate) part: Part,
    pub(crate) interpolation: Interpolation,
    pub(crate) times: Rc<Vec<f32>>,
    /// The values of all keys, concatenated, in the form that the scene model uses.
    pub(crate) values: Vec<f32>,
    pub(crate) pointer: usize,
    /// Whether the writer added the channel, so the scene has no such track.
    pub(crate) is_added: bool,
}

/// Returns the joints that channels are for, by skeleton.
pub(crate) fn joints(channels: &[Read]) -> BTreeMap<SkeletonId, BTreeSet<JointId>> {
    let mut joints: BTreeMap<SkeletonId, BTreeSet<JointId>> = BTreeMap::new();
    for channel in channels {
        if let (Some(skeleton), Target::Joint(joint)) = (channel.skeleton, channel.target) {
            joints.entry(skeleton).or_default().insert(joint);
        }
    }
    joints
}

/// Returns the values of all keys in the form that the scene model uses.
pub(crate) fn values(
    source: &mut Source<'_>,
    accessor: usize,
    channel: Channel,
    part: Part,
    interpolation: Interpolation,
) -> Result<Vec<f32>, Fault> {
    match channel {
        Channel::Rotation => {
            let mut values: Vec<f32> = source.floats(accessor, 4)?;
            let parts = interpolation.values_per_key();
            for (number, value) in values.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                if parts == 1 || number % 3 == 1 {
                    *value = finite_all(unit(value.map(f64::from)));
                }
            }
            Ok(values)
        }
        // Visibility was written as a scale of 0 or 1.
        Channel::Visibility if part == Part::Switch && source.width(accessor)? == 3 => {
            let values: Vec<[f32; 3]> = source.floats(accessor, 3)?;
            Ok(values.into_iter().map(|scale| if scale == [0.0; 3] { 0.0 } else { 1.0 }).collect())
        }
        Channel::Visibility => {
            let values: Vec<f32> = source.floats(accessor, 1)?;
            Ok(values.into_iter().map(|shown| if shown == 0.0 { 0.0 } else { 1.0 }).collect())
        }
        Channel::MorphWeights => source.floats(accessor, 1),
        _ => source.floats(accessor, 3),
    }
}

/// Undoes the writer's conversion of values that are applied before the rest pose by computing
/// `rest⁻¹ · value`. The translation is omitted for tangents.
pub(crate) fn take_off_rest(channel: &mut Read, rest: &Transform) {
    let back = conjugate(unit(rest.rotation.to_f64()));
    // A multiplication by 0 cannot be undone, so components with a factor of 0 remain 0.
    let factors = rest
        .scale
        .to_array()
        .map(|factor| if factor == 0.0 { 0.0 } else { 1.0 / f64::from(factor) });
    let origin = rest.translation.to_f64();
    let kind = channel.channel;
    let cubic = channel.interpolation == Interpolation::Cubic;
    for (number, value) in
        channel.values.chunks_exact_mut(kind.width().unwrap_or(1).max(1)).enumerate()
    {
        let is_tangent = cubic && number % 3 != 1;
        match (kind, value) {
            (Channel::Rotation, [a, b, c, d]) => {
                let turned = multiply(back, [*a, *b, *c, *d].map(f64::from));
                [*a, *b, *c, *d] = finite_all(if is_tangent { turned } else { unit(turned) });
            }
            (Channel::Translation, [a, b, c]) => {
                let [o, p, q] = if is_tangent { [0.0; 3] } else { origin };
                let [i, j, k] = transform(
                    to_matrix(back),
                    [f64::from(*a) - o, f64::from(*b) - p, f64::from(*c) - q],
                );
                let [u, v, w] = factors;
                [*a, *b, *c] = finite_all([i * u, j * v, k * w]);
            }
            (Channel::Scale, [a, b, c]) => {
                let [u, v, w] = factors;
                [*a, *b, *c] =
                    finite_all([f64::from(*a) * u, f64::from(*b) * v, f64::from(*c) * w]);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use anim_ir::{JointId, Quat};

    use super::*;

    #[test]
    fn the_rest_pose_is_removed_from_keys() {
        let rest = Transform {
            translation: [1.0, 2.0, 3.0].into(),
            rotation: Quat::from_axis_angle([0.0, 0.0, 1.0].into(), std::f64::consts::FRAC_PI_2),
            scale: [2.0; 3].into(),
        };
        // The rest pose maps x to the parent's y and doubles its length.
        let mut channel = Read {
            skeleton: Some(SkeletonId::default()),
            target: JointId::default().into(),
            channel: Channel::Translation,
            part: Part::Whole,
            interpolation: Interpolation::Linear,
            times: Rc::new(vec![0.0]),
            values: vec![1.0, 4.0, 3.0],
            pointer: 0,
            is_added: false,
        };
        take_off_rest(&mut channel, &rest);
        assert!(
            channel
                .values
                .iter()
                .zip([1.0, 0.0, 0.0])
                .all(|(a, b): (&f32, f32)| (a - b).abs() < 1e-6),
            "{:?}",
            channel.values
        );
    }
}
