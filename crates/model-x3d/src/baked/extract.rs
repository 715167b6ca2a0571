//! Takes a scene out of a file: a graph of the nodes below a node.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use anim_ir::number::index32;
use anim_ir::{Budget, LimitError};

use crate::graph::{Graph, Node, NodeId, Value};
use crate::nodes::Family;

/// The memory charged for a node beyond the number of nodes in the file: scenes may share nodes.
const NODE_BYTES: usize = 96;

/// Takes scenes out of a graph.
pub(super) struct Extractor<'g> {
    graph: &'g Graph,
    budget: &'g Budget,
    free_nodes: usize,
}

/// A scene under construction.
struct Scene<'g> {
    graph: Graph,
    /// The index in the file of each node.
    originals: Vec<NodeId>,
    /// The new indices of nodes.
    known: HashMap<NodeId, NodeId>,
    /// The nodes whose fields have to be copied.
    open: Vec<(NodeId, &'g Node)>,
}

impl<'g> Extractor<'g> {
    pub(super) fn new(graph: &'g Graph, budget: &'g Budget) -> Extractor<'g> {
        Extractor { graph, budget, free_nodes: graph.nodes.len() }
    }

    /// Returns the scene below a node, with nodes in the order in which they are reached.
    ///
    /// In scenes that it has interpolated, the converter writes the changed children of a VRML 1.0
    /// node before the others, although their order matters. They get the order of the same node in
    /// `reference`, if they are of the same types.
    pub(super) fn scene(
        &mut self,
        root: NodeId,
        reference: Option<&Graph>,
    ) -> Result<Graph, LimitError> {
        let mut scene = Scene {
            graph: Graph::default(),
            originals: Vec::new(),
            known: HashMap::new(),
            open: Vec::new(),
        };
        let root = self.add(root, &mut scene)?;
        scene.graph.roots = root.into_iter().collect();
        while let Some((id, node)) = scene.open.pop() {
            let first_open = scene.open.len();
            let mut fields = Vec::with_capacity(node.fields.len());
            for (index, value) in &node.fields {
                let Value::Nodes(nodes) = value else {
                    fields.push((*index, value.clone()));
                    continue;
                };
                let nodes = self.in_order(nodes, (id, node, *index), reference);
                let mut added = Vec::with_capacity(nodes.len());
                for inside in nodes {
                    added.extend(self.add(inside, &mut scene)?);
                }
                fields.push((*index, Value::Nodes(added)));
            }
            let original = scene.originals.get(id.index());
            if let Some(roots) = original.and_then(|id| self.graph.inlined.get(id)) {
                let mut added = Vec::with_capacity(roots.len());
                for root in roots {
                    added.extend(self.add(*root, &mut scene)?);
                }
                scene.graph.inlined.insert(id, added);
            }
            // Visit the nodes inside in order.
            if let Some(added) = scene.open.get_mut(first_open..) {
                added.reverse();
            }
            if let Some(place) = scene.graph.nodes.get_mut(id.index()) {
                *place = Arc::new(Node { fields, ..node.clone() });
            }
        }
        Ok(scene.graph)
    }

    /// Adds a node, unless it is known. Returns its new index.
    fn add(&mut self, id: NodeId, scene: &mut Scene<'g>) -> Result<Option<NodeId>, LimitError> {
        if let Some(known) = scene.known.get(&id) {
            return Ok(Some(*known));
        }
        let Some(node) = self.graph.nodes.get(id.index()) else { return Ok(None) };
        if self.free_nodes > 0 {
            self.free_nodes = self.free_nodes.saturating_sub(1);
        } else {
            self.budget.charge("the scenes of a Switch", NODE_BYTES)?;
        }
        let new = NodeId(index32(scene.graph.nodes.len()));
        scene.known.insert(id, new);
        scene.originals.push(id);
        scene.graph.nodes.push(Arc::clone(node));
        let folder = self.graph.folder(id);
        if scene.graph.folders.last().map_or("", |(_, last)| last) != folder {
            scene.graph.folders.push((new, folder.into()));
        }
        let multiplies = self.graph.multiplies_textures(id);
        if scene.graph.multiplying.last().is_some_and(|(_, last)| *last) != multiplies {
            scene.graph.multiplying.push((new, multiplies));
        }
        let holds_nodes = node.fields.iter().any(|(_, value)| matches!(value, Value::Nodes(_)));
        if holds_nodes || self.graph.inlined.contains_key(&id) {
            scene.open.push((new, node));
        }
        Ok(Some(new))
    }

    /// Returns the children of a VRML 1.0 node in the order of the same node in another scene.
    fn in_order(
        &self,
        nodes: &[NodeId],
        (id, node, field): (NodeId, &Node, u8),
        reference: Option<&Graph>,
    ) -> Vec<NodeId> {
        self.reordered(nodes, (id, node, field), reference).unwrap_or_else(|| nodes.to_vec())
    }

    fn reordered(
        &self,
        nodes: &[NodeId],
        (id, node, field): (NodeId, &Node, u8),
        reference: Option<&Graph>,
    ) -> Option<Vec<NodeId>> {
        let reference = reference?;
        let other = reference.node(id).filter(|other| std::ptr::eq(other.kind, node.kind))?;
        let wanted = reference.children(id, node.kind.field_name(field));
        if other.kind.family != Family::Vrml1 || wanted.len() != nodes.len() {
            return None;
        }
        let mut left: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
        for id in nodes.iter().rev() {
            left.entry(self.graph.node(*id)?.kind.name).or_default().push(*id);
        }
        // First the children that are equal, then the others in order.
        let mut placed: Vec<Option<NodeId>> = vec![None; nodes.len()];
        for only_equal in [true, false] {
            for (place, wanted) in placed.iter_mut().zip(wanted) {
                let wanted = reference.node(*wanted)?;
                let candidates = left.get_mut(wanted.kind.name)?;
                let last = candidates.last().copied();
                let is_equal = |id: &NodeId| {
                    self.graph.node(*id).is_some_and(|node| node.fields == wanted.fields)
                };
                let found = if only_equal {
                    // Only the first few are compared, so that time stays linear.
                    let tail = candidates.len().saturating_sub(8);
                    let equal = candidates.iter().enumerate().skip(tail).rev();
                    equal.filter(|(_, id)| is_equal(id)).map(|(at, _)| at).next()
                } else if place.is_none() {
                    last.and(candidates.len().checked_sub(1))
                } else {
                    None
                };
                if let Some(at) = found {
                    *place = Some(candidates.remove(at));
                } else if !only_equal && place.is_none() {
                    return None;
                }
            }
        }
        placed.into_iter().collect()
    }
}
