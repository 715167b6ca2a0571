//! Moves the text of a scene to another folder.

use std::borrow::Cow;

use anim_ir::address::join;
use anim_ir::xml::{Attribute, Tag, TagKind, Tags, push_attribute, unescaped};
use anim_ir::{Diagnostics, Span};

use crate::value::strings;

/// The text of a scene for another folder; see [`rebase`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rebased<'a> {
    /// The text, borrowed if it has no relative addresses.
    pub text: Cow<'a, str>,
    /// The first address that leads out of the new folder.
    pub outside: Option<String>,
    /// Whether the scene may contain addresses that are not adjusted: values of prototypes, or any
    /// address if the text is not well-formed.
    pub has_others: bool,
}

/// Adjusts the relative addresses of files in the text of a scene in XML, so that it can be read
/// from another folder. `way` leads from that folder to the scene's own. Everything else stays as
/// it is.
///
/// ```
/// let scene = r#"<X3D><Scene><Inline url='"a.x3d" "http://x/a.x3d"'/></Scene></X3D>"#;
/// let moved = model_x3d::rebase(scene, "../b");
/// assert_eq!(
///     moved.text,
///     r#"<X3D><Scene><Inline url='"../b/a.x3d" "http://x/a.x3d"'/></Scene></X3D>"#
/// );
/// assert_eq!(moved.outside.as_deref(), Some("../b/a.x3d"));
/// ```
pub fn rebase<'a>(text: &'a str, way: &str) -> Rebased<'a> {
    let mut rebased = Rebased { text: text.into(), ..Rebased::default() };
    let mut tags = Tags::new(text);
    let (mut out, mut at) = (String::new(), 0);
    while let Some(tag) = tags.next() {
        let Ok(tag) = tag else {
            return Rebased { text: text.into(), outside: None, has_others: true };
        };
        if tag.kind == TagKind::Close {
            continue;
        }
        rebased.has_others |= sets_address(text, &tag, tags.attributes());
        for attribute in tags.attributes().iter().filter(|it| is_address(slice(text, it.name))) {
            let Span { start, end } = attribute.value;
            let quote = slice(text, Span::new(start.saturating_sub(1), start));
            let Some(value) = moved(slice(text, attribute.value), way, &mut rebased.outside) else {
                continue;
            };
            out.push_str(slice(text, Span::new(at, start)));
            out.push_str(&if quote == "'" { value.replace("&quot;", "\"") } else { value });
            at = end;
        }
    }
    if at > 0 {
        out.push_str(slice(text, Span::new(at, text.len())));
        rebased.text = out.into();
    }
    rebased
}

/// Whether a field contains addresses of files: `url`, `frontUrl`.
fn is_address(name: &str) -> bool {
    name == "url" || name.ends_with("Url")
}

/// Whether an element sets addresses by way of a prototype.
fn sets_address(text: &str, tag: &Tag<'_>, attributes: &[Attribute]) -> bool {
    let naming = match tag.name.rsplit(':').next() {
        Some("connect") => "nodeField",
        Some("fieldValue") => "name",
        _ => return false,
    };
    let mut named = attributes.iter().filter(|it| slice(text, it.name) == naming);
    named.any(|attribute| is_address(slice(text, attribute.value)))
}

/// Returns the new value of an attribute, escaped; `None` if it stays as it is.
fn moved(raw: &str, way: &str, outside: &mut Option<String>) -> Option<String> {
    let value = unescaped(raw);
    // An invalid value is reported when the scene is read.
    let old = strings(&value, 0, &mut Diagnostics::new())?;
    let new = |address: &String| match address.trim() {
        // A part of the scene itself.
        own if own.is_empty() || own.starts_with('#') => address.clone(),
        _ => join(way, address),
    };
    let new: Vec<String> = old.iter().map(new).collect();
    if outside.is_none() {
        *outside = new.iter().find(|address| address.starts_with("../")).cloned();
    }
    if new.iter().zip(&old).all(|(new, old)| new == old.trim()) {
        return None;
    }
    let quoted =
        |address: &String| format!("\"{}\"", address.replace('\\', "\\\\").replace('"', "\\\""));
    let new = match new.as_slice() {
        [only] if !value.trim_start().starts_with('"') => only.clone(),
        several => several.iter().map(quoted).collect::<Vec<_>>().join(" "),
    };
    let mut escaped = String::with_capacity(new.len());
    push_attribute(&new, &mut escaped);
    Some(escaped)
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.start..span.end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_relative_addresses_are_adjusted() {
        let of = |attributes: &str| {
            let text = format!("<X3D><a {attributes}/></X3D>");
            let text = rebase(&text, "../o'k").text.into_owned();
            text.strip_prefix("<X3D><a ").unwrap().strip_suffix("/></X3D>").unwrap().to_owned()
        };
        for (old, new) in [
            ("url='\"a.png\"'", "url='\"../o&apos;k/a.png\"'"),
            (
                "url=\"&quot;a&amp;b&quot;, &quot;#V&quot;\"",
                "url=\"&quot;../o&apos;k/a&amp;b&quot; &quot;#V&quot;\"",
            ),
            ("frontUrl='a b.png' url2='x'", "frontUrl='../o&apos;k/a b.png' url2='x'"),
            ("url='\"../a.png\" \"x/./b\"'", "url='\"../a.png\" \"../o&apos;k/x/b\"'"),
        ] {
            assert_eq!(of(old), new);
        }
        for kept in [
            "url='\"http://x/a.png\" \"data:,x\"'",
            "url=''",
            "url='\"#V\"'",
            "url='\"/abs.png\"'",
            "url='\"unclosed'",
            "name='a.png'",
        ] {
            assert_eq!(of(kept), kept);
        }
    }

    #[test]
    fn the_first_address_outside_the_folder_is_named() {
        let of = |text: &str| rebase(text, "../x").outside;
        assert_eq!(
            of("<X3D><a url='b.png'/><a url='c.png'/></X3D>").as_deref(),
            Some("../x/b.png")
        );
        assert_eq!(of("<X3D><a url='../b.png'/></X3D>").as_deref(), Some("../b.png"));
        assert_eq!(of("<X3D><a url='#V'/></X3D>"), None);
    }

    #[test]
    fn addresses_of_prototypes_are_found() {
        let has_others = |content: &str| rebase(&format!("<X3D>{content}</X3D>"), "..").has_others;
        assert!(has_others("<fieldValue name='url' value='a.png'/>"));
        assert!(has_others("<connect nodeField='frontUrl' protoField='x'/>"));
        assert!(has_others("<a>"), "not well-formed");
        assert!(!has_others("<fieldValue name='size' value='1'/><b url='a.png'/>"));
    }
}
