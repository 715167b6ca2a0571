//! Reader and writer for BVH (`.bvh`), the Biovision hierarchy: skeletons and motion-capture data,
//! with one row of values per frame.
//!
//! There is no authoritative specification. `docs/bvh.md` in the repository documents every
//! decision about how to read the format, and the reason for it.
//!
//! ```
//! let file = b"HIERARCHY
//! ROOT Hips
//! {
//!     OFFSET 0.0 0.0 0.0
//!     CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
//!     JOINT Knee
//!     {
//!         OFFSET 0.0 -45.5 0.0
//!         CHANNELS 3 Zrotation Xrotation Yrotation
//!         End Site
//!         {
//!             OFFSET 0.0 -40.0 0.0
//!         }
//!     }
//! }
//! MOTION
//! Frames: 2
//! Frame Time: 0.033333
//! 0.0 90.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0
//! 0.0 91.5 0.0 0.0 0.0 0.0 0.0 30.0 0.0
//! ";
//! let parsed = fmt_bvh::Document::parse(&file[..])?;
//! assert!(parsed.diagnostics.is_empty());
//! let mut document = parsed.value;
//! assert_eq!(*document.to_bytes(), *file); // unedited, so identical
//! assert_eq!(document.frames_per_second(), Some(30.0));
//!
//! let knee = document.find("Knee").ok_or("no such joint")?;
//! let knee = document.joint(knee).ok_or("no such joint")?;
//! assert_eq!((knee.offset(), knee.parent()), ([0.0, -45.5, 0.0], Some(0)));
//!
//! // A skeleton and a clip.
//! let scene = fmt_bvh::to_ir(&document, &fmt_bvh::ToIr::default()).value;
//! let mut sampler = anim_ir::Sampler::new(&scene.skeletons[0], &scene.timelines[0]);
//! let mut pose = anim_ir::Pose::default();
//! sampler.sample(0.5 / 30.0, &mut pose);
//! assert_eq!(pose.transforms[0].translation.y, 90.75);
//! assert!((pose.transforms[1].rotation.x - 7.5_f32.to_radians().sin()).abs() < 1e-6);
//!
//! document.set_value(1, 7, 25.0)?;
//! assert!(document.to_bytes().ends_with(b"0.0 91.5 0.0 0.0 0.0 0.0 0.0 25.000000 0.0\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is preserved
//!
//! A [`Document`] is lossless: if it is not edited, it is written back byte for byte. Reading
//! continues after an error. Invalid items are missing from the document's joints or frames, but
//! remain in its bytes and are reported.
//!
//! A scene ([`to_ir`]) contains a clip and a joint for each joint and end site. Writing a scene
//! ([`from_ir()`]) samples its clip. The format does not support scale, meshes or events; each loss
//! is reported.

mod channel;
pub mod codes;
mod content;
mod document;
mod edits;
mod error;
mod facts;
mod format;
mod formatter;
mod from_ir;
mod parser;
mod rate;
mod sniff;
mod to_ir;
mod tokens;
mod writer;

pub use anim_ir::{EditError, ParseError};
pub use channel::ChannelType;
pub use document::{Document, Frame, Joint, ParseOptions};
pub use error::FromIrError;
pub use format::Bvh;
pub use from_ir::{FromIr, from_ir};
pub use sniff::sniff;
pub use to_ir::{Positions, ToIr, is_end_site, to_ir};
pub use writer::{Decimals, NewJoint, NewMotion};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
