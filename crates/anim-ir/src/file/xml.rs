//! A guard for XML parsing: one linear pass over the tags that rejects whatever would make a
//! document tree expensive.
//!
//! A small hostile file can make a document tree expensive: nested elements overflow stacks,
//! attributes and namespace declarations make parsers quadratic, entities grow without bound.
//! [`Tags`] scans the text first, in linear time and memory. It checks that tags match, that
//! values are quoted, that characters are those of XML 1.0, and that nothing exceeds
//! [`MAX_DEPTH`], [`MAX_ATTRIBUTES`] and [`MAX_NAMESPACES`]. An internal DTD subset, and with it
//! every entity declaration, is rejected. A DOCTYPE without one is skipped, and nothing that it
//! names is fetched.
//!
//! ```
//! use anim_ir::xml::{self, TagKind, Tags};
//! let names: Vec<_> = Tags::new("<a><b/></a>")
//!     .map(|tag| tag.map(|tag| (tag.kind, tag.name)))
//!     .collect::<Result<_, _>>()?;
//! assert_eq!(names, [(TagKind::Open, "a"), (TagKind::Empty, "b"), (TagKind::Close, "a")]);
//! assert!(xml::check("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>").is_err());
//! # Ok::<(), xml::Error>(())
//! ```

mod attributes;
mod cursor;
mod tags;
#[cfg(test)]
mod tests;

pub use attributes::{Attribute, Bare, MAX_ATTRIBUTES, MAX_NAMESPACES};
pub use cursor::{Error, ErrorKind, is_character};
pub use tags::{MAX_DEPTH, Tag, TagKind, Tags};

/// Checks a whole text.
///
/// # Errors
///
/// The first [`struct@Error`].
pub fn check(text: &str) -> Result<(), Error> {
    Tags::new(text).try_for_each(|tag| tag.map(drop))
}
