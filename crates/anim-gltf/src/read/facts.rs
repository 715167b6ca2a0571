//! Properties of a node that determine its role in the scene.

use anim_ir::{Transform, Vec3};

use crate::json;
use crate::marks;
use crate::read::order::Order;
use crate::read::rest::{Rest, is_at_origin};

/// The role of a node that the writer added: the `role` entry of its extras.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Armature,
    Rest,
    Visibility,
    Static,
    Again,
    Scene,
}

/// Properties of a node that determine its role in the scene.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facts {
    /// The root of the node's tree; `None` if the node is not in the scene.
    pub(crate) root: Option<usize>,
    /// Whether the node is a joint of a skin.
    pub(crate) bone: bool,
    /// Whether the node's tree contains a bone (only set for roots).
    pub(crate) bones: bool,
    /// Whether a channel moves, rotates, scales or hides the node.
    pub(crate) moves: bool,
    pub(crate) role: Option<Role>,
}

pub(crate) fn facts(root: &json::Root<'_>, hierarchy: &Order, rests: &[Rest]) -> Vec<Facts> {
    let Order { parents, order, roots, .. } = hierarchy;
    let mut facts = vec![Facts::default(); parents.len()];
    let set = |facts: &mut [Facts], node: usize, set: fn(&mut Facts)| facts.get_mut(node).map(set);
    for node in roots {
        if let Some(facts) = facts.get_mut(*node) {
            facts.root = Some(*node);
        }
    }
    for node in order {
        let parent = parents.get(*node).copied().flatten();
        let above = parent.and_then(|parent| facts.get(parent)?.root);
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
    let animations = root.animations.iter();
    let moving = animations.filter(|animation| !animation.extras.ours.is_true(marks::EMPTY));
    let channels = moving.flat_map(|animation| &animation.channels);
    for target in channels.map(|channel| &channel.target) {
        if let Some(node) = shown_by(target).or(target.node.filter(|_| target.path != "weights")) {
            set(&mut facts, node, |facts| facts.moves = true);
        }
    }
    let roles: Vec<Option<Role>> =
        (0..facts.len()).map(|node| role(root, parents, rests, &facts, node)).collect();
    // A role is ignored if it does not match the role of the node's child.
    for (number, role) in roles.iter().enumerate() {
        let child = || *roles.get(*root.nodes.get(number)?.children.first()?)?;
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

/// Returns the node whose visibility a channel animates (`KHR_animation_pointer`).
pub(crate) fn shown_by(target: &json::ChannelTarget) -> Option<usize> {
    let pointer = target.extensions.pointer.as_ref().filter(|_| target.path == "pointer")?;
    pointer
        .pointer
        .strip_prefix("/nodes/")?
        .strip_suffix("/extensions/KHR_node_visibility/visible")?
        .parse()
        .ok()
}

/// Returns the role in a node's extras, if it is consistent with the node.
fn role(
    root: &json::Root<'_>,
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
