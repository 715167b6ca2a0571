//! Documents: single files that contain a scene.

use std::borrow::Cow;

use anim_ir::format::Reading;
use anim_ir::{Budget, Parsed};

use crate::graph::Graph;
use crate::parser::{self, Content};
use crate::version::Version;

anim_ir::options! {
    /// Options for reading a file.
    pub struct ParseOptions {}
}

/// A file, optionally gzip-compressed, and the scene in it. The file size limit also applies to the
/// decompressed size.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(crate) source: Cow<'a, [u8]>,
    pub(crate) text: String,
    pub(crate) version: Version,
    pub(crate) graph: Graph,
}

impl<'a> Document<'a> {
    /// Parses a file whose decompressed text is charged to a budget.
    pub(crate) fn parse_within(source: Cow<'a, [u8]>, budget: &Budget) -> Reading<Document<'a>> {
        let (content, diagnostics) = parser::parse(&source, budget)?;
        let Content { text, version, graph } = content;
        Ok(Parsed { value: Document { source, text, version, graph }, diagnostics })
    }

    /// Returns the scene.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Consumes the document and returns the scene.
    pub fn into_graph(self) -> Graph {
        self.graph
    }

    /// Returns the language of the file.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Returns the decompressed and decoded text that spans refer to.
    pub fn text(&self) -> &str {
        &self.text
    }
}
