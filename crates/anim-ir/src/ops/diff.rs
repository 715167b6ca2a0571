//! Differences between two scenes, such as two versions of a file, or a file and its conversion.
//!
//! Joints, clips, states and nodes are matched by name; duplicates are matched in order. Scenes are
//! compared as rendered: if they store a motion in different channels, axes or pose spaces, they
//! are equal if all joints have the same transforms at the same times. Times are relative to the
//! start of a clip, so a clip that was moved on its timeline only differs in its start.
//!
//! A shape is a node with a mesh. Two shapes with the same numbers of triangles, lines and points
//! are compared element by element in order, regardless of how elements share vertices or how they
//! are distributed over primitives. Shapes without a match by name are matched in order with
//! unmatched shapes of the same size. Materials are compared where elements use them.
//!
//! Quads that are split along different diagonals are reported, and compared as quads.
//!
//! Morph weights are compared if both shapes have the same morph targets. Otherwise, the morphed
//! vertices are compared where the weights differ.
//!
//! ```
//! use anim_ir::diff::{Difference, Options, Side, diff};
//! use anim_ir::{Joint, Scene, Skeleton};
//!
//! let scene = |names: &[&str]| {
//!     let joints = names.iter().map(|name| Joint::new(*name, None)).collect();
//!     Scene { skeletons: vec![Skeleton { joints, ..Skeleton::default() }], ..Scene::default() }
//! };
//! let found = diff(&scene(&["hip", "tail"]), &scene(&["hip"]), &Options::default())?;
//! assert_eq!(found.differences, [Difference::JointOnly { joint: "tail".into(), side: Side::A }]);
//! # Ok::<(), anim_ir::LimitError>(())
//! ```

mod clip_start;
mod clips;
mod differ;
mod difference;
mod joints;
mod materials;
mod moments;
mod morphs;
mod motion;
mod pairs;
mod placing;
mod shape;
mod shape_pairs;
mod shapes;
mod states;
mod triangles;
mod turned;
mod vertices;

use crate::{LimitError, Scene};

use differ::{Differ, compare};
pub use difference::{Attribute, Diff, Difference, Gap, Options, Side};

/// The kinds of differences in names and times, which no rotation explains.
const LASTING: [&str; 6] = ["clip", "start", "length", "wrap", "event", "state"];

/// Compares two scenes. If only one of them has state machines, its states are baked to clips for
/// the comparison. If anything differs, and both motion and shapes are compared, also looks for a
/// rotation that explains all of it.
///
/// # Errors
///
/// Returns [`LimitError`] if the baked keys of states exceed the budget of their scene.
pub fn diff(a: &Scene, b: &Scene, options: &Options) -> Result<Diff, LimitError> {
    let b = b.in_axes(a.axes);
    let mut found = compare(a, &b, options)?;
    let is_lasting = LASTING.iter().any(|kind| found.counts.contains_key(kind));
    if !found.counts.is_empty() && !is_lasting && options.motion && options.shapes {
        found.rotated = turned::find(a, &b, options)?;
    }
    Ok(found)
}

/// Whether two scenes with the same axes have the same shapes and materials.
pub(super) fn have_same_shapes(a: &Scene, b: &Scene) -> bool {
    let options = Options::default().with_kept(0);
    let mut differ = Differ::new([a, b], &options);
    differ.compare_shapes();
    differ.found.is_same()
}
