//! A single-pass scanner for tags.

use crate::Span;
use crate::file::encoding::text_start;
use crate::file::xml::attributes::{Attribute, Attributes, Bare};
use crate::file::xml::cursor::{Cursor, Error, ErrorKind, is_blank, reference};

/// Maximum nesting depth of elements.
pub const MAX_DEPTH: usize = 256;

const DTD: &str = "DTD not allowed: the document type has an internal subset";

/// The kind of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagKind {
    /// `<a>`
    Open,
    /// `<a/>`
    Empty,
    /// `</a>`
    Close,
}

/// A tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    /// The kind of tag.
    pub kind: TagKind,
    /// The element's name, including its prefix.
    pub name: &'a str,
    /// The span from `<` to `>`, in bytes.
    pub span: Span,
    /// The depth of the element: 1 for the root.
    pub depth: usize,
}

/// An iterator over the tags of a document. Stops at the first error; an incomplete document is an
/// error.
#[derive(Clone, Debug)]
pub struct Tags<'a> {
    cursor: Cursor<'a>,
    /// The names of the open elements.
    open: Vec<Span>,
    attributes: Attributes<'a>,
    has_doctype: bool,
    has_root: bool,
    ended: bool,
}

impl<'a> Tags<'a> {
    /// Creates an iterator over the tags of a document.
    pub fn new(text: &'a str) -> Tags<'a> {
        Tags {
            cursor: Cursor { text, at: text_start(text.as_bytes()) },
            open: Vec::new(),
            attributes: Attributes::default(),
            has_doctype: false,
            has_root: false,
            ended: false,
        }
    }

    /// Like [`Tags::new`], but allows unescaped `<` and `&` in attribute values, which some
    /// programs write. [`Tags::bare`] returns their locations.
    pub fn tolerant(text: &'a str) -> Tags<'a> {
        let mut tags = Tags::new(text);
        tags.attributes.tolerant = true;
        tags
    }

    /// Returns the attributes of the last opening tag that [`Iterator::next`] returned.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes.list
    }

    /// Returns the unescaped characters in the attributes of the last opening tag; see
    /// [`Tags::tolerant`].
    pub fn bare(&self) -> &[Bare] {
        &self.attributes.bare
    }

    fn advance(&mut self) -> Result<Option<Tag<'a>>, Error> {
        loop {
            self.text()?;
            let outside = self.open.is_empty();
            match self.cursor.rest() {
                [] => return self.end().map(|()| None),
                [b'&', rest @ ..] => match reference(rest) {
                    Ok(length) => self.cursor.at += 1 + length,
                    Err(problem) => return Err(Error::syntax(self.cursor.here(1), problem)),
                },
                [b'<', b'/', ..] => return self.close().map(Some),
                [b'<', b'?', ..] => self.instruction()?,
                [b'<', b'!', b'-', b'-', ..] => self.comment()?,
                [b'<', b'!', b'[', b'C', b'D', b'A', b'T', b'A', b'[', ..] if !outside => {
                    self.cursor.skip(9, "]]>", "CDATA section")?
                }
                [b'<', b'!', ..] => self.doctype()?,
                _ => return self.open().map(Some),
            }
        }
    }

    /// Skips text up to the next `<` or `&`. Outside elements, only whitespace is allowed.
    fn text(&mut self) -> Result<(), Error> {
        let start = self.cursor.at;
        let found = memchr::memchr2(b'<', b'&', self.cursor.rest());
        self.cursor.at = found.map_or(self.cursor.text.len(), |length| start + length);
        self.cursor.check_characters(start)?;
        if !self.open.is_empty() {
            return Ok(());
        }
        let text = self.cursor.since(start).iter().position(|byte| !is_blank(*byte));
        let span = match (text, self.cursor.rest()) {
            (Some(at), _) => Span::new(start + at, start + at + 1),
            (None, [b'&', ..]) => self.cursor.here(1),
            _ => return Ok(()),
        };
        Err(Error::syntax(span, "text outside the root element"))
    }

    /// Checks that the document is complete at the end of the text.
    fn end(&self) -> Result<(), Error> {
        if let Some(name) = self.open.last() {
            let message = format!("the element {} is not closed", self.cursor.quoted(*name));
            return Err(Error::syntax(*name, message));
        }
        if !self.has_root {
            return Err(Error::syntax(self.cursor.here(0), "missing root element"));
        }
        Ok(())
    }

    fn open(&mut self) -> Result<Tag<'a>, Error> {
        let start = self.cursor.at;
        if self.open.is_empty() && self.has_root {
            return Err(Error::syntax(self.cursor.here(1), "a second root element"));
        }
        if self.open.len() >= MAX_DEPTH {
            let message = format!("elements are nested deeper than {MAX_DEPTH}");
            return Err(Error::limit(self.cursor.here(1), message));
        }
        self.has_root = true;
        self.cursor.at += 1;
        let name = self.cursor.name("the name of an element")?;
        self.attributes.clear();
        let kind = loop {
            let before = self.cursor.at;
            self.cursor.blanks();
            match self.cursor.rest() {
                [b'>', ..] => {
                    self.cursor.at += 1;
                    break TagKind::Open;
                }
                [b'/', b'>', ..] => {
                    self.cursor.at += 2;
                    break TagKind::Empty;
                }
                [] => {
                    let message = format!("the tag of {} is not closed", self.cursor.quoted(name));
                    return Err(Error::syntax(name, message));
                }
                _ if self.cursor.at == before => {
                    return Err(self.cursor.unexpected("whitespace or `>`"));
                }
                _ => self.attributes.read(&mut self.cursor, name)?,
            }
        };
        let depth = self.open.len() + 1;
        if kind == TagKind::Open {
            self.open.push(name);
        }
        let span = Span::new(start, self.cursor.at);
        Ok(Tag { kind, name: self.cursor.str(name), span, depth })
    }

    fn close(&mut self) -> Result<Tag<'a>, Error> {
        let start = self.cursor.at;
        self.cursor.at += 2;
        let name = self.cursor.name("the name of an element")?;
        let (own, depth) = (self.cursor.str(name), self.open.len());
        let open = self.open.pop();
        if open.is_none_or(|open| self.cursor.str(open) != own) {
            let own = self.cursor.quoted(name);
            let message = match open.map(|open| self.cursor.quoted(open)) {
                Some(open) => {
                    format!("expected the closing tag of {open}, found the closing tag of {own}")
                }
                None => format!("closing tag of {own} without an opening tag"),
            };
            return Err(Error::syntax(name, message));
        }
        self.cursor.blanks();
        if self.cursor.rest().first() != Some(&b'>') {
            return Err(self.cursor.unexpected("`>`"));
        }
        self.cursor.at += 1;
        let span = Span::new(start, self.cursor.at);
        Ok(Tag { kind: TagKind::Close, name: own, span, depth })
    }

    fn comment(&mut self) -> Result<(), Error> {
        let start = self.cursor.at;
        self.cursor.skip(4, "--", "comment")?;
        if self.cursor.rest().first() != Some(&b'>') {
            let dashes = Span::new(self.cursor.at - 2, self.cursor.at);
            return Err(Error::syntax(dashes, "`--` is not allowed inside a comment"));
        }
        self.cursor.at += 1;
        self.cursor.check_characters(start)
    }

    fn instruction(&mut self) -> Result<(), Error> {
        let start = self.cursor.at;
        self.cursor.at += 2;
        let target = self.cursor.name("the target of a processing instruction")?;
        let is_declaration = self.cursor.str(target).eq_ignore_ascii_case("xml");
        if is_declaration && start > text_start(self.cursor.text.as_bytes()) {
            return Err(Error::syntax(
                target,
                "an XML declaration is only allowed at the start of the document",
            ));
        }
        self.cursor.at = start;
        self.cursor.skip(2, "?>", "processing instruction")
    }

    /// Skips a document type declaration without an internal subset: a name and an external
    /// identifier.
    fn doctype(&mut self) -> Result<(), Error> {
        let start = self.cursor.at;
        let keyword = Span::new(start, start + b"<!DOCTYPE".len());
        if self.cursor.str(keyword) != "<!DOCTYPE" || self.has_root || self.has_doctype {
            return Err(Error::syntax(self.cursor.here(2), "expected an element"));
        }
        self.has_doctype = true;
        self.cursor.at = keyword.end;
        while let Some(byte) = self.cursor.rest().first().copied() {
            self.cursor.at += 1;
            match byte {
                b'>' => return self.cursor.check_characters(start),
                b'[' => {
                    return Err(Error { kind: ErrorKind::Dtd, span: keyword, message: DTD.into() });
                }
                b'<' => break,
                mark @ (b'"' | b'\'') => {
                    let unclosed =
                        || Error::syntax(self.cursor.here(1), "the quoted text is not closed");
                    let length = memchr::memchr(mark, self.cursor.rest()).ok_or_else(unclosed)?;
                    self.cursor.at += length + 1;
                }
                _ => {}
            }
        }
        Err(Error::syntax(keyword, "the DOCTYPE is not closed"))
    }
}

impl<'a> Iterator for Tags<'a> {
    type Item = Result<Tag<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let tag = self.advance();
        self.ended = !matches!(tag, Ok(Some(_)));
        tag.transpose()
    }
}
