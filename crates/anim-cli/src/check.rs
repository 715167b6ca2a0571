//! `animfmt check`

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};

use anim_formats::anim_ir::format::Verdict;
use anim_formats::anim_ir::{Code, Diagnostic, Diagnostics, Parsed, Severity, Span};
use anim_formats::{AnyDocument, Format, LoadOptions};
use serde::{Serialize, Serializer};

use crate::args::{CheckArgs, Common, ReportFormat};
use crate::batch::{each_file, files_in_all};
use crate::explain::{self, UNREADABLE};
use crate::files::Files;
use crate::github::{annotation, annotations};
use crate::input::Input;
use crate::repairs;
use crate::snippet;
use crate::status::{Fail as _, Failure, Status};
use crate::term::{
    FAINT, HEADING, Verbosity, print_json, severity_style, styled, thousands, verbosity,
};
use anim_viewer::DiagnosticReport;
use anim_viewer::Places;
use anim_viewer::{NotMade, Repair, Repairs, all_problems};
use anim_viewer::{Totals, counts_by_code, not_kept};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    files: Vec<FileReport>,
}

#[derive(Default, Serialize)]
struct FileReport {
    file: String,
    format: Option<&'static str>,
    dialect: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdicts: Option<Accepts>,
    /// With --fix: the number of repairs, which is 0 with --dry-run.
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<usize>,
    /// With --dry-run: the number of repairs that would be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    would_fix: Option<usize>,
    /// With --fix: the repairs made; with --dry-run: those that would be made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repairs: Vec<DiagnosticReport>,
    /// With --fix: the repairs that were not made, with the reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<DiagnosticReport>,
    /// With --fix: the reason why nothing was repaired although repairs were possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_fixed: Option<String>,
    diagnostics: Vec<DiagnosticReport>,
    totals: Totals,
    /// The number of diagnostics by code; without `--all`, only the first ten of each are listed.
    counts: BTreeMap<&'static str, u64>,
    /// The number of ignored diagnostics, by code.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    ignored: BTreeMap<&'static str, u64>,
}

/// The verdicts on the file, keyed by judge, in order.
struct Accepts(Vec<(&'static str, bool)>);

impl Serialize for Accepts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// The maximum number of diagnostics per code with `--all`. It bounds memory use; no real file
/// reaches it.
pub(crate) const ALL: u64 = 1_000_000;

/// The version of the JSON output.
const SCHEMA: &str = "animfmt.check/2";

pub(crate) fn run(args: &CheckArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    if let Some(wanted) = &args.explain
        && let Some(status) = explain_given(wanted.as_deref(), args, common, out)?
    {
        return Ok(status);
    }
    if common.json && args.format == ReportFormat::Github {
        return Ok(Failure::usage("--format github cannot be used with --json").report());
    }
    let request = Request::of(args, common);
    let files = match find(args, common) {
        Ok(files) => files,
        Err(failure) => return failure.report_run((SCHEMA, "files"), common.json, out),
    };
    if args.explain.is_some() {
        return explain_found(&files, &request, common, out);
    }
    let mut statuses = Vec::new();
    let mut reports = Vec::new();
    let mut sum = Totals::default();
    let mut ignored = BTreeMap::new();
    let (mut unreadable, mut fixed, mut fixable) = (0_u64, 0_usize, false);
    let work = |input: Input<'_>, options: &LoadOptions| examine(input, options, &request);
    each_file(&files, common, work, |file, examined, progress| {
        match examined {
            Ok(Examined { found, decisive, ignored: more, repairs, is_fixable, shown, .. }) => {
                fixable |= is_fixable;
                sum = sum.plus(found);
                for (code, count) in more {
                    let known: &mut u64 = ignored.entry(code).or_default();
                    *known = known.saturating_add(count);
                }
                fixed = fixed.saturating_add(repairs.made.len());
                if let Some(why) = &repairs.refused {
                    let failure = Failure::file(format!("nothing was repaired: {why}"));
                    progress.report_failure(&failure, file.input(), out)?;
                }
                let bad = decisive.errors > 0
                    || (args.strict && decisive.warnings > 0)
                    || repairs.refused.is_some()
                    || !repairs.left_out.is_empty();
                statuses.push(if bad { Status::Errors } else { Status::Fine });
                match shown {
                    Shown::Text(text) => out.write_all(text.as_bytes())?,
                    Shown::Report(report) => reports.push(*report),
                }
            }
            Err(failure) => {
                if request.format == ReportFormat::Github {
                    let (file, id) = (file.input().shown(), UNREADABLE.id);
                    let line = annotation(Severity::Error, &file, "", id, &failure.message);
                    out.write_all(line.as_bytes())?;
                }
                statuses.push(progress.report_failure(&failure, file.input(), out)?);
                unreadable = unreadable.saturating_add(1);
                reports.push(FileReport::unreadable(file.input(), failure.message));
            }
        }
        Ok(())
    })?;
    if request.format == ReportFormat::Json {
        print_json(out, &Report { schema: SCHEMA, files: reports })?;
    } else if verbosity() > Verbosity::Quiet {
        let repaired = match (args.fix, args.dry_run) {
            (false, _) => String::new(),
            (true, _) if fixed == 0 => "nothing to repair; ".to_owned(),
            (true, true) => format!("{} would be repaired; ", thousands(fixed)),
            (true, false) => format!("{} repaired; ", thousands(fixed)),
        };
        let left = if args.fix && fixed > 0 { " left" } else { "" };
        let hint = if !args.fix && fixable { "; use --fix to make safe repairs" } else { "" };
        let more = format!("{left}{}{hint}", ignored_note(&ignored));
        summarize(&files, &repaired, sum, unreadable, &more, out)?;
    }
    Ok(Status::of_all(&statuses))
}

/// Explains codes given by name, or lists all codes. Returns `None` if the codes that are found in
/// files are to be explained.
fn explain_given(
    wanted: Option<&str>,
    args: &CheckArgs,
    common: &Common,
    out: &mut dyn Write,
) -> io::Result<Option<Status>> {
    let Some(first) = wanted.filter(|_| !args.files.is_empty()) else {
        let is_alone = args.files.is_empty();
        return is_alone.then(|| explain::run(wanted, common.json, out)).transpose();
    };
    let more = args.files.iter().map(|given| given.to_str().unwrap_or_default());
    let codes: Result<Vec<_>, _> = [first].into_iter().chain(more).map(explain::find).collect();
    let Ok(codes) = codes else {
        let why = "--explain CODE takes no files; to explain the codes found in files, use \
                   `animfmt check FILE --explain`";
        return Ok(Some(Failure::usage(why).report()));
    };
    explain::explain_each(codes, common.json, out)?;
    Ok(Some(Status::Fine))
}

/// Explains each code that is found in the files.
fn explain_found(
    files: &Files,
    request: &Request<'_>,
    common: &Common,
    out: &mut dyn Write,
) -> io::Result<Status> {
    let mut statuses = Vec::new();
    let mut codes = BTreeSet::new();
    let work = |input: Input<'_>, options: &LoadOptions| examine(input, options, request);
    each_file(files, common, work, |file, examined, progress| {
        statuses.push(match examined {
            Ok(examined) => {
                codes.extend(examined.codes);
                if examined.found.errors > 0 { Status::Errors } else { Status::Fine }
            }
            Err(failure) => progress.report_failure(&failure, file.input(), out)?,
        });
        Ok(())
    })?;
    if codes.is_empty() && !common.json && verbosity() > Verbosity::Quiet {
        writeln!(out, "no problems to explain")?;
    }
    let codes = codes.into_iter().filter_map(|id| explain::find(id).ok()).collect();
    explain::explain_each(codes, common.json, out)?;
    Ok(Status::of_all(&statuses))
}

/// The options for checking each file.
struct Request<'a> {
    args: &'a CheckArgs,
    format: ReportFormat,
}

impl Request<'_> {
    fn of<'a>(args: &'a CheckArgs, common: &Common) -> Request<'a> {
        let format = if common.json { ReportFormat::Json } else { args.format };
        Request { args, format }
    }

    fn ignores(&self, code: &Code) -> bool {
        self.args.ignore.iter().any(|ignored| ignored.id == code.id)
    }
}

/// Returns `; 3 ignored (amo-first-key, amo-weight-sum)`, or an empty string.
fn ignored_note(ignored: &BTreeMap<&'static str, u64>) -> String {
    if ignored.is_empty() {
        return String::new();
    }
    let all = ignored.values().fold(0_u64, |sum, count| sum.saturating_add(*count));
    let codes: Vec<&str> = ignored.keys().copied().collect();
    format!(
        "; {} ignored ({})",
        thousands(usize::try_from(all).unwrap_or(usize::MAX)),
        codes.join(", ")
    )
}

/// Finds the files to check. Standard input cannot be repaired.
fn find(args: &CheckArgs, common: &Common) -> Result<Files, Failure> {
    let mut files = Files::find(&args.files, common.from, None)?;
    if args.fix {
        files.pass_over_links();
    }
    if args.fix && files.found.iter().any(|file| matches!(file.input(), Input::Stdin)) {
        return Err(Failure::usage("--fix repairs files in place and cannot read standard input"));
    }
    Ok(files)
}

/// The result of checking a file.
struct Examined {
    /// The problems that are reported: with --fix, those that are left.
    found: Totals,
    /// The problems that decide the exit status: those of the file as it is now.
    decisive: Totals,
    codes: Vec<&'static str>,
    /// The number of ignored diagnostics, by code.
    ignored: BTreeMap<&'static str, u64>,
    repairs: Repairs,
    /// Whether any remaining problem can be repaired with --fix.
    is_fixable: bool,
    shown: Shown,
}

/// The printed form of the result.
enum Shown {
    Text(String),
    Report(Box<FileReport>),
}

fn examine(
    input: Input<'_>,
    options: &LoadOptions,
    request: &Request<'_>,
) -> Result<(Format, Examined), Failure> {
    let mut options = options.clone();
    if request.args.all {
        options.settings.limits.diagnostics = ALL;
    }
    let (parsed, repairs) = if request.args.fix {
        repairs::make(input, &options, request.args.dry_run)?
    } else {
        (input.parse(&options)?, Repairs::default())
    };
    let after = repairs::parse_after(&repairs, parsed.value.format(), &options)?;
    // After a dry run, the file still has all of its problems.
    let mut as_it_is = None;
    let (document, mut diagnostics) = match after {
        None => all_of(input, parsed, &options)?,
        Some(after) => {
            if request.args.dry_run {
                as_it_is = Some(all_of(input, parsed, &options)?.1);
            }
            all_of(input, after, &options)?
        }
    };
    let verdicts = document.verdicts(&diagnostics);
    let mut text = document.text();
    if let (Some(_), Some((before, _))) = (&as_it_is, &repairs.changed) {
        let origin = repairs.origin();
        diagnostics.map_spans(|span| Span::new(origin(span.start), origin(span.end)));
        text = before.into();
    }
    let (ignored, diagnostics) = diagnostics.partition(|code| request.ignores(code));
    let ignored = counts_by_code(&ignored);
    let found = Totals::of(&diagnostics);
    let decisive = as_it_is.map_or(found, |all| {
        let (_, counted) = all.partition(|code| request.ignores(code));
        Totals::of(&counted)
    });
    let mut places = Places::new(&text, &document);
    let shown = if request.format == ReportFormat::Json {
        let found = DiagnosticReport::all(&diagnostics, &document, &mut places);
        let report = FileReport::of(input, &document, &verdicts, &diagnostics, found);
        let report = FileReport { ignored: ignored.clone(), ..report };
        let report = if request.args.fix {
            report.with_repairs(&repairs, request.args.dry_run)
        } else {
            report
        };
        Shown::Report(Box::new(report))
    } else {
        let mut in_text = diagnostics.clone();
        in_text.map_spans(|span| document.text_span(span));
        let lines = repairs::lines(&repairs, &input.shown(), request.args.dry_run);
        let mut text: String = lines.into_iter().map(|line| line + "\n").collect();
        text.push_str(&as_text(input, request, &mut places, in_text, &verdicts));
        Shown::Text(text)
    };
    let is_fixable = diagnostics.iter().any(|diagnostic| diagnostic.fix.is_some());
    let codes = diagnostics.counts().iter().map(|(code, _)| code.id).collect();
    let examined = Examined { found, decisive, codes, ignored, repairs, is_fixable, shown };
    Ok((document.format(), examined))
}

/// Returns a document with all of its problems, including those of its companion files.
fn all_of(
    input: Input<'_>,
    mut parsed: Parsed<AnyDocument<'static>>,
    options: &LoadOptions,
) -> Result<(AnyDocument<'static>, Diagnostics), Failure> {
    let mut losses = Diagnostics::default();
    if !parsed.value.format().info().is_whole_alone || matches!(input, Input::File(..)) {
        let loaded = input.scene_of(parsed, options)?;
        parsed = Parsed { value: loaded.document, diagnostics: loaded.diagnostics };
        losses = loaded.losses;
    }
    let Parsed { value: document, diagnostics } = parsed;
    let diagnostics = all_problems(&document, diagnostics, losses, input.folder().is_some());
    Ok((document, diagnostics))
}

/// Renders problems, whose spans refer to the text, in the requested format.
fn as_text(
    input: Input<'_>,
    request: &Request<'_>,
    places: &mut Places<'_>,
    mut in_text: Diagnostics,
    verdicts: &[Verdict],
) -> String {
    let (file, verbosity) = (input.shown(), verbosity());
    if verbosity == Verbosity::Quiet {
        let least = if request.args.strict { Severity::Warning } else { Severity::Error };
        in_text = in_text.partition(|code| code.severity >= least).0;
    }
    match request.format {
        ReportFormat::Github => annotations(&file, places, &in_text),
        _ if verbosity == Verbosity::Quiet => problems(&file, places, &in_text, &[]),
        _ => problems(&file, places, &in_text, verdicts),
    }
}

/// Renders the problems of a file as text.
pub(crate) fn problems(
    file: &str,
    places: &mut Places<'_>,
    diagnostics: &Diagnostics,
    verdicts: &[Verdict],
) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&snippet::render(file, places, diagnostic));
        out.push_str("\n\n");
    }
    let before = out.len();
    for (_, line) in not_kept(diagnostics) {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{}", styled(FAINT, format_args!("{line} in {file}")));
    }
    if out.len() > before {
        out.push('\n');
    }
    for Verdict { judge, accepts, text, .. } in verdicts {
        let severity = if *accepts { Severity::Note } else { Severity::Error };
        let (file, verdict) = (styled(HEADING, file), styled(severity_style(severity), text));
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{file}: {judge}: {verdict}");
    }
    out
}

impl FileReport {
    fn of(
        input: Input<'_>,
        document: &AnyDocument<'_>,
        verdicts: &[Verdict],
        diagnostics: &Diagnostics,
        found: Vec<DiagnosticReport>,
    ) -> FileReport {
        FileReport {
            file: input.given().into_owned(),
            format: Some(document.format().id()),
            dialect: document.dialect(),
            verdicts: (!verdicts.is_empty()).then(|| {
                Accepts(verdicts.iter().map(|verdict| (verdict.key, verdict.accepts)).collect())
            }),
            diagnostics: found,
            totals: Totals::of(diagnostics),
            counts: counts_by_code(diagnostics),
            ..FileReport::default()
        }
    }

    fn with_repairs(self, repairs: &Repairs, is_dry_run: bool) -> FileReport {
        let report = |made: &Repair| {
            DiagnosticReport::of(&made.diagnostic, made.location()).in_round(made.round)
        };
        let left_out =
            repairs.left_out.iter().map(|NotMade { repair, why }| report(repair).not_made(why));
        FileReport {
            fixed: Some(if is_dry_run { 0 } else { repairs.made.len() }),
            would_fix: is_dry_run.then_some(repairs.made.len()),
            repairs: repairs.made.iter().map(report).collect(),
            left_out: left_out.collect(),
            not_fixed: repairs.refused.clone(),
            ..self
        }
    }

    fn unreadable(input: Input<'_>, message: String) -> FileReport {
        let diagnostic = Diagnostic::new(&UNREADABLE, None, message.as_str());
        FileReport {
            file: input.given().into_owned(),
            diagnostics: vec![DiagnosticReport::of(&diagnostic, None)],
            totals: Totals { errors: 1, ..Totals::default() },
            counts: BTreeMap::from([(UNREADABLE.id, 1)]),
            error: Some(message),
            ..FileReport::default()
        }
    }
}

fn summarize(
    files: &Files,
    repaired: &str,
    sum: Totals,
    unreadable: u64,
    more: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let what = match files.found.as_slice() {
        // The read error has already been reported.
        [_] if unreadable > 0 && !files.several => return Ok(()),
        [only] if !files.several => only.input().shown(),
        all => files_in_all(all.len()),
    };
    let not_read =
        if unreadable > 0 { format!("; {unreadable} could not be read") } else { String::new() };
    let severity = if unreadable > 0 { Severity::Error } else { sum.severity() };
    writeln!(
        out,
        "{}: {repaired}{}{more}{not_read}{}",
        styled(HEADING, what),
        styled(severity_style(severity), sum),
        files.others()
    )
}
