//! Names of nodes that `DEF` cannot hold.

use std::sync::Arc;

use crate::graph::{Graph, Node, Value};

/// The `name` of a `MetadataString` with a node's name that `DEF` cannot hold.
pub(crate) const ORIGINAL_NAME: &str = "name";

impl Graph {
    /// Returns the name of a node: `DEF`, or the name with other characters that this crate writes
    /// as metadata ([`ORIGINAL_NAME`]).
    pub(crate) fn label(&self, node: &Node) -> Option<Arc<str>> {
        self.original_name(node).map(Arc::from).or_else(|| node.name.clone())
    }

    /// Returns the name of a node in metadata ([`ORIGINAL_NAME`]). It also marks the sensors of
    /// clips that move nothing.
    pub(crate) fn original_name(&self, node: &Node) -> Option<&str> {
        let Some(Value::Nodes(metadata)) = node.given("metadata") else { return None };
        let metadata = self.node(*metadata.first()?)?;
        let [key] = metadata.strings("name") else { return None };
        let [name] = metadata.strings("value") else { return None };
        let is_name = metadata.kind.name == "MetadataString" && key == ORIGINAL_NAME;
        is_name.then_some(name.as_str())
    }
}
