//! The canonical form: one statement per line, blocks indented with tabs, one line per frame. The
//! spelling of names and numbers is preserved.

use anim_ir::encoding::{keep_start, text_start};
use anim_ir::number::{parse_f32, parse_integer};

use crate::channel::ChannelType;
use crate::document::Document;
use crate::tokens::{Cursor, Keyword, Label, is_blank, is_line_end, may_be_channel};
use crate::writer::indent;

impl Document<'_> {
    /// Returns the document in canonical form (`docs/bvh.md`), with the same content in the same
    /// order. Everything after the first violation of the grammar is left unchanged.
    pub fn formatted(&self) -> Vec<u8> {
        let source = &*self.source;
        let end = source.iter().rposition(|byte| !is_blank(*byte)).map_or(0, |last| last + 1);
        let text = source.get(..end).unwrap_or_default();
        let mut formatter = Formatter {
            document: self,
            cursor: Cursor::new(text, text_start(text)),
            out: Vec::with_capacity(text.len()),
            depth: 0,
        };
        // The parser has already reported any violation of the grammar.
        let _ = formatter.file();
        formatter.cursor.skip_blanks();
        let Formatter { cursor, mut out, .. } = formatter;
        if !cursor.rest().is_empty() {
            out.extend_from_slice(cursor.rest());
            out.push(b'\n');
        }
        keep_start(&mut out);
        out
    }
}

struct Formatter<'a> {
    document: &'a Document<'a>,
    /// The input that has not been written yet.
    cursor: Cursor<'a>,
    out: Vec<u8>,
    depth: usize,
}

impl<'a> Formatter<'a> {
    /// Writes the whole file. Returns `None` at the first violation of the grammar.
    fn file(&mut self) -> Option<()> {
        self.comments();
        self.word_if(|word| word.eq_ignore_ascii_case(b"HIERARCHY"))?;
        self.line(&[b"HIERARCHY"]);
        loop {
            let start = self.cursor;
            let word = self.cursor.word();
            let keyword = Keyword::of(self.cursor.text(word));
            if keyword == Some(Keyword::Motion) && self.depth == 0 {
                self.line(&[b"MOTION"]);
                return self.motion();
            }
            if keyword.and_then(|keyword| self.statement(keyword)).is_none() {
                self.cursor = start;
                return None;
            }
        }
    }

    fn comments(&mut self) {
        self.cursor.skip_blanks();
        let start = self.cursor.at;
        self.cursor.skip_comments();
        let text = self.cursor.source.get(start..self.cursor.at).unwrap_or_default();
        for line in text.split(|byte| matches!(byte, b'\n' | b'\r')) {
            let line = line.trim_ascii();
            if !line.is_empty() {
                self.line(&[line]);
            }
        }
    }

    fn statement(&mut self, keyword: Keyword) -> Option<()> {
        match keyword {
            Keyword::Root | Keyword::Joint => {
                let name = self.name()?;
                let keyword = if keyword == Keyword::Root { &b"ROOT"[..] } else { b"JOINT" };
                self.open(&[keyword, name])
            }
            Keyword::End => {
                self.word_if(|word| word.eq_ignore_ascii_case(b"Site"))?;
                let name = self.cursor.line();
                let name = self.cursor.text(name);
                let words: [&[u8]; 3] = [b"End", b"Site", name];
                self.open(words.get(..if name.is_empty() { 2 } else { 3 })?)
            }
            Keyword::Offset => {
                let mut words: [&[u8]; 4] = [b"OFFSET", b"", b"", b""];
                for word in words.iter_mut().skip(1) {
                    *word = self.word_if(|word| parse_f32(word).is_ok())?;
                }
                self.line(&words);
                Some(())
            }
            Keyword::Channels => self.channels(),
            Keyword::Close => {
                self.depth = self.depth.checked_sub(1)?;
                self.line(&[b"}"]);
                Some(())
            }
            Keyword::Motion | Keyword::Frames | Keyword::Open => None,
        }
    }

    /// Reads a name, which may be on its own line. Returns `None` if it is empty.
    fn name(&mut self) -> Option<&'a [u8]> {
        let mut name = self.cursor.line();
        if name.is_empty() {
            let next = { self.cursor }.word();
            if Keyword::of(self.cursor.text(next)).is_some() {
                return None;
            }
            self.cursor.skip_blanks();
            name = self.cursor.line();
        }
        Some(self.cursor.text(name)).filter(|name| !name.is_empty())
    }

    /// Writes the first line of a block and its opening brace.
    fn open(&mut self, words: &[&[u8]]) -> Option<()> {
        self.word_if(|word| word == b"{")?;
        self.line(words);
        self.line(&[b"{"]);
        self.depth = self.depth.saturating_add(1);
        Some(())
    }

    fn channels(&mut self) -> Option<()> {
        let count = self.word_if(|word| parse_integer(word).is_ok())?;
        let number = parse_integer(count).ok()?;
        let mut words: Vec<&[u8]> = vec![b"CHANNELS", count];
        for _ in 0..number {
            let name = self.word_if(may_be_channel)?;
            let known = ChannelType::from_name(name);
            words.push(if known == ChannelType::Unknown { name } else { known.name().as_bytes() });
        }
        self.line(&words);
        Some(())
    }

    fn motion(&mut self) -> Option<()> {
        loop {
            self.cursor.skip_blanks();
            let start = self.cursor;
            let Some(label) = Label::take(&mut self.cursor) else { break };
            if self.label(label).is_none() {
                self.cursor = start;
                return None;
            }
        }
        let start = self.cursor;
        let written = self.out.len();
        if self.rows().is_none() {
            self.cursor = start;
            self.out.truncate(written);
        }
        None
    }

    fn label(&mut self, label: Label) -> Option<()> {
        self.cursor.skip_inline_blanks();
        if self.cursor.rest().first() != Some(&b':') {
            return None;
        }
        self.cursor.at = self.cursor.at.saturating_add(1);
        self.cursor.skip_inline_blanks();
        // A number in the next line is a value of a row.
        if self.cursor.rest().first().is_none_or(|byte| is_line_end(*byte)) {
            return None;
        }
        let value = self.word_if(|word| word.first().is_some_and(|byte| !b"{}".contains(byte)))?;
        let label = [label.name().as_bytes(), b":"].concat();
        self.line(&[&label, value]);
        Some(())
    }

    /// Writes the rows. Returns `None` if a value is invalid or not part of a complete row.
    fn rows(&mut self) -> Option<()> {
        let width = self.document.channels().len();
        let rows = self.document.frames().len();
        let end = self.document.content.motion?.end as usize;
        let mut column = 0_usize;
        let mut found = 0_usize;
        loop {
            self.cursor.skip_blanks();
            if self.cursor.at >= end.min(self.cursor.source.len()) {
                break;
            }
            let word = self.cursor.word_to_blank();
            let text = self.cursor.text(word);
            parse_f32(text).ok()?;
            self.out.extend_from_slice(text);
            column = column.saturating_add(1);
            if column >= width {
                (column, found) = (0, found.saturating_add(1));
            }
            self.out.push(if column == 0 { b'\n' } else { b' ' });
        }
        (column == 0 && found == rows).then_some(())
    }

    fn word_if(&mut self, is_right: impl Fn(&[u8]) -> bool) -> Option<&'a [u8]> {
        let word = self.cursor.word();
        Some(self.cursor.text(word)).filter(|word| is_right(word))
    }

    fn line(&mut self, words: &[&[u8]]) {
        let mut tabs = String::new();
        indent(&mut tabs, self.depth);
        self.out.extend_from_slice(tabs.as_bytes());
        self.out.extend_from_slice(&words.join(&b' '));
        self.out.push(b'\n');
    }
}
