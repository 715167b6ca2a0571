//! Converts a file to another format and reports what that format cannot represent.
//!
//! `cargo run -p anim-formats --example convert_with_losses [FILE [FORMAT]]`

use anim_formats::{Format, LoadOptions, Output, Settings, convert, load};

/// The default file, and the format to write: one of [`Format::writable`].
pub(crate) const DEFAULTS: [&str; 2] =
    [concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/amo/ok/octopus_arm.amo"), "stt"];

/// Prints the losses and returns the files to write.
pub(crate) fn run([path, to]: [&str; 2]) -> Result<Output, Box<dyn std::error::Error>> {
    let loaded = load(path, &LoadOptions::default())?;
    let to: Format = to.parse()?;

    // Options are set by name; `Format::writing_options` lists a format's options.
    let mut settings = Settings::default();
    for option in to.writing_options() {
        if option.name == "rotation-order" {
            settings.set(option, "xyz")?;
        }
    }
    let converted = convert(&loaded.scene, to, &settings, "converted")?;

    let what = "losses when reading and writing";
    println!("{} to {}: {what}", loaded.document.format().title(), to.title());
    for loss in loaded.losses.iter().chain(&converted.losses) {
        println!("{}[{}]: {}", loss.code.severity.name(), loss.code.id, loss.message);
    }
    Ok(converted.value) // `main`, and any companion files in `companions`
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut given = std::env::args().skip(1);
    let given = DEFAULTS.map(|default| given.next().unwrap_or_else(|| default.to_owned()));
    run(given.each_ref().map(String::as_str)).map(drop)
}
