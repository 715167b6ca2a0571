//! The nodes: joints, what stands above and beside them, and the scene's own nodes.

use std::borrow::Cow;
use std::collections::HashMap;

use anim_ir::diag::quote;
use anim_ir::number::narrow;
use anim_ir::{
    Channel, Diagnostics, Extras, Joint, PoseSpace, Scene, Target, Timeline, Track, Transform,
    Value,
};

use crate::extras::extras;
use crate::json;
use crate::math::{NO_ROTATION, finite_all, unit};
use crate::names::Names;
use crate::skin::{Skins, Slot, Variants};
use crate::svd::{Quat, Svd, to_quat};

/// How far the factors of a scale are apart, relative to the greatest, before the scale counts as
/// uneven: matrices in text have six decimals or so, and a rotation behind such a scale is off by
/// no more than this.
const EVEN: f32 = 1e-5;
/// How near an exact rest matrix is to its transform where the transform will do.
pub(crate) const SAME: f32 = 1e-6;

/// The node or nodes of a joint. Children, meshes and skins hang from `node`.
#[derive(Debug)]
pub(crate) struct JointNodes {
    pub(crate) node: usize,
    /// Above `node`, where one translation, rotation and scale cannot say it all.
    pub(crate) helper: Option<Box<Helper>>,
    /// The one that shows and hides the joint, where it is hidden at rest or at times: above both,
    /// with a scale of 0 or 1, or the upper one of both, with an extension.
    pub(crate) switch: Option<usize>,
}

/// The upper one of a joint's two nodes.
///
/// The rest matrix is `T · U · Σ · Vᵀ` (singular value decomposition: two rotations, with a scale
/// between them). The helper has `T`, `U` and `Σ`; the joint's own node has `Vᵀ`. What is applied
/// before the rest pose then goes into the joint's node alone: `Vᵀ · T' · R' · S'` is a
/// translation, a rotation and a scale again, so that each key stays a key.
#[derive(Debug)]
pub(crate) struct Helper {
    pub(crate) node: usize,
    /// `Vᵀ`; `None` where it turns nothing.
    pub(crate) turn: Option<Quat>,
    /// Whether the rest pose is a matrix that the joint's rest transform is only near.
    pub(crate) exact: bool,
}

/// All nodes.
#[derive(Debug, Default)]
pub(crate) struct Hierarchy<'a> {
    pub(crate) nodes: Vec<json::Node<'a>>,
    pub(crate) roots: Vec<usize>,
    /// For each skeleton the nodes of its joints.
    pub(crate) joints: Vec<Vec<JointNodes>>,
    /// For each skeleton of bones the node above its roots; `None` where it has no joints.
    pub(crate) armatures: Vec<Option<usize>>,
    /// For each node of the scene its node.
    pub(crate) of_scene: Vec<usize>,
    /// Whether joints are hidden with `KHR_node_visibility`.
    pub(crate) node_visibility: bool,
    /// Nodes of skins that are no joint of the scene, by skeleton.
    extra: HashMap<(usize, Slot), usize>,
}

impl<'a> Hierarchy<'a> {
    pub(crate) fn plan(
        scene: &'a Scene,
        node_visibility: bool,
        variants: &Variants,
        skins: &Skins<'_>,
        losses: &mut Diagnostics,
    ) -> Hierarchy<'a> {
        let mut claimed = claim_names(scene);
        let turned = turned_before_rest(scene);
        let switched = switched(scene);
        let at_rest = skins.at_rest(scene.skeletons.len());
        let mut tree = Hierarchy { node_visibility, ..Hierarchy::default() };
        for (index, skeleton) in scene.skeletons.iter().enumerate() {
            tree.joints.push(Vec::with_capacity(skeleton.joints.len()));
            let armature = has_armature(skeleton).then(|| {
                let name = claimed.armatures.next().unwrap_or_default();
                let own = Some(skeleton.name.as_str()).filter(|own| *own != name);
                tree.add(made_up(name, "armature", own, losses), None)
            });
            tree.armatures.push(armature);
            for (number, joint) in skeleton.joints.iter().enumerate() {
                let name = claimed.joints.next().unwrap_or_default();
                let parent = joint
                    .parent
                    .and_then(|parent| tree.joints.last()?.get(parent))
                    .map(|parent| parent.node)
                    .or(armature);
                let is = |list: &[Vec<bool>]| {
                    list.get(index).is_some_and(|joints| joints.get(number) == Some(&true))
                };
                let forms = Forms { turned: is(&turned), switched: is(&switched) };
                let nodes = tree.add_joint(joint, name, parent, forms, &mut claimed.names, losses);
                if let Some(joints) = tree.joints.last_mut() {
                    joints.push(nodes);
                }
            }
            if at_rest.get(index) == Some(&true) {
                let above = armature
                    .and_then(|armature| tree.nodes.get(armature))
                    .map_or("joint", |node| &node.name);
                let name = claimed.names.claim(format!("{above}.static"), false);
                let node = tree.add(made_up(name, "static", None, losses), armature);
                tree.extra.insert((index, Slot::AtRest), node);
            }
        }
        tree.add_repeated_joints(skins, &mut claimed.names, losses);
        for (index, node) in scene.nodes.iter().enumerate() {
            let name = claimed.nodes.next().unwrap_or_default();
            let variant = variants.of_node.get(index).copied().flatten();
            let skin = variant.and_then(|variant| variants.list.get(variant)?.skin);
            // A skin puts its mesh where the joints are; glTF wants such nodes at the root and at
            // rest.
            let bound = node.mesh.is_some() && node.skin.is_some();
            let parent = node.parent.filter(|_| !bound);
            let parent = parent
                .and_then(|(skeleton, joint)| Some(tree.joints.get(skeleton)?.get(joint)?.node));
            if let Some(joint) = parent.filter(|joint| tree.takes_in(*joint, scene, node)) {
                if let Some(json) = tree.nodes.get_mut(joint) {
                    (json.mesh, json.camera) = (variant, node.camera);
                }
                tree.of_scene.push(joint);
                continue;
            }
            let mut json =
                named(name, &node.name, &node.extras, losses, || format!("node {index}"));
            if !bound {
                place(&mut json, &node.transform);
            }
            json.mesh = variant;
            json.camera = node.camera;
            json.skin = skin.and_then(|skin| skins.of_scene.get(skin).copied().flatten());
            let at = tree.add(json, parent);
            tree.of_scene.push(at);
        }
        if tree.roots.is_empty() {
            // A scene without a node is allowed, but some readers want one, and what is kept in the
            // scene's extras should reach them.
            let name = if scene.name.is_empty() { "scene" } else { &scene.name };
            tree.add(made_up(Cow::Borrowed(name), "scene", None, losses), None);
        }
        tree
    }

    /// Whether a node of the scene says no more than that something is where the joint is that it
    /// hangs from: the joint of a scene graph, named like it.
    fn takes_in(&self, joint: usize, scene: &Scene, node: &anim_ir::Node) -> bool {
        let bones = node
            .parent
            .and_then(|(skeleton, _)| scene.skeletons.get(skeleton))
            .is_none_or(|skeleton| skeleton.bones);
        let name = node
            .parent
            .and_then(|(skeleton, joint)| scene.skeletons.get(skeleton)?.joints.get(joint))
            .map(|joint| &joint.name);
        let free = self
            .nodes
            .get(joint)
            .is_some_and(|joint| joint.mesh.is_none() && joint.camera.is_none());
        let plain =
            node.transform == Transform::IDENTITY && node.skin.is_none() && node.extras.is_empty();
        !bones && free && plain && (node.name.is_empty() || Some(&node.name) == name)
    }

    /// Turns everything, about the origin. Skinned meshes stay: their joints carry them along.
    pub(crate) fn turn(&mut self, turn: anim_ir::Quat) {
        if turn == anim_ir::Quat::IDENTITY {
            return;
        }
        for root in &self.roots {
            let Some(node) = self.nodes.get_mut(*root).filter(|node| node.skin.is_none()) else {
                continue;
            };
            let mut transform = Transform { rotation: turn, ..Transform::IDENTITY };
            transform = transform.then(Transform {
                translation: node.translation.unwrap_or_default().into(),
                rotation: node.rotation.map_or(anim_ir::Quat::IDENTITY, Into::into),
                scale: node.scale.unwrap_or([1.0; 3]).into(),
            });
            place(node, &transform);
        }
    }

    /// The node of a skin's joint.
    pub(crate) fn slot(&self, skeleton: usize, slot: Slot) -> Option<usize> {
        match slot {
            Slot::Joint(joint) => Some(self.joints.get(skeleton)?.get(joint)?.node),
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

    fn add_joint(
        &mut self,
        joint: &'a Joint,
        name: Cow<'a, str>,
        parent: Option<usize>,
        forms: Forms,
        names: &mut Names<'a>,
        losses: &mut Diagnostics,
    ) -> JointNodes {
        let switch = (forms.switched && !self.node_visibility).then(|| {
            let mut node = made_up(
                names.claim(format!("{name}.visibility"), false),
                "visibility",
                None,
                losses,
            );
            node.scale = Some([0.0; 3]).filter(|_| !joint.visible);
            self.add(node, parent)
        });
        let parent = switch.or(parent);
        let mut nodes = self.add_transforms(joint, name, parent, forms, names, losses);
        nodes.switch = switch;
        if forms.switched && self.node_visibility {
            let upper = nodes.helper.as_ref().map_or(nodes.node, |helper| helper.node);
            nodes.switch = Some(upper);
            if let Some(node) = self.nodes.get_mut(upper) {
                node.extensions = Some(json::NodeExtensions {
                    visibility: json::NodeVisibility { visible: joint.visible },
                });
            }
        }
        nodes
    }

    /// The node or nodes of a joint without what shows and hides it.
    fn add_transforms(
        &mut self,
        joint: &'a Joint,
        name: Cow<'a, str>,
        parent: Option<usize>,
        forms: Forms,
        names: &mut Names<'a>,
        losses: &mut Diagnostics,
    ) -> JointNodes {
        let exact = joint.exact_rest.filter(|exact| !exact.is_near(joint.rest.to_matrix(), SAME));
        if exact.is_none() && !(forms.turned && is_uneven(&joint.rest)) {
            let mut node = named(name, &joint.name, &joint.extras, losses, || {
                format!("joint {}", quote(joint.name.as_bytes()))
            });
            place(&mut node, &joint.rest);
            return JointNodes { node: self.add(node, parent), helper: None, switch: None };
        }
        let helper_name = names.claim(format!("{name}.rest"), false);
        let mut upper = made_up(helper_name, "rest", None, losses);
        let mut turn = None;
        match exact {
            Some(exact) => {
                let axis = |column: [f32; 4]| [column[0], column[1], column[2]];
                let [a, b, c, t] = exact.columns;
                let svd = Svd::of([a, b, c].map(|column| axis(column).map(f64::from)));
                upper.translation = Some(axis(t)).filter(|t| *t != [0.0; 3]);
                upper.rotation =
                    Some(finite_all(to_quat(svd.u))).filter(|r| *r != NO_ROTATION.map(narrow));
                upper.scale = Some(finite_all(svd.sigma)).filter(|s| *s != [1.0; 3]);
                let [x, y, z, w] = to_quat(svd.v);
                turn = Some([-x, -y, -z, w]).filter(|_| [x, y, z].iter().any(|e| e.abs() > 1e-9));
            }
            None => place(&mut upper, &joint.rest),
        }
        let upper = self.add(upper, parent);
        let mut lower = named(name, &joint.name, &joint.extras, losses, || {
            format!("joint {}", quote(joint.name.as_bytes()))
        });
        lower.rotation = turn.map(finite_all);
        JointNodes {
            node: self.add(lower, Some(upper)),
            helper: Some(Box::new(Helper { node: upper, turn, exact: exact.is_some() })),
            switch: None,
        }
    }

    fn add_repeated_joints(
        &mut self,
        skins: &Skins<'_>,
        names: &mut Names<'a>,
        losses: &mut Diagnostics,
    ) {
        for skin in &skins.list {
            for slot in &skin.slots {
                let Slot::Again { joint, .. } = *slot else { continue };
                if self.extra.contains_key(&(skin.skeleton, *slot)) {
                    continue;
                }
                let Some(parent) = self.slot(skin.skeleton, Slot::Joint(joint)) else { continue };
                let name = self.nodes.get(parent).map(|node| node.name.clone()).unwrap_or_default();
                let node =
                    made_up(names.claim(format!("{name}.again"), false), "again", None, losses);
                let at = self.add(node, Some(parent));
                self.extra.insert((skin.skeleton, *slot), at);
            }
        }
    }
}

/// A node that the scene does not have; its role is told so that a reader can leave it out again.
fn made_up<'a>(
    name: Cow<'a, str>,
    role: &str,
    original: Option<&str>,
    losses: &mut Diagnostics,
) -> json::Node<'a> {
    let mut ours: Vec<(&str, Value)> = vec![("role", role.into())];
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

/// Translation, rotation and scale, as far as they do anything.
fn place(node: &mut json::Node<'_>, transform: &Transform) {
    let rotation = finite_all(unit(transform.rotation.to_array().map(f64::from)));
    node.translation = Some(transform.translation.to_array()).filter(|t| *t != [0.0; 3]);
    node.rotation = Some(rotation).filter(|r| r.map(f64::from) != NO_ROTATION);
    node.scale = Some(transform.scale.to_array()).filter(|s| *s != [1.0; 3]);
}

/// Whether a rotation behind the scale makes shear of it.
fn is_uneven(transform: &Transform) -> bool {
    let [x, y, z] = transform.scale.to_array();
    let (least, most) = (x.min(y).min(z), x.max(y).max(z));
    most - least > EVEN * most.abs().max(least.abs())
}

/// What a joint needs more than one node for.
#[derive(Clone, Copy, Debug)]
struct Forms {
    /// Tracks turn it before its rest pose.
    turned: bool,
    /// It is hidden, now or then.
    switched: bool,
}

/// The joints of a skin need a common root; the nodes of a scene graph need none.
fn has_armature(skeleton: &anim_ir::Skeleton) -> bool {
    skeleton.bones && !skeleton.joints.is_empty()
}

/// For each skeleton and joint: is it hidden at rest, or does a track show and hide it?
fn switched(scene: &Scene) -> Vec<Vec<bool>> {
    let mut switched: Vec<Vec<bool>> = scene
        .skeletons
        .iter()
        .map(|skeleton| skeleton.joints.iter().map(|joint| !joint.visible).collect())
        .collect();
    mark_joints(scene, &mut switched, |_, track| track.channel == Channel::Visibility);
    switched
}

/// Sets the flags of joints that have a track of a kind.
fn mark_joints(scene: &Scene, flags: &mut [Vec<bool>], is: impl Fn(&Timeline, &Track) -> bool) {
    for timeline in &scene.timelines {
        let Some(joints) = flags.get_mut(timeline.skeleton) else { continue };
        for track in timeline.tracks().iter().filter(|track| is(timeline, track)) {
            if let Target::Joint(joint) = track.target
                && let Some(flag) = joints.get_mut(joint)
            {
                *flag = true;
            }
        }
    }
}

/// For each skeleton and joint: do tracks turn it before its rest pose?
fn turned_before_rest(scene: &Scene) -> Vec<Vec<bool>> {
    let mut turned: Vec<Vec<bool>> =
        scene.skeletons.iter().map(|skeleton| vec![false; skeleton.joints.len()]).collect();
    mark_joints(scene, &mut turned, |timeline, track| {
        timeline.pose_space == PoseSpace::DeltaFromRest && track.channel == Channel::Rotation
    });
    turned
}

struct ClaimedNames<'a> {
    joints: std::vec::IntoIter<Cow<'a, str>>,
    nodes: std::vec::IntoIter<Cow<'a, str>>,
    armatures: std::vec::IntoIter<Cow<'a, str>>,
    names: Names<'a>,
}

/// Names for all that has one in the scene. Joints come first: animations of other files are
/// matched to them by name.
fn claim_names(scene: &Scene) -> ClaimedNames<'_> {
    let mut names = Names::default();
    let joints = || scene.skeletons.iter().flat_map(|skeleton| skeleton.joints.iter().enumerate());
    let nodes = || scene.nodes.iter().enumerate();
    let skeletons = || scene.skeletons.iter().filter(|skeleton| has_armature(skeleton));
    let all = joints()
        .map(|(_, joint)| &joint.name)
        .chain(nodes().map(|(_, node)| &node.name))
        .chain(skeletons().map(|skeleton| &skeleton.name));
    for name in all {
        names.announce(name);
    }
    let mut joint_names = Vec::new();
    for (index, joint) in joints() {
        joint_names.push(claim_or(&mut names, &joint.name, || format!("joint_{index}").into()));
    }
    let mut node_names = Vec::new();
    for (index, node) in nodes() {
        let mesh = node
            .mesh
            .and_then(|mesh| scene.meshes.get(mesh))
            .map(|mesh| mesh.name.as_str())
            .filter(|name| !name.is_empty());
        node_names.push(claim_or(&mut names, &node.name, || {
            mesh.map_or_else(|| format!("node_{index}").into(), Cow::Borrowed)
        }));
    }
    let mut armature_names = Vec::new();
    for skeleton in skeletons() {
        armature_names.push(claim_or(&mut names, &skeleton.name, || "armature".into()));
    }
    ClaimedNames {
        joints: joint_names.into_iter(),
        nodes: node_names.into_iter(),
        armatures: armature_names.into_iter(),
        names,
    }
}

fn claim_or<'a>(
    names: &mut Names<'a>,
    own: &'a str,
    instead: impl FnOnce() -> Cow<'a, str>,
) -> Cow<'a, str> {
    if own.is_empty() { names.claim(instead(), false) } else { names.claim(own, true) }
}
