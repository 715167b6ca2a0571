//! Rotations and reflections that map axes to axes.

use std::fmt;

use crate::Vec3;

/// One of the 48 mappings of axes to axes: 24 rotations, with or without a reflection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AxisTurn {
    /// For each component of the result: the source component and whether its sign changes.
    axes: [(usize, bool); 3],
}

const AXES: [&str; 3] = ["x", "y", "z"];

impl AxisTurn {
    /// The identity.
    pub const NONE: AxisTurn = AxisTurn { axes: [(0, false), (1, false), (2, false)] };
    /// The inversion, which reverses every direction.
    pub const INVERSION: AxisTurn = AxisTurn { axes: [(0, true), (1, true), (2, true)] };

    /// Returns all 48 mappings, starting with [`AxisTurn::NONE`].
    pub fn all() -> impl Iterator<Item = AxisTurn> {
        const ORDERS: [[usize; 3]; 6] =
            [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        ORDERS.into_iter().flat_map(|[a, b, c]| {
            (0..8_u8).map(move |signs| AxisTurn {
                axes: [(a, signs & 1 > 0), (b, signs & 2 > 0), (c, signs & 4 > 0)],
            })
        })
    }

    /// Applies the turn to a direction.
    #[must_use]
    pub fn apply(self, vector: Vec3) -> Vec3 {
        let components = vector.to_array();
        let [x, y, z] = self.axes.map(|(from, is_opposite)| {
            let component = components.get(from).copied().unwrap_or_default();
            // Subtracting from 0 avoids negative zero.
            if is_opposite { 0.0 - component } else { component }
        });
        Vec3::new(x, y, z)
    }

    pub(super) fn apply_f64(self, vector: [f64; 3]) -> [f64; 3] {
        self.axes.map(|(from, is_opposite)| {
            let component = vector.get(from).copied().unwrap_or_default();
            if is_opposite { -component } else { component }
        })
    }

    /// Returns the sum of the dot products of each `a` with its turned `b`. Row i, column j of
    /// `shared` is the sum of the products of component i of `a` and component j of `b`.
    pub(super) fn sum(self, shared: &[[f64; 3]; 3]) -> f64 {
        let parts = self.axes.iter().zip(shared).map(|((from, is_opposite), row)| {
            let part = row.get(*from).copied().unwrap_or_default();
            if *is_opposite { -part } else { part }
        });
        parts.sum()
    }

    /// Returns the axis that is mapped to itself or its opposite, if there is exactly one.
    fn unmoved(self) -> Option<&'static str> {
        let is_unmoved = |(axis, (from, _)): &(usize, (usize, bool))| axis == from;
        let mut unmoved = (0..).zip(self.axes).filter(is_unmoved);
        let (axis, _) = unmoved.next()?;
        unmoved.next().is_none().then(|| AXES.get(axis).copied())?
    }
}

impl fmt::Display for AxisTurn {
    /// Completes a sentence that begins "the normals are": `rotated 180° about z`, `inverted`,
    /// `mirrored along x`, `with y and z swapped`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signs = self.axes.map(|(_, is_opposite)| is_opposite);
        let orders = self.axes.map(|(from, _)| from);
        let one = |wanted: bool| {
            let at = signs.iter().position(|sign| *sign == wanted);
            at.and_then(|at| AXES.get(at)).copied().unwrap_or_default()
        };
        let opposites = signs.iter().filter(|sign| **sign).count();
        match (orders == [0, 1, 2], opposites, self.unmoved()) {
            (true, 0, _) => f.write_str("correct"),
            (true, 1, _) => write!(f, "mirrored along {}", one(true)),
            (true, 2, _) => write!(f, "rotated 180° about {}", one(false)),
            (true, ..) => f.write_str("inverted"),
            // A rotation by 90° about an axis changes the sign of one of the other axes.
            (false, 1, Some(axis)) if one(true) != axis => {
                write!(f, "rotated 90° about {axis}")
            }
            (false, 0, Some(axis)) => {
                let mut others = AXES.into_iter().filter(|other| *other != axis);
                let (a, b) = (others.next().unwrap_or_default(), others.next().unwrap_or_default());
                write!(f, "with {a} and {b} swapped")
            }
            _ => {
                let [x, y, z] = self.axes.map(|(from, is_opposite)| {
                    let sign = if is_opposite { "-" } else { "" };
                    format!("{sign}{}", AXES.get(from).copied().unwrap_or_default())
                });
                write!(f, "on different axes: (x, y, z) should be ({x}, {y}, {z})")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_48_turns_are_distinct() {
        let place = |turn: AxisTurn| turn.apply(Vec3::new(1.0, 2.0, 3.0)).to_array();
        let mut places: Vec<String> =
            AxisTurn::all().map(|turn| format!("{:?}", place(turn))).collect();
        assert_eq!(AxisTurn::all().next(), Some(AxisTurn::NONE));
        places.sort();
        places.dedup();
        assert_eq!(places.len(), 48);
        let mut names: Vec<String> = AxisTurn::all().map(|turn| turn.to_string()).collect();
        names.sort();
        names.dedup();
        // For each of the three axes, a rotation by 90° and its inverse share a name.
        assert_eq!(names.len(), 45);
    }

    #[test]
    fn common_turns_have_descriptive_names() {
        let named = |axes| AxisTurn { axes }.to_string();
        assert_eq!(named([(0, true), (1, true), (2, false)]), "rotated 180° about z");
        assert_eq!(named([(0, true), (1, true), (2, true)]), "inverted");
        assert_eq!(named([(0, false), (1, true), (2, false)]), "mirrored along y");
        assert_eq!(named([(2, false), (1, false), (0, true)]), "rotated 90° about y");
        assert_eq!(named([(0, false), (2, false), (1, false)]), "with y and z swapped");
        assert_eq!(
            named([(1, false), (2, true), (0, false)]),
            "on different axes: (x, y, z) should be (y, -z, x)"
        );
    }
}
