//! Reader and writer of Animated OBJ (`.amo`): Wavefront OBJ with joints, weights and keys, in all
//! its dialects.
//!
//! The specification is the README of the repository `lmarz/animated_obj` (public domain). It calls
//! itself untested, and real files follow it in several incompatible ways: see [`Dialect`]. Which
//! way a file goes is found by what only that dialect has ([`Document::dialect`]), and can be
//! forced ([`ParseOptions::dialect`]). `docs/amo.md` in the repository has every reading that was
//! chosen, with its reason.
//!
//! ```
//! let file = b"ao flag
//! v 0 0 0
//! v 1 0 0
//! v 0 1 0
//! vj 1 0 0 0
//! vw 1 0 0 0
//! f 1///1/1 2///1/1 3///1/1
//! j pole -1
//! a wave
//! ap 0 1 0 0 0
//! ap 1 1 0 2 0
//! ";
//! let parsed = fmt_amo::Document::parse(&file[..])?;
//! assert!(parsed.diagnostics.is_empty());
//! let mut document = parsed.value;
//! assert_eq!(document.to_bytes(), &file[..]); // unedited: every byte
//!
//! let scene = fmt_amo::to_ir(&document, &fmt_amo::ToIr::default()).value;
//! assert_eq!(scene.clips[0].name, "wave");
//! let mut sampler = anim_ir::Sampler::new(&scene.skeletons[0], &scene.timelines[0]);
//! let mut pose = anim_ir::Pose::default();
//! sampler.sample(0.5, &mut pose);
//! assert_eq!(pose.transforms[0].translation.y, 1.0);
//!
//! document.set_key(0, 1, fmt_amo::KeyValue::Position([0.0, 2.5, 0.0]))?;
//! assert!(document.to_bytes().ends_with(b"ap 1 1 0 2.5 0\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is kept and what is not
//!
//! A [`Document`] keeps every byte: an unedited one writes back what was read. Reading goes on
//! after an error; what could not be read is missing from the document's content, is still in its
//! bytes, and has a diagnostic.
//!
//! In a scene ([`to_ir()`]) these are not preserved, each with a diagnostic: smoothing groups,
//! which faces belong to a group, the fourth component of positions and the third of texture
//! coordinates, vertices that nothing uses. Polygons become triangles. Boxes, hooks, collision
//! meshes and handles of the Vasall engine go into the extras, under `amo`.
//!
//! Writing ([`from_ir()`]) is in the specification's dialect only. It has no word for scale,
//! events, morph targets, rest matrices, vertex colours, or how a clip repeats.

pub mod codes;
mod content;
mod dialect;
mod document;
mod edits;
mod error;
mod format;
mod formatter;
mod from_ir;
mod inspect;
mod lines;
mod mtl;
mod parser;
mod repairs;
mod resolve;
mod sniff;
mod to_ir;
mod tokens;
mod writer;

pub use anim_ir::{EditError, ParseError};
pub use content::{Animation, Corner, ElementKind, Joint, Kept, Key, KeyValue, Object, ObjectKind};
pub use dialect::Dialect;
pub use document::{Document, ParseOptions};
pub use error::FromIrError;
pub use format::Amo;
pub use from_ir::{FromIr, from_ir};
pub use mtl::MaterialLibrary;
pub use sniff::sniff;
pub use to_ir::{KeyReading, ToIr, to_ir};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
