//! Statements between nodes. All except routes, imports and exports are skipped.

use anim_ir::diag::quote;

use super::reader::{ASIDE, Reader};
use super::tokens::Token;
use crate::codes;
use crate::graph::NodeId;
use crate::links::Port;
use crate::nodes::{Family, FieldKind, NodeType};

impl<'a> Reader<'a, '_> {
    /// Reads or skips the statement that starts with this word. Returns false if the word does not
    /// start a statement.
    pub(super) fn statement(&mut self, word: &str) -> bool {
        if self.family() == Family::Vrml1 {
            return false;
        }
        let words = match word {
            "PROTO" | "EXTERNPROTO" => {
                self.prototype();
                return true;
            }
            "ROUTE" | "IMPORT" | "EXPORT" => {
                self.link(word);
                return true;
            }
            "UNIT" => {
                self.unit();
                return true;
            }
            "COMPONENT" => {
                self.component();
                return true;
            }
            "PROFILE" => 1,
            "META" => 2,
            _ => return false,
        };
        self.tokens.next();
        for _ in 0..words {
            if matches!(self.tokens.peek(), Some(Token::Word(_) | Token::String(_))) {
                self.tokens.next();
            }
        }
        true
    }

    /// Reads `COMPONENT name:level`, with or without whitespace around the colon.
    fn component(&mut self) {
        self.tokens.next();
        let Some(Token::Word(mut text) | Token::String(mut text)) = self.tokens.peek() else {
            return;
        };
        self.tokens.next();
        if !text.contains(':') {
            match self.tokens.peek() {
                Some(Token::Word(level)) if level.starts_with(':') => text = level,
                _ => return,
            }
            self.tokens.next();
        }
        if text.ends_with(':') {
            self.tokens.plain_word();
        }
    }

    /// Reads `UNIT category name factor`.
    fn unit(&mut self) {
        self.tokens.next();
        let (category, _) = (self.tokens.plain_word(), self.tokens.plain_word());
        let span = self.tokens.span();
        let (category, factor) = (category.unwrap_or_default(), self.tokens.plain_word());
        if let Err(message) = self.units.set(category, factor.unwrap_or_default()) {
            self.diagnostics.push(&codes::SYNTAX, span, || message);
        }
    }

    /// Reads `ROUTE node.event TO node.event`, `IMPORT inline.node AS name` or `EXPORT node AS
    /// name`.
    fn link(&mut self, word: &str) {
        let start = self.tokens.position();
        self.tokens.next();
        let first = self.tokens.plain_word();
        let joint = if word == "ROUTE" { "TO" } else { "AS" };
        let second = if self.tokens.peek() == Some(Token::Word(joint)) {
            self.tokens.next();
            self.tokens.plain_word()
        } else {
            None
        };
        let span = self.tokens.since(start);
        let names = &self.scope.names;
        let find = |name: &str| names.get(name);
        let port = |text: &'a str| text.rsplit_once('.').map(|(node, event)| Port { node, event });
        match (word, first, second) {
            ("ROUTE", Some(from), Some(to)) => {
                if let (Some(from), Some(to)) = (port(from), port(to)) {
                    return self.scope.links.route([from, to], span, find);
                }
            }
            ("IMPORT", Some(path), local) => {
                if let Some(Port { node, event }) = port(path) {
                    let local = [event, local.unwrap_or(event)];
                    return match find(node) {
                        Some(inline) => self.scope.links.import(inline, local, span),
                        None => self.diagnostics.push(&codes::ROUTE_NODE, span, || {
                            format!("no earlier node is named {}", quote(node.as_bytes()))
                        }),
                    };
                }
            }
            ("EXPORT", Some(node), name) => {
                return self.scope.links.export([node, name.unwrap_or(node)], span, find);
            }
            _ => {}
        }
        let expected = match word {
            "ROUTE" => "`ROUTE node.event TO node.event`",
            "IMPORT" => "`IMPORT inline.node`",
            _ => "`EXPORT node`",
        };
        self.diagnostics.push(&codes::ROUTE_SYNTAX, span, || format!("expected {expected}"));
    }

    /// Skips a field that a `Script` declares: `field SFInt32 count 3`, `eventIn SFBool go`. Nodes
    /// in it are read, since other fields may use them.
    pub(super) fn declaration(&mut self, id: NodeId, kind: &'static NodeType) {
        let access = self.tokens.word().unwrap_or_default();
        let of = self.tokens.word().and_then(FieldKind::named);
        self.tokens.word();
        let has_value =
            matches!(access, "field" | "exposedField" | "initializeOnly" | "inputOutput");
        if self.tokens.peek() == Some(Token::Word("IS")) {
            self.skip_value(kind);
        } else if has_value && of.is_some_and(FieldKind::is_nodes) {
            self.field_value(id, kind, ASIDE, FieldKind::MFNode);
        } else if has_value {
            self.skip_value(kind);
        }
    }
}

/// Keywords that start a field declaration in VRML 97 and X3D.
pub(super) fn is_access(word: &str) -> bool {
    matches!(
        word,
        "eventIn"
            | "eventOut"
            | "field"
            | "exposedField"
            | "inputOnly"
            | "outputOnly"
            | "initializeOnly"
            | "inputOutput"
    )
}
