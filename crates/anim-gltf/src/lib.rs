//! Reads and writes glTF 2.0, as GLB or as `.gltf` with `.bin`, into and from the scenes of
//! [`anim_ir`].
//!
//! What comes out passes the Khronos validator without an error or a warning. Keys stay keys:
//! nothing is resampled, times keep their bits. What glTF cannot hold is reported, with a code from
//! [`CODES`].
//!
//! ```
//! use anim_gltf::{WriteOptions, to_glb};
//! use anim_ir::{Channel, Clip, Interpolation, Joint, Scene, Skeleton, Target, TimelineBuilder};
//!
//! let mut skeleton = Skeleton::new("arm");
//! skeleton.joints.push(Joint::new("shoulder", None));
//! skeleton.joints.push(Joint::new("elbow", Some(0)));
//! let mut builder = TimelineBuilder::new("wave");
//! builder.keys(Target::Joint(1), Channel::Translation, Interpolation::Linear, &[0.0, 1.0], &[0.0, 0.0, 0.0, 2.0, 0.0, 0.0])?;
//! let clip = Clip { name: "wave".to_owned(), end: 1.0, ..Clip::default() };
//! let scene = Scene { skeletons: vec![skeleton], timelines: vec![builder.finish()], clips: vec![clip], ..Scene::default() };
//!
//! let written = to_glb(&scene, &WriteOptions::default())?;
//! assert!(written.losses.is_empty());
//! assert!(written.value.starts_with(b"glTF"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How the parts of a scene are written
//!
//! - **Skeletons.** Each joint is a node. Above a skeleton's roots stands one more, named after the
//!   skeleton: the joints of a skin need a common root, and Blender makes an armature of it. A
//!   skeleton without a mesh gets a skin of its own, or its joints would be no bones to anybody.
//! - **Rest poses** with shear are two nodes: glTF animates no matrices, but two rotations with a
//!   scale between them are a matrix of any kind, and the joint's own node can then be animated key
//!   by key. The same where keys turn a joint before a rest pose with uneven scale.
//! - **Skinned meshes** are roots without a transform, since glTF ignores what stands above them.
//!   Four influences a vertex; where there are none, a joint that never moves (`<skeleton>.static`)
//!   holds the vertex.
//! - **Nodes of a scene graph** (skeletons that are no bones) have neither that root nor a skin.
//!   What only says that a mesh is where such a node is becomes that node.
//! - **Hidden joints** have one more node above them, with a scale of 0 or 1 that changes in steps:
//!   every reader understands that. On request
//!   ([`WriteOptions::node_visibility`]) they have `KHR_node_visibility` instead.
//! - **Waves, angles and states** become keys, near enough ([`WriteOptions::bake`]); each state of
//!   a machine becomes an animation.
//! - **Axes** are turned where the scene's y points down: numbers change, no node is added.
//! - **Clips** are animations. Of a clip that is a part of its timeline those keys are written that
//!   are in it, borders included; a constant has one key, at the clip's start. A timeline without a
//!   clip is an animation as a whole.
//! - **Materials.** What has none gets one that is white and matt: glTF's own default is a metal,
//!   which is black without a room to mirror.
//! - **Names** of nodes are unique, as are those of animations: `.001` and so on is put behind a
//!   name that is taken.
//!
//! # What stands in `extras`
//!
//! The scene's own extras are written as they are, into the extras of the scene, node, mesh,
//! material or animation that they belong to. Beside them, under the name `anim_formats`, this
//! crate puts the following; each entry is there only where it says something.
//!
//! | of | entry | meaning |
//! |---|---|---|
//! | node, animation | `name` | name in the scene, where the one in the file is another |
//! | node | `role` | the scene has no such node: `armature` (above a skeleton's roots), `rest` (upper half of a joint's rest pose), `visibility` (its scale shows and hides the joint below), `static` (the joint that never moves), `again` (a joint that its skin names twice), `scene` (there would be no node at all) |
//! | animation | `start`, `end` | the clip's range, in seconds of this animation |
//! | animation | `timeline` | name of the clip's timeline, where it has another |
//! | animation | `wrap` | `once`, `loop` or `ping-pong` |
//! | animation | `time_base` | what the file counted time in: `{"frames_per_second": 24}` or `{"progress_seconds": 1.5}`; seconds otherwise |
//! | animation | `time_offset` | seconds to add to a time of this animation for the time on the timeline |
//! | animation | `partial` | `true`: the clip is for the joints that it moves, and not for others |
//! | animation | `events` | list of `{"time": seconds of this animation, "name": …, "payload": {…}}` |
//! | scene | `clips` | list of clips in which nothing moves: the entries of an animation, with `name`, `joints` (names of those that the clip is for) and `extras` |
//!
//! Names of morph targets stand in the mesh's extras as `targetNames`, where Blender and others
//! look for them.
//!
//! # Reading
//!
//! [`read`] (or [`Document::parse`] and [`to_ir`]) takes GLB and `.gltf`, with files beside them
//! through [`Buffers`]. What [`to_glb`] wrote becomes the scene that it was, down to the bits of
//! its keys. Of the files of others:
//!
//! - **Bones** are all nodes of a tree that a skin has joints in; a root above them that does
//!   nothing is the skeleton's name. A node that only puts a mesh or a camera somewhere stays a
//!   node.
//! - **All other nodes** are the joints of one more skeleton, a scene graph; there is none where
//!   they are meshes and cameras at the origin.
//! - **Animations** are a timeline and a clip each. One that moves several skeletons is divided.
//! - **Strips, fans and loops** become single triangles and lines; parts of a mesh with vertices of
//!   their own share one list.
//! - **Extensions**: `KHR_materials_unlit`, `KHR_mesh_quantization`,
//!   `KHR_node_visibility`, and `KHR_animation_pointer` for visibility. A file that requires
//!   another one is refused.
//! - **An item that is broken** (an accessor beyond its buffer, a number that is none, keys that go
//!   back in time) is left out, with a code from [`READ_CODES`]; nodes that make no tree leave
//!   nothing to read.
//!
//! What was written does not come back in these respects, beside what
//! [`CODES`] told then: scene graphs are one skeleton without a name, and what hangs from them in a node of its own is a joint; a clip has a timeline of its own, with the keys that are in it, also where it shared one, and a timeline without a clip has got one; clips for some joints are for those of them that have keys, and have tracks for those alone; keys before the rest pose are keys relative to the parent, unless a joint needed two nodes; waves, angles and states are keys; a mesh with two skins is two meshes; `default`
//! is the material of what had none; skins that no node uses, joints of vertices without weight,
//! and numbers of joints in an older file are gone.

mod animation;
mod buffer;
mod camera;
mod codes;
mod error;
mod extras;
mod hierarchy;
mod influences;
mod json;
mod material;
mod math;
mod mesh;
mod names;
mod read;
mod skin;
mod svd;
mod uri;
mod write;

pub use codes::ALL as CODES;
pub use error::WriteError;
pub use read::codes::ALL as READ_CODES;
pub use read::{Buffers, Document, NoBuffers, ReadError, ReadOptions, read, sniff, to_ir};
pub use write::{GltfFiles, WriteOptions, to_glb, to_glb_in, to_gltf};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
