//! Compares the files of two folders, such as a folder and its conversion, or the files of a folder
//! with a single file that contains the clips of all of them.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;

use anim_formats::anim_ir::diag::quote;
use anim_formats::anim_ir::diff::Side;
use anim_formats::{LoadOptions, bake_of};
use serde::Serialize;

use super::comparison::{
    BAKED, Comparison, Read, check_names, compare, is_nothing, name_alike, names,
};
use super::report::{Failed, Report};
use super::whole::{Part, Whole, compare_part};
use crate::args::{Common, DiffArgs};
use crate::batch::{guarded, share_threads};
use crate::files::{Files, Found};
use crate::input::Input;
use crate::options::warn_of_useless;
use crate::progress::Progress;
use crate::status::{Fail as _, Failure, Status};
use crate::term::{
    HEADING, Verbosity, count, counts, help, print_json, show_path, styled, verbosity,
};
use anim_viewer::{caseless, sanitize};

/// The JSON document.
#[derive(Serialize)]
struct FoldersReport<'a> {
    schema: &'static str,
    same: bool,
    pairs: Vec<Pair<'a>>,
    /// The files of each folder that have no counterpart in the other; if one is a file, its clips
    /// that no file in the folder has.
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
    /// Files without clips, which are not compared with a single file.
    still: usize,
    different: usize,
    /// Pairs without differences, of which a file has errors.
    with_errors: usize,
    failed: usize,
    /// Pairs of which parts could not be read.
    in_part: usize,
    /// Pairs of which a file is compared with repaired normals.
    repaired: usize,
    /// Different pairs of which one file has the way back of ping-pong clips appended.
    baked: usize,
}

/// Compares the files with the same path in both folders, regardless of the extension; or, if one
/// of the two is a file, the clips of each file in the folder with its clips.
pub(super) fn run(
    single: Option<Side>,
    args: &DiffArgs,
    common: &Common,
    out: &mut dyn Write,
) -> io::Result<Status> {
    let mut options = common.load_options();
    let [in_a, in_b] = match find(single, args, common, &options) {
        Ok(files) => files,
        Err(failure) => return Ok(Failure::report(&failure)),
    };
    let found = [&in_a.found, &in_b.found].map(Vec::as_slice);
    let (pairs, alone) = match single {
        None => pair(found),
        Some(side) => (with_single(side, found), [Vec::new(), Vec::new()]),
    };
    let threads = share_threads(&mut options, pairs.len());
    let progress = Progress::new(pairs.len(), Progress::has_place());
    let (mut tally, mut reports, mut formats) = (Tally::default(), Vec::new(), HashSet::new());
    let (merged, mut in_folder) = (merged_folder(&alone, args), HashSet::new());
    let mut alone = alone.map(|files| files.into_iter().map(Alone::of).collect::<Vec<_>>());
    // A file that is compared with many others is read once.
    let whole = OnceLock::new();
    let work = |pair: &[&Found; 2]| {
        compare_pair(pair.map(Found::input), (single, &whole), args, common, &options)
    };
    guarded(&pairs, threads, &progress, work, |pair, result| {
        let inputs = pair.map(Found::input);
        match result {
            Ok(Part { comparison: None, names }) => {
                tally.still = tally.still.saturating_add(1);
                in_folder.extend(names);
            }
            Ok(Part { comparison: Some(comparison), names }) => {
                formats.extend(comparison.facts.each_ref().map(|of| of.format));
                in_folder.extend(names);
                tally.add(&comparison);
                if common.json {
                    reports.push(Pair::Compared(Box::new(comparison.report(inputs, args))));
                } else if verbosity() > Verbosity::Quiet {
                    progress.aside(|| print(*pair, single, &comparison, args, out))?;
                }
            }
            Err(failure) => {
                tally.failed = tally.failed.saturating_add(1);
                let input = single.map_or(Side::A, Side::other).of(inputs);
                progress.report_failure(&failure, input, out)?;
                if common.json {
                    reports.push(Pair::Failed(Failed::of(inputs, &failure)));
                }
            }
        }
        Ok(())
    })?;
    drop(progress);
    warn_of_useless(common.given(), &formats, None);
    let whole = whole.get().and_then(|whole| whole.as_ref().ok());
    let known = in_folder.iter().chain(whole.into_iter().flat_map(Whole::names));
    if let Err(failure) = check_names(&args.clip, known.cloned().collect()) {
        return Ok(failure.report());
    }
    if let (Some(single), Some(whole)) = (single, whole) {
        let is_alone = |clip: &&String| {
            !in_folder.contains(*clip) && (args.clip.is_empty() || args.clip.contains(*clip))
        };
        let clips = whole.names().iter().filter(is_alone).map(Alone::of_clip);
        *single.of(alone.each_mut()) = clips.collect();
    }
    let is_complete = [tally.empty, tally.still].iter().fold(tally.same, |sum, of| sum + of);
    let same = is_complete == pairs.len() && tally.same > 0 && alone.iter().all(Vec::is_empty);
    if common.json {
        let schema = "animfmt.diff-folders/1";
        let only = alone.map(|all| all.into_iter().map(|alone| alone.name).collect());
        print_json(out, &FoldersReport { schema, same, pairs: reports, only })?;
    } else if verbosity() > Verbosity::Quiet {
        summarize(&tally, pairs.len(), (&alone, single, args), out)?;
        if let Some(line) = merged {
            writeln!(out, "{}", help(&line))?;
        }
    }
    Ok(if same { Status::Fine } else { Status::Errors })
}

/// Finds the files of both folders, or of a folder and the single file on the given side.
fn find(
    single: Option<Side>,
    args: &DiffArgs,
    common: &Common,
    options: &LoadOptions,
) -> Result<[Files; 2], Failure> {
    if let Some(single) = single {
        let path = single.of([&args.a, &args.b]);
        let about = |error: io::Error| Failure::usage(error.to_string()).about(show_path(path));
        path.metadata().map_err(about)?;
    }
    let files = |given: &Path, other: &Path| -> Result<Files, Failure> {
        let mut files = Files::find(&[given.to_owned()], common.from, Some(other))?;
        files.leave_out_frames(options);
        Ok(files)
    };
    Ok([files(&args.a, &args.b)?, files(&args.b, &args.a)?])
}

/// Compares a pair of files. The single file, if there is one, is read with the first pair.
fn compare_pair(
    inputs @ [a, b]: [Input<'_>; 2],
    (single, whole): (Option<Side>, &OnceLock<Result<Whole, Failure>>),
    args: &DiffArgs,
    common: &Common,
    options: &LoadOptions,
) -> Result<Part, Failure> {
    let read = |input: Input<'_>| Read::of(input, args, options);
    let Some(single) = single else {
        let mut both = [read(a)?, read(b)?];
        name_alike(&mut both);
        let names = both.each_ref().map(|read| names(&read.scene)).concat();
        if !args.clip.is_empty() && !names.iter().any(|name| args.clip.contains(name)) {
            return Ok(Part { comparison: None, names });
        }
        let comparison = Some(compare(inputs, both, args, common, options)?);
        return Ok(Part { comparison, names });
    };
    let read_whole = || Whole::of(read(single.of(inputs))?, &bake_of(&options.settings));
    let whole = whole.get_or_init(read_whole).as_ref().map_err(Failure::clone)?;
    let part = read(single.other().of(inputs))?;
    compare_part(inputs, (single, whole), part, args, common, options)
}

/// A file or clip without a counterpart.
struct Alone {
    name: String,
    /// The name in messages.
    shown: String,
}

impl Alone {
    fn of(file: &Found) -> Alone {
        Alone { name: file.input().given().into_owned(), shown: show(file) }
    }

    fn of_clip(clip: &String) -> Alone {
        Alone { name: clip.clone(), shown: format!("clip {}", quote(clip.as_bytes())) }
    }
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
        if comparison.is_baked && !comparison.same {
            self.baked = self.baked.saturating_add(1);
        }
        if comparison.facts.iter().any(|of| of.repaired > 0) {
            self.repaired = self.repaired.saturating_add(1);
        }
    }
}

/// Returns a key that is equal for two files that may be paired.
type Key<'a> = dyn Fn(&Found) -> String + 'a;

/// Pairs each file of a folder with a single file, which may itself be in the folder.
fn with_single(single: Side, found: [&[Found]; 2]) -> Vec<[&Found; 2]> {
    let Some(whole) = single.of(found).first() else { return Vec::new() };
    let path = whole.path.canonicalize().ok();
    let parts = single.other().of(found).iter();
    let parts = parts.filter(|part| path.is_none() || part.path.canonicalize().ok() != path);
    parts.map(|part| if single == Side::A { [whole, part] } else { [part, whole] }).collect()
}

/// Returns the files of both folders that belong together, and those without a counterpart.
fn pair([a, b]: [&[Found]; 2]) -> (Vec<[&Found; 2]>, [Vec<&Found>; 2]) {
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

/// Returns the path of a file inside its folder.
fn show(file: &Found) -> String {
    show_path(&file.below.join(file.path.file_name().unwrap_or_default()))
}

/// Returns how to compare a folder with the file that `convert --merge` made of it, if one of the
/// files without a counterpart has the name of such a folder.
fn merged_folder(alone: &[Vec<&Found>; 2], args: &DiffArgs) -> Option<String> {
    let given = [&args.a, &args.b];
    [Side::A, Side::B].into_iter().find_map(|side| {
        let other = side.other();
        let folders: HashSet<String> =
            side.of(alone.each_ref()).iter().map(|file| caseless(&file.below)).collect();
        let files = other.of(alone.each_ref()).iter();
        let file =
            files.into_iter().find(|file| folders.contains(&key(file, file.path.file_stem())))?;
        let folder = side.of(given).join(&file.below).join(file.path.file_stem()?);
        let pair = [show_path(&folder), show_path(&file.path)];
        let [a, b] = [side, other].map(|side| side.of(pair.each_ref()));
        Some(format!("compare a folder with its merged file: animfmt diff {a} {b}"))
    })
}

/// Prints the result for two files as one line.
fn print(
    pair @ [a, b]: [&Found; 2],
    single: Option<Side>,
    comparison: &Comparison,
    args: &DiffArgs,
    out: &mut dyn Write,
) -> io::Result<()> {
    // Keys at other times often accompany other differences.
    let differences = &comparison.differences;
    let first = differences.iter().find(|of| of.kind != "keys").or(differences.first());
    let first = match first {
        Some(_) if comparison.found.rotated.is_some() => String::new(),
        None => String::new(),
        Some(only) if differences.len() == 1 => format!(": {}", only.message),
        Some(first) => format!(", such as {}", first.message),
    };
    let files = match single {
        Some(single) => show(single.other().of(pair)),
        None => {
            let b = show_path(b.path.file_name().unwrap_or_default().as_ref());
            format!("{} and {b}", show(a))
        }
    };
    write!(out, "{files}: {}{first}", comparison.verdict(args))?;
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

/// Prints what has no counterpart, and the number of pairs by result.
fn summarize(
    tally: &Tally,
    pairs: usize,
    (alone, single, args): (&[Vec<Alone>; 2], Option<Side>, &DiffArgs),
    out: &mut dyn Write,
) -> io::Result<()> {
    let given = [&args.a, &args.b].map(|path| show_path(path));
    for (of, alone) in given.iter().zip(alone) {
        for Alone { shown, .. } in alone {
            writeln!(out, "{shown}: only in {of}")?;
        }
    }
    let [only_a, only_b] = alone.each_ref().map(Vec::len);
    let [a, b] = given;
    let nouns = if single.is_some() { ["clip", "clips"] } else { ["file", "files"] };
    let only = |number, of| format!("{} only in {of}", count(number, nouns[0], nouns[1]));
    let things = if single.is_some() { ["file", "files"] } else { ["pair", "pairs"] };
    let results = counts([
        (tally.same, "equal", "equal"),
        (tally.empty, "empty", "empty"),
        (tally.still, "without clips", "without clips"),
        (tally.different, "different", "different"),
        (tally.with_errors, "with errors", "with errors"),
        (tally.failed, "not compared", "not compared"),
    ]);
    let mut line = match pairs {
        0 => format!("no {}", things[1]),
        pairs => format!("{}: {results}", count(pairs, things[0], things[1])),
    };
    for (number, of) in [(only_a, &a), (only_b, &b)] {
        if number > 0 {
            line.push_str("; ");
            line.push_str(&only(number, of));
        }
    }
    writeln!(out, "{}", styled(HEADING, line))?;
    if tally.in_part > 0 && !args.all {
        let pairs = count(tally.in_part, things[0], things[1]);
        writeln!(out, "parts of {pairs} could not be read and compared; use --all to list them")?;
    }
    if tally.baked > 0 {
        writeln!(out, "{}", help(BAKED))?;
    }
    if tally.repaired > 0 {
        let pairs = count(tally.repaired, things[0], things[1]);
        writeln!(
            out,
            "normals in {pairs} were repaired for the comparison, as `convert` does; use \
             --normals keep to compare the original normals"
        )?;
    }
    Ok(())
}
