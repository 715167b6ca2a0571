//! Merges the clips of several scenes that have the same skeletons.

mod joint_map;
mod mismatch;
mod tracks;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::mem::take;

use crate::ops::diff::have_same_shapes;
use crate::{
    Clip, ClipId, JointId, JointRef, Motion, NodeId, Scene, SkeletonId, Target, TimelineId,
    UniqueNames,
};

use joint_map::{JointMap, JointMismatch};
pub use mismatch::{GroupMismatch, MergeError, MergeGroup, Mismatch};
use tracks::{MOST_SHOWN, keep_visibility, keep_weights};

/// The result of [`merge`].
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Merged {
    /// The scene with the clips of all inputs.
    pub scene: Scene,
    /// The input that the meshes, materials and images of the scene come from.
    pub meshes_of: usize,
    /// What was changed or omitted, for each input.
    pub changes: Vec<MergeChanges>,
}

/// What [`merge`] changes in or omits from an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergeChanges {
    /// Clips with the name of a clip in another input: their old and their new names.
    pub renamed: Vec<[String; 2]>,
    /// Whether meshes, materials or cameras are omitted because they differ from those of the
    /// first input that has any.
    pub has_other_meshes: bool,
    /// Nodes whose morph weights are omitted because the scene has no such node, or one with
    /// different morph targets. Weights are matched by the names of the targets, in any order;
    /// those of targets without names by position.
    pub nodes: Vec<String>,
    /// Joints that are visible at rest in either this input or the scene, but not in both, and for
    /// which this could not be added to all clips: some do not move the joint, or there are too
    /// many.
    pub shown: Vec<String>,
    /// Whether format-specific data of the scene is omitted because it differs from that of the
    /// first input.
    pub has_other_extras: bool,
}

/// The maximum number of groups in a [`MergeError`]: each input is compared with each group.
const MOST_GROUPS: usize = 8;

/// Merges named scenes with the same skeletons: the joints and meshes of the first, and the clips,
/// events and machines of all.
///
/// Joints are matched by name; duplicate names are matched in order. Meshes come from the first
/// scene that has any. A clip without a name is named after its scene, as are clips whose name
/// occurs in several scenes: a scene's only clip gets the scene's name, others have it as a prefix.
///
/// # Errors
///
/// Returns a [`MergeError`] if the skeletons differ in a joint, its parent or its rest pose.
///
/// ```
/// use anim_ir::{Clip, Joint, Scene, Skeleton, Timeline, merge};
///
/// let take = || Scene {
///     skeletons: vec![Skeleton { joints: vec![Joint::new("hip", None)], ..Skeleton::default() }],
///     timelines: vec![Timeline::default()],
///     clips: vec![Clip { name: "Take 001".into(), ..Clip::default() }],
///     ..Scene::default()
/// };
/// let merged = merge(vec![("walk".into(), take()), ("run".into(), take())])?.scene;
/// let names: Vec<&str> = merged.clips.iter().map(|clip| clip.name.as_str()).collect();
/// assert_eq!((names, merged.skeletons.len()), (vec!["walk", "run"], 1));
/// # Ok::<(), anim_ir::MergeError>(())
/// ```
pub fn merge(mut inputs: Vec<(String, Scene)>) -> Result<Merged, MergeError> {
    let renamed = name_clips(&mut inputs).into_iter();
    let changes = renamed.map(|renamed| MergeChanges { renamed, ..MergeChanges::default() });
    let mut merged = Merged { changes: changes.collect(), ..Merged::default() };
    let mut scenes = inputs.into_iter().map(|(_, scene)| scene);
    merged.scene = scenes.next().unwrap_or_default();
    let mut number = 1_usize;
    let mut left = MOST_SHOWN;
    while let Some(scene) = scenes.next() {
        if let Err((mismatch, scene)) = merged.add(number, scene, &mut left) {
            let rest = std::iter::once(*scene).chain(scenes);
            return Err(merged.mismatch(number, mismatch, rest));
        }
        number = number.saturating_add(1);
    }
    Ok(merged)
}

/// Returns the name that a clip gets from its file, which has this many clips, if the files that
/// are merged have clips with equal names.
pub fn merged_name(name: &str, clip: &str, clips: usize) -> String {
    if clips == 1 || clip.is_empty() { name.to_owned() } else { format!("{name}_{clip}") }
}

/// Names unnamed clips, and clips with the same name in several scenes, after their scenes. Returns
/// the old and new names of the latter for each scene.
fn name_clips(inputs: &mut [(String, Scene)]) -> Vec<Vec<[String; 2]>> {
    let mut scenes_with: HashMap<String, usize> = HashMap::new();
    for (_, scene) in inputs.iter() {
        let own: HashSet<&str> = scene.clips.iter().map(|clip| clip.name.as_str()).collect();
        for name in own {
            let count = scenes_with.entry(name.to_owned()).or_default();
            *count = count.saturating_add(1);
        }
    }
    let is_kept = |name: &str| !name.is_empty() && scenes_with.get(name) == Some(&1);
    let mut names = UniqueNames::new();
    for name in scenes_with.keys().filter(|name| is_kept(name)) {
        names.announce(name.clone());
    }
    let mut rename = |(stem, scene): &mut (String, Scene)| {
        let count = scene.clips.len();
        let mut renamed = Vec::new();
        for clip in scene.clips.iter_mut().filter(|clip| !is_kept(&clip.name)) {
            let new = names.invent(merged_name(stem, &clip.name, count)).into_owned();
            let old = std::mem::replace(&mut clip.name, new.clone());
            if !old.is_empty() && old != new {
                renamed.push([old, new]);
            }
        }
        renamed
    };
    inputs.iter_mut().map(&mut rename).collect()
}

impl Merged {
    /// Returns the error for an input that cannot be merged. `rest` are this input and those after
    /// it.
    fn mismatch(
        self,
        input: usize,
        (joint, mismatch): JointMismatch,
        rest: impl Iterator<Item = Scene>,
    ) -> MergeError {
        let first = MergeGroup { inputs: (0..input).collect(), mismatch: None };
        let mut groups = vec![(self.scene, first)];
        let mut ungrouped = 0_usize;
        for (number, scene) in (input..).zip(rest) {
            let (mut found, mut mismatch) = (false, None::<GroupMismatch>);
            for (of_group, group) in &mut groups {
                let turned = scene.in_axes(of_group.axes);
                match JointMap::between(of_group, &turned) {
                    Ok(_) => {
                        group.inputs.push(number);
                        found = true;
                        break;
                    }
                    Err((joint, found)) => {
                        let other = group.inputs.first().copied().unwrap_or_default();
                        let nearer = mismatch
                            .as_ref()
                            .is_none_or(|nearest| found.rank() < nearest.mismatch.rank());
                        if nearer {
                            mismatch = Some(GroupMismatch { other, joint, mismatch: found });
                        }
                    }
                }
            }
            if !found && groups.len() < MOST_GROUPS {
                groups.push((scene, MergeGroup { inputs: vec![number], mismatch }));
            } else if !found {
                ungrouped = ungrouped.saturating_add(1);
            }
        }
        let groups = groups.into_iter().map(|(_, group)| group).collect();
        MergeError { input, joint, mismatch, groups, ungrouped }
    }

    /// Adds an input. Returns it if it does not match. `left` is what is left of [`MOST_SHOWN`].
    fn add(
        &mut self,
        number: usize,
        other: Scene,
        left: &mut usize,
    ) -> Result<(), (JointMismatch, Box<Scene>)> {
        let mut other = match other.in_axes(self.scene.axes) {
            Cow::Owned(turned) => turned,
            Cow::Borrowed(_) => other,
        };
        let scene = &mut self.scene;
        let joints = match JointMap::between(scene, &other) {
            Ok(joints) => joints,
            Err(mismatch) => return Err((mismatch, Box::new(other))),
        };
        let Some(changes) = self.changes.get_mut(number) else { return Ok(()) };
        let has_nodes = |scene: &Scene| !scene.nodes.is_empty() || !scene.meshes.is_empty();
        if has_nodes(&other) {
            if has_nodes(scene) {
                changes.has_other_meshes = !are_drawn_alike(scene, &other);
            } else {
                self.meshes_of = number;
                take_nodes(scene, &mut other, &joints);
            }
        }
        changes.has_other_extras = !other.extras.is_empty() && other.extras != scene.extras;
        let own = take(&mut other.nodes);
        let nodes = match own.is_empty() {
            // The nodes of the other scene are now those of the merged scene.
            true => (0..scene.nodes.len()).map(|node| Some(NodeId::new(node))).collect(),
            false => matching_nodes(scene, &own, &other),
        };
        changes.nodes = keep_weights(scene, &nodes, &own, &mut other);
        changes.shown = keep_visibility(scene, &joints, &mut other, left);
        scene.append_motion(
            other,
            |skeleton| joints.skeleton(skeleton),
            |joint| joints.joint(joint).map(|found| found.joint),
            |node| nodes.get(node.index()).copied().flatten(),
        );
        Ok(())
    }
}

/// Whether two scenes have the same meshes, materials and cameras. Returns false if the comparison
/// exceeds the limits.
fn are_drawn_alike(a: &mut Scene, b: &Scene) -> bool {
    // Even without comparing them, finding the counterparts of all clips so far for each input
    // would take quadratic time.
    let motion = (take(&mut a.clips), take(&mut a.timelines), take(&mut a.machines));
    let is_same = a.cameras == b.cameras && have_same_shapes(a, b);
    (a.clips, a.timelines, a.machines) = motion;
    is_same
}

/// Moves the nodes of a scene, and all that they refer to, to a scene without nodes.
fn take_nodes(scene: &mut Scene, other: &mut Scene, joints: &JointMap) {
    scene.nodes = take(&mut other.nodes);
    scene.meshes = take(&mut other.meshes);
    scene.skins = take(&mut other.skins);
    scene.cameras = take(&mut other.cameras);
    scene.materials = take(&mut other.materials);
    scene.images = take(&mut other.images);
    for node in &mut scene.nodes {
        node.parent = node.parent.and_then(|parent| joints.joint(parent));
    }
    for skin in &mut scene.skins {
        let place = |joint: &JointId| {
            let found = joints.joint(JointRef { skeleton: skin.skeleton, joint: *joint });
            found.map_or(*joint, |found| found.joint)
        };
        skin.joints = skin.joints.iter().map(place).collect();
        skin.skeleton = joints.skeleton(skin.skeleton);
    }
}

/// Returns, for each node of another scene, the node of the scene with the same name and number of
/// morph targets.
fn matching_nodes(scene: &Scene, nodes: &[crate::Node], other: &Scene) -> Vec<Option<NodeId>> {
    let targets = |scene: &Scene, node: &crate::Node| {
        node.mesh.and_then(|mesh| scene.mesh(mesh)).map(|mesh| mesh.morph_targets.len())
    };
    // Nodes with the same name are matched in order, so the lists are reversed.
    let mut left: HashMap<&str, Vec<NodeId>> = HashMap::new();
    for (id, node) in scene.enumerate_nodes().rev() {
        left.entry(&node.name).or_default().push(id);
    }
    let find = |node: &crate::Node| {
        let found = left.get_mut(node.name.as_str())?.pop()?;
        let is_alike = targets(scene, scene.node(found)?) == targets(other, node);
        is_alike.then_some(found)
    };
    nodes.iter().map(find).collect()
}

impl Scene {
    /// Appends the timelines, clips and machines of another scene, and maps their skeletons, joints
    /// and nodes. Tracks of joints and nodes that map to `None` are dropped.
    pub(crate) fn append_motion(
        &mut self,
        motion: Scene,
        skeleton: impl Fn(SkeletonId) -> SkeletonId,
        joint: impl Fn(JointRef) -> Option<JointId>,
        node: impl Fn(NodeId) -> Option<NodeId>,
    ) {
        let (timelines, clips) = (self.timelines.len(), self.clips.len());
        for clip in motion.clips {
            let timeline = motion.timelines.get(clip.timeline.index());
            let skeleton = timeline.map_or_else(SkeletonId::default, |timeline| timeline.skeleton);
            let joints = clip.joints.map(|joints| {
                let all = joints.into_iter().map(|joint| JointRef { skeleton, joint });
                all.filter_map(&joint).collect()
            });
            let timeline = TimelineId::new(clip.timeline.index().saturating_add(timelines));
            self.clips.push(Clip { timeline, joints, ..clip });
        }
        for mut timeline in motion.timelines {
            let own = timeline.skeleton;
            timeline.retain_targets(|target| match target {
                Target::Joint(number) => {
                    joint(JointRef { skeleton: own, joint: number }).map(Target::Joint)
                }
                Target::Node(number) => node(number).map(Target::Node),
            });
            timeline.skeleton = skeleton(own);
            self.timelines.push(timeline);
        }
        for mut machine in motion.machines {
            machine.skeleton = skeleton(machine.skeleton);
            for state in &mut machine.states {
                if let Motion::Clip(clip) = &mut state.motion {
                    *clip = ClipId::new(clip.index().saturating_add(clips));
                }
            }
            self.machines.push(machine);
        }
    }
}
