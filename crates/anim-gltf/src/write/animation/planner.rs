//! The channels and samplers of clips.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use anim_ir::diag::{plural, quote, seconds};
use anim_ir::double::IDENTITY;
use anim_ir::number::narrow;
use anim_ir::{
    Budget, Channel, Curve, Diagnostics, Event, Extras, Interpolation, Joint, JointId, KeyTable,
    LimitError, MeshId, PoseSpace, Scene, Target, Timeline, TimelineId, Track, Transform, Value,
    sort_by,
};

use super::cut::{Cut, cut, loses_motion, moved_times};
use super::linear::{Spline, WeightKeys, linear_keys, reaches};
use super::sampler::{Frame, Samplers, is_single};
use super::target::{Moved, Targets, path};
use super::window::Window;
use crate::codes;
use crate::error::FromIrError;
use crate::json;
use crate::marks::{self, checksum};
use crate::math::finite;
use crate::write::accessor::Accessors;
use crate::write::extras::extras;
use crate::write::hierarchy::{Hierarchy, JointNodes};
use crate::write::keys::KeyMap;

/// The memory charged for an event: its extras in the animation and in the scene, and their JSON.
const EVENT_BYTES: usize = 1500;

/// The name of the clips' events in error messages.
const EVENTS: &str = "the events of clips";

/// The memory charged for a channel, with its sampler and accessor: their descriptions, and their
/// JSON. Many clips of one long timeline may add up to a large file.
const CHANNEL_BYTES: usize = 700;

/// Options for writing animations: see [`FromIr`](crate::FromIr).
#[derive(Debug)]
pub(crate) struct Options<'o> {
    pub(crate) start_at_zero: bool,
    pub(crate) cubic: bool,
    pub(crate) rest_keys: bool,
    pub(crate) names: Option<&'o str>,
    pub(crate) budget: &'o Budget,
}

/// A clip and its planned animation.
#[derive(Debug)]
pub(crate) struct Planned<'a> {
    pub(crate) window: Window<'a>,
    pub(crate) timeline: &'a Timeline,
    pub(crate) events: Vec<&'a Event>,
    pub(crate) clip: PlannedClip<'a>,
}

/// A track, its target, and its keys in a clip.
type Movable<'a, 'b> = (&'a Track, Moved<'a, 'b>, Option<Cut>);

/// An animated property of a node of the file. Visibility is a separate channel even if it is
/// written as a scale. This is unambiguous because a node that hides a joint has no other scale.
pub(crate) type Slot = (usize, Channel);

/// An index of a timeline's tracks and events, so that planning many clips with few joints each
/// takes time proportional to their content.
#[derive(Debug, Default)]
struct TimelineIndex {
    /// Joints and their tracks, sorted.
    by_joint: Vec<(JointId, usize)>,
    of_nodes: Vec<usize>,
    /// Events sorted by time.
    events: Vec<usize>,
}

/// Plans the animations of a scene, clip by clip.
pub(crate) struct Planner<'a, 'b> {
    pub(crate) targets: Targets<'a, 'b>,
    pub(crate) meshes: &'b [json::Mesh<'b>],
    options: &'b Options<'b>,
    pub(crate) samplers: Samplers<'a, 'b>,
    pub(crate) losses: &'b mut Diagnostics,
    indices: HashMap<TimelineId, TimelineIndex>,
    /// For each mesh, the largest distance by which each morph target moves a vertex.
    reaches: HashMap<MeshId, Rc<[f64]>>,
}

/// The channels and samplers of a clip.
#[derive(Debug, Default)]
pub(crate) struct PlannedClip<'a> {
    pub(crate) channels: Vec<json::Channel<'a>>,
    pub(crate) samplers: Vec<json::Sampler>,
    /// The target of each channel.
    pub(crate) slots: Vec<Slot>,
    /// The offset subtracted from all times.
    pub(crate) offset: f32,
    /// The clip's range, minus the offset.
    pub(crate) range: (f32, f32),
}

impl<'a, 'b> Planner<'a, 'b> {
    pub(crate) fn new(
        scene: &'a Scene,
        options: &'b Options<'b>,
        (tree, meshes): (&'b Hierarchy<'b>, &'b [json::Mesh<'b>]),
        accessors: &'b mut Accessors<'a>,
        losses: &'b mut Diagnostics,
    ) -> Planner<'a, 'b> {
        Planner {
            targets: Targets { scene, tree },
            meshes,
            options,
            losses,
            indices: HashMap::new(),
            reaches: HashMap::new(),
            samplers: Samplers::new(accessors),
        }
    }

    /// Adds the keys to the buffer.
    pub(crate) fn finish(self) -> Result<(), FromIrError> {
        self.samplers.finish()
    }

    /// Charges `items` channels.
    pub(crate) fn charge(&self, what: &'static str, items: usize) -> Result<(), LimitError> {
        self.options.budget.charge(what, items.saturating_mul(CHANNEL_BYTES))
    }

    /// Charges the channels of all windows, before any of them is planned.
    pub(crate) fn charge_channels(&mut self, windows: &[Window<'_>]) -> Result<(), LimitError> {
        for window in windows {
            let Some(timeline) = self.targets.scene.timeline(window.timeline) else { continue };
            let count = self.tracks(window, timeline).len();
            self.charge("the channels of clips", count)?;
        }
        Ok(())
    }

    fn index(&mut self, id: TimelineId, timeline: &Timeline) -> &TimelineIndex {
        self.indices.entry(id).or_insert_with(|| {
            let mut index = TimelineIndex::default();
            for (at, track) in timeline.tracks().iter().enumerate() {
                match track.joint() {
                    Some(joint) => index.by_joint.push((joint, at)),
                    None => index.of_nodes.push(at),
                }
            }
            sort_by(&mut index.by_joint, Ord::cmp);
            index.events = (0..timeline.events.len()).collect();
            let time = |at: &usize| timeline.events.get(*at).map_or(0.0, |event| event.time);
            sort_by(&mut index.events, |a, b| time(a).total_cmp(&time(b)));
            index
        })
    }

    pub(crate) fn events(
        &mut self,
        window: &Window<'_>,
        timeline: &'a Timeline,
    ) -> Result<Vec<&'a Event>, FromIrError> {
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
        // Also charge events of other groups, since skipping them takes time.
        let budget = self.options.budget;
        budget.charge_each::<&Event>(EVENTS, events.len())?;
        events.retain(|event| event.is_in_group(window.group));
        budget.charge(EVENTS, events.len().saturating_mul(EVENT_BYTES))?;
        Ok(events)
    }

    /// Returns the tracks of a window, in timeline order.
    fn tracks(&mut self, window: &Window<'_>, timeline: &'a Timeline) -> Vec<&'a Track> {
        let Some(joints) = window.joints else { return timeline.tracks().iter().collect() };
        let index = self.index(window.timeline, timeline);
        let mut tracks: Vec<usize> = joints
            .iter()
            .flat_map(|joint| {
                let first = index.by_joint.partition_point(|(other, _)| other < joint);
                let rest = index.by_joint.get(first..).unwrap_or_default();
                rest.iter().take_while(move |(other, _)| other == joint).map(|(_, track)| *track)
            })
            .chain(index.of_nodes.iter().copied())
            .collect();
        sort_by(&mut tracks, Ord::cmp);
        tracks.into_iter().filter_map(|track| timeline.tracks().get(track)).collect()
    }

    /// Returns the tracks of a window whose targets exist in the file, and reports all other
    /// tracks.
    fn movable(&mut self, window: &Window<'_>, timeline: &'a Timeline) -> Vec<Movable<'a, 'b>> {
        let tracks = self.tracks(window, timeline);
        let mut movable = Vec::with_capacity(tracks.len());
        for track in tracks {
            let Some(moved) = self.targets.find(timeline, track) else {
                // Joints whose visibility cannot be written have already been reported.
                if track.channel == Channel::Visibility && track.joint().is_some() {
                    continue;
                }
                self.losses.push(&codes::TRACK_TARGET, None, || {
                    let (channel, clip) = (track.channel.name(), quote(window.name.as_bytes()));
                    format!("the {channel} of {} in clip {clip} cannot be animated", track.target)
                });
                continue;
            };
            movable.push((track, moved, cut(timeline, track, window)));
        }
        movable
    }

    /// Plans the channels and samplers of a window, without rest keys.
    pub(crate) fn plan_window(
        &mut self,
        window: &Window<'a>,
        timeline: &'a Timeline,
    ) -> Result<PlannedClip<'a>, FromIrError> {
        let tracks = self.movable(window, timeline);
        let first_key = tracks
            .iter()
            .filter_map(|(track, _, cut)| {
                let cut = (*cut)?;
                timeline.keys(track).times.get(cut.first..)?.get(..cut.count)?.first()
            })
            .fold(f32::INFINITY, |first, time| first.min(*time));
        let mut planned = PlannedClip {
            channels: Vec::with_capacity(tracks.len()),
            samplers: Vec::with_capacity(tracks.len()),
            slots: Vec::with_capacity(tracks.len()),
            ..PlannedClip::default()
        };
        if self.options.start_at_zero {
            planned.offset = window.start;
        } else if first_key < 0.0 {
            planned.offset = first_key;
            self.losses.push(&codes::TIME_SHIFT, None, || {
                let name = quote(window.name.as_bytes());
                format!("clip {name} starts at {} and is shifted to 0", seconds(first_key))
            });
        }
        let moved = |time: f32| finite(f64::from(time) - f64::from(planned.offset)).max(0.0);
        planned.range = (moved(window.start), moved(window.end));
        // Constants have no key times, so their only key is at the start of the clip.
        let start = planned.range.0;
        let mut frame = Frame { window, offset: planned.offset, start, inputs: HashMap::new() };
        let still = tracks.iter().all(|(track, _, cut)| is_single(track, *cut));
        let mut cut_off = 0_usize;
        for (number, (track, moved, cut)) in tracks.iter().enumerate() {
            if let (Curve::Keys { table, .. }, Some(cut)) = (&track.curve, cut)
                && timeline
                    .tables()
                    .get(*table)
                    .is_some_and(|table| loses_motion(table, track, *cut, window))
            {
                cut_off = cut_off.saturating_add(1);
            }
            let (node, map) = self.targets.destination(timeline, track, moved);
            let holds = still && number == 0;
            let track = (timeline, *track, *cut, map);
            self.plan_track(&mut planned, &mut frame, (node, track.1.channel), track, holds)?;
        }
        if cut_off > 0 {
            self.losses.push(&codes::CLIP_BORDER, None, || {
                let (name, tracks) = (quote(window.name.as_bytes()), plural(cut_off, "track"));
                format!("clip {name} starts or ends between keys of {tracks}")
            });
        }
        if timeline.pose_space == PoseSpace::ParentRelative {
            self.level_helpers(&mut planned, &tracks, start);
        }
        Ok(planned)
    }

    /// Plans the channel of a track. If `holds` is set, its single key is repeated at the clip's
    /// end.
    fn plan_track(
        &mut self,
        planned: &mut PlannedClip<'a>,
        frame: &mut Frame<'_>,
        slot: Slot,
        (timeline, track, cut, map): (&'a Timeline, &'a Track, Option<Cut>, KeyMap),
        holds: bool,
    ) -> Result<(), FromIrError> {
        if let Some((keys, sum)) = self.linear(timeline, track, cut, planned.offset)? {
            let linear = self.samplers.linear(keys);
            // Keep the cubic keys in a sampler that no channel uses.
            let spare = u32::try_from(planned.samplers.len().saturating_add(1)).unwrap_or(u32::MAX);
            let mark = [
                (marks::SAMPLER, f64::from(spare).into()),
                (marks::CHECKSUM, f64::from(sum).into()),
            ];
            self.channel(planned, slot, linear, vec![(marks::CUBIC, Value::from(mark))]);
            planned.samplers.push(self.samplers.keys(frame, timeline, track, cut, map));
        } else if holds {
            let keys = self.samplers.held(frame, (timeline, track), cut, map, planned.range.1);
            self.channel(planned, slot, keys, vec![(marks::HELD, true.into())]);
        } else {
            let keys = self.samplers.keys(frame, timeline, track, cut, map);
            self.channel(planned, slot, keys, Vec::new());
        }
        Ok(())
    }

    /// Returns the linear keys for a track of cubic morph weights, and a checksum of the linear and
    /// cubic keys; `None` for any other track, for fewer than two keys, and with the `cubic`
    /// option.
    fn linear(
        &mut self,
        timeline: &'a Timeline,
        track: &Track,
        cut: Option<Cut>,
        offset: f32,
    ) -> Result<Option<(WeightKeys, u32)>, FromIrError> {
        let (Target::Node(node), Curve::Keys { table, column, width }, Some(Cut { first, count })) =
            (track.target, &track.curve, cut.filter(|cut| cut.count > 1 && !self.options.cubic))
        else {
            return Ok(None);
        };
        let table = timeline.tables().get(*table);
        let cubic = |table: &&KeyTable| table.interpolation() == Interpolation::Cubic;
        let Some(table) = table.filter(cubic) else { return Ok(None) };
        let scene = self.targets.scene;
        let mesh = scene.node(node).and_then(|node| node.mesh);
        let Some((id, mesh)) = mesh.and_then(|id| Some((id, scene.mesh(id)?))) else {
            return Ok(None);
        };
        let reaches = self.reaches.entry(id).or_insert_with(|| reaches(mesh).into());
        let times = table.times().get(first..).and_then(|times| times.get(..count));
        let times = moved_times(times.unwrap_or_default(), offset);
        let (column, width) = (*column, *width);
        let spline = Spline { times: &times, table, first, column, width };
        let keys = linear_keys(&spline, reaches, self.options.budget)?;
        let sum = checksum([&keys.times, &keys.values, &times, &spline.numbers()]);
        Ok(Some((keys, sum)))
    }

    /// Adds a channel and its sampler.
    pub(crate) fn channel(
        &mut self,
        planned: &mut PlannedClip<'a>,
        slot: Slot,
        sampler: json::Sampler,
        marks: Vec<(&'static str, Value)>,
    ) {
        static NONE: Extras = Extras::new();
        let (node, channel) = slot;
        let target = if channel == Channel::Visibility && self.targets.tree.is_flagged(node) {
            let pointer = format!("/nodes/{node}/extensions/KHR_node_visibility/visible");
            let pointer = Some(json::AnimationPointer { pointer });
            let extensions = json::TargetExtensions { pointer };
            json::ChannelTarget { node: None, path: "pointer".into(), extensions }
        } else {
            let extensions = json::TargetExtensions::default();
            json::ChannelTarget { node: Some(node), path: path(channel).into(), extensions }
        };
        let extras = extras(&NONE, marks, self.losses, String::new);
        planned.channels.push(json::Channel { sampler: planned.samplers.len(), target, extras });
        planned.samplers.push(sampler);
        planned.slots.push(slot);
    }

    /// Adds keys for joints with two nodes that a clip animates relative to their parent. The upper
    /// node follows the clip and the lower node must not rotate. Channels without tracks need keys
    /// for the joint's rest pose, which differs from the upper node's rest pose.
    fn level_helpers(
        &mut self,
        planned: &mut PlannedClip<'a>,
        tracks: &[Movable<'a, '_>],
        start: f32,
    ) {
        let mut moved: BTreeMap<JointId, (&JointNodes, &Joint, Vec<Channel>)> = BTreeMap::new();
        for (track, target, _) in tracks {
            if let (Target::Joint(index), Moved::Joint(nodes, joint)) = (track.target, target)
                && nodes.helper.is_some()
                // If only the visibility of a joint is animated, the joint keeps its rest pose.
                && track.channel != Channel::Visibility
            {
                moved.entry(index).or_insert((nodes, joint, Vec::new())).2.push(track.channel);
            }
        }
        for (nodes, joint, channels) in moved.into_values() {
            let Some(helper) = nodes.helper.as_ref().filter(|helper| helper.exact) else {
                continue;
            };
            let Transform { translation, rotation, scale } = joint.rest;
            let rest = [
                (Channel::Translation, translation.to_array().to_vec(), KeyMap::Copy),
                (Channel::Rotation, rotation.to_array().to_vec(), KeyMap::Rotation(None)),
                (Channel::Scale, scale.to_array().to_vec(), KeyMap::Copy),
            ];
            for (channel, value, map) in
                rest.into_iter().filter(|(channel, _, _)| !channels.contains(channel))
            {
                let sampler = self.samplers.one_key(start, channel, value, map);
                self.channel(planned, (helper.node, channel), sampler, Vec::new());
            }
            if helper.turn.is_some() {
                let level = self.samplers.one_key(
                    start,
                    Channel::Rotation,
                    IDENTITY.map(narrow).to_vec(),
                    KeyMap::Copy,
                );
                self.channel(planned, (nodes.node, Channel::Rotation), level, Vec::new());
            }
        }
    }
}
