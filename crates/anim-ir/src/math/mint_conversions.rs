//! Conversions to and from mint, for interoperability with glam, nalgebra and other maths
//! libraries.

use crate::{Mat4, Quat, Vec3};

/// Implements `From` in both directions.
macro_rules! conversions {
    ($($own:ty, $other:ty: $from:pat => $there:expr, $back:expr;)+) => {$(
        impl From<$own> for $other {
            fn from($from: $own) -> $other {
                $there
            }
        }

        impl From<$other> for $own {
            fn from($from: $other) -> $own {
                $back
            }
        }
    )+};
}

conversions! {
    Vec3, mint::Vector3<f32>: v => v.to_array().into(), Vec3::new(v.x, v.y, v.z);
    Vec3, mint::Point3<f32>: v => v.to_array().into(), Vec3::new(v.x, v.y, v.z);
    Quat, mint::Quaternion<f32>: q =>
        mint::Quaternion { v: [q.x, q.y, q.z].into(), s: q.w },
        Quat::new(q.v.x, q.v.y, q.v.z, q.s);
    Mat4, mint::ColumnMatrix4<f32>: m => m.columns.into(), Mat4 { columns: m.into() };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let v = Vec3::new(1.0, 2.0, 3.0);
        assert_eq!(Vec3::from(mint::Vector3::from(v)), v);
        assert_eq!(Vec3::from(mint::Point3::from(v)), v);
        let q = Quat::new(0.1, 0.2, 0.3, 0.4);
        assert_eq!(mint::Quaternion::from(q).s, 0.4);
        assert_eq!(Quat::from(mint::Quaternion::from(q)), q);
        let m = Mat4::from_columns(std::array::from_fn(|i| f32::from(u8::try_from(i).unwrap())));
        assert_eq!(mint::ColumnMatrix4::from(m).w.x, 12.0);
        assert_eq!(Mat4::from(mint::ColumnMatrix4::from(m)), m);
    }
}
