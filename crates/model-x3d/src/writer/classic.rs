//! The classic encoding (ISO/IEC 19776-2).

use super::file::{PROFILE, Step, VERSION, Writing, fields, quoted};
use super::names::Names;

use crate::graph::{Graph, NodeId, Value};
use crate::nodes::FieldKind;

pub(super) fn write(graph: &Graph, names: &Names) -> String {
    let mut writing = Writing::new(graph, names);
    writing.text.push_str(&format!("#X3D V{VERSION} utf8\n\nPROFILE {PROFILE}"));
    if graph.ids().any(|(_, node)| node.kind.name == "HAnimHumanoid") {
        writing.text.push_str("\nCOMPONENT HAnim:1");
    }
    writing.text.push_str("\nCOMPONENT Shape:4\n");
    for root in &graph.roots {
        let mut steps = vec![Step::Node(*root, "")];
        while let Some(step) = steps.pop() {
            writing.statement(step, &mut steps);
        }
    }
    writing.text.push('\n');
    for (from, to, route) in graph.node_routes() {
        let (Some(from), Some(to)) = (names.get(from), names.get(to)) else { continue };
        let (output, input) = (&route.output, &route.input);
        writing.text.push_str(&format!("\nROUTE {from}.{output} TO {to}.{input}"));
    }
    writing.text.push('\n');
    writing.text
}

impl<'g> Writing<'g> {
    fn statement(&mut self, step: Step<'g>, steps: &mut Vec<Step<'g>>) {
        match step {
            Step::Node(id, field) => {
                // A single node follows the name of its field.
                if field.is_empty() {
                    self.line();
                }
                self.node(id, steps);
            }
            Step::End(_) => self.close('}'),
            Step::EndList => self.close(']'),
            Step::Field(field, nodes, is_list) => {
                self.line();
                self.text.push_str(field);
                self.text.push(' ');
                if is_list {
                    self.text.push('[');
                    self.level = self.level.saturating_add(1);
                    steps.push(Step::EndList);
                    steps.extend(nodes.iter().rev().map(|node| Step::Node(*node, "")));
                } else if let Some(node) = nodes.first() {
                    steps.push(Step::Node(*node, field));
                }
            }
        }
    }

    fn close(&mut self, bracket: char) {
        self.level = self.level.saturating_sub(1);
        self.line();
        self.text.push(bracket);
    }

    fn node(&mut self, id: NodeId, steps: &mut Vec<Step<'g>>) {
        let Some(node) = self.graph.node(id) else { return };
        let is_first = self.is_first(id);
        if let Some(name) = self.names.get(id) {
            self.text.push_str(if is_first { "DEF " } else { "USE " });
            self.text.push_str(name);
            if !is_first {
                return;
            }
            self.text.push(' ');
        }
        self.text.push_str(node.kind.name);
        self.text.push_str(" {");
        self.level = self.level.saturating_add(1);
        let [values, nodes] = fields(self.graph, id);
        for (field, kind, value) in values {
            self.line();
            self.text.push_str(field);
            self.text.push(' ');
            self.value(kind, value);
        }
        steps.push(Step::End(id));
        let nodes = nodes.into_iter().filter_map(|(field, kind, value)| match value {
            Value::Nodes(nodes) if !nodes.is_empty() => {
                Some(Step::Field(field, nodes, kind.is_list()))
            }
            _ => None,
        });
        let start = steps.len();
        steps.extend(nodes);
        if let Some(added) = steps.get_mut(start..) {
            added.reverse();
        }
    }

    fn value(&mut self, kind: FieldKind, value: &Value) {
        if kind.is_list() {
            self.text.push('[');
        }
        match value {
            Value::Bool(flag) => self.text.push_str(if *flag { "TRUE" } else { "FALSE" }),
            Value::Ints(numbers) => self.ints(numbers),
            Value::Floats(numbers) => self.floats(numbers, kind.width()),
            Value::Strings(strings) => {
                for (index, string) in strings.iter().enumerate() {
                    self.text.push_str(if index > 0 { " \"" } else { "\"" });
                    self.text.push_str(&quoted(string));
                    self.text.push('"');
                }
            }
            Value::Nodes(_) => {}
        }
        if kind.is_list() {
            self.text.push(']');
        }
    }
}
