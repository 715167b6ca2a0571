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

/// The nodes that say what a surface looks like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Look {
    /// `Material` or its kin.
    pub(super) material: Option<NodeId>,
    /// The base colour: `ImageTexture`, `Texture2` or their kin.
    pub(super) texture: Option<NodeId>,
    /// Whether the texture is multiplied with the material's colour, and does not replace it.
    pub(super) multiplies: bool,
    pub(super) emissive: Option<NodeId>,
    pub(super) metallic_roughness: Option<NodeId>,
    pub(super) normal: Option<NodeId>,
    pub(super) occlusion: Option<NodeId>,
    /// Which language the shape is in; VRML 1.0 has a material before any is given.
    pub(super) family: Option<Family>,
}

impl Look {
    /// The nodes of the textures, in the order of [`anim_ir::Material::images`].
    pub(super) const fn textures(&self) -> [Option<NodeId>; 5] {
        [self.texture, self.emissive, self.metallic_roughness, self.normal, self.occlusion]
    }
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
