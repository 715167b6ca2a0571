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
    /// Whether the places of its nodes are places in the file that the diagnostics are about, and
    /// not in another one.
    pub in_file: bool,
    /// Where the frame itself stands in that file.
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

anim_ir::options! {
    /// How to make motion of stills.
    pub struct ToIr {
        /// Shows each shape of a mesh as a mesh of its own, one after the other, instead of
        /// blending between them: for players that know no morph targets.
        flip_book (with_flip_book): bool = false,
            flag("flip-book",
                "Show the shapes of a mesh one after the other instead of blending between them");
        /// Gives morph targets normals. Without them a mesh that changes keeps the shading of its
        /// first shape, but the file is half as large.
        morph_normals (with_morph_normals): bool = false,
            flag("morph-normals",
                "Give morph targets normals, so that shading follows the shape; doubles the size");
        /// Most morph targets that a mesh gets; what needs more becomes several meshes, shown one
        /// after the other. Bevy takes 256.
        morph_targets (with_morph_targets): usize = 256,
            integer("morph-targets", (4, u32::MAX), Some("256"),
                "Most morph targets of a mesh; more become several meshes, shown one after the \
                 other");
    }
}
