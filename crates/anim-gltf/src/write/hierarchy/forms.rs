//! Detection of joints that need more than one node.

use anim_ir::diag::quote;
use anim_ir::{
    Budget, Channel, Diagnostics, Joint, LimitError, PoseSpace, Scene, Skeleton, Transform,
};

use super::below::{Below, below};
use crate::codes;

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

/// The nodes and properties that a joint needs in addition to its own node and transform.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Forms {
    /// Whether tracks rotate the joint before its rest pose.
    pub(crate) turned: bool,
    /// Whether the scale of an additional parent shows and hides the joint.
    pub(crate) scaled: bool,
    /// Whether `KHR_node_visibility` shows and hides the joint.
    pub(crate) flagged: bool,
}

/// Returns the forms of each skeleton's joints. A joint that is hidden at rest or in a clip is
/// scaled or, with `node_visibility`, flagged. A scale of 0 affects other nodes than the joint's
/// visibility: it does not hide skinned meshes, which only follow their joints, and it collapses
/// the joints of skins that are attached elsewhere, and cameras. Joints for which it is wrong are
/// therefore flagged, unless clips show and hide them: some programs reject animated flags.
pub(crate) fn forms(
    scene: &Scene,
    node_visibility: bool,
    budget: &Budget,
    losses: &mut Diagnostics,
) -> Result<Vec<Vec<Forms>>, LimitError> {
    let at_rest = |joint: &Joint| Forms { scaled: !joint.visible, ..Forms::default() };
    let skeletons = scene.skeletons.iter();
    let mut forms: Vec<Vec<Forms>> =
        skeletons.map(|skeleton| skeleton.joints.iter().map(at_rest).collect()).collect();
    // Until all tracks have been seen, `flagged` means that a track shows and hides the joint.
    for timeline in &scene.timelines {
        let Some(joints) = forms.get_mut(timeline.skeleton.index()) else { continue };
        let before_rest = timeline.pose_space == PoseSpace::DeltaFromRest;
        for track in timeline.tracks() {
            if let Some(forms) = track.joint().and_then(|joint| joints.get_mut(joint.index())) {
                forms.turned |= before_rest && track.channel == Channel::Rotation;
                forms.flagged |= track.channel == Channel::Visibility;
                forms.scaled |= forms.flagged;
            }
        }
    }
    if !forms.iter().flatten().any(|forms| forms.scaled) {
        return Ok(forms);
    }
    let mut below = if node_visibility { Vec::new() } else { below(scene, budget)? }.into_iter();
    for (skeleton, forms) in scene.skeletons.iter().zip(&mut forms) {
        let mut below = below.next().unwrap_or_default().into_iter();
        for (joint, forms) in skeleton.joints.iter().zip(forms) {
            let below = below.next();
            let Some(Below { hidden, missed, broken }) = below.filter(|_| forms.scaled) else {
                (forms.scaled, forms.flagged) = (false, forms.scaled);
                continue;
            };
            let (is_still, is_alone) = (!forms.flagged, hidden <= 0);
            (forms.scaled, forms.flagged) = match (missed > 0, broken > 0) {
                (true, _) => (!is_alone, is_still),
                (_, true) => (!is_alone, is_alone && is_still),
                _ => (true, false),
            };
            let why = match (missed > 0, broken > 0) {
                (true, _) if forms.flagged => {
                    "hides skinned meshes, which needs KHR_node_visibility; few programs support it"
                }
                (true, _) => {
                    "is shown and hidden in clips, but without `--node-visibility`, skinned meshes \
                     below it are always shown"
                }
                (_, true) if forms.scaled => {
                    "is hidden by a scale of 0, which collapses joints of a skin, or cameras, \
                     below it"
                }
                (_, true) if !is_still => {
                    "is shown and hidden in clips, which needs `--node-visibility`, since a scale \
                     of 0 would collapse joints of a skin, or cameras, below it"
                }
                _ => continue,
            };
            losses.push(&codes::VISIBILITY, None, || {
                format!("joint {} {why}", quote(joint.name.as_bytes()))
            });
        }
    }
    Ok(forms)
}

/// Whether a skeleton needs a common root node. The joints of a skin do; the nodes of a scene graph
/// do not.
pub(crate) fn has_armature(skeleton: &Skeleton) -> bool {
    skeleton.bones && !skeleton.joints.is_empty()
}
