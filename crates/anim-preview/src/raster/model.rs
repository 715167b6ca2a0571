//! Corners, surfaces and the viewport.

use crate::camera::Camera;
use crate::lanes::Lanes;
use crate::options::PreviewOptions;

/// The vertex attributes that are interpolated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Attributes {
    /// In the space of the camera; zero for the normal of the triangle.
    pub(crate) normal: [f32; 3],
    pub(crate) texcoord: [f32; 2],
    pub(crate) color: [f32; 4],
}

/// A corner of a triangle, in camera space.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Corner {
    pub(crate) at: [f64; 3],
    pub(crate) attributes: Attributes,
}

/// The appearance of triangles.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    pub(crate) color: Lanes,
    /// The index of the texture.
    pub(crate) texture: Option<usize>,
    /// The fourth number is 0.
    pub(crate) emissive: Lanes,
    pub(crate) emissive_texture: Option<usize>,
    pub(crate) lit: bool,
    pub(crate) double_sided: bool,
    /// Whether the surface is translucent.
    pub(crate) blended: bool,
    /// The alpha from which a blended surface is opaque; where it is less, it is invisible. `None`
    /// if it is translucent.
    pub(crate) cutoff: Option<f32>,
    /// Whether the surface is in front of all others.
    pub(crate) in_front: bool,
}

impl Surface {
    /// Returns an unlit, double-sided surface.
    pub(crate) const fn plain(color: [f32; 4], in_front: bool) -> Surface {
        Surface {
            color: Lanes::new(color),
            texture: None,
            emissive: Lanes::new([0.0; 4]),
            emissive_texture: None,
            lit: false,
            double_sided: true,
            blended: false,
            cutoff: None,
            in_front,
        }
    }
}

/// The size of the picture and the position of the camera's planes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Viewport {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// The number of samples along each side of a pixel: 1 or 2.
    pub(crate) samples: u32,
    /// From view coordinates at distance 1 to the range -1 to 1 of the picture.
    pub(crate) factors: [f64; 2],
    pub(crate) near: f64,
    pub(crate) far: f64,
}

impl Viewport {
    pub(crate) fn new(options: &PreviewOptions, camera: &Camera) -> Viewport {
        let (width, height) = options.size;
        Viewport {
            width,
            height,
            samples: if options.supersampling { 2 } else { 1 },
            factors: camera.factors(options.size),
            near: camera.near,
            far: camera.far.unwrap_or(f64::INFINITY),
        }
    }

    /// Returns how many view units a pixel is wide and high at distance 1.
    pub(crate) fn pixel(&self) -> [f64; 2] {
        let [x, y] = self.factors;
        [2.0 / (x * f64::from(self.width.max(1))), 2.0 / (y * f64::from(self.height.max(1)))]
    }
}
