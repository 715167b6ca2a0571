//! What differs between the files that a graph was read from.

use crate::graph::{Graph, NodeId};

impl Graph {
    /// Returns the folder that a node's URLs are relative to. It is relative to the folder of the
    /// outermost file.
    pub fn folder(&self, id: NodeId) -> &str {
        of_file(&self.folders, id).map_or("", |folder| folder)
    }

    /// Returns whether the file of a node multiplies textures by the colour of their material.
    pub fn multiplies_textures(&self, id: NodeId) -> bool {
        of_file(&self.multiplying, id).is_some_and(|it| *it)
    }
}

/// Returns the value for the file that a node comes from. The list has a value for each file, with
/// the first node of the file.
pub(crate) fn of_file<T>(list: &[(NodeId, T)], id: NodeId) -> Option<&T> {
    let before = list.partition_point(|(first, _)| *first <= id);
    list.get(before.checked_sub(1)?).map(|(_, listed)| listed)
}
