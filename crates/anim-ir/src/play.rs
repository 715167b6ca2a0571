//! Playback: sampling poses, skinning, and state machines.

pub(crate) mod player;
pub(crate) mod pose;
pub(crate) mod sampler;
pub(crate) mod skinning;
pub(crate) mod state_player;
