//! Differences between skeletons.

use std::collections::HashSet;

use crate::ops::diff::clip_start::{is_seen, moving_joints};
use crate::ops::diff::differ::Differ;
use crate::ops::diff::difference::{Difference, Gap, Side};
use crate::{Joint, JointId, JointRef};

impl Differ<'_> {
    pub(super) fn compare_joints(&mut self) {
        let joints = self.scenes.map(|scene| {
            // All joints, each with the index of its parent in this list.
            let mut joints: Vec<(&Joint, Option<usize>)> = Vec::new();
            for skeleton in &scene.skeletons {
                let start = joints.len();
                let place = |parent: JointId| parent.index().saturating_add(start);
                joints.extend(skeleton.joints.iter().map(|joint| (joint, joint.parent.map(place))));
            }
            joints
        });
        let carried = self
            .scenes
            .map(|scene| scene.nodes.iter().map(|node| node.name.as_str()).collect::<HashSet<_>>());
        let starts = self.starts.each_ref();
        let moving = Side::BOTH.map(|side| {
            let joints =
                moving_joints(side.of(self.scenes)).filter_map(|JointRef { skeleton, joint }| {
                    Some(side.of(starts).get(skeleton.index())?.saturating_add(joint.index()))
                });
            joints.collect::<HashSet<_>>()
        });
        for (side, number) in self.joints.alone() {
            if !self.options.whole && !side.of(moving.each_ref()).contains(&number) {
                continue;
            }
            // A joint without a partner is not reported if the other scene has a node of the same
            // name: a mesh may be attached to a joint in one scene and to a plain node in the
            // other.
            let others = side.other().of(carried.each_ref());
            let joint = side.of(joints.each_ref()).get(number);
            if joint.is_some_and(|(joint, _)| others.contains(&*joint.name)) {
                self.found.joints_as_nodes = self.found.joints_as_nodes.saturating_add(1);
            } else {
                self.push(Difference::JointOnly { joint: self.joints.label(side, number), side });
            }
        }
        self.found.joints = self.joints.both.len();
        for [in_a, in_b] in self.joints.both.clone() {
            let [x, y] = &joints;
            let (Some((a, a_parent)), Some((b, b_parent))) = (x.get(in_a), y.get(in_b)) else {
                continue;
            };
            let joint = self.joints.label(Side::A, in_a);
            if a_parent.map(|parent| self.joints.partner(Side::A, parent)) != b_parent.map(Some) {
                let label = |side, parent: &Option<usize>| {
                    parent.map(|parent| self.joints.label(side, parent))
                };
                let parents = [label(Side::A, a_parent), label(Side::B, b_parent)];
                self.push(Difference::Parent { joint: joint.clone(), parents });
            }
            match [a, b].map(|joint| is_seen(joint.visible, joint.rest)) {
                [true, true] => {
                    let gap = Gap::between(a.rest, b.rest);
                    if self.exceeds(&gap) {
                        self.push(Difference::Rest { joint, gap });
                    }
                }
                [false, false] => {}
                [in_a, _] => {
                    let seen_in = if in_a { Side::A } else { Side::B };
                    self.push(Difference::RestVisible { joint, seen_in });
                }
            }
        }
    }
}
