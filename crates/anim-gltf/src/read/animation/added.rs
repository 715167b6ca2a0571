//! Removes keys that the writer added to animations for compatibility with players, unless another
//! program has changed them.

use std::rc::Rc;

use anim_ir::{Channel, Extras, Value};

use super::keys::Read;
use crate::json;
use crate::marks;
use crate::math::{finite_all, unit};
use crate::read::hierarchy::Part;

/// Tolerance for comparing a rest key with the node's rest pose, since other programs may have
/// rounded either of them.
const SAME: f32 = 1e-6;

/// Removes the second of two equal keys, which gave the animation a duration.
pub(crate) fn drop_held(read: &mut Read) {
    let half = read.values.len() / 2;
    let (first, second) = read.values.split_at(half);
    if read.times.len() == 2 && first == second {
        read.times = Rc::new(read.times.iter().take(1).copied().collect());
        read.values.truncate(half);
    }
}

/// Whether a channel only holds the node's rest pose.
pub(crate) fn is_at_rest(root: &json::Root<'_>, node: usize, read: &Read) -> bool {
    let Some(node) = root.nodes.get(node) else { return false };
    let flag = |shown: bool| vec![if shown { 1.0 } else { 0.0 }];
    let rest = match read.channel {
        Channel::Translation => node.translation.unwrap_or_default().to_vec(),
        Channel::Rotation => {
            let rotation = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
            finite_all(unit(rotation.map(f64::from))).to_vec()
        }
        Channel::Visibility if read.part == Part::Switch => flag(node.scale != Some([0.0; 3])),
        Channel::Visibility => {
            flag(node.extensions.visibility.is_none_or(|visibility| visibility.visible))
        }
        Channel::MorphWeights => {
            let mesh = node.mesh.and_then(|mesh| root.meshes.get(mesh));
            let of_mesh = mesh.map_or(&[][..], |mesh| &mesh.weights);
            let weights = if node.weights.is_empty() { of_mesh } else { &node.weights };
            if weights.is_empty() { vec![0.0; read.values.len()] } else { weights.to_vec() }
        }
        _ => node.scale.unwrap_or([1.0; 3]).to_vec(),
    };
    read.times.len() == 1
        && read.values.len() == rest.len()
        && read
            .values
            .iter()
            .zip(&rest)
            .all(|(value, rest)| (value - rest).abs() <= SAME * rest.abs().max(1.0))
}

/// Returns the sampler index and the checksum in a [`marks::CUBIC`] mark.
pub(crate) fn cubic_mark(mark: &Extras) -> Option<(usize, f64)> {
    let number = |name: &str| match mark.get(name)? {
        Value::Number(number) => Some(*number),
        _ => None,
    };
    let sampler = number(marks::SAMPLER)?;
    Some((format!("{sampler:.0}").parse().ok()?, number(marks::CHECKSUM)?))
}
