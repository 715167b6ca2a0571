//! Things that happen at a moment.

use crate::model::extras::Extras;

/// Something that happens at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    /// Seconds on the timeline.
    pub time: f32,
    /// What the program that plays it receives.
    pub name: String,
    /// The group of clips that it belongs to; `None`: all of them. See [`Event::is_in_group`].
    pub group: Option<String>,
    /// What goes with it.
    pub payload: Extras,
}

impl Event {
    /// Whether the event may happen in clips of a group: unless both have a group and these differ.
    pub fn is_in_group(&self, group: Option<&str>) -> bool {
        match (self.group.as_deref(), group) {
            (Some(own), Some(other)) => own == other,
            _ => true,
        }
    }
}
