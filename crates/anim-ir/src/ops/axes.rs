//! Conversion of scenes between axis conventions.

use std::borrow::Cow;

use crate::{Axes, Channel, Mat4, Quat, Scene, Transform, Vec3};

impl Scene {
    /// Converts the scene to the given axes. All values are converted, so no node is added, and
    /// (x, y, z) becomes exactly (x, -y, -z).
    pub fn in_axes(&self, axes: Axes) -> Cow<'_, Scene> {
        if self.axes == axes {
            return Cow::Borrowed(self);
        }
        let mut scene = self.clone();
        scene.axes = axes;
        for joint in scene.skeletons.iter_mut().flat_map(|skeleton| &mut skeleton.joints) {
            joint.rest = turn_transform(joint.rest);
            joint.exact_rest = joint.exact_rest.map(turn_matrix);
        }
        for timeline in &mut scene.timelines {
            timeline.map_values(|_, channel, value| match (channel, value) {
                (Channel::Translation | Channel::Offset | Channel::Euler(_), [_, y, z])
                | (Channel::Rotation, [_, y, z, _]) => {
                    (*y, *z) = (opposite(*y), opposite(*z));
                }
                _ => {}
            });
        }
        for mesh in &mut scene.meshes {
            let targets = mesh
                .morph_targets
                .iter_mut()
                .flat_map(|target| target.positions.iter_mut().chain(&mut target.normals));
            for vector in mesh.positions.iter_mut().chain(&mut mesh.normals).chain(targets) {
                *vector = turn_vector(*vector);
            }
        }
        for matrix in scene.skins.iter_mut().flat_map(|skin| &mut skin.inverse_bind) {
            *matrix = turn_matrix(*matrix);
        }
        for node in &mut scene.nodes {
            node.transform = turn_transform(node.transform);
        }
        Cow::Owned(scene)
    }
}

/// Negates a number, but keeps zero positive.
fn opposite(number: f32) -> f32 {
    0.0 - number
}

fn turn_vector(Vec3 { x, y, z }: Vec3) -> Vec3 {
    Vec3::new(x, opposite(y), opposite(z))
}

/// Returns Q · T · R · S · Q⁻¹, which is a translation, a rotation and the unchanged scale, since a
/// rotation by 180° about an axis maps each axis to itself or its opposite.
fn turn_transform(transform: Transform) -> Transform {
    let Quat { x, y, z, w } = transform.rotation;
    Transform {
        translation: turn_vector(transform.translation),
        rotation: Quat::new(x, opposite(y), opposite(z), w),
        scale: transform.scale,
    }
}

/// Returns Q · M · Q⁻¹.
fn turn_matrix(matrix: Mat4) -> Mat4 {
    let [a, b, c, t] = matrix.columns;
    let keep = |[x, y, z, w]: [f32; 4]| [x, opposite(y), opposite(z), w];
    let flip = |[x, y, z, w]: [f32; 4]| [opposite(x), y, z, opposite(w)];
    Mat4 { columns: [keep(a), flip(b), flip(c), keep(t)] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Interpolation, Joint, JointId, Mesh, MorphTarget, Node, Pose, PoseSpace, Sampler, Skeleton,
        SkeletonId, Skin, TimelineBuilder,
    };

    const ROOT: JointId = JointId::new(0);
    const CHILD: JointId = JointId::new(1);

    fn scene() -> Scene {
        let turned = |x, y, z, w| Quat::new(x, y, z, w).normalized();
        let place = |t: [f32; 3], r, s: [f32; 3]| Transform {
            translation: t.into(),
            rotation: r,
            scale: s.into(),
        };
        let mut skeleton = Skeleton::new("s");
        let mut root = Joint::new("root", None);
        root.rest = place([1.0, 2.0, 3.0], turned(0.1, 0.5, -0.3, 0.7), [1.0, 2.0, 1.0]);
        let mut child = Joint::new("child", Some(ROOT));
        child.rest = place([-4.0, 0.5, 6.0], turned(-0.6, 0.2, 0.4, 0.5), [1.0; 3]);
        skeleton.joints = vec![root, child];
        let mut sheared =
            place([0.0, 1.0, 0.0], turned(0.3, 0.3, 0.1, 0.9), [1.0, 3.0, 0.5]).to_matrix();
        sheared.columns[0][1] += 0.25;
        skeleton.joints[1].exact_rest = Some(sheared);
        let mut builder = TimelineBuilder::new("t").with_pose_space(PoseSpace::DeltaFromRest);
        let moves = [0.0, 1.0, 2.0, 5.0, -7.0, 1.0];
        let spin = [turned(0.1, 0.2, 0.3, 0.9), turned(-0.5, 0.2, 0.3, 0.4)].map(Quat::to_array);
        let tangents: Vec<f32> = [1.0, -2.0, 3.0, 4.0, 5.0, 6.0, -7.0, 8.0, 9.0].repeat(2);
        for (joint, channel, interpolation, values) in [
            (ROOT, Channel::Translation, Interpolation::Linear, &moves[..]),
            (CHILD, Channel::Rotation, Interpolation::Linear, spin.as_flattened()),
            (ROOT, Channel::Scale, Interpolation::Cubic, &tangents),
        ] {
            builder.keys(joint.into(), channel, interpolation, &[0.0, 1.0], values).unwrap();
        }
        builder.constant(CHILD.into(), Channel::Translation, &[1.0, 2.0, 3.0]).unwrap();
        let point = Vec3::new(1.0, -2.0, 0.5);
        let target =
            MorphTarget { positions: vec![point], normals: vec![point], ..MorphTarget::default() };
        let mesh = Mesh {
            positions: vec![point],
            normals: vec![point],
            morph_targets: vec![target],
            ..Mesh::default()
        };
        Scene {
            skeletons: vec![skeleton],
            timelines: vec![builder.finish()],
            meshes: vec![mesh],
            skins: vec![Skin {
                skeleton: SkeletonId::new(0),
                joints: vec![CHILD],
                inverse_bind: vec![sheared],
            }],
            nodes: vec![Node {
                transform: place([3.0, 2.0, 1.0], turned(0.5, 0.1, 0.2, 0.8), [2.0, 1.0, 1.0]),
                ..Node::default()
            }],
            ..Scene::default()
        }
    }

    /// The converted scene is rotated by 180° about x.
    #[test]
    fn a_converted_scene_is_rotated_by_180_degrees() {
        let before = scene();
        let after = before.in_axes(Axes::YDown);
        let half_turn = Mat4::from_rotation(Quat::new(1.0, 0.0, 0.0, 0.0));
        let same = |a: Mat4, b: Mat4| {
            assert!((half_turn * a * half_turn.inverse().unwrap()).is_near(b, 1e-5), "{a:?}\n{b:?}")
        };
        for time in [0.0, 0.3, 1.0] {
            let at = |scene: &Scene| {
                let (mut pose, mut matrices) = (Pose::default(), Vec::new());
                Sampler::new(&scene.skeletons[0], &scene.timelines[0]).sample(time, &mut pose);
                pose.model_matrices(&scene.skeletons[0], &mut matrices);
                matrices
            };
            for (a, b) in at(&before).into_iter().zip(at(&after)) {
                same(a, b);
            }
        }
        same(before.skins[0].inverse_bind[0], after.skins[0].inverse_bind[0]);
        same(before.nodes[0].transform.to_matrix(), after.nodes[0].transform.to_matrix());
        let point = half_turn.transform_point(before.meshes[0].positions[0]);
        let mesh = &after.meshes[0];
        let target = &mesh.morph_targets[0];
        for vectors in [&mesh.positions, &mesh.normals, &target.positions, &target.normals] {
            assert_eq!(vectors[..], [point]);
        }
        assert_eq!((after.axes, &*after.in_axes(Axes::YUp)), (Axes::YDown, &before));
    }
}
