//! The plan of a scene: the shapes to draw, and their transforms.

use std::collections::BTreeMap;
use std::sync::Arc;

use anim_ir::diag::quote;
use anim_ir::{AlphaMode, Mat4, Span};

use super::step::Step;
use crate::geometry::Source;
use crate::graph::{Graph, NodeId};
use crate::nodes::Family;

/// A joint of the resulting skeleton.
#[derive(Clone, Debug)]
pub(super) struct PlannedJoint {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) step: Step,
    /// Whether the joint is visible at rest.
    pub(super) visible: bool,
}

/// [`AlphaMode`] with the bits of the cutoff, so that looks can be compared and hashed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum LookAlpha {
    #[default]
    Texture,
    Colors,
    Blend,
    Mask(u32),
}

impl LookAlpha {
    pub(super) const fn mode(self) -> AlphaMode {
        match self {
            LookAlpha::Texture => AlphaMode::Texture,
            LookAlpha::Colors => AlphaMode::Colors,
            LookAlpha::Blend => AlphaMode::Blend,
            LookAlpha::Mask(cutoff) => AlphaMode::Mask(f32::from_bits(cutoff)),
        }
    }
}

/// The nodes that determine the look of a surface.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Look {
    /// `Material` or a similar node.
    pub(super) material: Option<NodeId>,
    /// The base colour texture: `ImageTexture`, `Texture2` or a similar node.
    pub(super) texture: Option<NodeId>,
    /// Whether the texture is multiplied by the material's colour instead of replacing it.
    pub(super) multiplies: bool,
    /// How alpha is used.
    pub(super) alpha: LookAlpha,
    /// Whether the colours of vertices are multiplied by the material's colour instead of replacing
    /// it (`mode` of Castle Game Engine, which its converter from glTF uses).
    pub(super) modulates: bool,
    /// Whether the colours of vertices have an alpha, which replaces the material's transparency.
    pub(super) has_alpha: bool,
    pub(super) emissive: Option<NodeId>,
    pub(super) metallic_roughness: Option<NodeId>,
    pub(super) normal: Option<NodeId>,
    pub(super) occlusion: Option<NodeId>,
    /// The language of the shape; VRML 1.0 has a default material.
    pub(super) family: Option<Family>,
}

impl Look {
    /// Returns the nodes of the textures, in the order of [`anim_ir::Material::images`].
    pub(super) const fn textures(&self) -> [Option<NodeId>; 5] {
        [self.texture, self.emissive, self.metallic_roughness, self.normal, self.occlusion]
    }
}

/// A shape to draw.
#[derive(Clone, Debug)]
pub(super) struct PlannedShape {
    pub(super) name: String,
    pub(super) joint: Option<usize>,
    /// The steps from the topmost changing matrix down to the shape. Between frames, such a matrix
    /// is blended element by element, which joints cannot do, so these steps are baked into the
    /// vertices.
    pub(super) baked: Vec<Step>,
    pub(super) source: Source,
    pub(super) look: Look,
    /// The skin that bends the shape, as an index into [`Plan::skins`].
    pub(super) skin: Option<usize>,
    /// The shape's own nodes, if `source` and `look` refer to equal nodes of another shape.
    pub(super) own: Option<Box<(Source, Look)>>,
}

impl PlannedShape {
    /// Returns the shape with its own nodes, if it shares those of another.
    pub(super) fn apart(&self) -> Option<PlannedShape> {
        let (source, look) = (**self.own.as_ref()?).clone();
        Some(PlannedShape { source, look, own: None, ..self.clone() })
    }

    /// Returns the shape's name for messages.
    pub(super) fn shown(&self) -> String {
        if self.name.is_empty() {
            "an unnamed shape".to_owned()
        } else {
            quote(self.name.as_bytes())
        }
    }

    /// Returns the span of the shape's geometry in the first frame that shows it.
    pub(super) fn span(&self, frames: &[Arc<Graph>]) -> Option<Span> {
        let source = self.own.as_ref().map_or(&self.source, |own| &own.0);
        frames.first()?.node(source.geometry).map(|node| node.span)
    }
}

/// A skin of the scene.
#[derive(Debug)]
pub(super) struct PlannedSkin {
    /// The `Skin` or `HAnimHumanoid`.
    pub(super) node: NodeId,
    /// The joints: their nodes, the planned joints they end in, and their inverse bind matrices.
    pub(super) joints: Vec<(NodeId, usize, Mat4)>,
}

/// Counts of what is not part of the scene, by type of node, and the span of the first.
pub(super) type Skipped = BTreeMap<&'static str, (usize, Span)>;

/// The joints and shapes of a scene.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) joints: Vec<PlannedJoint>,
    pub(super) shapes: Vec<PlannedShape>,
    pub(super) skins: Vec<PlannedSkin>,
    /// Nodes without a counterpart.
    pub(super) dropped: Skipped,
    /// Children that their groups do not show, by the type of the group.
    pub(super) hidden: Skipped,
}
