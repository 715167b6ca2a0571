//! The clips that become animations of a GLB.

use std::collections::HashSet;

use anim_ir::{Bake, Clip, JointRef, LimitError, Limits, Scene, SkeletonId, Timeline, Track};

/// Returns, for each clip, whether it becomes an animation of the GLB. Joints that stay at rest in
/// every clip have no channels, and a clip without channels is not written.
pub(crate) fn kept(scene: &Scene, limits: &Limits) -> Result<Vec<bool>, LimitError> {
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
    let is_kept = |clip: &Clip| {
        let Some(joints) = &clip.joints else { return true };
        let skeleton =
            baked.timeline(clip.timeline).map_or(SkeletonId::new(0), |line| line.skeleton);
        joints.iter().any(|joint| moved.contains(&JointRef { skeleton, joint: *joint }))
            || tracks(clip).any(|(_, track)| clip.has_target(track.target))
    };
    Ok(baked.clips.iter().map(is_kept).collect())
}
