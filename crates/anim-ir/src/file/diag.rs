//! Diagnostics: problems in a file, with their location and what to do about them.
//!
//! Every kind of problem has a [`Code`] with a stable name and an explanation. A [`Diagnostic`] is
//! one occurrence of it. [`Diagnostics`] keeps the first [`Diagnostics::KEPT_PER_CODE`] of each
//! code and counts the rest, so that a hostile file costs no more than a broken one.

pub(crate) mod code;
pub(crate) mod diagnostics;
mod quote;

pub use code::{Category, Code, Severity};
pub use diagnostics::{Converted, Diagnostic, Diagnostics, Fix, Parsed, Span};
pub use quote::{escape, plural, quote};
