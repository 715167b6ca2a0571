//! An evaluator of the PlayStation files of Vib-Ribbon, by the project's notes on the format:
//! models (`.TMD`), what moves them (`.ANM`) and what sees them (`.ANC`).
//!
//! All three are little-endian. Their axes are x to the right, y down, z into the screen;
//! [`to_gltf`] and [`point_to_gltf`] change them. Read is what the notes' table reads, errors or
//! not; where the notes leave nothing to decode, these functions panic.

mod anc;
mod anm;
mod model;
mod units;

pub use self::anc::{Anc, Record, anc};
pub use self::anm::{Anm, Frame, Key, Options, Order, anm};
pub use self::model::{Corner, Dot, Line, Model, Object, Style, Triangle, model};
pub use self::units::{point_to_gltf, to_gltf};
