//! Everything a castle-anim-frames file says, in its own terms, with the text it was read from.

use std::borrow::Cow;

use anim_ir::text::Text;
use anim_ir::{Limits, Parsed, Span};

use crate::error::ParseError;
use crate::parser;

/// How to read.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// Bounds on what the file may ask for.
    pub limits: Limits,
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

/// An animation. What the file does not say has its default (specification, section 3).
#[derive(Clone, Debug, PartialEq)]
pub struct Animation {
    /// Its name, "animation" by default.
    pub name: String,
    /// How many scenes a second a player bakes between frames, 30 by default. 0: no interpolation,
    /// each frame is shown until the next one.
    pub scenes_per_time: u32,
    /// How much numbers of two frames may differ for a player to take them for equal, 0.001 by
    /// default.
    pub equality_epsilon: f32,
    /// Whether it starts again at its end.
    pub loops: bool,
    /// Whether it plays back after forth.
    pub backwards: bool,
    /// At least one, in strictly increasing order of time.
    pub frames: Vec<Frame>,
    /// The element, in bytes of [`Document::text`].
    pub span: Span,
}

/// A still at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Seconds.
    pub time: f32,
    /// What is to be seen.
    pub content: Content,
    /// The space it takes, for collisions; `None` where the file does not say, or says that it is
    /// empty.
    pub bounding_box: Option<BoundingBox>,
    /// The element, in bytes of [`Document::text`].
    pub span: Span,
}

/// What a frame shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A file, by its URL relative to the animation's: references of XML are resolved, percent
    /// signs are as in the file.
    Url(String),
    /// An X3D document in XML: the element `X3D`, in bytes of [`Document::text`]. Kept as it is,
    /// never looked into.
    X3d(Span),
    /// A glTF document in JSON, references of XML resolved.
    Gltf(String),
    /// The file does not say, or says it wrongly.
    Missing,
}

/// A box along the axes of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingBox {
    /// Its middle.
    pub center: [f32; 3],
    /// Its edges' lengths, none negative.
    pub size: [f32; 3],
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
        let (content, diagnostics) = parser::parse(&text, options.limits.fixes)?;
        Ok(Parsed {
            value: Document {
                text,
                animations: content.animations,
                namespaces: content.namespaces,
            },
            diagnostics,
        })
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
        Document {
            text: self.text.into_owned(),
            animations: self.animations,
            namespaces: self.namespaces,
        }
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
        self.text().get(span.start..span.end).unwrap_or_default()
    }
}

impl Animation {
    /// The time of the first and the last frame in seconds: when it begins and ends.
    pub fn range(&self) -> (f32, f32) {
        let time = |frame: Option<&Frame>| frame.map_or(0.0, |frame| frame.time);
        (time(self.frames.first()), time(self.frames.last()))
    }
}

impl BoundingBox {
    /// The smallest box around points; `None` around none.
    pub fn around(points: impl IntoIterator<Item = [f32; 3]>) -> Option<BoundingBox> {
        let mut points = points.into_iter();
        let first = points.next()?;
        let (low, high) = points.fold((first, first), |(low, high), point| {
            (pairwise(low, point, f32::min), pairwise(high, point, f32::max))
        });
        Some(BoundingBox {
            center: pairwise(low, high, |a, b| a / 2.0 + b / 2.0),
            size: pairwise(high, low, |a, b| a - b),
        })
    }
}

fn pairwise([a, b, c]: [f32; 3], [d, e, f]: [f32; 3], with: fn(f32, f32) -> f32) -> [f32; 3] {
    [with(a, d), with(b, e), with(c, f)]
}
