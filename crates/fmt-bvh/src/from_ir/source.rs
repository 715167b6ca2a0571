//! Selection of the skeleton and clip to write.

use anim_ir::{Channel, Clip, Joint, Scene, Skeleton, SkeletonId, Timeline, Track, Transform};

use crate::error::FromIrError;

/// The skeleton to write and the clip that animates it.
pub(super) struct Source<'a> {
    pub(super) scene: &'a Scene,
    pub(super) id: SkeletonId,
    pub(super) skeleton: &'a Skeleton,
    pub(super) clip: Option<(&'a Clip, &'a Timeline)>,
}

impl<'a> Source<'a> {
    /// Selects the clip and its skeleton or, without a clip, the first skeleton with joints.
    pub(super) fn of(scene: &'a Scene) -> Result<Source<'a>, FromIrError> {
        let Some(clip) = scene.clips.first() else {
            let mut skeletons = scene.enumerate_skeletons();
            let found = skeletons.find(|(_, skeleton)| !skeleton.joints.is_empty());
            let (id, skeleton) = found.ok_or(FromIrError::NoSkeleton)?;
            return Ok(Source { scene, id, skeleton, clip: None });
        };
        let found = scene.motion_of(clip).filter(|(_, skeleton)| !skeleton.joints.is_empty());
        let (timeline, skeleton) = found.ok_or_else(|| FromIrError::NoJoints(clip.name.clone()))?;
        Ok(Source { scene, id: timeline.skeleton, skeleton, clip: Some((clip, timeline)) })
    }

    /// The tracks of the clip's timeline; empty without a clip.
    pub(super) fn tracks(&self) -> &'a [Track] {
        self.clip.map(|(_, timeline)| timeline.tracks()).unwrap_or_default()
    }

    /// Whether any scale is present.
    pub(super) fn has_scale(&self) -> bool {
        let is_scaled = |joint: &Joint| {
            joint.exact_rest.is_some() || joint.rest.scale != Transform::IDENTITY.scale
        };
        self.skeleton.joints.iter().any(is_scaled)
            || self.tracks().iter().any(|track| track.channel == Channel::Scale)
    }
}
