//! A single-pass, non-recursive parser.

mod motion;
mod names;
mod rows;

use anim_ir::diag::quote;
use anim_ir::encoding::{is_latin1, refuse_wide, text_start};
use anim_ir::number::{NumberError, index32, parse_f32, parse_integer};
use anim_ir::source::{Place, locate};
use anim_ir::{Code, Diagnostic, Diagnostics, Limits, ParseError, Span};

use crate::channel::ChannelType;
use crate::codes;
use crate::content::{Content, JointData, NONE};
use crate::tokens::{Cursor, Keyword, Label, may_be_channel};
use names::check_names;

/// Parses a file.
pub(crate) fn parse(source: &[u8], limits: &Limits) -> Result<(Content, Diagnostics), ParseError> {
    limits.check_input(source.len())?;
    refuse_wide(source)?;
    let mut parser = Parser {
        cursor: Cursor::new(source, text_start(source)),
        limits,
        content: Content::default(),
        diagnostics: Diagnostics::within(limits),
        current: NONE,
        is_awaiting_brace: false,
        stray: 0,
        cut_off: None,
        last_motion: None,
    };
    parser.content.latin1 =
        is_latin1(source, &codes::BOM, &codes::ENCODING, &mut parser.diagnostics);
    parser.header()?;
    let has_motion = parser.hierarchy();
    check_names(source, &parser.content, &mut parser.diagnostics);
    if has_motion {
        parser.motion();
    }
    let Parser { content, mut diagnostics, cut_off, .. } = parser;
    diagnostics.sort_by_place();
    [Some(&codes::TRUNCATED), cut_off].into_iter().flatten().for_each(|code| {
        diagnostics.withhold_fixes(code);
    });
    Ok((content, diagnostics))
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    limits: &'a Limits,
    content: Content,
    diagnostics: Diagnostics,
    /// The joint of the currently open block, or [`NONE`].
    current: u32,
    /// Whether the `{` of that joint is still expected.
    is_awaiting_brace: bool,
    /// The number of open `{` without a joint in that block.
    stray: usize,
    /// The code other than [`codes::TRUNCATED`] whose diagnostic reports that the file looks cut
    /// off, if any.
    cut_off: Option<&'static Code>,
    /// The offset of the last line that begins with MOTION, or 0 if there is none. Only known if it
    /// was needed.
    last_motion: Option<usize>,
}

impl<'a> Parser<'a> {
    /// Parses `#` lines and HIERARCHY.
    fn header(&mut self) -> Result<(), ParseError> {
        self.cursor.skip_comments();
        let word = self.cursor.word();
        if self.cursor.text(word).eq_ignore_ascii_case(b"HIERARCHY") {
            return Ok(());
        }
        let message = format!("expected HIERARCHY, found {}", self.found(word));
        Err(ParseError::format(word, message).at(locate(self.cursor.source, word.start)))
    }

    /// Parses all joints. Returns whether the motion follows.
    fn hierarchy(&mut self) -> bool {
        let mut is_skipping = false;
        loop {
            let word = self.cursor.word();
            if word.is_empty() {
                self.end_of_hierarchy(word);
                return false;
            }
            let found = Keyword::of(self.cursor.text(word));
            let found = found.or_else(|| self.unknown(word, is_skipping));
            is_skipping = found.is_none();
            if self.is_awaiting_brace && !matches!(found, None | Some(Keyword::Open)) {
                self.missing_brace(word);
            }
            match found {
                None => {}
                Some(Keyword::Root | Keyword::Joint | Keyword::End) => self.joint(word, found),
                Some(Keyword::Offset) => self.offset(word),
                Some(Keyword::Channels) => self.channels(word),
                Some(Keyword::Open) if self.is_awaiting_brace => self.is_awaiting_brace = false,
                Some(Keyword::Open) => {
                    self.stray = self.stray.saturating_add(1);
                    self.push(&codes::BRACE, word, |_| "`{` does not follow a joint".to_owned());
                }
                Some(Keyword::Close) => self.close(word),
                Some(Keyword::Motion) => {
                    self.end_of_hierarchy(word);
                    return true;
                }
                Some(Keyword::Frames) if self.has_motion_after(word) => {
                    let name = self.label_at(word).name();
                    self.push(&codes::KEYWORD, word, |_| format!("{name} is not after MOTION"));
                    is_skipping = true;
                }
                Some(Keyword::Frames) => {
                    self.cursor.at = word.start;
                    let name = self.label_at(word).name();
                    self.report_fix(&codes::KEYWORD, |_| {
                        let start = Span::new(word.start, word.start);
                        let message = format!("MOTION is missing before {name}");
                        Diagnostic::new(&codes::KEYWORD, word, message).fix(start, "MOTION\n")
                    });
                    self.end_of_hierarchy(word);
                    return true;
                }
            }
        }
    }

    /// Reports an unknown word. Returns the keyword if the word is an obvious misspelling of one.
    #[cold]
    fn unknown(&mut self, word: Span, is_skipping: bool) -> Option<Keyword> {
        let text = self.cursor.text(word);
        if self.label_at(word) == Label::FrameTime {
            return Some(Keyword::Frames);
        }
        let meant = Keyword::meant(text);
        if let Some((_, name)) = meant {
            self.report_fix(&codes::KEYWORD, |parser| {
                Diagnostic::new(
                    &codes::KEYWORD,
                    word,
                    format!("expected {name}, found {}", parser.found(word)),
                )
                .help(format!("did you mean `{name}`?"))
                .fix(word, name)
            });
        } else if !is_skipping {
            self.push(&codes::KEYWORD, word, |parser| {
                format!("expected a keyword, found {}", parser.found(word))
            });
        }
        meant.map(|(keyword, _)| keyword)
    }

    fn missing_brace(&mut self, word: Span) {
        self.is_awaiting_brace = false;
        self.report_fix(&codes::BRACE, |parser| {
            let name = parser.current_name();
            Diagnostic::new(
                &codes::BRACE,
                word,
                format!("expected `{{` after {name}, found {}", parser.found(word)),
            )
            .fix(Span::new(word.start, word.start), "{ ")
        });
    }

    fn joint(&mut self, word: Span, keyword: Option<Keyword>) {
        let is_end = keyword == Some(Keyword::End);
        // A misspelt `End_Site` has both words.
        if is_end && Keyword::of(self.cursor.text(word)).is_some() {
            self.cursor.skip_inline_blanks();
            let mut ahead = self.cursor;
            let site = ahead.letters();
            if ahead.text(site).eq_ignore_ascii_case(b"Site") {
                self.cursor = ahead;
            } else {
                self.report_fix(&codes::KEYWORD, |_| {
                    let message = "expected `Site` after `End`";
                    Diagnostic::new(&codes::KEYWORD, word, message).fix(word, "End Site")
                });
            }
        }
        self.check_nesting(word, keyword);
        let name = self.name(is_end);
        let index = index32(self.content.joints.len());
        self.content.joints.push(JointData {
            name,
            parent: self.current,
            is_end,
            offset_at: 0,
            offset: [0.0; 3],
            first_channel: NONE,
            channel_count: 0,
        });
        self.current = index;
        self.is_awaiting_brace = true;
    }

    fn check_nesting(&mut self, word: Span, keyword: Option<Keyword>) {
        let parent = self.content.joints.get(self.current as usize);
        let text = match (keyword, parent) {
            (Some(Keyword::Root), None) => return,
            (Some(Keyword::Root), Some(_)) => "ROOT is inside another joint; expected JOINT",
            (Some(Keyword::End), None) => "End Site is outside every joint",
            (_, None) => "JOINT is outside every ROOT; expected ROOT or MOTION",
            (_, Some(parent)) if parent.is_end => "an End Site cannot have children",
            _ => return,
        };
        self.push(&codes::NESTING, word, |_| text.to_owned());
    }

    fn name(&mut self, is_end: bool) -> Place {
        let mut span = self.cursor.line();
        let most = self.limits.name_bytes;
        let mut ahead = self.cursor;
        let next = ahead.word();
        if span.is_empty() && !is_end && Keyword::of(ahead.text(next)).is_none() {
            // The name is on its own line.
            self.cursor.skip_blanks();
            span = self.cursor.line();
        }
        if span.is_empty() && !is_end && !next.is_empty() {
            self.push(&codes::NAME_EMPTY, span, |_| "a joint has no name".to_owned());
        }
        if span.len() > most {
            self.push(&codes::NAME_LENGTH, span, |_| {
                format!("the name is {} bytes long; the limit is {most}", span.len())
            });
            return Place::new(span.start, 0);
        }
        Place::new(span.start, span.len())
    }

    fn offset(&mut self, word: Span) {
        self.cursor.skip_blanks();
        let at = self.cursor.at;
        let mut is_reported = false;
        let offset = ["x", "y", "z"].map(|axis| self.number(axis, &mut is_reported));
        let Some(joint) = self.content.joints.get_mut(self.current as usize) else {
            return self.outside(word);
        };
        let is_second = joint.offset_at > 0;
        // The OFFSET of a block with an unknown keyword is not that of the joint around it.
        if !is_second || self.stray == 0 {
            (joint.offset, joint.offset_at) = (offset, index32(at));
        }
        if is_second {
            self.duplicate(word, "OFFSET");
        }
    }

    /// Parses a value of an OFFSET. If it is missing or invalid, reports it and returns 0. A
    /// missing value is not reported after another problem: in `0,-4,0`, all three are one word.
    fn number(&mut self, axis: &str, is_reported: &mut bool) -> f32 {
        let mut ahead = self.cursor;
        let word = ahead.word();
        let text = ahead.text(word);
        let error = match parse_f32(text) {
            Ok(number) => {
                self.cursor = ahead;
                return number;
            }
            Err(error) => error,
        };
        let code = match error {
            _ if word.is_empty() => &codes::TRUNCATED,
            NumberError::NotFinite => &codes::NOT_FINITE,
            NumberError::Syntax => &codes::NUMBER,
        };
        if Keyword::of(text).is_none() {
            self.cursor = ahead;
        } else if *is_reported {
            return 0.0;
        }
        *is_reported = true;
        self.report(code, |parser| {
            let message = format!("expected the offset along {axis}, found {}", parser.found(word));
            point_not_comma(Diagnostic::new(code, word, message), text)
        });
        0.0
    }

    fn channels(&mut self, word: Span) {
        let mut ahead = self.cursor;
        let count_word = ahead.word();
        let text = ahead.text(count_word);
        let count = parse_integer(text).ok().and_then(|count| u64::try_from(count).ok());
        let is_name = ChannelType::from_name(text) != ChannelType::Unknown;
        if count.is_some() || !(is_name || Keyword::of(text).is_some()) {
            self.cursor = ahead;
        }
        let joint = self.content.joints.get(self.current as usize).copied();
        let is_used = joint.is_some_and(|joint| joint.first_channel == NONE);
        let first = self.content.channels.len();
        let found = self.channel_names(count, is_used);
        match count {
            _ if count_word.is_empty() => {
                self.push(&codes::TRUNCATED, count_word, |parser| {
                    format!("expected the number of channels, found {}", parser.found(count_word))
                });
            }
            Some(count) if count == found => {}
            Some(count) => self.report(&codes::CHANNEL_COUNT, |_| {
                let message = format!("CHANNELS {count}, but {found} names follow");
                Diagnostic::new(&codes::CHANNEL_COUNT, count_word, message)
                    .help("each name is a column in the rows, so the count must match")
            }),
            None => self.push(&codes::CHANNEL_COUNT, count_word, |parser| {
                format!("expected the number of channels, found {}", parser.found(count_word))
            }),
        }
        match self.content.joints.get_mut(self.current as usize) {
            None => self.outside(word),
            Some(_) if !is_used => self.duplicate(word, "CHANNELS"),
            Some(joint) => {
                joint.first_channel = index32(first);
                joint.channel_count = index32(self.content.channels.len().saturating_sub(first));
                if joint.is_end {
                    self.push(&codes::END_CHANNELS, word, |_| {
                        "an End Site has channels".to_owned()
                    });
                }
            }
        }
    }

    /// Parses channel names: as many as declared, and further names if they are known. Returns
    /// their number.
    fn channel_names(&mut self, count: Option<u64>, is_used: bool) -> u64 {
        let mut found = 0_u64;
        let mut positions = [false; 3];
        loop {
            let mut ahead = self.cursor;
            let word = ahead.word();
            let text = ahead.text(word);
            let kind = ChannelType::from_name(text);
            let is_wanted = count.is_some_and(|count| found < count) && may_be_channel(text);
            if kind == ChannelType::Unknown && !is_wanted {
                return found;
            }
            self.cursor = ahead;
            found = found.saturating_add(1);
            if kind == ChannelType::Unknown {
                self.push(&codes::CHANNEL_NAME, word, |parser| {
                    format!("unknown channel {}", parser.found(word))
                });
            }
            if let Some(seen) = kind.position().and_then(|axis| positions.get_mut(axis)) {
                if *seen {
                    self.duplicate(word, kind.name());
                }
                *seen = true;
            }
            self.content.channels.push(if is_used { kind } else { ChannelType::Unknown });
        }
    }

    fn close(&mut self, word: Span) {
        if self.stray > 0 {
            self.stray = self.stray.saturating_sub(1);
            return;
        }
        let Some(joint) = self.content.joints.get(self.current as usize).copied() else {
            return self.push(&codes::BRACE, word, |_| "`}` without a `{`".to_owned());
        };
        self.check_joint(joint);
        self.current = joint.parent;
    }

    fn check_joint(&mut self, joint: JointData) {
        let name = joint.name.span();
        let called = |parser: &Parser<'_>| parser.called(joint);
        if joint.offset_at == 0 {
            self.report(&codes::OFFSET_MISSING, |parser| {
                let message = format!("{} has no OFFSET", called(parser));
                Diagnostic::new(&codes::OFFSET_MISSING, name, message)
                    .help("`OFFSET 0 0 0` places it at its parent's position")
            });
        }
        if joint.first_channel == NONE && !joint.is_end {
            self.report(&codes::CHANNELS_MISSING, |parser| {
                let message = format!("{} has no CHANNELS", called(parser));
                Diagnostic::new(&codes::CHANNELS_MISSING, name, message)
                    .help("add `CHANNELS 0` if the joint is not animated")
            });
        }
    }

    /// Closes all open blocks and reports that they are not closed in the file.
    fn end_of_hierarchy(&mut self, word: Span) {
        let innermost = self.content.joints.get(self.current as usize).copied();
        let Some(innermost) = innermost else {
            if self.content.joints.is_empty() {
                self.push(&codes::EMPTY, word, |_| "the hierarchy has no joints".to_owned());
            }
            return;
        };
        let mut open = 0_usize;
        while let Some(joint) = self.content.joints.get(self.current as usize).copied() {
            // In a truncated file, do not report missing parts of the last joint.
            if open > 0 || !word.is_empty() {
                self.check_joint(joint);
            }
            self.current = joint.parent;
            open = open.saturating_add(1);
        }
        if word.is_empty() {
            self.cut_off = Some(&codes::UNCLOSED);
        }
        self.report(&codes::UNCLOSED, |parser| {
            let (found, joint) = (parser.found(word), parser.called(innermost));
            let message = format!("expected {open} `}}` before {found}: {joint} is not closed");
            Diagnostic::new(&codes::UNCLOSED, word, message)
                .help("close each joint and End Site with `}` after its children")
        });
    }

    fn outside(&mut self, word: Span) {
        self.push(&codes::NESTING, word, |parser| {
            format!("{} is outside every joint", parser.found(word))
        });
    }

    fn duplicate(&mut self, word: Span, what: &str) {
        self.push(&codes::DUPLICATE, word, |_| format!("duplicate {what}"));
    }

    fn current_name(&self) -> String {
        let joint = self.content.joints.get(self.current as usize);
        joint.map_or_else(String::new, |joint| self.called(*joint))
    }

    /// Describes a joint in a message.
    fn called(&self, joint: JointData) -> String {
        match joint.name.of(self.cursor.source) {
            [] if joint.is_end => "the End Site".to_owned(),
            [] => "the joint".to_owned(),
            name => quote(name),
        }
    }

    /// Describes a word in a message.
    fn found(&self, word: Span) -> String {
        if word.is_empty() {
            "the end of the file".to_owned()
        } else {
            quote(self.cursor.text(word))
        }
    }

    fn push(&mut self, code: &'static Code, at: Span, message: impl FnOnce(&Parser<'_>) -> String) {
        self.report(code, |parser| Diagnostic::new(code, at, message(parser)));
    }

    /// Reports a problem. The message is only formatted if it is kept.
    fn report(&mut self, code: &'static Code, make: impl FnOnce(&Parser<'_>) -> Diagnostic) {
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        diagnostics.report(code, || make(self));
        self.diagnostics = diagnostics;
    }

    /// Reports a problem with a repair, unless it is at the end of the file, where more may
    /// be missing.
    fn report_fix(&mut self, code: &'static Code, make: impl FnOnce(&Parser<'_>) -> Diagnostic) {
        let end = self.cursor.source.trim_ascii_end().len();
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        diagnostics.report_fix(code, || {
            let found = make(self);
            let fix = found.fix.clone().filter(|fix| fix.span.end < end);
            Diagnostic { fix, ..found }
        });
        self.diagnostics = diagnostics;
    }
}

/// Adds help about decimal commas.
fn point_not_comma(diagnostic: Diagnostic, text: &[u8]) -> Diagnostic {
    if text.contains(&b',') {
        diagnostic.help("use a decimal point, not a comma")
    } else {
        diagnostic
    }
}
