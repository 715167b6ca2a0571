//! Nodes: their types, names and parents, and `USE`.

use std::sync::Arc;

use anim_ir::diag::quote;
use anim_ir::number::index32;
use anim_ir::{Diagnostic, Span};

use super::reader::{ASIDE, Open, Reader};
use super::tokens::Token;
use crate::codes;
use crate::graph::{Node, NodeId, Value};
use crate::nodes::{
    Family, FieldKind, INSTANCE, NodeType, UNKNOWN, UNKNOWN_VRML1, find, is_instance,
};

/// Maximum nesting depth of nodes.
pub(super) const DEPTH: usize = 256;
/// Stands for the node that an unknown type would be.
const NOWHERE: NodeId = NodeId(u32::MAX);

impl<'a> Reader<'a, '_> {
    /// Reads a node up to its opening brace, or a `USE`, and adds it to a field of the innermost
    /// open node, or to the roots if there is no field. Skips `NULL` in a field.
    pub(super) fn node(&mut self, field: Option<u8>) {
        let mut name = None;
        let mut word = self.tokens.peek();
        match word {
            Some(Token::Word("USE")) => return self.use_node(field),
            Some(Token::Word("NULL")) if field.is_some() => {
                self.tokens.next();
                return;
            }
            Some(Token::Word("DEF")) => {
                self.tokens.next();
                name = self.name();
                word = self.tokens.peek();
            }
            _ => {}
        }
        let span = self.tokens.span();
        let Some(Token::Word(word)) = word else {
            return self.unexpected("expected a node type");
        };
        self.tokens.next();
        if !self.tokens.eat('{') {
            self.diagnostics.push(&codes::SYNTAX, span, || {
                let word = quote(word.as_bytes());
                format!("expected a node, found {word} without a brace after it")
            });
            return;
        }
        if self.is_too_deep(span) {
            return;
        }
        let prototype = self.prototype_of(word);
        let Some(kind) = prototype.map(|_| &INSTANCE).or_else(|| self.kind(word)) else {
            if let Some((name, _)) = name {
                self.scope.links.skip(name);
            }
            let kind = self.unknown_node(word, span);
            return self.scope.open.push(Open::new(NOWHERE, kind, span));
        };
        let id = NodeId(index32(self.scope.nodes.len()));
        let mut node = Node { kind, name: None, fields: Vec::new(), span };
        if let Some((name, span)) = name {
            let name: Arc<str> = name.into();
            node.name = Some(Arc::clone(&name));
            self.scope.names.define(name, id, span, self.diagnostics);
        }
        self.scope.nodes.push(node);
        self.attach(field, id, span);
        if let Some(prototype) = prototype {
            self.scope.instances.insert(id, prototype);
        }
        self.scope.open.push(Open::new(id, kind, span));
    }

    /// Reports and skips a node that is nested too deep.
    fn is_too_deep(&mut self, span: Span) -> bool {
        let is_too_deep = self.scope.open.len() >= DEPTH;
        if is_too_deep {
            self.diagnostics
                .push(&codes::DEPTH, span, || format!("nodes are nested more than {DEPTH} deep"));
            self.tokens.skip_braces();
        }
        is_too_deep
    }

    /// Returns the prototype with this name. A node type of the standard is preferred to a
    /// prototype in another file, unless it lacks a field under a name that is not the standard's.
    fn prototype_of(&self, word: &str) -> Option<usize> {
        let found = self.prototypes.find(word)?;
        let is_known = |kind: &NodeType| {
            kind.name == word || self.prototypes.fields(found).all(|field| kind.has_event(field))
        };
        let is_standard = !self.prototypes.has_body(found) && self.kind(word).is_some_and(is_known);
        (!is_standard).then_some(found)
    }

    /// Returns the node type with this name. Castle Game Engine writes the content of VRML 1.0
    /// files as classic X3D, below a `Separator`.
    fn kind(&self, word: &str) -> Option<&'static NodeType> {
        let kind = find(word, self.family());
        if self.family == Family::X3d && (word == "Separator" || self.family() == Family::Vrml1) {
            return kind.or_else(|| find(word, Family::Vrml1)).or_else(|| find(word, Family::X3d));
        }
        kind
    }

    /// Reports a node type that is unknown. Returns the type that stands for it.
    fn unknown_node(&mut self, word: &str, span: Span) -> &'static NodeType {
        let (kind, other) = match self.family() {
            Family::Vrml1 => {
                (&UNKNOWN_VRML1, (Family::X3d, "it is a node type of VRML 97 and X3D"))
            }
            Family::X3d => (&UNKNOWN, (Family::Vrml1, "it is a node type of VRML 1.0")),
        };
        self.diagnostics.report(&codes::UNKNOWN_NODE, || {
            let message = format!("unknown node type {}", quote(word.as_bytes()));
            let diagnostic = Diagnostic::new(&codes::UNKNOWN_NODE, span, message);
            if find(word, other.0).is_some() { diagnostic.help(other.1) } else { diagnostic }
        });
        kind
    }

    /// Reads the next token in a node whose content is skipped, except for nodes with names, which
    /// may be used in other places.
    pub(super) fn in_skipped(&mut self, token: Token<'a>, open: Open) {
        let braces = match token {
            Token::Mark('}') if open.braces == 0 => return self.close(),
            Token::Mark('}') => open.braces.saturating_sub(1),
            Token::Mark('{') => open.braces.saturating_add(1),
            Token::Word("DEF") => return self.named_node(),
            _ => open.braces,
        };
        self.tokens.next();
        if let Some(open) = self.scope.open.last_mut() {
            open.braces = braces;
        }
    }

    /// Reads the start of a node with a name whose field is skipped, or only its name if its
    /// content is skipped, too.
    fn named_node(&mut self) {
        let mut ahead = self.tokens;
        ahead.next();
        let (name, word) = (ahead.word(), ahead.word());
        let is_read = word.is_some_and(|word| {
            let kind = self.kind(word);
            self.prototypes.find(word).is_some() || kind.is_some_and(|kind| !kind.is_skipped)
        });
        if is_read && ahead.eat('{') {
            return self.node(Some(ASIDE));
        }
        self.tokens.next();
        if let Some(name) = name {
            self.tokens.next();
            self.scope.links.skip(name);
        }
    }

    /// Reads the name after `DEF`. Returns it with its place.
    fn name(&mut self) -> Option<(&'a str, Span)> {
        let span = self.tokens.span();
        let Some(name) = self.tokens.word() else {
            self.report(&codes::SYNTAX, "expected a name");
            return None;
        };
        if name.len() > self.limits.name_bytes {
            let most = self.limits.name_bytes;
            self.diagnostics.push(&codes::NAME, span, || {
                format!("the name is {} bytes long; the limit is {most}", name.len())
            });
            return None;
        }
        Some((name, span))
    }

    fn use_node(&mut self, field: Option<u8>) {
        self.tokens.next();
        let span = self.tokens.span();
        let Some(name) = self.tokens.word() else {
            return self.report(&codes::SYNTAX, "expected a name");
        };
        let found = self.scope.names.get(name);
        // The node and its open descendants, if it is open.
        let opened = |id: NodeId| {
            let open = &self.scope.open;
            open.get(open.iter().position(|open| open.id == id)?..)
        };
        match found.map(|id| (id, opened(id))) {
            Some((id, None)) => self.attach(field, id, span),
            // The fields of a script refer to nodes; these are not its children.
            Some((_, Some(open))) if open.iter().any(|open| open.kind.name == "Script") => {}
            // Why the node does not exist has been reported.
            None if self.scope.links.is_skipped(name) => {}
            _ => self.diagnostics.push(&codes::USE, span, || {
                let name = quote(name.as_bytes());
                if found.is_some() {
                    format!("{name} is used inside itself")
                } else {
                    format!("no earlier node is named {name}")
                }
            }),
        }
    }

    /// Attaches a node to a field of the innermost open node, or adds it as a root.
    fn attach(&mut self, field: Option<u8>, id: NodeId, span: Span) {
        let (Some(open), Some(index)) = (self.scope.open.last(), field) else {
            self.scope.roots.push(id);
            return;
        };
        if index == ASIDE {
            return;
        }
        let of_instance =
            || self.prototypes.kind(self.scope.instances.get(&open.id).copied(), index);
        let is_instance = is_instance(open.kind);
        let Some(parent) = self.scope.nodes.get_mut(open.id.index()) else { return };
        let kind = if is_instance { of_instance() } else { parent.field_kind(index) };
        let many = kind == Some(FieldKind::MFNode);
        match parent.fields.iter_mut().rev().find(|(at, _)| *at == index) {
            Some((_, Value::Nodes(nodes))) if many || nodes.is_empty() => nodes.push(id),
            Some(_) => {
                let kind = parent.kind;
                self.diagnostics.push(&codes::COUNT, span, || {
                    format!("{} already has a node in {}", kind.name, kind.field_name(index))
                });
            }
            None => parent.fields.push((index, Value::Nodes(vec![id]))),
        }
    }

    /// Handles the closing brace of the innermost node.
    pub(super) fn close(&mut self) {
        self.tokens.next();
        self.scope.open.pop();
    }
}
