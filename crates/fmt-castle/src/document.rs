//! Documents: the text of a castle-anim-frames file and its parsed content.

use anim_ir::Span;
use anim_ir::text::Text;

use crate::content::Animation;
use crate::tags::slice;

anim_ir::options! {
    /// Options for reading a file.
    pub struct ParseOptions {}
}

/// A parsed file. UTF-8 passed as a slice is borrowed; other encodings are decoded. Spans of
/// diagnostics refer to the original bytes.
///
/// An unedited document is written back byte for byte. Edits change the text immediately: each
/// replaces only the value it targets. The text is then parsed again, and an edit is refused if
/// anything else would be read differently.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(crate) text: Text<'a>,
    pub(crate) animations: Vec<Animation>,
    pub(crate) namespaces: Vec<(String, String)>,
}

impl<'a> Document<'a> {
    /// Returns the decoded text, including all edits. Starts with the byte order mark, if any.
    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// Converts a span of the text to a span of [`Document::to_bytes`].
    pub fn source_span(&self, span: Span) -> Span {
        self.text.source_span(span)
    }

    /// Converts a span of [`Document::to_bytes`], such as the span of a diagnostic, to a span of
    /// the text.
    pub fn text_span(&self, span: Span) -> Span {
        self.text.text_span(span)
    }

    /// Returns the animations, in file order.
    pub fn animations(&self) -> &[Animation] {
        &self.animations
    }

    /// Returns the namespaces that are declared outside the frames' content and are therefore in
    /// scope inside it, as (prefix, name). The default namespace has an empty prefix. Files rarely
    /// declare any.
    pub fn namespaces(&self) -> &[(String, String)] {
        &self.namespaces
    }

    /// Returns the text of a span; empty if the span is outside the text.
    pub(crate) fn slice(&self, span: Span) -> &str {
        slice(self.text(), span)
    }
}
