//! A scene in a file of its own.

use std::borrow::Cow;

use anim_ir::{ParseError, Parsed};

use crate::graph::Graph;
use crate::parser::{self, Content};
use crate::version::Version;

anim_ir::options! {
    /// How to read a file.
    pub struct ParseOptions {}
}

/// A file with a scene, and the scene.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    source: Cow<'a, [u8]>,
    text: String,
    version: Version,
    graph: Graph,
}

impl<'a> Document<'a> {
    /// Reads a file, compressed (gzip) or not, with default options.
    ///
    /// # Errors
    ///
    /// [`ParseError`] where there is nothing to give.
    pub fn parse(source: impl Into<Cow<'a, [u8]>>) -> Result<Parsed<Document<'a>>, ParseError> {
        Document::parse_with(source, &ParseOptions::default())
    }

    /// Reads a file, compressed (gzip) or not. What a compressed file unpacks to is bounded like a
    /// file.
    ///
    /// # Errors
    ///
    /// [`ParseError`] where there is nothing to give.
    pub fn parse_with(
        source: impl Into<Cow<'a, [u8]>>,
        options: &ParseOptions,
    ) -> Result<Parsed<Document<'a>>, ParseError> {
        let source = source.into();
        let (content, diagnostics) = parser::parse(&source, &options.limits)?;
        let Content { text, version, graph } = content;
        Ok(Parsed { value: Document { source, text, version, graph }, diagnostics })
    }

    /// The scene.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The scene alone.
    pub fn into_graph(self) -> Graph {
        self.graph
    }

    /// Which language it is written in.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The text, unpacked and decoded: what spans are places of.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The file as it was read.
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.source)
    }

    /// A document that owns its bytes.
    pub fn into_owned(self) -> Document<'static> {
        let Document { source, text, version, graph } = self;
        Document { source: Cow::Owned(source.into_owned()), text, version, graph }
    }
}
