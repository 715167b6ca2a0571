//! Deterministic random files of Gillius ANM text with models for them, broken ones, and big ones
//! for measurements.

mod broken;
mod file;

pub use self::broken::{Broken, Mistake, broken};
pub use self::file::{Layout, Options, file, large, puppet, tree};
