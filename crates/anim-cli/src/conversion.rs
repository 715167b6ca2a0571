//! The JSON output of `animfmt convert` and `animfmt split`.

use std::collections::BTreeMap;

use anim_formats::Format;
use anim_formats::anim_ir::Category;
use serde::Serialize;

use crate::job::{Job, Output};
use crate::outcome::Outcome;
use anim_viewer::DiagnosticReport;
use anim_viewer::{Totals, counts_by_code, totals};

/// The version of the JSON output.
pub(crate) const SCHEMA: &str = "animfmt.convert/2";

#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) schema: &'static str,
    pub(crate) files: Vec<ConversionReport>,
}

/// One output and its inputs.
#[derive(Serialize)]
pub(crate) struct ConversionReport {
    /// The first input.
    file: String,
    inputs: Vec<String>,
    output: Option<String>,
    format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Problems in the inputs, and notes on the conversion that are not losses.
    diagnostics: Vec<DiagnosticReport>,
    /// `None` if nothing could be read.
    totals: Option<ConversionTotals>,
    losses: Vec<DiagnosticReport>,
    /// The number of problems and losses by code; only the first ten of each are listed.
    counts: BTreeMap<&'static str, u64>,
}

/// The number of problems of the inputs by severity, and the number of losses.
#[derive(Serialize)]
struct ConversionTotals {
    #[serde(flatten)]
    problems: Totals,
    losses: u64,
}

impl ConversionReport {
    pub(crate) fn of(job: &Job<'_>, target: Format, outcome: Outcome) -> ConversionReport {
        let output = match &job.output {
            Output::Stdout => "-".into(),
            Output::File(path) => path.to_string_lossy(),
        };
        let mut counts = outcome.diagnostics.as_ref().map(counts_by_code).unwrap_or_default();
        for (code, more) in counts_by_code(&outcome.losses) {
            let count = counts.entry(code).or_default();
            *count = count.saturating_add(more);
        }
        let (problems, losses) = totals(outcome.diagnostics.as_ref(), &outcome.losses);
        // The path as given, which is not always what messages show.
        let given = |shown: Option<String>| match shown {
            Some(shown) => {
                let input = job.inputs().find(|input| input.shown() == shown);
                Some(input.map_or(shown, |input| input.given().into_owned()))
            }
            None if job.others.is_empty() => Some(job.input.given().into_owned()),
            None => None,
        };
        let loss = |loss| DiagnosticReport::of(loss, None).map_file(given);
        let (lost, others) = outcome.losses.partition(|code| code.category == Category::Loss);
        ConversionReport {
            file: job.input.given().into_owned(),
            inputs: job.inputs().map(|input| input.given().into_owned()).collect(),
            output: outcome.result.is_ok().then(|| output.into_owned()),
            format: target.id(),
            losses: lost.iter().map(loss).collect(),
            counts,
            totals: outcome.diagnostics.as_ref().map(|_| ConversionTotals { problems, losses }),
            diagnostics: outcome
                .problems
                .into_iter()
                .filter_map(|problem| Some(problem.report?.map_file(given)))
                .chain(others.iter().map(loss))
                .collect(),
            error: outcome.result.err().map(|failure| failure.message),
        }
    }
}
