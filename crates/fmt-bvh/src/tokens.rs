//! Words and their spans.
//!
//! Words are separated by whitespace (space, tab, line feed, carriage return, vertical tab, form
//! feed). A brace is always a word.

use anim_ir::{Span, is_misspelt};

/// A file and a position in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    pub(crate) source: &'a [u8],
    pub(crate) at: usize,
}

/// Whether a byte separates words.
#[inline]
pub(crate) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// Whether a byte separates words on a line.
const fn is_inline_blank(byte: u8) -> bool {
    is_blank(byte) && !is_line_end(byte)
}

/// Whether a byte ends a line.
#[inline]
pub(crate) const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// A keyword of the hierarchy, or a brace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keyword {
    Root,
    Joint,
    /// The first word of `End Site`.
    End,
    Offset,
    Channels,
    Motion,
    /// The first line of the motion if MOTION is missing.
    Frames,
    Open,
    Close,
}

impl Keyword {
    const ALL: [(Keyword, &'static str); 9] = [
        (Keyword::Root, "ROOT"),
        (Keyword::Joint, "JOINT"),
        (Keyword::End, "End"),
        (Keyword::Offset, "OFFSET"),
        (Keyword::Channels, "CHANNELS"),
        (Keyword::Motion, "MOTION"),
        (Keyword::Frames, "Frames"),
        (Keyword::Open, "{"),
        (Keyword::Close, "}"),
    ];

    /// Returns the keyword that matches a word, ignoring case and anything after a colon.
    pub(crate) fn of(word: &[u8]) -> Option<Keyword> {
        let word = word.split(|byte| *byte == b':').next().unwrap_or_default();
        let is = |name: &str| name.as_bytes().eq_ignore_ascii_case(word);
        Keyword::ALL.into_iter().find(|(_, name)| is(name)).map(|(keyword, _)| keyword)
    }

    /// Returns the keyword that a word obviously misspells, with one or two wrong letters, and its
    /// spelling: `End Site` for `End_Site` and `EndSite`.
    #[cold]
    pub(crate) fn meant(word: &[u8]) -> Option<(Keyword, &'static str)> {
        let near = |name: &str| {
            let most = if name.len() >= 6 { 2 } else { 1 };
            name.len() >= 4 && is_misspelt(word, name, most)
        };
        let letters = word.iter().filter(|byte| !matches!(byte, b'_' | b'-'));
        if letters.map(u8::to_ascii_lowercase).eq(*b"endsite") {
            return Some((Keyword::End, "End Site"));
        }
        Keyword::ALL.into_iter().find(|(_, name)| near(name))
    }
}

/// Whether a word can be the name of a channel: it is not empty, and neither a keyword nor
/// obviously a misspelt one.
pub(crate) fn may_be_channel(word: &[u8]) -> bool {
    !word.is_empty() && Keyword::of(word).is_none() && Keyword::meant(word).is_none()
}

impl<'a> Cursor<'a> {
    pub(crate) const fn new(source: &'a [u8], at: usize) -> Cursor<'a> {
        Cursor { source, at }
    }

    /// The rest of the file.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn skip(&mut self, what: impl Fn(u8) -> bool) {
        let rest = self.rest();
        let length = rest.iter().position(|byte| !what(*byte)).unwrap_or(rest.len());
        self.at = self.at.saturating_add(length);
    }

    /// Advances to the next word.
    pub(crate) fn skip_blanks(&mut self) {
        self.skip(is_blank);
    }

    /// Advances to the next word on this line, or to the end of the line.
    pub(crate) fn skip_inline_blanks(&mut self) {
        self.skip(is_inline_blank);
    }

    /// Consumes the next word. Returns an empty span at the end of the file.
    pub(crate) fn word(&mut self) -> Span {
        self.skip_blanks();
        let start = self.at;
        match self.rest() {
            [b'{' | b'}', ..] => self.at = start.saturating_add(1),
            _ => self.skip(|byte| !is_blank(byte) && !matches!(byte, b'{' | b'}')),
        }
        Span::new(start, self.at)
    }

    /// Consumes the next word of a row, which cannot contain braces.
    pub(crate) fn word_to_blank(&mut self) -> Span {
        self.skip_blanks();
        let start = self.at;
        self.skip(|byte| !is_blank(byte));
        Span::new(start, self.at)
    }

    /// Consumes the rest of the line up to a brace, without surrounding whitespace.
    pub(crate) fn line(&mut self) -> Span {
        self.skip_inline_blanks();
        let start = self.at;
        self.skip(|byte| !is_line_end(byte) && !matches!(byte, b'{' | b'}'));
        let text = self.source.get(start..self.at).unwrap_or_default();
        let length = text.iter().rposition(|byte| !is_blank(*byte)).map_or(0, |last| last + 1);
        Span::new(start, start.saturating_add(length))
    }

    /// Skips lines that begin with `#`.
    pub(crate) fn skip_comments(&mut self) {
        self.skip_blanks();
        while self.rest().first() == Some(&b'#') {
            self.skip(|byte| !is_line_end(byte));
            self.skip_blanks();
        }
    }

    /// Consumes letters. Returns an empty span if there are none.
    pub(crate) fn letters(&mut self) -> Span {
        let start = self.at;
        self.skip(|byte| byte.is_ascii_alphabetic());
        Span::new(start, self.at)
    }

    /// Returns the bytes of a span.
    pub(crate) fn text(&self, span: Span) -> &'a [u8] {
        self.source.get(span.start..span.end).unwrap_or_default()
    }
}

/// A label in the MOTION section: `Frames:` or `Frame Time:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    Frames,
    FrameTime,
}

impl Label {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Label::Frames => "Frames",
            Label::FrameTime => "Frame Time",
        }
    }

    /// Consumes a label, without its colon. Leaves the cursor in place if there is none.
    pub(crate) fn take(cursor: &mut Cursor<'_>) -> Option<Label> {
        let mut ahead = *cursor;
        let first = ahead.letters();
        let word = ahead.text(first).to_ascii_lowercase();
        let label = match word.as_slice() {
            b"frames" => Label::Frames,
            b"frametime" => Label::FrameTime,
            b"frame" => {
                ahead.skip_inline_blanks();
                let second = ahead.letters();
                ahead.text(second).eq_ignore_ascii_case(b"time").then_some(Label::FrameTime)?
            }
            _ => return None,
        };
        *cursor = ahead;
        Some(label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_words_end() {
        let source = b"\xef# x\r\nJOINT \t left  arm\t{\x0b0}}";
        let mut cursor = Cursor::new(source, 1);
        cursor.skip_comments();
        let mut texts = Vec::new();
        texts.push(cursor.word());
        texts.push(cursor.line());
        texts.extend((0..5).map(|_| cursor.word()));
        let texts: Vec<_> = texts.into_iter().map(|span| &source[span.start..span.end]).collect();
        assert_eq!(texts, [&b"JOINT"[..], b"left  arm", b"{", b"0", b"}", b"}", b""]);
    }

    #[test]
    fn keywords_in_any_case_and_near_ones() {
        assert_eq!(Keyword::of(b"Offset"), Some(Keyword::Offset));
        assert_eq!(Keyword::of(b"frames:12"), Some(Keyword::Frames));
        assert_eq!(Keyword::of(b"JOIT"), None);
        assert_eq!(Keyword::meant(b"joit"), Some((Keyword::Joint, "JOINT")));
        assert_eq!(Keyword::meant(b"CHANELS"), Some((Keyword::Channels, "CHANNELS")));
        assert_eq!(Keyword::meant(b"END-SITE"), Some((Keyword::End, "End Site")));
        assert_eq!([b"Xrot", b"and:", b"Ende"].map(|word| Keyword::meant(word)), [None; 3]);
    }

    #[test]
    fn labels_with_any_blanks() {
        for (text, label) in [
            ("Frames:3", Some(Label::Frames)),
            ("FRAME \t time:3", Some(Label::FrameTime)),
            ("FrameTime 3", Some(Label::FrameTime)),
            ("Frame Rate: 3", None),
            ("1 2 3", None),
        ] {
            assert_eq!(Label::take(&mut Cursor::new(text.as_bytes(), 0)), label, "{text}");
        }
    }
}
