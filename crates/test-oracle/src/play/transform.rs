use crate::math::{
    Mat4, mul, normalized, quaternion_product, rotation, scaling, transform_point, translation,
};

cases! {
    /// The wrap mode of a clip.
    pub enum Wrap {
        Unspecified,
        Once,
        Loop,
        PingPong,
        PingPongOnce,
    }
}

/// A transform that scales, then rotates, then translates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    pub translation: [f64; 3],
    /// A unit quaternion x y z w.
    pub rotation: [f64; 4],
    pub scale: [f64; 3],
}

impl Transform {
    pub const IDENTITY: Transform =
        Transform { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] };

    pub fn matrix(&self) -> Mat4 {
        let rotated = mul(&translation(self.translation), &rotation(self.rotation));
        mul(&rotated, &scaling(self.scale))
    }

    /// Returns the product `self · other`, which applies `other` first. Panics if `self` has a
    /// scale that differs between the axes.
    pub fn mul(&self, other: &Transform) -> Transform {
        let [x, y, z] = self.scale;
        assert!(x == y && y == z, "the product has shear");
        Transform {
            translation: transform_point(&self.matrix(), other.translation),
            rotation: normalized(quaternion_product(self.rotation, other.rotation)),
            scale: other.scale.map(|s| s * x),
        }
    }

    /// Returns the inverse of a transform without scale.
    pub fn rigid_inverse(&self) -> Transform {
        assert_eq!(self.scale, [1.0; 3]);
        let [x, y, z, w] = self.rotation;
        let rotation = [-x, -y, -z, w];
        let translation = transform_point(&self::rotation(rotation), self.translation);
        Transform { translation: translation.map(|x| -x), rotation, scale: [1.0; 3] }
    }
}
