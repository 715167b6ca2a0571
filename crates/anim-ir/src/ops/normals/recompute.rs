//! Computation of normals from the faces.

use crate::math::double;
use crate::{Mesh, Vec3};

use super::front;

/// Maximum number of faces per vertex for which the normals of morph targets are computed. Each
/// target takes a pass over all faces, and higher ratios only occur in degenerate meshes.
const FACES_PER_VERTEX: usize = 16;

impl Mesh {
    /// Recomputes the normals. Each vertex gets the average of the normals of its faces, weighted
    /// by area and by the angle at the vertex. Vertices that are split in the file are not merged,
    /// so edges along which all vertices are split stay hard. Vertices without faces keep their
    /// normals. The normals of morph targets become differences from the new base normals, or are
    /// removed in degenerate meshes with far more faces than vertices.
    pub fn recompute_normals(&mut self) {
        let triangles: Vec<[u32; 3]> = self.triangles(1).collect();
        if triangles.is_empty() {
            return;
        }
        self.normals.resize(self.positions.len(), Vec3::ZERO);
        let base = averages(&self.positions, &triangles);
        for (normal, made) in self.normals.iter_mut().zip(&base) {
            *normal = made.unwrap_or(*normal);
        }
        let few = triangles.len() / FACES_PER_VERTEX <= self.positions.len();
        for target in &mut self.morph_targets {
            target.normals.clear();
            if !few {
                continue;
            }
            let moved = self.positions.iter().zip(&target.positions);
            let moved: Vec<Vec3> = moved.map(|(position, delta)| *position + *delta).collect();
            let made = averages(&moved, &triangles);
            target.normals = self
                .normals
                .iter()
                .zip(made)
                .map(|(base, made)| made.map_or(Vec3::ZERO, |made| made - *base))
                .collect();
        }
    }
}

/// Returns the average normal of each vertex's faces, normalised.
fn averages(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Option<Vec3>> {
    let mut sums = vec![[0.0_f64; 3]; positions.len()];
    for corners in triangles {
        let Some((front, _)) = front(positions, *corners) else { continue };
        let [a, b, c] = *corners;
        for (corner, next, last) in [(a, b, c), (b, c, a), (c, a, b)] {
            let angle = angle(positions, corner, next, last);
            let Some(sum) = sums.get_mut(corner as usize) else { continue };
            sum.iter_mut().zip(front).for_each(|(sum, part)| *sum += part * angle);
        }
    }
    sums.into_iter().map(|sum| double::unit(sum).map(Vec3::from_f64)).collect()
}

/// Returns the interior angle of a triangle at a vertex, in radians.
fn angle(positions: &[Vec3], corner: u32, next: u32, last: u32) -> f64 {
    let [corner, next, last] =
        [corner, next, last].map(|at| positions.get(at as usize).map_or([0.0; 3], |p| p.to_f64()));
    let to = |[x, y, z]: [f64; 3]| {
        let [at_x, at_y, at_z] = corner;
        [x - at_x, y - at_y, z - at_z]
    };
    let (to_next, to_last) = (to(next), to(last));
    double::length(double::cross(to_next, to_last)).atan2(double::dot(to_next, to_last))
}
