//! Names of nodes that `DEF` cannot hold.

use std::sync::Arc;

use crate::graph::{Graph, Node, Value};

/// The `name` of a `MetadataString` with a node's name that `DEF` cannot hold.
pub(crate) const ORIGINAL_NAME: &str = "name";

impl Graph {
    /// Returns the name of a node: the name with other characters that this crate writes as
    /// metadata ([`ORIGINAL_NAME`]), `DEF`, or the `name` of a part of a humanoid or CAD model.
    /// ISO/IEC 19774-1 defines the names of joints, which programs look for, so in a humanoid
    /// `name` comes before `DEF`.
    pub(crate) fn label(&self, node: &Node) -> Option<Arc<str>> {
        if let Some(name) = self.original_name(node) {
            return Some(Arc::from(name));
        }
        let is_humanoid = node.kind.name.starts_with("HAnim");
        let is_named = is_humanoid || node.kind.name.starts_with("CAD");
        let own = || node.strings("name").first().filter(|name| is_named && !name.is_empty());
        let own = || own().map(|name| Arc::from(name.as_str()));
        if is_humanoid {
            own().or_else(|| node.name.clone())
        } else {
            node.name.clone().or_else(own)
        }
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
