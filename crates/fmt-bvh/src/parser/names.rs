//! Joints that have the same name.

use std::collections::HashMap;

use anim_ir::diag::quote;
use anim_ir::source::{Place, locate};
use anim_ir::{Diagnostic, Diagnostics};

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
            diagnostics.report(&codes::NAME_DUPLICATE, || {
                let line = locate(source, first.span().start).line;
                let message = format!("joint {} exists already in line {line}", quote(name));
                Diagnostic::new(&codes::NAME_DUPLICATE, place.span(), message)
                    .help("rename one of them; programs find joints by their names")
            });
        }
    }
}
