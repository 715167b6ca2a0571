//! Playback of a single joint.

use std::collections::HashMap;
use std::rc::Rc;

use crate::model::machine::DEEPEST;
use crate::ops::bake::place::Place;
use crate::ops::bake::tracks::{Tracks, copy_track};
use crate::{
    Clip, ClipId, Joint, JointId, Motion, Pose, PoseSpace, Sampler, Scene, Sequence, Skeleton,
    StateMachine, Target, Timeline, TimelineBuilder, Transform,
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
    /// A skeleton with only this joint and a timeline with its tracks, for each clip. `None` if the
    /// clip does not move the joint.
    alone: HashMap<ClipId, Option<(Skeleton, Timeline)>>,
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
            alone: HashMap::new(),
            pose: Pose::default(),
            looks: 0,
        }
    }

    fn prepare(&mut self, id: ClipId, clip: &'a Clip, timeline: &Timeline) {
        let (joint, rest, tracks) = (self.joint, self.rest, Rc::clone(&self.tracks));
        self.alone.entry(id).or_insert_with(|| {
            let moves = clip.has_joint(joint);
            let tracks = if moves { tracks.of_joint(clip.timeline, joint) } else { &[] };
            let mut builder = TimelineBuilder::new("").with_pose_space(timeline.pose_space);
            for track in tracks {
                copy_track(timeline, track, Target::Joint(JointId::default()), &mut builder);
            }
            let mut skeleton = Skeleton::nodes("");
            skeleton.add_joint(Joint { parent: None, ..rest.clone() });
            let is_named = clip.joints.is_some() && moves;
            (!tracks.is_empty() || is_named).then(|| (skeleton, builder.finish()))
        });
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
        self.prepare(id, clip, timeline);
        self.looks = self.looks.saturating_add(1);
        let (skeleton, timeline) = self.alone.get(&id)?.as_ref()?;
        Sampler::new(skeleton, timeline).sample(time, &mut self.pose);
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
