//! Reader and writer for STT (`.stt`), the state transition tables of MindRender: named states of a
//! model's nodes, which may move in waves, and states that play other states.
//!
//! The specification is the "Animation File Specification (STT files)" by Themekit Ltd., 1997,
//! which is free for third-party applications. `docs/stt.md` in the repository lists every choice
//! of interpretation with its reason. (The model that the nodes belong to is in a file of another
//! format, ODT, whose licence forbids reading it.)
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
//! // States become clips of waves and a state machine that plays them.
//!
//! document.set_forward(0, 0, fmt_stt::Step { seconds: 4.5, morph: true })?;
//! let edited = b"#MINDRENDER 1.1 2\n{patrol} KEYFRAME 1 1 {scan} 1 4.500000 6.0 1 0 {scan}\n";
//! assert!(document.to_bytes().starts_with(edited));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is kept and what is not
//!
//! A [`Document`] keeps every byte: an unedited one writes back what was read. After an error,
//! reading continues at the next state; anything unreadable is missing from the document's states,
//! is kept in its bytes, and has a diagnostic. Flags are read as booleans, and types beyond 32 bits
//! are clamped.
//!
//! A scene ([`to_ir()`]) has the states as waves, in radians. Its extras carry the original states,
//! from which [`from_extras`] restores the same values. Writing other scenes ([`from_ir()`])
//! preserves waves, constants and sequences of states; clips with keys become static states. The
//! format has no hierarchy, scale, visibility or events.

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
