//! Takes: stills and their times.

use std::sync::Arc;

use anim_ir::{Clip, Span};

use crate::graph::Graph;

/// A still.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Time in seconds; later than the time of the previous frame.
    pub time: f32,
    /// The scene.
    pub graph: Arc<Graph>,
    /// The span of the frame in the file that contains the list of frames.
    pub span: Option<Span>,
}

/// An animation made of stills.
#[derive(Clone, Debug)]
pub struct Take {
    /// The name, range, wrap mode and extras.
    pub clip: Clip,
    /// The frames, in time order.
    pub frames: Vec<Frame>,
    /// Whether each frame is held until the next one, without interpolation.
    pub step: bool,
    /// Nodes whose numbers differ by at most this from those in the previous frame keep the values
    /// of that frame. 0 keeps every change.
    pub tolerance: f32,
}
