//! What differs.

use std::collections::BTreeMap;

use crate::names::named;
use crate::{Topology, Transform, Vec3, Wrap};

crate::options! {
    /// When two things are the same. A sample, of which [`limits`](Self::limits) bounds the number,
    /// is the pose of a joint at a moment.
    #[derive(Copy)]
    pub struct Options {
        /// Seconds that times may be apart.
        seconds (with_seconds): f64 = 0.0005;
        /// How far poses and shapes may be apart: translations as a part of the largest coordinate
        /// in either scene, positions of vertices as a part of the largest coordinate of their
        /// shape, rotations and normals in radians, anything else as a number.
        tolerance (with_tolerance): f64 = 0.001;
        /// How many differences of a kind are kept; the others are counted.
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

/// What the corner of a triangle, the end of a line, or a point has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Attribute {
    /// Where it is; the distance is in the unit of the scenes.
    Positions,
    /// The angle between normals, in radians.
    Normals,
    /// The larger difference of a coordinate.
    TextureCoordinates,
    /// The largest difference of a component; without colours vertices are white.
    Colors,
    /// Which joints it follows; the largest difference of a weight.
    Influences,
}

named!(Attribute, "attribute of vertices", {
    Positions => "positions",
    Normals => "normals",
    TextureCoordinates => "texture coordinates",
    Colors => "colours",
    Influences => "joint weights",
});

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

    /// How many times the tolerance it is.
    pub(super) fn excess(&self, length: f64, tolerance: f64) -> f64 {
        (self.translation / length).max(self.rotation).max(self.scale) / tolerance
    }
}

/// Something that differs. Names have `#2` after them where they are the second of that name. Times
/// are in seconds; but for `Start` they are counted from the clip's start.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
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
    /// A shape (a node with a mesh) that only one scene has.
    ShapeOnly { shape: String, side: Side },
    /// How many triangles, lines or points a shape has. Its vertices are not compared then.
    Elements { shape: String, topology: Topology, counts: [usize; 2] },
    /// An attribute that the vertices of a shape have in one scene only.
    AttributeOnly { shape: String, attribute: Attribute, side: Side },
    /// An attribute differs at so many of the first scene's vertices, most at this one of them,
    /// which is at this place in its mesh; with a morph target, where that is at weight 1.
    Vertices {
        shape: String,
        attribute: Attribute,
        target: Option<String>,
        count: usize,
        vertex: usize,
        at: Vec3,
        by: f64,
    },
    /// How many morph targets a shape has. They are not compared then.
    Targets { shape: String, counts: [usize; 2] },
    /// What a morph target is called.
    TargetName { shape: String, names: [String; 2] },
    /// The weight of a morph target where nothing animates it.
    TargetWeight { shape: String, target: String, weights: [f64; 2] },
    /// A material that only one scene uses.
    MaterialOnly { material: String, side: Side },
    /// So many triangles, lines and points of a shape have another material, though both scenes
    /// have at least one of the two. `None`: no material.
    Assignment { shape: String, elements: usize, materials: [Option<String>; 2] },
    /// A property of a material: its name, its base colour, …
    Material { material: String, what: &'static str, values: [String; 2] },
    /// What a format says beyond the model that all formats share. It is reported where nothing
    /// else differs.
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

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diff {
    /// The differences, of each kind the first [`crate::diff::Options::kept`].
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
    /// Shapes that are in both, those that differ too.
    pub shapes: usize,
    /// Pairs of materials that were compared.
    pub materials: usize,
    /// Clips that were not compared closely, or not at every key, since the limits do not allow
    /// more.
    pub clips_in_part: usize,
    /// Shapes that were not compared, since the limits do not allow more.
    pub shapes_in_part: usize,
}

impl Diff {
    /// Whether nothing differs, and that is known: everything was compared that was to be.
    pub fn is_same(&self) -> bool {
        self.counts.is_empty() && self.clips_in_part == 0 && self.shapes_in_part == 0
    }
}
