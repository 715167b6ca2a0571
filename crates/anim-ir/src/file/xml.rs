//! The guard in front of an XML document tree: one linear pass that finds the tags and refuses what
//! would make a tree expensive.
//!
//! A tree of nodes costs a hostile file little: ten megabytes of nested elements overflow stacks,
//! attributes and namespace declarations make readers quadratic, entities grow without bound.
//! [`Tags`] goes over the text first, in time and memory linear in it: it sees that tags match, that values are quoted, that characters are those of XML 1.0, and that nothing goes beyond [`MAX_DEPTH`],
//! [`MAX_ATTRIBUTES`] and [`MAX_NAMESPACES`]. Declarations of entities are refused with every other
//! internal subset of a DTD; a DOCTYPE without one is skipped, what it names is never fetched.
//!
//! ```
//! use anim_ir::xml::{self, TagKind, Tags};
//! let names: Vec<_> = Tags::new("<a><b/></a>").map(|tag| tag.map(|tag| (tag.kind, tag.name))).collect::<Result<_, _>>()?;
//! assert_eq!(names, [(TagKind::Open, "a"), (TagKind::Empty, "b"), (TagKind::Close, "a")]);
//! assert!(xml::check("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>").is_err());
//! # Ok::<(), xml::Error>(())
//! ```

use std::collections::HashSet;

use memchr::memmem;
use thiserror::Error;

use crate::file::diag::{Fix, Span, quote};

/// How deep elements may be nested.
pub const MAX_DEPTH: usize = 256;
/// How many attributes a tag may have.
pub const MAX_ATTRIBUTES: usize = 256;
/// How many different namespace declarations a document may have. The same declaration in many
/// places counts once.
pub const MAX_NAMESPACES: usize = 256;
/// How many pairs of namespaces a reader may have to compare: each element that declares some costs
/// the square of their number.
const MAX_NAMESPACE_PAIRS: usize = 1 << 28;

/// What kind of problem a text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// It is not well-formed XML.
    Syntax,
    /// It has a DTD of its own, which could declare entities.
    Dtd,
    /// It is beyond one of the limits.
    Limit,
}

/// Why a text is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Error {
    /// What kind of problem it is.
    pub kind: ErrorKind,
    /// Where, in bytes of the text.
    pub span: Span,
    /// One sentence, no full stop.
    pub message: String,
}

/// What a tag does.
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
    /// What it does.
    pub kind: TagKind,
    /// The element's name, with its prefix.
    pub name: &'a str,
    /// From `<` to `>`, in bytes of the text.
    pub span: Span,
    /// How deep the element is: 1 for the root.
    pub depth: usize,
}

/// An attribute of a tag, in bytes of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name, with its prefix.
    pub name: Span,
    /// Its value as written, without the quotes.
    pub value: Span,
}

/// Goes over all of a text.
///
/// # Errors
///
/// [`struct@Error`], the first that there is.
pub fn check(text: &str) -> Result<(), Error> {
    Tags::new(text).try_for_each(|tag| tag.map(drop))
}

/// The tags of a document in order. Ends at the first error, and with one where the document is not
/// complete.
#[derive(Clone, Debug)]
pub struct Tags<'a> {
    text: &'a str,
    at: usize,
    /// Names of the elements that are open.
    open: Vec<Span>,
    attributes: Vec<Attribute>,
    namespaces: HashSet<(&'a str, &'a str)>,
    namespace_pairs: usize,
    has_doctype: bool,
    has_root: bool,
    ended: bool,
    repaired: Option<(&'static str, &'static str)>,
    repairs: Vec<Fix>,
}

impl<'a> Tags<'a> {
    /// The tags of a document.
    pub fn new(text: &'a str) -> Tags<'a> {
        Tags {
            text,
            at: if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 },
            open: Vec::new(),
            attributes: Vec::new(),
            namespaces: HashSet::new(),
            namespace_pairs: 0,
            has_doctype: false,
            has_root: false,
            ended: false,
            repaired: None,
            repairs: Vec::new(),
        }
    }

    /// Takes `<` and `&` for themselves in the values of one attribute of one element, as programs
    /// write them that do not escape.
    #[must_use]
    pub fn repairing(self, element: &'static str, attribute: &'static str) -> Tags<'a> {
        Tags { repaired: Some((element, attribute)), ..self }
    }

    /// What must be replaced to make the text so far well-formed.
    pub fn repairs(&self) -> &[Fix] {
        &self.repairs
    }

    /// Attributes of the tag that [`Iterator::next`] gave last; those of an opening tag stay until
    /// the next one opens.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    fn advance(&mut self) -> Result<Option<Tag<'a>>, Error> {
        loop {
            let start = self.at;
            let found = memchr::memchr2(b'<', b'&', self.rest());
            self.at = found.map_or(self.text.len(), |length| start + length);
            self.characters(start)?;
            let outside = self.open.is_empty();
            if outside && let Some(at) = self.bytes(start).iter().position(|byte| !is_blank(*byte))
            {
                let end = start + at + 1;
                return Err(self.syntax(
                    Span::new(start + at, end),
                    "text outside the root element".to_owned(),
                ));
            }
            match self.rest() {
                [] if let Some(name) = self.open.last() => {
                    return Err(self.syntax(
                        *name,
                        format!("the element {} is not closed", self.quoted(*name)),
                    ));
                }
                [] if !self.has_root => {
                    return Err(self.syntax(
                        Span::new(self.at, self.at),
                        "there is no root element".to_owned(),
                    ));
                }
                [] => return Ok(None),
                [b'&', ..] if outside => {
                    return Err(
                        self.syntax(self.here(1), "text outside the root element".to_owned())
                    );
                }
                [b'&', rest @ ..] => match reference(rest) {
                    Ok(length) => self.at += 1 + length,
                    Err(problem) => return Err(self.syntax(self.here(1), problem)),
                },
                [b'<', b'/', ..] => return self.close().map(Some),
                [b'<', b'?', ..] => self.instruction()?,
                [b'<', b'!', b'-', b'-', ..] => self.comment()?,
                [b'<', b'!', b'[', b'C', b'D', b'A', b'T', b'A', b'[', ..] if !outside => {
                    self.skip(9, "]]>", "CDATA section")?
                }
                [b'<', b'!', ..] => self.doctype()?,
                _ => return self.open().map(Some),
            }
        }
    }

    fn open(&mut self) -> Result<Tag<'a>, Error> {
        let start = self.at;
        if self.open.is_empty() && self.has_root {
            return Err(self.syntax(self.here(1), "a second root element".to_owned()));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(
                self.limit(self.here(1), format!("elements are nested deeper than {MAX_DEPTH}"))
            );
        }
        self.has_root = true;
        self.at += 1;
        let name = self.name("the name of an element")?;
        self.attributes.clear();
        let kind = loop {
            let before = self.at;
            self.blanks();
            match self.rest() {
                [b'>', ..] => {
                    self.at += 1;
                    break TagKind::Open;
                }
                [b'/', b'>', ..] => {
                    self.at += 2;
                    break TagKind::Empty;
                }
                [] => {
                    return Err(
                        self.syntax(name, format!("the tag of {} does not end", self.quoted(name)))
                    );
                }
                _ if self.at == before => {
                    return Err(self.syntax(
                        self.here(1),
                        format!("expected a blank or `>`, found {}", self.found()),
                    ));
                }
                _ => self.attribute(name)?,
            }
        };
        let depth = self.open.len() + 1;
        if kind == TagKind::Open {
            self.open.push(name);
        }
        Ok(Tag { kind, name: self.str(name), span: Span::new(start, self.at), depth })
    }

    fn attribute(&mut self, element: Span) -> Result<(), Error> {
        let name = self.name("an attribute")?;
        if self.attributes.len() >= MAX_ATTRIBUTES {
            return Err(self.limit(
                name,
                format!(
                    "the element {} has more than {MAX_ATTRIBUTES} attributes",
                    self.quoted(element)
                ),
            ));
        }
        let own = self.str(name);
        if self
            .attributes
            .iter()
            .any(|other| other.name.len() == own.len() && self.str(other.name) == own)
        {
            return Err(
                self.syntax(name, format!("the attribute {} is given twice", self.quoted(name)))
            );
        }
        self.blanks();
        if self.rest().first() != Some(&b'=') {
            return Err(self.syntax(
                self.here(1),
                format!(
                    "expected `=` behind the attribute {}, found {}",
                    self.quoted(name),
                    self.found()
                ),
            ));
        }
        self.at += 1;
        self.blanks();
        let mark = match self.rest() {
            [mark @ (b'"' | b'\''), ..] => *mark,
            _ => {
                return Err(self.syntax(
                    self.here(1),
                    format!(
                        "expected a quoted value for {}, found {}",
                        self.quoted(name),
                        self.found()
                    ),
                ));
            }
        };
        self.at += 1;
        let start = self.at;
        let repaired = self.repaired == Some((self.str(element), own));
        loop {
            let Some(length) = memchr::memchr3(mark, b'<', b'&', self.rest()) else {
                return Err(self.syntax(
                    Span::new(start - 1, start),
                    format!("the value of {} does not end", self.quoted(name)),
                ));
            };
            self.at += length;
            let (replacement, problem) = match self.rest() {
                [b'&', rest @ ..] => match reference(rest) {
                    Ok(length) => {
                        self.at += 1 + length;
                        continue;
                    }
                    // A number that is no character's was meant as a reference.
                    Err(problem) => {
                        (if rest.first() == Some(&b'#') { "" } else { "&amp;" }, problem)
                    }
                },
                [b'<', ..] => (
                    "&lt;",
                    format!("`<` in the value of {} must be written `&lt;`", self.quoted(name)),
                ),
                _ => break,
            };
            if !repaired || replacement.is_empty() {
                return Err(self.syntax(self.here(1), problem));
            }
            self.repairs.push(Fix { span: self.here(1), replacement: replacement.to_owned() });
            self.at += 1;
        }
        self.characters(start)?;
        let value = Span::new(start, self.at);
        self.at += 1;
        self.attributes.push(Attribute { name, value });
        if own == "xmlns" || own.starts_with("xmlns:") {
            self.namespace(name, value)
        } else {
            Ok(())
        }
    }

    fn namespace(&mut self, name: Span, value: Span) -> Result<(), Error> {
        self.namespaces.insert((self.str(name), self.str(value)));
        let count = self.namespaces.len();
        self.namespace_pairs = self.namespace_pairs.saturating_add(count * count);
        if count > MAX_NAMESPACES || self.namespace_pairs > MAX_NAMESPACE_PAIRS {
            return Err(self.limit(
                name,
                format!(
                    "there are too many namespace declarations, \
                {MAX_NAMESPACES} different ones at most"
                ),
            ));
        }
        Ok(())
    }

    fn close(&mut self) -> Result<Tag<'a>, Error> {
        let start = self.at;
        self.at += 2;
        let name = self.name("the name of an element")?;
        let depth = self.open.len();
        match self.open.pop() {
            Some(open) if self.str(open) == self.str(name) => {}
            Some(open) => {
                return Err(self.syntax(
                    name,
                    format!(
                        "expected the end of {}, found that of {}",
                        self.quoted(open),
                        self.quoted(name)
                    ),
                ));
            }
            None => {
                return Err(self.syntax(
                    name,
                    format!("the end of {}, which did not begin", self.quoted(name)),
                ));
            }
        }
        self.blanks();
        if self.rest().first() != Some(&b'>') {
            return Err(self.syntax(self.here(1), format!("expected `>`, found {}", self.found())));
        }
        self.at += 1;
        Ok(Tag {
            kind: TagKind::Close,
            name: self.str(name),
            span: Span::new(start, self.at),
            depth,
        })
    }

    fn comment(&mut self) -> Result<(), Error> {
        let start = self.at;
        self.skip(4, "--", "comment")?;
        if self.rest().first() != Some(&b'>') {
            let dashes = Span::new(self.at - 2, self.at);
            return Err(self.syntax(dashes, "a comment must not have `--` in it".to_owned()));
        }
        self.at += 1;
        self.characters(start)
    }

    fn instruction(&mut self) -> Result<(), Error> {
        let start = self.at;
        self.at += 2;
        let target = self.name("the target of a processing instruction")?;
        let begins =
            start == 0 || (start == '\u{feff}'.len_utf8() && self.text.starts_with('\u{feff}'));
        if self.str(target).eq_ignore_ascii_case("xml") && !begins {
            return Err(
                self.syntax(target, "an XML declaration can only begin the document".to_owned())
            );
        }
        self.at = start;
        self.skip(2, "?>", "processing instruction")
    }

    /// A document type declaration without an internal subset: a name and where its DTD would be.
    fn doctype(&mut self) -> Result<(), Error> {
        let start = self.at;
        let keyword = Span::new(start, start + b"<!DOCTYPE".len());
        if self.str(keyword) != "<!DOCTYPE" || self.has_root || self.has_doctype {
            return Err(self.syntax(self.here(2), "expected an element".to_owned()));
        }
        self.has_doctype = true;
        self.at = keyword.end;
        loop {
            let Some(byte) = self.rest().first().copied() else {
                return Err(self.syntax(keyword, "the DOCTYPE does not end".to_owned()));
            };
            self.at += 1;
            match byte {
                b'>' => return self.characters(start),
                b'[' => {
                    let message =
                        "DTD not allowed: a document type with declarations of its own is refused"
                            .to_owned();
                    return Err(Error { kind: ErrorKind::Dtd, span: keyword, message });
                }
                b'<' => return Err(self.syntax(keyword, "the DOCTYPE does not end".to_owned())),
                mark @ (b'"' | b'\'') => match memchr::memchr(mark, self.rest()) {
                    Some(length) => self.at += length + 1,
                    None => {
                        return Err(
                            self.syntax(self.here(1), "a quoted text does not end".to_owned())
                        );
                    }
                },
                _ => {}
            }
        }
    }

    /// Goes behind `end`, which comes after a beginning of so many bytes.
    fn skip(&mut self, beginning: usize, end: &str, what: &str) -> Result<(), Error> {
        let start = self.at;
        self.at += beginning;
        match memmem::find(self.rest(), end.as_bytes()) {
            Some(length) => self.at += length + end.len(),
            None => {
                return Err(
                    self.syntax(Span::new(start, self.at), format!("the {what} does not end"))
                );
            }
        }
        self.characters(start)
    }

    fn name(&mut self, what: &str) -> Result<Span, Error> {
        let start = self.at;
        let rest = self.rest();
        if !rest.first().is_some_and(|byte| begins_name(*byte)) {
            return Err(
                self.syntax(self.here(1), format!("expected {what}, found {}", self.found()))
            );
        }
        let length = rest.iter().position(|byte| !continues_name(*byte)).unwrap_or(rest.len());
        self.at += length;
        Ok(Span::new(start, self.at))
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.iter().position(|byte| !is_blank(*byte)).unwrap_or(rest.len());
    }

    /// Sees that the text from `start` to here has characters of XML 1.0 only (section 2.2).
    fn characters(&self, start: usize) -> Result<(), Error> {
        let bytes = self.bytes(start);
        // Without a way out, so that it is done many bytes at a time.
        if !bytes.iter().fold(false, |any, byte| any | is_control(*byte)) {
            return Ok(());
        }
        let at = start + bytes.iter().position(|byte| is_control(*byte)).unwrap_or_default();
        let span = Span::new(at, at + 1);
        Err(self.syntax(span, format!("{} is no character of XML 1.0", self.quoted(span))))
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn bytes(&self, start: usize) -> &'a [u8] {
        self.text.as_bytes().get(start..self.at).unwrap_or_default()
    }

    fn str(&self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    fn here(&self, length: usize) -> Span {
        let end = self.at.saturating_add(length).min(self.text.len());
        // A message never points into a character.
        let boundary = (end..self.text.len()).find(|at| self.text.is_char_boundary(*at));
        Span::new(self.at, boundary.unwrap_or(self.text.len()))
    }

    fn found(&self) -> String {
        let here = self.here(1);
        if here.is_empty() { "the end".to_owned() } else { self.quoted(here) }
    }

    fn quoted(&self, span: Span) -> String {
        quote(self.str(span).as_bytes())
    }

    fn syntax(&self, span: Span, message: String) -> Error {
        Error { kind: ErrorKind::Syntax, span, message }
    }

    fn limit(&self, span: Span, message: String) -> Error {
        Error { kind: ErrorKind::Limit, span, message }
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

/// The length of a reference behind its `&`, or why it is none. Without a DTD there are five
/// entities (XML 1.0, section 4.6).
fn reference(rest: &[u8]) -> Result<usize, String> {
    // Leading zeros are allowed, within reason.
    const LONGEST: usize = 32;
    let head = rest.get(..rest.len().min(LONGEST)).unwrap_or_default();
    let name = memchr::memchr(b';', head).and_then(|end| head.get(..end)).unwrap_or_default();
    let number = match name {
        b"amp" | b"lt" | b"gt" | b"quot" | b"apos" => return Ok(name.len() + 1),
        [b'#', b'x', digits @ ..] => Some((digits, 16)),
        [b'#', digits @ ..] => Some((digits, 10)),
        _ => None,
    };
    let Some((digits, radix)) = number else {
        return Err(match name {
            [first, tail @ ..]
                if begins_name(*first) && tail.iter().all(|byte| continues_name(*byte)) =>
            {
                format!("there is no entity {}", quote(name))
            }
            _ => "`&` begins no reference and must be written `&amp;`".to_owned(),
        });
    };
    let code = std::str::from_utf8(digits)
        .ok()
        .filter(|_| digits.iter().all(u8::is_ascii_hexdigit))
        .and_then(|text| u32::from_str_radix(text, radix).ok());
    match code.and_then(char::from_u32) {
        Some(c) if is_character(c) => Ok(name.len() + 1),
        _ => Err(format!(
            "the reference {} is to no character of XML 1.0",
            quote(&[b"&", name, b";"].concat())
        )),
    }
}

/// Whether XML 1.0 has a character (section 2.2).
pub const fn is_character(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

const fn is_control(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Of the characters beyond ASCII a reader of trees knows which may be in names.
const fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':' | 0x80..)
}

const fn continues_name(byte: u8) -> bool {
    begins_name(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn error(text: &str) -> (ErrorKind, usize, String) {
        let error = check(text).unwrap_err();
        assert!(text.get(error.span.start..error.span.end).is_some(), "{error:?}");
        (error.kind, error.span.start, error.message)
    }

    #[test]
    fn what_is_well_formed() {
        for text in [
            "<a/>",
            "\u{feff}<?xml version='1.0'?>\n<!DOCTYPE a SYSTEM \"[>\" >\n<!-- - -->\n<a b = \
             'x>\"' c=\"&#65;&#x1F600;&amp;'\" >t&lt;<![CDATA[<&]]]><?p <?></a >\n<!---->",
            "<é:ö é='ü'></é:ö>",
            "<a xmlns='x' xmlns:b='y'><b:c/></a>",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn what_is_not_and_where() {
        for (text, at, message) in [
            ("", 0, "there is no root element"),
            ("<!-- x -->", 10, "there is no root element"),
            ("x<a/>", 0, "text outside the root element"),
            ("<a/> &amp;", 5, "text outside the root element"),
            ("<a/><b/>", 4, "a second root element"),
            ("<a><b></a>", 8, "expected the end of `b`, found that of `a`"),
            ("</a>", 2, "the end of `a`, which did not begin"),
            ("<a><b/>", 1, "the element `a` is not closed"),
            ("<a", 1, "the tag of `a` does not end"),
            ("<a b='x'c='y'/>", 8, "expected a blank or `>`, found `c`"),
            ("<a // b/>", 3, "expected an attribute, found `/`"),
            ("<a b/>", 4, "expected `=` behind the attribute `b`, found `/`"),
            ("<a b=x/>", 5, "expected a quoted value for `b`, found `x`"),
            ("<a b='x/>", 5, "the value of `b` does not end"),
            ("<a b='' c='' b=''/>", 13, "the attribute `b` is given twice"),
            ("<a b='<'/>", 6, "`<` in the value of `b` must be written `&lt;`"),
            ("<a b='c & d'/>", 8, "`&` begins no reference and must be written `&amp;`"),
            ("<a>&nbsp;</a>", 3, "there is no entity `nbsp`"),
            ("<a b='&#0;'/>", 6, "the reference `&#0;` is to no character of XML 1.0"),
            ("<a b='&#x1b;'/>", 6, "the reference `&#x1b;` is to no character of XML 1.0"),
            ("<a b='&#+65;'/>", 6, "the reference `&#+65;` is to no character of XML 1.0"),
            ("<a b='\u{1}'/>", 6, "`\\u{1}` is no character of XML 1.0"),
            ("<a>\0</a>", 3, "`\\u{0}` is no character of XML 1.0"),
            ("<a><!-- -- --></a>", 8, "a comment must not have `--` in it"),
            ("<a><!-- </a>", 3, "the comment does not end"),
            ("<a><![CDATA[ </a>", 3, "the CDATA section does not end"),
            ("<a><?xml version='1.0'?></a>", 5, "an XML declaration can only begin the document"),
            ("<a><!DOCTYPE a></a>", 3, "expected an element"),
            ("<é<", 3, "expected a blank or `>`, found `<`"),
            ("<a \u{1F600}='", 8, "the value of `\u{1F600}` does not end"),
        ] {
            let (kind, place, found) = error(text);
            assert_eq!((kind, place, found.as_str()), (ErrorKind::Syntax, at, message), "{text}");
        }
    }

    #[test]
    fn no_entity_is_ever_declared() {
        for text in [
            "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
            "<!DOCTYPE a SYSTEM 'x.dtd' [ <!ENTITY % p SYSTEM 'file:///etc/passwd'> %p; ]><a/>",
            "<?xml version='1.0'?><!DOCTYPE a[]><a/>",
        ] {
            assert_eq!(error(text).0, ErrorKind::Dtd, "{text}");
        }
    }

    /// Rows C17 to C19.
    #[test]
    fn limits() {
        let nested = |depth: usize| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
        assert_eq!(check(&nested(MAX_DEPTH)), Ok(()));
        assert_eq!(
            (error(&nested(1_000_000)).0, error(&nested(1_000_000)).1),
            (ErrorKind::Limit, 768)
        );

        let attributes = |count: usize| {
            format!("<a{}/>", (0..count).fold(String::new(), |text, n| text + &format!(" b{n}=''")))
        };
        assert_eq!(check(&attributes(MAX_ATTRIBUTES)), Ok(()));
        assert_eq!(error(&attributes(MAX_ATTRIBUTES + 1)).0, ErrorKind::Limit);

        let namespaces = |count: usize| {
            (0..count).fold(String::from("<a>"), |text, n| text + &format!("<b xmlns='{n}'/>"))
                + "</a>"
        };
        assert_eq!(check(&namespaces(MAX_NAMESPACES)), Ok(()));
        assert_eq!(error(&namespaces(MAX_NAMESPACES + 1)).0, ErrorKind::Limit);
        // The same ones on every frame.
        assert_eq!(
            check(&format!("<a>{}</a>", "<X3D xmlns:xsd='x' xmlns='y'/>".repeat(100_000))),
            Ok(())
        );
        // All on the root, and one again on each of many children: a reader of trees compares all
        // of them for each.
        let mut text =
            (0..200).fold(String::from("<a"), |text, n| text + &format!(" xmlns:n{n}='x'")) + ">";
        (0..100_000).for_each(|_| text.push_str("<b xmlns:n0='x'/>"));
        assert_eq!(error(&text).0, ErrorKind::Limit);
    }

    #[test]
    fn tags_with_depth_and_attributes() {
        let text = "<a b='1'><c/>text</a>";
        let mut tags = Tags::new(text);
        let open = tags.next().unwrap().unwrap();
        assert_eq!((open.kind, open.depth, open.span), (TagKind::Open, 1, Span::new(0, 9)));
        assert_eq!(
            tags.attributes(),
            [Attribute { name: Span::new(3, 4), value: Span::new(6, 7) }]
        );
        assert_eq!(tags.by_ref().map(|tag| tag.unwrap().depth).collect::<Vec<_>>(), [2, 1]);
        assert!(tags.next().is_none());
    }

    #[test]
    fn names_that_were_not_escaped() {
        let text = "<a name='x & y <z> &amp;'/>";
        let mut tags = Tags::new(text).repairing("a", "name");
        assert!(tags.by_ref().all(|tag| tag.is_ok()));
        let repairs: Vec<_> =
            tags.repairs().iter().map(|fix| (fix.span.start, fix.replacement.as_str())).collect();
        assert_eq!(repairs, [(11, "&amp;"), (15, "&lt;")]);
        assert!(
            Tags::new(text).repairing("a", "title").any(|tag| tag.is_err()),
            "only where it was asked for"
        );
        assert!(Tags::new(text).repairing("b", "name").any(|tag| tag.is_err()));
        assert!(Tags::new("<a name='&#0;'/>").repairing("a", "name").any(|tag| tag.is_err()));
    }

    #[test]
    fn cut_anywhere_it_is_an_error() {
        let mut text = String::from("<?xml version='1.0'?><!DOCTYPE a><a b='&lt;é'>");
        write!(text, "<!-- c --><d e=\"f\"/>x<![CDATA[y]]></a>").unwrap();
        assert_eq!(check(&text), Ok(()));
        for length in 0..text.len() {
            if let Some(cut) = text.get(..length) {
                error(cut);
            }
        }
    }
}
