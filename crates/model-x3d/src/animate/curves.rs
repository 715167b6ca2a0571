//! Approximates curved paths between frames by curves that morph target weights can follow.

use std::collections::BTreeMap;
use std::sync::Arc;

use anim_ir::number::narrow;
use anim_ir::{Budget, Diagnostics};

use super::matrix_blend::{Curve, Way};
use super::plan::PlannedShape;
use super::shapes::{Shapes, VERTEX_BYTES};
use super::variants::{Keys, Played};
use crate::codes;
use crate::options::ToIr;

/// Deviations of a blend from the exact motion are only reported above this limit, which is
/// relative to the mesh's size.
const BLEND_ERROR: f64 = 2e-6;
/// Maximum number of times the path between two frames is bisected for a better approximation.
const MOST_HALVINGS: u32 = 5;

/// The curved paths between frames, keyed by the frames' indices in the variant.
pub(super) type Curves = BTreeMap<(usize, usize), Curve>;

/// Fits curves to curved paths between frames, and inserts keys with intermediate shapes where a
/// single curve does not fit closely enough.
pub(super) fn find(
    shapes: &mut Shapes,
    shape: &PlannedShape,
    played: &Played<'_>,
    keys: &mut [Keys],
    (options, budget): (&ToIr, &Budget),
    problems: &mut Diagnostics,
) -> Curves {
    let mut worst = 0.0_f64;
    let mut bender = Bender { shapes, curves: Curves::new(), budget };
    for (keys, _) in keys.iter_mut().zip(&played.takes).filter(|(_, (_, take))| !take.step) {
        let mut bent = Keys::with_capacity(keys.len());
        for (at, from) in keys.iter().enumerate() {
            bent.push(*from);
            let Some(to) = keys.get(at.saturating_add(1)) else { continue };
            let (Some(a), Some(b)) = (played.frames.get(from.1), played.frames.get(to.1)) else {
                continue;
            };
            let of_frame = &bender.shapes.of_frame;
            if from.1 == to.1 || of_frame.get(from.1) == of_frame.get(to.1) && Arc::ptr_eq(a, b) {
                continue;
            }
            let morph_normals = !options.no_morph_normals;
            let way = Way { shape, a, b, times: (from.0, to.0), morph_normals };
            worst = worst.max(bender.bend(&way, *from, *to, MOST_HALVINGS, &mut bent));
        }
        *keys = bent;
    }
    if worst > BLEND_ERROR {
        problems.push(&codes::MATRIX_BLEND, shape.span(played.frames), || {
            format!(
                "{} deviates from the exact matrix blend by up to {worst:.1e} of its size",
                shape.shown()
            )
        });
    }
    bender.curves
}

struct Bender<'s> {
    shapes: &'s mut Shapes,
    curves: Curves,
    budget: &'s Budget,
}

impl Bender<'_> {
    /// Fits curves to the path between two keys, inserting keys if necessary. Returns the largest
    /// remaining error.
    fn bend(
        &mut self,
        way: &Way<'_>,
        from: (f32, usize),
        to: (f32, usize),
        halvings: u32,
        keys: &mut Keys,
    ) -> f64 {
        let (curve, error) = way.curve(&self.shapes.built, way.part(from.0), way.part(to.0));
        let middle = narrow(f64::midpoint(f64::from(from.0), f64::from(to.0)));
        let vertices = curve.bow.len();
        if error > BLEND_ERROR
            && halvings > 0
            && from.0 < middle
            && middle < to.0
            && self
                .budget
                .charge("shapes between frames", vertices.saturating_mul(VERTEX_BYTES))
                .is_ok()
        {
            let shapes = &mut *self.shapes;
            let (positions, normals) = way.shape_at(&shapes.built, way.part(middle));
            let between = (middle, shapes.of_frame.len());
            shapes.of_frame.push(shapes.positions.len());
            let normals = (way.morph_normals && shapes.has_normals()).then_some(normals);
            shapes.add(positions, normals, "between".to_owned());
            let halvings = halvings.saturating_sub(1);
            let first = self.bend(way, from, between, halvings, keys);
            keys.push(between);
            return first.max(self.bend(way, between, to, halvings, keys));
        }
        if !curve.bow.is_empty() {
            self.curves.insert((from.1, to.1), curve);
        }
        error
    }
}
