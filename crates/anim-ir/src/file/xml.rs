//! A check to run before XML parsing: a linear pass over the tags that rejects documents for which
//! building a tree would be expensive.
//!
//! With a DOM parser, a small malicious file can do a lot of damage: nested elements overflow the
//! stack, attributes and namespace declarations take quadratic time, and entities expand without
//! bound. [`Tags`] scans the text first, in linear time and memory. It checks that tags match,
//! values are quoted and there are no control characters that XML 1.0 forbids, and enforces
//! [`MAX_DEPTH`], [`MAX_ATTRIBUTES`] and [`MAX_NAMESPACES`]. Documents with an internal DTD subset,
//! which could declare entities, are rejected. A DOCTYPE without one is skipped, and its external
//! identifier is not fetched.
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
mod escape;
mod tags;
#[cfg(test)]
mod tests;

pub use attributes::{Attribute, Bare, MAX_ATTRIBUTES, MAX_NAMESPACES};
pub use cursor::{Error, ErrorKind, is_character, unescaped};
pub use escape::{push_attribute, push_text};
pub use tags::{MAX_DEPTH, Tag, TagKind, Tags};

/// Checks a whole document.
///
/// # Errors
///
/// Returns the first [`struct@Error`].
pub fn check(text: &str) -> Result<(), Error> {
    Tags::new(text).try_for_each(|tag| tag.map(drop))
}
