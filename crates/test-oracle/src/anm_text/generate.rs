//! Deterministic random files of Gillius ANM text with models for them, broken ones, and big ones
//! for measurements.
//!
//! The same generator state and options always give the same text.

mod broken;
mod model;
mod text;

pub use self::broken::{Broken, Mistake, broken};
pub use self::model::{puppet, tree};
pub use self::text::{Layout, Options, file, large};
