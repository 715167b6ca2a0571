//! Joints with their rest matrices and bind matrices.

use anim_ir::{Diagnostics, Joint, JointId, Mat4, Scene, Skeleton, Skin, Value, diag::escape};

use crate::codes;
use crate::document::Document;

/// The maximum deviation of a matrix from translation · rotation · scale, relative to its longest
/// axis, that is attributed to rounding to six decimals and not to shear.
const ROUNDING: f32 = 4e-6;

/// Adds the joints to the scene, parents first, with a skin. Returns the skeleton index of each
/// joint of the document.
pub(crate) fn skeleton(
    document: &Document<'_>,
    scene: &mut Scene,
    losses: &mut Diagnostics,
) -> Vec<JointId> {
    let joints = document.joints();
    let parents: Vec<Option<usize>> = joints.iter().map(|joint| joint.parent).collect();
    // The parser ensures that parents exist and that there are no cycles.
    let order = Skeleton::parents_first(&parents).unwrap_or_default();
    let mut places = vec![JointId::default(); joints.len()];
    for (place, joint) in order.iter().enumerate() {
        if let Some(slot) = places.get_mut(*joint) {
            *slot = JointId::new(place);
        }
    }
    // Do not use the object's own name, which is the name of its mesh.
    let name = document.objects().first().map_or("", |object| &object.name);
    let name = if name.is_empty() { "rig".to_owned() } else { format!("{name}_rig") };
    let mut skeleton = Skeleton::new(name);
    for index in &order {
        let Some(joint) = joints.get(*index) else { continue };
        let parent = joint.parent.and_then(|parent| places.get(parent).copied());
        let mut made = Joint::new(&joint.name, parent);
        made.source_index = *index;
        if let Some(rest) = joint.rest {
            let exact = Mat4::from_columns(rest);
            made.rest = exact.to_transform();
            if !exact.is_near(made.rest.to_matrix(), ROUNDING) {
                made.exact_rest = Some(exact);
            }
        }
        if !joint.tail.is_empty() {
            let tail = joint.tail.iter().copied().collect();
            made.extras.insert("amo".into(), Value::from([("tail", tail)]));
        }
        skeleton.add_joint(made);
    }
    if skeleton.joints.is_empty() {
        return places;
    }
    let has_rest = joints.iter().any(|joint| joint.rest.is_some());
    let mut inverse_bind = Vec::with_capacity(skeleton.joints.len());
    for (matrix, joint) in skeleton.rest_model_matrices().into_iter().zip(&skeleton.joints) {
        // Without rest matrices, the bind pose is the identity regardless of the keys.
        let inverse = if has_rest { matrix.inverse() } else { Some(Mat4::IDENTITY) };
        if inverse.is_none() {
            let span = joints.get(joint.source_index).and_then(|joint| joint.span);
            losses.push(&codes::REST_SINGULAR, span, || {
                format!("the rest pose of joint `{}` cannot be inverted", escape(&joint.name))
            });
        }
        inverse_bind.push(inverse.unwrap_or_default());
    }
    let joints = skeleton.enumerate_joints().map(|(joint, _)| joint).collect();
    let skeleton = scene.add_skeleton(skeleton);
    scene.add_skin(Skin { skeleton, joints, inverse_bind });
    places
}
