//! Groups that show only some of their children: `Switch`, `LOD` and `CADLayer`.

use anim_ir::diag::plural;

use crate::graph::{Node, NodeId};
use crate::nodes::Family;

/// Returns the children that such a group shows, unless its choice is animated.
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
        // A CADLayer: children without a flag are visible (ISO/IEC 19775-1, 32.4.3).
        _ => {
            let flags = node.ints("visible").iter().chain(std::iter::repeat(&1));
            let flagged = children.iter().zip(flags);
            flagged.filter(|(_, is_visible)| **is_visible != 0).map(|(child, _)| *child).collect()
        }
    }
}

fn chosen(choice: &[i32], children: &[NodeId]) -> Vec<NodeId> {
    let choice = choice.first().and_then(|choice| usize::try_from(*choice).ok());
    choice.and_then(|choice| children.get(choice)).copied().into_iter().collect()
}

/// Returns the message about nodes that groups of this type do not show.
pub(super) fn describe(kind: &str, count: usize) -> String {
    match kind {
        "LOD" => format!("skipped: {} of an LOD", plural(count, "coarser level")),
        _ => format!("skipped: {} that a {kind} does not show", plural(count, "child node")),
    }
}
