//! Reader and writer for TMD ANM (`.ANM`) and ANC (`.ANC`), the PlayStation animations of the game
//! Vib-Ribbon: frames that transform the objects of a TMD model, and camera animations.
//!
//! The specification is open-ribbon's documentation of the formats (CC0). `docs/tmd-anm.md` in the
//! repository documents every choice of interpretation and the reason for it.
//!
//! ```
//! // One frame: object 2 rotated by 90° about z and translated by (100, 0, -50).
//! let file = b"\x00\x80\x1e\0\x01\0\x05\0\x0c\0\x02\x05\0\0\0\0\0\x04\x64\0\0\0\xce\xff";
//! let parsed = fmt_tmd_anm::Document::parse(&file[..])?;
//! assert!(parsed.diagnostics.is_empty());
//! let mut document = parsed.value;
//! assert_eq!(*document.to_bytes(), *file); // unedited, so identical
//!
//! let key = document.frames().next().and_then(|frame| frame.keys().next()).ok_or("no key")?;
//! assert_eq!((key.object, key.rotation, key.scale), (2, Some([0, 0, 1024]), None));
//! assert_eq!(key.position, Some([100, 0, -50]));
//!
//! let scene = fmt_tmd_anm::to_ir(&document, &fmt_tmd_anm::ToIr::default()).value;
//! let mut sampler = anim_ir::Sampler::new(&scene.skeletons[0], &scene.timelines[0]);
//! let mut pose = anim_ir::Pose::default();
//! sampler.sample(0.0, &mut pose);
//! assert_eq!(pose.transforms[2].translation.x, 100.0);
//! assert_eq!(pose.visible, [false, false, true]);
//!
//! document.edit(|sequence| sequence.frames[0].keys[0].position = None)?;
//! assert_eq!(document.to_bytes().len(), file.len() - 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is preserved
//!
//! A [`Document`] only stores the bytes of the file; frames and keys are views of them. If it is
//! not edited, it is written back byte for byte, canonical or not. Reading continues after an
//! error; a truncated key is available in [`Frame::rest`]. An edit repacks the file: keys, their
//! order, unknown bits, incomplete keys and the bytes after the last frame are kept, but a gap
//! after the table is not.
//!
//! Non-canonical files are also read, with diagnostics. To reject them, use
//! [`parsed.into_strict(Severity::Note)`](anim_ir::Parsed::into_strict).
//!
//! A scene ([`to_ir()`]) cannot store bits and bytes of unknown meaning; their loss is reported.
//! Writing ([`from_ir()`]) samples frames and rounds to integers. The maximum error of each type is
//! reported, as is everything that the format cannot store.

mod camera;
mod camera_to_ir;
pub mod codes;
mod document;
mod error;
mod facts;
mod format;
mod from_ir;
mod header;
mod join;
mod key;
mod options;
mod parser;
mod quantize;
mod rows;
mod sequence;
mod sniff;
mod times;
mod to_ir;

pub use anim_ir::ParseError;
pub use camera::{CameraDocument, CameraKey, CameraSequence};
pub use camera_to_ir::camera_to_ir;
pub use document::{Document, Frame};
pub use error::{FromIrError, JoinError, RateError, WriteError};
pub use format::{TmdAnc, TmdAnm};
pub use from_ir::from_ir;
pub use header::addressable;
pub use join::join;
pub use key::{Key, Keys};
pub use options::{CameraToIr, FromIr, JoinOptions, ParseOptions, ToIr};
pub use sequence::{NewFrame, Sequence};
pub use sniff::{sniff, sniff_camera};
pub use to_ir::{parts_to_ir, to_ir};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
