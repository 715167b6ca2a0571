//! Compares the files of two folders, such as a folder and its conversion.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::comparison::{Comparison, compare, is_nothing};
use super::report::{Failed, Report};
use crate::args::{Common, DiffArgs};
use crate::batch::{guarded, share_threads};
use crate::files::{Files, Found};
use crate::options::warn_of_useless;
use crate::output_names::{caseless, sanitize};
use crate::progress::Progress;
use crate::status::{Failure, Status};
use crate::term::{HEADING, Verbosity, count, counts, print_json, show_path, styled, verbosity};

/// The JSON document.
#[derive(Serialize)]
struct FoldersReport<'a> {
    schema: &'static str,
    same: bool,
    pairs: Vec<Pair<'a>>,
    /// The files of each folder that have no counterpart in the other.
    only: [Vec<String>; 2],
}

/// The comparison of two files, or why they could not be compared.
#[derive(Serialize)]
#[serde(untagged)]
enum Pair<'a> {
    Compared(Box<Report>),
    Failed(Failed<'a>),
}

/// The number of pairs by result.
#[derive(Default)]
struct Tally {
    same: usize,
    /// Pairs in which neither file has anything to compare.
    empty: usize,
    different: usize,
    /// Pairs without differences, of which a file has errors.
    with_errors: usize,
    failed: usize,
    /// Pairs of which parts could not be read.
    in_part: usize,
    /// Pairs of which a file is compared with repaired normals.
    repaired: usize,
}

/// Compares the files with the same path in both folders, regardless of the extension.
pub(super) fn run(args: &DiffArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let mut options = common.load_options();
    let find = |folder: &Path, other: &Path| {
        let mut files = Files::find(&[folder.to_owned()], common.from, Some(other))?;
        files.leave_out_frames(&options);
        Ok(files)
    };
    let (in_a, in_b) = match (find(&args.a, &args.b), find(&args.b, &args.a)) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(failure), _) | (_, Err(failure)) => return Ok(Failure::report(&failure)),
    };
    let (pairs, alone) = pair(&in_a.found, &in_b.found);
    let threads = share_threads(&mut options, pairs.len());
    let progress = Progress::new(pairs.len(), Progress::has_place());
    let (mut tally, mut reports, mut formats) = (Tally::default(), Vec::new(), HashSet::new());
    let work = |pair: &[&Found; 2]| compare(pair.map(Found::input), args, common, &options);
    guarded(&pairs, threads, &progress, work, |pair, result| {
        let inputs = pair.map(Found::input);
        match result {
            Ok(comparison) => {
                formats.extend(comparison.formats);
                tally.add(&comparison);
                if common.json {
                    reports.push(Pair::Compared(Box::new(comparison.report(inputs, args))));
                } else if verbosity() > Verbosity::Quiet {
                    progress.aside(|| print(*pair, &comparison, args, out))?;
                }
            }
            Err(failure) => {
                tally.failed = tally.failed.saturating_add(1);
                let [a, _] = inputs;
                progress.report_failure(&failure, a, out)?;
                if common.json {
                    reports.push(Pair::Failed(Failed::of(inputs, failure)));
                }
            }
        }
        Ok(())
    })?;
    drop(progress);
    warn_of_useless(common.given(), &formats, None);
    let is_complete = tally.same.saturating_add(tally.empty) == pairs.len();
    let same = is_complete && tally.same > 0 && alone.iter().all(Vec::is_empty);
    if common.json {
        let only =
            alone.map(|files| files.iter().map(|file| file.input().given().into()).collect());
        let schema = "animfmt.diff-folders/1";
        print_json(out, &FoldersReport { schema, same, pairs: reports, only })?;
    } else if verbosity() > Verbosity::Quiet {
        summarize(&tally, pairs.len(), (&alone, args), out)?;
    }
    Ok(if same { Status::Fine } else { Status::Errors })
}

impl Tally {
    fn add(&mut self, comparison: &Comparison) {
        let number = match comparison {
            Comparison { same: true, .. } => &mut self.same,
            _ if comparison.has_errors() && comparison.found.is_same() => &mut self.with_errors,
            Comparison { found, .. } if is_nothing(found) => &mut self.empty,
            _ => &mut self.different,
        };
        *number = number.saturating_add(1);
        if comparison.not_compared().next().is_some() {
            self.in_part = self.in_part.saturating_add(1);
        }
        if comparison.repaired != [0, 0] {
            self.repaired = self.repaired.saturating_add(1);
        }
    }
}

/// Returns a key that is equal for two files that may be paired.
type Key<'a> = dyn Fn(&Found) -> String + 'a;

/// Returns the files of both folders that belong together, and those without a counterpart.
fn pair<'a>(a: &'a [Found], b: &'a [Found]) -> (Vec<[&'a Found; 2]>, [Vec<&'a Found>; 2]) {
    // The names that `convert` gives to its outputs are those of the inputs with another
    // extension, in place of the input's or after it.
    let whole = |file: &Found| key(file, file.path.file_name());
    let stem = |file: &Found| key(file, file.path.file_stem());
    let (whole, stem): (&Key<'_>, &Key<'_>) = (&whole, &stem);
    let mut pairs = Vec::new();
    let mut alone = [a.iter().collect(), b.iter().collect()];
    for [key_a, key_b] in [[whole, whole], [whole, stem], [stem, whole], [stem, stem]] {
        let mut by_key: BTreeMap<String, [Vec<&Found>; 2]> = BTreeMap::new();
        let [rest_a, rest_b]: &mut [Vec<&Found>; 2] = &mut alone;
        for file in rest_a.drain(..) {
            let [of_a, _] = by_key.entry(key_a(file)).or_default();
            of_a.push(file);
        }
        for file in rest_b.drain(..) {
            let [_, of_b] = by_key.entry(key_b(file)).or_default();
            of_b.push(file);
        }
        for [of_a, of_b] in by_key.into_values() {
            // If several files have the same name, any choice would be a guess.
            if let ([file_a], [file_b]) = (of_a.as_slice(), of_b.as_slice()) {
                pairs.push([*file_a, *file_b]);
            } else {
                rest_a.extend(of_a);
                rest_b.extend(of_b);
            }
        }
    }
    for rest in &mut alone {
        rest.sort_by_key(|file| &file.path);
    }
    pairs.sort_by_key(|[file, _]| &file.path);
    (pairs, alone)
}

/// Returns a key that files of both folders share if their names are equal.
fn key(file: &Found, name: Option<&OsStr>) -> String {
    let name = sanitize(&name.unwrap_or_default().to_string_lossy());
    caseless(&file.below.join(name))
}

/// Prints the result for two files as one line.
fn print(
    [a, b]: [&Found; 2],
    comparison: &Comparison,
    args: &DiffArgs,
    out: &mut dyn Write,
) -> io::Result<()> {
    let name = |file: &Found| show_path(file.path.file_name().unwrap_or_default().as_ref());
    let first = match comparison.differences.as_slice() {
        _ if comparison.found.rotated.is_some() => None,
        [] => None,
        [only] => Some(format!(": {}", only.message)),
        [first, ..] => Some(format!(", such as {}", first.message)),
    };
    let [a, b] = [show_path(&a.below.join(name(a))), name(b)];
    let first = first.unwrap_or_default();
    write!(out, "{a} and {b}: {}{first}", comparison.verdict(args))?;
    for line in comparison.not_compared().filter(|_| shows_in_part(comparison, args)) {
        write!(out, "; {line}")?;
    }
    writeln!(out)
}

/// Returns whether to say which parts of the files could not be read: if they have errors. Losses
/// are in most files of a conversion, so they are shown only with `--all`.
fn shows_in_part(comparison: &Comparison, args: &DiffArgs) -> bool {
    args.all || comparison.has_errors()
}

/// Prints the files without a counterpart, and the number of pairs by result.
fn summarize(
    tally: &Tally,
    pairs: usize,
    (alone, args): (&[Vec<&Found>; 2], &DiffArgs),
    out: &mut dyn Write,
) -> io::Result<()> {
    let folders = [&args.a, &args.b].map(|folder| show_path(folder));
    for (folder, file) in folders
        .iter()
        .zip(alone)
        .flat_map(|(folder, files)| files.iter().map(move |file| (folder, file)))
    {
        let path = file.below.join(file.path.file_name().unwrap_or_default());
        writeln!(out, "{}: only in {folder}", show_path(&path))?;
    }
    let [only_a, only_b] = alone.each_ref().map(Vec::len);
    let [a, b] = folders;
    let only = |number, folder| format!("{} only in {folder}", count(number, "file", "files"));
    let results = counts([
        (tally.same, "equal", "equal"),
        (tally.empty, "empty", "empty"),
        (tally.different, "different", "different"),
        (tally.with_errors, "with errors", "with errors"),
        (tally.failed, "not compared", "not compared"),
    ]);
    let mut line = match pairs {
        0 => "no pairs".to_owned(),
        pairs => format!("{}: {results}", count(pairs, "pair", "pairs")),
    };
    for (number, folder) in [(only_a, &a), (only_b, &b)] {
        if number > 0 {
            line.push_str("; ");
            line.push_str(&only(number, folder));
        }
    }
    writeln!(out, "{}", styled(HEADING, line))?;
    if tally.in_part > 0 && !args.all {
        let pairs = count(tally.in_part, "pair", "pairs");
        writeln!(out, "parts of {pairs} could not be read and compared; use --all to list them")?;
    }
    if tally.repaired > 0 {
        let pairs = count(tally.repaired, "pair", "pairs");
        writeln!(
            out,
            "normals in {pairs} were repaired for the comparison, as `convert` does; use \
             --normals keep to compare the original normals"
        )?;
    }
    Ok(())
}
