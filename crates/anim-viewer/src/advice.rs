//! What to do instead, for files that are not combined.

use std::collections::HashSet;
use std::path::Path;

use anim_formats::Format;
use anim_formats::anim_ir::diag::{plural, quote};
use anim_formats::anim_ir::{MergeError, MergeGroup};

use crate::failure::Failure;

/// The maximum number of files listed for each group of files that can be merged.
pub const LISTED: usize = 4;

/// Lists the inputs that can be merged with each other, one line for each group. Empty if no two
/// inputs can be merged.
pub(crate) fn mergeable(error: &MergeError, inputs: &[String]) -> String {
    if error.groups.iter().all(|group| group.inputs.len() < 2) {
        return String::new();
    }
    let shown = short_names(inputs);
    let line = |group: &MergeGroup| {
        let files = group.inputs.iter().filter_map(|number| shown.get(*number).cloned());
        let mut names: Vec<String> = files.take(LISTED).collect();
        if group.inputs.len() > LISTED {
            names.push("…".to_owned());
        }
        let differs = group.mismatch.as_ref().map_or(String::new(), |found| {
            let other = shown.get(found.other).map_or("", String::as_str);
            let joint = quote(found.joint.as_bytes());
            format!(" (compared with {other}: joint {joint} {})", found.mismatch)
        });
        format!("\n  {}: {}{differs}", plural(group.inputs.len(), "file"), names.join(", "))
    };
    let lines: String = error.groups.iter().map(line).collect();
    let others = match error.ungrouped {
        0 => String::new(),
        number => format!("\n  {} with other skeletons", plural(number, "file")),
    };
    format!("\nfiles that can be merged with each other:{lines}{others}")
}

/// Advises to use `split` for a model and an ANM text file, which `convert` does not combine.
pub(crate) fn to_split(inputs: &[String], formats: &[Format], output: &str) -> Option<Failure> {
    let ([a, b], [of_a, of_b]) = (inputs, formats) else { return None };
    let (model, cuts) = match (of_a.defines_clips(), of_b.defines_clips()) {
        (false, true) => (a, b),
        (true, false) => (b, a),
        _ => return None,
    };
    Some(Failure::usage(format!(
        "ANM text is not combined with a model, but can cut its take into clips: use `animfmt \
         split {} {} {}`",
        model, cuts, output
    )))
}

/// Returns why a `--with` file cannot be combined with the input. `formats` lists the formats
/// of the inputs, followed by those of the `--with` files.
#[must_use]
pub fn misfit(with: &[String], formats: &[Format]) -> Option<Failure> {
    let input = formats.first()?;
    let of_with = formats.get(formats.len().checked_sub(with.len())?..)?;
    let fits = |other: &Format| input.animates(*other) || other.animates(*input);
    let (path, format) = with.iter().zip(of_with).find(|(_, format)| !fits(format))?;
    let fitting: Vec<Format> = Format::readable().filter(fits).collect();
    let names: Vec<&str> = fitting.iter().map(|format| format.title()).collect();
    let title = input.title();
    let Some(other) = fitting.first() else {
        return Some(Failure::usage(format!("--with does not apply to {title}")));
    };
    let kind = if input.animates(*other) { "a model" } else { "motion" };
    Some(Failure::usage(format!(
        "--with needs {kind} for {title} (one of: {}), but {} is {}",
        names.join(", "),
        path,
        format.title()
    )))
}

/// Returns names of files to show: without their folders, if that is unambiguous.
#[must_use]
pub fn short_names(inputs: &[String]) -> Vec<String> {
    let short = |input: &String| {
        let name = Path::new(input).file_name().and_then(|name| name.to_str());
        name.unwrap_or(input).to_owned()
    };
    let names: Vec<String> = inputs.iter().map(short).collect();
    let different: HashSet<&str> = names.iter().map(String::as_str).collect();
    if different.len() == names.len() { names } else { inputs.to_vec() }
}
