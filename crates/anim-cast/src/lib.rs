//! Writes animations as Cast files (`.cast`), which add-ons for Blender, Maya and other programs
//! can read.
//!
//! Cast is an open binary container format by `DTZxPorter`. This writer follows the sections "File
//! structure", "Model", "Skeleton", "Bone", "Animation", "Curve", "`NotificationTrack`" and
//! "Metadata" of the README at <https://github.com/dtzxporter/cast>.
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
//! # What is written
//!
//! - **Bones** have transforms relative to their parents, and children inherit scale. Names are
//!   made unique ignoring case, because readers ignore case.
//! - **Curves** are absolute (not additive) and relative to the parent. Keys are on whole frames,
//!   counted from the start of the clip. If all keys of a track are on whole frames, they are
//!   written unchanged. Otherwise, and for splines, the track is sampled on every frame, and this
//!   is reported. Cast only interpolates linearly, so a step gets an additional key on the previous
//!   frame.
//! - **Events** of the clip ([`contains_event`](anim_ir::Clip::contains_event)) become notification
//!   tracks, one per name.
//! - **Axes** are converted to y up, and the file's metadata declares this.
//!
//! Meshes, cameras, morph weights, state machines, extras and event payloads are dropped and
//! reported as losses.

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
