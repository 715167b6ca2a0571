//! Statements between nodes, all of which are skipped.

use anim_ir::Span;
use anim_ir::diag::quote;

use super::reader::Reader;
use super::tokens::Token;
use crate::codes;
use crate::nodes::{Family, NodeType};

impl Reader<'_, '_> {
    /// Skips the statement that starts with this word. Returns false if the word does not start a
    /// statement.
    pub(super) fn statement(&mut self, word: &str) -> bool {
        if self.family == Family::Vrml1 {
            return false;
        }
        let span = self.tokens.span();
        let words = match word {
            "PROTO" | "EXTERNPROTO" => {
                self.prototype(span);
                return true;
            }
            "PROFILE" | "COMPONENT" => 1,
            "META" => 2,
            "UNIT" | "ROUTE" => 3,
            "IMPORT" | "EXPORT" => 1,
            _ => return false,
        };
        if matches!(word, "ROUTE" | "IMPORT" | "EXPORT") {
            self.diagnostics.push(&codes::ROUTE, span, || format!("{word} is ignored"));
        }
        self.tokens.next();
        for _ in 0..words {
            if matches!(self.tokens.peek(), Some(Token::Word(_) | Token::String(_))) {
                self.tokens.next();
            }
        }
        if self.tokens.peek() == Some(Token::Word("AS")) {
            self.tokens.next();
            self.tokens.word();
        }
        true
    }

    /// Skips `PROTO name [ interface ] { nodes }` or `EXTERNPROTO name [ interface ] [ urls ]`.
    fn prototype(&mut self, span: Span) {
        self.tokens.next();
        let name = self.tokens.word().unwrap_or_default();
        self.diagnostics.push(&codes::PROTO, span, || {
            format!("the prototype {} is ignored", quote(name.as_bytes()))
        });
        if self.tokens.eat('[') {
            self.tokens.skip_list();
        }
        if self.tokens.eat('{') {
            self.tokens.skip_braces();
        } else if self.tokens.eat('[') {
            self.tokens.skip_list();
        } else if matches!(self.tokens.peek(), Some(Token::String(_))) {
            self.tokens.next();
        }
    }

    /// Skips a field that a `Script` declares: `field SFInt32 count 3`, `eventIn SFBool go`.
    pub(super) fn declaration(&mut self, kind: &'static NodeType) {
        let access = self.tokens.word().unwrap_or_default();
        self.tokens.word();
        self.tokens.word();
        let has_value =
            matches!(access, "field" | "exposedField" | "initializeOnly" | "inputOutput");
        if has_value || self.tokens.peek() == Some(Token::Word("IS")) {
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
