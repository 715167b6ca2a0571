//! A node with its mesh.

use crate::{Mesh, Node, NodeId, Topology};

/// The topologies, in comparison order.
pub(super) const TOPOLOGIES: [Topology; 3] =
    [Topology::Triangles, Topology::Lines, Topology::Points];

/// A node with its mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<'a> {
    pub(super) id: NodeId,
    pub(super) node: &'a Node,
    pub(super) mesh: &'a Mesh,
    /// The number of elements of each topology.
    pub(super) counts: [usize; 3],
}

impl<'a> Shape<'a> {
    pub(super) fn of(id: NodeId, node: &'a Node, mesh: &'a Mesh) -> Shape<'a> {
        Shape { id, node, mesh, counts: TOPOLOGIES.map(|topology| mesh.count(topology)) }
    }

    /// Returns the node's name, or the mesh's name if the node has none.
    pub(super) fn name(&self) -> &'a str {
        if self.node.name.is_empty() { &self.mesh.name } else { &self.node.name }
    }
}
