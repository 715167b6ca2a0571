//! Groups that show only some of their children.

use crate::graph::{Node, NodeId};
use crate::nodes::Family;

/// Returns those children of a group that it shows as long as nothing animates it.
pub(super) fn shown(node: &Node, children: &[NodeId]) -> Vec<NodeId> {
    match (node.kind.family, node.kind.name) {
        // −3 stands for all children.
        (Family::Vrml1, "Switch") if node.ints("whichChild").first() == Some(&-3) => {
            children.to_vec()
        }
        (Family::Vrml1, "Switch") => chosen(node.ints("whichChild"), children),
        (Family::X3d, "Switch") => chosen(node.ints("whichChoice"), children),
        // The first level of detail is the finest.
        (_, "LOD") => chosen(&[0], children),
        (_, "CADLayer") => {
            // Children without a flag are visible (ISO/IEC 19775-1, 32.4.3).
            let flags = node.ints("visible").iter().chain(std::iter::repeat(&1));
            let flagged = children.iter().zip(flags);
            flagged.filter(|(_, is_visible)| **is_visible != 0).map(|(child, _)| *child).collect()
        }
        _ => children.to_vec(),
    }
}

fn chosen(choice: &[i32], children: &[NodeId]) -> Vec<NodeId> {
    let choice = choice.first().and_then(|choice| usize::try_from(*choice).ok());
    choice.and_then(|choice| children.get(choice)).copied().into_iter().collect()
}

/// Says that a group of this type does not show some of its children.
pub(super) fn describe(kind: &str, count: usize) -> String {
    if kind == "LOD" {
        let levels = if count == 1 { "level" } else { "levels" };
        return format!("skipped: {count} coarser {levels} of an LOD");
    }
    let children = if count == 1 { "child" } else { "children" };
    format!("skipped: {count} {children} that a {kind} does not show")
}
