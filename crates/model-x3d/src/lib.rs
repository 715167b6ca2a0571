//! Reader for X3D and VRML scenes and their animation, and for animations with one such scene per
//! frame; writer for X3D.
//!
//! X3D in XML (ISO/IEC 19776-1) and in the classic encoding (ISO/IEC 19776-2), VRML 97 (ISO/IEC
//! 14772-1) and VRML 1.0, optionally compressed, are parsed into a list of nodes, a [`Graph`].
//! [`animate`] converts one or more graphs to an [`anim_ir::Scene`]: changes between them become
//! keys and morph targets. [`to_ir()`] converts a single scene. Each `TimeSensor` in it becomes a
//! clip, with keys from the interpolators that it drives.
//!
//! ```
//! use model_x3d::{Document, Frame, Take, ToIr, animate};
//!
//! let still = |x: &str| {
//!     let shape = "children Shape { geometry Box { } }";
//!     let file = format!("#VRML V2.0 utf8\nTransform {{ translation {x} 0 0 {shape} }}");
//!     let parsed = Document::parse(file.into_bytes()).unwrap();
//!     assert!(parsed.diagnostics.is_empty());
//!     parsed.value.into_graph().into()
//! };
//! let frame = |time: f32, x: &str| Frame { time, graph: still(x), span: None };
//! let clip = anim_ir::Clip { name: "slide".to_owned(), end: 1.0, ..anim_ir::Clip::default() };
//! let frames = vec![frame(0.0, "0"), frame(1.0, "5")];
//! let take = Take { clip, frames, step: false, tolerance: 0.0 };
//! let (options, budget) = (ToIr::default(), anim_ir::Budget::new(&anim_ir::Limits::default(), 0));
//! let scene = animate(vec![take], &options, &budget, &mut anim_ir::NoFiles).value;
//! assert_eq!(scene.timelines[0].tracks().len(), 1); // the translation; the box is stored once
//! ```
//!
//! [`from_ir()`] converts a scene to a graph, which [`Graph::write`] writes in either encoding:
//!
//! ```
//! use anim_ir::{Diagnostics, Joint, Scene, Skeleton};
//! use model_x3d::{Encoding, FromIr, from_ir};
//!
//! let mut skeleton = Skeleton::new("arm");
//! skeleton.add_joint(Joint::new("elbow", None));
//! let mut scene = Scene::default();
//! scene.add_skeleton(skeleton);
//! let graph = from_ir(&scene, &FromIr::default())?.value;
//! let text = graph.write(Encoding::Classic, &mut Diagnostics::new());
//! assert!(text.contains("DEF elbow Transform {"));
//! # Ok::<(), model_x3d::FromIrError>(())
//! ```
//!
//! # Limitations
//!
//! Everything except geometry, its appearance and its motion (lights, viewpoints, backgrounds,
//! scripts, sensors other than `TimeSensor`, …) is reported and skipped. Only the first
//! texture of a `MultiTexture` is used. Colours, texture coordinates and materials that change
//! are reported and keep their initial values.

mod animate;
mod baked;
mod classic;
pub mod codes;
mod compare;
mod document;
mod events;
mod format;
mod frames;
mod from_ir;
mod geometry;
pub mod graph;
mod graph_files;
mod label;
mod links;
mod loader;
mod make;
mod math;
mod names;
pub mod nodes;
mod of_scene;
mod options;
mod parser;
mod prototypes;
mod rebase;
mod sniff;
mod sources;
mod to_ir;
mod units;
mod value;
mod version;
mod writer;
mod xml;

pub use anim_ir::ParseError;
pub use animate::{Frame, Take, animate};
pub use compare::Difference;
pub use document::{Document, ParseOptions};
pub use format::{X3d, X3dv};
pub use frames::FrameReader;
pub use from_ir::{FromIr, FromIrError, from_ir};
pub use graph::Graph;
pub use loader::{FileKind, Loader, Model, ReadStill, Still};
pub use options::ToIr;
pub use rebase::{Rebased, rebase};
pub use sniff::sniff;
pub use sources::Sources;
pub use to_ir::{to_ir, to_ir_with};
pub use version::Version;
pub use writer::Encoding;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
