//! Reads and writes glTF 2.0, as GLB or as `.gltf` with `.bin`, using the scene model of
//! [`anim_ir`].
//!
//! The output passes the Khronos validator without errors or warnings. By default, keys are written
//! without resampling, except cubic keys of morph weights, and with bit-exact times, unless a clip
//! has keys before 0 s. Anything that glTF cannot represent is reported with a code from [`codes`].
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
//!   after the skeleton, because the joints of a skin need a common root. Blender imports it as an
//!   armature. A skeleton without a mesh gets its own skin, because programs would not recognise
//!   its joints as bones otherwise.
//! - **Rest poses** with shear become two nodes. glTF cannot animate matrices, but any matrix is
//!   the product of two rotations with a scale between them, so the second node can be animated
//!   with the original keys. The same applies if keys rotate a joint before a rest pose with
//!   non-uniform scale.
//! - **Skinned meshes** are root nodes without a transform, since glTF ignores the transforms of
//!   skinned mesh nodes and their parents. Vertices have up to four influences, or up to eight with
//!   [`FromIr::influences`]; a vertex without influences is bound to a joint that never moves
//!   (`<skeleton>.static`).
//! - **Meshes with morph targets** but without normals get flat normals
//!   ([`FromIr::no_morph_normals`]), because some programs that generate normals themselves then
//!   morph the wrong vertices.
//! - **Nodes of a scene graph** (skeletons that are not bones) have neither a common root nor a
//!   skin. A scene node that only attaches a mesh or a camera to a joint is merged into the joint's
//!   node.
//! - **Joints that are hidden** at rest or in a clip get an additional parent node with a scale of
//!   0 or 1, animated in steps, which every reader supports. With [`FromIr::node_visibility`], and
//!   where a scale hides nothing or collapses joints of a skin, they use `KHR_node_visibility`.
//! - **Waves, angles and states** become keys within [`FromIr::tolerance`]; each state of a state
//!   machine becomes an animation.
//! - **Axes** are converted if the scene's y axis points down. Coordinates are transformed, and no
//!   node is added.
//! - **Clips** become animations. A clip that covers part of its timeline gets the keys in its
//!   range, including those at its start and end. A constant becomes one key at the clip's start. A
//!   timeline without clips becomes one animation.
//! - **Rest keys.** A clip that is not partial has a key for each channel that another clip of the
//!   skeleton animates, because Blender and Babylon would otherwise keep the pose of the previous
//!   clip ([`FromIr::no_rest_keys`]). They are omitted if there would be too many.
//! - **Clips without motion** have two equal keys in their first channel to give them a duration:
//!   the clip's duration, but at least 1/60 s. If they have no channel either, they hold the first
//!   node of the scene in its rest pose, so that the animation exists.
//! - **Morph weights on splines** become linear keys ([`FromIr::cubic`]), since Bevy panics on
//!   cubic morph weights and Blender ignores their tangents.
//! - **Materials.** Primitives without a material get a matte white material. glTF's default
//!   material is metallic, which looks black without an environment map.
//! - **Names** of nodes and animations are unique. Duplicate names get a suffix such as `.001`.
//!
//! # Entries in `extras`
//!
//! Extras of the scene model are written unchanged to the corresponding scene, node, mesh, material
//! or animation. This crate adds the following entries under the name `anim_formats`; entries with
//! default values are omitted.
//!
//! - `name` (nodes, animations): the original name, if the name in the file differs. Animations
//!   named by [`FromIr::clip_names`] keep the name in the file.
//! - `role` (nodes): marks a node added by the writer: `armature` (parent of a skeleton's roots),
//!   `rest` (the first part of a split rest pose), `visibility` (shows and hides its child joint by
//!   scale), `static` (the joint that never moves), `again` (duplicate of a joint that its skin
//!   lists more than once), `scene` (the only node of an otherwise empty scene).
//! - `start`, `end` (animations): the clip's range, in seconds of this animation.
//! - `timeline` (animations): name of the clip's timeline, if it differs from the clip's name.
//! - `wrap` (animations): `once`, `loop`, `ping-pong` or `ping-pong once`.
//! - `group` (animations): name of the clip's group.
//! - `time_base` (animations): time unit of the source file: `{"frames_per_second": 24}` or
//!   `{"progress_seconds": 1.5}`; if absent, seconds.
//! - `time_offset` (animations): offset in seconds from times of this animation to times of the
//!   timeline.
//! - `partial` (animations): `true`: the clip only affects the joints that it animates.
//! - `empty` (animations): `true`: the clip has no motion and is described in `clips` of the scene.
//! - `events` (animations): list of `{"time": seconds of this animation, "name": …, "group": …,
//!   "payload": {…}}`; `group` is optional.
//! - `flat_normals` (meshes): the writer added the normals of the mesh and its morph targets. The
//!   list has an entry for each vertex appended to the mesh: the index of the vertex that it
//!   duplicates.
//! - `animations` (scenes): list of `{"animation": index, "name": …, "wrap": …, "events": index
//!   into the scene's events}`, a fallback in case a program drops the extras of animations.
//! - `events` (scenes): lists of events; animations with identical events share a list.
//! - `rest` (channels): `true`: a rest key, which does not correspond to a track of the scene.
//! - `held` (channels): `true`: the second of the two keys duplicates the first, to give the
//!   animation a duration.
//! - `cubic` (channels): `{"sampler": 3, "checksum": …}`: the channel's linear keys replace the
//!   original cubic keys, which are kept in that sampler of the animation; no channel uses it.
//! - `clips` (scenes): list of clips without motion. Each has the entries of an animation and
//!   `name`, `joints` (names of the joints that the clip affects), `extras`, and `animation`: the
//!   name of the animation that stands for it, if there is one.
//!
//! The copyright notice in a file's `asset` is the entry `gltf.copyright` in the scene's extras.
//!
//! Names of morph targets are stored in the mesh's extras as `targetNames`, as Blender and other
//! programs expect.
//!
//! # Reading
//!
//! [`Document::parse`] and [`to_ir()`] read GLB and `.gltf`; [`to_ir_with()`] opens companion files
//! through a [`Resolver`](anim_ir::Resolver). Output of [`from_ir()`] is read back as the original
//! scene, with bit-exact keys. Keys that the writer added to animations are removed unless another
//! program has changed them. Files from other writers are read as follows:
//!
//! - **Bones** are all nodes of a tree that contains joints of a skin. A root that is not a joint
//!   and has no transform, animation or content only provides the skeleton's name. Nodes that only
//!   position a mesh or a camera stay nodes.
//! - **All other nodes** become joints of a second skeleton, the scene graph. It is omitted if all
//!   of them are just meshes and cameras at the origin.
//! - **Animations** become one timeline and one clip each. An animation that moves several
//!   skeletons is split.
//! - **Strips, fans and loops** become individual triangles and lines; the vertices of all
//!   primitives of a mesh are merged into one list.
//! - **Extensions**: `KHR_materials_unlit`, `KHR_mesh_quantization`, `KHR_node_visibility`, and
//!   `KHR_animation_pointer` for visibility. A file that requires any other extension is rejected,
//!   unless the extension only affects lights, materials, images or metadata.
//! - **Invalid items** (an out-of-bounds accessor, a non-finite number, keys that are not in
//!   chronological order) are skipped and reported with a code from [`codes`]. A file whose nodes
//!   do not form trees is rejected.
//!
//! In addition to the reported losses, a round trip does not preserve the following:
//!
//! - Scene graphs are merged into one unnamed skeleton, and scene nodes attached to them become
//!   joints.
//! - Each clip gets its own timeline with the keys in its range, even if clips shared a timeline. A
//!   timeline without clips gets a clip.
//! - Partial clips are restricted to joints that have keys, and contain no other tracks.
//! - Keys that are applied before the rest pose become keys relative to the parent, unless a joint
//!   needed two nodes.
//! - Waves, angles and states become keys.
//! - A mesh with two skins becomes two meshes. Primitives without a material get a material named
//!   `default`.
//! - Unused skins, joints with a weight of 0, and joint numbers from the source file are lost.

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

pub use anim_ir::{ParseError, Up};
pub use document::{Document, ParseOptions};
pub use error::FromIrError;
pub use format::{Glb, Gltf};
pub use from_ir::{FromIr, from_ir, to_glb_in, to_gltf};
pub use sniff::sniff;
pub use to_ir::{ToIr, to_ir, to_ir_with};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
