//! `animfmt diff`

mod comparison;
mod difference;
mod folders;
mod report;
mod whole;

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;

use anim_formats::anim_ir::diag::plural;
use anim_formats::anim_ir::diff::{Diff, Side};

use self::comparison::{
    BAKED, Comparison, Read, check_names, compare, is_nothing, name_alike, names,
};
use self::report::{DifferenceReport, Failed};
use crate::args::{Common, DiffArgs};
use crate::fault;
use crate::input::Input;
use crate::options::warn_of_useless;
use crate::status::{Fail as _, Failure, Status};
use crate::tally::warn_of_errors;
use crate::term::{
    FAINT, HEADING, Verbosity, count, counts, help, print_json, print_note, styled, thousands,
    verbosity,
};

pub(crate) fn run(args: &DiffArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let DiffArgs { a, b, .. } = args;
    let is_stdin = |path: &Path| matches!(Input::new(path), Input::Stdin);
    if [a, b].into_iter().any(|path| path.is_dir()) && [a, b].into_iter().any(|path| is_stdin(path))
    {
        let why = "standard input can be compared with a file, but not with a folder";
        return Ok(Failure::usage(why).report());
    }
    match (a.is_dir(), b.is_dir()) {
        (true, true) => folders::run(None, args, common, out),
        (true, false) => folders::run(Some(Side::B), args, common, out),
        (false, true) => folders::run(Some(Side::A), args, common, out),
        (false, false) => files([a, b].map(|path| Input::new(path)), args, common, out),
    }
}

/// Compares two files.
fn files(
    inputs @ [a, b]: [Input<'_>; 2],
    args: &DiffArgs,
    common: &Common,
    out: &mut dyn Write,
) -> io::Result<Status> {
    if let [Input::Stdin, Input::Stdin] = inputs {
        return Ok(Failure::usage("standard input can be read only once").report());
    }
    let load = common.load_options();
    let compared = fault::guard(|| {
        let mut both = [Read::of(a, args, &load)?, Read::of(b, args, &load)?];
        let diagnostics = both.each_mut().map(|read| std::mem::take(&mut read.diagnostics));
        name_alike(&mut both);
        check_names(&args.clip, both.each_ref().map(|read| names(&read.scene)).concat())?;
        Ok((compare(inputs, both, args, common, &load)?, diagnostics))
    });
    let (comparison, diagnostics) = match compared {
        Ok(compared) => compared,
        Err(failure) => {
            let status = failure.report_for(&a.shown());
            if common.json {
                print_json(out, &Failed::of(inputs, &failure))?;
            }
            return Ok(status);
        }
    };
    let formats = comparison.facts.each_ref().map(|of| of.format);
    warn_of_useless(common.given(), &HashSet::from(formats), None);
    for (input, diagnostics) in inputs.iter().zip(&diagnostics) {
        warn_of_errors(*input, diagnostics);
    }
    for (input, of) in inputs.into_iter().zip(&comparison.facts) {
        note_repairs(input, of.repaired);
    }
    let status = if comparison.same { Status::Fine } else { Status::Errors };
    if common.json {
        print_json(out, &comparison.report(inputs, args))?;
    } else if verbosity() > Verbosity::Quiet {
        print(&comparison, args, out)?;
    }
    Ok(status)
}

/// Notes that meshes of a file are compared with repaired normals.
fn note_repairs(input: Input<'_>, repaired: u64) {
    if repaired > 0 {
        print_note(format_args!(
            "{}: the normals of {} were repaired for the comparison, as `convert` does; use \
             --normals keep to compare the original normals",
            input.shown(),
            count(repaired, "mesh", "meshes")
        ));
    }
}

/// Prints the differences, what was compared, and what was not.
fn print(comparison: &Comparison, args: &DiffArgs, out: &mut dyn Write) -> io::Result<()> {
    let Comparison { found, differences, names: [a, b], .. } = comparison;
    let verdict = comparison.verdict(args);
    let heading = styled(HEADING, format!("{a} and {b}"));
    if found.rotated.is_some() {
        // A rotation explains all differences, so they are not listed.
        writeln!(out, "{b} equals {a} {verdict}")?;
    } else if is_nothing(found) {
        writeln!(out, "{heading}: {verdict}")?;
    } else {
        print_differences(found, differences, out)?;
        let tolerance = args.tolerance;
        let between = if differences.is_empty() { "" } else { "\n" };
        let in_both = in_both(found);
        writeln!(out, "{between}{heading}: {verdict} (tolerance {tolerance}); {in_both}")?;
        for (number, thing, how) in [
            (found.clips_in_part, "clip", "only partly compared"),
            (found.shapes_in_part, "shape", "not compared"),
        ] {
            if number > 0 {
                let things = plural(number, thing);
                let unsure =
                    format_args!("{things} {how}: a full comparison would exceed the limits");
                writeln!(out, "{}", styled(FAINT, unsure))?;
            }
        }
    }
    comparison.not_compared().try_for_each(|line| writeln!(out, "{line}"))?;
    advise(comparison, args, out)
}

/// Prints options that leave out what was probably not meant.
fn advise(comparison: &Comparison, args: &DiffArgs, out: &mut dyn Write) -> io::Result<()> {
    let Comparison { found, differences, .. } = comparison;
    let has = |kind| found.counts.contains_key(kind) && found.rotated.is_none();
    let only_in: HashSet<_> =
        differences.iter().filter(|of| of.kind == "clip").map(|of| of.only_in).collect();
    if has("keys") {
        let keys = "use --ignore-keys to compare the motion regardless of the times of the keys";
        writeln!(out, "{}", help(keys))?;
    }
    if comparison.is_baked && !comparison.same {
        writeln!(out, "{}", help(BAKED))?;
    }
    if has("diagonals") {
        let why = "the frames of one mesh have the same triangles, so converting or merging frames \
                   can split the quads of some along the other diagonal";
        writeln!(out, "{}", help(why))?;
    }
    if args.clip.is_empty() && only_in.len() == 1 && found.clips > 0 {
        let clip = "use --clip NAME to compare only the clips with this name";
        writeln!(out, "{}", help(clip))?;
    }
    Ok(())
}

/// Prints the differences, and the number of those that were not kept.
fn print_differences(
    found: &Diff,
    differences: &[DifferenceReport],
    out: &mut dyn Write,
) -> io::Result<()> {
    for difference in differences {
        writeln!(out, "{}", difference.message)?;
    }
    for (kind, count) in &found.counts {
        let shown = differences.iter().filter(|difference| difference.kind == *kind).count();
        let more = count.saturating_sub(shown);
        if more > 0 {
            let more = format_args!("… and {} more ({kind})", thousands(more));
            writeln!(out, "{}", styled(FAINT, more))?;
        }
    }
    Ok(())
}

/// Lists what both files have: `3 joints, 1 clip in both`.
fn in_both(found: &Diff) -> String {
    let parts = counts([
        (found.joints, "joint", "joints"),
        (found.clips, "clip", "clips"),
        (found.states, "state", "states"),
        (found.events, "event", "events"),
        (found.shapes, "shape", "shapes"),
        (found.materials, "material", "materials"),
    ]);
    let mut in_both = if parts.is_empty() {
        "nothing in common to compare".to_owned()
    } else {
        format!("{parts} in both")
    };
    match found.joints_as_nodes {
        0 => {}
        1 => in_both.push_str("; 1 other joint is a mesh node in the other file"),
        many => in_both.push_str(&format!(
            "; {} other joints are mesh nodes in the other file",
            thousands(many)
        )),
    }
    in_both
}
