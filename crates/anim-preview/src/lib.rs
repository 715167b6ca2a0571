//! Draws scenes without a GPU.
//!
//! A [`Stage`] draws a scene at a [`Moment`] through a [`Camera`] to a [`Picture`]: triangles with
//! textures, vertex colours and lighting, lines, points, and bones as sticks. [`contact_sheet`],
//! [`animated_png`] and [`gif()`] combine pictures.
//!
//! [`curves`], [`timeline`] and [`states`] draw diagrams as self-contained SVG: the curves of a
//! clip, all clips and events on a common time axis, and state machines.
//!
//! The same scene gives the same bytes, for any number of threads.
//!
//! ```
//! use anim_ir::{Mesh, Node, Primitive, Scene, Vec3};
//! use anim_preview::{Moment, PreviewOptions, Stage};
//!
//! let mut scene = Scene::default();
//! let mesh = scene.add_mesh(Mesh {
//!     positions: vec![Vec3::ZERO, Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0)],
//!     primitives: vec![Primitive { indices: vec![0, 1, 2], ..Primitive::default() }],
//!     ..Mesh::default()
//! });
//! scene.add_node(Node { mesh: Some(mesh), ..Node::default() });
//!
//! let options = PreviewOptions::default().with_size(64, 48);
//! let mut stage = Stage::new(&scene, &options)?;
//! let camera = stage.camera(None)?;
//! let picture = stage.draw(Moment::Rest, &camera)?;
//! assert_eq!((picture.width, picture.height), (64, 48));
//! # Ok::<(), anim_ir::LimitError>(())
//! ```

mod camera;
mod codes;
mod diagram;
mod encode;
mod font;
mod geometry;
mod lanes;
mod moment;
mod options;
mod picture;
mod raster;
mod sheet;
mod stage;
mod texture;
mod view;

pub use camera::Camera;
pub use codes::{ALL as CODES, RATE as LOOP_RATE};
pub use diagram::curves::curves;
pub use diagram::states::states;
pub use diagram::timeline::timeline;
pub use diagram::{DiagramError, DiagramOptions};
pub use encode::{EncodeError, animated_png, gif};
pub use moment::Moment;
pub use options::{Background, Bones, PreviewOptions};
pub use picture::Picture;
pub use sheet::{SheetRow, contact_sheet};
pub use stage::Stage;
pub use view::View;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
