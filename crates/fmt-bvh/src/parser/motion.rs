//! The statements between MOTION and the rows.

use anim_ir::number::{index32, parse_integer};
use anim_ir::source::Place;
use anim_ir::{Diagnostic, Span};

use super::{Parser, point_not_comma};
use crate::codes;
use crate::content::Motion;
use crate::tokens::{Label, is_blank, is_line_end};

impl Parser<'_> {
    /// Returns which of the two statements of the motion begins with a word.
    pub(super) fn label_at(&self, word: Span) -> Label {
        let mut cursor = self.cursor;
        cursor.at = word.start;
        Label::take(&mut cursor).unwrap_or(Label::Frames)
    }

    /// Whether a line after a word begins with MOTION.
    pub(super) fn has_motion_after(&mut self, word: Span) -> bool {
        let last = *self.last_motion.get_or_insert_with(|| {
            let lines = self.cursor.source.split_inclusive(|byte| b"\r\n".contains(byte));
            let mut start = 0_usize;
            let mut last = 0;
            for line in lines {
                let mut words = line.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty());
                let is_motion =
                    words.next().is_some_and(|word| word.eq_ignore_ascii_case(b"MOTION"));
                last = if is_motion { start } else { last };
                start = start.saturating_add(line.len());
            }
            last
        });
        word.end <= last
    }

    /// Parses everything after MOTION.
    pub(super) fn motion(&mut self) {
        let keyword = Span::new(self.cursor.at.saturating_sub(b"MOTION".len()), self.cursor.at);
        let mut motion = Motion::default();
        let (mut has_frames, mut has_time) = (false, false);
        loop {
            self.cursor.skip_blanks();
            let start = self.cursor.at;
            let Some(label) = Label::take(&mut self.cursor) else {
                if self.is_text_line() {
                    self.unknown_line("`Frames:`, `Frame Time:` or a row");
                    continue;
                }
                break;
            };
            let span = Span::new(start, self.cursor.at);
            let seen = if label == Label::Frames { &mut has_frames } else { &mut has_time };
            let is_second = std::mem::replace(seen, true);
            if is_second {
                self.duplicate(span, label.name());
            }
            let value = self.value(span, label);
            match label {
                Label::Frames => self.frames(&mut motion, value),
                Label::FrameTime => self.frame_time(&mut motion, value),
            }
        }
        motion.start = index32(self.cursor.at);
        if !has_frames {
            self.report(&codes::FRAMES_MISSING, |_| {
                Diagnostic::new(&codes::FRAMES_MISSING, keyword, "the motion has no `Frames:`")
                    .help("after MOTION, add `Frames:` and the number of rows")
            });
        }
        if !has_time {
            self.report(&codes::FRAME_TIME, |_| {
                Diagnostic::new(&codes::FRAME_TIME, keyword, "the motion has no `Frame Time:`")
                    .help("for example, add `Frame Time: 0.033333` for 30 frames per second")
            });
        }
        self.rows(motion);
    }

    /// Whether the line at the cursor starts with a word that is not a number.
    pub(super) fn is_text_line(&self) -> bool {
        let word = { self.cursor }.word();
        let text = self.cursor.text(word);
        let is_number = text.iter().any(|byte| byte.is_ascii_digit() || b".+-".contains(byte));
        let is_not_finite = ["nan", "inf", "infinity"]
            .iter()
            .any(|known| text.eq_ignore_ascii_case(known.as_bytes()));
        !text.is_empty() && !is_number && !is_not_finite
    }

    /// Reports and skips a line that starts with a word that is not a number.
    pub(super) fn unknown_line(&mut self, expected: &str) {
        let word = { self.cursor }.word();
        self.push(&codes::KEYWORD, word, |parser| {
            format!("expected {expected}, found {}", parser.found(word))
        });
        let rest = self.cursor.rest();
        let length = rest.iter().position(|byte| is_line_end(*byte)).unwrap_or(rest.len());
        self.cursor.at = self.cursor.at.saturating_add(length);
    }

    /// Parses the colon after a label and returns the span of the value, which is empty at the end
    /// of the line.
    fn value(&mut self, label: Span, name: Label) -> Span {
        self.cursor.skip_inline_blanks();
        if self.cursor.rest().first() == Some(&b':') {
            self.cursor.at = self.cursor.at.saturating_add(1);
            self.cursor.skip_inline_blanks();
        } else {
            self.report_fix(&codes::COLON, |_| {
                let end = Span::new(label.end, label.end);
                let message = format!("`{}` without a colon", name.name());
                Diagnostic::new(&codes::COLON, label, message).fix(end, ":")
            });
        }
        if self.cursor.rest().first().is_none_or(|byte| is_line_end(*byte)) {
            return Span::new(self.cursor.at, self.cursor.at);
        }
        self.cursor.word()
    }

    fn frames(&mut self, motion: &mut Motion, value: Span) {
        motion.count = Place::new(value.start, value.len());
        let count = parse_integer(self.cursor.text(value)).ok();
        motion.frames = count.and_then(|count| u64::try_from(count).ok());
        if motion.frames.is_none() {
            self.push(&codes::FRAME_COUNT, value, |parser| {
                let found = parser.value_found(value);
                format!("expected the number of frames, a non-negative integer, found {found}")
            });
        }
    }

    fn frame_time(&mut self, motion: &mut Motion, value: Span) {
        motion.time = Place::new(value.start, value.len());
        let text = self.cursor.text(value);
        let seconds = std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok());
        let seconds = seconds.filter(|seconds| seconds.is_finite());
        motion.seconds = seconds.filter(|seconds| *seconds > 0.0);
        // With at most one frame, the frame time is meaningless, and writers use 0.
        let is_still = seconds == Some(0.0) && motion.frames.is_some_and(|frames| frames <= 1);
        if motion.seconds.is_none() && !is_still {
            self.report(&codes::FRAME_TIME, |parser| {
                let found = parser.value_found(value);
                let message = format!("expected a positive frame time in seconds, found {found}");
                point_not_comma(Diagnostic::new(&codes::FRAME_TIME, value, message), text)
            });
        }
    }

    fn value_found(&self, value: Span) -> String {
        if value.is_empty() { "the end of the line".to_owned() } else { self.found(value) }
    }
}
