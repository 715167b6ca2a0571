//! The state machine that is written.

use anim_ir::{Converted, Diagnostics, Scene, StateMachine, require_valid};

use crate::codes;
use crate::error::FromIrError;

/// Returns the first state machine of a scene, and reports that others are dropped.
pub(crate) fn machine_of(scene: &Scene) -> Result<Converted<&StateMachine>, FromIrError> {
    require_valid(scene)?;
    let value = scene.machines.first().ok_or(FromIrError::NoMachine)?;
    let mut losses = Diagnostics::new();
    let others = scene.machines.len().saturating_sub(1);
    losses.lost_some(&codes::LOSS_MACHINES, others, "dropped state machines");
    Ok(Converted { value, losses })
}
