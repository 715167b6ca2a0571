//! Format-independent support for reading and writing files: diagnostics, limits, text encodings,
//! numbers and XML.

pub mod address;
pub(crate) mod budget;
pub mod diag;
pub mod digits;
pub(crate) mod edits;
pub mod encoding;
pub(crate) mod error;
pub mod fix;
pub(crate) mod limits;
pub(crate) mod listing;
pub mod number;
pub mod number_list;
pub(crate) mod resolver;
pub(crate) mod short_number;
pub(crate) mod sniff;
pub mod source;
pub(crate) mod suggest;
pub mod text;
pub(crate) mod unique_names;
pub mod xml;
