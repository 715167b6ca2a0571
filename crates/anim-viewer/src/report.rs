//! Diagnostics as JSON, in the same form for every command.

use anim_formats::AnyDocument;
use anim_formats::anim_ir::source::Location;
use anim_formats::anim_ir::{Diagnostic, Diagnostics, Span};
use serde::Serialize;

use crate::places::Places;

/// A diagnostic and its location.
#[derive(Clone, Debug, Serialize)]
pub struct DiagnosticReport {
    /// The file that the diagnostic concerns, in reports on several files.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
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
    /// For repairs: the number of preceding rounds of repairs; locations refer to the text after
    /// those rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<usize>,
    /// For skipped repairs: the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// An unambiguous repair: the bytes to replace, and their replacement.
#[derive(Clone, Debug, Serialize)]
struct FixReport {
    offset: usize,
    length: usize,
    replacement: String,
}

impl DiagnosticReport {
    /// Reports on a diagnostic at a location.
    #[must_use]
    pub fn of(diagnostic: &Diagnostic, location: Option<Location>) -> DiagnosticReport {
        DiagnosticReport {
            file: diagnostic.file.clone(),
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

    /// Sets the file that the diagnostic concerns.
    #[must_use]
    pub fn in_file(self, file: impl Into<String>) -> DiagnosticReport {
        DiagnosticReport { file: Some(file.into()), ..self }
    }

    /// Replaces the name of the file.
    #[must_use]
    pub fn map_file(self, map: impl FnOnce(Option<String>) -> Option<String>) -> DiagnosticReport {
        DiagnosticReport { file: map(self.file), ..self }
    }

    /// Sets the number of rounds of repairs after which the locations of this report are valid.
    #[must_use]
    pub fn in_round(self, round: usize) -> DiagnosticReport {
        DiagnosticReport { round: Some(round), ..self }
    }

    /// Sets the reason why the repair was skipped.
    #[must_use]
    pub fn not_made(self, why: &str) -> DiagnosticReport {
        DiagnosticReport { why: Some(why.to_owned()), ..self }
    }

    /// Reports on all diagnostics of a document, in order.
    pub fn all(
        diagnostics: &Diagnostics,
        document: &AnyDocument<'_>,
        places: &mut Places<'_>,
    ) -> Vec<DiagnosticReport> {
        let report = |diagnostic: &Diagnostic| {
            let place = diagnostic.span.map(|span| places.locate(document.text_span(span).start));
            DiagnosticReport::of(diagnostic, place.and_then(|place| place.location()))
        };
        diagnostics.iter().map(report).collect()
    }
}
