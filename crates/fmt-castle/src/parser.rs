//! Text to animations and diagnostics.

use std::collections::HashMap;

use anim_ir::diag::quote;
use anim_ir::number::{NumberError, parse_f32, parse_i64};
use anim_ir::source::locate;
use anim_ir::text::Text;
use anim_ir::xml::Tags;
use anim_ir::{Code, Diagnostic, Diagnostics, Fix, Span};
use roxmltree::{Attribute, Document, Node, ParsingOptions};

use crate::codes;
use crate::document::{Animation, BoundingBox, Content, Frame};
use crate::envelope::{Envelope, Payload};
use crate::error::ParseError;

const ANIMATION_ATTRIBUTES: [&str; 5] =
    ["name", "scenes_per_time", "equality_epsilon", "loop", "backwards"];
const FRAME_ATTRIBUTES: [&str; 6] =
    ["time", "url", "file_name", "mime_type", "bounding_box_center", "bounding_box_size"];

/// What the file says.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) animations: Vec<Animation>,
    pub(crate) namespaces: Vec<(String, String)>,
}

pub(crate) fn parse(text: &Text<'_>, fixes: usize) -> Result<(Parts, Diagnostics), ParseError> {
    let envelope = Envelope::of(text.as_str()).map_err(|error| ParseError::guard(text, error))?;
    // A DOCTYPE has no declarations here: those were refused.
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let tree = Document::parse_with_options(&envelope.text, options).map_err(|error| {
        let at = offset(&envelope.text, error.pos());
        ParseError::xml(text, envelope.span(at..at), error.to_string())
    })?;
    let root = tree.root_element();
    let start = envelope.span(root.range()).start;
    let tag = first(Span::new(start, start));
    // With its prefix, which a tree takes off.
    let name = Tags::new(&envelope.text).next().and_then(Result::ok).map_or("", |tag| tag.name);
    if !matches!(name, "animations" | "animation") {
        return Err(ParseError::Root { root: quote(name.as_bytes()), span: text.source_span(tag) });
    }
    let diagnostics = Diagnostics::with_fixes(fixes);
    let mut parser = Parser {
        text,
        envelope: &envelope,
        diagnostics,
        parts: Parts::default(),
        names: HashMap::new(),
    };
    for repair in &envelope.repairs {
        parser.diagnostics.report_fix(&codes::NAME_ESCAPE, || {
            let span = text.source_span(repair.span);
            let message =
                format!("a bare `{}` in the name of an animation", slice(text, repair.span));
            Diagnostic::new(&codes::NAME_ESCAPE, span, message)
                .fix(span, repair.replacement.clone())
        });
    }
    if let Some(namespace) = root.tag_name().namespace() {
        parser.report(&codes::NAMESPACE, tag, || {
            format!("the root element is in the namespace {}", quote(namespace.as_bytes()))
        });
    }
    match name {
        "animation" => parser.animation(root),
        _ => parser.animations(root),
    }
    parser.namespaces(&tree);
    let Parser { mut diagnostics, parts, .. } = parser;
    diagnostics.sort_by_place();
    Ok((parts, diagnostics))
}

struct Parser<'a> {
    text: &'a Text<'a>,
    envelope: &'a Envelope,
    diagnostics: Diagnostics,
    parts: Parts,
    /// Names that are taken, and where.
    names: HashMap<String, usize>,
}

impl Parser<'_> {
    fn animations(&mut self, root: Node<'_, '_>) {
        for attribute in root.attributes() {
            self.unknown(attribute, "animations", None);
        }
        let mut any = false;
        for element in root.children().filter(Node::is_element) {
            if element.tag_name().name() == "animation" {
                any = true;
                self.animation(element);
            } else {
                self.foreign(element, "animations");
            }
        }
        if !any {
            self.report(&codes::NO_ANIMATION, self.tag(root), || {
                "there is no `animation`".to_owned()
            });
        }
    }

    fn animation(&mut self, element: Node<'_, '_>) {
        let span = self.envelope.span(element.range());
        let mut animation = Animation {
            name: "animation".to_owned(),
            scenes_per_time: 30,
            equality_epsilon: 0.001,
            loops: false,
            backwards: false,
            frames: Vec::new(),
            span,
        };
        let mut name_span = self.tag(element);
        for attribute in element.attributes() {
            match name(attribute) {
                Some("name") => {
                    attribute.value().clone_into(&mut animation.name);
                    name_span = self.value(attribute);
                }
                Some("scenes_per_time") => {
                    animation.scenes_per_time =
                        self.scenes_per_time(attribute).unwrap_or(animation.scenes_per_time)
                }
                Some("equality_epsilon") => {
                    animation.equality_epsilon =
                        self.epsilon(attribute).unwrap_or(animation.equality_epsilon)
                }
                Some("loop") => animation.loops = self.boolean(attribute),
                Some("backwards") => animation.backwards = self.boolean(attribute),
                // Of old files, without a meaning.
                Some("optimization") => {}
                _ => {
                    let fix = self.small_letters(element, attribute, &ANIMATION_ATTRIBUTES);
                    self.unknown_of_animation(self.qname(attribute), fix);
                }
            }
        }
        // To the engine a namespace declaration is an attribute as well; to a tree it is none.
        if element.namespaces().len() > 0 {
            self.namespace_declarations(element);
        }
        let (mut any, mut order_is_told) = (false, false);
        for child in element.children().filter(Node::is_element) {
            if child.tag_name().name() != "frame" {
                self.foreign(child, "animation");
                continue;
            }
            any = true;
            animation.frames.extend(self.frame(child, animation.frames.last(), &mut order_is_told));
        }
        if !any {
            self.report(&codes::NO_FRAME, self.tag(element), || {
                format!("the animation {} has no frame", quote(animation.name.as_bytes()))
            });
        }
        self.judge(&animation, name_span, self.tag(element));
        if !animation.frames.is_empty() {
            self.parts.animations.push(animation);
        }
    }

    /// What is to be said of an animation as a whole.
    fn judge(&mut self, animation: &Animation, name: Span, tag: Span) {
        if animation.name.is_empty() {
            self.report(&codes::NAME_EMPTY, name, || "the animation has an empty name".to_owned());
        }
        match self.names.get(&animation.name).copied() {
            Some(first) => {
                let text = self.text;
                let message = || {
                    let line = locate(text.as_str().as_bytes(), first).line;
                    format!(
                        "the name {} is that of the animation on line {line} as well",
                        quote(animation.name.as_bytes())
                    )
                };
                self.report(&codes::NAME_DUPLICATE, name, message);
            }
            None => drop(self.names.insert(animation.name.clone(), animation.span.start)),
        }
        let Some(first) = animation.frames.first() else { return };
        if first.time < 0.0 {
            let span = self.attribute_value(first.span, "time").unwrap_or(tag);
            self.report(&codes::TIME_NEGATIVE, span, || {
                format!("the animation begins at {}, before time 0", first.time)
            });
        }
        if animation.frames.iter().all(|frame| frame.bounding_box.is_none()) {
            let message = || {
                format!(
                    "no frame of {} has a bounding box: nothing collides with it in the engine",
                    quote(animation.name.as_bytes())
                )
            };
            self.report(&codes::NO_BOUNDING_BOX, tag, message);
        }
    }

    fn frame(
        &mut self,
        element: Node<'_, '_>,
        before: Option<&Frame>,
        order_is_told: &mut bool,
    ) -> Option<Frame> {
        let span = self.envelope.span(element.range());
        let (mut time, mut url, mut file_name, mut mime_type, mut center, mut size) =
            (None, None, None, None, None, None);
        for attribute in element.attributes() {
            match name(attribute) {
                Some("time") => time = Some(attribute),
                Some("url") => url = Some(attribute),
                Some("file_name") => file_name = Some(attribute),
                Some("mime_type") => mime_type = Some(attribute),
                Some("bounding_box_center") => center = Some(attribute),
                Some("bounding_box_size") => size = Some(attribute),
                _ => {
                    let fix = self.small_letters(element, attribute, &FRAME_ATTRIBUTES);
                    self.unknown(attribute, "frame", fix);
                }
            }
        }
        let bounding_box = self.bounding_box(center, size);
        let content = self.content(element, url, file_name, mime_type);
        let Some(time) = time else {
            self.report(&codes::TIME_MISSING, self.tag(element), || {
                "the frame has no `time`".to_owned()
            });
            return None;
        };
        let time = self.time(element, time, before, order_is_told)?;
        Some(Frame { time, content, bounding_box, span })
    }

    fn time(
        &mut self,
        frame: Node<'_, '_>,
        attribute: Attribute<'_, '_>,
        before: Option<&Frame>,
        order_is_told: &mut bool,
    ) -> Option<f32> {
        let span = self.value(attribute);
        let token = self.number(attribute);
        let time = parse_f32(token);
        if let Some(before) = before
            && (time.is_ok_and(|time| time <= before.time)
                || time == Err(NumberError::NotFinite) && token.starts_with(b"-"))
        {
            let text = self.text;
            let message = || {
                let line = locate(text.as_str().as_bytes(), before.span.start).line;
                format!(
                    "the time {} is not after {}, that of the frame on line {line}",
                    quoted(attribute),
                    before.time
                )
            };
            // The first of an animation has the repair of all.
            let fix = if std::mem::replace(order_is_told, true) {
                None
            } else {
                self.frames_in_order(frame)
            };
            self.report_maybe_fix(&codes::TIME_ORDER, span, fix, message);
            return None;
        }
        match time {
            Ok(time) => Some(time),
            Err(NumberError::Syntax) => {
                self.report(&codes::TIME, span, || {
                    format!("the time {} is no number", quoted(attribute))
                });
                None
            }
            Err(NumberError::NotFinite) => {
                self.report(&codes::TIME_NOT_FINITE, span, || {
                    format!("the time {} is not finite", quoted(attribute))
                });
                None
            }
        }
    }

    /// The frames of an animation in the order of their times, each in the place of another one.
    /// `None` where more is wrong than their order.
    fn frames_in_order(&self, frame: Node<'_, '_>) -> Option<Fix> {
        let frames = || {
            frame
                .parent_element()
                .into_iter()
                .flat_map(|animation| animation.children())
                .filter(|child| child.has_tag_name("frame"))
        };
        let timed = |frame: Node<'_, '_>| {
            let time = parse_f32(frame.attribute("time")?.trim_ascii().as_bytes()).ok()?;
            Some((time, self.envelope.span(frame.range())))
        };
        let timed: Vec<(f32, Span)> = frames().map(timed).collect::<Option<_>>()?;
        let mut sorted = timed.clone();
        sorted.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        if !sorted.is_sorted_by(|(a, _), (b, _)| a < b) {
            return None;
        }
        let first = timed.iter().zip(&sorted).position(|(old, new)| old != new)?;
        let last = timed.iter().zip(&sorted).rposition(|(old, new)| old != new)?;
        let start = timed.get(first)?.1.start;
        let (mut replacement, mut at) = (String::new(), start);
        for ((_, old), (_, new)) in timed.iter().zip(&sorted).skip(first).take(last + 1 - first) {
            replacement.push_str(slice(self.text, Span::new(at, old.start)));
            replacement.push_str(slice(self.text, *new));
            at = old.end;
        }
        Some(Fix { span: self.text.source_span(Span::new(start, at)), replacement })
    }

    fn content(
        &mut self,
        element: Node<'_, '_>,
        url: Option<Attribute<'_, '_>>,
        file_name: Option<Attribute<'_, '_>>,
        mime_type: Option<Attribute<'_, '_>>,
    ) -> Content {
        let span = self.envelope.span(element.range());
        let payload = self.envelope.payload(span.start).copied().unwrap_or_default();
        // An empty attribute is as good as none.
        let given = |attribute: &Attribute<'_, '_>| !attribute.value().is_empty();
        if let Some(old) = file_name {
            self.old_spelling(old, url.is_none());
        }
        let (url, file_name) = (url.filter(given), file_name.filter(given));
        if let Some(used) = url.or(file_name) {
            let inside = payload.x3d.or(payload.foreign);
            if let (Some(_), Some(other)) = (url, file_name) {
                self.report(&codes::CONTENT_TWICE, self.qname(other), || {
                    "the frame has `url` and `file_name`; `url` is used".to_owned()
                });
            }
            if let Some(inside) = inside {
                self.report(&codes::CONTENT_TWICE, first(inside), || {
                    format!("the frame has `{}` and content inside, which is ignored", used.name())
                });
            }
            return Content::Url(used.value().to_owned());
        }
        let kind = mime_type.map_or("", |attribute| attribute.value());
        match kind {
            "" | "model/x3d+xml" => self.x3d(element, payload),
            "model/gltf+json" => self.gltf(element, payload),
            _ => {
                let span = mime_type.map_or(span, |attribute| self.value(attribute));
                self.report(&codes::MIME_TYPE, span, || {
                    format!("the type {} is none that a frame can hold", quote(kind.as_bytes()))
                });
                Content::Missing
            }
        }
    }

    fn x3d(&mut self, element: Node<'_, '_>, payload: Payload) -> Content {
        let (text, foreign) = (self.text, payload.foreign.unwrap_or_default());
        let name = || {
            let tag = Tags::new(slice(text, foreign)).next().and_then(Result::ok);
            quote(tag.map_or("", |tag| tag.name).as_bytes())
        };
        match payload {
            Payload { x3d: None, foreign: None, .. } => {
                self.report(&codes::CONTENT_MISSING, self.tag(element), || {
                    "the frame has neither a `url` nor content".to_owned()
                });
            }
            Payload { x3d: None, .. } => self.report(&codes::CONTENT, first(foreign), || {
                format!("expected an element `X3D`, found {}", name())
            }),
            Payload { foreign: Some(_), .. } => {
                self.report(&codes::CONTENT_BESIDE, first(foreign), || {
                    format!("an element {} beside the `X3D` of the frame", name())
                });
            }
            _ => {}
        }
        if let Some(second) = payload.second {
            self.report(&codes::CONTENT, first(second), || {
                "a second `X3D` in one frame".to_owned()
            });
        }
        payload.x3d.map_or(Content::Missing, Content::X3d)
    }

    fn gltf(&mut self, element: Node<'_, '_>, payload: Payload) -> Content {
        if let Some(inside) = payload.x3d.or(payload.foreign) {
            self.report(&codes::CONTENT, first(inside), || {
                "a frame with glTF holds text, not elements".to_owned()
            });
            return Content::Missing;
        }
        let json: String =
            element.children().filter_map(|node| node.text().filter(|_| node.is_text())).collect();
        if json.trim().is_empty() {
            self.report(&codes::CONTENT_MISSING, self.tag(element), || {
                "the frame has neither a `url` nor content".to_owned()
            });
            return Content::Missing;
        }
        let span = self.envelope.span(element.range());
        if let Some(at) = memchr::memmem::find(slice(self.text, span).as_bytes(), b"<![CDATA[") {
            let start = span.start + at;
            let message = || "JSON in a CDATA section, which the engine cannot read".to_owned();
            self.report(&codes::GLTF_CDATA, Span::new(start, start + b"<![CDATA[".len()), message);
        }
        Content::Gltf(json)
    }

    fn old_spelling(&mut self, attribute: Attribute<'_, '_>, certain: bool) {
        let span = self.text.source_span(self.qname(attribute));
        let note =
            || Diagnostic::new(&codes::FILE_NAME, span, "`file_name` is the old spelling of `url`");
        if certain {
            self.diagnostics.report_fix(&codes::FILE_NAME, || note().fix(span, "url"));
        } else {
            self.diagnostics.report(&codes::FILE_NAME, note);
        }
    }

    fn bounding_box(
        &mut self,
        center: Option<Attribute<'_, '_>>,
        size: Option<Attribute<'_, '_>>,
    ) -> Option<BoundingBox> {
        let center = center.map_or(Some([0.0; 3]), |attribute| self.three(attribute));
        // A box of negative size is empty, which is the default.
        let size = size.map_or(Some([-1.0; 3]), |attribute| self.three(attribute))?;
        Some(BoundingBox { center: center?, size }).filter(|_| size.iter().all(|edge| *edge >= 0.0))
    }

    fn three(&mut self, attribute: Attribute<'_, '_>) -> Option<[f32; 3]> {
        let numbers: Vec<Result<f32, NumberError>> = attribute
            .value()
            .split_ascii_whitespace()
            .map(|word| parse_f32(word.as_bytes()))
            .take(4)
            .collect();
        let (code, what) = match numbers.as_slice() {
            [Ok(x), Ok(y), Ok(z)] => return Some([*x, *y, *z]),
            [_, _, _] if !numbers.contains(&Err(NumberError::Syntax)) => {
                (&codes::BOX_NOT_FINITE, "finite")
            }
            _ => (&codes::BOUNDING_BOX, "three numbers"),
        };
        self.report(code, self.value(attribute), || {
            format!("`{}` is {}, not {what}", attribute.name(), quoted(attribute))
        });
        None
    }

    fn boolean(&mut self, attribute: Attribute<'_, '_>) -> bool {
        let value = attribute.value();
        if value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false") {
            return value.eq_ignore_ascii_case("true");
        }
        let span = self.value(attribute);
        let Ok(number) = parse_f32(value.trim_ascii().as_bytes()) else {
            let message = || {
                format!("`{}` is {}, not `true` or `false`", attribute.name(), quoted(attribute))
            };
            self.report(&codes::BOOLEAN, span, message);
            return false;
        };
        let read = number != 0.0;
        let span = self.text.source_span(span);
        self.diagnostics.report_fix(&codes::BOOLEAN_NUMBER, || {
            let message = format!(
                "`{}` is {}, not `true` or `false`; the engine takes it for {read}",
                attribute.name(),
                quoted(attribute)
            );
            Diagnostic::new(&codes::BOOLEAN_NUMBER, span, message).fix(span, read.to_string())
        });
        read
    }

    fn scenes_per_time(&mut self, attribute: Attribute<'_, '_>) -> Option<u32> {
        let value = self.number(attribute);
        if let Some(number) = whole(value, 10) {
            return Some(number);
        }
        let span = self.value(attribute);
        // What Pascal takes for an integer.
        let pascal = match value {
            [b'$' | b'x' | b'X', digits @ ..] | [b'0', b'x' | b'X', digits @ ..] => {
                whole(digits, 16)
            }
            [b'+', digits @ ..] => whole(digits, 10),
            _ => None,
        };
        let Some(number) = pascal else {
            let code = if parse_i64(value).is_some() {
                &codes::SCENES_RANGE
            } else {
                &codes::SCENES_PER_TIME
            };
            self.report(code, span, || {
                format!(
                    "`scenes_per_time` is {}, not a whole number from 0 to {}",
                    quoted(attribute),
                    i32::MAX
                )
            });
            return None;
        };
        let span = self.text.source_span(span);
        self.diagnostics.report_fix(&codes::SCENES_FORM, || {
            let message = format!(
                "`scenes_per_time` is {}, which only the engine reads as {number}",
                quoted(attribute)
            );
            Diagnostic::new(&codes::SCENES_FORM, span, message).fix(span, number.to_string())
        });
        Some(number)
    }

    fn epsilon(&mut self, attribute: Attribute<'_, '_>) -> Option<f32> {
        let code = match parse_f32(self.number(attribute)) {
            Ok(number) if number >= 0.0 => return Some(number),
            Ok(_) | Err(NumberError::NotFinite) => &codes::EPSILON_RANGE,
            Err(NumberError::Syntax) => &codes::EPSILON,
        };
        let message = || {
            format!(
                "`equality_epsilon` is {}, not a finite number that is 0 or greater",
                quoted(attribute)
            )
        };
        self.report(code, self.value(attribute), message);
        None
    }

    /// A value without blanks around it. Exporters pad numbers on the left.
    fn number<'a>(&mut self, attribute: Attribute<'a, '_>) -> &'a [u8] {
        let value = attribute.value().trim_ascii();
        if !value.is_empty() && !attribute.value().ends_with(value) {
            let raw = self.value(attribute);
            let end = raw.start + slice(self.text, raw).trim_ascii_end().len();
            let span = self.text.source_span(Span::new(end, raw.end));
            self.diagnostics.report_fix(&codes::TRAILING_BLANK, || {
                let message = format!(
                    "blanks behind {}, for which the engine refuses the file",
                    quote(value.as_bytes())
                );
                Diagnostic::new(&codes::TRAILING_BLANK, span, message).fix(span, "")
            });
        }
        value.as_bytes()
    }

    fn foreign(&mut self, element: Node<'_, '_>, parent: &str) {
        let message =
            || format!("an element {} in `{parent}`", quote(element.tag_name().name().as_bytes()));
        self.report(&codes::ELEMENT, self.tag(element), message);
    }

    fn unknown(&mut self, attribute: Attribute<'_, '_>, element: &str, fix: Option<Fix>) {
        let message =
            || format!("`{element}` has no attribute {}", quote(attribute.name().as_bytes()));
        self.report_maybe_fix(&codes::ATTRIBUTE, self.qname(attribute), fix, message);
    }

    fn unknown_of_animation(&mut self, name: Span, fix: Option<Fix>) {
        let text = self.text;
        let message = || {
            format!(
                "`animation` has no attribute {}: the engine refuses the file",
                quote(slice(text, name).as_bytes())
            )
        };
        self.report_maybe_fix(&codes::ANIMATION_ATTRIBUTE, name, fix, message);
    }

    /// The repair of an attribute's name that is one of these in another case, where the element
    /// does not have that already.
    fn small_letters(
        &self,
        element: Node<'_, '_>,
        attribute: Attribute<'_, '_>,
        known: &[&str],
    ) -> Option<Fix> {
        let meant = known
            .iter()
            .find(|known| known.eq_ignore_ascii_case(name(attribute).unwrap_or_default()))?;
        let alike = |other: Attribute<'_, '_>| {
            name(other).is_some_and(|other| other.eq_ignore_ascii_case(meant))
        };
        let only = element.attributes().filter(|other| alike(*other)).count() == 1;
        only.then(|| Fix {
            span: self.text.source_span(self.qname(attribute)),
            replacement: (*meant).to_owned(),
        })
    }

    fn namespace_declarations(&mut self, animation: Node<'_, '_>) {
        let start = self.envelope.span(animation.range()).start;
        let Some(tag) = self.text.as_str().get(start..) else { return };
        let mut tags = Tags::new(tag).repairing("animation", "name");
        let _ = tags.next();
        for attribute in tags.attributes() {
            let name = Span::new(start + attribute.name.start, start + attribute.name.end);
            if slice(self.text, name).starts_with("xmlns") {
                self.unknown_of_animation(name, None);
            }
        }
    }

    /// What holds in the frames' content, though it is declared around it.
    fn namespaces(&mut self, tree: &Document<'_>) {
        // An element has the namespaces of its parent and those it declares.
        let declares = |node: &Node<'_, '_>| {
            node.namespaces().len() > node.parent().map_or(0, |parent| parent.namespaces().len())
        };
        for node in tree.descendants().filter(|node| node.is_element() && declares(node)) {
            for namespace in node.namespaces() {
                let prefix = namespace.name().unwrap_or_default();
                let known = &mut self.parts.namespaces;
                // The guard sees to it that this is done a few times only.
                if prefix != "xml" && !known.iter().any(|(other, _)| other == prefix) {
                    known.push((prefix.to_owned(), namespace.uri().to_owned()));
                }
            }
        }
    }

    fn attribute_value(&self, element: Span, name: &str) -> Option<Span> {
        crate::edits::attribute(self.text.as_str(), element, name).map(|attribute| attribute.value)
    }

    fn report(&mut self, code: &'static Code, span: Span, message: impl FnOnce() -> String) {
        let text = self.text;
        self.diagnostics.report(code, || Diagnostic::new(code, text.source_span(span), message()));
    }

    fn report_maybe_fix(
        &mut self,
        code: &'static Code,
        span: Span,
        fix: Option<Fix>,
        message: impl FnOnce() -> String,
    ) {
        let Some(fix) = fix else { return self.report(code, span, message) };
        let text = self.text;
        self.diagnostics.report_fix(code, || Diagnostic {
            fix: Some(fix),
            ..Diagnostic::new(code, text.source_span(span), message())
        });
    }

    /// The `<` of an element.
    fn tag(&self, element: Node<'_, '_>) -> Span {
        first(self.envelope.span(element.range()))
    }

    fn qname(&self, attribute: Attribute<'_, '_>) -> Span {
        self.envelope.span(attribute.range_qname())
    }

    fn value(&self, attribute: Attribute<'_, '_>) -> Span {
        self.envelope.span(attribute.range_value())
    }
}

/// The name of an attribute without a namespace.
fn name<'a>(attribute: Attribute<'_, 'a>) -> Option<&'a str> {
    Some(attribute.name()).filter(|_| attribute.namespace().is_none())
}

fn quoted(attribute: Attribute<'_, '_>) -> String {
    quote(attribute.value().as_bytes())
}

/// A whole number of digits only.
fn whole(digits: &[u8], radix: u32) -> Option<u32> {
    let text =
        std::str::from_utf8(digits).ok().filter(|_| digits.iter().all(u8::is_ascii_hexdigit))?;
    u32::from_str_radix(text, radix).ok().filter(|number| i32::try_from(*number).is_ok())
}

fn first(span: Span) -> Span {
    Span::new(span.start, span.start + 1)
}

fn slice<'a>(text: &'a Text<'_>, span: Span) -> &'a str {
    text.as_str().get(span.start..span.end).unwrap_or_default()
}

/// The byte offset of a line and column, columns in characters.
fn offset(text: &str, place: roxmltree::TextPos) -> usize {
    let (row, column) = (place.row as usize, place.col as usize);
    let line_start = if row <= 1 {
        0
    } else {
        memchr::memchr_iter(b'\n', text.as_bytes()).nth(row - 2).map_or(0, |at| at + 1)
    };
    let line = text.get(line_start..).unwrap_or_default();
    let in_line =
        line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(at, _)| at);
    line_start + in_line
}
