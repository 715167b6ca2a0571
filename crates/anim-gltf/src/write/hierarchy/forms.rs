//! Which joints need more than one node.

use anim_ir::{Channel, Joint, PoseSpace, Scene, Skeleton, Transform};

/// How far the factors of a scale are apart, relative to the greatest, before the scale counts as
/// uneven: matrices in text have six decimals or so, and a rotation behind such a scale is off by
/// no more than this.
const EVEN: f32 = 1e-5;

/// Whether a rotation behind the scale makes shear of it.
pub(crate) fn is_uneven(transform: &Transform) -> bool {
    let [x, y, z] = transform.scale.to_array();
    let (least, most) = (x.min(y).min(z), x.max(y).max(z));
    most - least > EVEN * most.abs().max(least.abs())
}

/// What a joint needs more than one node for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Forms {
    /// Tracks turn it before its rest pose.
    pub(crate) turned: bool,
    /// It is hidden, now or then.
    pub(crate) switched: bool,
}

/// What the joints of each skeleton need.
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

/// The joints of a skin need a common root; the nodes of a scene graph need none.
pub(crate) fn has_armature(skeleton: &Skeleton) -> bool {
    skeleton.bones && !skeleton.joints.is_empty()
}
