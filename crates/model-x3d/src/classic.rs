//! Scenes in the classic encodings: VRML 1.0, VRML 97, and X3D with braces.
//!
//! The three share their tokens and the form of a node, `Type { field value }`. In VRML 1.0 nodes
//! stand in each other as they are; later they are values of fields, and there are statements
//! between them.

mod fields;
mod tokens;

use std::collections::HashMap;
use std::sync::Arc;

use anim_ir::diag::{plural, quote};
use anim_ir::{Code, Diagnostic, Diagnostics, Limits, Span};

use crate::classic::fields::starts_like_number;
use crate::classic::tokens::{Token, Tokens};
use crate::codes;
use crate::graph::{Graph, Node, NodeId, Value};
use crate::nodes::{Family, FieldKind, NodeType, find};
use crate::version::Version;

/// How deep nodes may stand in each other.
const DEPTH: usize = 256;

/// Reads a scene. Spans count from the start of `text`.
///
/// A node has its place in the list by where it starts, so that it comes before those in it.
pub(crate) fn read(
    text: &str,
    version: Version,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
) -> Graph {
    let mut reader = Reader {
        tokens: Tokens::new(text),
        family: version.family(),
        limits,
        diagnostics,
        nodes: Vec::new(),
        roots: Vec::new(),
        open: Vec::new(),
        names: HashMap::new(),
        floats: Vec::new(),
        ints: Vec::new(),
    };
    while let Some(token) = reader.tokens.peek() {
        reader.step(token);
    }
    reader.finish()
}

struct Reader<'a, 'd> {
    tokens: Tokens<'a>,
    family: Family,
    limits: &'d Limits,
    diagnostics: &'d mut Diagnostics,
    nodes: Vec<Node>,
    roots: Vec<NodeId>,
    /// From the outermost to the innermost. A stack of its own, since the file says how deep it
    /// goes.
    open: Vec<Open<'a>>,
    /// Nodes that are complete, by name: a node cannot be used inside itself.
    names: HashMap<&'a str, NodeId>,
    /// Space for the numbers of a field.
    floats: Vec<f32>,
    ints: Vec<i32>,
}

/// A node whose closing brace is still to come.
#[derive(Clone, Copy)]
struct Open<'a> {
    id: NodeId,
    kind: &'static NodeType,
    name: Option<&'a str>,
    /// The field whose bracket is open.
    list: Option<u8>,
}

impl<'a> Reader<'a, '_> {
    /// Reads what starts with the next token: a node up to its brace, a field, a statement, the end
    /// of something.
    fn step(&mut self, token: Token<'a>) {
        match (self.open.last().copied(), token) {
            (None, Token::Word(word)) => {
                if !self.statement(word) {
                    self.node(None);
                }
            }
            (None, _) => self.unexpected("expected a node"),
            (Some(Open { list: Some(field), kind, .. }), _) => self.in_list(token, field, kind),
            (Some(_), Token::Mark('}')) => self.close(),
            (Some(open), Token::Word(word)) => self.in_node(word, open),
            (Some(open), _) => self.unexpected(&format!("expected a field of {}", open.kind.name)),
        }
    }

    /// The next token stands where nodes are listed.
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
        if let Some(open) = self.open.last_mut() {
            open.list = None;
        }
    }

    /// The next token is a word in the body of a node.
    fn in_node(&mut self, word: &'a str, Open { id, kind, .. }: Open<'a>) {
        let index = kind.field_index(word);
        let field =
            index.and_then(|index| Some((index, kind.fields.get(usize::from(index))?.kind)));
        match (self.family, field) {
            (Family::Vrml1, _) if self.starts_node(word) => match kind.field_index("children") {
                Some(children) => self.node(Some(children)),
                None => self.misplaced_node(kind),
            },
            // The children of VRML 1.0 have no field in the file.
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
                self.declaration(kind)
            }
            (Family::X3d, None) if self.starts_node(word) => self.misplaced_node(kind),
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
        self.skip_value(kind);
    }

    /// A node where a field should be.
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

    /// A field with its name, or up to the bracket of a list of nodes.
    fn field(&mut self, id: NodeId, kind: &'static NodeType, index: u8, field: FieldKind) {
        let span = self.tokens.span();
        self.tokens.next();
        if self.tokens.peek() == Some(Token::Word("IS")) {
            self.report(
                &codes::SYNTAX,
                "only what is inside of a PROTO is something of its interface",
            );
            self.skip_value(kind);
            return;
        }
        self.forget(id, index, kind, span);
        if !field.is_nodes() {
            let span = self.tokens.span();
            match self.value(field, kind) {
                Ok(value) if self.words_are_known(&value, kind, index, span) => {
                    self.give(id, index, value)
                }
                Ok(_) => {}
                Err(left) => self.skip(left, kind),
            }
        } else if self.tokens.eat('[') {
            self.give(id, index, Value::Nodes(Vec::new()));
            if let Some(open) = self.open.last_mut() {
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
        if let Some(node) = self.nodes.get_mut(id.index()) {
            node.fields.push((index, value));
        }
    }

    /// Drops a field that is given again.
    fn forget(&mut self, id: NodeId, index: u8, kind: &NodeType, span: Span) {
        let Some(node) = self.nodes.get_mut(id.index()) else { return };
        if let Some(place) = node.fields.iter().position(|(at, _)| *at == index) {
            node.fields.remove(place);
            let name = kind.fields.get(usize::from(index)).map_or("", |field| field.name);
            self.diagnostics.push(&codes::REPEATED_FIELD, span, || {
                format!("{} has the field {name} twice", kind.name)
            });
        }
    }

    /// Whether a word, which comes next, begins a node.
    fn starts_node(&mut self, word: &str) -> bool {
        matches!(word, "DEF" | "USE") || self.tokens.peek_second() == Some(Token::Mark('{'))
    }

    /// A node up to its opening brace, or the name of one that is used again. It goes into a field
    /// of the innermost open node.
    fn node(&mut self, field: Option<u8>) {
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
            return self.unexpected("expected the type of a node");
        };
        self.tokens.next();
        if !self.tokens.eat('{') {
            let message = || {
                format!(
                    "expected a node, found {} without a brace behind it",
                    quote(word.as_bytes())
                )
            };
            self.diagnostics.push(&codes::SYNTAX, span, message);
            return;
        }
        let Some(kind) = find(word, self.family) else {
            return self.unknown_node(word, span);
        };
        if self.open.len() >= DEPTH {
            self.diagnostics.push(&codes::DEPTH, span, || {
                format!("more than {DEPTH} nodes stand in each other")
            });
            self.tokens.skip_braces();
            return;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node { kind, name: name.map(Arc::from), fields: Vec::new(), span });
        self.attach(field, id, span);
        self.open.push(Open { id, kind, name, list: None });
    }

    fn unknown_node(&mut self, word: &str, span: Span) {
        let other = match self.family {
            Family::Vrml1 => (Family::X3d, "VRML 97 and X3D have it"),
            Family::X3d => (Family::Vrml1, "VRML 1.0 has it"),
        };
        self.diagnostics.report(&codes::UNKNOWN_NODE, || {
            let message = format!("the node type {} is not known", quote(word.as_bytes()));
            let diagnostic = Diagnostic::new(&codes::UNKNOWN_NODE, span, message);
            if find(word, other.0).is_some() { diagnostic.help(other.1) } else { diagnostic }
        });
        if !self.tokens.skip_braces() {
            self.diagnostics.push(&codes::UNCLOSED, span, || {
                format!("{} has no closing brace", quote(word.as_bytes()))
            });
        }
    }

    /// The name behind `DEF`.
    fn name(&mut self) -> Option<&'a str> {
        let span = self.tokens.span();
        let Some(name) = self.tokens.word() else {
            self.report(&codes::SYNTAX, "expected a name");
            return None;
        };
        if name.len() > self.limits.name_bytes {
            let most = self.limits.name_bytes;
            self.diagnostics.push(&codes::NAME, span, || {
                format!("the name has {} bytes, more than the limit of {most}", name.len())
            });
            return None;
        }
        if self.names.contains_key(name) {
            self.diagnostics.push(&codes::REPEATED_NAME, span, || {
                format!("another node before this is called {}", quote(name.as_bytes()))
            });
        }
        Some(name)
    }

    fn use_node(&mut self, field: Option<u8>) {
        self.tokens.next();
        let span = self.tokens.span();
        let Some(name) = self.tokens.word() else {
            return self.report(&codes::SYNTAX, "expected a name");
        };
        match self.names.get(name) {
            Some(id) => self.attach(field, *id, span),
            None => {
                let inside = self.open.iter().any(|open| open.name == Some(name));
                self.diagnostics.push(&codes::USE, span, || {
                    let name = quote(name.as_bytes());
                    if inside {
                        format!("{name} is used inside of itself")
                    } else {
                        format!("no node before this is called {name}")
                    }
                });
            }
        }
    }

    /// Hangs a node into a field of the innermost open node, or to the top.
    fn attach(&mut self, field: Option<u8>, id: NodeId, span: Span) {
        let (Some(open), Some(index)) = (self.open.last(), field) else {
            self.roots.push(id);
            return;
        };
        let Some(parent) = self.nodes.get_mut(open.id.index()) else { return };
        let many = parent.field_kind(index) == Some(FieldKind::MFNode);
        match parent.fields.iter_mut().rev().find(|(at, _)| *at == index) {
            Some((_, Value::Nodes(nodes))) if many || nodes.is_empty() => nodes.push(id),
            Some(_) => {
                let name =
                    parent.kind.fields.get(usize::from(index)).map_or("", |field| field.name);
                self.diagnostics.push(&codes::COUNT, span, || {
                    format!("{} has its {name} already", parent.kind.name)
                });
            }
            None => parent.fields.push((index, Value::Nodes(vec![id]))),
        }
    }

    /// The closing brace of the innermost node.
    fn close(&mut self) {
        self.tokens.next();
        if let Some(Open { id, name: Some(name), .. }) = self.open.pop() {
            self.names.insert(name, id);
        }
    }

    /// Reads the statement that starts with that word, if it is one. None of them says anything of
    /// a scene at rest.
    fn statement(&mut self, word: &str) -> bool {
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
            self.diagnostics.push(&codes::ROUTE, span, || format!("{word} is not followed"));
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

    /// `PROTO name [ interface ] { nodes }` or `EXTERNPROTO name [ interface ] [ urls ]`.
    fn prototype(&mut self, span: Span) {
        self.tokens.next();
        let name = self.tokens.word().unwrap_or_default();
        self.diagnostics.push(&codes::PROTO, span, || {
            format!("the prototype {} is not followed", quote(name.as_bytes()))
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

    /// A field that a `Script` has of its own: `field SFInt32 count 3`, `eventIn SFBool go`.
    fn declaration(&mut self, kind: &'static NodeType) {
        let access = self.tokens.word().unwrap_or_default();
        self.tokens.word();
        self.tokens.word();
        let has_value =
            matches!(access, "field" | "exposedField" | "initializeOnly" | "inputOutput");
        if has_value || self.tokens.peek() == Some(Token::Word("IS")) {
            self.skip_value(kind);
        }
    }

    /// Reports the next token.
    fn report(&mut self, code: &'static Code, expected: &str) {
        let span = self.tokens.span();
        let found = self.tokens.peek();
        self.diagnostics.push(code, span, || match found {
            Some(token) => {
                format!("{expected}, found {}", quote(token.text(&mut [0; 4]).as_bytes()))
            }
            None => format!("{expected}, found the end of the file"),
        });
    }

    /// Reports the next token and passes over it.
    fn unexpected(&mut self, expected: &str) {
        self.report(&codes::SYNTAX, expected);
        self.tokens.next();
    }

    fn finish(self) -> Graph {
        if let Some(open) = self.open.last()
            && let Some(node) = self.nodes.get(open.id.index())
        {
            let around = self.open.len().saturating_sub(1);
            self.diagnostics.push(&codes::UNCLOSED, node.span, || match around {
                0 => format!("{} has no closing brace", open.kind.name),
                _ => format!(
                    "{} and {} around it have no closing brace",
                    open.kind.name,
                    plural(around, "node")
                ),
            });
        }
        Graph {
            nodes: self.nodes.into_iter().map(Arc::new).collect(),
            roots: self.roots,
            ..Graph::default()
        }
    }
}

/// Words that begin the declaration of a field, in VRML 97 and in X3D.
fn is_access(word: &str) -> bool {
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

#[cfg(test)]
mod tests;
