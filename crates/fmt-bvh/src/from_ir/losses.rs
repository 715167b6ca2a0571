//! Reports what the format cannot store.

use anim_ir::diag::{plural, quote};
use anim_ir::{
    Channel, Clip, Curve, Diagnostics, Interpolation, Joint, Quat, Timeline, Track, Transform, Wrap,
};

use super::sample::Sampling;
use super::source::Source;
use crate::codes;
use crate::to_ir::BVH;

pub(super) fn report(source: &Source<'_>, sampling: &Sampling<'_>, losses: &mut Diagnostics) {
    joints(source, losses);
    if let Some((clip, timeline)) = source.clip {
        of_clip(clip, timeline, sampling, losses);
    }
    let scene = source.scene;
    losses.lost_some(&codes::LOSS_MESHES, scene.meshes.len(), "meshes not written");
    losses.lost_some(&codes::LOSS_CAMERAS, scene.cameras.len(), "cameras not written");
    let skeletons = scene.skeletons.len().saturating_sub(1);
    losses.lost_some(&codes::LOSS_SKELETONS, skeletons, "skeletons not written");
    let extras = scene.all_extras().filter(|extras| extras.keys().any(|format| format != BVH));
    losses.lost_extras(&codes::LOSS_EXTRAS, extras.count());
}

/// Reports losses in the joints' rest poses and tracks.
fn joints(source: &Source<'_>, losses: &mut Diagnostics) {
    let tracks = source.tracks();
    let animated = |channel: Channel| {
        tracks.iter().filter(|track| track.channel == channel).filter_map(Track::joint).count()
    };
    let at_rest = |is: &dyn Fn(&Joint) -> bool| {
        source.skeleton.joints.iter().filter(|joint| is(joint)).count()
    };
    let mut note = |code, count: usize, what: &str| {
        losses.lost(code, count > 0, || format!("{} {what}", plural(count, "joint")));
    };
    let scaled = at_rest(&|joint| joint.rest.scale != Transform::IDENTITY.scale);
    note(&codes::LOSS_SCALE, scaled, "with scale at rest");
    note(&codes::LOSS_SCALE, animated(Channel::Scale), "with animated scale");
    let sheared = at_rest(&|joint| joint.exact_rest.is_some());
    note(&codes::LOSS_SHEAR, sheared, "with shear at rest");
    let turned = at_rest(&|joint| joint.rest.rotation.angle_to(Quat::IDENTITY) > 1e-6);
    note(&codes::LOSS_REST, turned, "with a rotation at rest");
    let hidden = at_rest(&|joint| !joint.visible).max(animated(Channel::Visibility));
    note(&codes::LOSS_VISIBILITY, hidden, "hidden at least part of the time");
}

fn of_clip(clip: &Clip, timeline: &Timeline, sampling: &Sampling<'_>, losses: &mut Diagnostics) {
    let name = quote(clip.name.as_bytes());
    let (frames, rate) = (sampling.frames(), sampling.rate);
    losses.lost(&codes::LOSS_SAMPLED, !is_exact(clip, timeline, sampling), || {
        format!("{name} is sampled as {} at {rate} per second", plural(frames, "frame"))
    });
    let steps = sampling.exact_steps();
    // Allow for f32 rounding of times of this magnitude.
    let sizes = f64::from(clip.start).abs() + f64::from(clip.end).abs();
    let hair = sizes * f64::from(f32::EPSILON) * rate;
    let is_odd = (steps - steps.round()).abs() > hair;
    losses.lost(&codes::LOSS_DURATION, is_odd, || {
        format!("{name} lasts {steps:.3} frame times; {} are written", frames.saturating_sub(1))
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

/// Whether the frames reproduce the clip's keys.
fn is_exact(clip: &Clip, timeline: &Timeline, sampling: &Sampling<'_>) -> bool {
    let in_frames = |time: f32| {
        let step = (f64::from(time) - f64::from(clip.start)) * sampling.rate;
        let hair = 4.0 * f64::from(f32::EPSILON) * f64::from(time.abs()) * sampling.rate;
        (step - step.round()).abs() <= hair
    };
    let is_in = |time: &&f32| (clip.start..=clip.end).contains(*time);
    let tables = timeline.tables().iter();
    let mut times = tables.flat_map(|table| table.times().iter().filter(is_in));
    let is_plain = |track: &Track| match track.curve {
        Curve::Constant(_) => true,
        Curve::Keys { table, .. } => {
            let table = timeline.tables().get(table);
            table.is_none_or(|table| table.interpolation() == Interpolation::Linear)
                && matches!(track.channel, Channel::Translation | Channel::Rotation)
        }
        _ => false,
    };
    let mut tracks = timeline.tracks().iter().filter(|track| track.joint().is_some());
    tracks.all(is_plain) && times.all(|time| in_frames(*time))
}
