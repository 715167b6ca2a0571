//! Uses a single format crate, here `fmt-amo`, without the facade: `cargo add fmt-amo anim-ir`.
//!
//! `cargo run -p anim-formats --example one_format_alone [FILE.amo]`

// In your own crate, write `use fmt_amo::…` and `use anim_ir::…`.
use anim_formats::amo::{Dialect, Document, ParseOptions, ToIr, to_ir};
use anim_formats::anim_ir::{Limits, Severity};

/// The default file.
pub(crate) const DEFAULT: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/amo/ok/octopus_arm.amo");

/// Prints a summary of the file.
pub(crate) fn run(path: &str) -> Result<(), Box<dyn std::error::Error>> {
    let bytes = std::fs::read(path)?;
    let limits = Limits { input_bytes: 64 << 20, ..Limits::default() };
    let parsed = Document::parse_with(&bytes, &ParseOptions::default().with_limits(limits))?;
    for problem in &parsed.diagnostics {
        println!("{}: {}", problem.code.id, problem.message);
    }
    if parsed.diagnostics.worst() == Some(Severity::Error) {
        println!("the file has errors; some of its content was dropped");
    }

    // The document represents the content of the file, in the file's own terms …
    let document = parsed.value;
    let is_spec = document.dialect() == Dialect::Spec;
    println!("{} joints, follows the specification: {is_spec}", document.joints().len());
    // … and the scene represents its meaning. Nothing here opens files, so the caller supplies
    // materials.
    let scene = to_ir(&document, &ToIr::default());
    for clip in &scene.value.clips {
        println!("{}: {} s", clip.name, clip.duration());
    }
    println!("{} losses", scene.losses.iter().count());
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(&std::env::args().nth(1).unwrap_or_else(|| DEFAULT.to_owned()))
}
