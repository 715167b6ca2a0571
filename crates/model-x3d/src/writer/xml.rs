//! The XML encoding (ISO/IEC 19776-1).

use anim_ir::xml::push_attribute;

use super::file::{PROFILE, Step, VERSION, Writing, fields, quoted};
use super::names::Names;
use crate::graph::{Graph, NodeId, Value};
use crate::nodes::FieldKind;

pub(super) fn write(graph: &Graph, names: &Names) -> String {
    let mut writing = Writing::new(graph, names);
    writing.text.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    writing.text.push_str(&format!("<X3D profile='{PROFILE}' version='{VERSION}'>\n  <head>"));
    if graph.ids().any(|(_, node)| node.kind.name == "HAnimHumanoid") {
        writing.text.push_str("\n    <component name='HAnim' level='1'/>");
    }
    writing.text.push_str("\n    <component name='Shape' level='4'/>\n  </head>\n  <Scene>");
    writing.level = 2;
    let roots = graph.roots.iter().rev();
    let mut steps: Vec<Step<'_>> = roots.map(|root| Step::Node(*root, "children")).collect();
    while let Some(step) = steps.pop() {
        writing.markup(step, &mut steps);
    }
    for (from, to, route) in graph.node_routes() {
        let (Some(from), Some(to)) = (names.get(from), names.get(to)) else { continue };
        writing.line();
        let (output, input) = (&route.output, &route.input);
        writing.text.push_str(&format!(
            "<ROUTE fromNode='{from}' fromField='{output}' toNode='{to}' toField='{input}'/>"
        ));
    }
    writing.text.push_str("\n  </Scene>\n</X3D>\n");
    writing.text
}

impl<'g> Writing<'g> {
    fn markup(&mut self, step: Step<'g>, steps: &mut Vec<Step<'g>>) {
        match step {
            Step::Node(id, field) => self.element(id, field, steps),
            Step::End(id) => {
                self.level = self.level.saturating_sub(1);
                self.line();
                let name = self.graph.node(id).map_or("", |node| node.kind.name);
                self.text.push_str("</");
                self.text.push_str(name);
                self.text.push('>');
            }
            Step::Field(field, nodes, _) => {
                steps.extend(nodes.iter().rev().map(|node| Step::Node(*node, field)));
            }
            Step::EndList => {}
        }
    }

    fn element(&mut self, id: NodeId, field: &'static str, steps: &mut Vec<Step<'g>>) {
        let Some(node) = self.graph.node(id) else { return };
        self.line();
        self.text.push('<');
        self.text.push_str(node.kind.name);
        let is_first = self.is_first(id);
        if let Some(name) = self.names.get(id) {
            self.text.push_str(if is_first { " DEF='" } else { " USE='" });
            self.text.push_str(name);
            self.text.push('\'');
        }
        // Programs disagree about the default for metadata: in X_ITE it is `value`.
        if node.kind.container != field || field == "metadata" {
            self.text.push_str(" containerField='");
            self.text.push_str(field);
            self.text.push('\'');
        }
        let [values, nodes] = fields(self.graph, id);
        if is_first {
            for (field, kind, value) in values {
                self.attribute(field, kind, value);
            }
        }
        let mut inside = nodes.into_iter().filter_map(|(field, kind, value)| match value {
            Value::Nodes(nodes) if is_first && !nodes.is_empty() => {
                Some(Step::Field(field, nodes, kind.is_list()))
            }
            _ => None,
        });
        let Some(first) = inside.next() else {
            self.text.push_str("/>");
            return;
        };
        self.text.push('>');
        self.level = self.level.saturating_add(1);
        steps.push(Step::End(id));
        let start = steps.len();
        steps.extend(std::iter::once(first).chain(inside));
        if let Some(added) = steps.get_mut(start..) {
            added.reverse();
        }
    }

    fn attribute(&mut self, field: &str, kind: FieldKind, value: &Value) {
        self.text.push(' ');
        self.text.push_str(field);
        self.text.push_str("='");
        match value {
            Value::Bool(flag) => self.text.push_str(if *flag { "true" } else { "false" }),
            Value::Ints(numbers) => self.ints(numbers),
            Value::Floats(numbers) => self.floats(numbers, kind.width()),
            Value::Strings(strings) => {
                for (index, string) in strings.iter().enumerate() {
                    if !kind.is_list() {
                        push_attribute(string, &mut self.text);
                        break;
                    }
                    self.text.push_str(if index > 0 { " \"" } else { "\"" });
                    push_attribute(&quoted(string), &mut self.text);
                    self.text.push('"');
                }
            }
            Value::Nodes(_) => {}
        }
        self.text.push('\'');
    }
}
