//! `animfmt convert`

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::PathBuf;

use anim_formats::anim_ir::number::narrow;
use anim_formats::anim_ir::{Diagnostic, Diagnostics, Limits, Scene, Severity};
use anim_formats::{ConvertOptions, LoadOptions, Loaded, Target, Up, convert, embed_images, folder_of, rebase_images};
use serde::Serialize;

use crate::args::{Axis, Common, ConvertArgs};
use crate::fault;
use crate::places::Places;
use crate::plan::{Job, Output, bin_path, plan};
use crate::status::{Failure, Status};
use crate::term::{HEADING, count, error, print_json, severity_style, size, styled, tell};
use crate::totals::{Totals, counts_by_code, not_kept};
use crate::write::write_all;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    conversions: Vec<Conversion>,
}

#[derive(Serialize)]
struct Conversion {
    input: String,
    output: Option<String>,
    format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    losses: Vec<Loss>,
    /// How often each code of a loss occurred; of the losses the first ten of each code are listed.
    counts: BTreeMap<&'static str, u64>,
    diagnostics: Option<Totals>,
}

#[derive(Serialize)]
struct Loss {
    code: &'static str,
    message: String,
}

pub(crate) fn run(args: &ConvertArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let (target, jobs) = match plan(args, common) {
        Ok(planned) => planned,
        Err(Failure { status, message }) => {
            error(message);
            return Ok(status);
        }
    };
    let converter = Converter { args, target, load: load_options(args, common), limits: common.limits() };
    let (told, batch) = (!args.quiet && !common.json, jobs.len() > 1);
    let mut statuses = Vec::new();
    let mut conversions = Vec::new();
    let mut written = 0_usize;
    for job in &jobs {
        let outcome = fault::guard(|| converter.convert(job)).unwrap_or_else(Outcome::nothing);
        if told {
            outcome.tell_problems(job, batch);
        }
        statuses.push(outcome.status());
        match &outcome.result {
            Ok(Written { data, bytes }) => {
                written = written.saturating_add(1);
                out.write_all(data)?;
                if told {
                    tell(format_args!("{} {} ({})", styled(HEADING, "wrote"), job.output.shown(), size(*bytes)));
                }
            }
            Err(failure) => error(format_args!("{}: {}", job.input.shown(), failure.message)),
        }
        conversions.push(Conversion::of(job, target, outcome));
    }
    if told && batch {
        let failed = jobs.len().saturating_sub(written);
        tell(format_args!("{} written, {failed} failed", count(written, "file", "files")));
    }
    if common.json {
        print_json(out, &Report { schema: "animfmt.convert/1", conversions })?;
    }
    Ok(Status::of_all(&statuses))
}

fn load_options(args: &ConvertArgs, common: &Common) -> LoadOptions {
    let mut options = common.load_options();
    options.scene.amo_keys = args.amo_keys.into();
    let frames = &mut options.scene.frames;
    frames.bake_backwards = args.bake_backwards;
    frames.animate.flip_book = args.flip_book;
    frames.animate.morph_normals = args.morph_normals;
    frames.animate.most_morph_targets = usize::try_from(args.morph_targets).unwrap_or(usize::MAX);
    options
}

/// What is the same for all files of a call.
struct Converter<'a> {
    args: &'a ConvertArgs,
    target: Target,
    load: LoadOptions,
    limits: Limits,
}

/// What came of one file.
struct Outcome {
    result: Result<Written, Failure>,
    /// The problems of the file, a line each.
    problems: Vec<String>,
    /// `None` where nothing could be read.
    diagnostics: Option<Diagnostics>,
    losses: Diagnostics,
}

/// A result that is where it belongs, or on its way there.
struct Written {
    bytes: usize,
    /// What is for standard output.
    data: Vec<u8>,
}

impl Converter<'_> {
    fn convert(&self, job: &Job<'_>) -> Result<Outcome, Failure> {
        let Loaded { document, diagnostics, scene, mut losses } = job.input.load(&self.load)?;
        let problems = problem_lines(job, &document.to_bytes(), &diagnostics);
        drop(document);
        let result = if self.args.strict && diagnostics.worst() >= Some(Severity::Warning) {
            Err(Failure::file(format!("{}; nothing was written, since --strict was given", Totals::of(&diagnostics))))
        } else {
            self.write(job, scene, &mut losses)
        };
        Ok(Outcome { result, problems, diagnostics: Some(diagnostics), losses })
    }

    fn write(&self, job: &Job<'_>, mut scene: Scene, losses: &mut Diagnostics) -> Result<Written, Failure> {
        if let Some(folder) = job.input.folder().filter(|_| !scene.images.is_empty()) {
            match &job.output {
                Output::File(path) if !self.args.embed => rebase_images(&mut scene, folder, folder_of(path))
                    .map_err(|error| Failure::usage(format!("the way from the output to the images is not known: {error}")))?,
                // Beside standard output there is nothing to refer to.
                _ => losses.append(embed_images(&mut scene, folder, self.load.root.as_deref(), &self.limits)),
            }
        }
        let bin = match &job.output {
            Output::File(path) => bin_path(path),
            Output::Stdout => PathBuf::new(),
        };
        let options = ConvertOptions {
            up: match self.args.up {
                Some(Axis::Z) => Up::Z,
                Some(Axis::Y) | None => Up::Keep,
            },
            bin_name: bin.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            samples_per_second: self.args.fps.map(narrow),
            limits: self.limits,
        };
        let converted = convert(&scene, self.target, &options).map_err(|error| Failure::file(error.to_string()))?;
        losses.append(converted.losses);
        let anim_formats::Output { main, companions } = converted.value;
        let bytes = companions.iter().fold(main.len(), |sum, (_, companion)| sum.saturating_add(companion.len()));
        let data = match &job.output {
            Output::Stdout => main,
            Output::File(path) => {
                // What the main file refers to goes first. Without any binary data it refers to nothing.
                let companions = companions.iter().filter(|(_, bytes)| !bytes.is_empty());
                let companions = companions.map(|(name, bytes)| (path.with_file_name(name), bytes.as_slice()));
                let files: Vec<(PathBuf, &[u8])> = companions.chain([(path.clone(), main.as_slice())]).collect();
                write_all(&files, self.args.force)?;
                Vec::new()
            }
        };
        Ok(Written { bytes, data })
    }
}

impl Outcome {
    fn nothing(failure: Failure) -> Outcome {
        Outcome { result: Err(failure), problems: Vec::new(), diagnostics: None, losses: Diagnostics::new() }
    }

    fn status(&self) -> Status {
        match (&self.result, &self.diagnostics) {
            (Err(failure), _) => failure.status,
            (Ok(_), Some(diagnostics)) => Status::of(diagnostics),
            (Ok(_), None) => Status::Fine,
        }
    }

    /// Diagnostics and losses, a line each, the same one only once. Among several files each line says of which it speaks.
    fn tell_problems(&self, job: &Job<'_>, batch: bool) {
        let file = if batch { format!("{}: ", job.input.shown()) } else { String::new() };
        let style = severity_style(Severity::Note);
        let losses = self.losses.iter().map(|loss| format!("{}: {file}{}", styled(style, format_args!("loss[{}]", loss.code.id)), loss.message));
        let more = not_kept(&self.losses).map(|line| format!("{file}{line}"));
        let mut told = HashSet::new();
        for line in self.problems.iter().cloned().chain(losses).chain(more) {
            if !told.contains(&line) {
                tell(format_args!("{line}"));
                told.insert(line);
            }
        }
    }
}

impl Conversion {
    fn of(job: &Job<'_>, target: Target, outcome: Outcome) -> Conversion {
        let output = match &job.output {
            Output::Stdout => "-".into(),
            Output::File(path) => path.to_string_lossy(),
        };
        Conversion {
            input: job.input.given().into_owned(),
            output: outcome.result.is_ok().then(|| output.into_owned()),
            format: target.name(),
            losses: outcome.losses.iter().map(|loss| Loss { code: loss.code.id, message: loss.message.clone() }).collect(),
            counts: counts_by_code(&outcome.losses),
            diagnostics: outcome.diagnostics.as_ref().map(Totals::of),
            error: outcome.result.err().map(|failure| failure.message),
        }
    }
}

/// A file's diagnostics in short form.
fn problem_lines(job: &Job<'_>, source: &[u8], diagnostics: &Diagnostics) -> Vec<String> {
    let mut places = Places::new(source);
    let file = job.input.shown();
    let line = |diagnostic: &Diagnostic| {
        let place = diagnostic.span.map(|span| places.locate(span.start));
        let place = place.map_or(String::new(), |place| format!("{}:{}: ", place.line, place.column));
        let (severity, id) = (diagnostic.severity(), diagnostic.code.id);
        format!("{}: {file}:{place}{}", styled(severity_style(severity), format_args!("{}[{id}]", severity.name())), diagnostic.message)
    };
    let mut lines: Vec<String> = diagnostics.iter().map(line).collect();
    lines.extend(not_kept(diagnostics).map(|line| format!("{line} in {file}")));
    lines
}
