//! Conversion of scenes to files.

use std::borrow::Cow;
use std::collections::BTreeMap;

use anim_ir::diag::{plural, quote, seconds};
use anim_ir::format::SeveralClips;
use anim_ir::number::{index32, narrow};
use anim_ir::{
    Axes, Bake, Budget, Clip, Converted, Diagnostics, Event, PoseSpace, Scene, Skeleton,
    SkeletonId, Timeline, TimelineId, UniqueNames, UpAxis, Wrap, require_valid,
};

use crate::codes;
use crate::curves::{self, Frames};
use crate::error::FromIrError;
use crate::node::{self, Kind, Node};

/// Default frame rate for timelines without one.
const FRAMES_PER_SECOND: f64 = 30.0;

anim_ir::options! {
    /// Options for writing a scene.
    pub struct FromIr {
        /// Frames per second, greater than 0. `None` uses the timeline's frame rate, or 30 if it
        /// has none.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("fps", None,
                "Sampling rate, for targets that cannot store the source's keys exactly. glTF \
                 and X3D keys keep their times unless a rate is given");
        /// Whether to include the skeleton. A program that already has the model only needs the
        /// animation.
        skeleton (with_skeleton): bool = true;
    }
}

/// Writes a scene's only clip and its skeleton as a Cast file, and reports losses.
///
/// # Errors
///
/// Returns [`FromIrError`] if the scene is invalid ([`anim_ir::validate`]), has no clip, has
/// several clips ([`Scene::keep_clip`] selects one) or has no skeleton for the clip, if the frame
/// rate is invalid, or if the clip, its samples or the file exceed a limit.
pub fn from_ir(scene: &Scene, options: &FromIr) -> Result<Converted<Vec<u8>>, FromIrError> {
    require_valid(scene)?;
    SeveralClips::check(scene)?;
    let only = alone(scene)?;
    let budget = Budget::for_scene(&options.limits, scene);
    let keyed = only.in_keys(Axes::YUp, &Bake::default(), &budget)?;
    let Some(clip) = keyed.value.clips.first() else { return Err(FromIrError::Empty) };
    let (timeline, skeleton) = keyed.value.motion_of(clip).ok_or(FromIrError::NoSkeleton)?;
    let rate = options.frames_per_second.or(timeline.time_base.frames_per_second());
    let frames = Frames::new(clip, rate.unwrap_or(FRAMES_PER_SECOND))?;
    let mut losses = keyed.losses;
    report_what_is_left_out(scene, timeline, skeleton, clip, &mut losses);
    let names = unique_names(skeleton, &mut losses);
    let mut animation = Node::new(Kind::Animation);
    animation.text("n", &clip.name);
    animation.floats("fr", &[narrow(frames.rate)]);
    animation.bytes("lo", &[u8::from(matches!(clip.wrap, Wrap::Loop | Wrap::PingPong))]);
    animation.children =
        curves::nodes(skeleton, timeline, clip, &names, &frames, &budget, &mut losses)?;
    animation.children.extend(notifications(timeline, clip, &frames, &mut losses));
    let mut metadata = Node::new(Kind::Metadata);
    metadata.text("s", "anim-cast");
    let up = scene.guess_up();
    let is_z = up.axis == UpAxis::Z && up.evidence.decides();
    metadata.text("up", if is_z { "z" } else { "y" });
    let mut root = Node::new(Kind::Root);
    root.children.push(metadata);
    if options.skeleton {
        root.children.push(model(skeleton, &names));
    }
    root.children.push(animation);
    Ok(Converted { value: node::file(&root)?, losses })
}

/// Returns the scene reduced to the clip, its timeline and its skeleton.
fn alone(scene: &Scene) -> Result<Scene, FromIrError> {
    let clip = scene.clips.first().ok_or(FromIrError::Empty)?;
    let (timeline, skeleton) = scene
        .motion_of(clip)
        .filter(|(_, skeleton)| !skeleton.joints.is_empty())
        .ok_or(FromIrError::NoSkeleton)?;
    let mut timeline = timeline.clone();
    timeline.skeleton = SkeletonId::default();
    Ok(Scene {
        axes: scene.axes,
        skeletons: vec![skeleton.clone()],
        timelines: vec![timeline],
        clips: vec![Clip { timeline: TimelineId::default(), ..clip.clone() }],
        ..Scene::default()
    })
}

fn report_what_is_left_out(
    scene: &Scene,
    timeline: &Timeline,
    skeleton: &Skeleton,
    clip: &Clip,
    losses: &mut Diagnostics,
) {
    let (meshes, cameras) = (scene.meshes.len(), scene.cameras.len());
    let machines = scene.machines.len();
    for (code, count, message) in [
        (&codes::LOSS_MESHES, meshes, format!("dropped meshes: {meshes}")),
        (&codes::LOSS_MESHES, cameras, format!("dropped cameras: {cameras}")),
        (&codes::LOSS_MACHINE, machines, plural(machines, "state machine")),
    ] {
        if count > 0 {
            losses.push(code, None, || message);
        }
    }
    losses.lost_extras(&codes::LOSS_EXTRAS, scene.all_extras().count());
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
    if matches!(clip.wrap, Wrap::PingPong | Wrap::PingPongOnce) {
        losses.push(&codes::LOSS_WRAP, None, || {
            format!("animation {} plays ping-pong", quote(clip.name.as_bytes()))
        });
    }
}

/// Returns unique names for the joints, in order, and reports renamed joints. A number is appended
/// if an earlier joint has the same name, ignoring case.
fn unique_names(skeleton: &Skeleton, losses: &mut Diagnostics) -> Vec<String> {
    let mut taken = UniqueNames::ignoring_case();
    let mut names = Vec::with_capacity(skeleton.joints.len());
    for joint in &skeleton.joints {
        let name = taken.claim(match joint.name.as_str() {
            "" => Cow::Borrowed("bone"),
            // Strings in the file are NUL-terminated, so a name must not contain NUL.
            own if own.contains('\0') => Cow::Owned(own.replace('\0', "_")),
            own => Cow::Borrowed(own),
        });
        if name != joint.name {
            losses.push(&codes::LOSS_NAME, None, || {
                let [own, name] = [&joint.name, &*name].map(|name| quote(name.as_bytes()));
                format!("bone {own} is renamed to {name}")
            });
        }
        names.push(name.into_owned());
    }
    names
}

/// Returns the model node, with the bones in their rest pose.
fn model(skeleton: &Skeleton, names: &[String]) -> Node {
    let mut bones = Node::new(Kind::Skeleton);
    for (joint, name) in skeleton.joints.iter().zip(names) {
        let mut bone = Node::new(Kind::Bone);
        bone.text("n", name);
        // The parent index of a root is -1.
        bone.integers("p", &[joint.parent.map_or(u32::MAX, |parent| index32(parent.index()))]);
        // Children inherit the scale of their parents.
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

/// Returns a notification track for each event name in the clip.
fn notifications(
    timeline: &Timeline,
    clip: &Clip,
    frames: &Frames,
    losses: &mut Diagnostics,
) -> Vec<Node> {
    let mut tracks: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    let events = timeline.events.iter().filter(|event| clip.contains_event(event));
    for Event { time, name, payload, .. } in events {
        let (frame, is_whole) = frames.nearest(*time);
        if !is_whole {
            losses.push(&codes::EVENT_MOVED, None, || {
                format!(
                    "event {} at {} is moved to frame {frame}",
                    quote(name.as_bytes()),
                    seconds(*time)
                )
            });
        }
        if !payload.is_empty() {
            losses.push(&codes::LOSS_PAYLOAD, None, || {
                format!("event {} has data other than its name", quote(name.as_bytes()))
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
