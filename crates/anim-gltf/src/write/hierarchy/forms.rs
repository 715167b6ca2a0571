//! Detection of joints that need more than one node.

use anim_ir::{Channel, Joint, PoseSpace, Scene, Skeleton, Transform};

/// Maximum difference between the factors of a uniform scale, relative to the largest. Matrices in
/// text files have about six decimals, and treating such a scale as uniform causes an error no
/// larger than this in rotations applied before it.
const EVEN: f32 = 1e-5;

/// Whether the scale is non-uniform, so that a rotation before it would cause shear.
pub(crate) fn is_uneven(transform: &Transform) -> bool {
    let [x, y, z] = transform.scale.to_array();
    let (least, most) = (x.min(y).min(z), x.max(y).max(z));
    most - least > EVEN * most.abs().max(least.abs())
}

/// Reasons why a joint may need more than one node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Forms {
    /// Whether tracks rotate the joint before its rest pose.
    pub(crate) turned: bool,
    /// Whether the joint is hidden at rest or in a clip.
    pub(crate) switched: bool,
}

/// Returns the forms of each skeleton's joints.
pub(crate) fn forms(scene: &Scene) -> Vec<Vec<Forms>> {
    let at_rest = |joint: &Joint| Forms { turned: false, switched: !joint.visible };
    let skeletons = scene.skeletons.iter();
    let mut forms: Vec<Vec<Forms>> =
        skeletons.map(|skeleton| skeleton.joints.iter().map(at_rest).collect()).collect();
    for timeline in &scene.timelines {
        let Some(joints) = forms.get_mut(timeline.skeleton.index()) else { continue };
        let before_rest = timeline.pose_space == PoseSpace::DeltaFromRest;
        for track in timeline.tracks() {
            if let Some(forms) = track.joint().and_then(|joint| joints.get_mut(joint.index())) {
                forms.turned |= before_rest && track.channel == Channel::Rotation;
                forms.switched |= track.channel == Channel::Visibility;
            }
        }
    }
    forms
}

/// Whether a skeleton needs a common root node. The joints of a skin do; the nodes of a scene graph
/// do not.
pub(crate) fn has_armature(skeleton: &Skeleton) -> bool {
    skeleton.bones && !skeleton.joints.is_empty()
}
