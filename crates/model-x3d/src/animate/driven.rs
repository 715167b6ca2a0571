//! Joints whose fields sensors animate. Their keys are those of the interpolators.

use anim_ir::{Channel, JointId, LimitError};

use super::stage::Stage;
use super::step::{Part, Step, is_chosen};
use super::variants::Played;
use crate::codes;
use crate::events::{Curve, Drive, Keyed};
use crate::graph::Node;

/// The memory charged for a key in addition to its numbers: its time, temporary copies, and the
/// text that writers produce for it.
const KEY_BYTES: usize = 32;

/// The keys of a field in each take that animates it.
type Tracks = Vec<(usize, Keyed)>;

impl Stage<'_> {
    /// Adds the tracks of a joint that sensors animate.
    pub(super) fn drive(&mut self, joint: JointId, step: Step, played: &Played<'_>) {
        let Some(node) = played.frames.first().and_then(|graph| graph.node(step.node)) else {
            return;
        };
        if played.all_takes.is_empty() {
            return;
        }
        self.shown.insert(step.node);
        let added = match step.part {
            Part::Whole { oriented } => self.drive_transform(joint, step, played, oriented),
            Part::Orientation => self
                .drive_rotation(joint, (step, "scaleOrientation", false), played)
                .map(|()| self.drive_scale(joint, step, played)),
            Part::OrientationBack => {
                self.drive_rotation(joint, (step, "scaleOrientation", true), played)
            }
            Part::CenterBack => {
                for (take, keyed) in self.vectors(step, "center", played) {
                    let back = keyed.map(3, |_, number| -number);
                    self.add_keys(joint, Channel::Translation, take, back);
                }
                Ok(())
            }
            Part::Visible => self.drive_visibility(joint, (step, "visible"), played),
            Part::Choice(_) => self.drive_visibility(joint, (step, "whichChoice"), played),
            Part::Matrix => Ok(()),
        };
        if let Err(error) = added {
            self.losses.push(&codes::EXPANSION, node.span, || error.to_string());
        }
    }

    fn drive_transform(
        &mut self,
        joint: JointId,
        step: Step,
        played: &Played<'_>,
        oriented: bool,
    ) -> Result<(), LimitError> {
        let moved = self.vectors(step, "translation", played);
        let centers = self.vectors(step, "center", played);
        let node = played.frames.first().and_then(|graph| graph.node(step.node));
        let at_rest = |field: &str| node.map_or([0.0; 3], |node| node.array::<3>(field));
        // The two fields may have different keys.
        let mut both: std::collections::BTreeMap<usize, [Option<Keyed>; 2]> =
            std::collections::BTreeMap::new();
        for (slot, tracks) in [moved, centers].into_iter().enumerate() {
            for (take, keyed) in tracks {
                if let Some(place) = both.entry(take).or_default().get_mut(slot) {
                    *place = Some(keyed);
                }
            }
        }
        for (take, pair) in both {
            let keyed = match pair {
                [Some(moved), Some(center)] => moved.plus(&center, 3),
                [Some(moved), None] => moved.plus_value(&at_rest("center")),
                [None, Some(center)] => center.plus_value(&at_rest("translation")),
                [None, None] => continue,
            };
            self.add_keys(joint, Channel::Translation, take, keyed);
        }
        self.drive_rotation(joint, (step, "rotation", false), played)?;
        if !oriented {
            self.drive_scale(joint, step, played);
        }
        Ok(())
    }

    fn drive_scale(&mut self, joint: JointId, step: Step, played: &Played<'_>) {
        for (take, keyed) in self.vectors(step, "scale", played) {
            self.add_keys(joint, Channel::Scale, take, keyed);
        }
    }

    /// Animates a joint's rotation by a field, or by the inverse of its rotation.
    fn drive_rotation(
        &mut self,
        joint: JointId,
        (step, field, is_inverse): (Step, &'static str, bool),
        played: &Played<'_>,
    ) -> Result<(), LimitError> {
        let Some(graph) = played.frames.first() else { return Ok(()) };
        let Some(node) = graph.node(step.node) else { return Ok(()) };
        for (take, drive) in played.drives.of(step.node, node, field) {
            let Drive::Curve(curve) = drive else { continue };
            let is_new = !self.used_curves.contains(&curve.node);
            self.pay_keys(curve, 4, || played.drives.key_bound(graph, curve, 4))?;
            let (keyed, turns_back) = played.drives.rotations(graph, curve, self.budget)?;
            if turns_back && is_new {
                self.report_turn(graph.node(curve.node));
            }
            let keyed = if is_inverse {
                keyed.map(4, |at, number| if at < 3 { -number } else { number })
            } else {
                keyed
            };
            self.add_keys(joint, Channel::Rotation, *take, keyed);
        }
        Ok(())
    }

    fn report_turn(&mut self, node: Option<&Node>) {
        let Some(node) = node else { return };
        self.losses.push(&codes::LONG_TURN, node.span, || {
            format!(
                "{} turns by more than 180° between two keys, interpolated along the shorter arc",
                node.name.as_deref().unwrap_or(node.kind.name)
            )
        });
    }

    /// Animates a joint's visibility.
    fn drive_visibility(
        &mut self,
        joint: JointId,
        (step, field): (Step, &'static str),
        played: &Played<'_>,
    ) -> Result<(), LimitError> {
        let Some(graph) = played.frames.first() else { return Ok(()) };
        let Some(node) = graph.node(step.node) else { return Ok(()) };
        for (take, drive) in played.drives.of(step.node, node, field) {
            let curve = match drive {
                Drive::Constant(value) => {
                    let is_shown = match step.part {
                        Part::Choice(child) => is_chosen(Some(*value), child),
                        _ => *value != 0,
                    };
                    self.add_visibility(joint, *take, &[(0.0, is_shown)]);
                    continue;
                }
                Drive::Curve(curve) => curve,
            };
            let changes = played.drives.changes(graph, curve, self.budget)?;
            let mut shown = match step.part {
                Part::Choice(child) => {
                    let initial = node.ints(field).first().copied().unwrap_or(-1);
                    i32::try_from(child).map(|child| changes.of_value(child, initial))
                }
                _ => Ok(changes.of_flags(i32::from(node.flag(field)))),
            }
            .unwrap_or_default();
            // Hold the last value until the sensor's cycle ends.
            let end = curve.end();
            let last = shown.last().copied().filter(|(time, _)| *time < end && shown.len() > 1);
            shown.extend(last.map(|(_, is)| (end, is)));
            self.pay_keys(curve, 1, || shown.len())?;
            self.add_visibility(joint, *take, &shown);
        }
        Ok(())
    }

    /// Returns the keys of a field with three components, in each take that animates it.
    fn vectors(&mut self, step: Step, field: &'static str, played: &Played<'_>) -> Tracks {
        let mut tracks = Tracks::new();
        let Some(graph) = played.frames.first() else { return tracks };
        let Some(node) = graph.node(step.node) else { return tracks };
        for (take, drive) in played.drives.of(step.node, node, field) {
            let Drive::Curve(curve) = drive else { continue };
            let keyed = self.pay_keys(curve, 3, || played.drives.key_bound(graph, curve, 3));
            match keyed.and_then(|()| played.drives.vectors(graph, curve, 3, self.budget)) {
                Ok(keyed) => tracks.push((*take, keyed)),
                // Keep the tracks so far. The others would exceed the budget one by one.
                Err(error) => {
                    self.losses.push(&codes::EXPANSION, node.span, || error.to_string());
                    break;
                }
            }
        }
        tracks
    }

    /// Charges the keys of a curve that has been used before, since each use has its own keys.
    fn pay_keys(
        &mut self,
        curve: &Curve,
        width: usize,
        count: impl FnOnce() -> usize,
    ) -> Result<(), LimitError> {
        if self.used_curves.insert(curve.node) {
            return Ok(());
        }
        let bytes = width.saturating_mul(4).saturating_add(KEY_BYTES);
        self.budget.charge("the keys of reused interpolators", count().saturating_mul(bytes))
    }

    fn add_keys(&mut self, joint: JointId, channel: Channel, take: usize, keyed: Keyed) {
        let Some(builder) = self.builders.get_mut(take) else { return };
        // Fails only without keys, which has been reported: values are finite and times rise.
        let (target, interpolation) = (joint.into(), keyed.interpolation());
        let _ = match keyed.times.as_slice() {
            [_] => builder.constant(target, channel, keyed.first(channel.width().unwrap_or(0))),
            times => builder.keys(target, channel, interpolation, times, keyed.values),
        };
    }
}
