//! What bands are painted from.

use std::ops::Range;

use super::model::Surface;
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
