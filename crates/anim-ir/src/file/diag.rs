//! Diagnostics: problems in a file, with their locations and possible repairs.
//!
//! Every kind of problem has a [`Code`] with a stable name and an explanation. A [`Diagnostic`] is
//! one occurrence. By default, [`Diagnostics`] keeps the first [`Diagnostics::KEPT_PER_CODE`] of
//! each code and counts the rest, which bounds the memory that a malicious file can use.

pub(crate) mod code;
pub(crate) mod diagnostics;
mod quote;

pub use code::{Category, Code, Severity};
pub use diagnostics::{Converted, Diagnostic, Diagnostics, Fix, Parsed, Span};
pub use quote::{escape, plural, quote, quote_path, seconds};
