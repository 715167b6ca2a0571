//! `animfmt check --fix`: makes unambiguous repairs in place, and reports them.

use std::collections::BTreeMap;

use anim_formats::anim_ir::{Diagnostic, Diagnostics, Parsed};
use anim_formats::{AnyDocument, Format, LoadOptions, parse_bytes};
use anim_viewer::{LineKind, NotMade, Repair, Repairs};
use clap::builder::styling::{AnsiColor, Color, Style};

use crate::input::Input;
use crate::status::Failure;
use crate::term::{FAINT, HEADING, styled};
use crate::write;

const ADDED: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Green)));
const REMOVED: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Red)));

/// Repairs a file or, in a dry run, determines what would be repaired. Also returns the document
/// before the repairs.
pub(crate) fn make(
    input: Input<'_>,
    options: &LoadOptions,
    dry_run: bool,
) -> Result<(Parsed<AnyDocument<'static>>, Repairs), Failure> {
    let Input::File(path, _) = input else {
        return Err(Failure::usage("standard input cannot be repaired; name a file"));
    };
    let (parsed, cut) = input.parse_whole(options)?;
    let repairs = Repairs::of(&parsed, cut, &options.settings);
    if let Some((_, after)) = repairs.changed.as_ref().filter(|_| !dry_run) {
        write::rewrite(path, after)?;
    }
    Ok((parsed, repairs))
}

/// Parses the repaired file, if anything was or would be repaired.
pub(crate) fn parse_after(
    repairs: &Repairs,
    format: Format,
    options: &LoadOptions,
) -> Result<Option<Parsed<AnyDocument<'static>>>, Failure> {
    let Some((_, after)) = &repairs.changed else { return Ok(None) };
    Ok(Some(parse_bytes(after.clone(), None, &options.clone().with_format(format))?))
}

/// Returns repairs as text: one line each for the first ten of each code, and a diff in a dry run.
pub(crate) fn lines(repairs: &Repairs, file: &str, dry_run: bool) -> Vec<String> {
    let what = if dry_run { "would fix" } else { "fixed" };
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut lines = Vec::new();
    for repair in &repairs.made {
        let Repair { diagnostic: Diagnostic { code, message, .. }, place, .. } = repair;
        let count = counts.entry(code.id).or_default();
        *count = count.saturating_add(1);
        if *count <= Diagnostics::KEPT_PER_CODE {
            let place = place.map_or(String::new(), |place| format!(":{place}"));
            let written = repair.written();
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
    lines.extend(not_made(repairs, file));
    if dry_run {
        lines.extend(repairs.diff(file).into_iter().map(|line| {
            let style = match line.kind {
                LineKind::File => HEADING,
                LineKind::Hunk => FAINT,
                LineKind::Added => ADDED,
                LineKind::Removed => REMOVED,
                LineKind::Same => Style::new(),
                LineKind::End => return line.text,
            };
            styled(style, line.text).to_string()
        }));
    }
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// Returns a line for each of the first ten skipped repairs.
fn not_made(repairs: &Repairs, file: &str) -> Vec<String> {
    const SHOWN: usize = 10;
    let mut lines: Vec<String> = Vec::new();
    for NotMade { repair: Repair { diagnostic, place, .. }, why } in
        repairs.left_out.iter().take(SHOWN)
    {
        let place = place.map_or(String::new(), |place| format!(":{place}"));
        let Diagnostic { code, message, .. } = diagnostic;
        lines.push(format!(
            "{}: {file}{place}: {message}: {why}",
            styled(REMOVED, format_args!("not fixed[{}]", code.id))
        ));
    }
    if let Some(more @ 1..) = repairs.left_out.len().checked_sub(SHOWN) {
        let line = format_args!("… and {more} more not fixed in {file}");
        lines.push(styled(FAINT, line).to_string());
    }
    lines
}
