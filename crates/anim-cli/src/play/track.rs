//! What the layers of a mixer play.

use anim_formats::anim_ir::{ClipId, Event, Scene};

/// What a layer plays, and what happens to it next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Track {
    pub(super) clip: ClipId,
    /// The clip before, and when its crossfade ends.
    pub(super) old: Option<(ClipId, f64)>,
    /// Whether the rate of the clip changes during the crossfade.
    pub(super) is_synchronised: bool,
    /// When the weight has reached its goal.
    pub(super) fades: Option<f64>,
    /// When the layer has faded out.
    pub(super) stops: Option<f64>,
    /// When the clip is expected to finish.
    pub(super) finishes: Option<f64>,
}

impl Track {
    pub(super) const fn new(clip: ClipId) -> Track {
        let (fades, stops, finishes) = (None, None, None);
        Track { clip, old: None, is_synchronised: false, fades, stops, finishes }
    }

    /// The next time at which something happens.
    pub(super) fn next(&self, now: f64) -> Option<f64> {
        let times = [self.old.map(|(_, ends)| ends), self.fades, self.stops, self.finishes];
        times.into_iter().flatten().filter(|time| *time > now).min_by(f64::total_cmp)
    }

    /// Returns the clip that an event belongs to: that of the layer or, during a crossfade, the one
    /// before.
    pub(super) fn clip_of(&self, scene: &Scene, event: &Event) -> ClipId {
        let has = |clip: &ClipId| {
            let clip = scene.clip(*clip)?;
            let mut events = scene.timeline(clip.timeline)?.events_in(clip);
            Some(events.any(|own| std::ptr::eq(own, event)))
        };
        let old = self.old.map(|(old, _)| old).filter(|_| has(&self.clip) != Some(true));
        old.unwrap_or(self.clip)
    }
}
