//! Parses X3D in XML, where elements are nodes and attributes are fields.
//!
//! Most frames of an animation have nearly identical text. The first frame is parsed into an
//! element tree. In later frames, only attributes with different text are parsed, as long as
//! everything between the attributes is identical ([`Template::follow`]).

mod abridged;
mod attach;
mod links;
mod prototypes;
mod template;
mod values;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use anim_ir::diag::{escape, quote};
use anim_ir::number::index32;
use anim_ir::{Diagnostics, Span};
use roxmltree::{Attribute, Document, Node as Element, ParsingOptions};

use crate::codes;
use crate::graph::{Graph, Node, NodeId};
use crate::label::ORIGINAL_NAME;
use crate::links::LinkReader;
use crate::names::Names;
use crate::nodes::{Family, INSTANCE, NodeType, find, is_instance};
use crate::prototypes::Declarations;
use crate::units::Units;
use crate::version::multiplies_textures;
use abridged::Abridged;
pub(crate) use template::Template;
use template::{Role, Slot};

/// Attributes that link nodes to each other: if one of these changes, the frame has a different
/// structure.
const STRUCTURE: [&str; 3] = ["DEF", "USE", "containerField"];
/// Attributes of any element that do not affect the scene (ISO/IEC 19776-1, 4.3).
const IGNORED: [&str; 4] = ["class", "id", "style", "bboxDisplay"];

/// Parses a scene. `start` is the offset of the text in the file, for the spans of diagnostics.
/// `namespaces` are the prefixes in scope.
///
/// # Errors
///
/// The position and a description of the problem if the text is not well-formed.
pub(crate) fn read<'t>(
    text: &'t str,
    start: usize,
    namespaces: &[(String, String)],
    diagnostics: &mut Diagnostics,
) -> Result<(Graph, Template<'t>), (Span, String)> {
    let abridged = Abridged::of(text).map_err(|error| {
        let Span { start: at, end } = error.span;
        (Span::new(at.saturating_add(start), end.saturating_add(start)), error.message)
    })?;
    let (document, before) = in_scope(&abridged.short, namespaces);
    // DTDs with declarations are rejected by the check. Only a DOCTYPE that refers to an external
    // DTD can occur here.
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let tree = Document::parse_with_options(&document, options).map_err(|error| {
        let at = abridged.offset(offset(&document, error.pos()).saturating_sub(before));
        let at = at.min(text.len()).saturating_add(start);
        (Span::new(at, at), describe(&error))
    })?;
    let mut reader = Reader {
        document: &abridged,
        before,
        start,
        scope: Scope::default(),
        around: Vec::new(),
        prototypes: Declarations::default(),
        units: Units::default(),
        slots: Vec::new(),
        diagnostics,
    };
    reader.read(&tree);
    let Reader { scope, prototypes, units, slots, diagnostics, .. } = reader;
    let mut graph = Graph { prototypes: prototypes.finish(), ..scope.finish(diagnostics) };
    let root = tree.descendants().find(|node| node.has_tag_name("X3D"));
    let number = root.and_then(|root| root.attribute("version")).unwrap_or_default();
    graph.multiplying = vec![(NodeId(0), multiplies_textures(number))];
    units.scale(&mut graph);
    Ok((graph, Template { text, slots }))
}

/// Wraps a text in an element that declares prefixes which are declared outside of it. Returns it
/// with the length of the opening tag.
fn in_scope<'t>(text: &'t str, namespaces: &[(String, String)]) -> (Cow<'t, str>, usize) {
    if namespaces.is_empty() {
        return (Cow::Borrowed(text), 0);
    }
    let mut wrapped = String::from("<w");
    for (prefix, uri) in namespaces {
        let uri = uri.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        wrapped.push_str(&format!(" xmlns:{prefix}=\"{uri}\""));
    }
    wrapped.push('>');
    let before = wrapped.len();
    wrapped.push_str(text);
    wrapped.push_str("</w>");
    (Cow::Owned(wrapped), before)
}

/// Returns the message for text that is not well-formed XML, without the position, since the span
/// has it.
fn describe(error: &roxmltree::Error) -> String {
    // The message quotes the offending character.
    let message = escape(&error.to_string());
    match message.rsplit_once(" at ") {
        Some((what, place)) if place.bytes().all(|byte| byte.is_ascii_digit() || byte == b':') => {
            what.to_owned()
        }
        _ => message,
    }
}

/// Converts a one-based row and column (in characters) to a byte offset.
fn offset(text: &str, place: roxmltree::TextPos) -> usize {
    let [row, column] = [place.row, place.col].map(|count| (count as usize).saturating_sub(1));
    let start = text.split_inclusive('\n').take(row).map(str::len).sum();
    let line = text.get(start..).unwrap_or_default();
    line.char_indices().nth(column).map_or(line.len(), |(at, _)| at).saturating_add(start)
}

struct Reader<'d, 't> {
    document: &'d Abridged<'t>,
    /// The offsets of the text in the tree's document and in the file.
    before: usize,
    start: usize,
    scope: Scope,
    /// The scopes around the current one, outermost first.
    around: Vec<Scope>,
    prototypes: Declarations,
    units: Units,
    slots: Vec<Slot>,
    diagnostics: &'d mut Diagnostics,
}

/// The nodes of the file or of a prototype. Names are known only in their own scope.
#[derive(Default)]
struct Scope {
    graph: Graph,
    names: Names,
    links: LinkReader,
}

impl Scope {
    fn finish(self, diagnostics: &mut Diagnostics) -> Graph {
        let Scope { mut graph, names, links } = self;
        graph.links = Arc::new(links.finish(|name| names.get(name), diagnostics));
        graph
    }
}

/// What to do next.
#[derive(Clone, Copy)]
enum Step<'a, 'i> {
    Read(Element<'a, 'i>, Parent),
    /// End the declaration of a prototype.
    EndPrototype,
}

/// The destination of an element's children.
#[derive(Clone, Copy, Debug)]
enum Parent {
    /// Children are dropped, since the element is outside the scene or inside a skipped element.
    Outside,
    /// Children are not part of the scene, since the node around them is skipped, but those with
    /// names may be used in it.
    Aside,
    /// Children are added to the top level of the scene.
    Top,
    /// Children are added to the fields of a node.
    Node(NodeId),
    /// Children are added to this field of an instance of a prototype.
    Field(NodeId, u8),
    /// Children are the parts of a prototype.
    Prototype,
    /// Children are the fields of a prototype.
    Interface,
    /// Children are the connections of a node with the fields of a prototype.
    Connections(NodeId),
}

impl Reader<'_, '_> {
    fn read(&mut self, tree: &Document<'_>) {
        // Use an explicit stack, since the file determines the nesting depth.
        let mut open = vec![Step::Read(tree.root(), Parent::Outside)];
        let mut scenes = 0_usize;
        // The X3D element is the outermost element, except for the wrapper that declares prefixes.
        // (A castle-anim-frames file has many, at a greater depth.)
        let outermost = if self.before > 0 {
            tree.root_element().first_element_child()
        } else {
            Some(tree.root_element())
        };
        let x3d = outermost.filter(|element| element.tag_name().name() == "X3D");
        let is_scene = |element: Element<'_, '_>| {
            element.tag_name().name() == "Scene" && x3d.is_some() && element.parent_element() == x3d
        };
        while let Some(step) = open.pop() {
            let Step::Read(element, parent) = step else {
                self.end_prototype();
                continue;
            };
            let first_slot = self.slots.len();
            self.ignore(element);
            let inside = match parent {
                Parent::Outside if is_scene(element) && scenes == 0 => {
                    scenes = scenes.saturating_add(1);
                    Parent::Top
                }
                Parent::Outside => {
                    if element.tag_name().name() == "unit" && scenes == 0 {
                        self.unit(element, first_slot);
                    }
                    Parent::Outside
                }
                Parent::Aside => self.aside(element, first_slot),
                Parent::Top | Parent::Node(_) | Parent::Field(..) => {
                    self.element(element, parent, first_slot)
                }
                Parent::Prototype | Parent::Interface | Parent::Connections(_) => {
                    self.part(element, parent, first_slot)
                }
            };
            // A `Scene` inside a skipped element is also skipped.
            if !matches!(parent, Parent::Outside) && matches!(inside, Parent::Outside) {
                self.skip(element);
                continue;
            }
            if matches!(inside, Parent::Prototype) {
                open.push(Step::EndPrototype);
            }
            let from = open.len();
            let children = element.children().filter(Element::is_element);
            open.extend(children.map(|child| Step::Read(child, inside)));
            if let Some(added) = open.get_mut(from..) {
                added.reverse();
            }
        }
        if scenes == 0 {
            let span = self.name_span(tree.root_element());
            self.diagnostics.push(&codes::NO_SCENE, span, || {
                "the file has no `Scene` element inside an `X3D` element".to_owned()
            });
        }
    }

    /// Reads an element in a node that is skipped. Returns what its children belong to.
    fn aside(&mut self, element: Element<'_, '_>, first_slot: usize) -> Parent {
        let name = element.tag_name().name();
        let Some(def) = element.attribute("DEF") else {
            return if name == "ProtoDeclare" { Parent::Outside } else { Parent::Aside };
        };
        let is_read = if name == INSTANCE.name {
            let prototype = element.attribute("name").unwrap_or_default();
            self.prototypes.find(prototype).is_some()
        } else {
            self.kind(name, Parent::Aside).is_some_and(|kind| !kind.is_skipped)
        };
        if is_read {
            return self.element(element, Parent::Aside, first_slot);
        }
        self.skip_name(def);
        Parent::Aside
    }

    /// Skips the content of an element.
    fn skip(&mut self, element: Element<'_, '_>) {
        element.attribute("DEF").inspect(|name| self.skip_name(name));
        for inner in element.descendants().skip(1) {
            self.ignore(inner);
            inner.attribute("DEF").inspect(|name| self.scope.links.skip(name));
        }
    }

    /// Adds an element's attributes to the template as ignored.
    fn ignore(&mut self, element: Element<'_, '_>) {
        for attribute in element.attributes() {
            let value = self.in_text(attribute.range_value());
            self.slots.push(Slot { value, role: Role::Ignored });
        }
    }

    /// Returns the range in the text of a range in the tree's document.
    fn in_text(&self, range: Range<usize>) -> Range<usize> {
        let short = |at: usize| at.saturating_sub(self.before);
        self.document.range(short(range.start)..short(range.end))
    }

    fn span(&self, range: Range<usize>) -> Span {
        let Range { start, end } = self.in_text(range);
        Span::new(start.saturating_add(self.start), end.saturating_add(self.start))
    }

    /// Returns the span of an element's name.
    fn name_span(&self, element: Element<'_, '_>) -> Span {
        let start = element.range().start.saturating_add(1);
        self.span(start..start.saturating_add(element.tag_name().name().len()))
    }

    /// Reads an element among nodes: a node, which is attached to its parent, or a statement.
    /// Returns what its children belong to.
    fn element(&mut self, element: Element<'_, '_>, parent: Parent, first_slot: usize) -> Parent {
        let name = element.tag_name().name();
        let span = self.name_span(element);
        let is_name = name == "MetadataString" && element.attribute("name") == Some(ORIGINAL_NAME);
        if name.starts_with("Metadata") && !is_name {
            return Parent::Outside;
        }
        // Of a `Script`.
        if name == "field" {
            return Parent::Aside;
        }
        if matches!(name, "ProtoDeclare" | "ExternProtoDeclare") {
            self.mark(element, first_slot, Role::Structure);
            return self.prototype(element, span);
        }
        if matches!(name, "fieldValue" | "IS") {
            self.mark(element, first_slot, Role::Structure);
            return self.part_of_node(element, parent, span);
        }
        if matches!(name, "ROUTE" | "IMPORT" | "EXPORT" | "UNIT") {
            self.link(element, name, span);
            return Parent::Outside;
        }
        self.node(element, parent, first_slot)
    }

    /// Reads an element as a node and attaches it to its parent. Returns what its children belong
    /// to.
    fn node(&mut self, element: Element<'_, '_>, parent: Parent, first_slot: usize) -> Parent {
        let name = element.tag_name().name();
        let span = self.name_span(element);
        let Some(kind) = self.kind(name, parent) else {
            self.diagnostics.push(&codes::UNKNOWN_NODE, span, || {
                format!("unknown node type {}", quote(name.as_bytes()))
            });
            element.attribute("DEF").inspect(|name| self.skip_name(name));
            return Parent::Aside;
        };
        if let Some(used) = element.attribute_node("USE") {
            self.mark(element, first_slot, Role::Structure);
            let span = self.span(used.range_value());
            if let Some(id) = self.used(kind, used.value(), span) {
                self.attach(element, kind, id, parent, span);
            }
            return Parent::Outside;
        }
        let id = NodeId(index32(self.scope.graph.nodes.len()));
        let mut node = Node { kind, name: None, fields: Vec::new(), span };
        let is_instance = is_instance(kind);
        if is_instance {
            let Some(prototype) = self.prototype_of(element, span) else { return Parent::Outside };
            self.scope.graph.instances.insert(id, prototype);
        }
        for (number, attribute) in element.attributes().enumerate() {
            let mut role = self.attribute(&mut node, id, attribute);
            if is_instance || self.prototypes.is_open() {
                role = Role::Structure;
            }
            if let Some(slot) = self.slots.get_mut(first_slot.saturating_add(number)) {
                slot.role = role;
            }
        }
        let def = node.name.clone().zip(element.attribute_node("DEF"));
        self.scope.graph.nodes.push(Arc::new(node));
        self.attach(element, kind, id, parent, span);
        if let Some((name, def)) = def {
            let span = self.span(def.range_value());
            self.scope.names.define(name, id, span, self.diagnostics);
        }
        if is_instance || !kind.is_skipped { Parent::Node(id) } else { Parent::Aside }
    }

    /// Returns the node type with this name. Castle Game Engine writes the content of VRML 1.0
    /// files as XML, below a `Separator`.
    fn kind(&self, name: &str, parent: Parent) -> Option<&'static NodeType> {
        let is_vrml1 = match parent {
            Parent::Node(id) => {
                self.scope.graph.node(id).is_some_and(|node| node.kind.family == Family::Vrml1)
            }
            _ => false,
        };
        if name == INSTANCE.name {
            return Some(&INSTANCE);
        }
        if is_vrml1 {
            return find(name, Family::Vrml1).or_else(|| find(name, Family::X3d));
        }
        find(name, Family::X3d).or_else(|| find(name, Family::Vrml1))
    }

    /// Notes the name of a skipped node, unless the node is in the graph.
    fn skip_name(&mut self, name: &str) {
        if self.scope.names.get(name).is_none() {
            self.scope.links.skip(name);
        }
    }

    /// Looks up the node with this name and kind.
    fn used(&mut self, kind: &'static NodeType, name: &str, span: Span) -> Option<NodeId> {
        let Some(id) = self.scope.names.get(name) else {
            // Why the node does not exist has been reported.
            if self.scope.links.is_skipped(name) {
                return None;
            }
            self.diagnostics.push(&codes::USE, span, || {
                format!("no earlier node is named {}", quote(name.as_bytes()))
            });
            return None;
        };
        let other = self.scope.graph.node(id)?.kind;
        if !std::ptr::eq(other, kind) {
            self.diagnostics.push(&codes::USE, span, || {
                format!("{} is a {}, not a {}", quote(name.as_bytes()), other.name, kind.name)
            });
            return None;
        }
        Some(id)
    }

    fn mark(&mut self, element: Element<'_, '_>, first_slot: usize, role: Role) {
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
        let found = node.kind.indexed_field(name);
        let is_ignored = IGNORED.contains(&name) && found.is_none();
        if attribute.namespace().is_some() || is_ignored {
            return Role::Ignored;
        }
        if STRUCTURE.contains(&name) {
            return Role::Structure;
        }
        if node.kind.is_skipped {
            return Role::Ignored;
        }
        let message = match found {
            Some((index, field)) if !field.kind.is_nodes() => {
                if let Some(mut value) = self.value(field.kind, attribute) {
                    self.units.convert(name, field.kind, &mut value);
                    node.fields.push((index, value));
                }
                let is_converted = self.units.affect(name, field.kind);
                return if is_converted { Role::Structure } else { Role::Field(id, index) };
            }
            Some(_) => format!(
                "{} of {} contains nodes, which must be child elements in XML",
                quote(name.as_bytes()),
                node.kind.name
            ),
            None => format!("{} has no field {}", node.kind.name, quote(name.as_bytes())),
        };
        let span = self.span(attribute.range_qname());
        self.diagnostics.push(&codes::UNKNOWN_FIELD, span, || message);
        Role::Ignored
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_described_without_their_position() {
        let said = |text: &str| Document::parse(text).err().as_ref().map(describe);
        assert_eq!(said("<a>\n<b></a>").as_deref(), Some("expected 'b' tag, not 'a'"));
    }
}
