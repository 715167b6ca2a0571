//! Parts of shapes that are outside of any shape.

use super::walk::Walk;
use crate::codes;
use crate::graph::{NodeId, Value};

impl Walk<'_> {
    /// Reports the parts of shapes among the children of groups, except those that something else
    /// uses: files define nodes in one place to use them in others.
    pub(super) fn report_loose(&mut self) {
        if self.loose.is_empty() {
            return;
        }
        let graph = self.graph;
        let ids = graph.ids().zip(&self.visited);
        let mut left: Vec<NodeId> =
            ids.filter(|(_, visited)| **visited).map(|((id, _), _)| id).collect();
        let mut seen = self.visited.clone();
        while let Some(id) = left.pop() {
            let Some(node) = graph.node(id) else { continue };
            for (index, value) in &node.fields {
                let Value::Nodes(inside) = value else { continue };
                if node.kind.field_name(*index) == "children" {
                    continue;
                }
                for id in inside {
                    self.loose.remove(id);
                    if let Some(seen) = seen.get_mut(id.index())
                        && !std::mem::replace(seen, true)
                    {
                        left.push(*id);
                    }
                }
            }
        }
        for node in std::mem::take(&mut self.loose).iter().filter_map(|id| graph.node(*id)) {
            if node.kind.container == "geometry" {
                self.diagnostics.push(&codes::GEOMETRY_PLACE, node.span, || {
                    format!("this {} is not inside a Shape, so it is not shown", node.kind.name)
                });
            } else {
                self.drop(node);
            }
        }
    }
}
