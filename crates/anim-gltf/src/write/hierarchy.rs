//! The nodes: joints with their additional nodes, and the scene's own nodes.

mod below;
mod forms;
mod names;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use anim_ir::diag::quote;
use anim_ir::double::{IDENTITY, Mat3, Quat, conjugate, from_matrix, normalized};
use anim_ir::number::narrow;
use anim_ir::{
    Budget, CameraId, Diagnostics, Extras, Joint, JointRef, LimitError, Node, NodeId, Scene,
    Skeleton, SkeletonId, Transform, Value,
};

use crate::json;
use crate::math::svd::Svd;
use crate::math::{SAME, finite_all, unit};
use crate::write::extras::extras;
use crate::write::skin::{Skins, Slot};
use crate::write::variants::Variants;
pub(crate) use forms::has_armature;
use forms::{Forms, forms, is_uneven};
use names::{ClaimedNames, claim_names};

/// The nodes that represent a joint. Children, meshes and skins refer to `node`.
#[derive(Debug)]
pub(crate) struct JointNodes {
    pub(crate) node: usize,
    /// The parent of `node`, if a single translation, rotation and scale are not sufficient.
    pub(crate) helper: Option<Box<Helper>>,
    /// The node that shows and hides the joint, if it is hidden at rest or in a clip. This is an
    /// additional parent with a scale of 0 or 1 or, with the extension, the joint's topmost node.
    pub(crate) switch: Option<usize>,
    /// Whether `KHR_node_visibility` shows and hides the joint or one above it.
    is_flagged: bool,
}

impl JointNodes {
    /// All nodes of the joint, each once.
    pub(crate) fn all(&self) -> impl Iterator<Item = usize> {
        let helper = self.helper.as_ref().map(|helper| helper.node);
        let is_other = |node: &usize| *node != self.node && Some(*node) != helper;
        [Some(self.node), helper, self.switch.filter(is_other)].into_iter().flatten()
    }
}

/// The upper of a joint's two nodes.
///
/// The rest matrix is `T · U · Σ · Vᵀ`, where `U · Σ · Vᵀ` is a singular value decomposition: two
/// rotations with a scale between them. The helper has `T`, `U` and `Σ`; the joint's own node has
/// `Vᵀ`. Keys that are applied before the rest pose then only affect the joint's node: `Vᵀ · T' ·
/// R' · S'` is also a translation, rotation and scale, so no resampling is necessary.
#[derive(Debug)]
pub(crate) struct Helper {
    pub(crate) node: usize,
    /// `Vᵀ`; `None` if it is the identity.
    pub(crate) turn: Option<Quat>,
    /// Whether the rest pose is a matrix that the joint's rest transform only approximates.
    pub(crate) exact: bool,
}

/// Returns the uppermost of a joint's nodes.
fn top_of(nodes: &JointNodes) -> usize {
    let upper = nodes.helper.as_ref().map_or(nodes.node, |helper| helper.node);
    nodes.switch.unwrap_or(upper)
}

/// All nodes.
#[derive(Debug, Default)]
pub(crate) struct Hierarchy<'a> {
    pub(crate) nodes: Vec<json::Node<'a>>,
    pub(crate) roots: Vec<usize>,
    /// For each skeleton, the nodes of its joints.
    joints: Vec<Vec<JointNodes>>,
    /// For each skeleton, the parent node of its roots; `None` unless it is a skeleton of bones
    /// with at least one joint.
    armatures: Vec<Option<usize>>,
    /// For each node of the scene, its node in the file.
    of_scene: Vec<usize>,
    /// Nodes that skins need in addition to the joints of the scene, keyed by skeleton and slot.
    extra: HashMap<(SkeletonId, Slot), usize>,
}

impl<'a> Hierarchy<'a> {
    pub(crate) fn plan(
        scene: &'a Scene,
        (node_visibility, budget): (bool, &Budget),
        variants: &Variants,
        skins: &Skins<'_>,
        losses: &mut Diagnostics,
    ) -> Result<Hierarchy<'a>, LimitError> {
        let joints: usize = scene.skeletons.iter().map(|skeleton| skeleton.joints.len()).sum();
        let nodes = Vec::with_capacity(joints.saturating_add(scene.nodes.len()));
        let tree = Hierarchy { nodes, ..Hierarchy::default() };
        let forms = forms(scene, node_visibility, budget, losses)?;
        let mut planner = Planner { scene, tree, claimed: claim_names(scene), losses };
        let at_rest = skins.at_rest(scene.skeletons.len());
        for ((skeleton, forms), at_rest) in scene.skeletons.iter().zip(forms).zip(at_rest) {
            planner.add_skeleton(skeleton, &forms, at_rest);
        }
        planner.add_repeated_joints(skins);
        for (id, node) in scene.enumerate_nodes() {
            planner.add_node(id, node, variants, skins);
        }
        let Planner { mut tree, losses, .. } = planner;
        if tree.roots.is_empty() {
            // A scene without nodes is valid, but some readers require a node, and they should be
            // able to read the scene's extras.
            let name = if scene.name.is_empty() { "scene" } else { &scene.name };
            tree.add(made_up(Cow::Borrowed(name), "scene", None, losses), None);
        }
        Ok(tree)
    }

    /// Rotates all roots about the origin, except those of joints without an armature, whose keys
    /// and rest poses the scene already has rotated. Skinned meshes are unchanged, since they
    /// follow their joints.
    pub(crate) fn turn(&mut self, turn: anim_ir::Quat) {
        let graphs = self.joints.iter().zip(&self.armatures);
        let graphs = graphs.filter(|(_, armature)| armature.is_none());
        let rotated: HashSet<usize> = graphs.flat_map(|(joints, _)| joints).map(top_of).collect();
        for root in self.roots.iter().filter(|root| !rotated.contains(root)) {
            let Some(node) = self.nodes.get_mut(*root).filter(|node| node.skin.is_none()) else {
                continue;
            };
            let own = Transform {
                translation: node.translation.unwrap_or_default().into(),
                rotation: node.rotation.map_or(anim_ir::Quat::IDENTITY, Into::into),
                scale: node.scale.unwrap_or([1.0; 3]).into(),
            };
            place(node, &(Transform { rotation: turn, ..Transform::IDENTITY } * own));
        }
    }

    /// Returns the nodes of a joint.
    pub(crate) fn joint(&self, joint: JointRef) -> Option<&JointNodes> {
        self.joints.get(joint.skeleton.index())?.get(joint.joint.index())
    }

    /// Whether a node is shown and hidden with `KHR_node_visibility`.
    pub(crate) fn is_flagged(&self, node: usize) -> bool {
        self.nodes.get(node).is_some_and(|node| node.extensions.visibility.is_some())
    }

    /// Returns the parent node of the roots of a skeleton of bones.
    pub(crate) fn armature(&self, skeleton: SkeletonId) -> Option<usize> {
        self.armatures.get(skeleton.index()).copied().flatten()
    }

    /// Returns the file's node for a node of the scene.
    pub(crate) fn of_scene(&self, node: NodeId) -> Option<usize> {
        self.of_scene.get(node.index()).copied()
    }

    /// Returns the node for a skin's joint.
    pub(crate) fn slot(&self, skeleton: SkeletonId, slot: Slot) -> Option<usize> {
        match slot {
            Slot::Joint(joint) => Some(self.joint(JointRef { skeleton, joint })?.node),
            Slot::Again { .. } | Slot::AtRest => self.extra.get(&(skeleton, slot)).copied(),
        }
    }

    fn add(&mut self, node: json::Node<'a>, parent: Option<usize>) -> usize {
        let at = self.nodes.len();
        self.nodes.push(node);
        match parent.and_then(|parent| self.nodes.get_mut(parent)) {
            Some(parent) => parent.children.push(at),
            None => self.roots.push(at),
        }
        at
    }
}

struct Planner<'a, 'b> {
    scene: &'a Scene,
    tree: Hierarchy<'a>,
    claimed: ClaimedNames<'a>,
    losses: &'b mut Diagnostics,
}

impl<'a> Planner<'a, '_> {
    /// Adds a node that the scene does not have.
    fn add_made_up(&mut self, name: String, role: &str, parent: Option<usize>) -> usize {
        let name = self.claimed.names.invent(name);
        let node = made_up(name, role, None, self.losses);
        self.tree.add(node, parent)
    }

    fn add_skeleton(&mut self, skeleton: &'a Skeleton, forms: &[Forms], at_rest: bool) {
        let armature = has_armature(skeleton).then(|| {
            let name = self.claimed.armatures.next().unwrap_or_default();
            let own = Some(skeleton.name.as_str()).filter(|own| *own != name);
            let node = made_up(name, "armature", own, self.losses);
            self.tree.add(node, None)
        });
        let mut joints: Vec<JointNodes> = Vec::with_capacity(skeleton.joints.len());
        for (joint, forms) in skeleton.joints.iter().zip(forms) {
            let above = joint.parent.and_then(|parent| joints.get(parent.index()));
            let parent = above.map(|parent| parent.node).or(armature);
            let is_flagged = forms.flagged || above.is_some_and(|above| above.is_flagged);
            let name = self.claimed.joints.next().unwrap_or_default();
            joints.push(JointNodes { is_flagged, ..self.add_joint(joint, name, parent, *forms) });
        }
        if at_rest {
            let above = armature.and_then(|armature| self.tree.nodes.get(armature));
            let name = format!("{}.static", above.map_or("joint", |node| &node.name));
            let node = self.add_made_up(name, "static", armature);
            self.tree.extra.insert((SkeletonId::new(self.tree.joints.len()), Slot::AtRest), node);
        }
        self.tree.joints.push(joints);
        self.tree.armatures.push(armature);
    }

    fn add_joint(
        &mut self,
        joint: &'a Joint,
        name: Cow<'a, str>,
        parent: Option<usize>,
        forms: Forms,
    ) -> JointNodes {
        let by_scale = forms.scaled.then(|| {
            let at = self.add_made_up(format!("{name}.visibility"), "visibility", parent);
            if let Some(node) = self.tree.nodes.get_mut(at).filter(|_| !joint.visible) {
                node.scale = Some([0.0; 3]);
            }
            at
        });
        let mut nodes = self.add_transforms(joint, name, by_scale.or(parent), forms.turned);
        nodes.switch = by_scale;
        if forms.flagged {
            let top = top_of(&nodes);
            nodes.switch = Some(top);
            if let Some(node) = self.tree.nodes.get_mut(top) {
                node.extensions.visibility = Some(json::NodeVisibility { visible: joint.visible });
            }
        }
        nodes
    }

    /// Adds the nodes of a joint, except the node that shows and hides it.
    fn add_transforms(
        &mut self,
        joint: &'a Joint,
        name: Cow<'a, str>,
        parent: Option<usize>,
        turned: bool,
    ) -> JointNodes {
        let exact = joint.exact_rest.filter(|exact| !exact.is_near(joint.rest.to_matrix(), SAME));
        let helper_name = (exact.is_some() || (turned && is_uneven(&joint.rest)))
            .then(|| self.claimed.names.invent(format!("{name}.rest")));
        let mut node = named(name, &joint.name, &joint.extras, self.losses, || {
            format!("joint {}", quote(joint.name.as_bytes()))
        });
        let Some(helper_name) = helper_name else {
            place(&mut node, &joint.rest);
            let node = self.tree.add(node, parent);
            return JointNodes { node, helper: None, switch: None, is_flagged: false };
        };
        let mut upper = made_up(helper_name, "rest", None, self.losses);
        let mut turn = None;
        match exact {
            Some(exact) => {
                let axis = |column: [f32; 4]| [column[0], column[1], column[2]];
                let [a, b, c, t] = exact.columns;
                let svd = Svd::of([a, b, c].map(|column| axis(column).map(f64::from)));
                upper.translation = Some(axis(t)).filter(|t| *t != [0.0; 3]);
                upper.rotation =
                    Some(finite_all(to_quat(svd.u))).filter(|r| *r != IDENTITY.map(narrow));
                upper.scale = Some(finite_all(svd.sigma)).filter(|s| *s != [1.0; 3]);
                let back = conjugate(to_quat(svd.v));
                turn = Some(back).filter(|[x, y, z, _]| [x, y, z].iter().any(|e| e.abs() > 1e-9));
            }
            None => place(&mut upper, &joint.rest),
        }
        let upper = self.tree.add(upper, parent);
        node.rotation = turn.map(finite_all);
        JointNodes {
            node: self.tree.add(node, Some(upper)),
            helper: Some(Box::new(Helper { node: upper, turn, exact: exact.is_some() })),
            switch: None,
            is_flagged: false,
        }
    }

    fn add_repeated_joints(&mut self, skins: &Skins<'_>) {
        for skin in &skins.list {
            for slot in &skin.slots {
                let Slot::Again { joint, .. } = *slot else { continue };
                let key = (skin.skeleton, *slot);
                if self.tree.extra.contains_key(&key) {
                    continue;
                }
                let slot = self.tree.slot(skin.skeleton, Slot::Joint(joint));
                let Some(parent) = slot else { continue };
                let name = self.tree.nodes.get(parent).map_or("", |node| &node.name);
                let at = self.add_made_up(format!("{name}.again"), "again", Some(parent));
                self.tree.extra.insert(key, at);
            }
        }
    }

    /// Adds a node of the scene.
    fn add_node(&mut self, id: NodeId, node: &'a Node, variants: &Variants, skins: &Skins<'_>) {
        let name = self.claimed.nodes.next().unwrap_or_default();
        let variant = variants.of_node.get(id.index()).copied().flatten();
        let skin = variant.and_then(|variant| variants.list.get(variant)?.skin);
        // A skinned mesh is positioned by its joints. glTF recommends root nodes without a
        // transform, but the extension hides a mesh like its parent.
        let bound = node.mesh.is_some() && node.skin.is_some();
        let parent = node.parent.and_then(|parent| self.tree.joint(parent));
        let parent = parent.filter(|joint| !bound || joint.is_flagged).map(|joint| joint.node);
        let camera = node.camera.map(CameraId::index);
        if let Some(joint) = parent.filter(|joint| self.takes_in(*joint, node)) {
            if let Some(json) = self.tree.nodes.get_mut(joint) {
                (json.mesh, json.camera) = (variant, camera);
            }
            self.tree.of_scene.push(joint);
            return;
        }
        let mut json = named(name, &node.name, &node.extras, self.losses, || format!("node {id}"));
        if !bound {
            place(&mut json, &node.transform);
        }
        json.mesh = variant;
        json.camera = camera;
        json.skin = skin.and_then(|skin| skins.of_scene.get(skin.index()).copied().flatten());
        let at = self.tree.add(json, parent);
        self.tree.of_scene.push(at);
    }

    /// Whether a node of the scene can be merged into its parent joint. The joint must be in a
    /// scene graph and have no mesh or camera yet. The node must not have a transform, a skin,
    /// extras or a name other than the joint's.
    fn takes_in(&self, at: usize, node: &Node) -> bool {
        let above = node.parent.and_then(|JointRef { skeleton, joint }| {
            let skeleton = self.scene.skeleton(skeleton)?;
            Some((skeleton.bones, &skeleton.joint(joint)?.name))
        });
        let free = |joint: &json::Node<'_>| joint.mesh.is_none() && joint.camera.is_none();
        let plain =
            node.transform == Transform::IDENTITY && node.skin.is_none() && node.extras.is_empty();
        plain
            && self.tree.nodes.get(at).is_some_and(free)
            && above
                .is_some_and(|(bones, name)| !bones && (node.name.is_empty() || node.name == *name))
    }
}

/// Converts a rotation matrix to a unit quaternion.
fn to_quat(matrix: Mat3) -> Quat {
    normalized(from_matrix(matrix))
}

/// Returns a node that the scene does not have. It is marked with its role, so that a reader can
/// remove it.
fn made_up<'a>(
    name: Cow<'a, str>,
    role: &str,
    original: Option<&str>,
    losses: &mut Diagnostics,
) -> json::Node<'a> {
    let mut ours: Vec<(&'static str, Value)> = vec![("role", role.into())];
    ours.extend(original.map(|original| ("name", original.into())));
    static NONE: Extras = Extras::new();
    json::Node { name, extras: extras(&NONE, ours, losses, String::new), ..json::Node::default() }
}

fn named<'a>(
    name: Cow<'a, str>,
    original: &str,
    own: &'a Extras,
    losses: &mut Diagnostics,
    whose: impl Fn() -> String,
) -> json::Node<'a> {
    let ours = if name == original { Vec::new() } else { vec![("name", original.into())] };
    json::Node { extras: extras(own, ours, losses, whose), name, ..json::Node::default() }
}

/// Sets translation, rotation and scale, unless they are the identity.
fn place(node: &mut json::Node<'_>, transform: &Transform) {
    let rotation = finite_all(unit(transform.rotation.to_f64()));
    node.translation = Some(transform.translation.to_array()).filter(|t| *t != [0.0; 3]);
    node.rotation = Some(rotation).filter(|r| r.map(f64::from) != IDENTITY);
    node.scale = Some(transform.scale.to_array()).filter(|s| *s != [1.0; 3]);
}
