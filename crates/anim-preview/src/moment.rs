//! The pose of a scene at a time.

use anim_ir::{
    ClipId, JointRef, MachineId, Mat4, NodeId, Playable, Pose, Sampler, Scene, SkeletonId, StateId,
    StatePlayer, Timeline,
};

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Moment {
    /// The rest pose.
    Rest,
    /// A clip, in seconds from its start. Times outside the clip show its first or last pose.
    Clip(ClipId, f64),
    /// A state of a machine, in seconds since it was entered. Negative times count as 0.
    State(MachineId, StateId, f64),
}

impl Moment {
    /// Returns a moment of a clip or a state.
    pub fn of(playable: Playable, seconds: f64) -> Moment {
        match playable {
            Playable::Clip(clip) => Moment::Clip(clip, seconds),
            Playable::State { machine, state } => Moment::State(machine, state, seconds),
            _ => Moment::Rest,
        }
    }
}

/// The poses of all skeletons.
pub(crate) struct Poses {
    poses: Vec<Pose>,
    /// The model matrices of each skeleton's joints.
    pub(crate) model: Vec<Vec<Mat4>>,
    /// Whether each joint is visible.
    pub(crate) visible: Vec<Vec<bool>>,
}

impl Poses {
    pub(crate) fn at(scene: &Scene, moment: Moment) -> Poses {
        let rest = Timeline::default();
        let sample_rest = |skeleton| {
            let mut pose = Pose::default();
            Sampler::new(skeleton, &rest).sample(0.0, &mut pose);
            pose
        };
        let mut poses: Vec<Pose> = scene.skeletons.iter().map(sample_rest).collect();
        if let Some((skeleton, posed)) = posed(scene, moment)
            && let Some(pose) = poses.get_mut(skeleton.index())
        {
            *pose = posed;
        }
        let pairs = || poses.iter().zip(&scene.skeletons);
        let matrices = |(pose, skeleton): (&Pose, _)| {
            let mut model = Vec::new();
            pose.model_matrices(skeleton, &mut model);
            model
        };
        let model = pairs().map(matrices).collect();
        let visible = pairs().map(|(pose, skeleton)| pose.effective_visibility(skeleton)).collect();
        Poses { poses, model, visible }
    }

    /// Returns the matrix of a joint; the identity if there is none.
    pub(crate) fn matrix(&self, joint: Option<JointRef>) -> Mat4 {
        let found = joint.and_then(|joint| {
            self.model.get(joint.skeleton.index())?.get(joint.joint.index()).copied()
        });
        found.unwrap_or_default()
    }

    pub(crate) fn is_visible(&self, joint: Option<JointRef>) -> bool {
        let found = joint.and_then(|joint| {
            self.visible.get(joint.skeleton.index())?.get(joint.joint.index()).copied()
        });
        found.unwrap_or(true)
    }

    /// Returns the animated morph weights of a node.
    pub(crate) fn weights_of(&self, node: NodeId) -> Option<&[f32]> {
        self.poses.iter().find_map(|pose| pose.weights_of(node))
    }
}

/// Returns the pose of the skeleton that moves.
fn posed(scene: &Scene, moment: Moment) -> Option<(SkeletonId, Pose)> {
    let mut pose = Pose::default();
    match moment {
        Moment::Rest => None,
        Moment::Clip(clip, seconds) => {
            let clip = scene.clip(clip)?;
            let (timeline, skeleton) = scene.motion_of(clip)?;
            let seconds = if seconds.is_finite() { seconds } else { 0.0 };
            let time = f64::from(clip.start) + seconds.max(0.0).min(clip.duration());
            Sampler::for_clip(skeleton, timeline, clip).sample(time, &mut pose);
            Some((timeline.skeleton, pose))
        }
        Moment::State(machine, state, seconds) => {
            let skeleton = scene.machine(machine)?.skeleton;
            let mut player = StatePlayer::new(scene, machine)?;
            player.enter(state);
            let _ = player.advance(seconds);
            player.pose(&mut pose);
            Some((skeleton, pose))
        }
    }
}
