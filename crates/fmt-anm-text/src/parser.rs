//! Parses the lines of a file in one pass. Invalid and out-of-order lines are skipped and do not
//! end the current set.

mod bones;
mod plain;

use anim_ir::diag::quote;
use anim_ir::encoding::{is_latin1, refuse_wide, text_start};
use anim_ir::number::{NumberError, index32, parse_f32};
use anim_ir::source::{Lines, Place, line_bounds};
use anim_ir::{Diagnostic, Diagnostics, Fix, LimitError, Limits, ParseError, Span};

use crate::codes;
use crate::content::{ClipData, Content, EventData, SetData, push};
use crate::keyword::Keyword;
use crate::tokens::{Line, LineEnd, Token};
use crate::{duplicates, events};

/// Parses a file.
pub(crate) fn parse(source: &[u8], limits: &Limits) -> Result<(Content, Diagnostics), ParseError> {
    limits.check_input(source.len())?;
    refuse_wide(source)?;
    let diagnostics = Diagnostics::within(limits);
    let mut parser = Parser {
        source,
        limits,
        content: Content::default(),
        diagnostics,
        state: State::Start,
        line_numbers: Lines::new(source),
        lines: 0,
        known: 0,
        has_reserved: false,
    };
    parser.content.latin1 =
        is_latin1(source, &codes::BOM, &codes::ENCODING, &mut parser.diagnostics);
    parser.read_lines()?;
    parser.close();
    let Parser { content, mut diagnostics, line_numbers, lines, known, .. } = parser;
    if lines == 0 {
        let message = "the file is empty: at least one animation set is needed";
        return Err(ParseError::structure(Span::new(0, source.len()), message));
    }
    if known < lines - known {
        let message = format!(
            "the file is not ANM text: {known} of {lines} lines start with `as`, \
             `bl`, `ev` or `an`"
        );
        return Err(ParseError::format(None, message));
    }
    duplicates::report_sets(&line_numbers, &content.sets, &mut diagnostics);
    diagnostics.sort_by_place();
    Ok((content, diagnostics))
}

/// The state between two lines.
#[derive(Clone, Copy, Debug)]
enum State {
    /// Before the first set.
    Start,
    /// In lines without a valid set; the problem has already been reported.
    Skipping,
    /// In a set.
    InSet(Open),
}

/// The current set.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// The location of its `as` keyword.
    keyword: Place,
    /// The keyword of the last line that was in order.
    after: Keyword,
    /// Whether the set has `bl` lines, and the number of its `an` lines, valid or not.
    has_bones: bool,
    clip_lines: usize,
    /// The last line with an unknown keyword, which may be the line that the set seems to lack.
    unknown: Option<usize>,
    misplaced: Option<Misplaced>,
}

/// The lines of a set that are out of order, which are reported as one problem.
#[derive(Clone, Copy, Debug)]
struct Misplaced {
    /// The first such line, and the keyword of the last line before it that was in order.
    place: Place,
    keyword: Keyword,
    after: Keyword,
    /// The number of further lines that are out of order.
    others: usize,
}

struct Parser<'a> {
    source: &'a [u8],
    limits: &'a Limits,
    content: Content,
    diagnostics: Diagnostics,
    state: State,
    line_numbers: Lines<'a>,
    /// The number of lines that are neither empty nor comments.
    lines: usize,
    /// The number of those lines that start with a keyword.
    known: usize,
    has_reserved: bool,
}

impl<'a> Parser<'a> {
    fn read_lines(&mut self) -> Result<(), ParseError> {
        let mut line = Line::at(self.source, text_start(self.source));
        let mut lone_cr = None;
        while !line.is_end_of_file() {
            let start = line.offset();
            if let Some(next) = self.plain_line(start) {
                line = Line::at(self.source, next);
                continue;
            }
            self.line(&mut line);
            let (at, end) = line.next_line();
            let length = at.saturating_sub(start);
            if length > self.limits.line_bytes {
                let most = self.limits.line_bytes;
                let error = LimitError { what: "a line", unit: "bytes", found: length, most };
                return Err(ParseError::limit(Span::new(start, at), error));
            }
            if end == LineEnd::Cr && lone_cr.is_none() {
                lone_cr = Some(Span::new(at, line.offset()));
            }
        }
        if lone_cr.is_some() {
            self.diagnostics.push(&codes::LINE_END, lone_cr, || {
                "a line ends with a lone carriage return".to_owned()
            });
        }
        Ok(())
    }

    #[inline]
    fn line(&mut self, line: &mut Line<'a>) {
        let start = line.offset();
        line.skip_blanks();
        if matches!(line.first(), None | Some(b'#')) {
            return;
        }
        let Ok(word) = line.keyword() else { return };
        self.lines += 1;
        let keyword = Keyword::of(word.bytes);
        self.known += usize::from(keyword.is_some());
        if matches!(self.state, State::Skipping) && keyword != Some(Keyword::As) {
            return;
        }
        let keyword = match keyword.or_else(|| self.unknown_keyword(word)) {
            Some(keyword) => keyword,
            None => return,
        };
        let blanks = Span::new(start, word.place.start as usize);
        if !blanks.is_empty() {
            self.diagnostics.report_fix(&codes::INDENT, || {
                let message = format!("whitespace before `{}`", keyword.text());
                Diagnostic::new(&codes::INDENT, blanks, message).fix(blanks, "")
            });
        }
        if keyword != Keyword::As && !self.is_in_order(word.place, keyword) {
            return;
        }
        // The problem has already been reported.
        let _ = match keyword {
            Keyword::As => self.set(word.place, line),
            Keyword::Bl => self.bone(line),
            Keyword::Ev => self.event(line),
            Keyword::An => self.clip(line),
        };
    }

    /// Reports an unknown keyword. If repairs are being collected and the word differs from a
    /// keyword only in case, returns that keyword, so that the line is read as repaired.
    #[cold]
    fn unknown_keyword(&mut self, word: Token<'_>) -> Option<Keyword> {
        let expected = match self.state {
            State::InSet(open) => open.after.next(),
            State::Start | State::Skipping => "`as`",
        };
        let span = word.place.span();
        let diagnostic = || {
            let message = format!("expected {expected}, found {}", quote(word.bytes));
            Diagnostic::new(&codes::KEYWORD, span, message)
        };
        let nearest = Keyword::nearest(word.bytes);
        match nearest {
            Some((keyword, true)) => self.diagnostics.report_fix(&codes::KEYWORD, || {
                diagnostic()
                    .help("keywords and options are case-sensitive")
                    .fix(span, keyword.text())
            }),
            Some((keyword, false)) => self.diagnostics.report(&codes::KEYWORD, || {
                diagnostic().help(format!("did you mean `{}`?", keyword.text()))
            }),
            None => self.diagnostics.report(&codes::KEYWORD, diagnostic),
        }
        let meant = nearest.filter(|(_, certain)| *certain).map(|(keyword, _)| keyword);
        let certain = meant.filter(|_| self.limits.fixes > 0);
        if let State::InSet(open) = &mut self.state
            && certain.is_none()
        {
            match meant {
                None | Some(Keyword::As) => open.unknown = Some(self.lines),
                Some(Keyword::Bl) if open.after == Keyword::As => {
                    (open.has_bones, open.after) = (true, Keyword::Bl);
                }
                Some(Keyword::Bl | Keyword::Ev) => {}
                Some(Keyword::An) => open.clip_lines += 1,
            }
        }
        if certain.is_none() && matches!(self.state, State::Start) {
            self.state = State::Skipping;
        }
        certain
    }

    /// Returns whether a line with this keyword is allowed here.
    #[inline(always)]
    fn is_in_order(&mut self, place: Place, keyword: Keyword) -> bool {
        let State::InSet(open) = &mut self.state else { return self.no_set(place, keyword) };
        open.has_bones |= keyword == Keyword::Bl;
        open.clip_lines += usize::from(keyword == Keyword::An);
        let in_order = match keyword {
            Keyword::As => true,
            Keyword::Bl => matches!(open.after, Keyword::As | Keyword::Bl),
            Keyword::Ev => matches!(open.after, Keyword::Bl | Keyword::Ev),
            Keyword::An => open.after != Keyword::As,
        };
        if in_order {
            open.after = keyword;
            return true;
        }
        self.out_of_order(place, keyword)
    }

    /// Handles a line that is out of order. Returns whether to read it.
    #[cold]
    fn out_of_order(&mut self, place: Place, keyword: Keyword) -> bool {
        let State::InSet(open) = &mut self.state else { return false };
        let after = open.after;
        match open.unknown {
            // The line with the unknown keyword may be the missing `bl` line.
            Some(_) if after == Keyword::As => {
                open.after = keyword;
                return true;
            }
            // A set begins with its bones, so the unknown keyword was meant to be its `as`.
            Some(line) if keyword == Keyword::Bl && line + 1 == self.lines => {
                self.close();
                self.state = State::Skipping;
            }
            _ => match &mut open.misplaced {
                Some(misplaced) => misplaced.others += 1,
                none => *none = Some(Misplaced { place, keyword, after, others: 0 }),
            },
        }
        false
    }

    #[cold]
    fn no_set(&mut self, place: Place, keyword: Keyword) -> bool {
        self.diagnostics.push(&codes::ORDER, place.span(), || {
            format!("expected `as`, found `{}` outside a set", keyword.text())
        });
        self.state = State::Skipping;
        false
    }

    fn set(&mut self, keyword: Place, line: &mut Line<'a>) -> Option<()> {
        self.close();
        self.state = State::Skipping;
        self.reserve_once(keyword.start as usize);
        let name = self.name(line, "set name")?;
        let Content { bones, events, clips, .. } = &self.content;
        let set = SetData {
            name,
            first_bone: index32(bones.len()),
            first_event: index32(events.len()),
            first_clip: index32(clips.len()),
        };
        push(&mut self.content.sets, set);
        self.state = State::InSet(Open {
            keyword,
            after: Keyword::As,
            has_bones: false,
            clip_lines: 0,
            unknown: None,
            misplaced: None,
        });
        self.end_of_line(line)
    }

    /// Ends the current set, at the next `as` or the end of the file.
    fn close(&mut self) {
        let State::InSet(open) = self.state else { return };
        let last = self.content.sets.len().saturating_sub(1);
        let (events, clips) = (self.content.events_of(last), self.content.clips_of(last));
        duplicates::report_clips(&self.line_numbers, clips, &mut self.diagnostics);
        let is_complete = open.unknown.is_none() && open.clip_lines == clips.len();
        if is_complete {
            events::report_outside(self.source, events, clips, &mut self.diagnostics);
        }
        let lacks = match (open.has_bones, open.clip_lines > 0) {
            _ if open.unknown.is_some() => None,
            (true, true) => None,
            (false, true) => Some("no `bl` line"),
            (true, false) => Some("no `an` line"),
            (false, false) => Some("neither a `bl` line nor an `an` line"),
        };
        // Without any `bl` line, all other lines are out of order.
        let (misplaced, left_out) = match open.misplaced {
            Some(misplaced) if !open.has_bones => (None, misplaced.others + 1),
            misplaced => (misplaced, 0),
        };
        if let Some(lacks) = lacks {
            let name = self.content.sets.last().map(|set| set.name).unwrap_or_default();
            self.diagnostics.push(&codes::INCOMPLETE, open.keyword.span(), || {
                let left_out = match left_out {
                    0 => String::new(),
                    1 => "; 1 other line is skipped".to_owned(),
                    _ => format!("; {left_out} other lines are skipped"),
                };
                format!("set {} has {lacks}{left_out}", quote(name.of(self.source)))
            });
        }
        if let Some(misplaced) = misplaced {
            self.report_misplaced(misplaced);
        }
    }

    #[cold]
    fn report_misplaced(&mut self, misplaced: Misplaced) {
        let Misplaced { place, keyword, after, others } = misplaced;
        self.diagnostics.report(&codes::ORDER, || {
            let others = match others {
                0 => String::new(),
                1 => "; 1 more line of the set is out of order".to_owned(),
                _ => format!("; {others} more lines of the set are out of order"),
            };
            let message = format!("expected {}, found `{}`{others}", after.next(), keyword.text());
            Diagnostic::new(&codes::ORDER, place.span(), message).help(
                "within a set, all `bl` lines come first, then all `ev` lines, then all `an` \
                     lines",
            )
        });
    }

    #[inline(always)]
    fn event(&mut self, line: &mut Line<'a>) -> Option<()> {
        let (time, _) = self.time(line, "time")?;
        let name = self.name(line, "event name")?;
        push(&mut self.content.events, EventData { time, name });
        self.end_of_line(line)
    }

    #[inline(always)]
    fn clip(&mut self, line: &mut Line<'a>) -> Option<()> {
        let (start, start_place) = self.time(line, "start time")?;
        let (end, _) = self.time(line, "end time")?;
        let name = self.name(line, "animation name")?;
        if start <= end {
            push(&mut self.content.clips, ClipData { start, end, name });
        } else {
            self.diagnostics.push(&codes::RANGE, start_place.span(), || {
                format!(
                    "animation {} ends at frame {end}, before its start at frame {start}",
                    quote(name.of(self.source))
                )
            });
        }
        self.end_of_line(line)
    }

    #[inline(always)]
    fn time(&mut self, line: &mut Line<'a>, what: &str) -> Option<(f32, Place)> {
        let at = line.offset();
        let Some((time, place)) = line.number() else {
            self.no_time(*line, at, what);
            return None;
        };
        if time < 0.0 {
            self.diagnostics.push(&codes::TIME_NEGATIVE, place.span(), || {
                format!("the {what} {} is negative", quote(place.of(self.source)))
            });
        }
        Some((time, place))
    }

    /// Reports a missing or invalid time. `before` is the end of the previous word.
    #[cold]
    fn no_time(&mut self, mut line: Line<'a>, before: usize, what: &str) {
        let Ok(word) = line.token() else {
            return self.missing(Span::new(before, before), what, "the end of the line");
        };
        let (code, wanted) = match parse_f32(word.bytes) {
            Err(NumberError::NotFinite) => (&codes::TIME_NOT_FINITE, "a finite number of frames"),
            _ => (&codes::TIME, "a number of frames"),
        };
        self.diagnostics.push(code, word.place.span(), || {
            format!("the {what} must be {wanted}, found {}", quote(word.bytes))
        });
    }

    #[inline(always)]
    fn name(&mut self, line: &mut Line<'a>, what: &str) -> Option<Place> {
        let at = line.offset();
        let Ok(word) = line.token() else {
            self.missing(Span::new(at, at), what, "the end of the line");
            return None;
        };
        let is_plain = word.bytes.len() <= self.limits.name_bytes && !word.has_control;
        (is_plain || self.keeps_odd_name(word, what)).then_some(word.place)
    }

    /// Checks an unusual name and returns whether to keep it.
    #[cold]
    fn keeps_odd_name(&mut self, word: Token<'_>, what: &str) -> bool {
        let (length, most, span) = (word.bytes.len(), self.limits.name_bytes, word.place.span());
        if length > most {
            self.diagnostics.push(&codes::NAME_LENGTH, span, || {
                format!("the {what} is {length} bytes long; the limit is {most}")
            });
            return false;
        }
        if word.bytes.contains(&0) {
            self.diagnostics.push(&codes::NUL, span, || {
                format!("the {what} {} contains a NUL character", quote(word.bytes))
            });
            return false;
        }
        self.diagnostics.push(&codes::CONTROL, span, || {
            format!("the {what} {} contains a control character", quote(word.bytes))
        });
        true
    }

    #[cold]
    fn missing(&mut self, span: Span, what: &str, found: &str) {
        self.diagnostics
            .push(&codes::MISSING, span, || format!("expected the {what}, found {found}"));
    }

    #[inline(always)]
    fn end_of_line(&mut self, line: &mut Line<'a>) -> Option<()> {
        if line.first().is_some()
            && let Ok(word) = line.token()
        {
            self.extra(line, word);
        }
        Some(())
    }

    #[cold]
    fn extra(&mut self, line: &Line<'_>, word: Token<'_>) {
        let span = word.place.span();
        let diagnostic = || {
            let message = format!("expected the end of the line, found {}", quote(word.bytes));
            Diagnostic::new(&codes::EXTRA, span, message)
        };
        if word.bytes.starts_with(b"#") {
            let source = self.source;
            let comment = Span::new(span.start, line.end());
            return self.diagnostics.report_fix(&codes::EXTRA, || {
                let fix = comment_above(source, comment);
                Diagnostic { fix, ..diagnostic().help("comments must be on a separate line") }
            });
        }
        self.diagnostics.report(&codes::EXTRA, || match word.bytes {
            b"children" | b"parent" => {
                diagnostic().help(format!("did you mean {}?", quote(&[b"+", word.bytes].concat())))
            }
            _ => diagnostic().help("names cannot contain spaces"),
        });
    }
}

/// Returns a fix that moves a trailing comment to a separate line before the statement.
fn comment_above(source: &[u8], comment: Span) -> Option<Fix> {
    let start = line_bounds(source, comment.start).0;
    let start = if start == 0 { text_start(source) } else { start };
    let text = |from: usize, to: usize| std::str::from_utf8(source.get(from..to)?).ok();
    let statement = text(start, comment.start)?.trim_end_matches([' ', '\t']);
    let end = match source.get(comment.end..) {
        Some([b'\r', b'\n', ..]) => "\r\n",
        Some([b'\r', ..]) => "\r",
        _ => "\n",
    };
    let replacement = format!("{}{end}{statement}", text(comment.start, comment.end)?);
    Some(Fix { span: Span::new(start, comment.end), replacement })
}
