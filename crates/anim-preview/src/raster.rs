//! Rasterisation: triangles in the space of a camera to pixels.
//!
//! Corners are rounded to 1/256 of a pixel. From there on, coverage is exact: a sample belongs to a
//! triangle by integer arithmetic, and to one of two triangles that share an edge by the top-left
//! rule. Depth is 1 / distance, which is linear in the picture.

mod band;
mod clip;
mod shade;
mod triangle;

use std::sync::{Mutex, PoisonError};

use anim_ir::{Budget, LimitError};

use crate::texture::{Texture, ToLinear, ToSrgb};
use crate::{Background, Camera, Picture, PreviewOptions};
use band::Band;
use triangle::Triangle;

/// The widest and highest picture.
pub(crate) const LARGEST_SIDE: u32 = 1 << 14;
/// The number of bands that a picture is divided into, at most.
const BANDS: usize = 64;
/// The fewest rows of a band.
const ROWS: usize = 8;
/// Work is charged as a byte for this many samples, so that the default budget is good for some
/// seconds.
const SAMPLES_PER_BYTE: u64 = 16;

/// What a vertex passes on to the pixels.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Attributes {
    /// In the space of the camera; zero for the normal of the triangle.
    pub(crate) normal: [f32; 3],
    pub(crate) texcoord: [f32; 2],
    pub(crate) color: [f32; 4],
}

/// A corner of a triangle, in the space of the camera.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Corner {
    pub(crate) at: [f64; 3],
    pub(crate) attributes: Attributes,
}

/// How triangles look.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    pub(crate) color: [f32; 4],
    /// Index into the textures.
    pub(crate) texture: Option<usize>,
    pub(crate) emissive: [f32; 3],
    pub(crate) emissive_texture: Option<usize>,
    pub(crate) lit: bool,
    pub(crate) double_sided: bool,
    /// Whether the surface can be seen through.
    pub(crate) blended: bool,
    /// Whether the surface is in front of all others.
    pub(crate) in_front: bool,
}

impl Surface {
    /// Returns an unlit, double-sided surface.
    pub(crate) const fn plain(color: [f32; 4], in_front: bool) -> Surface {
        Surface {
            color,
            texture: None,
            emissive: [0.0; 3],
            emissive_texture: None,
            lit: false,
            double_sided: true,
            blended: false,
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

/// The triangles of a picture.
pub(crate) struct Drawing<'a> {
    viewport: Viewport,
    triangles: Vec<Triangle>,
    surfaces: Vec<Surface>,
    textures: &'a [Texture],
    /// The samples that are tested to draw the triangles.
    work: u64,
}

impl<'a> Drawing<'a> {
    pub(crate) fn new(
        viewport: Viewport,
        surfaces: Vec<Surface>,
        textures: &'a [Texture],
    ) -> Drawing<'a> {
        Drawing { viewport, triangles: Vec::new(), surfaces, textures, work: 0 }
    }

    pub(crate) fn viewport(&self) -> &Viewport {
        &self.viewport
    }

    /// Charges the memory of triangles before they are added.
    pub(crate) fn charge(&self, budget: &Budget, triangles: usize) -> Result<(), LimitError> {
        budget.charge_each::<Triangle>("the triangles", triangles)
    }

    /// Adds a triangle, which is clipped by the planes of the camera. Triangles with a coordinate
    /// that is not finite are left out.
    pub(crate) fn add(&mut self, corners: [Corner; 3], surface: usize) {
        let Some(look) = self.surfaces.get(surface) else { return };
        let Ok(index) = u32::try_from(surface) else { return };
        let polygon = clip::clip(corners, &self.viewport);
        for part in polygon.fan() {
            if let Some(triangle) = Triangle::new(part, &self.viewport, look, index) {
                self.work = self.work.saturating_add(triangle.work(&self.viewport));
                self.triangles.push(triangle);
            }
        }
    }

    /// Draws the picture.
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if the samples exceed the budget.
    pub(crate) fn paint(
        mut self,
        options: &PreviewOptions,
        tables: (&ToLinear, &ToSrgb),
        budget: &Budget,
    ) -> Result<Picture, LimitError> {
        let work = self.work / SAMPLES_PER_BYTE;
        budget.check("the samples of triangles", usize::try_from(work).unwrap_or(usize::MAX))?;
        let Viewport { width, height, .. } = self.viewport;
        let [columns, rows] = [width, height].map(|side| side as usize);
        let mut pixels = vec![[0; 4]; columns.saturating_mul(rows)];
        if pixels.is_empty() {
            return Ok(Picture { width, height, pixels });
        }
        let see_through = self.see_through();
        self.triangles.shrink_to_fit();
        let rows_of_band = rows.div_ceil(BANDS).max(ROWS);
        let bands = pixels.chunks_mut(columns.saturating_mul(rows_of_band)).enumerate();
        let threads = options.threads.unwrap_or_else(threads_of_processor);
        let threads = threads.clamp(1, rows.div_ceil(rows_of_band));
        let bands = Mutex::new(bands);
        let painter = Painter {
            drawing: &self,
            see_through: &see_through,
            background: background(options.background, tables.0),
            tables,
        };
        let work = || {
            let mut band = Band::new(&self.viewport, rows_of_band);
            loop {
                let next = bands.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((index, pixels)) = next else { break };
                band.paint(index.saturating_mul(rows_of_band), pixels, &painter);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // Where threads cannot be started, the current one does all the work.
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
        Ok(Picture { width, height, pixels })
    }

    /// Returns the triangles that can be seen through, from the farthest to the nearest.
    fn see_through(&self) -> Vec<usize> {
        let blends = |triangle: &Triangle| {
            self.surfaces.get(triangle.surface as usize).is_some_and(|surface| surface.blended)
        };
        let found = self.triangles.iter().enumerate().filter(|(_, triangle)| blends(triangle));
        let mut order: Vec<(f32, usize)> =
            found.map(|(index, triangle)| (triangle.middle_depth(), index)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        order.into_iter().map(|(_, index)| index).collect()
    }
}

/// What bands need to be painted.
struct Painter<'a> {
    drawing: &'a Drawing<'a>,
    /// Indices of the triangles that can be seen through, from the farthest to the nearest.
    see_through: &'a [usize],
    /// Linear, with premultiplied alpha.
    background: [f32; 4],
    tables: (&'a ToLinear, &'a ToSrgb),
}

fn background(background: Background, table: &ToLinear) -> [f32; 4] {
    match background {
        Background::Transparent => [0.0; 4],
        Background::Color([red, green, blue]) => {
            [table.at(red), table.at(green), table.at(blue), 1.0]
        }
    }
}

fn threads_of_processor() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}
