//! Joints for transforms, and their keys.

use std::collections::HashSet;

use anim_ir::diag::quote;
use anim_ir::number::narrow;
use anim_ir::{Channel, Joint, JointId, Quat, Transform, Vec3, sort_by};

use super::plan::PlannedJoint;
use super::stage::Stage;
use super::step::{Part, Step};
use super::tracks::add_track;
use super::variants::{Keys, Played};
use crate::codes;

/// The largest rotation between two keys, in radians, for which rounding cannot change which arc is
/// the shorter one.
const MOST_TURN: f64 = 2.0;
/// The memory that a key takes, here and in the timeline.
const KEY_BYTES: usize = 64;

impl Stage<'_> {
    /// Adds the joints of a variant and their tracks.
    pub(super) fn add_joints(
        &mut self,
        planned: &[PlannedJoint],
        played: &Played<'_>,
        root: Option<JointId>,
    ) -> Vec<JointId> {
        let mut joints: Vec<JointId> = Vec::with_capacity(planned.len());
        let Some(first) = played.frames.first() else { return joints };
        let key_count =
            played.keys.iter().fold(0_usize, |sum, keys| sum.saturating_add(keys.len()));
        let mut known: HashSet<Step> = HashSet::new();
        for joint in planned {
            let parent = joint.parent.and_then(|parent| joints.get(parent).copied()).or(root);
            let source_index = self.skeleton.joints.len();
            let mut made = Joint { source_index, ..Joint::new(joint.name.clone(), parent) };
            if let Some(matrix) = joint.step.matrix(first) {
                made.rest = matrix.to_transform();
                made.exact_rest = Some(matrix);
            } else {
                made.rest = joint.step.transform(first);
            }
            made.visible = joint.visible;
            let rest = made.rest;
            let id = self.skeleton.add_joint(made);
            joints.push(id);
            let varies = joint.step.part != Part::Matrix
                && played.versions(joint.step.node).nth(1).is_some();
            let is_first = varies && known.insert(joint.step);
            if varies && (is_first || self.has_room(key_count.saturating_mul(10))) {
                self.report_turns(joint, played);
                self.add_joint_tracks(id, &rest, joint.step, played);
            }
            self.drive(id, joint.step, played);
        }
        joints
    }

    /// Reports rotations by more than 180° about the same axis between two frames, which
    /// interpolation along the shorter arc reverses or cancels.
    fn report_turns(&mut self, joint: &PlannedJoint, played: &Played<'_>) {
        if !matches!(joint.step.part, Part::Whole { .. }) || self.options.long_turns {
            return;
        }
        let mut before: Option<[f32; 4]> = None;
        for node in played.versions(joint.step.node) {
            let [x, y, z, angle] = node.array::<4>("rotation");
            if let Some(before) = before.replace([x, y, z, angle])
                && let Some(turn) = long_turn(before, [x, y, z, angle])
            {
                let (span, [_, _, _, from]) = (node.span, before);
                self.losses.push(&codes::LONG_TURN, span, || {
                    let turns = turn / std::f64::consts::TAU;
                    let is_full = (turns - turns.round()).abs() < 1e-3;
                    format!(
                        "{} rotates from {from} to {angle} rad, interpolated along the shorter \
                         arc{}",
                        quote(joint.name.as_bytes()),
                        if is_full { ": a full turn shows no motion" } else { "" }
                    )
                });
            }
        }
    }

    fn add_joint_tracks(
        &mut self,
        joint: JointId,
        rest: &Transform,
        step: Step,
        played: &Played<'_>,
    ) {
        let values: Vec<Transform> =
            played.frames.iter().map(|graph| step.transform(graph)).collect();
        let numbers = |channel: Channel, transform: &Transform| match channel {
            Channel::Rotation => transform.rotation.to_array().to_vec(),
            Channel::Scale => transform.scale.to_array().to_vec(),
            _ => transform.translation.to_array().to_vec(),
        };
        for channel in [Channel::Translation, Channel::Rotation, Channel::Scale] {
            let at_rest = numbers(channel, rest);
            if values.iter().all(|value| numbers(channel, value) == at_rest) {
                continue;
            }
            for ((number, take), keys) in played.takes.iter().zip(&played.keys) {
                let mut keyed: Vec<(f32, Vec<f32>)> = keys
                    .iter()
                    .filter_map(|(time, frame)| {
                        Some((*time, numbers(channel, values.get(*frame)?)))
                    })
                    .collect();
                if channel == Channel::Rotation && self.options.long_turns && !take.step {
                    self.add_turns(step, keys, played, &mut keyed);
                }
                let Some(builder) = self.builders.get_mut(*number) else { continue };
                add_track(builder, joint.into(), channel, take.step, &keyed);
            }
        }
    }

    /// Adds keys between frames whose angles differ by more than 180° about the same axis, so that
    /// the shorter arcs between the keys add up to the whole angle.
    fn add_turns(
        &mut self,
        step: Step,
        keys: &Keys,
        played: &Played<'_>,
        keyed: &mut Vec<(f32, Vec<f32>)>,
    ) {
        if !matches!(step.part, Part::Whole { .. }) {
            return;
        }
        let rotation = |frame: usize| {
            let node = played.frames.get(frame)?.node(step.node)?;
            Some(node.array::<4>("rotation"))
        };
        let mut between = Vec::new();
        for pair in keys.windows(2) {
            let [(start, from), (end, to)] = *pair else { continue };
            let (Some(from), Some(to)) = (rotation(from), rotation(to)) else { continue };
            let Some(turn) = long_turn(from, to) else { continue };
            let parts = (turn.abs() / MOST_TURN).ceil();
            let [x, y, z, angle] = from;
            let mut part = 1.0;
            while part < parts {
                // A huge angle needs more keys than the budget allows.
                if let Err(error) = self.budget.charge("keys of turns", KEY_BYTES) {
                    self.losses.push(&codes::EXPANSION, None, || error.to_string());
                    return;
                }
                let share = part / parts;
                let time = f64::from(start) + (f64::from(end) - f64::from(start)) * share;
                let axis = Vec3::new(x, y, z);
                let turned = Quat::from_axis_angle(axis, f64::from(angle) + turn * share);
                between.push((narrow(time), turned.to_array().to_vec()));
                part += 1.0;
            }
        }
        if !between.is_empty() {
            keyed.append(&mut between);
            sort_by(keyed, |(a, _), (b, _)| a.total_cmp(b));
            // Drop keys whose times f32 cannot tell apart.
            keyed.dedup_by(|(later, _), (earlier, _)| later <= earlier);
        }
    }
}

/// Returns by how much an angle changes, in radians, if the axis stays the same and the change is
/// more than 180°.
fn long_turn([a, b, c, from]: [f32; 4], [x, y, z, to]: [f32; 4]) -> Option<f64> {
    let turn = f64::from(to) - f64::from(from);
    ([a, b, c] == [x, y, z] && turn.abs() > std::f64::consts::PI + 1e-3).then_some(turn)
}
