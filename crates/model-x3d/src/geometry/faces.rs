//! Checks and triangulates faces.

use std::iter::repeat_n;

use anim_ir::number::index32;
use anim_ir::{Budget, Diagnostics, LimitError, Span, Topology, Vec3, triangulate};

use super::form::{Attribute, Form, Index};
use crate::codes;
use crate::math::pick;

/// The corners of all faces, face by face. Each list is empty or as long as `points`.
#[derive(Debug, Default)]
pub(super) struct Corners {
    pub(super) points: Vec<u32>,
    pub(super) normals: Vec<u32>,
    pub(super) colors: Vec<u32>,
    pub(super) texcoords: Vec<u32>,
}

/// The valid faces of a geometry, counter-clockwise as seen from the front.
#[derive(Debug, Default)]
pub(super) struct Faces {
    pub(super) corners: Corners,
    /// The end of each face's corners.
    pub(super) ends: Vec<u32>,
    /// The corners of triangles, line segments or points.
    pub(super) elements: Vec<u32>,
}

/// The position of a face in the index list.
#[derive(Clone, Copy, Default)]
struct Place {
    face: usize,
    /// The position of the face's first index, counting the -1s.
    index: usize,
    /// The position of the face's first corner, not counting the -1s.
    corner: usize,
}

/// Reasons for dropping a face.
enum Invalid {
    Index { of: &'static str, index: i32, count: usize },
    Limit(LimitError),
}

impl Faces {
    /// Builds the faces of a form. Invalid faces are reported at `span`.
    pub(super) fn read(
        form: &Form<'_>,
        span: Span,
        budget: &Budget,
        diagnostics: &mut Diagnostics,
    ) -> Faces {
        let mut faces = Faces::default();
        faces.corners.points.reserve(form.index.len());
        let mut place = Place::default();
        let what = match form.topology {
            Topology::Points => "point",
            Topology::Lines => "line",
            Topology::Triangles => "face",
        };
        for points in form.faces() {
            let face = place.face;
            if points.len() < form.topology.corners() {
                let corners = anim_ir::diag::plural(points.len(), "corner");
                diagnostics
                    .push(&codes::FACE_CORNERS, span, || format!("{what} {face} has {corners}"));
            } else if let Err(invalid) = faces.push(form, points, place, budget) {
                faces.corners.truncate(faces.ends.last().map_or(0, |end| *end as usize));
                match invalid {
                    Invalid::Index { of, index, count } => {
                        diagnostics.push(&codes::INDEX, span, || {
                            format!(
                                "{of} index {index} in {what} {face} is out of range; the count is \
                                {count}"
                            )
                        });
                    }
                    Invalid::Limit(error) => {
                        diagnostics.push(&codes::GEOMETRY_LIMIT, span, || error.to_string())
                    }
                }
            }
            place.face = face.saturating_add(1);
            place.index = place.index.saturating_add(points.len()).saturating_add(1);
            place.corner = place.corner.saturating_add(points.len());
        }
        faces
    }

    fn push(
        &mut self,
        form: &Form<'_>,
        points: &[i32],
        place: Place,
        budget: &Budget,
    ) -> Result<(), Invalid> {
        let start = self.corners.points.len();
        let corners = &mut self.corners;
        resolve(&mut corners.points, points.iter().copied(), "coordinate", form.points.len())?;
        extend(&mut corners.normals, form.normals.as_ref(), "normal", points, place)?;
        extend(&mut corners.colors, form.colors.as_ref(), "colour", points, place)?;
        extend(
            &mut corners.texcoords,
            form.texcoords.as_ref(),
            "texture coordinate",
            points,
            place,
        )?;
        if !form.ccw {
            corners.reverse(start);
        }
        let end = corners.points.len();
        let (first, last) = (index32(start), index32(end));
        match form.topology {
            Topology::Points => self.elements.extend(first..last),
            Topology::Lines => self
                .elements
                .extend((first..last).zip(first.saturating_add(1)..last).flat_map(|(a, b)| [a, b])),
            Topology::Triangles if points.len() == 3 => self.elements.extend(first..last),
            Topology::Triangles => {
                let positions: Vec<Vec3> =
                    pick(corners.points.get(start..).unwrap_or_default(), &form.points);
                let triangles = triangulate(&positions, budget.limits()).map_err(Invalid::Limit)?;
                let corners = triangles.into_iter().flatten();
                self.elements.extend(corners.map(|corner| first.saturating_add(index32(corner))));
            }
        }
        self.ends.push(last);
        Ok(())
    }
}

impl Corners {
    fn lists(&mut self) -> [&mut Vec<u32>; 4] {
        [&mut self.points, &mut self.normals, &mut self.colors, &mut self.texcoords]
    }

    fn truncate(&mut self, len: usize) {
        self.lists().into_iter().for_each(|list| list.truncate(len));
    }

    fn reverse(&mut self, start: usize) {
        self.lists()
            .into_iter()
            .filter_map(|list| list.get_mut(start..))
            .for_each(<[u32]>::reverse);
    }
}

/// Appends the index of an attribute's value for each corner of a face.
fn extend<T>(
    list: &mut Vec<u32>,
    attribute: Option<&Attribute<'_, T>>,
    of: &'static str,
    points: &[i32],
    place: Place,
) -> Result<(), Invalid> {
    let Some(Attribute { values, index }) = attribute else { return Ok(()) };
    let corners = points.len();
    match index {
        Index::Point => resolve(list, points.iter().copied(), of, values.len()),
        Index::Corner(indices) => {
            let indices =
                indices.get(place.index..place.index.saturating_add(corners)).unwrap_or_default();
            resolve(list, indices.iter().copied(), of, values.len())
        }
        Index::CornerOrder => {
            list.extend(index32(place.corner)..index32(place.corner.saturating_add(corners)));
            Ok(())
        }
        Index::Face(indices) => resolve(
            list,
            repeat_n(indices.get(place.face).copied().unwrap_or(-1), corners),
            of,
            values.len(),
        ),
        Index::FaceOrder => {
            list.extend(repeat_n(index32(place.face), corners));
            Ok(())
        }
        Index::First => {
            list.extend(repeat_n(0, corners));
            Ok(())
        }
    }
}

fn resolve(
    list: &mut Vec<u32>,
    indices: impl Iterator<Item = i32>,
    of: &'static str,
    count: usize,
) -> Result<(), Invalid> {
    for index in indices {
        match u32::try_from(index) {
            Ok(valid) if (valid as usize) < count => list.push(valid),
            _ => return Err(Invalid::Index { of, index, count }),
        }
    }
    Ok(())
}
