//! Clips with keys: a still state for each moment that has one, and a keyframe state that plays
//! them.

use anim_ir::diag::{plural, quote};
use anim_ir::number::narrow;
use anim_ir::{
    Curve, Interpolation, LimitError, Mat4, Pose, Sampler, Target, Track, Transform, Vec3, Wrap,
};

use super::waves::degrees;
use super::{Maker, Moving};
use crate::codes;
use crate::error::FromIrError;
use crate::motion::{Behaviour, SequenceType, Step};
use crate::writer::{NewKey, NewMotion, NewNode, NewSequence, NewState};

/// What f32 leaves of a matrix without scale.
const NO_SCALE: f32 = 1e-5;

impl<'a> Maker<'a> {
    /// The states of a clip.
    pub(super) fn keyed(&mut self, name: String, moving: &Moving<'a>) -> Result<(), FromIrError> {
        let times = self.times(moving)?;
        let flat = moving.is_flat();
        let joints = (0..moving.skeleton.joints.len())
            .filter(|joint| !flat || moving.clip.has_joint(*joint))
            .count();
        self.take(times.len().saturating_mul(joints))?;
        let stills = self.stills(moving, &times, flat);
        let mut stills = stills.into_iter();
        let clip = quote(moving.clip.name.as_bytes());
        if !flat {
            self.losses.push(&codes::LOSS_HIERARCHY, None, || {
                format!("{clip} moves joints that hang from others")
            });
        }
        if times.len() < 2 {
            let nodes = stills.next().unwrap_or_default();
            self.states.push(NewState { name, motion: NewMotion::Single(nodes) });
            return Ok(());
        }
        self.losses.push(&codes::LOSS_SAMPLED, None, || {
            format!("{clip} becomes {}", plural(times.len(), "state"))
        });
        let names: Vec<String> = (1..=times.len())
            .map(|number| self.names.numbered(&format!("{name} {number}")))
            .collect();
        let kind = match moving.clip.wrap {
            Wrap::Loop => SequenceType::LoopForwards,
            Wrap::PingPong => SequenceType::PingPongForwards,
            Wrap::Once | Wrap::Unspecified => SequenceType::OnceForwards,
        };
        let morph = tracks(moving).any(|track| is_line(moving, track));
        let way = |from: Option<&f32>, to: Option<&f32>| match (from, to) {
            (Some(from), Some(to)) => Step { seconds: to - from, morph },
            // From the last key to the first no time passes.
            _ => Step::default(),
        };
        let keys = names.iter().enumerate().map(|(index, state)| {
            let (before, after) =
                (index.checked_sub(1).and_then(|before| times.get(before)), times.get(index + 1));
            NewKey {
                state: state.clone(),
                exit: true,
                forward: way(times.get(index), after),
                backward: way(before, times.get(index)),
            }
        });
        let sequence = NewSequence {
            kind,
            start: names.first().cloned().unwrap_or_default(),
            keys: keys.collect(),
        };
        self.states.push(NewState { name, motion: NewMotion::Keyframe(sequence) });
        self.states.extend(
            names
                .into_iter()
                .zip(stills)
                .map(|(name, nodes)| NewState { name, motion: NewMotion::Single(nodes) }),
        );
        Ok(())
    }

    /// The clip's start and end, and all moments between at which a track has a key or a wave a
    /// corner.
    fn times(&self, moving: &Moving<'_>) -> Result<Vec<f32>, LimitError> {
        let (start, end) = (moving.clip.start, moving.clip.end);
        let mut times = vec![start, end];
        let mut moves = false;
        for track in tracks(moving) {
            match &track.curve {
                Curve::Constant(_) => {}
                Curve::Keys { .. } => {
                    let keys = moving.timeline.keys(track).times;
                    moves |= keys.len() > 1;
                    times.extend(keys.iter().filter(|time| start < **time && **time < end));
                }
                Curve::Wave(wave) => {
                    moves |= !wave.is_constant();
                    let (from, to) = (f64::from(start), f64::from(end));
                    let (count, most) = (wave.corner_count(from, to), self.options.limits.samples);
                    if count > f64::from(u32::try_from(most).unwrap_or(u32::MAX)) {
                        return Err(LimitError {
                            what: "the animation",
                            unit: "samples",
                            found: usize::MAX,
                            most,
                        });
                    }
                    times.extend(wave.corners(from, to).into_iter().map(narrow));
                }
            }
        }
        times.sort_by(f32::total_cmp);
        times.dedup();
        times.truncate(if moves { usize::MAX } else { 1 });
        Ok(times)
    }

    /// For each time the nodes as they are then.
    fn stills(&mut self, moving: &Moving<'a>, times: &[f32], flat: bool) -> Vec<Vec<NewNode>> {
        let Moving { clip, timeline, skeleton } = *moving;
        let names = self.nodes.get(timeline.skeleton).map_or(&[][..], Vec::as_slice);
        let mut sampler = Sampler::for_clip(skeleton, timeline, clip);
        let (mut pose, mut places) = (Pose::default(), Vec::new());
        let mut scaled = false;
        let mut stills = Vec::with_capacity(times.len());
        for time in times {
            sampler.sample(f64::from(*time), &mut pose);
            pose.model_matrices(skeleton, &mut places);
            let mut nodes = Vec::new();
            for (index, ((joint, place), name)) in
                skeleton.joints.iter().zip(&places).zip(names).enumerate()
            {
                if flat && !clip.has_joint(index) {
                    continue;
                }
                let transform =
                    if flat { pose.local_transform(joint, index) } else { place.to_transform() };
                scaled |= !is_rigid(*place, transform);
                let Transform { translation, rotation, .. } = transform;
                let orientation = degrees(rotation, self.options.rotation_order);
                nodes.push(NewNode {
                    name: name.clone(),
                    behaviour: Behaviour::Static([translation.to_array(), [0.0; 3], orientation]),
                });
            }
            stills.push(nodes);
        }
        if scaled {
            self.losses.push(&codes::LOSS_SCALE, None, || {
                format!("{} scales or shears joints", quote(clip.name.as_bytes()))
            });
        }
        stills
    }
}

/// Whether a place is what its translation and rotation alone make of it.
pub(super) fn is_rigid(place: Mat4, transform: Transform) -> bool {
    place.is_near(Transform { scale: Vec3::ONE, ..transform }.to_matrix(), NO_SCALE)
}

/// Tracks of joints that the clip moves.
pub(super) fn tracks<'a>(moving: &Moving<'a>) -> impl Iterator<Item = &'a Track> {
    let clip = moving.clip;
    moving
        .timeline
        .tracks()
        .iter()
        .filter(move |track| matches!(track.target, Target::Joint(joint) if clip.has_joint(joint)))
}

/// Whether the pose changes between keys of a track.
fn is_line(moving: &Moving<'_>, track: &Track) -> bool {
    match &track.curve {
        Curve::Constant(_) => false,
        Curve::Wave(wave) => !wave.is_constant(),
        Curve::Keys { .. } => {
            let keys = moving.timeline.keys(track);
            keys.interpolation != Interpolation::Step && keys.times.len() > 1
        }
    }
}
