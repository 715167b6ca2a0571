//! What pages know about files besides their models, as JSON.

use anim_formats::AnyDocument;
use anim_formats::anim_ir::{Diagnostic, Diagnostics};
use serde::Serialize;

use crate::excerpt::{MarkedLine, marked_line};
use crate::machine::Machine;
use crate::places::Places;
use crate::repairs::{Made, NotMade, Repairs};
use crate::totals::{loss_label, loss_severity, not_kept};

/// The content of the page.
#[derive(Serialize)]
pub struct PageInfo<'a> {
    /// The files.
    pub files: Vec<&'a FileInfo>,
    /// Whether the page is loaded again when a file changes.
    pub watch: bool,
    /// The axis that points up: `Y` or `Z`.
    pub up: &'static str,
}

/// A file.
#[derive(Serialize)]
pub struct FileInfo {
    /// Its name.
    pub name: String,
    /// What distinguishes two files of the same name.
    pub caption: Option<&'static str>,
    /// Its format and size.
    pub summary: String,
    /// Its problems, losses and repairs.
    pub diagnostics: Vec<Problem>,
    /// How many diagnostics are not listed, as sentences.
    pub more: Vec<String>,
    /// Its state machines.
    pub machines: Vec<Machine>,
    /// The names of the clips that states play, in the order of the file; empty without states.
    pub clips: Vec<String>,
}

/// A diagnostic, a loss or a repair.
#[derive(Serialize)]
pub struct Problem {
    severity: &'static str,
    code: &'static str,
    message: String,
    help: Option<String>,
    /// The file, if there are several.
    file: Option<String>,
    /// Line and column, or an offset.
    place: Option<String>,
    source: Option<MarkedLine>,
}

impl Problem {
    fn of(severity: &'static str, diagnostic: &Diagnostic) -> Problem {
        let Diagnostic { code, message, help, file, .. } = diagnostic;
        let (message, help, file) = (message.clone(), help.clone(), file.clone());
        Problem { severity, code: code.id, message, help, file, place: None, source: None }
    }

    /// Describes the problems of a document. `file` is its name, if there are several.
    #[must_use]
    pub fn of_document(
        document: &AnyDocument<'_>,
        diagnostics: &Diagnostics,
        file: Option<&str>,
    ) -> Vec<Problem> {
        let text = document.text();
        let mut places = Places::new(&text, document);
        let problem = |diagnostic: &Diagnostic| {
            let span = diagnostic.span.map(|span| document.text_span(span));
            let problem = Problem::of(diagnostic.severity().name(), diagnostic);
            Problem {
                file: file.map(str::to_owned).or(problem.file),
                place: span.map(|span| places.locate(span.start).to_string()),
                source: span.map(|span| marked_line(&mut places, span)),
                ..problem
            }
        };
        diagnostics.iter().map(problem).collect()
    }

    /// Describes the losses of a conversion.
    #[must_use]
    pub fn of_losses(losses: &Diagnostics) -> Vec<Problem> {
        let problem = |loss: &Diagnostic| Problem::of(loss_label(loss_severity(loss.code)), loss);
        losses.iter().map(problem).collect()
    }

    fn at(severity: &'static str, Made { diagnostic, place, .. }: &Made) -> Problem {
        let place = place.map(|place| place.to_string());
        Problem { place, help: None, ..Problem::of(severity, diagnostic) }
    }

    /// Describes a repair that was made, and what was written.
    #[must_use]
    pub fn of_repair(made: &Made) -> Problem {
        Problem::at("fixed", made)
    }

    /// Describes a repair that was not made, and why.
    #[must_use]
    pub fn of_skipped(NotMade { repair, why }: &NotMade) -> Problem {
        Problem { help: Some(format!("not repaired: {why}")), ..Problem::at("warning", repair) }
    }
}

impl FileInfo {
    /// Adds the problems of a document. `file` is its name, if there are several.
    pub fn add_problems(
        &mut self,
        document: &AnyDocument<'_>,
        diagnostics: &Diagnostics,
        file: Option<&str>,
    ) {
        self.diagnostics.extend(Problem::of_document(document, diagnostics, file));
        self.more.extend(not_kept(diagnostics).map(|(_, line)| line));
    }

    /// Adds what the page does not show of a file.
    pub fn add_losses(&mut self, losses: &Diagnostics) {
        self.diagnostics.extend(Problem::of_losses(losses));
        self.more.extend(not_kept(losses).map(|(_, line)| line));
    }

    /// Adds the repairs that were made, and those that were not.
    pub fn add_repairs(&mut self, repairs: &Repairs) {
        let made = repairs.made.iter().map(Problem::of_repair);
        let left = repairs.left_out.iter().map(Problem::of_skipped);
        self.diagnostics.extend(made.chain(left).take(LISTED));
        let all = repairs.made.len().saturating_add(repairs.left_out.len());
        if let Some(more @ 1..) = all.checked_sub(LISTED) {
            self.more.push(format!("… and {more} more repairs"));
        }
    }
}

/// The number of repairs that are listed.
const LISTED: usize = 100;
