//! Builds documents from data.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};

use anim_ir::diag::quote;
use anim_ir::number::shortest;
use anim_ir::xml::{self, Tags};
use anim_ir::{EditError, Span};

use crate::content::{Animation, BoundingBox, Content, Frame};
use crate::document::Document;

/// An animation to write. Attributes with default values are omitted, except
/// the name.
#[derive(Clone, Debug, PartialEq)]
pub struct NewAnimation<'a> {
    /// The name of the animation.
    pub name: Cow<'a, str>,
    /// Number of scenes per second that the engine bakes between frames; 0 disables interpolation.
    pub scenes_per_time: u32,
    /// Tolerance for treating numbers in two frames as equal.
    pub equality_epsilon: f32,
    /// Whether the animation repeats.
    pub loops: bool,
    /// Whether the animation plays backwards after playing forwards.
    pub backwards: bool,
    /// The frames, in strictly increasing time order.
    pub frames: Vec<NewFrame<'a>>,
}

/// A frame to write.
#[derive(Clone, Debug, PartialEq)]
pub struct NewFrame<'a> {
    /// Time in seconds.
    pub time: f32,
    /// The content of the frame.
    pub content: NewContent<'a>,
    /// The bounding box.
    pub bounding_box: Option<BoundingBox>,
    /// Namespaces to declare for the content: prefix (empty for the default namespace) and name.
    pub namespaces: &'a [(String, String)],
}

/// The content of a frame to write.
#[derive(Clone, Debug, PartialEq)]
pub enum NewContent<'a> {
    /// The URL of a file, relative to the animation file.
    Url(Cow<'a, str>),
    /// An X3D XML document. Anything outside its root element is omitted.
    X3d(Cow<'a, str>),
    /// A glTF JSON document.
    Gltf(Cow<'a, str>),
}

impl NewAnimation<'_> {
    /// Creates an animation without frames, with the specification's defaults.
    pub fn new<'a>(name: impl Into<Cow<'a, str>>) -> NewAnimation<'a> {
        NewAnimation {
            name: name.into(),
            scenes_per_time: 30,
            equality_epsilon: 0.001,
            loops: false,
            backwards: false,
            frames: Vec::new(),
        }
    }
}

impl<'a> NewFrame<'a> {
    /// Creates a frame without a bounding box.
    pub fn new(time: f32, content: NewContent<'a>) -> NewFrame<'a> {
        NewFrame { time, content, bounding_box: None, namespaces: &[] }
    }
}

impl Document<'_> {
    /// Builds a UTF-8 document from these animations, in canonical form ([`Document::formatted`]),
    /// with attributes in the order used by exporters.
    ///
    /// # Errors
    ///
    /// [`EditError`] for anything the format cannot store: an animation without a name or a frame,
    /// times that do not increase, numbers that are not finite, control characters, content that is
    /// not X3D.
    pub fn build(animations: &[NewAnimation<'_>]) -> Result<Document<'static>, EditError> {
        Document::write(animations, Writer::new())
    }

    /// Like [`Document::build`], but without whitespace between the elements.
    pub(crate) fn build_compact(
        animations: &[NewAnimation<'_>],
    ) -> Result<Document<'static>, EditError> {
        Document::write(animations, Writer { pretty: false, ..Writer::new() })
    }

    fn write(
        animations: &[NewAnimation<'_>],
        mut writer: Writer,
    ) -> Result<Document<'static>, EditError> {
        writer.animations(animations)?;
        // Parse the text to determine the spans and the content.
        let parsed =
            Document::parse(writer.finish().into_bytes()).map_err(|error| no_x3d(&error))?;
        Ok(parsed.value)
    }

    /// Returns the document's content as data, for building a modified document. Excludes comments,
    /// unknown attributes, frames without content, and animations in which no frame has content.
    pub fn data(&self) -> Vec<NewAnimation<'_>> {
        self.animations().iter().filter_map(|animation| self.animation_data(animation)).collect()
    }

    /// Returns an animation of this document as data; `None` if it has no frames with content.
    pub(crate) fn animation_data(&self, animation: &Animation) -> Option<NewAnimation<'_>> {
        let frame = |frame: &'_ Frame| {
            let content = match &frame.content {
                Content::Url(url) => NewContent::Url(url.clone().into()),
                Content::X3d(element) => NewContent::X3d(self.slice(*element).into()),
                Content::Gltf(json) => NewContent::Gltf(json.clone().into()),
                Content::Missing => return None,
            };
            let inside = matches!(content, NewContent::X3d(_));
            Some(NewFrame {
                bounding_box: frame.bounding_box,
                namespaces: if inside { self.namespaces() } else { &[] },
                ..NewFrame::new(frame.time, content)
            })
        };
        let frames: Vec<NewFrame<'_>> = animation.frames.iter().filter_map(frame).collect();
        (!frames.is_empty()).then(|| NewAnimation {
            name: animation.name.clone().into(),
            scenes_per_time: animation.scenes_per_time,
            equality_epsilon: animation.equality_epsilon,
            loops: animation.loops,
            backwards: animation.backwards,
            frames,
        })
    }
}

/// A text under construction.
#[derive(Debug)]
pub(crate) struct Writer {
    out: String,
    /// Whether elements are on separate lines.
    pretty: bool,
}

impl Writer {
    fn new() -> Writer {
        Writer { out: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".to_owned(), pretty: true }
    }

    /// Returns a writer for a single element.
    pub(crate) fn bare() -> Writer {
        Writer { out: String::new(), pretty: false }
    }

    pub(crate) fn finish(self) -> String {
        self.out
    }

    fn animations(&mut self, animations: &[NewAnimation<'_>]) -> Result<(), EditError> {
        self.line("", "<animations>");
        for animation in animations {
            self.animation(animation)?;
        }
        self.line("", "</animations>");
        self.line("", "");
        Ok(())
    }

    fn animation(&mut self, animation: &NewAnimation<'_>) -> Result<(), EditError> {
        if animation.name.is_empty() {
            return Err(unnamed());
        }
        if animation.frames.is_empty() {
            return Err(no_frame());
        }
        if !animation.equality_epsilon.is_finite() {
            return Err(EditError::NotFinite("the epsilon"));
        }
        self.line("\t", "<animation");
        self.attribute("name", &escape("the name", &animation.name)?);
        if animation.scenes_per_time != 30 {
            self.attribute(
                "scenes_per_time",
                &animation.scenes_per_time.min(i32::MAX.unsigned_abs()).to_string(),
            );
        }
        if animation.equality_epsilon != 0.001 {
            self.attribute("equality_epsilon", &shortest(animation.equality_epsilon.max(0.0)));
        }
        for (name, value) in [("loop", animation.loops), ("backwards", animation.backwards)] {
            if value {
                self.attribute(name, "true");
            }
        }
        self.out.push('>');
        let mut before = f32::NEG_INFINITY;
        for frame in &animation.frames {
            if before >= frame.time {
                return Err(out_of_order(frame.time));
            }
            before = frame.time;
            self.line("\t\t", "");
            self.frame(frame)?;
        }
        self.line("\t", "</animation>");
        Ok(())
    }

    /// Writes a frame and returns its content in parsed form. The span of an X3D document refers to
    /// the writer's text.
    pub(crate) fn frame(&mut self, frame: &NewFrame<'_>) -> Result<Content, EditError> {
        if !frame.time.is_finite() {
            return Err(EditError::NotFinite("the time"));
        }
        self.out.push_str("<frame");
        if let NewContent::Url(url) = &frame.content {
            self.attribute("url", &escaped_url(url)?);
        }
        self.attribute("time", &shortest(frame.time));
        match &frame.content {
            NewContent::Url(_) => {}
            NewContent::X3d(_) => self.attribute("mime_type", "model/x3d+xml"),
            NewContent::Gltf(_) => self.attribute("mime_type", "model/gltf+json"),
        }
        if let Some(bounding_box) = &frame.bounding_box {
            let [center, size] = numbers(bounding_box)?;
            self.attribute("bounding_box_center", &center);
            self.attribute("bounding_box_size", &size);
        }
        for (prefix, name) in frame.namespaces {
            self.attribute(&declaration(prefix), &escape("the namespace", name)?);
        }
        Ok(match &frame.content {
            NewContent::Url(url) => {
                self.out.push_str("/>");
                Content::Url(url.clone().into_owned())
            }
            NewContent::X3d(document) => {
                self.out.push('>');
                self.line("\t\t\t", "");
                let start = self.out.len();
                let element = x3d_element(document)?;
                if element.contains('\r') {
                    // XML parsers normalise line breaks to line feeds (XML 1.0, section 2.11).
                    self.out.push_str(&element.replace("\r\n", "\n").replace('\r', "\n"));
                } else {
                    self.out.push_str(element);
                }
                let element = Span::new(start, self.out.len());
                self.line("\t\t", "</frame>");
                Content::X3d(element)
            }
            NewContent::Gltf(json) => {
                self.out.push('>');
                self.out.push_str(&escape_text("the glTF document", json)?);
                self.out.push_str("</frame>");
                Content::Gltf(json.clone().into_owned())
            }
        })
    }

    fn attribute(&mut self, name: &str, value: &str) {
        // Writing to a String cannot fail.
        let _ = write!(self.out, " {name}=\"{value}\"");
    }

    fn line(&mut self, indentation: &str, text: &str) {
        if self.pretty {
            self.out.push('\n');
            self.out.push_str(indentation);
        }
        self.out.push_str(text);
    }
}

/// Returns the error for an empty name, which the engine rejects.
pub(crate) fn unnamed() -> EditError {
    EditError::refused("an animation needs a name")
}

pub(crate) fn no_frame() -> EditError {
    EditError::refused("an animation needs at least one frame")
}

pub(crate) fn out_of_order(time: f32) -> EditError {
    EditError::refused(format!(
        "the time {time} is not between the times of the previous and next frames"
    ))
}

fn no_x3d(why: &dyn Display) -> EditError {
    EditError::refused(format!("the content is not an X3D XML document: {why}"))
}

/// Returns the attribute that declares a prefix, or the default namespace for an empty prefix.
pub(crate) fn declaration(prefix: &str) -> String {
    if prefix.is_empty() { "xmlns".to_owned() } else { format!("xmlns:{prefix}") }
}

/// Formats the centre and size of a box as attribute values.
pub(crate) fn numbers(bounding_box: &BoundingBox) -> Result<[String; 2], EditError> {
    let BoundingBox { center, size } = bounding_box;
    if !center.iter().chain(size).all(|number| number.is_finite()) {
        return Err(EditError::NotFinite("the bounding box"));
    }
    Ok([center, size].map(|numbers| numbers.map(shortest).join(" ")))
}

/// Escapes a URL, which must not be empty: such a frame has no content.
pub(crate) fn escaped_url(url: &str) -> Result<String, EditError> {
    if url.is_empty() {
        return Err(EditError::refused("a frame needs a URL or inline content"));
    }
    escape("the url", url)
}

/// Escapes text as an attribute value.
pub(crate) fn escape(what: &'static str, text: &str) -> Result<String, EditError> {
    let mut out = String::with_capacity(text.len());
    xml::push_attribute(checked(what, text)?, &mut out);
    Ok(out)
}

/// Escapes text between tags.
fn escape_text(what: &'static str, text: &str) -> Result<String, EditError> {
    let mut out = String::with_capacity(text.len());
    xml::push_text(checked(what, text)?, &mut out);
    Ok(out)
}

fn checked<'t>(what: &'static str, text: &'t str) -> Result<&'t str, EditError> {
    if text.chars().all(xml::is_character) {
        return Ok(text);
    }
    let why = "contains a control character, which XML cannot represent";
    Err(EditError::Text { what, text: quote(text.as_bytes()), why })
}

/// Returns the root element of an X3D document.
fn x3d_element(document: &str) -> Result<&str, EditError> {
    let mut tags = Tags::new(document);
    let root = match tags.next() {
        Some(Ok(tag)) => tag,
        Some(Err(error)) => return Err(no_x3d(&error)),
        None => return Err(no_x3d(&"it is empty")),
    };
    if root.name != "X3D" {
        let name = quote(root.name.as_bytes());
        return Err(no_x3d(&format_args!("its root element is {name}")));
    }
    let end = tags
        .try_fold(root.span.end, |_, tag| tag.map(|tag| tag.span.end))
        .map_err(|error| no_x3d(&error))?;
    Ok(document.get(root.span.start..end).unwrap_or_default())
}
