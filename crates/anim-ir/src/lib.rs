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

mod file;
mod math;
mod model;
mod ops;
mod play;

pub use file::diag::{
    self, Category, Code, Converted, Diagnostic, Diagnostics, Fix, Parsed, Severity, Span,
};
pub use file::limits::{LimitError, Limits};
pub use file::listing::listing;
pub use file::sniff::{Confidence, Sniff};
pub use file::{fix, number, source, text, xml};
pub use math::euler::EulerOrder;
pub use math::linear::{Mat4, Quat, Transform, Vec3};
pub use model::axes::Axes;
pub use model::camera::Camera;
pub use model::clip::{Clip, Wrap};
pub use model::color;
pub use model::extras::{Extras, Value, animation_set};
pub use model::machine::{
    Moment, Motion, Sequence, SequenceKey, SequenceOrder, State, StateMachine, StatePlayer,
    Transition,
};
pub use model::mesh::{
    Image, ImageSource, Influences, Material, Mesh, MorphTarget, Primitive, Skin, Topology,
};
pub use model::scene::{Node, Playable, Scene};
pub use model::skeleton::{Joint, Skeleton, SkeletonError};
pub use model::timeline::{
    Channel, Curve, Cut, Event, Interpolation, KeyTable, PoseSpace, Target, TimeBase, Timeline,
    TimelineBuilder, TimelineError, Track,
};
pub use model::wave::{Wave, WaveShape};
pub use ops::bake::{BAKED, Bake};
pub use ops::diff;
pub use ops::dump::dump;
pub use ops::retarget::Retargeted;
pub use ops::triangulate::triangulate;
pub use ops::validate::{CODES as VALIDATION_CODES, validate};
pub use play::sample::{Pose, Sampler};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
