//! Writing.

mod added;
mod animations;
mod files;
mod meshes;
pub(crate) mod random;
mod skeletons;
mod skins;
