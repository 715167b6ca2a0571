//! Everything a castle-anim-frames file says, in its own terms, with the text it was read from.

use anim_ir::Span;
use anim_ir::text::Text;

use crate::content::Animation;
use crate::tags::slice;

anim_ir::options! {
    /// How to read a file.
    pub struct ParseOptions {}
}

/// A file, read. Borrows UTF-8 that is given as a slice; other encodings are decoded. Spans of
/// diagnostics are of the bytes that were read.
///
/// Written back without an edit it gives the same bytes. An edit changes the text at once, the
/// value it names and nothing else, and moves the spans after it.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(crate) text: Text<'a>,
    pub(crate) animations: Vec<Animation>,
    pub(crate) namespaces: Vec<(String, String)>,
}

impl<'a> Document<'a> {
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

    /// Animations in the order of the file.
    pub fn animations(&self) -> &[Animation] {
        &self.animations
    }

    /// Namespaces that are declared around the frames' content and so hold in it: prefix (empty for
    /// the default one) and name. Rare.
    pub fn namespaces(&self) -> &[(String, String)] {
        &self.namespaces
    }

    /// The text of a span; empty for one outside the text.
    pub(crate) fn slice(&self, span: Span) -> &str {
        slice(self.text(), span)
    }
}
