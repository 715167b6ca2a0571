//! A place in a text, and the small pieces that are read from there.

use memchr::memmem;

use crate::file::diag::{Span, quote};
use crate::file::xml::characters::{begins_name, continues_name, is_blank, is_control};
use crate::file::xml::error::Error;

/// A place in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    /// What is left of the text.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// What was read from `start` to here.
    pub(super) fn since(&self, start: usize) -> &'a [u8] {
        self.text.as_bytes().get(start..self.at).unwrap_or_default()
    }

    pub(super) fn str(&self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    pub(super) fn quoted(&self, span: Span) -> String {
        quote(self.str(span).as_bytes())
    }

    /// So many bytes from here on, and the rest of the last character: a message never points into
    /// one.
    pub(super) fn here(&self, length: usize) -> Span {
        let end = self.at.saturating_add(length).min(self.text.len());
        let boundary = (end..self.text.len()).find(|at| self.text.is_char_boundary(*at));
        Span::new(self.at, boundary.unwrap_or(self.text.len()))
    }

    /// The character here, for a message.
    pub(super) fn found(&self) -> String {
        let here = self.here(1);
        if here.is_empty() { "the end".to_owned() } else { self.quoted(here) }
    }

    /// Something else is here than what is expected.
    pub(super) fn unexpected(&self, expected: &str) -> Error {
        Error::syntax(self.here(1), format!("expected {expected}, found {}", self.found()))
    }

    pub(super) fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.iter().position(|byte| !is_blank(*byte)).unwrap_or(rest.len());
    }

    pub(super) fn name(&mut self, what: &str) -> Result<Span, Error> {
        let start = self.at;
        let rest = self.rest();
        if !rest.first().is_some_and(|byte| begins_name(*byte)) {
            return Err(self.unexpected(what));
        }
        let length = rest.iter().position(|byte| !continues_name(*byte)).unwrap_or(rest.len());
        self.at += length;
        Ok(Span::new(start, self.at))
    }

    /// Goes to the place after `end`, which comes after a beginning of so many bytes.
    pub(super) fn skip(&mut self, beginning: usize, end: &str, what: &str) -> Result<(), Error> {
        let start = self.at;
        self.at += beginning;
        let Some(length) = memmem::find(self.rest(), end.as_bytes()) else {
            let span = Span::new(start, self.at);
            return Err(Error::syntax(span, format!("the {what} does not end")));
        };
        self.at += length + end.len();
        self.check_characters(start)
    }

    /// Checks that the text from `start` to here has characters of XML 1.0 only (section 2.2).
    pub(super) fn check_characters(&self, start: usize) -> Result<(), Error> {
        let bytes = self.since(start);
        // Without a way out, so that it is done many bytes at a time.
        if !bytes.iter().fold(false, |any, byte| any | is_control(*byte)) {
            return Ok(());
        }
        let at = start + bytes.iter().position(|byte| is_control(*byte)).unwrap_or_default();
        let span = Span::new(at, at + 1);
        Err(Error::syntax(span, format!("{} is no character of XML 1.0", self.quoted(span))))
    }
}
