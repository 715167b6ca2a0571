//! Bands of rows, which are painted independently of each other.

use std::ops::Range;

use super::model::Viewport;
use super::painter::Painter;
use super::shade::shade;
use super::triangle::{Depths, Triangle};
use crate::texture::byte;

/// The index that stands for no triangle.
const NONE: u32 = u32::MAX;
/// The maximum number of samples per pixel.
const MOST: usize = 4;

/// The samples of some rows of pixels.
pub(super) struct Band {
    viewport: Viewport,
    /// Samples along a side of a pixel.
    side: usize,
    /// Samples in a row.
    columns: usize,
    /// The depth of the nearest opaque triangle at each sample; 0 if there is none.
    depths: Vec<f32>,
    /// The index of that triangle.
    nearest: Vec<u32>,
    /// The colours of samples: linear, with premultiplied alpha. Filled only if
    /// there are translucent triangles.
    colors: Vec<[f32; 4]>,
}

impl Band {
    pub(super) fn new(viewport: &Viewport, rows: usize) -> Band {
        let side = viewport.samples as usize;
        let columns = (viewport.width as usize).saturating_mul(side);
        let samples = columns.saturating_mul(rows).saturating_mul(side);
        let (depths, nearest) = (vec![0.0; samples], vec![NONE; samples]);
        Band { viewport: *viewport, side, columns, depths, nearest, colors: Vec::new() }
    }

    /// Paints the rows of pixels from `first` on.
    pub(super) fn paint(&mut self, first: usize, pixels: &mut [[u8; 4]], painter: &Painter<'_>) {
        let rows = pixels.len() / (self.viewport.width as usize).max(1);
        self.depths.fill(0.0);
        self.nearest.fill(NONE);
        let samples =
            first.saturating_mul(self.side)..first.saturating_add(rows).saturating_mul(self.side);
        let Ok(start) = i64::try_from(samples.start) else { return };
        let Ok(end) = i64::try_from(samples.end) else { return };
        for (index, triangle) in (0_u32..).zip(painter.triangles) {
            let blended = painter.surfaces.get(triangle.surface as usize);
            if blended.is_none_or(|surface| !surface.blended) {
                self.cover(start..end, triangle, index);
            }
        }
        let clear = painter.translucent.iter().filter_map(|index| {
            let triangle = painter.triangles.get(*index)?;
            let rows = triangle.rows(self.viewport.samples);
            (rows.start < end && start < rows.end).then_some(triangle)
        });
        let clear: Vec<&Triangle> = clear.collect();
        if clear.is_empty() {
            self.resolve(first, pixels, painter);
            return;
        }
        self.fill_colors(first, rows, painter);
        for triangle in clear {
            self.blend(start..end, triangle, painter);
        }
        let width = self.viewport.width as usize;
        for (index, pixel) in pixels.iter_mut().enumerate() {
            let (x, y) = (index % width, index / width);
            let colors = self.samples_of(x, y).map(|at| self.colors.get(at).copied());
            *pixel = to_pixel(mean(colors.flatten()), painter);
        }
    }

    /// Finds the samples that an opaque triangle covers and is nearest at.
    fn cover(&mut self, rows: Range<i64>, triangle: &Triangle, index: u32) {
        let own = triangle.rows(self.viewport.samples);
        let Ok(columns) = i64::try_from(self.columns) else { return };
        if own.start >= rows.end || own.end <= rows.start {
            return;
        }
        let spans = triangle.spans(self.viewport.samples, columns);
        for row in own.start.max(rows.start)..own.end.min(rows.end) {
            let span = spans(row);
            if span.is_empty() {
                continue;
            }
            let depth = triangle.depth(row, self.viewport.samples);
            let Some(line) = self.line(row, rows.start, &span) else { continue };
            let depths = self.depths.get_mut(line.clone()).unwrap_or_default();
            let nearest = self.nearest.get_mut(line).unwrap_or_default();
            let mut column = span.start as f32;
            for (sample, owner) in depths.iter_mut().zip(nearest) {
                let here = depth.at(column);
                column += 1.0;
                let is_nearer = here > *sample;
                *sample = if is_nearer { here } else { *sample };
                *owner = if is_nearer { index } else { *owner };
            }
        }
    }

    /// Returns the indices of samples in a row of the picture.
    fn line(&self, row: i64, first: i64, span: &Range<usize>) -> Option<Range<usize>> {
        let start = usize::try_from(row.checked_sub(first)?).ok()?.checked_mul(self.columns)?;
        Some(start.checked_add(span.start)?..start.checked_add(span.end)?)
    }

    /// Returns the indices of the samples of a pixel of the band.
    fn samples_of(&self, x: usize, y: usize) -> impl Iterator<Item = usize> + use<> {
        let (side, columns) = (self.side, self.columns);
        (0..side).flat_map(move |row| {
            let start = (y * side + row) * columns + x * side;
            start..start + side
        })
    }

    /// Returns the nearest triangles at the samples of a pixel.
    fn owners(&self, x: usize, y: usize) -> [u32; MOST] {
        let mut owners = [NONE; MOST];
        for (owner, at) in owners.iter_mut().zip(self.samples_of(x, y)) {
            *owner = self.nearest.get(at).copied().unwrap_or(NONE);
        }
        owners
    }

    /// Paints pixels without translucent triangles.
    fn resolve(&self, first: usize, pixels: &mut [[u8; 4]], painter: &Painter<'_>) {
        let width = self.viewport.width as usize;
        let empty = to_pixel(painter.background, painter);
        let count = self.side * self.side;
        for (y, row) in pixels.chunks_exact_mut(width).enumerate() {
            for (x, pixel) in row.iter_mut().enumerate() {
                let owners = self.owners(x, y);
                let owners = owners.get(..count).unwrap_or_default();
                let same = owners.iter().all(|owner| Some(owner) == owners.first());
                *pixel = if same && owners.first() == Some(&NONE) {
                    empty
                } else {
                    let colors = self.colors_of(owners, [x, first + y], painter);
                    to_pixel(mean(colors.into_iter().take(count)), painter)
                };
            }
        }
    }

    /// Computes the colours of all samples.
    fn fill_colors(&mut self, first: usize, rows: usize, painter: &Painter<'_>) {
        self.colors.clear();
        self.colors.resize(self.depths.len(), painter.background);
        let count = self.side * self.side;
        for y in 0..rows {
            for x in 0..self.viewport.width as usize {
                let owners = self.owners(x, y);
                let owners = owners.get(..count).unwrap_or_default();
                let colors = self.colors_of(owners, [x, first + y], painter);
                for (at, color) in self.samples_of(x, y).zip(colors) {
                    if let Some(sample) = self.colors.get_mut(at) {
                        *sample = color;
                    }
                }
            }
        }
    }

    /// Returns the colours of the samples of a pixel. Each triangle is shaded once, in the middle
    /// of its samples, which is inside of it.
    fn colors_of(
        &self,
        owners: &[u32],
        pixel: [usize; 2],
        painter: &Painter<'_>,
    ) -> [[f32; 4]; MOST] {
        let mut colors = [painter.background; MOST];
        for (number, owner) in owners.iter().enumerate() {
            let triangle = painter.triangles.get(*owner as usize);
            let is_first = !owners.iter().take(number).any(|earlier| earlier == owner);
            let Some(triangle) = triangle.filter(|_| is_first) else { continue };
            let is_own = |number: usize| owners.get(number) == Some(owner);
            let at = self.middle(is_own, pixel);
            let color = shade(painter, triangle, at);
            for (number, sample) in colors.iter_mut().enumerate() {
                if is_own(number) {
                    *sample = color;
                }
            }
        }
        colors
    }

    /// Returns the middle of some samples of a pixel.
    fn middle(&self, is_own: impl Fn(usize) -> bool, [x, y]: [usize; 2]) -> [f32; 2] {
        let (mut sum, mut count) = ([0.0; 2], 0.0);
        for number in (0..self.side * self.side).filter(|number| is_own(*number)) {
            sum[0] += (number % self.side) as f32;
            sum[1] += (number / self.side) as f32;
            count += 1.0;
        }
        let side = self.side as f32;
        let place = |at: usize, sum: f32| at as f32 + (sum / count + 0.5) / side;
        [place(x, sum[0]), place(y, sum[1])]
    }

    /// Blends a triangle over the colours of samples that no opaque triangle hides.
    fn blend(&mut self, rows: Range<i64>, triangle: &Triangle, painter: &Painter<'_>) {
        let samples = self.viewport.samples;
        let own = triangle.rows(samples);
        let Ok(columns) = i64::try_from(self.columns) else { return };
        let spans = triangle.spans(samples, columns);
        let side = i64::from(samples);
        let first = own.start.max(rows.start).div_euclid(side);
        let last = own.end.min(rows.end).saturating_sub(1).div_euclid(side);
        for y in first..=last {
            let lines: [_; 2] = [0, 1].map(|line| {
                let row = y * side + line;
                let inside = line < side && rows.contains(&row) && own.contains(&row);
                let span = if inside { spans(row) } else { 0..0 };
                (span, triangle.depth(row, samples))
            });
            let all = || lines.iter().map(|(span, _)| span).filter(|span| !span.is_empty());
            let start = all().map(|span| span.start / self.side).min().unwrap_or_default();
            let end = all().map(|span| span.end.div_ceil(self.side)).max().unwrap_or_default();
            let (Ok(row), Ok(inner)) = (usize::try_from(y), usize::try_from(y - rows.start / side))
            else {
                continue;
            };
            for x in start..end {
                self.blend_pixel([x, row], inner, &lines, triangle, painter);
            }
        }
    }

    fn blend_pixel(
        &mut self,
        [x, y]: [usize; 2],
        row: usize,
        lines: &[(Range<usize>, Depths); 2],
        triangle: &Triangle,
        painter: &Painter<'_>,
    ) {
        let mut is_own = [false; MOST];
        let indices: Vec<usize> = self.samples_of(x, row).collect();
        for (number, (own, at)) in is_own.iter_mut().zip(&indices).enumerate() {
            let column = x * self.side + number % self.side;
            let Some((span, depth)) = lines.get(number / self.side) else {
                continue;
            };
            let here = depth.at(column as f32);
            let hidden = self.depths.get(*at).is_none_or(|nearest| here < *nearest);
            *own = span.contains(&column) && !hidden;
        }
        if is_own == [false; MOST] {
            return;
        }
        let own = |number: usize| is_own.get(number) == Some(&true);
        let at = self.middle(own, [x, y]);
        let color = shade(painter, triangle, at);
        let alpha = color[3];
        for (_, at) in indices.iter().enumerate().filter(|(number, _)| own(*number)) {
            if let Some(sample) = self.colors.get_mut(*at) {
                let [red, green, blue, _] = color;
                let over = [red * alpha, green * alpha, blue * alpha, alpha];
                for (under, over) in sample.iter_mut().zip(over) {
                    *under = over + *under * (1.0 - alpha);
                }
            }
        }
    }
}

fn mean(colors: impl Iterator<Item = [f32; 4]>) -> [f32; 4] {
    let (mut sum, mut count) = ([0.0; 4], 0.0);
    for color in colors {
        sum.iter_mut().zip(color).for_each(|(sum, part)| *sum += part);
        count += 1.0;
    }
    sum.map(|part| part / count)
}

/// Converts a linear colour with premultiplied alpha.
fn to_pixel([red, green, blue, alpha]: [f32; 4], painter: &Painter<'_>) -> [u8; 4] {
    if alpha <= 0.0 {
        return [0; 4];
    }
    let srgb = |part: f32| painter.tables.1.at(part / alpha);
    [srgb(red), srgb(green), srgb(blue), byte(alpha)]
}
