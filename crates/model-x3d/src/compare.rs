//! Structural comparison of scenes, which determines whether they can be blended.
//!
//! Two scenes are structurally equal if they have the same nodes with the same names and children,
//! their files are in the same folders, their number lists have equal lengths, and everything that
//! is not a floating-point number (indices, flags, URLs, …) is identical. Missing fields have their
//! defaults. Scenes that were converted from different formats differ. For an `Inline`, the
//! included content is compared, not its URL.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use anim_ir::Span;
use anim_ir::diag::quote;

use crate::graph::{Graph, Node, NodeId, Value};
use crate::nodes::{Default, FieldKind};

/// The first structural difference between two scenes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Description of the difference, such as `coordIndex of IndexedFaceSet`.
    pub what: String,
    /// The span of the node in the later scene's text; `None` if the difference is not at a node in
    /// that text.
    pub span: Option<Span>,
}

/// A field's value. If the file does not set the field, this is its default, or an empty list if it
/// has no default.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Effective<'a> {
    Flag(bool),
    Ints(&'a [i32]),
    Floats(&'a [f32]),
    Strings(&'a [String]),
    DefaultStrings(&'static [&'static str]),
    Nodes(&'a [NodeId]),
}

fn effective(node: &Node, index: u8) -> Option<Effective<'_>> {
    let field = node.kind.fields.get(usize::from(index))?;
    if let Some((_, value)) = node.fields.iter().find(|(at, _)| *at == index) {
        return Some(match value {
            Value::Bool(flag) => Effective::Flag(*flag),
            Value::Ints(numbers) => Effective::Ints(numbers),
            Value::Floats(numbers) => Effective::Floats(numbers),
            Value::Strings(strings) => Effective::Strings(strings),
            Value::Nodes(nodes) => Effective::Nodes(nodes),
        });
    }
    Some(match (field.kind, field.default) {
        (FieldKind::SFNode | FieldKind::MFNode, _) => Effective::Nodes(&[]),
        (_, Default::Flag(flag)) => Effective::Flag(flag),
        (_, Default::Ints(numbers)) => Effective::Ints(numbers),
        (_, Default::Floats(numbers)) => Effective::Floats(numbers),
        (_, Default::Strings(strings)) => Effective::DefaultStrings(strings),
        (FieldKind::SFBool, Default::Empty) => Effective::Flag(false),
        (
            FieldKind::MFBool | FieldKind::SFInt32 | FieldKind::MFInt32 | FieldKind::SFImage,
            Default::Empty,
        ) => Effective::Ints(&[]),
        (FieldKind::SFString | FieldKind::MFString | FieldKind::Words, Default::Empty) => {
            Effective::Strings(&[])
        }
        (_, Default::Empty) => Effective::Floats(&[]),
    })
}

impl Effective<'_> {
    fn is_like(&self, other: &Effective<'_>) -> bool {
        match (self, other) {
            (Effective::Floats(a), Effective::Floats(b)) => a.len() == b.len(),
            (Effective::Strings(a), Effective::DefaultStrings(b))
            | (Effective::DefaultStrings(b), Effective::Strings(a)) => a.iter().eq(b.iter()),
            _ => self == other,
        }
    }

    fn hash(&self, hasher: &mut DefaultHasher) {
        match self {
            Effective::Flag(flag) => flag.hash(hasher),
            Effective::Ints(numbers) => numbers.hash(hasher),
            Effective::Floats(numbers) => numbers.len().hash(hasher),
            Effective::Strings(strings) => {
                strings.iter().for_each(|string| string.as_str().hash(hasher))
            }
            Effective::DefaultStrings(strings) => {
                strings.iter().for_each(|string| string.hash(hasher))
            }
            Effective::Nodes(nodes) => nodes.hash(hasher),
        }
    }
}

/// Whether the field is the URL of an included file. The same content at another URL is not a
/// difference.
fn is_address(node: &Node, index: u8) -> bool {
    let field = node.kind.field_name(index);
    matches!((node.kind.name, field), ("Inline", "url") | ("WWWInline", "name"))
}

fn compared(node: &Node) -> impl Iterator<Item = u8> + use<'_> {
    (0..u8::try_from(node.kind.fields.len()).unwrap_or(u8::MAX))
        .filter(|index| !is_address(node, *index))
}

/// Returns the first structural difference between a scene and the previous scene, if any. Lets the
/// scenes share the equal nodes and field values that precede the difference. Nodes whose numbers
/// differ by at most `tolerance` count as equal.
pub(crate) fn unify(before: &Graph, after: &mut Graph, tolerance: f32) -> Option<Difference> {
    if before.format != after.format {
        let name = |graph: &Graph| if graph.format.is_empty() { "X3D" } else { graph.format };
        let what = format!("{} instead of {}", name(after), name(before));
        return Some(Difference { what, span: None });
    }
    if before.structure != after.structure {
        let what = "numbers of vertices, or indices of faces".to_owned();
        return Some(Difference { what, span: None });
    }
    let mut found = None;
    for (old, new) in before.nodes.iter().zip(&mut after.nodes) {
        if Arc::ptr_eq(old, new) {
            continue;
        }
        found = found.or_else(|| node_difference(old, new));
        if found.is_none() {
            share(old, new, tolerance);
        }
    }
    if found.is_some() {
        return found;
    }
    let (had, has) = (before.nodes.len(), after.nodes.len());
    if had != has {
        let span = after.nodes.get(had).map(|node| node.span);
        return Some(Difference { what: format!("{has} nodes instead of {had}"), span });
    }
    let same = before.roots == after.roots && before.inlined == after.inlined;
    if !same || before.folders != after.folders {
        return Some(Difference {
            what: "the root nodes, or the content of an Inline".to_owned(),
            span: None,
        });
    }
    None
}

fn node_difference(old: &Node, new: &Node) -> Option<Difference> {
    let called = |node: &Node| {
        node.name.as_ref().map_or(node.kind.name.to_owned(), |name| {
            format!("{} {}", node.kind.name, quote(name.as_bytes()))
        })
    };
    let span = Some(new.span);
    if !std::ptr::eq(old.kind, new.kind) || old.name != new.name {
        return Some(Difference {
            what: format!("{} instead of {}", called(new), called(old)),
            span,
        });
    }
    let differs = |index: &u8| match (effective(old, *index), effective(new, *index)) {
        (Some(a), Some(b)) => !a.is_like(&b),
        _ => false,
    };
    let field = new.kind.field_name(compared(new).find(differs)?);
    Some(Difference { what: format!("{field} of {}", called(new)), span })
}

/// Shares a node between two scenes if it is equal in both. Otherwise shares the field values that
/// are equal.
fn share(old: &Arc<Node>, new: &mut Arc<Node>, tolerance: f32) {
    if old.fields == new.fields || tolerance > 0.0 && is_near(old, new, tolerance) {
        *new = Arc::clone(old);
        return;
    }
    for (index, value) in &mut Arc::make_mut(new).fields {
        if let Some((_, same)) =
            old.fields.iter().find(|(at, before)| at == index && before == value)
        {
            *value = same.clone();
        }
    }
}

/// Whether the numbers of two structurally equal nodes differ by at most `tolerance`.
fn is_near(a: &Node, b: &Node, tolerance: f32) -> bool {
    compared(a).all(|index| match (effective(a, index), effective(b, index)) {
        (Some(Effective::Floats(a)), Some(Effective::Floats(b))) => {
            a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance)
        }
        _ => true,
    })
}

/// Returns a hash that is equal for structurally equal scenes.
pub(crate) fn structure_hash(graph: &Graph) -> u64 {
    let mut hasher = DefaultHasher::new();
    for node in &graph.nodes {
        (node.kind.name, node.kind.family, &node.name).hash(&mut hasher);
        for value in compared(node).filter_map(|index| effective(node, index)) {
            value.hash(&mut hasher);
        }
    }
    (&graph.format, graph.structure).hash(&mut hasher);
    (&graph.roots, &graph.inlined, &graph.folders).hash(&mut hasher);
    hasher.finish()
}

/// Returns the floating-point fields in which two structurally equal nodes differ.
pub(crate) fn changed_fields<'a>(
    a: &'a Node,
    b: &'a Node,
) -> impl Iterator<Item = &'static str> + use<'a> {
    compared(a)
        .filter(|index| effective(a, *index) != effective(b, *index))
        .filter_map(|index| Some(a.kind.fields.get(usize::from(index))?.name))
}
