//! Reader and writer for MindRender STT (`.stt`) state transition tables: named poses of a model's
//! nodes, which may move periodically, and states that play other states in sequence.
//!
//! The specification is the "Animation File Specification (STT files)" by Themekit Ltd., 1997,
//! which third-party applications may use freely. `docs/stt.md` in the repository explains every
//! choice of interpretation. (The model itself is stored in another format, ODT, whose licence
//! forbids reading it.)
//!
//! ```
//! let file = b"#MINDRENDER 1.1 2
//! {patrol} KEYFRAME 1 1 {scan} 1 6.0 6.0 0 0 {scan}
//! {scan} SINGLE 1 {left eye} DYNAMIC
//! 0 2 0 0 2 0 0 0 8
//! 0 0 0 0 0 0 0 0 8
//! 0 -20 0 0 20 0 3 0 7
//! ";
//! let parsed = fmt_stt::Document::parse(&file[..])?;
//! assert!(parsed.diagnostics.is_empty());
//! let mut document = parsed.value;
//! assert_eq!(*document.to_bytes(), *file); // unedited: every byte
//!
//! let scan = document.states().find(|state| state.name() == "scan").ok_or("no such state")?;
//! let eye = scan.nodes().next().ok_or("no node")?;
//! let fmt_stt::Behaviour::Dynamic([displacement, _, orientation]) = eye.behaviour() else {
//!     return Err("it moves".into());
//! };
//! assert_eq!(displacement.start, [0.0, 2.0, 0.0]);
//! assert_eq!((orientation.kind, orientation.period), (fmt_stt::ChannelType::Sine, 3.0));
//!
//! // Change a key's forward step (time and morph flag). Only that state's line changes.
//! document.set_forward(0, 0, fmt_stt::Step { seconds: 4.5, morph: true })?;
//! let edited = b"#MINDRENDER 1.1 2\n{patrol} KEYFRAME 1 1 {scan} 1 4.500000 6.0 1 0 {scan}\n";
//! assert!(document.to_bytes().starts_with(edited));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Fidelity
//!
//! A [`Document`] keeps every byte: an unedited document is written back unchanged. After an
//! error, reading continues at the next state. Unreadable text is reported and omitted from the
//! document's states, but kept in its bytes. Flags are read as booleans, and types beyond 32 bits
//! are clamped.
//!
//! [`to_ir()`] converts the states to waves, with angles in radians. The scene's extras store the
//! original states, from which [`from_extras`] restores the exact values. Writing other scenes
//! ([`from_ir()`]) preserves waves, constants and sequences of states; clips with keys become
//! static states. The format has no hierarchy, scale, visibility or events.

pub mod codes;
mod content;
mod document;
mod edits;
mod error;
mod extras;
mod format;
mod formatter;
mod from_ir;
mod length;
mod motion;
mod options;
mod parser;
mod references;
mod sniff;
mod state_names;
mod to_ir;
mod tokens;
mod writer;

pub use anim_ir::{EditError, ParseError};
pub use document::{Document, Key, Node, Sequence, State};
pub use error::FromIrError;
pub use extras::{from_extras, rotation_order};
pub use format::Stt;
pub use from_ir::from_ir;
pub use motion::{Behaviour, Channel, ChannelType, Part, SequenceType, Step};
pub use options::{FromIr, ParseOptions, ToIr};
pub use sniff::sniff;
pub use to_ir::to_ir;
pub use writer::{NewKey, NewMotion, NewNode, NewSequence, NewState};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
