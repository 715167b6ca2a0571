//! Rasterisation: triangles in camera space to pixels.
//!
//! Corners are rounded to 1/256 of a pixel. From there on, coverage is exact: a sample belongs to a
//! triangle by integer arithmetic, and to one of two triangles that share an edge by the top-left
//! rule. Depth is 1 / distance, which is linear in the picture.

mod band;
mod clip;
mod edges;
mod light;
mod model;
mod painter;
mod shade;
mod triangle;

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use anim_ir::number::narrow;
use anim_ir::{Budget, LimitError};

use crate::lanes::Lanes;
use crate::options::Background;
use crate::options::PreviewOptions;
use crate::picture::Picture;
use crate::texture::{Texture, ToLinear, ToSrgb};
use band::Band;
pub(crate) use model::{Attributes, Corner, Surface, Viewport};
use painter::{Look, Painter};
use triangle::Triangle;

/// The maximum width and height of a picture.
pub(crate) const LARGEST_SIDE: u32 = 1 << 14;
/// The maximum number of bands that a picture is divided into.
const BANDS: usize = 64;
/// The minimum number of rows in a band.
const ROWS: usize = 16;
/// The number of samples for which a byte is charged. The default budget lasts for some seconds of
/// drawing.
const SAMPLES_PER_BYTE: u64 = 12;
/// How many opaque samples take as long as a translucent one, which is shaded even if others are in
/// front of it.
const SAMPLES_PER_BLEND: u64 = 32;

/// The triangles of a picture. Pictures that are drawn one after another use the same memory.
#[derive(Default)]
pub(crate) struct Triangles {
    all: Vec<Triangle>,
    /// The opaque triangles, and the rows of samples that they may cover.
    opaque: Vec<(u32, Range<u32>)>,
    /// The translucent triangles, and 1 / distance of their middle.
    translucent: Vec<(f32, u32)>,
}

/// A picture whose triangles are collected.
pub(crate) struct Drawing<'a> {
    viewport: Viewport,
    triangles: Triangles,
    surfaces: Vec<Surface>,
    textures: &'a [Texture],
    /// The samples that are tested to draw the triangles.
    work: u64,
    /// The memory for triangles.
    budget: &'a Budget,
    /// Set when the triangles exceed the budget. No more are added then.
    refused: Option<LimitError>,
}

/// The number of triangles for which memory is charged first.
const FIRST_TRIANGLES: usize = 1024;
/// Below this number, the room for triangles is doubled when it is used up; above, a quarter is
/// added.
const MANY_TRIANGLES: usize = 1 << 16;

impl<'a> Drawing<'a> {
    pub(crate) fn new(
        viewport: Viewport,
        surfaces: Vec<Surface>,
        textures: &'a [Texture],
        mut triangles: Triangles,
        budget: &'a Budget,
    ) -> Drawing<'a> {
        let Triangles { all, opaque, translucent } = &mut triangles;
        all.clear();
        opaque.clear();
        translucent.clear();
        let refused = charge(budget, all.capacity()).err();
        Drawing { viewport, triangles, surfaces, textures, work: 0, budget, refused }
    }

    pub(crate) fn viewport(&self) -> &Viewport {
        &self.viewport
    }

    /// Makes room for another triangle, and charges it. Most triangles of a detailed model cover
    /// no sample and are not kept, so only those that are kept are charged.
    fn make_room(&mut self) -> bool {
        let triangles = &mut self.triangles.all;
        let count = triangles.len();
        if self.refused.is_none() && count == triangles.capacity() {
            let more = if count < MANY_TRIANGLES { count } else { count / 4 };
            let more = more.max(FIRST_TRIANGLES);
            match charge(self.budget, more) {
                Ok(()) => triangles.reserve_exact(more),
                Err(error) => self.refused = Some(error),
            }
        }
        self.refused.is_none()
    }

    /// Adds a triangle, which is clipped by the planes of the camera. Triangles with a coordinate
    /// that is not finite are left out.
    pub(crate) fn add(&mut self, corners: [Corner; 3], surface: usize) {
        if clip::is_inside(&corners, &self.viewport) {
            self.add_clipped(&corners, surface);
            return;
        }
        for part in clip::clip(corners, &self.viewport).fan() {
            self.add_clipped(&part, surface);
        }
    }

    fn add_clipped(&mut self, corners: &[Corner; 3], surface: usize) {
        let Some(look) = self.surfaces.get(surface) else { return };
        let (Ok(surface), Ok(index)) =
            (u32::try_from(surface), u32::try_from(self.triangles.all.len()))
        else {
            return;
        };
        let Some(triangle) = Triangle::new(*corners, &self.viewport, look, surface) else { return };
        let blended = look.blended;
        if !self.make_room() {
            return;
        }
        if blended {
            let depths = corners.each_ref().map(|corner| -1.0 / corner.at[2]);
            self.triangles.translucent.push((narrow(depths.iter().sum()), index));
        } else {
            self.triangles.opaque.push((index, triangle.rows()));
        }
        let times = if blended { SAMPLES_PER_BLEND } else { 1 };
        self.work = self.work.saturating_add(triangle.work.saturating_mul(times));
        self.triangles.all.push(triangle);
    }

    /// Draws the picture. Also returns the memory of the triangles, for another picture.
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if the triangles or their samples exceed the budget.
    pub(crate) fn paint(
        mut self,
        options: &PreviewOptions,
        tables: (&ToLinear, &ToSrgb),
        work: &Budget,
    ) -> Result<(Picture, Triangles), LimitError> {
        if let Some(error) = self.refused {
            return Err(error);
        }
        let samples = usize::try_from(self.work / SAMPLES_PER_BYTE).unwrap_or(usize::MAX);
        work.charge_work("the samples of triangles", samples)?;
        let Viewport { width, height, .. } = self.viewport;
        let [columns, rows] = [width, height].map(|side| side as usize);
        let mut pixels = vec![[0; 4]; columns.saturating_mul(rows)];
        if pixels.is_empty() {
            return Ok((Picture { width, height, pixels }, self.triangles));
        }
        // From the farthest to the nearest.
        self.triangles.translucent.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let rows_of_band = rows.div_ceil(BANDS).max(ROWS);
        let bands = pixels.chunks_mut(columns.saturating_mul(rows_of_band)).enumerate();
        let threads = options.threads.unwrap_or_else(threads_of_processor);
        let threads = threads.clamp(1, rows.div_ceil(rows_of_band));
        let bands = Mutex::new(bands);
        let looks = self.surfaces.iter().map(|surface| Look::new(surface, self.textures));
        let looks: Vec<Look<'_>> = looks.collect();
        let painter = Painter {
            triangles: &self.triangles.all,
            looks: &looks,
            opaque: &self.triangles.opaque,
            translucent: &self.triangles.translucent,
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
        Ok((Picture { width, height, pixels }, self.triangles))
    }
}

/// Charges the memory for triangles.
fn charge(budget: &Budget, count: usize) -> Result<(), LimitError> {
    budget.charge_each::<(Triangle, u32, Range<u32>)>("the triangles", count)
}

fn background(background: Background, table: &ToLinear) -> Lanes {
    match background {
        Background::Transparent => Lanes::default(),
        Background::Color([red, green, blue]) => {
            Lanes::new([table.at(red), table.at(green), table.at(blue), 1.0])
        }
    }
}

fn threads_of_processor() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}
