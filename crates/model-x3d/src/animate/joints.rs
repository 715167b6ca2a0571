//! Joints for transforms, and their keys.

use std::collections::HashSet;

use anim_ir::diag::quote;
use anim_ir::{Channel, Joint, JointId, Transform};

use super::plan::PlannedJoint;
use super::stage::Stage;
use super::step::{Part, Step};
use super::tracks::add_track;
use super::variants::Played;
use crate::codes;

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
            made.visible = joint.step.is_visible(first);
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
        if !matches!(joint.step.part, Part::Whole { .. }) {
            return;
        }
        let mut before: Option<[f32; 4]> = None;
        for node in played.versions(joint.step.node) {
            let [x, y, z, angle] = node.array::<4>("rotation");
            if let Some([a, b, c, from]) = before.replace([x, y, z, angle])
                && [a, b, c] == [x, y, z]
                && (f64::from(angle) - f64::from(from)).abs() > std::f64::consts::PI + 1e-3
            {
                let span = node.span;
                self.losses.push(&codes::LONG_TURN, span, || {
                    let turns = (f64::from(angle) - f64::from(from)) / std::f64::consts::TAU;
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
                let Some(builder) = self.builders.get_mut(*number) else { continue };
                let keyed: Vec<(f32, Vec<f32>)> = keys
                    .iter()
                    .filter_map(|(time, frame)| {
                        Some((*time, numbers(channel, values.get(*frame)?)))
                    })
                    .collect();
                add_track(builder, joint.into(), channel, take.step, &keyed);
            }
        }
    }
}
