//! What reading and writing files needs, whatever the format: diagnostics with places, limits,
//! text, numbers, XML.

pub mod diag;
pub mod fix;
pub(crate) mod limits;
pub(crate) mod listing;
pub mod number;
pub(crate) mod sniff;
pub mod source;
pub mod text;
pub mod xml;
