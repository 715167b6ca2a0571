//! Looks up bones and their subtrees by name.

use std::collections::HashMap;
use std::ops::Range;

use anim_ir::diag::quote;
use anim_ir::{Diagnostic, JointId, Skeleton, Span, sort_by};

use crate::codes;

/// The meaning of `+children`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Children {
    /// All descendants of the bone. The specification's example is only correct with this
    /// interpretation.
    #[default]
    AllDescendants,
    /// Only the direct children of the bone.
    Direct,
}

/// A joint listed in a set, possibly with its descendants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Request {
    pub(super) joint: JointId,
    pub(super) children: bool,
}

/// A skeleton in depth-first order, in which every subtree is a contiguous range.
pub(super) struct Joints<'a> {
    skeleton: &'a Skeleton,
    /// The first joint with each name, and the number of joints with that name.
    by_name: HashMap<&'a str, (JointId, usize)>,
    /// The joints in depth-first order.
    order: Vec<JointId>,
    /// The index of each joint in `order`.
    place: Vec<usize>,
    /// The size of each joint's subtree, including the joint itself.
    size: Vec<usize>,
}

impl<'a> Joints<'a> {
    pub(super) fn new(skeleton: &'a Skeleton) -> Joints<'a> {
        let count = skeleton.joints.len();
        let mut by_name: HashMap<&str, (JointId, usize)> = HashMap::with_capacity(count);
        for (id, joint) in skeleton.enumerate_joints() {
            by_name.entry(&joint.name).or_insert((id, 0)).1 += 1;
        }
        let mut joints = Joints {
            skeleton,
            by_name,
            order: vec![JointId::default(); count],
            place: vec![0; count],
            size: vec![1; count],
        };
        // Parents come before their children, so sizes are computed from the last joint to the
        // first and indices from the first to the last.
        for (joint, _) in skeleton.enumerate_joints().rev() {
            let size = at(&joints.size, joint);
            let parent = joints.parent(joint);
            if let Some(slot) = parent.and_then(|parent| joints.size.get_mut(parent.index())) {
                *slot += size;
            }
        }
        let (mut next_root, mut next_child) = (0, vec![0; count]);
        for (joint, _) in skeleton.enumerate_joints() {
            let parent = joints.parent(joint);
            let next = parent
                .and_then(|parent| next_child.get_mut(parent.index()))
                .unwrap_or(&mut next_root);
            let place = *next;
            *next += at(&joints.size, joint);
            set(&mut next_child, joint.index(), place + 1);
            set(&mut joints.place, joint.index(), place);
            set(&mut joints.order, place, joint);
        }
        joints
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Returns the first joint with a name, and the number of joints with that name.
    pub(super) fn find(&self, name: &str) -> Option<(JointId, usize)> {
        self.by_name.get(name).copied()
    }

    pub(super) fn parent(&self, joint: JointId) -> Option<JointId> {
        // A joint before its parent is treated as a root.
        self.skeleton.joint(joint)?.parent.filter(|parent| *parent < joint)
    }

    pub(super) fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        let diagnostic = Diagnostic::new(
            &codes::BONE_UNKNOWN,
            span,
            format!("the model has no bone {}", quote(name.as_bytes())),
        );
        match self.skeleton.joints.iter().find(|joint| joint.name.trim().eq_ignore_ascii_case(name))
        {
            Some(alike) => {
                diagnostic.help(format!("did you mean {}?", quote(alike.name.as_bytes())))
            }
            None => diagnostic,
        }
    }

    /// Returns the requested joints as disjoint ranges of `order`.
    pub(super) fn ranges(&self, requests: &[Request], children: Children) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::with_capacity(requests.len());
        for Request { joint, children: with_children } in requests {
            let (place, size) = (at(&self.place, *joint), at(&self.size, *joint));
            match (*with_children, children) {
                (true, Children::AllDescendants) => ranges.push(place..place + size),
                (true, Children::Direct) => {
                    ranges.push(place..place + 1);
                    let mut child = place + 1;
                    while let Some(joint) = self.order.get(child).filter(|_| child < place + size) {
                        ranges.push(child..child + 1);
                        child += at(&self.size, *joint);
                    }
                }
                (false, _) => ranges.push(place..place + 1),
            }
        }
        sort_by(&mut ranges, |a, b| a.start.cmp(&b.start));
        ranges.dedup_by(|next, kept| {
            let together = next.start <= kept.end;
            if together {
                kept.end = kept.end.max(next.end);
            }
            together
        });
        ranges
    }

    /// Returns the joints in the given ranges, in ascending order.
    pub(super) fn of(&self, ranges: &[Range<usize>]) -> Vec<JointId> {
        let mut joints: Vec<JointId> = ranges
            .iter()
            .flat_map(|range| self.order.get(range.clone()).unwrap_or_default())
            .copied()
            .collect();
        sort_by(&mut joints, Ord::cmp);
        joints
    }
}

fn at(list: &[usize], joint: JointId) -> usize {
    list.get(joint.index()).copied().unwrap_or_default()
}

fn set<T>(list: &mut [T], index: usize, value: T) {
    if let Some(slot) = list.get_mut(index) {
        *slot = value;
    }
}

#[cfg(test)]
mod tests {
    use anim_ir::Joint;

    use super::*;

    /// 0 ┬ 1 ┬ 3
    ///   │   └ 5
    ///   └ 2 ─ 4     and 6 on its own
    #[test]
    fn subtrees_are_ranges() {
        let mut skeleton = Skeleton::new("");
        let parents = [None, Some(0), Some(0), Some(1), Some(2), Some(1), None];
        for parent in parents {
            skeleton.add_joint(Joint::new("", parent.map(JointId::new)));
        }
        let joints = Joints::new(&skeleton);
        let of = |requests: &[(usize, bool)], children| {
            let requests: Vec<Request> = requests
                .iter()
                .map(|(joint, children)| Request {
                    joint: JointId::new(*joint),
                    children: *children,
                })
                .collect();
            let found = joints.of(&joints.ranges(&requests, children));
            found.into_iter().map(JointId::index).collect::<Vec<usize>>()
        };
        assert_eq!(of(&[(0, true)], Children::AllDescendants), [0, 1, 2, 3, 4, 5]);
        assert_eq!(of(&[(0, true)], Children::Direct), [0, 1, 2]);
        assert_eq!(of(&[(1, true), (6, true), (5, false)], Children::AllDescendants), [1, 3, 5, 6]);
        assert_eq!(of(&[(2, true), (4, false), (0, false)], Children::Direct), [0, 2, 4]);
    }
}
