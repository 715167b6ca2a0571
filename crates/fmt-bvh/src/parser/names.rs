//! Checks of the names of joints.

use std::collections::HashMap;

use anim_ir::diag::quote;
use anim_ir::source::Lines;
use anim_ir::{Diagnostic, Diagnostics};

use crate::codes;
use crate::content::Content;

/// Reports joints, except end sites, with the same name as an earlier joint.
pub(super) fn check_names(source: &[u8], content: &Content, diagnostics: &mut Diagnostics) {
    let lines = Lines::new(source);
    let mut seen: HashMap<&[u8], usize> = HashMap::with_capacity(content.joints.len());
    for (index, joint) in content.joints.iter().enumerate() {
        let place = joint.name;
        if joint.is_end || place.length == 0 {
            continue;
        }
        let name = place.of(source);
        let first = *seen.entry(name).or_insert(index);
        if let Some(first) = content.joints.get(first).filter(|_| first != index) {
            diagnostics.report(&codes::NAME_DUPLICATE, || {
                let line = lines.number(first.name.span().start);
                let message =
                    format!("duplicate joint name {}, first used on line {line}", quote(name));
                Diagnostic::new(&codes::NAME_DUPLICATE, place.span(), message)
                    .help("rename one of them; programs look up joints by name")
            });
        }
    }
}
