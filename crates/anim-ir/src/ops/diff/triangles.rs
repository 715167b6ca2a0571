//! Matches the corners of the triangles of two meshes.
//!
//! Triangles are matched in order. Two programs may split a quad along different diagonals, or
//! begin a triangle with another corner, so neighbouring triangles that form a quad in both meshes
//! are also matched as quads, in whichever way the corners are closest.

/// A triangle, by its vertices.
pub(super) type Triangle = [u32; 3];

/// The corresponding vertices of two lists of triangles.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Matched {
    pub(super) pairs: Vec<[u32; 2]>,
    /// The number of quads that are split along different diagonals.
    pub(super) flipped: usize,
}

/// How the last triangles of a list are matched.
#[derive(Clone, Copy)]
enum Step {
    /// A triangle, with its corners shifted by this many.
    Triangle(usize),
    /// Two triangles that form a quad, with its corners shifted by this many.
    Quad(usize),
}

/// Matches triangles so that the sum of the distances of their corners is the smallest possible.
pub(super) fn matched([a, b]: [&[Triangle]; 2], distance: impl Fn(u32, u32) -> f64) -> Matched {
    // For each number of triangles: the smallest sum of distances, and the last step of that match.
    let mut best: Vec<(f64, Step)> = vec![(0.0, Step::Triangle(0))];
    for (number, (x, y)) in a.iter().zip(b).enumerate() {
        let sum = |number: usize| best.get(number).map_or(f64::INFINITY, |(sum, _)| *sum);
        let (by, shift) = closest(x, y, &distance);
        let mut found = (sum(number) + by, Step::Triangle(shift));
        if let Some(before) = number.checked_sub(1)
            && let (Some(x), Some(y)) = (quad(a, before), quad(b, before))
        {
            let (by, shift) = closest(&x, &y, &distance);
            // A quad has four corners, but its triangles have six.
            let sum = sum(before) + by * 1.5;
            if sum < found.0 {
                found = (sum, Step::Quad(shift));
            }
        }
        best.push(found);
    }
    let mut matched = Matched::default();
    let mut left = best.len().saturating_sub(1);
    while left > 0 {
        let Some((_, step)) = best.get(left) else { break };
        match *step {
            Step::Triangle(shift) => {
                left = left.saturating_sub(1);
                if let (Some(x), Some(y)) = (a.get(left), b.get(left)) {
                    matched.pairs.extend(shifted(x, y, shift));
                }
            }
            Step::Quad(shift) => {
                left = left.saturating_sub(2);
                if let (Some(x), Some(y)) = (quad(a, left), quad(b, left)) {
                    matched.pairs.extend(shifted(&x, &y, shift));
                    matched.flipped = matched.flipped.saturating_add(shift % 2);
                }
            }
        }
    }
    matched
}

/// Returns the corners of the quad that a triangle and the next one form, beginning at an end of
/// the diagonal's opposite: the diagonal is between the second and the last corner.
fn quad(triangles: &[Triangle], first: usize) -> Option<[u32; 4]> {
    let [one, two] = triangles.get(first..)?.first_chunk()?;
    let other = |corner: &&u32| !one.contains(corner);
    let [a, b, c] = *one;
    let mut rest = two.iter().filter(other);
    let (opposite, None) = (*rest.next()?, rest.next()) else { return None };
    [[a, b, c], [b, c, a], [c, a, b]]
        .into_iter()
        .find(|[_, from, to]| two.contains(from) && two.contains(to))
        .map(|[start, from, to]| [start, from, opposite, to])
}

/// Returns the shift of the corners of one polygon with which they are closest to those of another,
/// and the sum of their distances.
fn closest<const N: usize>(
    a: &[u32; N],
    b: &[u32; N],
    distance: &impl Fn(u32, u32) -> f64,
) -> (f64, usize) {
    let mut best = (f64::INFINITY, [f64::INFINITY; N], 0);
    // In the other order of the meshes, a shift is N minus this one. If several are equally close,
    // an even one is chosen in both orders.
    for shift in [0, 2, 1, 3].into_iter().filter(|shift| *shift < N) {
        let mut distances = [0.0; N];
        for (by, [x, y]) in distances.iter_mut().zip(shifted(a, b, shift)) {
            *by = distance(x, y);
        }
        // The result must not depend on the order of the meshes, even if the sums are equal except
        // for rounding errors.
        distances.sort_by(f64::total_cmp);
        let sum = distances.iter().sum();
        if (sum, distances) < (best.0, best.1) {
            best = (sum, distances, shift);
        }
    }
    (best.0, best.2)
}

fn shifted<'c, const N: usize>(
    a: &'c [u32; N],
    b: &'c [u32; N],
    shift: usize,
) -> impl Iterator<Item = [u32; 2]> + 'c {
    a.iter().zip(b.iter().cycle().skip(shift)).map(|(x, y)| [*x, *y])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the pairs of vertices, sorted, and the number of flipped quads. Vertices are their
    /// own places on a line.
    fn pairs(a: &[Triangle], b: &[Triangle]) -> (Vec<[u32; 2]>, usize) {
        let Matched { mut pairs, flipped } = matched([a, b], |x, y| f64::from(x.abs_diff(y)));
        pairs.sort_unstable();
        pairs.dedup();
        (pairs, flipped)
    }

    fn same(vertices: &[u32]) -> Vec<[u32; 2]> {
        vertices.iter().map(|vertex| [*vertex; 2]).collect()
    }

    #[test]
    fn triangles_begin_at_any_corner() {
        assert_eq!(pairs(&[[1, 2, 3]], &[[3, 1, 2]]), (same(&[1, 2, 3]), 0));
        // The winding matters.
        assert_ne!(pairs(&[[1, 2, 3]], &[[3, 2, 1]]).0, same(&[1, 2, 3]));
    }

    #[test]
    fn quads_are_split_along_any_diagonal() {
        let (one, other) = ([[1, 2, 3], [1, 3, 4]], [[2, 3, 4], [2, 4, 1]]);
        assert_eq!(pairs(&one, &one), (same(&[1, 2, 3, 4]), 0));
        assert_eq!(pairs(&one, &other), (same(&[1, 2, 3, 4]), 1));
        // The triangle before also has an edge in common with the quad.
        let before = |quad: [Triangle; 2]| [&[[1, 9, 2]][..], &quad].concat();
        assert_eq!(pairs(&before(one), &before(other)), (same(&[1, 2, 3, 4, 9]), 1));
    }

    /// Where one distance is so large that the others vanish in its rounding errors, the result
    /// does not depend on the order of the meshes.
    #[test]
    fn a_distant_vertex() {
        let mut state = 7_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        for _ in 0..1_000 {
            let mut places: [[f64; 2]; 16] =
                std::array::from_fn(|_| [(); 2].map(|()| f64::from(random()) * 1e-14));
            places[random() as usize % 4][0] = 1e9;
            let distance = |x: u32, y: u32| {
                let [[a, b], [c, d]] = [x, y].map(|vertex| places[vertex as usize]);
                f64::hypot(a - c, b - d)
            };
            let mesh = |first: u32| {
                [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]
                    .map(|triangle: Triangle| triangle.map(|vertex| first + vertex))
            };
            let sorted = |a: u32, b: u32| {
                let Matched { pairs, flipped } = matched([&mesh(a), &mesh(b)], distance);
                let mut pairs =
                    pairs.into_iter().map(|[x, y]| [x.min(y), x.max(y)]).collect::<Vec<_>>();
                pairs.sort_unstable();
                (pairs, flipped)
            };
            assert_eq!(sorted(0, 8), sorted(8, 0));
        }
    }

    /// Where several matches are equally close, the number of flipped quads does not depend on the
    /// order of the meshes.
    #[test]
    fn equal_distances() {
        let mut state = 7_u32;
        let mut random = |end: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from((state >> 16) % end)
        };
        for _ in 0..10_000 {
            let places: [[f64; 2]; 8] = std::array::from_fn(|_| [random(3), random(2)]);
            let distance = |x: u32, y: u32| {
                let [[a, b], [c, d]] = [x, y].map(|vertex| places[vertex as usize]);
                f64::hypot(a - c, b - d)
            };
            let (one, other) = ([[0, 1, 2], [0, 2, 3]], [[4, 5, 6], [4, 6, 7]]);
            let there = matched([&one, &other], distance).flipped;
            assert_eq!(there, matched([&other, &one], distance).flipped, "{places:?}");
        }
    }

    #[test]
    fn moved_vertices_keep_their_order() {
        assert_eq!(pairs(&[[10, 20, 30]], &[[11, 22, 33]]).0, [[10, 11], [20, 22], [30, 33]]);
        assert_eq!(pairs(&[], &[]), (Vec::new(), 0));
    }
}
