//! Accessors and the buffer that they refer to.

use anim_ir::Vec3;

use crate::error::FromIrError;
use crate::json::{self, gl};
use crate::write::buffer::{Bin, Piece};

/// Accessors and the buffer that they refer to.
#[derive(Debug)]
pub(crate) struct Accessors<'a> {
    pub(crate) list: Vec<json::Accessor>,
    pub(crate) bin: Bin<'a>,
}

impl<'a> Accessors<'a> {
    /// Creates an empty list with a buffer limited to `most_bytes`.
    pub(crate) fn new(most_bytes: usize) -> Accessors<'a> {
        Accessors { list: Vec::new(), bin: Bin::new(most_bytes) }
    }

    /// Adds an accessor with its own buffer view.
    pub(crate) fn add(
        &mut self,
        target: Option<u32>,
        piece: Piece<'a>,
        component_type: u32,
        element: &'static str,
        count: usize,
    ) -> Result<usize, FromIrError> {
        let buffer_view = self.bin.add_view(target, [piece])?;
        self.list.push(json::Accessor {
            buffer_view: Some(buffer_view),
            component_type,
            count,
            element: element.into(),
            ..json::Accessor::default()
        });
        Ok(self.list.len().saturating_sub(1))
    }

    pub(crate) fn add_vectors(&mut self, vectors: &'a [Vec3]) -> Result<usize, FromIrError> {
        self.add(
            Some(gl::ARRAY_BUFFER),
            Piece::Floats(bytemuck::cast_slice(vectors)),
            gl::FLOAT,
            "VEC3",
            vectors.len(),
        )
    }

    pub(crate) fn add_positions(&mut self, positions: &'a [Vec3]) -> Result<usize, FromIrError> {
        let (low, high) = bounds(positions);
        let at = self.add_vectors(positions)?;
        if let Some(accessor) = self.list.last_mut() {
            (accessor.min, accessor.max) = (low.into(), high.into());
        }
        Ok(at)
    }
}

/// A buffer view under construction and the accessors that will refer to it.
#[derive(Debug, Default)]
pub(crate) struct Section<'a> {
    pieces: Vec<Piece<'a>>,
    length: usize,
    accessors: Vec<usize>,
}

impl<'a> Section<'a> {
    pub(crate) fn add(
        &mut self,
        accessors: &mut Vec<json::Accessor>,
        piece: Piece<'a>,
        component_type: u32,
        element: &'static str,
        count: usize,
    ) -> usize {
        let at = accessors.len();
        // `finish` sets the view's index.
        accessors.push(json::Accessor {
            byte_offset: self.length,
            component_type,
            count,
            element: element.into(),
            ..json::Accessor::default()
        });
        self.length = self.length.saturating_add(piece.len());
        self.pieces.push(piece);
        self.accessors.push(at);
        at
    }

    pub(crate) fn finish(self, accessors: &mut Accessors<'a>) -> Result<(), FromIrError> {
        if self.pieces.is_empty() {
            return Ok(());
        }
        let view = accessors.bin.add_view(None, self.pieces)?;
        for at in self.accessors {
            if let Some(accessor) = accessors.list.get_mut(at) {
                accessor.buffer_view = Some(view);
            }
        }
        Ok(())
    }
}

/// Returns the minimum and maximum of each coordinate. Processes twelve values at a time for
/// vectorisation.
fn bounds(points: &[Vec3]) -> ([f32; 3], [f32; 3]) {
    let (mut low, mut high) = ([f32::INFINITY; 12], [f32::NEG_INFINITY; 12]);
    let (chunks, rest) = bytemuck::cast_slice::<Vec3, f32>(points).as_chunks::<12>();
    let widen = |low: &mut [f32; 12], high: &mut [f32; 12], numbers: &[f32]| {
        for ((low, high), number) in low.iter_mut().zip(high).zip(numbers) {
            *low = if *number < *low { *number } else { *low };
            *high = if *number > *high { *number } else { *high };
        }
    };
    for chunk in chunks {
        widen(&mut low, &mut high, chunk);
    }
    widen(&mut low, &mut high, rest);
    let lanes = |all: [f32; 12], pick: fn(f32, f32) -> f32| {
        let [a, b, c, d] = bytemuck::cast::<[f32; 12], [[f32; 3]; 4]>(all);
        let [x, y, z] =
            [[a[0], b[0], c[0], d[0]], [a[1], b[1], c[1], d[1]], [a[2], b[2], c[2], d[2]]]
                .map(|[a, b, c, d]| pick(pick(a, b), pick(c, d)));
        [x, y, z]
    };
    (lanes(low, f32::min), lanes(high, f32::max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bounds_are_those_of_every_point(
            points in prop::collection::vec(prop::array::uniform3(-1e3f32..1e3), 1..40),
        ) {
            let all: Vec<Vec3> = points.iter().copied().map(Vec3::from).collect();
            let (low, high) = bounds(&all);
            for axis in 0..3 {
                let numbers = || points.iter().map(|p| p[axis]);
                prop_assert_eq!(low[axis], numbers().fold(f32::MAX, f32::min));
                prop_assert_eq!(high[axis], numbers().fold(f32::MIN, f32::max));
            }
        }
    }
}
