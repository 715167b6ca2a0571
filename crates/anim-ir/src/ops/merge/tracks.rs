//! Changes the tracks of an input of a merge, so that its clips play as before in the merged scene.

use std::collections::{BTreeMap, BTreeSet};

use super::joint_map::JointMap;
use crate::{
    Channel, Curve, JointId, JointRef, Mesh, Node, NodeId, Scene, SkeletonId, Target, Timeline,
    Track, insert_all, sort_by,
};

/// The maximum number of visibility tracks that are added, and of clips that are checked, for all
/// inputs together.
pub(super) const MOST_SHOWN: usize = 1 << 18;

/// Adds visibility tracks for the joints that are visible at rest in one of two scenes and hidden
/// in the other. `left` is what is left of [`MOST_SHOWN`]. Returns the names of joints for which
/// some clips show the wrong visibility: those that do not move the joint, or all if there would
/// be too many tracks.
pub(super) fn keep_visibility(
    scene: &Scene,
    joints: &JointMap,
    other: &mut Scene,
    left: &mut usize,
) -> Vec<String> {
    let mut lost = Vec::new();
    let Scene { skeletons, timelines, clips, .. } = other;
    let places = timelines.iter().map(|timeline| timeline.skeleton).collect::<Vec<_>>();
    for (number, skeleton) in skeletons.iter().enumerate() {
        let is_own = |of: &SkeletonId| of.index() == number;
        let mut apart = Vec::new();
        for (joint, named) in skeleton.enumerate_joints() {
            let own = JointRef { skeleton: SkeletonId::new(number), joint };
            let found = joints.joint(own).and_then(|place| scene.joint(place));
            if found.is_none_or(|found| found.visible == named.visible) {
                continue;
            }
            let Some(rest) = left.checked_sub(timelines.len().saturating_add(clips.len())) else {
                lost.push(named.name.clone());
                continue;
            };
            *left = rest;
            let is_without = clips.iter().any(|clip| {
                places.get(clip.timeline.index()).is_some_and(is_own) && !clip.has_joint(joint)
            });
            if is_without {
                lost.push(named.name.clone());
            }
            apart.push((joint, named.visible));
        }
        if apart.is_empty() {
            continue;
        }
        for timeline in timelines.iter_mut().filter(|timeline| is_own(&timeline.skeleton)) {
            show(timeline, &apart);
        }
    }
    lost
}

/// Adds constant visibility for joints without a visibility track.
fn show(timeline: &mut Timeline, joints: &[(JointId, bool)]) {
    let shown = timeline.tracks.iter().filter(|track| track.channel == Channel::Visibility);
    let shown: BTreeSet<JointId> = insert_all(shown.filter_map(Track::joint));
    for (joint, visible) in joints.iter().filter(|(joint, _)| !shown.contains(joint)) {
        timeline.tracks.push(Track {
            target: Target::Joint(*joint),
            channel: Channel::Visibility,
            curve: Curve::Constant(vec![if *visible { 1.0 } else { 0.0 }]),
        });
    }
}

/// Reorders the morph weights of a timeline. For each target of the merged scene, `order` returns
/// the number of the target of the input; nothing if they are the same. Tracks for which it returns
/// `None` are removed, and their nodes are returned.
fn reorder_weights(
    timeline: &mut Timeline,
    order: impl Fn(NodeId) -> Option<Vec<usize>>,
) -> Vec<NodeId> {
    let mut lost = Vec::new();
    let Timeline { tracks, tables, .. } = timeline;
    tracks.retain_mut(|track| {
        let Target::Node(node) = track.target else { return true };
        let Some(order) = order(node) else {
            lost.push(node);
            return false;
        };
        let is_sorted = order.iter().enumerate().all(|(new, old)| new == *old);
        if is_sorted {
            return true;
        }
        let reorder = |values: &mut [f32]| {
            let old = values.to_vec();
            for (value, at) in values.iter_mut().zip(&order) {
                *value = old.get(*at).copied().unwrap_or_default();
            }
        };
        match &mut track.curve {
            Curve::Constant(values) => reorder(values),
            Curve::Keys { table, column, width } => {
                let Some(table) = tables.get_mut(*table) else { return true };
                let own = width.saturating_mul(table.interpolation.values_per_key());
                for row in table.values.chunks_exact_mut(table.width.max(1)) {
                    let key = row.get_mut(*column..column.saturating_add(own));
                    let parts =
                        key.into_iter().flat_map(|key| key.chunks_exact_mut((*width).max(1)));
                    parts.for_each(reorder);
                }
            }
            Curve::Wave(_) => {}
        }
        true
    });
    lost
}

/// Reorders the morph weights of an input by the names of the targets, for the scene's nodes.
/// `own` are the nodes of the input, or empty if they are those of the scene. Removes the weights
/// of nodes without a counterpart, and returns the names of these nodes.
pub(super) fn keep_weights(
    scene: &Scene,
    nodes: &[Option<NodeId>],
    own: &[Node],
    other: &mut Scene,
) -> Vec<String> {
    let Scene { timelines, meshes, .. } = other;
    let order = |node: NodeId| {
        let place = nodes.get(node.index()).copied().flatten()?;
        let Some(own) = own.get(node.index()) else { return Some(Vec::new()) };
        let mesh = scene.mesh(scene.node(place)?.mesh?)?;
        order_of_targets(mesh, meshes.get(own.mesh?.index())?)
    };
    let lost = timelines.iter_mut().flat_map(|timeline| reorder_weights(timeline, order));
    let named = lost.map(|node| {
        let name = own.get(node.index()).map(|node| node.name.clone());
        (node, name.unwrap_or_default())
    });
    let lost: BTreeMap<NodeId, String> = insert_all(named);
    lost.into_values().collect()
}

/// Returns the number of the morph target in the second mesh for each of the first, by name, or
/// `None` if the names differ. If a mesh has no names, targets are matched by position.
fn order_of_targets(mesh: &Mesh, other: &Mesh) -> Option<Vec<usize>> {
    let is_unnamed = |mesh: &Mesh| mesh.morph_targets.iter().all(|target| target.name.is_empty());
    let by_name = |mesh: &Mesh| {
        let mut order: Vec<usize> = (0..mesh.morph_targets.len()).collect();
        sort_by(&mut order, |a, b| name_of(mesh, *a).cmp(name_of(mesh, *b)));
        order
    };
    let (own, others) = (by_name(mesh), by_name(other));
    let mut order = vec![0; own.len()];
    let is_by_position = is_unnamed(mesh) || is_unnamed(other);
    for (at, from) in own.iter().zip(&others) {
        if !is_by_position && name_of(mesh, *at) != name_of(other, *from) {
            return None;
        }
        *order.get_mut(*at)? = if is_by_position { *at } else { *from };
    }
    Some(order)
}

fn name_of(mesh: &Mesh, target: usize) -> &str {
    mesh.morph_targets.get(target).map_or("", |target| target.name.as_str())
}
