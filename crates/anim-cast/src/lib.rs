//! Writes an animation as a Cast file (`.cast`), which add-ons of Blender, Maya and other programs
//! read.
//!
//! Cast is an open binary container by `DTZxPorter`. What is written here follows the README of
//! <https://github.com/dtzxporter/cast>: sections "File structure", "Model", "Skeleton", "Bone",
//! "Animation", "Curve", "`NotificationTrack`" and "Metadata".
//!
//! ```
//! use anim_ir::{Channel, Clip, Interpolation, Joint, Scene, Skeleton, TimelineBuilder};
//!
//! let mut skeleton = Skeleton::new("arm");
//! let shoulder = skeleton.add_joint(Joint::new("shoulder", None));
//! let elbow = skeleton.add_joint(Joint::new("elbow", Some(shoulder)));
//! let mut builder = TimelineBuilder::new("wave");
//! let values = [0.0, 0.0, 0.0, 2.0, 0.0, 0.0];
//! builder.keys(elbow.into(), Channel::Translation, Interpolation::Linear, &[0.0, 1.0], &values)?;
//! let clip = Clip { name: "wave".to_owned(), end: 1.0, ..Clip::default() };
//! let mut scene = Scene::default();
//! scene.add_skeleton(skeleton);
//! scene.add_timeline(builder.finish());
//! scene.add_clip(clip);
//!
//! let written = anim_cast::from_ir(&scene, &anim_cast::FromIr::default())?;
//! assert!(written.losses.is_empty());
//! assert!(written.value.starts_with(b"cast"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How the parts of a clip are written
//!
//! - **Bones** have their place relative to the parent, and scale that their children inherit.
//!   Names are unique without regard to case, since readers compare them so.
//! - **Curves** are absolute and relative to the parent. Keys are whole frames from the clip's
//!   start. Where all keys of a track are whole frames they are written as they are, otherwise (and
//!   for splines) there is one on every frame, which is reported. Cast has straight lines between
//!   keys only: a step has one more key on the frame before.
//! - **Events** of the clip ([`contains_event`](anim_ir::Clip::contains_event)) are notification
//!   tracks, one for each name.
//! - **Axes** are turned to y up, which the file's metadata say.
//!
//! Meshes, morph weights and what events carry beyond their names are not written, and reported.

pub mod codes;
mod curves;
mod error;
mod format;
mod from_ir;
mod node;

pub use error::FromIrError;
pub use format::Cast;
pub use from_ir::{FromIr, from_ir};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
