//! Puts the parts of a file together.

use std::borrow::Cow;

use anim_ir::{Axes, Bake, Converted, Diagnostics, Quat, Scene, Severity, Value, validate};

use crate::buffer::{Bin, Piece};
use crate::error::WriteError;
use crate::extras::extras;
use crate::hierarchy::Hierarchy;
use crate::json::{self, gl};
use crate::material::Materials;
use crate::mesh::Accessors;
use crate::skin::{Skins, Variants};
use crate::uri::percent_encode;
use crate::{animation, camera, mesh};

/// How many of a scene's errors a [`WriteError`] tells.
const ERRORS_TOLD: usize = 5;

/// A `.gltf` file and the file of binary data that it refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GltfFiles {
    /// The `.gltf` file: UTF-8.
    pub json: Vec<u8>,
    /// The binary data; empty where the scene has none, in which case the JSON refers to no file.
    pub bin: Vec<u8>,
}

/// What to write, and how.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WriteOptions {
    /// Moves each clip in time so that it starts at 0 s, as players of cut-out clips expect.
    /// Otherwise keys have the times that they have on the timeline, bit for bit. Either way the
    /// extras tell where a clip was.
    pub clips_start_at_zero: bool,
    /// Most bytes that a file may have. A GLB has never more than 4 GiB - 1, which is what stands
    /// here otherwise. Many clips on one long timeline multiply, so that a small scene may make a
    /// large file.
    pub max_bytes: usize,
    /// Turns the whole scene about the origin: what has another axis up than y can be made to
    /// stand. A unit quaternion.
    pub turn: Quat,
    /// Shows and hides with `KHR_node_visibility`, animated through `KHR_animation_pointer`,
    /// instead of with a scale of 0. Few programs read these extensions, and some refuse files that
    /// have the second one.
    pub node_visibility: bool,
    /// How near the keys are that waves and states become: see [`anim_ir::Scene::baked`].
    pub bake: Bake,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions {
            clips_start_at_zero: false,
            max_bytes: u32::MAX as usize,
            turn: Quat::IDENTITY,
            node_visibility: false,
            bake: Bake::default(),
        }
    }
}

/// The scene as a GLB file: JSON and binary data in one.
///
/// # Errors
///
/// [`WriteError`] where the scene is not valid, or too large for the format.
pub fn to_glb(scene: &Scene, options: &WriteOptions) -> Result<Converted<Vec<u8>>, WriteError> {
    let mut value = Vec::new();
    let losses = to_glb_in(&mut value, scene, options)?;
    Ok(Converted { value, losses })
}

/// Like
/// [`to_glb`], into memory that is there already: a batch of files needs no new memory for each. What `out`
/// held is gone.
///
/// # Errors
///
/// [`WriteError`] where the scene is not valid, or too large for the format; `out` is then empty.
pub fn to_glb_in(
    out: &mut Vec<u8>,
    scene: &Scene,
    options: &WriteOptions,
) -> Result<Diagnostics, WriteError> {
    out.clear();
    let ready = ready(scene, options)?;
    let Planned { root, bin, losses } = plan(&ready.value, options, None)?;
    let losses = together(ready.losses, losses);
    let mut json = to_json(&root)?;
    drop(root);
    // The chunks of a GLB are multiples of four bytes; JSON is padded with blanks.
    json.resize(json.len().next_multiple_of(4), b' ');
    let (header, chunk_header, bin_length) = (12_usize, 8_usize, bin.len());
    let bin_chunk = if bin_length > 0 { bin_length.saturating_add(chunk_header) } else { 0 };
    let total = json.len().saturating_add(header + chunk_header).saturating_add(bin_chunk);
    let most = options.max_bytes.min(u32::MAX as usize);
    let length = |length: usize| u32::try_from(length).map_err(|_| WriteError::TooLarge { most });
    reserve(out, total, most)?;
    out.extend_from_slice(b"glTF");
    out.extend_from_slice(&2_u32.to_le_bytes());
    out.extend_from_slice(&length(total)?.to_le_bytes());
    out.extend_from_slice(&length(json.len())?.to_le_bytes());
    out.extend_from_slice(b"JSON");
    out.extend_from_slice(&json);
    if bin_length > 0 {
        out.extend_from_slice(&length(bin_length)?.to_le_bytes());
        out.extend_from_slice(b"BIN\0");
        bin.write(out);
    }
    Ok(losses)
}

/// The scene as a `.gltf` file and one of binary data. `bin_uri` is how the first refers to the
/// second: a path relative to it, with forward slashes; it is percent-encoded here.
///
/// # Errors
///
/// [`WriteError`] where the scene is not valid or too large, or `bin_uri` is empty.
pub fn to_gltf(
    scene: &Scene,
    options: &WriteOptions,
    bin_uri: &str,
) -> Result<Converted<GltfFiles>, WriteError> {
    if bin_uri.is_empty() {
        return Err(WriteError::BinUri);
    }
    let ready = ready(scene, options)?;
    let Planned { root, bin, losses } = plan(&ready.value, options, Some(bin_uri))?;
    let losses = together(ready.losses, losses);
    let json = to_json(&root)?;
    if json.len() > options.max_bytes {
        return Err(WriteError::TooLarge { most: options.max_bytes });
    }
    let mut bytes = Vec::new();
    reserve(&mut bytes, bin.len(), options.max_bytes)?;
    bin.write(&mut bytes);
    Ok(Converted { value: GltfFiles { json, bin: bytes }, losses })
}

/// A scene that can be planned: valid, in the axes of glTF, and with nothing that moves but keys.
fn ready<'a>(
    scene: &'a Scene,
    options: &WriteOptions,
) -> Result<Converted<Cow<'a, Scene>>, WriteError> {
    let found = validate(scene);
    let errors = found.total(Severity::Error);
    if errors > 0 {
        let told = found
            .iter()
            .filter(|diagnostic| diagnostic.severity() == Severity::Error)
            .take(ERRORS_TOLD);
        return Err(WriteError::Invalid {
            errors,
            first: told.map(|diagnostic| diagnostic.message.clone()).collect(),
        });
    }
    Ok(scene.in_keys(Axes::YUp, &options.bake)?)
}

fn together(mut first: Diagnostics, second: Diagnostics) -> Diagnostics {
    first.append(second);
    first
}

/// Makes room for all of a file.
fn reserve(out: &mut Vec<u8>, bytes: usize, most: usize) -> Result<(), WriteError> {
    if bytes > most || out.try_reserve_exact(bytes).is_err() {
        return Err(WriteError::TooLarge { most });
    }
    Ok(())
}

fn to_json(root: &json::Root<'_>) -> Result<Vec<u8>, WriteError> {
    serde_json::to_vec(root).map_err(|error| WriteError::Json(error.to_string()))
}

struct Planned<'a> {
    root: json::Root<'a>,
    bin: Bin<'a>,
    losses: Diagnostics,
}

/// All of the JSON, and all of the binary data but for its bytes.
fn plan<'a>(
    scene: &'a Scene,
    options: &WriteOptions,
    bin_uri: Option<&str>,
) -> Result<Planned<'a>, WriteError> {
    let mut losses = Diagnostics::new();
    let mut accessors = Accessors::new(options.max_bytes);
    let variants = Variants::of(scene, &mut losses);
    let planned_skins = Skins::plan(scene, &variants, &mut losses)?;
    let mut tree =
        Hierarchy::plan(scene, options.node_visibility, &variants, &planned_skins, &mut losses);
    tree.turn(options.turn.normalized());
    let mut materials = Materials::plan(scene, &mut accessors.bin, &mut losses)?;
    let meshes =
        mesh::plan(scene, &variants, &planned_skins, &mut materials, &mut accessors, &mut losses)?;
    let animations = animation::plan(scene, options, &tree, &mut accessors, &mut losses)?;
    let cameras = camera::plan(scene, &mut losses);
    let skins = plan_skins(scene, planned_skins, &tree, &mut accessors)?;
    let mut ours = Vec::new();
    if !animations.empty.is_empty() {
        ours.push(("clips", Value::List(animations.empty)));
    }
    let Accessors { list: accessors, mut bin } = accessors;
    let samplers = materials.samplers();
    let hides = tree.nodes.iter().any(|node| node.extensions.is_some());
    let points = animations
        .list
        .iter()
        .flat_map(|animation| &animation.channels)
        .any(|channel| channel.target.extensions.is_some());
    let extensions = [
        ("KHR_materials_unlit", materials.any_unlit()),
        ("KHR_node_visibility", hides),
        ("KHR_animation_pointer", points),
    ];
    let extensions_used =
        extensions.into_iter().filter(|(_, used)| *used).map(|(name, _)| name).collect();
    let byte_length = bin.len();
    let buffer = json::Buffer { uri: bin_uri.map(percent_encode), byte_length };
    let root = json::Root {
        asset: json::Asset {
            generator: concat!("anim-formats ", env!("CARGO_PKG_VERSION")),
            version: "2.0",
        },
        extensions_used,
        scene: 0,
        scenes: [json::Scene {
            name: &scene.name,
            nodes: tree.roots,
            extras: extras(&scene.extras, ours, &mut losses, || "the scene".to_owned()),
        }],
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
    };
    Ok(Planned { root, bin, losses })
}

fn plan_skins<'a>(
    scene: &'a Scene,
    skins: Skins<'a>,
    tree: &Hierarchy<'_>,
    accessors: &mut Accessors<'a>,
) -> Result<Vec<json::Skin<'a>>, WriteError> {
    let mut planned = Vec::with_capacity(skins.list.len());
    for skin in skins.list {
        let count = skin.slots.len();
        let inverse_bind_matrices =
            accessors.add(None, Piece::OwnedFloats(skin.inverse_bind), gl::FLOAT, "MAT4", count)?;
        planned.push(json::Skin {
            name: scene.skeletons.get(skin.skeleton).map_or("", |skeleton| skeleton.name.as_str()),
            inverse_bind_matrices,
            skeleton: tree.armatures.get(skin.skeleton).copied().flatten(),
            joints: skin.slots.iter().filter_map(|slot| tree.slot(skin.skeleton, *slot)).collect(),
        });
    }
    Ok(planned)
}
