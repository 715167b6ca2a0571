//! Tests of the facade: combinations of formats, and conversions, compared with an independent
//! evaluation.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "tests fail loudly"
)]

mod alpha;
mod assembled;
mod compared;
mod examples;
mod frames;
mod hostile_frames;
mod load;
mod model_frames;
mod normals;
mod oracle;
mod read_back;
mod readme;
mod registry;
mod repair;
mod resolver;
mod rewritten;
mod split;
mod stt;
mod tmd;
mod up;
mod x3d_out;

use std::path::{Path, PathBuf};

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{Converted, Diagnostic, Diagnostics, NoFiles, Scene};
use anim_formats::{AnyDocument, ConvertError, Format, Output, Settings, convert};
use test_oracle::{compare, fixtures, glb};

/// Names and values of format options.
type Set<'a> = &'a [(&'a str, &'a str)];

fn format(id: &str) -> Format {
    id.parse().unwrap()
}

fn settings(options: Set<'_>) -> Settings {
    let mut settings = Settings::default();
    for (name, value) in options {
        settings.set(Format::option(name).unwrap(), value).unwrap();
    }
    settings
}

/// Converts a document without companion files to a scene.
fn scene_of(document: &AnyDocument<'_>, options: Set<'_>) -> Converted<Scene> {
    let settings = settings(options);
    document.to_scene(&mut Context { name: "", files: &mut NoFiles, settings: &settings })
}

/// Writes a scene in a format.
fn written(scene: &Scene, to: &str, options: Set<'_>) -> Result<Converted<Output>, ConvertError> {
    convert(scene, format(to), &settings(options), "")
}

/// Returns the underlying format error, if it has this type.
fn cause<E: std::error::Error + 'static>(error: &ConvertError) -> Option<&E> {
    match error {
        ConvertError::Format { error, .. } => error.downcast_ref(),
        _ => None,
    }
}

/// Returns the GLB of a scene, as read by the oracle.
fn glb_of(scene: &Scene) -> glb::Model {
    glb_with(scene, &[])
}

/// Like [`glb_of`], with options. In a sweep, the GLB is also stored for the Khronos validator.
fn glb_with(scene: &Scene, options: Set<'_>) -> glb::Model {
    let bytes = written(scene, "glb", options).unwrap().value.main;
    if fixtures::sweep() {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("anim-formats");
        let test = std::thread::current().name().unwrap_or_default().replace("::", "_");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{test}_{}.glb", bytes.len())), &bytes).unwrap();
    }
    glb::read(&bytes)
}

/// Compares face corners as sets, since a corner is repeated for each triangle that shares it.
#[track_caller]
fn assert_corners(found: &[[f64; 3]], expected: &[[f64; 3]], tolerance: f64, label: &str) {
    let distance = compare::max_distance_between_sets(found, expected);
    assert!(distance <= tolerance, "{label}: {distance} of {tolerance}");
}

/// Checks that a diagnostic with this code contains this text.
#[track_caller]
fn assert_said(said: &Diagnostics, code: &str, part: &str) {
    let found = |one: &Diagnostic| one.code.id == code && one.message.contains(part);
    assert!(said.iter().any(found), "{code}, {part}: {said:?}");
}

/// Returns the path of a file or folder in `testdata`.
fn testdata(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(path)
}

/// Returns the names and bytes of the files in the `ok` folders of `testdata`.
fn good_fixtures() -> Vec<(String, Vec<u8>)> {
    let folders = std::fs::read_dir(testdata("")).unwrap();
    let good =
        folders.filter_map(|folder| std::fs::read_dir(folder.unwrap().path().join("ok")).ok());
    good.flatten()
        .map(|file| file.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| (path.to_str().unwrap().to_owned(), std::fs::read(path).unwrap()))
        .collect()
}
