//! The events of many clips.

use std::collections::HashMap;

use crate::{Clip, Event, Scene, TimelineId};

/// An index of a scene's events by group, for looking up those of many clips.
/// [`crate::Timeline::events_in`] also looks at the events of other groups.
#[derive(Clone, Debug)]
pub struct EventIndex<'a> {
    scene: &'a Scene,
    /// The indices of the events of a timeline that are in a group, in order of time.
    groups: HashMap<(TimelineId, Option<&'a str>), Vec<usize>>,
}

impl<'a> EventIndex<'a> {
    /// Creates an index of all events.
    pub fn of(scene: &'a Scene) -> EventIndex<'a> {
        let mut groups: HashMap<_, Vec<usize>> = HashMap::new();
        for (id, timeline) in scene.enumerate_timelines() {
            for (number, event) in timeline.events.iter().enumerate() {
                groups.entry((id, event.group.as_deref())).or_default().push(number);
            }
        }
        EventIndex { scene, groups }
    }

    /// Returns the events that a clip contains, in order of time ([`Clip::contains_event`]).
    pub fn events_in(&self, clip: &Clip) -> Vec<&'a Event> {
        let Some(timeline) = self.scene.timeline(clip.timeline) else { return Vec::new() };
        let in_range = |events: &'a [Event]| {
            let first = events.partition_point(|event| event.time < clip.start);
            let end = events.partition_point(|event| event.time <= clip.end);
            first..end.max(first)
        };
        let events = timeline.events.as_slice();
        let Some(group) = clip.group.as_deref() else {
            return events.get(in_range(events)).into_iter().flatten().collect();
        };
        let range = in_range(events);
        let mut inside = Vec::new();
        for group in [None, Some(group)] {
            let Some(members) = self.groups.get(&(clip.timeline, group)) else { continue };
            let first = members.partition_point(|event| *event < range.start);
            let members = members.get(first..).unwrap_or_default();
            inside.extend(members.iter().copied().take_while(|event| *event < range.end));
        }
        inside.sort_unstable();
        inside.into_iter().filter_map(|event| events.get(event)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timeline;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_same_events_as_the_timeline_finds(
            events in prop::collection::vec((0..6_u8, 0..4_usize), 0..20),
            start in 0..6_u8,
            end in 0..6_u8,
            group in 0..4_usize,
        ) {
            let group_of = |number: usize| [None, Some("a"), Some("b"), Some("c")][number];
            let mut events: Vec<Event> = events
                .into_iter()
                .map(|(time, group)| Event {
                    time: time.into(),
                    group: group_of(group).map(str::to_owned),
                    ..Event::default()
                })
                .collect();
            events.sort_by(|a, b| a.time.total_cmp(&b.time));
            for (number, event) in events.iter_mut().enumerate() {
                event.name = number.to_string();
            }
            let mut scene = Scene::default();
            scene.timelines.push(Timeline { events, ..Timeline::default() });
            let clip = Clip {
                start: start.into(),
                end: end.into(),
                group: group_of(group).map(str::to_owned),
                ..Clip::default()
            };
            let expected: Vec<&Event> = scene.timelines[0].events_in(&clip).collect();
            prop_assert_eq!(EventIndex::of(&scene).events_in(&clip), expected);
        }
    }
}
