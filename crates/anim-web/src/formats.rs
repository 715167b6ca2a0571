//! The formats of the module.

use anim_formats::Format;
use anim_formats::anim_ir::format::options::{OptionInfo, OptionKind};
use serde::Serialize;

use crate::answer::answer;

#[derive(Serialize)]
struct Formats {
    formats: Vec<FormatInfo>,
}

#[derive(Serialize)]
struct FormatInfo {
    id: &'static str,
    title: &'static str,
    extensions: &'static [&'static str],
    writes_extensions: &'static [&'static str],
    binary: bool,
    reads: bool,
    writes: bool,
    reading: Vec<OptionReport>,
    writing: Vec<OptionReport>,
}

#[derive(Serialize)]
struct OptionReport {
    name: &'static str,
    kind: &'static str,
    choices: Option<&'static [&'static str]>,
    default: Option<&'static str>,
    help: &'static str,
    requires: Option<&'static str>,
    conflicts: Option<&'static str>,
    often: bool,
}

impl OptionReport {
    fn of(option: &'static OptionInfo) -> OptionReport {
        let (kind, choices) = match option.kind {
            OptionKind::Flag => ("flag", None),
            OptionKind::Integer { .. } => ("integer", None),
            OptionKind::Choice(choices) => ("choice", Some(choices)),
            OptionKind::Text => ("text", None),
            _ => ("number", None),
        };
        let OptionInfo { name, default, help, requires, conflicts, .. } = *option;
        let often = anim_viewer::OFTEN_NEEDED.contains(&name);
        OptionReport { name, kind, choices, default, help, requires, conflicts, often }
    }
}

/// Returns the formats that can be read or written, with their options.
#[must_use]
pub fn formats() -> String {
    let readable: Vec<Format> = Format::readable().collect();
    let writable: Vec<Format> = Format::writable().collect();
    let reports = |options: Vec<&'static OptionInfo>| {
        options.into_iter().map(OptionReport::of).collect::<Vec<_>>()
    };
    let formats = Format::all().map(|format| FormatInfo {
        id: format.id(),
        title: format.title(),
        extensions: format.info().extensions,
        writes_extensions: format.written_extensions(),
        binary: format.info().is_binary,
        reads: readable.contains(&format),
        writes: writable.contains(&format),
        reading: reports(format.reading_options()),
        writing: reports(format.writing_options()),
    });
    answer(None, Ok(Formats { formats: formats.collect() }))
}
