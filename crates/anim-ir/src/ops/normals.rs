//! Checks whether normals are consistent with the faces. Some exporters rotate only one of the two.

mod recompute;
mod turn;

use crate::math::double;
use crate::names::named;
use crate::{Mesh, MeshId, Scene, Topology, Vec3};
pub use turn::AxisTurn;

/// Minimum number of faces for a verdict. With fewer, several turns fit equally well.
const FEWEST: usize = 8;
/// Maximum angle between a face and its corrected normal, as a cosine: 60°. Smooth normals of
/// coarse shapes, averaged over the vertices of a face, are within this limit.
const NEAR: f64 = 0.5;
/// Minimum fraction of the faces, by number and by area, that a turn has to explain. One face in
/// twenty allows for slivers and stray faces; a shape of which a part was exported differently is
/// far below this limit.
const NEARLY_ALL: f64 = 0.95;
/// Minimum amount by which a turn must improve the mean cosine, compared to no turn and to every
/// other turn. For symmetric shapes, such as planes, several turns fit equally well.
const CLEARLY: f64 = 0.1;
/// Maximum fraction of faces with back-pointing normals that is tolerated without a report.
const STRAY: f64 = 0.1;
/// The approximate number of faces to sample from a large mesh.
const SAMPLE: usize = 256;
/// Mean cosine above which at most a fraction of [`STRAY`] of the faces can have wrong normals.
const FINE: f64 = 0.95;
/// Minimum volume of a closed shape for which inside and outside can be distinguished, divided by
/// its area to the power of 1.5. This ratio is 0.094 for a sphere.
const HOLLOW: f64 = 0.005;
/// Maximum length of the sum of all face area vectors, relative to the area. They cancel out for
/// closed shapes.
const CLOSED: f64 = 0.1;

/// How to handle normals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Normals {
    /// Keep normals unchanged.
    #[default]
    Keep,
    /// Rotate or mirror normals, or reverse faces, if a single turn explains nearly all of a mesh.
    Fix,
    /// Compute normals from the faces. Edges stay hard where the file splits vertices.
    Recompute,
}

named!(Normals, "normals option", {
    Keep => "keep",
    Fix => "fix",
    Recompute => "recompute",
});

/// Whether the normals of a mesh are consistent with its faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NormalsVerdict {
    /// The mesh has no normals or too few faces for a verdict.
    Unknown,
    /// No or few normals point to the back of their faces.
    Agree,
    /// This turn aligns nearly all normals with their faces.
    Turned(AxisTurn),
    /// The normals point outwards, but the faces are clockwise when seen from outside.
    FacesReversed,
    /// Many normals point to the back of their faces, and no single turn explains this.
    Disagree {
        /// The number of faces with normals that point to the back.
        against: usize,
        /// The number of faces that were examined: all with a non-zero area and a normal, or a
        /// sample of them.
        of: usize,
    },
}

/// A face: unit vectors for its front and its normal, and its area.
struct Face {
    front: [f64; 3],
    normal: [f64; 3],
    area: f64,
}

impl Mesh {
    /// Compares the normals with the fronts of the faces.
    ///
    /// A turn is one of the 48 rotations and reflections that map axes to axes. It has to bring
    /// 95 % of the faces, by number and by area, within 60° of their normals, and has to be clearly
    /// better than all other turns: if several fit equally well, the verdict is not
    /// [`NormalsVerdict::Turned`].
    ///
    /// For large meshes, only a few hundred faces spread over the mesh are examined, so meshes
    /// without a problem cost next to nothing. All faces are then examined if the sample suggests a
    /// repair or is too small for a verdict.
    pub fn normals_verdict(&self) -> NormalsVerdict {
        let step = self.count(Topology::Triangles).div_ceil(SAMPLE).max(1);
        match self.verdict_by(step) {
            NormalsVerdict::Unknown | NormalsVerdict::Turned(_) | NormalsVerdict::FacesReversed
                if step > 1 =>
            {
                self.verdict_by(1)
            }
            verdict => verdict,
        }
    }

    /// Returns the verdict based on every `step`-th face.
    fn verdict_by(&self, step: usize) -> NormalsVerdict {
        if self.normals.is_empty() {
            return NormalsVerdict::Unknown;
        }
        let faces: Vec<Face> = self.faces(step).collect();
        if faces.len() < FEWEST {
            return NormalsVerdict::Unknown;
        }
        // The correlation of each axis of the fronts with each axis of the normals. The mean cosine
        // after any turn is a sum of three of these nine elements.
        let mut shared = [[0.0; 3]; 3];
        for Face { front, normal, .. } in &faces {
            for (row, front) in shared.iter_mut().zip(front) {
                for (sum, normal) in row.iter_mut().zip(normal) {
                    *sum += front * normal;
                }
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "a mean")]
        let count = faces.len() as f64;
        let mean = |turn: AxisTurn| turn.sum(&shared) / count;
        let now = mean(AxisTurn::NONE);
        if now >= FINE {
            return NormalsVerdict::Agree;
        }
        let (best, at_best) = best(AxisTurn::all().map(|turn| (turn, mean(turn))));
        let others = AxisTurn::all().filter(|turn| *turn != best);
        let (_, second) = self::best(others.map(|turn| (turn, mean(turn))));
        if best != AxisTurn::NONE && at_best - second >= CLEARLY && explains(best, &faces) {
            return if best == AxisTurn::INVERSION && self.is_inside_out() {
                NormalsVerdict::FacesReversed
            } else {
                NormalsVerdict::Turned(best)
            };
        }
        let is_against = |face: &&Face| double::dot(face.front, face.normal) < 0.0;
        let against = faces.iter().filter(is_against).count();
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        let share = against as f64 / count;
        if share > STRAY {
            NormalsVerdict::Disagree { against, of: faces.len() }
        } else {
            NormalsVerdict::Agree
        }
    }

    /// Returns those of every `step`-th triangle that have an area and a normal.
    fn faces(&self, step: usize) -> impl Iterator<Item = Face> {
        self.triangles(step).filter_map(|corners| {
            let (double_area, _) = front(&self.positions, corners)?;
            let [a, b, c] = corners.map(|corner| self.normals.get(corner as usize));
            let (a, b, c) = (a?.to_f64(), b?.to_f64(), c?.to_f64());
            let sum = [0, 1, 2].map(|axis: usize| part(a, axis) + part(b, axis) + part(c, axis));
            let area = double::length(double_area) / 2.0;
            let (front, normal) = (double::unit(double_area)?, double::unit(sum)?);
            Some(Face { front, normal, area })
        })
    }

    /// Returns the vertices of every `step`-th triangle of each primitive.
    fn triangles(&self, step: usize) -> impl Iterator<Item = [u32; 3]> {
        let parts = self.primitives.iter().filter(|part| part.topology == Topology::Triangles);
        parts.flat_map(move |part| part.indices.as_chunks::<3>().0.iter().step_by(step)).copied()
    }

    /// Whether the mesh is closed and its faces point inwards.
    fn is_inside_out(&self) -> bool {
        let Some(centre) = self.positions.first().map(|first| first.to_f64()) else { return false };
        let (mut volume, mut area, mut rest) = (0.0, 0.0, [0.0; 3]);
        for corners in self.triangles(1) {
            let Some((double_area, first)) = front(&self.positions, corners) else { continue };
            let away = [0, 1, 2].map(|axis: usize| part(first, axis) - part(centre, axis));
            volume += double::dot(double_area, away) / 6.0;
            area += double::length(double_area) / 2.0;
            rest.iter_mut().zip(double_area).for_each(|(sum, part)| *sum += part / 2.0);
        }
        double::length(rest) <= CLOSED * area && volume < -HOLLOW * area.powf(1.5)
    }

    /// Applies a turn to the normals, including the normals of morph targets.
    fn turn_normals(&mut self, turn: AxisTurn) {
        let targets = self.morph_targets.iter_mut().flat_map(|target| &mut target.normals);
        for normal in self.normals.iter_mut().chain(targets) {
            *normal = turn.apply(*normal);
        }
    }

    /// Reverses the winding of every triangle.
    fn reverse_faces(&mut self) {
        for part in &mut self.primitives {
            if part.topology == Topology::Triangles {
                part.indices.as_chunks_mut::<3>().0.iter_mut().for_each(|[_, b, c]| {
                    std::mem::swap(b, c);
                });
            }
        }
    }
}

impl Scene {
    /// Treats the normals of all meshes as requested. Returns what [`Normals::Fix`] found:
    /// [`NormalsVerdict::Turned`] and [`NormalsVerdict::FacesReversed`] are repaired,
    /// [`NormalsVerdict::Disagree`] is left unchanged; meshes without a problem are not listed.
    pub fn treat_normals(&mut self, normals: Normals) -> Vec<(MeshId, NormalsVerdict)> {
        let mut found = Vec::new();
        for (number, mesh) in self.meshes.iter_mut().enumerate() {
            match normals {
                Normals::Keep => break,
                Normals::Recompute => mesh.recompute_normals(),
                Normals::Fix => {
                    let verdict = mesh.normals_verdict();
                    match verdict {
                        NormalsVerdict::Unknown | NormalsVerdict::Agree => continue,
                        NormalsVerdict::Turned(turn) => mesh.turn_normals(turn),
                        NormalsVerdict::FacesReversed => mesh.reverse_faces(),
                        NormalsVerdict::Disagree { .. } => {}
                    }
                    found.push((MeshId::new(number), verdict));
                }
            }
        }
        found
    }
}

/// Returns the area vector of a triangle, which points to its front with a length of twice the
/// area, and the first vertex. `None` for slivers, whose direction is dominated by rounding errors.
fn front(positions: &[Vec3], corners: [u32; 3]) -> Option<([f64; 3], [f64; 3])> {
    let [a, b, c] = corners.map(|corner| positions.get(corner as usize));
    let a = a?.to_f64();
    let to = |other: Vec3| {
        let other = other.to_f64();
        [0, 1, 2].map(|axis: usize| part(other, axis) - part(a, axis))
    };
    let (ab, ac) = (to(*b?), to(*c?));
    let front = double::cross(ab, ac);
    let (square, sides) = (double::dot(front, front), double::dot(ab, ab) * double::dot(ac, ac));
    (square > 1e-12 * sides).then_some((front, a))
}

fn part(vector: [f64; 3], axis: usize) -> f64 {
    vector.get(axis).copied().unwrap_or_default()
}

fn best(turns: impl Iterator<Item = (AxisTurn, f64)>) -> (AxisTurn, f64) {
    let better = |best: (AxisTurn, f64), next: (AxisTurn, f64)| {
        if next.1 > best.1 { next } else { best }
    };
    turns.fold((AxisTurn::NONE, f64::NEG_INFINITY), better)
}

/// Whether a turn aligns nearly all normals with their faces.
fn explains(turn: AxisTurn, faces: &[Face]) -> bool {
    let (mut near, mut all) = ([0.0; 2], [0.0; 2]);
    for face in faces {
        let is_near = double::dot(face.front, turn.apply_f64(face.normal)) > NEAR;
        for (at, weight) in [1.0, face.area].into_iter().enumerate() {
            if let (Some(near), Some(all)) = (near.get_mut(at), all.get_mut(at)) {
                *near += if is_near { weight } else { 0.0 };
                *all += weight;
            }
        }
    }
    near.iter().zip(all).all(|(near, all)| *near >= NEARLY_ALL * all)
}

#[cfg(test)]
mod tests;
