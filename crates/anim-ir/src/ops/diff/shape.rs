//! A node with its mesh.

use crate::{Mesh, Node, Topology};

/// The topologies, in the order in which elements are compared.
pub(super) const TOPOLOGIES: [Topology; 3] =
    [Topology::Triangles, Topology::Lines, Topology::Points];

/// A node with its mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<'a> {
    pub(super) node: &'a Node,
    pub(super) mesh: &'a Mesh,
    /// Number of elements of each topology.
    pub(super) counts: [usize; 3],
}

impl<'a> Shape<'a> {
    /// The node's name; for a node without one, the mesh's.
    pub(super) fn name(&self) -> &'a str {
        if self.node.name.is_empty() { &self.mesh.name } else { &self.node.name }
    }
}
