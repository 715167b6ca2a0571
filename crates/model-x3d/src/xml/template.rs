//! Templates: parsed scenes that speed up parsing the next, similar scene.

use std::ops::Range;
use std::sync::Arc;

use anim_ir::{Diagnostics, Span};
use memchr::{memchr, memchr2};

use crate::graph::{Graph, NodeId};
use crate::nodes::FieldKind;
use crate::value;

/// The role of an attribute's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Sets the field with this index of this node.
    Field(NodeId, u8),
    /// Affects the structure of the scene.
    Structure,
    /// Ignored.
    Ignored,
}

/// An attribute of a parsed text.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The range of its value in the text, without quotes.
    pub(super) value: Range<usize>,
    pub(super) role: Role,
}

/// A parsed XML scene, used as the template for the next scene.
#[derive(Clone, Debug)]
pub(crate) struct Template<'t> {
    pub(super) text: &'t str,
    /// The attributes, in text order.
    pub(super) slots: Vec<Slot>,
}

/// A field whose text has changed, and the position of that text.
struct Changed {
    node: NodeId,
    field: u8,
    value: Range<usize>,
}

impl<'t> Template<'t> {
    /// Parses a text that differs from this one only in attribute values, reusing the scene of this
    /// text. Nodes with identical attributes are shared. Returns `None` if the texts differ in
    /// anything else, or if a changed attribute affects the structure or contains a reference.
    pub(crate) fn follow(
        &self,
        before: &Graph,
        text: &'t str,
        start: usize,
        diagnostics: &mut Diagnostics,
    ) -> Option<(Graph, Template<'t>)> {
        let (slots, changed) = self.compare(before, text.as_bytes())?;
        let mut graph = before.clone();
        let mut last = None;
        for Changed { node: id, field, value } in changed {
            let kind = before.node(id)?.field_kind(field)?;
            let node = Arc::make_mut(graph.nodes.get_mut(id.index())?);
            // Attribute values contain no `<`, so the last `<` before the value starts the element.
            if last.replace(id) != Some(id)
                && let Some(name) = text
                    .get(..value.start)?
                    .rfind('<')
                    .map(|at| at.saturating_add(start).saturating_add(1))
            {
                node.span = Span::new(name, name.saturating_add(node.span.len()));
            }
            let at = start.saturating_add(value.start);
            let value = value::parse(kind, text.get(value)?, at, diagnostics);
            match (node.fields.iter().position(|(at, _)| *at == field), value) {
                (Some(place), Some(value)) => node.fields.get_mut(place)?.1 = value,
                (Some(place), None) => drop(node.fields.remove(place)),
                (None, Some(value)) => node.fields.push((field, value)),
                (None, None) => {}
            }
        }
        Some((graph, Template { text, slots }))
    }

    /// Compares a text with this one. Returns its attributes and the fields that changed; `None`
    /// under the same conditions as [`Template::follow`].
    fn compare(&self, before: &Graph, new: &[u8]) -> Option<(Vec<Slot>, Vec<Changed>)> {
        let old = self.text.as_bytes();
        let mut slots = Vec::with_capacity(self.slots.len());
        let mut changed = Vec::new();
        let (mut old_at, mut new_at) = (0_usize, 0_usize);
        for slot in &self.slots {
            let gap = old.get(old_at..slot.value.start)?;
            let rest = new.get(new_at..)?.strip_prefix(gap)?;
            new_at = new_at.checked_add(gap.len())?;
            let quote = *gap.last()?;
            // Include the closing quote in the comparison, so that a longer value does not count as
            // equal.
            let same = old.get(slot.value.start..slot.value.end.checked_add(1)?)?;
            let is_same = rest.starts_with(same);
            let length = if is_same { slot.value.len() } else { memchr(quote, rest)? };
            let value = new_at..new_at.checked_add(length)?;
            if !is_same {
                let text = rest.get(..length)?;
                // Use the slow path for values with references or invalid XML.
                if memchr2(b'<', b'&', text).is_some() {
                    return None;
                }
                match slot.role {
                    Role::Structure => return None,
                    Role::Ignored => {}
                    Role::Field(node, field) => {
                        // In strings, line breaks and tabs become spaces (XML 1.0, 3.3.3). Between
                        // numbers, they are whitespace anyway.
                        let is_text = matches!(
                            before.node(node)?.field_kind(field)?,
                            FieldKind::SFString | FieldKind::MFString
                        );
                        if is_text && text.iter().any(u8::is_ascii_control) {
                            return None;
                        }
                        changed.push(Changed { node, field, value: value.clone() });
                    }
                }
            }
            (old_at, new_at) = (slot.value.end, value.end);
            slots.push(Slot { value, role: slot.role });
        }
        (old.get(old_at..)? == new.get(new_at..)?).then_some((slots, changed))
    }
}
