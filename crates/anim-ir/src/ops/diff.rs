//! Differences between two scenes: two versions of a file, or a file and the result of converting
//! it.
//!
//! Joints, clips, states and nodes are matched by name, the second of a name with the second. What
//! is compared is what a renderer shows: two scenes that store a motion in different channels, axes
//! or pose spaces are equal if every joint is in the same place at the same time. Times are counted
//! from a clip's start, so a clip that was moved differs only in its start.
//!
//! A shape is a node with a mesh. Two shapes with the same numbers of triangles, lines and points
//! are compared corner by corner in the order of their elements, so it does not matter how corners
//! share vertices or how elements are distributed over primitives. Nor does the name of a shape
//! matter if only one shape of its size is unmatched on either side. Materials are compared where
//! elements use them.
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

mod clips;
mod differ;
mod difference;
mod joints;
mod materials;
mod motion;
mod pairs;
mod placing;
mod shape;
mod shapes;
mod states;
mod vertices;

use std::borrow::Cow;

use crate::{Bake, LimitError, Scene};

use differ::Differ;
pub use difference::{Attribute, Diff, Difference, Gap, Options, Side};

/// Compares two scenes. If only one of them has states, the states are compared as the clips that
/// they bake to.
///
/// # Errors
///
/// [`LimitError`] if baking states takes more samples than the limits allow.
pub fn diff(a: &Scene, b: &Scene, options: &Options) -> Result<Diff, LimitError> {
    let b = b.in_axes(a.axes);
    let bake = Bake::default().with_limits(options.limits);
    let plain = |scene: &Scene| -> Result<Scene, LimitError> {
        let mut scene = scene.baked(&bake)?.value.into_owned();
        scene.machines.clear();
        Ok(scene)
    };
    let (a, b) = match (a.machines.is_empty(), b.machines.is_empty()) {
        (true, false) => (Cow::Borrowed(a), Cow::Owned(plain(&b)?)),
        (false, true) => (Cow::Owned(plain(a)?), b),
        _ => (Cow::Borrowed(a), b),
    };
    let mut differ = Differ::new([&a, &b], options);
    if options.motion {
        differ.compare_joints();
        differ.compare_states();
        differ.compare_clips();
        differ.compare_events_outside();
    }
    if options.shapes || options.materials {
        differ.compare_shapes();
    }
    let all = options.motion && options.shapes && options.materials;
    if all && differ.found.counts.is_empty() {
        differ.compare_extras();
    }
    Ok(differ.found)
}
