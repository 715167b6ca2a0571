//! What bands are painted from.

use std::ops::Range;

use super::model::Surface;
use super::shade::Shader;
use super::triangle::Triangle;
use crate::lanes::Lanes;
use crate::texture::{Texture, ToLinear, ToSrgb};

pub(super) struct Painter<'a> {
    pub(super) triangles: &'a [Triangle],
    pub(super) surfaces: &'a [Surface],
    pub(super) textures: &'a [Texture],
    /// The opaque triangles, and the rows of samples that they may cover.
    pub(super) opaque: &'a [(u32, Range<u32>)],
    /// The translucent triangles, from the farthest to the nearest.
    pub(super) translucent: &'a [(f32, u32)],
    /// Linear, with premultiplied alpha.
    pub(super) background: Lanes,
    pub(super) tables: (&'a ToLinear, &'a ToSrgb),
}

impl<'a> Painter<'a> {
    /// Returns what computes the colours of a triangle; `None` for an index without a triangle.
    pub(super) fn shader(&self, index: u32) -> Option<Shader<'a>> {
        Shader::new(self, self.triangles.get(index as usize)?)
    }
}
