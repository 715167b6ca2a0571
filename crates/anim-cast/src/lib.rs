//! Writes an animation as a Cast file (`.cast`), which add-ons of Blender, Maya and other programs
//! read.
//!
//! Cast is an open binary container by
//! `DTZxPorter`. What is written here follows the README of <https://github.com/dtzxporter/cast>: sections "File structure", "Model", "Skeleton", "Bone", "Animation", "Curve", "`NotificationTrack`"
//! and "Metadata".
//!
//! ```
//! use anim_ir::{Channel, Clip, Interpolation, Joint, Scene, Skeleton, Target, TimelineBuilder};
//!
//! let mut skeleton = Skeleton::new("arm");
//! skeleton.joints.push(Joint::new("shoulder", None));
//! skeleton.joints.push(Joint::new("elbow", Some(0)));
//! let mut builder = TimelineBuilder::new("wave");
//! builder.keys(Target::Joint(1), Channel::Translation, Interpolation::Linear, &[0.0, 1.0], &[0.0, 0.0, 0.0, 2.0, 0.0, 0.0])?;
//! let clip = Clip { name: "wave".to_owned(), end: 1.0, ..Clip::default() };
//! let scene = Scene { skeletons: vec![skeleton], timelines: vec![builder.finish()], clips: vec![clip], ..Scene::default() };
//!
//! let written = anim_cast::to_cast(&scene, 0, &anim_cast::CastOptions::default())?;
//! assert!(written.losses.is_empty());
//! assert!(written.value.starts_with(b"cast"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How the parts of a clip are written
//!
//! - **Bones** have their place relative to the parent, and scale that their children inherit.
//!   Names are unique without regard to case, since readers compare them so.
//! - **Curves** are absolute and relative to the parent. Keys are whole frames from the clip's
//!   start. Where all keys of a track are whole frames they are written as they are, otherwise (and
//!   for splines) there is one on every frame, which is reported. Cast has straight lines between
//!   keys only: a step has one more key on the frame before.
//! - **Events** of the clip ([`Clip::takes`]) are notification tracks, one for each name.
//! - **Axes** are turned to y up, which the file's metadata say.
//!
//! Meshes, morph weights and what events carry beyond their names are not written, and reported.

mod codes;
mod curves;
mod error;
mod names;
mod node;

use std::collections::BTreeMap;

use anim_ir::diag::{plural, quote};
use anim_ir::{
    Axes, Bake, Clip, Converted, Diagnostics, Event, Extras, Limits, PoseSpace, Scene, Severity,
    Skeleton, TimeBase, Timeline, Value, Wrap, animation_set, validate,
};

pub use codes::ALL as CODES;
use curves::Frames;
pub use error::CastError;
use node::{Kind, Node};

/// Where the timeline counts in seconds and nothing else is asked for.
const FRAMES_PER_SECOND: f32 = 30.0;

/// How to write.
#[derive(Clone, Copy, Debug)]
pub struct CastOptions {
    /// Frames in a second, greater than 0; `None`: as the timeline counts, or else 30.
    pub frames_per_second: Option<f32>,
    /// Whether the skeleton is written beside the animation. A program that has the model already
    /// needs the animation only.
    pub skeleton: bool,
    /// Bounds on what is written; a sample is a joint at one frame.
    pub limits: Limits,
}

impl Default for CastOptions {
    fn default() -> CastOptions {
        CastOptions { frames_per_second: None, skeleton: true, limits: Limits::default() }
    }
}

/// A clip and its skeleton as a Cast file; what that cannot hold is reported.
///
/// # Errors
///
/// [`CastError`] where the scene is not valid ([`anim_ir::validate`]), has no such clip or no
/// skeleton for it, or would need more samples than the limits allow.
pub fn to_cast(
    scene: &Scene,
    clip: usize,
    options: &CastOptions,
) -> Result<Converted<Vec<u8>>, CastError> {
    if let Some(problem) =
        validate(scene).iter().find(|problem| problem.severity() == Severity::Error)
    {
        return Err(CastError::Invalid(problem.message.clone()));
    }
    let only = alone(scene, clip)?;
    let keyed = only.in_keys(Axes::YUp, &Bake { limits: options.limits, ..Bake::default() })?;
    let (Some(clip), Some(timeline), Some(skeleton)) =
        (keyed.value.clips.first(), keyed.value.timelines.first(), keyed.value.skeletons.first())
    else {
        return Err(CastError::NoSkeleton);
    };
    let rate = match (options.frames_per_second, timeline.time_base) {
        (Some(rate), _) | (None, TimeBase::Frames { per_second: rate }) => rate,
        (None, TimeBase::Seconds | TimeBase::Progress { .. }) => FRAMES_PER_SECOND,
    };
    let frames = Frames::new(clip, rate)?;
    let mut losses = keyed.losses;
    report_what_is_left_out(scene, timeline, skeleton, clip, &mut losses);
    let names = names::unique(skeleton, &mut losses);
    let mut animation = Node::new(Kind::Animation);
    animation.text("n", &clip.name);
    animation.floats("fr", &[rate]);
    animation.bytes("lo", &[u8::from(matches!(clip.wrap, Wrap::Loop | Wrap::PingPong))]);
    animation.children =
        curves::nodes(skeleton, timeline, clip, &names, &frames, &options.limits, &mut losses)?;
    animation.children.extend(notifications(timeline, clip, &frames, &mut losses));
    let mut metadata = Node::new(Kind::Metadata);
    metadata.text("s", "anim-cast");
    metadata.text("up", "y");
    let mut root = Node::new(Kind::Root);
    root.children.push(metadata);
    if options.skeleton {
        root.children.push(model(skeleton, &names));
    }
    root.children.push(animation);
    Ok(Converted { value: node::file(&root)?, losses })
}

/// The clip with what it needs and nothing else.
fn alone(scene: &Scene, clip: usize) -> Result<Scene, CastError> {
    let clip = scene.clips.get(clip).ok_or(CastError::NoClip(clip))?;
    let timeline = scene.timelines.get(clip.timeline).ok_or(CastError::NoSkeleton)?;
    let skeleton = scene
        .skeletons
        .get(timeline.skeleton)
        .filter(|skeleton| !skeleton.joints.is_empty())
        .ok_or(CastError::NoSkeleton)?;
    let mut timeline = timeline.clone();
    timeline.skeleton = 0;
    Ok(Scene {
        axes: scene.axes,
        skeletons: vec![skeleton.clone()],
        timelines: vec![timeline],
        clips: vec![Clip { timeline: 0, ..clip.clone() }],
        ..Scene::default()
    })
}

/// Whether extras name an animation set ([`anim_ir::animation_set`]) and say nothing else.
fn is_set_only(extras: &Extras) -> bool {
    animation_set(extras).is_some()
        && extras.len() == 1
        && extras.values().all(|value| matches!(value, Value::Map(map) if map.len() == 1))
}

fn report_what_is_left_out(
    scene: &Scene,
    timeline: &Timeline,
    skeleton: &Skeleton,
    clip: &Clip,
    losses: &mut Diagnostics,
) {
    if !scene.meshes.is_empty() {
        losses.push(&codes::LOSS_MESHES, None, || {
            format!("meshes that are left out: {}", scene.meshes.len())
        });
    }
    if !scene.cameras.is_empty() {
        losses.push(&codes::LOSS_MESHES, None, || {
            format!("cameras that are left out: {}", scene.cameras.len())
        });
    }
    if !scene.machines.is_empty() {
        losses.push(&codes::LOSS_MACHINE, None, || plural(scene.machines.len(), "state machine"));
    }
    // A set's name is in the clip's.
    let extras = scene.all_extras().filter(|extras| !is_set_only(extras)).count();
    if extras > 0 {
        losses.push(&codes::LOSS_EXTRAS, None, || {
            format!("joints, clips and others whose extras are left out: {extras}")
        });
    }
    let turns_uneven = |joint: &anim_ir::Joint| {
        let scale = joint.rest.scale;
        timeline.pose_space == PoseSpace::DeltaFromRest
            && (scale.x != scale.y || scale.y != scale.z)
    };
    for joint in
        skeleton.joints.iter().filter(|joint| joint.exact_rest.is_some() || turns_uneven(joint))
    {
        losses.push(&codes::LOSS_SHEAR, None, || {
            format!("bone {} has shear", quote(joint.name.as_bytes()))
        });
    }
    if clip.wrap == Wrap::PingPong {
        losses.push(&codes::LOSS_WRAP, None, || {
            format!("animation {} plays ping-pong", quote(clip.name.as_bytes()))
        });
    }
}

/// The bones at rest.
fn model(skeleton: &Skeleton, names: &[String]) -> Node {
    let mut bones = Node::new(Kind::Skeleton);
    for (joint, name) in skeleton.joints.iter().zip(names) {
        let mut bone = Node::new(Kind::Bone);
        bone.text("n", name);
        // -1 for a root.
        bone.integers(
            "p",
            &[joint.parent.and_then(|parent| u32::try_from(parent).ok()).unwrap_or(u32::MAX)],
        );
        // Children scale with their parents.
        bone.bytes("ssc", &[0]);
        bone.vectors("lp", &[joint.rest.translation.to_array()]);
        bone.vectors("lr", &[joint.rest.rotation.to_array()]);
        bone.vectors("s", &[joint.rest.scale.to_array()]);
        bones.children.push(bone);
    }
    let mut model = Node::new(Kind::Model);
    model.text("n", &skeleton.name);
    model.children.push(bones);
    model
}

/// The events of the clip, by their names.
fn notifications(
    timeline: &Timeline,
    clip: &Clip,
    frames: &Frames,
    losses: &mut Diagnostics,
) -> Vec<Node> {
    let mut tracks: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for Event { time, name, payload } in timeline.events.iter().filter(|event| clip.takes(event)) {
        let (frame, is_whole) = frames.nearest(*time);
        if !is_whole {
            losses.push(&codes::EVENT_MOVED, None, || {
                format!("event {} at {time} s is moved to frame {frame}", quote(name.as_bytes()))
            });
        }
        if !payload.is_empty() && !is_set_only(payload) {
            losses.push(&codes::LOSS_PAYLOAD, None, || {
                format!("event {} carries more than its name", quote(name.as_bytes()))
            });
        }
        let list = tracks.entry(name).or_default();
        if list.last() != Some(&frame) {
            list.push(frame);
        }
    }
    let track = |(name, list): (&str, Vec<u32>)| {
        let mut track = Node::new(Kind::NotificationTrack);
        track.text("n", name);
        track.frames("kb", &list);
        track
    };
    tracks.into_iter().map(track).collect()
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
