//! The node hierarchy: trees whose roots are listed in a scene.

use anim_ir::{Skeleton, SkeletonError};

use crate::json;
use crate::read::fault::Fault;

/// The node hierarchy.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// Index of the scene to read.
    pub(crate) scene: usize,
    /// The parent of each node.
    pub(crate) parents: Vec<Option<usize>>,
    /// All nodes, parents before children.
    pub(crate) order: Vec<usize>,
    /// The roots of the scene to read.
    pub(crate) roots: Vec<usize>,
}

impl Order {
    /// Returns the hierarchy with the file's default scene or, if it has none, the first scene.
    /// Fails if the nodes do not form trees, the scene does not exist, or the scene lists a node
    /// that is not a root.
    pub(crate) fn of(root: &json::Root<'_>) -> Result<Order, Fault> {
        let parents = parents(root)?;
        let order = Skeleton::parents_first(&parents).map_err(|error| {
            let node = if let SkeletonError::Cycle(nodes) = &error { nodes.first() } else { None };
            let pointer = format!("/nodes/{}", node.copied().unwrap_or(0));
            Fault::new(pointer, "the node is part of a cycle or a descendant of one")
        })?;
        let roots = roots(root, None, &parents)?;
        Ok(Order { scene: root.scene.unwrap_or(0), parents, order, roots })
    }

    /// Returns the hierarchy with another scene.
    pub(crate) fn with_scene(&self, root: &json::Root<'_>, scene: usize) -> Result<Order, Fault> {
        let roots = roots(root, Some(scene), &self.parents)?;
        Ok(Order { scene, roots, ..self.clone() })
    }
}

/// Returns the parent of each node.
fn parents(root: &json::Root<'_>) -> Result<Vec<Option<usize>>, Fault> {
    let mut parents: Vec<Option<usize>> = vec![None; root.nodes.len()];
    for (number, node) in root.nodes.iter().enumerate() {
        for (at, child) in node.children.iter().enumerate() {
            let wrong =
                |message: String| Fault::new(format!("/nodes/{number}/children/{at}"), message);
            let parent = parents
                .get_mut(*child)
                .ok_or_else(|| wrong(format!("node {child} does not exist")))?;
            if let Some(other) = parent {
                return Err(wrong(format!("node {child} is already a child of node {other}")));
            }
            *parent = Some(number);
        }
    }
    Ok(parents)
}

/// Returns the roots of the scene to read.
fn roots(
    root: &json::Root<'_>,
    wanted: Option<usize>,
    parents: &[Option<usize>],
) -> Result<Vec<usize>, Fault> {
    let number = match wanted.or(root.scene) {
        Some(number) => number,
        // A file without scenes is a library of objects. Read all nodes.
        None if root.scenes.is_empty() => {
            return Ok((0..parents.len())
                .filter(|node| parents.get(*node) == Some(&None))
                .collect());
        }
        None => 0,
    };
    let Some(scene) = root.scenes.get(number) else {
        return Err(Fault::new("/scene", format!("scene {number} does not exist")));
    };
    for (at, node) in scene.nodes.iter().enumerate() {
        let wrong = |message: String| Fault::new(format!("/scenes/{number}/nodes/{at}"), message);
        match parents.get(*node) {
            None => return Err(wrong(format!("node {node} does not exist"))),
            Some(Some(parent)) => {
                return Err(wrong(format!(
                    "node {node} is not a root: it is a child of node {parent}"
                )));
            }
            Some(None) => {}
        }
    }
    Ok(scene.nodes.clone())
}
