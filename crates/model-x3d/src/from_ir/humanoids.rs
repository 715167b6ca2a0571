//! Skinned meshes as humanoids (ISO/IEC 19774-1).

use std::collections::BTreeMap;

use anim_ir::{
    Joint, JointId, JointRef, Mesh, NodeId as SceneNodeId, Skeleton, SkeletonId, Skin, Topology,
    Transform, Vec3,
};

use super::binds::{Bind, Binds};
use super::error::FromIrError;
use super::joints::{Placed, Tree, shape_name};
use crate::graph::{NodeId, Value};
use crate::make::{Maker, VertexLists, Vertices, axis_angle, floats, transform};

/// How much the weights of a vertex may differ from 1 in sum. Programs differ in what they do with
/// other sums.
const SUM: f32 = 1e-4;

/// The number of groups that a mesh is compared with.
const MOST_COMPARED: usize = 8;

/// Meshes of a skeleton whose bind matrices do not contradict.
struct Group<'s> {
    binds: Binds,
    members: Vec<Member<'s>>,
}

/// A skinned mesh.
struct Member<'s> {
    node: SceneNodeId,
    name: &'s str,
    parent: Option<JointRef>,
    mesh: &'s Mesh,
    skin: &'s Skin,
}

impl Tree<'_> {
    /// Adds the joints of a skeleton and the meshes that they bend as humanoids: one, unless bind
    /// matrices contradict. Returns whether there is any.
    pub(super) fn humanoids(
        &mut self,
        maker: &mut Maker<'_>,
        id: SkeletonId,
    ) -> Result<bool, FromIrError> {
        let Some(skeleton) = maker.scene.skeleton(id) else { return Ok(false) };
        let groups = self.groups(maker, id);
        let mut any = false;
        for group in groups {
            let Some(binds) = group.binds.poses(skeleton) else {
                let why = "its joints are sheared or bound with shear or uneven scale";
                self.sampled.extend(group.members.iter().map(|it| (label(it.name, it.mesh), why)));
                continue;
            };
            self.humanoid(maker, (id, skeleton), &group.members, &binds, !any)?;
            any = true;
        }
        Ok(any)
    }

    /// Groups the skinned meshes of a skeleton.
    fn groups<'s>(&mut self, maker: &Maker<'s>, id: SkeletonId) -> Vec<Group<'s>> {
        let scene = maker.scene;
        let mut groups: Vec<Group<'s>> = Vec::new();
        for number in self.moving.skinned.get(&id).into_iter().flatten().copied() {
            let Some(node) = scene.node(number) else { continue };
            let Some(skin) = node.skin.and_then(|skin| scene.skin(skin)) else { continue };
            let Some(mesh) = node.mesh.and_then(|mesh| scene.mesh(mesh)) else { continue };
            if mesh.influences.per_vertex == 0 {
                continue;
            }
            let name = shape_name(scene, node, mesh);
            let binds = Binds::of(skin);
            let why = if self.coordinates {
                Some("`--coordinates` writes no skins")
            } else if self.moving.morphed.contains(&number) {
                Some("it is morphed and skinned")
            } else if binds.is_none() {
                Some("a joint is bound twice, or with a matrix that has no inverse")
            } else if !are_sums_one(mesh) {
                Some("the weights of some vertices do not add up to 1")
            } else if mesh.primitives.iter().any(|part| part.topology == Topology::Points) {
                Some("it has points")
            } else {
                None
            };
            let Some(binds) = binds.filter(|_| why.is_none()) else {
                self.sampled.extend(why.map(|why| (label(name, mesh), why)));
                continue;
            };
            let member = Member { node: number, name, parent: node.parent, mesh, skin };
            let last = groups.len().saturating_sub(MOST_COMPARED);
            let recent = groups.get_mut(last..).unwrap_or_default();
            match recent.iter_mut().find_map(|group| group.binds.join(&binds).then_some(group)) {
                Some(group) => group.members.push(member),
                None => groups.push(Group { binds, members: vec![member] }),
            }
        }
        groups
    }

    /// Adds a humanoid. Its joints carry what is attached to the skeleton's joints if it is the
    /// first one.
    fn humanoid(
        &mut self,
        maker: &mut Maker<'_>,
        (id, skeleton): (SkeletonId, &Skeleton),
        members: &[Member<'_>],
        binds: &[Bind],
        is_first: bool,
    ) -> Result<(), FromIrError> {
        let weights = weights(members, skeleton);
        let root = self.still_root((id, skeleton), binds, &weights);
        let name = root.map_or(&skeleton.name, |(_, root)| &root.name);
        let fields = vec![("name", string(name)), ("version", string("2.0"))];
        let humanoid = maker.add("HAnimHumanoid", name, fields)?;
        self.roots.push(humanoid);
        members.iter().for_each(|member| self.order.contains(humanoid, member.node));
        let (mut nodes, mut top) = (Vec::with_capacity(skeleton.joints.len()), Vec::new());
        for (((number, joint), bind), weights) in
            skeleton.enumerate_joints().zip(binds).zip(weights)
        {
            if root.is_some_and(|(root, _)| root == number) {
                nodes.push(humanoid);
                continue;
            }
            let at = JointRef { skeleton: id, joint: number };
            let scale = bind.scale(joint.rest.scale);
            let (points, shares): (Vec<i32>, Vec<f32>) = weights.into_iter().unzip();
            let mut fields = vec![
                ("name", string(&joint.name)),
                ("center", floats(bind.own.translation.to_array())),
                ("translation", floats(bind.translation(joint.rest.translation).to_array())),
                ("rotation", floats(axis_angle(bind.rotation(joint.rest.rotation)))),
            ];
            let is_even = scale.x == scale.y && scale.y == scale.z;
            if scale != Vec3::ONE || self.moving.joints.contains(&at) {
                fields.push(("scale", floats(scale.to_array())));
            }
            if !is_even || self.moving.joints.contains(&at) {
                fields.push(("scaleOrientation", floats(axis_angle(bind.own.rotation))));
            }
            fields.push(("skinCoordIndex", Value::Ints(points.into())));
            fields.push(("skinCoordWeight", floats(shares)));
            let node = maker.add("HAnimJoint", &joint.name, fields)?;
            match joint.parent.and_then(|parent| nodes.get(parent.index()).copied()) {
                Some(parent) if parent != humanoid => maker.attach(parent, node),
                _ => top.push(node),
            }
            nodes.push(node);
            self.put(at, Placed { node, bind: Some(Box::new(*bind)) });
            if is_first {
                self.order.joint(humanoid, at);
                self.mount(maker, at, node, bind)?;
            }
        }
        nodes.retain(|node| *node != humanoid);
        maker.set(humanoid, "skeleton", Value::Nodes(top));
        maker.set(humanoid, "joints", Value::Nodes(nodes));
        self.skin(maker, humanoid, members)
    }

    /// Returns the root if it is the only one and nothing but the parent of other joints, so that
    /// the humanoid can stand for it. Readers, including that of this crate, take a humanoid for a
    /// joint.
    fn still_root<'s>(
        &self,
        (id, skeleton): (SkeletonId, &'s Skeleton),
        binds: &[Bind],
        weights: &[Vec<(i32, f32)>],
    ) -> Option<(JointId, &'s Joint)> {
        let mut roots = skeleton.enumerate_joints().filter(|(_, joint)| joint.parent.is_none());
        let (number, root) = roots.next().filter(|_| roots.next().is_none())?;
        let at = JointRef { skeleton: id, joint: number };
        let moving = self.moving;
        let moves =
            [&moving.joints, &moving.toggled, &moving.hidden].iter().any(|of| of.contains(&at));
        let carries = self.moving.carrying.contains(&at);
        let is_bound = binds.get(number.index())?.own != Transform::IDENTITY
            || !weights.get(number.index())?.is_empty();
        let is_still = root.rest == Transform::IDENTITY && !moves && !carries && !is_bound;
        is_still.then_some((number, root))
    }

    /// Adds the node to which shapes of a joint are attached, if there are any.
    fn mount(
        &mut self,
        maker: &mut Maker<'_>,
        at: JointRef,
        node: NodeId,
        bind: &Bind,
    ) -> Result<(), FromIrError> {
        if !self.moving.carrying.contains(&at) {
            return Ok(());
        }
        let segment = maker.add("HAnimSegment", "", Vec::new())?;
        maker.attach(node, segment);
        let mut mount = maker.add("Transform", "", transform(&bind.own))?;
        maker.attach(segment, mount);
        if let Some((outer, inner)) = self.hiding_above(maker, Some(at))? {
            maker.attach(mount, outer);
            mount = inner;
        }
        self.mounts.insert(at, mount);
        Ok(())
    }

    /// Adds the vertices and shapes of a humanoid, which all share one list of vertices.
    fn skin(
        &mut self,
        maker: &mut Maker<'_>,
        humanoid: NodeId,
        members: &[Member<'_>],
    ) -> Result<(), FromIrError> {
        let mut lists = VertexLists::default();
        let mut deformer = anim_ir::Deformer::default();
        let has_normals = members.iter().any(|member| !member.mesh.normals.is_empty());
        let has_texcoords = members.iter().any(|member| !member.mesh.texcoords.is_empty());
        for Member { mesh, .. } in members {
            deformer.deform(mesh, &mesh.morph_weights, &[]);
            lists.positions.to_mut().extend_from_slice(deformer.positions());
            let end = lists.positions.len();
            if has_normals {
                lists.normals.to_mut().extend_from_slice(deformer.normals());
                lists.normals.to_mut().resize(end, Vec3::ZERO);
            }
            if has_texcoords {
                lists.texcoords.to_mut().extend_from_slice(&mesh.texcoords);
                lists.texcoords.to_mut().resize(end, [0.0; 2]);
            }
        }
        let all = maker.vertices("", &lists)?;
        let node = |id: NodeId| Value::Nodes(vec![id]);
        all.points.into_iter().for_each(|id| maker.set(humanoid, "skinCoord", node(id)));
        all.normals.into_iter().for_each(|id| maker.set(humanoid, "skinNormal", node(id)));
        let mut skin = Vec::new();
        let mut first = 0_usize;
        for member in members {
            let vertices = Vertices {
                normals: all.normals.filter(|_| !member.mesh.normals.is_empty()),
                texcoords: all.texcoords.filter(|_| !member.mesh.texcoords.is_empty()),
                first,
                ..all
            };
            first = first.saturating_add(member.mesh.positions.len());
            let mut into = None;
            if let Some((outer, inner)) = self.hiding_above(maker, member.parent)? {
                skin.push(outer);
                into = Some(inner);
            }
            for part in member.mesh.primitives.iter().filter(|part| !part.indices.is_empty()) {
                let shape = maker.shape(member.name, (member.mesh, part), vertices)?;
                match into {
                    Some(group) => maker.attach(group, shape),
                    None => skin.push(shape),
                }
            }
            self.in_humanoids.insert(member.node);
        }
        maker.set(humanoid, "skin", Value::Nodes(skin));
        Ok(())
    }
}

/// Returns a name of a mesh for messages.
fn label(name: &str, mesh: &Mesh) -> String {
    if name.is_empty() { mesh.name.clone() } else { name.to_owned() }
}

/// Returns the points that each joint moves, with their weights.
fn weights(members: &[Member<'_>], skeleton: &Skeleton) -> Vec<Vec<(i32, f32)>> {
    let mut of_joints: Vec<BTreeMap<i32, f32>> = vec![BTreeMap::new(); skeleton.joints.len()];
    let mut first = 0_usize;
    for Member { mesh, skin, .. } in members {
        for vertex in 0..mesh.positions.len() {
            let point = i32::try_from(first.saturating_add(vertex)).unwrap_or(i32::MAX);
            for (joint, weight) in mesh.influences.of_vertex(vertex) {
                let joint = skin.joints.get(joint as usize);
                let points = joint.and_then(|joint| of_joints.get_mut(joint.index()));
                if let Some(points) = points.filter(|_| weight != 0.0) {
                    *points.entry(point).or_default() += weight;
                }
            }
        }
        first = first.saturating_add(mesh.positions.len());
    }
    of_joints.into_iter().map(|points| points.into_iter().collect()).collect()
}

fn are_sums_one(mesh: &Mesh) -> bool {
    let sum =
        |vertex: usize| mesh.influences.of_vertex(vertex).map(|(_, weight)| weight).sum::<f32>();
    (0..mesh.positions.len())
        .all(|vertex| matches!(sum(vertex), 0.0) || (sum(vertex) - 1.0).abs() <= SUM)
}

fn string(text: &str) -> Value {
    Value::Strings([text.to_owned()].as_slice().into())
}
