//! Reads and writes glTF 2.0, as GLB or as `.gltf` with `.bin`, using the scene model of
//! [`anim_ir`].
//!
//! Output passes the Khronos validator without errors or warnings. Keys stay keys: nothing is
//! resampled, and times are bit-exact. Whatever glTF cannot represent is reported with a code from
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
//! - **Skeletons.** Each joint is a node. The roots of a skeleton get a common parent node, named
//!   after the skeleton: the joints of a skin need a common root, and Blender turns it into an
//!   armature. A skeleton without a mesh gets its own skin; otherwise no program would recognise
//!   its joints as bones.
//! - **Rest poses** with shear become two nodes: glTF cannot animate matrices, but any matrix is
//!   the product of two rotations with a scale between them, and the joint's own node can then be
//!   animated key by key. The same applies if keys rotate a joint before a rest pose with
//!   non-uniform scale.
//! - **Skinned meshes** are root nodes without a transform, since glTF ignores their parents'
//!   transforms. Vertices have four influences, or eight ([`FromIr::influences`]); a vertex without
//!   any is bound to a joint that never moves (`<skeleton>.static`).
//! - **Meshes with morph targets** but without normals get flat normals
//!   ([`FromIr::no_morph_normals`]): some programs generate these themselves, and then morph the
//!   wrong vertices.
//! - **Nodes of a scene graph** (skeletons that are not bones) have neither a common root nor a
//!   skin. A scene node that only places a mesh at such a joint is merged into the joint's node.
//! - **Hidden joints** get an additional parent node with a scale of 0 or 1 that changes in steps,
//!   which every reader understands, or `KHR_node_visibility` with [`FromIr::node_visibility`].
//! - **Waves, angles and states** become keys within [`FromIr::tolerance`]; each state of a machine
//!   becomes an animation.
//! - **Axes** are converted if the scene's y points down: coordinates change, and no node is added.
//! - **Clips** are animations. A clip that covers a part of its timeline gets the keys in its
//!   range, including those at its start and end; a constant has one key, at the clip's start. A
//!   timeline without a clip becomes one animation.
//! - **Rest keys.** A clip for all joints has a key for each channel that another clip of the
//!   skeleton animates: Blender and Babylon would otherwise keep the pose of the previous clip
//!   ([`FromIr::no_rest_keys`]).
//! - **Still clips** have two equal keys in their first channel to give them a duration: up to the
//!   clip's end, and at least 1/60 s.
//! - **Morph weights on splines** become linear keys ([`FromIr::cubic`]), since Bevy panics on
//!   cubic ones and Blender ignores their tangents.
//! - **Materials.** Primitives without a material get a white, matt one: glTF's own default is a
//!   metal, which is black without an environment to reflect.
//! - **Names** of nodes are unique, as are those of animations: a suffix such as `.001` is appended
//!   to duplicate names.
//!
//! # Entries in `extras`
//!
//! The scene's own extras are written unchanged to the scene, node, mesh, material or animation
//! that they belong to. This crate adds the following under the name `anim_formats`; entries with
//! default values are left out.
//!
//! - `name` (nodes, animations): name in the scene, if the one in the file differs.
//! - `role` (nodes): marks a node that the scene does not have: `armature` (parent of a skeleton's
//!   roots), `rest` (upper half of a joint's rest pose), `visibility` (its scale shows and hides
//!   its child joint), `static` (the joint that never moves), `again` (a joint listed twice by its
//!   skin), `scene` (the only node of an otherwise empty scene).
//! - `start`, `end` (animations): the clip's range, in seconds of this animation.
//! - `timeline` (animations): name of the clip's timeline, if it differs from the clip's name.
//! - `wrap` (animations): `once`, `loop`, `ping-pong` or `ping-pong once`.
//! - `group` (animations): name of the group that the clip belongs to.
//! - `time_base` (animations): time unit of the source file: `{"frames_per_second": 24}` or
//!   `{"progress_seconds": 1.5}`; seconds otherwise.
//! - `time_offset` (animations): seconds to add to times of this animation to get times of the
//!   timeline.
//! - `partial` (animations): `true`: the clip is only for the joints that it animates.
//! - `events` (animations): list of `{"time": seconds of this animation, "name": …, "group": …,
//!   "payload": {…}}`; `group` only if the event belongs to one.
//! - `flat_normals` (meshes): the writer added the normals of the mesh and its morph targets; for
//!   each vertex appended to the mesh, the index of the vertex that it duplicates.
//! - `animations` (scenes): list of `{"animation": index, "name": …, "wrap": …, "events": index
//!   into the scene's events}`, for programs that drop the extras of animations.
//! - `events` (scenes): lists of events; animations with the same events share a list.
//! - `rest` (channels): `true`: a rest key, for which the scene has no track.
//! - `held` (channels): `true`: the second of the two keys repeats the first to give the animation
//!   a duration.
//! - `cubic` (channels): `{"sampler": 3, "checksum": …}`: the channel's linear keys replace the
//!   cubic keys of that sampler of the animation, which no channel uses.
//! - `clips` (scenes): list of clips without motion: the entries of an animation, with `name`,
//!   `joints` (names of the joints that the clip is for) and `extras`.
//!
//! Names of morph targets are in the mesh's extras as `targetNames`, where Blender and other
//! programs look for them.
//!
//! # Reading
//!
//! [`Document::parse`] and [`to_ir()`] read GLB and `.gltf`; [`to_ir_with()`] opens companion files
//! through a [`Resolver`](anim_ir::Resolver). Output of [`from_ir()`] is read back as the original
//! scene, with bit-exact keys. What the writer added to animations is removed, unless it has been
//! changed since. Files from other writers are read as follows:
//!
//! - **Bones** are all nodes of a tree that contains joints of a skin; if its root is not a joint
//!   and has no transform, it only names the skeleton. A node that only places a mesh or a camera
//!   stays a node.
//! - **All other nodes** are the joints of another skeleton, the scene graph. It is left out if all
//!   of them are just meshes and cameras at the origin.
//! - **Animations** become a timeline and a clip each. An animation that moves several skeletons is
//!   split.
//! - **Strips, fans and loops** become individual triangles and lines; the vertices of all
//!   primitives of a mesh are merged into one list.
//! - **Extensions**: `KHR_materials_unlit`, `KHR_mesh_quantization`,
//!   `KHR_node_visibility`, and `KHR_animation_pointer` for visibility. A file that requires any
//!   other extension is refused.
//! - **Broken items** (an accessor beyond its buffer, a number that is not finite, keys that go
//!   back in time) are left out and reported with a code from [`codes`]. A file whose nodes do not
//!   form trees is refused.
//!
//! Apart from reported losses, a round trip does not preserve the following:
//!
//! - Scene graphs become one skeleton without a name, and scene nodes attached to them become
//!   joints.
//! - Each clip gets its own timeline with the keys in its range, even if it shared one. A timeline
//!   without a clip gets a clip.
//! - Clips for some of the joints are restricted to those that have keys, and have tracks for no
//!   others.
//! - Keys before the rest pose become keys relative to the parent, unless a joint needed two nodes.
//! - Waves, angles and states become keys.
//! - A mesh with two skins becomes two meshes. Primitives without a material get one named
//!   `default`.
//! - Skins that no node uses, joints of vertices without weight, and joint numbers from the source
//!   file are lost.

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
