//! Diagrams are parsed, and what they show is compared with the scene.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail loudly"
)]

mod curves;
mod drawn;
mod hostile;
mod states;
mod timeline;
