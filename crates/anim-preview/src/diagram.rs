//! Diagrams of a scene as SVG.

mod axis;
mod boxes;
pub(crate) mod curves;
mod lanes;
mod layers;
pub(crate) mod states;
mod svg;
pub(crate) mod timeline;
mod trace;

use anim_ir::{ClipId, InvalidScene, LimitError, Limits};
use thiserror::Error;

/// Options for drawing diagrams.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DiagramOptions {
    /// Limits the size of a diagram ([`Limits::memory`]).
    pub limits: Limits,
}

impl DiagramOptions {
    /// Sets [`DiagramOptions::limits`].
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> DiagramOptions {
        self.limits = limits;
        self
    }
}

/// The error for a diagram that cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DiagramError {
    /// The scene is inconsistent.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// The scene has no clip with this id.
    #[error("the scene has no clip {0}")]
    NoSuchClip(ClipId),
    /// The scene has no clips.
    #[error("the input has no clips to draw")]
    NoClips,
    /// The scene has no state machine.
    #[error(
        "the input has no state machine to draw; \
         only STT files and glTF files converted from them do"
    )]
    NoMachine,
    /// The diagram exceeds a limit.
    #[error(transparent)]
    Limit(#[from] LimitError),
}
