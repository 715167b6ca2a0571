//! The envelope: the text without the elements inside frames. It is small even if the frames
//! contain large X3D documents. Only the envelope is parsed into a tree.

use anim_ir::encoding::{UTF8_MARK, text_start};
use anim_ir::xml::{self, Bare, Tag, TagKind, Tags};
use anim_ir::{Fix, Span, sort_by};

use crate::tags::{slice, tags};

/// The text of a document without the elements inside its frames, and with escaped names.
#[derive(Debug, Default)]
pub(crate) struct Envelope {
    pub(crate) text: String,
    /// For each piece of the text, its offset in the envelope and its offset in the text.
    shifts: Vec<(usize, usize)>,
    /// The removed elements, in text order.
    payloads: Vec<Payload>,
    /// Replacements needed to make the text well-formed.
    pub(crate) repairs: Vec<Fix>,
}

/// The elements inside a frame, as spans of the text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Payload {
    /// The offset of the frame.
    frame: usize,
    /// The span to remove: from the first element to the last, or the JSON.
    removed: Span,
    /// JSON text, if the frame contains nothing else.
    pub(crate) json: Option<Span>,
    /// The first `X3D` element.
    pub(crate) x3d: Option<Span>,
    /// The second `X3D` element.
    pub(crate) second: Option<Span>,
    /// The first element that is not an `X3D` element.
    pub(crate) foreign: Option<Span>,
}

impl Envelope {
    /// Scans the text. If that fails, scans it again, tolerating unescaped names of animations.
    pub(crate) fn of(text: &str) -> Result<Envelope, xml::Error> {
        let mut envelope = match Envelope::scan(text, Tags::new(text)) {
            Ok(envelope) => envelope,
            // If the second scan also fails, report the original problem.
            Err(problem) => Envelope::scan(text, tags(text)).map_err(|_| problem)?,
        };
        envelope.repairs.extend(extra_marks(text));
        envelope.cut(text);
        Ok(envelope)
    }

    fn scan(text: &str, mut tags: Tags<'_>) -> Result<Envelope, xml::Error> {
        let (mut payloads, mut repairs) = (Vec::new(), Vec::new());
        // The outermost open frame, with its depth and the end of its tag.
        let mut frame: Option<(usize, usize, Payload)> = None;
        // The open element inside it.
        let mut child = (0, "");
        while let Some(tag) = tags.next().transpose()? {
            if tag.kind != TagKind::Close {
                for bare in tags.bare() {
                    repairs.push(escape_name(text, tag, bare)?);
                }
            }
            match &mut frame {
                None if tag.name == "frame" && tag.kind == TagKind::Open => {
                    let payload = Payload { frame: tag.span.start, ..Payload::default() };
                    frame = Some((tag.depth, tag.span.end, payload));
                }
                None => {}
                Some((depth, start, payload)) if tag.depth == *depth => {
                    if payload.removed.is_empty() {
                        payload.add_json(text, Span::new(*start, tag.span.start));
                    }
                    payloads.extend((!payload.removed.is_empty()).then_some(*payload));
                    frame = None;
                }
                Some((depth, _, payload)) if tag.depth == *depth + 1 => {
                    if tag.kind != TagKind::Close {
                        child = (tag.span.start, tag.name);
                    }
                    if tag.kind != TagKind::Open {
                        payload.add(child.1, Span::new(child.0, tag.span.end));
                    }
                }
                Some(_) => {}
            }
        }
        Ok(Envelope { payloads, repairs, ..Envelope::default() })
    }

    /// Copies the text without the elements inside frames, and with the repairs.
    fn cut(&mut self, text: &str) {
        let cuts = self.payloads.iter().map(|payload| (payload.removed, ""));
        let mut edits: Vec<(Span, &str)> = cuts
            .chain(self.repairs.iter().map(|fix| (fix.span, fix.replacement.as_str())))
            .collect();
        sort_by(&mut edits, |(a, _), (b, _)| a.cmp(b));
        let mut at = 0;
        for (span, replacement) in edits {
            // A repair inside a removed element does not affect the envelope.
            if span.start >= at {
                self.text.push_str(text.get(at..span.start).unwrap_or_default());
                self.text.push_str(replacement);
                at = span.end;
                self.shifts.push((self.text.len(), at));
            }
        }
        self.text.push_str(text.get(at..).unwrap_or_default());
    }

    /// Returns the elements inside the frame that starts at a given offset of the text.
    pub(crate) fn payload(&self, frame: usize) -> Option<&Payload> {
        let at = self.payloads.binary_search_by_key(&frame, |payload| payload.frame).ok()?;
        self.payloads.get(at)
    }

    /// Converts a span of the envelope to a span of the text.
    pub(crate) fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.place(range.start), self.place(range.end))
    }

    fn place(&self, at: usize) -> usize {
        let before = self.shifts.partition_point(|(envelope, _)| *envelope <= at).checked_sub(1);
        before
            .and_then(|before| self.shifts.get(before))
            .map_or(at, |(envelope, text)| at - envelope + text)
    }
}

/// Returns a fix that removes byte order marks after the first, which XML does not allow.
fn extra_marks(text: &str) -> Option<Fix> {
    let span = Span::new(UTF8_MARK.len(), text_start(text.as_bytes()));
    (span.start < span.end).then(|| Fix { span, replacement: String::new() })
}

/// Returns a fix that escapes a bare `<` or `&` in the name of an animation, since some programs
/// write such names. Anywhere else, a bare `<` or `&` is an error.
fn escape_name(text: &str, tag: Tag<'_>, bare: &Bare) -> Result<Fix, xml::Error> {
    if (tag.name, slice(text, bare.attribute)) != ("animation", "name") {
        return Err(bare.error.clone());
    }
    let span = bare.error.span;
    let replacement = if slice(text, span) == "<" { "&lt;" } else { "&amp;" };
    Ok(Fix { span, replacement: replacement.to_owned() })
}

impl Payload {
    fn add(&mut self, name: &str, element: Span) {
        if self.removed.is_empty() {
            self.removed = element;
        }
        self.removed.end = element.end;
        match (name, self.x3d) {
            ("X3D", None) => self.x3d = Some(element),
            ("X3D", Some(_)) => drop(self.second.get_or_insert(element)),
            _ => drop(self.foreign.get_or_insert(element)),
        }
    }
}

impl Payload {
    /// Adds the text of a frame if it is JSON. Text with comments or CDATA sections is left to the
    /// XML parser, which takes much longer.
    fn add_json(&mut self, text: &str, inside: Span) {
        let content = slice(text, inside);
        if content.trim_start().starts_with('{')
            && memchr::memchr(b'<', content.as_bytes()).is_none()
        {
            self.removed = inside;
            self.json = Some(inside);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_of_frames_is_removed_and_spans_are_kept() {
        let text = "<animation name='a & b'><frame time='0'> <X3D><frame/></X3D> \
                    <b/></frame><frame time='1'>text</frame></animation>";
        let envelope = Envelope::of(text).unwrap();
        assert_eq!(
            envelope.text,
            "<animation name='a &amp; b'><frame time='0'> </frame><frame \
             time='1'>text</frame></animation>"
        );
        let same = |piece: &str| {
            let at = envelope.text.find(piece).unwrap();
            let span = envelope.span(at..at + piece.len());
            assert_eq!(text.get(span.start..span.end), Some(piece));
        };
        ["<animation", "b'", "<frame time='0'>", "</frame>", "time='1'", "</animation>"]
            .into_iter()
            .for_each(same);
        let whole = envelope.text.find("&amp;").unwrap();
        assert_eq!(envelope.span(whole..whole + 5), Span::new(19, 20));

        let payload = envelope.payload(text.find("<frame").unwrap()).unwrap();
        let slice = |span: Option<Span>| span.and_then(|span| text.get(span.start..span.end));
        assert_eq!(
            (slice(payload.x3d), slice(payload.foreign)),
            (Some("<X3D><frame/></X3D>"), Some("<b/>"))
        );
        assert!(envelope.payload(text.rfind("<frame").unwrap()).is_none());
    }

    #[test]
    fn json_is_removed() {
        let text = "<animation><frame time='0'> {&quot;a&quot;: 1}\n</frame><frame>{<!-- -->}\
                    </frame></animation>";
        let envelope = Envelope::of(text).unwrap();
        let rest = "<animation><frame time='0'></frame><frame>{<!-- -->}</frame></animation>";
        assert_eq!(envelope.text, rest);
        let json = envelope.payload(text.find("<frame").unwrap()).unwrap().json.unwrap();
        assert_eq!(slice(text, json), " {&quot;a&quot;: 1}\n");
    }

    #[test]
    fn only_names_of_animations_are_repaired() {
        let envelope = |text: &str| Envelope::of(text);
        let escaped = envelope("<animation name='x & y <z> &amp;'/>").unwrap();
        assert_eq!(escaped.text, "<animation name='x &amp; y &lt;z> &amp;'/>");
        for text in [
            "<animation title='a & b'/>",
            "<animations name='a & b'/>",
            "<animation name='&#0;'/>",
            "<animation name='a & b' title='<'/>",
        ] {
            assert!(envelope(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_repair_that_does_not_help_is_not_made() {
        let problem = Envelope::of("<animation name='a><frame time='0'/></animation>").unwrap_err();
        assert_eq!(problem.span.start, 19, "{problem}");
    }
}
