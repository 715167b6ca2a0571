//! Euler angles.

use crate::Quat;
use crate::file::number::narrow;
use crate::math::double;
use crate::math::trig::sin_cos;
use crate::names::named;

/// The order of the rotations about the axes, written as a matrix product: [`EulerOrder::Zyx`] is
/// Rz · Ry · Rx, which rotates about x first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EulerOrder {
    /// Rx · Ry · Rz.
    #[default]
    Xyz,
    /// Rx · Rz · Ry.
    Xzy,
    /// Ry · Rx · Rz.
    Yxz,
    /// Ry · Rz · Rx.
    Yzx,
    /// Rz · Rx · Ry.
    Zxy,
    /// Rz · Ry · Rx.
    Zyx,
}

impl EulerOrder {
    /// Returns the axes from left to right in the product, and 1 if they are in cyclic order,
    /// otherwise -1.
    const fn axes(self) -> ([usize; 3], f64) {
        match self {
            EulerOrder::Xyz => ([0, 1, 2], 1.0),
            EulerOrder::Xzy => ([0, 2, 1], -1.0),
            EulerOrder::Yxz => ([1, 0, 2], -1.0),
            EulerOrder::Yzx => ([1, 2, 0], 1.0),
            EulerOrder::Zxy => ([2, 0, 1], 1.0),
            EulerOrder::Zyx => ([2, 1, 0], -1.0),
        }
    }
}

named!(EulerOrder, "rotation order", {
    Xyz => "xyz",
    Xzy => "xzy",
    Yxz => "yxz",
    Yzx => "yzx",
    Zxy => "zxy",
    Zyx => "zyx",
});

impl Quat {
    /// Returns the rotation by three angles in radians, about x, y and z.
    pub fn from_euler(angles: [f64; 3], order: EulerOrder) -> Quat {
        let [x, y, z] = angles;
        let halves = [sin_cos(0.5 * x), sin_cos(0.5 * y), sin_cos(0.5 * z)];
        Quat::from_half_angles(halves, order)
    }

    /// Returns the rotation by three angles about x, y and z, given the sine and cosine of half of
    /// each angle, for formats that can look them up.
    #[inline]
    pub fn from_half_angles(halves: [(f64, f64); 3], order: EulerOrder) -> Quat {
        let [(sx, cx), (sy, cy), (sz, cz)] = halves;
        // The expanded product of three rotations about one axis each. The order only affects the
        // signs of the second terms.
        let ([_, middle, _], sign) = order.axes();
        let of_axis = |axis: usize| if axis == middle { -sign } else { sign };
        let product = [
            sx * cy * cz + of_axis(0) * (cx * sy * sz),
            cx * sy * cz + of_axis(1) * (sx * cy * sz),
            cx * cy * sz + of_axis(2) * (sx * sy * cz),
            cx * cy * cz - sign * (sx * sy * sz),
        ];
        // Avoid negative zeros, which would be visible in output.
        product.map(|part| narrow(part) + 0.0).into()
    }

    /// Returns the Euler angles of a unit quaternion, in radians, about x, y and z. The middle
    /// angle of the product is within ±90°. At ±90° (gimbal lock) the last angle is 0.
    pub fn to_euler(self, order: EulerOrder) -> [f64; 3] {
        let ([first, middle, last], sign) = order.axes();
        let columns = double::to_matrix(double::normalized(self.to_f64()));
        let at =
            |row: usize, column: usize| columns.get(column).map_or(0.0, |axis| get(*axis, row));
        // For Rx · Ry · Rz: m[0][2] = sin y, m[1][2] = -sin x cos y, m[2][2] = cos x cos y, m[0][1]
        // = -cos y sin z, m[0][0] = cos y cos z.
        let (sin, cos) = (sign * at(first, last), at(first, first).hypot(at(first, middle)));
        let mut angles = [0.0; 3];
        let mut put = |axis: usize, angle: f64| {
            if let Some(slot) = angles.get_mut(axis) {
                *slot = angle;
            }
        };
        put(middle, sin.atan2(cos));
        if cos > LOCK {
            put(first, (-sign * at(middle, last)).atan2(at(last, last)));
            put(last, (-sign * at(first, middle)).atan2(at(first, first)));
        } else {
            put(first, (sign * at(last, middle)).atan2(at(middle, middle)));
        }
        angles
    }
}

/// The cosine below which the first and last axes count as aligned (gimbal lock), based on the
/// precision of f32 near 90°.
const LOCK: f64 = 1e-6;

fn get(numbers: [f64; 3], at: usize) -> f64 {
    numbers.get(at).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mat4, Vec3};
    use proptest::prelude::*;
    use std::f64::consts::FRAC_PI_2;

    /// The reference implementation, which multiplies rotation matrices about single axes.
    fn product(angles: [f64; 3], order: EulerOrder) -> Mat4 {
        let axes = [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0)];
        order.name().bytes().fold(Mat4::IDENTITY, |product, letter| {
            let axis = usize::from(letter - b'x');
            product * Mat4::from_rotation(Quat::from_axis_angle(axes[axis], angles[axis]))
        })
    }

    proptest! {
        #[test]
        fn there_and_back(angles in prop::array::uniform3(-7.0f64..7.0)) {
            for order in EulerOrder::ALL {
                let quat = Quat::from_euler(angles, order);
                let matrix = Mat4::from_rotation(quat);
                prop_assert!(matrix.is_near(product(angles, order), 2e-6), "{order}");
                let again = Quat::from_euler(quat.to_euler(order), order);
                prop_assert!(Mat4::from_rotation(again).is_near(matrix, 2e-6), "{order}");
            }
        }
    }

    #[test]
    fn gimbal_lock_sets_the_last_angle_to_zero() {
        for order in EulerOrder::ALL {
            for quarter in [FRAC_PI_2, -FRAC_PI_2] {
                for others in [0.3, -2.0, 3.0] {
                    let [first, middle, last] = order.axes().0;
                    let mut angles = [0.0; 3];
                    (angles[first], angles[middle], angles[last]) = (0.7, quarter, others);
                    let quat = Quat::from_euler(angles, order);
                    let found = quat.to_euler(order);
                    assert!((found[middle] - quarter).abs() < 1e-3, "{order} {found:?}");
                    assert_eq!(found[last], 0.0, "{order} {found:?}");
                    let [before, after] =
                        [quat, Quat::from_euler(found, order)].map(Mat4::from_rotation);
                    assert!(after.is_near(before, 2e-6), "{order} {found:?}");
                }
            }
        }
    }
}
