//! Bytes to content: checks on the whole, the first pass in one or more parts, and what comes
//! after.

use std::ops::Range;

use anim_ir::{Diagnostic, Diagnostics, Span};

use crate::codes;
use crate::dialect::Dialect;
use crate::document::{Content, ParseOptions};
use crate::error::ParseError;
use crate::lines::{self, Blocks, Part, Pass};
use crate::resolve;

/// A file of at least this size is worth a second thread.
const WORTH_A_THREAD: usize = 512 << 10;

pub(crate) fn parse(
    source: &[u8],
    options: &ParseOptions,
) -> Result<(Content, Diagnostics), ParseError> {
    options.limits.check_input(source.len())?;
    let mut diagnostics = Diagnostics::with_fixes(options.limits.fixes);
    let start = check_encoding(source, &mut diagnostics)?;
    let (parts, counted) = first_pass(source, start, options)?;
    if parts.iter().all(|part| part.known_lines == 0) {
        return Err(ParseError::NotAmo);
    }
    let beyond_ascii = parts.iter().any(|part| part.beyond_ascii);
    let latin1 = match std::str::from_utf8(if beyond_ascii { source } else { b"" }) {
        Ok(_) => false,
        Err(error) => {
            let at = error.valid_up_to();
            diagnostics.report(&codes::LATIN1, || {
                Diagnostic::new(&codes::LATIN1, Span::new(at, at + 1), "the file is not UTF-8")
                    .help("names are read as Latin-1")
            });
            true
        }
    };
    let (content, found) = resolve::resolve(source, parts, counted, latin1, options);
    diagnostics.append(found);
    diagnostics.sort_by_place();
    Ok((content, diagnostics))
}

/// Where the text starts.
fn check_encoding(source: &[u8], diagnostics: &mut Diagnostics) -> Result<usize, ParseError> {
    match source {
        [0xff, 0xfe, ..]
        | [0xfe, 0xff, ..]
        | [0, 1..=127, 0, 1..=127, ..]
        | [1..=127, 0, 1..=127, 0, ..] => Err(ParseError::Utf16),
        [0xef, 0xbb, 0xbf, ..] => {
            diagnostics.report(&codes::BOM, || {
                Diagnostic::new(
                    &codes::BOM,
                    Span::new(0, 3),
                    "the file starts with a byte order mark",
                )
                .fix(Span::new(0, 3), "")
            });
            Ok(3)
        }
        _ => Ok(0),
    }
}

/// All parts in order, and whether the file has counted blocks.
fn first_pass(
    source: &[u8],
    start: usize,
    options: &ParseOptions,
) -> Result<(Vec<Part>, bool), ParseError> {
    if options.dialect != Some(Dialect::Counted) {
        let pieces = if source.len() >= WORTH_A_THREAD { options.threads.clamp(1, 64) } else { 1 };
        let passes = read_parts(source, split(source, start, pieces), options);
        let mut parts = Vec::with_capacity(passes.len());
        let mut blocks = false;
        for pass in passes {
            match pass {
                Pass::Done(part) => parts.push(*part),
                Pass::Limit(error) => return Err(error.into()),
                Pass::Counted => blocks = true,
            }
        }
        if !blocks {
            return Ok((parts, false));
        }
    }
    match lines::read(source, start..source.len(), source.len(), Blocks::Read, &options.limits) {
        Pass::Done(part) => Ok((vec![*part], true)),
        Pass::Limit(error) => Err(error.into()),
        Pass::Counted => Ok((Vec::new(), true)),
    }
}

fn read_parts(source: &[u8], ranges: Vec<Range<usize>>, options: &ParseOptions) -> Vec<Pass> {
    // A dialect that was asked for has no blocks, whatever the file looks like.
    let blocks = if options.dialect.is_some() { Blocks::Ignore } else { Blocks::Detect };
    let read = move |range: Range<usize>, room_for: usize| {
        lines::read(source, range, room_for, blocks, &options.limits)
    };
    let mut ranges = ranges.into_iter();
    let first = ranges.next().unwrap_or(0..0);
    std::thread::scope(|scope| {
        let others: Vec<_> =
            ranges.map(|range| scope.spawn(move || read(range.clone(), range.end))).collect();
        // The first part takes in all others at the end.
        let mut passes = vec![read(first, source.len())];
        for other in others {
            match other.join() {
                Ok(pass) => passes.push(pass),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        passes
    })
}

/// Ranges of about equal size that begin and end between lines.
fn split(source: &[u8], start: usize, pieces: usize) -> Vec<Range<usize>> {
    let mut ranges = Vec::with_capacity(pieces);
    let mut from = start;
    for piece in 1..=pieces {
        let aim = start + (source.len() - start) / pieces * piece;
        let end =
            if piece == pieces { source.len() } else { line_start_after(source, aim.max(from)) };
        ranges.push(from..end);
        from = end;
    }
    ranges
}

/// The first line start at or after `at` that no continuation leads to.
fn line_start_after(source: &[u8], mut at: usize) -> usize {
    loop {
        let Some(length) = source.get(at..).and_then(|rest| memchr::memchr(b'\n', rest)) else {
            return source.len();
        };
        let end = at + length;
        let before = source.get(..end).unwrap_or_default();
        let before = before.strip_suffix(b"\r").unwrap_or(before);
        if before.last() != Some(&b'\\') {
            return end + 1;
        }
        at = end + 1;
    }
}
