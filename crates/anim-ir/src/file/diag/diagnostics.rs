//! Collections of diagnostics, with a limit for each code.

use crate::file::diag::code::WITHHELD;
use crate::{Code, Limits, Severity, sort_by};

/// A range of bytes in a file: `start` inclusive, `end` exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset just past the last byte.
    pub end: usize,
}

impl Span {
    /// Returns the span from `start` to `end`, exclusive.
    pub const fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// Returns the length in bytes.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether the span is empty.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// An unambiguous repair: replace the bytes of `span` with `replacement`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The bytes to replace.
    pub span: Span,
    /// The text to replace them with.
    pub replacement: String,
}

/// One occurrence of a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The kind of problem.
    pub code: &'static Code,
    /// What is wrong, with the actual values. A sentence fragment without a full stop, with control
    /// characters escaped.
    pub message: String,
    /// The location in the file, or `None` if there is no single location.
    pub span: Option<Span>,
    /// How to resolve the problem.
    pub help: Option<String>,
    /// A repair, if there is an unambiguous one.
    pub fix: Option<Fix>,
    /// The name of the file, in diagnostics on several files.
    pub file: Option<String>,
}

impl Diagnostic {
    /// Creates a diagnostic without a help text or a repair.
    pub fn new(
        code: &'static Code,
        span: impl Into<Option<Span>>,
        message: impl Into<String>,
    ) -> Diagnostic {
        let (message, span) = (message.into(), span.into());
        Diagnostic { code, message, span, help: None, fix: None, file: None }
    }

    /// Sets the help text.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Sets the repair.
    #[must_use]
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Diagnostic {
        self.fix = Some(Fix { span, replacement: replacement.into() });
        self
    }

    /// Returns the severity of the diagnostic's code.
    pub const fn severity(&self) -> Severity {
        self.code.severity
    }
}

/// The problems of one file or one conversion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    counts: Vec<(&'static Code, u64)>,
    /// How many more diagnostics with a repair may be kept beyond the per-code limit.
    fixes_left: u64,
    /// How many diagnostics of each code are kept in addition to [`Diagnostics::KEPT_PER_CODE`].
    more_per_code: u64,
    /// Whether repairs were removed because the file looks truncated.
    pub(crate) withholds_fixes: bool,
    /// The code with which the file was reported as truncated.
    cut_off: Option<&'static Code>,
}

impl Diagnostics {
    /// How many diagnostics of one code are kept by default; the rest are only counted.
    pub const KEPT_PER_CODE: u64 = 10;

    /// Creates an empty collection.
    pub const fn new() -> Diagnostics {
        Diagnostics {
            kept: Vec::new(),
            counts: Vec::new(),
            fixes_left: 0,
            more_per_code: 0,
            withholds_fixes: false,
            cut_off: None,
        }
    }

    /// Creates an empty collection that keeps up to [`Limits::diagnostics`] of each code, and up to
    /// [`Limits::fixes`] more with repairs, whatever their codes.
    pub const fn within(limits: &Limits) -> Diagnostics {
        let mut empty = Diagnostics::new();
        empty.more_per_code = limits.diagnostics.saturating_sub(Self::KEPT_PER_CODE);
        empty.fixes_left = limits.fixes as u64;
        empty
    }

    /// Whether further diagnostics of this code are only counted, unless [`Limits::fixes`] allows
    /// keeping more with repairs.
    pub fn is_full(&self, code: &Code) -> bool {
        self.count(code) >= self.kept_per_code()
    }

    const fn kept_per_code(&self) -> u64 {
        Self::KEPT_PER_CODE.saturating_add(self.more_per_code)
    }

    /// Records a problem. `make` is not called if the diagnostic would only be counted, so a
    /// million of them use no memory.
    pub fn report(&mut self, code: &'static Code, make: impl FnOnce() -> Diagnostic) {
        if self.count_and_keep(code) {
            self.keep(make());
        }
    }

    /// Records a problem with a repair. [`Limits::fixes`] allows keeping more of these.
    pub fn report_fix(&mut self, code: &'static Code, make: impl FnOnce() -> Diagnostic) {
        if self.count_up(code, 1) <= self.kept_per_code() || take_one(&mut self.fixes_left) {
            self.keep(make());
        }
    }

    /// Records a problem without a help text or a repair.
    pub fn push(
        &mut self,
        code: &'static Code,
        span: impl Into<Option<Span>>,
        message: impl FnOnce() -> String,
    ) {
        // Not `report` with a closure around `message`: hundreds of callers would compile two
        // functions each.
        if self.count_and_keep(code) {
            self.keep(Diagnostic::new(code, span, message()));
        }
    }

    /// Records a loss if `is_lost` is true. Losses have no location in the file.
    pub fn lost(&mut self, code: &'static Code, is_lost: bool, message: impl FnOnce() -> String) {
        if is_lost {
            self.push(code, None, message);
        }
    }

    /// Records the number of lost items, such as `dropped meshes: 2`. Does nothing if `count` is 0.
    pub fn lost_some(&mut self, code: &'static Code, count: usize, what: &str) {
        self.lost(code, count > 0, || format!("{what}: {count}"));
    }

    /// Records how many items have format-specific data that is lost.
    pub fn lost_extras(&mut self, code: &'static Code, count: usize) {
        let what = "dropped extras (format-specific data) of joints, clips and other items";
        self.lost_some(code, count, what);
    }

    /// Appends other diagnostics. If `other` keeps more per code, its limit applies from now on.
    pub fn append(&mut self, other: Diagnostics) {
        self.more_per_code = self.more_per_code.max(other.more_per_code);
        self.withholds_fixes |= other.withholds_fixes;
        self.cut_off = self.cut_off.or(other.cut_off);
        let mut room = Vec::with_capacity(other.counts.len());
        for (code, count) in other.counts {
            room.push((code, self.kept_per_code().saturating_sub(self.count(code))));
            self.count_up(code, count);
        }
        for diagnostic in other.kept {
            let slot = room.iter_mut().find(|(code, _)| std::ptr::eq(*code, diagnostic.code));
            if slot.is_some_and(|(_, room)| take_one(room))
                || (diagnostic.fix.is_some() && take_one(&mut self.fixes_left))
            {
                self.kept.push(diagnostic);
            }
        }
    }

    /// Maps every span, for example from decoded or decompressed text to the file's bytes.
    pub fn map_spans(&mut self, map: impl Fn(Span) -> Span) {
        for diagnostic in &mut self.kept {
            diagnostic.span = diagnostic.span.map(&map);
            if let Some(fix) = &mut diagnostic.fix {
                fix.span = map(fix.span);
            }
        }
    }

    /// Iterates mutably over the kept diagnostics.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Diagnostic> {
        self.kept.iter_mut()
    }

    /// Removes all spans and repairs. Use this if the file that they refer to is no longer
    /// available.
    pub fn forget_spans(&mut self) {
        self.forget_fixes();
        for diagnostic in &mut self.kept {
            diagnostic.span = None;
        }
    }

    /// Removes all repairs. Use this if they do not apply to the file itself.
    pub fn forget_fixes(&mut self) {
        for diagnostic in &mut self.kept {
            diagnostic.fix = None;
        }
    }

    /// Splits the diagnostics by code: those for which `first` returns true, and the rest.
    #[must_use]
    pub fn partition(self, first: impl Fn(&Code) -> bool) -> (Diagnostics, Diagnostics) {
        let (kept, other_kept) =
            self.kept.into_iter().partition(|diagnostic| first(diagnostic.code));
        let (counts, other_counts) = self.counts.into_iter().partition(|(code, _)| first(code));
        let of = |kept, counts| Diagnostics { kept, counts, ..self };
        (of(kept, counts), of(other_kept, other_counts))
    }

    /// Sorts the kept diagnostics by location. That the file is truncated comes first, then
    /// diagnostics without a location.
    pub fn sort_by_place(&mut self) {
        let cut_off = self.cut_off;
        let is_other = |code| cut_off.is_none_or(|cut_off| !std::ptr::eq(cut_off, code));
        let key = |found: &Diagnostic| (is_other(found.code), found.span);
        sort_by(&mut self.kept, |a, b| key(a).cmp(&key(b)));
    }

    /// Whether the file was reported as truncated.
    pub const fn is_cut_off(&self) -> bool {
        self.cut_off.is_some()
    }

    /// Drops the kept diagnostics for which `is_kept` returns false, such as consequences of
    /// another problem, and subtracts them from the counts.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&Diagnostic) -> bool) {
        let mut dropped: Vec<&'static Code> = Vec::new();
        self.kept.retain(|diagnostic| {
            let is_kept = is_kept(diagnostic);
            dropped.extend((!is_kept).then_some(diagnostic.code));
            is_kept
        });
        for (code, count) in &mut self.counts {
            let fewer = dropped.iter().filter(|dropped| std::ptr::eq(**dropped, *code)).count();
            *count = count.saturating_sub(fewer as u64);
        }
        self.counts.retain(|(_, count)| *count > 0);
    }

    /// If the file was reported as truncated with the code `cut_off`, moves that diagnostic to the
    /// front and removes all repairs, since the missing part may change the meaning of the rest.
    pub fn withhold_fixes(&mut self, cut_off: &'static Code) {
        let is_cause = |found: &Diagnostic| std::ptr::eq(found.code, cut_off);
        let Some(at) = self.kept.iter().position(is_cause) else { return };
        self.cut_off = Some(cut_off);
        let withheld = self.kept.iter_mut().filter_map(|found| found.fix.take()).count();
        self.fixes_left = 0;
        if let Some(first) = self.kept.get_mut(..=at) {
            first.rotate_right(1);
        }
        self.withholds_fixes |= withheld > 0;
        if let Some(cause) = self.kept.first_mut().filter(|_| withheld > 0) {
            let before = cause.help.take().map(|help| help + "; ").unwrap_or_default();
            cause.help = Some(before + WITHHELD);
        }
    }

    /// Iterates over the kept diagnostics.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.kept.iter()
    }

    /// Returns the codes that occurred, each with its number of occurrences, in order of first
    /// occurrence.
    pub fn counts(&self) -> &[(&'static Code, u64)] {
        &self.counts
    }

    /// Returns the codes for which not all diagnostics were kept, each with the number not kept.
    pub fn not_kept(&self) -> impl Iterator<Item = (&'static Code, u64)> {
        let mut left = self.counts.clone();
        for diagnostic in &self.kept {
            let counted = left.iter_mut().find(|(code, _)| std::ptr::eq(*code, diagnostic.code));
            if let Some((_, count)) = counted {
                *count = count.saturating_sub(1);
            }
        }
        left.into_iter().filter(|(_, count)| *count > 0)
    }

    /// Returns the number of occurrences of a code.
    pub fn count(&self, code: &Code) -> u64 {
        let found = self.counts.iter().find(|(known, _)| std::ptr::eq(*known, code));
        found.map_or(0, |(_, count)| *count)
    }

    /// Returns the number of problems of a severity, including those that were not kept.
    pub fn total(&self, severity: Severity) -> u64 {
        let found = self.counts.iter().filter(|(code, _)| code.severity == severity);
        found.fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }

    /// Returns the worst severity, or `None` if there are no problems.
    pub fn worst(&self) -> Option<Severity> {
        self.counts.iter().map(|(code, _)| code.severity).max()
    }

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Counts a diagnostic, and returns whether to keep it.
    fn count_and_keep(&mut self, code: &'static Code) -> bool {
        self.count_up(code, 1) <= self.kept_per_code()
    }

    fn keep(&mut self, diagnostic: Diagnostic) {
        self.kept.push(diagnostic);
    }

    fn count_up(&mut self, code: &'static Code, by: u64) -> u64 {
        // Files rarely have more than a handful of codes: a linear scan is faster than a map.
        let known = self.counts.iter_mut().find(|(known, _)| std::ptr::eq(*known, code));
        if let Some((_, count)) = known {
            *count = count.saturating_add(by);
            return *count;
        }
        self.counts.push((code, by));
        by
    }
}

/// Decrements a counter, and returns whether it was greater than 0.
fn take_one(left: &mut u64) -> bool {
    left.checked_sub(1).map(|fewer| *left = fewer).is_some()
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The result of reading a file, with the problems found.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed<T> {
    /// The result.
    pub value: T,
    /// The problems.
    pub diagnostics: Diagnostics,
}

impl<T> Parsed<T> {
    /// Maps the value and keeps the diagnostics.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Parsed<U> {
        Parsed { value: f(self.value), diagnostics: self.diagnostics }
    }

    /// Returns the value, unless a problem of at least this severity was reported.
    ///
    /// # Errors
    ///
    /// Returns the diagnostics if any of them is at least as severe as `severity`.
    pub fn into_strict(self, severity: Severity) -> Result<T, Diagnostics> {
        if self.diagnostics.worst() >= Some(severity) {
            Err(self.diagnostics)
        } else {
            Ok(self.value)
        }
    }
}

/// The result of a conversion, with its losses.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted<T> {
    /// The result.
    pub value: T,
    /// The parts that were lost or changed.
    pub losses: Diagnostics,
}

impl<T> Converted<T> {
    /// Creates a result without losses.
    pub const fn lossless(value: T) -> Converted<T> {
        Converted { value, losses: Diagnostics::new() }
    }

    /// Maps the result and keeps the losses.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Converted<U> {
        Converted { value: f(self.value), losses: self.losses }
    }
}

#[cfg(test)]
mod tests;
