//! Finds a rotation about x that explains all differences, such as between y up and z up.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::ops::diff::differ::compare;
use crate::ops::diff::difference::{Gap, Options};
use crate::{
    Bounds, JointId, LimitError, Quat, Scene, Skeleton, SkeletonId, Target, Transform, Vec3,
};

/// The angles to try, in degrees: those between the axes y up, z up and y down.
const ANGLES: [i16; 3] = [-90, 90, 180];

/// Returns the angle about x, in degrees, by which the first scene must be rotated to equal the
/// second.
pub(super) fn find(a: &Scene, b: &Scene, options: &Options) -> Result<Option<i16>, LimitError> {
    let options = options.with_kept(0);
    for angle in ANGLES {
        // Rotates either scene, since only the rotated scene may have an additional root, and some
        // motion cannot be rotated exactly.
        if equals_rotated(a, b, -angle, &options)? || equals_rotated(b, a, angle, &options)? {
            return Ok(Some(angle));
        }
    }
    Ok(None)
}

/// Whether a scene equals another that is rotated by an angle.
fn equals_rotated(
    scene: &Scene,
    other: &Scene,
    angle: i16,
    options: &Options,
) -> Result<bool, LimitError> {
    let Some(turned) = turned(other, angle) else { return Ok(false) };
    let turned = without_wrappers(&turned, scene);
    Ok(have_same_bounds(scene, &turned, options.tolerance)
        && compare(scene, &turned, options)?.is_same())
}

/// Whether the scenes occupy the same space at rest. Rules out most angles at little cost.
fn have_same_bounds(a: &Scene, b: &Scene, tolerance: f64) -> bool {
    let ends = |bounds: Bounds| bounds.min.into_iter().chain(bounds.max).collect::<Vec<_>>();
    let [a, b] = [a, b].map(|scene| scene.rest_bounds().map(ends).unwrap_or_default());
    let length = a.iter().chain(&b).fold(0.0, |most: f64, number| most.max(number.abs()));
    // The bounds of a skinned mesh are the sum of many terms.
    let most = 10.0 * tolerance * length;
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= most)
}

/// Rotates a scene about x. Returns `None` if its motion cannot be rotated exactly.
fn turned(scene: &Scene, degrees: i16) -> Option<Scene> {
    let x = Vec3::new(1.0, 0.0, 0.0);
    let rotation = Quat::from_axis_angle(x, f64::from(degrees).to_radians());
    let whole = Transform { rotation, ..Transform::IDENTITY };
    let mut scene = scene.clone();
    if !scene.rotate_roots(rotation, |_| true) {
        return None;
    }
    for node in scene.nodes.iter_mut().filter(|node| node.parent.is_none()) {
        node.transform = whole * node.transform;
    }
    Some(scene)
}

/// Removes roots that only exist in this scene, have no motion or mesh, and do not move their
/// children. glTF writers add such roots to rotate a skeleton.
fn without_wrappers<'a>(scene: &'a Scene, other: &Scene) -> Cow<'a, Scene> {
    let names: HashSet<&str> = other
        .skeletons
        .iter()
        .flat_map(|skeleton| &skeleton.joints)
        .map(|joint| joint.name.as_str())
        .collect();
    let mut used: HashSet<(SkeletonId, JointId)> = HashSet::new();
    for timeline in &scene.timelines {
        let joints = timeline.tracks.iter().filter_map(crate::Track::joint);
        used.extend(joints.map(|joint| (timeline.skeleton, joint)));
    }
    for skin in &scene.skins {
        used.extend(skin.joints.iter().map(|joint| (skin.skeleton, *joint)));
    }
    used.extend(scene.nodes.iter().filter_map(|node| {
        let parent = node.parent?;
        Some((parent.skeleton, parent.joint))
    }));
    let is_still = |rest: Transform| {
        Gap::between(rest, Transform::IDENTITY).excess(1.0, f64::from(f32::EPSILON) * 8.0) <= 1.0
    };
    // The new index of each joint.
    let kept: Vec<Vec<Option<JointId>>> = scene
        .enumerate_skeletons()
        .map(|(id, skeleton)| {
            let mut next = 0_usize;
            let joints = skeleton.enumerate_joints().map(|(number, joint)| {
                let is_wrapper = joint.parent.is_none()
                    && joint.visible
                    && !names.contains(joint.name.as_str())
                    && !used.contains(&(id, number))
                    && is_still(joint.rest);
                let place = (!is_wrapper).then_some(JointId::new(next));
                next = next.saturating_add(usize::from(!is_wrapper));
                place
            });
            joints.collect()
        })
        .collect();
    if kept.iter().flatten().all(Option::is_some) {
        return Cow::Borrowed(scene);
    }
    let mut scene = scene.clone();
    let new = |skeleton: SkeletonId, joint: JointId| {
        kept.get(skeleton.index())?.get(joint.index()).copied().flatten()
    };
    for (number, Skeleton { joints, .. }) in scene.skeletons.iter_mut().enumerate() {
        let id = SkeletonId::new(number);
        let mut all = (0..).map(JointId::new);
        joints.retain(|_| all.next().is_some_and(|joint| new(id, joint).is_some()));
        for joint in joints {
            joint.parent = joint.parent.and_then(|parent| new(id, parent));
        }
    }
    for clip in &mut scene.clips {
        let timeline = scene.timelines.get(clip.timeline.index());
        let skeleton = timeline.map_or(SkeletonId::default(), |timeline| timeline.skeleton);
        clip.joints = clip
            .joints
            .take()
            .map(|joints| joints.into_iter().filter_map(|joint| new(skeleton, joint)).collect());
    }
    for timeline in &mut scene.timelines {
        let skeleton = timeline.skeleton;
        timeline.retain_targets(|target| match target {
            Target::Joint(joint) => new(skeleton, joint).map(Target::Joint),
            node @ Target::Node(_) => Some(node),
        });
    }
    for skin in &mut scene.skins {
        let skeleton = skin.skeleton;
        for joint in &mut skin.joints {
            *joint = new(skeleton, *joint).unwrap_or(*joint);
        }
    }
    for parent in scene.nodes.iter_mut().filter_map(|node| node.parent.as_mut()) {
        parent.joint = new(parent.skeleton, parent.joint).unwrap_or(parent.joint);
    }
    Cow::Owned(scene)
}
