//! Skins: shapes that joints bend.
//!
//! Castle Game Engine's `Skin` works like a skin in glTF: weights and joint indices are in the
//! geometry, per point. In H-Anim (ISO/IEC 19774-1), each joint lists the points of the humanoid's
//! `skinCoord` that it moves. They are bound where no joint is rotated, so every bind matrix is the
//! identity.

use anim_ir::Mat4;

use super::plan::PlannedSkin;
use super::step::{Part, Step};
use super::walk::{Task, Walk};
use crate::codes;
use crate::graph::{Node, NodeId};

/// The fields of a humanoid that hold nodes of its skeleton a second time, or that say how its skin
/// is bent.
const HUMANOID: [&str; 8] =
    ["children", "skeleton", "joints", "segments", "sites", "skin", "skinCoord", "skinNormal"];

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
            if is_humanoid { self.humanoid_joints(id) } else { self.skin_joints(id, node) };
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

    /// Returns the joints of a humanoid. The last stands for the humanoid itself, for points that
    /// no joint moves.
    fn humanoid_joints(&mut self, id: NodeId) -> Vec<(NodeId, usize, Mat4)> {
        let graph = self.graph;
        let listed = graph.children(id, "joints").iter().copied();
        let joints = listed.chain(std::iter::once(id));
        let end = |joint: NodeId| Some((joint, *self.ends.get(&joint)?, Mat4::IDENTITY));
        joints.filter_map(end).collect()
    }
}
