//! Reads glTF 2.0 into a scene: the way back from [`to_glb`](crate::to_glb), and the way in for the
//! files of others.

mod animation;
mod buffers;
pub(crate) mod codes;
mod error;
mod extras;
mod glb;
mod json;
mod material;
mod mesh;
mod skin;
mod source;
mod tree;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use anim_ir::diag::quote;
use anim_ir::{Converted, Diagnostics, LimitError, Limits, Node, Parsed, Scene, Transform};

pub use buffers::{Buffers, NoBuffers};
pub use error::ReadError;
pub use glb::sniff;

use animation::Targets;
use skin::ReadSkin;
use source::Source;
use tree::{Place, Tree};

/// Extensions that are read.
const KNOWN: [&str; 4] = [
    "KHR_animation_pointer",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_node_visibility",
];
/// How many names of extensions are told.
const NAMES_TOLD: usize = 8;

/// How to read.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Bounds on what the file may ask for. It may unpack to 16 times its size, and to a quarter of
    /// [`Limits::input_bytes`] whatever its size is.
    pub limits: Limits,
    /// Which scene to read; otherwise the one that the file names, or else its first.
    pub scene: Option<usize>,
}

/// A GLB or `.gltf` file whose structure was read: the JSON is one of glTF, and its nodes are
/// trees. Bytes of meshes and keys were not looked at.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    bytes: Cow<'a, [u8]>,
    /// The binary chunk of a GLB.
    bin: Option<Range<usize>>,
    root: Arc<json::Root>,
    order: Arc<tree::Order>,
}

impl<'a> Document<'a> {
    /// Reads the structure; which of both kinds it is, the bytes tell. What could not be read is
    /// told with codes from [`READ_CODES`](crate::READ_CODES).
    ///
    /// # Errors
    ///
    /// [`ReadError`] where there is no scene to give.
    pub fn parse(
        source: impl Into<Cow<'a, [u8]>>,
        options: &ReadOptions,
    ) -> Result<Parsed<Document<'a>>, ReadError> {
        let bytes = source.into();
        options.limits.check_input(bytes.len())?;
        let mut diagnostics = Diagnostics::new();
        let parts = glb::split(&bytes, &mut diagnostics)?;
        let root = parse(bytes.get(parts.json).unwrap_or_default())?;
        check_extensions(&root, &mut diagnostics)?;
        let order = tree::order(&root, options.scene)?;
        Ok(Parsed {
            value: Document { bytes, bin: parts.bin, root: Arc::new(root), order: Arc::new(order) },
            diagnostics,
        })
    }

    /// The file as it was read.
    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether the file is a GLB; otherwise it is the JSON alone.
    pub fn is_glb(&self) -> bool {
        glb::is_glb(&self.bytes)
    }

    /// A document that owns its bytes.
    pub fn into_owned(self) -> Document<'static> {
        Document { bytes: Cow::Owned(self.bytes.into_owned()), ..self }
    }
}

/// The scene of a GLB or `.gltf` file: [`Document::parse`] and [`to_ir`] in one.
///
/// # Errors
///
/// [`ReadError`] where there is no scene to give.
///
/// ```
/// use anim_gltf::{NoBuffers, ReadOptions, read};
///
/// let json = br#"{"asset": {"version": "2.0"}, "nodes": [{"name": "stage", "children": [1]}, {"name": "lamp", "translation": [0, 3, 0]}]}"#;
/// let scene = read(json, &mut NoBuffers, &ReadOptions::default())?.value;
/// assert_eq!(scene.skeletons[0].joints[1].rest.translation.y, 3.0);
/// # Ok::<(), anim_gltf::ReadError>(())
/// ```
pub fn read(
    bytes: &[u8],
    buffers: &mut dyn Buffers,
    options: &ReadOptions,
) -> Result<Converted<Scene>, ReadError> {
    let parsed = Document::parse(bytes, options)?;
    let mut scene = to_ir(&parsed.value, buffers, &options.limits)?;
    let mut losses = parsed.diagnostics;
    losses.append(scene.losses);
    scene.losses = losses;
    Ok(scene)
}

/// The scene of a document. What could not be read is told with codes from
/// [`READ_CODES`](crate::READ_CODES), each with a JSON pointer (RFC 6901) to the place: JSON has no
/// spans here.
///
/// # Errors
///
/// [`LimitError`] where the file asks for more than the limits allow: what it unpacks to may be 16 times its size, and a quarter of [`Limits::input_bytes`]
/// whatever its size is.
pub fn to_ir(
    document: &Document<'_>,
    buffers: &mut dyn Buffers,
    limits: &Limits,
) -> Result<Converted<Scene>, LimitError> {
    let root = &*document.root;
    let bin = document.bin.clone().and_then(|range| document.bytes.get(range));
    let mut source =
        Source::new(root, document.bytes.len(), bin, buffers, limits, Diagnostics::new())?;
    report_odd_extras(&mut source);
    let mut tree = Tree::build(&mut source, &document.order);
    let skins = skin::read(&mut source, &tree)?;
    let looks = material::read(&mut source)?;
    let (cameras, camera_of) = material::read_cameras(&mut source);
    let skin_of_mesh = skin_of_mesh(root, &skins);
    let meshes = mesh::read(&mut source, &skin_of_mesh)?;
    let mut scene =
        Scene { materials: looks.materials, images: looks.images, cameras, ..Scene::default() };
    let mut mesh_of = Vec::with_capacity(meshes.len());
    for mesh in meshes {
        mesh_of.push(mesh.is_some().then_some(scene.meshes.len()));
        scene.meshes.extend(mesh);
    }
    let most_of = scene
        .meshes
        .iter()
        .map(|mesh| mesh.influences.joints.iter().fold(0, |most, joint| *joint.max(&most)))
        .collect();
    let mut placer = Placer {
        tree: &tree,
        skins: &skins,
        skin_of_mesh: &skin_of_mesh,
        mesh_of: &mesh_of,
        most_of,
        camera_of: &camera_of,
        skin_of: vec![None; skins.len()],
        scene,
    };
    let node_of: Vec<Option<usize>> =
        (0..root.nodes.len()).map(|node| placer.place(&mut source, node)).collect();
    let mut scene = placer.scene;
    put_weights(&mut source, &node_of, &mut scene);
    scene.skeletons = std::mem::take(&mut tree.skeletons);
    let mut motion =
        animation::read(&mut source, Targets { tree: &tree, nodes: &node_of, scene: &scene })?;
    if let Some(json) = root.scenes.get(document.order.scene) {
        scene.name.clone_from(&json.name);
        scene.extras.clone_from(&json.extras.own);
        animation::read_empty(&json.extras.ours, &scene.skeletons, &mut motion);
    }
    (scene.timelines, scene.clips) = (motion.timelines, motion.clips);
    Ok(Converted { value: scene, losses: source.found })
}

fn parse(json: &[u8]) -> Result<json::Root, ReadError> {
    // Some pad with zeros where blanks are prescribed.
    let end = json
        .iter()
        .rposition(|byte| !matches!(byte, 0 | b' ' | b'\t' | b'\r' | b'\n'))
        .map_or(0, |last| last.saturating_add(1));
    let root: json::Root =
        serde_json::from_slice(json.get(..end).unwrap_or_default()).map_err(|error| {
            ReadError::Json {
                message: anim_ir::diag::escape(&without_place(&error.to_string())),
                line: error.line(),
                column: error.column(),
            }
        })?;
    let Some(asset) = &root.asset else {
        return Err(ReadError::Json {
            message: "there is no `asset`, which every glTF file has".to_owned(),
            line: 1,
            column: 0,
        });
    };
    let version = asset.min_version.as_ref().unwrap_or(&asset.version);
    let known =
        if asset.min_version.is_some() { version == "2.0" } else { version.starts_with("2.") };
    if known { Ok(root) } else { Err(ReadError::Version(quote(version.as_bytes()))) }
}

/// The message of `serde_json` without the place, which stands elsewhere.
fn without_place(message: &str) -> String {
    message
        .split_once(" at line ")
        .map_or(message, |(message, _)| message)
        .chars()
        .take(200)
        .collect()
}

fn check_extensions(root: &json::Root, found: &mut Diagnostics) -> Result<(), ReadError> {
    let unknown = |names: &[String]| -> Vec<String> {
        names
            .iter()
            .filter(|name| !KNOWN.contains(&name.as_str()))
            .take(NAMES_TOLD)
            .map(|name| quote(name.as_bytes()))
            .collect()
    };
    let required = unknown(&root.extensions_required);
    if !required.is_empty() {
        return Err(ReadError::Extensions(required));
    }
    for name in unknown(&root.extensions_used) {
        found.push(&codes::EXTENSION, None, || format!("/extensionsUsed: {name} is not read"));
    }
    Ok(())
}

fn report_odd_extras(source: &mut Source<'_>) {
    let root = source.root;
    let of = |name: &'static str, odd: Vec<usize>| {
        odd.into_iter().map(move |number| format!("/{name}/{number}/extras: it is no object"))
    };
    fn odd<'a>(extras: impl Iterator<Item = &'a extras::JsonExtras>) -> Vec<usize> {
        extras.enumerate().filter(|(_, extras)| extras.is_odd).map(|(number, _)| number).collect()
    }
    let messages = of("scenes", odd(root.scenes.iter().map(|item| &item.extras)))
        .chain(of("nodes", odd(root.nodes.iter().map(|item| &item.extras))))
        .chain(of("meshes", odd(root.meshes.iter().map(|item| &item.extras))))
        .chain(of("materials", odd(root.materials.iter().map(|item| &item.extras))))
        .chain(of("cameras", odd(root.cameras.iter().map(|item| &item.extras))))
        .chain(of("animations", odd(root.animations.iter().map(|item| &item.extras))));
    for message in messages {
        source.found.push(&codes::EXTRAS, None, || message);
    }
}

/// For each mesh the skin of the first node that has it with one.
fn skin_of_mesh<'a>(root: &json::Root, skins: &'a [Option<ReadSkin>]) -> Vec<Option<&'a ReadSkin>> {
    let mut of_mesh = vec![None; root.meshes.len()];
    for node in &root.nodes {
        let skin = node.skin.and_then(|skin| skins.get(skin)?.as_ref());
        if let Some(slot) =
            node.mesh.and_then(|mesh| of_mesh.get_mut(mesh)).filter(|slot| slot.is_none())
        {
            *slot = skin;
        }
    }
    of_mesh
}

/// Puts meshes and cameras where nodes say.
struct Placer<'a> {
    tree: &'a Tree,
    skins: &'a [Option<ReadSkin>],
    /// For each mesh of the file the skin that its vertices' joints were numbered for.
    skin_of_mesh: &'a [Option<&'a ReadSkin>],
    mesh_of: &'a [Option<usize>],
    /// For each mesh of the scene the greatest number of a joint.
    most_of: Vec<u32>,
    camera_of: &'a [Option<usize>],
    /// For each skin of the file its number in the scene, which has those alone that a node uses:
    /// the others only say which nodes are bones.
    skin_of: Vec<Option<usize>>,
    scene: Scene,
}

impl Placer<'_> {
    /// Makes the node of the scene that a node of the file is, if it is any.
    fn place(&mut self, source: &mut Source<'_>, number: usize) -> Option<usize> {
        let node = source.root.nodes.get(number)?;
        let (leaf, parent) = match self.tree.places.get(number)? {
            Place::Leaf => {
                (true, self.tree.anchor(self.tree.parents.get(number).copied().flatten()))
            }
            Place::Joint { skeleton, joint, .. } => (false, Some((*skeleton, *joint))),
            Place::Armature { .. } | Place::AtRest | Place::Outside => return None,
        };
        if node.mesh.is_none() && node.camera.is_none() {
            return None;
        }
        let mut found = |index: Option<usize>, of: &[Option<usize>], what: &str| {
            let known = index.and_then(|index| of.get(index));
            if let Some(index) = index.filter(|_| known.is_none()) {
                source.found.push(&codes::REFERENCE, None, || {
                    format!("/nodes/{number}/{what}: there is no {what} {index}")
                });
            }
            known.copied().flatten()
        };
        let mesh = found(node.mesh, self.mesh_of, "mesh");
        let camera = found(node.camera, self.camera_of, "camera");
        let skin = node
            .skin
            .filter(|_| mesh.is_some())
            .and_then(|skin| self.skin(source, number, skin, mesh));
        let transform = self
            .tree
            .rests
            .get(number)
            .filter(|_| leaf)
            .map_or(Transform::IDENTITY, |(transform, _)| *transform);
        let extras = if leaf { node.extras.own.clone() } else { anim_ir::Extras::new() };
        let (parent, transform) =
            if skin.is_some() { (None, Transform::IDENTITY) } else { (parent, transform) };
        self.scene.nodes.push(Node {
            name: node.extras.name(&node.name),
            parent,
            transform,
            mesh,
            skin,
            camera,
            extras,
        });
        Some(self.scene.nodes.len().saturating_sub(1))
    }

    /// The skin of a node, where it fits the mesh.
    fn skin(
        &mut self,
        source: &mut Source<'_>,
        number: usize,
        skin: usize,
        mesh: Option<usize>,
    ) -> Option<usize> {
        let pointer = || format!("/nodes/{number}/skin");
        let Some(read) = self.skins.get(skin) else {
            source.found.push(&codes::REFERENCE, None, || {
                format!("{}: there is no skin {skin}", pointer())
            });
            return None;
        };
        let (read, mesh) = (read.as_ref()?, mesh?);
        if self.scene.meshes.get(mesh)?.influences.per_vertex == 0 {
            return None;
        }
        let most = *self.most_of.get(mesh)?;
        let numbered_for = source
            .root
            .nodes
            .get(number)?
            .mesh
            .and_then(|mesh| self.skin_of_mesh.get(mesh).copied().flatten());
        let same = numbered_for.is_some_and(|skin| {
            std::ptr::eq(skin, read) || (skin.numbers.is_none() && read.numbers.is_none())
        });
        if !same || usize::try_from(most).map_or(true, |most| most >= read.skin.joints.len()) {
            source.found.push(&codes::SKIN, None, || {
                format!("{}: vertices name joint {most} of {}", pointer(), read.joints)
            });
            return None;
        }
        let scene = &mut self.scene;
        let slot = self.skin_of.get_mut(skin)?;
        Some(*slot.get_or_insert_with(|| {
            scene.skins.push(read.skin.clone());
            scene.skins.len().saturating_sub(1)
        }))
    }
}

/// Weights of morph targets that a node gives its mesh: they become the mesh's, where no other node
/// has it.
fn put_weights(source: &mut Source<'_>, node_of: &[Option<usize>], scene: &mut Scene) {
    let mut users = vec![0_usize; scene.meshes.len()];
    for mesh in scene.nodes.iter().filter_map(|node| node.mesh) {
        if let Some(users) = users.get_mut(mesh) {
            *users = users.saturating_add(1);
        }
    }
    for (number, node) in
        source.root.nodes.iter().enumerate().filter(|(_, node)| !node.weights.is_empty())
    {
        let index =
            node_of.get(number).copied().flatten().and_then(|node| scene.nodes.get(node)?.mesh);
        let Some(mesh) = index.and_then(|mesh| scene.meshes.get_mut(mesh)) else { continue };
        let pointer = || format!("/nodes/{number}/weights");
        if node.weights.len() != mesh.morph_targets.len()
            || node.weights.iter().any(|weight| !weight.is_finite())
        {
            let targets = mesh.morph_targets.len();
            source.found.push(&codes::MORPH, None, || {
                format!(
                    "{}: {} weights of {targets} morph targets, or not finite",
                    pointer(),
                    node.weights.len()
                )
            });
        } else if index.and_then(|mesh| users.get(mesh)) == Some(&1) {
            mesh.morph_weights.clone_from(&node.weights);
        } else if node.weights != mesh.morph_weights {
            source.found.push(&codes::NODE_WEIGHTS, None, || {
                format!("{}: other nodes have the mesh too", pointer())
            });
        }
    }
}
