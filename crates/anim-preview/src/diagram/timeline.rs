//! All clips and events on a common time axis.

use std::collections::{BTreeMap, BTreeSet};

use anim_ir::diag::{plural, seconds};
use anim_ir::{
    Clip, Event, EventIndex, LimitError, Scene, SkeletonId, Timeline, TimelineId, Wrap, insert_all,
    require_valid,
};

use super::axis::Axis;
use super::lanes::{self, ROW, Time, range_text, shown};
use super::svg::{Anchor, Area, Path, Svg, text_width};
use super::{DiagramError, DiagramOptions};

const WIDTH: f64 = 960.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 28.0;
const MARGIN: f64 = 16.0;

/// Draws all clips and events of a scene as SVG, with a lane for each clip.
///
/// The lanes of a timeline are together, below a lane that shows where it has keys; those of a
/// group, such as an animation set of ANM text, are below the name of the group and above its
/// events. All share a time axis in seconds and, if all files count the same frames, in frames.
///
/// # Errors
///
/// See [`DiagramError`]: there are no clips, the scene is inconsistent, or the diagram exceeds the
/// limits.
pub fn timeline(scene: &Scene, options: &DiagramOptions) -> Result<String, DiagramError> {
    require_valid(scene)?;
    let mut times = Vec::new();
    for clip in &scene.clips {
        times.extend([clip.start, clip.end]);
    }
    if times.is_empty() {
        return Err(DiagramError::NoClips);
    }
    let shown: BTreeSet<TimelineId> = insert_all(scene.clips.iter().map(|clip| clip.timeline));
    let timelines: Vec<(TimelineId, &Timeline)> =
        scene.enumerate_timelines().filter(|(id, _)| shown.contains(id)).collect();
    for (_, timeline) in &timelines {
        times.extend(timeline.range().into_iter().flat_map(|(start, end)| [start, end]));
        times.extend(timeline.events.iter().map(|event| event.time));
    }
    let low = times.iter().copied().fold(f32::INFINITY, f32::min);
    let high = times.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let axis = Axis::new(low.into()..=high.into(), LEFT, WIDTH - RIGHT);
    let mut rates = timelines.iter().map(|(_, timeline)| timeline.time_base.frames_per_second());
    let first = rates.next().flatten();
    let rate = first.filter(|_| rates.all(|rate| rate == first));
    let mut drawing = Drawing {
        svg: Svg::new(scene, &options.limits),
        scene,
        index: EventIndex::of(scene),
        time: Time { axis, rate },
        y: 28.0,
    };
    let height = drawing.draw(&timelines)?;
    Ok(drawing.svg.finish(WIDTH, height, "Clips and events"))
}

/// The timelines that are drawn together: one, or the parts of a take that is split into groups.
struct Section<'a> {
    timelines: Vec<&'a Timeline>,
    clips: Vec<&'a Clip>,
}

impl<'a> Section<'a> {
    /// Returns the events of all timelines, in order of time. Parts of a take share events.
    fn events(&self) -> Vec<&'a Event> {
        let mut events: Vec<&Event> =
            self.timelines.iter().flat_map(|timeline| &timeline.events).collect();
        if self.timelines.len() > 1 {
            events.sort_by(|a, b| {
                let key = |event: &'a Event| (&event.group, &event.name);
                a.time.total_cmp(&b.time).then_with(|| key(a).cmp(&key(b)))
            });
            events.dedup();
        }
        events
    }
}

/// Returns the sections of a diagram.
fn sections<'a>(scene: &'a Scene, timelines: &[(TimelineId, &'a Timeline)]) -> Vec<Section<'a>> {
    let mut clips: BTreeMap<TimelineId, Vec<&Clip>> = BTreeMap::new();
    for clip in &scene.clips {
        clips.entry(clip.timeline).or_default().push(clip);
    }
    let mut sections: Vec<Section<'a>> = Vec::new();
    let mut takes: BTreeMap<(&str, SkeletonId), usize> = BTreeMap::new();
    for (id, timeline) in timelines {
        let clips = clips.remove(id).unwrap_or_default();
        let is_part = !timeline.name.is_empty() && clips.iter().all(|clip| clip.group.is_some());
        let take = (timeline.name.as_str(), timeline.skeleton);
        let section = takes.get(&take).filter(|_| is_part).copied();
        match section.and_then(|section| sections.get_mut(section)) {
            Some(section) => {
                section.timelines.push(timeline);
                section.clips.extend(clips);
            }
            None => {
                if is_part {
                    takes.insert(take, sections.len());
                }
                sections.push(Section { timelines: vec![timeline], clips });
            }
        }
    }
    sections
}

struct Drawing<'a> {
    svg: Svg,
    scene: &'a Scene,
    index: EventIndex<'a>,
    time: Time,
    /// Where the next part begins.
    y: f64,
}

impl<'a> Drawing<'a> {
    /// Draws everything and returns the height.
    fn draw(&mut self, timelines: &[(TimelineId, &'a Timeline)]) -> Result<f64, LimitError> {
        let events = timelines.iter().map(|(_, timeline)| timeline.events.len()).sum();
        let mut facts =
            format!("{}, {}", plural(self.scene.clips.len(), "clip"), plural(events, "event"));
        if let Some(rate) = self.time.rate {
            facts.push_str(&format!(" · {rate} frames per second"));
        }
        let title = shown(&self.scene.name);
        let title = if self.scene.name.is_empty() { "Clips and events" } else { title };
        self.svg.text("h", Anchor::Start, (MARGIN, self.y), title, WIDTH - 2.0 * MARGIN)?;
        self.svg.text("m", Anchor::Start, (MARGIN, self.y + 19.0), &facts, WIDTH - 2.0 * MARGIN)?;
        self.y += 36.0;
        if self.time.rate.is_some() {
            self.y += 16.0;
            let y = self.y;
            self.time.frames_above(&mut self.svg, y)?;
        }
        let (mark, top) = (self.svg.mark(), self.y);
        for section in sections(self.scene, timelines) {
            self.section(&section)?;
        }
        let start = self.svg.mark();
        self.time.grid(&mut self.svg, top, self.y + 4.0)?;
        self.svg.move_to_back(mark, start);
        self.y += 4.0;
        self.time.seconds_below(&mut self.svg, self.y)?;
        Ok(self.y + 30.0)
    }

    /// Draws the lanes of a section.
    fn section(&mut self, section: &Section<'a>) -> Result<(), LimitError> {
        self.y += 8.0;
        let clips = &section.clips;
        self.keys(section)?;
        // The groups, in the order of their first clips.
        let mut places = BTreeMap::new();
        for clip in clips {
            let next = places.len();
            places.entry(clip.group.as_deref()).or_insert(next);
        }
        let mut sorted = clips.clone();
        // A stable sort keeps the order within a group.
        sorted.sort_by_key(|clip| places.get(&clip.group.as_deref()));
        // Events of groups without clips are with those of no group.
        let mut events: BTreeMap<Option<&str>, Vec<&Event>> = BTreeMap::new();
        for event in section.events() {
            let group = event.group.as_deref().filter(|group| places.contains_key(&Some(*group)));
            events.entry(group).or_default().push(event);
        }
        for clips in sorted.chunk_by(|a, b| a.group == b.group) {
            let group = clips.first().and_then(|clip| clip.group.as_deref());
            if let Some(group) = group {
                self.y += 20.0;
                let place = (MARGIN, self.y - 6.0);
                self.svg.text("", Anchor::Start, place, shown(group), LEFT - MARGIN - 8.0)?;
            }
            for clip in clips {
                self.clip(clip)?;
            }
            if group.is_some() {
                self.events(events.remove(&group).unwrap_or_default())?;
            }
        }
        self.events(events.remove(&None).unwrap_or_default())
    }

    /// Draws where the timelines of a section have keys.
    fn keys(&mut self, section: &Section<'_>) -> Result<(), LimitError> {
        let timelines = &section.timelines;
        let ranges = timelines.iter().filter_map(|timeline| timeline.range());
        let range = ranges.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
        let Some((start, end)) = range else { return Ok(()) };
        // The name of a take. That of a timeline of one clip would only repeat the clip's.
        let name = timelines.first().map_or("", |timeline| timeline.name.as_str());
        let is_take = !name.is_empty() && section.clips.iter().all(|clip| clip.name != name);
        self.lane("m", if is_take { name } else { "keys" })?;
        let column = |time: f32| anim_ir::number::count(self.time.axis.at(time.into()).round());
        let tables = timelines.iter().flat_map(|timeline| timeline.tables());
        let columns: BTreeSet<usize> =
            tables.flat_map(|table| table.times()).map(|time| column(*time)).collect();
        let mut path = Path::default();
        path.marks(columns, self.y + 5.0, ROW - 10.0);
        let count = timelines.iter().map(|timeline| timeline.key_count()).sum();
        let title = format!("{} from {} to {}", plural(count, "key"), seconds(start), seconds(end));
        self.svg.path("keys", &path, &title)?;
        self.y += ROW;
        Ok(())
    }

    /// Draws the name of a lane.
    fn lane(&mut self, class: &str, name: &str) -> Result<(), LimitError> {
        let place = (LEFT - 10.0, self.y + 14.0);
        self.svg.text(class, Anchor::End, place, name, LEFT - MARGIN - 10.0)
    }

    /// Draws the lane of a clip, with the events it contains.
    fn clip(&mut self, clip: &Clip) -> Result<(), LimitError> {
        self.lane("", shown(clip.name_in_group().unwrap_or(&clip.name)))?;
        let axis = self.time.axis;
        let (x, end) = (axis.at(clip.start.into()), axis.at(clip.end.into()));
        let area = Area { x, y: self.y + 2.0, width: (end - x).max(2.0), height: ROW - 4.0 };
        self.svg.open(&[("clip", &clip.name)])?;
        self.svg.rectangle("bar", area, 3.0, &range_text(clip))?;
        self.svg.close()?;
        self.marks(clip, area)?;
        let mut facts = seconds(clip.duration());
        if clip.wrap != Wrap::Unspecified {
            facts.push_str(&format!(", {}", clip.wrap));
        }
        let width = text_width(&facts, "s m") + 8.0;
        let right = axis.pixels().1;
        let place = if width < area.width - 8.0 {
            (area.x + 6.0, Anchor::Start)
        } else if area.right() + width < right + RIGHT {
            (area.right() + 5.0, Anchor::Start)
        } else {
            (area.x - 5.0, Anchor::End)
        };
        self.svg.text("s m", place.1, (place.0, self.y + 14.0), &facts, width + 20.0)?;
        self.y += ROW;
        Ok(())
    }

    /// Draws a line for each event that a clip contains.
    fn marks(&mut self, clip: &Clip, area: Area) -> Result<(), LimitError> {
        let axis = self.time.axis;
        let column = |event: &Event| anim_ir::number::count(axis.at(event.time.into()).round());
        let mut path = Path::default();
        path.marks(self.index.columns_in(clip, column), area.bottom() - 6.0, 7.0);
        if path.is_empty() { Ok(()) } else { self.svg.path("event", &path, "") }
    }

    fn events(&mut self, events: Vec<&Event>) -> Result<(), LimitError> {
        if events.is_empty() {
            return Ok(());
        }
        let place = (LEFT - 10.0, self.y + 11.0);
        self.svg.text("s m", Anchor::End, place, "events", 80.0)?;
        self.y += lanes::events(&mut self.svg, self.time.axis, self.y, events.into_iter())?;
        Ok(())
    }
}
