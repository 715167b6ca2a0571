//! A scene in a file of its own.

use std::borrow::Cow;

use crate::graph::Graph;
use crate::version::Version;

anim_ir::options! {
    /// How to read a file.
    pub struct ParseOptions {}
}

/// A file with a scene, compressed (gzip) or not, and the scene. What a compressed file unpacks to
/// is bounded like a file.
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
}
