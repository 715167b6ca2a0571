//! Animations: a timeline and a clip each, or one of both for each skeleton that moves.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use anim_ir::diag::quote;
use anim_ir::number::narrow;
use anim_ir::{
    Channel, Clip, Event, Interpolation, LimitError, Mesh, Node, PoseSpace, Scene, Skeleton,
    Target, TimeBase, Timeline, TimelineBuilder, Track, Transform, Value, Wrap,
};

use super::codes;
use super::error::Fault;
use super::extras::{JsonExtras, Ours};
use super::json;
use super::source::Source;
use super::tree::{Part, Place, Tree, shown_by};
use crate::math::{axes, finite, finite_all, multiply, transform, unit};

/// A channel of the file, read.
#[derive(Clone, Debug)]
struct Read {
    /// Index of the skeleton; `None` for the weights of a node.
    skeleton: Option<usize>,
    target: Target,
    channel: Channel,
    part: Part,
    interpolation: Interpolation,
    times: Rc<Vec<f32>>,
    /// Key by key, as the model has them.
    values: Vec<f32>,
    pointer: usize,
}

/// Timelines and clips of the file.
#[derive(Debug, Default)]
pub(crate) struct Motion {
    pub(crate) timelines: Vec<Timeline>,
    pub(crate) clips: Vec<Clip>,
}

/// What tracks refer to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Targets<'a> {
    pub(crate) tree: &'a Tree,
    /// For each node of the file the node of the scene.
    pub(crate) nodes: &'a [Option<usize>],
    pub(crate) scene: &'a Scene,
}

pub(crate) fn read(source: &mut Source<'_>, targets: Targets<'_>) -> Result<Motion, LimitError> {
    let mut motion = Motion::default();
    for (number, animation) in source.root.animations.iter().enumerate() {
        let reader = Reader {
            targets,
            number,
            animation,
            offset: animation.extras.ours.number("time_offset").unwrap_or(0.0),
            times: HashMap::new(),
        };
        reader.read(source, &mut motion)?;
    }
    Ok(motion)
}

fn joint_of(track: &Track) -> Option<usize> {
    if let Target::Joint(joint) = track.target { Some(joint) } else { None }
}

struct Reader<'a> {
    targets: Targets<'a>,
    number: usize,
    animation: &'a json::Animation,
    /// What is added to every time.
    offset: f32,
    /// Times of keys by accessor: channels commonly share them.
    times: HashMap<usize, Rc<Vec<f32>>>,
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
        let range = times().reduce(|(a, b), (c, d)| (a.min(c), b.max(d))).unwrap_or_default();
        let groups = self.group(channels);
        if groups.len() > 1 {
            source.found.push(&codes::SPLIT, None, || {
                format!("/animations/{}: it moves {} skeletons", self.number, groups.len())
            });
        }
        let mut description =
            Description::of(&self.animation.extras, &self.animation.name, self.offset, range);
        let mut rest = Some((
            std::mem::take(&mut description.clip.extras),
            std::mem::take(&mut description.events),
        ));
        for (skeleton, channels) in groups {
            source.spend(description.clip.name.len().saturating_add(description.timeline.len()))?;
            let mut timeline = self.timeline(source, &description, skeleton, channels);
            let mut clip = Clip { timeline: motion.timelines.len(), ..description.clip.clone() };
            // Said once, however many skeletons there are.
            (clip.extras, timeline.events) = rest.take().unwrap_or_default();
            if self.animation.extras.ours.is_true("partial") {
                clip.joints = Some(timeline.tracks().iter().filter_map(joint_of).collect());
            }
            motion.clips.push(clip);
            motion.timelines.push(timeline);
        }
        Ok(())
    }

    /// The channels of each skeleton. Weights of nodes go with the joints, where there are any.
    fn group(&self, channels: Vec<Read>) -> BTreeMap<usize, Vec<Read>> {
        let first = channels.iter().find_map(|channel| channel.skeleton);
        let near = |channel: &Read| {
            let Target::Node(node) = channel.target else { return None };
            let node = self.targets.scene.nodes.get(node)?;
            let skin = node
                .skin
                .and_then(|skin| self.targets.scene.skins.get(skin))
                .map(|skin| skin.skeleton);
            skin.or(node.parent.map(|(skeleton, _)| skeleton))
        };
        let alone = channels.iter().find_map(near).unwrap_or(0);
        let mut groups: BTreeMap<usize, Vec<Read>> = BTreeMap::new();
        for channel in channels {
            groups.entry(channel.skeleton.or(first).unwrap_or(alone)).or_default().push(channel);
        }
        groups
    }

    /// A channel; `None` where it moves what does not count.
    fn channel(
        &mut self,
        source: &mut Source<'_>,
        at: usize,
        json: &json::Channel,
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
                format!("{}: {} is not animated here", pointer("/target"), quote(what.as_bytes()))
            });
            return Ok(None);
        }
        // A channel without a node is to be passed over.
        let Some(node) = shown.or(json.target.node) else { return Ok(None) };
        let Some(place) = self.targets.tree.places.get(node).copied() else {
            return Err(Fault::new(pointer("/target/node"), format!("there is no node {node}")));
        };
        let path = json.target.path.as_str();
        let (skeleton, target, channel, part) = match (place, path) {
            (Place::Outside, _) => return Ok(None),
            (_, "weights") => {
                let node = self.targets.nodes.get(node).copied().flatten();
                let node = node.ok_or_else(|| {
                    Fault::new(pointer("/target"), "the node has no mesh that could be read")
                })?;
                (None, Target::Node(node), Channel::MorphWeights, Part::Whole)
            }
            (Place::Joint { skeleton, joint, part }, path) => {
                let channel = match (path, part) {
                    ("pointer", _) | ("scale", Part::Switch) => Channel::Visibility,
                    ("translation", _) => Channel::Translation,
                    ("rotation", _) => Channel::Rotation,
                    ("scale", _) => Channel::Scale,
                    _ => {
                        return Err(Fault::new(
                            pointer("/target/path"),
                            format!("nothing of a node is called {}", quote(path.as_bytes())),
                        ));
                    }
                };
                (Some(skeleton), Target::Joint(joint), channel, part)
            }
            (Place::Leaf | Place::Armature { .. } | Place::AtRest, _) => {
                return Err(Fault::new(
                    pointer("/target/path"),
                    format!("nothing of a node is called {}", quote(path.as_bytes())),
                ));
            }
        };
        let sampler = self.animation.samplers.get(json.sampler);
        let sampler = sampler.ok_or_else(|| {
            Fault::new(pointer("/sampler"), format!("there is no sampler {}", json.sampler))
        })?;
        let times = self.times(source, sampler.input)?;
        let interpolation = match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::Cubic,
            Some(other) => {
                let pointer =
                    format!("/animations/{}/samplers/{}/interpolation", self.number, json.sampler);
                return Err(Fault::new(
                    pointer,
                    format!("{} is no interpolation", quote(other.as_bytes())),
                ));
            }
        };
        let values = values(source, sampler.output, channel, part, interpolation)?;
        let expected = match target {
            Target::Node(node) => targets_of(self.targets.scene, node),
            Target::Joint(_) => channel.width().unwrap_or(0),
        };
        let numbers =
            times.len().saturating_mul(interpolation.values_per_key()).saturating_mul(expected);
        if values.len() != numbers || expected == 0 {
            let pointer = format!("/accessors/{}/count", sampler.output);
            return Err(Fault::new(
                pointer,
                format!("{} numbers for {} keys of {expected}", values.len(), times.len()),
            ));
        }
        Ok(Some(Read {
            skeleton,
            target,
            channel,
            part,
            interpolation,
            times,
            values,
            pointer: at,
        }))
    }

    fn times(&mut self, source: &mut Source<'_>, accessor: usize) -> Result<Rc<Vec<f32>>, Fault> {
        if let Some(times) = self.times.get(&accessor) {
            return Ok(Rc::clone(times));
        }
        let mut times: Vec<f32> = source.floats(accessor, 1)?;
        if times.is_empty() {
            return Err(Fault::new(format!("/accessors/{accessor}/count"), "there is no key"));
        }
        if let Some(at) = times.iter().zip(times.iter().skip(1)).position(|(a, b)| a >= b) {
            return Err(Fault::new(
                format!("/accessors/{accessor}"),
                format!("time {} is not after the one before", at.saturating_add(1)),
            ));
        }
        if self.offset != 0.0 {
            let mut before = f32::MIN;
            for time in &mut times {
                // Rounding must not bring keys together.
                *time = finite(f64::from(*time) + f64::from(self.offset)).max(before.next_up());
                before = *time;
            }
        }
        let times = Rc::new(times);
        self.times.insert(accessor, Rc::clone(&times));
        Ok(times)
    }

    /// The timeline of one skeleton.
    fn timeline(
        &self,
        source: &mut Source<'_>,
        description: &Description,
        skeleton: usize,
        mut channels: Vec<Read>,
    ) -> Timeline {
        let nothing = Skeleton::default();
        let joints = self.targets.scene.skeletons.get(skeleton).unwrap_or(&nothing);
        // Where the upper of a joint's two nodes moves, the lower one is only held straight.
        let upper: HashSet<Target> = channels
            .iter()
            .filter(|channel| channel.part == Part::Upper)
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
                    let turn = self
                        .targets
                        .tree
                        .turns
                        .get(&(skeleton, joint))
                        .copied()
                        .unwrap_or_default();
                    Transform { rotation: turn, ..Transform::IDENTITY }
                } else {
                    joints.joints.get(joint).map_or(Transform::IDENTITY, |joint| joint.rest)
                };
                take_off_rest(channel, &rest);
            }
        }
        let space = if deltas { PoseSpace::DeltaFromRest } else { PoseSpace::ParentRelative };
        let mut builder = TimelineBuilder::new(&description.timeline)
            .skeleton(skeleton)
            .time_base(description.time_base)
            .pose_space(space);
        for Read { target, channel, interpolation, times, values, pointer, .. } in channels {
            let added = match (times.as_slice(), interpolation) {
                // One key is the same at all times.
                ([time], Interpolation::Step) if *time == description.clip.start => {
                    builder.constant(target, channel, &values)
                }
                ([time], Interpolation::Cubic) => {
                    let third = values.len() / 3;
                    let value = values.get(third..third.saturating_mul(2)).unwrap_or_default();
                    builder.keys(target, channel, Interpolation::Step, &[*time], value)
                }
                _ => builder.keys(target, channel, interpolation, &times, &values),
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

/// How many morph targets the mesh of a node of the scene has.
fn targets_of(scene: &Scene, node: usize) -> usize {
    let mesh = scene
        .nodes
        .get(node)
        .and_then(|node: &Node| node.mesh)
        .and_then(|mesh| scene.meshes.get(mesh));
    mesh.map_or(0, |mesh: &Mesh| mesh.morph_targets.len())
}

/// The numbers of all keys, as the model has them.
fn values(
    source: &mut Source<'_>,
    accessor: usize,
    channel: Channel,
    part: Part,
    interpolation: Interpolation,
) -> Result<Vec<f32>, Fault> {
    match channel {
        Channel::Rotation => {
            let mut values: Vec<f32> = source.floats(accessor, 4)?;
            let parts = interpolation.values_per_key();
            for (number, value) in values.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                if parts == 1 || number % 3 == 1 {
                    *value = finite_all(unit(value.map(f64::from)));
                }
            }
            Ok(values)
        }
        // A scale, all or nothing.
        Channel::Visibility if part == Part::Switch && source.width(accessor)? == 3 => {
            let values: Vec<[f32; 3]> = source.floats(accessor, 3)?;
            Ok(values.into_iter().map(|scale| if scale == [0.0; 3] { 0.0 } else { 1.0 }).collect())
        }
        Channel::Visibility => {
            let values: Vec<f32> = source.floats(accessor, 1)?;
            Ok(values.into_iter().map(|shown| if shown == 0.0 { 0.0 } else { 1.0 }).collect())
        }
        Channel::MorphWeights => source.floats(accessor, 1),
        Channel::Translation | Channel::Scale | Channel::Euler(_) | Channel::Offset => {
            source.floats(accessor, 3)
        }
    }
}

/// Undoes what the writer does to values that are applied before the rest pose: `rest⁻¹ · value`,
/// tangents without the move.
fn take_off_rest(channel: &mut Read, rest: &Transform) {
    let [x, y, z, w] = unit(rest.rotation.to_array().map(f64::from));
    let back = [-x, -y, -z, w];
    // What a scale of nothing has taken away cannot be had back.
    let factors = rest
        .scale
        .to_array()
        .map(|factor| if factor == 0.0 { 0.0 } else { 1.0 / f64::from(factor) });
    let origin = rest.translation.to_array().map(f64::from);
    let kind = channel.channel;
    let cubic = channel.interpolation == Interpolation::Cubic;
    for (number, value) in
        channel.values.chunks_exact_mut(kind.width().unwrap_or(1).max(1)).enumerate()
    {
        let is_tangent = cubic && number % 3 != 1;
        match (kind, value) {
            (Channel::Rotation, [a, b, c, d]) => {
                let turned = multiply(back, [*a, *b, *c, *d].map(f64::from));
                [*a, *b, *c, *d] = finite_all(if is_tangent { turned } else { unit(turned) });
            }
            (Channel::Translation, [a, b, c]) => {
                let [o, p, q] = if is_tangent { [0.0; 3] } else { origin };
                let [i, j, k] = transform(
                    axes(back),
                    [f64::from(*a) - o, f64::from(*b) - p, f64::from(*c) - q],
                );
                let [u, v, w] = factors;
                [*a, *b, *c] = finite_all([i * u, j * v, k * w]);
            }
            (Channel::Scale, [a, b, c]) => {
                let [u, v, w] = factors;
                [*a, *b, *c] =
                    finite_all([f64::from(*a) * u, f64::from(*b) * v, f64::from(*c) * w]);
            }
            _ => {}
        }
    }
}

/// What the extras of an animation, or an entry of the scene's `clips`, say.
#[derive(Clone, Debug, Default)]
struct Description {
    /// Its timeline is not set.
    clip: Clip,
    /// Name of the timeline.
    timeline: String,
    time_base: TimeBase,
    events: Vec<Event>,
}

impl Description {
    /// `range` is that of the keys, in seconds of the timeline.
    fn of(extras: &JsonExtras, in_file: &str, offset: f32, range: (f32, f32)) -> Description {
        let name = extras.name(in_file);
        let mut description = Description::of_entries(&extras.ours, name, offset, range);
        description.clip.extras.clone_from(&extras.own);
        description
    }

    fn of_entries(ours: &Ours, name: String, offset: f32, range: (f32, f32)) -> Description {
        let moved = |time: f32| finite(f64::from(time) + f64::from(offset));
        let time = |name: &str| ours.number(name).map(moved);
        let start = time("start").unwrap_or(range.0);
        let end = time("end").unwrap_or(range.1).max(start);
        let wrap = [Wrap::Once, Wrap::Loop, Wrap::PingPong]
            .into_iter()
            .find(|wrap| ours.text("wrap") == Some(wrap.name()))
            .unwrap_or_default();
        let base = |unit: &str| match ours.map("time_base")?.get(unit)? {
            Value::Number(number) => {
                Some(narrow(*number)).filter(|number| number.is_finite() && *number > 0.0)
            }
            _ => None,
        };
        let time_base = match (base("frames_per_second"), base("progress_seconds")) {
            (Some(per_second), _) => TimeBase::Frames { per_second },
            (None, Some(duration)) => TimeBase::Progress { duration },
            (None, None) => TimeBase::Seconds,
        };
        let mut events: Vec<Event> =
            ours.list("events").iter().filter_map(|event| event_of(event, offset)).collect();
        events.sort_by(|a, b| a.time.total_cmp(&b.time));
        let timeline = ours.text("timeline").unwrap_or(&name).to_owned();
        Description {
            clip: Clip { name, start, end, wrap, ..Clip::default() },
            timeline,
            time_base,
            events,
        }
    }
}

fn event_of(event: &Value, offset: f32) -> Option<Event> {
    let Value::Map(event) = event else { return None };
    let event = Ours::of(event.clone());
    Some(Event {
        time: finite(f64::from(event.number("time")?) + f64::from(offset)),
        name: event.text("name")?.to_owned(),
        payload: event.map("payload").cloned().unwrap_or_default(),
    })
}

/// Clips in which nothing moves, from the extras of the scene. Of joints of one name they mean the
/// first.
pub(crate) fn read_empty(ours: &Ours, skeletons: &[Skeleton], motion: &mut Motion) {
    let entries = ours.list("clips");
    let mut by_name: HashMap<&str, (usize, usize)> = HashMap::new();
    for (at, skeleton) in skeletons.iter().enumerate().filter(|_| !entries.is_empty()) {
        for (index, joint) in skeleton.joints.iter().enumerate() {
            by_name.entry(&joint.name).or_insert((at, index));
        }
    }
    for entry in entries {
        let Value::Map(entry) = entry else { continue };
        let entry = Ours::of(entry.clone());
        let offset = entry.number("time_offset").unwrap_or(0.0);
        let name = entry.text("name").unwrap_or_default().to_owned();
        let mut description = Description::of_entries(&entry, name, offset, (0.0, 0.0));
        let joint = |name: &Value| {
            if let Value::Text(name) = name { by_name.get(name.as_str()).copied() } else { None }
        };
        let joints: Vec<(usize, usize)> = entry.list("joints").iter().filter_map(joint).collect();
        let skeleton = joints.first().map_or(0, |(skeleton, _)| *skeleton);
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
        let mut timeline = TimelineBuilder::new(&description.timeline)
            .skeleton(skeleton)
            .time_base(description.time_base)
            .finish();
        timeline.events = description.events;
        motion.clips.push(Clip { timeline: motion.timelines.len(), ..description.clip });
        motion.timelines.push(timeline);
    }
}

#[cfg(test)]
mod tests {
    use anim_ir::Quat;

    use super::*;

    #[test]
    fn what_the_writer_put_on_is_taken_off() {
        let rest = Transform {
            translation: [1.0, 2.0, 3.0].into(),
            rotation: Quat::from_axis_angle([0.0, 0.0, 1.0].into(), std::f64::consts::FRAC_PI_2),
            scale: [2.0; 3].into(),
        };
        // x of the rest pose is y of its parent, twice as long.
        let mut channel = Read {
            skeleton: Some(0),
            target: Target::Joint(0),
            channel: Channel::Translation,
            part: Part::Whole,
            interpolation: Interpolation::Linear,
            times: Rc::new(vec![0.0]),
            values: vec![1.0, 4.0, 3.0],
            pointer: 0,
        };
        take_off_rest(&mut channel, &rest);
        assert!(
            channel
                .values
                .iter()
                .zip([1.0, 0.0, 0.0])
                .all(|(a, b): (&f32, f32)| (a - b).abs() < 1e-6),
            "{:?}",
            channel.values
        );
    }
}
