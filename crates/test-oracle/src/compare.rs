//! How far two sets of points are apart.

/// The greatest distance from a point of one set to the nearest one of the other, both ways (the
/// Hausdorff distance), in the points' units. 0 for two empty sets, infinite for one.
///
/// # Panics
///
/// On coordinates that are not finite.
pub fn max_distance_between_sets(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    if a.is_empty() && b.is_empty() {
        return 0.0;
    }
    if a.is_empty() || b.is_empty() {
        return f64::INFINITY;
    }
    let (a, b) = (Tree::new(a), Tree::new(b));
    let farthest = |from: &Tree, to: &Tree| {
        let distances = from.points.iter().map(|&point| to.nearest_squared(point));
        distances.fold(0.0, f64::max)
    };
    farthest(&a, &b).max(farthest(&b, &a)).sqrt()
}

/// The corners of all faces in one list, from what [`crate::amo::Model::face_corners_at`] gives.
pub fn flatten_faces(faces: &[Vec<[f64; 3]>]) -> Vec<[f64; 3]> {
    faces.iter().flatten().copied().collect()
}

/// The corners of all triangles (or the ends of all lines) in one list, from what
/// [`crate::glb::Model::triangles_at`] gives.
pub fn flatten_elements<const N: usize>(elements: &[[[f64; 3]; N]]) -> Vec<[f64; 3]> {
    elements.as_flattened().to_vec()
}

fn distance_squared(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum()
}

/// A k-d tree: the point in the middle of a range divides it into those before it and those behind
/// it along one axis.
struct Tree {
    points: Vec<[f64; 3]>,
    /// For the middle of every range the axis that divides it.
    axes: Vec<usize>,
}

impl Tree {
    fn new(points: &[[f64; 3]]) -> Self {
        assert!(points.iter().flatten().all(|x| x.is_finite()), "a coordinate that is not finite");
        let mut points = points.to_vec();
        points.sort_by(|a, b| a.partial_cmp(b).unwrap());
        points.dedup();
        let mut axes = vec![0; points.len()];
        divide(&mut points, &mut axes);
        Self { points, axes }
    }

    fn nearest_squared(&self, point: [f64; 3]) -> f64 {
        let mut best = f64::INFINITY;
        self.search(point, 0, self.points.len(), &mut best);
        best
    }

    fn search(&self, point: [f64; 3], start: usize, end: usize, best: &mut f64) {
        if start == end {
            return;
        }
        let middle = usize::midpoint(start, end);
        *best = best.min(distance_squared(point, self.points[middle]));
        let axis = self.axes[middle];
        let beyond = point[axis] - self.points[middle][axis];
        let (near, far) = if beyond < 0.0 {
            ((start, middle), (middle + 1, end))
        } else {
            ((middle + 1, end), (start, middle))
        };
        self.search(point, near.0, near.1, best);
        if beyond * beyond < *best {
            self.search(point, far.0, far.1, best);
        }
    }
}

/// Puts the points of a range in the order of the tree, divided along their greatest extent.
fn divide(points: &mut [[f64; 3]], axes: &mut [usize]) {
    if points.len() < 2 {
        return;
    }
    let extent = |axis: usize| {
        let along = points.iter().map(|point| point[axis]);
        along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
    };
    let axis = (0..3).max_by(|&a, &b| extent(a).total_cmp(&extent(b))).unwrap();
    // As in the search: the middle of start and end, which is that of 0 and the length.
    let middle = points.len() / 2;
    points.select_nth_unstable_by(middle, |a, b| a[axis].total_cmp(&b[axis]));
    axes[middle] = axis;
    let (before, behind) = points.split_at_mut(middle);
    let (axes_before, axes_behind) = axes.split_at_mut(middle);
    divide(before, axes_before);
    divide(&mut behind[1..], &mut axes_behind[1..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    fn cloud(seed: u64, count: usize) -> Vec<[f64; 3]> {
        let mut rng = Rng::new(seed);
        let mut point = || [0, 1, 2].map(|_| rng.range(-1.0, 1.0));
        (0..count).map(|_| point()).collect()
    }

    fn by_brute_force(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
        let one_way = |a: &[[f64; 3]], b: &[[f64; 3]]| {
            let nearest = |&point: &[f64; 3]| {
                let distances = b.iter().map(|&other| distance_squared(point, other));
                distances.fold(f64::INFINITY, f64::min)
            };
            a.iter().map(nearest).fold(0.0, f64::max)
        };
        one_way(a, b).max(one_way(b, a)).sqrt()
    }

    #[test]
    fn the_distance_is_that_of_brute_force() {
        for seed in 0..60 {
            let a = cloud(seed, 1 + seed as usize * 3);
            let b = cloud(seed + 1000, 1 + seed as usize * 2);
            assert_eq!(max_distance_between_sets(&a, &b), by_brute_force(&a, &b));
            assert_eq!(max_distance_between_sets(&b, &a), by_brute_force(&a, &b));
        }
    }

    #[test]
    fn both_ways_count() {
        let line = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        assert_eq!(max_distance_between_sets(&line, &line[..1]), 1.0);
        assert_eq!(max_distance_between_sets(&line[..1], &line), 1.0);
        assert_eq!(max_distance_between_sets(&line, &line), 0.0);
        assert_eq!(max_distance_between_sets(&[], &[]), 0.0);
        assert_eq!(max_distance_between_sets(&[], &line), f64::INFINITY);
        assert_eq!(max_distance_between_sets(&[[0.0; 3]], &[[-0.0; 3]]), 0.0);
    }

    #[test]
    fn big_sets_of_equal_and_nearly_equal_points_are_no_trouble() {
        let points = cloud(7, 100_000);
        let moved: Vec<[f64; 3]> = points.iter().map(|&[x, y, z]| [x, y, z + 1e-7]).collect();
        assert!((max_distance_between_sets(&points, &moved) - 1e-7).abs() < 1e-12);
        let flat: Vec<[f64; 3]> = points.iter().map(|&[x, _, _]| [x, 0.0, 0.0]).collect();
        assert_eq!(max_distance_between_sets(&flat, &flat), 0.0);
    }

    #[test]
    fn lists_are_flattened_in_order() {
        let (a, b, c) = ([1.0; 3], [2.0; 3], [3.0; 3]);
        assert_eq!(flatten_faces(&[vec![a, b], vec![c]]), [a, b, c]);
        assert_eq!(flatten_elements(&[[a, b, c], [c, b, a]]), [a, b, c, c, b, a]);
    }
}
