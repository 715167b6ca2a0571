//! Animations: clips with their channels, key in, key out.

mod cut;
mod description;
mod sampler;
mod target;
mod window;

use std::collections::{BTreeMap, HashMap};

use anim_ir::diag::{plural, quote};
use anim_ir::double::IDENTITY;
use anim_ir::number::narrow;
use anim_ir::{
    Channel, Curve, Diagnostics, Event, Joint, JointId, PoseSpace, Scene, Target, Timeline,
    TimelineId, Track, Transform, UniqueNames, Value,
};

use crate::codes;
use crate::error::FromIrError;
use crate::json;
use crate::math::finite;
use crate::write::accessor::Accessors;
use crate::write::extras::{extras, shallow};
use crate::write::hierarchy::{Hierarchy, JointNodes};
use crate::write::keys::KeyMap;
use cut::{Cut, cut, loses_motion};
use description::description;
use sampler::{Frame, Samplers};
use target::{Moved, Targets, path};
use window::{Window, report_outside, windows};

/// About how many bytes of JSON a channel or an event takes. Many clips on one long timeline
/// multiply: what cannot fit is refused before it is planned.
const JSON_BYTES: usize = 180;

/// Animations, and what is kept of clips that are none.
#[derive(Debug, Default)]
pub(crate) struct Animations<'a> {
    pub(crate) list: Vec<json::Animation<'a>>,
    /// Clips without a channel, for the scene's extras.
    pub(crate) empty: Vec<Value>,
}

pub(crate) fn plan<'a>(
    scene: &'a Scene,
    start_at_zero: bool,
    tree: &Hierarchy<'_>,
    accessors: &mut Accessors<'a>,
    losses: &mut Diagnostics,
) -> Result<Animations<'a>, FromIrError> {
    let windows = windows(scene);
    report_outside(scene, &windows, losses);
    let mut names = UniqueNames::new();
    for window in &windows {
        names.announce(window.name_or_timelines(scene));
    }
    let mut planner = Planner {
        targets: Targets { scene, tree },
        start_at_zero,
        losses,
        indices: HashMap::new(),
        cost: 0,
        most: accessors.bin.most,
        samplers: Samplers::new(accessors),
    };
    let mut animations = Animations::default();
    for window in &windows {
        let Some(timeline) = scene.timeline(window.timeline) else { continue };
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
                let skeleton = scene.skeleton(timeline.skeleton);
                let names =
                    joints.iter().filter_map(|joint| Some(skeleton?.joint(*joint)?.name.as_str()));
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
        let name = if own.is_empty() { names.invent("animation") } else { names.claim(own) };
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
    planner.samplers.finish()?;
    Ok(animations)
}

/// Where to find what belongs to a clip, so that many clips with few joints each cost no more than
/// they hold.
#[derive(Debug, Default)]
struct TimelineIndex {
    by_joint: HashMap<JointId, Vec<usize>>,
    of_nodes: Vec<usize>,
    /// Events in order of time.
    events: Vec<usize>,
}

struct Planner<'a, 'b> {
    targets: Targets<'a, 'b>,
    start_at_zero: bool,
    samplers: Samplers<'a, 'b>,
    losses: &'b mut Diagnostics,
    indices: HashMap<TimelineId, TimelineIndex>,
    /// About how many bytes of JSON there will be, and how many there may be.
    cost: usize,
    most: usize,
}

#[derive(Debug, Default)]
struct PlannedClip {
    channels: Vec<json::Channel>,
    samplers: Vec<json::Sampler>,
    /// By how much times were reduced.
    offset: f32,
}

impl<'a, 'b> Planner<'a, 'b> {
    fn spend(&mut self, items: usize) -> Result<(), FromIrError> {
        self.cost = self.cost.saturating_add(items.saturating_mul(JSON_BYTES));
        let most = self.most;
        if self.cost > most { Err(FromIrError::TooLarge { most }) } else { Ok(()) }
    }

    fn index(&mut self, id: TimelineId, timeline: &Timeline) -> &TimelineIndex {
        self.indices.entry(id).or_insert_with(|| {
            let mut index = TimelineIndex::default();
            for (at, track) in timeline.tracks().iter().enumerate() {
                match track.joint() {
                    Some(joint) => index.by_joint.entry(joint).or_default().push(at),
                    None => index.of_nodes.push(at),
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
        // Looking at those of other groups costs as well.
        self.spend(events.len())?;
        events.retain(|event| event.is_in_group(window.group));
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
    ) -> Result<PlannedClip, FromIrError> {
        let mut tracks = Vec::new();
        let mut first_key = f32::INFINITY;
        for track in self.tracks(window, timeline) {
            let Some(nodes) = self.targets.find(timeline, track) else {
                self.losses.push(&codes::TRACK_TARGET, None, || {
                    let (channel, clip) = (track.channel.name(), quote(window.name.as_bytes()));
                    format!("the {channel} of {} in clip {clip} cannot be moved", track.target)
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
        if self.start_at_zero {
            planned.offset = window.start;
        } else if first_key < 0.0 {
            planned.offset = first_key;
            self.losses.push(&codes::TIME_SHIFT, None, || {
                let name = quote(window.name.as_bytes());
                format!("clip {name} starts at {first_key} s and is moved to 0")
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
            let (node, map) = self.targets.destination(timeline, track, nodes);
            let keys = self.samplers.keys(&mut frame, timeline, track, *cut, map);
            self.channel(&mut planned, node, track.channel, keys);
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

    fn channel(
        &mut self,
        planned: &mut PlannedClip,
        node: usize,
        channel: Channel,
        sampler: json::Sampler,
    ) {
        let target = if channel == Channel::Visibility && self.targets.tree.node_visibility {
            let pointer = format!("/nodes/{node}/extensions/KHR_node_visibility/visible");
            let pointer = Some(json::AnimationPointer { pointer });
            let extensions = json::TargetExtensions { pointer };
            json::ChannelTarget { node: None, path: "pointer".into(), extensions }
        } else {
            let extensions = json::TargetExtensions::default();
            json::ChannelTarget { node: Some(node), path: path(channel).into(), extensions }
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
        let mut moved: BTreeMap<JointId, (&JointNodes, &Joint, Vec<Channel>)> = BTreeMap::new();
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
                self.channel(planned, helper.node, channel, sampler);
            }
            if helper.turn.is_some() {
                let level = self.samplers.one_key(
                    start,
                    Channel::Rotation,
                    IDENTITY.map(narrow).to_vec(),
                    KeyMap::Copy,
                );
                self.channel(planned, nodes.node, Channel::Rotation, level);
            }
        }
    }
}
