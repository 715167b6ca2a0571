//! One form for all kinds of geometry.

use std::borrow::Cow;

use anim_ir::{Topology, Vec3};

/// A geometry: points, and faces as lists of indices into them.
pub(super) struct Form<'a> {
    /// What the faces are: polygons that are yet to be cut into triangles, polylines, or points.
    pub(super) topology: Topology,
    pub(super) points: Vec<Vec3>,
    /// The points of one face after the other, with -1 between them.
    pub(super) index: Cow<'a, [i32]>,
    pub(super) normals: Option<Attribute<'a, Vec3>>,
    pub(super) colors: Option<Attribute<'a, [f32; 4]>>,
    pub(super) texcoords: Option<Attribute<'a, [f32; 2]>>,
    /// Radians. Where the file has no normals, edges between faces whose normals are less than this
    /// apart are smooth.
    pub(super) crease_angle: f32,
    /// Whether faces are seen counter-clockwise from their front.
    pub(super) ccw: bool,
    pub(super) double_sided: bool,
}

/// What corners have beside their point.
pub(super) struct Attribute<'a, T> {
    pub(super) values: Vec<T>,
    pub(super) index: Index<'a>,
}

/// Which value a corner of a face has.
pub(super) enum Index<'a> {
    /// That of its point's index.
    Point,
    /// That of the index in the same place of a list like the faces'.
    Corner(Cow<'a, [i32]>),
    /// The first corner has the first value, and so on.
    CornerOrder,
    /// That of the face's index in a list.
    Face(Cow<'a, [i32]>),
    /// The first face has the first value, and so on.
    FaceOrder,
    /// All corners have the first value.
    First,
}

impl<'a> Form<'a> {
    pub(super) const fn new(
        topology: Topology,
        points: Vec<Vec3>,
        index: Cow<'a, [i32]>,
    ) -> Form<'a> {
        Form {
            topology,
            points,
            index,
            normals: None,
            colors: None,
            texcoords: None,
            crease_angle: 0.0,
            ccw: true,
            double_sided: false,
        }
    }

    /// The index list without a -1 at its end.
    pub(super) fn indices(&self) -> &[i32] {
        self.index.strip_suffix(&[-1]).unwrap_or(&self.index)
    }

    /// The points of each face.
    pub(super) fn faces(&self) -> impl Iterator<Item = &[i32]> {
        let indices = self.indices();
        (!indices.is_empty()).then(|| indices.split(|index| *index == -1)).into_iter().flatten()
    }

    /// The points of an index that are there.
    pub(super) fn used_points(&self) -> impl Iterator<Item = (usize, Vec3)> {
        self.index.iter().filter_map(|index| {
            let index = usize::try_from(*index).ok()?;
            Some((index, *self.points.get(index)?))
        })
    }
}
