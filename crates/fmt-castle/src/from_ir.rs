//! Scene to document: stills in X3D, sampled from the clips.

mod geometry;
mod look;
mod names;
mod stills;

use anim_ir::diag::{plural, quote};
use anim_ir::number::narrow;
use anim_ir::{
    Axes, Bake, Clip, Converted, Curve, Diagnostics, Interpolation, LimitError, Limits, Pose,
    Sampler, Scene, Severity, Skeleton, Timeline, Value, Wrap, validate,
};

use crate::codes;
use crate::document::Document;
use crate::error::FromIrError;
use crate::operations::Names;
use crate::writer::{NewAnimation, NewContent, NewFrame};
use stills::Stills;

/// How to write a scene.
#[derive(Clone, Debug)]
pub struct FromIr {
    /// Frames a second. Clips whose tracks all change in steps have a frame for each of their keys
    /// instead.
    pub frames_per_second: f32,
    /// Decimals of the numbers in the frames; `None`: as many as it takes to read back the same.
    pub decimals: Option<u8>,
    /// Bounds on what is written. A sample is a vertex or a joint in one frame; a frame itself
    /// counts as 16.
    pub limits: Limits,
}

impl Default for FromIr {
    fn default() -> FromIr {
        FromIr { frames_per_second: 25.0, decimals: None, limits: Limits::default() }
    }
}

/// The scene's clips as animations of stills; what they cannot say is reported.
///
/// What hangs from a joint keeps its place in a tree of `Transform`, so that turning stays turning.
/// What is skinned, or hangs from a joint whose place no translation, rotation and scale can say,
/// is written where it is in the model. A scene without clips becomes one still.
///
/// # Errors
///
/// [`FromIrError`] where the scene is not valid ([`anim_ir::validate`]), has nothing to show, or
/// sampling makes more than the limits allow.
pub fn from_ir(
    scene: &Scene,
    options: &FromIr,
) -> Result<Converted<Document<'static>>, FromIrError> {
    if let Some(problem) =
        validate(scene).iter().find(|problem| problem.severity() == Severity::Error)
    {
        return Err(FromIrError::Invalid(problem.message.clone()));
    }
    if !(options.frames_per_second.is_finite() && options.frames_per_second > 0.0) {
        return Err(FromIrError::Rate(options.frames_per_second));
    }
    if scene.clips.is_empty() && !scene.nodes.iter().any(|node| node.mesh.is_some()) {
        return Err(FromIrError::Empty);
    }
    let keyed = scene.in_keys(Axes::YUp, &Bake { limits: options.limits, ..Bake::default() })?;
    let (scene, mut losses) = (&*keyed.value, keyed.losses);
    let stills = Stills::new(scene, options.decimals, &mut losses);
    let mut names = Names::default();
    let mut animations = Vec::new();
    let mut budget = options.limits.samples;
    for clip in &scene.clips {
        animations.push(animation(&stills, clip, options, &mut names, &mut budget, &mut losses)?);
    }
    if animations.is_empty() {
        let name = name(&scene.name, &mut names, &mut losses);
        let frames = vec![still(&stills, 0.0, &Pose::default(), usize::MAX)];
        animations.push(NewAnimation { frames, ..NewAnimation::new(name) });
    }
    stills.losses(&mut losses);
    if !scene.cameras.is_empty() {
        losses.push(&codes::LOSS_CAMERA, None, || {
            format!("{} left out", plural(scene.cameras.len(), "camera"))
        });
    }
    let value =
        Document::build(&animations).map_err(|error| FromIrError::Invalid(error.to_string()))?;
    Ok(Converted { value, losses })
}

fn animation(
    stills: &Stills<'_>,
    clip: &Clip,
    options: &FromIr,
    names: &mut Names,
    budget: &mut usize,
    losses: &mut Diagnostics,
) -> Result<NewAnimation<'static>, FromIrError> {
    let scene = stills.scene;
    let name = name(&clip.name, names, losses);
    // The scene is valid: there is one.
    let Some(timeline) = scene.timelines.get(clip.timeline) else { return Err(FromIrError::Empty) };
    let steps = in_steps(timeline);
    // The frames are counted before any of them is made.
    let count = if steps {
        timeline.key_count().saturating_add(2)
    } else {
        frame_count(clip, options.frames_per_second)
    };
    let samples = count.saturating_mul(stills.samples());
    if samples > *budget {
        let most = options.limits.samples;
        return Err(LimitError {
            what: "the animations",
            unit: "samples",
            found: most.saturating_add(samples - *budget),
            most,
        }
        .into());
    }
    *budget -= samples;
    let times = if steps {
        key_times(clip, timeline)
    } else {
        even_times(clip, options.frames_per_second, count)
    };
    let no_joints = Skeleton::default();
    let mut sampler = Sampler::for_clip(
        scene.skeletons.get(timeline.skeleton).unwrap_or(&no_joints),
        timeline,
        clip,
    );
    let mut pose = Pose::default();
    let mut frames = Vec::with_capacity(times.len());
    for time in times {
        sampler.sample(f64::from(time), &mut pose);
        frames.push(still(stills, time, &pose, timeline.skeleton));
    }
    let curved =
        timeline.tracks().iter().any(|track| matches!(track.curve, Curve::Keys { .. })) && !steps;
    if curved {
        losses.push(&codes::LOSS_SAMPLED, None, || {
            format!(
                "{} becomes {}, {} a second",
                quote(clip.name.as_bytes()),
                plural(frames.len(), "still"),
                options.frames_per_second
            )
        });
    }
    let events = timeline.events.iter().filter(|event| clip.takes(event)).count();
    if events > 0 {
        losses.push(&codes::LOSS_EVENTS, None, || {
            format!("{} has {}", quote(clip.name.as_bytes()), plural(events, "event"))
        });
    }
    let said_backwards = matches!(clip.extras.get("castle"), Some(Value::Map(map)) if map.get("backwards") == Some(&Value::Bool(true)));
    Ok(NewAnimation {
        scenes_per_time: if steps { 0 } else { 30 },
        loops: matches!(clip.wrap, Wrap::Loop | Wrap::PingPong),
        backwards: clip.wrap == Wrap::PingPong || said_backwards,
        frames,
        ..NewAnimation::new(name)
    })
}

fn still(stills: &Stills<'_>, time: f32, pose: &Pose, skeleton: usize) -> NewFrame<'static> {
    let (document, bounding_box) = stills.at(pose, skeleton);
    NewFrame { bounding_box, ..NewFrame::new(time, NewContent::X3d(document.into())) }
}

/// Whether nothing changes but in steps.
fn in_steps(timeline: &Timeline) -> bool {
    let moving: Vec<_> = timeline
        .tracks()
        .iter()
        .filter(|track| matches!(track.curve, Curve::Keys { .. }))
        .collect();
    !moving.is_empty()
        && moving.iter().all(|track| timeline.keys(track).interpolation == Interpolation::Step)
}

/// Where the clip begins, its keys, and where it ends.
fn key_times(clip: &Clip, timeline: &Timeline) -> Vec<f32> {
    let keys = timeline.tables().iter().flat_map(|table| table.times()).copied();
    let mut times: Vec<f32> = keys
        .filter(|time| clip.start < *time && *time < clip.end)
        .chain([clip.start, clip.end])
        .collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

fn frame_count(clip: &Clip, rate: f32) -> usize {
    let steps = (f64::from(clip.end) - f64::from(clip.start)) * f64::from(rate);
    // A clip of whole frames has an end of 32 bits, which may lie a little behind.
    whole((steps - 1e-4).ceil().max(0.0)).saturating_add(1)
}

/// Frames from the start on, and one at the end.
fn even_times(clip: &Clip, rate: f32, count: usize) -> Vec<f32> {
    let inner = count.saturating_sub(1);
    let time = |frame: usize| {
        narrow(
            f64::from(clip.start)
                + f64::from(u32::try_from(frame).unwrap_or(u32::MAX)) / f64::from(rate),
        )
    };
    let mut times: Vec<f32> =
        (0..inner).map(time).filter(|time| *time < clip.end).chain([clip.end]).collect();
    times.dedup();
    times
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
const fn whole(count: f64) -> usize {
    count as usize
}

/// A name that the format and the engine can hold, and that no other animation has.
fn name(name: &str, names: &mut Names, losses: &mut Diagnostics) -> String {
    let known = |c: char| if anim_ir::xml::is_character(c) { c } else { '_' };
    let possible: String =
        if name.is_empty() { "animation".to_owned() } else { name.chars().map(known).collect() };
    let unique = names.unique(&possible);
    if unique != name {
        losses.push(&codes::LOSS_NAME, None, || {
            format!("the name {} becomes {}", quote(name.as_bytes()), quote(unique.as_bytes()))
        });
    }
    unique
}
