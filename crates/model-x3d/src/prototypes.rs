//! Prototypes: node types that a file declares (ISO/IEC 19775-1, 4.4.4).

mod declare;
mod expand;

use std::collections::BTreeMap;
use std::sync::Arc;

use anim_ir::Span;

use crate::graph::{Graph, Node, NodeId, Value};
use crate::nodes::{Family, FieldKind, NodeType};
pub(crate) use declare::Declarations;
pub(crate) use expand::Expansion;

/// The type of a node that is an instance of a prototype, until it is expanded. The fields of the
/// node are numbered like those of the prototype.
pub(crate) static INSTANCE: NodeType = NodeType {
    name: "ProtoInstance",
    family: Family::X3d,
    container: "children",
    fields: &[],
    is_skipped: true,
};

/// The node of a body that has the default values of the prototype's fields.
pub(crate) const DEFAULTS: NodeId = NodeId(0);

/// The prototypes declared in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Prototypes {
    pub(crate) list: Vec<Prototype>,
    /// The prototypes declared outside others, as indices into `list`.
    names: BTreeMap<Arc<str>, usize>,
    /// The folder of the file, relative to that of the outermost file.
    pub(crate) folder: Arc<str>,
}

/// A `PROTO` or `EXTERNPROTO`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prototype {
    pub(crate) name: Arc<str>,
    pub(crate) span: Span,
    /// The field that usually contains an instance, in X3D XML.
    container: &'static str,
    pub(crate) interface: Vec<InterfaceField>,
    pub(crate) source: Source,
}

/// A field of a prototype.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InterfaceField {
    pub(crate) name: Box<str>,
    pub(crate) kind: FieldKind,
}

/// Where the nodes of a prototype are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Source {
    Body(Body),
    /// The addresses of an `EXTERNPROTO`, of which the first usable one is read.
    External(Vec<String>),
}

/// The nodes of a prototype.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Body {
    /// The nodes. The first one has the default values ([`DEFAULTS`]).
    pub(crate) graph: Graph,
    pub(crate) connections: Vec<Connection>,
    /// The memory charged for a copy.
    cost: usize,
}

/// `IS`: a field of a node that stands for a field of the prototype.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Connection {
    pub(crate) node: NodeId,
    /// The name of the field or event of the node.
    pub(crate) name: Box<str>,
    /// The field of the node; `None` if `name` is an event.
    pub(crate) field: Option<u8>,
    /// The field of the prototype.
    pub(crate) interface: u8,
}

impl Prototypes {
    /// Returns the prototype that an address refers to: the one with the name after `#`, or the
    /// first in the file if there is no name (ISO/IEC 19775-1, 4.4.5.2).
    pub(crate) fn at_address(&self, name: Option<&str>) -> Option<usize> {
        match name {
            Some(name) => self.names.get(name).copied(),
            None => self.names.values().min().copied(),
        }
    }

    /// Iterates over the spans of all prototypes and of the nodes and statements in them.
    pub(crate) fn spans(&mut self) -> impl Iterator<Item = &mut Span> {
        self.list.iter_mut().flat_map(|prototype| {
            let spans = match &mut prototype.source {
                Source::Body(body) => Some(body.graph.spans()),
                Source::External(_) => None,
            };
            std::iter::once(&mut prototype.span).chain(spans.into_iter().flatten())
        })
    }
}

impl Prototype {
    /// Returns the index and kind of a field.
    pub(crate) fn field(&self, name: &str) -> Option<(u8, FieldKind)> {
        field_of(&self.interface, name)
    }
}

impl Body {
    /// Returns the default values of the prototype's fields.
    fn defaults(&self) -> &[(u8, Value)] {
        self.graph.node(DEFAULTS).map_or(&[], |node| &node.fields)
    }
}

/// Returns the index and kind of a field.
fn field_of(interface: &[InterfaceField], name: &str) -> Option<(u8, FieldKind)> {
    let at = interface.iter().position(|field| *field.name == *name)?;
    Some((u8::try_from(at).ok()?, interface.get(at)?.kind))
}

/// Whether a node is an instance of a prototype, or the node with the defaults of a prototype.
pub(crate) fn is_instance(kind: &NodeType) -> bool {
    std::ptr::eq(kind, &raw const INSTANCE)
}

/// Returns an unnamed node of the type [`INSTANCE`] without fields.
pub(crate) fn new_instance(span: Span) -> Node {
    Node { kind: &INSTANCE, name: None, fields: Vec::new(), span }
}
