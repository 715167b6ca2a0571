//! Determines the paths of all outputs before anything is written.

mod split;

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::path::Path;
use std::{fs, io};

use anim_formats::anim_ir::diag::escape;
use anim_formats::anim_ir::nearest_name;
use anim_formats::{Format, folder_of};

use self::split::split;
use crate::args::{Common, ConvertArgs, OutputArgs};
use crate::files::{Files, Found};
use crate::input::Input;
use crate::into_folder::into_folder;
use crate::job::{Job, Output};
use crate::read_files::Identity;
use crate::status::Failure;
use crate::term::{print_note, show_path};
use crate::write::check_new;
use anim_viewer::{caseless, is_compressed, sanitize};

/// Determines the conversions, the output format and the output paths. Fails if a file would be
/// written twice, or if an input or, without `--force`, an existing file would be overwritten.
pub(crate) fn plan<'a>(
    args: &'a ConvertArgs,
    files: &'a Files,
    common: &Common,
) -> Result<(Format, Vec<Job<'a>>), Failure> {
    let out = args.out.output.as_path();
    let inputs: Vec<Input<'a>> = files.found.iter().map(Found::input).collect();
    let (target, by_extension, is_folder) = target_of(&args.out, &inputs, common)?;
    let is_stdout = out.as_os_str() == "-";
    // Several inputs are combined in one output with --merge, or if the output is not a folder and
    // is clearly a single file: with --join, a known extension, or standard output.
    let together = args.merge
        || (inputs.len() > 1 && !is_folder && (args.join.is_some() || by_extension || is_stdout));
    let into_files = is_folder || inputs.len() > 1 || (files.from_folder && !by_extension);
    let mut notes = Vec::new();
    let mut jobs = if args.split {
        split(&inputs, target, args, common)?
    } else if args.merge && (is_folder || files.folders() > 1 && !by_extension && !is_stdout) {
        merged_by_folder(&files.found, target, out)
    } else if together || is_stdout || !into_files {
        notes.extend(other_extension(target, out));
        vec![one(&inputs, &args.out, common)?]
    } else {
        check_folder(&files.found, out, is_folder, by_extension)?;
        let planned = into_folder(files, target, out, &common.load_options());
        notes = planned.notes;
        let job = |(input, path)| Job {
            others: planned.model.into_iter().collect(),
            ..Job::new(input, Output::File(path))
        };
        planned.outputs.into_iter().map(job).collect()
    };
    for job in &mut jobs {
        job.others.extend(args.with.iter().map(|path| Input::new(path)));
    }
    if jobs.iter().flat_map(Job::inputs).filter(|input| matches!(input, Input::Stdin)).count() > 1 {
        return Err(Failure::usage("standard input can be read only once"));
    }
    if args.out.is_second && args.with.is_empty() && !args.out.force {
        check_not_meant_as_input(&jobs, common)?;
    }
    check_outputs(&jobs, args.out.force)?;
    notes.iter().for_each(print_note);
    let folders: BTreeSet<&Path> =
        jobs.iter().filter_map(|job| job.output.file()).map(folder_of).collect();
    for folder in folders {
        fs::create_dir_all(folder).map_err(|error| cannot_create(folder, &error))?;
    }
    Ok((target, jobs))
}

/// Plans a single output for two inputs.
pub(crate) fn plan_one<'a>(
    inputs: [Input<'a>; 2],
    args: &OutputArgs,
    common: &Common,
) -> Result<(Format, Job<'a>), Failure> {
    if let [Input::Stdin, Input::Stdin] = inputs {
        return Err(Failure::usage("standard input can be read only once"));
    }
    let (target, _, is_folder) = target_of(args, &inputs, common)?;
    let mut job = one(&inputs, args, common)?;
    if is_folder {
        let [first, _] = inputs;
        let extension = target.written_extensions().first().copied().unwrap_or_default();
        let name = format!("{}.{extension}", sanitize(&first.stem()));
        job.output = Output::File(args.output.join(name));
    }
    check_outputs(std::slice::from_ref(&job), args.force)?;
    if is_folder {
        fs::create_dir_all(&args.output).map_err(|error| cannot_create(&args.output, &error))?;
    }
    Ok((target, job))
}

fn cannot_create(folder: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("cannot create the folder {}: {error}", show_path(folder)))
}

/// Returns the format to write, whether the output's extension implies it, and whether the output
/// is a folder.
fn target_of(
    args: &OutputArgs,
    inputs: &[Input<'_>],
    common: &Common,
) -> Result<(Format, bool, bool), Failure> {
    let out = args.output.as_path();
    let is_folder = out.is_dir() || out.as_os_str().as_encoded_bytes().ends_with(b"/");
    let name = uncompressed(out);
    let extension = name.extension().and_then(OsStr::to_str);
    let named: Vec<Format> =
        extension.into_iter().flat_map(Format::writing_extension).filter(can_be(out)).collect();
    let target = match (args.to, named.as_slice()) {
        (Some(target), _) => target,
        (None, [only]) if !is_folder => *only,
        (None, [_, _, ..]) if !is_folder => fitting(&named, inputs, common)?,
        _ => {
            let extension = name.extension().filter(|_| !is_folder);
            return Err(Failure::usage(unsupported(extension, is_compressed(out))));
        }
    };
    Ok((target, !named.is_empty(), is_folder))
}

/// Returns the name of an output without `.gz`.
fn uncompressed(out: &Path) -> Cow<'_, Path> {
    let ends = out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
    if ends { out.with_extension("").into() } else { out.into() }
}

/// Returns whether a format can be written to a file that is compressed if its name says so.
fn can_be(out: &Path) -> impl Fn(&Format) -> bool {
    let is_compressed = is_compressed(out);
    move |format| !is_compressed || format.may_be_compressed()
}

/// Returns a note if the output's extension belongs to none of the format's files.
fn other_extension(target: Format, out: &Path) -> Option<String> {
    let name = uncompressed(out);
    let extension = name.extension()?.to_string_lossy();
    let usual = target.written_extensions();
    let [first, ..] = usual else { return None };
    let is_usual = usual.iter().any(|usual| usual.eq_ignore_ascii_case(&extension));
    let title = target.title();
    (!is_usual).then(|| {
        let out = show_path(out);
        format!("{out} is written as {title}, whose files usually have the extension .{first}")
    })
}

/// Returns the message for an unsupported or missing output extension, without `.gz`.
fn unsupported(extension: Option<&OsStr>, is_compressed: bool) -> String {
    let Some(extension) = extension else {
        let names: Vec<&str> = Format::writable().map(Format::id).collect();
        return format!("unknown output format; add --to FORMAT, one of {}", names.join(", "));
    };
    let extension = escape(&extension.to_string_lossy());
    let mut known: Vec<&str> = Vec::new();
    for written in Format::writable().flat_map(Format::written_extensions) {
        if !known.contains(written) {
            known.push(written);
        }
    }
    if let Some(format) = Format::writing_extension(&extension).next().filter(|_| is_compressed) {
        let title = format.title();
        return format!("{title} cannot be written compressed; leave out .gz");
    }
    let advice = if matches!(&*extension, "svg" | "png" | "gif" | "apng") {
        "; to draw the input, use `animfmt render`".to_owned()
    } else if let Some(format) = Format::with_extension(&extension).next() {
        match format.written_extensions() {
            [] => format!("; {} can only be read", format.title()),
            written => format!("; {} is written as .{}", format.title(), written.join(" or .")),
        }
    } else if let Some(nearest) = nearest_name(&extension, known.iter().copied()) {
        format!("; did you mean .{nearest}?")
    } else {
        String::new()
    };
    format!(
        "unsupported output extension .{extension}{advice} (supported: .{}; or add --to FORMAT)",
        known.join(", .")
    )
}

/// Chooses among several formats with the same extension: the format related to the inputs.
fn fitting(
    candidates: &[Format],
    inputs: &[Input<'_>],
    common: &Common,
) -> Result<Format, Failure> {
    let options: Vec<String> =
        candidates.iter().map(|format| format!("--to {}", format.id())).collect();
    let unsure = || {
        Failure::usage(format!(
            "several formats use this extension; choose one with {}",
            options.join(" or ")
        ))
    };
    if inputs.iter().any(|input| matches!(input, Input::Stdin)) {
        return Err(unsure());
    }
    let load = common.load_options();
    // Unreadable files are reported when they are converted.
    let formats: Vec<Format> = inputs.iter().filter_map(|input| input.format(&load).ok()).collect();
    Format::fitting(candidates, &formats).ok_or_else(unsure)
}

/// Plans a single output for all inputs.
fn one<'a>(inputs: &[Input<'a>], args: &OutputArgs, common: &Common) -> Result<Job<'a>, Failure> {
    let [first, others @ ..] = inputs else { return Err(Failure::usage("no input")) };
    let out = &args.output;
    let output = if out.as_os_str() != "-" {
        if !folder_of(out).is_dir() {
            return Err(Failure::usage(format!(
                "cannot write {}: its folder does not exist",
                show_path(out)
            )));
        }
        Output::File(out.clone())
    } else if common.json {
        return Err(Failure::usage("--json and -o - cannot both write to standard output"));
    } else {
        Output::Stdout
    };
    Ok(Job { others: others.to_vec(), ..Job::new(*first, output) })
}

/// Plans an output for each folder that contains inputs, named after it, which merges the files in
/// that folder.
fn merged_by_folder<'a>(files: &'a [Found], target: Format, out: &Path) -> Vec<Job<'a>> {
    let extension = target.written_extensions().first().copied().unwrap_or_default();
    let mut by_folder: BTreeMap<&Path, Vec<&'a Found>> = BTreeMap::new();
    for file in files {
        by_folder.entry(folder_of(&file.path)).or_default().push(file);
    }
    let job = |(folder, files): (&Path, Vec<&'a Found>)| {
        let (first, others) = files.split_first()?;
        // `.` and `..` are not names.
        let named = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let name = sanitize(&named.file_name().unwrap_or_default().to_string_lossy());
        let above = first.below.parent().unwrap_or(Path::new(""));
        let output = Output::File(out.join(above).join(format!("{name}.{extension}")));
        let others = others.iter().map(|file| file.input()).collect();
        Some(Job { others, ..Job::new(first.input(), output) })
    };
    by_folder.into_iter().filter_map(job).collect()
}

/// Fails if the output for several inputs is a file or looks like one.
fn check_folder(
    files: &[Found],
    folder: &Path,
    exists: bool,
    looks_like_file: bool,
) -> Result<(), Failure> {
    if !exists && (looks_like_file || folder.exists()) {
        return Err(Failure::usage(format!(
            "{} inputs require an output folder, but {} is not a folder",
            files.len(),
            show_path(folder)
        )));
    }
    Ok(())
}

fn check_outputs(jobs: &[Job<'_>], force: bool) -> Result<(), Failure> {
    let mut taken: HashMap<String, String> = HashMap::new();
    let identity = |input: Input<'_>| match input {
        Input::Stdin => None,
        // If its metadata cannot be read, neither can the file, which is reported later.
        Input::File(path, _) => Identity::of(path).ok(),
    };
    // Only needed if an output already exists.
    let inputs: LazyCell<HashSet<Identity>, _> =
        LazyCell::new(|| jobs.iter().flat_map(Job::inputs).filter_map(identity).collect());
    for job in jobs {
        let Output::File(path) = &job.output else { continue };
        if let Some(other) = taken.insert(caseless(path), job.input.shown()) {
            let message = format!(
                "{other} and {} would both be written to {}; nothing was written; convert them \
                 separately, into different folders",
                job.input.shown(),
                show_path(path)
            );
            return Err(Failure::usage(message));
        }
        if matches!(path.symlink_metadata(), Err(error) if error.kind() == io::ErrorKind::NotFound)
        {
            continue;
        }
        check_output(path, &inputs, force)?;
    }
    Ok(())
}

/// Fails if the output is an existing model or motion that can be combined with the input, and so
/// was probably meant as a second input.
fn check_not_meant_as_input(jobs: &[Job<'_>], common: &Common) -> Result<(), Failure> {
    let [Job { input: input @ Input::File(..), output: Output::File(path), .. }] = jobs else {
        return Ok(());
    };
    if !path.is_file() {
        return Ok(());
    }
    let load = common.load_options().with_format(None);
    // A file that cannot be read is not meant as an input.
    let (Ok(a), Ok(b)) = (input.format(&load), Input::File(path, None).parse(&load)) else {
        return Ok(());
    };
    let b = b.value.format();
    if !a.animates(b) && !b.animates(a) {
        return Ok(());
    }
    let (input, path) = (input.shown(), show_path(path));
    Err(Failure::usage(format!(
        "{path} exists; use `--with {path} -o OUT` to combine it with {input}, or --force to \
         overwrite it"
    )))
}

fn check_output(path: &Path, inputs: &HashSet<Identity>, force: bool) -> Result<(), Failure> {
    if Identity::of(path).is_ok_and(|identity| inputs.contains(&identity)) {
        return Err(Failure::usage(format!(
            "{} is an input, and inputs are never overwritten",
            show_path(path)
        )));
    }
    check_new(path, force)
}
