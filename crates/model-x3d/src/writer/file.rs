//! What both encodings have in common.

use anim_ir::number::{push_integer, push_shortest};

use super::names::Names;
use crate::graph::{Graph, NodeId, Value};
use crate::nodes::{Default, FieldKind};

/// The version that is written: the first with physical and unlit materials.
pub(super) const VERSION: &str = "4.0";
/// The profile that has everything that is written except for humanoids.
pub(super) const PROFILE: &str = "Immersive";
/// The deepest indentation, in levels. Deeper nodes are indented as much.
const MOST_LEVELS: usize = 32;

/// A step of writing a tree, without recursion.
pub(super) enum Step<'g> {
    /// Writes a node and what it contains. The string is the field that contains it.
    Node(NodeId, &'static str),
    /// Ends a node.
    End(NodeId),
    /// Starts a field that contains a list of nodes, or a single one.
    Field(&'static str, &'g [NodeId], bool),
    /// Ends a list of nodes.
    EndList,
}

/// A file that is being written.
pub(super) struct Writing<'g> {
    pub(super) graph: &'g Graph,
    pub(super) names: &'g Names,
    pub(super) text: String,
    pub(super) level: usize,
    /// Whether each node has been written. If so, it is referred to from then on.
    written: Vec<bool>,
}

impl<'g> Writing<'g> {
    pub(super) fn new(graph: &'g Graph, names: &'g Names) -> Writing<'g> {
        let written = vec![false; graph.nodes.len()];
        Writing { graph, names, text: String::new(), level: 0, written }
    }

    /// Remembers that a node is written. Returns whether it is for the first time.
    pub(super) fn is_first(&mut self, id: NodeId) -> bool {
        self.written.get_mut(id.index()).is_some_and(|written| !std::mem::replace(written, true))
    }

    /// Starts a line.
    pub(super) fn line(&mut self) {
        self.text.push('\n');
        for _ in 0..self.level.min(MOST_LEVELS) {
            self.text.push_str("  ");
        }
    }

    /// Appends numbers, separated by spaces. The values of a list, of which each has `width`
    /// components, are separated by commas.
    pub(super) fn floats(&mut self, numbers: &[f32], width: usize) {
        for (index, number) in numbers.iter().enumerate() {
            if index > 0 {
                self.text.push_str(if width > 1 && index.is_multiple_of(width) {
                    ", "
                } else {
                    " "
                });
            }
            push_shortest(*number, &mut self.text);
        }
    }

    pub(super) fn ints(&mut self, numbers: &[i32]) {
        for (index, number) in numbers.iter().enumerate() {
            if index > 0 {
                self.text.push(' ');
            }
            if *number < 0 {
                self.text.push('-');
            }
            push_integer(
                usize::try_from(number.unsigned_abs()).unwrap_or_default(),
                &mut self.text,
            );
        }
    }
}

/// Returns the fields of a node that differ from their defaults: those with values, and those with
/// nodes.
pub(super) fn fields(graph: &Graph, id: NodeId) -> [Vec<(&'static str, FieldKind, &Value)>; 2] {
    let fields = graph.node(id).into_iter().flat_map(|node| {
        node.fields.iter().filter_map(|(index, value)| {
            let field = node.kind.fields.get(usize::from(*index))?;
            let is_usual = match value {
                Value::Bool(flag) => field.default == Default::Flag(*flag),
                Value::Ints(numbers) => field.default.ints() == **numbers,
                Value::Floats(numbers) => field.default.floats() == **numbers,
                Value::Strings(strings) => strings.iter().all(String::is_empty),
                Value::Nodes(nodes) => nodes.is_empty(),
            };
            (!is_usual).then_some((field.name, field.kind, value))
        })
    });
    let (nodes, values) = fields.partition(|(_, kind, _)| kind.is_nodes());
    [values, nodes]
}

/// Escapes a string that is to stand within quotes.
pub(super) fn quoted(string: &str) -> String {
    string.replace('\\', "\\\\").replace('"', "\\\"")
}
