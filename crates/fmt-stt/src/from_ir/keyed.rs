//! Clips with keys: a static state for each key time, and a keyframe state that plays
//! them.

use anim_ir::diag::{plural, quote};
use anim_ir::number::{count, narrow};
use anim_ir::{
    Curve, Interpolation, LimitError, Mat4, Pose, Sampler, Track, Transform, Vec3, Wrap,
};

use super::maker::{Maker, Moving, NODE_BYTES, STILLS};
use super::waves::degrees;
use crate::codes;
use crate::error::FromIrError;
use crate::motion::{Behaviour, SequenceType, Step};
use crate::writer::{NewKey, NewMotion, NewNode, NewSequence, NewState};

/// Maximum deviation from a rigid matrix that is attributed to f32 rounding.
const NO_SCALE: f32 = 1e-5;

impl<'a> Maker<'a> {
    /// Writes the states of a clip.
    pub(super) fn keyed(&mut self, name: String, moving: &Moving<'a>) -> Result<(), FromIrError> {
        let times = self.times(moving)?;
        let poses = times.len().saturating_mul(moving.joints().len());
        self.budget.charge(STILLS, poses.saturating_mul(NODE_BYTES))?;
        let stills = self.stills(moving, &times);
        let mut stills = stills.into_iter();
        let clip = quote(moving.clip.name.as_bytes());
        if times.len() < 2 {
            let nodes = stills.next().unwrap_or_default();
            self.states.push(NewState { name, motion: NewMotion::Single(nodes) });
            return Ok(());
        }
        self.losses.push(&codes::LOSS_SAMPLED, None, || {
            format!("{clip} becomes {}", plural(times.len(), "state"))
        });
        let names: Vec<String> = (1..=times.len())
            .map(|number| self.names.claim(format!("{name} {number}")).into_owned())
            .collect();
        let kind = match moving.clip.wrap {
            Wrap::Loop => SequenceType::LoopForwards,
            Wrap::PingPong => SequenceType::PingPongForwards,
            _ => SequenceType::OnceForwards,
        };
        // A clip that plays forwards and back once repeats its keys in reverse, omitting the last
        // key.
        let back = moving.clip.wrap == Wrap::PingPongOnce;
        let back = (0..times.len().saturating_sub(1)).rev().filter(|_| back);
        let order: Vec<usize> = (0..times.len()).chain(back).collect();
        let morph = tracks(moving).any(|track| is_line(moving, track));
        let step = |from: Option<usize>, to: Option<usize>| {
            let time = |place: Option<usize>| order.get(place?).and_then(|key| times.get(*key));
            match (time(from), time(to)) {
                (Some(from), Some(to)) => Step { seconds: (to - from).abs(), morph },
                // The step from the last key to the first is instantaneous.
                _ => Step::default(),
            }
        };
        let states = order.iter().filter_map(|key| names.get(*key)).enumerate();
        let keys = states.map(|(place, state)| NewKey {
            state: state.clone(),
            exit: true,
            forward: step(Some(place), place.checked_add(1)),
            backward: step(place.checked_sub(1), Some(place)),
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

    /// Returns the clip's start and end, and all times between them at which a track has a key or a
    /// wave has a corner. If nothing moves, returns only the start.
    fn times(&self, moving: &Moving<'_>) -> Result<Vec<f32>, LimitError> {
        let (start, end) = (moving.clip.start, moving.clip.end);
        let mut times = vec![start, end];
        let mut moves = false;
        for track in tracks(moving) {
            match &track.curve {
                Curve::Keys { .. } => {
                    let keys = moving.timeline.keys(track).times;
                    moves |= keys.len() > 1;
                    times.extend(keys.iter().filter(|time| start < **time && **time < end));
                }
                Curve::Wave(wave) => {
                    moves |= !wave.is_constant();
                    let (from, to) = (f64::from(start), f64::from(end));
                    self.budget.charge_each::<f64>(STILLS, count(wave.corner_count(from, to)))?;
                    times.extend(wave.corners(from, to).into_iter().map(narrow));
                }
                _ => {}
            }
        }
        times.sort_by(f32::total_cmp);
        times.dedup();
        times.truncate(if moves { usize::MAX } else { 1 });
        Ok(times)
    }

    /// Returns the nodes' poses at each time.
    fn stills(&mut self, moving: &Moving<'a>, times: &[f32]) -> Vec<Vec<NewNode>> {
        let Moving { clip, timeline, skeleton } = *moving;
        let names = self.nodes.get(timeline.skeleton.index()).map_or(&[][..], Vec::as_slice);
        let joints = moving.joints();
        let mut sampler = Sampler::for_clip(skeleton, timeline, clip);
        let mut pose = Pose::default();
        let mut scaled = false;
        let mut stills = Vec::with_capacity(times.len());
        for time in times {
            sampler.sample(f64::from(*time), &mut pose);
            let mut nodes = Vec::with_capacity(joints.len());
            for (id, joint) in &joints {
                let transform = pose.local_transform(joint, *id);
                scaled |= !is_rigid(pose.local_matrix(joint, *id), transform);
                let Transform { translation, rotation, .. } = transform;
                let orientation = degrees(rotation, self.options.rotation_order);
                nodes.push(NewNode {
                    name: names.get(id.index()).cloned().unwrap_or_default(),
                    behaviour: Behaviour::Static([translation.to_array(), [0.0; 3], orientation]),
                });
            }
            stills.push(nodes);
        }
        self.losses.lost(&codes::LOSS_SCALE, scaled, || {
            format!("{} scales or shears joints", quote(clip.name.as_bytes()))
        });
        stills
    }
}

/// Whether a matrix consists of only a translation and a rotation.
pub(super) fn is_rigid(place: Mat4, transform: Transform) -> bool {
    place.is_near(Transform { scale: Vec3::ONE, ..transform }.to_matrix(), NO_SCALE)
}

/// Returns the tracks of the joints that the clip animates.
pub(super) fn tracks<'a>(moving: &Moving<'a>) -> impl Iterator<Item = &'a Track> {
    let clip = moving.clip;
    let has = move |track: &&Track| track.joint().is_some_and(|joint| clip.has_joint(joint));
    moving.timeline.tracks().iter().filter(has)
}

/// Whether a track changes continuously, not in steps.
fn is_line(moving: &Moving<'_>, track: &Track) -> bool {
    match &track.curve {
        Curve::Constant(_) => false,
        Curve::Wave(wave) => !wave.is_constant(),
        Curve::Keys { .. } => {
            let keys = moving.timeline.keys(track);
            keys.interpolation != Interpolation::Step && keys.times.len() > 1
        }
        _ => true,
    }
}
