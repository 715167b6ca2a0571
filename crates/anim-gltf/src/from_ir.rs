//! Conversion from a scene to files.

use std::borrow::Cow;

use anim_ir::{
    Axes, Bake, Budget, Converted, Diagnostics, Output, Quat, Scene, Skeleton, Up, Value,
    require_valid,
};

use crate::error::FromIrError;
use crate::glb;
use crate::json::{self, extension, gl};
use crate::uri::percent_encode;
use crate::write::accessor::Accessors;
use crate::write::buffer::{Bin, Piece};
use crate::write::extras::{extras, take_copyright};
use crate::write::flat::with_flat_normals;
use crate::write::hierarchy::{Hierarchy, has_armature};
use crate::write::material::{ImagePlace, Materials};
use crate::write::skin::Skins;
use crate::write::summary::summary;
use crate::write::variants::Variants;
use crate::write::{animation, camera, mesh};

anim_ir::options! {
    /// Options for writing a scene.
    pub struct FromIr {
        /// The axis that points up in the scene.
        up (with_up): Up = Up::Y,
            choice("up", Up::NAMES, Some("y"), Up::HELP);
        /// Writes visibility as `KHR_node_visibility`, animated through `KHR_animation_pointer`,
        /// instead of a scale of 0. Few programs support these extensions, and some reject files
        /// that use the latter.
        node_visibility (with_node_visibility): bool = false,
            flag("node-visibility",
                "Hide joints with KHR_node_visibility, which few programs support, instead of a \
                 scale of 0");
        /// Whether a GLB references image files instead of embedding them. Images without a path,
        /// and PNG images with metadata to remove
        /// ([`IMAGE_CLEANED`](crate::codes::IMAGE_CLEANED)), are always embedded.
        external_images (with_external_images): bool = false,
            flag("external-images", "Reference image files from a .glb instead of embedding them");
        /// Whether images are embedded in the `.bin` of a `.gltf` instead of being referenced as
        /// files.
        embed (with_embed): bool = false,
            flag("embed", "Embed images in the .bin of a .gltf; a .glb embeds them by default")
                .conflicts("external-images");
        /// Maximum number of joints per vertex: 4, or 8, which requires a second set of attributes
        /// (`JOINTS_1`, `WEIGHTS_1`) in meshes that use more than four.
        influences (with_influences): usize = 4,
            choice("influences", &["4", "8"], Some("4"),
                "Maximum number of joints per vertex; some programs ignore more than four");
        /// Omits the flat normals that are otherwise added to meshes with morph targets but no
        /// normals, because programs that generate flat normals themselves may morph the wrong
        /// vertices.
        no_morph_normals (with_no_morph_normals): bool = false,
            flag("no-morph-normals", "Omit the normals of morph targets to make files smaller");
        /// Tolerance of the keys baked from waves and states: see [`Bake::tolerance`].
        tolerance (with_tolerance): f64 = 0.001,
            positive("tolerance", Some("0.001"),
                "Maximum error of keys baked from waves, relative to the joint's range of motion");
        /// Resamples linear and cubic keys at this many frames per second, greater than 0
        /// ([`Scene::resample`]). `None`: keys keep their times.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("fps", None,
                "Sampling rate, for targets that cannot store the source's keys exactly. glTF \
                 and X3D keys keep their times unless a rate is given");
        /// Keeps cubic keys of morph weights. By default they become linear keys, since Bevy panics
        /// on cubic morph weights and Blender ignores their tangents. With the linear keys, no
        /// vertex deviates by more than 1e-5 of the mesh's size. The cubic keys are restored when
        /// the file is read.
        cubic (with_cubic): bool = false,
            flag("cubic",
                "Keep cubic keys of morph weights, instead of linear keys accurate to 0.001 % of \
                 the mesh's size");
        /// Omits rest keys. By default, a clip that is not partial gets a key for each channel that
        /// only other clips of the skeleton animate, for programs that do not reset the pose
        /// between clips.
        no_rest_keys (with_no_rest_keys): bool = false,
            flag("no-rest-keys",
                "Do not add keys that reset channels animated only by other clips");
        /// Template for animation names, with the placeholders `{clip}` (the clip's
        /// [`name_in_group`](anim_ir::Clip::name_in_group), otherwise its name) and `{set}` (the
        /// clip's [`group`](anim_ir::Clip::group)). Text between two placeholders is omitted if
        /// either is empty. Or a list of names separated by commas, one for each clip, in order.
        /// The clips are read back with these names. Without `{clip}`, a template can name only a
        /// single clip. `None`: the clip's name.
        clip_names (with_clip_names): Option<String> = None,
            text("clip-names",
                "A name for each clip, in order: walk,run. Or a template for the names: {clip} \
                 stands for the clip's name, {set} for its set if it is cut by an ANM text. With \
                 'robot_{clip}', the clips `walk` and `Body/walk` (of the set `Body`) become \
                 `robot_walk`, with '{set}_{clip}', `walk` and `Body_walk`. By default, names are \
                 kept");
        /// Shifts each clip in time so that it starts at 0 s, as players of single clips expect.
        /// Otherwise, keys have their exact times on the timeline, unless any are before 0 s.
        /// Either way, the extras record the clip's position on the timeline.
        clips_start_at_zero (with_clips_start_at_zero): bool = false;
        /// Maximum size of each file in bytes; by default 4 GiB - 1, the maximum size of a GLB. Key
        /// values shared by several clips are written once per clip, so a small scene may become a
        /// large file.
        max_bytes (with_max_bytes): usize = u32::MAX as usize;
    }
}

/// Writes a scene as a GLB.
///
/// # Errors
///
/// Returns [`FromIrError`] if the scene or the template for animation names is invalid, or if the
/// output would be too large.
pub fn from_ir(scene: &Scene, options: &FromIr) -> Result<Converted<Vec<u8>>, FromIrError> {
    let mut value = Vec::new();
    let losses = to_glb_in(&mut value, scene, options)?;
    Ok(Converted { value, losses })
}

/// Writes a scene as a GLB, like [`from_ir`], into an existing buffer, whose memory is reused.
/// Clears `out` first.
///
/// # Errors
///
/// Returns the same errors as [`from_ir`]; `out` is then empty.
pub fn to_glb_in(
    out: &mut Vec<u8>,
    scene: &Scene,
    options: &FromIr,
) -> Result<Diagnostics, FromIrError> {
    out.clear();
    let budget = Budget::for_scene(&options.limits, scene);
    let (ready, turn) = ready(scene, options, &budget)?;
    let Planned { root, bin, losses } =
        plan(&ready.value, turn, (options, &budget), None, ready.losses)?;
    let mut json = to_json(&root)?;
    drop(root);
    // Chunk lengths in a GLB are multiples of 4; JSON is padded with spaces.
    json.resize(json.len().next_multiple_of(4), b' ');
    let total = glb::length(json.len(), bin.len());
    let most = options.max_bytes.min(u32::MAX as usize);
    reserve(out, total, most)?;
    glb::put(out, &json, bin.len()).ok_or(FromIrError::TooLarge { most })?;
    bin.write(out);
    Ok(losses)
}

/// Writes a scene as a `.gltf` file, with its binary data, if any, in `<stem>.bin`.
///
/// # Errors
///
/// Returns the same errors as [`from_ir`].
pub fn to_gltf(
    scene: &Scene,
    options: &FromIr,
    stem: &str,
) -> Result<Converted<Output>, FromIrError> {
    let budget = Budget::for_scene(&options.limits, scene);
    let (ready, turn) = ready(scene, options, &budget)?;
    let name = format!("{stem}.bin");
    let Planned { root, bin, losses } =
        plan(&ready.value, turn, (options, &budget), Some(&name), ready.losses)?;
    let main = to_json(&root)?;
    if main.len() > options.max_bytes {
        return Err(FromIrError::TooLarge { most: options.max_bytes });
    }
    let mut bytes = Vec::new();
    reserve(&mut bytes, bin.len(), options.max_bytes)?;
    bin.write(&mut bytes);
    let companions = if bytes.is_empty() { Vec::new() } else { vec![(name, bytes)] };
    Ok(Converted { value: Output { main, companions }, losses })
}

/// Prepares a scene for planning: validates it, converts it to glTF axes, bakes all motion to keys,
/// and adds flat normals to meshes that need them. Also returns the rotation to y up, which has
/// already been applied to the joints that become nodes of their own: their keys must be rotated.
fn ready<'a>(
    scene: &'a Scene,
    options: &FromIr,
    budget: &Budget,
) -> Result<(Converted<Cow<'a, Scene>>, Option<Quat>), FromIrError> {
    require_valid(scene)?;
    let bake = Bake::default().with_tolerance(options.tolerance);
    let mut ready = scene.in_keys(Axes::YUp, &bake, budget)?;
    if let Some(rate) = options.frames_per_second {
        ready.losses.append(ready.value.to_mut().resample(rate, budget)?);
    }
    let turn = options.up.rotation(&ready.value);
    let is_graph = |skeleton: &Skeleton| !skeleton.joints.is_empty() && !has_armature(skeleton);
    let has_graph = ready.value.skeletons.iter().any(is_graph);
    if let Some(turn) = turn.filter(|_| has_graph) {
        // Baked motion has no angles, so it can be rotated.
        ready.value.to_mut().rotate_roots(turn, is_graph);
    }
    Ok((if options.no_morph_normals { ready } else { ready.map(with_flat_normals) }, turn))
}

/// Reserves memory for a whole file.
fn reserve(out: &mut Vec<u8>, bytes: usize, most: usize) -> Result<(), FromIrError> {
    if bytes > most || out.try_reserve_exact(bytes).is_err() {
        return Err(FromIrError::TooLarge { most });
    }
    Ok(())
}

fn to_json(root: &json::Root<'_>) -> Result<Vec<u8>, FromIrError> {
    serde_json::to_vec(root).map_err(|error| FromIrError::Json(error.to_string()))
}

struct Planned<'a> {
    root: json::Root<'a>,
    bin: Bin<'a>,
    losses: Diagnostics,
}

/// Plans the JSON and the layout of the binary data.
fn plan<'a>(
    scene: &'a Scene,
    turn: Option<Quat>,
    (options, budget): (&FromIr, &Budget),
    bin_name: Option<&str>,
    mut losses: Diagnostics,
) -> Result<Planned<'a>, FromIrError> {
    let mut accessors = Accessors::new(options.max_bytes);
    let variants = Variants::of(scene, &mut losses);
    let planned_skins = Skins::plan(scene, &variants, options.influences, &mut losses)?;
    let hiding = (options.node_visibility, budget);
    let mut tree = Hierarchy::plan(scene, hiding, &variants, &planned_skins, &mut losses)?;
    if let Some(turn) = turn {
        tree.turn(turn);
    }
    let embed = if bin_name.is_some() { options.embed } else { !options.external_images };
    let place = if embed { ImagePlace::Embedded } else { ImagePlace::External };
    let mut materials = Materials::plan(scene, (place, budget), &mut accessors.bin, &mut losses)?;
    let meshes =
        mesh::plan(scene, &variants, &planned_skins, &mut materials, &mut accessors, &mut losses)?;
    let animations = animation::plan(
        scene,
        &animation::Options {
            start_at_zero: options.clips_start_at_zero,
            cubic: options.cubic,
            rest_keys: !options.no_rest_keys,
            names: options.clip_names.as_deref(),
            budget,
        },
        (&tree, &meshes),
        &mut accessors,
        &mut losses,
    )?;
    let cameras = camera::plan(scene, &mut losses);
    let skins = plan_skins(scene, planned_skins, &tree, &mut accessors)?;
    let mut ours = summary(&animations.list);
    if !animations.empty.is_empty() {
        ours.push(("clips", Value::List(animations.empty)));
    }
    let Accessors { list: accessors, mut bin } = accessors;
    let samplers = materials.samplers();
    let hides = tree.nodes.iter().any(|node| node.extensions.visibility.is_some());
    let mut channels = animations.list.iter().flat_map(|animation| &animation.channels);
    let points = channels.any(|channel| channel.target.extensions.pointer.is_some());
    let extensions = [
        (extension::MATERIALS_UNLIT, materials.any_unlit()),
        (extension::NODE_VISIBILITY, hides),
        (extension::ANIMATION_POINTER, points),
    ];
    let mut extras = extras(&scene.extras, ours, &mut losses, || "the scene".to_owned());
    let copyright = take_copyright(&mut extras.own);
    let byte_length = bin.len();
    let buffer = json::Buffer { uri: bin_name.map(percent_encode), byte_length };
    let root = json::Root {
        asset: Some(json::Asset {
            generator: concat!("anim-formats ", env!("CARGO_PKG_VERSION")),
            version: "2.0".into(),
            min_version: None,
            copyright,
            extras: json::HasExtras::default(),
        }),
        extensions_used: extensions
            .into_iter()
            .filter(|(_, used)| *used)
            .map(|(name, _)| name.into())
            .collect(),
        extensions_required: Vec::new(),
        scene: Some(0),
        scenes: vec![json::Scene { name: Cow::Borrowed(&scene.name), nodes: tree.roots, extras }],
        nodes: tree.nodes,
        meshes,
        skins,
        animations: animations.list,
        cameras,
        materials: materials.list,
        textures: materials.textures,
        samplers,
        images: materials.images,
        accessors,
        buffer_views: std::mem::take(&mut bin.views),
        buffers: if byte_length > 0 { vec![buffer] } else { Vec::new() },
        extras: json::HasExtras::default(),
    };
    Ok(Planned { root, bin, losses })
}

/// Returns the skins of the glTF file.
fn plan_skins<'a>(
    scene: &'a Scene,
    skins: Skins<'a>,
    tree: &Hierarchy<'_>,
    accessors: &mut Accessors<'a>,
) -> Result<Vec<json::Skin<'a>>, FromIrError> {
    let mut planned = Vec::with_capacity(skins.list.len());
    for skin in skins.list {
        let count = skin.slots.len();
        let skeleton = scene.skeleton(skin.skeleton);
        let inverse_bind_matrices =
            accessors.add(None, Piece::OwnedFloats(skin.inverse_bind), gl::FLOAT, "MAT4", count)?;
        planned.push(json::Skin {
            name: skeleton.map_or("", |skeleton| skeleton.name.as_str()).into(),
            inverse_bind_matrices: Some(inverse_bind_matrices),
            skeleton: tree.armature(skin.skeleton),
            joints: skin.slots.iter().filter_map(|slot| tree.slot(skin.skeleton, *slot)).collect(),
            extras: json::HasExtras::default(),
        });
    }
    Ok(planned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_memory_is_reserved_for_files_that_are_too_large() {
        let mut out = Vec::new();
        assert_eq!(reserve(&mut out, 2000, 1000), Err(FromIrError::TooLarge { most: 1000 }));
        assert_eq!(out.capacity(), 0);
        assert_eq!(reserve(&mut out, 1000, 1000), Ok(()));
        assert_eq!(out.capacity(), 1000);
    }
}
