//! What differs between two scenes: two versions of a file, or a file and what it was converted to.
//!
//! Joints, clips, states and nodes belong together by their names, the second of a name with the
//! second. What is compared is what is seen: two scenes that keep a motion in other channels, other
//! axes or another pose space are alike where every joint is in the same place at the same time.
//! Times are counted from a clip's start, so that a clip that was moved differs by its start only.
//! Geometry is not compared.
//!
//! ```
//! use anim_ir::diff::{Difference, Options, Side, diff};
//! use anim_ir::{Joint, Scene, Skeleton};
//!
//! let scene = |names: &[&str]| {
//!     let joints = names.iter().map(|name| Joint::new(*name, None)).collect();
//!     Scene { skeletons: vec![Skeleton { joints, ..Skeleton::default() }], ..Scene::default() }
//! };
//! let found = diff(&scene(&["hip", "tail"]), &scene(&["hip"]), &Options::default())?;
//! assert_eq!(found.differences, [Difference::JointOnly { joint: "tail".into(), side: Side::A }]);
//! # Ok::<(), anim_ir::LimitError>(())
//! ```

mod motion;
mod pairs;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use crate::file::limits::{LimitError, Limits};
use crate::math::linear::{Quat, Transform, Vec3};
use crate::model::clip::{Clip, Wrap};
use crate::model::machine::{Motion, SequenceKey};
use crate::model::scene::Scene;
use crate::model::skeleton::Joint;
use crate::model::timeline::Channel;
use crate::ops::bake::Bake;

use pairs::{Pairs, unmatched};

/// Samples that are only looked at may be so many times as many as those that [`Limits::samples`]
/// lets be kept.
const LOOKS: usize = 20;

/// When two things are the same.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Seconds that times may be apart.
    pub seconds: f64,
    /// How far poses may be apart: translations as a part of the greatest coordinate in either
    /// scene, rotations in radians, scales as a factor.
    pub tolerance: f64,
    /// How many differences of a kind are kept; the others are counted.
    pub kept: usize,
    /// Bounds. A sample is the pose of a joint at a moment.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Options {
        Options { seconds: 0.0005, tolerance: 0.001, kept: 10, limits: Limits::default() }
    }
}

/// One of the two scenes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

impl Side {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }

    /// The value of this side.
    pub fn of<T>(self, [a, b]: [T; 2]) -> T {
        match self {
            Side::A => a,
            Side::B => b,
        }
    }
}

/// How far two transforms are apart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gap {
    /// Distance, in the unit of the scenes.
    pub translation: f64,
    /// Angle in radians.
    pub rotation: f64,
    /// Greatest difference of a factor.
    pub scale: f64,
}

impl Gap {
    fn between(a: Transform, b: Transform) -> Gap {
        let [x, y] = [a, b].map(|transform| transform.scale.to_array().map(f64::from));
        let scale = x
            .iter()
            .zip(y)
            .map(|(x, y)| (x - y).abs() / x.abs().max(y.abs()).max(1.0))
            .fold(0.0, f64::max);
        Gap {
            translation: distance(a.translation, b.translation),
            rotation: angle(a.rotation, b.rotation),
            scale,
        }
    }

    /// How many times the tolerance it is.
    fn excess(&self, length: f64, tolerance: f64) -> f64 {
        (self.translation / length).max(self.rotation).max(self.scale) / tolerance
    }
}

fn distance(a: Vec3, b: Vec3) -> f64 {
    let [x, y] = [a, b].map(|point| point.to_array().map(f64::from));
    x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
}

/// Between two rotations, in radians. A quaternion and its opposite are the same rotation.
fn angle(a: Quat, b: Quat) -> f64 {
    let [x, y] = [a, b].map(|rotation| rotation.normalized().to_array().map(f64::from));
    let chord = |sign: f64| {
        x.iter().zip(y).map(|(x, y)| (x - sign * y) * (x - sign * y)).sum::<f64>().sqrt()
    };
    4.0 * (chord(1.0).min(chord(-1.0)) / 2.0).min(1.0).asin()
}

/// Something that differs. Names have
/// `#2` behind them where they are the second of that name. Times are in seconds; but for `Start`
/// they are counted from the clip's start.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are what they are called")]
pub enum Difference {
    /// A joint that only one scene has.
    JointOnly { joint: String, side: Side },
    /// A joint hangs from another one.
    Parent { joint: String, parents: [Option<String>; 2] },
    /// A joint's rest pose.
    Rest { joint: String, gap: Gap },
    /// A joint is seen at rest in one scene only.
    RestVisible { joint: String, seen_in: Side },
    /// A clip that only one scene has.
    ClipOnly { clip: String, side: Side },
    /// A clip starts at another time of its timeline.
    Start { clip: String, starts: [f32; 2] },
    /// A clip is longer.
    Length { clip: String, lengths: [f64; 2] },
    /// What happens at a clip's end.
    Wrap { clip: String, wraps: [Wrap; 2] },
    /// An event that a clip of one scene only has at that time; without a clip, one that is in no
    /// clip, at a time of its timeline.
    EventOnly { clip: Option<String>, event: String, time: f64, side: Side },
    /// Moments at which only one scene has keys for a joint, or for the morph weights of a node.
    KeysOnly { clip: String, target: String, count: usize, first: f64, side: Side },
    /// A joint is elsewhere, at this time farthest.
    Pose { clip: String, joint: String, time: f64, gap: Gap },
    /// A joint is seen in one scene only, at this time first.
    Visible { clip: String, joint: String, time: f64, seen_in: Side },
    /// The morph weights of a node, at this time most.
    Weights { clip: String, node: String, time: f64, by: f64 },
    /// A state that only one scene has.
    StateOnly { state: String, side: Side },
    /// What a state plays.
    State { state: String, what: &'static str },
    /// What a format says beyond the model that all formats share. It is told where nothing else
    /// differs.
    Extras { of: String, format: String },
}

impl Difference {
    /// What differs, in a word or two that never change: `joint`, `parent`, `rest pose`, …
    pub const fn kind(&self) -> &'static str {
        match self {
            Difference::JointOnly { .. } => "joint",
            Difference::Parent { .. } => "parent",
            Difference::Rest { .. } => "rest pose",
            Difference::RestVisible { .. } => "visibility at rest",
            Difference::ClipOnly { .. } => "clip",
            Difference::Start { .. } => "start",
            Difference::Length { .. } => "length",
            Difference::Wrap { .. } => "wrap",
            Difference::EventOnly { .. } => "event",
            Difference::KeysOnly { .. } => "keys",
            Difference::Pose { .. } => "pose",
            Difference::Visible { .. } => "visibility",
            Difference::Weights { .. } => "weights",
            Difference::StateOnly { .. } => "state",
            Difference::State { .. } => "motion of a state",
            Difference::Extras { .. } => "extras",
        }
    }
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diff {
    /// The differences, of each kind the first [`Options::kept`].
    pub differences: Vec<Difference>,
    /// How many there are of each kind ([`Difference::kind`]).
    pub counts: BTreeMap<&'static str, usize>,
    /// Joints that are in both scenes.
    pub joints: usize,
    /// Clips that are in both.
    pub clips: usize,
    /// States that are in both.
    pub states: usize,
    /// Events that are in both, counted for each clip that they are in.
    pub events: usize,
    /// Clips that were not looked at closely, or not at every key, since the limits do not allow
    /// more.
    pub clips_in_part: usize,
}

impl Diff {
    /// Whether nothing differs, and that is known: everything was compared, and there was something
    /// to compare.
    pub fn is_same(&self) -> bool {
        self.counts.is_empty()
            && self.clips_in_part == 0
            && self.joints.saturating_add(self.clips).saturating_add(self.states) > 0
    }
}

/// Finds what differs. Where only one scene has states, these are compared as the clips that they
/// are baked to.
///
/// # Errors
///
/// [`LimitError`] where baking states takes more moments than the limits allow.
pub fn diff(a: &Scene, b: &Scene, options: &Options) -> Result<Diff, LimitError> {
    let b = b.in_axes(a.axes);
    let bake = Bake { limits: options.limits, ..Bake::default() };
    let plain = |scene: &Scene| -> Result<Scene, LimitError> {
        let mut scene = scene.baked(&bake)?.value.into_owned();
        scene.machines.clear();
        Ok(scene)
    };
    let (a, b) = match (a.machines.is_empty(), b.machines.is_empty()) {
        (true, false) => (Cow::Borrowed(a), Cow::Owned(plain(&b)?)),
        (false, true) => (Cow::Owned(plain(a)?), b),
        _ => (Cow::Borrowed(a), b),
    };
    let scenes = [&*a, &*b];
    let joints = Pairs::of(scenes.map(|scene| {
        scene
            .skeletons
            .iter()
            .flat_map(|skeleton| &skeleton.joints)
            .map(|joint| joint.name.as_str())
    }));
    let clips = Pairs::of(scenes.map(|scene| scene.clips.iter().map(|clip| clip.name.as_str())));
    let nodes = Pairs::of(scenes.map(|scene| scene.nodes.iter().map(|node| node.name.as_str())));
    let length = scenes.map(greatest_coordinate).into_iter().fold(0.0, f64::max);
    let mut differ = Differ {
        scenes,
        joints,
        clips,
        nodes,
        options,
        length: if length > 0.0 { length } else { 1.0 },
        left: options.limits.samples.saturating_mul(LOOKS),
        found: Diff::default(),
    };
    differ.compare_joints();
    differ.compare_states();
    differ.compare_clips();
    differ.compare_events_outside();
    if differ.found.counts.is_empty() {
        differ.compare_extras();
    }
    Ok(differ.found)
}

/// The greatest coordinate, without its sign, of a rest pose, a vertex or a key.
fn greatest_coordinate(scene: &Scene) -> f64 {
    let rest = scene
        .skeletons
        .iter()
        .flat_map(|skeleton| &skeleton.joints)
        .map(|joint| joint.rest.translation);
    let vertices = scene.meshes.iter().flat_map(|mesh| &mesh.positions).copied();
    let numbers = rest.chain(vertices).flat_map(Vec3::to_array);
    let keys = scene.timelines.iter().flat_map(|timeline| {
        let moves = timeline
            .tracks()
            .iter()
            .filter(|track| matches!(track.channel, Channel::Translation | Channel::Offset));
        moves.flat_map(|track| timeline.keys(track).values().flatten().copied())
    });
    numbers
        .chain(keys)
        .map(|number| f64::from(number.abs()))
        .filter(|number| number.is_finite())
        .fold(0.0, f64::max)
}

struct Differ<'a> {
    scenes: [&'a Scene; 2],
    joints: Pairs<'a>,
    clips: Pairs<'a>,
    nodes: Pairs<'a>,
    options: &'a Options,
    /// That of which translations may be a part apart.
    length: f64,
    /// Samples that may still be taken, of joints, keys or events.
    left: usize,
    found: Diff,
}

impl<'a> Differ<'a> {
    fn push(&mut self, difference: Difference) {
        let count = self.found.counts.entry(difference.kind()).or_default();
        *count = count.saturating_add(1);
        if *count <= self.options.kept {
            self.found.differences.push(difference);
        }
    }

    fn exceeds(&self, gap: &Gap) -> bool {
        gap.excess(self.length, self.options.tolerance) > 1.0
    }

    /// Where nothing else differs: what both have of one format. What another format has to say of
    /// the same thing is no difference.
    fn compare_extras(&mut self) {
        let [a, b] = self.scenes;
        let mut all = vec![("the whole".to_owned(), [&a.extras, &b.extras])];
        let joints =
            self.scenes.map(|scene| scene.skeletons.iter().flat_map(|skeleton| &skeleton.joints));
        let [of_a, of_b] =
            joints.map(|joints| joints.map(|joint| &joint.extras).collect::<Vec<_>>());
        for [x, y] in &self.joints.both {
            if let (Some(x_extras), Some(y_extras)) = (of_a.get(*x), of_b.get(*y)) {
                all.push((
                    format!("joint {}", self.joints.label(Side::A, *x)),
                    [x_extras, y_extras],
                ));
            }
        }
        for [x, y] in &self.clips.both {
            if let (Some(x_clip), Some(y_clip)) = (a.clips.get(*x), b.clips.get(*y)) {
                all.push((
                    format!("clip {}", self.clips.label(Side::A, *x)),
                    [&x_clip.extras, &y_clip.extras],
                ));
            }
        }
        for (of, [x, y]) in all {
            for format in x
                .iter()
                .filter(|(format, value)| y.get(*format).is_some_and(|other| other != *value))
                .map(|(format, _)| format)
            {
                self.push(Difference::Extras { of: of.clone(), format: format.clone() });
            }
        }
    }

    fn compare_joints(&mut self) {
        let joints = self.scenes.map(|scene| {
            let skeletons = scene.skeletons.iter();
            let starts = skeletons.clone().scan(0_usize, |next, skeleton| {
                let start = *next;
                *next = next.saturating_add(skeleton.joints.len());
                Some(start)
            });
            // Each joint with the place of its parent among the joints of all skeletons.
            let joints = skeletons.zip(starts).flat_map(|(skeleton, start)| {
                skeleton.joints.iter().map(move |joint| {
                    (joint, joint.parent.map(|parent| parent.saturating_add(start)))
                })
            });
            joints.collect::<Vec<(&Joint, Option<usize>)>>()
        });
        let carried = self
            .scenes
            .map(|scene| scene.nodes.iter().map(|node| node.name.as_str()).collect::<HashSet<_>>());
        for (side, number) in self.joints.alone() {
            // What carries a mesh may be a joint in one scene and a node without a joint of its own
            // in the other.
            let is_node = side.of(joints.each_ref()).get(number).is_some_and(|(joint, _)| {
                side.other().of(carried.each_ref()).contains(&*joint.name)
            });
            if !is_node {
                self.push(Difference::JointOnly { joint: self.joints.label(side, number), side });
            }
        }
        self.found.joints = self.joints.both.len();
        for [in_a, in_b] in self.joints.both.clone() {
            let [x, y] = &joints;
            let (Some((a, a_parent)), Some((b, b_parent))) = (x.get(in_a), y.get(in_b)) else {
                continue;
            };
            let joint = || self.joints.label(Side::A, in_a);
            if a_parent.map(|parent| self.joints.partner(Side::A, parent)) != b_parent.map(Some) {
                let label = |side, parent: &Option<usize>| {
                    parent.map(|parent| self.joints.label(side, parent))
                };
                self.push(Difference::Parent {
                    joint: joint(),
                    parents: [label(Side::A, a_parent), label(Side::B, b_parent)],
                });
            }
            let joint = || self.joints.label(Side::A, in_a);
            match [a, b].map(|joint| is_seen(joint.visible, joint.rest)) {
                [true, true] => {
                    let gap = Gap::between(a.rest, b.rest);
                    if self.exceeds(&gap) {
                        self.push(Difference::Rest { joint: joint(), gap });
                    }
                }
                [false, false] => {}
                [in_a, _] => self.push(Difference::RestVisible {
                    joint: joint(),
                    seen_in: if in_a { Side::A } else { Side::B },
                }),
            }
        }
    }

    fn compare_states(&mut self) {
        let states = self.scenes.map(|scene| {
            scene.machines.iter().flat_map(|machine| &machine.states).collect::<Vec<_>>()
        });
        let pairs = Pairs::of(
            states.each_ref().map(|states| states.iter().map(|state| state.name.as_str())),
        );
        for (side, state) in pairs.alone() {
            self.push(Difference::StateOnly { state: pairs.label(side, state), side });
        }
        self.found.states = pairs.both.len();
        for [a, b] in pairs.both.iter().copied() {
            let [x, y] = &states;
            let (Some(x), Some(y)) = (x.get(a), y.get(b)) else { continue };
            let what = match (&x.motion, &y.motion) {
                (Motion::Clip(x), Motion::Clip(y)) => {
                    (self.clips.partner(Side::A, *x) != Some(*y)).then_some("clip")
                }
                (Motion::Sequence(x), Motion::Sequence(y)) if x.order() != y.order() => {
                    Some("order")
                }
                (Motion::Sequence(x), Motion::Sequence(y)) if x.start() != y.start() => {
                    Some("first key")
                }
                (Motion::Sequence(x), Motion::Sequence(y)) if x.keys().len() != y.keys().len() => {
                    Some("number of keys")
                }
                (Motion::Sequence(x), Motion::Sequence(y)) => x
                    .keys()
                    .iter()
                    .zip(y.keys())
                    .find_map(|(x, y)| different_key(x, y, &pairs, self.options.seconds)),
                _ => Some("kind"),
            };
            if let Some(what) = what {
                self.push(Difference::State { state: pairs.label(Side::A, a), what });
            }
        }
    }

    fn compare_clips(&mut self) {
        // Where there are states, each clip is one of them.
        let alone = if self.scenes.iter().all(|scene| scene.machines.is_empty()) {
            self.clips.alone()
        } else {
            Vec::new()
        };
        for (side, clip) in alone {
            self.push(Difference::ClipOnly { clip: self.clips.label(side, clip), side });
        }
        self.found.clips = self.clips.both.len();
        for [in_a, in_b] in self.clips.both.clone() {
            let [a, b] = self.scenes;
            let (Some(a), Some(b)) = (a.clips.get(in_a), b.clips.get(in_b)) else { continue };
            let name = self.clips.label(Side::A, in_a);
            let clip = || name.clone();
            let lengths = [a, b].map(|clip| f64::from(clip.end) - f64::from(clip.start));
            if !self.same_time(f64::from(a.start), f64::from(b.start)) {
                self.push(Difference::Start { clip: clip(), starts: [a.start, b.start] });
            }
            if let [x, y] = lengths
                && !self.same_time(x, y)
            {
                self.push(Difference::Length { clip: clip(), lengths });
            }
            if a.wrap != b.wrap {
                self.push(Difference::Wrap { clip: clip(), wraps: [a.wrap, b.wrap] });
            }
            self.compare_events(&name, [a, b]);
            self.compare_motion(&name, [a, b]);
        }
    }

    fn same_time(&self, a: f64, b: f64) -> bool {
        (a - b).abs() <= self.options.seconds
    }

    fn compare_events(&mut self, name: &str, clips: [&'a Clip; 2]) {
        let mut events: BTreeMap<&str, [Vec<f64>; 2]> = BTreeMap::new();
        for (side, (scene, clip)) in
            [Side::A, Side::B].into_iter().zip(self.scenes.into_iter().zip(clips))
        {
            let all =
                scene.timelines.get(clip.timeline).map_or(&[][..], |timeline| &timeline.events);
            let first = all.partition_point(|event| event.time < clip.start);
            for event in all
                .iter()
                .skip(first)
                .take_while(|event| event.time <= clip.end)
                .filter(|event| clip.takes(event))
            {
                if self.left == 0 {
                    break;
                }
                self.left = self.left.saturating_sub(1);
                side.of(events.entry(&event.name).or_default().each_mut())
                    .push(f64::from(event.time) - f64::from(clip.start));
            }
        }
        for (event, times) in events {
            let alone = unmatched(times.each_ref().map(Vec::as_slice), self.options.seconds);
            let both = times
                .into_iter()
                .next()
                .map_or(0, |times| times.len())
                .saturating_sub(alone.iter().filter(|(side, _)| *side == Side::A).count());
            self.found.events = self.found.events.saturating_add(both);
            for (side, time) in alone {
                self.push(Difference::EventOnly {
                    clip: Some(name.to_owned()),
                    event: event.to_owned(),
                    time,
                    side,
                });
            }
        }
    }

    /// Events that no clip takes.
    fn compare_events_outside(&mut self) {
        let mut events: BTreeMap<&str, [Vec<f64>; 2]> = BTreeMap::new();
        for (side, scene) in [Side::A, Side::B].into_iter().zip(self.scenes) {
            for (number, timeline) in scene.timelines.iter().enumerate() {
                let clips: Vec<&Clip> =
                    scene.clips.iter().filter(|clip| clip.timeline == number).collect();
                for event in &timeline.events {
                    let Some(left) = self.left.checked_sub(clips.len().saturating_add(1)) else {
                        break;
                    };
                    self.left = left;
                    if !clips.iter().any(|clip| clip.takes(event)) {
                        side.of(events.entry(&event.name).or_default().each_mut())
                            .push(f64::from(event.time));
                    }
                }
            }
        }
        for (event, mut times) in events {
            times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
            for (side, time) in unmatched(times.each_ref().map(Vec::as_slice), self.options.seconds)
            {
                self.push(Difference::EventOnly {
                    clip: None,
                    event: event.to_owned(),
                    time,
                    side,
                });
            }
        }
    }
}

/// Whether anything of a joint can be seen: what has no size cannot, which is how glTF hides
/// things.
fn is_seen(visible: bool, transform: Transform) -> bool {
    visible && transform.scale.to_array() != [0.0; 3]
}

fn different_key(
    a: &SequenceKey,
    b: &SequenceKey,
    states: &Pairs<'_>,
    seconds: f64,
) -> Option<&'static str> {
    let apart = |a: f32, b: f32| (f64::from(a) - f64::from(b)).abs() > seconds;
    if a.state.map(|state| states.partner(Side::A, state)) != b.state.map(Some) {
        Some("state of a key")
    } else if a.exit != b.exit {
        Some("exit of a key")
    } else if apart(a.forward.seconds, b.forward.seconds)
        || apart(a.backward.seconds, b.backward.seconds)
    {
        Some("time of a transition")
    } else if (a.forward.morph, a.backward.morph) != (b.forward.morph, b.backward.morph) {
        Some("morph of a transition")
    } else {
        None
    }
}
