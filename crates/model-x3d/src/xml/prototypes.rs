//! Declarations and instances of prototypes.

use anim_ir::Span;
use anim_ir::diag::quote;

use super::template::Role;
use super::{Element, Parent, Reader, Scope};
use crate::codes;
use crate::graph::{DEFAULTS, NodeId, Value, new_instance};
use crate::nodes::{FieldKind, INSTANCE, is_instance};

impl Reader<'_, '_> {
    /// Starts a `ProtoDeclare` or `ExternProtoDeclare`. Its fields and nodes have a scope of their
    /// own.
    pub(super) fn prototype(&mut self, element: Element<'_, '_>, span: Span) -> Parent {
        let Some(name) = element.attribute("name") else {
            self.diagnostics.push(&codes::SYNTAX, span, || {
                format!("{} has no name", element.tag_name().name())
            });
            return Parent::Outside;
        };
        if !self.prototypes.open(name, span, self.diagnostics) {
            return Parent::Outside;
        }
        if element.tag_name().name() == "ExternProtoDeclare" {
            let urls =
                element.attribute_node("url").and_then(|url| self.value(FieldKind::MFString, url));
            self.prototypes.set_urls(match urls {
                Some(Value::Strings(urls)) => urls.to_vec(),
                _ => Vec::new(),
            });
        }
        self.around.push(std::mem::take(&mut self.scope));
        self.scope.graph.nodes.push(new_instance(span).into());
        Parent::Prototype
    }

    /// Ends the innermost declaration.
    pub(super) fn end_prototype(&mut self) {
        let around: Scope = self.around.pop().unwrap_or_default();
        let graph = std::mem::replace(&mut self.scope, around).finish(self.diagnostics);
        self.prototypes.close(graph, self.diagnostics);
    }

    /// Reads an element in a declaration or an `IS`. Returns what its children belong to.
    pub(super) fn part(
        &mut self,
        element: Element<'_, '_>,
        parent: Parent,
        first_slot: usize,
    ) -> Parent {
        self.mark(element, first_slot, Role::Structure);
        let name = element.tag_name().name();
        match (parent, name) {
            (Parent::Prototype, "ProtoInterface") if !self.prototypes.is_in_body() => {
                Parent::Interface
            }
            (Parent::Prototype, "ProtoBody") if !self.prototypes.is_external() => {
                self.prototypes.start_body();
                Parent::Top
            }
            (Parent::Prototype, "field") if self.prototypes.is_external() => {
                self.interface_field(element)
            }
            (Parent::Interface, "field") => self.interface_field(element),
            (Parent::Connections(id), "connect") => {
                self.connection(element, id);
                Parent::Outside
            }
            _ => {
                if !name.starts_with("Metadata") {
                    let span = self.name_span(element);
                    self.diagnostics.push(&codes::UNKNOWN_NODE, span, || {
                        format!("unexpected element {}", quote(name.as_bytes()))
                    });
                }
                Parent::Outside
            }
        }
    }

    /// Reads a `field` of a prototype.
    fn interface_field(&mut self, element: Element<'_, '_>) -> Parent {
        let span = self.name_span(element);
        let (Some(name), Some(kind)) = (element.attribute("name"), element.attribute("type"))
        else {
            self.diagnostics.push(&codes::SYNTAX, span, || {
                "a field of a prototype needs the attributes name and type".to_owned()
            });
            return Parent::Outside;
        };
        let field = self.prototypes.add_field([name, kind], span, self.diagnostics);
        let Some((index, kind)) = field else { return Parent::Outside };
        self.value_of_field(element, DEFAULTS, index, kind)
    }

    /// Reads the attribute `value` of a field. Returns where its child elements belong.
    fn value_of_field(
        &mut self,
        element: Element<'_, '_>,
        id: NodeId,
        index: u8,
        kind: FieldKind,
    ) -> Parent {
        if kind.is_nodes() {
            return Parent::Field(id, index);
        }
        if let Some(text) = element.attribute_node("value")
            && let Some(mut value) = self.value(kind, text)
        {
            self.units.convert("", kind, &mut value);
            self.set(id, index, value);
        }
        Parent::Outside
    }

    fn set(&mut self, id: NodeId, index: u8, value: Value) {
        let node = self.scope.graph.nodes.get_mut(id.index());
        let Some(node) = node.map(std::sync::Arc::make_mut) else { return };
        match node.fields.iter_mut().find(|(at, _)| *at == index) {
            Some((_, old)) => *old = value,
            None => node.fields.push((index, value)),
        }
    }

    /// Returns the prototype of a `ProtoInstance`.
    pub(super) fn prototype_of(&mut self, element: Element<'_, '_>, span: Span) -> Option<usize> {
        let name = element.attribute("name").unwrap_or_default();
        let found = self.prototypes.find(name);
        if found.is_none() {
            self.diagnostics.push(&codes::UNKNOWN_NODE, span, || {
                format!("no earlier prototype is named {}", quote(name.as_bytes()))
            });
        }
        found
    }

    /// Reads a `fieldValue` or an `IS` in a node.
    pub(super) fn part_of_node(
        &mut self,
        element: Element<'_, '_>,
        parent: Parent,
        span: Span,
    ) -> Parent {
        let Parent::Node(id) = parent else { return Parent::Outside };
        if element.tag_name().name() == "IS" {
            if self.prototypes.is_in_body() {
                return Parent::Connections(id);
            }
            self.diagnostics.push(&codes::SYNTAX, span, || {
                "`IS` is only allowed inside a ProtoBody".to_owned()
            });
            return Parent::Outside;
        }
        let name = element.attribute("name").unwrap_or_default();
        let prototype = self.scope.graph.instances.get(&id);
        let field = prototype.and_then(|prototype| self.prototypes.field(*prototype, name));
        let Some((index, kind)) = field else {
            self.diagnostics.push(&codes::UNKNOWN_FIELD, span, || {
                format!("{} has no field {}", INSTANCE.name, quote(name.as_bytes()))
            });
            return Parent::Outside;
        };
        if kind.is_nodes() {
            // Without nodes, the value is empty.
            self.set(id, index, Value::Nodes(Vec::new()));
        }
        self.value_of_field(element, id, index, kind)
    }

    /// Reads a `connect` element.
    fn connection(&mut self, element: Element<'_, '_>, id: NodeId) {
        let span = self.name_span(element);
        let ends = [element.attribute("nodeField"), element.attribute("protoField")];
        let [Some(name), Some(interface)] = ends else {
            self.diagnostics.push(&codes::SYNTAX, span, || {
                "connect needs the attributes nodeField and protoField".to_owned()
            });
            return;
        };
        let kind = self.scope.graph.node(id).map(|node| node.kind);
        // Fields of scripts are not read.
        if kind
            .is_none_or(|kind| is_instance(kind) || kind.name != "Script" || kind.has_event(name))
        {
            self.prototypes.connect(id, [name, interface], span);
        }
    }

    /// Attaches a node to a field of an instance, or to the default of a field.
    pub(super) fn attach_to_field(&mut self, parent: NodeId, field: u8, id: NodeId, span: Span) {
        let instance = self.scope.graph.instances.get(&parent).copied();
        let is_list = self.prototypes.kind(instance, field) == Some(FieldKind::MFNode);
        let node = self.scope.graph.nodes.get_mut(parent.index());
        let Some(node) = node.map(std::sync::Arc::make_mut) else { return };
        match node.fields.iter_mut().find(|(at, _)| *at == field) {
            Some((_, Value::Nodes(nodes))) if is_list || nodes.is_empty() => nodes.push(id),
            Some(_) => self.diagnostics.push(&codes::COUNT, span, || {
                "the field of the prototype already has a node".to_owned()
            }),
            None => node.fields.push((field, Value::Nodes(vec![id]))),
        }
    }
}
