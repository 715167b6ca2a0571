//! The events of many clips.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use crate::{Clip, Event, Scene, TimelineId, sort_by};

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
        let (events, range) = self.range(clip);
        let Some(group) = clip.group.as_deref() else {
            return events.get(range).into_iter().flatten().collect();
        };
        let mut inside = self.members(clip, None, &range).to_vec();
        inside.extend(self.members(clip, Some(group), &range));
        sort_by(&mut inside, Ord::cmp);
        inside.into_iter().filter_map(|event| events.get(event)).collect()
    }

    /// Returns how many events a clip contains, without enumerating them.
    pub fn count_in(&self, clip: &Clip) -> usize {
        let (_, range) = self.range(clip);
        let Some(group) = clip.group.as_deref() else { return range.len() };
        let members = |group| self.members(clip, group, &range).len();
        members(None) + members(Some(group))
    }

    /// Returns the distinct columns of a drawing in which the events of a clip are. `column` must
    /// not decrease with time: the events of a column are then skipped by binary search, so the
    /// work depends on the number of columns rather than events.
    pub fn columns_in(&self, clip: &Clip, column: impl Fn(&Event) -> usize) -> BTreeSet<usize> {
        let (events, range) = self.range(clip);
        let mut columns = BTreeSet::new();
        let Some(group) = clip.group.as_deref() else {
            insert_columns(&mut columns, events.get(range).unwrap_or_default(), column);
            return columns;
        };
        let column = |event: &usize| events.get(*event).map_or(0, &column);
        insert_columns(&mut columns, self.members(clip, None, &range), column);
        insert_columns(&mut columns, self.members(clip, Some(group), &range), column);
        columns
    }

    /// Returns the events of the clip's timeline, and which of them are in the clip's range.
    fn range(&self, clip: &Clip) -> (&'a [Event], Range<usize>) {
        let timeline = self.scene.timeline(clip.timeline);
        let events = timeline.map_or(&[][..], |timeline| timeline.events.as_slice());
        let first = events.partition_point(|event| event.time < clip.start);
        let end = events.partition_point(|event| event.time <= clip.end);
        (events, first..end.max(first))
    }

    /// Returns which events of a group are in a range of a clip's timeline.
    fn members<'s>(
        &'s self,
        clip: &Clip,
        group: Option<&'s str>,
        range: &Range<usize>,
    ) -> &'s [usize] {
        let members = self.groups.get(&(clip.timeline, group)).map_or(&[][..], Vec::as_slice);
        let first = members.partition_point(|event| *event < range.start);
        let end = members.partition_point(|event| *event < range.end);
        members.get(first..end).unwrap_or_default()
    }
}

/// Inserts the distinct columns of items that are sorted by column.
fn insert_columns<T>(columns: &mut BTreeSet<usize>, mut items: &[T], column: impl Fn(&T) -> usize) {
    while let Some(first) = items.first().map(&column) {
        columns.insert(first);
        let count = items.partition_point(|item| column(item) <= first);
        items = items.get(count.max(1)..).unwrap_or_default();
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
            events.sort_by(Event::by_time);
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
            let index = EventIndex::of(&scene);
            prop_assert_eq!(index.count_in(&clip), expected.len());
            let column = |event: &Event| crate::number::count(f64::from(event.time) / 2.0);
            let columns = expected.iter().copied().map(column).collect();
            prop_assert_eq!(index.columns_in(&clip, column), columns);
            prop_assert_eq!(index.events_in(&clip), expected);
        }
    }
}
