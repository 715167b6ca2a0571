//! Converts face corners to vertices. Equal corners share a vertex.

use anim_ir::number::index32;

use super::faces::Faces;
use crate::math::pick;

/// The vertices of a mesh, in order of first use. Lists are as long as `points`,
/// or empty.
pub(super) struct Vertices {
    pub(super) points: Vec<u32>,
    pub(super) normals: Vec<u32>,
    pub(super) colors: Vec<u32>,
    pub(super) texcoords: Vec<u32>,
    /// The vertex of each corner.
    pub(super) of_corner: Vec<u32>,
}

/// Maximum number of a point's vertices that a corner is compared with. If none of them is equal,
/// the corner gets a new vertex, so that a point with a hundred thousand colours does not take
/// quadratic time.
const COMPARED: usize = 32;

const NONE: u32 = u32::MAX;

impl Vertices {
    /// Returns the vertices of faces with this many points, whose corners have the values with
    /// their indices.
    pub(super) fn of(
        faces: &Faces,
        points: usize,
        colors: Option<&[[f32; 4]]>,
        texcoords: Option<&[[f32; 2]]>,
    ) -> Vertices {
        let corners = &faces.corners;
        // Compare normals by index, since other frames may have different values. Compare colours
        // and texture coordinates by value, since exporters repeat them for every corner.
        let alike = |a: u32, b: u32| {
            let [a, b] = [a, b].map(|corner| corner as usize);
            corners.normals.get(a) == corners.normals.get(b)
                && colors.is_none_or(|colors| {
                    value(&corners.colors, colors, a) == value(&corners.colors, colors, b)
                })
                && texcoords.is_none_or(|texcoords| {
                    value(&corners.texcoords, texcoords, a)
                        == value(&corners.texcoords, texcoords, b)
                })
        };
        // The vertices of a point form a linked list: the latest vertex of the point, and for each
        // vertex, the previous vertex and the corner it was created from.
        let mut latest = vec![NONE; points];
        let mut made: Vec<(u32, u32)> = Vec::new();
        let mut of_corner = Vec::with_capacity(corners.points.len());
        for (corner, point) in (0_u32..).zip(&corners.points) {
            let Some(latest) = latest.get_mut(*point as usize) else { continue };
            let of_point = std::iter::successors(Some(*latest), |vertex| {
                made.get(*vertex as usize).map(|(before, _)| *before)
            });
            let found = of_point.take(COMPARED).find(|vertex| {
                made.get(*vertex as usize).is_some_and(|(_, first)| alike(*first, corner))
            });
            of_corner.push(found.unwrap_or_else(|| {
                made.push((*latest, corner));
                *latest = index32(made.len().saturating_sub(1));
                *latest
            }));
        }
        let firsts: Vec<u32> = made.into_iter().map(|(_, corner)| corner).collect();
        let of_firsts =
            |list: &[u32]| if list.is_empty() { Vec::new() } else { pick(&firsts, list) };
        Vertices {
            points: of_firsts(&corners.points),
            normals: of_firsts(&corners.normals),
            colors: of_firsts(&corners.colors),
            texcoords: of_firsts(&corners.texcoords),
            of_corner,
        }
    }
}

fn value<'a, T>(indices: &[u32], values: &'a [T], corner: usize) -> Option<&'a T> {
    values.get(*indices.get(corner)? as usize)
}
