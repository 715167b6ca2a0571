//! Removal of clips from a scene.

use std::collections::BTreeSet;

use crate::{Clip, ClipId, Scene, TimelineId, insert_all};

impl Scene {
    /// Removes all state machines, and all clips and timelines except the given clip and its
    /// timeline. If the clip does not exist, all are removed.
    pub fn keep_clip(&mut self, clip: ClipId) {
        self.machines.clear();
        self.clips = self.clip(clip).cloned().into_iter().collect();
        let timeline = self.clips.first().and_then(|clip| self.timeline(clip.timeline));
        self.timelines = timeline.cloned().into_iter().collect();
        for clip in &mut self.clips {
            clip.timeline = TimelineId::default();
        }
    }

    /// Removes clips, and timelines that are used only by these clips. The clips must not be used
    /// by the states of a machine.
    pub fn remove_clips(&mut self, is_gone: impl Fn(ClipId, &Clip) -> bool) {
        let mut left = BTreeSet::new();
        let mut kept = Vec::with_capacity(self.clips.len());
        for (index, clip) in std::mem::take(&mut self.clips).into_iter().enumerate() {
            if is_gone(ClipId::new(index), &clip) {
                left.insert(clip.timeline);
            } else {
                kept.push(clip);
            }
        }
        self.clips = kept;
        self.forget_timelines(|timeline| left.contains(&timeline));
    }

    /// Removes timelines that no clip uses and for which `may_go` returns true, and renumbers the
    /// remaining timelines.
    pub(crate) fn forget_timelines(&mut self, may_go: impl Fn(TimelineId) -> bool) {
        let used: BTreeSet<TimelineId> = insert_all(self.clips.iter().map(|clip| clip.timeline));
        let mut new_id = Vec::with_capacity(self.timelines.len());
        let mut kept = Vec::new();
        for (index, timeline) in std::mem::take(&mut self.timelines).into_iter().enumerate() {
            let id = TimelineId::new(index);
            new_id.push(TimelineId::new(kept.len()));
            if used.contains(&id) || !may_go(id) {
                kept.push(timeline);
            }
        }
        self.timelines = kept;
        for clip in &mut self.clips {
            let missing = TimelineId::new(usize::MAX);
            clip.timeline = new_id.get(clip.timeline.index()).copied().unwrap_or(missing);
        }
    }
}
