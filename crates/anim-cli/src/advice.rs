//! What to do instead, for inputs that `convert` does not combine.

use anim_formats::Format;
use anim_formats::anim_ir::diag::{plural, quote};
use anim_formats::anim_ir::{MergeError, MergeGroup};

use crate::input::{Input, short_names};
use crate::plan::Output;
use crate::status::Failure;

/// The maximum number of files listed for each group of files that can be merged.
pub(crate) const LISTED: usize = 4;

/// Lists the inputs that can be merged with each other, one line for each group. Empty if no two
/// inputs can be merged.
pub(crate) fn mergeable(error: &MergeError, inputs: &[Input<'_>]) -> String {
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
pub(crate) fn to_split(
    inputs: &[Input<'_>],
    formats: &[Format],
    output: &Output,
) -> Option<Failure> {
    let ([a, b], [of_a, of_b]) = (inputs, formats) else { return None };
    let (model, cuts) = match (of_a.defines_clips(), of_b.defines_clips()) {
        (false, true) => (a, b),
        (true, false) => (b, a),
        _ => return None,
    };
    Some(Failure::usage(format!(
        "ANM text is not combined with a model, but can cut its take into clips: use `animfmt \
         split {} {} {}`",
        model.shown(),
        cuts.shown(),
        output.shown()
    )))
}
