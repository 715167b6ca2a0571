//! Writes a [`Graph`] as a file, in either encoding.

mod classic;
mod names;
mod xml;

use std::collections::HashSet;
use std::fmt::Write as _;

use anim_ir::Diagnostics;
use anim_ir::number::push_shortest;

use crate::graph::{End, Graph, NodeId, Route, Value};
use crate::nodes::{Default, FieldKind};
use names::Names;

/// The encodings in which X3D is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// XML (ISO/IEC 19776-1), as in `.x3d`.
    Xml,
    /// Classic VRML (ISO/IEC 19776-2), as in `.x3dv`.
    Classic,
}

/// The version that is written: the first with physical and unlit materials.
const VERSION: &str = "4.0";
/// The profile that has everything that is written except for humanoids.
const PROFILE: &str = "Immersive";
/// The deepest indentation, in levels. Deeper nodes are indented as much.
const MOST_LEVELS: usize = 32;

impl Graph {
    /// Writes the nodes and routes of a graph without prototypes and imports as a file. Names are
    /// made valid and unique, and a name that changes is reported.
    pub fn write(&self, encoding: Encoding, losses: &mut Diagnostics) -> String {
        let names = Names::of(self, losses);
        match encoding {
            Encoding::Xml => xml::write(self, &names),
            Encoding::Classic => classic::write(self, &names),
        }
    }

    /// Iterates over the routes between nodes, with these nodes.
    fn node_routes(&self) -> impl Iterator<Item = (NodeId, NodeId, &Route)> {
        self.links.routes.iter().filter_map(|route| match (route.from, route.to) {
            (End::Node(from), End::Node(to)) => Some((from, to, route)),
            _ => None,
        })
    }
}

/// A step of writing a tree, without recursion.
enum Step<'g> {
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
struct Writing<'g> {
    graph: &'g Graph,
    names: &'g Names,
    text: String,
    level: usize,
    /// The nodes that have been written, which are referred to from then on.
    written: HashSet<NodeId>,
}

impl<'g> Writing<'g> {
    fn new(graph: &'g Graph, names: &'g Names) -> Writing<'g> {
        Writing { graph, names, text: String::new(), level: 0, written: HashSet::new() }
    }

    /// Starts a line.
    fn line(&mut self) {
        self.text.push('\n');
        for _ in 0..self.level.min(MOST_LEVELS) {
            self.text.push_str("  ");
        }
    }

    /// Appends numbers, separated by spaces. The values of a list, of which each has `width`
    /// components, are separated by commas.
    fn floats(&mut self, numbers: &[f32], width: usize) {
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

    fn ints(&mut self, numbers: &[i32]) {
        for (index, number) in numbers.iter().enumerate() {
            if index > 0 {
                self.text.push(' ');
            }
            // Writing to a string cannot fail.
            let _ = write!(self.text, "{number}");
        }
    }
}

/// Returns the fields of a node that differ from their defaults: those with values, and those with
/// nodes.
fn fields<'g>(graph: &'g Graph, id: NodeId) -> [Vec<(&'static str, FieldKind, &'g Value)>; 2] {
    let fields = graph.node(id).into_iter().flat_map(|node| {
        node.fields.iter().filter_map(|(index, value)| {
            let field = node.kind.fields.get(usize::from(*index))?;
            let is_usual = match value {
                Value::Bool(flag) => field.default == Default::Flag(*flag),
                Value::Ints(numbers) => field.default.ints() == &**numbers,
                Value::Floats(numbers) => field.default.floats() == &**numbers,
                Value::Strings(strings) => strings.iter().all(String::is_empty),
                Value::Nodes(nodes) => nodes.is_empty(),
            };
            (!is_usual).then_some((field.name, field.kind, value))
        })
    });
    let (nodes, values) = fields.partition(|(_, kind, _)| kind.is_nodes());
    [values, nodes]
}
