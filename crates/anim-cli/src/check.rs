//! `animfmt check`

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use anim_formats::anim_ir::source::Location;
use anim_formats::anim_ir::{Category, Diagnostic, Diagnostics, Parsed, Severity, Span};
use anim_formats::{AnyDocument, Format, LoadOptions, Loaded, load_document};
use serde::Serialize;

use crate::args::{CheckArgs, Common};
use crate::batch::{files_in_all, in_order, share_threads};
use crate::explain::{self, UNREADABLE};
use crate::fault;
use crate::files::{Files, Found};
use crate::input::Input;
use crate::places::Places;
use crate::progress::Progress;
use crate::snippet;
use crate::status::{Failure, Status};
use crate::term::{FAINT, HEADING, error, print_json, severity_style, styled};
use crate::totals::{Totals, counts_by_code, not_kept};
use crate::verdicts::Verdicts;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    files: Vec<FileReport>,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    format: Option<&'static str>,
    dialect: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdicts: Option<Verdicts>,
    diagnostics: Vec<DiagnosticReport>,
    /// How often each code occurred; of the diagnostics the first ten of each code are listed.
    counts: BTreeMap<&'static str, u64>,
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
}

pub(crate) fn run(args: &CheckArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    if let Some(code) = &args.explain {
        return explain::run(code, common.json, out);
    }
    let files = match Files::find(&args.files, common.from, None) {
        Ok(files) => files,
        Err(failure) => return Ok(failure.tell()),
    };
    let mut options = common.load_options();
    let threads = share_threads(&mut options, files.found.len());
    let progress = Progress::new(files.found.len(), Progress::has_place());
    let mut statuses = Vec::new();
    let mut reports = Vec::new();
    let mut sum = Totals::default();
    let mut unreadable = 0_u64;
    let work = |file: &Found| {
        let examined = fault::guard(|| examine(file.input(), &options, common.json));
        progress.step();
        examined
    };
    in_order(&files.found, threads, work, |file, examined| {
        match examined {
            Ok(Examined { found, shown }) => {
                sum = sum.plus(found);
                statuses.push(if found.errors > 0 || (args.strict && found.warnings > 0) { Status::Errors } else { Status::Fine });
                match shown {
                    Shown::Text(text) => out.write_all(text.as_bytes())?,
                    Shown::Report(report) => reports.push(report),
                }
            }
            Err(failure) => {
                // What was told before comes first, also on a terminal.
                out.flush()?;
                progress.aside(|| error(format_args!("{}: {}", file.input().shown(), failure.message)));
                unreadable = unreadable.saturating_add(1);
                statuses.push(failure.status);
                reports.push(FileReport::unreadable(file.input(), failure.message));
            }
        }
        Ok(())
    })?;
    drop(progress);
    if common.json {
        print_json(out, &Report { schema: "animfmt.check/1", files: reports })?;
    } else {
        summarize(&files, sum, unreadable, out)?;
    }
    Ok(Status::of_all(&statuses))
}

/// What was found in a file.
struct Examined {
    found: Totals,
    shown: Shown,
}

/// How it is told.
enum Shown {
    Text(String),
    Report(FileReport),
}

fn examine(input: Input<'_>, options: &LoadOptions, json: bool) -> Result<Examined, Failure> {
    let mut parsed = input.parse(options)?;
    // Frames and their textures belong to an animation; Animated OBJ is whole without its libraries and images.
    if parsed.value.format() != Format::Amo {
        let Loaded { document, mut diagnostics, losses, .. } = load_document(parsed, input.folder(), options)?;
        diagnostics.append(losses.partition(|code| code.category == Category::Loss).1);
        parsed = Parsed { value: document, diagnostics };
    }
    let Parsed { value: document, diagnostics } = parsed;
    let text = document.text();
    let mut places = Places::new(&text, &document);
    let mut in_text = diagnostics.clone();
    in_text.map_spans(|span| document.text_span(span));
    let verdicts = Verdicts::of(&document, &diagnostics);
    let shown = if json {
        let locations = in_text.iter().map(|diagnostic| diagnostic.span.and_then(|span| places.locate(span.start).location()));
        Shown::Report(FileReport::of(input, &document, verdicts, &diagnostics, locations))
    } else {
        Shown::Text(problems(&input.shown(), &mut places, &in_text, verdicts))
    };
    Ok(Examined { found: Totals::of(&diagnostics), shown })
}

/// What there is to say of a file, for people.
fn problems(file: &str, places: &mut Places<'_>, diagnostics: &Diagnostics, verdicts: Option<Verdicts>) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&snippet::render(file, places, diagnostic));
        out.push_str("\n\n");
    }
    let before = out.len();
    for line in not_kept(diagnostics) {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{}", styled(FAINT, format_args!("{line} in {file}")));
    }
    if out.len() > before {
        out.push('\n');
    }
    for line in verdicts.into_iter().flat_map(|verdicts| verdicts.lines(file, diagnostics)) {
        out.push_str(&line);
        out.push('\n');
    }
    out
}

impl FileReport {
    /// `locations` are those of the diagnostics, in their order.
    fn of(
        input: Input<'_>,
        document: &AnyDocument<'_>,
        verdicts: Option<Verdicts>,
        diagnostics: &Diagnostics,
        locations: impl Iterator<Item = Option<Location>>,
    ) -> FileReport {
        FileReport {
            file: input.given().into_owned(),
            format: Some(document.format().name()),
            dialect: document.dialect(),
            error: None,
            verdicts,
            diagnostics: diagnostics.iter().zip(locations).map(|(diagnostic, location)| DiagnosticReport::of(diagnostic, location)).collect(),
            counts: counts_by_code(diagnostics),
        }
    }

    fn unreadable(input: Input<'_>, message: String) -> FileReport {
        let diagnostic = Diagnostic::new(&UNREADABLE, None, message.as_str());
        FileReport {
            file: input.given().into_owned(),
            format: None,
            dialect: None,
            verdicts: None,
            diagnostics: vec![DiagnosticReport::of(&diagnostic, None)],
            counts: BTreeMap::from([(UNREADABLE.id, 1)]),
            error: Some(message),
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
        }
    }
}

fn summarize(files: &Files, sum: Totals, unreadable: u64, out: &mut dyn Write) -> io::Result<()> {
    let what = match files.found.as_slice() {
        // It has been said that it cannot be read.
        [_] if unreadable > 0 && !files.several => return Ok(()),
        [only] if !files.several => only.input().shown(),
        all => files_in_all(all.len()),
    };
    let not_read = if unreadable > 0 { format!("; {unreadable} could not be read") } else { String::new() };
    let severity = if unreadable > 0 { Severity::Error } else { sum.severity() };
    writeln!(out, "{}: {}{not_read}{}", styled(HEADING, what), styled(severity_style(severity), sum), files.others())
}
