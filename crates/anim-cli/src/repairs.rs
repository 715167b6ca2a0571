//! `animfmt check --fix`: makes unambiguous repairs in place, and reports them.

use std::collections::BTreeMap;
use std::time::Duration;

use anim_formats::anim_ir::diag::{escape, quote};
use anim_formats::anim_ir::source::Location;
use anim_formats::anim_ir::{Diagnostic, Diagnostics, Fix, Parsed};
use anim_formats::{AnyDocument, LeftOut, LoadOptions, RepairError, Repaired, parse_bytes, repair};
use clap::builder::styling::{AnsiColor, Color, Style};
use similar::{ChangeTag, TextDiff};

use crate::input::Input;
use crate::places::{Place, Places};
use crate::status::Failure;
use crate::term::{FAINT, HEADING, styled};
use crate::write;

/// The time limit for finding a minimal diff; after that, a longer one is used.
const DIFF_TIME: Duration = Duration::from_millis(300);
const ADDED: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Green)));
const REMOVED: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Red)));

/// A repair and its location.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) diagnostic: Diagnostic,
    pub(crate) place: Option<Place>,
    /// The number of preceding rounds of repairs; the location refers to the text after those
    /// rounds.
    pub(crate) round: usize,
}

/// A repair that was not made, and why.
#[derive(Debug)]
pub(crate) struct NotMade {
    pub(crate) repair: Made,
    pub(crate) why: String,
}

/// The result of repairing a file.
#[derive(Debug, Default)]
pub(crate) struct Repairs {
    /// The repairs that were made, or would be in a dry run.
    pub(crate) made: Vec<Made>,
    /// The repairs that were skipped.
    pub(crate) left_out: Vec<NotMade>,
    /// The reason why nothing was repaired although repairs were possible.
    pub(crate) refused: Option<String>,
    /// The bytes before and after the repairs, in a dry run.
    compared: Option<(Vec<u8>, Vec<u8>)>,
}

/// Repairs a file, or determines what would be repaired. Returns the document after the repairs.
pub(crate) fn make(
    input: Input<'_>,
    options: &LoadOptions,
    dry_run: bool,
) -> Result<(Parsed<AnyDocument<'static>>, Repairs), Failure> {
    let Input::File(path, _) = input else {
        return Err(Failure::usage("standard input cannot be repaired; name a file"));
    };
    let (parsed, cut) = input.parse_whole(options)?;
    let repaired =
        repair(parsed.value.to_bytes().into_owned(), parsed.value.format(), &options.settings);
    let refused = |why: String| Repairs { refused: Some(why), ..Repairs::default() };
    let repaired = match repaired {
        Ok(Repaired { rounds, left_out, .. }) if rounds.is_empty() && left_out.is_empty() => {
            return Ok((parsed, Repairs::default()));
        }
        Ok(_) if cut => return Ok((parsed, refused("only part of the file was read".to_owned()))),
        Ok(repaired) => repaired,
        Err(error @ RepairError::Parse(_)) => {
            return Ok((parsed, refused(format!("the repaired file could not be read: {error}"))));
        }
        Err(error) => return Ok((parsed, refused(error.to_string()))),
    };
    let mut made = Vec::new();
    let mut left_out = Vec::new();
    for number in 0..=repaired.rounds.len() {
        let mut places = Places::new(repaired.after(number), &parsed.value);
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
    if repaired.rounds.is_empty() {
        return Ok((parsed, Repairs { left_out, ..Repairs::default() }));
    }
    if !dry_run {
        write::rewrite(path, &repaired.bytes)?;
    }
    let before = repaired.rounds.into_iter().next().map(|round| round.before);
    let compared = before.filter(|_| dry_run).map(|before| (before, repaired.bytes.clone()));
    let again = options.clone().with_format(parsed.value.format());
    Ok((
        parse_bytes(repaired.bytes, None, &again)?,
        Repairs { made, left_out, refused: None, compared },
    ))
}

impl Repairs {
    /// Returns the repairs as text: one line each for the first ten of each code, and a diff in a
    /// dry run.
    pub(crate) fn lines(&self, file: &str) -> Vec<String> {
        let what = if self.compared.is_some() { "would fix" } else { "fixed" };
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        let mut lines = Vec::new();
        for Made { diagnostic: Diagnostic { code, message, fix, .. }, place, .. } in &self.made {
            let count = counts.entry(code.id).or_default();
            *count = count.saturating_add(1);
            if *count <= Diagnostics::KEPT_PER_CODE {
                let place = place.map_or(String::new(), |place| format!(":{place}"));
                let written = fix.as_ref().map(written).unwrap_or_default();
                lines.push(format!(
                    "{}: {file}{place}: {message}{written}",
                    styled(ADDED, format_args!("{what}[{}]", code.id))
                ));
            }
        }
        for (code, count) in counts {
            if let Some(more @ 1..) = count.checked_sub(Diagnostics::KEPT_PER_CODE) {
                lines.push(
                    styled(FAINT, format_args!("… and {more} more {code} in {file}")).to_string(),
                );
            }
        }
        lines.extend(self.not_made(file));
        if let Some((before, after)) = &self.compared {
            lines.extend(difference(file, before, after));
        }
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines
    }

    /// Returns a line for each of the first ten skipped repairs.
    fn not_made(&self, file: &str) -> Vec<String> {
        const SHOWN: usize = 10;
        let mut lines: Vec<String> = Vec::new();
        for NotMade { repair: Made { diagnostic, place, .. }, why } in
            self.left_out.iter().take(SHOWN)
        {
            let place = place.map_or(String::new(), |place| format!(":{place}"));
            let Diagnostic { code, message, .. } = diagnostic;
            lines.push(format!(
                "{}: {file}{place}: {message}: {why}",
                styled(REMOVED, format_args!("not fixed[{}]", code.id))
            ));
        }
        if let Some(more @ 1..) = self.left_out.len().checked_sub(SHOWN) {
            let line = format_args!("… and {more} more not fixed in {file}");
            lines.push(styled(FAINT, line).to_string());
        }
        lines
    }
}

impl Made {
    /// Returns the line and column of the repair, or `None` in a binary file.
    pub(crate) fn location(&self) -> Option<Location> {
        self.place.and_then(Place::location)
    }
}

/// Returns the replacement text of a repair if it is short, or else the number of its lines.
fn written(fix: &Fix) -> String {
    const SHORT: usize = 40;
    match fix.replacement.lines().count() {
        0 => " → removed".to_owned(),
        1 if fix.replacement.len() <= SHORT => format!(" → {}", quote(fix.replacement.as_bytes())),
        1 => " → line rewritten".to_owned(),
        lines => format!(" → {lines} lines rewritten"),
    }
}

/// Returns a unified diff, with control characters escaped.
fn difference(file: &str, before: &[u8], after: &[u8]) -> Vec<String> {
    let diff = TextDiff::configure().timeout(DIFF_TIME).diff_lines(before, after);
    let mut lines = vec![
        styled(HEADING, format_args!("--- {file}")).to_string(),
        styled(HEADING, format_args!("+++ {file}")).to_string(),
    ];
    for hunk in diff.unified_diff().iter_hunks() {
        lines.push(styled(FAINT, hunk.header()).to_string());
        for change in hunk.iter_changes() {
            let (sign, style) = match change.tag() {
                ChangeTag::Delete => ('-', REMOVED),
                ChangeTag::Insert => ('+', ADDED),
                ChangeTag::Equal => (' ', Style::new()),
            };
            let text = String::from_utf8_lossy(change.value());
            let text: Vec<String> =
                text.trim_end_matches(['\r', '\n']).split('\t').map(escape).collect();
            lines.push(styled(style, format_args!("{sign}{}", text.join("\t"))).to_string());
            if change.missing_newline() {
                lines.push("\\ No newline at end of file".to_owned());
            }
        }
    }
    lines
}
