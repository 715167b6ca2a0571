//! What of a scene is drawn, and by which transforms.

use std::collections::BTreeMap;

use anim_ir::Span;
use anim_ir::diag::quote;

use super::step::Step;
use crate::geometry::Source;
use crate::graph::NodeId;
use crate::nodes::Family;

/// A joint of the skeleton to be.
#[derive(Clone, Debug)]
pub(super) struct PlannedJoint {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) step: Step,
}

/// The nodes that say what a shape is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Look {
    /// `Material` or its kin.
    pub(super) material: Option<NodeId>,
    /// `ImageTexture`, `Texture2` or their kin.
    pub(super) texture: Option<NodeId>,
    /// VRML 1.0: the material has a list of colours, which the vertices have got.
    pub(super) family: Option<Family>,
}

/// A shape where it is drawn.
#[derive(Clone, Debug)]
pub(super) struct PlannedShape {
    pub(super) name: String,
    pub(super) joint: Option<usize>,
    /// From a matrix that changes down to the shape: between frames such a matrix is blended number
    /// by number, which no joint does, so the steps go into the vertices.
    pub(super) baked: Vec<Step>,
    pub(super) source: Source,
    pub(super) look: Look,
}

impl PlannedShape {
    /// For messages.
    pub(super) fn shown(&self) -> String {
        if self.name.is_empty() {
            "a shape without a name".to_owned()
        } else {
            quote(self.name.as_bytes())
        }
    }
}

/// What is drawn.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) joints: Vec<PlannedJoint>,
    pub(super) shapes: Vec<PlannedShape>,
    /// Nodes that have no counterpart, by type: how many, and where the first one is.
    pub(super) dropped: BTreeMap<&'static str, (usize, Span)>,
}
