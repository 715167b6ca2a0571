//! Reader and writer of castle-anim-frames (`.castle-anim-frames`, older `.kanim`): an XML list of
//! still 3D frames with times.
//!
//! The specification is the page of Castle Game Engine on the format, "Castle Animation Frames
//! (castle-anim-frames) file format". `docs/castle.md` in the repository has every reading that was
//! chosen, with its reason.
//!
//! This crate knows the list: animations, times, attributes, and where each frame's content is. The
//! content itself, X3D most of all, is a format of its own and stays as it is, byte for byte.
//!
//! ```
//! let file = br#"<animation name="wave" loop="true">
//!   <frame time="0" url="down.x3d"/>
//!   <frame time="0.5"><X3D version="3.0"><Scene/></X3D></frame>
//! </animation>"#;
//! let parsed = fmt_castle::Document::parse(&file[..])?;
//! let mut document = parsed.value;
//! assert_eq!(document.to_bytes(), &file[..]); // unedited: every byte
//!
//! let wave = &document.animations()[0];
//! assert_eq!((wave.name.as_str(), wave.loops, wave.range()), ("wave", true, (0.0, 0.5)));
//! let fmt_castle::Content::X3d(element) = wave.frames[1].content else {
//!     panic!("the content is inside")
//! };
//! assert!(document.text()[element.start..element.end].starts_with("<X3D version"));
//!
//! document.set_time(0, 1, 0.75)?;
//! assert!(document.text().contains("<frame time=\"0.75\"><X3D"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is kept and what is not
//!
//! A [`Document`] keeps every byte: an unedited one writes back what was read. Reading goes on
//! after an error; what could not be read is missing from the document's content, is still in its
//! text, and has a diagnostic.
//!
//! Files are hostile: the text is checked by [`anim_ir::xml`] before any of it becomes a tree, only
//! what is around the frames' content does, entity declarations are refused, and nothing a file
//! names is opened.
//!
//! Writing a scene ([`from_ir()`]) makes stills of it. They have no bones, no events, and no curves
//! between them.

pub mod codes;
mod content;
mod document;
mod edits;
mod envelope;
mod error;
mod facts;
mod format;
mod formatter;
mod from_ir;
mod operations;
mod parser;
mod sniff;
mod tags;
mod timing;
mod to_ir;
mod verdicts;
mod writer;

pub use anim_ir::{EditError, ParseError};
pub use content::{Animation, BoundingBox, Content, Frame, UNNAMED};
pub use document::{Document, ParseOptions};
pub use error::FromIrError;
pub use format::Castle;
pub use from_ir::{FromIr, from_ir};
pub use operations::{Extracted, Merge, Minify, extract, finish, inline, merge, minify, split};
pub use sniff::sniff;
pub use timing::EngineTiming;
pub use to_ir::{ToIr, clip, clip_of_file, to_ir};
pub use verdicts::verdicts;
pub use writer::{NewAnimation, NewContent, NewFrame};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
