//! Parses field values in the classic encodings, and recovers from invalid values.

use std::mem::take;

use anim_ir::Span;
use anim_ir::diag::quote;

use super::reader::Reader;
use super::tokens::Token;
use crate::codes;
use crate::graph::Value;
use crate::nodes::{Family, FieldKind, NodeType};
use crate::value::{self, Numbers, is_blank_char, string_length, unquote};

/// The parser's position relative to a value after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// The value is complete.
    Nothing,
    /// The next token is part of the value.
    Value,
    /// The next token is part of the value, and a bracket is open.
    List,
}

impl<'a> Reader<'a, '_> {
    /// Reads the value of a field of `node` that does not contain nodes, and reports errors.
    pub(super) fn value(&mut self, kind: FieldKind, node: &NodeType) -> Result<Value, Left> {
        match kind {
            FieldKind::SFBool => self.flag().map(Value::Bool),
            FieldKind::MFBool => self
                .list(|reader| reader.flag().map(i32::from))
                .map(|flags| Value::Ints(flags.into())),
            FieldKind::SFString => self.string().map(|string| Value::Strings([string].into())),
            FieldKind::MFString => {
                self.list(Reader::string).map(|strings| Value::Strings(strings.into()))
            }
            FieldKind::Words => self.words(node).map(|words| Value::Strings(words.into())),
            FieldKind::SFInt32 | FieldKind::MFInt32 | FieldKind::SFImage => {
                let mut numbers = take(&mut self.ints);
                let read = self.numbers(kind, node, &value::INTS, &mut numbers);
                let value = read.map(|()| Value::Ints(numbers.to_vec().into()));
                self.ints = numbers;
                value
            }
            _ => {
                let mut numbers = take(&mut self.floats);
                let read = self.numbers(kind, node, &value::FLOATS, &mut numbers);
                let value = read.map(|()| Value::Floats(numbers.to_vec().into()));
                self.floats = numbers;
                value
            }
        }
    }

    /// Reads numbers up to the next field, node or closing brace.
    fn numbers<T>(
        &mut self,
        kind: FieldKind,
        node: &NodeType,
        how: &Numbers<T>,
        out: &mut Vec<T>,
    ) -> Result<(), Left> {
        let start = self.tokens.position();
        let list = kind.is_list() && self.tokens.eat('[');
        out.clear();
        let mut span = self.tokens.since(start);
        // Numbers may be separated by comments.
        loop {
            let length = (how.scan)(self.tokens.rest().as_bytes(), out);
            if length == 0 {
                break;
            }
            self.tokens.advance(length);
            span = self.tokens.since(start);
        }
        let next = self.tokens.peek();
        match next {
            _ if list && self.tokens.eat(']') => span = self.tokens.since(start),
            Some(Token::Word(word))
                if list
                    || starts_like_number(word)
                    || out.len() < kind.width() && node.field_index(word).is_none() =>
            {
                let span = self.tokens.span();
                how.report(word, span, self.diagnostics);
                return Err(if list { Left::List } else { Left::Value });
            }
            _ if list => {
                self.report(&codes::SYNTAX, &format!("expected {} or `]`", how.expected));
                return Err(Left::List);
            }
            // If there is no number at all, report the token found instead.
            _ if out.is_empty() => {
                self.report(how.code, &format!("expected {}", how.expected));
                return Err(Left::Value);
            }
            _ => {}
        }
        (how.fits)(kind, out, span, self.diagnostics).then_some(()).ok_or(Left::Nothing)
    }

    fn flag(&mut self) -> Result<bool, Left> {
        let span = self.tokens.span();
        let Some(Token::Word(word)) = self.tokens.peek() else {
            self.report(&codes::BOOLEAN, "expected TRUE or FALSE");
            return Err(Left::Value);
        };
        let flag = match word {
            "0" if self.family() == Family::Vrml1 => Some(false),
            "1" if self.family() == Family::Vrml1 => Some(true),
            _ => value::flag(word),
        };
        let Some(flag) = flag else {
            value::report_flag(word, span, self.diagnostics);
            return Err(Left::Value);
        };
        self.tokens.next();
        Ok(flag)
    }

    /// Reads a string. In VRML 1.0, strings without whitespace need no quotes.
    fn string(&mut self) -> Result<String, Left> {
        let rest = self.tokens.rest();
        if rest.starts_with('"') {
            let Some(string) = string_length(rest).and_then(|length| rest.get(..length)) else {
                self.report(&codes::STRING, "expected a string with a closing quote");
                return Err(Left::Value);
            };
            self.tokens.advance(string.len());
            return Ok(unquote(string));
        }
        let bare = rest
            .split(|c| is_blank_char(c) || matches!(c, '[' | ']' | '{' | '}'))
            .next()
            .unwrap_or_default();
        if bare.is_empty() || self.family() != Family::Vrml1 {
            self.report(&codes::STRING, "expected a string in quotes");
            return Err(Left::Value);
        }
        self.tokens.advance(bare.len());
        Ok(bare.to_owned())
    }

    /// Reads `WORD` or `(WORD | WORD)`.
    fn words(&mut self, node: &NodeType) -> Result<Vec<String>, Left> {
        let rest = self.tokens.rest();
        let Some(inner) = rest.strip_prefix('(') else {
            if let Some(Token::Word(word)) = self.tokens.peek()
                && !self.starts_item(word, node)
            {
                self.tokens.next();
                return Ok(vec![word.to_owned()]);
            }
            self.report(&codes::SYNTAX, "expected a word");
            return Err(Left::Value);
        };
        let inner = inner.split(['{', '}', '[', ']', '"', '#']).next().unwrap_or_default();
        let Some((inner, _)) = inner.split_once(')') else {
            self.report(
                &codes::SYNTAX,
                "expected words separated by `|`, and a closing parenthesis",
            );
            return Err(Left::Value);
        };
        self.tokens.advance(inner.len().saturating_add(2));
        Ok(inner
            .split(|c| is_blank_char(c) || c == '|')
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect())
    }

    /// Checks that all words of a value are allowed in its field, and reports the first that is
    /// not.
    pub(super) fn words_are_known(
        &mut self,
        value: &Value,
        node: &NodeType,
        index: u8,
        span: Span,
    ) -> bool {
        let (Value::Strings(words), Some(field)) = (value, node.fields.get(usize::from(index)))
        else {
            return true;
        };
        let unknown = words
            .iter()
            .find(|word| field.kind == FieldKind::Words && !field.words().contains(&word.as_str()));
        if let Some(word) = unknown {
            let message =
                || format!("{} of {} cannot be {}", field.name, node.name, quote(word.as_bytes()));
            self.diagnostics.push(&codes::WORD, span, message);
        }
        unknown.is_none()
    }

    /// Reads one item, or any number of items in brackets.
    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Result<T, Left>) -> Result<Vec<T>, Left> {
        if !self.tokens.eat('[') {
            return Ok(vec![item(self)?]);
        }
        let mut items = Vec::new();
        while !self.tokens.eat(']') {
            items.push(item(self).map_err(|_| Left::List)?);
        }
        Ok(items)
    }

    /// Skips the rest of a field value of `node`.
    pub(super) fn skip(&mut self, left: Left, node: &NodeType) {
        match left {
            Left::Nothing => {}
            Left::Value => self.skip_value(node),
            Left::List => self.skip_rest_of_list(node),
        }
    }

    /// Skips a value of any kind: up to its end if the end is recognisable, otherwise up to the
    /// next field of `node` or the closing brace.
    pub(super) fn skip_value(&mut self, node: &NodeType) {
        // Only numbers, flags and strings may be followed by another value of the same kind.
        let mut complete = false;
        while let Some(token) = self.tokens.peek() {
            match token {
                Token::Mark('}') => return,
                Token::Word(word) => {
                    let plain = starts_like_number(word)
                        || value::flag(word).is_some()
                        || word.starts_with('|')
                        || word.ends_with(')');
                    if !plain && (complete || self.starts_item(word, node)) {
                        return;
                    }
                    self.tokens.next();
                    if matches!(word, "DEF" | "USE" | "IS") {
                        self.tokens.word();
                    }
                    complete = word != "DEF" && word != "|";
                }
                Token::Mark('{') => {
                    self.tokens.next();
                    self.tokens.skip_braces();
                    return;
                }
                Token::Mark('[') => {
                    self.tokens.next();
                    self.tokens.skip_list();
                    return;
                }
                Token::String(_) | Token::Mark(_) => {
                    self.tokens.next();
                    complete = true;
                }
            }
        }
    }

    /// Skips a list up to its bracket, or to the point where it must have ended.
    fn skip_rest_of_list(&mut self, node: &NodeType) {
        while let Some(token) = self.tokens.peek() {
            match token {
                Token::Mark('}') => return,
                Token::Word(word) if self.starts_item(word, node) => return,
                _ => {}
            }
            self.tokens.next();
            match token {
                Token::Mark(']') => return,
                Token::Mark('{') => self.tokens.skip_braces(),
                _ => {}
            }
        }
    }

    /// Whether a word starts a new item in the body of `node`: a field, a statement, or in VRML 1.0
    /// a node.
    fn starts_item(&mut self, word: &str, node: &NodeType) -> bool {
        match self.family() {
            Family::Vrml1 => node.field_index(word).is_some() || self.starts_node(word),
            Family::X3d => {
                node.field_index(word).is_some()
                    || matches!(word, "PROTO" | "EXTERNPROTO" | "ROUTE")
            }
        }
    }
}

pub(super) fn starts_like_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'))
}
