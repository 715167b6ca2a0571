//! The curves of a clip, as in a graph editor.

use anim_ir::diag::plural;
use anim_ir::{
    Channel, Clip, ClipId, LimitError, PoseSpace, Scene, Target, Timeline, Track, require_valid,
};

use super::axis::Axis;
use super::lanes::{self, Time, shown};
use super::svg::{Anchor, Area, Path, Svg};
use super::trace::{Trace, Window};
use super::{DiagramError, DiagramOptions};

const WIDTH: f64 = 960.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 24.0;
/// The height of the curves of a channel.
const PANEL: f64 = 100.0;
/// The height of the name of a joint, above its first channel.
const HEADING: f64 = 24.0;
/// The height of the name of another channel.
const CAPTION: f64 = 16.0;
/// The number of colours. Further components repeat them.
const COLORS: usize = 8;

/// Draws the curves of a clip as SVG.
///
/// Each channel of a joint or node has its own value axis: lengths in the file's unit, rotations as
/// Euler angles in degrees (those of quaternions about x, then y, then z). Keys are dots. The time
/// axis shows seconds and, if the file counts frames, frames. Below are the events of the clip and
/// the other clips of its timeline. Channels that do not change during the clip are left out and
/// counted.
///
/// # Errors
///
/// See [`DiagramError`]: the clip does not exist, the scene is inconsistent, or the diagram exceeds
/// the limits.
pub fn curves(
    scene: &Scene,
    clip: ClipId,
    options: &DiagramOptions,
) -> Result<String, DiagramError> {
    require_valid(scene)?;
    let missing = DiagramError::NoSuchClip(clip);
    let clip = scene.clip(clip).ok_or_else(|| missing.clone())?;
    let timeline = scene.timeline(clip.timeline).ok_or(missing)?;
    let (start, end) = (f64::from(clip.start), f64::from(clip.end));
    let axis = Axis::new(start..=end, LEFT, WIDTH - RIGHT);
    let time = Time { axis, rate: timeline.time_base.frames_per_second() };
    let mut drawing = Drawing { svg: Svg::new(scene, &options.limits), scene, time, y: 28.0 };
    let height = drawing.draw(clip, timeline)?;
    Ok(drawing.svg.finish(WIDTH, height, &format!("Curves of {}", shown(&clip.name))))
}

struct Drawing<'a> {
    svg: Svg,
    scene: &'a Scene,
    time: Time,
    /// Where the next part begins.
    y: f64,
}

impl Drawing<'_> {
    /// Draws everything and returns the height.
    fn draw(&mut self, clip: &Clip, timeline: &Timeline) -> Result<f64, LimitError> {
        let (low, high) = self.time.axis.range();
        let (left, right) = self.time.axis.pixels();
        let pixel = (high - low) / (right - left);
        let window = Window { start: clip.start.into(), end: clip.end.into(), pixel };
        let mut tracks: Vec<&Track> =
            timeline.tracks().iter().filter(|track| clip.has_target(track.target)).collect();
        tracks.sort_by_key(|track| (place(track.target), order(track.channel)));

        self.head(clip, timeline, &tracks)?;
        if self.time.rate.is_some() {
            self.y += 16.0;
            let y = self.y;
            self.time.frames_above(&mut self.svg, y)?;
        }
        let (mut drawn, mut last) = (0_usize, None);
        for track in &tracks {
            let Some(trace) = Trace::of(timeline, track, window) else { continue };
            if last == Some(track.target) {
                self.y += CAPTION;
            } else {
                self.heading(timeline, track.target)?;
                last = Some(track.target);
            }
            self.panel(timeline, track, &trace)?;
            drawn = drawn.saturating_add(1);
        }
        self.foot(clip, timeline, tracks.len().saturating_sub(drawn), drawn)?;
        Ok(self.y)
    }

    fn head(
        &mut self,
        clip: &Clip,
        timeline: &Timeline,
        tracks: &[&Track],
    ) -> Result<(), LimitError> {
        let width = WIDTH - 2.0 * RIGHT;
        let at = |y: f64| (RIGHT, y);
        self.svg.text("h", Anchor::Start, at(self.y), shown(&clip.name), width)?;
        let mut facts = lanes::range_text(&Clip { name: String::new(), ..clip.clone() });
        facts = facts.trim_start_matches("(no name): ").to_owned();
        if let Some(rate) = self.time.rate {
            facts.push_str(&format!(" · {rate} frames per second"));
        }
        if timeline.pose_space == PoseSpace::DeltaFromRest {
            facts.push_str(" · relative to the rest pose");
        }
        self.svg.text("m", Anchor::Start, at(self.y + 19.0), &facts, width)?;
        self.y += 40.0;
        let has = |wanted: fn(Channel) -> bool| tracks.iter().any(|track| wanted(track.channel));
        let mut x = RIGHT;
        for (component, letter) in ["x", "y", "z"].iter().enumerate() {
            self.svg.line(&color("c", component), (x, self.y - 4.0), (x + 16.0, self.y - 4.0))?;
            self.svg.text("", Anchor::Start, (x + 21.0, self.y), letter, 20.0)?;
            x += 44.0;
        }
        let mut notes = vec!["dots are keys"];
        if has(|channel| channel == Channel::Rotation) {
            notes.push("rotations are Euler angles in degrees, about x, then y, then z");
        }
        let notes = notes.join(" · ");
        self.svg.text("m", Anchor::Start, (x + 4.0, self.y), &notes, WIDTH - x - RIGHT)?;
        self.y += 8.0;
        Ok(())
    }

    /// Draws the name of a joint or node.
    fn heading(&mut self, timeline: &Timeline, target: Target) -> Result<(), LimitError> {
        self.y += HEADING;
        let (left, right) = self.time.axis.pixels();
        let name = name(self.scene, timeline, target);
        self.svg.text("", Anchor::Start, (left, self.y), shown(name), (right - left) / 2.0)
    }

    /// Draws the curves of a channel.
    fn panel(
        &mut self,
        timeline: &Timeline,
        track: &Track,
        trace: &Trace,
    ) -> Result<(), LimitError> {
        let is_small = track.channel == Channel::Visibility;
        let height = if is_small { PANEL / 2.0 } else { PANEL };
        let (left, right) = self.time.axis.pixels();
        let area = Area { x: left, y: self.y + 5.0, width: right - left, height };
        let (low, high) = if is_small { (0.0, 1.0) } else { trace.range() };
        let values = Axis::new(low..=high, area.bottom(), area.y).with_margin(0.08);

        let name = name(self.scene, timeline, track.target);
        self.svg.open(&[("target", name), ("channel", track.channel.name())])?;
        self.time.grid(&mut self.svg, area.y, area.bottom())?;
        for tick in values.ticks(if is_small { 1 } else { 4 }, 0.0) {
            let y = values.at(tick.value);
            self.svg.line("g", (left, y), (right, y))?;
            self.svg.text("s m", Anchor::End, (left - 6.0, y + 3.5), &tick.label, LEFT - 8.0)?;
        }
        self.svg.rectangle("f", area, 0.0, "")?;
        let distance = (right - left) / trace.marks.len().max(1) as f64;
        for (component, line) in trace.lines.iter().enumerate() {
            let point = |number: usize| {
                let (time, value) = (trace.times.get(number)?, line.get(number)?);
                Some((self.time.axis.at(*time), values.at(*value)))
            };
            let mut path = Path::default();
            for (x, y) in (0..trace.times.len()).filter_map(point) {
                if path.is_empty() { path.start(x, y) } else { path.line(x, y) }
            }
            let mut dots = Path::default();
            trace.marks.iter().filter_map(|mark| point(*mark)).for_each(|(x, y)| dots.dot(x, y));
            self.svg.path(&color("c", component), &path, "")?;
            if !dots.is_empty() {
                let diameter = (distance / 2.0).clamp(2.0, 5.0);
                self.svg.dots(&color("k", component), diameter, &dots)?;
            }
        }
        self.svg.close()?;
        let caption = caption(track.channel);
        self.svg.text("s m", Anchor::End, (right, self.y), caption, 200.0)?;
        if track.channel == Channel::MorphWeights {
            let place = (left + (right - left) / 2.0 + 8.0, self.y);
            self.targets(track.target, trace.lines.len(), place)?;
        }
        self.y = area.bottom();
        Ok(())
    }

    /// Writes the names of the first morph targets, in the colours of their curves.
    fn targets(
        &mut self,
        target: Target,
        count: usize,
        (x, y): (f64, f64),
    ) -> Result<(), LimitError> {
        const NAME: f64 = 60.0;
        const SHOWN: usize = 5;
        let Target::Node(node) = target else { return Ok(()) };
        let mesh = self.scene.node(node).and_then(|node| self.scene.mesh(node.mesh?));
        let Some(mesh) = mesh else { return Ok(()) };
        let mut x = x;
        for (number, target) in mesh.morph_targets.iter().take(count.min(SHOWN)).enumerate() {
            let name =
                if target.name.is_empty() { number.to_string() } else { target.name.clone() };
            self.svg.line(&color("c", number), (x, y - 3.5), (x + 10.0, y - 3.5))?;
            self.svg.text("s m", Anchor::Start, (x + 14.0, y), &name, NAME - 24.0)?;
            x += NAME.min(super::svg::text_width(&name, "s m") + 30.0);
        }
        if let Some(more) = count.checked_sub(SHOWN).filter(|more| *more > 0) {
            self.svg.text("s m", Anchor::Start, (x, y), &format!("and {more} more"), NAME)?;
        }
        Ok(())
    }

    /// Draws the seconds, events and ranges, and says what is left out.
    fn foot(
        &mut self,
        clip: &Clip,
        timeline: &Timeline,
        still: usize,
        drawn: usize,
    ) -> Result<(), LimitError> {
        if drawn == 0 {
            let place = (LEFT, self.y + 20.0);
            self.svg.text("", Anchor::Start, place, "no channel changes in this clip", 400.0)?;
            self.y += 36.0;
        }
        self.y += 8.0;
        self.time.seconds_below(&mut self.svg, self.y)?;
        self.y += 28.0;
        let mut events = timeline.events_in(clip).peekable();
        if events.peek().is_some() {
            self.svg.text("s m", Anchor::End, (LEFT - 6.0, self.y + 10.0), "events", LEFT)?;
            self.y += lanes::events(&mut self.svg, self.time.axis, self.y, events)?;
        }
        let others = self.scene.clips.iter().filter(|other| {
            !std::ptr::eq(*other, clip)
                && other.timeline == clip.timeline
                && other.start < clip.end
                && clip.start < other.end
        });
        let mut others: Vec<&Clip> = others.collect();
        others.sort_by(|a, b| a.start.total_cmp(&b.start));
        if !others.is_empty() {
            self.y += 6.0;
            self.svg.text("s m", Anchor::End, (LEFT - 6.0, self.y + 12.0), "clips", LEFT)?;
            self.y += lanes::ranges(&mut self.svg, self.time.axis, self.y, &others)?;
        }
        if still > 0 {
            let text = format!("left out: {}", plural(still, "channel that does not change"));
            let text = text.replace("channel that does not changes", "channels that do not change");
            self.svg.text("m", Anchor::Start, (LEFT, self.y + 14.0), &text, 400.0)?;
            self.y += 22.0;
        }
        self.y += 8.0;
        Ok(())
    }
}

/// Returns the name of a joint or node; for a node without one, that of its mesh.
fn name<'a>(scene: &'a Scene, timeline: &Timeline, target: Target) -> &'a str {
    match target {
        Target::Joint(joint) => {
            let skeleton = scene.skeleton(timeline.skeleton);
            skeleton.and_then(|skeleton| skeleton.joint(joint)).map_or("", |joint| &joint.name)
        }
        Target::Node(node) => scene.node(node).map_or("", |node| {
            let mesh = node.mesh.and_then(|mesh| scene.mesh(mesh));
            let mesh = mesh.map_or("", |mesh| mesh.name.as_str());
            if node.name.is_empty() { mesh } else { &node.name }
        }),
        _ => "",
    }
}

/// The place of a target in the diagram: joints in the order of the skeleton, then nodes.
fn place(target: Target) -> (u8, usize) {
    match target {
        Target::Joint(joint) => (0, joint.index()),
        Target::Node(node) => (1, node.index()),
        _ => (2, 0),
    }
}

/// The place of a channel among those of its target.
fn order(channel: Channel) -> u8 {
    match channel {
        Channel::Translation => 0,
        Channel::Rotation => 1,
        Channel::Euler(_) => 2,
        Channel::Offset => 3,
        Channel::Scale => 4,
        Channel::MorphWeights => 5,
        _ => 6,
    }
}

/// The name of a channel and the unit of its values.
const fn caption(channel: Channel) -> &'static str {
    match channel {
        Channel::Rotation => "rotation, degrees",
        Channel::Euler(_) => "euler rotation, degrees",
        _ => channel.name(),
    }
}

/// The classes of a component's curve or keys.
fn color(kind: &str, component: usize) -> String {
    format!("{kind} c{}", component % COLORS)
}
