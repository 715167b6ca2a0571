//! Reader and writer of Gillius ANM text (`.anm`), which cuts a model's long timeline into named
//! animations.
//!
//! The specification is the page "ANM File Format" by Jason Winnebeck (Gillius), 1998 to 2020.
//! `docs/anm-text.md` in the repository has every reading that was chosen, with its reason. (Other
//! formats have the extension `.anm` too: [`sniff()`] tells this one by its content.)
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
//! assert_eq!(*document.to_bytes(), *file); // unedited: every byte
//!
//! // On a model: the set's joints, and animations from the first key or event in their range to
//! // the last.
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
//! # What is kept and what is not
//!
//! A [`Document`] keeps every byte: an unedited one writes back what was read, with comments. A
//! line that could not be read is missing from the document's sets, is still in its bytes, and has
//! a diagnostic. Times are rounded to 32 bits where they are asked for; the file keeps its
//! spelling.
//!
//! A document has no keys: alone it becomes a scene of empty ranges
//! ([`to_ir()`]). Writing scenes ([`from_ir()`]) keeps names, times, events and which joints take
//! part; the keys stay in the file of the model.

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
