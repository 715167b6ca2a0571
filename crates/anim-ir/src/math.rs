//! Vectors, rotations, matrices and transforms.

/// Implements operators for `Copy` types.
macro_rules! operators {
    ($(
        $(#[$doc:meta])*
        $trait:ident::$method:ident($a:ident: $type:ty $(, $b:ident: $other:ty)?) -> $output:ty
        $value:block
    )+) => {$(
        $(#[$doc])*
        impl $trait$(<$other>)? for $type {
            type Output = $output;

            #[inline]
            fn $method(self $(, $b: $other)?) -> $output {
                let $a = self;
                $value
            }
        }
    )+};
}

pub mod double;
pub(crate) mod euler;
pub(crate) mod mat4;
mod mint_conversions;
pub(crate) mod quat;
pub(crate) mod slerp;
pub(crate) mod transform;
pub(crate) mod trig;
pub(crate) mod vec3;
