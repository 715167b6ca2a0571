//! Opens files and their companion files. With the feature `load`, this is the only module in the
//! libraries that does I/O; without it, companion files are those in memory ([`MemoryFiles`]).
//!
//! Companion files (material libraries, frames, images) are opened only in the file's own folder or
//! below it, or below another folder specified by the caller. Symbolic links that point outside it
//! are not followed. Sizes are bounded, and only regular files are opened. Nothing is fetched over
//! a network.

mod bytes;
mod error;
#[cfg(feature = "load")]
mod files;
#[cfg(feature = "load")]
mod folder;
#[cfg(feature = "load")]
mod in_blocks;
mod limited;
mod memory;
mod options;
mod path;
mod project;

pub use bytes::{FileBytes, format_of, parse_bytes, read_bytes, read_stream};
pub use error::LoadError;
#[cfg(feature = "load")]
pub use files::{load, load_bytes, read_file};
#[cfg(feature = "load")]
pub use folder::open_folder;
#[cfg(feature = "load")]
pub use in_blocks::{LoadedInBlocks, scene_in_blocks};
pub use memory::{MemoryFiles, MemoryFolder};
pub use options::{LoadOptions, OnRead};
pub use path::{folder_of, rebase_between, way_between};
#[cfg(feature = "load")]
pub use path::{rebase_images, way_to};
