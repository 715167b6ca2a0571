//! Animation formats under one roof: which format is it, what does it say, and how does it get to
//! glTF.
//!
//! Every format is a cargo feature and a crate of its own, which can be used alone; this crate adds
//! what concerns them all.
//!
//! ```
//! # #[cfg(all(feature = "amo", feature = "gltf"))] {
//! use anim_formats::{AnyDocument, ConvertOptions, ParseOptions, SceneOptions, Target, convert, detect};
//!
//! let file = b"ao flag\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvj 1 0 0 0\nvw 1 0 0 0\nf 1///1/1 2///1/1 3///1/1\nj pole -1\na wave\nap 0 1 0 0 0\nap 1 1 0 2 0\n";
//! let candidates = detect(file, Some("flag.amo"));
//! let parsed = AnyDocument::parse(&file[..], candidates[0].format, &ParseOptions::default())?;
//! let scene = parsed.value.to_scene(&SceneOptions::default()).value;
//! let glb = convert(&scene, Target::Glb, &ConvertOptions::default())?.value.main;
//! assert_eq!(&glb[..4], b"glTF");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "cast")]
pub use anim_cast as cast;
#[cfg(feature = "gltf")]
pub use anim_gltf as gltf;
pub use anim_ir;
#[cfg(feature = "amo")]
pub use fmt_amo as amo;
#[cfg(feature = "anm-text")]
pub use fmt_anm_text as anm_text;
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

#[cfg(feature = "castle")]
mod castle_output;
pub mod codes;
mod convert;
mod detect;
mod diagram;
mod document;
#[cfg(feature = "castle")]
mod frames;
#[cfg(feature = "load")]
mod load;
mod motion;
#[cfg(feature = "load")]
mod png;
mod repair;
#[cfg(feature = "anm-text")]
mod split;
#[cfg(all(feature = "gltf", feature = "stt"))]
mod states;
#[cfg(feature = "tmd")]
mod tmd_files;

#[cfg(feature = "castle")]
pub use castle_output::{CastleOutput, rewrite as rewrite_castle};
pub use convert::{ConvertError, ConvertOptions, Output, Target, Up, convert};
pub use detect::{Candidate, Format, detect, why_unknown};
pub use document::{AnyDocument, Companions, NoCompanions, ParseError, ParseOptions, SceneOptions};
#[cfg(feature = "castle")]
pub use frames::FramesOptions;
#[cfg(feature = "load")]
pub use load::{
    FileBytes, LoadError, LoadOptions, Loaded, embed_images, folder_of, format_of, load,
    load_bytes, load_document, open_folder, parse_bytes, read_file, read_stream, rebase_images,
    sort_losses, way_to,
};
pub use motion::put_motion_on;
pub use repair::{RepairError, Repaired, Round, repair};
#[cfg(feature = "anm-text")]
pub use split::{SplitError, SplitOptions, Take, split, takes};
#[cfg(feature = "tmd")]
pub use tmd_files::{TmdFiles, TmdMotion, TmdOptions, TmdOutput, join_tmd, tmd_scene};

/// Every code that any crate of this build can report.
pub fn all_codes() -> Vec<&'static anim_ir::Code> {
    let mut all: Vec<&'static anim_ir::Code> = anim_ir::VALIDATION_CODES.to_vec();
    all.extend(codes::ALL);
    #[cfg(feature = "stt")]
    all.extend(fmt_stt::codes::ALL);
    #[cfg(feature = "amo")]
    all.extend(fmt_amo::codes::ALL);
    #[cfg(feature = "castle")]
    all.extend(fmt_castle::codes::ALL.iter().chain(&model_x3d::codes::ALL));
    #[cfg(feature = "tmd")]
    all.extend(fmt_tmd_anm::codes::ALL.iter().chain(model_tmd::codes::ALL));
    #[cfg(feature = "anm-text")]
    all.extend(fmt_anm_text::codes::ALL);
    #[cfg(feature = "gltf")]
    all.extend(anim_gltf::CODES.iter().chain(anim_gltf::READ_CODES));
    #[cfg(feature = "cast")]
    all.extend(anim_cast::CODES);
    all
}

#[cfg(all(doctest, feature = "gltf", feature = "load"))]
#[doc = include_str!("../README.md")]
struct Readme;
