//! What the tests share: the fixtures, and how a person reads diagnostics of a binary file.

use std::fmt::Write as _;

use anim_ir::Diagnostics;

/// All fixtures as (`ok/two_frames.anm`, bytes), in order of their names.
#[allow(dead_code, unreachable_pub, reason = "not every test uses everything")]
pub fn fixtures() -> Vec<(String, Vec<u8>)> {
    test_oracle::fixtures::all("tmd-anm", &["anm", "anc"], 100)
}

/// Whether a fixture is of a camera.
#[allow(dead_code, unreachable_pub, reason = "not every test uses everything")]
pub fn is_camera(name: &str) -> bool {
    name.ends_with(".anc")
}

/// Each diagnostic in a line, with its place in hexadecimal.
#[allow(dead_code, unreachable_pub, reason = "not every test uses everything")]
pub fn listing(diagnostics: &Diagnostics) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let place = diagnostic
            .span
            .map_or(String::new(), |span| format!(" 0x{:02x}..0x{:02x}", span.start, span.end));
        writeln!(
            out,
            "{}[{}]{place}: {}",
            diagnostic.severity().name(),
            diagnostic.code.id,
            diagnostic.message
        )
        .unwrap();
        if let Some(help) = &diagnostic.help {
            writeln!(out, "  help: {help}").unwrap();
        }
    }
    for (code, count) in
        diagnostics.counts().iter().filter(|(_, count)| *count > Diagnostics::KEPT_PER_CODE)
    {
        writeln!(out, "… {} more {}", count - Diagnostics::KEPT_PER_CODE, code.id).unwrap();
    }
    out
}
