//! Counts of problems.

use std::collections::BTreeMap;
use std::fmt;

use anim_formats::anim_ir::{Diagnostics, Severity};
use serde::Serialize;

use crate::input::Input;
use crate::term::{Verbosity, counts, print_line, severity_style, styled, verbosity};

/// The number of diagnostics of each severity, including those that were only counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Totals {
    pub(crate) errors: u64,
    pub(crate) warnings: u64,
    pub(crate) notes: u64,
}

impl Totals {
    pub(crate) fn of(diagnostics: &Diagnostics) -> Totals {
        let [errors, warnings, notes] = [Severity::Error, Severity::Warning, Severity::Note]
            .map(|severity| diagnostics.total(severity));
        Totals { errors, warnings, notes }
    }

    /// Returns the sum of two totals.
    #[must_use]
    pub(crate) fn plus(self, other: Totals) -> Totals {
        Totals {
            errors: self.errors.saturating_add(other.errors),
            warnings: self.warnings.saturating_add(other.warnings),
            notes: self.notes.saturating_add(other.notes),
        }
    }

    pub(crate) fn is_empty(self) -> bool {
        self == Totals::default()
    }

    /// Returns the worst severity, or [`Severity::Note`] if there are no problems.
    pub(crate) fn severity(self) -> Severity {
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

/// Warns that a file has errors, for commands that continue with the parts that could be read.
pub(crate) fn warn_of_errors(input: Input<'_>, diagnostics: &Diagnostics) {
    if verbosity() > Verbosity::Quiet && diagnostics.worst() >= Some(Severity::Error) {
        let problems = Totals::of(diagnostics);
        print_line(format_args!(
            "{}: {}: {problems}; run `animfmt check` for details",
            styled(severity_style(Severity::Warning), "warning"),
            input.shown()
        ));
    }
}

/// Returns the number of diagnostics by code.
pub(crate) fn counts_by_code(diagnostics: &Diagnostics) -> BTreeMap<&'static str, u64> {
    diagnostics.counts().iter().map(|(code, count)| (code.id, *count)).collect()
}

/// Returns a line for each code with diagnostics that were counted but not kept, such as
/// `… and 990 more amo-keyword`, and its severity.
pub(crate) fn not_kept(diagnostics: &Diagnostics) -> impl Iterator<Item = (Severity, String)> {
    diagnostics
        .not_kept()
        .map(|(code, more)| (code.severity, format!("… and {more} more {}", code.id)))
}
