//! The clips that become animations of a GLB.

use std::collections::HashSet;

use anim_ir::{
    Bake, Clip, JointId, JointRef, LimitError, Limits, Scene, SkeletonId, Timeline, Track,
};

/// How a clip is represented in a GLB.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    /// Whether the clip becomes an animation. Joints that stay at rest in every clip have no
    /// channels, and a clip without channels is not written.
    pub(crate) is_animation: bool,
    /// Whether the animation has no keys for joints that other clips of the skeleton move.
    pub(crate) is_partial: bool,
}

/// Returns how each clip is represented in a GLB.
pub(crate) fn kept(scene: &Scene, limits: &Limits) -> Result<Vec<Kept>, LimitError> {
    let motion = Scene {
        axes: scene.axes,
        skeletons: scene.skeletons.clone(),
        timelines: scene.timelines.clone(),
        clips: scene.clips.clone(),
        ..Scene::default()
    };
    let options = Bake::default().with_limits(*limits);
    let baked = motion.baked(&options)?.value;
    let tracks = |clip: &Clip| {
        let timeline = baked.timeline(clip.timeline);
        timeline.into_iter().flat_map(|line| line.tracks().iter().map(move |track| (line, track)))
    };
    let joint = |(line, track): (&Timeline, &Track)| {
        Some(JointRef { skeleton: line.skeleton, joint: track.joint()? })
    };
    let moved: HashSet<JointRef> = baked.clips.iter().flat_map(tracks).filter_map(joint).collect();
    let mut counts = vec![0_usize; scene.skeletons.len()];
    for joint in &moved {
        if let Some(count) = counts.get_mut(joint.skeleton.index()) {
            *count = count.saturating_add(1);
        }
    }
    let kept = |clip: &Clip| {
        let Some(joints) = &clip.joints else {
            return Kept { is_animation: true, is_partial: false };
        };
        let skeleton =
            baked.timeline(clip.timeline).map_or(SkeletonId::new(0), |line| line.skeleton);
        let own = |joint: &&JointId| moved.contains(&JointRef { skeleton, joint: **joint });
        let own = joints.iter().filter(own).count();
        let all = counts.get(skeleton.index()).copied().unwrap_or_default();
        let has_track = tracks(clip).any(|(_, track)| clip.has_target(track.target));
        Kept { is_animation: own > 0 || has_track, is_partial: own < all }
    };
    Ok(baked.clips.iter().map(kept).collect())
}
