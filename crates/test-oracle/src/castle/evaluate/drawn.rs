//! Visible geometry in world space: polygons, lines, points and solids. Polygons, lines and points
//! are built from index lists.

use crate::math::{Mat4, transform_point};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// The point in world space.
    pub place: [f64; 3],
    /// The texture coordinates as stored in the file (v up), if any.
    pub texcoord: Option<[f64; 2]>,
}

#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// The listed polygons with at least three corners.
    pub faces: Vec<Vec<Corner>>,
    pub lines: Vec<[[f64; 3]; 2]>,
    pub points: Vec<[f64; 3]>,
    /// Solids with an analytic surface.
    pub primitives: Vec<Primitive>,
}

impl Drawn {
    /// Returns all points, and the bounding box corners of solids.
    pub fn all_points(&self) -> Vec<[f64; 3]> {
        let mut points: Vec<_> = self.faces.iter().flatten().map(|corner| corner.place).collect();
        points.extend(self.lines.as_flattened());
        points.extend(&self.points);
        points.extend(self.primitives.iter().flat_map(Primitive::box_corners));
        points
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    pub solid: Solid,
    /// The matrix from local space to world space.
    pub world: Mat4,
}

/// A solid centred at the origin, with its axis along y.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub enum Solid {
    Box { size: [f64; 3] },
    Sphere { radius: f64 },
    Cone { bottom_radius: f64, height: f64, side: bool, bottom: bool },
    Cylinder { radius: f64, height: f64, side: bool, top: bool, bottom: bool },
}

impl Primitive {
    /// Returns half the size of the solid along its own axes.
    fn half_size(&self) -> [f64; 3] {
        match self.solid {
            Solid::Box { size } => size.map(|side| side / 2.0),
            Solid::Sphere { radius } => [radius; 3],
            Solid::Cone { bottom_radius: radius, height, .. }
            | Solid::Cylinder { radius, height, .. } => [radius, height / 2.0, radius],
        }
    }

    /// Returns the corners of the solid's local bounding box, in world space.
    fn box_corners(&self) -> Vec<[f64; 3]> {
        let sign = |corner: usize, axis: usize| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 };
        let half = self.half_size();
        let local =
            (0..8).map(|corner| std::array::from_fn(|axis| half[axis] * sign(corner, axis)));
        local.map(|corner| transform_point(&self.world, corner)).collect()
    }
}

pub(super) struct Faces<'a> {
    pub(super) world: Mat4,
    pub(super) coordinates: &'a [[f64; 3]],
    pub(super) texcoords: &'a [[f64; 2]],
    pub(super) drawn: &'a mut Drawn,
}

impl Faces<'_> {
    fn place(&self, point: usize) -> [f64; 3] {
        transform_point(&self.world, self.coordinates[point])
    }

    /// Adds a polygon with texture coordinates, unless it has fewer than three corners.
    pub(super) fn add_face(&mut self, corners: &[(usize, Option<usize>)]) {
        if corners.len() >= 3 {
            let corner = |&(point, texcoord): &(usize, Option<usize>)| Corner {
                place: self.place(point),
                texcoord: texcoord.map(|i| self.texcoords[i]),
            };
            self.drawn.faces.push(corners.iter().map(corner).collect());
        }
    }

    /// Adds a polygon whose points and texture coordinates share indices.
    pub(super) fn add_plain(&mut self, points: &[usize]) {
        let textured = !self.texcoords.is_empty();
        let corners = points.iter().map(|&point| (point, textured.then_some(point)));
        self.add_face(&corners.collect::<Vec<_>>());
    }

    /// Adds polygons terminated by negative indices. If there are no indices of texture
    /// coordinates, the indices of the points are used for both.
    pub(super) fn add_indexed(&mut self, points: &[i64], texcoords: &[i64]) {
        let polygons = lists(points);
        if self.texcoords.is_empty() || texcoords.is_empty() {
            return polygons.iter().for_each(|polygon| self.add_plain(polygon));
        }
        let numbers = lists(texcoords);
        assert_eq!(
            polygons.len(),
            numbers.len(),
            "the numbers of polygons in the two lists differ"
        );
        for (polygon, numbers) in polygons.iter().zip(&numbers) {
            assert_eq!(
                polygon.len(),
                numbers.len(),
                "the numbers of corners and texture coordinates differ"
            );
            let corners =
                polygon.iter().zip(numbers).map(|(&point, &number)| (point, Some(number)));
            self.add_face(&corners.collect::<Vec<_>>());
        }
    }

    /// Calls `add` for each list.
    pub(super) fn each(&mut self, lists: Vec<Vec<usize>>, add: fn(&mut Self, &[usize])) {
        lists.iter().for_each(|list| add(self, list));
    }

    pub(super) fn add_triangles(&mut self, points: &[usize]) {
        points.chunks_exact(3).for_each(|group| self.add_plain(group));
    }

    pub(super) fn add_fan(&mut self, points: &[usize]) {
        (2..points.len()).for_each(|i| self.add_plain(&[points[0], points[i - 1], points[i]]));
    }

    /// Adds a triangle strip. Every other triangle of a strip has the opposite winding.
    pub(super) fn add_strip(&mut self, points: &[usize]) {
        for (i, triangle) in points.windows(3).enumerate() {
            let [a, b, c] = [triangle[0], triangle[1], triangle[2]];
            self.add_plain(&if i.is_multiple_of(2) { [a, b, c] } else { [b, a, c] });
        }
    }

    pub(super) fn add_line(&mut self, points: &[usize]) {
        for ends in points.windows(2) {
            self.drawn.lines.push([self.place(ends[0]), self.place(ends[1])]);
        }
    }

    pub(super) fn add_point(&mut self, point: usize) {
        self.drawn.points.push(self.place(point));
    }
}

pub(super) fn unsigned(numbers: &[i64]) -> Vec<usize> {
    numbers.iter().map(|&number| usize::try_from(number).expect("an index")).collect()
}

/// Splits an index list at negative numbers.
pub(super) fn lists(numbers: &[i64]) -> Vec<Vec<usize>> {
    let mut lists: Vec<Vec<usize>> = numbers.split(|&number| number < 0).map(unsigned).collect();
    if numbers.last().is_none_or(|&last| last < 0) {
        lists.pop();
    }
    lists
}

/// Splits an index list into lists of the given lengths.
pub(super) fn counted(numbers: &[usize], counts: &[i64]) -> Vec<Vec<usize>> {
    let mut rest = numbers;
    let mut lists = Vec::new();
    for count in unsigned(counts) {
        let (list, behind) = rest.split_at(count);
        lists.push(list.to_vec());
        rest = behind;
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_lists_end_with_negative_numbers() {
        assert_eq!(lists(&[0, 1, -1, 2, 3, -1]), [[0, 1], [2, 3]]);
        assert_eq!(lists(&[0, 1, -1, 2, 3]), [[0, 1], [2, 3]]);
        assert!(lists(&[]).is_empty());
        assert_eq!(lists(&[-1, 4, -1]), [vec![], vec![4]]);
    }
}
