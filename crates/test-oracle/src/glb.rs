//! An evaluator of glTF 2.0 files: the node hierarchy, animations, skins and morph targets, by the
//! specification.
//!
//! The `gltf` crate parses and validates the JSON; what accessors hold is read and checked here.
//! Everything stored is turned into `f64` exactly, and computed with as such. Places are in glTF's
//! units (metres) and axes (Y up), times in seconds.

mod accessor;
mod animation;
mod container;
mod drawn;
mod mesh;
mod model;
mod node;
mod skin;

pub use self::container::{read, read_parts};
pub use self::drawn::{Camera, Drawn, Vertex};
pub use self::model::Model;
