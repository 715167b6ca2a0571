//! Restores the states of an STT file from a glTF file that was converted from it.

use std::collections::{HashMap, HashSet};

use anim_gltf::Gltf;
use anim_ir::diag::quote;
use anim_ir::format::{Context, Read as _};
use anim_ir::{
    Bake, Channel, Clip, ClipId, Converted, Diagnostics, Extras, JointId, Pose, Sampler, Scene,
    Track, Transform, Value, Vec3,
};
use fmt_stt::ToIr;

use crate::codes;

/// Maximum deviation of keys from the states that they were baked from, relative to the range of
/// the joint's positions, or for its scale.
const TOLERANCE: f64 = 0.002;
/// The same for rotations, in radians.
const ANGLE: f64 = 0.005;
/// A further deviation of positions due to rounding, relative to their distance from the origin.
const ROUNDING: f64 = 1e-5;

/// Converts a file to a scene, restoring the states it was converted from.
pub(crate) fn to_scene(
    document: &anim_gltf::Document<'_>,
    context: &mut Context<'_>,
) -> Converted<Scene> {
    let mut made = Gltf::to_ir(document, &context.settings.apply(), context);
    let losses = restore(&mut made.value, &context.settings.apply());
    made.losses.append(losses);
    made
}

/// Replaces keys with the waves and states they were baked from, provided that each state still has
/// its animation, with the keys that baking it makes. Otherwise, the file has been edited, and the
/// keys take precedence.
fn restore(scene: &mut Scene, options: &ToIr) -> Diagnostics {
    let mut losses = Diagnostics::new();
    let Some(document) = fmt_stt::from_extras(&scene.extras) else { return losses };
    // States do not affect meshes, which may be large.
    let meshes = std::mem::take(&mut scene.meshes);
    match restored(scene, &document, options) {
        Ok(restored) => *scene = restored,
        Err(state) => losses.push(&codes::STATES_EDITED, None, || {
            let name = quote(state.as_bytes());
            format!("the animation of state {name} is missing or does not match the state")
        }),
    }
    scene.meshes = meshes;
    losses
}

/// Returns the scene with its states restored, or the name of a state that has changed.
fn restored(
    scene: &Scene,
    document: &fmt_stt::Document<'_>,
    options: &ToIr,
) -> Result<Scene, String> {
    let mut numbered: HashMap<(&str, Option<usize>), ClipId> = HashMap::new();
    for (id, clip) in scene.enumerate_clips() {
        numbered.entry((&clip.name, state_number(&clip.extras))).or_insert(id);
    }
    let mut baked = HashSet::new();
    for (number, state) in document.states().enumerate() {
        let number = state.sequence().is_none().then_some(number);
        let name = state.name();
        let clip = numbered.get(&(&*name, number)).copied();
        baked.insert(clip.ok_or_else(|| name.to_string())?);
    }
    let mut restored = scene.clone();
    restored.remove_clips(|number, _| baked.contains(&number));
    let others = restored.clips.len();
    let rotation_order = fmt_stt::rotation_order(&scene.extras).unwrap_or(options.rotation_order);
    let mut options = options.clone();
    options.rotation_order = rotation_order;
    restored.take_motion(fmt_stt::to_ir(document, &options).value);
    let motion = Scene {
        axes: restored.axes,
        skeletons: restored.skeletons.clone(),
        timelines: restored.timelines.clone(),
        clips: restored.clips.clone(),
        machines: restored.machines.clone(),
        ..Scene::default()
    };
    // Keys that exceed the limits cannot have been baked.
    let expected = motion.baked(&Bake::default().with_limits(options.limits));
    let expected: &Scene = &expected.map_err(|_| String::new())?.value;
    for state in expected.clips.iter().skip(others) {
        // Of several sequences with the same name, the first is compared.
        let clip = numbered.remove(&(&*state.name, state_number(&state.extras)));
        if let Some(clip) = clip.and_then(|clip| scene.clip(clip))
            && !is_unedited((scene, clip), (expected, state))
        {
            return Err(state.name.clone());
        }
    }
    Ok(restored)
}

/// Whether a clip has the keys that a state was baked to: no channel deviates from the state at any
/// of its keys. Fewer keys, as after resampling, do not count as a change, but those baked with
/// another tolerance may.
fn is_unedited((scene, clip): (&Scene, &Clip), (baked, state): (&Scene, &Clip)) -> bool {
    let (Some((keys, _)), Some((expected, skeleton))) =
        (scene.motion_of(clip), baked.motion_of(state))
    else {
        return false;
    };
    if keys.skeleton != expected.skeleton && !keys.tracks().is_empty() {
        return false;
    }
    let mut samplers = [(keys, clip), (expected, state)].map(|(timeline, clip)| {
        let of_joints = Sampler::for_each_joint(skeleton, timeline, clip);
        (f64::from(clip.start), of_joints.collect::<Vec<(JointId, Sampler<'_>)>>())
    });
    // Clips may have few keys, all of them at the same position.
    let mut ranges: HashMap<JointId, f64> = HashMap::new();
    for track in expected.tracks().iter().filter(|track| track.channel == Channel::Translation) {
        let Some(joint) = track.joint() else { continue };
        let values = || expected.keys(track).values().filter_map(|value| value.first_chunk::<3>());
        let Some(first) = values().next() else { continue };
        let distances = values().map(|value| Vec3::from(*value).distance(Vec3::from(*first)));
        ranges.insert(joint, distances.fold(0.0, f64::max));
    }
    let keyed: HashSet<JointId> = keys.tracks().iter().filter_map(Track::joint).collect();
    let is_other = |track: &&Track| track.joint().is_some_and(|joint| !keyed.contains(&joint));
    let own = keys.tracks().iter().map(|track| (track, keys, clip));
    // Joints that the clip does not move are compared at the keys of the state.
    let others = expected.tracks().iter().filter(is_other).map(|track| (track, expected, state));
    own.chain(others).all(|(track, timeline, range)| {
        let Some(id) = track.joint().filter(|_| track.channel != Channel::Visibility) else {
            return false;
        };
        let Some(joint) = skeleton.joint(id) else { return false };
        let of_joint = ranges.get(&id).copied();
        let mut worst = Worst { range: of_joint.unwrap_or_default(), ..Worst::default() };
        for time in timeline.keys(track).times {
            let time = f64::from(time.max(range.start)) - f64::from(range.start);
            let [found, baked] = samplers.each_mut().map(|(start, samplers)| {
                let place = samplers.binary_search_by_key(&id, |(joint, _)| *joint);
                let sampler = place.ok().and_then(|place| samplers.get_mut(place));
                let Some((_, sampler)) = sampler else { return joint.rest };
                let mut pose = Pose::default();
                sampler.sample(*start + time, &mut pose);
                pose.local_transform(joint, JointId::new(0))
            });
            worst.take(track.channel, found, baked);
        }
        worst.is_near()
    })
}

/// The largest differences between the transforms of a joint and those of a state.
#[derive(Default)]
struct Worst {
    distance: f64,
    angle: f64,
    scale: f64,
    /// The largest distance of a position from the origin.
    size: f64,
    /// The largest distance of positions of the state from the first.
    range: f64,
}

impl Worst {
    /// Compares what a channel animates.
    fn take(&mut self, channel: Channel, found: Transform, baked: Transform) {
        match channel {
            Channel::Rotation => {
                self.angle = self.angle.max(found.rotation.angle_to(baked.rotation))
            }
            Channel::Scale => self.scale = self.scale.max(found.scale.distance(baked.scale)),
            _ => {
                self.size = self.size.max(baked.translation.length());
                self.distance = self.distance.max(found.translation.distance(baked.translation));
            }
        }
    }

    fn is_near(&self) -> bool {
        self.distance <= self.range * TOLERANCE + self.size * ROUNDING
            && self.angle <= ANGLE
            && self.scale <= TOLERANCE
    }
}

/// Returns the index of the state that a clip was converted from.
fn state_number(extras: &Extras) -> Option<usize> {
    let Value::Map(stt) = extras.get("stt")? else { return None };
    let Value::Number(number) = stt.get("state")? else { return None };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates to an index that no state has"
    )]
    let index = *number as usize;
    Some(index)
}
