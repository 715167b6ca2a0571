//! Edits to the bytes of a file, checked when they are added and applied together.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::encoding::first_beyond_utf8;
use crate::{EditError, Span};

/// A set of replacements in a file. They can be added in any order, and are checked when added:
/// they may neither overlap nor be outside the file.
///
/// ```
/// use anim_ir::{Edits, Span};
///
/// let source = b"walk 0 24";
/// let mut edits = Edits::of(source);
/// edits.replace(Span::new(7, 9), "30")?;
/// edits.replace(Span::new(0, 4), "run")?;
/// assert!(edits.replace(Span::new(2, 6), "x").is_err(), "overlaps `walk`");
/// assert_eq!(edits.apply(source).as_ref(), b"run 0 30");
/// assert_eq!(edits.moved(Span::new(5, 6)), Span::new(4, 5));
/// # Ok::<(), anim_ir::EditError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits<'a> {
    /// Length of the source.
    length: usize,
    /// The end and the replacement of each edit, keyed by its start.
    by_start: BTreeMap<usize, (usize, Cow<'a, [u8]>)>,
}

impl<'a> Edits<'a> {
    /// Creates an empty set of edits for a source.
    pub const fn of(source: &[u8]) -> Edits<'a> {
        Edits::of_length(source.len())
    }

    /// Creates an empty set of edits for a source of this length in bytes.
    pub const fn of_length(length: usize) -> Edits<'a> {
        Edits { length, by_start: BTreeMap::new() }
    }

    /// Whether there are no edits.
    pub fn is_empty(&self) -> bool {
        self.by_start.is_empty()
    }

    /// Replaces the bytes of a span. With an empty span, the replacement is inserted; with an empty
    /// replacement, the bytes are removed.
    ///
    /// # Errors
    ///
    /// Returns [`EditError::Place`] if the span is outside the source or overlaps another edit.
    /// Edits with the same start count as overlapping, even insertions, since their order is
    /// undefined.
    pub fn replace(
        &mut self,
        span: Span,
        replacement: impl Into<Replacement<'a>>,
    ) -> Result<(), EditError> {
        let before = self.by_start.range(..=span.start).next_back();
        let after = self.by_start.range(span.start..).next();
        let apart = before
            .is_none_or(|(start, (end, _))| *end <= span.start && *start < span.start)
            && after.is_none_or(|(start, _)| span.end <= *start);
        if span.start > span.end || span.end > self.length || !apart {
            return Err(EditError::Place(span));
        }
        self.by_start.insert(span.start, (span.end, replacement.into().0));
        Ok(())
    }

    /// Replaces the bytes of a span, overriding an earlier edit of the same span.
    ///
    /// # Errors
    ///
    /// See [`Edits::replace`].
    pub fn replace_again(
        &mut self,
        span: Span,
        replacement: impl Into<Replacement<'a>>,
    ) -> Result<(), EditError> {
        match self.by_start.get_mut(&span.start) {
            Some((end, earlier)) if *end == span.end => {
                *earlier = replacement.into().0;
                Ok(())
            }
            _ => self.replace(span, replacement),
        }
    }

    /// Returns the span of the edit that starts at an offset.
    pub fn starting_at(&self, start: usize) -> Option<Span> {
        self.by_start.get(&start).map(|(end, _)| Span::new(start, *end))
    }

    /// Applies all edits. Without any, returns the source itself.
    pub fn apply<'s>(&self, source: &'s [u8]) -> Cow<'s, [u8]> {
        if self.is_empty() {
            return Cow::Borrowed(source);
        }
        let mut out = Vec::with_capacity(source.len());
        let mut at = 0;
        for (start, (end, replacement)) in &self.by_start {
            out.extend_from_slice(source.get(at..*start).unwrap_or_default());
            out.extend_from_slice(replacement);
            at = *end;
        }
        out.extend_from_slice(source.get(at..).unwrap_or_default());
        Cow::Owned(out)
    }

    /// Applies all edits to a file without a declared encoding, which is read as Latin-1 unless it
    /// is valid UTF-8.
    ///
    /// # Errors
    ///
    /// Fails if the file is read as Latin-1 but would be valid UTF-8 with the edits: names that
    /// were not edited would then change. Text that is only ASCII is the same in both.
    pub fn apply_as(&self, source: &[u8], is_latin1: bool) -> Result<Vec<u8>, EditError> {
        let edited = self.apply(source);
        if is_latin1 && !edited.is_ascii() && first_beyond_utf8(&edited).is_none() {
            return Err(EditError::refused(
                "the file would become valid UTF-8, so names that are read as Latin-1 would change",
            ));
        }
        Ok(edited.into_owned())
    }

    /// Maps a span of the source to its position after the edits. Insertions at its start or end
    /// are not included. Takes time linear in the number of edits before its end.
    pub fn moved(&self, span: Span) -> Span {
        let [mut start, mut end] = [span.start, span.end];
        for (at, (to, replacement)) in self.by_start.range(..=span.end) {
            let shift = |place: usize| {
                place.saturating_add(replacement.len()).saturating_sub(to.saturating_sub(*at))
            };
            if *to <= span.start {
                start = shift(start);
            }
            // An insertion at an empty span moves both its start and its end.
            if *at < span.end || *to <= span.start {
                end = shift(end);
            }
        }
        Span::new(start, end)
    }
}

/// Replacement bytes or text, borrowed or owned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replacement<'a>(Cow<'a, [u8]>);

/// Implements conversions into [`Replacement`].
macro_rules! replacements {
    ($($type:ty: $from:ident => $bytes:expr;)+) => {$(
        impl<'a> From<$type> for Replacement<'a> {
            fn from($from: $type) -> Replacement<'a> {
                Replacement($bytes)
            }
        }
    )+};
}

replacements! {
    Cow<'a, [u8]>: bytes => bytes;
    &'a [u8]: bytes => Cow::Borrowed(bytes);
    Vec<u8>: bytes => Cow::Owned(bytes);
    &'a str: text => Cow::Borrowed(text.as_bytes());
    String: text => Cow::Owned(text.into_bytes());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn overlapping_and_out_of_bounds_edits_are_rejected() {
        let mut edits = Edits::of(b"0123456789");
        edits.replace(Span::new(4, 6), "x").unwrap();
        for (start, end) in [(4, 6), (4, 4), (5, 5), (3, 5), (5, 9), (0, 10), (9, 11), (3, 2)] {
            let span = Span::new(start, end);
            assert_eq!(edits.replace(span, "y"), Err(EditError::Place(span)), "{span:?}");
        }
        edits.replace(Span::new(6, 6), "i").unwrap();
        edits.replace(Span::new(3, 4), "").unwrap();
        edits.replace(Span::new(10, 10), "!").unwrap();
        assert_eq!(edits.apply(b"0123456789").as_ref(), b"012xi6789!");
    }

    #[test]
    fn edits_do_not_change_the_encoding() {
        let mut edits = Edits::of(b"a");
        for (is_latin1, text, stays) in [
            (true, &b"\xc3\xa9"[..], false),
            (true, b"\xc3\xa9 \xe9", true),
            (true, b"e", true),
            (false, b"\xc3\xa9", true),
        ] {
            edits.replace_again(Span::new(0, 1), text).unwrap();
            assert_eq!(edits.apply_as(b"a", is_latin1).is_ok(), stays, "{text:?}");
        }
    }

    #[test]
    fn replace_again_overrides_an_edit_of_the_same_span() {
        let mut edits = Edits::of(b"abc");
        edits.replace_again(Span::new(1, 2), "x").unwrap();
        edits.replace_again(Span::new(1, 2), "yy").unwrap();
        assert!(edits.replace_again(Span::new(1, 3), "z").is_err());
        assert_eq!(edits.starting_at(1), Some(Span::new(1, 2)));
        assert_eq!(edits.apply(b"abc").as_ref(), b"ayyc");
    }

    #[test]
    fn spans_are_moved_by_edits_before_and_inside_them() {
        let mut edits = Edits::of(b"abcdef");
        edits.replace(Span::new(0, 1), "AAA").unwrap();
        edits.replace(Span::new(3, 3), "++").unwrap();
        edits.replace(Span::new(5, 6), "").unwrap();
        let moved = |start, end| {
            let Span { start, end } = edits.moved(Span::new(start, end));
            (start, end)
        };
        assert_eq!(moved(1, 3), (3, 5), "an insertion at the end is excluded");
        assert_eq!(moved(3, 5), (7, 9), "an insertion at the start is excluded");
        assert_eq!(moved(2, 4), (4, 8), "an insertion inside is included");
        assert_eq!(moved(0, 6), (0, 9));
        assert_eq!(moved(3, 3), (7, 7));
    }

    proptest! {
        #[test]
        fn unreplaced_text_is_found_at_its_moved_span(
            tries in prop::collection::vec((0usize..40, 0usize..6, "[A-Z]{0,4}"), 0..12)
        ) {
            let source: Vec<u8> = (b'a'..=b'z').cycle().take(40).collect();
            let mut edits = Edits::of(&source);
            for (start, length, replacement) in tries {
                let _ = edits.replace(Span::new(start, start + length), replacement);
            }
            let after = edits.apply(&source);
            for at in 0..source.len() {
                let touched =
                    edits.by_start.iter().any(|(start, (end, _))| *start <= at && at < *end);
                let moved = edits.moved(Span::new(at, at + 1));
                prop_assert!(touched || after[moved.start..moved.end] == source[at..=at]);
            }
        }
    }
}
