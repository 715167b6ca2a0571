//! Differences between clips and their events.

use std::collections::{BTreeMap, HashMap};

use crate::ops::diff::differ::Differ;
use crate::ops::diff::difference::{Difference, Side};
use crate::ops::diff::morphs::Known;
use crate::ops::diff::pairs::unmatched;
use crate::{Clip, EventIndex, Scene, TimeRanges, TimelineId, sort_by};

/// The times of events in both scenes, by name.
type Events<'a> = BTreeMap<&'a str, [Vec<f64>; 2]>;

/// The number of samples that an event of a clip counts as.
const EVENT_SAMPLES: usize = 64;

impl<'a> Differ<'a> {
    pub(super) fn compare_clips(&mut self) {
        // The missing motion of a state is reported with the state.
        let of_states = self.scenes.map(Scene::clips_of_states);
        for (side, clip) in self.clips.alone() {
            let is_state = side.of(of_states.each_ref()).get(clip).copied().unwrap_or_default();
            if !is_state {
                self.push(Difference::ClipOnly { clip: self.clips.label(side, clip), side });
            }
        }
        self.found.clips = self.clips.both.len();
        let indices = self.scenes.map(EventIndex::of);
        let mut morphs = Known::new();
        for [in_a, in_b] in self.clips.both.clone() {
            let [a, b] = self.scenes;
            let (Some(a), Some(b)) = (a.clips.get(in_a), b.clips.get(in_b)) else { continue };
            let name = self.clips.label(Side::A, in_a);
            let clip = || name.clone();
            if !self.same_time(f64::from(a.start), f64::from(b.start)) {
                self.push(Difference::Start { clip: clip(), starts: [a.start, b.start] });
            }
            let lengths = [a, b].map(|clip| f64::from(clip.end) - f64::from(clip.start));
            if !self.same_time(lengths[0], lengths[1]) {
                self.push(Difference::Length { clip: clip(), lengths });
            }
            if a.wrap != b.wrap {
                self.push(Difference::Wrap { clip: clip(), wraps: [a.wrap, b.wrap] });
            }
            let in_part = self.found.clips_in_part;
            let are_events_compared = self.compare_events(&name, [a, b], &indices);
            self.compare_motion(&name, [a, b], &mut morphs);
            if !are_events_compared || self.found.clips_in_part > in_part {
                self.found.clips_in_part = in_part.saturating_add(1);
            }
        }
    }

    /// Returns whether all events were compared: the number of events of all clips is limited.
    fn compare_events(
        &mut self,
        name: &str,
        clips: [&'a Clip; 2],
        indices: &[EventIndex<'a>; 2],
    ) -> bool {
        let mut events = Events::new();
        for (side, clip) in Side::BOTH.into_iter().zip(clips) {
            let index = side.of(indices.each_ref());
            if !self.affords(index.count_in(clip).saturating_mul(EVENT_SAMPLES)) {
                return false;
            }
            for event in index.events_in(clip) {
                side.of(events.entry(&event.name).or_default().each_mut())
                    .push(f64::from(event.time) - f64::from(clip.start));
            }
        }
        for (event, times) in events {
            let in_both = self.compare_times(Some(name), event, &times);
            self.found.events = self.found.events.saturating_add(in_both);
        }
        true
    }

    /// Compares events that are not in any clip.
    pub(super) fn compare_events_outside(&mut self) {
        let mut events = Events::new();
        for (side, scene) in Side::BOTH.into_iter().zip(self.scenes) {
            let mut clips: Vec<&Clip> = scene.clips.iter().collect();
            sort_by(&mut clips, |a, b| a.start.total_cmp(&b.start));
            // The ranges of all clips of a timeline, and those of the clips in each group or in
            // none.
            let mut all: HashMap<TimelineId, TimeRanges> = HashMap::new();
            let mut by_group: HashMap<(TimelineId, Option<&str>), TimeRanges> = HashMap::new();
            for clip in clips {
                let group = (clip.timeline, clip.group.as_deref());
                all.entry(clip.timeline).or_default().add(clip.start, clip.end);
                by_group.entry(group).or_default().add(clip.start, clip.end);
            }
            for (id, timeline) in scene.enumerate_timelines() {
                for event in &timeline.events {
                    let contains = |ranges: &TimeRanges| ranges.contain(event.time);
                    let is_inside = match event.group.as_deref() {
                        None => all.get(&id).is_some_and(contains),
                        group => [group, None]
                            .iter()
                            .filter_map(|group| by_group.get(&(id, *group)))
                            .any(contains),
                    };
                    if !is_inside {
                        side.of(events.entry(&event.name).or_default().each_mut())
                            .push(f64::from(event.time));
                    }
                }
            }
        }
        for (event, mut times) in events {
            times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
            self.compare_times(None, event, &times);
        }
    }

    /// Reports the occurrences of an event that are in only one scene, and returns the number of
    /// occurrences that are in both.
    fn compare_times(&mut self, clip: Option<&str>, event: &str, times: &[Vec<f64>; 2]) -> usize {
        let alone = unmatched(times.each_ref().map(Vec::as_slice), self.options.seconds);
        let only_a = alone.iter().filter(|(side, _)| *side == Side::A).count();
        for (side, time) in alone {
            let (clip, event) = (clip.map(str::to_owned), event.to_owned());
            self.push(Difference::EventOnly { clip, event, time, side });
        }
        times[0].len().saturating_sub(only_a)
    }
}
