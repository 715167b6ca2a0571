//! Poses at a time, and what is seen in them.

pub(crate) mod player;
pub(crate) mod pose;
pub(crate) mod sampler;
pub(crate) mod skinning;
pub(crate) mod state_player;
