//! The state of the conversion, and names that are unique and valid in the format.

use anim_ir::diag::quote;
use anim_ir::encoding::truncate;
use anim_ir::{
    Budget, Clip, Diagnostics, EventIndex, Joint, JointId, Scene, Skeleton, Timeline, UniqueNames,
};

use crate::codes;
use crate::options::FromIr;
use crate::writer::NewState;

/// The memory charged for a node of a state: the node and its text in the file.
pub(super) const NODE_BYTES: usize = 640;

/// What error messages call the nodes of states.
pub(super) const STILLS: &str = "the nodes of static states";

pub(super) struct Maker<'a> {
    pub(super) scene: &'a Scene,
    pub(super) options: &'a FromIr,
    pub(super) states: Vec<NewState>,
    pub(super) names: UniqueNames<'static>,
    /// The output names of the joints, per skeleton.
    pub(super) nodes: Vec<Vec<String>>,
    pub(super) events: EventIndex<'a>,
    pub(super) budget: Budget,
    pub(super) losses: Diagnostics,
}

impl<'a> Maker<'a> {
    /// Prepares the conversion: makes all joint names unique, since nodes are identified only by
    /// name.
    pub(super) fn new(scene: &'a Scene, options: &'a FromIr, mut losses: Diagnostics) -> Maker<'a> {
        let mut names = UniqueNames::new();
        let mut name = |name: &str| unique(&mut names, name, &mut losses);
        let skeletons = scene.skeletons.iter();
        let nodes = skeletons
            .map(|skeleton| skeleton.joints.iter().map(|joint| name(&joint.name)).collect())
            .collect();
        Maker {
            scene,
            options,
            states: Vec::new(),
            names: UniqueNames::new(),
            nodes,
            events: EventIndex::of(scene),
            budget: Budget::for_scene(&options.limits, scene),
            losses,
        }
    }
}

/// A clip with its timeline and skeleton.
pub(super) struct Moving<'a> {
    pub(super) clip: &'a Clip,
    pub(super) timeline: &'a Timeline,
    pub(super) skeleton: &'a Skeleton,
}

impl<'a> Moving<'a> {
    /// Returns the joints that the clip animates, in ascending order.
    pub(super) fn joints(&self) -> Vec<(JointId, &'a Joint)> {
        let skeleton = self.skeleton;
        match &self.clip.joints {
            Some(joints) => {
                joints.iter().filter_map(|id| Some((*id, skeleton.joint(*id)?))).collect()
            }
            None => skeleton.enumerate_joints().collect(),
        }
    }
}

/// Maximum length of a name in bytes, which leaves room for a numeric suffix.
const LONGEST: usize = 4000;

/// Replaces unsupported characters in a name, truncates it if it is too long, and adds a numeric
/// suffix if it is in use.
pub(super) fn unique(
    names: &mut UniqueNames<'_>,
    wanted: &str,
    losses: &mut Diagnostics,
) -> String {
    let name = names.claim(possible(wanted)).into_owned();
    losses.lost(&codes::LOSS_NAME, name != wanted, || {
        format!("{} is written as {}", quote(wanted.as_bytes()), quote(name.as_bytes()))
    });
    name
}

fn possible(name: &str) -> String {
    let character = |c: char| match c {
        '{' => '(',
        '}' => ')',
        c if c.is_control() => '_',
        c => c,
    };
    let mut possible: String = name.chars().map(character).collect();
    truncate(&mut possible, LONGEST);
    possible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_possible_and_unique() {
        let (mut names, mut losses) = (UniqueNames::new(), Diagnostics::new());
        let wanted = ["walk", "walk", "walk.001", "walk", "a{b}\n", "", ""];
        let found = wanted.map(|name| unique(&mut names, name, &mut losses));
        assert_eq!(found, ["walk", "walk.001", "walk.001.001", "walk.002", "a(b)_", "", ".001"]);
        assert_eq!(losses.count(&codes::LOSS_NAME), 5);
        assert_eq!(unique(&mut names, &"é".repeat(4096), &mut losses).len(), 4000);
    }
}
