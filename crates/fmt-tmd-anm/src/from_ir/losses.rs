//! Reports what the format cannot store.

use anim_ir::diag::{plural, quote};
use anim_ir::{Channel, Curve, Diagnostics, Interpolation, Scene, Track, Wrap};

use super::sample::Sampling;
use crate::codes;

/// Reports the parts of a clip that a file cannot store.
pub(super) fn clip_losses(sampling: &Sampling<'_>, losses: &mut Diagnostics) {
    let Sampling { clip, timeline, skeleton, rate, frames } = *sampling;
    let name = quote(clip.name.as_bytes());
    let hanging = skeleton.joints.iter().filter(|joint| joint.parent.is_some()).count();
    losses.lost(&codes::LOSS_HIERARCHY, hanging > 0, || {
        format!("{name} animates {} with a parent", plural(hanging, "joint"))
    });
    let mut joints = skeleton.joints.iter().enumerate();
    if let Some((index, joint)) =
        joints.find(|(index, joint)| joint.name != format!("object_{index}"))
    {
        losses.push(&codes::LOSS_NAMES, None, || {
            let joint = quote(joint.name.as_bytes());
            format!("joint names in {name} are lost; {joint} is object {index}")
        });
    }
    let has_keys = |track: &&Track| matches!(track.curve, Curve::Keys { .. });
    let mut keys = timeline.tracks().iter().filter(has_keys).map(|track| timeline.keys(track));
    let smooth = keys.any(|keys| keys.interpolation != Interpolation::Step && keys.times.len() > 1);
    losses.lost(&codes::LOSS_SAMPLED, smooth, || {
        format!("{name} is sampled as {} at {rate} per second", plural(frames, "frame"))
    });
    let exact = sampling.exact_frames();
    // Allow for f32 rounding of times of this magnitude.
    let hair = (f64::from(clip.start).abs() + f64::from(clip.end).abs())
        * f64::from(f32::EPSILON)
        * f64::from(rate);
    let odd = exact > 0.0 && (exact - exact.round()).abs() > hair;
    losses.lost(&codes::LOSS_DURATION, odd, || {
        format!("{name} is {exact:.3} frames long; {frames} are written")
    });
    let events = timeline.events_in(clip).count();
    losses.lost(&codes::LOSS_EVENTS, events > 0, || {
        format!("{name} has {}", plural(events, "event"))
    });
    let morphs = timeline.tracks().iter().any(|track| track.channel == Channel::MorphWeights);
    losses.lost(&codes::LOSS_MORPH, morphs, || format!("{name} animates morph targets"));
    let repeats = !matches!(clip.wrap, Wrap::Unspecified | Wrap::Once);
    losses.lost(&codes::LOSS_WRAP, repeats, || format!("{name} repeats ({})", clip.wrap.name()));
}

/// Reports what is lost outside the clip: meshes, cameras, extra skeletons and extras.
pub(super) fn scene_losses(scene: &Scene, losses: &mut Diagnostics) {
    losses.lost_some(&codes::LOSS_MESHES, scene.meshes.len(), "meshes not written");
    losses.lost_some(&codes::LOSS_CAMERAS, scene.cameras.len(), "cameras not written");
    let skeletons = Some(scene.skeletons.len()).filter(|count| *count > 1).unwrap_or(0);
    losses.lost_some(&codes::LOSS_SKELETONS, skeletons, "skeletons, of which only one is written");
    losses.lost_extras(&codes::LOSS_EXTRAS, scene.all_extras().count());
}
