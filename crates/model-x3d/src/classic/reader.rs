//! The parser's state: the nodes read so far, and the open nodes.

use std::collections::BTreeMap;
use std::sync::Arc;

use anim_ir::diag::{plural, quote};
use anim_ir::{Code, Diagnostics, Limits, Span};

use super::tokens::{Token, Tokens};
use crate::codes;
use crate::graph::{Graph, Node, NodeId};
use crate::links::LinkReader;
use crate::names::Names;
use crate::nodes::{Family, NodeType};
use crate::prototypes::Declarations;
use crate::units::Units;

/// The state of parsing a scene.
pub(super) struct Reader<'a, 'd> {
    pub(super) tokens: Tokens<'a>,
    /// The language of the file.
    pub(super) family: Family,
    pub(super) limits: &'d Limits,
    pub(super) diagnostics: &'d mut Diagnostics,
    pub(super) scope: Scope,
    /// The scopes around the current one, outermost first.
    pub(super) around: Vec<Scope>,
    pub(super) prototypes: Declarations,
    pub(super) units: Units,
    /// Buffers for the numbers in a field.
    pub(super) floats: Vec<f32>,
    pub(super) ints: Vec<i32>,
}

/// The nodes of the file or of a prototype. Names are known only in their own scope.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) nodes: Vec<Node>,
    pub(super) roots: Vec<NodeId>,
    /// The instances of prototypes.
    pub(super) instances: BTreeMap<NodeId, usize>,
    /// The open nodes, outermost first. This is an explicit stack, since the file determines the
    /// depth.
    pub(super) open: Vec<Open>,
    pub(super) names: Names,
    pub(super) links: LinkReader,
}

impl Scope {
    pub(super) fn finish(self, diagnostics: &mut Diagnostics) -> Graph {
        let names = self.names;
        let links = self.links.finish(|name| names.get(name), diagnostics);
        Graph {
            nodes: self.nodes.into_iter().map(Arc::new).collect(),
            roots: self.roots,
            links: Arc::new(links),
            instances: self.instances,
            ..Graph::default()
        }
    }
}

/// A node whose closing brace has not yet been read.
#[derive(Clone, Copy)]
pub(super) struct Open {
    /// The node, unless it is of an unknown type.
    pub(super) id: NodeId,
    pub(super) span: Span,
    pub(super) kind: &'static NodeType,
    /// The field whose bracket is open.
    pub(super) list: Option<u8>,
    /// The number of open braces, for a node whose content is skipped.
    pub(super) braces: usize,
}

impl Open {
    pub(super) const fn new(id: NodeId, kind: &'static NodeType, span: Span) -> Open {
        Open { id, span, kind, list: None, braces: 0 }
    }
}

/// Stands for a field of nodes that is not read, such as that of a `Script`. The nodes are not part
/// of the scene, but may be used in it.
pub(super) const ASIDE: u8 = u8::MAX;

impl<'a, 'd> Reader<'a, 'd> {
    pub(super) fn new(
        text: &'a str,
        family: Family,
        limits: &'d Limits,
        diagnostics: &'d mut Diagnostics,
    ) -> Reader<'a, 'd> {
        Reader {
            tokens: Tokens::new(text),
            family,
            limits,
            diagnostics,
            scope: Scope::default(),
            around: Vec::new(),
            prototypes: Declarations::default(),
            units: Units::default(),
            floats: Vec::new(),
            ints: Vec::new(),
        }
    }

    /// Returns the language of the innermost open node, or of the file.
    pub(super) fn family(&self) -> Family {
        self.scope.open.last().map_or(self.family, |open| open.kind.family)
    }

    /// Whether the next token, a word, starts a node.
    pub(super) fn starts_node(&mut self, word: &str) -> bool {
        matches!(word, "DEF" | "USE") || self.tokens.peek_second() == Some(Token::Mark('{'))
    }

    /// Reports the next token as an error.
    pub(super) fn report(&mut self, code: &'static Code, expected: &str) {
        let span = self.tokens.span();
        let found = self.tokens.peek();
        self.diagnostics.push(code, span, || match found {
            Some(token) => {
                format!("{expected}, found {}", quote(token.text(&mut [0; 4]).as_bytes()))
            }
            None => format!("{expected}, found the end of the file"),
        });
    }

    /// Reports the next token as an error and skips it.
    pub(super) fn unexpected(&mut self, expected: &str) {
        self.report(&codes::SYNTAX, expected);
        self.tokens.next();
    }

    pub(super) fn finish(mut self) -> Graph {
        if !self.around.is_empty() {
            let span = self.prototypes.span();
            self.diagnostics.push(&codes::UNCLOSED, span, || "the prototype has no end".to_owned());
            self.prototypes.abandon();
            self.around.truncate(1);
            self.scope = self.around.pop().unwrap_or_default();
        } else if let Some(open) = self.scope.open.last() {
            let around = self.scope.open.len().saturating_sub(1);
            self.diagnostics.push(&codes::UNCLOSED, open.span, || match around {
                0 => format!("{} has no closing brace", open.kind.name),
                _ => format!(
                    "{} and {} around it have no closing brace",
                    open.kind.name,
                    plural(around, "node")
                ),
            });
        }
        let prototypes = self.prototypes.finish();
        let mut graph = Graph { prototypes, ..self.scope.finish(self.diagnostics) };
        self.units.scale(&mut graph);
        graph
    }
}
