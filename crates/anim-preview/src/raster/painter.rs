//! What bands are painted from.

use std::ops::Range;

use super::model::Surface;
use super::triangle::Triangle;
use crate::lanes::Lanes;
use crate::texture::{Texture, ToLinear, ToSrgb};

pub(super) struct Painter<'a> {
    pub(super) triangles: &'a [Triangle],
    pub(super) looks: &'a [Look<'a>],
    /// The opaque triangles, and the rows of samples that they may cover.
    pub(super) opaque: &'a [(u32, Range<u32>)],
    /// The translucent triangles, from the farthest to the nearest.
    pub(super) translucent: &'a [(f32, u32)],
    /// Linear, with premultiplied alpha.
    pub(super) background: Lanes,
    pub(super) tables: (&'a ToLinear, &'a ToSrgb),
}

/// A surface with its textures.
pub(super) struct Look<'a> {
    pub(super) texture: Option<&'a Texture>,
    pub(super) emissive: Lanes,
    pub(super) emissive_texture: Option<&'a Texture>,
    /// The lowest colour and alpha: opaque surfaces have an alpha of 1.
    pub(super) lowest: Lanes,
    /// See [`Surface::cutoff`].
    pub(super) cutoff: Option<f32>,
}

impl<'a> Look<'a> {
    pub(super) fn new(surface: &Surface, textures: &'a [Texture]) -> Look<'a> {
        let texture = |index: Option<usize>| textures.get(index?);
        let alpha = if surface.blended { 0.0 } else { 1.0 };
        Look {
            texture: texture(surface.texture),
            emissive: surface.emissive,
            emissive_texture: texture(surface.emissive_texture),
            lowest: Lanes::new([0.0, 0.0, 0.0, alpha]),
            cutoff: surface.cutoff,
        }
    }
}
