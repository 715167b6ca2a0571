//! Scene nodes, which position meshes and cameras.

use anim_ir::{
    CameraId, Extras, LimitError, Mesh, MeshId, Node, NodeId, Primitive, Scene, SkinId, Topology,
    Transform,
};

use crate::codes;
use crate::json;
use crate::read::hierarchy::{Place, Tree};
use crate::read::skin::ReadSkin;
use crate::read::source::Source;

/// Returns, for each mesh, the skin of the first skinned node that uses it.
pub(crate) fn skin_of_mesh<'a>(
    root: &json::Root<'_>,
    skins: &'a [Option<ReadSkin>],
) -> Vec<Option<&'a ReadSkin>> {
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

/// Creates scene nodes for the meshes and cameras of the file's nodes.
pub(crate) struct Placer<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) skins: &'a [Option<ReadSkin>],
    /// For each mesh of the file, the skin to which its joint indices refer.
    pub(crate) skin_of_mesh: &'a [Option<&'a ReadSkin>],
    pub(crate) mesh_of: &'a [Option<MeshId>],
    /// For each mesh of the scene, the largest joint index.
    pub(crate) most_of: Vec<u32>,
    pub(crate) camera_of: &'a [Option<CameraId>],
    /// For each skin of the file, its index in the scene. Skins that no node uses are not in the
    /// scene; they only determine which nodes are bones.
    pub(crate) skin_of: Vec<Option<SkinId>>,
    pub(crate) scene: Scene,
}

impl Placer<'_> {
    /// Creates the scene node for a node of the file, if it needs one.
    pub(crate) fn place(&mut self, source: &mut Source<'_>, number: usize) -> Option<NodeId> {
        let node = source.root.nodes.get(number)?;
        let (leaf, parent) = match self.tree.places.get(number)? {
            Place::Leaf => {
                (true, self.tree.anchor(self.tree.parents.get(number).copied().flatten()))
            }
            Place::Joint { joint, .. } => (false, Some(*joint)),
            Place::Armature { .. } | Place::AtRest | Place::Outside => return None,
        };
        if node.mesh.is_none() && node.camera.is_none() {
            return None;
        }
        let mesh = item(source, number, "mesh", node.mesh, self.mesh_of);
        let camera = item(source, number, "camera", node.camera, self.camera_of);
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
        let extras = if leaf { node.extras.own.clone().into_owned() } else { Extras::new() };
        let (parent, transform) = if skin.is_some() {
            // The joints of a skin place the mesh, but its node may be hidden.
            let is_hideable = self.tree.hideable.get(number) == Some(&true);
            (parent.filter(|_| is_hideable), Transform::IDENTITY)
        } else {
            (parent, transform)
        };
        let name = node.extras.name(&node.name);
        Some(self.scene.add_node(Node { name, parent, transform, mesh, skin, camera, extras }))
    }

    /// Returns the skin of a node, or `None` if the skin is missing, could not be read, or does not
    /// match the joint indices of the mesh.
    fn skin(
        &mut self,
        source: &mut Source<'_>,
        number: usize,
        skin: usize,
        mesh: Option<MeshId>,
    ) -> Option<SkinId> {
        let pointer = || format!("/nodes/{number}/skin");
        let Some(read) = self.skins.get(skin) else {
            source.found.push(&codes::REFERENCE, None, || {
                format!("{}: skin {skin} does not exist", pointer())
            });
            return None;
        };
        let (read, mesh) = (read.as_ref()?, mesh?);
        if self.scene.mesh(mesh)?.influences.per_vertex == 0 {
            return None;
        }
        let most = *self.most_of.get(mesh.index())?;
        let numbered_for = source
            .root
            .nodes
            .get(number)?
            .mesh
            .and_then(|mesh| self.skin_of_mesh.get(mesh).copied().flatten());
        let same = numbered_for.is_some_and(|skin| {
            std::ptr::eq(skin, read) || (skin.numbers.is_none() && read.numbers.is_none())
        });
        if !same {
            source.found.push(&codes::SKIN, None, || {
                format!("{}: another node uses the mesh with a different skin", pointer())
            });
            return None;
        }
        if usize::try_from(most).map_or(true, |most| most >= read.skin.joints.len()) {
            source.found.push(&codes::SKIN, None, || {
                format!(
                    "{}: joint index {most} is out of range for {} joints",
                    pointer(),
                    read.joints
                )
            });
            return None;
        }
        let scene = &mut self.scene;
        let slot = self.skin_of.get_mut(skin)?;
        Some(*slot.get_or_insert_with(|| scene.add_skin(read.skin.clone())))
    }
}

/// Resolves an index in a node, if the item exists and could be read.
fn item<Id: Copy>(
    source: &mut Source<'_>,
    node: usize,
    what: &str,
    number: Option<usize>,
    of: &[Option<Id>],
) -> Option<Id> {
    let number = number?;
    let known = of.get(number);
    if known.is_none() {
        source.found.push(&codes::REFERENCE, None, || {
            format!("/nodes/{node}/{what}: {what} {number} does not exist")
        });
    }
    known.copied().flatten()
}

/// Reverses the triangles of skinned meshes whose nodes mirror. Such nodes determine the winding,
/// although only the joints place the mesh (glTF 2.0, 3.7.4), and skinned meshes of the scene have
/// no transform. A mesh that other nodes use is copied.
pub(crate) fn reverse_mirrored(
    source: &mut Source<'_>,
    (tree, node_of): (&Tree, &[Option<NodeId>]),
    scene: &mut Scene,
) -> Result<(), LimitError> {
    let mut mirrored = vec![false; scene.nodes.len()];
    for (_, node) in tree.mirrors.iter().zip(node_of).filter(|(mirrors, _)| **mirrors) {
        if let Some(id) = *node
            && scene.node(id).is_some_and(|node| node.skin.is_some())
            && let Some(mirrored) = mirrored.get_mut(id.index())
        {
            *mirrored = true;
        }
    }
    let mut shared = vec![false; scene.meshes.len()];
    for (node, _) in scene.nodes.iter().zip(&mirrored).filter(|(_, mirrored)| !**mirrored) {
        if let Some(shared) = node.mesh.and_then(|mesh| shared.get_mut(mesh.index())) {
            *shared = true;
        }
    }
    // For each mesh, the mesh with reversed triangles.
    let mut reversed: Vec<Option<MeshId>> = vec![None; scene.meshes.len()];
    let Scene { nodes, meshes, .. } = scene;
    for (node, _) in nodes.iter_mut().zip(mirrored).filter(|(_, mirrored)| *mirrored) {
        let Some(id) = node.mesh else { continue };
        let (Some(reversed), Some(mesh)) =
            (reversed.get_mut(id.index()), meshes.get_mut(id.index()))
        else {
            continue;
        };
        if let Some(reversed) = *reversed {
            node.mesh = Some(reversed);
            continue;
        }
        if shared.get(id.index()) == Some(&true) {
            source.spend(mesh.size())?;
            let mut copy = mesh.clone();
            reverse(&mut copy);
            node.mesh = Some(MeshId::new(meshes.len()));
            meshes.push(copy);
        } else {
            reverse(mesh);
        }
        *reversed = node.mesh;
    }
    Ok(())
}

fn reverse(mesh: &mut Mesh) {
    let triangles = |part: &&mut Primitive| part.topology == Topology::Triangles;
    for part in mesh.primitives.iter_mut().filter(triangles) {
        for [_, b, c] in part.indices.as_chunks_mut::<3>().0 {
            std::mem::swap(b, c);
        }
    }
}

/// Moves the morph weights of each node to its mesh. Weights that differ from the mesh's own are
/// dropped and reported if other nodes also use the mesh.
pub(crate) fn put_weights(source: &mut Source<'_>, node_of: &[Option<NodeId>], scene: &mut Scene) {
    let mut users = vec![0_usize; scene.meshes.len()];
    for mesh in scene.nodes.iter().filter_map(|node| node.mesh) {
        if let Some(users) = users.get_mut(mesh.index()) {
            *users = users.saturating_add(1);
        }
    }
    for (number, node) in
        source.root.nodes.iter().enumerate().filter(|(_, node)| !node.weights.is_empty())
    {
        let node_of = node_of.get(number).copied().flatten();
        let id = node_of.and_then(|node| scene.node(node)?.mesh);
        let Some(mesh) = id.and_then(|mesh| scene.mesh_mut(mesh)) else { continue };
        let pointer = || format!("/nodes/{number}/weights");
        if node.weights.len() != mesh.morph_targets.len()
            || node.weights.iter().any(|weight| !weight.is_finite())
        {
            let targets = mesh.morph_targets.len();
            source.found.push(&codes::MORPH, None, || {
                format!(
                    "{}: {} weights for {targets} morph targets, or non-finite weights",
                    pointer(),
                    node.weights.len()
                )
            });
        } else if id.and_then(|mesh| users.get(mesh.index())) == Some(&1) {
            mesh.morph_weights.clone_from(&node.weights);
        } else if !is_same(&node.weights, &mesh.morph_weights) {
            source.found.push(&codes::NODE_WEIGHTS, None, || {
                format!("{}: other nodes also use the mesh", pointer())
            });
        }
    }
}

/// Whether a mesh has these weights. Missing weights are zero.
fn is_same(weights: &[f32], of_mesh: &[f32]) -> bool {
    weights == of_mesh || (of_mesh.is_empty() && weights.iter().all(|weight| *weight == 0.0))
}
