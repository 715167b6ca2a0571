//! Deterministic random Gillius ANM text files with matching models, broken files, and large files
//! for benchmarks.

mod broken;
mod file;

pub use self::broken::{Broken, Mistake, broken};
pub use self::file::{Layout, Options, file, large, puppet, tree};
