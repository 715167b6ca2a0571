//! Detects, reads, edits and writes rare animation formats, and converts them to glTF.
//!
//! Every format is a Cargo feature, and a separate crate that can be used on its own. This crate
//! provides a common interface to all of them. [`Format::all`] lists them.
//!
//! ```
//! # #[cfg(all(feature = "amo", feature = "gltf"))] {
//! use anim_formats::anim_ir::format::Context;
//! use anim_formats::anim_ir::{NoFiles, Settings};
//! use anim_formats::{AnyDocument, Format, convert, detect};
//!
//! let file = b"ao flag\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvj 1 0 0 0\nvw 1 0 0 0\n\
//!     f 1///1/1 2///1/1 3///1/1\nj pole -1\na wave\nap 0 1 0 0 0\nap 1 1 0 2 0\n";
//! let settings = Settings::default();
//! let candidates = detect(file, Some("flag.amo"));
//! let parsed = AnyDocument::parse(&file[..], candidates[0].format, &settings)?;
//! let mut context = Context { name: "flag", files: &mut NoFiles, settings: &settings };
//! let scene = parsed.value.to_scene(&mut context).value;
//! let glb = convert(&scene, "glb".parse::<Format>()?, &settings, "flag")?.value.main;
//! assert_eq!(&glb[..4], b"glTF");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

#[macro_use]
mod registry_macro;

mod assemble;
#[cfg(feature = "castle")]
mod castle_output;
pub mod codes;
mod convert;
mod detect;
#[cfg(feature = "diagram")]
mod diagram;
mod document;
mod error;
#[cfg(feature = "castle")]
mod frames;
mod images;
mod joins;
mod load;
mod merge;
#[cfg(feature = "stt")]
mod motion;
mod parts;
mod registry;
mod repair;
#[cfg(feature = "castle")]
mod resource_files;
mod scene_options;
#[cfg(feature = "anm-text")]
mod split;
#[cfg(all(feature = "gltf", feature = "stt"))]
mod states;
#[cfg(feature = "tmd")]
mod tmd_files;

#[cfg(feature = "cast")]
pub use anim_cast as cast;
#[cfg(feature = "engines")]
pub use anim_engines as engines;
#[cfg(feature = "gltf")]
pub use anim_gltf as gltf;
pub use anim_ir;
#[cfg(feature = "amo")]
pub use fmt_amo as amo;
#[cfg(feature = "anm-text")]
pub use fmt_anm_text as anm_text;
#[cfg(feature = "bvh")]
pub use fmt_bvh as bvh;
#[cfg(feature = "castle")]
pub use fmt_castle as castle;
#[cfg(feature = "stt")]
pub use fmt_stt as stt;
#[cfg(feature = "tmd")]
pub use fmt_tmd_anm as tmd_anm;
#[cfg(feature = "tmd")]
pub use model_tmd as tmd;
#[cfg(feature = "castle")]
pub use model_x3d as x3d;

pub use anim_ir::format::Output;
pub use anim_ir::format::options::Settings;
pub use assemble::assemble;
pub use convert::{convert, rewrite};
pub use detect::{Candidate, detect, why_unknown};
#[cfg(feature = "diagram")]
pub use diagram::{Dot, Mermaid, NoMachine};
pub use document::{Loaded, scene_of, sort_losses};
pub use error::ConvertError;
pub use images::{read_images, restore_missing_images};
pub use joins::{frame_files, inlined_files, only_animation, pieces};
pub use load::{
    FileBytes, LoadError, LoadOptions, MemoryFiles, MemoryFolder, OnRead, folder_of, format_of,
    parse_bytes, read_bytes, read_stream, rebase_between, way_between,
};
#[cfg(feature = "load")]
pub use load::{
    LoadedInBlocks, load, load_bytes, open_folder, read_file, rebase_images, scene_in_blocks,
    way_to,
};
#[cfg(feature = "stt")]
pub use motion::put_motion_on;
pub use parts::{AssembleError, AssembleOptions, Assembled, Content, Part, Pieces, bake_of};
pub use registry::{AnyDocument, Format, UnknownFormat, all_codes};
pub use repair::{LeftOut, RepairError, Repaired, Round, repair};
#[cfg(feature = "castle")]
pub use resource_files::animation_of;
pub use scene_options::{SceneOptions, note_empty, note_up};
#[cfg(feature = "anm-text")]
pub use split::{SplitError, SplitOptions, Take, cuts_of, note_late_clips, split, takes};
#[cfg(feature = "tmd")]
pub use tmd_files::{TmdFiles, TmdMotion, join_tmd, tmd_scene};

#[cfg(all(doctest, feature = "gltf", feature = "load"))]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(all(doctest, feature = "gltf", feature = "amo", feature = "load"))]
#[doc = include_str!("../../../docs/library.md")]
struct Guide;
