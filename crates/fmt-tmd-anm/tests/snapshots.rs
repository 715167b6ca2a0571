//! What the readers say of every fixture, as a person reads it; and the scenes of those that are
//! fine.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "tests fail loudly"
)]

mod common;

use fmt_tmd_anm::{CameraDocument, CameraToIr, Document, ToIr, camera_to_ir, to_ir};
use test_oracle::fixtures;

/// One snapshot for each row of the list of bad inputs: all its cases, each with its diagnostics.
#[test]
fn diagnostics_of_every_row() {
    let said = |name: &str, bytes: &[u8]| {
        let said = if common::is_camera(name) {
            CameraDocument::parse(bytes).map(|parsed| {
                common::listing(&parsed.diagnostics)
                    + &common::listing(&camera_to_ir(&parsed.value, &CameraToIr::default()).losses)
            })
        } else {
            Document::parse(bytes).map(|parsed| {
                common::listing(&parsed.diagnostics)
                    + &common::listing(&to_ir(&[&parsed.value], &ToIr::default()).losses)
            })
        };
        said.unwrap_or_else(|error| format!("nothing can be read: {error}\n"))
    };
    let rows = fixtures::by_row(&common::fixtures(), |row| row.starts_with('T'), said);
    assert!(rows.len() > 17);
    for (row, text) in rows {
        insta::assert_snapshot!(format!("row_{row}"), text);
    }
}

/// The scenes of the fixtures that show a feature.
#[test]
fn scenes_of_good_files() {
    for (name, bytes) in common::fixtures() {
        let Some(file) = name
            .strip_prefix("ok/")
            .filter(|file| file.starts_with(|c: char| c.is_ascii_lowercase()))
        else {
            continue;
        };
        let clip = file.split_once('.').unwrap().0.to_owned();
        let scene = if common::is_camera(&name) {
            camera_to_ir(
                &CameraDocument::parse(&bytes[..]).unwrap().value,
                &CameraToIr { name: clip, ..CameraToIr::default() },
            )
        } else if file.starts_with("objects_256") {
            continue;
        } else {
            to_ir(
                &[&Document::parse(&bytes[..]).unwrap().value],
                &ToIr { name: clip, ..ToIr::default() },
            )
        };
        assert!(anim_ir::validate(&scene.value).is_empty(), "{name}");
        insta::assert_snapshot!(
            format!("scene_{}", file.replace('.', "_")),
            common::listing(&scene.losses) + &anim_ir::dump(&scene.value)
        );
    }
}
