//! What the reader says of every fixture, as a person reads it; and the scenes of those that are
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

use anim_ir::listing;
use fmt_anm_text::{Document, ToIr, to_ir};
use test_oracle::fixtures;

/// One snapshot for each row of the list of bad inputs: all its cases, each with its diagnostics.
#[test]
fn diagnostics_of_every_row() {
    let said = |_: &str, bytes: &[u8]| match Document::parse(bytes) {
        Ok(parsed) => listing(bytes, &parsed.diagnostics),
        Err(error) => format!("nothing can be read: {error}\n"),
    };
    let rows = fixtures::by_row(
        &fixtures::all("anm-text", &["anm"], 100),
        |row| row.starts_with(['A', 'X']) && row.len() == 3,
        said,
    );
    assert!(rows.len() > 18);
    for (row, text) in rows {
        insta::assert_snapshot!(format!("row_{row}"), text);
    }
}

/// The scenes of the fixtures that show a feature.
#[test]
fn scenes_of_good_files() {
    let mut seen = 0;
    for (name, bytes) in fixtures::all("anm-text", &["anm"], 100) {
        let Some(file) = name.strip_prefix("ok/") else { continue };
        let scene = to_ir(&Document::parse(&bytes[..]).unwrap().value, &ToIr::default());
        assert!(anim_ir::validate(&scene.value).is_empty(), "{name}");
        if file.starts_with(|c: char| c.is_ascii_lowercase()) {
            let name = format!("scene_{}", file.trim_end_matches(".anm"));
            insta::assert_snapshot!(
                name,
                listing(&bytes, &scene.losses) + &anim_ir::dump(&scene.value)
            );
            seen += 1;
        }
    }
    assert!(seen >= 3);
}
