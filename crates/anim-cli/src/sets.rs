//! What `info` tells of the bone sets of ANM text.

use anim_formats::AnyDocument;
use anim_formats::anm_text::Set;
use serde::Serialize;

use crate::term::{count, show_name};

/// Bones of a set that are named without `--all`.
const SHOWN: usize = 8;

/// A bone set.
#[derive(Serialize)]
pub(crate) struct BoneSet {
    pub(crate) name: String,
    bones: Vec<Bone>,
    /// How many.
    events: usize,
    /// How many animations.
    clips: usize,
}

/// A line of a set's bones.
#[derive(Serialize)]
struct Bone {
    name: String,
    /// Whether what hangs from it is in the set too.
    children: bool,
    /// Whether its parent is in the set too.
    parent: bool,
}

impl BoneSet {
    /// `None` for other formats.
    pub(crate) fn all(document: &AnyDocument<'_>) -> Option<Vec<BoneSet>> {
        if let AnyDocument::AnmText(document) = document {
            Some(document.sets().map(BoneSet::of).collect())
        } else {
            None
        }
    }

    fn of(set: Set<'_>) -> BoneSet {
        let bones = set.bones().map(|bone| Bone {
            name: bone.name().into_owned(),
            children: bone.with_children(),
            parent: bone.with_parent(),
        });
        BoneSet {
            name: set.name().into_owned(),
            bones: bones.collect(),
            events: set.events().len(),
            clips: set.clips().len(),
        }
    }

    /// Name, bones, and how many events and animations there are.
    pub(crate) fn cells(&self, all: bool) -> Vec<String> {
        let shown = if all { usize::MAX } else { SHOWN };
        let mut bones: Vec<String> = self.bones.iter().take(shown).map(Bone::shown).collect();
        if self.bones.len() > shown {
            bones.push(format!(
                "… {}",
                count(self.bones.len().saturating_sub(shown), "more", "more")
            ));
        }
        vec![
            show_name(&self.name),
            count(self.clips, "clip", "clips"),
            count(self.events, "event", "events"),
            bones.join(", "),
        ]
    }
}

impl Bone {
    fn shown(&self) -> String {
        let option =
            |given: bool, name: &str| if given { format!(" +{name}") } else { String::new() };
        format!(
            "{}{}{}",
            show_name(&self.name),
            option(self.children, "children"),
            option(self.parent, "parent")
        )
    }
}
