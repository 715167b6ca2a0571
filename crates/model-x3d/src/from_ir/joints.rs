//! Joints as a tree of nodes, with the shapes that are attached to them.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use anim_ir::diag::quote;
use anim_ir::{
    Camera, Diagnostics, JointId, JointRef, Mesh, MeshId, Node as SceneNode, NodeId as SceneNodeId,
    Scene, SkeletonId, Transform,
};

use super::binds::Bind;
use super::error::{FromIrError, MOST_NESTED};
use super::moving::Moving;
use super::order::Order;
use super::stretch::matrix_fields;
use super::vertices::{self, Bent};
use crate::codes;
use crate::graph::{NodeId, Value};
use crate::make::{Maker, floats, transform};

/// A node that moves like a joint.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) node: NodeId,
    /// For a joint of a humanoid; most are not.
    pub(super) bind: Option<Box<Bind>>,
}

/// The nodes of a scene's joints and meshes.
pub(super) struct Tree<'m> {
    pub(super) moving: &'m Moving,
    /// Whether no humanoids are wanted.
    pub(super) coordinates: bool,
    pub(super) roots: Vec<NodeId>,
    /// The nodes of each joint of each skeleton.
    pub(super) joints: Vec<Vec<Vec<Placed>>>,
    /// The switches that hide what belongs to a joint.
    pub(super) switches: HashMap<JointRef, Vec<NodeId>>,
    pub(super) bent: BTreeMap<SceneNodeId, Bent>,
    /// The nodes in joints of humanoids to which shapes are attached.
    pub(super) mounts: HashMap<JointRef, NodeId>,
    /// Skinned nodes of the scene that are part of a humanoid.
    pub(super) in_humanoids: HashSet<SceneNodeId>,
    /// The skinned nodes that are sampled, and why.
    pub(super) sampled: Vec<(String, &'static str)>,
    /// Joints of which the matrix at rest is not written.
    sheared: Vec<String>,
    /// The geometries of each mesh that does not change, which all its uses share.
    still: HashMap<MeshId, Vec<NodeId>>,
    pub(super) order: Order,
}

impl<'m> Tree<'m> {
    pub(super) fn new(moving: &'m Moving, order: Order, coordinates: bool) -> Tree<'m> {
        Tree {
            moving,
            order,
            coordinates,
            roots: Vec::new(),
            joints: Vec::new(),
            switches: HashMap::new(),
            bent: BTreeMap::new(),
            mounts: HashMap::new(),
            in_humanoids: HashSet::new(),
            sampled: Vec::new(),
            sheared: Vec::new(),
            still: HashMap::new(),
        }
    }

    /// Adds all nodes.
    pub(super) fn build(&mut self, maker: &mut Maker<'_>) -> Result<(), FromIrError> {
        let scene = maker.scene;
        for (id, skeleton) in scene.enumerate_skeletons() {
            let mut depths: Vec<usize> = Vec::with_capacity(skeleton.joints.len());
            for joint in &skeleton.joints {
                let above = joint.parent.and_then(|parent| depths.get(parent.index()));
                depths.push(above.map_or(1, |above| above.saturating_add(1)));
            }
            let deepest = depths.into_iter().max().unwrap_or_default();
            if deepest > MOST_NESTED {
                return Err(FromIrError::Nested(deepest));
            }
            self.joints.push(vec![Vec::new(); skeleton.joints.len()]);
            if !self.humanoids(maker, id)? {
                self.transforms(maker, id)?;
            }
        }
        for (id, node) in scene.enumerate_nodes() {
            if !self.in_humanoids.contains(&id) {
                self.place(maker, id, node)?;
            }
        }
        self.order.sort(maker, &mut self.roots);
        Ok(())
    }

    /// Adds the joints of a skeleton as `Transform` nodes.
    fn transforms(&mut self, maker: &mut Maker<'_>, id: SkeletonId) -> Result<(), FromIrError> {
        let Some(skeleton) = maker.scene.skeleton(id) else { return Ok(()) };
        for (number, joint) in skeleton.enumerate_joints() {
            let at = JointRef { skeleton: id, joint: number };
            let moves = self.moving.joints.contains(&at);
            let mut fields = match joint.exact_rest {
                Some(matrix) if !moves => matrix_fields(matrix),
                _ => transform(&joint.rest),
            };
            if self.moving.hidden.contains(&at) {
                fields.push(("visible", Value::Bool(false)));
            }
            if moves && joint.exact_rest.is_some() {
                self.sheared.push(joint.name.clone());
            }
            let node = maker.add("Transform", &joint.name, fields)?;
            let mut outer = node;
            if self.moving.toggled.contains(&at) {
                outer = self.switch(maker, at)?;
                maker.attach(outer, node);
            }
            self.order.joint(outer, at);
            match joint.parent.and_then(|parent| self.node_of(id, parent)) {
                Some(parent) => maker.attach(parent, outer),
                None => self.roots.push(outer),
            }
            self.put(at, Placed { node, bind: None });
        }
        Ok(())
    }

    pub(super) fn put(&mut self, at: JointRef, placed: Placed) {
        let joints = self.joints.get_mut(at.skeleton.index());
        if let Some(list) = joints.and_then(|joints| joints.get_mut(at.joint.index())) {
            // Nearly all joints have a single node.
            list.reserve_exact(1);
            list.push(placed);
        }
    }

    /// Returns the nodes that move like a joint.
    pub(super) fn placed(&self, skeleton: SkeletonId, joint: JointId) -> &[Placed] {
        let joints = self.joints.get(skeleton.index());
        joints.and_then(|joints| joints.get(joint.index())).map_or(&[], Vec::as_slice)
    }

    fn node_of(&self, skeleton: SkeletonId, joint: JointId) -> Option<NodeId> {
        self.placed(skeleton, joint).first().map(|placed| placed.node)
    }

    /// Adds a switch that shows its first child while the joint is visible.
    fn switch(&mut self, maker: &mut Maker<'_>, at: JointRef) -> Result<NodeId, FromIrError> {
        let joint = maker.scene.joint(at);
        let name = joint.map_or(String::new(), |joint| format!("{}_shown", joint.name));
        let choice = if joint.is_none_or(|joint| joint.visible) { 0 } else { -1 };
        let fields = vec![("whichChoice", Value::Ints(vec![choice].into()))];
        let switch = maker.add("Switch", &name, fields)?;
        self.switches.entry(at).or_default().push(switch);
        Ok(switch)
    }

    /// Adds a group that hides its children like a joint. Returns `None` if the joint is always
    /// visible.
    fn hiding(
        &mut self,
        maker: &mut Maker<'_>,
        at: JointRef,
    ) -> Result<Option<NodeId>, FromIrError> {
        if self.moving.toggled.contains(&at) {
            return self.switch(maker, at).map(Some);
        }
        if self.moving.hidden.contains(&at) {
            return Ok(Some(maker.add("Group", "", vec![("visible", Value::Bool(false))])?));
        }
        Ok(None)
    }

    /// Adds groups that hide their children like a joint of a humanoid and the joints above it.
    /// Returns the outermost and a group in the innermost, or `None` if all joints are always
    /// visible.
    pub(super) fn hiding_above(
        &mut self,
        maker: &mut Maker<'_>,
        at: Option<JointRef>,
    ) -> Result<Option<(NodeId, NodeId)>, FromIrError> {
        let mut found: Option<(NodeId, NodeId)> = None;
        let mut next = at;
        while let Some(at) = next {
            if let Some(hiding) = self.hiding(maker, at)? {
                let inner = match found {
                    Some((outer, inner)) => {
                        maker.attach(hiding, outer);
                        inner
                    }
                    None => {
                        let group = maker.add("Group", "", Vec::new())?;
                        maker.attach(hiding, group);
                        group
                    }
                };
                found = Some((hiding, inner));
            }
            let parent = maker.scene.joint(at).and_then(|joint| joint.parent);
            next = parent.map(|joint| JointRef { joint, ..at });
        }
        Ok(found)
    }

    /// Adds a node of the scene that is not part of a humanoid.
    fn place(
        &mut self,
        maker: &mut Maker<'_>,
        id: SceneNodeId,
        node: &SceneNode,
    ) -> Result<(), FromIrError> {
        let mut parent = None;
        if node.skin.is_some() {
            // A skin places its mesh by itself, but the joint may hide it.
            if let Some((outer, inner)) = self.hiding_above(maker, node.parent)? {
                self.attach(maker, id, None, outer);
                parent = Some(inner);
            }
        } else {
            if let Some(at) = node.parent {
                parent = self.mounts.get(&at).copied().or(self.node_of(at.skeleton, at.joint));
            }
            if node.transform != Transform::IDENTITY {
                let placed = maker.add("Transform", "", transform(&node.transform))?;
                self.attach(maker, id, parent, placed);
                parent = Some(placed);
            }
        }
        if let Some(camera) = node.camera.and_then(|id| maker.scene.camera(id)) {
            let camera = viewpoint(maker, node, camera)?;
            self.attach(maker, id, parent, camera);
        }
        let Some(mesh) = node.mesh.and_then(|mesh| Some((mesh, maker.scene.mesh(mesh)?))) else {
            return Ok(());
        };
        let name = shape_name(maker.scene, node, mesh.1);
        for shape in self.shapes(maker, (id, name), node, mesh)? {
            self.attach(maker, id, parent, shape);
        }
        Ok(())
    }

    /// Adds the shapes of a mesh.
    fn shapes(
        &mut self,
        maker: &mut Maker<'_>,
        (id, name): (SceneNodeId, &str),
        node: &SceneNode,
        (mesh_id, mesh): (MeshId, &Mesh),
    ) -> Result<Vec<NodeId>, FromIrError> {
        let skin = node.skin.filter(|_| mesh.influences.per_vertex > 0);
        if skin.is_some() || self.moving.morphed.contains(&id) {
            let (bent, shapes) = Bent::add(maker, (id, name), mesh, skin)?;
            self.bent.insert(id, bent);
            return Ok(shapes);
        }
        let parts = || mesh.primitives.iter().filter(|part| !part.indices.is_empty());
        let geometries = match self.still.entry(mesh_id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let vertices = vertices::still(maker, mesh)?;
                let made = parts().map(|part| maker.geometry((mesh, part), vertices));
                place.insert(made.collect::<Result<_, _>>()?)
            }
        };
        let shapes = parts().zip(geometries);
        let shapes = shapes.map(|(part, geometry)| maker.shape_of(name, *geometry, part));
        Ok(shapes.collect::<Result<_, _>>()?)
    }

    /// Attaches what a node of the scene is made of.
    fn attach(
        &mut self,
        maker: &mut Maker<'_>,
        id: SceneNodeId,
        parent: Option<NodeId>,
        child: NodeId,
    ) {
        self.order.shape(child, id, parent);
        match parent {
            Some(parent) => maker.attach(parent, child),
            None => self.roots.push(child),
        }
    }

    /// Reports what the tree does not hold.
    pub(super) fn report(&self, losses: &mut Diagnostics) {
        for (name, why) in &self.sampled {
            losses.push(&codes::LOSS_SKIN, None, || format!("{}: {why}", quote(name.as_bytes())));
        }
        for name in &self.sheared {
            losses.push(&codes::LOSS_SHEAR, None, || {
                format!("joint {} is sheared at rest", quote(name.as_bytes()))
            });
        }
    }
}

/// Returns the name of a mesh's shapes: that of its node, or else that of the mesh. Many formats
/// name both like the joint that carries them. That name is the joint's.
pub(super) fn shape_name<'s>(scene: &'s Scene, node: &'s SceneNode, mesh: &'s Mesh) -> &'s str {
    let joint = node.parent.and_then(|joint| scene.joint(joint));
    let is_free = |name: &&str| !name.is_empty() && joint.is_none_or(|joint| joint.name != *name);
    [&*node.name, &*mesh.name].into_iter().find(is_free).unwrap_or_default()
}

/// Adds a camera, which looks along the -z axis as in the scene.
fn viewpoint(
    maker: &mut Maker<'_>,
    node: &SceneNode,
    camera: &Camera,
) -> Result<NodeId, FromIrError> {
    // The field of view in X3D is that of the shorter side of the picture.
    let aspect = camera.aspect.unwrap_or(1.0).min(1.0);
    let angle = 2.0 * ((camera.vertical_fov * 0.5).tan() * aspect).atan();
    let name = if node.name.is_empty() { &camera.name } else { &node.name };
    let fields = vec![
        ("description", Value::Strings([name.clone()].as_slice().into())),
        ("position", floats([0.0; 3])),
        ("fieldOfView", floats([angle])),
    ];
    Ok(maker.add("Viewpoint", name, fields)?)
}
