//! The distance between two sets of points.

/// Returns the Hausdorff distance: the largest distance from a point of either set to the nearest
/// point of the other. Returns 0 for two empty sets and infinity if only one set is empty.
pub fn max_distance_between_sets(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    if a.is_empty() && b.is_empty() {
        return 0.0;
    }
    if a.is_empty() || b.is_empty() {
        return f64::INFINITY;
    }
    let (a, b) = (Sorted::new(a), Sorted::new(b));
    let farthest = |from: &Sorted, to: &Sorted| {
        let distances = from.points.iter().map(|&point| to.nearest_squared(point));
        distances.fold(0.0, f64::max)
    };
    farthest(&a, &b).max(farthest(&b, &a)).sqrt()
}

/// Returns the diagonal of the bounding box of the points; 0 without points.
pub(crate) fn diagonal(points: &[[f64; 3]]) -> f64 {
    if points.is_empty() {
        0.0
    } else {
        [0, 1, 2].map(|axis| extent(points, axis).powi(2)).iter().sum::<f64>().sqrt()
    }
}

/// Returns the difference between the largest and smallest coordinates.
fn extent(points: &[[f64; 3]], axis: usize) -> f64 {
    let along = points.iter().map(|point| point[axis]);
    along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
}

fn distance_squared(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum()
}

/// Points sorted along the axis of their largest extent.
struct Sorted {
    points: Vec<[f64; 3]>,
    axis: usize,
}

impl Sorted {
    fn new(points: &[[f64; 3]]) -> Self {
        assert!(points.iter().flatten().all(|x| x.is_finite()), "a non-finite coordinate");
        let by_extent = |&a: &usize, &b: &usize| extent(points, a).total_cmp(&extent(points, b));
        let axis = (0..3).max_by(by_extent).unwrap();
        let mut points = points.to_vec();
        // Permute cyclically so that the axis comes first.
        let key = |p: &[f64; 3]| [p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]];
        points.sort_by(|a, b| key(a).partial_cmp(&key(b)).unwrap());
        points.dedup();
        Self { points, axis }
    }

    /// Returns the squared distance to the nearest point. Searches outwards in both directions
    /// until the distance along the axis alone exceeds the best so far.
    fn nearest_squared(&self, point: [f64; 3]) -> f64 {
        let along = |other: &[f64; 3]| (other[self.axis] - point[self.axis]).powi(2);
        let start = self.points.partition_point(|other| other[self.axis] < point[self.axis]);
        let (before, behind) = self.points.split_at(start);
        let mut best = f64::INFINITY;
        let sides: [&mut dyn Iterator<Item = &[f64; 3]>; 2] =
            [&mut behind.iter(), &mut before.iter().rev()];
        for side in sides {
            for other in side {
                if along(other) >= best {
                    break;
                }
                best = best.min(distance_squared(point, *other));
            }
        }
        best
    }
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
    fn the_distance_matches_brute_force() {
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
    fn large_sets_of_nearly_equal_points_are_handled() {
        let points = cloud(7, 100_000);
        let moved: Vec<[f64; 3]> = points.iter().map(|&[x, y, z]| [x, y, z + 1e-7]).collect();
        assert!((max_distance_between_sets(&points, &moved) - 1e-7).abs() < 1e-12);
        let flat: Vec<[f64; 3]> = points.iter().map(|&[x, _, _]| [x, 0.0, 0.0]).collect();
        assert_eq!(max_distance_between_sets(&flat, &flat), 0.0);
    }
}
