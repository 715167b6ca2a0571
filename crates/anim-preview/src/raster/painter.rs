//! What bands are painted from.

use super::model::Surface;
use super::triangle::Triangle;
use crate::texture::{Texture, ToLinear, ToSrgb};

pub(super) struct Painter<'a> {
    pub(super) triangles: &'a [Triangle],
    pub(super) surfaces: &'a [Surface],
    pub(super) textures: &'a [Texture],
    /// Indices of the translucent triangles, from the farthest to the nearest.
    pub(super) translucent: &'a [usize],
    /// Linear, with premultiplied alpha.
    pub(super) background: [f32; 4],
    pub(super) tables: (&'a ToLinear, &'a ToSrgb),
}
