//! Matches the joints of scenes that are merged.

use std::collections::{HashMap, HashSet};

use super::mismatch::{Mismatch, ROUNDING};
use crate::ops::diff::Gap;
use crate::{Joint, JointId, JointRef, Scene, Skeleton, SkeletonId, Vec3};

/// The name of a joint, and how it differs from its counterpart.
pub(super) type JointMismatch = (String, Mismatch);

/// The joints of a scene that correspond to those of another.
pub(super) struct JointMap {
    joints: Vec<Vec<JointRef>>,
    skeletons: Vec<SkeletonId>,
}

impl JointMap {
    /// Matches the joints of two scenes. Adds a skeleton to the scene if the other has one without
    /// joints and the scene does not.
    pub(super) fn between(scene: &mut Scene, other: &Scene) -> Result<JointMap, JointMismatch> {
        let in_scene = numbered(scene);
        let place: HashMap<(&str, usize), JointRef> = in_scene.iter().copied().collect();
        let length = largest_offset(scene).max(largest_offset(other));
        let mut joints: Vec<Vec<JointRef>> = vec![Vec::new(); other.skeletons.len()];
        let mut taken: HashSet<JointRef> = HashSet::new();
        for (key, own) in numbered(other) {
            let Some(joint) = other.joint(own) else { continue };
            let name = || joint.name.clone();
            let found = place.get(&key).and_then(|place| Some((*place, scene.joint(*place)?)));
            let Some((place, counterpart)) = found else { return Err((name(), Mismatch::Added)) };
            let Some(of_skeleton) = joints.get_mut(own.skeleton.index()) else { continue };
            if of_skeleton.first().is_some_and(|first| first.skeleton != place.skeleton) {
                return Err((name(), Mismatch::Skeleton));
            }
            let parent = joint.parent.and_then(|parent| of_skeleton.get(parent.index()));
            if parent.map(|parent| parent.joint) != counterpart.parent {
                let name_of = |scene: &Scene, skeleton, parent: Option<JointId>| {
                    let found = scene.joint(JointRef { skeleton, joint: parent? })?;
                    Some(found.name.clone())
                };
                let parents = [
                    name_of(other, own.skeleton, joint.parent),
                    name_of(scene, place.skeleton, counterpart.parent),
                ];
                return Err((name(), Mismatch::Parent(parents)));
            }
            let gap = Gap::between(joint.rest, counterpart.rest);
            if gap.excess(length, ROUNDING) > 1.0 {
                return Err((name(), Mismatch::Rest(gap)));
            }
            of_skeleton.push(place);
            taken.insert(place);
        }
        if let Some(((name, _), _)) = in_scene.iter().find(|(_, place)| !taken.contains(place)) {
            return Err(((*name).to_owned(), Mismatch::Missing));
        }
        let skeletons = joints.iter().zip(&other.skeletons).map(|(joints, skeleton)| {
            let empty = scene.skeletons.iter().position(|skeleton| skeleton.joints.is_empty());
            let known = joints.first().map(|joint| joint.skeleton);
            known
                .or(empty.map(SkeletonId::new))
                .unwrap_or_else(|| scene.add_skeleton(skeleton.clone()))
        });
        let skeletons = skeletons.collect();
        Ok(JointMap { joints, skeletons })
    }

    pub(super) fn joint(&self, JointRef { skeleton, joint }: JointRef) -> Option<JointRef> {
        self.joints.get(skeleton.index())?.get(joint.index()).copied()
    }

    pub(super) fn skeleton(&self, skeleton: SkeletonId) -> SkeletonId {
        self.skeletons.get(skeleton.index()).copied().unwrap_or(skeleton)
    }
}

/// Returns all joints with their names, numbered among the joints of the same name.
fn numbered<'a>(scene: &'a Scene) -> Vec<((&'a str, usize), JointRef)> {
    let mut seen: HashMap<&'a str, usize> = HashMap::new();
    let all = scene.enumerate_skeletons().flat_map(|(skeleton, of)| {
        of.enumerate_joints().map(move |(joint, named)| (named, JointRef { skeleton, joint }))
    });
    let number = |(joint, place): (&'a Joint, JointRef)| {
        let name = joint.name.as_str();
        let next = seen.entry(name).or_default();
        let nth = *next;
        *next = next.saturating_add(1);
        ((name, nth), place)
    };
    all.map(number).collect()
}

/// Returns the largest distance between a joint and its parent, or 1 if there is none.
fn largest_offset(scene: &Scene) -> f64 {
    let joints = scene.skeletons.iter().flat_map(|Skeleton { joints, .. }| joints);
    let offsets = joints.map(|joint| joint.rest.translation.distance(Vec3::ZERO));
    let largest = offsets.filter(|offset| offset.is_finite()).fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}
