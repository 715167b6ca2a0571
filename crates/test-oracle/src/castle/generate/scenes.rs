//! Random scenes.

mod altered;
mod parts;
mod vrml1;
mod x3d;

pub(super) use self::altered::altered;
pub use self::parts::Options;
pub(super) use self::vrml1::vrml1;
pub(super) use self::x3d::x3d;
