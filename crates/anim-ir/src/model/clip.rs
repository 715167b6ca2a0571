//! Clips and events.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::names::named;
use crate::{Extras, JointId, Target, TimelineId};

/// The wrap mode of a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wrap {
    /// The file does not specify a wrap mode.
    #[default]
    Unspecified,
    /// Plays once and stops.
    Once,
    /// Restarts from the beginning.
    Loop,
    /// Plays forwards and backwards alternately.
    PingPong,
    /// Plays forwards, then backwards, then stops.
    PingPongOnce,
}

named!(Wrap, "wrap mode", {
    Unspecified => "unspecified",
    Once => "once",
    Loop => "loop",
    PingPong => "ping-pong",
    PingPongOnce => "ping-pong once",
});

/// A named range of a timeline, for all joints or a subset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// Name in the file; not necessarily unique.
    pub name: String,
    /// The timeline of the clip.
    pub timeline: TimelineId,
    /// Start, in seconds on the timeline.
    pub start: f32,
    /// End, in seconds on the timeline, inclusive.
    pub end: f32,
    /// The wrap mode.
    pub wrap: Wrap,
    /// The joints that the clip moves; `None` for all.
    pub joints: Option<BTreeSet<JointId>>,
    /// The group of the clip, such as an animation set in the file. A clip does not contain events
    /// of other groups ([`Clip::contains_event`]).
    pub group: Option<String>,
    /// Format-specific data.
    pub extras: Extras,
}

impl Clip {
    /// Returns the duration in seconds, which is never negative.
    pub fn duration(&self) -> f64 {
        (f64::from(self.end) - f64::from(self.start)).max(0.0)
    }

    /// Returns the name within the group, if the clip's name starts with that of the group and a
    /// slash: `walk` for `Body/walk` in the group `Body`.
    pub fn name_in_group(&self) -> Option<&str> {
        self.name.strip_prefix(self.group.as_deref()?)?.strip_prefix('/')
    }

    /// Whether the clip moves a joint.
    pub fn has_joint(&self, joint: JointId) -> bool {
        self.joints.as_ref().is_none_or(|joints| joints.contains(&joint))
    }

    /// Whether the clip moves the target of a track. Every clip includes all nodes.
    pub fn has_target(&self, target: Target) -> bool {
        if let Target::Joint(joint) = target { self.has_joint(joint) } else { true }
    }

    /// Whether the clip contains an event of its timeline: the event must be in the clip's range
    /// and not in another group. Events without a group are in all clips, and a clip without a
    /// group contains the events of all groups.
    pub fn contains_event(&self, event: &Event) -> bool {
        self.start <= event.time
            && event.time <= self.end
            && event.is_in_group(self.group.as_deref())
    }
}

/// An event (callback) that occurs at a given time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    /// Seconds on the timeline.
    pub time: f32,
    /// The name that the application receives when the event occurs.
    pub name: String,
    /// The group of clips that contain the event; `None` for all. See [`Event::is_in_group`].
    pub group: Option<String>,
    /// Data that is passed to the player with the event.
    pub payload: Extras,
}

impl Event {
    /// Compares events by time, for sorting.
    pub fn by_time(&self, other: &Event) -> Ordering {
        self.time.total_cmp(&other.time)
    }

    /// Whether the event can occur in clips of a group. It cannot if both have a group and the
    /// groups differ.
    pub fn is_in_group(&self, group: Option<&str>) -> bool {
        match (self.group.as_deref(), group) {
            (Some(own), Some(other)) => own == other,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clip_contains_events_in_its_range_and_group() {
        let clip = |group: Option<&str>| Clip {
            start: 1.0,
            end: 2.0,
            group: group.map(str::to_owned),
            ..Clip::default()
        };
        let event = |time, group: Option<&str>| Event {
            time,
            group: group.map(str::to_owned),
            ..Event::default()
        };
        let contained = |group| {
            [None, Some("Arm"), Some("Leg")]
                .map(|of_event| clip(group).contains_event(&event(1.5, of_event)))
        };
        assert_eq!(contained(None), [true; 3]);
        assert_eq!(contained(Some("Arm")), [true, true, false]);
        let times = [0.9, 1.0, 2.0, 2.1].map(|time| clip(None).contains_event(&event(time, None)));
        assert_eq!(times, [false, true, true, false]);
        let backwards = Clip { start: 2.0, end: 1.0, ..Clip::default() };
        assert_eq!((clip(None).duration(), backwards.duration()), (1.0, 0.0));
    }
}
