//! What the reader says of every fixture, as a person reads it; and what it makes of those that are
//! fine.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    reason = "tests fail loudly"
)]

mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fmt_amo::{Document, ToIr, to_ir};

/// One snapshot for each row of the list of bad inputs: all its cases, each with its diagnostics.
#[test]
fn diagnostics_of_every_row() {
    let mut rows: BTreeMap<String, String> = BTreeMap::new();
    for (name, bytes) in common::fixtures() {
        let Some((_, file)) = name.split_once('/') else { panic!("{name}") };
        let row = file
            .split_once('_')
            .map(|(row, _)| row)
            .filter(|row| row.starts_with(['O', 'X', 'R']) && row.len() == 3);
        let Some(row) = row else { continue };
        let text = rows.entry(row.to_owned()).or_default();
        writeln!(text, "== {name}").unwrap();
        match Document::parse(&bytes[..]) {
            Ok(parsed) => {
                let losses = to_ir(&parsed.value, &ToIr::default()).losses;
                writeln!(text, "dialect {}", parsed.value.dialect()).unwrap();
                text.push_str(&anim_ir::listing(&bytes, &parsed.diagnostics));
                text.push_str(&anim_ir::listing(&bytes, &losses));
            }
            Err(error) => writeln!(text, "nothing can be read: {error}").unwrap(),
        }
        text.push('\n');
    }
    assert!(rows.len() > 25);
    for (row, text) in rows {
        insta::assert_snapshot!(format!("row_{row}"), text);
    }
}

/// The scenes of the fixtures that show a dialect or a feature.
#[test]
fn scenes_of_good_files() {
    for (name, bytes) in common::fixtures() {
        let Some(file) = name
            .strip_prefix("ok/")
            .filter(|file| file.starts_with(|c: char| c.is_ascii_lowercase()))
        else {
            continue;
        };
        let parsed = Document::parse(&bytes[..]).unwrap();
        let scene = to_ir(&parsed.value, &ToIr::default());
        assert!(anim_ir::validate(&scene.value).is_empty(), "{name}");
        let mut text = anim_ir::listing(&bytes, &parsed.diagnostics);
        text.push_str(&anim_ir::listing(&bytes, &scene.losses));
        text.push_str(&anim_ir::dump(&scene.value));
        insta::assert_snapshot!(format!("scene_{}", file.replace('.', "_")), text);
    }
}
