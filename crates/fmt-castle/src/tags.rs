//! Tags of the text, tolerating unescaped animation names.

use anim_ir::Span;
use anim_ir::xml::{Attribute, Tags};

/// Returns the text of a span, or an empty string if the span is outside this text.
pub(crate) fn slice(text: &str, span: Span) -> &str {
    text.get(span.start..span.end).unwrap_or_default()
}

/// Returns the tags of a text. A bare `&` or `<` in the name of an animation is read literally.
pub(crate) fn tags(text: &str) -> Tags<'_> {
    Tags::tolerant(text)
}

/// Returns the attributes of the element that starts at `start`: their names and spans in the text.
pub(crate) fn attributes(text: &str, start: usize) -> Vec<(&str, Attribute)> {
    let Some(tag) = text.get(start..) else { return Vec::new() };
    let mut tags = tags(tag);
    let _ = tags.next();
    let moved = |span: Span| Span::new(start + span.start, start + span.end);
    let named = |found: &Attribute| {
        let name = tag.get(found.name.start..found.name.end)?;
        Some((name, Attribute { name: moved(found.name), value: moved(found.value) }))
    };
    tags.attributes().iter().filter_map(named).collect()
}

/// Returns an attribute of the element that starts at `start`.
pub(crate) fn attribute(text: &str, start: usize, name: &str) -> Option<Attribute> {
    attributes(text, start).into_iter().find_map(|(found, at)| (found == name).then_some(at))
}
