//! Attaches nodes to fields of their parents.

use std::sync::Arc;

use anim_ir::Span;
use anim_ir::diag::quote;

use super::{Element, Parent, Reader};
use crate::codes;
use crate::graph::{NodeId, Value};
use crate::names::Names;
use crate::nodes::{Family, FieldKind, NodeType};

impl Reader<'_, '_> {
    /// Attaches a node to its field in the parent.
    pub(super) fn attach(
        &mut self,
        element: Element<'_, '_>,
        kind: &'static NodeType,
        id: NodeId,
        parent: Parent,
        span: Span,
    ) {
        // Using an ancestor would cause infinite recursion.
        let inside_itself = |parent: NodeId| {
            parent.index() >= id.index()
                && element.has_attribute("USE")
                && node_is_open(element, id, &self.scope.names)
        };
        let parent = match parent {
            Parent::Node(parent) | Parent::Field(parent, _) if inside_itself(parent) => {
                let message = || "the node is used inside itself".to_owned();
                return self.diagnostics.push(&codes::USE, span, message);
            }
            Parent::Node(parent) => parent,
            Parent::Field(parent, field) => return self.attach_to_field(parent, field, id, span),
            Parent::Top => return self.scope.graph.roots.push(id),
            _ => return,
        };
        let said = element.attribute("containerField").filter(|field| !field.is_empty());
        let instance = self.scope.graph.instances.get(&id);
        let container =
            instance.map_or(kind.container, |prototype| self.prototypes.container(*prototype));
        let Some(node) = self.scope.graph.nodes.get_mut(parent.index()).map(Arc::make_mut) else {
            return;
        };
        // Nodes of VRML 1.0 are children wherever they are.
        let default = if container.is_empty() { "children" } else { container };
        let named =
            if node.kind.family == Family::Vrml1 { "children" } else { said.unwrap_or(default) };
        match node.kind.indexed_field(named).map(|(index, field)| (index, field.kind)) {
            Some((index, FieldKind::SFNode)) => {
                if node.fields.iter().any(|(at, _)| *at == index) {
                    self.diagnostics.push(&codes::COUNT, span, || {
                        format!("{} already has a node in {named}", node.kind.name)
                    });
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
                let (parent, named) = (node.kind.name, quote(named.as_bytes()));
                self.diagnostics.push(&codes::UNKNOWN_FIELD, span, || {
                    format!("{parent} does not accept {} in a field {named}", kind.name)
                });
            }
        }
    }
}

/// Whether the element is inside the element that defined the node.
fn node_is_open(element: Element<'_, '_>, id: NodeId, names: &Names) -> bool {
    element
        .ancestors()
        .skip(1)
        .take_while(|above| above.tag_name().name() != "ProtoBody")
        .filter_map(|above| above.attribute("DEF"))
        .any(|name| names.get(name) == Some(id))
}
