//! What of a clip a GLB keeps.

use std::collections::HashSet;

use anim_ir::{Bake, JointId, LimitError, Limits, Scene, Track};

/// For each clip, what a GLB of the scene has of it. A GLB has no channel for a joint that a clip
/// only keeps at rest.
pub(crate) struct Kept {
    /// Whether there is a channel at all.
    pub(crate) moves: Vec<bool>,
    /// The number of joints that the clip keeps at rest and other clips move.
    pub(crate) still: Vec<usize>,
}

impl Kept {
    /// Bakes the clips of a scene as a GLB does, and looks at the tracks.
    pub(crate) fn new(scene: &Scene, limits: &Limits) -> Result<Kept, LimitError> {
        let motion = Scene {
            axes: scene.axes,
            skeletons: scene.skeletons.clone(),
            timelines: scene.timelines.clone(),
            clips: scene.clips.clone(),
            ..Scene::default()
        };
        let options = Bake::default().with_limits(*limits);
        let baked = motion.baked(&options)?.value;
        let tracks = |timeline| baked.timeline(timeline).into_iter().flat_map(|line| line.tracks());
        let all: HashSet<JointId> = baked
            .clips
            .iter()
            .flat_map(|clip| tracks(clip.timeline))
            .filter_map(Track::joint)
            .collect();
        let (mut moves, mut still) = (Vec::new(), Vec::new());
        for clip in &baked.clips {
            let own: HashSet<JointId> = tracks(clip.timeline)
                .filter(|track| clip.has_target(track.target))
                .filter_map(Track::joint)
                .collect();
            // Clips of all joints get keys for the rest pose.
            let joints = clip.joints.iter().flatten();
            let count = joints.filter(|joint| all.contains(joint) && !own.contains(joint)).count();
            moves.push(clip.joints.is_none() || !own.is_empty());
            still.push(count);
        }
        Ok(Kept { moves, still })
    }
}
