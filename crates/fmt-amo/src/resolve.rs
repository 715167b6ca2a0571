//! The second pass: the dialect known, indices and names resolved.

mod animations;
mod faces;
mod joints;
mod keys;
mod resolver;
mod rigging;
mod statements;
mod weights;

use std::collections::HashMap;

use anim_ir::{Diagnostics, Limits};

use crate::content::Content;
use crate::dialect::Dialect;
use crate::lines::Part;
use resolver::Resolver;

/// Resolves what the first pass only noted.
pub(crate) fn resolve(
    source: &[u8],
    part: Part,
    dialect: Dialect,
    latin1: bool,
    limits: &Limits,
) -> (Content, Diagnostics) {
    let Part { vertices, joint_lines, weight_lines, geometry, statements, keys, .. } = part;
    let mut resolver = Resolver {
        source,
        limits,
        content: Content { dialect, latin1, vertices, ..Content::default() },
        diagnostics: part.diagnostics,
        declared: 0,
        made_up: HashMap::new(),
    };
    resolver.statements(&statements);
    resolver.joints(&statements);
    resolver.joint_rows(&joint_lines);
    resolver.weight_rows(&weight_lines);
    resolver.animations(&statements, &keys);
    resolver.elements(geometry);
    resolver.rigging(&joint_lines);
    resolver.cut_off();
    (resolver.content, resolver.diagnostics)
}
