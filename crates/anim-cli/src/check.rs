//! `animfmt check`

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use anim_formats::anim_ir::format::Verdict;
use anim_formats::anim_ir::source::Location;
use anim_formats::anim_ir::{Category, Diagnostic, Diagnostics, Parsed, Severity, Span};
use anim_formats::{AnyDocument, LoadOptions, Loaded};
use serde::{Serialize, Serializer};

use crate::args::{CheckArgs, Common};
use crate::batch::{each_file, files_in_all};
use crate::explain::{self, UNREADABLE};
use crate::files::Files;
use crate::input::Input;
use crate::places::Places;
use crate::repairs::{self, Made, NotMade, Repairs};
use crate::snippet;
use crate::status::{Failure, Status};
use crate::term::{FAINT, HEADING, print_json, severity_style, styled, thousands};
use crate::totals::{Totals, counts_by_code, not_kept};

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
    /// With --fix: how much was repaired, or would be.
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<usize>,
    /// With --fix: what was repaired, or would be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repairs: Vec<DiagnosticReport>,
    /// With --fix: repairs that were not made, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<DiagnosticReport>,
    /// With --fix: why nothing was repaired although something could be.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_fixed: Option<String>,
    diagnostics: Vec<DiagnosticReport>,
    /// How often each code occurred; of the diagnostics the first ten of each code are listed.
    counts: BTreeMap<&'static str, u64>,
}

/// Who accepts the file, by the names of those who judge, in their order.
struct Accepts(Vec<(&'static str, bool)>);

impl Serialize for Accepts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

#[derive(Serialize)]
struct DiagnosticReport {
    severity: &'static str,
    code: &'static str,
    message: String,
    offset: Option<usize>,
    length: Option<usize>,
    line: Option<usize>,
    column: Option<usize>,
    help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<FixReport>,
    /// Of a repair: the places are those of the text after so many rounds of repairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<usize>,
    /// Of a repair that was left out: what it would have done.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// A repair that is certain: these bytes are to be replaced.
#[derive(Serialize)]
struct FixReport {
    offset: usize,
    length: usize,
    replacement: String,
}

pub(crate) fn run(args: &CheckArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    if let Some(code) = &args.explain {
        return explain::run(code.as_deref(), common.json, out);
    }
    let files = match find(args, common) {
        Ok(files) => files,
        Err(failure) => return Ok(failure.tell()),
    };
    let mut statuses = Vec::new();
    let mut reports = Vec::new();
    let mut sum = Totals::default();
    let (mut unreadable, mut fixed, mut fixable) = (0_u64, 0_usize, false);
    let work = |input: Input<'_>, options: &LoadOptions| examine(input, options, args, common.json);
    each_file(&files, common, work, |file, examined, progress| {
        match examined {
            Ok(Examined { found, repairs, is_fixable, shown }) => {
                fixable |= is_fixable;
                sum = sum.plus(found);
                fixed = fixed.saturating_add(repairs.made.len());
                if let Some(why) = &repairs.refused {
                    let failure = Failure::file(format!("nothing was repaired: {why}"));
                    progress.tell_failure(&failure, file.input(), out)?;
                }
                let bad = found.errors > 0
                    || (args.strict && found.warnings > 0)
                    || repairs.refused.is_some()
                    || !repairs.left_out.is_empty();
                statuses.push(if bad { Status::Errors } else { Status::Fine });
                match shown {
                    Shown::Text(text) => out.write_all(text.as_bytes())?,
                    Shown::Report(report) => reports.push(*report),
                }
            }
            Err(failure) => {
                statuses.push(progress.tell_failure(&failure, file.input(), out)?);
                unreadable = unreadable.saturating_add(1);
                reports.push(FileReport::unreadable(file.input(), failure.message));
            }
        }
        Ok(())
    })?;
    if common.json {
        print_json(out, &Report { schema: "animfmt.check/1", files: reports })?;
    } else {
        let fixed = match (args.fix, args.dry_run) {
            (true, true) => format!("; {} would be repaired", thousands(fixed)),
            (true, false) => format!("; {} repaired", thousands(fixed)),
            (false, _) if fixable => "; --fix repairs what is certain".to_owned(),
            (false, _) => String::new(),
        };
        summarize(&files, sum, unreadable, &fixed, out)?;
    }
    Ok(Status::of_all(&statuses))
}

/// The files to look at. Repairs are for files only.
fn find(args: &CheckArgs, common: &Common) -> Result<Files, Failure> {
    let mut files = Files::find(&args.files, common.from, None)?;
    if args.fix {
        files.pass_over_links();
    }
    if args.fix && files.found.iter().any(|file| matches!(file.input(), Input::Stdin)) {
        return Err(Failure::usage(
            "--fix repairs files in their places, and standard input has none",
        ));
    }
    Ok(files)
}

/// What was found in a file.
struct Examined {
    found: Totals,
    repairs: Repairs,
    /// Whether something could be repaired that is not.
    is_fixable: bool,
    shown: Shown,
}

/// How it is told.
enum Shown {
    Text(String),
    Report(Box<FileReport>),
}

fn examine(
    input: Input<'_>,
    options: &LoadOptions,
    args: &CheckArgs,
    json: bool,
) -> Result<Examined, Failure> {
    let (mut parsed, repairs) = if args.fix {
        repairs::make(input, options, args.dry_run)?
    } else {
        (input.parse(options)?, Repairs::default())
    };
    // Frames and their textures belong to an animation; an OBJ is whole without its libraries and
    // images.
    if !parsed.value.format().info().is_whole_alone {
        let Loaded { document, mut diagnostics, losses, .. } = input.scene_of(parsed, options)?;
        diagnostics.append(losses.partition(|code| code.category == Category::Loss).1);
        parsed = Parsed { value: document, diagnostics };
    }
    let Parsed { value: document, diagnostics } = parsed;
    let text = document.text();
    let mut places = Places::new(&text, &document);
    let mut in_text = diagnostics.clone();
    in_text.map_spans(|span| document.text_span(span));
    let verdicts = document.verdicts(&diagnostics);
    let shown = if json {
        let locations = in_text.iter().map(|diagnostic| {
            diagnostic.span.and_then(|span| places.locate(span.start).location())
        });
        let report = FileReport::of(input, &document, &verdicts, &diagnostics, locations);
        Shown::Report(Box::new(if args.fix { report.with_repairs(&repairs) } else { report }))
    } else {
        let mut text: String =
            repairs.lines(&input.shown()).into_iter().map(|line| line + "\n").collect();
        text.push_str(&problems(&input.shown(), &mut places, &in_text, &verdicts));
        Shown::Text(text)
    };
    let is_fixable = diagnostics.iter().any(|diagnostic| diagnostic.fix.is_some());
    Ok(Examined { found: Totals::of(&diagnostics), repairs, is_fixable, shown })
}

/// What there is to say of a file, for people.
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
    /// `locations` are those of the diagnostics, in their order.
    fn of(
        input: Input<'_>,
        document: &AnyDocument<'_>,
        verdicts: &[Verdict],
        diagnostics: &Diagnostics,
        locations: impl Iterator<Item = Option<Location>>,
    ) -> FileReport {
        FileReport {
            file: input.given().into_owned(),
            format: Some(document.format().id()),
            dialect: document.dialect(),
            verdicts: (!verdicts.is_empty()).then(|| {
                Accepts(verdicts.iter().map(|verdict| (verdict.key, verdict.accepts)).collect())
            }),
            diagnostics: diagnostics
                .iter()
                .zip(locations)
                .map(|(diagnostic, location)| DiagnosticReport::of(diagnostic, location))
                .collect(),
            counts: counts_by_code(diagnostics),
            ..FileReport::default()
        }
    }

    fn with_repairs(self, repairs: &Repairs) -> FileReport {
        let report = |made: &Made| DiagnosticReport {
            round: Some(made.round),
            ..DiagnosticReport::of(&made.diagnostic, made.location())
        };
        let left_out = repairs.left_out.iter().map(|NotMade { repair, why }| DiagnosticReport {
            why: Some(why.clone()),
            ..report(repair)
        });
        FileReport {
            fixed: Some(repairs.made.len()),
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
            counts: BTreeMap::from([(UNREADABLE.id, 1)]),
            error: Some(message),
            ..FileReport::default()
        }
    }
}

impl DiagnosticReport {
    fn of(diagnostic: &Diagnostic, location: Option<Location>) -> DiagnosticReport {
        DiagnosticReport {
            severity: diagnostic.severity().name(),
            code: diagnostic.code.id,
            message: diagnostic.message.clone(),
            offset: diagnostic.span.map(|span| span.start),
            length: diagnostic.span.map(Span::len),
            line: location.map(|location| location.line),
            column: location.map(|location| location.column),
            help: diagnostic.help.clone(),
            fix: diagnostic.fix.as_ref().map(|fix| FixReport {
                offset: fix.span.start,
                length: fix.span.len(),
                replacement: fix.replacement.clone(),
            }),
            round: None,
            why: None,
        }
    }
}

fn summarize(
    files: &Files,
    sum: Totals,
    unreadable: u64,
    fixed: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let what = match files.found.as_slice() {
        // It has been said that it cannot be read.
        [_] if unreadable > 0 && !files.several => return Ok(()),
        [only] if !files.several => only.input().shown(),
        all => files_in_all(all.len()),
    };
    let not_read =
        if unreadable > 0 { format!("; {unreadable} could not be read") } else { String::new() };
    let severity = if unreadable > 0 { Severity::Error } else { sum.severity() };
    writeln!(
        out,
        "{}: {}{not_read}{fixed}{}",
        styled(HEADING, what),
        styled(severity_style(severity), sum),
        files.others()
    )
}
