//! Skins: shapes that joints bend.
//!
//! Castle Game Engine's `Skin` works like a skin in glTF: weights and joint indices are in the
//! geometry, per point. In H-Anim (ISO/IEC 19774-1), each joint lists the points of the humanoid's
//! `skinCoord` that it moves. They are bound where no joint is rotated, so every bind matrix is the
//! identity.

use std::collections::BTreeSet;

use anim_ir::diag::plural;
use anim_ir::{Mat4, insert_all};

use super::plan::PlannedSkin;
use super::step::{Part, Step};
use super::walk::{Task, Walk};
use crate::codes;
use crate::geometry::Source;
use crate::graph::{Node, NodeId};

/// The fields of a humanoid that hold nodes of its skeleton a second time, or that say how its skin
/// is bent.
const HUMANOID: [&str; 8] =
    ["children", "skeleton", "joints", "segments", "sites", "skin", "skinCoord", "skinNormal"];
/// The fields that say in which pose a skin is bound, and the number in each of their values that
/// leaves a joint in place.
const BIND_POSE: [(&str, f32); 3] =
    [("jointBindingPositions", 0.0), ("jointBindingRotations", 0.0), ("jointBindingScales", 1.0)];

impl Walk<'_> {
    /// Visits a `Skin`: first its skeleton, then its shapes.
    pub(super) fn skin(&mut self, id: NodeId, node: &Node) {
        let graph = self.graph;
        self.drop_all_but(&["joints", "shapes", "skeleton"], node);
        self.enter(id, node, &[]);
        self.state.skin = None;
        self.tasks.push(Task::Skin(id));
        self.push(graph.children(id, "skeleton"));
    }

    /// Visits a humanoid: first its skeleton, then its skin.
    pub(super) fn humanoid(&mut self, id: NodeId, node: &Node) {
        let graph = self.graph;
        self.drop_all_but(&HUMANOID, node);
        self.enter(id, node, &[]);
        self.state.skin = None;
        self.tasks.push(Task::Skin(id));
        self.push(graph.children(id, "children"));
        self.push(graph.children(id, "skeleton"));
    }

    /// Adds the shapes of a `Skin` or a humanoid whose joints have been visited.
    pub(super) fn skinned_shapes(&mut self, id: NodeId) {
        let graph = self.graph;
        let Some(node) = graph.node(id) else { return };
        let is_humanoid = node.kind.name == "HAnimHumanoid";
        let shapes = graph.children(id, if is_humanoid { "skin" } else { "shapes" });
        if shapes.is_empty() {
            return;
        }
        let joints =
            if is_humanoid { self.humanoid_joints(id, node) } else { self.skin_joints(id, node) };
        let mut skin = None;
        if !joints.is_empty() {
            skin = Some(self.plan.skins.len());
            self.plan.skins.push(PlannedSkin { node: id, joints });
        }
        // Shapes may be in groups.
        self.push_apart(shapes);
        self.state.skin = skin;
    }

    fn skin_joints(&mut self, id: NodeId, node: &Node) -> Vec<(NodeId, usize, Mat4)> {
        let graph = self.graph;
        let mut matrices = node.floats("inverseBindMatrices").as_chunks::<16>().0.iter();
        let mut joints = Vec::new();
        for joint in graph.children(id, "joints") {
            let bind = matrices.next().map_or(Mat4::IDENTITY, |matrix| Mat4::from_columns(*matrix));
            let end = self.ends.get(joint).copied();
            if end.is_none() {
                self.diagnostics.push(&codes::SKIN, node.span, || {
                    "a joint of this Skin is not part of its skeleton".to_owned()
                });
                if self.state.joint.is_none() {
                    // Points that stay in place need a joint that does not move.
                    self.step(Step { node: id, part: Part::Visible }, node, ".visible");
                }
            }
            // Weights refer to joints by index, so none may be left out.
            joints.push((*joint, end.or(self.state.joint).unwrap_or(0), bind));
        }
        joints
    }

    /// Returns the joints of a humanoid: those that are listed, and others of its skeleton that
    /// move points. The last stands for the humanoid itself, for points that no joint moves.
    fn humanoid_joints(&mut self, id: NodeId, node: &Node) -> Vec<(NodeId, usize, Mat4)> {
        let graph = self.graph;
        self.report_bind_pose(id, node);
        let mut joints = graph.children(id, "joints").to_vec();
        let listed: BTreeSet<NodeId> = insert_all(joints.iter().copied());
        for stray in joints.iter().filter(|joint| !self.ends.contains_key(joint)) {
            let span = graph.node(*stray).map(|stray| stray.span);
            self.diagnostics.push(&codes::HUMANOID, span, || {
                let [stray, humanoid] = [*stray, id].map(|id| graph.shown(id));
                format!("{stray} is not part of the skeleton of {humanoid}")
            });
        }
        let mut unlisted = self.weighted_joints(id);
        unlisted.retain(|joint| !listed.contains(joint) && self.ends.contains_key(joint));
        if !unlisted.is_empty() {
            self.diagnostics.push(&codes::HUMANOID, node.span, || {
                let count = plural(unlisted.len(), "joint");
                format!("missing from the `joints` of {}: {count} with weights", graph.shown(id))
            });
        }
        joints.append(&mut unlisted);
        joints.push(id);
        let end = |joint: NodeId| Some((joint, *self.ends.get(&joint)?, Mat4::IDENTITY));
        joints.into_iter().filter_map(end).collect()
    }

    /// Returns the joints in the skeleton of a humanoid that move points, parents first.
    fn weighted_joints(&self, humanoid: NodeId) -> Vec<NodeId> {
        let graph = self.graph;
        let (mut found, mut visited) = (Vec::new(), BTreeSet::new());
        let mut left: Vec<NodeId> = graph.children(humanoid, "skeleton").to_vec();
        left.reverse();
        while let Some(id) = left.pop() {
            let Some(node) = graph.node(id) else { continue };
            // Another humanoid has its own skin.
            if node.kind.name == "HAnimHumanoid" || !visited.insert(id) {
                continue;
            }
            if node.kind.name == "HAnimJoint" && !node.ints("skinCoordIndex").is_empty() {
                found.push(id);
            }
            left.extend(graph.children(id, "children").iter().rev());
        }
        found
    }

    /// Reports a bind pose in which joints are not in place.
    fn report_bind_pose(&mut self, id: NodeId, node: &Node) {
        let moves = |(field, neutral): (&'static str, f32)| {
            let numbers = node.floats(field);
            let is_moved = if field == "jointBindingRotations" {
                numbers.iter().skip(3).step_by(4).any(|angle| *angle != neutral)
            } else {
                numbers.iter().any(|number| *number != neutral)
            };
            is_moved.then_some(field)
        };
        let fields: Vec<&str> = BIND_POSE.into_iter().filter_map(moves).collect();
        if !fields.is_empty() {
            self.diagnostics.push(&codes::BIND_POSE, node.span, || {
                format!(
                    "the bind pose of {} ({}) is ignored",
                    self.graph.shown(id),
                    fields.join(", ")
                )
            });
        }
    }

    /// Returns the skin that bends a shape. A humanoid moves the points of its `skinCoord`; a shape
    /// with other points is attached to the humanoid.
    pub(super) fn skin_of(&self, source: &Source) -> Option<usize> {
        let skin = self.state.skin?;
        let points = self.graph.child(self.plan.skins.get(skin)?.node, "skinCoord");
        (points.is_none() || points == source.coordinates).then_some(skin)
    }
}
