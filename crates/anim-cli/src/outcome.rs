//! The result of converting one file.

use std::collections::HashSet;
use std::io::{self, Write};

use anim_formats::Format;
use anim_formats::anim_ir::{Category, Clip, Diagnostics, Severity};
use anim_formats::codes::{EMPTY, MERGED_STILL};

use crate::args::Common;
use crate::job::Job;
use crate::output::Written;
use crate::status::{Fail as _, Failure, Status};
use crate::tally::label;
use crate::term::{HEADING, Verbosity, print_line, size, styled, verbosity};
use anim_viewer::DiagnosticReport;
use anim_viewer::not_kept;
use anim_viewer::{loss_severity, short};

/// How much to print on standard error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reported {
    Everything,
    /// `--quiet`: errors only.
    Errors,
    /// `--json`: failures only. The JSON contains the rest.
    Failures,
}

impl Reported {
    pub(crate) fn of(common: &Common) -> Reported {
        match (common.json, verbosity()) {
            (true, _) => Reported::Failures,
            (false, Verbosity::Quiet) => Reported::Errors,
            (false, _) => Reported::Everything,
        }
    }

    fn includes(self, severity: Severity) -> bool {
        match self {
            Reported::Everything => true,
            Reported::Errors => severity == Severity::Error,
            Reported::Failures => false,
        }
    }
}

/// A problem as a line of text.
pub(crate) struct ProblemLine {
    pub(crate) severity: Severity,
    pub(crate) line: String,
    /// `None` for a line about problems that were only counted.
    pub(crate) report: Option<DiagnosticReport>,
}

/// The result for one file.
pub(crate) struct Outcome {
    pub(crate) result: Result<Written, Failure>,
    /// The problems of the file, one line each.
    pub(crate) problems: Vec<ProblemLine>,
    /// `None` if nothing could be read.
    pub(crate) diagnostics: Option<Diagnostics>,
    pub(crate) losses: Diagnostics,
    /// The number of merged inputs that have errors.
    pub(crate) inputs_with_errors: usize,
    /// The formats of the inputs.
    pub(crate) read: Vec<Format>,
    /// The clips of the scene that was written.
    pub(crate) clips: Vec<ClipLength>,
}

/// A clip that was written.
pub(crate) struct ClipLength {
    pub(crate) name: String,
    /// In seconds.
    pub(crate) length: f32,
}

impl ClipLength {
    pub(crate) fn of(clip: &Clip) -> ClipLength {
        ClipLength { name: clip.name.clone(), length: clip.end - clip.start }
    }
}

/// The number of inputs by result.
#[derive(Default)]
pub(crate) struct InputCounts {
    fine: usize,
    empty: usize,
    left_out: usize,
    with_errors: usize,
    failed: usize,
}

impl InputCounts {
    /// Adds the inputs of an output.
    pub(crate) fn add(&mut self, outcome: &Outcome, inputs: usize) {
        let bad = match &outcome.result {
            Ok(_) if outcome.status() == Status::Fine => 0,
            // An error that concerns no particular input is counted once.
            Ok(_) => outcome.inputs_with_errors.max(1),
            Err(_) => inputs,
        };
        let count = if outcome.result.is_ok() { &mut self.with_errors } else { &mut self.failed };
        *count = count.saturating_add(bad);
        let good = inputs.saturating_sub(bad);
        let stills = usize::try_from(outcome.losses.count(&MERGED_STILL)).unwrap_or(inputs);
        let left_out = stills.min(good);
        self.left_out = self.left_out.saturating_add(left_out);
        let is_empty = outcome.losses.count(&EMPTY) > 0;
        let count = if is_empty { &mut self.empty } else { &mut self.fine };
        *count = count.saturating_add(good.saturating_sub(left_out));
    }

    /// Returns the counts with their names in a summary.
    pub(crate) fn named(self, done: &'static str) -> [(usize, &'static str); 5] {
        let InputCounts { fine, empty, left_out, with_errors, failed } = self;
        [
            (fine, done),
            (empty, "empty"),
            (left_out, "left out"),
            (with_errors, "with errors"),
            (failed, "failed"),
        ]
    }
}

impl Outcome {
    pub(crate) fn nothing(failure: Failure) -> Outcome {
        Outcome {
            result: Err(failure),
            problems: Vec::new(),
            diagnostics: None,
            losses: Diagnostics::new(),
            inputs_with_errors: 0,
            read: Vec::new(),
            clips: Vec::new(),
        }
    }

    pub(crate) fn status(&self) -> Status {
        let read = self.diagnostics.as_ref().map_or(Status::Fine, Status::of);
        match &self.result {
            // A failure may be caused by errors in the input, which then determine the status.
            Err(failure) if read == Status::Fine => failure.status,
            _ => read,
        }
    }

    /// Returns whether parts of the input were skipped. Errors that only concern the engine are
    /// ignored.
    fn has_errors(&self) -> bool {
        let counts = self.diagnostics.iter().flat_map(Diagnostics::counts);
        counts
            .into_iter()
            .any(|(code, _)| code.severity == Severity::Error && code.category != Category::Engine)
    }

    /// Reports the result of a job, and writes the data for standard output.
    pub(crate) fn report(
        &self,
        job: &Job<'_>,
        reported: Reported,
        several: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        // In a batch, problems are only counted, unless `--verbose` is given.
        let counted =
            several && reported == Reported::Everything && verbosity() < Verbosity::Verbose;
        if !counted {
            self.report_problems(job, reported, several);
        }
        match &self.result {
            Ok(Written { data, bytes, from_scene, is_unchanged }) => {
                out.write_all(data)?;
                if reported == Reported::Everything {
                    let problems = match short(self.diagnostics.as_ref(), &self.losses) {
                        problems if several && !problems.is_empty() => format!(": {problems}"),
                        _ => String::new(),
                    };
                    let incomplete = if *from_scene && self.has_errors() {
                        "; incomplete because of errors in the input"
                    } else {
                        ""
                    };
                    print_line(format_args!(
                        "{} {} ({}){problems}{incomplete}",
                        styled(HEADING, if *is_unchanged { "unchanged" } else { "wrote" }),
                        job.output.shown(),
                        size(*bytes)
                    ));
                }
            }
            Err(failure) => {
                failure.report_for(&job.input.shown());
            }
        }
        Ok(())
    }

    /// Prints diagnostics and losses, one line each and without duplicates. If there are several
    /// files, each line names its file.
    fn report_problems(&self, job: &Job<'_>, reported: Reported, several: bool) {
        // A loss that names none of several inputs is reported for the output.
        let whole = several.then(|| match job.others.as_slice() {
            [] => job.input.shown(),
            _ => job.output.shown(),
        });
        let prefix = |file: Option<&String>| {
            file.or(whole.as_ref()).map_or(String::new(), |file| format!("{file}: "))
        };
        let losses = self.losses.iter().map(|loss| {
            let (name, style) = label(loss_severity(loss.code));
            let (id, file) = (loss.code.id, prefix(loss.file.as_ref()));
            format!("{}: {file}{}", styled(style, format_args!("{name}[{id}]")), loss.message)
        });
        let more = not_kept(&self.losses).map(|(_, line)| prefix(None) + &line);
        let problems = self
            .problems
            .iter()
            .filter(|problem| reported.includes(problem.severity))
            .map(|problem| problem.line.clone());
        let losses = losses.chain(more).filter(|_| reported == Reported::Everything);
        let mut seen = HashSet::new();
        for line in problems.chain(losses) {
            if !seen.contains(&line) {
                print_line(format_args!("{line}"));
                seen.insert(line);
            }
        }
    }
}
