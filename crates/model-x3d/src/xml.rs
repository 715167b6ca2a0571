//! X3D in XML: elements are nodes, attributes are fields.
//!
//! Frames of an animation mostly repeat each other, text and all. The first one is read through a
//! tree of elements; of those that follow, only the attributes whose text is another are read
//! again, as long as everything between the attributes is the same ([`Template::follow`]).

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, Span};
use memchr::{memchr, memchr2};
use roxmltree::{Attribute, Document, ParsingOptions};

use crate::codes;
use crate::graph::{Graph, Node, NodeId, Value};
use crate::nodes::{Family, FieldKind, NodeType, find};
use crate::value;

/// Attributes that say how a node hangs together with others: where one of these changes, the frame
/// is another scene.
const STRUCTURE: [&str; 3] = ["DEF", "USE", "containerField"];
/// Attributes of any element that say nothing of the scene (ISO/IEC 19776-1, 4.3).
const IGNORED: [&str; 4] = ["class", "id", "style", "bboxDisplay"];
/// Elements below a scene that are no nodes: reported, with all that they hold.
const STATEMENTS: [&str; 7] =
    ["ROUTE", "IMPORT", "EXPORT", "ProtoDeclare", "ExternProtoDeclare", "ProtoInstance", "UNIT"];

/// What an attribute's text is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Field of that number of that node.
    Field(NodeId, u8),
    /// It changes what the scene is made of.
    Structure,
    /// Nothing.
    Ignored,
}

/// An attribute of a text that was read.
#[derive(Clone, Debug)]
struct Slot {
    /// Its value, without quotes, in the text.
    value: Range<usize>,
    role: Role,
}

/// A scene in XML that was read, to read the next one by.
#[derive(Clone, Debug)]
pub(crate) struct Template<'t> {
    text: &'t str,
    /// In the order of the text.
    slots: Vec<Slot>,
}

/// Reads a scene.
/// `start` is where the text begins in the file, for the places of problems. `namespaces` are
/// prefixes that are declared further out.
///
/// # Errors
///
/// Text that is not well-formed, with the place and what is wrong.
pub(crate) fn read<'t>(
    text: &'t str,
    start: usize,
    namespaces: &[(String, String)],
    diagnostics: &mut Diagnostics,
) -> Result<(Graph, Template<'t>), (Span, String)> {
    if namespaces.is_empty() {
        return read_document(text, text, 0, start, diagnostics);
    }
    // A prefix that is declared around the scene belongs to the text: an element around it declares
    // it again.
    let mut wrapped = String::from("<w");
    for (prefix, uri) in namespaces {
        let uri = uri.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        wrapped.push_str(&format!(" xmlns:{prefix}=\"{uri}\""));
    }
    wrapped.push('>');
    let before = wrapped.len();
    wrapped.push_str(text);
    wrapped.push_str("</w>");
    read_document(&wrapped, text, before, start, diagnostics)
}

/// `text` stands in `document` from `before` on.
fn read_document<'t>(
    document: &str,
    text: &'t str,
    before: usize,
    start: usize,
    diagnostics: &mut Diagnostics,
) -> Result<(Graph, Template<'t>), (Span, String)> {
    // What a DTD could do was ruled out before: a DOCTYPE that only names one is all that is left.
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let tree = Document::parse_with_options(document, options).map_err(|error| {
        let at = offset(document, error.pos())
            .saturating_sub(before)
            .min(text.len())
            .saturating_add(start);
        (Span::new(at, at), describe(&error))
    })?;
    let mut reader = Reader {
        before,
        start,
        graph: Graph::default(),
        slots: Vec::new(),
        names: HashMap::new(),
        diagnostics,
    };
    reader.read(&tree);
    let Reader { graph, slots, .. } = reader;
    Ok((graph, Template { text, slots }))
}

/// What is wrong with text that is no XML, without the place, which is told beside it.
fn describe(error: &roxmltree::Error) -> String {
    let message = error.to_string();
    match message.rsplit_once(" at ") {
        Some((what, place)) if place.bytes().all(|byte| byte.is_ascii_digit() || byte == b':') => {
            what.to_owned()
        }
        _ => message,
    }
}

/// Byte offset of a row and column, counted from 1, columns in characters.
fn offset(text: &str, place: roxmltree::TextPos) -> usize {
    let rows = usize::try_from(place.row.saturating_sub(1)).unwrap_or(0);
    let line = text
        .split_inclusive('\n')
        .take(rows)
        .fold(0_usize, |sum, line| sum.saturating_add(line.len()));
    let columns = usize::try_from(place.col.saturating_sub(1)).unwrap_or(0);
    let rest = text.get(line..).unwrap_or_default();
    line.saturating_add(rest.char_indices().nth(columns).map_or(rest.len(), |(at, _)| at))
}

struct Reader<'d> {
    /// What stands before the text in the tree's document, and before the text in the file.
    before: usize,
    start: usize,
    graph: Graph,
    slots: Vec<Slot>,
    names: HashMap<Arc<str>, NodeId>,
    diagnostics: &'d mut Diagnostics,
}

/// Where the children of an element go.
#[derive(Clone, Copy, Debug)]
enum Parent {
    /// Nowhere: above the scene, beside it, or below what was skipped.
    Outside,
    /// To the top of the scene.
    Top,
    /// Into fields of a node.
    Node(NodeId),
}

impl Reader<'_> {
    fn read(&mut self, tree: &Document<'_>) {
        // With a stack of its own: how deep elements are nested is the file's business.
        let mut open: Vec<(roxmltree::Node<'_, '_>, Parent)> = vec![(tree.root(), Parent::Outside)];
        let mut scenes = 0_usize;
        // The X3D element is the outermost one, but for that which declares prefixes. (A
        // castle-anim-frames file has many, deeper.)
        let outermost = if self.before > 0 {
            tree.root_element().first_element_child()
        } else {
            Some(tree.root_element())
        };
        let x3d = outermost.filter(|element| element.tag_name().name() == "X3D");
        let is_scene = |element: roxmltree::Node<'_, '_>| {
            element.tag_name().name() == "Scene" && x3d.is_some() && element.parent_element() == x3d
        };
        while let Some((element, parent)) = open.pop() {
            for attribute in element.attributes() {
                self.slots.push(Slot {
                    value: self.in_text(attribute.range_value()),
                    role: Role::Ignored,
                });
            }
            let first_slot = self.slots.len().saturating_sub(element.attributes().len());
            let inside = match parent {
                Parent::Outside if is_scene(element) && scenes == 0 => {
                    scenes = scenes.saturating_add(1);
                    Parent::Top
                }
                Parent::Outside => Parent::Outside,
                Parent::Top | Parent::Node(_) => {
                    self.node(element, parent, first_slot).map_or(Parent::Outside, Parent::Node)
                }
            };
            // Below what is skipped there may be a `Scene` again, which is none.
            let skipped =
                matches!((parent, inside), (Parent::Top | Parent::Node(_), Parent::Outside));
            let children = element.children().filter(roxmltree::Node::is_element);
            if skipped {
                for attribute in
                    element.descendants().skip(1).flat_map(|element| element.attributes())
                {
                    self.slots.push(Slot {
                        value: self.in_text(attribute.range_value()),
                        role: Role::Ignored,
                    });
                }
            } else {
                let from = open.len();
                open.extend(children.map(|child| (child, inside)));
                if let Some(added) = open.get_mut(from..) {
                    added.reverse();
                }
            }
        }
        if scenes == 0 {
            let span = self.name_span(tree.root_element());
            self.diagnostics.push(&codes::NO_SCENE, span, || {
                "there is no element Scene in an element X3D".to_owned()
            });
        }
    }

    fn in_text(&self, range: Range<usize>) -> Range<usize> {
        range.start.saturating_sub(self.before)..range.end.saturating_sub(self.before)
    }

    fn span(&self, range: Range<usize>) -> Span {
        let Range { start, end } = self.in_text(range);
        Span::new(start.saturating_add(self.start), end.saturating_add(self.start))
    }

    /// Where an element's name stands.
    fn name_span(&self, element: roxmltree::Node<'_, '_>) -> Span {
        let start = element.range().start.saturating_add(1);
        self.span(start..start.saturating_add(element.tag_name().name().len()))
    }

    /// Reads an element as a node and hangs it to its parent; `None` where its children are not to
    /// be read.
    fn node(
        &mut self,
        element: roxmltree::Node<'_, '_>,
        parent: Parent,
        first_slot: usize,
    ) -> Option<NodeId> {
        let name = element.tag_name().name();
        let span = self.name_span(element);
        if name.starts_with("Metadata") || name == "field" || name == "fieldValue" {
            return None;
        }
        if STATEMENTS.contains(&name) {
            let code = if name.contains("Proto") { &codes::PROTO } else { &codes::ROUTE };
            self.diagnostics
                .push(code, span, || format!("{} is not followed", quote(name.as_bytes())));
            return None;
        }
        let Some(kind) = find(name, Family::X3d) else {
            self.diagnostics.push(&codes::UNKNOWN_NODE, span, || {
                format!("the node type {} is not known", quote(name.as_bytes()))
            });
            return None;
        };
        let id = match element.attribute_node("USE") {
            Some(used) => {
                self.mark(element, first_slot, Role::Structure);
                let Some(id) = self.names.get(used.value()).copied() else {
                    let message = || {
                        format!("no node before this is called {}", quote(used.value().as_bytes()))
                    };
                    self.diagnostics.push(&codes::USE, self.span(used.range_value()), message);
                    return None;
                };
                if let Some(other) = self
                    .graph
                    .node(id)
                    .map(|node| node.kind)
                    .filter(|other| !std::ptr::eq(*other, kind))
                {
                    let message = || {
                        format!(
                            "{} is a {}, not a {}",
                            quote(used.value().as_bytes()),
                            other.name,
                            kind.name
                        )
                    };
                    self.diagnostics.push(&codes::USE, self.span(used.range_value()), message);
                    return None;
                }
                self.attach(element, kind, id, parent, self.span(used.range_value()));
                return None;
            }
            None => NodeId(u32::try_from(self.graph.nodes.len()).unwrap_or(u32::MAX)),
        };
        let mut node = Node { kind, name: None, fields: Vec::new(), span };
        for (number, attribute) in element.attributes().enumerate() {
            let role = self.attribute(&mut node, id, attribute);
            if let Some(slot) = self.slots.get_mut(first_slot.saturating_add(number)) {
                slot.role = role;
            }
        }
        let def = node.name.clone();
        self.graph.nodes.push(Arc::new(node));
        self.attach(element, kind, id, parent, span);
        if let Some(def) = def {
            // A node inside the one that has the name cannot use it: see `attach`.
            self.names.insert(def, id);
        }
        Some(id)
    }

    fn mark(&mut self, element: roxmltree::Node<'_, '_>, first_slot: usize, role: Role) {
        for slot in self.slots.iter_mut().skip(first_slot).take(element.attributes().len()) {
            slot.role = role;
        }
    }

    /// Reads an attribute of a node.
    fn attribute(&mut self, node: &mut Node, id: NodeId, attribute: Attribute<'_, '_>) -> Role {
        let name = attribute.name();
        if name == "DEF" {
            node.name = Some(attribute.value().into()).filter(|name: &Arc<str>| !name.is_empty());
        }
        if attribute.namespace().is_some() || IGNORED.contains(&name) {
            return Role::Ignored;
        }
        if STRUCTURE.contains(&name) {
            return Role::Structure;
        }
        let Some((index, kind)) =
            node.kind.field_index(name).and_then(|index| Some((index, node.field_kind(index)?)))
        else {
            let message = || format!("{} has no field {}", node.kind.name, quote(name.as_bytes()));
            self.diagnostics.push(
                &codes::UNKNOWN_FIELD,
                self.span(attribute.range_qname()),
                message,
            );
            return Role::Ignored;
        };
        if matches!(kind, FieldKind::SFNode | FieldKind::MFNode) {
            let message = || {
                format!(
                    "{} of {} holds nodes, which are elements in XML",
                    quote(name.as_bytes()),
                    node.kind.name
                )
            };
            self.diagnostics.push(
                &codes::UNKNOWN_FIELD,
                self.span(attribute.range_qname()),
                message,
            );
            return Role::Ignored;
        }
        let at = self.span(attribute.range_value()).start;
        if let Some(value) = value::parse(kind, attribute.value(), at, self.diagnostics) {
            node.fields.push((index, value));
        }
        Role::Field(id, index)
    }

    /// Hangs a node into the field of its parent that it belongs to.
    fn attach(
        &mut self,
        element: roxmltree::Node<'_, '_>,
        kind: &'static NodeType,
        id: NodeId,
        parent: Parent,
        span: Span,
    ) {
        let parent = match parent {
            Parent::Outside => return,
            Parent::Top => {
                self.graph.roots.push(id);
                return;
            }
            Parent::Node(parent) => parent,
        };
        let said = element.attribute("containerField").filter(|field| !field.is_empty());
        let Some(node) = self.graph.nodes.get_mut(parent.index()).map(Arc::make_mut) else {
            return;
        };
        // A node that uses one above itself would never end.
        let inside_itself = parent.index() >= id.index()
            && element.has_attribute("USE")
            && node_is_open(element, id, &self.names);
        let named = said.unwrap_or(kind.container);
        let field =
            node.kind.field_index(named).and_then(|index| Some((index, node.field_kind(index)?)));
        match field {
            _ if inside_itself => {
                self.diagnostics
                    .push(&codes::USE, span, || "the node is used inside itself".to_owned());
            }
            Some((index, FieldKind::SFNode)) => {
                if node.fields.iter().any(|(at, _)| *at == index) {
                    let message = || format!("{} has its {named} already", node.kind.name);
                    self.diagnostics.push(&codes::COUNT, span, message);
                } else {
                    node.fields.push((index, Value::Nodes(vec![id])));
                }
            }
            Some((index, FieldKind::MFNode)) => {
                match node.fields.iter_mut().find(|(at, _)| *at == index) {
                    Some((_, Value::Nodes(nodes))) => nodes.push(id),
                    _ => node.fields.push((index, Value::Nodes(vec![id]))),
                }
            }
            _ => {
                let message = || {
                    format!(
                        "{} has no place for {} in a field {}",
                        node.kind.name,
                        kind.name,
                        quote(named.as_bytes())
                    )
                };
                self.diagnostics.push(&codes::UNKNOWN_FIELD, span, message);
            }
        }
    }
}

/// Whether the element stands inside the one that made the node.
fn node_is_open(
    element: roxmltree::Node<'_, '_>,
    id: NodeId,
    names: &HashMap<Arc<str>, NodeId>,
) -> bool {
    element
        .ancestors()
        .skip(1)
        .filter_map(|above| above.attribute("DEF"))
        .any(|name| names.get(name) == Some(&id))
}

impl<'t> Template<'t> {
    /// The scene of a text that differs from this one in the values of attributes only, made of the
    /// one that this text gave; `None` where it differs in more. Nodes whose attributes have the
    /// same text are shared.
    pub(crate) fn follow(
        &self,
        before: &Graph,
        text: &'t str,
        start: usize,
        diagnostics: &mut Diagnostics,
    ) -> Option<(Graph, Template<'t>)> {
        let (old, new) = (self.text.as_bytes(), text.as_bytes());
        let mut slots = Vec::with_capacity(self.slots.len());
        let mut changed: Vec<(NodeId, u8, Range<usize>)> = Vec::new();
        let (mut old_at, mut new_at) = (0_usize, 0_usize);
        for slot in &self.slots {
            let gap = old.get(old_at..slot.value.start)?;
            if new.get(new_at..new_at.checked_add(gap.len())?)? != gap {
                return None;
            }
            new_at = new_at.checked_add(gap.len())?;
            let quote = *gap.last()?;
            // The closing quote is compared with the value, so that a longer one is not taken for
            // the same.
            let same = old.get(slot.value.start..slot.value.end.checked_add(1)?)?;
            let rest = new.get(new_at..)?;
            let length = if rest.starts_with(same) {
                slot.value.len()
            } else {
                let length = memchr(quote, rest)?;
                // References and what is no XML go the long way.
                if memchr2(b'<', b'&', rest.get(..length)?).is_some() {
                    return None;
                }
                match slot.role {
                    Role::Structure => return None,
                    Role::Ignored => {}
                    Role::Field(node, field) => {
                        // In a string line ends and tabs become blanks (XML 1.0, 3.3.3). Between
                        // numbers they are blanks anyway.
                        let is_text = matches!(
                            before.node(node)?.field_kind(field)?,
                            FieldKind::SFString | FieldKind::MFString
                        );
                        if is_text && rest.get(..length)?.iter().any(u8::is_ascii_control) {
                            return None;
                        }
                        changed.push((node, field, new_at..new_at.checked_add(length)?));
                    }
                }
                length
            };
            let value = new_at..new_at.checked_add(length)?;
            (old_at, new_at) = (slot.value.end, value.end);
            slots.push(Slot { value, role: slot.role });
        }
        if old.get(old_at..)? != new.get(new_at..)? {
            return None;
        }
        let mut graph = before.clone();
        let mut last = None;
        for (id, index, range) in changed {
            let kind = before.node(id)?.field_kind(index)?;
            let node = Arc::make_mut(graph.nodes.get_mut(id.index())?);
            // No value before it has a `<`: the last one begins the element.
            if last.replace(id) != Some(id)
                && let Some(name) = text
                    .get(..range.start)?
                    .rfind('<')
                    .map(|at| at.saturating_add(start).saturating_add(1))
            {
                node.span = Span::new(name, name.saturating_add(node.span.len()));
            }
            let value = value::parse(
                kind,
                text.get(range.clone())?,
                start.saturating_add(range.start),
                diagnostics,
            );
            match (node.fields.iter().position(|(at, _)| *at == index), value) {
                (Some(place), Some(value)) => node.fields.get_mut(place)?.1 = value,
                (Some(place), None) => drop(node.fields.remove(place)),
                (None, Some(value)) => node.fields.push((index, value)),
                (None, None) => {}
            }
        }
        Some((graph, Template { text, slots }))
    }
}
