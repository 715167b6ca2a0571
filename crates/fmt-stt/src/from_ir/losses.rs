//! What a file cannot say of a scene.

use anim_ir::diag::{plural, quote};
use anim_ir::{Channel, Curve, Diagnostics, Extras, Interpolation, Pose, Sampler, Scene, Value};

use super::keyed::{is_rigid, tracks};
use super::maker::Moving;
use crate::codes;
use crate::extras::STT;

/// What a clip has that a state has not.
pub(super) fn clip_losses(moving: &Moving<'_>, losses: &mut Diagnostics) {
    let Moving { clip, timeline, skeleton } = moving;
    let name = quote(clip.name.as_bytes());
    let mut note = |code, lost: bool, what: &dyn Fn() -> String| {
        if lost {
            losses.push(code, None, || format!("{name} {}", what()));
        }
    };
    let keyed = || {
        tracks(moving)
            .map(|track| (track.channel, timeline.keys(track)))
            .filter(|(_, keys)| keys.times.len() > 1)
    };
    let has = |interpolation| keyed().any(|(_, keys)| keys.interpolation == interpolation);
    note(&codes::LOSS_CURVE, has(Interpolation::Cubic), &|| {
        "has curves between its keys".to_owned()
    });
    let mixed =
        has(Interpolation::Step) && (has(Interpolation::Linear) || has(Interpolation::Cubic));
    note(&codes::LOSS_CURVE, mixed, &|| "has both steps and lines".to_owned());
    let angles = keyed().any(|(channel, keys)| {
        matches!(channel, Channel::Euler(_) | Channel::Offset)
            && keys.interpolation != Interpolation::Step
    });
    note(&codes::LOSS_CURVE, angles, &|| {
        "blends angles or offsets between its keys, not places".to_owned()
    });
    let waves = tracks(moving)
        .any(|track| matches!(&track.curve, Curve::Wave(wave) if !wave.is_constant()));
    let hangs = !moving.is_flat();
    note(&codes::LOSS_CURVE, waves && (hangs || keyed().next().is_some()), &|| {
        "has waves beside keys or below other joints".to_owned()
    });
    let hides = tracks(moving).any(|track| track.channel == Channel::Visibility)
        || skeleton.joints.iter().any(|joint| !joint.visible);
    note(&codes::LOSS_VISIBILITY, hides, &|| "hides joints".to_owned());
    let morphs = timeline.tracks().iter().any(|track| track.channel == Channel::MorphWeights);
    note(&codes::LOSS_MORPH, morphs, &|| "moves morph targets".to_owned());
    let events = timeline.events.iter().filter(|event| clip.contains_event(event)).count();
    note(&codes::LOSS_EVENTS, events > 0, &|| format!("has {}", plural(events, "event")));
}

/// What a clip of waves has that a state has not: it scales as it does at its start.
pub(super) fn scale_loss(moving: &Moving<'_>, losses: &mut Diagnostics) {
    let Moving { clip, timeline, skeleton } = moving;
    let mut pose = Pose::default();
    Sampler::for_clip(skeleton, timeline, clip).sample(f64::from(clip.start), &mut pose);
    let joints = skeleton.enumerate_joints().filter(|(id, _)| clip.has_joint(*id));
    let scaled = joints
        .filter(|(id, joint)| {
            !is_rigid(pose.local_matrix(joint, *id), pose.local_transform(joint, *id))
        })
        .count();
    if scaled > 0 {
        losses.push(&codes::LOSS_SCALE, None, || {
            format!("{} scales or shears {}", quote(clip.name.as_bytes()), plural(scaled, "joint"))
        });
    }
}

/// What is around the clips.
pub(super) fn scene_losses(scene: &Scene, losses: &mut Diagnostics) {
    let mut note = |code, count: usize, what: &str| {
        if count > 0 {
            losses.push(code, None, || format!("{what}: {count}"));
        }
    };
    note(&codes::LOSS_MESHES, scene.meshes.len(), "meshes that are left out");
    note(&codes::LOSS_MESHES, scene.cameras.len(), "cameras that are left out");
    let said = scene.all_extras().filter(|extras| has_others(extras)).count();
    note(&codes::LOSS_EXTRAS, said, "joints, clips and others whose extras are left out");
}

/// Whether they are not this format's own.
fn has_others(extras: &Extras) -> bool {
    extras.iter().any(|(format, _): (&String, &Value)| format != STT)
}
