//! Parses frames: their times and the location of their content.

use anim_ir::Span;
use anim_ir::diag::quote;
use anim_ir::number::{NumberError, parse_f32};
use anim_ir::xml::{Tags, unescaped};
use roxmltree::{Attribute, Node};

use super::reporter::{Reporter, first, name, quoted};
use crate::codes;
use crate::content::{Content, Frame};
use crate::envelope::Payload;
use crate::tags::slice;

const FRAME_ATTRIBUTES: [&str; 6] =
    ["time", "url", "file_name", "mime_type", "bounding_box_center", "bounding_box_size"];

impl Reporter<'_> {
    /// Reads a frame. Returns `None` if it has no valid time. `before` is the last valid frame of
    /// the same animation.
    pub(super) fn frame(&mut self, element: Node<'_, '_>, before: Option<&Frame>) -> Option<Frame> {
        let mut given = [None; FRAME_ATTRIBUTES.len()];
        for attribute in element.attributes() {
            let known = FRAME_ATTRIBUTES.iter().position(|known| name(attribute) == Some(known));
            match known.and_then(|at| given.get_mut(at)) {
                Some(slot) => *slot = Some(attribute),
                None => {
                    let fix = self.small_letters(element, attribute, &FRAME_ATTRIBUTES);
                    self.unknown(attribute, "frame", fix);
                }
            }
        }
        let [time, url, file_name, mime_type, center, size] = given;
        let bounding_box = self.bounding_box(center, size);
        let content = self.content(element, url, file_name, mime_type);
        let Some(time) = time else {
            self.report(&codes::TIME_MISSING, self.tag(element), || {
                "the frame has no `time`".to_owned()
            });
            return None;
        };
        let time = self.time(time, before)?;
        Some(Frame { time, content, bounding_box, span: self.span(element) })
    }

    fn time(&mut self, attribute: Attribute<'_, '_>, before: Option<&Frame>) -> Option<f32> {
        let span = self.value(attribute);
        let token = self.number(attribute);
        let time = parse_f32(token);
        if let Some(before) = before
            && (time.is_ok_and(|time| time <= before.time)
                || time == Err(NumberError::NotFinite) && token.starts_with(b"-"))
        {
            // Either the frames are in the wrong order, or one of the times is wrong, so there is
            // no repair.
            let lines = self.lines;
            self.report(&codes::TIME_ORDER, span, || {
                let line = lines.number(before.span.start);
                format!(
                    "the time {} is not later than {}, the time of the frame on line {line}",
                    quoted(attribute),
                    before.time
                )
            });
            return None;
        }
        let (code, what) = match time {
            Ok(time) => return Some(time),
            Err(NumberError::Syntax) => (&codes::TIME, "not a number"),
            Err(NumberError::NotFinite) => (&codes::TIME_NOT_FINITE, "not finite"),
        };
        self.report(code, span, || format!("the time {} is {what}", quoted(attribute)));
        None
    }

    fn content(
        &mut self,
        element: Node<'_, '_>,
        url: Option<Attribute<'_, '_>>,
        file_name: Option<Attribute<'_, '_>>,
        mime_type: Option<Attribute<'_, '_>>,
    ) -> Content {
        let span = self.span(element);
        let payload = self.envelope.payload(span.start).copied().unwrap_or_default();
        if let Some(old) = file_name {
            self.old_spelling(old, url.is_none());
        }
        // An empty attribute counts as missing.
        let given = |attribute: &Attribute<'_, '_>| !attribute.value().is_empty();
        let (url, file_name) = (url.filter(given), file_name.filter(given));
        if let Some(used) = url.or(file_name) {
            if let (Some(_), Some(other)) = (url, file_name) {
                self.report(&codes::CONTENT_TWICE, self.qname(other), || {
                    "the frame has `url` and `file_name`; `url` is used".to_owned()
                });
            }
            if let Some(inside) = payload.x3d.or(payload.foreign) {
                self.report(&codes::CONTENT_TWICE, first(inside), || {
                    format!(
                        "the frame has both `{}` and inline content, which is ignored",
                        used.name()
                    )
                });
            }
            return Content::Url(used.value().to_owned());
        }
        match mime_type.map_or("", |attribute| attribute.value()) {
            "" | "model/x3d+xml" => self.x3d(element, payload),
            "model/gltf+json" => self.gltf(element, payload),
            other => {
                let span = mime_type.map_or(span, |attribute| self.value(attribute));
                self.report(&codes::MIME_TYPE, span, || {
                    format!("unsupported MIME type {}", quote(other.as_bytes()))
                });
                Content::Missing
            }
        }
    }

    fn x3d(&mut self, element: Node<'_, '_>, payload: Payload) -> Content {
        let text = self.text.as_str();
        match (payload.x3d, payload.foreign) {
            (Some(_), None) => {}
            (None, None) => self.content_missing(element),
            (None, Some(foreign)) => self.report(&codes::CONTENT, first(foreign), || {
                format!("expected an `X3D` element, found {}", element_name(text, foreign))
            }),
            (Some(_), Some(foreign)) => self.report(&codes::CONTENT_BESIDE, first(foreign), || {
                format!("unexpected element {} next to `X3D`", element_name(text, foreign))
            }),
        }
        if let Some(second) = payload.second {
            self.report(&codes::CONTENT, first(second), || {
                "the frame has a second `X3D` element".to_owned()
            });
        }
        payload.x3d.map_or(Content::Missing, Content::X3d)
    }

    fn gltf(&mut self, element: Node<'_, '_>, payload: Payload) -> Content {
        if let Some(inside) = payload.x3d.or(payload.foreign) {
            self.report(&codes::CONTENT, first(inside), || {
                "glTF content must be text, not elements".to_owned()
            });
            return Content::Missing;
        }
        if let Some(json) = payload.json {
            return Content::Gltf(unescaped(self.slice(json)).into_owned());
        }
        let json: String =
            element.children().filter_map(|node| node.text().filter(|_| node.is_text())).collect();
        if json.trim().is_empty() {
            self.content_missing(element);
            return Content::Missing;
        }
        const CDATA: &str = "<![CDATA[";
        let span = self.span(element);
        if let Some(at) = memchr::memmem::find(self.slice(span).as_bytes(), CDATA.as_bytes()) {
            let start = span.start + at;
            self.report(&codes::GLTF_CDATA, Span::new(start, start + CDATA.len()), || {
                "JSON in a CDATA section, which Castle Game Engine cannot read".to_owned()
            });
        }
        Content::Gltf(json)
    }

    fn content_missing(&mut self, element: Node<'_, '_>) {
        self.report(&codes::CONTENT_MISSING, self.tag(element), || {
            "the frame has neither a `url` nor inline content".to_owned()
        });
    }

    fn old_spelling(&mut self, attribute: Attribute<'_, '_>, certain: bool) {
        let span = self.qname(attribute);
        let message = || "`file_name` is the old spelling of `url`".to_owned();
        if certain {
            self.report_fix(&codes::FILE_NAME, span, "url", message);
        } else {
            self.report(&codes::FILE_NAME, span, message);
        }
    }
}

fn element_name(text: &str, element: Span) -> String {
    let tag = Tags::new(slice(text, element)).next().and_then(Result::ok);
    quote(tag.map_or("", |tag| tag.name).as_bytes())
}
