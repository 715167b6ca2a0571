//! Draws scenes without a GPU.
//!
//! [`curves`], [`timeline`] and [`states`] draw diagrams as self-contained SVG: the curves of a
//! clip, all clips and events on a common time axis, and state machines.

mod diagram;

pub use diagram::curves::curves;
pub use diagram::states::states;
pub use diagram::timeline::timeline;
pub use diagram::{DiagramError, DiagramOptions};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
