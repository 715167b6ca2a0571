//! Animations. Each becomes one timeline and one clip per animated skeleton.

mod added;
mod description;
mod keys;
mod summary;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use anim_ir::diag::{plural, quote};
use anim_ir::{
    Channel, Clip, Event, Interpolation, JointId, JointRef, LimitError, NodeId, PoseSpace, Scene,
    Skeleton, SkeletonId, Target, Timeline, TimelineBuilder, TimelineId, Transform, Value,
};

use crate::codes;
use crate::json;
use crate::json::extras::Ours;
use crate::marks::{self, checksum};
use crate::math::finite;
use crate::read::facts::shown_by;
use crate::read::fault::Fault;
use crate::read::hierarchy::{Part, Place, Tree};
use crate::read::source::Source;
use added::{cubic_mark, drop_held, is_at_rest};
use description::{Description, old_group};
use keys::{Read, joints, take_off_rest, values};
use summary::Summary;

/// The timelines and clips of a file.
#[derive(Debug, Default)]
pub(crate) struct Motion {
    pub(crate) timelines: Vec<Timeline>,
    pub(crate) clips: Vec<Clip>,
}

impl Motion {
    fn add(&mut self, clip: Clip, timeline: Timeline) {
        self.clips.push(Clip { timeline: TimelineId::new(self.timelines.len()), ..clip });
        self.timelines.push(timeline);
    }
}

/// The objects that tracks refer to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Targets<'a> {
    pub(crate) tree: &'a Tree,
    /// The scene node that corresponds to each node of the file.
    pub(crate) nodes: &'a [Option<NodeId>],
    pub(crate) scene: &'a Scene,
}

/// Reads all animations. `scene` contains the scene's extras.
pub(crate) fn read(
    source: &mut Source<'_>,
    targets: Targets<'_>,
    scene: &Ours,
) -> Result<Motion, LimitError> {
    let mut motion = Motion::default();
    let summary = Summary::of(scene);
    for (number, animation) in source.root.animations.iter().enumerate() {
        if animation.extras.ours.is_true(marks::EMPTY) {
            continue;
        }
        let reader = Reader {
            targets,
            number,
            animation,
            offset: animation.extras.ours.number("time_offset").unwrap_or(0.0),
            times: HashMap::new(),
            summary: &summary,
        };
        reader.read(source, &mut motion)?;
    }
    Ok(motion)
}

struct Reader<'a> {
    targets: Targets<'a>,
    number: usize,
    animation: &'a json::Animation<'a>,
    /// Offset to add to each time.
    offset: f32,
    /// Key times by accessor, since channels commonly share them.
    times: HashMap<usize, Times>,
    summary: &'a Summary<'a>,
}

/// Key times.
#[derive(Clone, Debug)]
struct Times {
    /// The times in the file.
    in_file: Rc<Vec<f32>>,
    /// The times on the timeline.
    moved: Rc<Vec<f32>>,
}

impl Reader<'_> {
    fn read(mut self, source: &mut Source<'_>, motion: &mut Motion) -> Result<(), LimitError> {
        let mut channels = Vec::with_capacity(self.animation.channels.len());
        for (at, channel) in self.animation.channels.iter().enumerate() {
            let read = self.channel(source, at, channel);
            channels.extend(source.keep(&codes::CHANNEL, read)?.flatten());
        }
        if channels.is_empty() {
            return Ok(());
        }
        let times = || {
            channels
                .iter()
                .filter_map(|channel| Some((*channel.times.first()?, *channel.times.last()?)))
        };
        // The rest keys of a partial clip are for its own joints.
        let partial = self.animation.extras.ours.is_true("partial").then(|| joints(&channels));
        let range = times().reduce(|(a, b), (c, d)| (a.min(c), b.max(d))).unwrap_or_default();
        let groups = self.group(channels);
        if groups.len() > 1 {
            source.found.push(&codes::SPLIT, None, || {
                format!("/animations/{}: moves {} skeletons", self.number, groups.len())
            });
        }
        let mut extras = Cow::Borrowed(&self.animation.extras);
        if let Some(ours) = self.summary.of_animation(self.number, self.animation) {
            source.spend(ours.list("events").len().saturating_mul(size_of::<Event>()))?;
            extras.to_mut().ours = ours;
        }
        let mut description = Description::of(&extras, &self.animation.name, self.offset, range);
        let mut rest = Some((
            std::mem::take(&mut description.clip.extras),
            std::mem::take(&mut description.events),
        ));
        for (skeleton, channels) in groups {
            source.spend(description.clip.name.len().saturating_add(description.timeline.len()))?;
            let mut timeline = self.timeline(source, &description, skeleton, channels);
            let mut clip = description.clip.clone();
            // Only the clip of the first skeleton gets the extras and events.
            (clip.extras, timeline.events) = rest.take().unwrap_or_default();
            if let Some(joints) = &partial {
                clip.joints = Some(joints.get(&skeleton).cloned().unwrap_or_default());
            }
            motion.add(clip, timeline);
        }
        Ok(())
    }

    /// Groups channels by skeleton, except those that the writer added. Morph weights are grouped
    /// with the skeleton that deforms or carries the mesh if it moves, otherwise with the first. If
    /// the writer added all channels, the original clip had none, so a single group without
    /// channels is returned.
    fn group(&self, mut channels: Vec<Read>) -> BTreeMap<SkeletonId, Vec<Read>> {
        let first = channels.iter().find_map(|channel| channel.skeleton);
        let near = |channel: &Read| {
            let Target::Node(node) = channel.target else { return None };
            let node = self.targets.scene.node(node)?;
            let skin = node.skin.and_then(|skin| self.targets.scene.skin(skin));
            skin.map(|skin| skin.skeleton).or(node.parent.map(|parent| parent.skeleton))
        };
        let alone = first.or_else(|| channels.iter().find_map(near)).unwrap_or_default();
        let mut groups: BTreeMap<SkeletonId, Vec<Read>> = BTreeMap::new();
        channels.retain(|channel| !channel.is_added);
        for skeleton in channels.iter().filter_map(|channel| channel.skeleton) {
            groups.entry(skeleton).or_default();
        }
        for channel in channels {
            let moved = |skeleton: &SkeletonId| groups.contains_key(skeleton);
            let skeleton = channel.skeleton.or_else(|| near(&channel).filter(moved));
            groups.entry(skeleton.unwrap_or(alone)).or_default().push(channel);
        }
        if groups.is_empty() {
            groups.insert(alone, Vec::new());
        }
        groups
    }

    /// Reads a channel; `None` if its target is not in the scene or is not supported.
    fn channel(
        &mut self,
        source: &mut Source<'_>,
        at: usize,
        json: &json::Channel<'_>,
    ) -> Result<Option<Read>, Fault> {
        let pointer = |field: &str| format!("/animations/{}/channels/{at}{field}", self.number);
        let shown = shown_by(&json.target);
        if json.target.path == "pointer" && shown.is_none() {
            source.found.push(&codes::POINTER, None, || {
                let what = json
                    .target
                    .extensions
                    .pointer
                    .as_ref()
                    .map_or("", |pointer| pointer.pointer.as_str());
                format!(
                    "{}: animating {} is not supported",
                    pointer("/target"),
                    quote(what.as_bytes())
                )
            });
            return Ok(None);
        }
        // Per the specification, channels without a node should be ignored.
        let Some(node) = shown.or(json.target.node) else { return Ok(None) };
        let Some(place) = self.targets.tree.places.get(node).copied() else {
            return Err(Fault::new(pointer("/target/node"), format!("node {node} does not exist")));
        };
        let destination = self.destination(node, place, &json.target.path, pointer)?;
        let Some((skeleton, target, channel, part)) = destination else { return Ok(None) };
        let sampler = self.animation.samplers.get(json.sampler);
        let sampler = sampler.ok_or_else(|| {
            Fault::new(pointer("/sampler"), format!("sampler {} does not exist", json.sampler))
        })?;
        let mut times = self.times(source, sampler.input)?;
        let mut interpolation = self.interpolation(sampler, json.sampler)?;
        let mut values = values(source, sampler.output, channel, part, interpolation)?;
        if let Some((cubic_times, cubic)) = self.cubic(source, json, &times, &values)? {
            (times, interpolation, values) = (cubic_times, Interpolation::Cubic, cubic);
        }
        let times = times.moved;
        let expected = match target {
            Target::Node(node) => targets_of(self.targets.scene, node),
            _ => channel.width().unwrap_or(0),
        };
        let numbers =
            times.len().saturating_mul(interpolation.values_per_key()).saturating_mul(expected);
        if values.len() != numbers || expected == 0 {
            let pointer = format!("/accessors/{}/count", sampler.output);
            return Err(Fault::new(
                pointer,
                format!(
                    "found {}, but {} need {numbers}",
                    plural(values.len(), "value"),
                    plural(times.len(), "key")
                ),
            ));
        }
        let is_added = false;
        let pointer = at;
        let mut read = Read {
            skeleton,
            target,
            channel,
            part,
            interpolation,
            times,
            values,
            pointer,
            is_added,
        };
        let ours = &json.extras.ours;
        if ours.is_true(marks::HELD) {
            drop_held(&mut read);
        }
        read.is_added = ours.is_true(marks::REST) && is_at_rest(source.root, node, &read);
        Ok(Some(read))
    }

    /// Returns the cubic keys from which a channel's linear keys were computed, or `None` if there
    /// are none or another program has changed any of the keys.
    fn cubic(
        &mut self,
        source: &mut Source<'_>,
        json: &json::Channel<'_>,
        linear_times: &Times,
        linear: &[f32],
    ) -> Result<Option<(Times, Vec<f32>)>, LimitError> {
        let mark = json.extras.ours.map(marks::CUBIC).filter(|_| json.target.path == "weights");
        let Some((sampler, expected)) = mark.and_then(cubic_mark) else { return Ok(None) };
        let sampler = self.animation.samplers.get(sampler);
        let Some(sampler) =
            sampler.filter(|sampler| sampler.interpolation.as_deref() == Some("CUBICSPLINE"))
        else {
            return Ok(None);
        };
        let read = self.times(source, sampler.input);
        let read = read.and_then(|times| Ok((times, source.floats(sampler.output, 1)?)));
        Ok(match read {
            Ok((times, values)) => {
                let sum = checksum([&linear_times.in_file, linear, &times.in_file, &values]);
                (f64::from(sum) == expected).then_some((times, values))
            }
            Err(Fault::Limit(error)) => return Err(error),
            Err(_) => None,
        })
    }

    /// Returns the target of a channel: its skeleton (`None` for weights), its joint or node, the
    /// animated property, and the node's part in its joint. `None` if the node is not in the scene.
    #[expect(clippy::type_complexity, reason = "four of the fields of Read")]
    fn destination(
        &self,
        node: usize,
        place: Place,
        path: &str,
        pointer: impl Fn(&str) -> String,
    ) -> Result<Option<(Option<SkeletonId>, Target, Channel, Part)>, Fault> {
        let unknown = || {
            let message = format!("unknown path {}", quote(path.as_bytes()));
            Err(Fault::new(pointer("/target/path"), message))
        };
        Ok(Some(match (place, path) {
            (Place::Outside, _) => return Ok(None),
            (_, "weights") => {
                let node = self.targets.nodes.get(node).copied().flatten();
                let node = node.ok_or_else(|| {
                    Fault::new(pointer("/target"), "the node's mesh is missing or cannot be read")
                })?;
                (None, Target::Node(node), Channel::MorphWeights, Part::Whole)
            }
            (Place::Joint { joint: JointRef { skeleton, joint }, part }, path) => {
                let channel = match (path, part) {
                    ("pointer", _) | ("scale", Part::Switch) => Channel::Visibility,
                    ("translation", _) => Channel::Translation,
                    ("rotation", _) => Channel::Rotation,
                    ("scale", _) => Channel::Scale,
                    _ => return unknown(),
                };
                (Some(skeleton), joint.into(), channel, part)
            }
            (Place::Leaf | Place::Armature { .. } | Place::AtRest, _) => return unknown(),
        }))
    }

    fn interpolation(
        &self,
        sampler: &json::Sampler,
        number: usize,
    ) -> Result<Interpolation, Fault> {
        match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Ok(Interpolation::Linear),
            Some("STEP") => Ok(Interpolation::Step),
            Some("CUBICSPLINE") => Ok(Interpolation::Cubic),
            Some(other) => Err(Fault::new(
                format!("/animations/{}/samplers/{number}/interpolation", self.number),
                format!("unknown interpolation {}", quote(other.as_bytes())),
            )),
        }
    }

    fn times(&mut self, source: &mut Source<'_>, accessor: usize) -> Result<Times, Fault> {
        if let Some(times) = self.times.get(&accessor) {
            return Ok(times.clone());
        }
        let times: Vec<f32> = source.floats(accessor, 1)?;
        if times.is_empty() {
            return Err(Fault::new(format!("/accessors/{accessor}/count"), "no keys"));
        }
        if let Some(at) = times.iter().zip(times.iter().skip(1)).position(|(a, b)| a >= b) {
            return Err(Fault::new(
                format!("/accessors/{accessor}"),
                format!("time {} is not greater than the previous one", at.saturating_add(1)),
            ));
        }
        let in_file = Rc::new(times);
        let mut moved = Rc::clone(&in_file);
        if self.offset != 0.0 {
            let mut before = f32::MIN;
            for time in Rc::make_mut(&mut moved) {
                // Rounding must not make key times equal.
                *time = finite(f64::from(*time) + f64::from(self.offset)).max(before.next_up());
                before = *time;
            }
        }
        let times = Times { in_file, moved };
        self.times.insert(accessor, times.clone());
        Ok(times)
    }

    /// Returns the timeline of one skeleton.
    fn timeline(
        &self,
        source: &mut Source<'_>,
        description: &Description,
        skeleton: SkeletonId,
        mut channels: Vec<Read>,
    ) -> Timeline {
        let nothing = Skeleton::default();
        let joints = self.targets.scene.skeleton(skeleton).unwrap_or(&nothing);
        // If the upper of a joint's two nodes is animated, the channels of the lower node only
        // contain identity keys that the writer added.
        let upper: HashSet<Target> = channels
            .iter()
            .filter(|channel| channel.part == Part::Upper && channel.channel != Channel::Visibility)
            .map(|channel| channel.target)
            .collect();
        channels.retain(|channel| {
            channel.part != Part::Lower
                || channel.channel == Channel::Visibility
                || !upper.contains(&channel.target)
        });
        let is_delta =
            |channel: &Read| channel.part == Part::Lower && channel.channel != Channel::Visibility;
        let deltas = channels.iter().any(is_delta);
        if deltas {
            for channel in
                channels.iter_mut().filter(|channel| channel.channel != Channel::Visibility)
            {
                let Target::Joint(joint) = channel.target else { continue };
                let rest = if is_delta(channel) {
                    let turn = self.targets.tree.turns.get(&JointRef { skeleton, joint });
                    let rotation = turn.copied().unwrap_or_default();
                    Transform { rotation, ..Transform::IDENTITY }
                } else {
                    joints.joint(joint).map_or(Transform::IDENTITY, |joint| joint.rest)
                };
                take_off_rest(channel, &rest);
            }
        }
        let space = if deltas { PoseSpace::DeltaFromRest } else { PoseSpace::ParentRelative };
        let mut builder = TimelineBuilder::new(&description.timeline)
            .with_skeleton(skeleton)
            .with_time_base(description.time_base)
            .with_pose_space(space);
        for Read { target, channel, interpolation, times, values, pointer, .. } in channels {
            let added = match (times.as_slice(), interpolation) {
                // A single step key at the start of the clip means that the value is constant.
                ([time], Interpolation::Step) if *time == description.clip.start => {
                    builder.constant(target, channel, &values)
                }
                ([time], Interpolation::Cubic) => {
                    let third = values.len() / 3;
                    let value = values.get(third..third.saturating_mul(2)).unwrap_or_default();
                    builder.keys(target, channel, Interpolation::Step, &[*time], value)
                }
                _ => builder.keys(target, channel, interpolation, &times, values),
            };
            if let Err(error) = added {
                source.found.push(&codes::CHANNEL, None, || {
                    format!("/animations/{}/channels/{pointer}: {error}", self.number)
                });
            }
        }
        builder.finish()
    }
}

/// Returns the number of morph targets of the mesh of a scene node.
fn targets_of(scene: &Scene, node: NodeId) -> usize {
    let mesh = scene.node(node).and_then(|node| scene.mesh(node.mesh?));
    mesh.map_or(0, |mesh| mesh.morph_targets.len())
}

/// Reads clips without motion from the extras of the scene. They refer to joints by name; a
/// duplicate name refers to the first joint.
pub(crate) fn read_empty(
    ours: &Ours,
    (root, skeletons): (&json::Root<'_>, &[Skeleton]),
    motion: &mut Motion,
) {
    // If another program removed the extras of an animation, it has been read as a clip.
    let animations = root.animations.iter();
    let read = animations.filter(|animation| !animation.extras.ours.is_true(marks::EMPTY));
    let read: HashSet<&str> = read.map(|animation| &*animation.name).collect();
    let entries = ours.list("clips");
    let mut by_name: HashMap<&str, (SkeletonId, JointId)> = HashMap::new();
    for (at, skeleton) in skeletons.iter().enumerate().filter(|_| !entries.is_empty()) {
        for (id, joint) in skeleton.enumerate_joints() {
            by_name.entry(&joint.name).or_insert((SkeletonId::new(at), id));
        }
    }
    for entry in entries {
        let Value::Map(entry) = entry else { continue };
        let entry = Ours::of(entry.clone());
        if entry.text(marks::ANIMATION).is_some_and(|name| read.contains(name)) {
            continue;
        }
        let offset = entry.number("time_offset").unwrap_or(0.0);
        let name = entry.text("name").unwrap_or_default().to_owned();
        let mut description = Description::of_entries(&entry, name, offset, (0.0, 0.0));
        let joint = |name: &Value| {
            if let Value::Text(name) = name { by_name.get(name.as_str()).copied() } else { None }
        };
        let joints: Vec<(SkeletonId, JointId)> =
            entry.list("joints").iter().filter_map(joint).collect();
        let skeleton = joints.first().map_or_else(SkeletonId::default, |(skeleton, _)| *skeleton);
        if entry.has("joints") {
            description.clip.joints = Some(
                joints
                    .into_iter()
                    .filter(|(of, _)| *of == skeleton)
                    .map(|(_, joint)| joint)
                    .collect(),
            );
        }
        description.clip.extras = entry.map("extras").cloned().unwrap_or_default();
        old_group(&mut description.clip.group, &mut description.clip.extras);
        let mut timeline = TimelineBuilder::new(&description.timeline)
            .with_skeleton(skeleton)
            .with_time_base(description.time_base)
            .finish();
        timeline.events = description.events;
        motion.add(description.clip, timeline);
    }
}
