//! The parser's state: the nodes read so far, and the open nodes.

use std::collections::HashMap;
use std::sync::Arc;

use anim_ir::diag::{plural, quote};
use anim_ir::{Code, Diagnostics, Limits};

use super::tokens::{Token, Tokens};
use crate::codes;
use crate::graph::{Graph, Node, NodeId};
use crate::links::LinkReader;
use crate::nodes::{Family, NodeType};

/// The state of parsing a scene.
pub(super) struct Reader<'a, 'd> {
    pub(super) tokens: Tokens<'a>,
    /// The language of the file.
    pub(super) family: Family,
    pub(super) limits: &'d Limits,
    pub(super) diagnostics: &'d mut Diagnostics,
    pub(super) nodes: Vec<Node>,
    pub(super) roots: Vec<NodeId>,
    /// The open nodes, outermost first. This is an explicit stack, since the file determines the
    /// depth.
    pub(super) open: Vec<Open<'a>>,
    /// Complete nodes, keyed by name. Open nodes are excluded, since a node cannot be used inside
    /// itself.
    pub(super) names: HashMap<&'a str, NodeId>,
    /// Buffers for the numbers in a field.
    pub(super) floats: Vec<f32>,
    pub(super) ints: Vec<i32>,
    pub(super) links: LinkReader,
}

/// A node whose closing brace has not yet been read.
#[derive(Clone, Copy)]
pub(super) struct Open<'a> {
    pub(super) id: NodeId,
    pub(super) kind: &'static NodeType,
    pub(super) name: Option<&'a str>,
    /// The field whose bracket is open.
    pub(super) list: Option<u8>,
}

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
            nodes: Vec::new(),
            roots: Vec::new(),
            open: Vec::new(),
            names: HashMap::new(),
            floats: Vec::new(),
            ints: Vec::new(),
            links: LinkReader::default(),
        }
    }

    /// Returns the language of the innermost open node, or of the file.
    pub(super) fn family(&self) -> Family {
        self.open.last().map_or(self.family, |open| open.kind.family)
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

    pub(super) fn finish(self) -> Graph {
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
        let names = self.names;
        let links = self.links.finish(|name| names.get(name).copied(), self.diagnostics);
        Graph {
            nodes: self.nodes.into_iter().map(Arc::new).collect(),
            roots: self.roots,
            links: Arc::new(links),
            ..Graph::default()
        }
    }
}
