//! The nodes: which of them are joints, which only put something somewhere, and which
//! [`to_glb`](crate::to_glb) made up.

use std::collections::{HashMap, HashSet};

use anim_ir::diag::plural;
use anim_ir::{Joint, Mat4, Quat, Skeleton, SkeletonError, Transform, Vec3};

use super::codes;
use super::error::ReadError;
use super::json;
use super::source::Source;
use crate::hierarchy::SAME;
use crate::math::{finite_all, unit};

/// What a node of the file is in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A joint, or one of the nodes that a joint was written as.
    Joint { skeleton: usize, joint: usize, part: Part },
    /// It only puts something where its parent is, or nothing anywhere.
    Leaf,
    /// Above the roots of a skeleton.
    Armature { skeleton: usize },
    /// The joint that never moves, for vertices without influences.
    AtRest,
    /// In no scene, or in another one.
    Outside,
}

/// Which of a joint's nodes it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// The only one.
    Whole,
    /// The lower one of two: what is applied before the rest pose.
    Lower,
    /// The upper one of two.
    Upper,
    /// Its scale shows and hides the joint.
    Switch,
    /// A node at the joint's place.
    Again,
}

/// Nodes made up by the writer: the entry `role` of extras.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Armature,
    Rest,
    Visibility,
    Static,
    Again,
    Scene,
}

/// All nodes, as the scene has them.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) skeletons: Vec<Skeleton>,
    /// For each node of the file.
    pub(crate) places: Vec<Place>,
    /// The parents of the nodes of the file.
    pub(crate) parents: Vec<Option<usize>>,
    /// Where each node of the file is to its parent.
    pub(crate) rests: Vec<Rest>,
    /// For joints with two nodes of which the lower one turns at rest: how.
    pub(crate) turns: HashMap<(usize, usize), Quat>,
}

/// Where a node is to its parent: a transform, and the matrix where that is near it only.
pub(crate) type Rest = (Transform, Option<Mat4>);

/// What is known of a node before its place is.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    /// The root of the tree that it is in; `None` where it is not in the scene.
    root: Option<usize>,
    /// A skin names it.
    bone: bool,
    /// A bone is in its tree (said of roots).
    bones: bool,
    /// A channel moves, turns, scales or hides it.
    moves: bool,
    role: Option<Role>,
}

impl Tree {
    pub(crate) fn build(source: &mut Source<'_>, hierarchy: &Order) -> Tree {
        let Order { parents, order, roots, .. } = hierarchy;
        let rests = rests(source);
        let facts = facts(source.root, parents, &rests, order, roots);
        let outside = facts.iter().filter(|facts| facts.root.is_none()).count();
        if outside > 0 {
            source.found.push(&codes::OUTSIDE_SCENE, None, || {
                format!("{} outside of the scene", plural(outside, "node"))
            });
        }
        let count = source.root.nodes.len();
        let mut builder = Builder {
            root: source.root,
            facts: &facts,
            of_root: HashMap::new(),
            has_graph: false,
            graph: None,
            tree: Tree { parents: parents.clone(), rests, ..Tree::default() },
        };
        builder.tree.places = vec![Place::Outside; count];
        builder.has_graph = builder.needs_graph();
        for node in order {
            builder.place(*node);
        }
        let mut tree = builder.tree;
        name_after_skins(source.root, &mut tree);
        tree
    }

    /// The joint that something hangs from whose parent in the file is this.
    pub(crate) fn anchor(&self, parent: Option<usize>) -> Option<(usize, usize)> {
        match self.places.get(parent?)? {
            Place::Joint { skeleton, joint, .. } => Some((*skeleton, *joint)),
            Place::Armature { .. } | Place::Leaf | Place::AtRest | Place::Outside => None,
        }
    }
}

/// How the nodes hang together.
#[derive(Debug)]
pub(crate) struct Order {
    /// Which scene is read.
    pub(crate) scene: usize,
    /// For each node its parent.
    parents: Vec<Option<usize>>,
    /// All nodes, parents before their children.
    order: Vec<usize>,
    /// The roots of the scene that is read.
    roots: Vec<usize>,
}

/// Whether the nodes are trees, and the scene is there.
pub(crate) fn order(root: &json::Root, scene: Option<usize>) -> Result<Order, ReadError> {
    let parents = parents(root)?;
    let order = Skeleton::parents_first(&parents).map_err(|error| {
        let node = if let SkeletonError::Cycle(nodes) = &error {
            nodes.first().copied().unwrap_or(0)
        } else {
            0
        };
        ReadError::Invalid {
            pointer: format!("/nodes/{node}"),
            message: "the node is its own ancestor, or below one that is".to_owned(),
        }
    })?;
    let roots = roots(root, scene, &parents)?;
    Ok(Order { scene: scene.or(root.scene).unwrap_or(0), parents, order, roots })
}

/// For each node its parent.
fn parents(root: &json::Root) -> Result<Vec<Option<usize>>, ReadError> {
    let mut parents: Vec<Option<usize>> = vec![None; root.nodes.len()];
    for (number, node) in root.nodes.iter().enumerate() {
        for (at, child) in node.children.iter().enumerate() {
            let wrong = |message: String| ReadError::Invalid {
                pointer: format!("/nodes/{number}/children/{at}"),
                message,
            };
            let parent = parents
                .get_mut(*child)
                .ok_or_else(|| wrong(format!("there is no node {child}")))?;
            if let Some(other) = parent {
                return Err(wrong(format!("node {child} is a child of node {other} already")));
            }
            *parent = Some(number);
        }
    }
    Ok(parents)
}

/// The roots of the scene that is read.
fn roots(
    root: &json::Root,
    wanted: Option<usize>,
    parents: &[Option<usize>],
) -> Result<Vec<usize>, ReadError> {
    let number = match wanted.or(root.scene) {
        Some(number) => number,
        // A file without scenes is a library of things; all of them are wanted.
        None if root.scenes.is_empty() => {
            return Ok((0..parents.len())
                .filter(|node| parents.get(*node) == Some(&None))
                .collect());
        }
        None => 0,
    };
    let Some(scene) = root.scenes.get(number) else {
        return Err(ReadError::Invalid {
            pointer: "/scene".to_owned(),
            message: format!("there is no scene {number}"),
        });
    };
    for (at, node) in scene.nodes.iter().enumerate() {
        let wrong = |message: String| ReadError::Invalid {
            pointer: format!("/scenes/{number}/nodes/{at}"),
            message,
        };
        match parents.get(*node) {
            None => return Err(wrong(format!("there is no node {node}"))),
            Some(Some(parent)) => {
                return Err(wrong(format!(
                    "node {node} is no root: it is a child of node {parent}"
                )));
            }
            Some(None) => {}
        }
    }
    Ok(scene.nodes.clone())
}

fn facts(
    root: &json::Root,
    parents: &[Option<usize>],
    rests: &[Rest],
    order: &[usize],
    roots: &[usize],
) -> Vec<Facts> {
    let mut facts = vec![Facts::default(); parents.len()];
    let set = |facts: &mut [Facts], node: usize, set: fn(&mut Facts)| facts.get_mut(node).map(set);
    for node in roots {
        if let Some(facts) = facts.get_mut(*node) {
            facts.root = Some(*node);
        }
    }
    for node in order {
        let above = parents
            .get(*node)
            .copied()
            .flatten()
            .and_then(|parent| facts.get(parent))
            .and_then(|parent| parent.root);
        if let Some(facts) = facts.get_mut(*node) {
            facts.root = facts.root.or(above);
        }
    }
    for joint in root.skins.iter().flat_map(|skin| &skin.joints) {
        set(&mut facts, *joint, |facts| facts.bone = true);
        if let Some(root) = facts.get(*joint).and_then(|facts| facts.root) {
            set(&mut facts, root, |facts| facts.bones = true);
        }
    }
    for target in root
        .animations
        .iter()
        .flat_map(|animation| &animation.channels)
        .map(|channel| &channel.target)
    {
        if let Some(node) = shown_by(target).or(target.node.filter(|_| target.path != "weights")) {
            set(&mut facts, node, |facts| facts.moves = true);
        }
    }
    let roles: Vec<Option<Role>> =
        (0..facts.len()).map(|node| role(root, parents, rests, &facts, node)).collect();
    // The upper node of two has no other children; a role that is not kept is none.
    for (number, role) in roles.iter().enumerate() {
        let child = || {
            root.nodes
                .get(number)
                .and_then(|node| node.children.first())
                .and_then(|child| roles.get(*child))
                .copied()
                .flatten()
        };
        let fits = match role {
            Some(Role::Rest) => child().is_none(),
            Some(Role::Visibility) => matches!(child(), None | Some(Role::Rest)),
            _ => true,
        };
        if let Some(facts) = facts.get_mut(number).filter(|_| fits) {
            facts.role = *role;
        }
    }
    facts
}

/// The node that a channel shows and hides (`KHR_animation_pointer`).
pub(crate) fn shown_by(target: &json::ChannelTarget) -> Option<usize> {
    let pointer = target.extensions.pointer.as_ref().filter(|_| target.path == "pointer")?;
    pointer
        .pointer
        .strip_prefix("/nodes/")?
        .strip_suffix("/extensions/KHR_node_visibility/visible")?
        .parse()
        .ok()
}

/// What the extras of a node say that it is, where nothing speaks against it.
fn role(
    root: &json::Root,
    parents: &[Option<usize>],
    rests: &[Rest],
    facts: &[Facts],
    number: usize,
) -> Option<Role> {
    let (node, facts, rest) = (root.nodes.get(number)?, facts.get(number)?, rests.get(number)?);
    let bare = node.mesh.is_none()
        && node.camera.is_none()
        && node.skin.is_none()
        && node.matrix.is_none();
    let (leaf, root) = (node.children.is_empty(), parents.get(number) == Some(&None));
    let unmoved = !facts.moves && is_at_origin(node, rest);
    let only_scale = Transform { scale: Vec3::ONE, ..rest.0 } == Transform::IDENTITY;
    let (role, fits) = match node.extras.ours.text("role")? {
        "armature" => (Role::Armature, root && unmoved && !facts.bone),
        "rest" => (Role::Rest, node.children.len() == 1 && !facts.bone),
        "visibility" => (Role::Visibility, node.children.len() == 1 && !facts.bone && only_scale),
        "static" => (Role::Static, leaf && unmoved),
        "again" => (Role::Again, leaf && unmoved && !root),
        "scene" => (Role::Scene, leaf && unmoved && root && !facts.bone),
        _ => return None,
    };
    (fits && bare).then_some(role)
}

/// Whether a node does nothing to what hangs from it.
fn is_at_origin(node: &json::Node, rest: &Rest) -> bool {
    *rest == (Transform::IDENTITY, None) && node.extensions.visibility.is_none()
}

/// Where all nodes are to their parents; those that are nowhere stay at their parent's place.
fn rests(source: &mut Source<'_>) -> Vec<Rest> {
    let mut rests = Vec::with_capacity(source.root.nodes.len());
    for (number, node) in source.root.nodes.iter().enumerate() {
        let rest = match node.matrix {
            None => {
                let rotation = node.rotation.map_or(Quat::IDENTITY, |rotation| {
                    finite_all(unit(rotation.map(f64::from))).into()
                });
                let (translation, scale) = (
                    node.translation.unwrap_or_default().into(),
                    node.scale.unwrap_or([1.0; 3]).into(),
                );
                (Transform { translation, rotation, scale }, None)
            }
            Some(matrix) => near(Mat4::from_columns(matrix)),
        };
        let affine = node.matrix.is_none_or(|matrix| {
            Mat4::from_columns(matrix).columns.map(|[.., last]| last) == [0.0, 0.0, 0.0, 1.0]
        });
        if affine && is_finite(&rest) {
            rests.push(rest);
        } else {
            source.found.push(&codes::TRANSFORM, None, || {
                format!(
                    "/nodes/{number}: its transform is not \
                    finite, or a matrix that is none of a place"
                )
            });
            rests.push((Transform::IDENTITY, None));
        }
    }
    rests
}

fn is_finite((transform, exact): &Rest) -> bool {
    transform.is_finite() && exact.is_none_or(Mat4::is_finite)
}

/// A matrix as a transform, and itself where that does not hold it.
fn near(matrix: Mat4) -> Rest {
    let rest = matrix.to_transform();
    (rest, Some(matrix).filter(|matrix| !matrix.is_near(rest.to_matrix(), SAME)))
}

struct Builder<'a> {
    root: &'a json::Root,
    facts: &'a [Facts],
    /// The skeleton of bones of each tree that has one.
    of_root: HashMap<usize, usize>,
    /// Whether there are joints that are no bones.
    has_graph: bool,
    /// The skeleton of all nodes that are no bones: one, so that one timeline can move them all.
    graph: Option<usize>,
    tree: Tree,
}

impl Builder<'_> {
    fn parent(&self, node: usize) -> Option<usize> {
        self.tree.parents.get(node).copied().flatten()
    }

    fn rest(&self, node: usize) -> Rest {
        self.tree.rests.get(node).copied().unwrap_or_default()
    }

    fn role(&self, node: usize) -> Option<Role> {
        self.facts.get(node).and_then(|facts| facts.role)
    }

    fn set(&mut self, node: usize, place: Place) {
        if let Some(slot) = self.tree.places.get_mut(node) {
            *slot = place;
        }
    }

    /// Finds the place of a node whose parent has its own.
    fn place(&mut self, number: usize) {
        let (Some(node), Some(facts)) = (self.root.nodes.get(number), self.facts.get(number))
        else {
            return;
        };
        let Some(root) = facts.root else { return };
        match facts.role {
            Some(Role::Armature) => {
                let skeleton = self.armature(root, node.extras.name(&node.name));
                self.set(number, Place::Armature { skeleton });
            }
            None if number == root && self.is_armature(number, node, facts) => {
                let skeleton = self.armature(root, node.name.clone());
                self.set(number, Place::Armature { skeleton });
            }
            Some(Role::Static) => self.set(number, Place::AtRest),
            Some(Role::Scene) => self.set(number, Place::Leaf),
            Some(Role::Again) => {
                let place = self.tree.anchor(self.parent(number)).map_or(
                    Place::Leaf,
                    |(skeleton, joint)| Place::Joint { skeleton, joint, part: Part::Again },
                );
                self.set(number, place);
            }
            // They become a joint together with the node below.
            Some(Role::Rest | Role::Visibility) => {}
            None if self.is_leaf(number, node, facts) => self.set(number, Place::Leaf),
            None => self.add_joint(number, node, root),
        }
    }

    /// A node that others put above the joints of a skin, which does nothing and says nothing.
    fn is_armature(&self, number: usize, node: &json::Node, facts: &Facts) -> bool {
        let empty = node.mesh.is_none()
            && node.camera.is_none()
            && !node.children.is_empty()
            && node.extras.own.is_empty();
        facts.bones
            && !facts.bone
            && !facts.moves
            && empty
            && is_at_origin(node, &self.rest(number))
    }

    fn armature(&mut self, root: usize, name: String) -> usize {
        let skeletons = &mut self.tree.skeletons;
        *self.of_root.entry(root).or_insert_with(|| {
            skeletons.push(Skeleton::new(name));
            skeletons.len().saturating_sub(1)
        })
    }

    /// The skeleton of a node.
    fn skeleton(&mut self, root: usize, name: &str) -> usize {
        if self.of_root.contains_key(&root) || self.facts.get(root).is_some_and(|facts| facts.bones)
        {
            return self.armature(root, name.to_owned());
        }
        let skeletons = &mut self.tree.skeletons;
        *self.graph.get_or_insert_with(|| {
            skeletons.push(Skeleton::nodes(""));
            skeletons.len().saturating_sub(1)
        })
    }

    /// Whether a node only puts a mesh or a camera somewhere. What has children, moves or is a bone
    /// is a joint. So is each node of a scene graph, but where all of them carry something at the
    /// origin: then there is nothing to be a joint for.
    fn is_leaf(&self, number: usize, node: &json::Node, facts: &Facts) -> bool {
        self.carries_alone(number, node, facts)
            && (self.is_among_bones(facts) || node.skin.is_some() || !self.has_graph)
    }

    /// Whether a node has a mesh or a camera, and nothing else that a joint has.
    fn carries_alone(&self, number: usize, node: &json::Node, facts: &Facts) -> bool {
        let carries = node.mesh.is_some() || node.camera.is_some();
        let plain = node.children.is_empty()
            && !facts.bone
            && !facts.moves
            && node.extensions.visibility.is_none();
        let part = self
            .parent(number)
            .is_some_and(|parent| matches!(self.role(parent), Some(Role::Rest | Role::Visibility)));
        carries && plain && !part && self.rest(number).1.is_none()
    }

    fn is_among_bones(&self, facts: &Facts) -> bool {
        facts
            .root
            .and_then(|root| self.facts.get(root))
            .is_some_and(|root| root.bones || root.role == Some(Role::Armature))
    }

    /// Whether nodes that are no bones need joints.
    fn needs_graph(&self) -> bool {
        let mut nodes = self
            .root
            .nodes
            .iter()
            .zip(self.facts)
            .enumerate()
            .filter(|(_, (_, facts))| facts.root.is_some() && facts.role.is_none());
        nodes.any(|(number, (node, facts))| {
            let at_origin = facts.root == Some(number) && is_at_origin(node, &self.rest(number));
            let leaf =
                self.carries_alone(number, node, facts) && (node.skin.is_some() || at_origin);
            !self.is_among_bones(facts) && !leaf
        })
    }

    fn add_joint(&mut self, number: usize, node: &json::Node, root: usize) {
        let mut above = self.parent(number);
        let upper = above.filter(|node| self.role(*node) == Some(Role::Rest));
        if let Some(upper) = upper {
            above = self.parent(upper);
        }
        let switch = above.filter(|node| self.role(*node) == Some(Role::Visibility));
        if let Some(switch) = switch {
            above = self.parent(switch);
        }
        let skeleton = self.skeleton(root, &node.name);
        let parent =
            self.tree.anchor(above).filter(|(of, _)| *of == skeleton).map(|(_, joint)| joint);
        let mut joint = Joint::new(node.extras.name(&node.name), parent);
        (joint.rest, joint.exact_rest) = self.rest(number);
        joint.source_index = number;
        joint.extras = node.extras.own.clone();
        let nodes = &self.root.nodes;
        let turn = joint.rest.rotation;
        if let Some(upper) = upper {
            let (above, below) = (self.rest(upper), joint.rest_matrix());
            let both = if below == Mat4::IDENTITY {
                above
            } else {
                near(above.1.unwrap_or_else(|| above.0.to_matrix()) * below)
            };
            (joint.rest, joint.exact_rest) = Some(both).filter(is_finite).unwrap_or(above);
        }
        let hidden = |node: &json::Node| {
            node.extensions.visibility.is_some_and(|visibility| !visibility.visible)
        };
        let off = switch.is_some_and(|switch| self.rest(switch).0.scale == Vec3::ZERO);
        joint.visible =
            !(off || hidden(node) || upper.and_then(|upper| nodes.get(upper)).is_some_and(hidden));
        let Some(joints) =
            self.tree.skeletons.get_mut(skeleton).map(|skeleton| &mut skeleton.joints)
        else {
            return;
        };
        let at = joints.len();
        joints.push(joint);
        let place = |part: Part| Place::Joint { skeleton, joint: at, part };
        self.set(number, place(if upper.is_some() { Part::Lower } else { Part::Whole }));
        if let Some(upper) = upper {
            self.set(upper, place(Part::Upper));
            if turn != Quat::IDENTITY {
                self.tree.turns.insert((skeleton, at), turn);
            }
        }
        if let Some(switch) = switch {
            self.set(switch, place(Part::Switch));
        }
    }
}

/// A skeleton without an armature is called what a skin of it is called.
fn name_after_skins(root: &json::Root, tree: &mut Tree) {
    let mut named: HashSet<usize> = HashSet::new();
    for place in &tree.places {
        if let Place::Armature { skeleton } = place {
            named.insert(*skeleton);
        }
    }
    for skin in root.skins.iter().filter(|skin| !skin.name.is_empty()) {
        if let Some((skeleton, _)) = tree.anchor(skin.joints.first().copied())
            && named.insert(skeleton)
            && let Some(skeleton) = tree.skeletons.get_mut(skeleton)
        {
            skeleton.name.clone_from(&skin.name);
        }
    }
}
