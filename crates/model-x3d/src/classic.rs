//! Parser for the classic encodings: VRML 1.0, VRML 97, and classic X3D.
//!
//! All three share the same tokens and node syntax, `Type { field value }`. In VRML 1.0, nodes
//! are nested directly. In the later languages they are field values, and statements may appear
//! between them.

mod nodes;
mod prototypes;
mod reader;
mod statements;
#[cfg(test)]
mod tests;
mod tokens;
mod values;

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, Limits, Span};

use crate::codes;
use crate::graph::{Graph, NodeId, Value};
use crate::nodes::{Family, FieldKind, NodeType, is_instance};
use crate::version::Version;
use reader::{ASIDE, Open, Reader};
use statements::is_access;
use tokens::Token;
use values::starts_like_number;

/// Parses a scene. Spans are relative to the start of `text`.
///
/// Nodes are listed in the order in which they start, so a node precedes those defined inside it.
pub(crate) fn read(
    text: &str,
    version: Version,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
) -> Graph {
    let mut reader = Reader::new(text, version.family(), limits, diagnostics);
    while let Some(token) = reader.tokens.peek() {
        reader.step(token);
    }
    reader.finish()
}

impl<'a> Reader<'a, '_> {
    /// Reads the item that starts with the next token: a node up to its opening brace, a field, a
    /// statement, or a closing bracket.
    fn step(&mut self, token: Token<'a>) {
        match (self.scope.open.last().copied(), token) {
            (None, Token::Mark('}')) if self.prototypes.is_open() => {
                self.tokens.next();
                self.end_prototype();
            }
            (None, Token::Word(word)) => {
                if !self.statement(word) {
                    self.node(None);
                }
            }
            (None, _) => self.unexpected("expected a node"),
            (Some(Open { list: Some(field), kind, .. }), _) => self.in_list(token, field, kind),
            (Some(open), _) if is_instance(open.kind) => self.in_instance(token, open),
            (Some(open), _) if open.kind.is_skipped => self.in_skipped(token, open),
            (Some(_), Token::Mark('}')) => self.close(),
            (Some(open), Token::Word(word)) => self.in_node(word, open),
            (Some(open), _) => self.unexpected(&format!("expected a field of {}", open.kind.name)),
        }
    }

    /// Reads the next token in a list of nodes.
    fn in_list(&mut self, token: Token<'a>, field: u8, kind: &'static NodeType) {
        match token {
            Token::Mark(']') => {
                self.tokens.next();
                self.end_list();
            }
            Token::Mark('}') => {
                self.report(&codes::SYNTAX, "expected a node or `]`");
                self.end_list();
            }
            Token::Word(word)
                if kind.field_index(word).is_some()
                    && self.tokens.peek_second() != Some(Token::Mark('{')) =>
            {
                self.report(&codes::SYNTAX, "expected a node or `]`");
                self.end_list();
            }
            Token::Word(word) => {
                if !self.statement(word) {
                    self.node(Some(field));
                }
            }
            _ => self.unexpected("expected a node or `]`"),
        }
    }

    fn end_list(&mut self) {
        if let Some(open) = self.scope.open.last_mut() {
            open.list = None;
        }
    }

    /// Handles the next token, which is a word in the body of a node.
    fn in_node(&mut self, word: &'a str, Open { id, kind, .. }: Open) {
        let field = kind.indexed_field(word).map(|(index, field)| (index, field.kind));
        match (self.family(), field) {
            (Family::Vrml1, _) if self.starts_node(word) => match kind.field_index("children") {
                Some(children) => self.node(Some(children)),
                None => self.misplaced_node(kind),
            },
            // In VRML 1.0, children are nested directly instead of in a field.
            (Family::Vrml1, Some((_, FieldKind::MFNode))) => self.unknown_field(word, kind),
            (_, Some((index, field))) => self.field(id, kind, index, field),
            (Family::Vrml1, None) if matches!(word, "fields" | "isA") => {
                self.tokens.next();
                if self.tokens.eat('[') {
                    self.tokens.skip_list();
                }
            }
            (Family::Vrml1, None) => self.unknown_field(word, kind),
            (Family::X3d, None) if self.statement(word) => {}
            (Family::X3d, None) if kind.name == "Script" && is_access(word) => {
                self.declaration(id, kind)
            }
            (Family::X3d, None) if self.starts_node(word) => self.misplaced_node(kind),
            (Family::X3d, None) if kind.has_event(word) && self.connects() => {
                self.tokens.next();
                self.connection(id, word);
            }
            (Family::X3d, None) => self.unknown_field(word, kind),
        }
    }

    fn unknown_field(&mut self, word: &str, kind: &'static NodeType) {
        if starts_like_number(word) {
            self.report(&codes::SYNTAX, &format!("expected a field of {}", kind.name));
        } else {
            let span = self.tokens.span();
            self.diagnostics.push(&codes::UNKNOWN_FIELD, span, || {
                format!("{} has no field {}", kind.name, quote(word.as_bytes()))
            });
        }
        self.tokens.next();
        let start = self.tokens;
        self.skip_value(kind);
        let links = &mut self.scope.links;
        self.tokens.names_since(start, |name| links.skip(name));
    }

    /// Handles a node where a field is expected.
    fn misplaced_node(&mut self, kind: &'static NodeType) {
        self.report(&codes::SYNTAX, &format!("expected a field of {}", kind.name));
        if self.tokens.word() == Some("DEF") {
            self.tokens.word();
        }
        self.tokens.word();
        if self.tokens.eat('{') {
            self.tokens.skip_braces();
        }
    }

    /// Reads a field, including its name. A list of nodes is only read up to its bracket.
    fn field(&mut self, id: NodeId, kind: &'static NodeType, index: u8, field: FieldKind) {
        let span = self.tokens.span();
        let name = kind.field_name(index);
        self.tokens.next();
        if self.tokens.peek() == Some(Token::Word("IS")) {
            if self.prototypes.is_in_body() {
                return self.connection(id, name);
            }
            self.report(&codes::SYNTAX, "`IS` is only allowed inside a PROTO");
            self.skip_value(kind);
            return;
        }
        self.forget(id, index, [name, kind.name], span);
        self.field_value(id, kind, index, field);
    }

    /// Reads the value of a field. A list of nodes is only read up to its bracket.
    fn field_value(&mut self, id: NodeId, kind: &'static NodeType, index: u8, field: FieldKind) {
        if !field.is_nodes() {
            let span = self.tokens.span();
            match self.value(field, kind) {
                Ok(mut value) if self.words_are_known(&value, kind, index, span) => {
                    self.units.convert(kind.field_name(index), field, &mut value);
                    self.give(id, index, value)
                }
                Ok(_) => {}
                Err(left) => self.skip(left, kind),
            }
        } else if self.tokens.eat('[') {
            self.give(id, index, Value::Nodes(Vec::new()));
            if let Some(open) = self.scope.open.last_mut() {
                open.list = Some(index);
            }
        } else if let Some(Token::Word(word)) = self.tokens.peek()
            && kind.field_index(word).is_none()
        {
            self.node(Some(index));
        } else {
            self.report(&codes::SYNTAX, "expected a node");
            self.skip_value(kind);
        }
    }

    fn give(&mut self, id: NodeId, index: u8, value: Value) {
        if index == ASIDE {
            return;
        }
        if let Some(node) = self.scope.nodes.get_mut(id.index()) {
            node.fields.push((index, value));
        }
    }

    /// Drops the earlier value of a repeated field.
    fn forget(&mut self, id: NodeId, index: u8, [field, kind]: [&str; 2], span: Span) {
        let Some(node) = self.scope.nodes.get_mut(id.index()) else { return };
        if let Some(place) = node.fields.iter().position(|(at, _)| *at == index) {
            node.fields.remove(place);
            self.diagnostics.push(&codes::REPEATED_FIELD, span, || {
                format!("duplicate field {field} in {kind}")
            });
        }
    }
}
