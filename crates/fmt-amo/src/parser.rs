//! Parses a file: checks on the whole file, the first pass in one or more parts, and the second
//! pass.

use std::ops::Range;

use anim_ir::encoding::{first_beyond_utf8, refuse_wide, starts_with_mark, text_start};
use anim_ir::{
    Budget, Category, Diagnostic, Diagnostics, LimitError, Limits, ParseError, Severity, Span,
};

use crate::codes;
use crate::content::Content;
use crate::dialect::Dialect;
use crate::document::ParseOptions;
use crate::lines::{self, Blocks, Keyword, Part};
use crate::resolve::{Known, resolve};
use crate::tokens::continues;

/// What is charged for an object, a joint, an animation or a material, in bytes: an eighth of what
/// it takes until it is written, like the budget of a document.
const ITEM: usize = 512;

/// Minimum file size in bytes for using more than one thread.
const WORTH_A_THREAD: usize = 512 << 10;

/// The size in bytes of the blocks whose costs are estimated to split a file.
const BLOCK: usize = 32 << 10;

pub(crate) fn parse(
    source: &[u8],
    options: &ParseOptions,
) -> Result<(Content, Diagnostics), ParseError> {
    options.limits.check_input(source.len())?;
    let mut diagnostics = Diagnostics::within(&options.limits);
    refuse_wide(source)?;
    let mark = Span::new(0, text_start(source));
    if mark.end > 0 {
        diagnostics.report(&codes::BOM, || {
            Diagnostic::new(&codes::BOM, mark, starts_with_mark(mark.len())).fix(mark, "")
        });
    }
    let (part, counted) = first_pass(source, mark.end, options)?;
    if source.trim_ascii().is_empty() {
        return Err(ParseError::format(None, "the file is empty"));
    }
    if part.known_lines == 0 {
        return Err(ParseError::format(None, "no line starts with an Animated OBJ keyword"));
    }
    let beyond_utf8 = if part.beyond_ascii { first_beyond_utf8(source) } else { None };
    if let Some(place) = beyond_utf8 {
        diagnostics.report(&codes::LATIN1, || {
            Diagnostic::new(&codes::LATIN1, place, "the file is not UTF-8")
                .help("names are read as Latin-1")
        });
    }
    let latin1 = beyond_utf8.is_some();
    let known = known(&part, options, counted, latin1);
    let (mut content, found) = resolve_within(source, part, known, source.len(), &options.limits)?;
    diagnostics.append(found);
    content.cut_off |= cut_in_last_line(source, &mut diagnostics);
    let is_cut =
        [&codes::TRUNCATED, &codes::CUT_OFF].iter().any(|code| diagnostics.count(code) > 0);
    if !is_cut && source.last().is_some_and(u8::is_ascii_digit) {
        let end = Span::new(source.len(), source.len());
        diagnostics.push(&codes::NO_LINE_BREAK, end, || {
            "no line break follows the last number; if the file was cut off, it lacks digits"
                .to_owned()
        });
    }
    diagnostics.sort_by_place();
    diagnostics.withhold_fixes(&codes::TRUNCATED);
    diagnostics.withhold_fixes(&codes::CUT_OFF);
    Ok((content, diagnostics))
}

/// Runs the second pass, unless the content of a file of `length` bytes exceeds the budget: short
/// statements stand for items that take a thousand times as much memory.
pub(crate) fn resolve_within(
    source: &[u8],
    part: Part,
    known: Known,
    length: usize,
    limits: &Limits,
) -> Result<(Content, Diagnostics), LimitError> {
    let budget = Budget::new(limits, length);
    let charge = |what, count: usize| budget.charge(what, count.saturating_mul(ITEM));
    let count = |is_item: fn(Keyword) -> bool| {
        part.statements.iter().filter(|statement| is_item(statement.keyword)).count()
    };
    charge("objects", count(Keyword::is_object))?;
    charge("joints", count(|keyword| keyword == Keyword::Joint))?;
    charge("animations", count(Keyword::is_animation))?;
    let (content, diagnostics) = resolve(source, part, known, limits);
    charge("materials", content.materials.len())?;
    Ok((content, diagnostics))
}

/// Returns what the first pass has found out about the file.
pub(crate) fn known(part: &Part, options: &ParseOptions, counted: bool, latin1: bool) -> Known {
    let found = if counted { Dialect::Counted } else { part.evidence.dialect() };
    let dialect = options.dialect.unwrap_or(found);
    let is_certain = counted || options.dialect.is_some() || part.evidence.is_certain();
    Known { dialect, is_certain, latin1 }
}

/// Reports a last line that was probably cut off: it has no line break, and is invalid, lacks a
/// value at its end, or ends in an incomplete corner. Other problems of the line have the same
/// cause. Returns whether the line was cut off.
fn cut_in_last_line(source: &[u8], diagnostics: &mut Diagnostics) -> bool {
    let start = memchr::memrchr2(b'\n', b'\r', source).map_or(0, |at| at + 1);
    if start == source.len() {
        return false;
    }
    let is_in_line = |found: &Diagnostic| found.span.is_some_and(|span| span.start >= start);
    let end = source.trim_ascii_end().len();
    let is_at_end = |found: &Diagnostic| found.span.is_some_and(|span| span.start >= end);
    let is_unreadable = |found: &Diagnostic| {
        found.severity() == Severity::Error
            && (found.code.category == Category::Syntax || is_at_end(found))
            && found.code != &codes::TRUNCATED
            && is_in_line(found)
    };
    let found = diagnostics.iter().find(|found| is_unreadable(found));
    let found = found.map(|found| (found.span, found.message.clone()));
    let Some((span, message)) = found.or_else(|| incomplete_corner(source, start)) else {
        return false;
    };
    let is_reported = diagnostics.count(&codes::TRUNCATED) > 0;
    diagnostics.retain(|found| found.code == &codes::TRUNCATED || !is_in_line(found));
    if !is_reported {
        diagnostics.report(&codes::TRUNCATED, || {
            let message = format!("the file looks cut off in its last line: {message}");
            Diagnostic::new(&codes::TRUNCATED, span, message)
                .help("if nothing is missing, correct the line and end it with a line break")
        });
    }
    true
}

/// Returns the span of the last corner of the face in the last line and a message, if the corner
/// has fewer indices than each of the others.
fn incomplete_corner(source: &[u8], start: usize) -> Option<(Option<Span>, String)> {
    let line = source.get(start..)?;
    let mut corners = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    if !line.trim_ascii_start().first()?.is_ascii_digit() && corners.next()? != b"f" {
        return None;
    }
    let indices = |corner: &[u8]| {
        corner.split(|byte| *byte == b'/').filter(|index| !index.is_empty()).count()
    };
    let last = corners.next_back()?;
    let fewest = corners.map(indices).min()?;
    (indices(last) < fewest).then(|| {
        let span = Span::new(source.len() - last.len(), source.len());
        (Some(span), "the last corner has fewer indices than the others".to_owned())
    })
}

/// Returns the joined parts, and whether the file was read with counted blocks.
fn first_pass(
    source: &[u8],
    start: usize,
    options: &ParseOptions,
) -> Result<(Part, bool), LimitError> {
    if options.dialect != Some(Dialect::Counted) {
        let pieces = if source.len() >= WORTH_A_THREAD { options.threads.clamp(1, 64) } else { 1 };
        let parts = read_parts(source, split(source, start, pieces), options)?;
        let joined = parts.into_iter().reduce(|all, next| {
            let mut all = all?;
            all.append(next?);
            Some(all)
        });
        if let Some(part) = joined.flatten() {
            return Ok((part, false));
        }
    }
    let range = start..source.len();
    let (limits, part) = (&options.limits, Part::within(&options.limits));
    let part = lines::read(source, range, source.len(), Blocks::Read, limits, part)?;
    Ok((part.unwrap_or_default(), true))
}

fn read_parts(
    source: &[u8],
    ranges: Vec<Range<usize>>,
    options: &ParseOptions,
) -> Result<Vec<Option<Part>>, LimitError> {
    // If a dialect other than `counted` is requested, the file is read without blocks.
    let blocks = if options.dialect.is_some() { Blocks::Ignore } else { Blocks::Detect };
    let limits = &options.limits;
    let read = move |range: Range<usize>, room_for: usize| {
        lines::read(source, range, room_for, blocks, limits, Part::within(limits))
    };
    let mut ranges = ranges.into_iter();
    let first = ranges.next().unwrap_or(0..0);
    std::thread::scope(|scope| {
        let others: Vec<_> =
            ranges.map(|range| scope.spawn(move || read(range.clone(), range.end))).collect();
        // The first part reserves memory for the whole file, since the others are appended to it.
        let mut passes = vec![read(first, source.len())];
        for other in others {
            match other.join() {
                Ok(pass) => passes.push(pass),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        passes.into_iter().collect()
    })
}

/// Splits the source at line boundaries into ranges that take about equally long to read. Faces are
/// read faster than vertices, which usually precede them.
fn split(source: &[u8], start: usize, pieces: usize) -> Vec<Range<usize>> {
    let blocks = (start..source.len()).step_by(BLOCK);
    let costs: Vec<usize> = blocks.clone().map(|at| cost(source, at)).collect();
    let total: usize = costs.iter().sum();
    let mut ranges = Vec::with_capacity(pieces);
    let (mut from, mut before) = (start, 0);
    for (block, cost) in blocks.zip(costs) {
        before += cost;
        let next = ranges.len() + 1;
        if next < pieces && before * pieces >= total * next {
            let end = line_start_after(source, (block + BLOCK).min(source.len()).max(from));
            if end == source.len() {
                break;
            }
            ranges.push(from..end);
            from = end;
        }
    }
    ranges.push(from..source.len());
    ranges
}

/// Estimates how long it takes to read a block, from its first complete line.
fn cost(source: &[u8], block: usize) -> usize {
    let end = (block + BLOCK).min(source.len());
    let text = source.get(block..end).unwrap_or_default();
    let line = memchr::memchr(b'\n', text).and_then(|at| text.get(at + 1..)).unwrap_or_default();
    let is_face = line.starts_with(b"f ");
    if is_face { 3 } else { 4 }
}

/// Returns the start of the first line after `at` that is not a continuation.
fn line_start_after(source: &[u8], mut at: usize) -> usize {
    loop {
        let Some(length) = source.get(at..).and_then(|rest| memchr::memchr(b'\n', rest)) else {
            return source.len();
        };
        let end = at + length;
        if !continues(source, end) {
            return end + 1;
        }
        at = end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts are read at the same time, so each has its share of the work.
    #[test]
    fn parts_begin_at_lines_and_take_equally_long() {
        let lines = |line: &str| line.repeat(96 * BLOCK / line.len());
        let source = lines("v 1.5 2 \n") + &lines("f 1/2 3 \n");
        let parts = split(source.as_bytes(), 4, 2);
        // Three quarters of the time of the vertices.
        let [a, b] = &parts[..] else { panic!("{parts:?}") };
        assert_eq!((a.start, a.end, b.end), (4, b.start, source.len()));
        assert!((83 * BLOCK..86 * BLOCK).contains(&b.start), "{}", b.start / BLOCK);
        assert!(source.get(b.start..).unwrap().starts_with('v'));
        let parts = split(source.as_bytes(), 0, 7);
        assert_eq!((parts.len(), parts[0].start, parts[6].end), (7, 0, source.len()));
        assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
    }

    #[test]
    fn parts_are_not_smaller_than_a_line() {
        let line = format!("v {}\n", "1 ".repeat(20 * BLOCK));
        let starts = |source: &str| {
            let parts = split(source.as_bytes(), 0, 8);
            parts.into_iter().map(|part| part.start).collect::<Vec<_>>()
        };
        assert_eq!(starts(line.trim_end()), [0]);
        assert_eq!(starts(&line.repeat(2)), [0, line.len()]);
    }
}
