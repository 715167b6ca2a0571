//! Reads a file and those it is combined with, as one scene.

use std::path::PathBuf;

use anim_formats::anim_ir::{Diagnostics, Severity};
use anim_formats::{Format, LoadOptions, Part};
use anim_viewer::{Source, loss_severity};

use crate::convert::problem_lines;
use crate::input::Input;
use crate::status::Failure;
use crate::tally::label;
use crate::term::{print_line, show_path, styled};

/// What becomes of the files.
pub(crate) struct Request<'a> {
    /// The format that the scene is for. Some formats take images along.
    pub(crate) target: Format,
    /// The files of `--with`.
    pub(crate) with: &'a [PathBuf],
    /// The clip that an ANM text file splits, if there are several.
    pub(crate) take: Option<&'a str>,
    /// Whether the clips of an ANM text file get keys at their borders, so that they show what the
    /// take shows.
    pub(crate) borders: bool,
}

/// Combines a file with the files of `--with`.
pub(crate) fn combine(
    request: &Request<'_>,
    parts: Vec<Part<'static>>,
    load: &LoadOptions,
) -> Result<Source, Failure> {
    let Request { target, take, borders, .. } = *request;
    let with: Vec<String> = request.with.iter().map(|path| show_path(path)).collect();
    let request = anim_viewer::Request { target, with: &with, take, borders };
    anim_viewer::combine(&request, parts, &load.settings)
}

/// Prints the warnings of all files, and the losses of combining them. `inputs` are the files.
pub(crate) fn print_problems(inputs: &[Input<'_>], source: &Source) {
    let of_files = inputs.iter().zip(&source.parts);
    let lines = of_files
        .flat_map(|(input, (document, found))| problem_lines(Some(*input), document, found));
    let warnings = lines.filter(|line| line.severity > Severity::Note).map(|line| line.line);
    let losses = loss_lines(&source.losses);
    warnings.chain(losses).for_each(|line| print_line(format_args!("{line}")));
}

/// Returns a line for each loss that is more than a note.
pub(crate) fn loss_lines(losses: &Diagnostics) -> impl Iterator<Item = String> {
    losses.iter().filter(|loss| loss.severity() > Severity::Note).map(|loss| {
        let (name, style) = label(loss_severity(loss.code));
        format!("{}: {}", styled(style, format_args!("{name}[{}]", loss.code.id)), loss.message)
    })
}
