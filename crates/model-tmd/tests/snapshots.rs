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

use std::fmt::Write as _;

use model_tmd::{Document, ToIr, to_ir};

#[test]
fn diagnostics() {
    for folder in ["warn", "err"] {
        let mut text = String::new();
        for (name, bytes) in common::fixtures(&[folder]) {
            writeln!(text, "== {name}").unwrap();
            match Document::parse(&bytes[..]) {
                Ok(parsed) => text.push_str(&common::render(&bytes, &parsed.diagnostics)),
                Err(error) => writeln!(text, "nothing can be read: {error}").unwrap(),
            }
        }
        insta::assert_snapshot!(folder, text);
    }
}

#[test]
fn scenes() {
    let mut text = String::new();
    for (name, bytes) in common::fixtures(&["ok"]) {
        let parsed = Document::parse(&bytes[..]).unwrap();
        assert!(parsed.diagnostics.is_empty(), "{name}");
        let document = parsed.value;
        writeln!(text, "== {name}: {:?}", document.fixp()).unwrap();
        let converted = to_ir(&document, &ToIr::default());
        assert!(anim_ir::validate(&converted.value).is_empty(), "{name}");
        text.push_str(&anim_ir::dump(&converted.value));
        text.push_str(&common::render(&bytes, &converted.losses));
    }
    insta::assert_snapshot!(text);
}
