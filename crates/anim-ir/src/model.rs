//! The animation model shared by all formats.

mod alpha;
pub(crate) mod camera;
pub(crate) mod clip;
pub mod color;
pub(crate) mod event_index;
pub(crate) mod extras;
pub(crate) mod ids;
pub(crate) mod image;
pub(crate) mod key_table;
pub(crate) mod machine;
pub(crate) mod mesh;
pub(crate) mod scene;
pub(crate) mod sequence;
mod sequence_labels;
pub(crate) mod size;
pub(crate) mod skeleton;
pub(crate) mod time_ranges;
pub(crate) mod timeline;
pub(crate) mod timeline_builder;
pub(crate) mod track;
mod transparency;
pub(crate) mod wave;
