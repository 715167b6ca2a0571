//! Collects the prototypes of a file while it is parsed.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, Span};

use crate::codes;
use crate::graph::{
    Body, Connection, Graph, InterfaceField, NodeId, Prototype, Prototypes, Source, Value, field_of,
};
use crate::nodes::FieldKind;
use crate::nodes::events::Direction;

/// Maximum nesting depth of declarations.
const DEPTH: usize = 16;
/// The memory charged for a copy of a node, route or connection.
const ITEM_BYTES: usize = 128;
/// The memory charged for a copy of a field, without its value, which copies share.
const FIELD_BYTES: usize = 40;

/// The prototypes declared so far. The name of a prototype is known after its declaration, to the
/// end of the body that the declaration is in.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    list: Vec<Prototype>,
    names: BTreeMap<Arc<str>, usize>,
    /// The open declarations, outermost first.
    open: Vec<Draft>,
}

/// A declaration that is being read.
#[derive(Debug)]
struct Draft {
    name: Arc<str>,
    span: Span,
    interface: Vec<InterfaceField>,
    /// The index of each field, for declarations with many fields.
    fields: HashMap<Box<str>, u8>,
    connections: Vec<(NodeId, Box<str>, Box<str>, Span)>,
    /// The prototypes declared in the body.
    names: BTreeMap<Arc<str>, usize>,
    urls: Option<Vec<String>>,
    /// Whether the fields are complete. Their defaults cannot stand for fields of the prototype,
    /// so a node cannot contain itself.
    in_body: bool,
}

impl Declarations {
    /// Starts a declaration. Returns false if it is nested too deeply.
    pub(crate) fn open(&mut self, name: &str, span: Span, diagnostics: &mut Diagnostics) -> bool {
        if self.open.len() >= DEPTH {
            diagnostics.push(&codes::DEPTH, span, || {
                format!("prototypes are nested more than {DEPTH} deep")
            });
            return false;
        }
        self.open.push(Draft {
            name: name.into(),
            span,
            interface: Vec::new(),
            fields: HashMap::new(),
            connections: Vec::new(),
            names: BTreeMap::new(),
            urls: None,
            in_body: false,
        });
        true
    }

    /// Whether the parser is inside a declaration.
    pub(crate) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether the innermost declaration is an `EXTERNPROTO`.
    pub(crate) fn is_external(&self) -> bool {
        self.open.last().is_some_and(|draft| draft.urls.is_some())
    }

    /// Returns the span of the innermost declaration.
    pub(crate) fn span(&self) -> Option<Span> {
        self.open.last().map(|draft| draft.span)
    }

    /// Makes the innermost declaration an `EXTERNPROTO`.
    pub(crate) fn set_urls(&mut self, urls: Vec<String>) {
        if let Some(draft) = self.open.last_mut() {
            draft.urls = Some(urls);
        }
    }

    /// Starts the nodes of the innermost declaration, after its fields.
    pub(crate) fn start_body(&mut self) {
        if let Some(draft) = self.open.last_mut() {
            draft.in_body = true;
        }
    }

    /// Whether the parser is among the nodes of a prototype, where `IS` is allowed.
    pub(crate) fn is_in_body(&self) -> bool {
        self.open.last().is_some_and(|draft| draft.in_body)
    }

    /// Adds a field to the innermost declaration, given the name of its type.
    pub(crate) fn add_field(
        &mut self,
        [name, kind]: [&str; 2],
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<(u8, FieldKind)> {
        let draft = self.open.last_mut()?;
        let mut problem = |message: &dyn Fn() -> String| {
            diagnostics.push(&codes::PROTO_FIELD, span, message);
            None
        };
        let Some(kind) = FieldKind::named(kind) else {
            return problem(&|| format!("unknown field type {}", quote(kind.as_bytes())));
        };
        let Ok(index) = u8::try_from(draft.interface.len()) else {
            return problem(&|| "a prototype must not have more than 256 fields".to_owned());
        };
        if draft.fields.contains_key(name) {
            return problem(&|| format!("duplicate field {}", quote(name.as_bytes())));
        }
        draft.interface.push(InterfaceField { name: name.into(), kind });
        draft.fields.insert(name.into(), index);
        Some((index, kind))
    }

    /// Adds `name IS interface` to the innermost declaration.
    pub(crate) fn connect(&mut self, node: NodeId, [name, interface]: [&str; 2], span: Span) {
        if let Some(draft) = self.open.last_mut() {
            draft.connections.push((node, name.into(), interface.into(), span));
        }
    }

    /// Ends the innermost declaration.
    pub(crate) fn close(&mut self, graph: Graph, diagnostics: &mut Diagnostics) {
        let Some(mut draft) = self.open.pop() else { return };
        let connections = self.connections(&mut draft, &graph, diagnostics);
        let first = graph.roots.first().copied();
        let nested = first.and_then(|id| graph.instances.get(&id)).map(|at| self.container(*at));
        let own = || first.and_then(|id| Some(graph.node(id)?.kind.container));
        let container = nested.or_else(own).unwrap_or("children");
        let source = match draft.urls {
            Some(urls) => Source::External(urls),
            None => {
                let cost = cost(&graph, &connections);
                Source::Body(Box::new(Body { cost, graph, connections }))
            }
        };
        let Draft { name, span, interface, .. } = draft;
        let names = self.open.last_mut().map_or(&mut self.names, |around| &mut around.names);
        names.insert(Arc::clone(&name), self.list.len());
        self.list.push(Prototype { name, span, container, interface, source });
    }

    /// Drops all open declarations, which have no end.
    pub(crate) fn abandon(&mut self) {
        self.open.clear();
    }

    /// Drops the innermost declaration.
    pub(crate) fn drop_innermost(&mut self) {
        self.open.pop();
    }

    /// Looks up a prototype by name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let inner = self.open.iter().rev().map(|draft| &draft.names);
        inner.chain([&self.names]).find_map(|names| names.get(name).copied())
    }

    /// Whether the prototype has its nodes in this file.
    pub(crate) fn has_body(&self, prototype: usize) -> bool {
        let source = self.list.get(prototype).map(|prototype| &prototype.source);
        matches!(source, Some(Source::Body(_)))
    }

    /// Returns the names of the fields of a prototype.
    pub(crate) fn fields(&self, prototype: usize) -> impl Iterator<Item = &str> {
        let interface = self.list.get(prototype).map(|prototype| &prototype.interface);
        interface.into_iter().flatten().map(|field| &*field.name)
    }

    /// Returns the index and kind of a field of a prototype.
    pub(crate) fn field(&self, prototype: usize, name: &str) -> Option<(u8, FieldKind)> {
        self.list.get(prototype)?.field(name)
    }

    /// Returns the field that usually contains an instance: that of the first node.
    pub(crate) fn container(&self, prototype: usize) -> &'static str {
        self.list.get(prototype).map_or("children", |prototype| prototype.container)
    }

    /// Returns the kind of a field of a prototype, or of the innermost declaration.
    pub(crate) fn kind(&self, prototype: Option<usize>, field: u8) -> Option<FieldKind> {
        let interface = match prototype {
            Some(prototype) => &self.list.get(prototype)?.interface,
            None => &self.open.last()?.interface,
        };
        interface.get(usize::from(field)).map(|field| field.kind)
    }

    pub(crate) fn finish(self) -> Arc<Prototypes> {
        let Declarations { list, names, .. } = self;
        Arc::new(Prototypes { list, names, folder: "".into() })
    }

    /// Checks the connections of a declaration.
    fn connections(
        &self,
        draft: &mut Draft,
        graph: &Graph,
        diagnostics: &mut Diagnostics,
    ) -> Vec<Connection> {
        let drafted = std::mem::take(&mut draft.connections);
        let checked = drafted.into_iter().filter_map(|(node, name, interface, span)| {
            let field = self.checked(draft, graph, node, [&name, &interface]);
            match field {
                Ok((field, interface)) => Some(Connection { node, name, field, interface }),
                Err(message) => {
                    diagnostics.push(&codes::PROTO_FIELD, span, || message);
                    None
                }
            }
        });
        checked.collect()
    }

    /// Returns the field of a node, unless it is an event, and that of the prototype.
    fn checked(
        &self,
        draft: &Draft,
        graph: &Graph,
        node: NodeId,
        [name, interface]: [&str; 2],
    ) -> Result<(Option<u8>, u8), String> {
        let Some(index) = draft.fields.get(interface).copied() else {
            return Err(format!("the prototype has no field {}", quote(interface.as_bytes())));
        };
        let kind = draft.interface.get(usize::from(index)).map(|field| field.kind);
        let prototype = graph.instances.get(&node).copied();
        let node = graph.node(node);
        let (field, found) = match (prototype, node) {
            (Some(prototype), _) => {
                let found = self.list.get(prototype);
                let found = found.and_then(|prototype| field_of(&prototype.interface, name));
                (found.map(|(index, _)| index), found.map(|(_, kind)| kind))
            }
            (None, Some(node)) => {
                let field = node.kind.indexed_field(name);
                let event = || {
                    let ways = [Direction::In, Direction::Out];
                    ways.into_iter().find_map(|way| node.kind.event(name, way))
                };
                let found = field.map(|(_, field)| field.kind);
                (field.map(|(at, _)| at), found.or_else(|| event().map(|(_, kind)| kind)))
            }
            (None, None) => (None, None),
        };
        match found {
            Some(found) if kind == Some(found) => Ok((field, index)),
            Some(found) => Err(format!(
                "{} is {found:?}, but {} of the prototype is {}",
                quote(name.as_bytes()),
                quote(interface.as_bytes()),
                kind.map_or(String::new(), |kind| format!("{kind:?}"))
            )),
            None => Err(format!("the node has no field {}", quote(name.as_bytes()))),
        }
    }
}

/// Returns the memory charged for a copy of a body.
fn cost(graph: &Graph, connections: &[Connection]) -> usize {
    let value = |value: &Value| match value {
        Value::Nodes(nodes) => nodes.len().saturating_mul(size_of::<NodeId>()),
        _ => 0,
    };
    let field = |(_, held): &(u8, Value)| value(held).saturating_add(FIELD_BYTES);
    let fields = graph.nodes.iter().flat_map(|node| &node.fields).map(field);
    let items = [graph.nodes.len(), graph.links.routes.len(), connections.len()];
    let items = items.into_iter().fold(1, usize::saturating_add).saturating_mul(ITEM_BYTES);
    fields.fold(items, usize::saturating_add)
}
