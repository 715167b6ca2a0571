//! The order of shapes among joints.

use std::collections::{BTreeSet, HashMap};

use anim_ir::{JointRef, NodeId as SceneNodeId, Scene, sort_by};

use crate::graph::NodeId;
use crate::make::Maker;

/// Puts shapes among the joints beside them, in the order of the scene's nodes. Joints stay in
/// their own order.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// The scene's first node at or below each joint of each skeleton, except for skinned nodes.
    first: Vec<Vec<Option<SceneNodeId>>>,
    /// The scene's first node in each node that contains joints.
    joints: HashMap<NodeId, SceneNodeId>,
    /// The scene's node that a shape, or what contains it, is made of.
    shapes: HashMap<NodeId, SceneNodeId>,
    /// The nodes to which shapes are attached.
    parents: BTreeSet<NodeId>,
}

impl Order {
    pub(super) fn of(scene: &Scene) -> Order {
        let skeletons = scene.skeletons.iter();
        let mut first: Vec<Vec<Option<SceneNodeId>>> =
            skeletons.map(|skeleton| vec![None; skeleton.joints.len()]).collect();
        for (id, node) in scene.enumerate_nodes() {
            let Some(at) = node.parent.filter(|_| node.skin.is_none()) else { continue };
            let joints = first.get_mut(at.skeleton.index());
            if let Some(slot) = joints.and_then(|joints| joints.get_mut(at.joint.index())) {
                slot.get_or_insert(id);
            }
        }
        for (skeleton, first) in scene.skeletons.iter().zip(&mut first) {
            // Parents come before their children.
            for (number, joint) in skeleton.joints.iter().enumerate().rev() {
                let own = first.get(number).copied().flatten();
                let above = joint.parent.and_then(|parent| first.get_mut(parent.index()));
                if let (Some(own), Some(above)) = (own, above) {
                    *above = Some(above.map_or(own, |above| above.min(own)));
                }
            }
        }
        Order { first, ..Order::default() }
    }

    /// Adds the node that contains a joint and what is below it.
    pub(super) fn joint(&mut self, node: NodeId, at: JointRef) {
        let first = self.first.get(at.skeleton.index());
        if let Some(first) = first.and_then(|joints| *joints.get(at.joint.index())?) {
            self.contains(node, first);
        }
    }

    /// Adds a node that contains joints and this node of the scene.
    pub(super) fn contains(&mut self, node: NodeId, inside: SceneNodeId) {
        let first = self.joints.entry(node).or_insert(inside);
        *first = inside.min(*first);
    }

    /// Adds a shape below `parent`; `None` stands for the file.
    pub(super) fn shape(&mut self, node: NodeId, of: SceneNodeId, parent: Option<NodeId>) {
        self.shapes.insert(node, of);
        self.parents.extend(parent);
    }

    pub(super) fn sort(&self, maker: &mut Maker<'_>, roots: &mut [NodeId]) {
        self.sort_siblings(roots);
        for parent in &self.parents {
            self.sort_siblings(maker.children_mut(*parent));
        }
    }

    /// Moves each shape before the first joint that has a later one.
    fn sort_siblings(&self, siblings: &mut [NodeId]) {
        let mut last = None;
        let mut place = |id: &NodeId| {
            if let Some(shape) = self.shapes.get(id) {
                return (*id, Some(*shape));
            }
            last = last.max(self.joints.get(id).copied());
            (*id, last)
        };
        let mut placed: Vec<_> = siblings.iter().map(&mut place).collect();
        sort_by(&mut placed, |(_, a), (_, b)| a.cmp(b));
        siblings.iter_mut().zip(placed).for_each(|(slot, (id, _))| *slot = id);
    }
}
