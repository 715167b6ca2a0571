//! What a joint carries, to find out whether a scale of 0 can hide it.

use anim_ir::{Budget, JointId, JointRef, LimitError, Node, Scene, Skeleton, Skin};

/// What is below a joint, as numbers of nodes and joints of skins.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Below {
    /// Meshes that a scale of 0 hides: those without a skin, and those that hang from the joint
    /// like all joints of their skin.
    pub(super) hidden: i64,
    /// Skinned meshes that a scale of 0 does not hide, since some joints of their skin are
    /// elsewhere.
    pub(super) missed: i64,
    /// Cameras, which are never hidden, and joints that bend meshes that hang from elsewhere.
    pub(super) broken: i64,
}

/// Returns what is below each joint of each skeleton. The joint itself counts as below it.
pub(super) fn below(scene: &Scene, budget: &Budget) -> Result<Vec<Vec<Below>>, LimitError> {
    let none = |skeleton: &Skeleton| vec![Below::default(); skeleton.joints.len()];
    let mut all: Vec<Vec<Below>> = scene.skeletons.iter().map(none).collect();
    // For each skin, its number of nodes, and the joint that all of its joints are below.
    let mut skins: Vec<(i64, Option<Option<JointId>>)> = vec![(0, None); scene.skins.len()];
    let mut add = |at: Option<JointRef>, change: &dyn Fn(&mut Below)| {
        let joint = at.and_then(|at| all.get_mut(at.skeleton.index())?.get_mut(at.joint.index()));
        joint.map(change);
    };
    for node in scene.nodes.iter().filter(|node| node.parent.is_some() || node.skin.is_some()) {
        let bound = node.skin.filter(|_| node.mesh.is_some());
        let Some((skin, used)) =
            bound.and_then(|id| Some((scene.skin(id)?, skins.get_mut(id.index())?)))
        else {
            add(node.parent, &|below| {
                below.hidden = below.hidden.saturating_add(i64::from(node.mesh.is_some()));
                below.broken = below.broken.saturating_add(i64::from(node.camera.is_some()));
            });
            continue;
        };
        used.0 = used.0.saturating_add(1);
        let common = meet(scene, node, skin, &mut used.1, budget)?;
        let joints = i64::try_from(skin.joints.len()).unwrap_or(i64::MAX);
        add(node.parent, &|below| below.missed = below.missed.saturating_add(1));
        // From this joint up, a scale of 0 hides the mesh, since it collapses all of its joints.
        add(common, &|below| {
            below.missed = below.missed.saturating_sub(1);
            below.hidden = below.hidden.saturating_add(1);
            below.broken = below.broken.saturating_sub(joints);
        });
    }
    for (skin, (users, _)) in scene.skins.iter().zip(skins).filter(|(_, (users, _))| *users > 0) {
        for joint in &skin.joints {
            let at = Some(JointRef { skeleton: skin.skeleton, joint: *joint });
            add(at, &|below| below.broken = below.broken.saturating_add(users));
        }
    }
    for (skeleton, all) in scene.skeletons.iter().zip(&mut all) {
        for (at, joint) in skeleton.joints.iter().enumerate().rev() {
            let own = all.get(at).copied().unwrap_or_default();
            let parent = joint.parent.and_then(|parent| all.get_mut(parent.index()));
            if let Some(parent) = parent {
                parent.hidden = parent.hidden.saturating_add(own.hidden);
                parent.missed = parent.missed.saturating_add(own.missed);
                parent.broken = parent.broken.saturating_add(own.broken);
            }
        }
    }
    Ok(all)
}

/// Returns the lowest joint that both a node and all joints of its skin are below.
fn meet(
    scene: &Scene,
    node: &Node,
    skin: &Skin,
    top: &mut Option<Option<JointId>>,
    budget: &Budget,
) -> Result<Option<JointRef>, LimitError> {
    const WHAT: &str = "the joints above hidden meshes";
    let parent = node.parent.filter(|parent| parent.skeleton == skin.skeleton);
    let (Some(parent), Some(skeleton)) = (parent, scene.skeleton(skin.skeleton)) else {
        return Ok(None);
    };
    let top = match *top {
        Some(top) => top,
        None => {
            budget.charge(WHAT, skeleton.joints.len())?;
            *top.insert(top_of(skeleton, skin))
        }
    };
    let Some(mut other) = top else { return Ok(None) };
    let mut joint = parent.joint;
    while joint != other {
        budget.charge(WHAT, 1)?;
        // The parents of joints come first.
        let lower = if joint > other { &mut joint } else { &mut other };
        let above = skeleton.joint(*lower).and_then(|joint| joint.parent);
        let Some(above) = above else { return Ok(None) };
        *lower = above;
    }
    Ok(Some(JointRef { joint, ..parent }))
}

/// Returns the lowest joint that all joints of a skin are below.
fn top_of(skeleton: &Skeleton, skin: &Skin) -> Option<JointId> {
    let mut counts = vec![0_usize; skeleton.joints.len()];
    for joint in &skin.joints {
        if let Some(count) = counts.get_mut(joint.index()) {
            *count = 1;
        }
    }
    let all = counts.iter().fold(0_usize, |sum, count| sum.saturating_add(*count));
    for (at, joint) in skeleton.joints.iter().enumerate().rev() {
        let own = counts.get(at).copied().unwrap_or_default();
        if own == all && all > 0 {
            return Some(JointId::new(at));
        }
        if let Some(count) = joint.parent.and_then(|parent| counts.get_mut(parent.index())) {
            *count = count.saturating_add(own);
        }
    }
    None
}
