//! Deterministic random ANM, ANC and TMD files: canonical files, and files for each deviation in
//! the notes' table.

mod anc;
mod anm;
mod bytes;
mod model;

pub use self::anc::{AncCase, AncOptions, anc};
pub use self::anm::{AnmCase, AnmOptions, anm};
pub use self::model::{Addresses, Content, ModelCase, ModelOptions, model};
