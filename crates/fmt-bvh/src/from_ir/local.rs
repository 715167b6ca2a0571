//! Joint transforms relative to the parent, in a format without scale.

use anim_ir::{JointId, Mat4, Quat, Skeleton, Transform, double};

/// A joint's transform relative to its parent, without scale.
#[derive(Clone, Copy)]
pub(super) struct Local {
    pub(super) translation: [f64; 3],
    pub(super) rotation: Quat,
}

/// Returns each joint's transform relative to its parent, without scale. If any joint is scaled,
/// `matrices` map joint space to model space, and translations are derived from them so that joints
/// keep their scaled positions.
pub(super) fn locals(
    skeleton: &Skeleton,
    transforms: &[Transform],
    matrices: Option<&[Mat4]>,
) -> Vec<Local> {
    let mut turns: Vec<double::Quat> = Vec::new();
    let mut locals = Vec::with_capacity(transforms.len());
    for ((joint, transform), index) in skeleton.joints.iter().zip(transforms).zip(0..) {
        let mut translation = transform.translation.to_f64();
        let rotation = transform.rotation.normalized();
        if let Some(matrices) = matrices {
            let origin = |index: usize| {
                let [x, y, z, _] = matrices.get(index).map_or([0.0; 4], |matrix| matrix.columns[3]);
                [x, y, z].map(f64::from)
            };
            let parent = joint.parent.map(JointId::index);
            let above = parent.and_then(|parent| turns.get(parent)).copied();
            let above = above.unwrap_or(double::IDENTITY);
            let (at, from) = (origin(index), parent.map_or([0.0; 3], origin));
            let apart = [at[0] - from[0], at[1] - from[1], at[2] - from[2]];
            translation = double::transform(double::to_matrix(double::conjugate(above)), apart);
            turns.push(double::normalized(double::multiply(above, rotation.to_f64())));
        }
        locals.push(Local { translation, rotation });
    }
    locals
}
