//! `PROTO`, `EXTERNPROTO`, `IS`, and instances of prototypes.

use super::reader::{Open, Reader};
use super::statements::is_access;
use super::tokens::Token;
use crate::codes;
use crate::graph::{DEFAULTS, NodeId, Value, new_instance};
use crate::nodes::{FieldKind, INSTANCE};

impl<'a> Reader<'a, '_> {
    /// Reads `PROTO name [` or `EXTERNPROTO name [`. The fields and nodes after it are read in a
    /// scope of their own.
    pub(super) fn prototype(&mut self) {
        let span = self.tokens.span();
        let is_external = self.tokens.word() == Some("EXTERNPROTO");
        let Some(name) = self.tokens.plain_word() else {
            return self.report(&codes::SYNTAX, "expected the name of a prototype");
        };
        if !self.tokens.eat('[') {
            return self.report(&codes::SYNTAX, "expected `[`");
        }
        if !self.prototypes.open(name, span, self.diagnostics) {
            self.tokens.skip_list();
            if self.tokens.eat('{') {
                self.tokens.skip_braces();
            }
            return;
        }
        if is_external {
            self.prototypes.set_urls(Vec::new());
        }
        self.around.push(std::mem::take(&mut self.scope));
        self.scope.nodes.push(new_instance(span));
        self.scope.open.push(Open::new(DEFAULTS, &INSTANCE, span));
    }

    /// Whether the open node has the fields that a prototype declares.
    fn is_interface(&self, open: Open) -> bool {
        open.id == DEFAULTS && self.prototypes.is_open()
    }

    /// Reads the next token in an instance of a prototype, or between the fields that a prototype
    /// declares.
    pub(super) fn in_instance(&mut self, token: Token<'a>, open: Open) {
        match token {
            Token::Mark(']') if self.is_interface(open) => self.end_interface(),
            Token::Mark('}') if self.is_interface(open) => {
                self.report(&codes::SYNTAX, "expected `]`");
                self.drop_prototype();
            }
            Token::Mark('}') => self.close(),
            Token::Word(word) if self.is_interface(open) => {
                if is_access(word) {
                    self.interface_field(word);
                } else {
                    self.unexpected("expected a field of the prototype or `]`");
                }
            }
            Token::Word(word) => {
                if !self.statement(word) {
                    self.instance_field(word, open.id);
                }
            }
            _ => self.unexpected("expected a field of the prototype"),
        }
    }

    /// Reads a declaration such as `field SFFloat size 1`.
    fn interface_field(&mut self, access: &'a str) {
        self.tokens.next();
        let span = self.tokens.span();
        let (Some(kind), Some(name)) = (self.tokens.plain_word(), self.tokens.plain_word()) else {
            return self.report(&codes::SYNTAX, "expected the type and name of a field");
        };
        let has_value =
            matches!(access, "field" | "exposedField" | "initializeOnly" | "inputOutput")
                && !self.prototypes.is_external();
        let field = self.prototypes.add_field([name, kind], span, self.diagnostics);
        match field {
            Some((index, field)) if has_value => self.instance_value(DEFAULTS, index, field),
            None if has_value => self.skip_value(&INSTANCE),
            _ => {}
        }
    }

    /// Reads a field of an instance, including its name.
    fn instance_field(&mut self, word: &'a str, id: NodeId) {
        let prototype = self.scope.instances.get(&id).copied();
        let field = prototype.and_then(|prototype| self.prototypes.field(prototype, word));
        let Some((index, kind)) = field else { return self.unknown_field(word, &INSTANCE) };
        let span = self.tokens.span();
        self.tokens.next();
        if self.connects_next() {
            return self.connection(id, word);
        }
        self.forget(id, index, [word, INSTANCE.name], span);
        self.instance_value(id, index, kind);
    }

    fn instance_value(&mut self, id: NodeId, index: u8, kind: FieldKind) {
        if kind.is_nodes() && self.tokens.peek() != Some(Token::Mark('[')) {
            // `NULL` replaces the default of the prototype.
            self.give(id, index, Value::Nodes(Vec::new()));
        }
        self.field_value(id, &INSTANCE, index, kind);
    }

    /// Whether the token after the next one is an `IS` inside a prototype.
    pub(super) fn connects(&mut self) -> bool {
        self.prototypes.is_in_body() && self.tokens.peek_second() == Some(Token::Word("IS"))
    }

    fn connects_next(&mut self) -> bool {
        self.prototypes.is_in_body() && self.tokens.peek() == Some(Token::Word("IS"))
    }

    /// Reads `IS field` after the name of a field or event.
    pub(super) fn connection(&mut self, id: NodeId, name: &str) {
        let start = self.tokens.position();
        self.tokens.next();
        let Some(interface) = self.tokens.plain_word() else {
            return self.report(&codes::SYNTAX, "expected a field of the prototype");
        };
        let span = self.tokens.since(start);
        self.prototypes.connect(id, [name, interface], span);
    }

    /// Reads what follows the fields of a prototype: the brace before the nodes, or addresses.
    fn end_interface(&mut self) {
        self.tokens.next();
        self.scope.open.pop();
        if self.prototypes.is_external() {
            match self.value(FieldKind::MFString, &INSTANCE) {
                Ok(Value::Strings(urls)) => self.prototypes.set_urls(urls.to_vec()),
                Ok(_) => {}
                Err(left) => self.skip(left, &INSTANCE),
            }
            self.end_prototype();
        } else if self.tokens.eat('{') {
            self.prototypes.start_body();
        } else {
            self.report(&codes::SYNTAX, "expected `{`");
            self.drop_prototype();
        }
    }

    /// Ends a declaration after its last token.
    pub(super) fn end_prototype(&mut self) {
        let body = std::mem::take(&mut self.scope);
        self.scope = self.around.pop().unwrap_or_default();
        let graph = body.finish(self.diagnostics);
        self.prototypes.close(graph, self.diagnostics);
    }

    /// Drops a declaration that cannot be read.
    fn drop_prototype(&mut self) {
        self.scope = self.around.pop().unwrap_or_default();
        self.prototypes.drop_innermost();
    }
}
