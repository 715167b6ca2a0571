//! Conversion from a document to a scene.

use std::borrow::Cow;

use anim_ir::{Converted, Diagnostics, MeshId, NoFiles, NodeId, Resolver, Scene};

use crate::codes;
use crate::document::Document;
use crate::json::extras::Ours;
use crate::read::animation::{self, Targets};
use crate::read::extras::{read_copyright, report_odd_extras};
use crate::read::fault::Fault;
use crate::read::hierarchy::Tree;
use crate::read::node::{Placer, put_weights, reverse_mirrored, skin_of_mesh};
use crate::read::source::Source;
use crate::read::{camera, material, mesh, skin};

anim_ir::options! {
    /// Options for converting a document to a scene. A file may expand to 16 times its size plus
    /// 32 MiB, but to no more than 1 GiB, unless [`Limits::memory`](anim_ir::Limits::memory) is
    /// set.
    pub struct ToIr {
        /// Index of the scene to read; `None`: the file's default scene, or else its first.
        scene (with_scene): Option<usize> = None;
        /// Makes every node a joint, whatever its transform is: files with equal nodes then become
        /// scenes with equal joints. By default, nodes that only place a mesh or a camera are not
        /// joints.
        every_node (with_every_node): bool = false;
    }
}

/// Converts a document without companion files: a GLB, or a `.gltf` with `data:` URIs. Items that
/// cannot be read are reported with a JSON pointer (RFC 6901).
pub fn to_ir(document: &Document<'_>, options: &ToIr) -> Converted<Scene> {
    to_ir_with(document, options, &mut NoFiles)
}

/// Converts a document with buffers in companion files. Image files are only referenced. If the
/// file exceeds the limits or the scene to read does not exist, reports this and returns an empty
/// scene.
pub fn to_ir_with(
    document: &Document<'_>,
    options: &ToIr,
    files: &mut dyn Resolver,
) -> Converted<Scene> {
    read(document, options, files).unwrap_or_else(|fault| {
        let code = if let Fault::Limit(_) = fault { &codes::NO_SCENE } else { &codes::REFERENCE };
        let mut losses = Diagnostics::new();
        losses.push(code, None, || fault.to_string());
        Converted { value: Scene::default(), losses }
    })
}

fn read(
    document: &Document<'_>,
    options: &ToIr,
    files: &mut dyn Resolver,
) -> Result<Converted<Scene>, Fault> {
    let root = document.root();
    let order = match options.scene {
        Some(scene) => Cow::Owned(document.order().with_scene(root, scene)?),
        None => Cow::Borrowed(document.order()),
    };
    let file = document.bytes().len();
    let mut source = Source::new(root, file, document.bin(), files, &options.limits)?;
    report_odd_extras(&mut source);
    let mut tree = Tree::build(&mut source, &order, options.every_node);
    let skins = skin::read(&mut source, &tree)?;
    let looks = material::read(&mut source)?;
    let (cameras, camera_of) = camera::read(&mut source);
    let skin_of_mesh = skin_of_mesh(root, &skins);
    let meshes = mesh::read(&mut source, &skin_of_mesh)?;
    let mut scene =
        Scene { materials: looks.materials, images: looks.images, cameras, ..Scene::default() };
    let mesh_of: Vec<Option<MeshId>> =
        meshes.into_iter().map(|mesh| mesh.map(|mesh| scene.add_mesh(mesh))).collect();
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
    let node_of: Vec<Option<NodeId>> =
        (0..root.nodes.len()).map(|node| placer.place(&mut source, node)).collect();
    let mut scene = placer.scene;
    reverse_mirrored(&mut source, (&tree, &node_of), &mut scene)?;
    put_weights(&mut source, &node_of, &mut scene);
    scene.skeletons = std::mem::take(&mut tree.skeletons);
    let json = root.scenes.get(order.scene);
    let unsaid = Ours::default();
    let targets = Targets { tree: &tree, nodes: &node_of, scene: &scene };
    let of_scene = json.map_or(&unsaid, |json| &json.extras.ours);
    let mut motion = animation::read(&mut source, targets, of_scene)?;
    if let Some(json) = json {
        scene.name = json.name.clone().into_owned();
        scene.extras = json.extras.own.clone().into_owned();
        animation::read_empty(&json.extras.ours, (source.root, &scene.skeletons), &mut motion);
    }
    read_copyright(&mut source, &mut scene.extras)?;
    (scene.timelines, scene.clips) = (motion.timelines, motion.clips);
    Ok(Converted { value: scene, losses: source.found })
}
