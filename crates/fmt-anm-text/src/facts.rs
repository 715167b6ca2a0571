//! Bone sets, which `info` prints in addition to the scene.

use anim_ir::Value;
use anim_ir::diag::plural;
use anim_ir::format::Fact;
use anim_ir::number::index32;

use crate::document::{Document, Set};
use crate::to_ir::bones_value;
use crate::writer::bone_words;

/// The number of bones listed per set unless all are requested.
const SHOWN: usize = 8;

impl Document<'_> {
    /// Returns the bone sets: names, bones, and numbers of events and animations. `all` lists every
    /// bone.
    pub fn facts(&self, all: bool) -> Vec<Fact> {
        vec![Fact {
            key: "bone_sets",
            clip: None,
            value: self.sets().map(|set| value(&set)).collect(),
            heading: Some(("bone set", "bone sets")),
            rows: self.sets().map(|set| row(&set, all)).collect(),
        }]
    }
}

fn value(set: &Set<'_>) -> Value {
    Value::from([
        ("name", set.name().into_owned().into()),
        ("bones", bones_value(set)),
        ("events", index32(set.events().len()).into()),
        ("clips", index32(set.clips().len()).into()),
    ])
}

fn row(set: &Set<'_>, all: bool) -> Vec<String> {
    let shown = if all { usize::MAX } else { SHOWN };
    let mut bones: Vec<String> =
        set.bones().take(shown).map(|bone| bone_words(&bone.data())).collect();
    if let Some(more) = set.bones().len().checked_sub(shown).filter(|more| *more > 0) {
        bones.push(format!("… {more} more"));
    }
    vec![
        set.name().into_owned(),
        plural(set.clips().len(), "clip"),
        plural(set.events().len(), "event"),
        bones.join(", "),
    ]
}
