//! The common form of all kinds of geometry.

use std::borrow::Cow;

use anim_ir::{Topology, Vec3};

/// A geometry: points, and faces as lists of indices into them.
pub(super) struct Form<'a> {
    /// The type of the faces: polygons (not yet triangulated), polylines, or points.
    pub(super) topology: Topology,
    pub(super) points: Vec<Vec3>,
    /// The point indices of the faces, separated by -1.
    pub(super) index: Cow<'a, [i32]>,
    pub(super) normals: Option<Attribute<'a, Vec3>>,
    pub(super) colors: Option<Attribute<'a, [f32; 4]>>,
    pub(super) texcoords: Option<Attribute<'a, [f32; 2]>>,
    /// The crease angle in radians. If the file has no normals, an edge is smooth if the normals of
    /// its faces differ by less than this.
    pub(super) crease_angle: f32,
    /// Whether faces are counter-clockwise as seen from the front.
    pub(super) ccw: bool,
    pub(super) double_sided: bool,
}

/// An attribute of face corners, such as normals.
pub(super) struct Attribute<'a, T> {
    pub(super) values: Vec<T>,
    pub(super) index: Index<'a>,
}

/// How values are assigned to the corners of faces.
pub(super) enum Index<'a> {
    /// The index of the corner's point selects the value.
    Point,
    /// An index list parallel to that of the faces, including each -1, selects the value.
    Corner(Cow<'a, [i32]>),
    /// One value per corner, in order.
    CornerOrder,
    /// An index list with one index per face selects the value.
    Face(Cow<'a, [i32]>),
    /// One value per face, in order.
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

    /// Returns the index list without a trailing -1.
    pub(super) fn indices(&self) -> &[i32] {
        self.index.strip_suffix(&[-1]).unwrap_or(&self.index)
    }

    /// Returns the point indices of each face.
    pub(super) fn faces(&self) -> impl Iterator<Item = &[i32]> {
        let indices = self.indices();
        (!indices.is_empty()).then(|| indices.split(|index| *index == -1)).into_iter().flatten()
    }

    /// Returns the valid indices and the points they refer to.
    pub(super) fn used_points(&self) -> impl Iterator<Item = (usize, Vec3)> {
        self.index.iter().filter_map(|index| {
            let index = usize::try_from(*index).ok()?;
            Some((index, *self.points.get(index)?))
        })
    }
}
