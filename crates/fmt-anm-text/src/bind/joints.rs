//! Bones by name, and what hangs from them.

use std::collections::HashMap;
use std::ops::Range;

use anim_ir::diag::quote;
use anim_ir::{Diagnostic, Skeleton, Span};

use super::Children;
use crate::codes;

/// A joint that a set names, perhaps with what hangs from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Request {
    pub(super) joint: usize,
    pub(super) children: bool,
}

/// A skeleton in an order where what hangs from a joint follows it at once: a subtree is a range.
pub(super) struct Joints<'a> {
    skeleton: &'a Skeleton,
    /// The first joint of each name, and how many there are.
    by_name: HashMap<&'a str, (usize, usize)>,
    /// Joints in that order.
    order: Vec<usize>,
    /// For each joint its place in the order.
    place: Vec<usize>,
    /// For each joint how many there are of itself and all that hangs from it.
    size: Vec<usize>,
}

impl<'a> Joints<'a> {
    pub(super) fn new(skeleton: &'a Skeleton) -> Joints<'a> {
        let count = skeleton.joints.len();
        let mut by_name: HashMap<&str, (usize, usize)> = HashMap::with_capacity(count);
        for (index, joint) in skeleton.joints.iter().enumerate() {
            by_name.entry(&joint.name).or_insert((index, 0)).1 += 1;
        }
        let mut joints = Joints {
            skeleton,
            by_name,
            order: vec![0; count],
            place: vec![0; count],
            size: vec![1; count],
        };
        // Parents stand before their children: sizes from the last joint to the first, places from
        // the first to the last.
        for joint in (0..count).rev() {
            let size = at(&joints.size, joint);
            if let Some(slot) = joints.parent(joint).and_then(|parent| joints.size.get_mut(parent))
            {
                *slot += size;
            }
        }
        let (mut next_root, mut next_child) = (0, vec![0; count]);
        for joint in 0..count {
            let next = joints
                .parent(joint)
                .and_then(|parent| next_child.get_mut(parent))
                .unwrap_or(&mut next_root);
            let place = *next;
            *next += at(&joints.size, joint);
            set(&mut next_child, joint, place + 1);
            set(&mut joints.place, joint, place);
            set(&mut joints.order, place, joint);
        }
        joints
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// The first joint of a name, and how many there are.
    pub(super) fn find(&self, name: &str) -> Option<(usize, usize)> {
        self.by_name.get(name).copied()
    }

    pub(super) fn parent(&self, joint: usize) -> Option<usize> {
        // A skeleton in the wrong order is a forest of what is right of it.
        self.skeleton.joints.get(joint)?.parent.filter(|parent| *parent < joint)
    }

    pub(super) fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        let diagnostic = Diagnostic::new(
            &codes::BONE_UNKNOWN,
            span,
            format!("the model has no bone {}", quote(name.as_bytes())),
        );
        match self.skeleton.joints.iter().find(|joint| joint.name.trim().eq_ignore_ascii_case(name))
        {
            Some(alike) => diagnostic.help(format!("is {} meant?", quote(alike.name.as_bytes()))),
            None => diagnostic,
        }
    }

    /// Ranges of the order, in order and apart.
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
        ranges.sort_unstable_by_key(|range| range.start);
        ranges.dedup_by(|next, kept| {
            let together = next.start <= kept.end;
            if together {
                kept.end = kept.end.max(next.end);
            }
            together
        });
        ranges
    }

    /// The joints of ranges, in ascending order.
    pub(super) fn of(&self, ranges: &[Range<usize>]) -> Vec<usize> {
        let mut joints: Vec<usize> = ranges
            .iter()
            .flat_map(|range| self.order.get(range.clone()).unwrap_or_default())
            .copied()
            .collect();
        joints.sort_unstable();
        joints
    }
}

fn at(list: &[usize], index: usize) -> usize {
    list.get(index).copied().unwrap_or_default()
}

fn set(list: &mut [usize], index: usize, value: usize) {
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
    ///   └ 2 ─ 4     and 6 alone
    #[test]
    fn subtrees_are_ranges() {
        let mut skeleton = Skeleton::new("");
        let parents = [None, Some(0), Some(0), Some(1), Some(2), Some(1), None];
        skeleton.joints = parents.into_iter().map(|parent| Joint::new("", parent)).collect();
        let joints = Joints::new(&skeleton);
        let of = |requests: &[(usize, bool)], children| {
            let requests: Vec<Request> = requests
                .iter()
                .map(|(joint, children)| Request { joint: *joint, children: *children })
                .collect();
            joints.of(&joints.ranges(&requests, children))
        };
        assert_eq!(of(&[(0, true)], Children::AllDescendants), [0, 1, 2, 3, 4, 5]);
        assert_eq!(of(&[(0, true)], Children::Direct), [0, 1, 2]);
        assert_eq!(of(&[(1, true), (6, true), (5, false)], Children::AllDescendants), [1, 3, 5, 6]);
        assert_eq!(of(&[(2, true), (4, false), (0, false)], Children::Direct), [0, 2, 4]);
    }
}
