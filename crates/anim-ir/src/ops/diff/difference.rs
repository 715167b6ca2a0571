//! The kinds of differences.

use std::collections::BTreeMap;

use crate::names::named;
use crate::{Quat, Topology, Transform, Vec3, Wrap};

crate::options! {
    /// Tolerances and scope of a comparison.
    #[derive(Copy)]
    pub struct Options {
        /// Tolerance for times, in seconds.
        seconds (with_seconds): f64 = 0.0005;
        /// Tolerance for poses, shapes and materials. For translations, it is relative to the
        /// largest coordinate in either scene; for vertex positions, it is relative to the largest
        /// coordinate of the shape; for rotations and normals, it is in radians; for scale factors
        /// greater than 1, it is relative to the larger factor; otherwise it is absolute. 0 means
        /// exactly equal.
        tolerance (with_tolerance): f64 = 0.001;
        /// Whether to compare the scenes as a whole. Otherwise, only what their clips show is
        /// compared: meshes with morph targets as they are at the start of the first clip, and
        /// neither joints that do not move, hidden shapes nor format-specific data. This is for
        /// scenes with the same clip that also have other clips, and therefore other joints and
        /// morph targets.
        whole (with_whole): bool = true;
        /// Maximum number of differences of each kind to list. Any further differences are only
        /// counted.
        kept (with_kept): usize = 10;
        /// Whether to compare joints, clips, states and events.
        motion (with_motion): bool = true;
        /// Whether to compare the times of keys. Otherwise, only the resulting motion is compared.
        key_times (with_key_times): bool = true;
        /// Whether to compare the geometry of nodes.
        shapes (with_shapes): bool = true;
        /// Whether to compare the materials of nodes.
        materials (with_materials): bool = true;
    }
}

/// One of the two scenes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The first scene.
    A,
    /// The second scene.
    B,
}

impl Side {
    /// Both sides, in order.
    pub(super) const BOTH: [Side; 2] = [Side::A, Side::B];

    /// Returns the other side.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }

    /// Selects the value of this side.
    pub fn of<T>(self, [a, b]: [T; 2]) -> T {
        match self {
            Side::A => a,
            Side::B => b,
        }
    }
}

/// A vertex attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Attribute {
    /// The position. The difference is a distance in the scenes' length unit.
    Positions,
    /// The normal. The difference is an angle in radians.
    Normals,
    /// The texture coordinates. The difference is the larger of the two components' differences.
    TextureCoordinates,
    /// The colour. The difference is the largest difference of any component. Vertices without a
    /// colour are white.
    Colors,
    /// The joint weights. The difference is the largest difference of any weight.
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
    /// Distance, in the scenes' length unit.
    pub translation: f64,
    /// Angle in radians.
    pub rotation: f64,
    /// Largest difference between scale factors, relative to the larger factor if that is greater
    /// than 1.
    pub scale: f64,
}

impl Gap {
    pub(crate) fn between(a: Transform, b: Transform) -> Gap {
        let signs = |scale: Vec3| scale.to_array().map(f32::to_bits);
        let differs =
            signs(a.scale).iter().zip(signs(b.scale)).fold(0, |any, (x, y)| any | (x ^ y));
        // The sign is the highest bit.
        let b = if differs >> 31 == 0 { b } else { with_signs_of(a, b) };
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

    /// Returns the difference as a multiple of the tolerance.
    pub(crate) fn excess(&self, length: f64, tolerance: f64) -> f64 {
        excess((self.translation / length).max(self.rotation).max(self.scale), tolerance)
    }
}

/// Returns an equal transform whose scale has the same signs as that of `other`, if possible.
/// Mirroring along two axes equals a rotation by 180° about the third, and formats that store
/// matrices do not distinguish between them.
#[cold]
fn with_signs_of(other: Transform, transform: Transform) -> Transform {
    let Vec3 { x, y, z } = transform.scale;
    let is_other = |ours: f32, theirs: f32| (ours < 0.0) != (theirs < 0.0);
    let Vec3 { x: other_x, y: other_y, z: other_z } = other.scale;
    let (scale, axis) = match [is_other(x, other_x), is_other(y, other_y), is_other(z, other_z)] {
        [false, true, true] => (Vec3::new(x, -y, -z), Vec3::new(1.0, 0.0, 0.0)),
        [true, false, true] => (Vec3::new(-x, y, -z), Vec3::new(0.0, 1.0, 0.0)),
        [true, true, false] => (Vec3::new(-x, -y, z), Vec3::new(0.0, 0.0, 1.0)),
        _ => return transform,
    };
    let turn = Quat::from_axis_angle(axis, std::f64::consts::PI);
    Transform { rotation: transform.rotation * turn, scale, ..transform }
}

/// The largest difference found so far, and its time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Worst<T> {
    pub(super) excess: f64,
    pub(super) time: f64,
    pub(super) gap: T,
}

impl<T> Worst<T> {
    pub(super) fn take(&mut self, excess: f64, time: f64, gap: T) {
        if excess > self.excess {
            *self = Worst { excess, time, gap };
        }
    }
}

/// Returns a difference as a multiple of the tolerance. If the tolerance is 0, any difference
/// exceeds it, and larger differences exceed it more.
pub(super) fn excess(by: f64, tolerance: f64) -> f64 {
    // Far below the smallest relevant difference between two `f32` values.
    const EXACT: f64 = 1e-100;
    by / tolerance.max(EXACT)
}

/// A difference between the scenes. Duplicate names have a suffix such as `#2`. Times are in
/// seconds, relative to the start of the clip except for `Start`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "field names are self-explanatory")]
pub enum Difference {
    /// A joint exists in only one scene.
    JointOnly { joint: String, side: Side },
    /// The parent of a joint differs.
    Parent { joint: String, parents: [Option<String>; 2] },
    /// The rest pose of a joint differs.
    Rest { joint: String, gap: Gap },
    /// A joint is visible at rest in only one scene.
    RestVisible { joint: String, seen_in: Side },
    /// A clip exists in only one scene.
    ClipOnly { clip: String, side: Side },
    /// The start time of a clip on its timeline differs.
    Start { clip: String, starts: [f32; 2] },
    /// The duration of a clip differs.
    Length { clip: String, lengths: [f64; 2] },
    /// The wrap mode of a clip differs.
    Wrap { clip: String, wraps: [Wrap; 2] },
    /// An event of a clip occurs at a time in only one scene. If `clip` is `None`, the event is
    /// outside all clips, and the time is on its timeline.
    EventOnly { clip: Option<String>, event: String, time: f64, side: Side },
    /// Only one scene has keys at certain times, for a joint or for the morph weights of a node.
    KeysOnly { clip: String, target: String, count: usize, first: f64, side: Side },
    /// The pose of a joint differs. `time` is the time of the largest difference.
    Pose { clip: String, joint: String, time: f64, gap: Gap },
    /// A joint is visible in only one scene. `time` is the first such time.
    Visible { clip: String, joint: String, time: f64, seen_in: Side },
    /// The morph weights of a node differ. `time` is the time of the largest difference.
    Weights { clip: String, node: String, time: f64, by: f64 },
    /// The morphed vertices of a node differ, although its shapes in both scenes have the same
    /// elements. The morph targets differ, too, so the weights are not comparable. `time` is the
    /// time of the largest difference, `by` a distance relative to the largest coordinate.
    Morphed { clip: String, node: String, time: f64, by: f64 },
    /// A state exists in only one scene.
    StateOnly { state: String, side: Side },
    /// The motion of a state differs.
    State { state: String, what: &'static str },
    /// A shape (a node with a mesh) exists in only one scene.
    ShapeOnly { shape: String, side: Side },
    /// The number of triangles, lines or points of a shape differs. Its vertices are then not
    /// compared.
    Elements { shape: String, topology: Topology, counts: [usize; 2] },
    /// Quads of a shape are split into triangles along different diagonals.
    Diagonals { shape: String, count: usize },
    /// The vertices of a shape have an attribute in only one scene.
    AttributeOnly { shape: String, attribute: Attribute, side: Side },
    /// An attribute of the vertices differs. `count` is how many vertices of the first scene
    /// differ, and `vertex` is the index, in its mesh, of the vertex that differs most. If `target`
    /// is set, the displacement by that morph target differs or, for normals, the normal with that
    /// target at weight 1. `by` is a distance, the largest difference of a component or, for
    /// normals, an angle in radians.
    Vertices {
        shape: String,
        attribute: Attribute,
        target: Option<String>,
        count: usize,
        vertex: usize,
        at: Vec3,
        by: f64,
    },
    /// The number of morph targets of a shape differs. The targets are then not compared.
    Targets { shape: String, counts: [usize; 2] },
    /// The name of a morph target differs.
    TargetName { shape: String, names: [String; 2] },
    /// The default weight of a morph target differs.
    TargetWeight { shape: String, target: String, weights: [f64; 2] },
    /// A material is used in only one scene.
    MaterialOnly { material: String, side: Side },
    /// Triangles, lines or points of a shape have materials with different names, although at least
    /// one of the two names is used in both scenes.
    Assignment { shape: String, elements: usize, materials: [Option<String>; 2] },
    /// A property of a material differs: the name, the base colour, …
    Material { material: String, what: &'static str, values: [String; 2] },
    /// Format-specific data of the scene, a joint or a clip differs. Only reported if nothing else
    /// differs.
    Extras { of: String, format: String },
}

impl Difference {
    /// Returns a stable name for the kind of difference: `joint`, `parent`, `rest pose`, …
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
            Difference::Morphed { .. } => "morphed shape",
            Difference::StateOnly { .. } => "state",
            Difference::State { .. } => "motion of a state",
            Difference::ShapeOnly { .. } => "shape",
            Difference::Elements { .. } => "elements",
            Difference::Diagonals { .. } => "diagonals",
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
    /// The first [`crate::diff::Options::kept`] differences of each kind.
    pub differences: Vec<Difference>,
    /// The number of differences of each [kind](Difference::kind).
    pub counts: BTreeMap<&'static str, usize>,
    /// The angle about x, in degrees, by which the first scene must be rotated to equal the second:
    /// 90, -90 or 180. `None` if there are no differences, or if a rotation does not explain all of
    /// them.
    pub rotated: Option<i16>,
    /// The number of joints that exist in both scenes.
    pub joints: usize,
    /// The number of joints whose counterpart in the other scene is not a joint, but a node with
    /// the same name. They are not a difference.
    pub joints_as_nodes: usize,
    /// The number of clips that exist in both scenes.
    pub clips: usize,
    /// The number of states that exist in both scenes.
    pub states: usize,
    /// The number of events that exist in both scenes, counted once per clip that contains them.
    pub events: usize,
    /// The number of shapes that exist in both scenes, including those that differ.
    pub shapes: usize,
    /// The number of materials that exist in both scenes.
    pub materials: usize,
    /// The number of clips that were compared only coarsely, or not at every key, because of the
    /// limits.
    pub clips_in_part: usize,
    /// The number of shapes that were not compared because of the limits.
    pub shapes_in_part: usize,
    /// The number of vertices whose normal is zero in only one scene, and therefore has no
    /// direction to compare. They are not a difference.
    pub zero_normals: usize,
}

impl Diff {
    /// Whether the scenes are equal and were compared completely.
    pub fn is_same(&self) -> bool {
        self.counts.is_empty() && self.clips_in_part == 0 && self.shapes_in_part == 0
    }
}
