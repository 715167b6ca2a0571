//! Names that tell bones apart.

use std::borrow::Cow;

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, Skeleton, UniqueNames};

use crate::codes;

/// A name for each joint: its own, with a number behind it where another joint has it, in small
/// letters or capitals.
pub(crate) fn unique(skeleton: &Skeleton, losses: &mut Diagnostics) -> Vec<String> {
    let mut taken = UniqueNames::ignoring_case();
    let mut names = Vec::with_capacity(skeleton.joints.len());
    for joint in &skeleton.joints {
        let name = taken.claim(match joint.name.as_str() {
            "" => Cow::Borrowed("bone"),
            // Strings end with a NUL.
            own if own.contains('\0') => Cow::Owned(own.replace('\0', "_")),
            own => Cow::Borrowed(own),
        });
        if name != joint.name {
            losses.push(&codes::LOSS_NAME, None, || {
                format!(
                    "bone {} is written {}",
                    quote(joint.name.as_bytes()),
                    quote(name.as_bytes())
                )
            });
        }
        names.push(name.into_owned());
    }
    names
}
