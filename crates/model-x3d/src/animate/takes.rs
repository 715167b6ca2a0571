//! Stills and their times, and how to make motion of them.

use std::sync::Arc;

use anim_ir::{Clip, Span};

use crate::graph::Graph;

/// One still.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Seconds; each frame's is greater than the one's before.
    pub time: f32,
    /// The scene.
    pub graph: Arc<Graph>,
    /// Where the frame itself is in the file.
    pub span: Option<Span>,
}

/// An animation: stills and their times.
#[derive(Clone, Debug)]
pub struct Take {
    /// Its name, range, wrap and extras.
    pub clip: Clip,
    /// In order of time.
    pub frames: Vec<Frame>,
    /// Each frame is shown until the next one, without anything between them.
    pub step: bool,
}
