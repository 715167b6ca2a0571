//! Motion on a model that has the same names.

use anim_ir::diag::quote;
use anim_ir::{Category, Code, Diagnostics, Scene, Severity};

/// A name that the model does not have.
pub(crate) static MISSING: Code = Code {
    id: "motion-node-unknown",
    severity: Severity::Warning,
    category: Category::Reference,
    meaning: "The motion is for nodes of a model, by their names, and the model has no node of this one.",
    example: "",
    action: "What moves it is left out.",
};

/// A node that stays where it is.
pub(crate) static FIXED: Code = Code {
    id: "motion-node-fixed",
    severity: Severity::Warning,
    category: Category::Loss,
    meaning: "The model has a node of that name which cannot be moved here: its mesh follows a skin, it stands above bones, or it belongs to another skeleton than \
              the other nodes that move.",
    example: "",
    action: "What moves it is left out.",
};

/// A name that several nodes of the model have.
pub(crate) static AMBIGUOUS: Code = Code {
    id: "motion-node-ambiguous",
    severity: Severity::Warning,
    category: Category::Reference,
    meaning: "Several nodes of the model have the name of a node that moves.",
    example: "",
    action: "The first of them moves.",
};

/// All codes of this module.
pub(crate) static CODES: [&Code; 3] = [&MISSING, &FIXED, &AMBIGUOUS];

/// Puts motion onto the nodes of a model that have the same names: the states of an STT file onto a glTF model, or any other. What the model does itself
/// stays.
pub fn put_motion_on(model: &mut Scene, motion: Scene) -> Diagnostics {
    let mut losses = Diagnostics::new();
    let result = model.take_motion(motion);
    for name in &result.missing {
        losses.push(&MISSING, None, || format!("the model has no node {}", quote(name.as_bytes())));
    }
    for name in &result.fixed {
        losses.push(&FIXED, None, || format!("the node {} of the model cannot be moved", quote(name.as_bytes())));
    }
    for name in &result.ambiguous {
        losses.push(&AMBIGUOUS, None, || format!("several nodes of the model are called {}; the first one moves", quote(name.as_bytes())));
    }
    losses
}
