//! What a file cannot say of a scene.

use anim_ir::diag::{plural, quote};
use anim_ir::{Channel, Curve, Diagnostics, Interpolation, Scene, Wrap};

use super::sample::Sampling;
use crate::codes;

/// What a clip has that a file has not.
pub(super) fn clip_losses(sampling: &Sampling<'_>, losses: &mut Diagnostics) {
    let Sampling { clip, timeline, skeleton, rate, frames } = *sampling;
    let name = quote(clip.name.as_bytes());
    let mut note = |code, lost: bool, what: &dyn Fn() -> String| {
        if lost {
            losses.push(code, None, || format!("{name} {}", what()));
        }
    };
    let hanging = skeleton.joints.iter().filter(|joint| joint.parent.is_some()).count();
    note(&codes::LOSS_HIERARCHY, hanging > 0, &|| {
        format!("moves {} below others", plural(hanging, "joint"))
    });
    let named = skeleton
        .joints
        .iter()
        .enumerate()
        .find(|(index, joint)| joint.name != format!("object_{index}"));
    note(&codes::LOSS_NAMES, named.is_some(), &|| {
        let (index, joint) = named.map_or((0, ""), |(index, joint)| (index, joint.name.as_str()));
        format!("moves joints with names; {} is object {index}", quote(joint.as_bytes()))
    });
    let keys = || {
        timeline
            .tracks()
            .iter()
            .filter(|track| matches!(track.curve, Curve::Keys { .. }))
            .map(|track| timeline.keys(track))
    };
    let smooth =
        keys().any(|keys| keys.interpolation != Interpolation::Step && keys.times.len() > 1);
    note(&codes::LOSS_SAMPLED, smooth, &|| {
        format!("becomes {}, {rate} a second", plural(frames, "frame"))
    });
    let exact = sampling.exact_frames();
    // Off by more than f32 leaves of times of that size.
    let hair = (f64::from(clip.start).abs() + f64::from(clip.end).abs())
        * f64::from(f32::EPSILON)
        * f64::from(rate);
    let odd = exact > 0.0 && (exact - exact.round()).abs() > hair;
    note(&codes::LOSS_DURATION, odd, &|| {
        format!("is {exact:.3} frames long, {frames} are written")
    });
    let events = timeline.events_in(clip).count();
    note(&codes::LOSS_EVENTS, events > 0, &|| format!("has {}", plural(events, "event")));
    let morphs = timeline.tracks().iter().any(|track| track.channel == Channel::MorphWeights);
    note(&codes::LOSS_MORPH, morphs, &|| "moves morph targets".to_owned());
    note(&codes::LOSS_WRAP, !matches!(clip.wrap, Wrap::Unspecified | Wrap::Once), &|| {
        format!("repeats ({})", clip.wrap.name())
    });
}

/// What is around the clips.
pub(super) fn scene_losses(scene: &Scene, losses: &mut Diagnostics) {
    let mut note = |code, count: usize, what: &str| {
        if count > 0 {
            losses.push(code, None, || format!("{what}: {count}"));
        }
    };
    note(&codes::LOSS_MESHES, scene.meshes.len(), "meshes that are left out");
    note(&codes::LOSS_CAMERAS, scene.cameras.len(), "cameras that are left out");
    note(
        &codes::LOSS_SKELETONS,
        if scene.skeletons.len() > 1 { scene.skeletons.len() } else { 0 },
        "skeletons, of which a clip moves one",
    );
    note(
        &codes::LOSS_EXTRAS,
        scene.all_extras().count(),
        "joints, clips and others whose extras are left out",
    );
}
