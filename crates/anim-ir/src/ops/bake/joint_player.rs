//! Playback of a single joint.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::model::machine::DEEPEST;
use crate::ops::bake::place::Place;
use crate::ops::bake::tracks::Tracks;
use crate::{
    Clip, ClipId, Joint, JointId, Motion, Pose, PoseSpace, Sampler, Scene, Sequence, StateMachine,
    Timeline, Transform,
};

/// The motion to play.
pub(super) enum Source<'a> {
    Clip { id: ClipId, clip: &'a Clip, timeline: &'a Timeline },
    Sequence { machine: &'a StateMachine, sequence: &'a Sequence },
}

/// Plays a single joint without evaluating the other joints.
pub(super) struct JointPlayer<'a> {
    scene: &'a Scene,
    pub(super) joint: JointId,
    rest: &'a Joint,
    pose_space: PoseSpace,
    tracks: Rc<Tracks<'a>>,
    /// A sampler for each clip that has been played. `None` if the clip does not move the joint.
    samplers: BTreeMap<ClipId, Option<Sampler<'a>>>,
    pose: Pose,
    /// Number of clip evaluations.
    looks: usize,
}

impl<'a> JointPlayer<'a> {
    pub(super) fn new(
        scene: &'a Scene,
        tracks: Rc<Tracks<'a>>,
        (joint, rest): (JointId, &'a Joint),
        pose_space: PoseSpace,
    ) -> JointPlayer<'a> {
        JointPlayer {
            scene,
            joint,
            rest,
            pose_space,
            tracks,
            samplers: BTreeMap::new(),
            pose: Pose::default(),
            looks: 0,
        }
    }

    /// Returns the number of clip evaluations since the last call.
    pub(super) fn take_looks(&mut self) -> usize {
        std::mem::take(&mut self.looks)
    }

    /// Returns the joint's transform in the rest pose.
    pub(super) fn at_rest(&self) -> Place {
        Place::of(if self.pose_space == PoseSpace::ParentRelative {
            self.rest.rest
        } else {
            Transform::IDENTITY
        })
    }

    /// Returns the joint's transform at a time, or its rest transform if nothing moves it.
    pub(super) fn at(&mut self, source: &Source<'a>, time: f64) -> Place {
        let found = match source {
            Source::Clip { id, clip, timeline } => self.in_clip(*id, clip, timeline, time),
            Source::Sequence { machine, sequence } => {
                self.in_sequence(machine, sequence, time, DEEPEST)
            }
        };
        found.unwrap_or_else(|| self.at_rest())
    }

    fn in_clip(
        &mut self,
        id: ClipId,
        clip: &'a Clip,
        timeline: &'a Timeline,
        time: f64,
    ) -> Option<Place> {
        self.looks = self.looks.saturating_add(1);
        let sampler = self.samplers.entry(id).or_insert_with(|| {
            let moves = clip.has_joint(self.joint);
            let tracks = if moves { self.tracks.of_joint(clip.timeline, self.joint) } else { &[] };
            let is_named = clip.joints.is_some() && moves;
            (!tracks.is_empty() || is_named)
                .then(|| Sampler::for_joint(self.rest, timeline, tracks.iter().copied()))
        });
        sampler.as_mut()?.sample(time, &mut self.pose);
        self.pose.transforms.first().copied().map(Place::of)
    }

    fn in_sequence(
        &mut self,
        machine: &'a StateMachine,
        sequence: &'a Sequence,
        time: f64,
        depth: usize,
    ) -> Option<Place> {
        let moment = sequence.at(time)?;
        let here = self.in_key(machine, sequence, moment.key, time, depth);
        let Some((next, part)) = moment.blend else { return here };
        let there = self.in_key(machine, sequence, next, time, depth);
        match (here, there) {
            (Some(here), Some(there)) => Some(here.toward(&there, part)),
            (here, there) => here.or(there),
        }
    }

    fn in_key(
        &mut self,
        machine: &'a StateMachine,
        sequence: &'a Sequence,
        key: usize,
        time: f64,
        depth: usize,
    ) -> Option<Place> {
        match machine.motion(sequence.state_of(key)?)? {
            Motion::Clip(id) => {
                let clip = self.scene.clip(*id)?;
                let timeline = self.scene.timeline(clip.timeline)?;
                self.in_clip(*id, clip, timeline, f64::from(clip.start) + time)
            }
            Motion::Sequence(inner) if depth > 1 => {
                self.in_sequence(machine, inner, time, depth.saturating_sub(1))
            }
            Motion::Sequence(_) => None,
        }
    }
}
