//! Stills: the scene at a single point in time, as an X3D document.

use std::borrow::Cow;
use std::fmt::Write as _;

use anim_ir::diag::plural;
use anim_ir::{
    Channel, Deformer, Diagnostics, JointId, JointRef, Mat4, Material, Mesh, Node, NodeId, Pose,
    Primitive, Scene, SkeletonId, Skin, Timeline, Topology, Transform, UniqueNames, Vec3,
};

use super::def_name::def_name;
use super::geometry::Shapes;
use super::joints::Joints;
use super::posed::Posed;
use super::{look, number};
use crate::codes;
use crate::content::BoundingBox;

/// A scene prepared for writing in any pose.
#[derive(Debug)]
pub(super) struct Stills<'a> {
    pub(super) scene: &'a Scene,
    skeletons: Vec<Joints>,
    meshes: Vec<PlacedMesh<'a>>,
    version: &'static str,
}

/// A scene node with a mesh.
#[derive(Debug)]
struct PlacedMesh<'a> {
    id: NodeId,
    node: &'a Node,
    mesh: &'a Mesh,
    skin: Option<&'a Skin>,
    /// Whether the mesh is attached to a joint that is written as a node.
    carried: bool,
    name: String,
    shapes: Shapes,
}

/// The approximate size in bytes of a vertex, its colour, a corner and a node in X3D.
const VERTEX_LENGTH: usize = 48;
const COLOR_LENGTH: usize = 32;
const CORNER_LENGTH: usize = 6;
const NODE_LENGTH: usize = 256;

/// Returns the approximate size in bytes of a still of the scene, as text.
pub(super) fn text_length(scene: &Scene) -> usize {
    let meshes = scene.nodes.iter().filter_map(|node| scene.mesh(node.mesh?)).map(|mesh| {
        let parts = mesh.primitives.len();
        let corners = |is_wanted: fn(&Primitive) -> bool| {
            let wanted = mesh.primitives.iter().filter(|part| is_wanted(part));
            wanted.map(|part| part.indices.len()).fold(0, usize::saturating_add)
        };
        let points = corners(|part| part.topology == Topology::Points);
        let corners = corners(|part| part.topology != Topology::Points);
        // Materials of different colours have lists of their own.
        let colors = corners.min(mesh.colors.len().saturating_mul(parts));
        let colors = if mesh.colors.is_empty() { 0 } else { colors.saturating_add(points) };
        [
            (colors, COLOR_LENGTH),
            (corners, CORNER_LENGTH),
            (mesh.positions.len().saturating_add(points), VERTEX_LENGTH),
            (parts.max(1), NODE_LENGTH),
        ]
        .into_iter()
        .map(|(count, length)| count.saturating_mul(length))
        .fold(0, usize::saturating_add)
    });
    let joints = scene.skeletons.iter();
    let joints = joints.map(|skeleton| skeleton.joints.len().saturating_mul(NODE_LENGTH));
    meshes.chain(joints).fold(NODE_LENGTH, usize::saturating_add)
}

/// An X3D document under construction.
#[derive(Default)]
struct Still {
    deformer: Deformer,
    text: String,
    /// Opposite corners of the bounding boxes of all meshes.
    corners: Vec<[f32; 3]>,
}

impl<'a> Stills<'a> {
    pub(super) fn new(scene: &'a Scene, losses: &mut Diagnostics) -> Stills<'a> {
        let mut names = UniqueNames::new();
        let mut skeletons: Vec<Joints> = scene
            .enumerate_skeletons()
            .map(|(id, skeleton)| Joints::of(scene, id, skeleton, &mut names))
            .collect();
        let mut meshes = Vec::new();
        for (id, node) in scene.enumerate_nodes() {
            let Some(mesh) = node.mesh.and_then(|mesh| scene.mesh(mesh)) else { continue };
            let skin = node
                .skin
                .and_then(|skin| scene.skin(skin))
                .filter(|_| mesh.influences.per_vertex > 0);
            let mut carried = false;
            if let Some(JointRef { skeleton, joint }) = node.parent
                && skin.is_none()
                && let Some(joints) = skeletons.get_mut(skeleton.index())
                && joints.joints.get(joint.index()).is_some_and(|joint| joint.exact)
            {
                carried = true;
                joints.carry(joint, meshes.len());
            }
            let name = def_name(&mut names, &node.name, "shape");
            let shapes = Shapes::of(scene, mesh, &name, &mut names);
            meshes.push(PlacedMesh { id, node, mesh, skin, carried, name, shapes });
        }
        look::losses(scene, losses);
        // Unlit materials, emissive textures and alpha modes are new in X3D 4.0. Before, a texture
        // replaces the colour.
        let is_new = |material: &Material| {
            let is_tinted = material.base_color_image.is_some()
                && material.base_color.iter().take(3).any(|part| *part != 1.0);
            material.unlit
                || is_tinted
                || material.emissive_image.is_some()
                || material.stated_alpha_mode(scene).is_some()
        };
        let version = if scene.materials.iter().any(is_new) { "4.0" } else { "3.0" };
        Stills { scene, skeletons, meshes, version }
    }

    /// Whether the joints of a skeleton only move nodes, and no vertices in model space.
    pub(super) fn moves_in_nodes(&self, skeleton: SkeletonId) -> bool {
        self.meshes.iter().all(|PlacedMesh { node, skin, carried, .. }| {
            let is_bound = skin.is_some_and(|skin| skin.skeleton == skeleton);
            let is_held = node.parent.is_some_and(|joint| joint.skeleton == skeleton);
            !is_bound && (!is_held || *carried)
        })
    }

    /// Reports the losses that do not depend on a single clip.
    pub(super) fn losses(&self, losses: &mut Diagnostics) {
        let joints = self.skeletons.iter().flat_map(|skeleton| &skeleton.joints);
        let left_out = joints.filter(|joint| !joint.written).count();
        if left_out > 0 {
            losses.push(&codes::LOSS_JOINTS, None, || {
                let left_out = plural(left_out, "joint");
                match self.meshes.as_slice() {
                    [] => format!("{left_out} without geometry, so the frames are empty"),
                    _ => format!("{left_out} without geometry"),
                }
            });
        }
        let normals = self.meshes.iter().filter(|placed| !placed.mesh.normals.is_empty()).count();
        if normals > 0 {
            losses.push(&codes::LOSS_NORMALS, None, || {
                format!("the normals of {}", plural(normals, "node"))
            });
        }
        let hides = |timeline: &Timeline| {
            timeline.tracks().iter().any(|track| track.channel == Channel::Visibility)
        };
        if self.scene.timelines.iter().any(hides) {
            losses.push(&codes::LOSS_VISIBILITY, None, || {
                "some joints are hidden for all or part of the animation".to_owned()
            });
        }
        losses.lost_extras(&codes::LOSS_EXTRAS, self.scene.all_extras().count());
    }

    /// Writes the document for a pose of one skeleton, with all other skeletons at rest. Also
    /// returns its bounding box.
    pub(super) fn at(
        &self,
        pose: &Pose,
        skeleton: Option<SkeletonId>,
    ) -> (String, Option<BoundingBox>) {
        let posed = Posed::new(self.scene, &self.skeletons, pose, skeleton);
        let mut still = Still::default();
        let _ =
            write!(still.text, "<X3D version=\"{}\" profile=\"Interchange\"><Scene>", self.version);
        for ((id, _), joints) in self.scene.enumerate_skeletons().zip(&self.skeletons) {
            self.joints(id, joints, &posed, &mut still);
        }
        for placed in self.meshes.iter().filter(|placed| !placed.carried) {
            let parent = placed.node.parent;
            if parent.is_none_or(|joint| posed.is_visible(joint)) {
                self.mesh(placed, &posed, &mut still);
            }
        }
        still.text.push_str("</Scene></X3D>");
        (still.text, BoundingBox::around(still.corners))
    }

    /// Writes the tree of a skeleton's joints. The depth of the tree is bounded, and the traversal
    /// is not recursive.
    fn joints(&self, skeleton: SkeletonId, joints: &Joints, posed: &Posed<'_>, still: &mut Still) {
        enum Step {
            Enter(JointId),
            Leave,
        }
        let mut steps: Vec<Step> =
            joints.roots.iter().rev().map(|root| Step::Enter(*root)).collect();
        while let Some(step) = steps.pop() {
            let Step::Enter(id) = step else {
                still.text.push_str("</Transform>");
                continue;
            };
            let Some(joint) = joints.joints.get(id.index()) else { continue };
            let at = JointRef { skeleton, joint: id };
            if !joint.written || !posed.shows(at) {
                continue;
            }
            let _ = write!(still.text, "<Transform DEF=\"{}\"", joint.name);
            number::transform(posed.local(at), &mut still.text);
            still.text.push('>');
            for placed in joint.meshes.iter().filter_map(|mesh| self.meshes.get(*mesh)) {
                self.mesh(placed, posed, still);
            }
            steps.push(Step::Leave);
            steps.extend(joint.children.iter().rev().map(|child| Step::Enter(*child)));
        }
    }

    /// Writes a mesh with its transform.
    fn mesh(&self, placed: &PlacedMesh<'_>, posed: &Posed<'_>, still: &mut Still) {
        let (node, mesh) = (placed.node, placed.mesh);
        let weights = posed.weights.get(&placed.id).copied().unwrap_or(&mesh.morph_weights);
        // The matrix from mesh space to model space.
        let mut to_model = node.transform.to_matrix();
        if let Some(joint) = node.parent {
            to_model = posed.matrix(joint) * to_model;
        }
        // Skinned meshes, and meshes attached to joints that are not written, are written in model
        // space. All other meshes keep the transform of their node.
        let in_model = placed.skin.is_some() || !placed.carried && node.parent.is_some();
        let mut matrices = Vec::new();
        if let Some(skin) = placed.skin {
            skin.matrices(posed.matrices(skin.skeleton), &mut matrices);
        }
        still.deformer.deform(mesh, weights, &matrices);
        let mut positions: Cow<'_, [Vec3]> = still.deformer.positions().into();
        if in_model && placed.skin.is_none() {
            let place = |position: &Vec3| to_model.transform_point(*position);
            positions = positions.iter().map(place).collect();
        }
        let transform = if in_model { Transform::IDENTITY } else { node.transform };
        let _ = write!(still.text, "<Transform DEF=\"{}\"", placed.name);
        if transform != Transform::IDENTITY {
            number::transform(transform, &mut still.text);
        }
        still.text.push('>');
        placed.shapes.write(&positions, &mut still.text);
        still.text.push_str("</Transform>");
        let place = if in_model { Mat4::IDENTITY } else { to_model };
        let points = positions.iter().map(|position| place.transform_point(*position).to_array());
        still.corners.extend(BoundingBox::around(points).into_iter().flat_map(ends));
    }
}

/// Returns two opposite corners of a bounding box.
fn ends(found: BoundingBox) -> [[f32; 3]; 2] {
    let end = |sign: f32| {
        let [x, y, z] = found.center;
        let [a, b, c] = found.size.map(|edge| edge * 0.5 * sign);
        [x + a, y + b, z + c]
    };
    [end(-1.0), end(1.0)]
}
