//! Tracks, which animate a property of a target along a curve.

use std::fmt;

use crate::names::named;
use crate::{EulerOrder, JointId, NodeId, Wave};

/// The target of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Target {
    /// A joint of the timeline's skeleton.
    Joint(JointId),
    /// A node of the scene.
    Node(NodeId),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Joint(joint) => write!(f, "joint {joint}"),
            Target::Node(node) => write!(f, "node {node}"),
        }
    }
}

impl From<JointId> for Target {
    fn from(joint: JointId) -> Target {
        Target::Joint(joint)
    }
}

impl From<NodeId> for Target {
    fn from(node: NodeId) -> Target {
        Target::Node(node)
    }
}

/// The property that a track animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Channel {
    /// Three components, in the file's length unit.
    Translation,
    /// A unit quaternion: x, y, z, w. Linear interpolation is spherical, along the shorter arc.
    Rotation,
    /// Euler angles in radians, about x, y and z. The angles themselves are interpolated, and only
    /// converted when sampled.
    Euler(EulerOrder),
    /// A translation in the joint's own space, applied before the rotation: local = T · R · offset
    /// · S. Three components, in the file's length unit.
    Offset,
    /// Three scale factors.
    Scale,
    /// One weight for each morph target of the node's mesh.
    MorphWeights,
    /// Whether the joint and everything attached to it is visible: 1 or 0, with step interpolation
    /// only.
    Visibility,
}

impl Channel {
    /// Returns the name of the channel, as in glTF where glTF has the channel.
    pub const fn name(self) -> &'static str {
        match self {
            Channel::Translation => "translation",
            Channel::Rotation => "rotation",
            Channel::Euler(_) => "euler rotation",
            Channel::Offset => "offset",
            Channel::Scale => "scale",
            Channel::MorphWeights => "weights",
            Channel::Visibility => "visibility",
        }
    }

    /// Returns the number of components in a value, or `None` if it depends on the mesh.
    pub const fn width(self) -> Option<usize> {
        match self {
            Channel::Translation | Channel::Scale | Channel::Euler(_) | Channel::Offset => Some(3),
            Channel::Rotation => Some(4),
            Channel::MorphWeights => None,
            Channel::Visibility => Some(1),
        }
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Interpolation between keys. Before the first key and after the last key, the value is constant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// Holds the value of the earlier key.
    Step,
    /// Linear, or along the shorter great arc for rotations.
    #[default]
    Linear,
    /// A cubic Hermite spline. Each key is an in-tangent, a value and an out-tangent, with tangents
    /// in units per second, as in glTF.
    Cubic,
}

named!(Interpolation, "interpolation", {
    Step => "step",
    Linear => "linear",
    Cubic => "cubic",
});

impl Interpolation {
    /// Returns the number of values per key.
    pub const fn values_per_key(self) -> usize {
        match self {
            Interpolation::Step | Interpolation::Linear => 1,
            Interpolation::Cubic => 3,
        }
    }
}

/// The source of a track's values.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Curve {
    /// Constant.
    Constant(Vec<f32>),
    /// Keys in the rows of a table.
    Keys {
        /// Index of the table in the timeline.
        table: usize,
        /// Index of the key's first component in a row.
        column: usize,
        /// Number of components per value, not per key: a cubic key has three values.
        width: usize,
    },
    /// A wave, for channels with three components.
    Wave(Wave),
}

/// A property of a target over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The target.
    pub target: Target,
    /// The property.
    pub channel: Channel,
    /// The curve.
    pub curve: Curve,
}

impl Track {
    /// Returns the target joint, or `None` if the target is not a joint.
    pub const fn joint(&self) -> Option<JointId> {
        if let Target::Joint(joint) = self.target { Some(joint) } else { None }
    }
}
