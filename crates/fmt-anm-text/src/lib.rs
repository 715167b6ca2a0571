//! Reader and writer for Gillius ANM text (`.anm`), which divides a model's long timeline into
//! named animations.
//!
//! The specification is the page "ANM File Format" by Jason Winnebeck (Gillius), 1998 to 2020.
//! `docs/anm-text.md` in the repository documents how ambiguities are resolved, and why. Other
//! formats also use the extension `.anm`; [`sniff()`] detects this format by its content.
//!
//! ```
//! let file = b"# A puppet.
//! as Arm
//! bl shoulder +children
//! ev 48 wave_begins
//! an 0 50 lift
//! ";
//! let parsed = fmt_anm_text::Document::parse(&file[..])?;
//! assert!(parsed.diagnostics.is_empty());
//! let mut document = parsed.value;
//! assert_eq!(*document.to_bytes(), *file); // unedited: byte for byte
//!
//! // With a model: the joints of each set, and animations that last from the first to the last key
//! // or event in their range.
//! use anim_ir::{Channel, Interpolation, Joint, Skeleton, TimelineBuilder};
//! use fmt_anm_text::{BindOptions, bind};
//! let mut skeleton = Skeleton::new("puppet");
//! let root = skeleton.add_joint(Joint::new("root", None));
//! let shoulder = skeleton.add_joint(Joint::new("shoulder", Some(root)));
//! let hand = skeleton.add_joint(Joint::new("hand", Some(shoulder)));
//! let mut builder = TimelineBuilder::new("take");
//! let times = [0.5, 1.0, 3.0];
//! builder.keys(hand.into(), Channel::Scale, Interpolation::Linear, &times, &[1.0; 9])?;
//! let bound = bind(&document, &skeleton, &builder.finish(), &BindOptions::default())?.value;
//! assert_eq!(*bound.sets[0].joints, [shoulder, hand]);
//! let lift = &bound.clips[0];
//! assert_eq!(lift.name, "Arm/lift");
//! assert_eq!((lift.start, lift.end), (0.5, 2.0)); // the key at frame 12, the event at frame 48
//!
//! document.set_clip_range(0, 0, 0.0, 40.0)?;
//! assert!(document.to_bytes().ends_with(b"an 0 40 lift\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is preserved
//!
//! A [`Document`] keeps every byte, including comments: an unedited document is written back byte
//! for byte. Invalid lines are reported and do not appear in the document's sets, but are kept in
//! its bytes. Accessors return times rounded to 32 bits; the file keeps its spelling.
//!
//! A document has no keys. On its own, it is converted to a scene with ranges but no keys
//! ([`to_ir()`]). Writing a scene ([`from_ir()`]) keeps names, times, events and the joints of each
//! set; the keys remain in the model's file.

mod bind;
pub mod codes;
mod content;
mod document;
mod duplicates;
mod edits;
mod error;
mod events;
mod facts;
mod format;
mod formatter;
mod frames;
mod from_ir;
mod keyword;
mod parser;
mod sniff;
mod to_ir;
mod tokens;
mod writer;

pub use anim_ir::{EditError, ParseError};
pub use bind::{BindOptions, Bound, BoundSet, Children, EventScope, bind};
pub use document::{Bone, Clip, Document, Event, ParseOptions, Set};
pub use error::FromIrError;
pub use format::AnmText;
pub use frames::FRAMES_PER_SECOND;
pub use from_ir::{FromIr, from_ir};
pub use sniff::sniff;
pub use to_ir::{ToIr, to_ir};
pub use writer::{NewBone, NewClip, NewEvent, NewSet};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
