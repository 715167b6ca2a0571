//! Motion on a model that has the same names.

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, Scene};

use crate::codes;

/// Puts motion onto the nodes of a model that have the same names: the states of an STT file onto a
/// glTF model, or any other. What the model does itself stays.
pub fn put_motion_on(model: &mut Scene, motion: Scene) -> Diagnostics {
    let mut losses = Diagnostics::new();
    let result = model.take_motion(motion);
    for name in &result.missing {
        losses.push(&codes::NODE_UNKNOWN, None, || {
            format!("the model has no node {}", quote(name.as_bytes()))
        });
    }
    for name in &result.fixed {
        losses.push(&codes::NODE_FIXED, None, || {
            format!("the node {} of the model cannot be moved", quote(name.as_bytes()))
        });
    }
    for name in &result.ambiguous {
        losses.push(&codes::NODE_AMBIGUOUS, None, || {
            format!(
                "several nodes of the model are called {}; the first one moves",
                quote(name.as_bytes())
            )
        });
    }
    losses
}
