//! Polygon triangulation.

mod large;
mod points;

use crate::ops::triangulate::points::turn;
use crate::{LimitError, Limits, Vec3};

/// Up to this many vertices, testing all of them for each ear is fastest.
const FEW: usize = 128;

/// Triangulates a polygon in 3D space, keeping its winding. Returns indices into `corners`. A
/// polygon with n vertices always results in n - 2 triangles.
///
/// Convex polygons are triangulated as a fan, concave polygons by ear clipping. Collinear or
/// coincident vertices may produce triangles with zero area. The triangulation of self-intersecting
/// polygons is unspecified.
///
/// # Errors
///
/// Returns [`LimitError`] if the polygon is concave and has more vertices than
/// [`Limits::concave_corners`], since ear clipping can take quadratic time.
///
/// ```
/// use anim_ir::{Limits, Vec3, triangulate};
/// let arrow = [[0.0, 0.0], [2.0, 0.0], [0.5, 0.5], [0.0, 2.0]];
/// let arrow = arrow.map(|[x, y]| Vec3::new(x, y, 0.0));
/// let triangles = triangulate(&arrow, &Limits::default())?;
/// assert_eq!(triangles, [[0, 1, 2], [0, 2, 3]]);
/// # Ok::<(), anim_ir::LimitError>(())
/// ```
pub fn triangulate(corners: &[Vec3], limits: &Limits) -> Result<Vec<[usize; 3]>, LimitError> {
    let count = corners.len();
    if count <= 3 {
        return Ok(if count == 3 { vec![[0, 1, 2]] } else { Vec::new() });
    }
    let flat = flatten(corners);
    let turn = |a: usize, b: usize, c: usize| match (flat.get(a), flat.get(b), flat.get(c)) {
        (Some(a), Some(b), Some(c)) => turn(*a, *b, *c),
        _ => 0.0,
    };
    let next = |i: usize| if i.saturating_add(1) < count { i.saturating_add(1) } else { 0 };
    let convex = (0..count).all(|i| turn(i, next(i), next(next(i))) >= 0.0);
    // A polygon that only turns left is convex only if it winds around exactly once.
    let rises = (0..count).filter(|i| {
        let direction =
            |i: usize| flat.get(i).zip(flat.get(next(i))).map_or(0.0, |(a, b)| b[1] - a[1]);
        direction(*i) > 0.0 && direction(next(*i)) <= 0.0
    });
    if convex && rises.count() <= 1 {
        return Ok((2..count).map(|i| [0, i.saturating_sub(1), i]).collect());
    }
    if count > limits.concave_corners {
        let (what, most) = ("a concave polygon", limits.concave_corners);
        return Err(LimitError { what, unit: "corners", found: count, most });
    }
    Ok(if count > FEW { large::cut_ears(&flat) } else { cut_ears(&flat, turn) })
}

/// Projects the polygon to 2D along the axis closest to its normal, with counter-clockwise winding.
fn flatten(corners: &[Vec3]) -> Vec<[f64; 2]> {
    let points: Vec<[f64; 3]> = corners.iter().map(|corner| corner.to_f64()).collect();
    // Newell's method: the components are twice the areas of the projections onto the three planes.
    let mut normal = [0.0_f64; 3];
    for (a, b) in points.iter().zip(points.iter().cycle().skip(1)) {
        normal[0] += (a[1] - b[1]) * (a[2] + b[2]);
        normal[1] += (a[2] - b[2]) * (a[0] + b[0]);
        normal[2] += (a[0] - b[0]) * (a[1] + b[1]);
    }
    let [x, y, z] = normal.map(f64::abs);
    // Drop the axis closest to the normal, and swap the other two if the normal points in the
    // negative direction.
    let project = |p: &[f64; 3]| match () {
        () if x >= y && x >= z => [p[1], p[2], normal[0]],
        () if y >= z => [p[2], p[0], normal[1]],
        () => [p[0], p[1], normal[2]],
    };
    let turned = |[u, v, sign]: [f64; 3]| if sign < 0.0 { [v, u] } else { [u, v] };
    points.iter().map(project).map(turned).collect()
}

fn cut_ears(flat: &[[f64; 2]], turn: impl Fn(usize, usize, usize) -> f64) -> Vec<[usize; 3]> {
    let inside = |p: usize, a: usize, b: usize, c: usize| {
        let same_place = |q: usize| flat.get(p) == flat.get(q);
        !same_place(a)
            && !same_place(b)
            && !same_place(c)
            && turn(a, b, p) >= 0.0
            && turn(b, c, p) >= 0.0
            && turn(c, a, p) >= 0.0
    };
    let mut left: Vec<usize> = (0..flat.len()).collect();
    let mut triangles = Vec::with_capacity(flat.len());
    let mut at = 0_usize;
    let mut refused = 0_usize;
    while left.len() > 3 {
        let len = left.len();
        let pick =
            |offset: usize| left.get(at.saturating_add(offset) % len).copied().unwrap_or_default();
        let (a, b, c) = (pick(0), pick(1), pick(2));
        let corner = turn(a, b, c);
        let is_ear =
            corner > 0.0 && !left.iter().any(|p| ![a, b, c].contains(p) && inside(*p, a, b, c));
        // If no ear was found in a whole round, the polygon is degenerate. Clip a vertex with zero
        // area if possible, otherwise any vertex.
        let forced = refused > len.saturating_mul(2) || (refused > len && corner == 0.0);
        if is_ear || forced {
            triangles.push([a, b, c]);
            left.remove(at.saturating_add(1) % len);
            refused = 0;
            at = if at >= left.len() { 0 } else { at };
        } else {
            refused = refused.saturating_add(1);
            at = at.saturating_add(1) % len;
        }
    }
    if let [a, b, c] = left.as_slice() {
        triangles.push([*a, *b, *c]);
    }
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn area(corners: &[Vec3], triangles: &[[usize; 3]]) -> f32 {
        triangles
            .iter()
            .map(|[a, b, c]| {
                let (a, b, c) = (corners[*a], corners[*b], corners[*c]);
                ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2.0
            })
            .inspect(|area| assert!(*area >= -1e-6))
            .sum()
    }

    fn ears_of_few(flat: &[[f64; 2]]) -> Vec<[usize; 3]> {
        cut_ears(flat, |a, b, c| turn(flat[a], flat[b], flat[c]))
    }

    fn shoelace(corners: &[Vec3]) -> f32 {
        let sides = corners.iter().zip(corners.iter().cycle().skip(1));
        sides.map(|(a, b)| a.x * b.y - b.x * a.y).sum::<f32>() / 2.0
    }

    #[test]
    fn triangulating_a_comb_preserves_its_area() {
        let comb = [[0, 0], [7, 0], [7, 3], [6, 1], [5, 3], [4, 1], [3, 3], [2, 1], [1, 3]]
            .map(|[x, y]: [i16; 2]| Vec3::new(x.into(), y.into(), 0.0));
        let triangles = triangulate(&comb, &Limits::default()).unwrap();
        assert_eq!(triangles.len(), comb.len() - 2);
        assert!((area(&comb, &triangles) - shoelace(&comb)).abs() < 1e-4);
    }

    #[test]
    fn large_polygons_keep_their_area() {
        let count = 16_000_u16;
        let round = |number: u16| f64::from(number) / f64::from(count) * std::f64::consts::TAU;
        let at = |[x, y]: [f64; 2]| Vec3::from_f64([x, y, 0.0]);
        let star = |number: u16| {
            let (y, x) = round(number).sin_cos();
            at(if number.is_multiple_of(2) { [x, y] } else { [x / 2.0, y / 2.0] })
        };
        let comb = |number: u16| {
            at([f64::from(number), f64::from(number % 2) * f64::from(number % 7 + 1)])
        };
        // Ten turns outwards, then back inwards.
        let spiral = |number: u16| {
            let half = count / 2;
            let (angle, wide) =
                if number < half { (number, 1.0) } else { (count - 1 - number, 0.9) };
            let angle = f64::from(angle) / f64::from(half) * 10.0;
            let (y, x) = (angle * std::f64::consts::TAU).sin_cos();
            at([x * (angle + wide), y * (angle + wide)])
        };
        let corners = [
            (0..count).map(star).collect::<Vec<_>>(),
            (0..count).map(comb).chain([at([f64::from(count), 20.0]), at([-1.0, 20.0])]).collect(),
            (0..count).map(spiral).collect(),
        ];
        for polygon in corners {
            let triangles = triangulate(&polygon, &Limits::default()).unwrap();
            assert_eq!(triangles.len(), polygon.len() - 2);
            let (found, whole) = (area(&polygon, &triangles), shoelace(&polygon));
            assert!((found / whole.abs() - 1.0).abs() < 1e-3, "{found} of {whole}");
        }
    }

    #[test]
    fn triangulating_degenerate_polygons_terminates() {
        let star = [0.0_f32, 1.0, 2.0, 3.0, 4.0]
            .map(|i| (i * 2.513).sin_cos())
            .map(|(x, y)| Vec3::new(x, y, 0.0));
        assert_eq!(triangulate(&star, &Limits::default()).unwrap().len(), 3);
        assert_eq!(triangulate(&[Vec3::ONE; 6], &Limits::default()).unwrap().len(), 4);
    }

    #[test]
    fn many_corners() {
        let mut wavy: Vec<Vec3> = (0..100_000_u32)
            .map(|i| (f64::from(i) / 100_000.0 * std::f64::consts::TAU).sin_cos())
            .map(|(y, x)| Vec3::from_f64([x, 0.0, y]))
            .collect();
        wavy.iter_mut().step_by(2).for_each(|p| p.x *= 0.5);
        assert!(triangulate(&wavy, &Limits::default()).is_err());
    }

    proptest! {
        #[test]
        fn large_polygons_have_the_same_ears_as_small_ones(
            points in prop::collection::vec(prop::array::uniform2(-40i8..40), 4..120),
            spread in 1..40_i8,
        ) {
            let flat: Vec<[f64; 2]> =
                points.iter().map(|point| point.map(|number| f64::from(number % spread))).collect();
            prop_assert_eq!(large::cut_ears(&flat), ears_of_few(&flat));
        }

        #[test]
        fn large_simple_polygons_have_the_same_ears_as_small_ones(
            lengths in prop::collection::vec(1..200_u8, 4..300),
        ) {
            let count = lengths.len() as f64;
            let flat: Vec<[f64; 2]> = lengths.iter().enumerate().map(|(number, length)| {
                let (y, x) = (number as f64 / count * std::f64::consts::TAU).sin_cos();
                [x * f64::from(*length), y * f64::from(*length)]
            }).collect();
            prop_assert_eq!(large::cut_ears(&flat), ears_of_few(&flat));
        }

        #[test]
        fn every_polygon_gets_its_triangles(
            points in prop::collection::vec(prop::array::uniform3(-3i8..3), 3..20),
        ) {
            let corners: Vec<Vec3> = points.iter().map(|p| Vec3::from(p.map(f32::from))).collect();
            let triangles = triangulate(&corners, &Limits::default()).unwrap();
            prop_assert_eq!(triangles.len(), corners.len() - 2);
            // Each edge of the polygon is used once more in its own direction than in the opposite
            // one.
            for i in 0..corners.len() {
                let edge = (i, (i + 1) % corners.len());
                let edges = || {
                    triangles.iter().flat_map(|[a, b, c]| [(*a, *b), (*b, *c), (*c, *a)])
                };
                let count = |edge: (usize, usize)| edges().filter(|e| *e == edge).count();
                prop_assert_eq!(count(edge), count((edge.1, edge.0)) + 1);
            }
        }
    }
}
