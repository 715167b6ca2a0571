//! Clips that the format can store directly: waves and constants.

use anim_ir::number::narrow;
use anim_ir::{
    Budget, Channel, Curve, EulerOrder, Joint, JointId, LimitError, PoseSpace, Quat, Wave,
    WaveShape,
};

use super::maker::{Moving, NODE_BYTES, STILLS};
use crate::motion::{self, Behaviour, ChannelType, Part, WAVES};
use crate::writer::NewNode;

/// Returns the nodes of an equivalent SINGLE state; `None` if the clip has no equivalent.
///
/// # Errors
///
/// Returns [`LimitError`] if the nodes exceed the budget. A clip that specifies no joints has a
/// node for each joint of the skeleton, whether or not it moves.
pub(super) fn nodes(
    moving: &Moving<'_>,
    names: &[String],
    order: EulerOrder,
    budget: &Budget,
) -> Result<Option<Vec<NewNode>>, LimitError> {
    let joints = moving.joints();
    let bytes = joints.len().saturating_mul(NODE_BYTES);
    budget.check(STILLS, bytes)?;
    let Some(channels) = channels(moving, &joints, order) else { return Ok(None) };
    budget.charge(STILLS, bytes)?;
    let node = |((id, _), channels): (&(JointId, _), _)| NewNode {
        name: names.get(id.index()).cloned().unwrap_or_default(),
        behaviour: behaviour(channels),
    };
    Ok(Some(joints.iter().zip(channels).map(node).collect()))
}

/// Returns the channels of the given joints, which are in ascending order.
fn channels(
    moving: &Moving<'_>,
    joints: &[(JointId, &Joint)],
    order: EulerOrder,
) -> Option<Vec<[motion::Channel; 3]>> {
    let Moving { clip, timeline, .. } = moving;
    if timeline.pose_space != PoseSpace::ParentRelative {
        return None;
    }
    let mut channels: Vec<[motion::Channel; 3]> =
        joints.iter().map(|(_, joint)| at_rest(joint, order)).collect();
    for track in timeline.tracks() {
        let Some(joint) = track.joint() else { continue };
        let part = match track.channel {
            _ if !clip.has_joint(joint) => continue,
            Channel::Translation => Part::Displacement,
            Channel::Offset => Part::Translation,
            Channel::Euler(_) | Channel::Rotation => Part::Orientation,
            _ => continue,
        };
        let channel = match (&track.curve, track.channel) {
            (Curve::Wave(wave), Channel::Euler(own)) if own != order && !wave.is_constant() => {
                return None;
            }
            (Curve::Wave(wave), Channel::Euler(own)) if wave.is_constant() => {
                still_angles(Quat::from_euler(wave.at(0.0), own), order)
            }
            (Curve::Wave(wave), _) => of_wave(wave, clip.start, part)?,
            (Curve::Constant(value), Channel::Rotation) => still_angles(quat(value)?, order),
            (Curve::Constant(value), Channel::Euler(own)) if own != order => {
                still_angles(Quat::from_euler(vector(value)?.map(f64::from), own), order)
            }
            (Curve::Constant(value), _) => motion::Channel::still(in_file(vector(value)?, part)),
            _ => return None,
        };
        let place = joints.binary_search_by_key(&joint, |(id, _)| *id).ok()?;
        *channels.get_mut(place)?.get_mut(part.index())? = channel;
    }
    Some(channels)
}

/// Returns a STATIC node if nothing moves, otherwise a DYNAMIC node.
fn behaviour(channels: [motion::Channel; 3]) -> Behaviour {
    if channels.iter().all(|channel| channel.kind == ChannelType::Start) {
        Behaviour::Static(channels.map(|channel| channel.start))
    } else {
        Behaviour::Dynamic(channels)
    }
}

fn at_rest(joint: &Joint, order: EulerOrder) -> [motion::Channel; 3] {
    let still = motion::Channel::still;
    [
        still(joint.rest.translation.to_array()),
        still([0.0; 3]),
        still_angles(joint.rest.rotation, order),
    ]
}

fn still_angles(rotation: Quat, order: EulerOrder) -> motion::Channel {
    motion::Channel::still(degrees(rotation, order))
}

/// Converts a rotation to an orientation, in degrees.
pub(super) fn degrees(rotation: Quat, order: EulerOrder) -> [f32; 3] {
    rotation.to_euler(order).map(|angle| narrow(angle.to_degrees()))
}

/// Converts angles to degrees and leaves other values unchanged.
fn in_file(value: [f32; 3], part: Part) -> [f32; 3] {
    if part == Part::Orientation {
        value.map(|angle| narrow(f64::from(angle).to_degrees()))
    } else {
        value
    }
}

/// Returns the channel for a wave, with time 0 at the clip's start.
fn of_wave(wave: &Wave, clip_start: f32, part: Part) -> Option<motion::Channel> {
    if wave.is_constant() {
        return Some(motion::Channel::still(in_file(wave.at(0.0).map(narrow), part)));
    }
    let (start, end) = (in_file(wave.start, part), in_file(wave.end, part));
    let goes_back = wave.backwards && !matches!(wave.shape, WaveShape::Sine | WaveShape::Growth);
    let is_it =
        |(_, shape, backwards): &(_, _, bool)| (*shape, *backwards) == (wave.shape, goes_back);
    let (kind, ..) = WAVES.into_iter().find(is_it)?;
    let (start, end) =
        if wave.shape == WaveShape::Sine && wave.backwards { (end, start) } else { (start, end) };
    // The format allows an offset for growth per period, but not for growth per second, so use a
    // period of one second.
    let (period, offset) = match wave.shape {
        WaveShape::Growth if wave.period <= 0.0 && clip_start != 0.0 => (1.0, 0.0),
        WaveShape::Growth if wave.period <= 0.0 => (0.0, 0.0),
        _ => (wave.period, wave.offset),
    };
    Some(motion::Channel { start, end, period, offset: offset + clip_start, kind })
}

fn vector(value: &[f32]) -> Option<[f32; 3]> {
    value.first_chunk().copied()
}

fn quat(value: &[f32]) -> Option<Quat> {
    value.first_chunk::<4>().map(|value| Quat::from(*value))
}
