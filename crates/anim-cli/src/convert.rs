//! `animfmt convert`

use std::collections::{BTreeSet, HashSet};
use std::io::{self, Write};
use std::sync::Mutex;

use anim_formats::anim_ir::diag::{plural, quote};
use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::format::options::OptionValue;
use anim_formats::anim_ir::{Diagnostic, Diagnostics, Parsed};
use anim_formats::{
    AnyDocument, AssembleOptions, Content, Format, LoadOptions, LoadedInBlocks, Part, Settings,
    folder_of, read_images, scene_in_blocks, way_to,
};
use anim_viewer::{
    Combined, Conversion, DiagnosticReport, Found, LISTED, OF_SEVERAL, Place, Places, advise,
    caseless, combine_parts, compress_as_named, first_of_each, is_counted, not_kept,
};

use crate::args::{Common, ConvertArgs, set};
use crate::batch::{guarded, share_threads, summary};
use crate::check::ALL;
use crate::conversion::{ConversionReport, Report, SCHEMA};
use crate::files::Files;
use crate::input::{Input, shown_names};
use crate::job::{Job, Output};
use crate::options::{CLIP_NAMES, warn_of_useless};
use crate::outcome::{ClipLength, InputCounts, Outcome, ProblemLine, Reported};
use crate::output::{Writer, Written, output_stem};
use crate::plan::plan;
use crate::progress::Progress;
use crate::read_files::ReadFiles;
use crate::status::{Fail as _, Failure, Status};
use crate::tally::{Refused, Tally};
use crate::term::{help, print_json, print_line, severity_style, show_path, styled};

pub(crate) fn run(args: &ConvertArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let mut files = match Files::find(&args.inputs, common.from, Some(&args.out.output)) {
        Ok(files) => files,
        Err(failure) => return failure.report_run((SCHEMA, "files"), common.json, out),
    };
    files.leave_out_frames(&common.load_options());
    let (target, jobs) = match plan(args, &files, common) {
        Ok(planned) => planned,
        Err(failure) => return failure.report_run((SCHEMA, "files"), common.json, out),
    };
    let read = ReadFiles::default();
    let mut load = load_options(args, common, &read);
    let mut given = common.given().clone();
    let clip_names = take_names(args, &files, [&mut given, &mut load.settings]);
    let threads = share_threads(&mut load, jobs.len());
    let outputs = jobs.iter().filter_map(|job| job.output.file()).map(caseless).collect();
    let writer = Writer {
        args: &args.out,
        target,
        load,
        read,
        outputs,
        companions: Mutex::default(),
        keeps_equal: None,
        of_several: OF_SEVERAL,
    };
    let converter = Converter { args, writer, clip_names, refused: Refused::default() };
    let (reported, several) = (Reported::of(common), jobs.len() > 1);
    let progress = Progress::new(
        jobs.len(),
        reported == Reported::Everything
            || (reported == Reported::Failures && Progress::has_place()),
    );
    let mut statuses = Vec::new();
    let mut conversions = Vec::new();
    let mut tally = Tally::default();
    let mut formats = HashSet::new();
    let mut counts = InputCounts::default();
    guarded(
        &jobs,
        threads,
        &progress,
        |job| converter.convert(job),
        |job, outcome| {
            let outcome = outcome.unwrap_or_else(Outcome::nothing);
            progress.aside(|| outcome.report(job, reported, several, out))?;
            statuses.push(outcome.status());
            counts.add(&outcome, if args.merge { job.inputs().count() } else { 1 });
            tally.add(outcome.diagnostics.as_ref(), &outcome.losses);
            formats.extend(&outcome.read);
            conversions.push(ConversionReport::of(job, target, outcome));
            Ok(())
        },
    )?;
    drop(progress);
    warn_of_useless(&given, &formats, Some(target));
    // The message of a usage error is enough.
    let began = !matches!(statuses.as_slice(), [Status::Usage]);
    if reported == Reported::Everything && began && (several || files.from_folder || args.merge) {
        if several {
            tally.report();
        }
        converter.refused.report();
        if let Some(advice) = merging(args, &files, target, several) {
            print_line(format_args!("{}", help(advice)));
        }
        let done = if args.merge { "merged" } else { "converted" };
        print_line(format_args!("{}", summary(&files, &counts.named(done))));
    }
    if common.json {
        print_json(out, &Report { schema: SCHEMA, files: conversions })?;
    }
    Ok(Status::of_all(&statuses))
}

/// Returns the options for reading inputs. Files that are read are recorded.
fn load_options(args: &ConvertArgs, common: &Common, read: &ReadFiles) -> LoadOptions {
    let mut load = read.watch(common.load_options());
    if args.split {
        set(&mut load.settings, "split", "true");
    }
    compress_as_named(&mut load.settings, &args.out.output);
    if args.merge {
        // All diagnostics are kept, so that each can be counted for the input it comes from.
        load.settings.limits.diagnostics = ALL;
    }
    load
}

/// Returns advice on what to merge: files that are converted one by one although they belong
/// together, or that become one file although they may not.
fn merging(
    args: &ConvertArgs,
    files: &Files,
    target: Format,
    several: bool,
) -> Option<&'static str> {
    let is_separate = several && !args.merge && !args.split && !target.holds_one_clip();
    if files.several_animations && is_separate {
        return Some(
            "several animations are in one folder; use --merge to write those of each folder to \
             one file",
        );
    }
    (args.merge && !several && files.folders() > 1)
        .then_some("the inputs are in several folders; use -o FOLDER/ to write a file for each")
}

/// Returns the names for the clips of merged files, if `--clip-names` is a list and not a template.
/// The option is then removed: it names the merged clips, whatever the output format.
fn take_names(args: &ConvertArgs, files: &Files, settings: [&mut Settings; 2]) -> Vec<String> {
    let [given, _] = &settings;
    let text = given.get(CLIP_NAMES).map(OptionValue::text);
    let list = text.filter(|text| args.merge && files.found.len() > 1 && !text.contains('{'));
    let Some(list) = list else { return Vec::new() };
    let names = list.split(',').map(|name| name.trim().to_owned()).collect();
    settings.into_iter().for_each(|settings| settings.unset(CLIP_NAMES));
    names
}

/// State shared by all files of a run.
pub(crate) struct Converter<'a> {
    pub(crate) args: &'a ConvertArgs,
    pub(crate) writer: Writer<'a>,
    /// With `--merge`: the name for the clips of each input, or no names.
    pub(crate) clip_names: Vec<String>,
    pub(crate) refused: Refused,
}

impl Converter<'_> {
    fn convert(&self, job: &Job<'_>) -> Result<Outcome, Failure> {
        job.check_budget()?;
        self.check_clip_names(job)?;
        if let Some(outcome) = self.convert_in_blocks(job)? {
            return Ok(outcome);
        }
        self.convert_parts(job, self.parts(job)?, &self.clip_names)
    }

    /// Converts a large file whose bytes need not all be in memory ([`scene_in_blocks`]).
    fn convert_in_blocks(&self, job: &Job<'_>) -> Result<Option<Outcome>, Failure> {
        // A closer look needs the whole document.
        let is_whole = job.separated.is_some()
            || job.animation.is_some()
            || self.args.merge
            || self.args.join.is_some()
            || self.args.out.strict;
        let Input::File(path, _) = job.input else { return Ok(None) };
        if is_whole || !job.others.is_empty() {
            return Ok(None);
        }
        let load = &job.read.watch(self.writer.load.clone());
        let mut files = self.refused.watch(job.input.files(load)?, job.input.folder());
        let (name, settings) = (job.input.stem(), &load.settings);
        let mut context = Context { name: &name, files: files.as_mut(), settings };
        // Errors are reported when the file is read as a whole.
        let Ok(Some(loaded)) = scene_in_blocks(path, self.writer.target, load, &mut context) else {
            return Ok(None);
        };
        let LoadedInBlocks { format, dialect, mut scene, mut losses, .. } = loaded;
        if scene.check_size(&settings.limits).is_err() {
            return Ok(None);
        }
        job.input.report_read(format, dialect);
        if self.writer.target.takes_images() {
            losses.append(read_images(&mut scene, files.as_mut()));
        }
        drop(files);
        let combined = Combined {
            content: Content::Scene(scene.into()),
            images_of: 0,
            found: Vec::new(),
            diagnostics: Diagnostics::new(),
            losses,
            with_errors: BTreeSet::new(),
        };
        let output = job.output.shown();
        let conversion = self.conversion(job, &[], (&output, &[]))?;
        self.write_combined(job, combined, Vec::new(), vec![format], &conversion).map(Some)
    }

    /// Combines the parts of a job, and writes the result. `clip_names` is empty, or contains a
    /// name for the clips of each part.
    pub(crate) fn convert_parts(
        &self,
        job: &Job<'_>,
        parts: Vec<Part<'static>>,
        clip_names: &[String],
    ) -> Result<Outcome, Failure> {
        let inputs: Vec<Input<'_>> = job.inputs().collect();
        let formats: Vec<Format> = parts.iter().map(|part| part.parsed.value.format()).collect();
        let shown = shown_names(&inputs);
        let with: Vec<String> = self.args.with.iter().map(|path| show_path(path)).collect();
        let output = job.output.shown();
        let conversion = self.conversion(job, clip_names, (&output, &with))?;
        let mut combined = combine_parts(parts, &shown, &conversion)?;
        let problems = lines_of(&inputs, &combined.found);
        // The documents of large files take more memory than what is written.
        combined.found.clear();
        self.write_combined(job, combined, problems, formats, &conversion)
    }

    /// Returns what is made of the inputs of a job. The names of the output and of the last inputs
    /// are for messages.
    fn conversion<'c>(
        &'c self,
        job: &Job<'_>,
        clip_names: &[String],
        (output, with): (&'c str, &'c [String]),
    ) -> Result<Conversion<'c>, Failure> {
        Ok(Conversion {
            assemble: self.options(job, clip_names)?,
            output,
            with,
            clip: self.args.clip.as_deref(),
            combine: &self.args.combine,
        })
    }

    /// Writes the combined inputs of a job.
    fn write_combined(
        &self,
        job: &Job<'_>,
        combined: Combined,
        problems: Vec<ProblemLine>,
        read: Vec<Format>,
        conversion: &Conversion<'_>,
    ) -> Result<Outcome, Failure> {
        let Combined { content, images_of, diagnostics, mut losses, with_errors, .. } = combined;
        let inputs: Vec<Input<'_>> = job.inputs().collect();
        let strict =
            self.args.out.check_strict(&diagnostics, &losses).map_err(|failure| match &*inputs {
                [_] => failure,
                _ => failure.about(job.output.shown()),
            });
        let mut clips = Vec::new();
        let images_of = inputs.get(images_of).copied().unwrap_or(job.input);
        let result = strict.and_then(|()| {
            self.write(content, conversion, (images_of, job), &mut losses, &mut clips)
        });
        if self.args.merge {
            losses = first_of_each(&losses);
        }
        Ok(Outcome {
            result,
            problems,
            diagnostics: Some(diagnostics),
            losses,
            inputs_with_errors: with_errors.len(),
            read,
            clips,
        })
    }

    /// Writes the combined inputs, and returns the clips of a scene.
    fn write(
        &self,
        content: Content,
        conversion: &Conversion<'_>,
        (images_of, job): (Input<'_>, &Job<'_>),
        losses: &mut Diagnostics,
        clips: &mut Vec<ClipLength>,
    ) -> Result<Written, Failure> {
        match content {
            Content::Written(made) => {
                let made = made.map_err(|error| Failure::file(advise(&error)))?;
                self.writer.put(job, made)
            }
            Content::Scene(mut scene) => {
                conversion.choose_clips(&mut scene)?;
                clips.extend(scene.clips.iter().map(ClipLength::of));
                self.writer.write(images_of, job, *scene, losses)
            }
        }
    }

    /// Reads the files of a job.
    pub(crate) fn parts(&self, job: &Job<'_>) -> Result<Vec<Part<'static>>, Failure> {
        let load = job.read.watch(self.writer.load.clone());
        let part = |input: Input<'_>| {
            let mut part = part(input, job.input, job.separated.as_ref(), &load, &self.refused)?;
            self.args.out.look_closer(&mut part.parsed);
            Ok(part)
        };
        job.inputs().map(part).collect()
    }

    fn options(&self, job: &Job<'_>, clip_names: &[String]) -> Result<AssembleOptions, Failure> {
        let mut options =
            AssembleOptions::new(self.writer.target, self.writer.load.settings.clone());
        options.stem = output_stem(&job.output);
        if let (Some(folder), Output::File(path)) = (job.input.folder(), &job.output) {
            options.way = way_to(folder, folder_of(path))
                .map_err(|error| Failure::usage(error.to_string()))?;
        }
        options.needs_scene = self.args.clip.is_some() || !self.args.combine.is_empty();
        options.animation = job.animation;
        options.merge = self.args.merge;
        options.clip_names = clip_names.to_vec();
        options.join = self.args.join.clone();
        Ok(options)
    }

    /// Checks that `--clip-names` lists a name for each input.
    fn check_clip_names(&self, job: &Job<'_>) -> Result<(), Failure> {
        let (names, inputs) = (self.clip_names.len(), job.inputs().count());
        let mut seen = HashSet::new();
        if let Some(name) = self.clip_names.iter().find(|name| !seen.insert(name.as_str())) {
            let name = quote(name.as_bytes());
            return Err(Failure::usage(format!("--clip-names lists {name} more than once")));
        }
        if names == 0 || (names == inputs && self.clip_names.iter().all(|name| !name.is_empty())) {
            return Ok(());
        }
        let mut files: Vec<String> = job.inputs().take(LISTED).map(Input::shown).collect();
        if inputs > LISTED {
            files.push("…".to_owned());
        }
        let files = files.join(", ");
        Err(Failure::usage(format!(
            "--clip-names lists {} for {}; with --merge, list one name for each file, in this \
             order: {files}",
            plural(names, "name"),
            plural(inputs, "file")
        )))
    }
}

/// Reads a file that is combined with others, of which `first` is the first. `separated` is the
/// only part of the only file to convert.
pub(crate) fn part(
    input: Input<'_>,
    first: Input<'_>,
    separated: Option<&Parsed<AnyDocument<'static>>>,
    load: &LoadOptions,
    refused: &Refused,
) -> Result<Part<'static>, Failure> {
    let parsed = match (separated, input) {
        (Some(separated), Input::File(path, _)) => {
            // It was read before with other options.
            load.on_read.call(path);
            Ok(separated.clone())
        }
        _ => input.parse(load),
    };
    let parsed = parsed.map_err(|failure| failure.about(input.shown()))?;
    let files = refused.watch(input.files(load)?, input.folder());
    let way = match (input.folder(), first.folder()) {
        (Some(folder), Some(first)) => {
            way_to(folder, first).map_err(|error| Failure::usage(error.to_string()))?
        }
        _ => String::new(),
    };
    Ok(Part { name: input.stem().into_owned(), parsed, files, way })
}

/// Renders the problems of the files of an output.
pub(crate) fn lines_of(inputs: &[Input<'_>], found: &[Found]) -> Vec<ProblemLine> {
    let lines = found.iter().flat_map(|Found { input, document, diagnostics }| {
        let input = input.and_then(|number| inputs.get(number)).copied();
        problem_lines(input, document, diagnostics)
    });
    lines.collect()
}

/// Renders diagnostics in short form. Without an input, each names its file.
pub(crate) fn problem_lines(
    input: Option<Input<'_>>,
    document: &AnyDocument<'_>,
    diagnostics: &Diagnostics,
) -> Vec<ProblemLine> {
    let text = document.text();
    let mut places = Places::new(&text, document);
    let named = input.map(Input::shown);
    let line = |diagnostic: &Diagnostic| {
        let file = diagnostic.file.as_ref().or(named.as_ref());
        let place = diagnostic.span.map(|span| places.locate(document.text_span(span).start));
        let report = DiagnosticReport::of(diagnostic, place.and_then(Place::location));
        let place = place.map_or(String::new(), |place| format!("{place}:"));
        let (severity, id) = (diagnostic.severity(), diagnostic.code.id);
        let line = format!(
            "{}: {}{}",
            styled(severity_style(severity), format_args!("{}[{id}]", severity.name())),
            file.map_or(String::new(), |file| format!("{file}:{place} ")),
            diagnostic.message
        );
        let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
        let line = line + &help;
        ProblemLine {
            severity,
            line,
            report: Some(match input {
                Some(input) => report.in_file(input.given()),
                None => report,
            }),
        }
    };
    // Problems that only concern the engine are left to `check`.
    let (diagnostics, _) = diagnostics.clone().partition(is_counted);
    let mut lines: Vec<ProblemLine> = diagnostics.iter().map(line).collect();
    lines.extend(not_kept(&diagnostics).map(|(severity, line)| {
        let of = named.as_ref().map_or(String::new(), |file| format!(" in {file}"));
        ProblemLine { severity, line: line + &of, report: None }
    }));
    lines
}
