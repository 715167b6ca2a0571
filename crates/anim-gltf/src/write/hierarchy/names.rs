//! Unique names for nodes.

use std::borrow::Cow;

use anim_ir::{Node, Scene, UniqueNames};

use super::forms::has_armature;

pub(crate) struct ClaimedNames<'a> {
    pub(crate) joints: std::vec::IntoIter<Cow<'a, str>>,
    pub(crate) nodes: std::vec::IntoIter<Cow<'a, str>>,
    pub(crate) armatures: std::vec::IntoIter<Cow<'a, str>>,
    pub(crate) names: UniqueNames<'a>,
}

/// Generates unique node names. Joints come first, since animations in other files refer to them by
/// name.
pub(crate) fn claim_names<'a>(scene: &'a Scene) -> ClaimedNames<'a> {
    let mut names = UniqueNames::new();
    let joints = || scene.skeletons.iter().flat_map(|skeleton| skeleton.joints.iter().enumerate());
    let nodes = || scene.nodes.iter().enumerate();
    let skeletons = || scene.skeletons.iter().filter(|skeleton| has_armature(skeleton));
    joints().for_each(|(_, joint)| names.announce(joint.name.as_str()));
    nodes().for_each(|(_, node)| names.announce(node.name.as_str()));
    skeletons().for_each(|skeleton| names.announce(skeleton.name.as_str()));
    let mut claim = |own: &'a str, instead: &dyn Fn() -> Cow<'a, str>| {
        if own.is_empty() { names.invent(instead()) } else { names.claim(own) }
    };
    let joint_names: Vec<_> = joints()
        .map(|(index, joint)| claim(&joint.name, &|| format!("joint_{index}").into()))
        .collect();
    let of_mesh = |node: &Node| {
        let name = scene.mesh(node.mesh?).map(|mesh| mesh.name.as_str())?;
        Some(Cow::Borrowed(name)).filter(|name| !name.is_empty())
    };
    let instead =
        |index: usize, node: &Node| of_mesh(node).unwrap_or_else(|| format!("node_{index}").into());
    let node_names: Vec<_> =
        nodes().map(|(index, node)| claim(&node.name, &|| instead(index, node))).collect();
    let armature_names: Vec<_> =
        skeletons().map(|skeleton| claim(&skeleton.name, &|| "armature".into())).collect();
    ClaimedNames {
        joints: joint_names.into_iter(),
        nodes: node_names.into_iter(),
        armatures: armature_names.into_iter(),
        names,
    }
}
