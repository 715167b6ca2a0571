//! The model from outside: operations on whole scenes, and what is seen of them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail loudly"
)]

mod cut;
mod diff;
mod retarget;
mod skinning;
