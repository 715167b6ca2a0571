//! Named windows on a timeline.

use std::collections::BTreeSet;

use crate::model::extras::Extras;
use crate::model::timeline::Event;

/// What happens at a clip's end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// The file does not say.
    #[default]
    Unspecified,
    /// Plays once and stops.
    Once,
    /// Starts again.
    Loop,
    /// Plays back, then forth, and so on.
    PingPong,
}

impl Wrap {
    /// `unspecified`, `once`, `loop` or `ping-pong`.
    pub const fn name(self) -> &'static str {
        match self {
            Wrap::Unspecified => "unspecified",
            Wrap::Once => "once",
            Wrap::Loop => "loop",
            Wrap::PingPong => "ping-pong",
        }
    }
}

/// A named range of a timeline, for all joints or for some.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// Name in the file; not necessarily unique.
    pub name: String,
    /// Index of the timeline in the scene.
    pub timeline: usize,
    /// First moment, in seconds on the timeline.
    pub start: f32,
    /// Last moment, in seconds on the timeline, inclusive.
    pub end: f32,
    /// What happens at the end.
    pub wrap: Wrap,
    /// Only these joints move; `None`: all.
    pub joints: Option<BTreeSet<usize>>,
    /// What the format says beyond this.
    pub extras: Extras,
}

impl Clip {
    /// Whether a joint belongs to the clip.
    pub fn has_joint(&self, joint: usize) -> bool {
        self.joints.as_ref().is_none_or(|joints| joints.contains(&joint))
    }

    /// Whether an event of the clip's timeline happens in the clip: inside its range, and in no
    /// other animation set ([`crate::animation_set`]) than the clip's. An event without a set is in
    /// every clip, and a clip without one has the events of all sets.
    pub fn takes(&self, event: &Event) -> bool {
        self.start <= event.time && event.time <= self.end && event.is_in_set_of(&self.extras)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::extras::Value;

    #[test]
    fn events_of_the_range_and_of_no_other_set() {
        let of = |format: &str, set: &str| {
            Extras::from([
                ("other".to_owned(), 1.0.into()),
                (format.to_owned(), Value::from([("set", set.into())])),
            ])
        };
        let clip = |extras| Clip { start: 1.0, end: 2.0, extras, ..Clip::default() };
        let event = |time, payload| Event { time, payload, ..Event::default() };
        let taken = |extras: Extras| {
            let clip = clip(extras);
            [Extras::new(), of("anm-text", "Arm"), of("anm-text", "Leg"), of("x", "Arm")]
                .map(|payload| clip.takes(&event(1.5, payload)))
        };
        assert_eq!(taken(Extras::new()), [true; 4]);
        assert_eq!(taken(of("anm-text", "Arm")), [true, true, false, false]);
        let times =
            [0.9, 1.0, 2.0, 2.1].map(|time| clip(Extras::new()).takes(&event(time, Extras::new())));
        assert_eq!(times, [false, true, true, false]);
    }
}
