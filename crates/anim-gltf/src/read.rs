//! Conversion of glTF objects to scene objects.

pub(crate) mod accessor;
pub(crate) mod animation;
pub(crate) mod buffer;
pub(crate) mod camera;
pub(crate) mod extras;
pub(crate) mod facts;
pub(crate) mod fault;
pub(crate) mod flat;
pub(crate) mod hierarchy;
pub(crate) mod influences;
pub(crate) mod material;
pub(crate) mod mesh;
pub(crate) mod node;
pub(crate) mod order;
pub(crate) mod rest;
pub(crate) mod skin;
pub(crate) mod source;
pub(crate) mod topology;
