//! Joints that have the same name.

use std::collections::HashMap;

use anim_ir::Diagnostics;
use anim_ir::diag::quote;
use anim_ir::source::{Place, locate};

use crate::codes;
use crate::content::Content;

/// Reports joints, end sites aside, that have the name of an earlier one.
pub(super) fn check(source: &[u8], content: &Content, diagnostics: &mut Diagnostics) {
    let mut seen: HashMap<&[u8], Place> = HashMap::with_capacity(content.joints.len());
    let joints = content.joints.iter().filter(|joint| !joint.is_end && joint.name.length > 0);
    for place in joints.map(|joint| joint.name) {
        let name = place.of(source);
        let first = *seen.entry(name).or_insert(place);
        if first != place {
            diagnostics.push(&codes::NAME_DUPLICATE, place.span(), || {
                let line = locate(source, first.span().start).line;
                format!("joint {} exists already in line {line}", quote(name))
            });
        }
    }
}
