//! Test helpers: parse a text and list the result as lines.

use std::sync::Arc;

use anim_ir::{Diagnostics, Limits};

use crate::classic::read;
use crate::graph::{Graph, Node, NodeId, Value};
use crate::version::Version;

/// Lists the nodes, one per line with number, type, name and fields, followed by the root nodes.
pub(super) fn show(graph: &Graph) -> Vec<String> {
    let ids =
        |ids: &[NodeId]| ids.iter().map(|id| format!("#{}", id.0)).collect::<Vec<_>>().join(" ");
    let node = |(at, node): (usize, &Arc<Node>)| {
        let name = node.name.as_ref().map_or(String::new(), |name| format!(" {name}"));
        let fields = node.fields.iter().map(|(index, value)| {
            // The fields of an instance of a prototype have no names here.
            let field = node.kind.fields.get(usize::from(*index)).map_or("?", |field| field.name);
            match value {
                Value::Bool(flag) => format!(" {field}={flag}"),
                Value::Ints(numbers) => format!(" {field}={numbers:?}"),
                Value::Floats(numbers) => format!(" {field}={numbers:?}"),
                Value::Strings(strings) => format!(" {field}={strings:?}"),
                Value::Nodes(nodes) => format!(" {field}=<{}>", ids(nodes)),
            }
        });
        format!("#{at} {}{name}{}", node.kind.name, fields.collect::<String>())
    };
    graph.nodes.iter().enumerate().map(node).chain([ids(&graph.roots)]).collect()
}

/// Parses a text. Returns the result as lines, and each reported code with the text it points at.
pub(super) fn parse(text: &str, version: Version) -> (Vec<String>, Vec<(&'static str, &str)>) {
    let mut diagnostics = Diagnostics::new();
    let graph = read(text, version, &Limits::default(), &mut diagnostics);
    let said = diagnostics
        .iter()
        .map(|d| (d.code.id, &text[d.span.unwrap().start..d.span.unwrap().end]))
        .collect();
    (show(&graph), said)
}

#[track_caller]
pub(super) fn check(text: &str, version: Version, expected: &[&str], said: &[(&str, &str)]) {
    assert_eq!(
        parse(text, version),
        (expected.iter().map(|line| (*line).to_owned()).collect(), said.to_vec()),
        "{text}"
    );
}
