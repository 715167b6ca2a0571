//! The animation model shared by all formats of this project.
//!
//! A format crate parses a file into its own lossless `Document`, and converts the document to a
//! [`Scene`]. Writers, such as the one for glTF, convert a scene to a file. This crate does not
//! open files and does not depend on any file format.
//!
//! # Conventions
//!
//! - **Time** is always in seconds. [`TimeBase`] records the unit used in the file, so writers can
//!   restore it.
//! - **Transforms** are relative to the parent joint ("parent space") unless the name indicates
//!   otherwise. Matrices with `model` in their name map joint space to model space. A scene
//!   keeps the axes of its file ([`Scene::axes`]); writers for formats with fixed axes convert
//!   them.
//! - **Matrices** are column-major and act on column vectors; [`Transform`] is `T · R · S`.
//!   **Quaternions** are x, y, z, w.
//! - **Texture coordinates** have their origin in the upper left corner, with v pointing down, as
//!   in glTF.
//! - **Colours** are linear, not sRGB.
//!
//! # Overview
//!
//! | Concept | Types |
//! |---|---|
//! | joints with names, parents and rest poses | [`Skeleton`] |
//! | keys, tracks, events | [`Timeline`] |
//! | a named range of a timeline | [`Clip`] |
//! | triangles, lines, points, skins, morph targets | [`Mesh`], [`Skin`] |
//! | cameras | [`Camera`] |
//! | the whole content of a file | [`Scene`] |
//! | indices into the vectors of a scene | [`JointId`], [`ClipId`], … |
//! | the pose at a time | [`Sampler`], [`Pose`] |
//! | playback of a clip: once, looping or ping-pong; its events and root motion | [`Player`] |
//! | clips and state machines playing over each other | [`Mixer`], [`Layer`], [`JointMask`] |
//! | vertices deformed by joints and morph targets | [`Deformer`] |
//! | states that play clips, and the transitions between them | [`StateMachine`], [`StatePlayer`] |
//! | problems in a file, with their locations | [`Diagnostics`] |
//!
//! ```
//! use anim_ir::{Channel, Interpolation, Joint, Pose, Sampler, Skeleton, TimelineBuilder};
//!
//! let mut skeleton = Skeleton::new("arm");
//! let shoulder = skeleton.add_joint(Joint::new("shoulder", None));
//! let elbow = skeleton.add_joint(Joint::new("elbow", Some(shoulder)));
//!
//! let mut builder = TimelineBuilder::new("wave");
//! let (times, values) = ([0.0, 1.0], [0.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
//! builder.keys(elbow.into(), Channel::Translation, Interpolation::Linear, &times, &values)?;
//! let timeline = builder.finish();
//!
//! let mut sampler = Sampler::new(&skeleton, &timeline);
//! let mut pose = Pose::default();
//! sampler.sample(0.5, &mut pose); // allocates on the first call only
//! assert_eq!(pose.transform(elbow).map(|elbow| elbow.translation.x), Some(1.0));
//! # Ok::<(), anim_ir::TimelineError>(())
//! ```

mod collect;
mod file;
pub mod format;
mod math;
mod model;
mod names;
mod ops;
mod play;

pub use mint;

pub use collect::{insert_all, sort_by};
pub use file::budget::Budget;
pub use file::diag;
pub use file::diag::code::{Category, Code, Severity};
pub use file::diag::diagnostics::{Converted, Diagnostic, Diagnostics, Fix, Parsed, Span};
pub use file::edits::{Edits, Replacement};
pub use file::error::{EditError, ParseError, ParseErrorKind, ResolveError};
pub use file::limits::{LimitError, Limits};
pub use file::listing::listing;
pub use file::resolver::{NoFiles, Resolver};
pub use file::sniff::{Confidence, Sniff};
pub use file::suggest::{is_misspelt, nearest_name};
pub use file::unique_names::UniqueNames;
pub use file::{address, digits, encoding, fix, number, number_list, source, text, xml};
pub use format::options::{OptionSpec, Options, Settings};
pub use format::{FormatInfo, Output};
pub use math::double;
pub use math::euler::EulerOrder;
pub use math::mat4::Mat4;
pub use math::quat::Quat;
pub use math::transform::Transform;
pub use math::vec3::Vec3;
pub use model::camera::Camera;
pub use model::clip::{Clip, Event, Wrap};
pub use model::color;
pub use model::event_index::EventIndex;
pub use model::extras::{Extras, Value};
pub use model::ids::{
    CameraId, ClipId, ImageId, JointId, JointRef, MachineId, MaterialId, MeshId, NodeId,
    SkeletonId, SkinId, StateId, TimelineId,
};
pub use model::image::{IMAGE_OUTSIDE, image_type, is_complete_image, png_chunks};
pub use model::key_table::{KeyTable, Keys};
pub use model::machine::{Motion, State, StateMachine};
pub use model::mesh::{
    AlphaMode, Image, Influences, Material, Mesh, MorphTarget, Primitive, Skin, Topology,
};
pub use model::scene::{Axes, Node, Playable, Scene, StatedUp};
pub use model::sequence::{Moment, Sequence, SequenceKey, SequenceOrder, Transition};
pub use model::skeleton::{Joint, Skeleton, SkeletonError};
pub use model::time_ranges::TimeRanges;
pub use model::timeline::{PoseSpace, TimeBase, Timeline};
pub use model::timeline_builder::{TimelineBuilder, TimelineError};
pub use model::track::{Channel, Curve, Interpolation, Target, Track};
pub use model::wave::{Wave, WaveShape};
pub use names::UnknownName;
pub use ops::bake::{BAKED, Bake};
pub use ops::combine::CombineError;
pub use ops::cut::Cut;
pub use ops::diff;
pub use ops::dump::dump;
pub use ops::merge::{
    GroupMismatch, MergeChanges, MergeError, MergeGroup, Merged, Mismatch, merge, merged_name,
};
pub use ops::normals::{AxisTurn, Normals, NormalsVerdict};
pub use ops::resample::RESAMPLED;
pub use ops::retarget::Retargeted;
pub use ops::triangulate::triangulate;
pub use ops::up::{Bounds, Up, UpAxis, UpEvidence, UpGuess};
pub use ops::validate::{CODES as VALIDATION_CODES, InvalidScene, require_valid, validate};
pub use play::crossing::Crossing;
pub use play::joint_mask::JointMask;
pub use play::layer::Layer;
pub use play::mixer::{LayerCrossing, Mixer, MixerCrossings};
pub use play::player::{Crossings, Player};
pub use play::pose::Pose;
pub use play::root_motion::RootMotion;
pub use play::sampler::Sampler;
pub use play::skinning::Deformer;
pub use play::state_player::{Answer, Refusal, StatePlayer, StateStep};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
