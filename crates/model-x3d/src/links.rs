//! Collects `ROUTE`, `IMPORT` and `EXPORT` statements, and finds the nodes they name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, Span};

use crate::codes;
use crate::graph::{End, Import, Links, NodeId, Route};

/// One end of a `ROUTE` statement: a node and one of its events.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Port<'t> {
    pub(crate) node: &'t str,
    pub(crate) event: &'t str,
}

/// What a name stands for.
#[derive(Clone, Copy)]
enum Named {
    Known(End),
    /// A node of an unsupported type, such as an instance of a prototype.
    Skipped,
    Unknown,
}

/// The statements read so far. Names of nodes that are defined after a statement are looked up at
/// the end of the file.
#[derive(Debug, Default)]
pub(crate) struct LinkReader {
    routes: Vec<(RouteEnd, RouteEnd, Span)>,
    imports: Vec<Import>,
    /// The local names of imports.
    imported: BTreeMap<Arc<str>, usize>,
    exports: Vec<(Arc<str>, RouteEnd, Span)>,
    /// The names of nodes in content that is skipped.
    skipped: BTreeSet<Box<str>>,
}

/// An end of a statement. `node` is `None` until it is known.
#[derive(Debug)]
struct RouteEnd {
    node: Option<End>,
    name: Box<str>,
    event: Box<str>,
}

impl LinkReader {
    /// Adds the name of a node that is skipped, so that routes to it are not errors.
    pub(crate) fn skip(&mut self, name: &str) {
        self.skipped.insert(name.into());
    }

    /// Whether a node with this name is skipped.
    pub(crate) fn is_skipped(&self, name: &str) -> bool {
        self.skipped.contains(name)
    }

    pub(crate) fn route(
        &mut self,
        [from, to]: [Port<'_>; 2],
        span: Span,
        find: impl Fn(&str) -> Option<NodeId>,
    ) {
        let end = |port: Port<'_>| RouteEnd {
            node: self.known(port.node, &find),
            name: port.node.into(),
            event: port.event.into(),
        };
        self.routes.push((end(from), end(to), span));
    }

    /// Adds `IMPORT inline.name AS local`.
    pub(crate) fn import(&mut self, inline: NodeId, [name, local]: [&str; 2], span: Span) {
        self.imported.insert(local.into(), self.imports.len());
        self.imports.push(Import { inline, name: name.into(), span });
    }

    /// Adds `EXPORT node AS name`.
    pub(crate) fn export(
        &mut self,
        [node, name]: [&str; 2],
        span: Span,
        find: impl Fn(&str) -> Option<NodeId>,
    ) {
        let end =
            RouteEnd { node: self.known(node, &find), name: node.into(), event: Box::default() };
        self.exports.push((name.into(), end, span));
    }

    fn known(&self, name: &str, find: impl Fn(&str) -> Option<NodeId>) -> Option<End> {
        let imported = || self.imported.get(name).copied().map(End::Imported);
        find(name).map(End::Node).or_else(imported)
    }

    /// Returns the statements, and reports names that no node has.
    pub(crate) fn finish(
        mut self,
        find: impl Fn(&str) -> Option<NodeId>,
        diagnostics: &mut Diagnostics,
    ) -> Links {
        let routes = std::mem::take(&mut self.routes);
        let exports = std::mem::take(&mut self.exports);
        let named = |end: &RouteEnd| match end.node.or_else(|| self.known(&end.name, &find)) {
            Some(node) => Named::Known(node),
            None if self.skipped.contains(&end.name) => Named::Skipped,
            None => Named::Unknown,
        };
        let mut links = Links::default();
        let mut reported = BTreeSet::new();
        for (from, to, span) in routes {
            match (named(&from), named(&to)) {
                (Named::Known(a), Named::Known(b)) => links.routes.push(Route {
                    from: a,
                    output: from.event,
                    to: b,
                    input: to.event,
                    span,
                }),
                (Named::Unknown, _) => unknown(&from, span, diagnostics),
                (_, Named::Unknown) => unknown(&to, span, diagnostics),
                (Named::Skipped, _) => skipped(from, span, &mut reported, diagnostics),
                (_, Named::Skipped) => skipped(to, span, &mut reported, diagnostics),
            }
        }
        for (name, end, span) in exports {
            match named(&end) {
                Named::Known(node) => links.exports.push((name, node)),
                Named::Skipped => skipped(end, span, &mut reported, diagnostics),
                Named::Unknown => unknown(&end, span, diagnostics),
            }
        }
        links.imports = self.imports;
        links
    }
}

fn unknown(end: &RouteEnd, span: Span, diagnostics: &mut Diagnostics) {
    diagnostics.push(&codes::ROUTE_NODE, span, || {
        format!("no node is named {}", quote(end.name.as_bytes()))
    });
}

/// Reports the first statement about a node that is skipped.
fn skipped(
    end: RouteEnd,
    span: Span,
    reported: &mut BTreeSet<Box<str>>,
    diagnostics: &mut Diagnostics,
) {
    if !reported.contains(&end.name) {
        diagnostics.push(&codes::ROUTE, span, || {
            let name = quote(end.name.as_bytes());
            format!("routes of {name} are ignored, since the node is skipped")
        });
        reported.insert(end.name);
    }
}
