//! The guard in front of an XML document tree: one linear pass that finds the tags and refuses what
//! would make a tree expensive.
//!
//! A tree of nodes costs a hostile file little: ten megabytes of nested elements overflow stacks,
//! attributes and namespace declarations make readers quadratic, entities grow without bound.
//! [`Tags`] goes over the text first, in time and memory linear in it: it sees that tags match,
//! that values are quoted, that characters are those of XML 1.0, and that nothing goes beyond
//! [`MAX_DEPTH`], [`MAX_ATTRIBUTES`] and [`MAX_NAMESPACES`]. Declarations of entities are refused
//! with every other internal subset of a DTD; a DOCTYPE without one is skipped, what it names is
//! never fetched.
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

/// Goes over all of a text.
///
/// # Errors
///
/// [`struct@Error`], the first that there is.
pub fn check(text: &str) -> Result<(), Error> {
    Tags::new(text).try_for_each(|tag| tag.map(drop))
}
