//! Writes the bones of a clip in as few lines as possible.

use std::collections::{BTreeMap, HashMap};

use anim_ir::diag::quote;
use anim_ir::{Clip, Diagnostics, JointId, Scene, Skeleton, Value};

use crate::codes;
use crate::to_ir::ANM_TEXT;
use crate::writer::NewBone;

/// The bones of a scene.
pub(super) struct Bones<'a> {
    skeleton: &'a Skeleton,
    /// The number of bones with each name.
    named: HashMap<&'a str, usize>,
    /// The bones of each set, if the scene has no skeleton and was read from ANM text.
    remembered: HashMap<&'a str, &'a [Value]>,
}

type Map = BTreeMap<String, Value>;

impl<'a> Bones<'a> {
    pub(super) fn new(scene: &'a Scene, skeleton: &'a Skeleton) -> Bones<'a> {
        let mut named = HashMap::new();
        for joint in &skeleton.joints {
            *named.entry(joint.name.as_str()).or_default() += 1;
        }
        let mut remembered = HashMap::new();
        if skeleton.joints.is_empty() {
            let sets =
                scene.extras.get(ANM_TEXT).and_then(map).and_then(|extras| list(extras, "sets"));
            for set in sets.unwrap_or_default().iter().filter_map(map) {
                if let (Some(name), Some(bones)) = (text(set, "name"), list(set, "bones")) {
                    remembered.entry(name).or_insert(bones);
                }
            }
        }
        Bones { skeleton, named, remembered }
    }

    /// Returns a line for each joint of a clip; a complete subtree is a single line with
    /// `+children`.
    pub(super) fn of(&self, clip: &Clip, set: &str, losses: &mut Diagnostics) -> Vec<NewBone> {
        if self.skeleton.joints.is_empty() {
            return self
                .remembered
                .get(set)
                .copied()
                .unwrap_or_default()
                .iter()
                .filter_map(bone)
                .collect();
        }
        // Whether the clip includes the joint's entire subtree, and whether the joint has children.
        let joints = self.skeleton.enumerate_joints();
        let mut whole: Vec<bool> = joints.clone().map(|(id, _)| clip.has_joint(id)).collect();
        let mut has_children = vec![false; whole.len()];
        for (id, joint) in joints.clone().rev() {
            let Some(parent) = joint.parent else { continue };
            let is_whole = is(&whole, id);
            whole.get_mut(parent.index()).into_iter().for_each(|slot| *slot &= is_whole);
            has_children.get_mut(parent.index()).into_iter().for_each(|slot| *slot = true);
        }
        let mut lines = Vec::new();
        for (id, joint) in joints {
            if !clip.has_joint(id) || joint.parent.is_some_and(|parent| is(&whole, parent)) {
                continue;
            }
            let name = joint.name.as_str();
            let same = self.named.get(name).copied().unwrap_or_default();
            losses.lost(&codes::LOSS_BONES, same > 1, || {
                format!("the model has {same} bones named {}", quote(name.as_bytes()))
            });
            lines.push(NewBone {
                name: name.to_owned(),
                children: is(&whole, id) && is(&has_children, id),
                parent: false,
            });
        }
        lines
    }
}

fn is(list: &[bool], joint: JointId) -> bool {
    list.get(joint.index()).copied().unwrap_or_default()
}

fn bone(value: &Value) -> Option<NewBone> {
    let bone = map(value)?;
    let flag = |name: &str| bone.get(name) == Some(&Value::Bool(true));
    Some(NewBone {
        name: text(bone, "name")?.to_owned(),
        children: flag("children"),
        parent: flag("parent"),
    })
}

fn map(value: &Value) -> Option<&Map> {
    if let Value::Map(map) = value { Some(map) } else { None }
}

fn list<'a>(map: &'a Map, name: &str) -> Option<&'a [Value]> {
    if let Value::List(list) = map.get(name)? { Some(list) } else { None }
}

fn text<'a>(map: &'a Map, name: &str) -> Option<&'a str> {
    if let Value::Text(text) = map.get(name)? { Some(text) } else { None }
}
