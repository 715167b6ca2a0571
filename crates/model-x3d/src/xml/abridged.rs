//! Documents without the long lists of numbers in them.
//!
//! Most of a large scene is numbers, and building an element tree passes over them several times.
//! Since the checks of the document find all attributes anyway, long lists are left out of the text
//! that the tree is built from.

use std::borrow::Cow;
use std::ops::Range;

use anim_ir::Span;
use anim_ir::xml::{Error, TagKind, Tags};

use crate::nodes::{Family, find};

/// Lists shorter than this stay in the document.
const LONG: usize = 128;

/// A document, and a shorter one in which attributes with long lists of numbers are empty.
#[derive(Debug)]
pub(super) struct Abridged<'t> {
    pub(super) text: &'t str,
    pub(super) short: Cow<'t, str>,
    cuts: Vec<Cut>,
}

/// A list that was left out.
#[derive(Debug)]
struct Cut {
    /// The offset in the short document.
    at: usize,
    /// The range in the document.
    value: Range<usize>,
}

impl<'t> Abridged<'t> {
    /// Checks and abridges a document.
    ///
    /// # Errors
    ///
    /// See [`anim_ir::xml::check`].
    pub(super) fn of(text: &'t str) -> Result<Abridged<'t>, Error> {
        let mut cuts: Vec<Cut> = Vec::new();
        let mut short = String::new();
        let mut end = 0;
        let mut tags = Tags::new(text);
        while let Some(tag) = tags.next() {
            let tag = tag?;
            if tag.kind == TagKind::Close {
                continue;
            }
            for attribute in tags.attributes() {
                let Span { start, end: after } = attribute.value;
                if after.saturating_sub(start) < LONG {
                    continue;
                }
                let slice = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
                let name = slice(attribute.name.start, attribute.name.end);
                // References are left to the parser.
                if has_numbers(tag.name, name)
                    && memchr::memchr(b'&', slice(start, after).as_bytes()).is_none()
                {
                    short.push_str(slice(end, start));
                    cuts.push(Cut { at: short.len(), value: start..after });
                    end = after;
                }
            }
        }
        let short = if cuts.is_empty() {
            Cow::Borrowed(text)
        } else {
            short.push_str(text.get(end..).unwrap_or_default());
            Cow::Owned(short)
        };
        Ok(Abridged { text, short, cuts })
    }

    /// Returns the offset in the document of an offset in the short document.
    pub(super) fn offset(&self, short: usize) -> usize {
        let before = self.cuts.partition_point(|cut| cut.at < short);
        let last = before.checked_sub(1).and_then(|last| self.cuts.get(last));
        last.map_or(short, |cut| short.saturating_sub(cut.at).saturating_add(cut.value.end))
    }

    /// Returns the range in the document of a range in the short document, which may be the value
    /// of an attribute.
    pub(super) fn range(&self, short: Range<usize>) -> Range<usize> {
        match self.cut(short.start) {
            Some(cut) => cut.value.clone(),
            None => self.offset(short.start)..self.offset(short.end),
        }
    }

    /// Returns the list that was left out at an offset in the short document.
    pub(super) fn list(&self, short: usize) -> Option<&'t str> {
        self.text.get(self.cut(short)?.value.clone())
    }

    fn cut(&self, short: usize) -> Option<&Cut> {
        self.cuts.get(self.cuts.binary_search_by_key(&short, |cut| cut.at).ok()?)
    }
}

/// Whether an attribute of an element is a list of numbers.
fn has_numbers(element: &str, attribute: &str) -> bool {
    let kind = find(element, Family::X3d).or_else(|| find(element, Family::Vrml1));
    kind.and_then(|kind| kind.field(attribute)).is_some_and(|field| field.kind.is_numeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_of_numbers_are_left_out() {
        let list = "1 2 3\n".repeat(30);
        let text = format!(
            "<X3D><Scene DEF='{list}'><Coordinate point='{list}' DEF='a'/><Coordinate \
             point='&#49; {list}'/><b point='{list}'/><Coordinate point='1 2 3'/><Coordinate \
             point='{list}4'/></Scene></X3D>"
        );
        let abridged = Abridged::of(&text).unwrap();
        let short = &*abridged.short;
        assert_eq!(short.len(), text.len() - 2 * list.len() - 1);
        let first = short.find("point=''").unwrap() + 7;
        let second = short.rfind("point=''").unwrap() + 7;
        assert_eq!(abridged.list(first), Some(&*list));
        assert_eq!(abridged.list(first + 1), None);
        assert_eq!(text.get(abridged.range(second..second)), Some(&*format!("{list}4")));
        for at in [0, first - 1, first + 1, second + 1, short.len() - 1] {
            let original = text.as_bytes().get(abridged.offset(at));
            assert_eq!(short.as_bytes().get(at), original, "{at}");
        }
        assert!(Abridged::of("<a>").is_err());
    }
}
