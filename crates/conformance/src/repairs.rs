//! Checks repairs to truncated files: none may change anything that is valid in the complete file.

use std::ops::Range;

use anim_ir::fix::{self, Endless, Repaired, Round, Wanted};
use anim_ir::source::{Location, locate};
use anim_ir::{Diagnostics, Fix, Span};

/// A reader for a format. It returns the problems in a file, with all repairs or as users see them,
/// or `None` if the file cannot be read or the spans of repairs do not refer to its bytes.
pub type Reader<'a> = &'a dyn Fn(&[u8], Wanted) -> Option<Diagnostics>;

/// A repair to a truncated file that changes something valid in the complete file.
#[derive(Clone, Debug, PartialEq)]
pub struct Harm {
    /// The length of the truncated file in bytes.
    pub cut: usize,
    /// The start of the repair in the complete file.
    pub place: Location,
    /// The code of the repaired problem.
    pub code: &'static str,
    /// The replacement.
    pub replacement: String,
}

/// An error that prevented repairs. Its cause does not matter here.
struct Unreadable;

impl From<Endless> for Unreadable {
    fn from(_: Endless) -> Unreadable {
        Unreadable
    }
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("unreadable")
    }
}

/// Returns about `count` positions at which to truncate a file, half of them between lines.
pub fn cuts(bytes: &[u8], count: usize) -> Vec<usize> {
    let places = (count / 2).max(1);
    let mut cuts = Vec::with_capacity(count);
    for at in (0..places).map(|place| bytes.len() * place / places) {
        let line = bytes[at..].iter().position(|byte| *byte == b'\n');
        cuts.push(at);
        cuts.extend(line.map(|length| at + length + 1));
    }
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// Truncates a file at these positions, makes all repairs to each result, and returns the harmful
/// repairs, or none if the complete file cannot be read.
pub fn harm_of_repairs(bytes: &[u8], cuts: &[usize], read: Reader<'_>) -> Vec<Harm> {
    let Some(objections) = objections(bytes, read) else { return Vec::new() };
    let mut harm = Vec::new();
    for cut in cuts.iter().copied().filter(|cut| *cut < bytes.len()) {
        let Some(repaired) = repaired(&bytes[..cut], read) else { continue };
        for (number, round) in repaired.rounds.iter().enumerate() {
            for (code, fix) in fixes(round) {
                let place = at_first(&repaired.rounds[..number], fix.span);
                if !objections.iter().any(|span| span.start <= place.start && place.end <= span.end)
                {
                    let replacement = fix.replacement.clone();
                    let place = locate(bytes, place.start);
                    harm.push(Harm { cut, place, code, replacement });
                }
            }
        }
    }
    harm
}

fn repaired(bytes: &[u8], read: Reader<'_>) -> Option<Repaired> {
    fix::repair(bytes.to_vec(), |bytes, wanted| read(bytes, wanted).ok_or(Unreadable)).ok()
}

/// Returns the spans of all problems in the file, including those that only appear after repairs.
fn objections(bytes: &[u8], read: Reader<'_>) -> Option<Vec<Span>> {
    let repaired = repaired(bytes, read)?;
    let mut spans = Vec::new();
    for round in 0..=repaired.rounds.len() {
        let found = read(repaired.after(round), Wanted::Repairs)?;
        let of_fixes = found.iter().filter_map(|found| found.fix.as_ref().map(|fix| fix.span));
        let all = found.iter().filter_map(|found| found.span).chain(of_fixes);
        spans.extend(all.map(|span| at_first(&repaired.rounds[..round], span)));
    }
    Some(spans)
}

fn fixes(round: &Round) -> impl Iterator<Item = (&'static str, &Fix)> {
    round.repairs.iter().filter_map(|found| Some((found.code.id, found.fix.as_ref()?)))
}

/// Maps a span to the file as it was before these rounds.
fn at_first(rounds: &[Round], span: Span) -> Span {
    rounds.iter().rev().fold(span, |span, round| {
        let [start, end] = [span.start, span.end].map(|at| before(round, at));
        let (start, end) = (start.start.min(end.start), start.end.max(end.end));
        Span::new(start, end)
    })
}

/// Maps a position to the file as it was before a round. A position inside a replacement maps to
/// the entire span that was replaced.
fn before(round: &Round, place: usize) -> Range<usize> {
    // The start of the current unchanged section, before and after the round.
    let (mut from, mut to) = (0, 0);
    for (_, fix) in fixes(round) {
        let start = to + (fix.span.start - from);
        if place <= start {
            break;
        }
        to = start + fix.replacement.len();
        from = fix.span.end;
        if place < to {
            return fix.span.start..fix.span.end;
        }
    }
    let at = from + (place - to);
    at..at
}

#[cfg(test)]
mod tests {
    use anim_ir::{Category, Code, Diagnostic, Limits, Severity};

    use super::*;

    static ODD: Code = Code {
        id: "t-odd",
        severity: Severity::Warning,
        category: Category::Syntax,
        meaning: "",
        example: "",
        action: "",
    };

    /// A reader that requires a full stop at the end of the file, and `cc` instead of `b`.
    fn read(bytes: &[u8], _: Wanted) -> Option<Diagnostics> {
        let mut found = Diagnostics::within(&Limits { fixes: 100, ..Limits::default() });
        let mut report = |span: Span, new: &str| {
            found.report_fix(&ODD, || Diagnostic::new(&ODD, span, "odd").fix(span, new));
        };
        for at in (0..bytes.len()).filter(|at| bytes[*at] == b'b') {
            report(Span::new(at, at + 1), "cc");
        }
        if bytes.last() != Some(&b'.') {
            report(Span::new(bytes.len(), bytes.len()), ".");
        }
        Some(found)
    }

    #[test]
    fn a_repair_of_something_valid_in_the_whole_file_is_harmful() {
        let harm = harm_of_repairs(b"abaa.", &[2, 3, 4, 5], &read);
        let found: Vec<(usize, usize, &str)> =
            harm.iter().map(|harm| (harm.cut, harm.place.column, &*harm.replacement)).collect();
        assert_eq!(
            found,
            [(3, 4, "."), (4, 5, ".")],
            "the `b` is also invalid in the complete file"
        );
    }

    #[test]
    fn spans_in_later_rounds_are_mapped_to_the_original_file() {
        let spans = [(1, 2, "xyz"), (4, 6, ""), (7, 7, "!")];
        let repairs = spans.map(|(start, end, new)| {
            Diagnostic::new(&ODD, None, "").fix(Span::new(start, end), new)
        });
        // 0123456789 becomes 0xyz236!789.
        let round = Round { before: b"0123456789".to_vec(), repairs: repairs.to_vec() };
        let first = |start, end| {
            let Span { start, end } = at_first(std::slice::from_ref(&round), Span::new(start, end));
            (start, end)
        };
        assert_eq!([first(0, 1), first(2, 3), first(4, 5)], [(0, 1), (1, 2), (2, 3)]);
        assert_eq!([first(6, 7), first(8, 9), first(10, 11)], [(4, 7), (7, 8), (9, 10)]);
    }

    #[test]
    fn cuts_are_within_lines_and_between_them() {
        assert_eq!(cuts(b"ab\ncd\nef\n", 6), [0, 3, 6, 9]);
        assert_eq!(cuts(b"", 6), [0]);
    }
}
