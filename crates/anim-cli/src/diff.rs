//! `animfmt diff`

mod difference;
mod folders;
mod report;

use std::collections::HashSet;
use std::io::{self, Write};

use anim_formats::anim_ir::Diagnostics;
use anim_formats::anim_ir::diag::plural;
use anim_formats::anim_ir::diff::{Diff, Options, diff};
use anim_formats::codes::NORMALS_FIXED;
use anim_formats::{Format, LoadOptions, Loaded, read_images};

use self::report::{Compared, DifferenceReport, Failed, FileReport, Report, Unread};
use crate::args::{Aspect, Common, DiffArgs};
use crate::fault;
use crate::input::{Input, short_names};
use crate::options::warn_of_useless;
use crate::status::{Failure, Status};
use crate::term::{
    FAINT, HEADING, Verbosity, count, counts, print_json, print_note, show_path, styled, thousands,
    verbosity,
};
use crate::totals::warn_of_errors;

/// The number of differences of each kind that are shown without `--all`.
const SHOWN: usize = 10;
/// The maximum number of differences of each kind that are kept with `--all`.
const ALL: usize = 1_000_000;

pub(crate) fn run(args: &DiffArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let mixed = |folder, file| {
        let [folder, file] = [folder, file].map(|path| show_path(path));
        Failure::usage(format!(
            "{folder} is a folder, but {file} is not; compare two files or two folders"
        ))
    };
    let DiffArgs { a, b, .. } = args;
    match (a.is_dir(), b.is_dir()) {
        (true, true) => folders::run(args, common, out),
        (true, false) => Ok(mixed(a, b).report()),
        (false, true) => Ok(mixed(b, a).report()),
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
    let compared = fault::guard(|| compare(inputs, args, common, &common.load_options()));
    let comparison = match compared {
        Ok(compared) => compared,
        Err(failure) => {
            let status = failure.report_for(&a.shown());
            if common.json {
                print_json(out, &Failed::of(inputs, failure))?;
            }
            return Ok(status);
        }
    };
    warn_of_useless(common.given(), &HashSet::from(comparison.formats), None);
    for (input, diagnostics) in inputs.iter().zip(&comparison.diagnostics) {
        warn_of_errors(*input, diagnostics);
    }
    let [of_a, of_b] = comparison.repaired;
    note_repairs(a, of_a);
    note_repairs(b, of_b);
    let status = if comparison.same { Status::Fine } else { Status::Errors };
    if common.json {
        print_json(out, &comparison.report(inputs, args))?;
    } else if verbosity() > Verbosity::Quiet {
        print(&comparison, args, out)?;
    }
    Ok(status)
}

/// The result of comparing two files, and what was found on reading them.
struct Comparison {
    /// The names of the files to show in messages.
    names: [String; 2],
    found: Diff,
    /// The differences found.
    differences: Vec<DifferenceReport>,
    same: bool,
    diagnostics: [Diagnostics; 2],
    /// The number of meshes whose normals were repaired.
    repaired: [u64; 2],
    unread: [Unread; 2],
    formats: [Format; 2],
}

fn compare(
    inputs: [Input<'_>; 2],
    args: &DiffArgs,
    common: &Common,
    load_options: &LoadOptions,
) -> Result<Comparison, Failure> {
    let compares = |aspect| args.only.is_empty() || args.only.contains(&aspect);
    let load = |input: Input<'_>| -> Result<Loaded, Failure> {
        let about = |failure: Failure| failure.about(input.shown());
        let mut loaded = input.load(load_options).map_err(about)?;
        if compares(Aspect::Materials) {
            let mut files = input.files(load_options).map_err(about)?;
            loaded.losses.append(read_images(&mut loaded.scene, files.as_mut()));
        }
        Ok(loaded)
    };
    let [a, b] = inputs;
    let [a, b] = [load(a)?, load(b)?];
    let options = Options::default()
        .with_motion(compares(Aspect::Motion))
        .with_shapes(compares(Aspect::Shapes))
        .with_materials(compares(Aspect::Materials))
        .with_seconds(args.seconds)
        .with_tolerance(args.tolerance)
        .with_kept(if args.all { ALL } else { SHOWN })
        .with_limits(common.limits());
    let found =
        diff(&a.scene, &b.scene, &options).map_err(|error| Failure::file(error.to_string()))?;
    let names =
        <[String; 2]>::try_from(short_names(&inputs)).unwrap_or_else(|_| inputs.map(Input::shown));
    let of = |difference| DifferenceReport::of(difference, &names);
    let unread = [&a, &b].map(Unread::of);
    let is_rotated = args.ignore_rotation && found.rotated.is_some();
    Ok(Comparison {
        differences: found.differences.iter().map(of).collect(),
        same: (found.is_same() || is_rotated)
            && !is_nothing(&found)
            && unread.iter().all(|unread| !unread.has_errors()),
        names,
        found,
        repaired: [&a, &b].map(|loaded| loaded.losses.count(&NORMALS_FIXED)),
        formats: [&a, &b].map(|loaded| loaded.document.format()),
        unread,
        diagnostics: [a.diagnostics, b.diagnostics],
    })
}

impl Comparison {
    /// Returns the JSON document.
    fn report(self, [a, b]: [Input<'_>; 2], args: &DiffArgs) -> Report {
        let Comparison { found, repaired: [of_a, of_b], unread: [unread_a, unread_b], .. } = self;
        Report {
            schema: "animfmt.diff/2",
            files: [FileReport::of(a, of_a, unread_a), FileReport::of(b, of_b, unread_b)],
            same: self.same,
            rotated: found.rotated,
            tolerance: args.tolerance,
            seconds: args.seconds,
            differences: self.differences,
            compared: Compared::of(&found),
            counts: found.counts,
        }
    }

    /// Returns what was found, such as `no differences` or `2 differences`.
    fn verdict(&self, args: &DiffArgs) -> String {
        let found = &self.found;
        if let Some(angle) = found.rotated {
            let how = if angle == 180 { "" } else { ", as between y up and z up" };
            return format!("rotated by {angle}° about x{how}; nothing else differs");
        }
        if is_nothing(found) {
            return format!("nothing to compare: neither file has {}", aspects(&args.only));
        }
        match found.counts.values().fold(0_usize, |sum, count| sum.saturating_add(*count)) {
            0 if !found.is_same() => "no differences found".to_owned(),
            0 => "no differences".to_owned(),
            1 => "1 difference".to_owned(),
            many => format!("{} differences", thousands(many)),
        }
    }

    fn has_errors(&self) -> bool {
        self.unread.iter().any(Unread::has_errors)
    }

    /// Returns a line for each file of which parts could not be read and were not compared.
    fn not_compared(&self) -> impl Iterator<Item = String> {
        self.names.iter().zip(&self.unread).filter_map(|(name, unread)| unread.line(name))
    }
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
    comparison.not_compared().try_for_each(|line| writeln!(out, "{line}"))
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

/// Whether neither file has anything that was to be compared.
fn is_nothing(found: &Diff) -> bool {
    let Diff { joints, joints_as_nodes, clips, states, events, shapes, materials, .. } = *found;
    let sizes = [joints, joints_as_nodes, clips, states, events, shapes, materials];
    found.is_same() && sizes == [0; 7]
}

/// Lists what is compared: `motion, shapes or materials`.
fn aspects(only: &[Aspect]) -> String {
    let all =
        [(Aspect::Motion, "motion"), (Aspect::Shapes, "shapes"), (Aspect::Materials, "materials")];
    let compared = all.iter().filter(|(aspect, _)| only.is_empty() || only.contains(aspect));
    let names: Vec<&str> = compared.map(|(_, name)| *name).collect();
    match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.concat(),
    }
}
