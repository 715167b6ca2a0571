//! Reads and writes glTF 2.0, as GLB or as `.gltf` with `.bin`, into and from the scenes of
//! [`anim_ir`].
//!
//! What comes out passes the Khronos validator without an error or a warning. Keys stay keys:
//! nothing is resampled, times keep their bits. What glTF cannot hold is reported, with a code from
//! [`codes`].
//!
//! ```
//! use anim_gltf::{Document, FromIr, ToIr, from_ir, to_ir};
//! use anim_ir::{Channel, Clip, Interpolation, Joint, Scene, Skeleton, TimelineBuilder};
//!
//! let mut skeleton = Skeleton::new("arm");
//! let shoulder = skeleton.add_joint(Joint::new("shoulder", None));
//! let elbow = skeleton.add_joint(Joint::new("elbow", Some(shoulder)));
//! let mut builder = TimelineBuilder::new("wave");
//! let values = [0.0, 0.0, 0.0, 2.0, 0.0, 0.0];
//! let linear = Interpolation::Linear;
//! builder.keys(elbow.into(), Channel::Translation, linear, &[0.0, 1.0], &values)?;
//! let clip = Clip { name: "wave".to_owned(), end: 1.0, ..Clip::default() };
//! let (skeletons, timelines, clips) = (vec![skeleton], vec![builder.finish()], vec![clip]);
//! let scene = Scene { skeletons, timelines, clips, ..Scene::default() };
//!
//! let written = from_ir(&scene, &FromIr::default())?;
//! assert!(written.losses.is_empty());
//! let glb = written.value;
//! assert!(glb.starts_with(b"glTF"));
//!
//! let document = Document::parse(glb)?.value;
//! let read = to_ir(&document, &ToIr::default()).value;
//! assert_eq!(read.timelines, scene.timelines);
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
//!   Four influences a vertex, or eight ([`FromIr::influences`]); where there are none, a joint
//!   that never moves (`<skeleton>.static`) holds the vertex.
//! - **Meshes with morph targets** get flat normals where they have none
//!   ([`FromIr::no_morph_normals`]): some programs make these themselves, and then move the wrong
//!   vertices.
//! - **Nodes of a scene graph** (skeletons that are no bones) have neither that root nor a skin.
//!   What only says that a mesh is where such a node is becomes that node.
//! - **Hidden joints** have one more node above them, with a scale of 0 or 1 that changes in steps:
//!   every reader understands that. On request
//!   ([`FromIr::node_visibility`]) they have `KHR_node_visibility` instead.
//! - **Waves, angles and states** become keys, near enough ([`FromIr::tolerance`]); each state of
//!   a machine becomes an animation.
//! - **Axes** are turned where the scene's y points down: numbers change, no node is added.
//! - **Clips** are animations. Of a clip that is a part of its timeline those keys are written that
//!   are in it, borders included; a constant has one key, at the clip's start. A timeline without a
//!   clip is an animation as a whole.
//! - **Rest keys.** A clip for all joints has a key for each channel that another clip of the
//!   skeleton moves: Blender and Babylon would leave it as the clip before did
//!   ([`FromIr::no_rest_keys`]).
//! - **Still clips** have two equal keys in their first channel, so that they take time: up to the
//!   clip's end, 1/60 s at least.
//! - **Morph weights on splines** become linear keys ([`FromIr::cubic`]), since Bevy panics on
//!   cubic ones and Blender ignores their slopes.
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
//! - `name` (nodes, animations): name in the scene, where the one in the file is another.
//! - `role` (nodes): the scene has no such node: `armature` (above a skeleton's roots), `rest`
//!   (upper half of a joint's rest pose), `visibility` (its scale shows and hides the joint below),
//!   `static` (the joint that never moves), `again` (a joint that its skin names twice), `scene`
//!   (there would be no node at all).
//! - `start`, `end` (animations): the clip's range, in seconds of this animation.
//! - `timeline` (animations): name of the clip's timeline, where it has another.
//! - `wrap` (animations): `once`, `loop`, `ping-pong` or `ping-pong once`.
//! - `group` (animations): name of the group that the clip belongs to.
//! - `time_base` (animations): what the file counted time in: `{"frames_per_second": 24}` or
//!   `{"progress_seconds": 1.5}`; seconds otherwise.
//! - `time_offset` (animations): seconds to add to a time of this animation for the time on the
//!   timeline.
//! - `partial` (animations): `true`: the clip is for the joints that it moves, and not for others.
//! - `events` (animations): list of `{"time": seconds of this animation, "name": …, "group": …,
//!   "payload": {…}}`; `group` only where the event belongs to one.
//! - `flat_normals` (meshes): the normals of the mesh and its targets were added, since it has
//!   morph targets; for each vertex that was added at the end, the vertex that it is a copy of.
//! - `animations` (scenes): list of `{"animation": index, "name": …, "wrap": …, "events": number of
//!   a list in the scene's events}`, for programs that lose the extras of animations.
//! - `events` (scenes): lists of events; animations with the same events share one.
//! - `rest` (channels): `true`: a rest key; the scene has no such track.
//! - `held` (channels): `true`: the second of the two keys repeats the first, so that the animation
//!   has a length.
//! - `cubic` (channels): `{"sampler": 3, "checksum": …}`: the channel's linear keys stand for the
//!   cubic ones of that sampler of the animation, which no channel uses.
//! - `clips` (scenes): list of clips in which nothing moves: the entries of an animation, with
//!   `name`, `joints` (names of those that the clip is for) and `extras`.
//!
//! Names of morph targets stand in the mesh's extras as `targetNames`, where Blender and others
//! look for them.
//!
//! # Reading
//!
//! [`Document::parse`] and [`to_ir()`] take GLB and `.gltf`; [`to_ir_with()`] opens files beside
//! them through a [`Resolver`](anim_ir::Resolver). What [`from_ir()`] wrote becomes the scene that
//! it was, down to the bits of its keys. What was added to animations is left out again, unless it
//! has been changed since: then it counts. Of the files of others:
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
//!   back in time) is left out, with a code from [`codes`]; nodes that make no tree leave
//!   nothing to read.
//!
//! What was written does not come back in these respects, beside what was reported then:
//!
//! - Scene graphs are one skeleton without a name, and what hangs from them in a node of its own is
//!   a joint.
//! - A clip has a timeline of its own, with the keys that are in it, also where it shared one. A
//!   timeline without a clip has got one.
//! - Clips for some joints are for those of them that have keys, and have tracks for those alone.
//! - Keys before the rest pose are keys relative to the parent, unless a joint needed two nodes.
//! - Waves, angles and states are keys.
//! - A mesh with two skins is two meshes. `default` is the material of what had none.
//! - Skins that no node uses, joints of vertices without weight, and numbers of joints in an older
//!   file are gone.

pub mod codes;
mod document;
mod error;
mod format;
mod from_ir;
mod glb;
mod json;
mod marks;
mod math;
mod png;
mod read;
mod sniff;
mod to_ir;
mod uri;
mod write;

pub use anim_ir::ParseError;
pub use document::{Document, ParseOptions};
pub use error::FromIrError;
pub use format::{Glb, Gltf};
pub use from_ir::{FromIr, Up, from_ir, to_glb_in, to_gltf};
pub use sniff::sniff;
pub use to_ir::{ToIr, to_ir, to_ir_with};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
