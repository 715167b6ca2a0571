//! The scene at a moment, as an X3D document.

use std::collections::HashMap;
use std::fmt::Write as _;

use anim_ir::diag::plural;
use anim_ir::number::{parse_f32, shortest};
use anim_ir::{
    Diagnostics, Mat4, Mesh, Node, Pose, PoseSpace, Quat, Scene, Skeleton, Skin, Transform, Vec3,
};

use super::geometry::Shapes;
use super::look;
use super::names::DefNames;
use crate::codes;
use crate::document::BoundingBox;

/// How deep joints are written as nodes: what a reader of XML bears, less what stands around and
/// inside.
const MAX_DEPTH: usize = 200;

/// How numbers are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) decimals: Option<u8>,
}

/// A scene, ready to be written for any pose.
#[derive(Debug)]
pub(super) struct Stills<'a> {
    pub(super) scene: &'a Scene,
    number: Number,
    skeletons: Vec<Joints>,
    nodes: Vec<Prepared<'a>>,
    version: &'static str,
    /// Joints that are not written.
    left_out: usize,
}

/// The joints of a skeleton.
#[derive(Debug)]
struct Joints {
    names: Vec<String>,
    depths: Vec<usize>,
    children: Vec<Vec<usize>>,
    /// Meshes that hang from a joint, by their place in [`Stills::nodes`].
    nodes: Vec<Vec<usize>>,
    roots: Vec<usize>,
    /// Whether a joint is written as a node: geometry hangs from it, or from a joint below.
    written: Vec<bool>,
    /// Whether a joint's place in the model can be said by the transforms of nodes.
    exact: Vec<bool>,
    rest: Vec<Mat4>,
}

/// A node of the scene that has a mesh.
#[derive(Debug)]
struct Prepared<'a> {
    /// Index in the scene.
    index: usize,
    node: &'a Node,
    mesh: &'a Mesh,
    skin: Option<&'a Skin>,
    /// Whether it hangs from a joint that is written as a node.
    carried: bool,
    name: String,
    shapes: Shapes,
}

/// All skeletons in a pose.
struct Posed<'p> {
    pose: &'p Pose,
    skeleton: usize,
    model: Vec<Mat4>,
    /// Morph weights by node of the scene.
    weights: HashMap<usize, &'p [f32]>,
}

impl<'a> Stills<'a> {
    pub(super) fn new(
        scene: &'a Scene,
        decimals: Option<u8>,
        losses: &mut Diagnostics,
    ) -> Stills<'a> {
        let number = Number { decimals };
        let mut names = DefNames::default();
        let mut skeletons: Vec<Joints> = scene
            .skeletons
            .iter()
            .enumerate()
            .map(|(index, skeleton)| Joints::of(scene, index, skeleton, &mut names))
            .collect();
        let mut nodes = Vec::new();
        for (index, node) in scene.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh)) else { continue };
            let skin = node
                .skin
                .and_then(|skin| scene.skins.get(skin))
                .filter(|_| mesh.influences.per_vertex > 0);
            let carrier = node.parent.filter(|(skeleton, joint)| {
                skin.is_none()
                    && skeletons
                        .get(*skeleton)
                        .and_then(|joints| joints.exact.get(*joint))
                        .copied()
                        .unwrap_or_default()
            });
            if let Some((skeleton, joint)) = carrier
                && let Some(joints) = skeletons.get_mut(skeleton)
            {
                joints.carry(scene, (skeleton, joint), nodes.len());
            }
            let name = names.give(&node.name, "shape");
            let coordinates = names.give(&format!("{name}_coordinates"), "");
            let shapes = Shapes::of(scene, mesh, &coordinates, number);
            nodes.push(Prepared {
                index,
                node,
                mesh,
                skin,
                carried: carrier.is_some(),
                name,
                shapes,
            });
        }
        let joints = skeletons.iter().map(|joints| joints.names.len()).sum::<usize>();
        let written =
            skeletons.iter().flat_map(|joints| &joints.written).filter(|written| **written).count();
        look::losses(scene, losses);
        let version =
            if scene.materials.iter().any(|material| material.unlit) { "4.0" } else { "3.0" };
        Stills { scene, number, skeletons, nodes, version, left_out: joints - written }
    }

    /// What is lost in every still.
    pub(super) fn losses(&self, losses: &mut Diagnostics) {
        if self.left_out > 0 {
            losses.push(&codes::LOSS_JOINTS, None, || {
                format!("{} from which no geometry hangs", plural(self.left_out, "joint"))
            });
        }
        let normals = self.nodes.iter().filter(|node| !node.mesh.normals.is_empty()).count();
        if normals > 0 {
            losses.push(&codes::LOSS_NORMALS, None, || {
                format!("the normals of {}", plural(normals, "node"))
            });
        }
        let hides = |timeline: &anim_ir::Timeline| {
            timeline.tracks().iter().any(|track| track.channel == anim_ir::Channel::Visibility)
        };
        if self.scene.timelines.iter().any(hides) {
            losses.push(&codes::LOSS_VISIBILITY, None, || "joints are hidden at times".to_owned());
        }
        if self.scene.all_extras().next().is_some() {
            losses.push(&codes::LOSS_EXTRAS, None, || {
                "extras of the scene, its joints, clips, meshes or materials".to_owned()
            });
        }
    }

    /// What a still costs: vertices and joints.
    pub(super) fn samples(&self) -> usize {
        let vertices = self.nodes.iter().map(|node| node.mesh.positions.len());
        let joints = self.scene.skeletons.iter().map(|skeleton| skeleton.joints.len());
        vertices.chain(joints).fold(16, usize::saturating_add)
    }

    /// The document for a pose of a skeleton, the others at rest, and the box around it.
    pub(super) fn at(&self, pose: &Pose, skeleton: usize) -> (String, Option<BoundingBox>) {
        let weights =
            pose.morph_weights.iter().map(|(node, weights)| (*node, weights.as_slice())).collect();
        let mut posed = Posed { pose, skeleton, model: Vec::new(), weights };
        if let Some(skeleton) = self.scene.skeletons.get(skeleton) {
            pose.model_matrices(skeleton, &mut posed.model);
        }
        let mut out = format!("<X3D version=\"{}\" profile=\"Interchange\"><Scene>", self.version);
        let mut corners: Vec<[f32; 3]> = Vec::new();
        for (index, joints) in self.skeletons.iter().enumerate() {
            self.joints(index, joints, &posed, &mut out, &mut corners);
        }
        for node in self.nodes.iter().filter(|node| !node.carried) {
            let visible = node
                .node
                .parent
                .is_none_or(|(skeleton, joint)| self.is_visible(&posed, skeleton, joint));
            if visible {
                self.node(node, &posed, &mut out, &mut corners);
            }
        }
        out.push_str("</Scene></X3D>");
        (out, BoundingBox::around(corners))
    }

    /// The tree of a skeleton's joints. Its depth is bounded, the walk needs no recursion.
    fn joints(
        &self,
        index: usize,
        joints: &Joints,
        posed: &Posed<'_>,
        out: &mut String,
        corners: &mut Vec<[f32; 3]>,
    ) {
        enum Step {
            Enter(usize),
            Leave,
        }
        let mut steps: Vec<Step> =
            joints.roots.iter().rev().map(|root| Step::Enter(*root)).collect();
        while let Some(step) = steps.pop() {
            let Step::Enter(joint) = step else {
                out.push_str("</Transform>");
                continue;
            };
            if joints.written.get(joint) != Some(&true) || !posed.shows(self.scene, index, joint) {
                continue;
            }
            let name = joints.names.get(joint).map_or("", String::as_str);
            let _ = write!(out, "<Transform DEF=\"{name}\"");
            self.number.transform(posed.local(self.scene, index, joint), out);
            out.push('>');
            for node in joints
                .nodes
                .get(joint)
                .into_iter()
                .flatten()
                .filter_map(|node| self.nodes.get(*node))
            {
                self.node(node, posed, out, corners);
            }
            steps.push(Step::Leave);
            steps.extend(
                joints
                    .children
                    .get(joint)
                    .into_iter()
                    .flatten()
                    .rev()
                    .map(|child| Step::Enter(*child)),
            );
        }
    }

    /// A mesh at its place.
    fn node(
        &self,
        prepared: &Prepared<'_>,
        posed: &Posed<'_>,
        out: &mut String,
        corners: &mut Vec<[f32; 3]>,
    ) {
        let (node, mesh) = (prepared.node, prepared.mesh);
        let weights = posed.weights.get(&prepared.index).copied().unwrap_or(&mesh.morph_weights);
        let mut positions = morphed(mesh, weights);
        // From the mesh's space to the model's.
        let to_model = match node.parent {
            _ if prepared.skin.is_some() => Mat4::IDENTITY,
            Some((skeleton, joint)) => {
                posed.model(&self.skeletons, skeleton, joint) * node.transform.to_matrix()
            }
            None => node.transform.to_matrix(),
        };
        if let Some(skin) = prepared.skin {
            let mut matrices = Vec::new();
            skin.matrices(posed.all(&self.skeletons, skin.skeleton), &mut matrices);
            positions = skinned(mesh, &positions, &matrices);
        }
        // What hangs from nothing has a transform of its own, which is no less than that of a node.
        let in_model = !prepared.carried && node.parent.is_some() && prepared.skin.is_none();
        if in_model {
            positions
                .iter_mut()
                .for_each(|position| *position = to_model.transform_point(*position));
        }
        let transform =
            if in_model || prepared.skin.is_some() { Transform::IDENTITY } else { node.transform };
        let _ = write!(out, "<Transform DEF=\"{}\"", prepared.name);
        if transform != Transform::IDENTITY {
            self.number.transform(transform, out);
        }
        out.push('>');
        prepared.shapes.write(&positions, self.number, out);
        out.push_str("</Transform>");
        let place = if in_model || prepared.skin.is_some() { Mat4::IDENTITY } else { to_model };
        corners.extend(
            BoundingBox::around(
                positions.iter().map(|position| place.transform_point(*position).to_array()),
            )
            .into_iter()
            .flat_map(ends),
        );
    }

    /// Whether a joint and all above it are seen.
    fn is_visible(&self, posed: &Posed<'_>, skeleton: usize, joint: usize) -> bool {
        let parent = |joint: &usize| self.scene.skeletons.get(skeleton)?.joints.get(*joint)?.parent;
        std::iter::successors(Some(joint), parent)
            .all(|joint| posed.shows(self.scene, skeleton, joint))
    }
}

impl Joints {
    fn of(scene: &Scene, index: usize, skeleton: &Skeleton, names: &mut DefNames) -> Joints {
        let count = skeleton.joints.len();
        let deltas = scene.timelines.iter().any(|timeline| {
            timeline.skeleton == index && timeline.pose_space == PoseSpace::DeltaFromRest
        });
        let mut joints = Joints {
            names: skeleton.joints.iter().map(|joint| names.give(&joint.name, "joint")).collect(),
            depths: Vec::with_capacity(count),
            children: vec![Vec::new(); count],
            nodes: vec![Vec::new(); count],
            roots: Vec::new(),
            written: vec![false; count],
            exact: Vec::with_capacity(count),
            rest: skeleton.rest_model_matrices(),
        };
        for (index, joint) in skeleton.joints.iter().enumerate() {
            let depth = joint
                .parent
                .and_then(|parent| joints.depths.get(parent))
                .map_or(0, |depth| depth + 1);
            let scale = joint.rest.scale;
            // Behind an uneven scale a turn makes shear.
            let even = scale.x == scale.y && scale.y == scale.z;
            let parent_exact =
                joint.parent.and_then(|parent| joints.exact.get(parent)).copied().unwrap_or(true);
            joints.exact.push(
                parent_exact
                    && joint.exact_rest.is_none()
                    && (even || !deltas)
                    && depth < MAX_DEPTH,
            );
            joints.depths.push(depth);
            match joint.parent.and_then(|parent| joints.children.get_mut(parent)) {
                Some(siblings) => siblings.push(index),
                None => joints.roots.push(index),
            }
        }
        joints
    }

    /// Hangs a mesh from a joint, which is written then, with all joints above it.
    fn carry(&mut self, scene: &Scene, (skeleton, joint): (usize, usize), node: usize) {
        if let Some(nodes) = self.nodes.get_mut(joint) {
            nodes.push(node);
        }
        let mut next = Some(joint);
        while let Some(joint) = next {
            match self.written.get_mut(joint) {
                Some(written @ false) => *written = true,
                _ => return,
            }
            next = scene
                .skeletons
                .get(skeleton)
                .and_then(|skeleton| skeleton.joints.get(joint)?.parent);
        }
    }
}

impl Posed<'_> {
    /// A joint's transform relative to its parent.
    fn local(&self, scene: &Scene, skeleton: usize, joint: usize) -> Transform {
        let Some(found) =
            scene.skeletons.get(skeleton).and_then(|skeleton| skeleton.joints.get(joint))
        else {
            return Transform::IDENTITY;
        };
        if skeleton == self.skeleton { self.pose.local_transform(found, joint) } else { found.rest }
    }

    /// The joints' matrices to the model's space.
    fn all<'s>(&'s self, skeletons: &'s [Joints], skeleton: usize) -> &'s [Mat4] {
        if skeleton == self.skeleton {
            &self.model
        } else {
            skeletons.get(skeleton).map_or(&[], |joints| &joints.rest)
        }
    }

    fn model(&self, skeletons: &[Joints], skeleton: usize, joint: usize) -> Mat4 {
        self.all(skeletons, skeleton).get(joint).copied().unwrap_or_default()
    }

    /// Whether a joint is seen as far as it has a say.
    fn shows(&self, scene: &Scene, skeleton: usize, joint: usize) -> bool {
        let posed = self.pose.visible.get(joint).filter(|_| skeleton == self.skeleton);
        posed.copied().unwrap_or_else(|| {
            // A pose that says nothing of it leaves what the skeleton says.
            scene
                .skeletons
                .get(skeleton)
                .and_then(|skeleton| skeleton.joints.get(joint))
                .is_none_or(|joint| joint.visible)
        })
    }
}

/// Vertices with the morph targets' part, in the mesh's space.
fn morphed(mesh: &Mesh, weights: &[f32]) -> Vec<Vec3> {
    let mut positions = mesh.positions.clone();
    for (target, weight) in
        mesh.morph_targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0)
    {
        for (position, delta) in positions.iter_mut().zip(&target.positions) {
            position.x += delta.x * weight;
            position.y += delta.y * weight;
            position.z += delta.z * weight;
        }
    }
    positions
}

/// Vertices where the joints put them, in the model's space. One that follows no joint stays.
fn skinned(mesh: &Mesh, positions: &[Vec3], matrices: &[Mat4]) -> Vec<Vec3> {
    let width = mesh.influences.per_vertex.max(1);
    let rows = mesh.influences.joints.chunks(width).zip(mesh.influences.weights.chunks(width));
    let place = |(position, (joints, weights)): (&Vec3, (&[u32], &[f32]))| {
        let mut sum = Vec3::ZERO;
        let mut total = 0.0;
        for (joint, weight) in joints.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
            let moved = matrices
                .get(*joint as usize)
                .copied()
                .unwrap_or_default()
                .transform_point(*position);
            sum = Vec3::new(
                sum.x + moved.x * weight,
                sum.y + moved.y * weight,
                sum.z + moved.z * weight,
            );
            total += weight;
        }
        if total == 0.0 { *position } else { sum }
    };
    positions.iter().zip(rows).map(place).collect()
}

/// Two opposite corners.
fn ends(found: BoundingBox) -> [[f32; 3]; 2] {
    let end = |sign: f32| {
        let [x, y, z] = found.center;
        let [a, b, c] = found.size.map(|edge| edge * 0.5 * sign);
        [x + a, y + b, z + c]
    };
    [end(-1.0), end(1.0)]
}

impl Number {
    /// Numbers with blanks between them.
    pub(super) fn list(self, numbers: impl Iterator<Item = f32>, out: &mut String) {
        for (index, number) in numbers.enumerate() {
            if index > 0 {
                out.push(' ');
            }
            out.push_str(&self.text(number));
        }
    }

    fn text(self, number: f32) -> String {
        let rounded = self.decimals.and_then(|decimals| {
            parse_f32(format!("{number:.*}", usize::from(decimals)).as_bytes()).ok()
        });
        shortest(rounded.unwrap_or(number))
    }

    /// The fields of a `Transform`.
    fn transform(self, transform: Transform, out: &mut String) {
        let (axis, angle) = axis_angle(transform.rotation);
        for (field, numbers) in [
            ("translation", transform.translation.to_array().to_vec()),
            ("rotation", [axis.to_array().to_vec(), vec![angle]].concat()),
            ("scale", transform.scale.to_array().to_vec()),
        ] {
            let _ = write!(out, " {field}=\"");
            self.list(numbers.into_iter(), out);
            out.push('"');
        }
    }
}

/// A rotation as an axis and an angle in radians, from 0 to π.
fn axis_angle(rotation: Quat) -> (Vec3, f32) {
    let [x, y, z, w] = rotation.normalized().to_array().map(f64::from);
    let sine = (x * x + y * y + z * z).sqrt();
    let sign = if w < 0.0 { -1.0 } else { 1.0 };
    if sine == 0.0 {
        return (Vec3::new(0.0, 0.0, 1.0), 0.0);
    }
    let along = |component: f64| anim_ir::number::narrow(component * sign / sine);
    (Vec3::new(along(x), along(y), along(z)), anim_ir::number::narrow(2.0 * sine.atan2(w.abs())))
}
