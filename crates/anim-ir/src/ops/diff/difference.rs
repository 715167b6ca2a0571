//! The kinds of differences.

use std::collections::BTreeMap;

use crate::names::named;
use crate::{Topology, Transform, Vec3, Wrap};

crate::options! {
    /// Tolerances and scope of a comparison. A sample, whose number [`limits`](Self::limits)
    /// bounds, is the pose of one joint at one moment.
    #[derive(Copy)]
    pub struct Options {
        /// Largest difference of times, in seconds.
        seconds (with_seconds): f64 = 0.0005;
        /// Largest difference of poses and shapes: for translations relative to the largest
        /// coordinate in either scene, for positions of vertices relative to the largest coordinate
        /// of their shape, for rotations and normals in radians, otherwise absolute.
        tolerance (with_tolerance): f64 = 0.001;
        /// How many differences of each kind are listed; the others are only counted.
        kept (with_kept): usize = 10;
        /// Whether joints, clips, states and events are compared.
        motion (with_motion): bool = true;
        /// Whether the geometry of nodes is compared.
        shapes (with_shapes): bool = true;
        /// Whether the materials of that geometry are compared.
        materials (with_materials): bool = true;
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
    /// Both, in order.
    pub(super) const BOTH: [Side; 2] = [Side::A, Side::B];

    /// The other side.
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

/// An attribute of the corner of a triangle, the end of a line, or a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Attribute {
    /// The position; the distance is in the unit of the scenes.
    Positions,
    /// The normal; the difference is an angle in radians.
    Normals,
    /// The texture coordinates; the larger of the two differences.
    TextureCoordinates,
    /// The colour; the largest difference of a component. Without colours, vertices are white.
    Colors,
    /// The joints it follows; the largest difference of a weight.
    Influences,
}

named!(Attribute, "vertex attribute", {
    Positions => "positions",
    Normals => "normals",
    TextureCoordinates => "texture coordinates",
    Colors => "colours",
    Influences => "joint weights",
});

/// The difference between two transforms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gap {
    /// Distance, in the unit of the scenes.
    pub translation: f64,
    /// Angle in radians.
    pub rotation: f64,
    /// Largest difference of a factor.
    pub scale: f64,
}

impl Gap {
    pub(super) fn between(a: Transform, b: Transform) -> Gap {
        let [x, y] = [a, b].map(|transform| transform.scale.to_f64());
        let scale = x
            .iter()
            .zip(y)
            .map(|(x, y)| (x - y).abs() / x.abs().max(y.abs()).max(1.0))
            .fold(0.0, f64::max);
        Gap {
            translation: a.translation.distance(b.translation),
            rotation: a.rotation.angle_to(b.rotation),
            scale,
        }
    }

    /// The difference as a multiple of the tolerance.
    pub(super) fn excess(&self, length: f64, tolerance: f64) -> f64 {
        (self.translation / length).max(self.rotation).max(self.scale) / tolerance
    }
}

/// A difference between the scenes. Duplicate names have a suffix such as `#2`. Times are in
/// seconds, counted from the clip's start except for `Start`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the field names say it all")]
pub enum Difference {
    /// A joint that only one scene has.
    JointOnly { joint: String, side: Side },
    /// A joint has another parent.
    Parent { joint: String, parents: [Option<String>; 2] },
    /// The rest pose of a joint.
    Rest { joint: String, gap: Gap },
    /// A joint that is visible at rest in only one scene.
    RestVisible { joint: String, seen_in: Side },
    /// A clip that only one scene has.
    ClipOnly { clip: String, side: Side },
    /// A clip starts at another time of its timeline.
    Start { clip: String, starts: [f32; 2] },
    /// The duration of a clip.
    Length { clip: String, lengths: [f64; 2] },
    /// The wrap mode of a clip.
    Wrap { clip: String, wraps: [Wrap; 2] },
    /// An event that a clip has at that time in only one scene; without a clip, an event outside
    /// all clips, at a time of its timeline.
    EventOnly { clip: Option<String>, event: String, time: f64, side: Side },
    /// Times at which only one scene has keys for a joint, or for the morph weights of a node.
    KeysOnly { clip: String, target: String, count: usize, first: f64, side: Side },
    /// The pose of a joint, with the time of the largest difference.
    Pose { clip: String, joint: String, time: f64, gap: Gap },
    /// A joint that is visible in only one scene, with the first such time.
    Visible { clip: String, joint: String, time: f64, seen_in: Side },
    /// The morph weights of a node, with the time of the largest difference.
    Weights { clip: String, node: String, time: f64, by: f64 },
    /// A state that only one scene has.
    StateOnly { state: String, side: Side },
    /// The motion of a state.
    State { state: String, what: &'static str },
    /// A shape (a node with a mesh) that only one scene has.
    ShapeOnly { shape: String, side: Side },
    /// The number of triangles, lines or points of a shape. Its vertices are then not compared.
    Elements { shape: String, topology: Topology, counts: [usize; 2] },
    /// An attribute that the vertices of a shape have in only one scene.
    AttributeOnly { shape: String, attribute: Attribute, side: Side },
    /// An attribute of the vertices: how many of the first scene's vertices differ, and the index
    /// in its mesh of the one that differs most; for a morph target, with that target at weight 1.
    Vertices {
        shape: String,
        attribute: Attribute,
        target: Option<String>,
        count: usize,
        vertex: usize,
        at: Vec3,
        by: f64,
    },
    /// The number of morph targets of a shape. They are then not compared.
    Targets { shape: String, counts: [usize; 2] },
    /// The name of a morph target.
    TargetName { shape: String, names: [String; 2] },
    /// The weight of a morph target when nothing animates it.
    TargetWeight { shape: String, target: String, weights: [f64; 2] },
    /// A material that only one scene uses.
    MaterialOnly { material: String, side: Side },
    /// Triangles, lines and points of a shape with a different material, though both scenes have at
    /// least one of the two. `None`: no material.
    Assignment { shape: String, elements: usize, materials: [Option<String>; 2] },
    /// A property of a material: its name, its base colour, …
    Material { material: String, what: &'static str, values: [String; 2] },
    /// Format-specific data beyond the common model. Reported only if nothing else differs.
    Extras { of: String, format: String },
}

impl Difference {
    /// The kind of difference in a word or two that never change: `joint`, `parent`, `rest pose`, …
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
            Difference::ShapeOnly { .. } => "shape",
            Difference::Elements { .. } => "elements",
            Difference::AttributeOnly { attribute, .. } => attribute.name(),
            Difference::Vertices { target: None, attribute, .. } => attribute.name(),
            Difference::Vertices { target: Some(_), .. } => "morph target",
            Difference::Targets { .. } => "number of morph targets",
            Difference::TargetName { .. } => "name of a morph target",
            Difference::TargetWeight { .. } => "morph weight at rest",
            Difference::MaterialOnly { .. } => "material",
            Difference::Assignment { .. } => "material of a shape",
            Difference::Material { .. } => "property of a material",
            Difference::Extras { .. } => "extras",
        }
    }
}

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diff {
    /// The differences, of each kind the first [`crate::diff::Options::kept`].
    pub differences: Vec<Difference>,
    /// The number of differences of each kind ([`Difference::kind`]).
    pub counts: BTreeMap<&'static str, usize>,
    /// Number of joints in both scenes.
    pub joints: usize,
    /// Number of clips in both scenes.
    pub clips: usize,
    /// Number of states in both scenes.
    pub states: usize,
    /// Number of events in both scenes, counted once for each clip that contains them.
    pub events: usize,
    /// Number of shapes in both scenes, including those that differ.
    pub shapes: usize,
    /// Number of pairs of materials that were compared.
    pub materials: usize,
    /// Number of clips that were compared only coarsely, or not at every key, because of the
    /// limits.
    pub clips_in_part: usize,
    /// Number of shapes that were not compared because of the limits.
    pub shapes_in_part: usize,
}

impl Diff {
    /// Whether the scenes are equal, and everything requested was compared.
    pub fn is_same(&self) -> bool {
        self.counts.is_empty() && self.clips_in_part == 0 && self.shapes_in_part == 0
    }
}
