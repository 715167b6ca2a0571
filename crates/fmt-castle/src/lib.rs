//! Reader and writer for castle-anim-frames (`.castle-anim-frames`, formerly `.kanim`): an XML list
//! of timed 3D frames.
//!
//! The specification is the page "Castle Animation Frames (castle-anim-frames) file format" of
//! Castle Game Engine's manual. `docs/castle.md` in the repository explains every choice of
//! interpretation.
//!
//! This crate handles the list itself: animations, times, attributes, and the location of each
//! frame's content. The content has its own format, usually X3D, and is kept byte for byte.
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
//!     panic!("the content is inline")
//! };
//! assert!(document.text()[element.start..element.end].starts_with("<X3D version"));
//!
//! document.set_time(0, 1, 0.75)?;
//! assert!(document.text().contains("<frame time=\"0.75\"><X3D"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Fidelity
//!
//! A [`Document`] keeps every byte: an unedited document is written back unchanged. Reading
//! continues after an error. An invalid item is reported and omitted from the document's content,
//! but kept in its text.
//!
//! Files are assumed to be untrusted. [`anim_ir::xml`] checks the text before it is parsed into a
//! tree, the content of frames is not parsed at all, entity declarations are rejected, and
//! referenced files are never opened.
//!
//! Writing a scene ([`from_ir()`]) converts it to stills. Stills have no bones or events, and
//! motion between them is linear.

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
mod resource;
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
pub use operations::{
    Extracted, Merge, Minify, extract, finish, inline, merge, minify, single, split,
};
pub use resource::{Resource, ResourceAnimation};
pub use sniff::sniff;
pub use timing::EngineTiming;
pub use to_ir::{ToIr, clip, clip_of_file, to_ir};
pub use verdicts::verdicts;
pub use writer::{NewAnimation, NewContent, NewFrame};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
