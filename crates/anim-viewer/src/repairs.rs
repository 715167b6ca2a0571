//! The unambiguous repairs of a file, and what they change.

use std::time::Duration;

use anim_formats::anim_ir::diag::{escape, quote};
use anim_formats::anim_ir::source::Location;
use anim_formats::anim_ir::{Diagnostic, Fix, Parsed, Settings};
use anim_formats::{AnyDocument, LeftOut, RepairError, Repaired, repair};
use serde::Serialize;
use similar::{ChangeTag, TextDiff};

use crate::places::{Place, Places};

/// The time limit for finding a minimal diff; after that, a longer one is used.
const DIFF_TIME: Duration = Duration::from_millis(300);

/// A repair and its location.
#[derive(Debug)]
pub struct Made {
    /// The problem.
    pub diagnostic: Diagnostic,
    /// The location, in the text after the preceding rounds.
    pub place: Option<Place>,
    /// The number of preceding rounds of repairs.
    pub round: usize,
}

/// A repair that was not made, and why.
#[derive(Debug)]
pub struct NotMade {
    /// The repair.
    pub repair: Made,
    /// The reason.
    pub why: String,
}

/// The repairs of a file.
#[derive(Debug, Default)]
pub struct Repairs {
    /// The repairs that were made.
    pub made: Vec<Made>,
    /// The repairs that were skipped.
    pub left_out: Vec<NotMade>,
    /// The reason why nothing was repaired although repairs were possible.
    pub refused: Option<String>,
    /// The bytes before and after the repairs, if anything was repaired.
    pub changed: Option<(Vec<u8>, Vec<u8>)>,
}

impl Repairs {
    /// Repairs a file. `cut` says that it was not read to its end.
    #[must_use]
    pub fn of(parsed: &Parsed<AnyDocument<'static>>, cut: bool, settings: &Settings) -> Repairs {
        let document = &parsed.value;
        let repaired = repair(document.to_bytes().into_owned(), document.format(), settings);
        let refused = |why: String| Repairs { refused: Some(why), ..Repairs::default() };
        match repaired {
            Ok(Repaired { rounds, left_out, .. }) if rounds.is_empty() && left_out.is_empty() => {
                Repairs::default()
            }
            Ok(_) if cut => refused("only part of the file was read".to_owned()),
            Ok(repaired) => Repairs::located(repaired, document),
            Err(error @ RepairError::Parse(_)) => {
                refused(format!("the repaired file could not be read: {error}"))
            }
            Err(error) => refused(error.to_string()),
        }
    }

    fn located(repaired: Repaired, document: &AnyDocument<'_>) -> Repairs {
        let mut made = Vec::new();
        let mut left_out = Vec::new();
        for number in 0..=repaired.rounds.len() {
            let mut places = Places::new(repaired.after(number), document);
            let mut located = |diagnostic: &Diagnostic| {
                let place = diagnostic.span.map(|span| places.locate(span.start));
                Made { diagnostic: diagnostic.clone(), place, round: number }
            };
            let repairs = repaired.rounds.get(number).map_or(&[][..], |round| &round.repairs);
            made.extend(repairs.iter().map(&mut located));
            let not_made = repaired.left_out.iter().filter(|left| left.round == number);
            left_out.extend(not_made.map(|LeftOut { diagnostic, why, .. }| NotMade {
                repair: located(diagnostic),
                why: why.clone(),
            }));
        }
        let before = repaired.rounds.into_iter().next().map(|round| round.before);
        let changed = before.map(|before| (before, repaired.bytes));
        Repairs { made, left_out, refused: None, changed }
    }

    /// Returns a function that maps an offset in the repaired text to one in the file as it is.
    /// Text written by a repair is mapped to the text that it replaced.
    pub fn origin(&self) -> impl Fn(usize) -> usize {
        // Where each replacement starts, by round.
        let mut rounds: Vec<Vec<(usize, &Fix)>> = Vec::new();
        for Made { diagnostic, round, .. } in &self.made {
            let Some(fix) = &diagnostic.fix else { continue };
            rounds.resize_with(rounds.len().max(round.saturating_add(1)), Vec::new);
            let Some(fixes) = rounds.get_mut(*round) else { continue };
            let start = fixes.last().map_or(fix.span.start, |(start, last)| {
                let kept = fix.span.start.saturating_sub(last.span.end);
                start.saturating_add(last.replacement.len()).saturating_add(kept)
            });
            fixes.push((start, fix));
        }
        move |offset| {
            rounds.iter().rev().fold(offset, |offset, fixes| {
                let next = fixes.partition_point(|(start, _)| *start <= offset);
                let last = next.checked_sub(1).and_then(|last| fixes.get(last));
                let Some((start, Fix { span, replacement })) = last else { return offset };
                let within = offset.saturating_sub(*start);
                match within.checked_sub(replacement.len()) {
                    Some(after) => span.end.saturating_add(after),
                    None => span.start.saturating_add(within).min(span.end),
                }
            })
        }
    }

    /// Returns a sentence that says why nothing was repaired, or `None` if something was.
    /// `has_problems` says whether the file has any problem.
    #[must_use]
    pub fn nothing(&self, has_problems: bool) -> Option<String> {
        Some(match &self.refused {
            _ if self.changed.is_some() => return None,
            Some(why) => format!("nothing was repaired: {why}"),
            None if !self.left_out.is_empty() => {
                "nothing was repaired: all possible repairs were skipped".to_owned()
            }
            None if has_problems => {
                "nothing to repair: none of the problems has an unambiguous repair".to_owned()
            }
            None => "nothing to repair: the file has no problems".to_owned(),
        })
    }

    /// Returns a unified diff of the file before and after the repairs; empty if nothing was
    /// repaired. Control characters are escaped.
    #[must_use]
    pub fn diff(&self, file: &str) -> Vec<DiffLine> {
        let Some((before, after)) = &self.changed else { return Vec::new() };
        let diff = TextDiff::configure().timeout(DIFF_TIME).diff_lines(before, after);
        let line = |kind, text| DiffLine { kind, text };
        let mut lines = vec![
            line(LineKind::File, format!("--- {file}")),
            line(LineKind::File, format!("+++ {file}")),
        ];
        for hunk in diff.unified_diff().iter_hunks() {
            lines.push(line(LineKind::Hunk, hunk.header().to_string()));
            for change in hunk.iter_changes() {
                let (sign, kind) = match change.tag() {
                    ChangeTag::Delete => ('-', LineKind::Removed),
                    ChangeTag::Insert => ('+', LineKind::Added),
                    ChangeTag::Equal => (' ', LineKind::Same),
                };
                let text = String::from_utf8_lossy(change.value());
                let text: Vec<String> =
                    text.trim_end_matches(['\r', '\n']).split('\t').map(escape).collect();
                lines.push(line(kind, format!("{sign}{}", text.join("\t"))));
                if change.missing_newline() {
                    lines.push(line(LineKind::End, "\\ No newline at end of file".to_owned()));
                }
            }
        }
        lines
    }
}

/// A line of a unified diff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiffLine {
    /// What it says.
    pub kind: LineKind,
    /// The line, with the sign that starts it.
    pub text: String,
}

/// What a line of a unified diff says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LineKind {
    /// The name of the file.
    File,
    /// Where the following lines are.
    Hunk,
    /// A line that only the file after the repairs has.
    Added,
    /// A line that only the file before the repairs has.
    Removed,
    /// A line that both have.
    Same,
    /// The last line has no line break.
    End,
}

impl Made {
    /// Returns the line and column of the repair, or `None` in a binary file.
    #[must_use]
    pub fn location(&self) -> Option<Location> {
        self.place.and_then(Place::location)
    }

    /// Returns what was written, to follow the message: the replacement if it is short, or else the
    /// number of its lines; empty if the problem has no repair.
    #[must_use]
    pub fn written(&self) -> String {
        const SHORT: usize = 40;
        let Some(Fix { replacement, .. }) = &self.diagnostic.fix else { return String::new() };
        match replacement.lines().count() {
            0 => " → removed".to_owned(),
            1 if replacement.len() <= SHORT => format!(" → {}", quote(replacement.as_bytes())),
            1 => " → line rewritten".to_owned(),
            lines => format!(" → {lines} lines rewritten"),
        }
    }
}
