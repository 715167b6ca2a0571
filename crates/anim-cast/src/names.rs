//! Names that tell bones apart.

use std::collections::HashSet;

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, Skeleton};

use crate::codes;

/// A name for each joint: its own, with a number behind it where another joint has it, in small
/// letters or capitals.
pub(crate) fn unique(skeleton: &Skeleton, losses: &mut Diagnostics) -> Vec<String> {
    let mut taken = HashSet::with_capacity(skeleton.joints.len());
    let mut next = 1_usize;
    let mut names = Vec::with_capacity(skeleton.joints.len());
    for joint in &skeleton.joints {
        // Strings end with a NUL.
        let own = joint.name.replace('\0', "_");
        let mut name = if own.is_empty() { "bone".to_owned() } else { own.clone() };
        while !taken.insert(name.to_lowercase()) {
            // Numbers are given out once, so that a thousand bones of one name take no million
            // tries.
            name = format!("{}.{next:03}", if own.is_empty() { "bone" } else { &own });
            next += 1;
        }
        if name != joint.name {
            losses.push(&codes::LOSS_NAME, None, || {
                format!(
                    "bone {} is written {}",
                    quote(joint.name.as_bytes()),
                    quote(name.as_bytes())
                )
            });
        }
        names.push(name);
    }
    names
}
