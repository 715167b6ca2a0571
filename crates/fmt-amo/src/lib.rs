//! Reader and writer for Animated OBJ (`.amo`): Wavefront OBJ with joints, weights and keys, in all
//! its dialects.
//!
//! The specification is the README of the repository `lmarz/animated_obj` (public domain). It
//! states that it is untested, and real files interpret it in several incompatible ways: see
//! [`Dialect`]. The reader detects the dialect from features unique to it ([`Document::dialect`]),
//! unless the caller specifies it ([`ParseOptions::dialect`]). `docs/amo.md` in the repository
//! documents every decision about how to read the format, and the reason for it.
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
//! assert_eq!(document.to_bytes(), &file[..]); // unedited, so identical
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
//! # What is preserved
//!
//! A [`Document`] is lossless: if it is not edited, it is written back byte for byte. Reading
//! continues after an error. Invalid items are missing from the document's content, but remain in
//! its bytes and are reported.
//!
//! A scene ([`to_ir()`]) does not preserve smoothing groups, the assignment of faces to groups, the
//! fourth component of positions, the third component of texture coordinates, or unused vertices;
//! each loss is reported. Polygons are triangulated. Boxes, hooks, collision meshes and handles of
//! the Vasall engine are stored in the extras, under `amo`.
//!
//! [`from_ir()`] writes only the specification's dialect, which does not support scale, events,
//! morph targets, rest matrices, vertex colours or wrap modes.

mod blocks;
pub mod codes;
mod content;
mod corners;
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
pub use content::{
    Animation, ElementKind, Joint, Kept, Key, KeyValue, Library, Object, ObjectKind,
};
pub use corners::Corner;
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
