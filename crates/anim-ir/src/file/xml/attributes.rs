//! The attributes of a tag and their namespace declarations.

use std::collections::HashSet;

use crate::Span;
use crate::file::xml::cursor::{Cursor, Error, reference};

/// Maximum number of attributes in a tag.
pub const MAX_ATTRIBUTES: usize = 256;
/// Maximum number of different namespace declarations in a document. Repeated declarations count
/// once.
pub const MAX_NAMESPACES: usize = 256;
/// Maximum number of namespace comparisons that a parser may have to make. It is estimated as the
/// sum, over all declarations, of the squared number of different declarations so far.
const MAX_NAMESPACE_PAIRS: usize = 1 << 28;

/// An attribute of a tag, as byte offsets in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The name, including its prefix.
    pub name: Span,
    /// The raw value, without the quotes.
    pub value: Span,
}

/// An unescaped `<` or `&` in an attribute value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bare {
    /// The name of the attribute.
    pub attribute: Span,
    /// The error that a strict parser would report. Its span is the character.
    pub error: Error,
}

/// Reads the attributes of each tag and counts the namespace declarations of the document.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes<'a> {
    /// The attributes of the last opening tag.
    pub(super) list: Vec<Attribute>,
    /// Bare characters in the last opening tag.
    pub(super) bare: Vec<Bare>,
    /// Whether bare characters are collected instead of rejected.
    pub(super) tolerant: bool,
    namespaces: HashSet<(&'a str, &'a str)>,
    namespace_pairs: usize,
}

impl<'a> Attributes<'a> {
    /// Starts a new tag.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.bare.clear();
    }

    /// Reads an attribute of an element.
    pub(super) fn read(&mut self, cursor: &mut Cursor<'a>, element: Span) -> Result<(), Error> {
        let name = cursor.name("an attribute")?;
        if self.list.len() >= MAX_ATTRIBUTES {
            let element = cursor.quoted(element);
            let message =
                format!("the element {element} has more than {MAX_ATTRIBUTES} attributes");
            return Err(Error::limit(name, message));
        }
        let own = cursor.str(name);
        let is_own =
            |other: &Attribute| other.name.len() == own.len() && cursor.str(other.name) == own;
        if self.list.iter().any(is_own) {
            let message = format!("duplicate attribute {}", cursor.quoted(name));
            return Err(Error::syntax(name, message));
        }
        cursor.blanks();
        if cursor.rest().first() != Some(&b'=') {
            return Err(
                cursor.unexpected(&format!("`=` after the attribute {}", cursor.quoted(name)))
            );
        }
        cursor.at += 1;
        cursor.blanks();
        let value = self.value(cursor, name)?;
        self.list.push(Attribute { name, value });
        if own == "xmlns" || own.starts_with("xmlns:") {
            self.namespace(cursor, name, value)
        } else {
            Ok(())
        }
    }

    /// Reads a value with its quotes.
    fn value(&mut self, cursor: &mut Cursor<'a>, name: Span) -> Result<Span, Error> {
        let [mark @ (b'"' | b'\''), ..] = *cursor.rest() else {
            return Err(cursor.unexpected(&format!("a quoted value for {}", cursor.quoted(name))));
        };
        cursor.at += 1;
        let start = cursor.at;
        loop {
            let Some(length) = memchr::memchr3(mark, b'<', b'&', cursor.rest()) else {
                let message = format!("the value of {} is not closed", cursor.quoted(name));
                return Err(Error::syntax(Span::new(start - 1, start), message));
            };
            cursor.at += length;
            match cursor.rest() {
                [b'&', rest @ ..] => match reference(rest) {
                    Ok(length) => cursor.at += 1 + length,
                    // A numeric reference to an invalid character is not a bare `&`, so it is an
                    // error even if bare characters are tolerated.
                    Err(problem) if rest.first() == Some(&b'#') => {
                        return Err(Error::syntax(cursor.here(1), problem));
                    }
                    Err(problem) => self.bare(cursor, name, problem)?,
                },
                [b'<', ..] => {
                    let name_quoted = cursor.quoted(name);
                    let problem =
                        format!("`<` in the value of {name_quoted} must be written `&lt;`");
                    self.bare(cursor, name, problem)?;
                }
                _ => break,
            }
        }
        cursor.check_characters(start)?;
        let value = Span::new(start, cursor.at);
        cursor.at += 1;
        Ok(value)
    }

    fn bare(
        &mut self,
        cursor: &mut Cursor<'a>,
        attribute: Span,
        problem: String,
    ) -> Result<(), Error> {
        let error = Error::syntax(cursor.here(1), problem);
        if !self.tolerant {
            return Err(error);
        }
        cursor.at += 1;
        self.bare.push(Bare { attribute, error });
        Ok(())
    }

    fn namespace(&mut self, cursor: &Cursor<'a>, name: Span, value: Span) -> Result<(), Error> {
        self.namespaces.insert((cursor.str(name), cursor.str(value)));
        let count = self.namespaces.len();
        self.namespace_pairs = self.namespace_pairs.saturating_add(count * count);
        if count > MAX_NAMESPACES || self.namespace_pairs > MAX_NAMESPACE_PAIRS {
            let message = format!("more than {MAX_NAMESPACES} different namespace declarations");
            return Err(Error::limit(name, message));
        }
        Ok(())
    }
}
