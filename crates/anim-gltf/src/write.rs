//! Conversion of scene objects to glTF objects.

pub(crate) mod accessor;
pub(crate) mod animation;
pub(crate) mod buffer;
pub(crate) mod bytes;
pub(crate) mod camera;
pub(crate) mod extras;
pub(crate) mod flat;
pub(crate) mod hierarchy;
pub(crate) mod influences;
pub(crate) mod keys;
pub(crate) mod material;
pub(crate) mod mesh;
pub(crate) mod skin;
pub(crate) mod summary;
pub(crate) mod variants;
