//! Rotation of skeletons by value, without additional joints.

use crate::{Channel, PoseSpace, Quat, Scene, Skeleton, Target, Transform, Vec3};

impl Scene {
    /// Rotates the whole scene about the origin. Returns whether that was possible; see
    /// [`Scene::rotate_roots`].
    pub fn rotate(&mut self, rotation: Quat) -> bool {
        if !self.rotate_roots(rotation, |_| true) {
            return false;
        }
        let whole = Transform { rotation, ..Transform::IDENTITY };
        // A skinned mesh follows the joints only.
        let free = self.nodes.iter_mut().filter(|it| it.parent.is_none() && it.skin.is_none());
        free.for_each(|node| node.transform = whole * node.transform);
        true
    }

    /// Rotates skeletons about the origin: the rest poses of their roots, and the motion of the
    /// roots unless it is relative to the rest pose. Returns whether that was possible. If the
    /// motion of a root would have to be rotated but uses Euler angles, which cannot be rotated
    /// exactly, the scene is unchanged.
    pub fn rotate_roots(&mut self, rotation: Quat, which: impl Fn(&Skeleton) -> bool) -> bool {
        let skeletons = &self.skeletons;
        let is_moved = |skeleton: usize, target: Target| {
            let Target::Joint(joint) = target else { return false };
            let skeleton = skeletons.get(skeleton).filter(|skeleton| which(skeleton));
            let joint = skeleton.and_then(|skeleton| skeleton.joint(joint));
            joint.is_some_and(|joint| joint.parent.is_none())
        };
        // Deltas are relative to the rest pose, which has been rotated.
        let mut absolute: Vec<_> = self
            .timelines
            .iter_mut()
            .filter(|timeline| timeline.pose_space == PoseSpace::ParentRelative)
            .collect();
        let has_angles = absolute.iter().any(|timeline| {
            let mut angles =
                timeline.tracks.iter().filter(|track| matches!(track.channel, Channel::Euler(_)));
            angles.any(|track| is_moved(timeline.skeleton.index(), track.target))
        });
        if has_angles {
            return false;
        }
        for timeline in &mut absolute {
            let skeleton = timeline.skeleton.index();
            timeline.map_values(|target, channel, value| match (channel, &mut *value) {
                (Channel::Translation, [x, y, z]) if is_moved(skeleton, target) => {
                    let moved = rotation.rotate(Vec3::new(*x, *y, *z));
                    value.copy_from_slice(&moved.to_array());
                }
                (Channel::Rotation, [x, y, z, w]) if is_moved(skeleton, target) => {
                    let turned = rotation * Quat::new(*x, *y, *z, *w);
                    value.copy_from_slice(&turned.to_array());
                }
                _ => {}
            });
        }
        let whole = Transform { rotation, ..Transform::IDENTITY };
        let matrix = whole.to_matrix();
        let skeletons = self.skeletons.iter_mut().filter(|skeleton| which(skeleton));
        let joints = skeletons.flat_map(|skeleton| &mut skeleton.joints);
        for joint in joints.filter(|joint| joint.parent.is_none()) {
            joint.rest = whole * joint.rest;
            joint.exact_rest = joint.exact_rest.map(|rest| matrix * rest);
        }
        true
    }
}
