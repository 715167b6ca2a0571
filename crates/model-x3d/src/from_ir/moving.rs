//! What moves in a scene, and what moves with it.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use anim_ir::{Channel, Clip, JointRef, NodeId, Scene, SkeletonId, Target, insert_all};

/// The targets of tracks, and what belongs to joints.
#[derive(Debug, Default)]
pub(super) struct Moving {
    /// Joints that move.
    pub(super) joints: HashSet<JointRef>,
    /// Joints that are always hidden.
    pub(super) hidden: HashSet<JointRef>,
    /// Joints whose visibility changes.
    pub(super) toggled: HashSet<JointRef>,
    /// Nodes whose morph weights change.
    pub(super) morphed: HashSet<NodeId>,
    moved: HashMap<Option<SkeletonId>, Vec<(Target, Channel)>>,
    /// The places of targets in `moved`.
    places: HashMap<(Option<SkeletonId>, Target), Range<usize>>,
    /// Joints to which shapes or cameras are attached.
    pub(super) carrying: HashSet<JointRef>,
    /// The nodes with skins, by skeleton.
    pub(super) skinned: HashMap<SkeletonId, Vec<NodeId>>,
}

impl Moving {
    pub(super) fn of(scene: &Scene) -> Moving {
        let mut moving = Moving::default();
        for (skeleton, joints) in scene.enumerate_skeletons() {
            let hidden = joints.enumerate_joints().filter(|(_, joint)| !joint.visible);
            moving.hidden.extend(hidden.map(|(joint, _)| JointRef { skeleton, joint }));
        }
        for (id, node) in scene.enumerate_nodes() {
            match node.skin.and_then(|skin| scene.skin(skin)) {
                Some(skin) => moving.skinned.entry(skin.skeleton).or_default().push(id),
                None => moving.carrying.extend(node.parent),
            }
        }
        // Targets in the order of the tracks.
        let mut order: Vec<(Option<SkeletonId>, Target)> = Vec::new();
        let mut channels: HashMap<(Option<SkeletonId>, Target), Vec<Channel>> = HashMap::new();
        let timelines: BTreeSet<_> = insert_all(scene.clips.iter().map(|clip| clip.timeline));
        for timeline in timelines.into_iter().filter_map(|id| scene.timeline(id)) {
            for track in timeline.tracks() {
                let of = match track.target {
                    Target::Joint(joint) => {
                        let at = JointRef { skeleton: timeline.skeleton, joint };
                        if track.channel == Channel::Visibility {
                            moving.toggled.insert(at);
                            moving.hidden.remove(&at);
                        } else {
                            moving.joints.insert(at);
                        }
                        Some(timeline.skeleton)
                    }
                    Target::Node(node) => {
                        moving.morphed.insert(node);
                        None
                    }
                    _ => continue,
                };
                let channels = channels.entry((of, track.target)).or_default();
                if channels.is_empty() {
                    order.push((of, track.target));
                }
                if !channels.contains(&track.channel) {
                    channels.push(track.channel);
                }
            }
        }
        for (of, target) in order {
            let moved = moving.moved.entry(of).or_default();
            let start = moved.len();
            let channels = channels.remove(&(of, target)).unwrap_or_default();
            moved.extend(channels.into_iter().map(|channel| (target, channel)));
            moving.places.insert((of, target), start..moved.len());
        }
        moving
    }

    /// Returns what clips move: joints of a skeleton, with all channels of a joint in succession,
    /// or nodes, which have no skeleton.
    pub(super) fn of_skeleton(&self, of: Option<SkeletonId>) -> &[(Target, Channel)] {
        self.moved.get(&of).map_or(&[], Vec::as_slice)
    }

    /// Returns what other clips move among the targets of one, as ranges of
    /// [`of_skeleton`](Self::of_skeleton) that do not touch. Does not visit every place, since
    /// there may be as many places as clips.
    pub(super) fn by_others(
        &self,
        of: Option<SkeletonId>,
        clip: &Clip,
        own: &HashSet<(Target, Channel)>,
    ) -> Vec<Range<usize>> {
        let all = self.of_skeleton(of);
        let places = |target| self.places.get(&(of, target)).cloned().into_iter().flatten();
        let is_own = |place: &usize| all.get(*place).is_some_and(|moved| own.contains(moved));
        let mut ranges: Vec<Range<usize>> = Vec::new();
        if let (Some(_), Some(joints)) = (of, &clip.joints) {
            let named = joints.iter().flat_map(|joint| places(Target::Joint(*joint)));
            let named: BTreeSet<usize> = insert_all(named.filter(|place| !is_own(place)));
            for place in named {
                match ranges.last_mut() {
                    Some(last) if last.end == place => last.end = place.saturating_add(1),
                    _ => ranges.push(place..place.saturating_add(1)),
                }
            }
            return ranges;
        }
        let targets: HashSet<Target> = own.iter().map(|(target, _)| *target).collect();
        let own: BTreeSet<usize> = insert_all(targets.into_iter().flat_map(places).filter(is_own));
        let mut start = 0;
        for place in own.into_iter().chain([all.len()]) {
            if start < place {
                ranges.push(start..place);
            }
            start = place.saturating_add(1);
        }
        ranges
    }
}

/// How many interpolators or smaller blocks a block of a clip's resets consists of.
const PARTS: usize = 8;

/// Part of what clips move: `size` channels from `start`, both multiples of a power of [`PARTS`].
/// If n clips each move something of their own, each sets what all others move to rest. In blocks,
/// that takes n · log n routes instead of n².
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Block {
    pub(super) of: Option<SkeletonId>,
    pub(super) start: usize,
    pub(super) size: usize,
}

impl Block {
    /// Divides a range into the largest possible blocks.
    pub(super) fn cover(
        of: Option<SkeletonId>,
        range: Range<usize>,
    ) -> impl Iterator<Item = Block> {
        let mut start = range.start;
        std::iter::from_fn(move || {
            let fits = |size: &usize| {
                start.is_multiple_of(*size) && start.saturating_add(*size) <= range.end
            };
            let sizes = std::iter::successors(Some(1), |size: &usize| size.checked_mul(PARTS));
            let block = Block { of, start, size: sizes.take_while(fits).last()? };
            start = start.saturating_add(block.size);
            Some(block)
        })
    }

    /// The blocks that this one consists of.
    pub(super) fn parts(self) -> impl Iterator<Item = Block> {
        let size = self.size / PARTS;
        let starts = (self.start..).step_by(size.max(1)).take(PARTS);
        starts.map(move |start| Block { start, size, ..self })
    }
}
