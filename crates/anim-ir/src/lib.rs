//! One model of animation, shared by every format of this project.
//!
//! A format crate turns a file into its own lossless `Document`, and the document into a [`Scene`]
//! of this crate. Writers (glTF first of all) turn a scene into a file. Nothing here opens files,
//! and nothing here knows a file format.
//!
//! # Conventions
//!
//! - **Time** is in seconds everywhere. What a file counted in is kept in [`TimeBase`], so that a
//!   writer can go back to it.
//! - **Transforms** are relative to the parent joint ("parent space") unless a name says otherwise.
//!   A matrix with
//!   `model` in its name maps joint space to the space of the whole model. Axes are the file's own, which [`Scene::axes`]
//!   tells; a writer whose format prescribes axes turns them.
//! - **Matrices** are column-major and act on column vectors; [`Transform`] is `T · R · S`.
//!   **Quaternions** are x, y, z, w.
//! - **Texture coordinates** have their origin in the upper left corner, v down, as in glTF.
//! - **Colours** are linear, not sRGB.
//!
//! # The pieces
//!
//! | what | where |
//! |---|---|
//! | joints with names, parents and a rest pose | [`Skeleton`] |
//! | keys, tracks, events | [`Timeline`] |
//! | a named window on a timeline | [`Clip`] |
//! | triangles, lines, points, skins, morph targets | [`Mesh`], [`Skin`] |
//! | what is looked through | [`Camera`] |
//! | all of a file | [`Scene`] |
//! | the pose at a time | [`Sampler`], [`Pose`] |
//! | states that play clips, and the way from one to another | [`StateMachine`], [`StatePlayer`] |
//! | what is wrong with a file, and where | [`Diagnostics`] |
//!
//! ```
//! use anim_ir::{Channel, Interpolation, Joint, Pose, Sampler, Skeleton, Target, TimelineBuilder};
//!
//! let mut skeleton = Skeleton::new("arm");
//! skeleton.joints.push(Joint::new("shoulder", None));
//! skeleton.joints.push(Joint::new("elbow", Some(0)));
//!
//! let mut builder = TimelineBuilder::new("wave");
//! builder.keys(Target::Joint(1), Channel::Translation, Interpolation::Linear, &[0.0, 1.0], &[0.0, 0.0, 0.0, 2.0, 0.0, 0.0])?;
//! let timeline = builder.finish();
//!
//! let mut sampler = Sampler::new(&skeleton, &timeline);
//! let mut pose = Pose::default();
//! sampler.sample(0.5, &mut pose); // allocates on the first call only
//! assert_eq!(pose.transforms[1].translation.x, 1.0);
//! # Ok::<(), anim_ir::TimelineError>(())
//! ```

mod axes;
mod bake;
mod camera;
mod clip;
pub mod color;
mod detect;
pub mod diag;
pub mod diff;
mod dump;
mod euler;
mod extras;
pub mod fix;
mod limits;
mod listing;
mod machine;
mod math;
mod mesh;
mod mint_conversions;
pub mod number;
mod retarget;
mod sample;
mod scene;
mod skeleton;
pub mod source;
pub mod text;
mod timeline;
mod triangulate;
mod trig;
mod validate;
mod wave;
pub mod xml;

pub use axes::Axes;
pub use bake::{BAKED, Bake};
pub use camera::Camera;
pub use clip::{Clip, Wrap};
pub use detect::{Confidence, Sniff};
pub use diag::{Category, Code, Converted, Diagnostic, Diagnostics, Fix, Parsed, Severity, Span};
pub use dump::dump;
pub use euler::EulerOrder;
pub use extras::{Extras, Value, animation_set};
pub use limits::{LimitError, Limits};
pub use listing::listing;
pub use machine::{
    Moment, Motion, Sequence, SequenceKey, SequenceOrder, State, StateMachine, StatePlayer,
    Transition,
};
pub use math::{Mat4, Quat, Transform, Vec3};
pub use mesh::{
    Image, ImageSource, Influences, Material, Mesh, MorphTarget, Primitive, Skin, Topology,
};
pub use retarget::Retargeted;
pub use sample::{Pose, Sampler};
pub use scene::{Node, Playable, Scene};
pub use skeleton::{Joint, Skeleton, SkeletonError};
pub use timeline::{
    Channel, Curve, Cut, Event, Interpolation, KeyTable, PoseSpace, Target, TimeBase, Timeline,
    TimelineBuilder, TimelineError, Track,
};
pub use triangulate::triangulate;
pub use validate::{CODES as VALIDATION_CODES, validate};
pub use wave::{Wave, WaveShape};
