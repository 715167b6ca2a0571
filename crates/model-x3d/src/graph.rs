//! The nodes of a scene, as one list.

use std::collections::BTreeMap;
use std::sync::Arc;

use anim_ir::diag::quote;
use anim_ir::{Span, insert_all};

use crate::nodes::{Family, FieldKind, INSTANCE, NodeType};

/// The index of a node in its [`Graph`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Returns the index into [`Graph::nodes`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The value of a field. The components of vectors, colours, rotations and matrices are stored in
/// one flat list.
///
/// Lists are shared: frames between which a field does not change have the same `Arc`.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `SFBool`.
    Bool(bool),
    /// Values of `SFInt32`, `MFInt32`, `SFImage` and `MFBool` fields.
    Ints(Arc<Vec<i32>>),
    /// Values of all floating-point fields.
    Floats(Arc<Vec<f32>>),
    /// Values of `SFString` and `MFString` fields, and the unquoted keywords of VRML 1.0.
    Strings(Arc<[String]>),
    /// `SFNode`, `MFNode`.
    Nodes(Vec<NodeId>),
}

/// A node: its type, its name, and the fields set in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The node type.
    pub kind: &'static NodeType,
    /// The `DEF` name.
    pub name: Option<Arc<str>>,
    /// Fields as (index in [`NodeType::fields`], value), in file order. Missing fields have their
    /// defaults.
    pub fields: Vec<(u8, Value)>,
    /// The node's span in the parsed text.
    pub span: Span,
}

/// A scene: nodes in file order, so a node precedes those defined inside it, followed by the nodes
/// of included files. A node that is used more than once is listed only once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The name of the format that the scene was converted from, such as `glTF`; empty for X3D and
    /// VRML.
    pub format: &'static str,
    /// A hash of what belongs to the structure of the file that the scene was converted from, but
    /// not to the scene, such as the indices in an OBJ file. Scenes with different values are not
    /// blended.
    pub structure: u64,
    /// For each file, its first node, and whether its textures are multiplied by the colour of
    /// their material, as in X3D 4.0, instead of replacing it.
    pub multiplying: Vec<(NodeId, bool)>,
    /// All nodes. Frames share unchanged nodes.
    pub nodes: Vec<Arc<Node>>,
    /// The root nodes, in order.
    pub roots: Vec<NodeId>,
    /// The content of `Inline` nodes: the root nodes of the included file. The file's nodes are
    /// part of `nodes`.
    pub inlined: BTreeMap<NodeId, Vec<NodeId>>,
    /// The folders of the files that the nodes come from, each with the first node of its file.
    /// URLs in nodes are relative to these folders. The folder of the outermost file is the empty
    /// string.
    pub folders: Vec<(NodeId, Arc<str>)>,
    /// The routes between nodes. Frames share them.
    pub links: Arc<Links>,
    /// The names that included files export, keyed by their `Inline` node.
    pub exported: BTreeMap<NodeId, Arc<Exports>>,
    /// The instances of prototypes, as indices into `prototypes`. [`Loader`](crate::Loader)
    /// replaces them with the nodes of the prototypes.
    pub(crate) instances: BTreeMap<NodeId, usize>,
    /// The unit of lengths in metres, if the file has one. Its root is then a transform to metres.
    pub(crate) length_unit: Option<f32>,
    /// The prototypes that the file declares.
    pub(crate) prototypes: Arc<Prototypes>,
}

/// The exported names of a file, with their nodes.
pub type Exports = BTreeMap<Arc<str>, NodeId>;

/// `ROUTE`, `IMPORT` and `EXPORT` statements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Links {
    /// The routes, in file order.
    pub routes: Vec<Route>,
    /// The nodes imported from included files.
    pub imports: Vec<Import>,
    /// The exported names, with the nodes they stand for.
    pub exports: Vec<(Arc<str>, End)>,
}

/// A route: an event of one node that sets a field of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// The node that sends the event.
    pub from: End,
    /// The name of the event sent.
    pub output: Box<str>,
    /// The node that receives the event.
    pub to: End,
    /// The name of the event or field received.
    pub input: Box<str>,
    /// The statement's span.
    pub span: Span,
}

/// A node that a statement refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A node of the graph.
    Node(NodeId),
    /// An imported node: an index into [`Links::imports`].
    Imported(usize),
    /// The outside of an exported instance of a prototype. The event at this end is a field of the
    /// prototype; the other end is what it stands for.
    Outside(NodeId),
}

/// An `IMPORT` statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The `Inline` node.
    pub inline: NodeId,
    /// The exported name in the included file.
    pub name: Arc<str>,
    /// The statement's span.
    pub span: Span,
}

impl Graph {
    /// Returns the node with the given index.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.index()).map(Arc::as_ref)
    }

    /// Iterates over all nodes with their indices.
    pub fn ids(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        (0_u32..).map(NodeId).zip(self.nodes.iter().map(Arc::as_ref))
    }

    /// Whether the scene has routes and `TimeSensor` nodes, which usually animate it.
    pub fn has_sensors(&self) -> bool {
        let is_sensor = |(_, node): (NodeId, &Node)| node.kind.name == "TimeSensor";
        self.links.routes.iter().any(|route| !route.is_outside()) && self.ids().any(is_sensor)
    }

    /// Returns the value of a field, if the file sets it.
    pub fn given(&self, id: NodeId, field: &str) -> Option<&Value> {
        self.node(id)?.given(field)
    }

    /// Returns the nodes in a field, or an empty list.
    pub fn children(&self, id: NodeId, field: &str) -> &[NodeId] {
        match self.given(id, field) {
            Some(Value::Nodes(nodes)) => nodes,
            _ => &[],
        }
    }

    /// Iterates over the routes between nodes, with these nodes.
    pub(crate) fn node_routes(&self) -> impl Iterator<Item = (NodeId, NodeId, &Route)> {
        self.links.routes.iter().filter_map(|route| match (route.from, route.to) {
            (End::Node(from), End::Node(to)) => Some((from, to, route)),
            _ => None,
        })
    }

    /// Whether a node has the address of another file.
    pub(crate) fn refers_to_files(&self) -> bool {
        let is_address = |kind: &NodeType, field: u8| {
            let name = kind.field_name(field).to_ascii_lowercase();
            name.ends_with("url") || kind.family == Family::Vrml1 && name == "filename"
        };
        let nodes = self.ids().any(|(_, node)| {
            !node.inlined().is_empty()
                || node.fields.iter().any(|(at, _)| is_address(node.kind, *at))
        });
        nodes || self.prototypes.list.iter().any(|it| matches!(it.source, Source::External(_)))
    }

    /// Returns the node that a statement refers to, unless it is imported and the file or name does
    /// not exist.
    pub(crate) fn end(&self, end: End) -> Option<NodeId> {
        match end {
            End::Node(id) => Some(id),
            End::Imported(import) => {
                let Import { inline, name, .. } = self.links.imports.get(import)?;
                self.exported.get(inline)?.get(name).copied()
            }
            End::Outside(_) => None,
        }
    }

    /// Returns the type and name of a node for messages.
    pub(crate) fn shown(&self, id: NodeId) -> String {
        self.node(id).map_or(String::new(), |node| match &node.name {
            Some(name) => format!("{} {}", node.kind.name, quote(name.as_bytes())),
            None => node.kind.name.to_owned(),
        })
    }

    /// Returns the names that this file exports.
    fn exports(&self) -> impl Iterator<Item = (Arc<str>, NodeId)> {
        let exports = self.links.exports.iter();
        exports.filter_map(|(name, end)| Some((Arc::clone(name), self.end(*end)?)))
    }

    /// Gives an `Inline` node the content of an earlier one.
    pub(crate) fn include_again(&mut self, inline: NodeId, earlier: NodeId) {
        if let Some(roots) = self.inlined.get(&earlier).cloned() {
            self.inlined.insert(inline, roots);
        }
        if let Some(exports) = self.exported.get(&earlier).cloned() {
            self.exported.insert(inline, exports);
        }
    }

    /// Adds another scene as the content of an `Inline` node.
    pub(crate) fn put_in(&mut self, inline: NodeId, scene: &Graph) {
        let Ok(offset) = u32::try_from(self.nodes.len()) else { return };
        let moved = |id: NodeId| NodeId(id.0.saturating_add(offset));
        for node in &scene.nodes {
            let holds_nodes = node.fields.iter().any(|(_, value)| matches!(value, Value::Nodes(_)));
            self.nodes.push(if holds_nodes {
                Arc::new(node.moved(moved))
            } else {
                Arc::clone(node)
            });
        }
        let roots: Vec<NodeId> = scene.roots.iter().copied().map(moved).collect();
        self.inlined.insert(inline, roots);
        self.inlined.extend(
            scene
                .inlined
                .iter()
                .map(|(id, roots)| (moved(*id), roots.iter().copied().map(moved).collect())),
        );
        self.folders.extend(
            scene.folders.iter().map(|(first, folder)| (moved(*first), Arc::clone(folder))),
        );
        self.multiplying.extend(scene.multiplying.iter().map(|(first, it)| (moved(*first), *it)));
        self.exported.extend(scene.exported.iter().map(|(id, exports)| {
            let exports = exports.iter().map(|(name, id)| (Arc::clone(name), moved(*id)));
            (moved(*id), Arc::new(insert_all(exports)))
        }));
        let exports = insert_all(scene.exports().map(|(name, id)| (name, moved(id))));
        self.exported.insert(inline, Arc::new(exports));
        if *scene.links != Links::default() {
            Arc::make_mut(&mut self.links).add(&scene.links, moved);
        }
    }

    /// Iterates over the spans of all nodes, routes and imports.
    pub(crate) fn spans(&mut self) -> impl Iterator<Item = &mut Span> {
        let links = Arc::make_mut(&mut self.links);
        let routes = links.routes.iter_mut().map(|route| &mut route.span);
        let imports = links.imports.iter_mut().map(|import| &mut import.span);
        let nodes = self.nodes.iter_mut().map(|node| &mut Arc::make_mut(node).span);
        nodes.chain(routes).chain(imports)
    }

    /// Returns the first node in a field.
    pub fn child(&self, id: NodeId, field: &str) -> Option<NodeId> {
        self.children(id, field).first().copied()
    }
}

impl Links {
    /// Adds the routes and imports of an included file. Its exports stay its own.
    pub(crate) fn add(&mut self, other: &Links, moved: impl Fn(NodeId) -> NodeId) {
        let first = self.imports.len();
        let end = |end: End| match end {
            End::Node(id) => End::Node(moved(id)),
            End::Imported(import) => End::Imported(import.saturating_add(first)),
            End::Outside(id) => End::Outside(moved(id)),
        };
        self.routes.extend(other.routes.iter().map(|route| Route {
            from: end(route.from),
            to: end(route.to),
            ..route.clone()
        }));
        self.imports.extend(
            other
                .imports
                .iter()
                .map(|import| Import { inline: moved(import.inline), ..import.clone() }),
        );
    }
}

impl Node {
    /// Returns the node with other numbers for the nodes in its fields.
    pub(crate) fn moved(&self, moved: impl Fn(NodeId) -> NodeId) -> Node {
        let fields = self.fields.iter().map(|(index, value)| match value {
            Value::Nodes(nodes) => {
                (*index, Value::Nodes(nodes.iter().copied().map(&moved).collect()))
            }
            other => (*index, other.clone()),
        });
        Node { fields: fields.collect(), ..self.clone() }
    }

    /// Returns the value of a field, if the file sets it.
    pub fn given(&self, field: &str) -> Option<&Value> {
        let index = self.kind.field_index(field)?;
        self.fields.iter().find(|(at, _)| *at == index).map(|(_, value)| value)
    }

    /// Returns the numbers in a field, or its default.
    pub fn floats(&self, field: &str) -> &[f32] {
        match self.given(field) {
            Some(Value::Floats(numbers)) => numbers,
            _ => self.kind.field(field).map_or(&[], |field| field.default.floats()),
        }
    }

    /// Returns the first `N` numbers of a field or of its default; zeros if both are shorter.
    pub fn array<const N: usize>(&self, field: &str) -> [f32; N] {
        let first = |numbers: &[f32]| numbers.first_chunk::<N>().copied();
        first(self.floats(field))
            .or_else(|| first(self.kind.field(field)?.default.floats()))
            .unwrap_or([0.0; N])
    }

    /// Returns the integers in a field, or its default.
    pub fn ints(&self, field: &str) -> &[i32] {
        match self.given(field) {
            Some(Value::Ints(numbers)) => numbers,
            _ => self.kind.field(field).map_or(&[], |field| field.default.ints()),
        }
    }

    /// Returns the first number in a field, or its default.
    pub fn float(&self, field: &str) -> f32 {
        let [number] = self.array(field);
        number
    }

    /// Returns the boolean in a field, or its default.
    pub fn flag(&self, field: &str) -> bool {
        match self.given(field) {
            Some(Value::Bool(flag)) => *flag,
            _ => self.kind.field(field).is_some_and(|field| field.default.flag()),
        }
    }

    /// Returns the addresses of the file that an `Inline` node includes, of which the first usable
    /// one is read. Empty for other nodes.
    pub fn inlined(&self) -> &[String] {
        match self.kind.name {
            // An `Inline` with `load` FALSE (ISO/IEC 19775-1, 9.4.2) is not reported as missing.
            "Inline" if self.flag("load") => self.strings("url"),
            "WWWInline" => self.strings("name"),
            _ => &[],
        }
    }

    /// Returns the strings in a field. Ignores the default: empty if the file does not set the
    /// field.
    pub fn strings(&self, field: &str) -> &[String] {
        match self.given(field) {
            Some(Value::Strings(strings)) => strings,
            _ => &[],
        }
    }

    /// Returns the kind of a field.
    pub fn field_kind(&self, index: u8) -> Option<FieldKind> {
        self.kind.fields.get(usize::from(index)).map(|field| field.kind)
    }
}

/// The node of a body that has the default values of the prototype's fields.
pub(crate) const DEFAULTS: NodeId = NodeId(0);

/// The prototypes declared in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Prototypes {
    pub(crate) list: Vec<Prototype>,
    /// The prototypes declared outside others, as indices into `list`.
    pub(crate) names: BTreeMap<Arc<str>, usize>,
    /// The folder of the file, relative to that of the outermost file.
    pub(crate) folder: Arc<str>,
}

/// A `PROTO` or `EXTERNPROTO`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prototype {
    pub(crate) name: Arc<str>,
    pub(crate) span: Span,
    /// The field that usually contains an instance, in X3D XML.
    pub(crate) container: &'static str,
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
    Body(Box<Body>),
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
    pub(crate) cost: usize,
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
    pub(crate) fn defaults(&self) -> &[(u8, Value)] {
        self.graph.node(DEFAULTS).map_or(&[], |node| &node.fields)
    }
}

/// Returns the index and kind of a field.
pub(crate) fn field_of(interface: &[InterfaceField], name: &str) -> Option<(u8, FieldKind)> {
    let at = interface.iter().position(|field| *field.name == *name)?;
    Some((u8::try_from(at).ok()?, interface.get(at)?.kind))
}

/// Returns an unnamed node of the type [`INSTANCE`] without fields.
pub(crate) fn new_instance(span: Span) -> Node {
    Node { kind: &INSTANCE, name: None, fields: Vec::new(), span }
}
