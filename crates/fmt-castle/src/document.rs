//! Everything a castle-anim-frames file says, in its own terms, with the text it was read from.

use std::borrow::Cow;

use anim_ir::text::Text;
use anim_ir::{ParseError, Parsed, Span};

use crate::content::{Animation, Parts};
use crate::parser;
use crate::tags::slice;

anim_ir::options! {
    /// How to read a file.
    pub struct ParseOptions {}
}

/// A file, read. Borrows UTF-8 that is given as a slice; other encodings are decoded.
///
/// Written back without an edit it gives the same bytes. An edit changes the text at once, the
/// value it names and nothing else, and moves the spans behind it.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(crate) text: Text<'a>,
    pub(crate) animations: Vec<Animation>,
    pub(crate) namespaces: Vec<(String, String)>,
}

impl<'a> Document<'a> {
    /// Reads a file with default options.
    ///
    /// # Errors
    ///
    /// [`ParseError`] where nothing can be read at all; what is wrong in places is a diagnostic.
    pub fn parse(source: impl Into<Cow<'a, [u8]>>) -> Result<Parsed<Document<'a>>, ParseError> {
        Document::parse_with(source, &ParseOptions::default())
    }

    /// Reads a file. Spans of diagnostics are of the bytes given here.
    ///
    /// # Errors
    ///
    /// [`ParseError`] where nothing can be read at all; what is wrong in places is a diagnostic.
    pub fn parse_with(
        source: impl Into<Cow<'a, [u8]>>,
        options: &ParseOptions,
    ) -> Result<Parsed<Document<'a>>, ParseError> {
        let source = source.into();
        options.limits.check_input(source.len())?;
        let text = Text::of_xml(source)?;
        let (parts, diagnostics) = parser::parse(&text, &options.limits)?;
        let Parts { animations, namespaces } = parts;
        Ok(Parsed { value: Document { text, animations, namespaces }, diagnostics })
    }

    /// The file as it was read, with the edits made since.
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        self.text.to_bytes()
    }

    /// The decoded text, as it is now. A byte order mark is its first character.
    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// A span of the text as a span of [`Document::to_bytes`].
    pub fn source_span(&self, span: Span) -> Span {
        self.text.source_span(span)
    }

    /// A span of [`Document::to_bytes`], such as a diagnostic has, as a span of the text.
    pub fn text_span(&self, span: Span) -> Span {
        self.text.text_span(span)
    }

    /// A document that owns its text.
    pub fn into_owned(self) -> Document<'static> {
        let Document { text, animations, namespaces } = self;
        Document { text: text.into_owned(), animations, namespaces }
    }

    /// Animations in the order of the file.
    pub fn animations(&self) -> &[Animation] {
        &self.animations
    }

    /// Namespaces that are declared around the frames' content and so hold in it: prefix (empty for
    /// the default one) and name. Rare.
    pub fn namespaces(&self) -> &[(String, String)] {
        &self.namespaces
    }

    /// The text of a span; empty for one that is none of the text.
    pub(crate) fn slice(&self, span: Span) -> &str {
        slice(self.text(), span)
    }
}
