//! Determines which nodes are joints, which only position a mesh or camera, and which were added by
//! [`from_ir`](crate::from_ir).

use std::collections::{HashMap, HashSet};

use anim_ir::diag::plural;
use anim_ir::{Joint, JointRef, Mat4, Quat, Skeleton, SkeletonId, Vec3};

use crate::codes;
use crate::json;
use crate::read::facts::{Facts, Role, facts, shown_by};
use crate::read::order::Order;
use crate::read::rest::{Rest, is_at_origin, is_finite, near, rests};
use crate::read::source::Source;

/// A file node's role in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A joint, or one of the nodes that represent a joint.
    Joint { joint: JointRef, part: Part },
    /// Attaches at most a mesh or a camera to its parent.
    Leaf,
    /// The parent of the roots of a skeleton.
    Armature { skeleton: SkeletonId },
    /// The joint that never moves, for vertices without influences.
    AtRest,
    /// A node outside the scene.
    Outside,
}

/// A node's part in the representation of its joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// The joint's only node.
    Whole,
    /// The lower of two nodes, for keys that are applied before the rest pose.
    Lower,
    /// The upper of two nodes.
    Upper,
    /// A node whose scale shows and hides the joint.
    Switch,
    /// A duplicate of the joint.
    Again,
}

/// All nodes and their roles in the scene.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) skeletons: Vec<Skeleton>,
    /// The role of each node of the file.
    pub(crate) places: Vec<Place>,
    /// The parents of the nodes of the file.
    pub(crate) parents: Vec<Option<usize>>,
    /// The transform of each node of the file, relative to its parent.
    pub(crate) rests: Vec<Rest>,
    /// For each node of the file, whether it or a node above it may be hidden.
    pub(crate) hideable: Vec<bool>,
    /// Whether the global transform of each node mirrors: its determinant is negative.
    pub(crate) mirrors: Vec<bool>,
    /// For joints with two nodes, the rest rotation of the lower node, unless it is the identity.
    pub(crate) turns: HashMap<JointRef, Quat>,
}

impl Tree {
    /// Builds the tree. With `every_node`, all nodes are joints.
    pub(crate) fn build(source: &mut Source<'_>, hierarchy: &Order, every_node: bool) -> Tree {
        let Order { parents, order, .. } = hierarchy;
        let rests = rests(source);
        let facts = facts(source.root, hierarchy, &rests);
        let outside = facts.iter().filter(|facts| facts.root.is_none()).count();
        if outside > 0 {
            source.found.push(&codes::OUTSIDE_SCENE, None, || {
                format!("{} outside the scene", plural(outside, "node"))
            });
        }
        let count = source.root.nodes.len();
        let mut builder = Builder {
            root: source.root,
            facts: &facts,
            of_root: HashMap::new(),
            every_node,
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
        tree.inherit(source.root, order);
        name_after_skins(source.root, &mut tree);
        tree
    }

    /// Determines the properties that nodes inherit from the nodes above them.
    fn inherit(&mut self, root: &json::Root<'_>, order: &[usize]) {
        self.hideable = root.nodes.iter().map(is_hidden).collect();
        self.mirrors = vec![false; root.nodes.len()];
        let channels = root.animations.iter().flat_map(|animation| &animation.channels);
        for node in channels.filter_map(|channel| shown_by(&channel.target)) {
            if let Some(hideable) = self.hideable.get_mut(node) {
                *hideable = true;
            }
        }
        for node in order {
            let above = self.parents.get(*node).copied().flatten();
            let of_above = |list: &[bool]| above.is_some_and(|at| list.get(at) == Some(&true));
            let (hideable, mirrors) = (of_above(&self.hideable), of_above(&self.mirrors));
            let is_switch =
                matches!(self.places.get(*node), Some(Place::Joint { part: Part::Switch, .. }));
            if let Some(own) = self.hideable.get_mut(*node) {
                *own |= hideable || is_switch;
            }
            let rest = self.rests.get(*node).copied().unwrap_or_default();
            let determinant = rest.1.unwrap_or_else(|| rest.0.to_matrix()).determinant();
            if let Some(own) = self.mirrors.get_mut(*node) {
                *own = mirrors != (determinant < 0.0);
            }
        }
    }

    fn add(&mut self, skeleton: Skeleton) -> SkeletonId {
        self.skeletons.push(skeleton);
        SkeletonId::new(self.skeletons.len().saturating_sub(1))
    }

    /// Returns the joint to which the children of a file node are attached.
    pub(crate) fn anchor(&self, parent: Option<usize>) -> Option<JointRef> {
        match self.places.get(parent?)? {
            Place::Joint { joint, .. } => Some(*joint),
            Place::Armature { .. } | Place::Leaf | Place::AtRest | Place::Outside => None,
        }
    }
}

struct Builder<'a> {
    root: &'a json::Root<'a>,
    facts: &'a [Facts],
    /// The skeleton of each tree that contains bones.
    of_root: HashMap<usize, SkeletonId>,
    /// Whether all nodes are joints.
    every_node: bool,
    /// Whether nodes other than bones need joints.
    has_graph: bool,
    /// The common skeleton of all nodes that are not bones. A single timeline can animate all of
    /// them.
    graph: Option<SkeletonId>,
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

    /// Determines the role of a node whose parent's role is known.
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
                let skeleton = self.armature(root, node.name.clone().into_owned());
                self.set(number, Place::Armature { skeleton });
            }
            Some(Role::Static) => self.set(number, Place::AtRest),
            Some(Role::Scene) => self.set(number, Place::Leaf),
            Some(Role::Again) => {
                let anchor = self.tree.anchor(self.parent(number));
                let again = |joint| Place::Joint { joint, part: Part::Again };
                self.set(number, anchor.map_or(Place::Leaf, again));
            }
            // The node and its child node become one joint.
            Some(Role::Rest | Role::Visibility) => {}
            None if self.is_leaf(number, node, facts) => self.set(number, Place::Leaf),
            None => self.add_joint(number, node, root),
        }
    }

    /// Whether a node, as added by other writers, is just a parent of the joints of a skin, without
    /// a transform, animation or content.
    fn is_armature(&self, number: usize, node: &json::Node<'_>, facts: &Facts) -> bool {
        let empty = node.mesh.is_none()
            && node.camera.is_none()
            && !node.children.is_empty()
            && node.extras.own.is_empty();
        facts.bones
            && !self.every_node
            && !facts.bone
            && !facts.moves
            && empty
            && is_at_origin(node, &self.rest(number))
    }

    fn armature(&mut self, root: usize, name: String) -> SkeletonId {
        let tree = &mut self.tree;
        *self.of_root.entry(root).or_insert_with(|| tree.add(Skeleton::new(name)))
    }

    /// Returns the skeleton of a node.
    fn skeleton(&mut self, root: usize, name: &str) -> SkeletonId {
        if self.of_root.contains_key(&root) || self.facts.get(root).is_some_and(|facts| facts.bones)
        {
            return self.armature(root, name.to_owned());
        }
        let tree = &mut self.tree;
        *self.graph.get_or_insert_with(|| tree.add(Skeleton::nodes("")))
    }

    /// Whether a node only positions a mesh or a camera. Nodes with children, animated nodes and
    /// bones are joints. Nodes of a scene graph are joints too, except those with a skin, unless
    /// each of them just has a mesh or camera at the origin.
    fn is_leaf(&self, number: usize, node: &json::Node<'_>, facts: &Facts) -> bool {
        !self.every_node
            && self.carries_alone(number, node, facts)
            && (self.is_among_bones(facts) || node.skin.is_some() || !self.has_graph)
    }

    /// Whether a node has a mesh or a camera and no properties of a joint.
    fn carries_alone(&self, number: usize, node: &json::Node<'_>, facts: &Facts) -> bool {
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

    /// Whether nodes other than bones need joints.
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

    fn add_joint(&mut self, number: usize, node: &json::Node<'_>, root: usize) {
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
        let parent = self.tree.anchor(above).filter(|above| above.skeleton == skeleton);
        let parent = parent.map(|above| above.joint);
        let mut joint = Joint::new(node.extras.name(&node.name), parent);
        (joint.rest, joint.exact_rest) = self.rest(number);
        joint.source_index = number;
        joint.extras = node.extras.own.clone().into_owned();
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
        let off = switch.is_some_and(|switch| self.rest(switch).0.scale == Vec3::ZERO);
        joint.visible =
            !(off || is_hidden(node) || upper.and_then(|it| nodes.get(it)).is_some_and(is_hidden));
        let Some(of) = self.tree.skeletons.get_mut(skeleton.index()) else { return };
        let joint = JointRef { skeleton, joint: of.add_joint(joint) };
        let place = |part: Part| Place::Joint { joint, part };
        self.set(number, place(if upper.is_some() { Part::Lower } else { Part::Whole }));
        if let Some(upper) = upper {
            self.set(upper, place(Part::Upper));
            if turn != Quat::IDENTITY {
                self.tree.turns.insert(joint, turn);
            }
        }
        if let Some(switch) = switch {
            self.set(switch, place(Part::Switch));
        }
    }
}

/// Whether a node hides itself and all nodes below it.
fn is_hidden(node: &json::Node<'_>) -> bool {
    node.extensions.visibility.is_some_and(|visibility| !visibility.visible)
}

/// Names skeletons without an armature after one of their skins.
fn name_after_skins(root: &json::Root<'_>, tree: &mut Tree) {
    let mut named: HashSet<SkeletonId> = HashSet::new();
    for place in &tree.places {
        if let Place::Armature { skeleton } = place {
            named.insert(*skeleton);
        }
    }
    for skin in root.skins.iter().filter(|skin| !skin.name.is_empty()) {
        if let Some(JointRef { skeleton, .. }) = tree.anchor(skin.joints.first().copied())
            && named.insert(skeleton)
            && let Some(skeleton) = tree.skeletons.get_mut(skeleton.index())
        {
            skeleton.name = skin.name.clone().into_owned();
        }
    }
}
