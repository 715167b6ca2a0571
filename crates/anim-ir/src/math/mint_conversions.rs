//! Conversions to and from mint, the meeting point of the Rust maths libraries: glam and nalgebra
//! users go through it.

use crate::math::mat4::Mat4;
use crate::math::quat::Quat;
use crate::math::vec3::Vec3;

impl From<Vec3> for mint::Vector3<f32> {
    fn from(v: Vec3) -> Self {
        v.to_array().into()
    }
}

impl From<mint::Vector3<f32>> for Vec3 {
    fn from(v: mint::Vector3<f32>) -> Self {
        Vec3::new(v.x, v.y, v.z)
    }
}

impl From<Vec3> for mint::Point3<f32> {
    fn from(v: Vec3) -> Self {
        v.to_array().into()
    }
}

impl From<mint::Point3<f32>> for Vec3 {
    fn from(v: mint::Point3<f32>) -> Self {
        Vec3::new(v.x, v.y, v.z)
    }
}

impl From<Quat> for mint::Quaternion<f32> {
    fn from(q: Quat) -> Self {
        mint::Quaternion { v: [q.x, q.y, q.z].into(), s: q.w }
    }
}

impl From<mint::Quaternion<f32>> for Quat {
    fn from(q: mint::Quaternion<f32>) -> Self {
        Quat::new(q.v.x, q.v.y, q.v.z, q.s)
    }
}

impl From<Mat4> for mint::ColumnMatrix4<f32> {
    fn from(m: Mat4) -> Self {
        m.columns.into()
    }
}

impl From<mint::ColumnMatrix4<f32>> for Mat4 {
    fn from(m: mint::ColumnMatrix4<f32>) -> Self {
        Mat4 { columns: m.into() }
    }
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
