//! Documents: single files with a scene.

use std::borrow::Cow;

use crate::graph::Graph;
use crate::version::Version;

anim_ir::options! {
    /// Options for reading a file.
    pub struct ParseOptions {}
}

/// A file, compressed (gzip) or not, and the scene in it. The decompressed size has the same limit
/// as the size of a file.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(crate) source: Cow<'a, [u8]>,
    pub(crate) text: String,
    pub(crate) version: Version,
    pub(crate) graph: Graph,
}

impl<'a> Document<'a> {
    /// The scene.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the scene and drops the file.
    pub fn into_graph(self) -> Graph {
        self.graph
    }

    /// The language of the file.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The text, decompressed and decoded, which spans refer to.
    pub fn text(&self) -> &str {
        &self.text
    }
}
