//! The canonical form: one element per line, indented with tabs; attributes in double quotes,
//! separated by single spaces. The content of frames is left unchanged.

use anim_ir::encoding::{UTF8_MARK, text_start};
use anim_ir::xml::{Attribute, Tag, TagKind, Tags};
use anim_ir::{Span, xml};

use crate::document::Document;
use crate::tags::{slice, tags};

/// The whitespace characters of XML 1.0 (section 2.3). Other spaces, such as the no-break space,
/// are text.
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

impl Document<'_> {
    /// Formats the document in canonical form (`docs/castle.md`), in its original encoding.
    /// Content, comments and order are preserved.
    pub fn formatted(&self) -> Vec<u8> {
        let encoding = self.text.encoding();
        // XML parsers normalise line breaks to line feeds (XML 1.0, section 2.11).
        let (marks, text) = self.text().split_at(text_start(self.text().as_bytes()));
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let mut formatter = Formatter {
            text: &text,
            out: String::with_capacity(text.len()),
            depth: 0,
            at: 0,
            gap: Gap::Start,
        };
        // Cannot fail: a document is always well-formed.
        let _ = formatter.file();
        formatter.piece(text.get(formatter.at..).unwrap_or_default().trim_end_matches(BLANKS));
        // Cannot fail: all characters come from text in that encoding. The byte order mark takes
        // precedence over the declaration.
        let mark = marks.get(..UTF8_MARK.len()).unwrap_or_default();
        let out = format!("{mark}{}\n", formatter.out.trim_start_matches('\n'));
        encoding.encode(&out).unwrap_or_default().into_owned()
    }
}

/// What precedes the next piece.
#[derive(Clone, Copy, PartialEq)]
enum Gap {
    /// An opening tag, or the start of the text.
    Start,
    /// Anything else, without a blank line.
    Line,
    /// Anything else, followed by at least one blank line.
    Blank,
}

struct Formatter<'a> {
    text: &'a str,
    out: String,
    /// Number of open elements around the next piece.
    depth: usize,
    /// The offset up to which the text has been written.
    at: usize,
    gap: Gap,
}

impl<'a> Formatter<'a> {
    fn file(&mut self) -> Result<(), xml::Error> {
        let mut tags = tags(self.text);
        // The names of the open elements.
        let mut open: Vec<&str> = Vec::new();
        while let Some(tag) = tags.next().transpose()? {
            self.between(tag.span.start);
            if tag.kind == TagKind::Close {
                open.pop();
                self.close(tag);
                continue;
            }
            match (open.last().copied(), tag.name) {
                (None, _) | (Some("animations"), "animation") => {
                    self.tag(tag, tags.attributes());
                    if tag.kind == TagKind::Open {
                        open.push(tag.name);
                        self.depth = open.len();
                        self.gap = Gap::Start;
                    }
                }
                (Some("animation"), "frame") => self.frame(tag, &mut tags)?,
                _ => {
                    let element = element(tag, &mut tags)?;
                    self.piece(self.slice(element));
                    self.at = element.end;
                }
            }
        }
        self.between(self.text.len());
        Ok(())
    }

    fn frame(&mut self, open: Tag<'a>, tags: &mut Tags<'a>) -> Result<(), xml::Error> {
        let attributes = tags.attributes().to_vec();
        if open.kind == TagKind::Empty {
            self.tag(open, &attributes);
            return Ok(());
        }
        let mut children: Vec<Span> = Vec::new();
        let close = loop {
            match tags.next().transpose()? {
                Some(tag) if tag.depth > open.depth => children.push(element(tag, tags)?),
                Some(close) => break close,
                None => return Ok(()),
            }
        };
        // Format the gaps before, between and after the children.
        let starts = std::iter::once(open.span.end).chain(children.iter().map(|child| child.end));
        let ends = children.iter().map(|child| child.start).chain([close.span.start]);
        let mut gaps = starts.zip(ends).map(|(start, end)| self.slice(Span::new(start, end)));
        if gaps.clone().any(has_text) {
            // The content may be JSON.
            self.tag(open, &attributes);
            self.out.push_str(self.slice(Span::new(open.span.end, close.span.end)));
            self.at = close.span.end;
            return Ok(());
        }
        if gaps.all(|gap| gap.trim_matches(BLANKS).is_empty()) && children.is_empty() {
            self.tag(Tag { kind: TagKind::Empty, ..open }, &attributes);
            self.at = close.span.end;
            return Ok(());
        }
        self.tag(open, &attributes);
        self.depth += 1;
        self.gap = Gap::Start;
        for child in children {
            self.between(child.start);
            self.piece(self.slice(child));
            self.at = child.end;
        }
        self.between(close.span.start);
        self.close(close);
        Ok(())
    }

    /// Writes the comments, processing instructions and text up to an offset, each on a separate
    /// line, except comments at the end of a line.
    fn between(&mut self, end: usize) {
        let mut rest = self.slice(Span::new(self.at, end));
        loop {
            let start = rest.trim_start_matches(BLANKS);
            let line_ends = rest
                .get(..rest.len().saturating_sub(start.len()))
                .map_or(0, |blanks| blanks.matches('\n').count());
            if line_ends > 1 && self.gap == Gap::Line {
                self.gap = Gap::Blank;
            }
            let (piece, behind) = start.split_at_checked(piece_length(start)).unwrap_or_default();
            if piece.is_empty() {
                break;
            }
            if piece.starts_with("<!--") && line_ends == 0 && !self.out.is_empty() {
                self.out.push(' ');
                self.out.push_str(piece);
                self.gap = if self.gap == Gap::Start { Gap::Start } else { Gap::Line };
            } else {
                self.piece(piece);
            }
            rest = behind;
        }
        self.at = end;
    }

    /// Writes a piece on a new line. Line breaks inside the piece are kept.
    fn piece(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.line();
            self.out.push_str(piece);
            self.gap = Gap::Line;
        }
    }

    fn tag(&mut self, tag: Tag<'_>, attributes: &[Attribute]) {
        self.line();
        self.out.push('<');
        self.out.push_str(tag.name);
        for attribute in attributes {
            let value = self.slice(attribute.value);
            let quote = if value.contains('"') { '\'' } else { '"' };
            self.out.push(' ');
            self.out.push_str(self.slice(attribute.name));
            self.out.push('=');
            self.out.push(quote);
            self.out.push_str(value);
            self.out.push(quote);
        }
        self.out.push_str(if tag.kind == TagKind::Empty { "/>" } else { ">" });
        self.at = tag.span.end;
        self.gap = Gap::Line;
    }

    fn close(&mut self, tag: Tag<'_>) {
        self.depth = self.depth.saturating_sub(1);
        self.gap = Gap::Line;
        self.line();
        self.out.push_str("</");
        self.out.push_str(tag.name);
        self.out.push('>');
        self.at = tag.span.end;
    }

    fn line(&mut self) {
        self.out.push_str(if self.gap == Gap::Blank { "\n\n" } else { "\n" });
        (0..self.depth).for_each(|_| self.out.push('\t'));
    }

    fn slice(&self, span: Span) -> &'a str {
        slice(self.text, span)
    }
}

/// Returns the span from the start of an element's opening tag to the end of the element.
fn element<'a>(tag: Tag<'a>, tags: &mut Tags<'a>) -> Result<Span, xml::Error> {
    let mut end = tag.span.end;
    if tag.kind == TagKind::Open {
        for inner in tags.by_ref() {
            let inner = inner?;
            end = inner.span.end;
            if inner.depth == tag.depth {
                break;
            }
        }
    }
    Ok(Span::new(tag.span.start, end))
}

/// Whether there is text between tags other than whitespace, comments and processing
/// instructions.
fn has_text(gap: &str) -> bool {
    let mut rest = gap.trim_start_matches(BLANKS);
    while rest.starts_with("<!--") || rest.starts_with("<?") {
        rest = rest.get(piece_length(rest)..).unwrap_or_default().trim_start_matches(BLANKS);
    }
    !rest.is_empty()
}

/// Returns the length of the next comment, processing instruction, CDATA section or text between
/// tags, excluding trailing whitespace.
fn piece_length(text: &str) -> usize {
    let behind = |start: &str, end: &str| {
        let inside = text.get(start.len()..).unwrap_or_default();
        inside.find(end).map_or(text.len(), |at| start.len() + at + end.len())
    };
    match text {
        _ if text.starts_with("<!--") => behind("<!--", "-->"),
        _ if text.starts_with("<?") => behind("<?", "?>"),
        _ if text.starts_with("<![CDATA[") => behind("<![CDATA[", "]]>"),
        _ if text.starts_with("<!") => doctype_length(text),
        _ => text
            .get(..text.find('<').unwrap_or(text.len()))
            .map_or(0, |text| text.trim_end_matches(BLANKS).len()),
    }
}

/// Returns the length up to and including the first `>` outside quotes, or the whole length if
/// there is none.
fn doctype_length(text: &str) -> usize {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, '>') => return at + 1,
            _ => {}
        }
    }
    text.len()
}
