//! The nodes that names refer to.

use std::collections::HashMap;
use std::sync::Arc;

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, Span};

use crate::codes;
use crate::graph::NodeId;

/// The named nodes of a file or of a prototype. A name refers to the node whose `DEF` came last
/// (ISO/IEC 19775-1, 4.4.3), even before the node ends. Routes that come before all nodes with a
/// name refer to the last one in the file.
#[derive(Debug, Default)]
pub(crate) struct Names(HashMap<Arc<str>, NodeId>);

impl Names {
    /// Gives a node a name. Reports that an earlier node has it.
    pub(crate) fn define(
        &mut self,
        name: Arc<str>,
        id: NodeId,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) {
        if self.0.contains_key(&name) {
            diagnostics.push(&codes::REPEATED_NAME, span, || {
                format!("the name {} is already used by an earlier node", quote(name.as_bytes()))
            });
        }
        self.0.insert(name, id);
    }

    pub(crate) fn get(&self, name: &str) -> Option<NodeId> {
        self.0.get(name).copied()
    }
}
