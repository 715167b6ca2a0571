//! Counts of problems.

use std::collections::BTreeMap;
use std::fmt;

use anim_formats::anim_ir::{Category, Code, Diagnostics, Severity, insert_all};
use serde::Serialize;

use crate::wording::counts;

/// The number of diagnostics of each severity, including those that were only counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// The number of errors.
    pub errors: u64,
    /// The number of warnings.
    pub warnings: u64,
    /// The number of notes.
    pub notes: u64,
}

impl Totals {
    /// Counts diagnostics.
    #[must_use]
    pub fn of(diagnostics: &Diagnostics) -> Totals {
        let [errors, warnings, notes] = [Severity::Error, Severity::Warning, Severity::Note]
            .map(|severity| diagnostics.total(severity));
        Totals { errors, warnings, notes }
    }

    /// Returns the sum of two totals.
    #[must_use]
    pub fn plus(self, other: Totals) -> Totals {
        Totals {
            errors: self.errors.saturating_add(other.errors),
            warnings: self.warnings.saturating_add(other.warnings),
            notes: self.notes.saturating_add(other.notes),
        }
    }

    /// Returns whether there are no problems.
    pub fn is_empty(self) -> bool {
        self == Totals::default()
    }

    /// Returns the worst severity, or [`Severity::Note`] if there are no problems.
    pub fn severity(self) -> Severity {
        match self {
            Totals { errors: 1.., .. } => Severity::Error,
            Totals { warnings: 1.., .. } => Severity::Warning,
            _ => Severity::Note,
        }
    }
}

impl fmt::Display for Totals {
    /// Formats the counts: `2 errors, 1 note`; zero counts are omitted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = counts([
            (self.errors, "error", "errors"),
            (self.warnings, "warning", "warnings"),
            (self.notes, "note", "notes"),
        ]);
        f.write_str(if text.is_empty() { "no problems" } else { &text })
    }
}

/// Returns the number of diagnostics by code.
pub fn counts_by_code(diagnostics: &Diagnostics) -> BTreeMap<&'static str, u64> {
    insert_all(diagnostics.counts().iter().map(|(code, count)| (code.id, *count)))
}

/// Returns a line for each code with diagnostics that were counted but not kept, such as
/// `… and 990 more amo-keyword`, and its severity.
pub fn not_kept(diagnostics: &Diagnostics) -> impl Iterator<Item = (Severity, String)> {
    diagnostics
        .not_kept()
        .map(|(code, more)| (code.severity, format!("… and {more} more {}", code.id)))
}

/// Returns the severity with which a conversion reports a diagnostic, or `None` if it is a loss.
pub fn loss_severity(code: &Code) -> Option<Severity> {
    (code.category != Category::Loss).then_some(code.severity)
}

/// Returns the word printed before a code of this severity. `None` is a loss.
pub fn loss_label(severity: Option<Severity>) -> &'static str {
    severity.map_or("loss", Severity::name)
}

/// Returns whether a conversion reports problems with this code. Those that only concern the engine
/// are left to `check`.
pub fn is_counted(code: &Code) -> bool {
    code.category != Category::Engine
}

/// Counts the problems by severity, and the losses.
pub fn totals(diagnostics: Option<&Diagnostics>, losses: &Diagnostics) -> (Totals, u64) {
    let problems = diagnostics.into_iter().flat_map(Diagnostics::counts);
    let problems = problems.filter(|(code, _)| is_counted(code));
    let problems = problems.map(|(code, count)| (Some(code.severity), *count));
    let lost = losses.counts().iter().map(|(code, count)| (loss_severity(code), *count));
    let (mut totals, mut losses) = (Totals::default(), 0_u64);
    for (severity, times) in problems.chain(lost) {
        let count = match severity {
            Some(Severity::Error) => &mut totals.errors,
            Some(Severity::Warning) => &mut totals.warnings,
            Some(Severity::Note) => &mut totals.notes,
            None => &mut losses,
        };
        *count = count.saturating_add(times);
    }
    (totals, losses)
}

/// Formats the totals: `1 error, 2 warnings, 3 losses`, or an empty string.
pub fn short(diagnostics: Option<&Diagnostics>, losses: &Diagnostics) -> String {
    let (Totals { errors, warnings, notes }, losses) = totals(diagnostics, losses);
    counts([
        (errors, "error", "errors"),
        (warnings, "warning", "warnings"),
        (notes, "note", "notes"),
        (losses, "loss", "losses"),
    ])
}
