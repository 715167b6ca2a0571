//! Timeline windows: clips, and entire timelines without clips. Each becomes an animation.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anim_ir::diag::{plural, quote};
use anim_ir::{
    Curve, Diagnostics, Event, Extras, JointId, Scene, Target, TimeRanges, TimelineId, Wrap,
    insert_all, sort_by,
};

use crate::codes;

/// A clip of the scene, or an entire timeline without clips.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'a> {
    pub(crate) name: &'a str,
    /// [`Clip::name_in_group`](anim_ir::Clip::name_in_group)
    pub(crate) name_in_group: Option<&'a str>,
    pub(crate) timeline: TimelineId,
    pub(crate) start: f32,
    pub(crate) end: f32,
    pub(crate) wrap: Wrap,
    pub(crate) joints: Option<&'a BTreeSet<JointId>>,
    pub(crate) group: Option<&'a str>,
    pub(crate) extras: &'a Extras,
}

impl<'a> Window<'a> {
    /// Returns the clip's name, or else the timeline's name.
    pub(crate) fn name_or_timelines(&self, scene: &'a Scene) -> &'a str {
        if self.name.is_empty() {
            scene.timeline(self.timeline).map_or("", |timeline| timeline.name.as_str())
        } else {
            self.name
        }
    }

    pub(crate) fn has(&self, time: f32) -> bool {
        self.start <= time && time <= self.end
    }
}

/// Returns the scene's clips, followed by the timelines without clips, which must not be lost.
pub(crate) fn windows(scene: &Scene) -> Vec<Window<'_>> {
    static NONE: Extras = Extras::new();
    let clips = scene.clips.iter().map(|clip| Window {
        name: &clip.name,
        name_in_group: clip.name_in_group(),
        timeline: clip.timeline,
        start: clip.start,
        end: clip.end,
        wrap: clip.wrap,
        joints: clip.joints.as_ref(),
        group: clip.group.as_deref(),
        extras: &clip.extras,
    });
    let mut windows: Vec<Window<'_>> = clips.collect();
    let named: BTreeSet<TimelineId> = insert_all(scene.clips.iter().map(|clip| clip.timeline));
    for (id, timeline) in scene.enumerate_timelines().filter(|(id, _)| !named.contains(id)) {
        let events = timeline.events.iter().map(|event| (event.time, event.time));
        let range = timeline
            .range()
            .into_iter()
            .chain(events)
            .reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
        if range.is_some() || !timeline.tracks().is_empty() {
            let (start, end) = range.unwrap_or_default();
            windows.push(Window {
                name: &timeline.name,
                name_in_group: None,
                timeline: id,
                start,
                end,
                wrap: Wrap::Unspecified,
                joints: None,
                group: None,
                extras: &NONE,
            });
        }
    }
    windows
}

/// Reports keys and events outside all clips of their timeline.
pub(crate) fn report_outside(scene: &Scene, windows: &[Window<'_>], losses: &mut Diagnostics) {
    let mut by_timeline: BTreeMap<TimelineId, Vec<&Window<'_>>> = BTreeMap::new();
    for window in windows {
        by_timeline.entry(window.timeline).or_default().push(window);
    }
    for (id, mut windows) in by_timeline {
        let Some(timeline) = scene.timeline(id) else { continue };
        sort_by(&mut windows, |a, b| a.start.total_cmp(&b.start));
        let mut any = TimeRanges::default();
        let (mut ungrouped, mut of_groups) = (TimeRanges::default(), Vec::new());
        let mut by_group: HashMap<&str, usize> = HashMap::new();
        for window in &windows {
            any.add(window.start, window.end);
            let Some(group) = window.group else {
                ungrouped.add(window.start, window.end);
                continue;
            };
            let place = *by_group.entry(group).or_insert(of_groups.len());
            if place == of_groups.len() {
                of_groups.push(TimeRanges::default());
            }
            if let Some(ranges) = of_groups.get_mut(place) {
                ranges.add(window.start, window.end);
            }
        }
        let masked = windows.iter().all(|window| window.joints.is_some());
        let moving: BTreeSet<JointId> = if masked {
            insert_all(windows.iter().filter_map(|window| window.joints).flatten().copied())
        } else {
            BTreeSet::new()
        };
        let outside: Vec<usize> = timeline
            .tables()
            .iter()
            .map(|table| table.times().iter().filter(|time| !any.contain(**time)).count())
            .collect();
        let mut keys = 0_usize;
        for track in timeline.tracks() {
            keys = keys.saturating_add(match (track.target, &track.curve) {
                (Target::Joint(joint), _) if masked && !moving.contains(&joint) => {
                    timeline.keys(track).times.len()
                }
                (_, Curve::Keys { table, .. }) => outside.get(*table).copied().unwrap_or(0),
                _ => 0,
            });
        }
        let is_taken = |event: &Event| match event.group.as_deref() {
            None => any.contain(event.time),
            Some(group) => {
                let of_group = by_group.get(group).and_then(|place| of_groups.get(*place));
                let mut ranges = of_group.into_iter().chain([&ungrouped]);
                ranges.any(|ranges| ranges.contain(event.time))
            }
        };
        let events = timeline.events.iter().filter(|event| !is_taken(event)).count();
        if keys > 0 || events > 0 {
            losses.push(&codes::OUTSIDE_CLIPS, None, || {
                let (keys, events) = (plural(keys, "key"), plural(events, "event"));
                let name = quote(timeline.name.as_bytes());
                format!("{keys} and {events} of timeline {name} are outside all of its clips")
            });
        }
    }
}
