//! Reports the parts of a scene that the format cannot store.

use anim_ir::diag::{plural, quote};
use anim_ir::{Channel, Curve, Diagnostics, EventIndex, Interpolation, Pose, Sampler, Scene};

use super::keyed::{is_rigid, tracks};
use super::maker::Moving;
use crate::codes;
use crate::extras::STT;

/// Reports the features of a clip that a state cannot store.
pub(super) fn clip_losses(moving: &Moving<'_>, events: &EventIndex<'_>, losses: &mut Diagnostics) {
    let Moving { clip, timeline, skeleton } = moving;
    let name = quote(clip.name.as_bytes());
    let keyed = || {
        tracks(moving)
            .map(|track| (track.channel, timeline.keys(track)))
            .filter(|(_, keys)| keys.times.len() > 1)
    };
    let has = |interpolation| keyed().any(|(_, keys)| keys.interpolation == interpolation);
    losses.lost(&codes::LOSS_CURVE, has(Interpolation::Cubic), || {
        format!("{name} has curved interpolation")
    });
    let mixed =
        has(Interpolation::Step) && (has(Interpolation::Linear) || has(Interpolation::Cubic));
    losses.lost(&codes::LOSS_CURVE, mixed, || {
        format!("{name} mixes stepped and continuous interpolation")
    });
    let angles = keyed().any(|(channel, keys)| {
        matches!(channel, Channel::Euler(_) | Channel::Offset)
            && keys.interpolation != Interpolation::Step
    });
    losses.lost(&codes::LOSS_CURVE, angles, || {
        format!("{name} interpolates angles or offsets separately, not transforms")
    });
    let hides = tracks(moving).any(|track| track.channel == Channel::Visibility)
        || skeleton.joints.iter().any(|joint| !joint.visible);
    losses.lost(&codes::LOSS_VISIBILITY, hides, || format!("{name} hides joints"));
    let morphs = timeline.tracks().iter().any(|track| track.channel == Channel::MorphWeights);
    losses.lost(&codes::LOSS_MORPH, morphs, || format!("{name} animates morph targets"));
    let events = events.count_in(clip);
    losses.lost(&codes::LOSS_EVENTS, events > 0, || {
        format!("{name} has {}", plural(events, "event"))
    });
}

/// Reports the waves of a clip that is written as keys.
pub(super) fn wave_loss(moving: &Moving<'_>, losses: &mut Diagnostics) {
    let waves = tracks(moving)
        .any(|track| matches!(&track.curve, Curve::Wave(wave) if !wave.is_constant()));
    losses.lost(&codes::LOSS_CURVE, waves, || {
        format!(
            "{} mixes waves and keys, or has waves of angles in another order",
            quote(moving.clip.name.as_bytes())
        )
    });
}

/// Reports scale and shear of a clip of waves at its start.
pub(super) fn scale_loss(moving: &Moving<'_>, losses: &mut Diagnostics) {
    let Moving { clip, timeline, skeleton } = moving;
    let mut pose = Pose::default();
    Sampler::for_clip(skeleton, timeline, clip).sample(f64::from(clip.start), &mut pose);
    let scaled = moving
        .joints()
        .iter()
        .filter(|(id, joint)| {
            !is_rigid(pose.local_matrix(joint, *id), pose.local_transform(joint, *id))
        })
        .count();
    losses.lost(&codes::LOSS_SCALE, scaled > 0, || {
        format!("{} scales or shears {}", quote(clip.name.as_bytes()), plural(scaled, "joint"))
    });
}

/// Reports the scene's meshes, cameras and extras, which are not written.
pub(super) fn scene_losses(scene: &Scene, losses: &mut Diagnostics) {
    losses.lost_some(&codes::LOSS_MESHES, scene.meshes.len(), "meshes not written");
    losses.lost_some(&codes::LOSS_MESHES, scene.cameras.len(), "cameras not written");
    let extras = scene.all_extras().filter(|extras| extras.keys().any(|format| format != STT));
    losses.lost_extras(&codes::LOSS_EXTRAS, extras.count());
}

/// Reports that the hierarchy of joints is not written.
pub(super) fn hierarchy_loss(scene: &Scene, losses: &mut Diagnostics) {
    let joints = scene.skeletons.iter().flat_map(|skeleton| &skeleton.joints);
    let children = joints.filter(|joint| joint.parent.is_some()).count();
    losses.lost(&codes::LOSS_HIERARCHY, children > 0, || {
        let have = if children == 1 { "has a parent" } else { "have parents" };
        format!(
            "{} {have}, to which the written transforms are relative",
            plural(children, "joint")
        )
    });
}
