//! Animations: clips with their channels, key in, key out.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anim_ir::diag::{plural, quote};
use anim_ir::number::narrow;
use anim_ir::{
    Channel, Curve, Diagnostics, Event, Extras, Interpolation, Joint, KeyTable, Pose, PoseSpace,
    Sampler, Scene, Skeleton, Target, TimeBase, Timeline, TimelineBuilder, Track, Transform, Value,
    Wrap, animation_set,
};

use crate::WriteOptions;
use crate::buffer::{Piece, put_floats};
use crate::codes;
use crate::error::WriteError;
use crate::extras::{extras, shallow};
use crate::hierarchy::{Hierarchy, JointNodes};
use crate::json::{self, gl};
use crate::math::{NO_ROTATION, axes, finite, finite_all, multiply, transform, unit};
use crate::mesh::Accessors;
use crate::names::Names;
use crate::svd::{Mat3, Quat};

/// About how many bytes of JSON a channel or an event takes. Many clips on one long timeline
/// multiply: what cannot fit is refused before it is planned.
const JSON_BYTES: usize = 180;

/// Values that are worked out before they are written.
const BLOCK: usize = 1024;

/// What happens to the numbers of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
enum KeyMap {
    /// They stay.
    Copy,
    /// Rotations become unit quaternions, behind another rotation where there is one. Tangents are
    /// turned, not normalised.
    Rotation(Option<Quat>),
    /// A matrix, then a move; tangents are not moved.
    Affine(Mat3, [f64; 3]),
    /// Each of the three numbers has its factor.
    Factors([f64; 3]),
    /// 0 or 1, three times: a scale.
    Show,
    /// 0 or 1 in a byte.
    Flag,
}

#[derive(Debug)]
enum KeyValues<'a> {
    /// Rows of a table, from `first`; the numbers start at `column`.
    Rows { table: &'a KeyTable, first: usize, column: usize },
    /// One key.
    One(Vec<f32>),
}

/// The keys of a channel, worked out when they are written.
#[derive(Debug)]
pub(crate) struct KeyOutput<'a> {
    values: KeyValues<'a>,
    map: KeyMap,
    /// Numbers in a value.
    width: usize,
    /// Values in a key: 1, or 3 with tangents.
    parts: usize,
    count: usize,
}

impl KeyOutput<'_> {
    /// How many bytes there are.
    pub(crate) fn len(&self) -> usize {
        let bytes = match self.map {
            KeyMap::Flag => 1,
            KeyMap::Show => 12,
            _ => self.width.saturating_mul(4),
        };
        self.count.saturating_mul(self.parts).saturating_mul(bytes)
    }

    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        match self.map {
            KeyMap::Copy if self.width == 3 => self.put_values::<3, 3>(out, |value, _| value),
            KeyMap::Copy => self.keys().for_each(|key| put_floats(out, key)),
            KeyMap::Rotation(before) => self.put_values(out, |value, is_tangent| {
                let value = value.map(f64::from);
                let turned = before.map_or(value, |before| multiply(before, value));
                finite_all(if is_tangent { turned } else { unit(turned) })
            }),
            KeyMap::Affine(matrix, origin) => self.put_values(out, |value, is_tangent| {
                let [x, y, z] = transform(matrix, value.map(f64::from));
                let [a, b, c] = if is_tangent { [0.0; 3] } else { origin };
                finite_all([x + a, y + b, z + c])
            }),
            KeyMap::Show => self.put_values(out, |[shown]: [f32; 1], _| [shown; 3]),
            KeyMap::Flag => out.extend(
                self.keys().map(|key| u8::from(key.first().is_some_and(|shown| *shown != 0.0))),
            ),
            KeyMap::Factors([a, b, c]) => self.put_values(out, |value, _| {
                let [x, y, z] = value.map(f64::from);
                finite_all([x * a, y * b, z * c])
            }),
        }
    }

    /// The numbers of each key.
    fn keys(&self) -> impl Iterator<Item = &[f32]> {
        let (rows, one) = match &self.values {
            KeyValues::One(value) => (None, Some(value.as_slice())),
            KeyValues::Rows { table, first, column } => {
                let range = *column..column.saturating_add(self.parts.saturating_mul(self.width));
                let rows = *first..first.saturating_add(self.count);
                (
                    Some(
                        rows.map(move |row| table.row(row).get(range.clone()).unwrap_or_default()),
                    ),
                    None,
                )
            }
        };
        rows.into_iter().flatten().chain(one)
    }

    /// Writes what `map` makes of each value; it is told whether that is a tangent.
    fn put_values<const WIDTH: usize, const OUT: usize>(
        &self,
        out: &mut Vec<u8>,
        map: impl Fn([f32; WIDTH], bool) -> [f32; OUT],
    ) {
        // In blocks, for a vector that grows by single numbers is slow.
        let mut block: Vec<[f32; OUT]> =
            Vec::with_capacity(BLOCK.min(self.count).saturating_mul(self.parts));
        for key in self.keys() {
            if block.len() >= BLOCK {
                put_floats(out, block.as_flattened());
                block.clear();
            }
            for (number, value) in key.as_chunks::<WIDTH>().0.iter().enumerate() {
                block.push(map(*value, self.parts == 3 && number != 1));
            }
        }
        put_floats(out, block.as_flattened());
    }
}

/// A clip of the scene, or all of a timeline that has none.
#[derive(Clone, Copy, Debug)]
struct Window<'a> {
    name: &'a str,
    timeline: usize,
    start: f32,
    end: f32,
    wrap: Wrap,
    joints: Option<&'a BTreeSet<usize>>,
    extras: &'a Extras,
}

impl<'a> Window<'a> {
    /// The clip's name, or else its timeline's.
    fn name_or_timelines(&self, scene: &'a Scene) -> &'a str {
        if self.name.is_empty() {
            scene.timelines.get(self.timeline).map_or("", |timeline| timeline.name.as_str())
        } else {
            self.name
        }
    }

    fn has(&self, time: f32) -> bool {
        self.start <= time && time <= self.end
    }
}

/// The scene's clips, and behind them the timelines that no clip is on: nobody wants those to
/// vanish.
fn windows(scene: &Scene) -> Vec<Window<'_>> {
    static NONE: Extras = Extras::new();
    let clips = scene.clips.iter().map(|clip| Window {
        name: &clip.name,
        timeline: clip.timeline,
        start: clip.start,
        end: clip.end,
        wrap: clip.wrap,
        joints: clip.joints.as_ref(),
        extras: &clip.extras,
    });
    let mut windows: Vec<Window<'_>> = clips.collect();
    let named: BTreeSet<usize> = scene.clips.iter().map(|clip| clip.timeline).collect();
    for (index, timeline) in
        scene.timelines.iter().enumerate().filter(|(index, _)| !named.contains(index))
    {
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
                timeline: index,
                start,
                end,
                wrap: Wrap::Unspecified,
                joints: None,
                extras: &NONE,
            });
        }
    }
    windows
}

/// Ranges of time in order and apart.
#[derive(Debug, Default)]
struct Ranges(Vec<(f32, f32)>);

impl Ranges {
    /// Adds the range of a window that starts no earlier than those before it. Ranges that overlap
    /// become one.
    fn add(&mut self, window: &Window<'_>) {
        match self.0.last_mut() {
            Some((_, end)) if window.start <= *end => *end = end.max(window.end),
            _ => self.0.push((window.start, window.end)),
        }
    }

    fn contain(&self, time: f32) -> bool {
        let next = self.0.partition_point(|(start, _)| *start <= time);
        next.checked_sub(1).and_then(|at| self.0.get(at)).is_some_and(|(_, end)| time <= *end)
    }
}

/// Tells of keys and events that no clip of their timeline has.
fn report_outside(scene: &Scene, windows: &[Window<'_>], losses: &mut Diagnostics) {
    let mut by_timeline: BTreeMap<usize, Vec<&Window<'_>>> = BTreeMap::new();
    for window in windows {
        by_timeline.entry(window.timeline).or_default().push(window);
    }
    for (index, mut windows) in by_timeline {
        let Some(timeline) = scene.timelines.get(index) else { continue };
        windows.sort_by(|a, b| a.start.total_cmp(&b.start));
        let mut any = Ranges::default();
        let mut by_set: HashMap<Option<(&str, &str)>, Ranges> = HashMap::new();
        for window in &windows {
            any.add(window);
            by_set.entry(animation_set(window.extras)).or_default().add(window);
        }
        let masked = windows.iter().all(|window| window.joints.is_some());
        let moving: BTreeSet<usize> = if masked {
            windows.iter().filter_map(|window| window.joints).flatten().copied().collect()
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
                (_, Curve::Constant(_) | Curve::Wave(_)) => 0,
            });
        }
        let is_taken = |event: &Event| match animation_set(&event.payload) {
            None => any.contain(event.time),
            set => [set, None]
                .iter()
                .filter_map(|set| by_set.get(set))
                .any(|ranges| ranges.contain(event.time)),
        };
        let events = timeline.events.iter().filter(|event| !is_taken(event)).count();
        if keys > 0 || events > 0 {
            losses.push(&codes::OUTSIDE_CLIPS, None, || {
                format!(
                    "{keys} keys and {events} events of timeline {} are in none of its clips",
                    quote(timeline.name.as_bytes())
                )
            });
        }
    }
}

/// What the extras of an animation say of its clip. Times are those of the animation.
fn description(
    window: &Window<'_>,
    timeline: &Timeline,
    offset: f32,
    events: &[&Event],
    losses: &mut Diagnostics,
) -> Vec<(&'static str, Value)> {
    let moved = |time: f32| Value::from(narrow(f64::from(time) - f64::from(offset)));
    let mut ours: Vec<(&'static str, Value)> =
        vec![("start", moved(window.start)), ("end", moved(window.end))];
    if !timeline.name.is_empty() && timeline.name != window.name {
        ours.push(("timeline", timeline.name.as_str().into()));
    }
    if window.wrap != Wrap::Unspecified {
        ours.push(("wrap", window.wrap.name().into()));
    }
    match timeline.time_base {
        TimeBase::Frames { per_second } if per_second.is_finite() => {
            ours.push(("time_base", Value::from([("frames_per_second", per_second.into())])))
        }
        TimeBase::Progress { duration } if duration.is_finite() => {
            ours.push(("time_base", Value::from([("progress_seconds", duration.into())])))
        }
        _ => {}
    }
    if offset != 0.0 {
        ours.push(("time_offset", offset.into()));
    }
    if !events.is_empty() {
        let mut event = |event: &&Event| {
            let mut map = BTreeMap::from([
                ("time".to_owned(), moved(event.time)),
                ("name".to_owned(), event.name.as_str().into()),
            ]);
            if !event.payload.is_empty() {
                map.insert(
                    "payload".to_owned(),
                    Value::Map(shallow(&event.payload, losses, || {
                        format!("event {}", quote(event.name.as_bytes()))
                    })),
                );
            }
            Value::Map(map)
        };
        ours.push(("events", Value::List(events.iter().map(&mut event).collect())));
    }
    ours
}

/// Animations, and what is kept of clips that are none.
#[derive(Debug, Default)]
pub(crate) struct Animations<'a> {
    pub(crate) list: Vec<json::Animation<'a>>,
    /// Clips without a channel, for the scene's extras.
    pub(crate) empty: Vec<Value>,
}

pub(crate) fn plan<'a>(
    scene: &'a Scene,
    options: &WriteOptions,
    tree: &Hierarchy<'_>,
    accessors: &mut Accessors<'a>,
    losses: &mut Diagnostics,
) -> Result<Animations<'a>, WriteError> {
    let windows = windows(scene);
    report_outside(scene, &windows, losses);
    let mut names = Names::default();
    for window in &windows {
        names.announce(window.name_or_timelines(scene));
    }
    let mut planner = Planner::new(scene, options, tree, accessors, losses);
    let mut animations = Animations::default();
    for window in &windows {
        let Some(timeline) = scene.timelines.get(window.timeline) else { continue };
        let events = planner.events(window, timeline)?;
        let planned = planner.plan_window(window, timeline)?;
        let mut ours = description(window, timeline, planned.offset, &events, planner.losses);
        let whose = || format!("clip {}", quote(window.name.as_bytes()));
        if planned.channels.is_empty() {
            planner
                .losses
                .push(&codes::EMPTY_ANIMATION, None, || format!("nothing moves in {}", whose()));
            ours.push(("name", window.name.into()));
            if let Some(joints) = window.joints {
                let skeleton = scene.skeletons.get(timeline.skeleton);
                let names = joints
                    .iter()
                    .filter_map(|joint| Some(skeleton?.joints.get(*joint)?.name.as_str()));
                ours.push(("joints", names.collect()));
            }
            if !window.extras.is_empty() {
                ours.push(("extras", Value::Map(shallow(window.extras, planner.losses, whose))));
            }
            animations.empty.push(Value::Map(
                ours.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            ));
            continue;
        }
        if window.joints.is_some() {
            ours.push(("partial", true.into()));
        }
        let own = window.name_or_timelines(scene);
        let name =
            if own.is_empty() { names.claim("animation", false) } else { names.claim(own, true) };
        if name != window.name {
            ours.push(("name", window.name.into()));
        }
        let extras = extras(window.extras, ours, planner.losses, whose);
        animations.list.push(json::Animation {
            name,
            channels: planned.channels,
            samplers: planned.samplers,
            extras,
        });
    }
    planner.finish()?;
    Ok(animations)
}

/// A view of the buffer that grows, and the accessors that will refer to it.
#[derive(Debug, Default)]
struct Section<'a> {
    pieces: Vec<Piece<'a>>,
    length: usize,
    accessors: Vec<usize>,
}

impl<'a> Section<'a> {
    fn add(
        &mut self,
        accessors: &mut Vec<json::Accessor>,
        piece: Piece<'a>,
        component_type: u16,
        element: &'static str,
        count: usize,
    ) -> usize {
        let at = accessors.len();
        // The view is numbered when all of it is known.
        accessors.push(json::Accessor {
            buffer_view: 0,
            byte_offset: self.length,
            component_type,
            count,
            element,
            max: Vec::new(),
            min: Vec::new(),
        });
        self.length = self.length.saturating_add(piece.len());
        self.pieces.push(piece);
        self.accessors.push(at);
        at
    }

    fn finish(self, accessors: &mut Accessors<'a>) -> Result<(), WriteError> {
        if self.pieces.is_empty() {
            return Ok(());
        }
        let view = accessors.bin.add_view(None, self.pieces)?;
        for at in self.accessors {
            if let Some(accessor) = accessors.list.get_mut(at) {
                accessor.buffer_view = view;
            }
        }
        Ok(())
    }
}

/// Where to find what belongs to a clip, so that many clips with few joints each cost no more than
/// they hold.
#[derive(Debug, Default)]
struct TimelineIndex {
    by_joint: HashMap<usize, Vec<usize>>,
    of_nodes: Vec<usize>,
    /// Events in order of time.
    events: Vec<usize>,
}

struct Planner<'a, 'b> {
    scene: &'a Scene,
    options: &'b WriteOptions,
    tree: &'b Hierarchy<'b>,
    accessors: &'b mut Accessors<'a>,
    losses: &'b mut Diagnostics,
    times: Section<'a>,
    values: Section<'a>,
    /// Of one byte each.
    flags: Section<'a>,
    /// Accessors of times by their bits: two lists of equal times are written once.
    by_content: HashMap<Vec<u32>, usize>,
    indices: HashMap<usize, TimelineIndex>,
    /// About how many bytes of JSON there will be.
    cost: usize,
}

#[derive(Debug, Default)]
struct PlannedClip {
    channels: Vec<json::Channel>,
    samplers: Vec<json::Sampler>,
    /// By how much times were reduced.
    offset: f32,
}

/// What all tracks of a clip have in common.
struct Frame<'w> {
    window: &'w Window<'w>,
    /// By how much times are reduced.
    offset: f32,
    /// Where keys stand that have no time of their own.
    start: f32,
    /// Accessor of times and number of keys, by table and rows.
    inputs: HashMap<(usize, usize, usize), (usize, usize)>,
}

/// The keys of a track that are in a window.
#[derive(Clone, Copy, Debug)]
struct Cut {
    first: usize,
    count: usize,
}

impl<'a, 'b> Planner<'a, 'b> {
    fn new(
        scene: &'a Scene,
        options: &'b WriteOptions,
        tree: &'b Hierarchy<'b>,
        accessors: &'b mut Accessors<'a>,
        losses: &'b mut Diagnostics,
    ) -> Planner<'a, 'b> {
        Planner {
            scene,
            options,
            tree,
            accessors,
            losses,
            times: Section::default(),
            values: Section::default(),
            flags: Section::default(),
            by_content: HashMap::new(),
            indices: HashMap::new(),
            cost: 0,
        }
    }

    fn finish(self) -> Result<(), WriteError> {
        self.times.finish(self.accessors)?;
        self.values.finish(self.accessors)?;
        self.flags.finish(self.accessors)
    }

    fn spend(&mut self, items: usize) -> Result<(), WriteError> {
        self.cost = self.cost.saturating_add(items.saturating_mul(JSON_BYTES));
        let most = self.options.max_bytes;
        if self.cost > most { Err(WriteError::TooLarge { most }) } else { Ok(()) }
    }

    fn index(&mut self, number: usize, timeline: &Timeline) -> &TimelineIndex {
        self.indices.entry(number).or_insert_with(|| {
            let mut index = TimelineIndex::default();
            for (at, track) in timeline.tracks().iter().enumerate() {
                match track.target {
                    Target::Joint(joint) => index.by_joint.entry(joint).or_default().push(at),
                    Target::Node(_) => index.of_nodes.push(at),
                }
            }
            index.events = (0..timeline.events.len()).collect();
            let time = |at: &usize| timeline.events.get(*at).map_or(0.0, |event| event.time);
            index.events.sort_by(|a, b| time(a).total_cmp(&time(b)));
            index
        })
    }

    fn events(
        &mut self,
        window: &Window<'_>,
        timeline: &'a Timeline,
    ) -> Result<Vec<&'a Event>, WriteError> {
        let index = self.index(window.timeline, timeline);
        let time = |at: &usize| timeline.events.get(*at).map_or(0.0, |event| event.time);
        let first = index.events.partition_point(|at| time(at) < window.start);
        let inside = index
            .events
            .get(first..)
            .unwrap_or_default()
            .iter()
            .take_while(|at| window.has(time(at)));
        let mut events: Vec<&Event> = inside.filter_map(|at| timeline.events.get(*at)).collect();
        // Looking at those of other sets costs as well.
        self.spend(events.len())?;
        events.retain(|event| event.is_in_set_of(window.extras));
        Ok(events)
    }

    /// The tracks of a window, in the timeline's order.
    fn tracks(&mut self, window: &Window<'_>, timeline: &'a Timeline) -> Vec<&'a Track> {
        let Some(joints) = window.joints else { return timeline.tracks().iter().collect() };
        let index = self.index(window.timeline, timeline);
        let mut tracks: Vec<usize> = joints
            .iter()
            .filter_map(|joint| index.by_joint.get(joint))
            .flatten()
            .chain(&index.of_nodes)
            .copied()
            .collect();
        tracks.sort_unstable();
        tracks.into_iter().filter_map(|track| timeline.tracks().get(track)).collect()
    }

    fn plan_window(
        &mut self,
        window: &Window<'a>,
        timeline: &'a Timeline,
    ) -> Result<PlannedClip, WriteError> {
        let mut tracks = Vec::new();
        let mut first_key = f32::INFINITY;
        for track in self.tracks(window, timeline) {
            let Some(nodes) = self.target(timeline, track) else {
                let (kind, number) = match track.target {
                    Target::Joint(joint) => ("joint", joint),
                    Target::Node(node) => ("node", node),
                };
                self.losses.push(&codes::TRACK_TARGET, None, || {
                    format!(
                        "the {} of {kind} {number} in clip {} cannot be moved",
                        track.channel.name(),
                        quote(window.name.as_bytes())
                    )
                });
                continue;
            };
            let cut = cut(timeline, track, window);
            if let Some(first) = cut.and_then(|cut| {
                timeline.keys(track).times.get(cut.first..)?.get(..cut.count)?.first()
            }) {
                first_key = first_key.min(*first);
            }
            tracks.push((track, nodes, cut));
        }
        self.spend(tracks.len())?;
        let mut planned = PlannedClip::default();
        if self.options.clips_start_at_zero {
            planned.offset = window.start;
        } else if first_key < 0.0 {
            planned.offset = first_key;
            self.losses.push(&codes::TIME_SHIFT, None, || {
                format!(
                    "clip {} starts at {first_key} s and is moved to 0",
                    quote(window.name.as_bytes())
                )
            });
        }
        // A constant has no time of its own.
        let start = finite(f64::from(window.start) - f64::from(planned.offset)).max(0.0);
        let mut frame = Frame { window, offset: planned.offset, start, inputs: HashMap::new() };
        let mut cut_off = 0_usize;
        for (track, nodes, cut) in &tracks {
            if let (Curve::Keys { table, .. }, Some(cut)) = (&track.curve, cut)
                && timeline
                    .tables()
                    .get(*table)
                    .is_some_and(|table| loses_motion(table, track, *cut, window))
            {
                cut_off = cut_off.saturating_add(1);
            }
            let (node, map) = self.destination(timeline, track, nodes);
            let keys = self.keys(&mut frame, timeline, track, *cut, map);
            self.channel(&mut planned, node, track.channel, keys);
        }
        if cut_off > 0 {
            self.losses.push(&codes::CLIP_BORDER, None, || {
                format!(
                    "clip {} starts or ends between keys of {}",
                    quote(window.name.as_bytes()),
                    plural(cut_off, "track")
                )
            });
        }
        if timeline.pose_space == PoseSpace::ParentRelative {
            self.level_helpers(&mut planned, &tracks, start);
        }
        Ok(planned)
    }

    /// What a track moves; `None` where it cannot be moved in glTF.
    fn target(&self, timeline: &Timeline, track: &Track) -> Option<Moved<'a, 'b>> {
        match (track.target, track.channel) {
            (
                Target::Joint(joint),
                Channel::Translation | Channel::Rotation | Channel::Scale | Channel::Visibility,
            ) => {
                let nodes = self.tree.joints.get(timeline.skeleton)?.get(joint)?;
                Some(Moved::Joint(
                    nodes,
                    self.scene.skeletons.get(timeline.skeleton)?.joints.get(joint)?,
                ))
            }
            (Target::Node(node), Channel::MorphWeights) => {
                let node = *self.tree.of_scene.get(node)?;
                self.tree.nodes.get(node)?.mesh.map(|_| Moved::Node(node))
            }
            _ => None,
        }
    }

    /// The node that a track moves in the glTF file, and what that means for the values.
    fn destination(
        &self,
        timeline: &Timeline,
        track: &Track,
        moved: &Moved<'_, '_>,
    ) -> (usize, KeyMap) {
        let plain =
            if track.channel == Channel::Rotation { KeyMap::Rotation(None) } else { KeyMap::Copy };
        match moved {
            Moved::Joint(nodes, _) if track.channel == Channel::Visibility => (
                nodes.switch.unwrap_or(nodes.node),
                if self.tree.node_visibility { KeyMap::Flag } else { KeyMap::Show },
            ),
            Moved::Node(node) => (*node, KeyMap::Copy),
            Moved::Joint(nodes, joint) => match (timeline.pose_space, &nodes.helper) {
                (PoseSpace::ParentRelative, None) => (nodes.node, plain),
                (PoseSpace::ParentRelative, Some(helper)) => (helper.node, plain),
                (PoseSpace::DeltaFromRest, None) => {
                    (nodes.node, behind_rest(&joint.rest, track.channel))
                }
                (PoseSpace::DeltaFromRest, Some(helper)) => match (helper.turn, track.channel) {
                    (Some(turn), Channel::Translation) => {
                        (nodes.node, KeyMap::Affine(axes(turn), [0.0; 3]))
                    }
                    (Some(turn), Channel::Rotation) => (nodes.node, KeyMap::Rotation(Some(turn))),
                    _ => (nodes.node, plain),
                },
            },
        }
    }

    /// Accessors and interpolation of a track's keys.
    fn keys(
        &mut self,
        frame: &mut Frame<'_>,
        timeline: &'a Timeline,
        track: &'a Track,
        cut: Option<Cut>,
        map: KeyMap,
    ) -> json::Sampler {
        let (number, column, width) = match &track.curve {
            Curve::Constant(value) => {
                return self.one_key(frame.start, track.channel, value.clone(), map);
            }
            // Baked before.
            Curve::Wave(wave) => {
                return self.one_key(frame.start, track.channel, wave.start.to_vec(), map);
            }
            Curve::Keys { table, column, width } => (*table, *column, *width),
        };
        let (Some(table), Some(cut)) = (timeline.tables().get(number), cut) else {
            return self.one_key(frame.start, track.channel, Vec::new(), map);
        };
        let (input, count) =
            *frame.inputs.entry((number, cut.first, cut.count)).or_insert_with(|| {
                let times = table
                    .times()
                    .get(cut.first..)
                    .and_then(|times| times.get(..cut.count))
                    .unwrap_or_default();
                self.input(moved_times(times, frame.offset))
            });
        if count == 0 {
            let value = value_at(table, track, cut.first, frame.window.start);
            return self.one_key(frame.start, track.channel, value, map);
        }
        // A spline needs two keys: of one alone the value is left, which stands in the middle.
        let (parts, column) = match (table.interpolation(), count) {
            (Interpolation::Cubic, 1) => (1, column.saturating_add(width)),
            (Interpolation::Cubic, _) => (3, column),
            _ => (1, column),
        };
        let interpolation = match table.interpolation() {
            Interpolation::Cubic if parts == 3 => Some("CUBICSPLINE"),
            Interpolation::Linear if count > 1 => None,
            _ => Some("STEP"),
        };
        let keys = KeyOutput {
            values: KeyValues::Rows { table, first: cut.first, column },
            map,
            width,
            parts,
            count,
        };
        json::Sampler { input, interpolation, output: self.output(track.channel, keys) }
    }

    fn one_key(
        &mut self,
        time: f32,
        channel: Channel,
        value: Vec<f32>,
        map: KeyMap,
    ) -> json::Sampler {
        let (input, _) = self.input(vec![time]);
        let keys = KeyOutput {
            width: value.len(),
            values: KeyValues::One(value),
            map,
            parts: 1,
            count: 1,
        };
        json::Sampler { input, interpolation: Some("STEP"), output: self.output(channel, keys) }
    }

    /// The accessor of times, and how many there are.
    fn input(&mut self, times: Vec<f32>) -> (usize, usize) {
        let count = times.len();
        let (Some(first), Some(last)) = (times.first().copied(), times.last().copied()) else {
            return (0, 0);
        };
        let bits = times.iter().map(|time| time.to_bits()).collect();
        let accessor = *self.by_content.entry(bits).or_insert_with(|| {
            let at = self.times.add(
                &mut self.accessors.list,
                Piece::OwnedFloats(times),
                gl::FLOAT,
                "SCALAR",
                count,
            );
            if let Some(accessor) = self.accessors.list.get_mut(at) {
                (accessor.min, accessor.max) = (vec![first], vec![last]);
            }
            at
        });
        (accessor, count)
    }

    fn output(&mut self, channel: Channel, keys: KeyOutput<'a>) -> usize {
        let values = keys.count.saturating_mul(keys.parts);
        let (element, count) = match channel {
            Channel::Visibility if keys.map == KeyMap::Flag => {
                return self.flags.add(
                    &mut self.accessors.list,
                    Piece::Keys(Box::new(keys)),
                    gl::UNSIGNED_BYTE,
                    "SCALAR",
                    values,
                );
            }
            Channel::Translation
            | Channel::Scale
            | Channel::Visibility
            | Channel::Euler(_)
            | Channel::Offset => ("VEC3", values),
            Channel::Rotation => ("VEC4", values),
            Channel::MorphWeights => ("SCALAR", values.saturating_mul(keys.width)),
        };
        self.values.add(
            &mut self.accessors.list,
            Piece::Keys(Box::new(keys)),
            gl::FLOAT,
            element,
            count,
        )
    }

    fn channel(
        &mut self,
        planned: &mut PlannedClip,
        node: usize,
        channel: Channel,
        sampler: json::Sampler,
    ) {
        let target = if channel == Channel::Visibility && self.tree.node_visibility {
            let pointer = format!("/nodes/{node}/extensions/KHR_node_visibility/visible");
            let extensions =
                Some(json::TargetExtensions { pointer: json::AnimationPointer { pointer } });
            json::ChannelTarget { node: None, path: "pointer", extensions }
        } else {
            json::ChannelTarget { node: Some(node), path: path(channel), extensions: None }
        };
        planned.channels.push(json::Channel { sampler: planned.samplers.len(), target });
        planned.samplers.push(sampler);
    }

    /// Where a clip says how a joint with two nodes stands to its parent, the upper node does as
    /// the clip says and the lower one must not turn. What the clip leaves open is the joint's rest
    /// pose, which is not what the upper node has at rest.
    fn level_helpers(
        &mut self,
        planned: &mut PlannedClip,
        tracks: &[(&'a Track, Moved<'_, '_>, Option<Cut>)],
        start: f32,
    ) {
        let mut moved: BTreeMap<usize, (&JointNodes, &Joint, Vec<Channel>)> = BTreeMap::new();
        for (track, target, _) in tracks {
            if let (Target::Joint(index), Moved::Joint(nodes, joint)) = (track.target, target)
                && nodes.helper.is_some()
                // What only comes and goes stays where it is.
                && track.channel != Channel::Visibility
            {
                moved.entry(index).or_insert((nodes, joint, Vec::new())).2.push(track.channel);
            }
        }
        for (nodes, joint, channels) in moved.into_values() {
            let Some(helper) = nodes.helper.as_ref().filter(|helper| helper.exact) else {
                continue;
            };
            let rest = [
                (Channel::Translation, joint.rest.translation.to_array().to_vec(), KeyMap::Copy),
                (
                    Channel::Rotation,
                    joint.rest.rotation.to_array().to_vec(),
                    KeyMap::Rotation(None),
                ),
                (Channel::Scale, joint.rest.scale.to_array().to_vec(), KeyMap::Copy),
            ];
            for (channel, value, map) in
                rest.into_iter().filter(|(channel, _, _)| !channels.contains(channel))
            {
                let sampler = self.one_key(start, channel, value, map);
                self.channel(planned, helper.node, channel, sampler);
            }
            if helper.turn.is_some() {
                let level = self.one_key(
                    start,
                    Channel::Rotation,
                    NO_ROTATION.map(narrow).to_vec(),
                    KeyMap::Copy,
                );
                self.channel(planned, nodes.node, Channel::Rotation, level);
            }
        }
    }
}

/// What a track moves.
#[derive(Clone, Copy, Debug)]
enum Moved<'a, 'b> {
    Joint(&'b JointNodes, &'a Joint),
    Node(usize),
}

/// The property of a node that a channel is written to: what is not seen has no size.
const fn path(channel: Channel) -> &'static str {
    match channel {
        Channel::Visibility => Channel::Scale.name(),
        other => other.name(),
    }
}

/// What `rest · T · R · S` makes of the values of one channel, where rest and the values are each a
/// translation, a rotation and a scale, and the rest's scale is even or nothing turns behind it.
fn behind_rest(rest: &Transform, channel: Channel) -> KeyMap {
    let turn = unit(rest.rotation.to_array().map(f64::from));
    let scale = rest.scale.to_array().map(f64::from);
    match channel {
        Channel::Rotation => KeyMap::Rotation(Some(turn).filter(|turn| *turn != NO_ROTATION)),
        Channel::Scale if scale != [1.0; 3] => KeyMap::Factors(scale),
        Channel::Translation if *rest != Transform::IDENTITY => {
            let [a, b, c] = axes(turn);
            let [x, y, z] = scale;
            KeyMap::Affine(
                [a.map(|e| e * x), b.map(|e| e * y), c.map(|e| e * z)],
                rest.translation.to_array().map(f64::from),
            )
        }
        _ => KeyMap::Copy,
    }
}

/// The keys of a track that are in a window; `None` for a constant.
fn cut(timeline: &Timeline, track: &Track, window: &Window<'_>) -> Option<Cut> {
    let Curve::Keys { .. } = track.curve else { return None };
    let times = timeline.keys(track).times;
    let first = times.partition_point(|time| *time < window.start);
    let after = times.partition_point(|time| *time <= window.end);
    Some(Cut { first, count: after.saturating_sub(first) })
}

/// Whether something moves between a border of the window and the next key inside, which is then
/// not written.
fn loses_motion(table: &KeyTable, track: &Track, cut: Cut, window: &Window<'_>) -> bool {
    let Curve::Keys { column, width, .. } = track.curve else { return false };
    let key = |row: usize| {
        let width = width.saturating_mul(table.interpolation().values_per_key());
        table.row(row).get(column..column.saturating_add(width)).unwrap_or_default()
    };
    let differ =
        |a: usize, b: usize| table.interpolation() == Interpolation::Cubic || key(a) != key(b);
    let (times, after) = (table.times(), cut.first.saturating_add(cut.count));
    let before = cut.first.checked_sub(1);
    let steps = table.interpolation() == Interpolation::Step;
    if cut.count == 0 {
        return !steps && after < times.len() && before.is_some_and(|before| differ(before, after));
    }
    let last = after.saturating_sub(1);
    let late = times.get(cut.first).is_some_and(|first| *first > window.start);
    let early = times.get(last).is_some_and(|last| *last < window.end);
    (late && before.is_some_and(|before| differ(before, cut.first)))
        || (early && !steps && after < times.len() && differ(last, after))
}

/// The value of a track at a time with no key, between the rows `next - 1` and `next`.
fn value_at(table: &KeyTable, track: &Track, next: usize, time: f32) -> Vec<f32> {
    let Curve::Keys { column, width, .. } = track.curve else { return Vec::new() };
    let first = next.saturating_sub(1);
    let rows = first..next.saturating_add(1).min(table.times().len());
    let times = table.times().get(rows.clone()).unwrap_or_default();
    let width = width.saturating_mul(table.interpolation().values_per_key());
    let keys: Vec<f32> = rows
        .filter_map(|row| table.row(row).get(column..column.saturating_add(width)))
        .flatten()
        .copied()
        .collect();
    // The two keys alone, sampled as the whole would be.
    let target =
        if track.channel == Channel::MorphWeights { Target::Node(0) } else { Target::Joint(0) };
    let mut builder = TimelineBuilder::new("");
    if builder.keys(target, track.channel, table.interpolation(), times, &keys).is_err() {
        return Vec::new();
    }
    let timeline = builder.finish();
    let mut skeleton = Skeleton::new("");
    skeleton.joints.push(Joint::new("", None));
    let mut pose = Pose::default();
    Sampler::new(&skeleton, &timeline).sample(f64::from(time), &mut pose);
    let transform = pose.transforms.first().copied().unwrap_or_default();
    let value = match track.channel {
        Channel::Translation | Channel::Offset | Channel::Euler(_) => {
            transform.translation.to_array().to_vec()
        }
        Channel::Rotation => transform.rotation.to_array().to_vec(),
        Channel::Scale => transform.scale.to_array().to_vec(),
        Channel::MorphWeights => {
            pose.morph_weights.first().map(|(_, weights)| weights.clone()).unwrap_or_default()
        }
        Channel::Visibility => vec![if pose.visible.first() == Some(&false) { 0.0 } else { 1.0 }],
    };
    // Between the ends of what f32 holds there is no straight line in f32.
    value.into_iter().map(|number| finite(f64::from(number))).collect()
}

/// Times less the offset, not negative, still strictly increasing, and finite: the few that are
/// not, at the far end of what f32 holds, are left out.
fn moved_times(times: &[f32], offset: f32) -> Vec<f32> {
    let mut moved: Vec<f32> = Vec::with_capacity(times.len());
    for time in times {
        // Adding zero makes a minus zero a zero.
        let exact =
            if offset == 0.0 { *time + 0.0 } else { narrow(f64::from(*time) - f64::from(offset)) };
        let after = moved.last().map_or(0.0, |last| last.next_up());
        let time = exact.max(after);
        if !time.is_finite() {
            break;
        }
        moved.push(time);
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moved_times_stay_apart() {
        assert_eq!(
            moved_times(&[-0.0, 0.5], 0.0).iter().map(|t| t.to_bits()).collect::<Vec<_>>(),
            [0.0_f32, 0.5].map(f32::to_bits)
        );
        let moved = moved_times(&[-1_000.0, 0.000_01, 0.000_02], -1_000.0);
        assert_eq!(moved, [0.0, 1_000.0, 1_000.0_f32.next_up()]);
        assert_eq!(moved_times(&[f32::MIN, 0.0, f32::MAX], f32::MIN), [0.0, f32::MAX]);
    }
}
