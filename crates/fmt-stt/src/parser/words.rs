//! Reads the words that the grammar expects, and reports each mismatch once, where it occurs.

use anim_ir::diag::quote;
use anim_ir::digits::row;
use anim_ir::source::{Lines, Place};
use anim_ir::{Code, Diagnostic, Diagnostics, Limits, Span, is_misspelt};

use crate::codes;
use crate::content::{Content, Run, with_braces};
use crate::references::Unread;
use crate::state_names::Names;
use crate::tokens::{self, Input, Reason, Reject};

/// The numbers on a line of the published layout.
const ROW: usize = 3;

/// Signals that an error has been reported. Holds the offset at which to search for the next state.
pub(super) struct Stop {
    pub(super) resume: usize,
}

pub(super) struct Parser<'a> {
    /// The source up to the end of the last token.
    pub(super) source: &'a [u8],
    pub(super) lines: Lines<'a>,
    pub(super) rest: Input<'a>,
    pub(super) limits: &'a Limits,
    pub(super) content: Content,
    pub(super) diagnostics: Diagnostics,
    pub(super) unread: Unread,
    pub(super) names: Names,
    /// The nodes of a recent SINGLE state, which have different names.
    pub(super) unique: Run,
}

impl Parser<'_> {
    /// Returns the span of the word just read or rejected.
    pub(super) fn span_before(&self, word: Result<&[u8], Reject>) -> Span {
        match word {
            Ok(word) => {
                let end = self.offset(self.rest.len());
                Span::new(end.saturating_sub(word.len()), end)
            }
            Err(reject) => self.token(reject.rest),
        }
    }

    /// Reads consecutive finite numbers.
    #[inline]
    pub(super) fn numbers<const N: usize>(
        &mut self,
        expected: impl Fn(usize) -> String,
    ) -> Result<[f32; N], Stop> {
        let mut numbers = [0.0; N];
        let filled = self.rows(&mut numbers);
        for (index, slot) in numbers.iter_mut().enumerate().skip(filled) {
            match tokens::number(&mut self.rest) {
                Ok(number) => *slot = number,
                Err(reject) => return Err(self.fail(reject, &codes::NUMBER, |_| expected(index))),
            }
        }
        Ok(numbers)
    }

    /// Reads rows of short numbers, as long as there is one whitespace character after each number
    /// of a row. Returns how many slots they fill. Other numbers are left to [`tokens::number`].
    #[inline(never)]
    fn rows(&mut self, slots: &mut [f32]) -> usize {
        let mut filled = 0_usize;
        for slots in slots.chunks_mut(ROW) {
            tokens::skip_blanks(&mut self.rest);
            let start = self.offset(self.rest.len());
            // A `{` ends a number as well, but is part of the next token.
            let end = row(self.source, start, |byte| byte.is_ascii_whitespace(), slots);
            let Some(rest) = end.and_then(|end| self.source.get(end..)) else { break };
            self.rest = rest;
            filled = filled.wrapping_add(slots.len());
        }
        filled
    }

    /// Reads an integer, clamped to 32 bits. Also returns the number of bytes left before it.
    pub(super) fn integer(
        &mut self,
        expected: impl FnOnce(&Parser<'_>) -> String,
    ) -> Result<(usize, i32), Stop> {
        tokens::skip_blanks(&mut self.rest);
        let rest = self.rest.len();
        match tokens::integer(&mut self.rest) {
            Ok(number) => Ok((
                rest,
                i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX }),
            )),
            Err(reject) => Err(self.fail(reject, &codes::INTEGER, expected)),
        }
    }

    /// Reads a name.
    pub(super) fn name(
        &mut self,
        expected: impl FnOnce(&Parser<'_>) -> String,
    ) -> Result<Place, Stop> {
        if let Some(name) = tokens::plain_name(&mut self.rest, self.limits.name_bytes) {
            let end = self.offset(self.rest.len()).wrapping_sub(1);
            return Ok(Place::new(end.wrapping_sub(name.len()), name.len()));
        }
        let name = tokens::name(&mut self.rest);
        self.checked_name(name, expected)
    }

    /// Validates a name.
    pub(super) fn checked_name(
        &mut self,
        name: Result<&[u8], Reject>,
        expected: impl FnOnce(&Parser<'_>) -> String,
    ) -> Result<Place, Stop> {
        let name = name.map_err(|reject| self.fail(reject, &codes::NAME, expected))?;
        let resume = self.offset(self.rest.len());
        let place = Place::new(resume.saturating_sub(1).saturating_sub(name.len()), name.len());
        let span = with_braces(place);
        let plain = name.iter().fold(true, |plain, byte| plain & (*byte >= b' ') & (*byte != 0x7f));
        if !plain && name.contains(&0) {
            self.push(&codes::NUL, span, |_| {
                format!("the name {} contains a NUL character", quote(name))
            });
            return Err(Stop { resume });
        }
        let most = self.limits.name_bytes;
        if name.len() > most {
            self.push(&codes::NAME_LENGTH, span, |_| {
                format!("a name is {} bytes long; the limit is {most}", name.len())
            });
            return Err(Stop { resume });
        }
        if !plain {
            self.push(&codes::CONTROL, span, |_| {
                format!(
                    "the name {} contains a line break or another control character",
                    quote(name)
                )
            });
        }
        if name.is_empty() {
            self.push(&codes::NAME_EMPTY, span, |_| "a name is empty".to_owned());
        }
        Ok(place)
    }

    /// Reports a missing node or key if the file ends or the next state begins.
    pub(super) fn missing(
        &mut self,
        rest: Input<'_>,
        item: impl FnOnce(&Parser<'_>) -> String,
    ) -> Stop {
        self.unread.has_any |= rest.is_empty();
        let at = self.token(rest.len());
        self.push(&codes::COUNT, at, |parser| {
            format!("expected {}, found {}", item(parser), parser.found(at))
        });
        Stop { resume: at.start }
    }

    /// Reads one of two keywords. Reports an obvious misspelling as an error, but reads it as the
    /// intended keyword if all repairs are requested.
    #[inline]
    pub(super) fn keyword(
        &mut self,
        word: Result<&[u8], Reject>,
        keywords: [&'static str; 2],
        expected: impl FnOnce(&Parser<'_>) -> String,
    ) -> Result<&'static str, Stop> {
        if let Some(keyword) = keywords.into_iter().find(|keyword| word == Ok(keyword.as_bytes())) {
            return Ok(keyword);
        }
        // At the end of the file, the word is truncated rather than misspelt.
        let meant =
            word.ok().filter(|_| !self.rest.is_empty()).and_then(|word| meant(word, keywords));
        let Some(keyword) = meant else {
            return Err(self.wrong_word(word, &codes::KEYWORD, expected));
        };
        let at = self.span_before(word);
        self.report_fix(&codes::KEYWORD, |parser| {
            let message = format!("expected {}, found {}", expected(parser), parser.found(at));
            Diagnostic::new(&codes::KEYWORD, at, message)
                .help(format!("did you mean `{keyword}`?"))
                .fix(at, keyword)
        });
        if self.limits.fixes > 0 { Ok(keyword) } else { Err(Stop { resume: at.start }) }
    }

    /// Reports an unexpected word.
    pub(super) fn wrong_word(
        &mut self,
        word: Result<&[u8], Reject>,
        code: &'static Code,
        expected: impl FnOnce(&Parser<'_>) -> String,
    ) -> Stop {
        let reject = match word {
            Ok(word) => {
                Reject { rest: self.rest.len().saturating_add(word.len()), reason: Reason::Other }
            }
            Err(reject) => reject,
        };
        self.fail(reject, code, expected)
    }

    /// Reports an unexpected token.
    #[cold]
    pub(super) fn fail(
        &mut self,
        reject: Reject,
        code: &'static Code,
        expected: impl FnOnce(&Parser<'_>) -> String,
    ) -> Stop {
        self.unread.has_any |= matches!(reject.reason, Reason::End | Reason::Unclosed);
        let at = self.token(reject.rest);
        let code = match reject.reason {
            Reason::End => &codes::TRUNCATED,
            Reason::Unclosed => &codes::UNCLOSED,
            Reason::NotFinite | Reason::TooGreat => &codes::NOT_FINITE,
            Reason::Other => code,
        };
        self.report(code, |parser| {
            let found = parser.found(at);
            let message = match reject.reason {
                Reason::Unclosed => "`{` is never closed".to_owned(),
                Reason::NotFinite => {
                    format!(
                        "expected {}, found {found}, which is not a finite number",
                        expected(parser)
                    )
                }
                Reason::TooGreat => format!(
                    "expected {}, found {found}, which is too large for a 32-bit float",
                    expected(parser)
                ),
                Reason::End | Reason::Other => {
                    format!("expected {}, found {found}", expected(parser))
                }
            };
            let diagnostic = Diagnostic::new(code, at, message);
            let comma = std::ptr::eq(code, &codes::NUMBER) && found.contains(',');
            if comma { diagnostic.help("use a decimal point, not a comma") } else { diagnostic }
        });
        Stop { resume: at.start }
    }

    /// Reports a problem.
    pub(super) fn push(
        &mut self,
        code: &'static Code,
        at: Span,
        message: impl FnOnce(&Parser<'_>) -> String,
    ) {
        self.report(code, |parser| Diagnostic::new(code, at, message(parser)));
    }

    /// Reports a problem. The diagnostic is only built if it will be kept.
    pub(super) fn report(
        &mut self,
        code: &'static Code,
        make: impl FnOnce(&Parser<'_>) -> Diagnostic,
    ) {
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        diagnostics.report(code, || make(self));
        self.diagnostics = diagnostics;
    }

    /// Reports a problem with a fix.
    fn report_fix(&mut self, code: &'static Code, make: impl FnOnce(&Parser<'_>) -> Diagnostic) {
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        diagnostics.report_fix(code, || make(self));
        self.diagnostics = diagnostics;
    }

    /// Returns the offset at which `rest` bytes are left.
    pub(super) fn offset(&self, rest: usize) -> usize {
        self.source.len().saturating_sub(rest)
    }

    /// Returns the token that starts where `rest` bytes are left: a name, a word, or nothing at the
    /// end of the file. For an unclosed `{`, this is only the brace.
    pub(super) fn token(&self, rest: usize) -> Span {
        let start = self.offset(rest);
        let text = self.source.get(start..).unwrap_or_default();
        let mut behind = text;
        let length = match text {
            [] => 0,
            [b'{', ..] if tokens::name(&mut behind).is_ok() => {
                text.len().saturating_sub(behind.len())
            }
            [b'{', ..] => 1,
            _ => tokens::word(&mut behind).map_or(0, <[u8]>::len),
        };
        Span::new(start, start.saturating_add(length))
    }

    /// Returns the span of the `words`-th word of `from`, counting from 0.
    pub(super) fn word_behind(&self, from: Input<'_>, words: usize) -> Span {
        let mut input = from;
        for _ in 0..words {
            // These words have already been parsed successfully.
            let _ = tokens::word(&mut input);
        }
        tokens::skip_blanks(&mut input);
        self.token(input.len())
    }

    /// Quotes a token for a message.
    pub(super) fn found(&self, at: Span) -> String {
        if at.is_empty() {
            "the end of the file".to_owned()
        } else {
            quote(self.source.get(at.start..at.end).unwrap_or_default())
        }
    }
}

/// Returns the keyword that a word is an obvious misspelling of: it differs only in case, or in one
/// or two letters.
#[cold]
fn meant(word: &[u8], keywords: [&'static str; 2]) -> Option<&'static str> {
    keywords.into_iter().find(|keyword| is_misspelt(word, keyword, 2))
}
