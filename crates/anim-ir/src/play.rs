//! Playback: sampling poses, events, layers, root motion, skinning, and state machines.

pub(crate) mod crossing;
pub(crate) mod joint_mask;
pub(crate) mod layer;
pub(crate) mod mixer;
pub(crate) mod player;
pub(crate) mod pose;
mod posed;
pub(crate) mod root_motion;
pub(crate) mod sampler;
pub(crate) mod skinning;
mod state_events;
pub(crate) mod state_player;
mod step;
