//! `ROUTE`, `IMPORT` and `EXPORT` elements.

use anim_ir::Span;
use anim_ir::diag::quote;

use super::template::Role;
use super::{Element, Reader};
use crate::codes;
use crate::links::Port;

impl Reader<'_, '_> {
    /// Reads a `unit`.
    pub(super) fn unit(&mut self, element: Element<'_, '_>, first_slot: usize) {
        self.mark(element, first_slot, Role::Structure);
        let category = element.attribute("category").unwrap_or_default();
        let factor = element.attribute("conversionFactor").unwrap_or_default();
        if let Err(message) = self.units.set(category, factor) {
            let span = self.name_span(element);
            self.diagnostics.push(&codes::SYNTAX, span, || message);
        }
    }

    /// Reads a `ROUTE`, `IMPORT` or `EXPORT`.
    pub(super) fn link(&mut self, element: Element<'_, '_>, name: &str, span: Span) {
        let names = &self.scope.names;
        let find = |name: &str| names.get(name);
        let text = |name: &str| element.attribute(name).filter(|text| !text.is_empty());
        let port = |node: &str, event: &str| Some(Port { node: text(node)?, event: text(event)? });
        let local = text("AS");
        let expected = match name {
            "ROUTE" => {
                let ends = (port("fromNode", "fromField"), port("toNode", "toField"));
                if let (Some(from), Some(to)) = ends {
                    return self.scope.links.route([from, to], span, find);
                }
                "fromNode, fromField, toNode and toField"
            }
            "IMPORT" => {
                // The attribute is called importedDEF in X3D 3 and exportedDEF in drafts.
                let imported = text("importedDEF").or_else(|| text("exportedDEF"));
                if let (Some(inline), Some(node)) = (text("inlineDEF"), imported) {
                    return match find(inline) {
                        Some(id) => {
                            self.scope.links.import(id, [node, local.unwrap_or(node)], span)
                        }
                        None => self.diagnostics.push(&codes::ROUTE_NODE, span, || {
                            format!("no earlier node is named {}", quote(inline.as_bytes()))
                        }),
                    };
                }
                "inlineDEF and importedDEF"
            }
            "EXPORT" => {
                if let Some(node) = text("localDEF") {
                    return self.scope.links.export([node, local.unwrap_or(node)], span, find);
                }
                "localDEF"
            }
            _ => return,
        };
        self.diagnostics
            .push(&codes::ROUTE_SYNTAX, span, || format!("{name} needs the attributes {expected}"));
    }
}
