//! Named windows on a timeline.

use std::collections::BTreeSet;

use crate::extras::Extras;

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
}
