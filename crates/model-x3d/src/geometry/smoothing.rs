//! Computes normals from a crease angle if the file has none (ISO/IEC 19775-1,
//! 11.2.3).

use anim_ir::Vec3;
use anim_ir::number::{index32, narrow};

use super::faces::Faces;
use crate::math::{add, cross, dot, subtract, unit};

/// The faces whose normals are averaged for each normal, weighted by area.
#[derive(Clone, Debug, Default)]
pub(super) struct Smoothing {
    /// The end of each normal's faces in `faces`.
    ends: Vec<u32>,
    faces: Vec<u32>,
    /// The end of each face's vertices in `vertices`.
    face_ends: Vec<u32>,
    vertices: Vec<u32>,
}

/// If more faces than this meet at a point, every edge there is smooth, since comparing all pairs
/// would be too slow.
const COMPARED: usize = 64;

/// Assigns a normal index to each corner; `None` if all edges are sharp.
///
/// A corner's normal is the mean over the faces at its point whose normals differ from the normal
/// of its own face by less than the crease angle (in radians). If the angle is π or more, these are
/// all faces at the point.
pub(super) fn groups(faces: &mut Faces, points: &[Vec3], crease_angle: f32) -> Option<Smoothing> {
    if crease_angle <= 0.0 {
        return None;
    }
    let corners = &faces.corners.points;
    let units: Vec<[f64; 3]> =
        face_normals(&faces.ends, corners, points).into_iter().map(unit).collect();
    let least_cosine = f64::from(crease_angle).cos();
    let smooth = |a: u32, b: u32| match (units.get(a as usize), units.get(b as usize)) {
        (Some(a), Some(b)) => dot(*a, *b) > least_cosine,
        _ => false,
    };

    let around = Around::of(faces, points.len());
    let mut smoothing = Smoothing::default();
    let mut normals = vec![0_u32; corners.len()];
    let mut masks: Vec<(u64, u32)> = Vec::new();
    for here in around.points() {
        if crease_angle >= std::f32::consts::PI || here.len() > COMPARED {
            let number = smoothing.push(here.iter().map(|(_, face)| *face));
            here.iter().for_each(|(corner, _)| set(&mut normals, *corner, number));
            continue;
        }
        // The faces that contribute to a corner's normal, as bits. Corners with equal bits share a
        // normal.
        masks.clear();
        for (at, (corner, face)) in here.iter().enumerate() {
            let mask = here.iter().enumerate().fold(0_u64, |mask, (other_at, (_, other))| {
                let together = at == other_at || smooth(*face, *other);
                mask | (u64::from(together) << other_at)
            });
            let number = masks
                .iter()
                .find(|(known, _)| *known == mask)
                .map(|(_, number)| *number)
                .unwrap_or_else(|| {
                    let members = here.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1);
                    let number = smoothing.push(members.map(|(_, (_, face))| *face));
                    masks.push((mask, number));
                    number
                });
            set(&mut normals, *corner, number);
        }
    }
    // If every normal is the normal of a single face, all edges are sharp.
    if smoothing.faces.len() == smoothing.ends.len() {
        return None;
    }
    faces.corners.normals = normals;
    Some(smoothing)
}

fn set(list: &mut [u32], at: u32, value: u32) {
    if let Some(slot) = list.get_mut(at as usize) {
        *slot = value;
    }
}

impl Smoothing {
    fn push(&mut self, faces: impl Iterator<Item = u32>) -> u32 {
        self.faces.extend(faces);
        self.ends.push(index32(self.faces.len()));
        index32(self.ends.len().saturating_sub(1))
    }

    /// Stores the vertices of each face, for computing normals in other frames.
    pub(super) fn of_vertices(self, face_ends: Vec<u32>, vertices: Vec<u32>) -> Smoothing {
        Smoothing { face_ends, vertices, ..self }
    }

    /// Returns the unit normals of the vertices at these positions; zero if the faces have no area.
    pub(super) fn normals(&self, positions: &[Vec3]) -> Vec<Vec3> {
        let of_faces = face_normals(&self.face_ends, &self.vertices, positions);
        let of_face = |face: &u32| of_faces.get(*face as usize).copied().unwrap_or_default();
        runs(&self.ends, &self.faces)
            .map(|faces| {
                let mut sum = [0.0; 3];
                let mut size = 0.0;
                for face in faces {
                    let normal = of_face(face);
                    sum = add(sum, normal);
                    size += dot(normal, normal).sqrt();
                }
                // If the two sides of a sheet cancel out, use the normal of the first face.
                let cancelled = dot(sum, sum).sqrt() <= size * 1e-6;
                let normal = if cancelled {
                    faces.iter().map(of_face).find(|n| *n != [0.0; 3]).unwrap_or_default()
                } else {
                    sum
                };
                Vec3::from(unit(normal).map(narrow))
            })
            .collect()
    }
}

/// The corners at each point, and their faces.
struct Around {
    ends: Vec<u32>,
    corners: Vec<(u32, u32)>,
}

impl Around {
    /// Sorts corners by point with a counting sort.
    fn of(faces: &Faces, points: usize) -> Around {
        let mut ends = vec![0_u32; points];
        for point in &faces.corners.points {
            if let Some(count) = ends.get_mut(*point as usize) {
                *count = count.saturating_add(1);
            }
        }
        let mut sum = 0_u32;
        for count in &mut ends {
            let start = sum;
            sum = sum.saturating_add(*count);
            *count = start;
        }
        // As corners are added, starts become ends.
        let mut corners = vec![(0, 0); faces.corners.points.len()];
        let mut corner = 0_u32;
        for (face, points) in (0_u32..).zip(runs(&faces.ends, &faces.corners.points)) {
            for point in points {
                if let Some(at) = ends.get_mut(*point as usize)
                    && let Some(slot) = corners.get_mut(*at as usize)
                {
                    *slot = (corner, face);
                    *at = at.saturating_add(1);
                }
                corner = corner.saturating_add(1);
            }
        }
        Around { ends, corners }
    }

    fn points(&self) -> impl Iterator<Item = &[(u32, u32)]> {
        runs(&self.ends, &self.corners).filter(|corners| !corners.is_empty())
    }
}

/// Splits a list at the given ends.
fn runs<'a, T>(ends: &'a [u32], list: &'a [T]) -> impl Iterator<Item = &'a [T]> {
    let mut start = 0;
    ends.iter().map(move |end| {
        let run = list.get(start..*end as usize).unwrap_or_default();
        start = *end as usize;
        run
    })
}

/// Returns the normal of each face, with twice the face's area as its length.
/// `list` holds the faces' corners as indices into `positions`.
fn face_normals(ends: &[u32], list: &[u32], positions: &[Vec3]) -> Vec<[f64; 3]> {
    let position = |at: &u32| {
        positions.get(*at as usize).copied().unwrap_or_default().to_array().map(f64::from)
    };
    runs(ends, list)
        .map(|face| {
            let Some((first, others)) = face.split_first() else { return [0.0; 3] };
            // The normal of a polygon, convex or not, is the sum of the normals of the triangles
            // of its fan.
            let first = position(first);
            let mut sum = [0.0; 3];
            let mut last = [0.0; 3];
            for corner in others {
                let edge = subtract(position(corner), first);
                sum = add(sum, cross(last, edge));
                last = edge;
            }
            sum
        })
        .collect()
}
