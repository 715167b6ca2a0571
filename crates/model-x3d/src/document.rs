//! Documents: single files that contain a scene.

use anim_ir::text::Text;

use crate::graph::Graph;
use crate::version::Version;

anim_ir::options! {
    /// Options for reading a file.
    pub struct ParseOptions {}
}

/// A file, optionally gzip-compressed, and the scene in it. The file size limit also applies to the
/// decompressed size.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// The decompressed text.
    pub(crate) text: Text<'a>,
    /// The file, if it is compressed.
    pub(crate) compressed: Option<Vec<u8>>,
    pub(crate) version: Version,
    pub(crate) graph: Graph,
}

impl Document<'_> {
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
        self.text.as_str()
    }
}
