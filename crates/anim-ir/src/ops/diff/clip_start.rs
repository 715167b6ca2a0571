//! Scenes as they are in their first clip.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::{
    Channel, Clip, ClipId, Deformer, JointId, JointRef, MeshId, Pose, Sampler, Scene, Skeleton,
    SkeletonId, Timeline, Track, Transform,
};

/// Returns a scene whose meshes have the shape that they have at the start of the first clip, and
/// no morph targets. A mesh of several nodes has the shape of the first.
pub(super) fn at_clip_start(scene: &Scene) -> Cow<'_, Scene> {
    if scene.meshes.iter().all(|mesh| mesh.morph_targets.is_empty()) {
        return Cow::Borrowed(scene);
    }
    let pose = pose_at_start(scene).unwrap_or_default();
    let mut weights: BTreeMap<MeshId, &[f32]> = BTreeMap::new();
    for (id, node) in scene.enumerate_nodes() {
        if let (Some(mesh), Some(of_node)) = (node.mesh, pose.weights_of(id)) {
            weights.entry(mesh).or_insert(of_node);
        }
    }
    let mut posed = scene.clone();
    let mut deformer = Deformer::default();
    for (number, mesh) in posed.meshes.iter_mut().enumerate() {
        if mesh.morph_targets.is_empty() {
            continue;
        }
        let weights = weights.get(&MeshId::new(number)).copied().unwrap_or(&mesh.morph_weights);
        deformer.deform(mesh, weights, &[]);
        mesh.positions = deformer.positions().to_vec();
        mesh.normals = deformer.normals().to_vec();
        mesh.morph_targets.clear();
        mesh.morph_weights.clear();
    }
    Cow::Owned(posed)
}

fn pose_at_start(scene: &Scene) -> Option<Pose> {
    let clip = scene.clip(ClipId::default())?;
    let timeline = scene.timeline(clip.timeline)?;
    // Morph weights need no skeleton.
    let none = Skeleton::default();
    let skeleton = scene.skeleton(timeline.skeleton).unwrap_or(&none);
    let mut pose = Pose::default();
    Sampler::for_clip(skeleton, timeline, clip).sample(f64::from(clip.start), &mut pose);
    Some(pose)
}

fn first_clip(scene: &Scene) -> Option<(SkeletonId, &Skeleton, &Timeline, &Clip)> {
    let clip = scene.clip(ClipId::default())?;
    let timeline = scene.timeline(clip.timeline)?;
    Some((timeline.skeleton, scene.skeleton(timeline.skeleton)?, timeline, clip))
}

/// Which joints are visible at any time in the first clip, not considering their ancestors.
pub(super) struct Seen {
    skeleton: SkeletonId,
    /// For each time at which visibility may change, whether each joint is visible.
    at: Vec<Vec<bool>>,
}

impl Seen {
    /// `most` is the largest number of poses times joints. `None` if there are more, or no clip.
    pub(super) fn in_clip(scene: &Scene, most: usize) -> Option<Seen> {
        let (id, skeleton, timeline, clip) = first_clip(scene)?;
        let hiding = timeline
            .tracks()
            .iter()
            .filter(|track| matches!(track.channel, Channel::Visibility | Channel::Scale));
        let keys = hiding.flat_map(|track| timeline.keys(track).times.iter().copied());
        let mut times: Vec<f32> = keys.filter(|at| (clip.start..=clip.end).contains(at)).collect();
        times.push(clip.start);
        times.sort_by(f32::total_cmp);
        times.dedup();
        if times.len().saturating_mul(skeleton.joints.len()) > most {
            return None;
        }
        let mut sampler = Sampler::for_clip(skeleton, timeline, clip);
        let mut pose = Pose::default();
        let at = times.into_iter().map(|time| {
            sampler.sample(f64::from(time), &mut pose);
            let joints = skeleton.enumerate_joints();
            let is_seen = joints.map(|(joint, of)| {
                let visible = pose.visible.get(joint.index()).copied().unwrap_or(true);
                is_seen(visible, pose.local_transform(of, joint))
            });
            is_seen.collect()
        });
        Some(Seen { skeleton: id, at: at.collect() })
    }

    /// Whether a joint and all its ancestors are visible at some time.
    pub(super) fn is_ever_seen(&self, scene: &Scene, joint: JointRef) -> bool {
        let Some(skeleton) = scene.skeleton(joint.skeleton) else { return true };
        let parent = |joint: &JointId| skeleton.joints.get(joint.index())?.parent;
        let depth = skeleton.joints.len();
        let chain: Vec<JointId> =
            std::iter::successors(Some(joint.joint), parent).take(depth).collect();
        let is_seen = |seen: &Vec<bool>| {
            chain.iter().all(|joint| seen.get(joint.index()).is_none_or(|it| *it))
        };
        joint.skeleton != self.skeleton || self.at.iter().any(is_seen)
    }
}

/// Returns the joints with tracks in any timeline, except those that are only hidden at times.
pub(super) fn moving_joints(scene: &Scene) -> impl Iterator<Item = JointRef> {
    scene.timelines.iter().flat_map(move |timeline| {
        let skeleton = timeline.skeleton;
        let moves = move |track: &&Track| match track.channel {
            Channel::Visibility => false,
            // glTF has no visibility: nodes are hidden by a scale of 0.
            Channel::Scale => {
                let joint = track.joint().map(|joint| JointRef { skeleton, joint });
                let rest = joint.and_then(|joint| scene.joint(joint)).map(|joint| joint.rest.scale);
                let mut scales = timeline.keys(track).values();
                !scales.all(|scale| {
                    *scale == [0.0; 3] || rest.is_some_and(|it| *scale == it.to_array())
                })
            }
            _ => true,
        };
        let joints = timeline.tracks.iter().filter(moves).filter_map(Track::joint);
        joints.map(move |joint| JointRef { skeleton, joint })
    })
}

/// Whether a joint is visible. A scale of 0, which is used to hide nodes in glTF, counts as hidden.
pub(super) fn is_seen(visible: bool, transform: Transform) -> bool {
    visible && transform.scale.to_array() != [0.0; 3]
}
