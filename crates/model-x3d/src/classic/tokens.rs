//! Tokens of the classic encodings (ISO/IEC 14772-1 and ISO/IEC 19776-2, annex A; VRML 1.0,
//! Language Basics).
//!
//! Names may contain any character that does not end a word, since real files use names such as
//! `Cube.001`.

use anim_ir::Span;
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::token::{any, take_till, take_while};

use crate::value::{ends_word, is_blank_char, not_finite, string_length};

/// A token of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A name, a keyword or a number.
    Word(&'a str),
    /// A string with its quotes. An unterminated string extends to the end of the file.
    String(&'a str),
    /// A bracket or brace.
    Mark(char),
}

impl<'a> Token<'a> {
    /// Returns the text of the token.
    pub(super) fn text(self, buffer: &'a mut [u8; 4]) -> &'a str {
        match self {
            Token::Word(text) | Token::String(text) => text,
            Token::Mark(mark) => mark.encode_utf8(buffer),
        }
    }
}

/// Tokenizes the rest of a file, skipping whitespace and comments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        let rest = text.trim_start_matches('\u{feff}');
        Tokens { text, rest }
    }

    /// Returns the remaining text, from the next token on.
    pub(super) fn rest(&mut self) -> &'a str {
        // Cannot fail: whitespace and comments may both be empty.
        let _: Result<(), EmptyError> = blanks(&mut self.rest);
        self.rest
    }

    /// Returns the offset of the next token, or of the end of the file.
    pub(super) fn position(&mut self) -> usize {
        self.text.len().saturating_sub(self.rest().len())
    }

    /// Returns the span from an offset to the end of the last token read.
    pub(super) fn since(&self, start: usize) -> Span {
        let end = self.text.len().saturating_sub(self.rest.len());
        let text = self.text.get(start..end).unwrap_or_default();
        Span::new(start, start.saturating_add(text.trim_end_matches(is_blank_char).len()))
    }

    /// Skips this many bytes.
    pub(super) fn advance(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        self.rest();
        token(&mut self.rest).ok()
    }

    pub(super) fn peek(&mut self) -> Option<Token<'a>> {
        self.rest();
        token(&mut { self.rest }).ok()
    }

    /// Returns the token after the next one, without consuming either.
    pub(super) fn peek_second(&mut self) -> Option<Token<'a>> {
        let mut ahead = *self;
        ahead.next();
        ahead.next()
    }

    /// Consumes the next token if it is the given bracket or brace. Returns whether it was
    /// consumed.
    pub(super) fn eat(&mut self, mark: char) -> bool {
        let found = self.rest().starts_with(mark);
        if found {
            self.advance(mark.len_utf8());
        }
        found
    }

    /// Consumes and returns the next token if it is a word.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        match self.peek()? {
            Token::Word(word) => {
                self.advance(word.len());
                Some(word)
            }
            _ => None,
        }
    }

    /// Consumes and returns the next token if it is a word other than the start of a node or a
    /// statement.
    pub(super) fn plain_word(&mut self) -> Option<&'a str> {
        let is_plain = match self.peek()? {
            Token::Word(word) => !matches!(
                word,
                "DEF" | "USE" | "ROUTE" | "PROTO" | "EXTERNPROTO" | "IMPORT" | "EXPORT"
            ),
            _ => false,
        };
        // A word before a brace is a node type.
        if is_plain && self.peek_second() != Some(Token::Mark('{')) { self.word() } else { None }
    }

    /// Returns the span of the next token, or the end of the file if there is none.
    pub(super) fn span(&mut self) -> Span {
        let start = self.position();
        let mut ahead = *self;
        match ahead.next() {
            Some(_) => Span::new(start, self.text.len().saturating_sub(ahead.rest.len())),
            None => Span::new(start, start),
        }
    }

    /// Skips everything up to the brace that matches the brace just read.
    pub(super) fn skip_braces(&mut self) {
        let mut depth = 1_usize;
        while let Some(token) = self.next() {
            match token {
                Token::Mark('{') => depth = depth.saturating_add(1),
                Token::Mark('}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Passes on the names of the nodes between an earlier position and this one.
    pub(super) fn names_since(&self, mut start: Tokens<'a>, mut named: impl FnMut(&'a str)) {
        while start.rest.len() > self.rest.len()
            && let Some(token) = start.next()
        {
            if token == Token::Word("DEF")
                && let Some(name) = start.word()
            {
                named(name);
            }
        }
    }

    /// Skips everything up to the bracket that matches the bracket just read, or to the end of the
    /// node.
    pub(super) fn skip_list(&mut self) {
        let mut depth = 1_usize;
        while depth > 0
            && let Some(token) = self.peek()
            && token != Token::Mark('}')
        {
            self.next();
            match token {
                Token::Mark('[') => depth = depth.saturating_add(1),
                Token::Mark(']') => depth = depth.saturating_sub(1),
                Token::Mark('{') => {
                    self.skip_braces();
                }
                _ => {}
            }
        }
    }
}

/// Skips whitespace and comments.
fn blanks(input: &mut &str) -> Result<(), EmptyError> {
    loop {
        take_while(0.., is_blank_char).void().parse_next(input)?;
        if !input.starts_with('#') {
            return Ok(());
        }
        take_till(0.., ('\n', '\r')).void().parse_next(input)?;
    }
}

fn ends_word_char(character: char) -> bool {
    u8::try_from(character).is_ok_and(ends_word)
}

fn token<'a>(input: &mut &'a str) -> Result<Token<'a>, EmptyError> {
    if input.starts_with('"') {
        let length = string_length(input).unwrap_or(input.len());
        let string = input.get(..length).unwrap_or_default();
        *input = input.get(length..).unwrap_or_default();
        return Ok(Token::String(string));
    }
    if let Some(word) = not_finite(input.as_bytes()).and_then(|length| input.get(..length)) {
        *input = input.get(word.len()..).unwrap_or_default();
        return Ok(Token::Word(word));
    }
    let word = take_till(1.., ends_word_char).map(Token::Word);
    winnow::combinator::alt((word, any.map(Token::Mark))).parse_next(input)
}
