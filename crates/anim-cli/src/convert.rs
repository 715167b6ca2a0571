//! `animfmt convert`

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

use anim_formats::anim_ir::number::narrow;
use anim_formats::anim_ir::{Bake, Diagnostic, Diagnostics, Limits, Parsed, Scene, Severity};
use anim_formats::{
    AnyDocument, CastleOutput, Companions, ConvertOptions, Format, LoadOptions, NoCompanions,
    Target, TmdFiles, TmdMotion, TmdOutput, castle, folder_of, join_tmd, load_document,
    open_folder, put_motion_on, rewrite_castle, sort_losses, tmd_anm, tmd_scene, way_to,
};
use serde::Serialize;

use crate::args::{Common, ConvertArgs, OutputArgs};
use crate::batch::{guarded, share_threads, summary};
use crate::clips::pick;
use crate::files::Files;
use crate::input::Input;
use crate::output::{Writer, Written, convert_options, output_stem};
use crate::places::Places;
use crate::plan::{Job, Output, caseless, not_castle, plan};
use crate::progress::Progress;
use crate::status::{Failure, Status};
use crate::term::{HEADING, error, print_json, severity_style, size, styled, tell};
use crate::totals::{Totals, counts_by_code, not_kept};

#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) schema: &'static str,
    pub(crate) conversions: Vec<Conversion>,
}

#[derive(Serialize)]
pub(crate) struct Conversion {
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
    let files = match Files::find(&args.inputs, common.from, Some(&args.out.output)) {
        Ok(files) => files,
        Err(failure) => return Ok(failure.tell()),
    };
    let (target, jobs) = match plan(args, &files, common) {
        Ok(planned) => planned,
        Err(failure) => return Ok(failure.tell()),
    };
    let mut load = load_options(args, common);
    let threads = share_threads(&mut load, jobs.len());
    let options = ConvertOptions {
        tmd: TmdOutput {
            rotation_order: args.reading.rotation_order,
            unit: narrow(args.reading.unit_scale),
            clamp: args.clamp,
            split: args.split,
            ..TmdOutput::default()
        },
        castle: castle_output(args),
        samples_per_second: args.fps.map(narrow),
        ..convert_options(&args.out, &args.reading, common)
    };
    let outputs = jobs.iter().filter_map(|job| job.output.file()).map(caseless).collect();
    let of_several = "; choose one with --clip, or write each to a file with --split and a folder";
    let writer =
        Writer { args: &args.out, target, options, root: load.root.clone(), outputs, of_several };
    let converter = Converter { args, target, load, limits: common.limits(), writer };
    let (told, batch) = (Told::of(&args.out, common), jobs.len() > 1 || files.from_folder);
    let progress = Progress::new(
        jobs.len(),
        told == Told::Everything
            || (told == Told::Failures && !args.out.quiet && Progress::has_place()),
    );
    let mut statuses = Vec::new();
    let mut conversions = Vec::new();
    let (mut fine, mut failed) = (0_usize, 0_usize);
    guarded(
        &jobs,
        threads,
        &progress,
        |job| converter.convert(job),
        |job, outcome| {
            let outcome = outcome.unwrap_or_else(Outcome::nothing);
            progress.aside(|| outcome.report(job, told, batch, out))?;
            let status = outcome.status();
            statuses.push(status);
            match outcome.result {
                Ok(_) => fine = fine.saturating_add(usize::from(status == Status::Fine)),
                Err(_) => failed = failed.saturating_add(1),
            }
            conversions.push(Conversion::of(job, target, outcome));
            Ok(())
        },
    )?;
    drop(progress);
    if told == Told::Everything && batch {
        let with_errors = jobs.len().saturating_sub(fine).saturating_sub(failed);
        tell(format_args!(
            "{}",
            summary(
                &files,
                &[(fine, "converted"), (with_errors, "with errors"), (failed, "failed")]
            )
        ));
    }
    if common.json {
        print_json(out, &Report { schema: "animfmt.convert/1", conversions })?;
    }
    Ok(Status::of_all(&statuses))
}

fn load_options(args: &ConvertArgs, common: &Common) -> LoadOptions {
    let mut options = args.reading.load_options(common);
    options.scene.amo_keys = args.amo_keys.into();
    let frames = &mut options.scene.frames;
    frames.bake_backwards = args.bake_backwards;
    frames.animate.flip_book = args.flip_book;
    frames.animate.morph_normals = args.morph_normals;
    frames.animate.most_morph_targets = usize::try_from(args.morph_targets).unwrap_or(usize::MAX);
    options
}

/// What is done to castle-anim-frames on the way out.
fn castle_output(args: &ConvertArgs) -> CastleOutput {
    let minify = castle::Minify {
        decimals: Some(args.decimals),
        whitespace: true,
        epsilon: Some(args.epsilon),
    };
    CastleOutput {
        inline: args.inline,
        extract: args.extract,
        minify: args.minify.then_some(minify),
    }
}

/// What is the same for all files of a call.
struct Converter<'a> {
    args: &'a ConvertArgs,
    target: Target,
    load: LoadOptions,
    limits: Limits,
    writer: Writer<'a>,
}

/// How much is said on standard error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    Everything,
    /// `--quiet`: what went wrong.
    Errors,
    /// `--json`: that nothing could be written. The JSON has the rest.
    Failures,
}

impl Told {
    pub(crate) fn of(args: &OutputArgs, common: &Common) -> Told {
        match (common.json, args.quiet) {
            (true, _) => Told::Failures,
            (false, true) => Told::Errors,
            (false, false) => Told::Everything,
        }
    }

    fn takes(self, severity: Severity) -> bool {
        match self {
            Told::Everything => true,
            Told::Errors => severity == Severity::Error,
            Told::Failures => false,
        }
    }
}

/// A problem of a file, for people.
pub(crate) struct ProblemLine {
    severity: Severity,
    line: String,
}

/// What came of one file.
pub(crate) struct Outcome {
    pub(crate) result: Result<Written, Failure>,
    /// The problems of the file, a line each.
    pub(crate) problems: Vec<ProblemLine>,
    /// `None` where nothing could be read.
    pub(crate) diagnostics: Option<Diagnostics>,
    pub(crate) losses: Diagnostics,
}

/// What is to be written.
enum Content {
    /// What stays what it is does not become a scene on the way.
    Castle(castle::Document<'static>),
    /// The same for the parts of a motion.
    Motion(Vec<tmd_anm::Document<'static>>),
    Scene(Box<Scene>),
    /// Nothing is asked for that would change it.
    Same(Vec<u8>),
}

/// What was read for a job.
struct Gathered<'a> {
    content: Content,
    /// The input beside which the images of the scene are.
    images_of: Input<'a>,
    diagnostics: Diagnostics,
    problems: Vec<ProblemLine>,
}

type Read<'a> = (Input<'a>, Parsed<AnyDocument<'static>>);

impl Converter<'_> {
    fn convert(&self, job: &Job<'_>) -> Result<Outcome, Failure> {
        let mut losses = Diagnostics::new();
        let Gathered { content, images_of, diagnostics, problems } =
            self.gather(job, &mut losses)?;
        let result = self.args.out.check_strict(&diagnostics).and_then(|()| match content {
            Content::Castle(document) => self.rewrite(job, &document, &mut losses),
            Content::Motion(documents) => self.join(job, &documents, &mut losses),
            Content::Same(bytes) => self
                .writer
                .put(&job.output, anim_formats::Output { main: bytes, companions: Vec::new() }),
            Content::Scene(scene) => self.writer.write(images_of, &job.output, *scene, &mut losses),
        });
        Ok(Outcome { result, problems, diagnostics: Some(diagnostics), losses })
    }

    /// What a job is about: one file or a part of it, several merged, or several that belong
    /// together.
    fn gather<'a>(&self, job: &Job<'a>, losses: &mut Diagnostics) -> Result<Gathered<'a>, Failure> {
        let mut read: Vec<Read<'a>> = job
            .inputs()
            .map(|input| {
                Ok((input, input.parse(&self.load).map_err(|failure| failure.about(input))?))
            })
            .collect::<Result<_, Failure>>()?;
        let is_tmd = |read: &Read<'_>| {
            matches!(
                read.1.value,
                AnyDocument::Tmd(_) | AnyDocument::TmdAnm(_) | AnyDocument::TmdAnc(_)
            )
        };
        if !self.args.merge && read.iter().all(is_tmd) {
            return self.gather_tmd(job, read, losses);
        }
        let is_motion = |read: &Read<'_>| matches!(read.1.value, AnyDocument::Stt(_));
        if !self.args.merge
            && read.len() == 2
            && read.iter().filter(|read| is_motion(read)).count() == 1
        {
            read.sort_by_key(|read| !is_motion(read));
            return self.gather_on_model(read, losses);
        }
        let parsed = if self.args.merge {
            merge(read, losses)?
        } else {
            let mut read = read.into_iter();
            match (read.next(), read.next()) {
                (Some((_, parsed)), None) => parsed,
                _ => {
                    let inputs = job.inputs().count();
                    let message = format!(
                        "{inputs} inputs need a folder to be written into; only a TMD model and \
                         its TMD ANM make one file"
                    );
                    return Err(Failure::usage(message));
                }
            }
        };
        let parsed = match (parsed, job.animation) {
            (Parsed { value: AnyDocument::Castle(document), diagnostics }, Some(animation)) => {
                one_animation(&document, diagnostics, animation)?
            }
            (parsed, _) => parsed,
        };
        let Parsed { value, diagnostics } = parsed;
        if let (AnyDocument::Castle(document), true) = (&value, self.target == Target::Castle) {
            let problems = problem_lines(job.input, &value, &diagnostics);
            return Ok(Gathered {
                content: Content::Castle(document.clone()),
                images_of: job.input,
                diagnostics,
                problems,
            });
        }
        let stays = match (&value, self.target) {
            (AnyDocument::Stt(document), Target::Stt) => Some(document.to_bytes()),
            (AnyDocument::AnmText(document), Target::AnmText) => Some(document.to_bytes()),
            _ => None,
        };
        if let (Some(bytes), None) = (stays, &self.args.clip) {
            let (content, problems) =
                (Content::Same(bytes.to_vec()), problem_lines(job.input, &value, &diagnostics));
            return Ok(Gathered { content, images_of: job.input, diagnostics, problems });
        }
        let from_castle = value.format() == Format::Castle;
        let loaded = load_document(Parsed { value, diagnostics }, job.input.folder(), &self.load)?;
        losses.append(loaded.losses);
        let mut scene = loaded.scene;
        self.choose_clip(&mut scene, job.animation.filter(|_| !from_castle))?;
        let problems = problem_lines(job.input, &loaded.document, &loaded.diagnostics);
        Ok(Gathered {
            content: Content::Scene(scene.into()),
            images_of: job.input,
            diagnostics: loaded.diagnostics,
            problems,
        })
    }

    /// The states of the first file on the nodes of the second.
    fn gather_on_model<'a>(
        &self,
        read: Vec<Read<'a>>,
        losses: &mut Diagnostics,
    ) -> Result<Gathered<'a>, Failure> {
        let mut problems = Vec::new();
        let mut diagnostics = Diagnostics::new();
        let mut parts = Vec::new();
        for (input, parsed) in read {
            let loaded = load_document(parsed, input.folder(), &self.load)
                .map_err(|error| Failure::from(error).about(input))?;
            problems.extend(problem_lines(input, &loaded.document, &loaded.diagnostics));
            diagnostics.append(loaded.diagnostics);
            losses.append(loaded.losses);
            parts.push((input, loaded.document, loaded.scene));
        }
        let mut parts = parts.into_iter();
        let (Some((input, document, motion)), Some((images_of, _, mut scene))) =
            (parts.next(), parts.next())
        else {
            return Err(Failure::usage("a motion and a model are two files"));
        };
        let wrong = put_motion_on(&mut scene, motion);
        problems.extend(problem_lines(input, &document, &wrong));
        diagnostics.append(wrong);
        // Places in several files are none in one.
        diagnostics.forget_spans();
        self.choose_clip(&mut scene, None)?;
        Ok(Gathered { content: Content::Scene(scene.into()), images_of, diagnostics, problems })
    }

    /// A TMD model and what moves it.
    fn gather_tmd<'a>(
        &self,
        job: &Job<'a>,
        read: Vec<Read<'a>>,
        losses: &mut Diagnostics,
    ) -> Result<Gathered<'a>, Failure> {
        let mut diagnostics = Diagnostics::new();
        let mut problems = Vec::new();
        for (input, parsed) in &read {
            problems.extend(problem_lines(*input, &parsed.value, &parsed.diagnostics));
            diagnostics.append(parsed.diagnostics.clone());
        }
        // Places in several files are none in one.
        diagnostics.forget_spans();
        let is_motion = |(_, parsed): &Read<'_>| matches!(parsed.value, AnyDocument::TmdAnm(_));
        if (self.target == Target::TmdAnm || self.args.join.is_some())
            && !read.iter().any(is_motion)
        {
            return Err(Failure::file(
                "there is no TMD ANM among the inputs, and so no motion to write",
            ));
        }
        let all_motion = read.iter().all(is_motion);
        if self.target == Target::TmdAnm
            && all_motion
            && self.args.clip.is_none()
            && job.animation.is_none()
        {
            let motion = |(_, parsed): Read<'_>| match parsed.value {
                AnyDocument::TmdAnm(document) => Some(document),
                _ => None,
            };
            let content = Content::Motion(read.into_iter().filter_map(motion).collect());
            return Ok(Gathered { content, images_of: job.input, diagnostics, problems });
        }
        let mut files = TmdFiles::default();
        let mut models = 0_usize;
        for (input, parsed) in &read {
            models = models.saturating_add(usize::from(parsed.value.format() == Format::Tmd));
            files.add(&input.stem(), &parsed.value);
        }
        if models > 1 {
            return Err(Failure::usage(format!(
                "{models} of the inputs are models; a motion is for one"
            )));
        }
        if let Some(name) = &self.args.join {
            let documents =
                files.motions.iter().flat_map(|motion| motion.documents.iter().copied()).collect();
            files.motions = vec![TmdMotion { name: name.clone(), documents }];
        }
        let made = tmd_scene(&files, &self.load.scene.tmd, &self.limits);
        let (lost, wrong) = sort_losses(made.losses);
        // What is wrong between a model and its motion is wrong with the motion.
        if let Some((input, parsed)) = read.iter().find(|read| is_motion(read)).or(read.first()) {
            problems.extend(problem_lines(*input, &parsed.value, &wrong));
        }
        diagnostics.append(wrong);
        losses.append(lost);
        let mut scene = made.value;
        self.choose_clip(&mut scene, job.animation)?;
        Ok(Gathered {
            content: Content::Scene(scene.into()),
            images_of: job.input,
            diagnostics,
            problems,
        })
    }

    /// Leaves the clip that is asked for, by its number or by name.
    fn choose_clip(&self, scene: &mut Scene, number: Option<usize>) -> Result<(), Failure> {
        let playables = scene.playables();
        let number = match (number, &self.args.clip) {
            (None, None) => return Ok(()),
            (Some(number), _) => number,
            (None, Some(name)) => {
                let what = if scene.machines.is_empty() { "clip" } else { "state" };
                pick(
                    what,
                    &playables.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
                    Some(name),
                )?
            }
        };
        let Some((_, playable)) = playables.get(number).copied() else {
            return Err(Failure::file("the file has changed meanwhile"));
        };
        let bake = Bake { limits: self.limits, tolerance: self.args.out.tolerance };
        scene.keep(playable, &bake).map_err(|error| Failure::file(error.to_string()))
    }

    /// Writes the parts of a motion as one, or as few as hold it.
    fn join(
        &self,
        job: &Job<'_>,
        documents: &[tmd_anm::Document<'static>],
        losses: &mut Diagnostics,
    ) -> Result<Written, Failure> {
        let rate = match self.args.reading.rate {
            None => None,
            Some(rate) => Some(whole_rate(rate).ok_or_else(|| {
                Failure::usage(format!("--rate {rate}: TMD ANM has a whole number up to 32767"))
            })?),
        };
        if let ([only], None, false) = (documents, rate, self.args.split) {
            // What stays what it is stays as it is.
            return self.writer.put(
                &job.output,
                anim_formats::Output { main: only.to_bytes().to_vec(), companions: Vec::new() },
            );
        }
        let made = join_tmd(
            &documents.iter().collect::<Vec<_>>(),
            rate,
            self.args.split,
            &output_stem(&job.output),
        );
        let made = made.map_err(|error| Failure::file(self.writer.advise(&error)))?;
        losses.append(made.losses);
        self.writer.put(&job.output, made.value)
    }

    /// Writes castle-anim-frames as castle-anim-frames.
    fn rewrite(
        &self,
        job: &Job<'_>,
        document: &castle::Document<'_>,
        losses: &mut Diagnostics,
    ) -> Result<Written, Failure> {
        let usage = |error: io::Error| Failure::usage(error.to_string());
        let way = match (job.input.folder(), &job.output) {
            (Some(folder), Output::File(path)) => way_to(folder, folder_of(path)).map_err(usage)?,
            _ => String::new(),
        };
        let mut companions: Box<dyn Companions> = match job.input.folder() {
            Some(folder) => {
                open_folder(folder, self.load.root.as_deref(), &self.limits).map_err(usage)?
            }
            None => Box::new(NoCompanions),
        };
        let made = rewrite_castle(
            document,
            &castle_output(self.args),
            &way,
            companions.as_mut(),
            &self.limits,
        );
        let made = made.map_err(|error| Failure::file(error.to_string()))?;
        losses.append(made.losses);
        self.writer.put(&job.output, made.value)
    }
}

/// Several files as one.
fn merge(
    read: Vec<Read<'_>>,
    losses: &mut Diagnostics,
) -> Result<Parsed<AnyDocument<'static>>, Failure> {
    let first = read.first().and_then(|(input, _)| input.folder());
    let mut diagnostics = Diagnostics::new();
    let mut documents = Vec::new();
    for (input, parsed) in read {
        let AnyDocument::Castle(document) = parsed.value else { return Err(not_castle(input)) };
        diagnostics.append(parsed.diagnostics);
        let folder = match (input.folder(), first) {
            (Some(folder), Some(first)) if !documents.is_empty() => {
                way_to(folder, first).map_err(|error| Failure::usage(error.to_string()))?
            }
            _ => String::new(),
        };
        documents.push((named_after_file(document, input), folder));
    }
    if documents.len() > 1 {
        // Places in several files are none in one.
        diagnostics.forget_spans();
    }
    let inputs: Vec<castle::Merge<'_>> =
        documents.iter().map(|(document, folder)| castle::Merge { document, folder }).collect();
    let merged = castle::merge(&inputs).map_err(|error| Failure::file(error.to_string()))?;
    losses.append(merged.losses);
    Ok(Parsed { value: AnyDocument::Castle(merged.value), diagnostics })
}

/// An animation of a file as a file of its own.
fn one_animation(
    document: &castle::Document<'_>,
    mut diagnostics: Diagnostics,
    animation: usize,
) -> Result<Parsed<AnyDocument<'static>>, Failure> {
    let parts = castle::split(document).map_err(|error| Failure::file(error.to_string()))?;
    let (_, part) = parts
        .into_iter()
        .nth(animation)
        .ok_or_else(|| Failure::file("the file has changed meanwhile"))?;
    // What is wrong with the file is told once, and its places are none in a part of it.
    diagnostics.forget_spans();
    let diagnostics = if animation == 0 { diagnostics } else { Diagnostics::new() };
    Ok(Parsed { value: AnyDocument::Castle(part), diagnostics })
}

/// The rate as the file has it.
fn whole_rate(rate: f64) -> Option<i16> {
    #[expect(clippy::cast_possible_truncation, reason = "saturates, and is compared")]
    let whole = rate as i16;
    (f64::from(whole) == rate && whole > 0).then_some(whole)
}

/// A document whose only animation has no name of its own gets that of its file.
fn named_after_file<'a>(
    mut document: castle::Document<'a>,
    input: Input<'_>,
) -> castle::Document<'a> {
    if let ([only], Input::File(path)) = (document.animations(), input)
        && only.name == "animation"
        && let Some(stem) = path.file_stem()
    {
        // A name that cannot be written stays as it is.
        let _ = document.rename(0, &stem.to_string_lossy());
    }
    document
}

impl Outcome {
    pub(crate) fn nothing(failure: Failure) -> Outcome {
        Outcome {
            result: Err(failure),
            problems: Vec::new(),
            diagnostics: None,
            losses: Diagnostics::new(),
        }
    }

    pub(crate) fn status(&self) -> Status {
        match (&self.result, &self.diagnostics) {
            (Err(failure), _) => failure.status,
            (Ok(_), Some(diagnostics)) => Status::of(diagnostics),
            (Ok(_), None) => Status::Fine,
        }
    }

    /// Says what came of a job, and hands over what is for standard output.
    pub(crate) fn report(
        &self,
        job: &Job<'_>,
        told: Told,
        batch: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.tell_problems(job, told, batch);
        match &self.result {
            Ok(Written { data, bytes }) => {
                out.write_all(data)?;
                if told == Told::Everything {
                    tell(format_args!(
                        "{} {} ({})",
                        styled(HEADING, "wrote"),
                        job.output.shown(),
                        size(*bytes)
                    ));
                }
            }
            Err(failure) => {
                error(format_args!("{}: {}", failure.file_or(job.input), failure.message))
            }
        }
        Ok(())
    }

    /// Diagnostics and losses, a line each, the same one only once. Among several files each line
    /// says of which it speaks.
    fn tell_problems(&self, job: &Job<'_>, told: Told, batch: bool) {
        let file = if batch { format!("{}: ", job.input.shown()) } else { String::new() };
        let style = severity_style(Severity::Note);
        let losses = self.losses.iter().map(|loss| {
            format!(
                "{}: {file}{}",
                styled(style, format_args!("loss[{}]", loss.code.id)),
                loss.message
            )
        });
        let more = not_kept(&self.losses).map(|(_, line)| format!("{file}{line}"));
        let problems = self
            .problems
            .iter()
            .filter(|problem| told.takes(problem.severity))
            .map(|problem| problem.line.clone());
        let losses = losses.chain(more).filter(|_| told == Told::Everything);
        let mut seen = HashSet::new();
        for line in problems.chain(losses) {
            if !seen.contains(&line) {
                tell(format_args!("{line}"));
                seen.insert(line);
            }
        }
    }
}

impl Conversion {
    pub(crate) fn of(job: &Job<'_>, target: Target, outcome: Outcome) -> Conversion {
        let output = match &job.output {
            Output::Stdout => "-".into(),
            Output::File(path) => path.to_string_lossy(),
        };
        Conversion {
            input: job.input.given().into_owned(),
            output: outcome.result.is_ok().then(|| output.into_owned()),
            format: target.name(),
            losses: outcome
                .losses
                .iter()
                .map(|loss| Loss { code: loss.code.id, message: loss.message.clone() })
                .collect(),
            counts: counts_by_code(&outcome.losses),
            diagnostics: outcome.diagnostics.as_ref().map(Totals::of),
            error: outcome.result.err().map(|failure| failure.message),
        }
    }
}

/// A file's diagnostics in short form.
pub(crate) fn problem_lines(
    input: Input<'_>,
    document: &AnyDocument<'_>,
    diagnostics: &Diagnostics,
) -> Vec<ProblemLine> {
    let text = document.text();
    let mut places = Places::new(&text, document);
    let file = input.shown();
    let line = |diagnostic: &Diagnostic| {
        let place = diagnostic.span.map(|span| places.locate(document.text_span(span).start));
        let place = place.map_or(String::new(), |place| format!("{place}:"));
        let (severity, id) = (diagnostic.severity(), diagnostic.code.id);
        let line = format!(
            "{}: {file}:{place} {}",
            styled(severity_style(severity), format_args!("{}[{id}]", severity.name())),
            diagnostic.message
        );
        ProblemLine { severity, line }
    };
    let mut lines: Vec<ProblemLine> = diagnostics.iter().map(line).collect();
    lines.extend(
        not_kept(diagnostics)
            .map(|(severity, line)| ProblemLine { severity, line: format!("{line} in {file}") }),
    );
    lines
}
