//! The nodes of one scene, in one list.

use std::collections::BTreeMap;
use std::sync::Arc;

use anim_ir::Span;

use crate::nodes::{FieldKind, NodeType};

/// Index of a node in its [`Graph`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Place in [`Graph::nodes`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a field holds. Numbers of vectors, colours, rotations and matrices stand one after the
/// other.
///
/// Values are shared: frames that do not change a field have the same `Arc`.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `SFBool`.
    Bool(bool),
    /// `SFInt32`, `MFInt32`, `SFImage`, `MFBool`.
    Ints(Arc<[i32]>),
    /// All fields of floating-point numbers.
    Floats(Arc<[f32]>),
    /// `SFString`, `MFString`, and the unquoted words of VRML 1.0.
    Strings(Arc<[String]>),
    /// `SFNode`, `MFNode`.
    Nodes(Vec<NodeId>),
}

/// A node: its type, its name, the fields that the file gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub kind: &'static NodeType,
    /// Its `DEF` name.
    pub name: Option<Arc<str>>,
    /// Fields by their place in [`NodeType::fields`], in the order of the file. What is not here
    /// has its default.
    pub fields: Vec<(u8, Value)>,
    /// Where it stands in the text that was parsed.
    pub span: Span,
}

/// A scene: nodes in the order of the file, parents before what is in them; a node that is used
/// twice is in the list once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// All nodes. Shared between frames that do not change them.
    pub nodes: Vec<Arc<Node>>,
    /// The nodes at the top, in order.
    pub roots: Vec<NodeId>,
    /// What `Inline` nodes stand for: the nodes at the top of the file that was put in, which are
    /// in the list too.
    pub inlined: BTreeMap<NodeId, Vec<NodeId>>,
    /// Folders of the files that the nodes come from, each with the first node that comes from it:
    /// relative addresses in nodes are relative to these. The folder of the outermost file is the
    /// empty one.
    pub folders: Vec<(NodeId, Arc<str>)>,
}

impl Graph {
    /// A node.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.index()).map(Arc::as_ref)
    }

    /// All nodes with their indices.
    pub fn ids(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        (0_u32..).map(NodeId).zip(self.nodes.iter().map(Arc::as_ref))
    }

    /// A field that the file gives.
    pub fn given(&self, id: NodeId, field: &str) -> Option<&Value> {
        self.node(id)?.given(field)
    }

    /// Nodes in a field, none where there are none.
    pub fn children(&self, id: NodeId, field: &str) -> &[NodeId] {
        match self.given(id, field) {
            Some(Value::Nodes(nodes)) => nodes,
            _ => &[],
        }
    }

    /// The folder that a node's addresses are relative to, itself relative to that of the outermost
    /// file.
    pub fn folder(&self, id: NodeId) -> &str {
        let before = self.folders.partition_point(|(first, _)| *first <= id);
        before.checked_sub(1).and_then(|at| self.folders.get(at)).map_or("", |(_, folder)| folder)
    }

    /// Puts another scene in the place of an `Inline` node.
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
        self.inlined.insert(inline, scene.roots.iter().copied().map(moved).collect());
        self.inlined.extend(
            scene
                .inlined
                .iter()
                .map(|(id, roots)| (moved(*id), roots.iter().copied().map(moved).collect())),
        );
        self.folders.extend(
            scene.folders.iter().map(|(first, folder)| (moved(*first), Arc::clone(folder))),
        );
    }

    /// The one node in a field.
    pub fn child(&self, id: NodeId, field: &str) -> Option<NodeId> {
        self.children(id, field).first().copied()
    }
}

impl Node {
    fn moved(&self, moved: impl Fn(NodeId) -> NodeId) -> Node {
        let fields = self.fields.iter().map(|(index, value)| match value {
            Value::Nodes(nodes) => {
                (*index, Value::Nodes(nodes.iter().copied().map(&moved).collect()))
            }
            other => (*index, other.clone()),
        });
        Node { fields: fields.collect(), ..self.clone() }
    }

    /// A field that the file gives.
    pub fn given(&self, field: &str) -> Option<&Value> {
        let index = self.kind.field_index(field)?;
        self.fields.iter().find(|(at, _)| *at == index).map(|(_, value)| value)
    }

    /// The numbers of a field, or its default.
    pub fn floats(&self, field: &str) -> &[f32] {
        match self.given(field) {
            Some(Value::Floats(numbers)) => numbers,
            _ => self.kind.field(field).map_or(&[], |field| field.default.floats()),
        }
    }

    /// So many numbers of a field, or of its default.
    pub fn array<const N: usize>(&self, field: &str) -> [f32; N] {
        let first = |numbers: &[f32]| numbers.first_chunk::<N>().copied();
        first(self.floats(field))
            .or_else(|| first(self.kind.field(field)?.default.floats()))
            .unwrap_or([0.0; N])
    }

    /// The integers of a field, or its default.
    pub fn ints(&self, field: &str) -> &[i32] {
        match self.given(field) {
            Some(Value::Ints(numbers)) => numbers,
            _ => self.kind.field(field).map_or(&[], |field| field.default.ints()),
        }
    }

    /// The first number of a field, or its default.
    pub fn float(&self, field: &str) -> f32 {
        let [number] = self.array(field);
        number
    }

    /// A flag, or its default.
    pub fn flag(&self, field: &str) -> bool {
        match self.given(field) {
            Some(Value::Bool(flag)) => *flag,
            _ => self.kind.field(field).is_some_and(|field| field.default.flag()),
        }
    }

    /// The strings of a field; none where the file gives none, whatever the default.
    pub fn strings(&self, field: &str) -> &[String] {
        match self.given(field) {
            Some(Value::Strings(strings)) => strings,
            _ => &[],
        }
    }

    /// The kind of a field.
    pub fn field_kind(&self, index: u8) -> Option<FieldKind> {
        self.kind.fields.get(usize::from(index)).map(|field| field.kind)
    }
}
