//! Bands of rows, which are painted independently of each other.

use std::ops::Range;

use wide::CmpGt as _;

use super::model::Viewport;
use super::painter::Painter;
use super::shade::Shader;
use super::triangle::{Line, Triangle};
use crate::lanes::Lanes;
use crate::texture::byte;

/// The index that stands for no triangle.
const NONE: u32 = u32::MAX;

/// The samples of some rows of pixels.
pub(super) struct Band {
    /// Pixels in a row.
    width: usize,
    /// Samples along a side of a pixel: 1 or 2.
    side: usize,
    /// Samples in a row.
    columns: usize,
    /// The depth of the nearest opaque triangle at each sample; 0 if there is none.
    depths: Vec<f32>,
    /// The index of that triangle.
    nearest: Vec<u32>,
    /// The colours of samples: linear, with premultiplied alpha. Filled only if
    /// there are translucent triangles.
    colors: Vec<Lanes>,
}

impl Band {
    pub(super) fn new(viewport: &Viewport, rows: usize) -> Band {
        let (width, side) = (viewport.width as usize, viewport.samples as usize);
        let columns = width.saturating_mul(side);
        let samples = columns.saturating_mul(rows).saturating_mul(side);
        let (depths, nearest) = (vec![0.0; samples], vec![NONE; samples]);
        Band { width, side, columns, depths, nearest, colors: Vec::new() }
    }

    /// Paints the rows of pixels from `first` on.
    pub(super) fn paint(&mut self, first: usize, pixels: &mut [[u8; 4]], painter: &Painter<'_>) {
        let rows = pixels.len() / self.width.max(1);
        self.depths.fill(0.0);
        self.nearest.fill(NONE);
        let end = first.saturating_add(rows).saturating_mul(self.side);
        let Ok(start) = u32::try_from(first.saturating_mul(self.side)) else { return };
        let Ok(end) = u32::try_from(end) else { return };
        let overlaps = |rows: &Range<u32>| rows.start < end && start < rows.end;
        for (index, _) in painter.opaque.iter().filter(|(_, rows)| overlaps(rows)) {
            if let Some(triangle) = painter.triangles.get(*index as usize) {
                self.cover(start..end, triangle, *index);
            }
        }
        let clear = painter.translucent.iter().filter_map(|(_, index)| {
            let triangle = painter.triangles.get(*index as usize)?;
            overlaps(&triangle.rows()).then_some(triangle)
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
        let part = 1.0 / (self.side * self.side) as f32;
        for (index, pixel) in pixels.iter_mut().enumerate() {
            let colors = self.samples_of(index % self.width, index / self.width);
            let colors = colors.filter_map(|at| self.colors.get(at).copied());
            let sum = colors.fold(Lanes::default(), |sum, color| sum + color);
            *pixel = to_pixel(sum * part, painter);
        }
    }

    /// Finds the samples that an opaque triangle covers and is nearest at.
    fn cover(&mut self, rows: Range<u32>, triangle: &Triangle, index: u32) {
        let own = triangle.rows();
        let first = own.start.max(rows.start);
        let skipped = (first.saturating_sub(rows.start) as usize).saturating_mul(self.columns);
        let depths = self.depths.get_mut(skipped..).unwrap_or_default();
        let nearest = self.nearest.get_mut(skipped..).unwrap_or_default();
        let depths = depths.chunks_exact_mut(self.columns);
        let lines = depths.zip(nearest.chunks_exact_mut(self.columns));
        let count = own.end.min(rows.end).saturating_sub(first) as usize;
        for (line, (depths, nearest)) in triangle.lines(first).zip(lines).take(count) {
            let depths = depths.get_mut(line.span.clone()).unwrap_or_default();
            let nearest = nearest.get_mut(line.span.clone()).unwrap_or_default();
            let (fours, rest) = depths.as_chunks_mut::<4>();
            let (owners, last_owners) = nearest.as_chunks_mut::<4>();
            let mut numbers = Lanes::new([0.0, 1.0, 2.0, 3.0]);
            for (depths, owners) in fours.iter_mut().zip(owners) {
                let here = line.depths(numbers);
                numbers += Lanes::splat(4.0);
                let nearer = here.cmp_gt(Lanes::new(*depths)).move_mask();
                if nearer == 0b1111 {
                    (*depths, *owners) = (here.to_array(), [index; 4]);
                } else if nearer != 0 {
                    keep_nearer(here, depths, owners, index);
                }
            }
            keep_nearer(line.depths(numbers), rest, last_owners, index);
        }
    }

    /// Returns the indices of the samples of a pixel of the band.
    fn samples_of(&self, x: usize, y: usize) -> impl Iterator<Item = usize> + use<> {
        let (side, columns) = (self.side, self.columns);
        (0..side).flat_map(move |row| {
            let start = (y * side + row) * columns + x * side;
            start..start + side
        })
    }

    /// Returns the nearest triangles at the samples of each pixel of a row. A pixel with a single
    /// sample has it four times.
    fn owners(&self, y: usize) -> impl Iterator<Item = [u32; 4]> {
        let start = y.saturating_mul(self.side).saturating_mul(self.columns);
        let rows = self.nearest.get(start..).unwrap_or_default();
        let below = rows.get(self.columns..).filter(|_| self.side > 1).unwrap_or(rows);
        let pixels = rows.chunks_exact(self.side).zip(below.chunks_exact(self.side));
        pixels.take(self.width).map(|pair| match pair {
            ([a, b], [c, d]) => [*a, *b, *c, *d],
            ([a, ..], _) => [*a; 4],
            _ => [NONE; 4],
        })
    }

    /// Paints pixels without translucent triangles.
    fn resolve(&self, first: usize, pixels: &mut [[u8; 4]], painter: &Painter<'_>) {
        let empty = to_pixel(painter.background, painter);
        for (y, row) in pixels.chunks_exact_mut(self.width).enumerate() {
            let (mut shader, mut last) = (None, NONE);
            let mut middle = [0.5, (first + y) as f32 + 0.5];
            for (pixel, owners) in row.iter_mut().zip(self.owners(y)) {
                let [owner, ..] = owners;
                if owners != [owner; 4] {
                    *pixel = to_pixel(mixed(owners, middle, painter), painter);
                } else {
                    if owner != last {
                        shader = painter.shader(owner);
                        last = owner;
                    }
                    *pixel = match &shader {
                        Some(shader) => to_pixel(shader.color(middle), painter),
                        None => empty,
                    };
                }
                middle[0] += 1.0;
            }
        }
    }

    /// Computes the colours of all samples.
    fn fill_colors(&mut self, first: usize, rows: usize, painter: &Painter<'_>) {
        let mut colors = std::mem::take(&mut self.colors);
        colors.clear();
        colors.resize(self.depths.len(), painter.background);
        for y in 0..rows {
            for (x, owners) in self.owners(y).enumerate() {
                let middle = [x as f32 + 0.5, (first + y) as f32 + 0.5];
                for_each_owner(owners, middle, painter, |own, color| {
                    for (number, at) in self.samples_of(x, y).enumerate() {
                        if own >> number & 1 == 1 {
                            colors.get_mut(at).into_iter().for_each(|sample| *sample = color);
                        }
                    }
                });
            }
        }
        self.colors = colors;
    }

    /// Blends a triangle over the colours of samples that no opaque triangle hides.
    fn blend(&mut self, rows: Range<u32>, triangle: &Triangle, painter: &Painter<'_>) {
        let Some(shader) = Shader::new(painter, triangle) else { return };
        let own = triangle.rows();
        let first = own.start.max(rows.start);
        let end = own.end.min(rows.end);
        let mut lines = triangle.lines(first).zip(first..end).peekable();
        while let Some((_, row)) = lines.peek() {
            let y = *row as usize / self.side;
            let mut pair = [Line::default(), Line::default()];
            while let Some((line, row)) = lines.next_if(|(_, row)| *row as usize / self.side == y) {
                if let Some(place) = pair.get_mut(row as usize % self.side) {
                    *place = line;
                }
            }
            let spans = || pair.iter().map(|line| &line.span).filter(|span| !span.is_empty());
            let start = spans().map(|span| span.start / self.side).min().unwrap_or_default();
            let end = spans().map(|span| span.end.div_ceil(self.side)).max().unwrap_or_default();
            let inner = y - rows.start as usize / self.side;
            for x in start..end {
                self.blend_pixel([x, y], inner, &pair, &shader);
            }
        }
    }

    fn blend_pixel(
        &mut self,
        [x, y]: [usize; 2],
        row: usize,
        lines: &[Line; 2],
        shader: &Shader<'_>,
    ) {
        let mut own = 0;
        for (number, at) in self.samples_of(x, row).enumerate() {
            let column = x * self.side + number % self.side;
            let Some(line) = lines.get(number / self.side) else { continue };
            let Some(offset) = column.checked_sub(line.span.start) else { continue };
            let [here, ..] = line.depths(Lanes::splat(offset as f32)).to_array();
            let is_hidden = self.depths.get(at).is_none_or(|nearest| here < *nearest);
            own |= u8::from(column < line.span.end && !is_hidden) << number;
        }
        if own == 0 {
            return;
        }
        let middle = [x as f32 + 0.5, y as f32 + 0.5];
        let color =
            shader.color_apart(if self.side == 1 { middle } else { middle_of(own, middle) });
        let [red, green, blue, alpha] = color.to_array();
        let alpha = shader.visible(alpha);
        let over = Lanes::new([red * alpha, green * alpha, blue * alpha, alpha]);
        for (number, at) in self.samples_of(x, row).enumerate() {
            if let Some(sample) = self.colors.get_mut(at).filter(|_| own >> number & 1 == 1) {
                *sample = over + *sample * (1.0 - alpha);
            }
        }
    }
}

/// Sets the depth and the triangle of the samples that the triangle is nearest at.
fn keep_nearer(here: Lanes, depths: &mut [f32], owners: &mut [u32], index: u32) {
    for (here, (depth, owner)) in here.to_array().into_iter().zip(depths.iter_mut().zip(owners)) {
        if here > *depth {
            (*depth, *owner) = (here, index);
        }
    }
}

/// Returns the mean of the colours of a pixel's samples.
#[inline(never)]
fn mixed(owners: [u32; 4], middle: [f32; 2], painter: &Painter<'_>) -> Lanes {
    let mut sum = Lanes::ZERO;
    for_each_owner(owners, middle, painter, |own, color| {
        sum += color * (own.count_ones() as f32 / 4.0);
    });
    sum
}

/// Calls a function with each of the nearest triangles at the samples of a pixel: a bit for each
/// sample, and the colour. Triangles are shaded in the middle of their samples, which is inside of
/// them.
fn for_each_owner(
    owners: [u32; 4],
    middle: [f32; 2],
    painter: &Painter<'_>,
    mut each: impl FnMut(u8, Lanes),
) {
    let [a, b, c, d] = owners;
    let mut seen = 0_u8;
    for (number, owner) in owners.into_iter().enumerate() {
        if seen >> number & 1 == 0 {
            let is = |other: u32| u8::from(other == owner);
            let own = is(a) | is(b) << 1 | is(c) << 2 | is(d) << 3;
            seen |= own;
            let shader = painter.shader(owner);
            let color = shader.map(|shader| shader.color_apart(middle_of(own, middle)));
            each(own, color.unwrap_or(painter.background));
        }
    }
}

/// Returns the middle of some of the four samples of a pixel, at least one.
fn middle_of(own: u8, [x, y]: [f32; 2]) -> [f32; 2] {
    let bit = |number: u8| f32::from(own >> number & 1);
    let [a, b, c, d] = [bit(0), bit(1), bit(2), bit(3)];
    let step = 0.25 / (a + b + c + d);
    [x + (b + d - a - c) * step, y + (c + d - a - b) * step]
}

/// Converts a linear colour with premultiplied alpha.
#[inline]
fn to_pixel(color: Lanes, painter: &Painter<'_>) -> [u8; 4] {
    let [.., alpha] = color.to_array();
    if alpha <= 0.0 {
        return [0; 4];
    }
    if alpha >= 1.0 {
        let [red, green, blue] = painter.tables.1.bytes(color);
        return [red, green, blue, u8::MAX];
    }
    let [red, green, blue] = painter.tables.1.bytes((color / alpha).fast_min(Lanes::ONE));
    [red, green, blue, byte(alpha)]
}
