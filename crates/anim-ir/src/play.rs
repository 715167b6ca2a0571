//! Poses at a time.

pub(crate) mod sample;
