//! The common form of all kinds of geometry.

use std::borrow::Cow;

use anim_ir::number::index32;
use anim_ir::{Topology, Vec3, sort_by};

/// A geometry: points, and faces as lists of indices into them.
pub(super) struct Form<'a> {
    /// The type of the faces: polygons (not yet triangulated), polylines, or points.
    pub(super) topology: Topology,
    pub(super) points: Cow<'a, [Vec3]>,
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
    pub(super) values: Values<'a, T>,
    pub(super) index: Index<'a>,
}

/// A list of values. Many geometries may share a long list of which each uses little, so values are
/// only computed where they are used.
pub(super) struct Values<'a, T> {
    len: usize,
    value: Box<dyn Fn(usize) -> Option<T> + 'a>,
}

impl<'a, T: Copy + Default + 'a> Values<'a, T> {
    pub(super) fn new(len: usize, value: impl Fn(usize) -> Option<T> + 'a) -> Values<'a, T> {
        Values { len, value: Box::new(value) }
    }

    pub(super) fn of(list: impl Into<Cow<'a, [T]>>) -> Values<'a, T> {
        let list = list.into();
        Values::new(list.len(), move |number| list.get(number).copied())
    }

    /// Applies a function to every value.
    pub(super) fn map(self, function: impl Fn(T) -> T + 'a) -> Values<'a, T> {
        Values::new(self.len, move |number| (self.value)(number).map(&function))
    }

    /// Returns the values that the indices refer to. If these are few, the indices are changed to
    /// refer to the result, and otherwise the result contains all values.
    pub(super) fn used(&self, indices: &mut [u32]) -> Vec<T> {
        let value = |number: usize| (self.value)(number).unwrap_or_default();
        match renumber(indices, self.len) {
            Some(used) => used.into_iter().map(|number| value(number as usize)).collect(),
            None => (0..self.len).map(value).collect(),
        }
    }
}

impl<T> Values<'_, T> {
    pub(super) const fn len(&self) -> usize {
        self.len
    }
}

/// If a list is much longer than the number of indices, changes these to refer to the used items
/// only, and returns the indices of those in the list.
pub(super) fn renumber(indices: &mut [u32], len: usize) -> Option<Vec<u32>> {
    const RATIO: usize = 4;
    if len <= indices.len().saturating_mul(RATIO) {
        return None;
    }
    let mut used = indices.to_vec();
    sort_by(&mut used, Ord::cmp);
    used.dedup();
    for index in indices {
        *index = index32(used.partition_point(|number| number < index));
    }
    Some(used)
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
        points: Cow<'a, [Vec3]>,
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
