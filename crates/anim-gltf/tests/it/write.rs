//! Writer tests.

mod added;
mod animations;
mod files;
mod flat;
mod hidden;
mod meshes;
pub(crate) mod random;
mod skeletons;
mod skins;
mod summary;
