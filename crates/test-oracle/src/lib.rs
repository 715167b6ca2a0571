//! Test-only: what the other crates are checked against.
//!
//! Nothing here depends on another crate of the workspace, so that a mistake made there is not made
//! here as well:
//!
//! - [`amo`] evaluates `.amo` text by the project's notes on the format (cited as "reading n" and
//!   "the table"),
//! - [`castle`] evaluates a castle-anim-frames file with its X3D and VRML frames by the notes and
//!   the standards,
//! - [`tmd`] evaluates the PlayStation files ANM, ANC and TMD by the notes,
//! - [`anm_text`] evaluates Gillius ANM text, alone and with a model, by the notes,
//! - [`stt`] evaluates and plays state transition tables (STT) by the notes,
//! - [`glb`] evaluates a glTF file by the glTF 2.0 specification,
//! - [`generate`] writes random well-formed `.amo` files of every dialect, and big ones for
//!   measurements, [`generate_castle`] castle-anim-frames files with their frames, [`generate_stt`]
//!   STT files, [`generate_tmd`] ANM, ANC and TMD files, and [`generate_anm_text`] ANM text with
//!   models for it,
//! - [`fixtures`] finds the files of `testdata/` and holds what is found in them against their
//!   tables,
//! - [`compare`] measures how far two sets of points are apart,
//! - [`math`] is the little linear algebra that the evaluators share.
//!
//! All of it computes in `f64` and prefers being obviously right to being fast. What is not
//! well-formed panics.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "test code, which should fail loudly"
)]

pub mod amo;
pub mod anm_text;
pub mod castle;
pub mod compare;
pub mod fixtures;
pub mod generate;
pub mod generate_anm_text;
pub mod generate_castle;
pub mod generate_stt;
pub mod generate_tmd;
pub mod glb;
pub mod math;
pub mod stt;
pub mod tmd;
