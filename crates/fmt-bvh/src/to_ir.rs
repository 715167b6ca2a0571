//! Converts a document to a scene.

use anim_ir::number::narrow;
use anim_ir::{
    Channel, Clip, Converted, EulerOrder, Extras, Interpolation, Joint, JointId, Quat, Scene,
    Skeleton, StatedUp, TimeBase, TimelineBuilder, TimelineError, UniqueNames, Value, double,
    sort_by,
};

use crate::channel::ChannelType;
use crate::document::{self, Document};

/// The name of this format in extras.
pub(crate) const BVH: &str = "bvh";

/// The frame rate if the file has no valid frame time.
const DEFAULT_RATE: f64 = 30.0;

/// The interpretation of position channels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Positions {
    /// Positions replace the joint's offset, as in Blender and `MotionBuilder`.
    #[default]
    Replace,
    /// Positions are added to the joint's offset, as in three.js.
    Add,
}

anim_ir::named!(Positions, "interpretation of position channels", {
    Replace => "replace",
    Add => "add",
});

anim_ir::options! {
    /// Options for converting a document to a scene.
    pub struct ToIr {
        /// Name of the skeleton and of the clip.
        name (with_name): String = String::new();
        /// Whether position channels replace the joint's offset or are added to it.
        positions (with_positions): Positions = Positions::Replace,
            choice("bvh-positions", Positions::NAMES, Some("replace"),
                "Whether position channels replace the joint's offset or are added to it");
        /// Frames per second, instead of the file's own. Ignored unless finite and greater than 0.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("rate", None,
                "Frame rate to use instead of the one in the file, if it has one (ANM text: 24 by \
                 default)");
    }
}

/// Creates a skeleton with a joint for each joint and end site, and a clip with all frames.
///
/// The offsets form the rest pose. Angles become quaternions, since players interpolate quaternions
/// along the shorter arc. An end site becomes a joint without channels, which gives the last bone
/// of a chain a length; it is marked with `bvh.end` in its extras. A joint with three rotations has
/// their order in `bvh.order`.
pub fn to_ir(document: &Document<'_>, options: &ToIr) -> Converted<Scene> {
    let skeleton = skeleton(document, options);
    let mut scene = Scene { name: options.name.clone(), up: StatedUp::Nowhere, ..Scene::default() };
    let last = document.frames().next_back().map(|frame| frame.number());
    if let Some(last) = last {
        let rate = options.frames_per_second.filter(|rate| rate.is_finite() && *rate > 0.0);
        let rate = rate.or(document.frames_per_second()).unwrap_or(DEFAULT_RATE);
        let per_second = narrow(rate).clamp(f32::MIN_POSITIVE, f32::MAX);
        let mut builder =
            TimelineBuilder::new(&options.name).with_time_base(TimeBase::Frames { per_second });
        let motion = Motion::new(document, rate);
        let added = document.joints().zip(skeleton.enumerate_joints()).try_for_each(
            |(joint, (id, rest))| motion.add_tracks(&joint, id, rest, options, &mut builder),
        );
        // Cannot fail: times ascend, numbers are finite, and properties are unique.
        debug_assert_eq!(added, Ok(()));
        let timeline = scene.add_timeline(builder.finish());
        let end = motion.time(last);
        scene.add_clip(Clip { name: options.name.clone(), timeline, end, ..Clip::default() });
    }
    scene.add_skeleton(skeleton);
    Converted::lossless(scene)
}

fn skeleton(document: &Document<'_>, options: &ToIr) -> Skeleton {
    let mut skeleton = Skeleton::new(&options.name);
    let mut names = UniqueNames::new();
    for joint in document.joints() {
        names.announce(joint.name());
    }
    for (source_index, joint) in document.joints().enumerate() {
        let name = match joint.name() {
            name if name.is_empty() && joint.is_end_site() => {
                let parent = joint.parent().and_then(|parent| document.joint(parent));
                let parent = parent.map_or_else(Default::default, |parent| parent.name());
                names.invent(end_name(&parent)).into_owned()
            }
            name => name.into_owned(),
        };
        let mut rest = Joint::new(name, joint.parent().map(JointId::new));
        rest.rest.translation = joint.offset().into();
        rest.extras = extras(&joint);
        rest.source_index = source_index;
        skeleton.add_joint(rest);
    }
    skeleton
}

/// Returns the name for an unnamed end site. Long names are truncated, since a joint may have many
/// end sites.
pub(crate) fn end_name(parent: &str) -> String {
    parent.chars().take(64).chain("_end".chars()).collect()
}

fn extras(joint: &document::Joint<'_>) -> Extras {
    let value = match order(joint.channels()) {
        _ if joint.is_end_site() => Value::from([("end", Value::Bool(true))]),
        (Some(order), 3) => Value::from([("order", Value::from(order.name()))]),
        _ => return Extras::new(),
    };
    Extras::from([(BVH.to_owned(), value)])
}

/// Returns whether a joint of a scene was an end site.
pub fn is_end_site(joint: &Joint) -> bool {
    let Some(Value::Map(bvh)) = joint.extras.get(BVH) else { return false };
    bvh.get("end") == Some(&Value::Bool(true))
}

/// Returns the rotation order, if each axis occurs at most once, and the number of rotations
/// (counted up to four). Axes without a rotation come last.
fn order(channels: &[ChannelType]) -> (Option<EulerOrder>, usize) {
    let axes: Vec<usize> =
        channels.iter().filter_map(|channel| channel.rotation()).take(4).collect();
    let letters = ['x', 'y', 'z'];
    let mut name = String::new();
    for axis in axes.iter().copied().chain(0..3) {
        let letter = letters.get(axis).copied().unwrap_or_default();
        if !name.contains(letter) {
            name.push(letter);
        }
    }
    let mut sorted = axes.clone();
    sort_by(&mut sorted, Ord::cmp);
    sorted.dedup();
    let is_plain = sorted.len() == axes.len();
    (name.parse().ok().filter(|_| is_plain), axes.len())
}

/// The rows of a document and their times.
struct Motion<'a> {
    document: &'a Document<'a>,
    rate: f64,
    times: Vec<f32>,
}

impl<'a> Motion<'a> {
    fn new(document: &'a Document<'_>, rate: f64) -> Motion<'a> {
        let mut motion = Motion { document, rate, times: Vec::new() };
        motion.times = document.frames().map(|frame| motion.time(frame.number())).collect();
        motion
    }

    /// Returns the time of a frame in seconds.
    fn time(&self, frame: usize) -> f32 {
        let frame = u32::try_from(frame).unwrap_or(u32::MAX);
        narrow(f64::from(frame) / self.rate).min(f32::MAX)
    }

    fn add_tracks(
        &self,
        joint: &document::Joint<'_>,
        id: JointId,
        rest: &Joint,
        options: &ToIr,
        builder: &mut TimelineBuilder,
    ) -> Result<(), TimelineError> {
        let channels = joint.channels();
        if channels.iter().any(|channel| channel.position().is_some()) {
            let offset = rest.rest.translation.to_array();
            let values =
                self.values(joint, |row| translation(channels, row, offset, options.positions));
            self.add(builder, id, Channel::Translation, &values)?;
        }
        let (order, count) = order(channels);
        if count > 0 {
            let values = self.values(joint, |row| match order {
                Some(order) => euler(channels, row, order),
                None => product(channels, row),
            });
            self.add(builder, id, Channel::Rotation, &values)?;
        }
        Ok(())
    }

    /// Returns a joint's keys, computed from its values in each row.
    fn values<const N: usize>(
        &self,
        joint: &document::Joint<'_>,
        value: impl Fn(&[f32]) -> [f32; N],
    ) -> Vec<f32> {
        let columns =
            joint.first_channel()..joint.first_channel().saturating_add(joint.channels().len());
        let mut values = Vec::with_capacity(N.saturating_mul(self.times.len()));
        for frame in self.document.frames() {
            values.extend(value(frame.values().get(columns.clone()).unwrap_or_default()));
        }
        values
    }

    /// Adds keys, or a constant if the value never changes.
    fn add(
        &self,
        builder: &mut TimelineBuilder,
        id: JointId,
        channel: Channel,
        values: &[f32],
    ) -> Result<(), TimelineError> {
        let width = channel.width().unwrap_or(1);
        match values.get(..width) {
            Some(first) if values.chunks_exact(width).all(|value| value == first) => {
                builder.constant(id.into(), channel, first)
            }
            _ if self.times.is_sorted_by(|a, b| a < b) => {
                builder.keys(id.into(), channel, Interpolation::Linear, &self.times, values)
            }
            // The frame rate is so high that times are equal in f32, so only the first value is
            // kept.
            _ => builder.constant(id.into(), channel, values.get(..width).unwrap_or_default()),
        }
    }
}

fn translation(
    channels: &[ChannelType],
    row: &[f32],
    offset: [f32; 3],
    positions: Positions,
) -> [f32; 3] {
    let mut moved = offset;
    for (channel, value) in channels.iter().zip(row) {
        let Some(axis) = channel.position() else { continue };
        if let (Some(slot), Some(offset)) = (moved.get_mut(axis), offset.get(axis)) {
            let base = if positions == Positions::Add { *offset } else { 0.0 };
            *slot = (base + value).clamp(f32::MIN, f32::MAX);
        }
    }
    moved
}

/// Computes a rotation that uses each axis at most once.
fn euler(channels: &[ChannelType], row: &[f32], order: EulerOrder) -> [f32; 4] {
    let mut angles = [0.0; 3];
    for (channel, degrees) in channels.iter().zip(row) {
        if let Some(angle) = channel.rotation().and_then(|axis| angles.get_mut(axis)) {
            *angle = radians(*degrees);
        }
    }
    Quat::from_euler(angles, order).to_array()
}

/// Computes a rotation from any sequence of axes.
fn product(channels: &[ChannelType], row: &[f32]) -> [f32; 4] {
    let mut rotation = double::IDENTITY;
    for (channel, degrees) in channels.iter().zip(row) {
        let Some(axis) = channel.rotation() else { continue };
        let (sin, cos) = (radians(*degrees) / 2.0).sin_cos();
        let mut turn = [0.0, 0.0, 0.0, cos];
        if let Some(component) = turn.get_mut(axis) {
            *component = sin;
        }
        rotation = double::multiply(rotation, turn);
    }
    Quat::from_f64(double::normalized(rotation)).to_array()
}

/// Reduces large angles before conversion to avoid loss of precision.
fn radians(degrees: f32) -> f64 {
    (f64::from(degrees) % 720.0).to_radians()
}
