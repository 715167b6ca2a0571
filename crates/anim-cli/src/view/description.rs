//! What the page knows about the files besides their models, as JSON.

use anim_formats::AnyDocument;
use anim_formats::anim_ir::{Diagnostic, Diagnostics};
use serde::Serialize;

use super::machine::Machine;
use crate::places::Places;
use crate::repairs::{Made, NotMade, Repairs};
use crate::snippet::{MarkedLine, marked_line};
use crate::tally::{label, loss_severity};
use crate::totals::not_kept;

/// The content of the page.
#[derive(Serialize)]
pub(super) struct PageInfo<'a> {
    pub(super) files: Vec<&'a FileInfo>,
    /// Whether the page is loaded again when a file changes.
    pub(super) watch: bool,
    /// The axis that points up: `Y`, `Z` or `X`.
    pub(super) up: &'static str,
}

/// A file.
#[derive(Serialize)]
pub(super) struct FileInfo {
    pub(super) name: String,
    /// What distinguishes two files of the same name.
    pub(super) caption: Option<&'static str>,
    pub(super) summary: String,
    pub(super) diagnostics: Vec<Problem>,
    /// How many diagnostics are not listed, as sentences.
    pub(super) more: Vec<String>,
    pub(super) machine: Option<Machine>,
}

/// A diagnostic, a loss or a repair.
#[derive(Serialize)]
pub(super) struct Problem {
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
        let Diagnostic { code, message, help, .. } = diagnostic;
        let (message, help) = (message.clone(), help.clone());
        Problem { severity, code: code.id, message, help, file: None, place: None, source: None }
    }
}

impl FileInfo {
    /// Adds the problems of a document. `file` is its name, if there are several.
    pub(super) fn add_problems(
        &mut self,
        document: &AnyDocument<'_>,
        diagnostics: &Diagnostics,
        file: Option<&str>,
    ) {
        let text = document.text();
        let mut places = Places::new(&text, document);
        self.diagnostics.extend(diagnostics.iter().map(|diagnostic| {
            let span = diagnostic.span.map(|span| document.text_span(span));
            Problem {
                file: file.map(str::to_owned),
                place: span.map(|span| places.locate(span.start).to_string()),
                source: span.map(|span| marked_line(&mut places, span)),
                ..Problem::of(diagnostic.severity().name(), diagnostic)
            }
        }));
        self.more.extend(not_kept(diagnostics).map(|(_, line)| line));
    }

    /// Adds what the page does not show of a file.
    pub(super) fn add_losses(&mut self, losses: &Diagnostics) {
        let problem = |loss: &Diagnostic| Problem::of(label(loss_severity(loss.code)).0, loss);
        self.diagnostics.extend(losses.iter().map(problem));
        self.more.extend(not_kept(losses).map(|(_, line)| line));
    }

    /// Adds the repairs that were made, and those that were not.
    pub(super) fn add_repairs(&mut self, repairs: &Repairs) {
        let problem = |severity, Made { diagnostic, place, .. }: &Made| Problem {
            place: place.map(|place| place.to_string()),
            help: None,
            ..Problem::of(severity, diagnostic)
        };
        let made = repairs.made.iter().map(|made| problem("fixed", made));
        let left = repairs.left_out.iter().map(|NotMade { repair, why }| Problem {
            help: Some(format!("not repaired: {why}")),
            ..problem("warning", repair)
        });
        self.diagnostics.extend(made.chain(left).take(LISTED));
        if let Some(why) = &repairs.refused {
            self.more.push(format!("nothing was repaired: {why}"));
        }
        if let Some(more @ 1..) = repairs.made.len().checked_sub(LISTED) {
            self.more.push(format!("… and {more} more repairs"));
        }
    }
}

/// The number of repairs that are listed.
const LISTED: usize = 100;
