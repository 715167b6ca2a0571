//! Snapshots of scenes of valid fixtures, and formatting of diagnostics.

use std::fmt::Write as _;

use anim_ir::Diagnostics;
use model_tmd::{Document, ToIr, to_ir};
use test_oracle::fixtures;

#[test]
fn scenes() {
    let mut text = String::new();
    for (name, bytes) in fixtures::all("tmd", &["tmd"], 90) {
        if !name.starts_with("ok/") {
            continue;
        }
        let parsed = Document::parse(&bytes[..]).unwrap();
        assert!(parsed.diagnostics.is_empty(), "{name}");
        let document = parsed.value;
        writeln!(text, "== {name}: {:?}", document.fixp()).unwrap();
        let converted = to_ir(&document, &ToIr::default());
        assert!(anim_ir::validate(&converted.value).is_empty(), "{name}");
        text.push_str(&anim_ir::dump(&converted.value));
        text.push_str(&render(&bytes, &converted.losses));
    }
    insta::assert_snapshot!(text);
}

/// Formats each diagnostic with its position and the bytes there.
pub(crate) fn render(bytes: &[u8], diagnostics: &Diagnostics) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        write!(out, "{}[{}]", diagnostic.severity().name(), diagnostic.code.id).unwrap();
        if let Some(span) = diagnostic.span {
            let bytes: Vec<String> =
                bytes[span.start..span.end].iter().map(|byte| format!("{byte:02x}")).collect();
            write!(out, " 0x{:X} {}", span.start, bytes.join(" ")).unwrap();
        }
        writeln!(out, ": {}", diagnostic.message).unwrap();
        if let Some(help) = &diagnostic.help {
            writeln!(out, "  help: {help}").unwrap();
        }
    }
    for (code, count) in diagnostics.counts() {
        if *count > Diagnostics::KEPT_PER_CODE {
            writeln!(out, "… {} more {}", count - Diagnostics::KEPT_PER_CODE, code.id).unwrap();
        }
    }
    out
}
