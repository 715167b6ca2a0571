//! Keys for what is no keys: waves, angles, offsets and states.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use crate::file::diag::{Category, Code, Converted, Diagnostics, Severity, plural};
use crate::file::limits::{LimitError, Limits};
use crate::file::number::narrow;
use crate::math::linear::{Quat, Transform};
use crate::model::axes::Axes;
use crate::model::clip::{Clip, Wrap};
use crate::model::machine::{DEEPEST, Motion, Sequence, SequenceOrder, StateMachine};
use crate::model::scene::{Playable, Scene};
use crate::model::skeleton::{Joint, Skeleton};
use crate::model::timeline::{
    Channel, Curve, Interpolation, PoseSpace, Target, TimeBase, Timeline, TimelineBuilder, Track,
};
use crate::play::sample::{Pose, Sampler};

/// Motion that is no keys was sampled.
pub static BAKED: Code = Code {
    id: "ir-baked",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "Waves, three angles or states of states have no counterpart in the format that is \
              written.",
    example: "a sine about the y axis",
    action: "They become keys, close enough for straight lines between them to stay within a \
             stated part of what moves.",
};

/// How to make keys.
#[derive(Clone, Copy, Debug)]
pub struct Bake {
    /// How far what is played may be from what is meant, as a part of how far the joint moves (or
    /// turns) in the clip.
    pub tolerance: f64,
    /// Bounds on what is made. A sample is a moment that is looked at.
    pub limits: Limits,
}

impl Default for Bake {
    fn default() -> Bake {
        Bake { tolerance: 0.001, limits: Limits::default() }
    }
}

impl Scene {
    /// The scene with translations, rotations and scales as keys, for formats that have nothing
    /// else: a clip for each state of its machines, from 0 s to the end of its clip or of one
    /// round. Where it has nothing else already, it is as it is.
    ///
    /// # Errors
    ///
    /// [`LimitError`] where that takes more moments than the limits allow.
    pub fn baked(&self, options: &Bake) -> Result<Converted<Cow<'_, Scene>>, LimitError> {
        let to_bake: Vec<bool> = self
            .timelines
            .iter()
            .map(|timeline| timeline.tracks().iter().any(is_not_plain))
            .collect();
        let sequences = self.machines.iter().any(|machine| {
            machine.states.iter().any(|state| matches!(state.motion, Motion::Sequence(_)))
        });
        let mut losses = Diagnostics::new();
        if !sequences && !to_bake.contains(&true) {
            return Ok(Converted { value: Cow::Borrowed(self), losses });
        }
        let mut baker =
            Baker { scene: self, options, tracks: Rc::new(Tracks::of(self)), samples: 0 };
        let mut made = Vec::new();
        let (mut clips, mut keys) = (0_usize, 0_usize);
        let mut scene = self.clone();
        for (number, clip) in self
            .clips
            .iter()
            .enumerate()
            .filter(|(_, clip)| to_bake.get(clip.timeline) == Some(&true))
        {
            let Some(timeline) = self.timelines.get(clip.timeline) else { continue };
            let joints = timeline
                .tracks()
                .iter()
                .filter_map(joint_of)
                .filter(|joint| clip.has_joint(*joint))
                .collect();
            let source = Source::Clip { clip, timeline };
            let baked = baker.timeline(
                &source,
                timeline.skeleton,
                &joints,
                (f64::from(clip.start), f64::from(clip.end)),
            )?;
            made.push((number, baked));
        }
        for machine in &self.machines {
            for state in &machine.states {
                let Motion::Sequence(sequence) = &state.motion else { continue };
                let (clip, baked) = baker.sequence(machine, sequence)?;
                made.push((scene.clips.len(), baked));
                scene.clips.push(Clip { name: state.name.clone(), ..clip });
            }
        }
        for (clip, timeline) in made {
            (clips, keys) = (clips.saturating_add(1), keys.saturating_add(timeline.key_count()));
            if let Some(clip) = scene.clips.get_mut(clip) {
                clip.timeline = scene.timelines.len();
            }
            scene.timelines.push(timeline);
        }
        scene.forget_timelines(|index| to_bake.get(index) != Some(&false));
        losses.push(&BAKED, None, || {
            let part = options.tolerance * 100.0;
            format!(
                "{} made of waves or states: {}, within {part} % of what moves",
                plural(clips, "clip"),
                plural(keys, "key")
            )
        });
        Ok(Converted { value: Cow::Owned(scene), losses })
    }

    /// Leaves nothing of what is played but one thing: a clip as it is, a state that plays a clip
    /// as that clip, and a sequence as a clip of one round.
    ///
    /// # Errors
    ///
    /// [`LimitError`] where the keys of a sequence take more moments than the limits allow; the
    /// scene is then as it was.
    pub fn keep(&mut self, playable: Playable, options: &Bake) -> Result<(), LimitError> {
        let Playable::State { machine, state } = playable else {
            if let Playable::Clip(clip) = playable {
                self.keep_clip(clip);
            }
            return Ok(());
        };
        let state =
            self.machines.get(machine).and_then(|machine| machine.states.get(state)).cloned();
        match state.map(|state| (state.name, state.motion)) {
            Some((_, Motion::Clip(clip))) => self.keep_clip(clip),
            Some((name, Motion::Sequence(sequence))) => {
                let mut baker =
                    Baker { scene: self, options, tracks: Rc::new(Tracks::of(self)), samples: 0 };
                let Some(of) = self.machines.get(machine) else { return Ok(()) };
                let (clip, timeline) = baker.sequence(of, &sequence)?;
                self.machines.clear();
                self.clips = vec![Clip { name, timeline: 0, ..clip }];
                self.timelines = vec![timeline];
            }
            None => self.keep_clip(usize::MAX),
        }
        Ok(())
    }

    /// What writers of formats with axes of their own and nothing but keys start from:
    /// [`Scene::in_axes`], then [`Scene::baked`]. The scene must be valid.
    ///
    /// # Errors
    ///
    /// As [`Scene::baked`].
    pub fn in_keys(
        &self,
        axes: Axes,
        options: &Bake,
    ) -> Result<Converted<Cow<'_, Scene>>, LimitError> {
        match self.in_axes(axes) {
            Cow::Borrowed(scene) => scene.baked(options),
            Cow::Owned(turned) => {
                let Converted { value, losses } = turned.baked(options)?;
                let baked = if let Cow::Owned(baked) = value { Some(baked) } else { None };
                Ok(Converted { value: Cow::Owned(baked.unwrap_or(turned)), losses })
            }
        }
    }
}

/// Whether a track is none of those that every format has.
fn is_not_plain(track: &Track) -> bool {
    matches!(track.curve, Curve::Wave(_))
        || matches!(track.channel, Channel::Euler(_) | Channel::Offset)
}

const fn joint_of(track: &Track) -> Option<usize> {
    match track.target {
        Target::Joint(joint) => Some(joint),
        Target::Node(_) => None,
    }
}

/// What is played.
enum Source<'a> {
    Clip { clip: &'a Clip, timeline: &'a Timeline },
    Sequence { machine: &'a StateMachine, sequence: &'a Sequence },
}

/// Where a joint is.
#[derive(Clone, Copy, Debug)]
struct Place {
    translation: [f64; 3],
    rotation: Quat,
    scale: [f64; 3],
}

struct Baker<'a> {
    scene: &'a Scene,
    options: &'a Bake,
    tracks: Rc<Tracks<'a>>,
    /// Moments looked at so far.
    samples: usize,
}

impl<'a> Baker<'a> {
    fn spend(&mut self, samples: usize) -> Result<(), LimitError> {
        self.samples = self.samples.saturating_add(samples);
        let most = self.options.limits.samples;
        if self.samples > most {
            Err(LimitError { what: "what is baked", unit: "moments", found: self.samples, most })
        } else {
            Ok(())
        }
    }

    /// One round of a sequence; where that takes no time, the clip of the state that it stays at.
    fn sequence(
        &mut self,
        machine: &'a StateMachine,
        sequence: &'a Sequence,
    ) -> Result<(Clip, Timeline), LimitError> {
        let mut end = sequence.duration();
        let mut wrap =
            if sequence.order() == SequenceOrder::OnceForwards { Wrap::Once } else { Wrap::Loop };
        if end == 0.0 {
            let key = sequence.at(0.0).and_then(|moment| sequence.keys().get(moment.key));
            let state =
                key.and_then(|key| machine.states.get(key.state?)).map(|state| &state.motion);
            if let Some(Motion::Clip(clip)) = state
                && let Some(clip) = self.scene.clips.get(*clip)
            {
                (end, wrap) = (f64::from(clip.end) - f64::from(clip.start), clip.wrap);
            }
        }
        let joints = self.joints(machine, sequence)?;
        let timeline = self.timeline(
            &Source::Sequence { machine, sequence },
            machine.skeleton,
            &joints,
            (0.0, end),
        )?;
        Ok((Clip { end: narrow(end), wrap, ..Clip::default() }, timeline))
    }

    /// The joints that any of a sequence's states moves, or a state of these, as deep as sequences
    /// are followed.
    fn joints(
        &mut self,
        machine: &StateMachine,
        sequence: &Sequence,
    ) -> Result<BTreeSet<usize>, LimitError> {
        let mut joints = BTreeSet::new();
        let mut level: Vec<usize> = sequence.keys().iter().filter_map(|key| key.state).collect();
        let mut seen: BTreeSet<usize> = level.iter().copied().collect();
        for _ in 0..DEEPEST {
            self.spend(level.len())?;
            let mut below = Vec::new();
            for state in level {
                match machine.states.get(state).map(|state| &state.motion) {
                    Some(Motion::Clip(clip)) => {
                        let Some(clip) = self.scene.clips.get(*clip) else { continue };
                        let Some(timeline) = self.scene.timelines.get(clip.timeline) else {
                            continue;
                        };
                        joints.extend(
                            self.tracks.joints(timeline).filter(|joint| clip.has_joint(*joint)),
                        );
                    }
                    Some(Motion::Sequence(inner)) => {
                        below.extend(
                            inner
                                .keys()
                                .iter()
                                .filter_map(|key| key.state)
                                .filter(|state| seen.insert(*state)),
                        );
                    }
                    None => {}
                }
            }
            level = below;
        }
        Ok(joints)
    }

    fn timeline(
        &mut self,
        source: &Source<'a>,
        skeleton: usize,
        joints: &BTreeSet<usize>,
        range: (f64, f64),
    ) -> Result<Timeline, LimitError> {
        let (name, time_base, pose_space) = match source {
            Source::Clip { timeline, .. } => {
                (timeline.name.as_str(), timeline.time_base, timeline.pose_space)
            }
            Source::Sequence { .. } => ("", TimeBase::Seconds, PoseSpace::ParentRelative),
        };
        let mut builder = TimelineBuilder::new(name)
            .skeleton(skeleton)
            .time_base(time_base)
            .pose_space(pose_space);
        if let Source::Clip { timeline, .. } = source {
            copy_plain(timeline, joints, &mut builder);
        }
        for joint in joints {
            let Some(rest) =
                self.scene.skeletons.get(skeleton).and_then(|skeleton| skeleton.joints.get(*joint))
            else {
                continue;
            };
            let mut player = JointPlayer {
                scene: self.scene,
                joint: *joint,
                rest,
                pose_space,
                tracks: Rc::clone(&self.tracks),
                alone: HashMap::new(),
                pose: Pose::default(),
                looks: 0,
                visits: Cell::new(0),
            };
            if let Source::Clip { clip, timeline } = source {
                if !player.has_more_than_keys(timeline) {
                    continue;
                }
                // Asked for once, so that it is there.
                player.prepare(clip, timeline);
            }
            self.joint(source, &mut player, range, &mut builder)?;
        }
        let mut timeline = builder.finish();
        if let Source::Clip { timeline: from, clip } = source {
            timeline.events =
                from.events.iter().filter(|event| clip.takes(event)).cloned().collect();
        }
        Ok(timeline)
    }

    /// The keys of one joint.
    fn joint(
        &mut self,
        source: &Source<'a>,
        player: &mut JointPlayer<'a>,
        (from, to): (f64, f64),
        builder: &mut TimelineBuilder,
    ) -> Result<(), LimitError> {
        let count = player.corner_count(source, from, to);
        // The count may be beyond any number that a list can have.
        let countable = count <= MOST_CORNERS && player.visits.get() < MOST_VISITS;
        self.spend(if countable { 0 } else { usize::MAX })?;
        let corners = player.corners(source, from, to);
        self.spend(corners.len())?;
        let mut bounds = vec![from];
        bounds.extend(corners);
        if to > from {
            bounds.push(to);
        }
        // What a value is just behind and just before a corner, where it may jump.
        let mut pieces: Vec<[(f64, Place); 2]> = Vec::new();
        for pair in bounds.windows(2) {
            let &[start, end] = pair else { continue };
            let inside = (end - start) * 1e-9;
            pieces.push([
                (start, player.at(source, start + inside)),
                (end, player.at(source, end - inside)),
            ]);
            self.spend(std::mem::take(&mut player.looks))?;
        }
        if pieces.is_empty() {
            let place = player.at(source, from);
            pieces.push([(from, place), (from, place)]);
        }
        let range = Range::of(&pieces, |time| player.at(source, time));
        self.spend(std::mem::take(&mut player.looks))?;
        let target = Target::Joint(player.joint);
        for channel in [Channel::Translation, Channel::Rotation, Channel::Scale] {
            let keys = self.channel(source, player, &pieces, channel, &range)?;
            let rest = Place::of(if player.pose_space == PoseSpace::ParentRelative {
                player.rest.rest
            } else {
                Transform::IDENTITY
            });
            let (times, values): (Vec<f32>, Vec<Vec<f32>>) = keys.into_iter().unzip();
            let still = values.iter().all(|value| Some(value) == values.first());
            // Times ascend and numbers are finite.
            let added = match values.first() {
                Some(value) if still && *value == rest.numbers(channel) => Ok(()),
                Some(value) if still => builder.constant(target, channel, value),
                _ => builder.keys(target, channel, Interpolation::Linear, &times, &values.concat()),
            };
            debug_assert_eq!(added, Ok(()));
        }
        Ok(())
    }

    /// The keys of one channel: at corners, and between them where straight lines are not near
    /// enough.
    fn channel(
        &mut self,
        source: &Source<'a>,
        player: &mut JointPlayer<'a>,
        pieces: &[[(f64, Place); 2]],
        channel: Channel,
        range: &Range,
    ) -> Result<Vec<(f32, Vec<f32>)>, LimitError> {
        let tolerance = range.tolerance(channel, self.options.tolerance);
        let mut keys: Vec<(f32, Vec<f32>)> = Vec::new();
        let mut at_last: Option<Place> = None;
        let mut put = |time: f64, place: &Place| {
            let (time, value) = (narrow(time), place.numbers(channel));
            let jumps = at_last
                .replace(*place)
                .is_some_and(|last| last.distance(place, channel) > tolerance);
            match keys.last_mut() {
                // The value jumps: the old one holds up to the moment before.
                Some((last, _)) if *last >= time && jumps => {
                    let before = time.next_down();
                    let second = keys
                        .len()
                        .checked_sub(2)
                        .and_then(|at| keys.get(at))
                        .map(|(time, _)| *time);
                    if second.is_some_and(|second| second >= before) {
                        keys.pop();
                    } else if let Some((last, _)) = keys.last_mut() {
                        *last = before;
                    }
                    keys.push((time, value));
                }
                Some((last, _)) if *last >= time => {}
                _ => keys.push((time, value)),
            }
        };
        for [start, end] in pieces {
            put(start.0, &start.1);
            // From the left to the right; what is split has its right half below its left one.
            let mut open = vec![(*start, *end, 0_u32)];
            while let Some((a, b, depth)) = open.pop() {
                let probes = [0.23, 0.5, 0.81]
                    .map(|part| (part, player.at(source, a.0 + (b.0 - a.0) * part)));
                self.spend(std::mem::take(&mut player.looks))?;
                let near = probes.iter().all(|(part, place)| {
                    place.distance(&a.1.toward(&b.1, *part), channel) <= tolerance
                });
                if near || depth >= MOST_HALVINGS {
                    put(b.0, &b.1);
                } else {
                    let [_, (_, half), _] = probes;
                    let middle = (a.0 + (b.0 - a.0) * 0.5, half);
                    open.push((middle, b, depth.saturating_add(1)));
                    open.push((a, middle, depth.saturating_add(1)));
                }
            }
        }
        Ok(keys)
    }
}

/// More corners of one joint are not listed.
const MOST_CORNERS: f64 = 1e7;
/// The tracks of each joint, by timeline: a scene may have a hundred thousand of either.
#[derive(Default)]
struct Tracks<'a>(HashMap<*const Timeline, BTreeMap<usize, Vec<&'a Track>>>);

impl<'a> Tracks<'a> {
    fn of(scene: &'a Scene) -> Tracks<'a> {
        let mut tracks = Tracks::default();
        for timeline in &scene.timelines {
            let by_joint = tracks.0.entry(timeline).or_default();
            for track in timeline.tracks() {
                if let Some(joint) = joint_of(track) {
                    by_joint.entry(joint).or_default().push(track);
                }
            }
        }
        tracks
    }

    fn joints(&self, timeline: &Timeline) -> impl Iterator<Item = usize> {
        self.0.get(&std::ptr::from_ref(timeline)).into_iter().flat_map(BTreeMap::keys).copied()
    }

    fn of_joint(&self, timeline: &Timeline, joint: usize) -> &[&'a Track] {
        self.0
            .get(&std::ptr::from_ref(timeline))
            .and_then(|joints| joints.get(&joint))
            .map_or(&[], Vec::as_slice)
    }
}

/// No more parts of sequences of sequences are looked at for one joint.
const MOST_VISITS: usize = 4_000_000;
/// How often a piece between two corners is halved at most.
const MOST_HALVINGS: u32 = 16;

/// Tracks of joints that have nothing but keys, and those of nodes.
fn copy_plain(timeline: &Timeline, joints: &BTreeSet<usize>, builder: &mut TimelineBuilder) {
    let special: BTreeSet<usize> =
        timeline.tracks().iter().filter(|track| is_not_plain(track)).filter_map(joint_of).collect();
    for track in timeline.tracks() {
        let is_copied = joint_of(track).is_none_or(|joint| {
            joints.contains(&joint)
                && (!special.contains(&joint) || track.channel == Channel::Visibility)
        });
        if is_copied {
            copy_track(timeline, track, track.target, builder);
        }
    }
}

fn copy_track(timeline: &Timeline, track: &Track, target: Target, builder: &mut TimelineBuilder) {
    let copied = match &track.curve {
        Curve::Constant(value) => builder.constant(target, track.channel, value),
        Curve::Wave(wave) => builder.wave(target, track.channel, *wave),
        Curve::Keys { .. } => {
            let keys = timeline.keys(track);
            let values: Vec<f32> = keys.values().flatten().copied().collect();
            builder.keys(target, track.channel, keys.interpolation, keys.times, &values)
        }
    };
    // It was a track before.
    debug_assert_eq!(copied, Ok(()));
}

/// One joint, played alone: the others cost nothing.
struct JointPlayer<'a> {
    scene: &'a Scene,
    joint: usize,
    rest: &'a Joint,
    pose_space: PoseSpace,
    tracks: Rc<Tracks<'a>>,
    /// For each clip, by its address in the scene, a skeleton of this joint alone and its tracks;
    /// `None` where the clip does not move it.
    alone: HashMap<*const Clip, Option<(Skeleton, Timeline)>>,
    pose: Pose,
    /// How often a clip was looked at.
    looks: usize,
    /// How many parts of sequences were visited.
    visits: Cell<usize>,
}

impl<'a> JointPlayer<'a> {
    fn has_more_than_keys(&self, timeline: &Timeline) -> bool {
        self.tracks.of_joint(timeline, self.joint).iter().any(|track| is_not_plain(track))
    }

    fn prepare(&mut self, clip: &'a Clip, timeline: &Timeline) {
        let (joint, rest, tracks) = (self.joint, self.rest, Rc::clone(&self.tracks));
        self.alone.entry(clip).or_insert_with(|| {
            let tracks = tracks.of_joint(timeline, joint).iter().filter(|_| clip.has_joint(joint));
            let mut builder = TimelineBuilder::new("").pose_space(timeline.pose_space);
            let mut count = 0_usize;
            for track in tracks {
                copy_track(timeline, track, Target::Joint(0), &mut builder);
                count = count.saturating_add(1);
            }
            let mut skeleton = Skeleton::nodes("");
            skeleton.joints.push(Joint { parent: None, ..rest.clone() });
            (count > 0 || clip.joints.as_ref().is_some_and(|joints| joints.contains(&joint)))
                .then(|| (skeleton, builder.finish()))
        });
    }

    /// Where it is; at rest where nothing moves it.
    fn at(&mut self, source: &Source<'a>, time: f64) -> Place {
        let rest = Place::of(if self.pose_space == PoseSpace::ParentRelative {
            self.rest.rest
        } else {
            Transform::IDENTITY
        });
        match source {
            Source::Clip { clip, timeline } => self.in_clip(clip, timeline, time).unwrap_or(rest),
            Source::Sequence { machine, sequence } => {
                self.in_sequence(machine, sequence, time, DEEPEST).unwrap_or(rest)
            }
        }
    }

    fn in_clip(&mut self, clip: &'a Clip, timeline: &'a Timeline, time: f64) -> Option<Place> {
        self.prepare(clip, timeline);
        self.looks = self.looks.saturating_add(1);
        let (skeleton, timeline) = self.alone.get(&std::ptr::from_ref(clip))?.as_ref()?;
        Sampler::new(skeleton, timeline).sample(time, &mut self.pose);
        self.pose.transforms.first().copied().map(Place::of)
    }

    fn in_sequence(
        &mut self,
        machine: &'a StateMachine,
        sequence: &'a Sequence,
        time: f64,
        depth: usize,
    ) -> Option<Place> {
        let moment = sequence.at(time)?;
        let here = self.in_key(machine, sequence, moment.key, time, depth);
        let Some((next, part)) = moment.blend else { return here };
        let there = self.in_key(machine, sequence, next, time, depth);
        match (here, there) {
            (Some(here), Some(there)) => Some(here.toward(&there, part)),
            (here, there) => here.or(there),
        }
    }

    fn in_key(
        &mut self,
        machine: &'a StateMachine,
        sequence: &'a Sequence,
        key: usize,
        time: f64,
        depth: usize,
    ) -> Option<Place> {
        match &machine.states.get(sequence.keys().get(key)?.state?)?.motion {
            Motion::Clip(clip) => {
                let clip = self.scene.clips.get(*clip)?;
                self.in_clip(
                    clip,
                    self.scene.timelines.get(clip.timeline)?,
                    f64::from(clip.start) + time,
                )
            }
            Motion::Sequence(inner) if depth > 1 => {
                self.in_sequence(machine, inner, time, depth.saturating_sub(1))
            }
            Motion::Sequence(_) => None,
        }
    }

    /// How many moments [`JointPlayer::corners`] has at most.
    fn corner_count(&self, source: &Source<'a>, from: f64, to: f64) -> f64 {
        let mut count = 0.0;
        self.each_part(source, from, to, &mut |timeline, _, from, to| {
            for track in self.tracks.of_joint(timeline, self.joint) {
                count += match &track.curve {
                    Curve::Wave(wave) => wave.corner_count(from, to),
                    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
                    Curve::Keys { .. } => timeline.keys(track).times.len() as f64,
                    Curve::Constant(_) => 0.0,
                };
            }
        });
        count
    }

    /// The moments inside a range at which something jumps or bends, in order.
    fn corners(&self, source: &Source<'a>, from: f64, to: f64) -> Vec<f64> {
        let mut corners = Vec::new();
        self.each_part(source, from, to, &mut |timeline, ahead, from, to| {
            corners.extend([from, to]);
            for track in self.tracks.of_joint(timeline, self.joint) {
                match &track.curve {
                    Curve::Wave(wave) => corners.extend(
                        wave.corners(from + ahead, to + ahead).into_iter().map(|time| time - ahead),
                    ),
                    Curve::Keys { .. } => corners.extend(
                        timeline.keys(track).times.iter().map(|time| f64::from(*time) - ahead),
                    ),
                    Curve::Constant(_) => {}
                }
            }
        });
        corners.retain(|time| from < *time && *time < to);
        corners.sort_by(f64::total_cmp);
        // Moments that f32 cannot tell apart are one.
        corners.dedup_by(|a, b| narrow(*a) <= narrow(*b));
        corners.retain(|time| narrow(from) < narrow(*time) && narrow(*time) < narrow(to));
        corners
    }

    /// The timelines that have a part in the source, each with how far ahead its time is and the
    /// range in which it plays.
    fn each_part(
        &self,
        source: &Source<'a>,
        from: f64,
        to: f64,
        visit: &mut dyn FnMut(&Timeline, f64, f64, f64),
    ) {
        match source {
            Source::Clip { timeline, .. } => visit(timeline, 0.0, from, to),
            Source::Sequence { machine, sequence } => {
                self.each_in_sequence(machine, sequence, from, to, DEEPEST, visit)
            }
        }
    }

    fn each_in_sequence(
        &self,
        machine: &StateMachine,
        sequence: &Sequence,
        from: f64,
        to: f64,
        depth: usize,
        visit: &mut dyn FnMut(&Timeline, f64, f64, f64),
    ) {
        let mut bounds: Vec<f64> = vec![from];
        let round = sequence.duration();
        if round > 0.0 {
            // Of an inner sequence several rounds may lie in the range.
            #[expect(clippy::cast_precision_loss, reason = "an estimate")]
            let parts = ((to - from) / round + 2.0) * sequence.keys().len() as f64;
            if parts > MOST_CORNERS {
                self.visits.set(MOST_VISITS);
                return;
            }
            let mut began = (from / round).floor() * round;
            while began < to {
                bounds.extend(
                    sequence
                        .boundaries()
                        .map(|time| began + time)
                        .filter(|time| from < *time && *time < to),
                );
                let next = began + round;
                if next <= began || sequence.order() == SequenceOrder::OnceForwards {
                    break;
                }
                began = next;
            }
        }
        bounds.push(to);
        for pair in bounds.windows(2) {
            let &[start, end] = pair else { continue };
            self.visits.set(self.visits.get().saturating_add(1));
            if self.visits.get() >= MOST_VISITS {
                return;
            }
            let Some(moment) = sequence.at(start + (end - start) * 0.5) else { continue };
            for key in [Some(moment.key), moment.blend.map(|(next, _)| next)].into_iter().flatten()
            {
                let state = sequence.keys().get(key).and_then(|key| machine.states.get(key.state?));
                match state.map(|state| &state.motion) {
                    Some(Motion::Clip(clip)) => {
                        if let Some(clip) = self.scene.clips.get(*clip)
                            && let Some(timeline) = self.scene.timelines.get(clip.timeline)
                        {
                            visit(timeline, f64::from(clip.start), start, end);
                        }
                    }
                    Some(Motion::Sequence(inner)) if depth > 1 => {
                        self.each_in_sequence(
                            machine,
                            inner,
                            start,
                            end,
                            depth.saturating_sub(1),
                            visit,
                        );
                    }
                    _ => {}
                }
            }
        }
    }
}

impl Place {
    fn of(Transform { translation, rotation, scale }: Transform) -> Place {
        Place {
            translation: translation.to_array().map(f64::from),
            rotation,
            scale: scale.to_array().map(f64::from),
        }
    }

    /// A part of the way to another.
    fn toward(&self, other: &Place, part: f64) -> Place {
        let line = |a: [f64; 3], b: [f64; 3]| {
            [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part]
        };
        Place {
            translation: line(self.translation, other.translation),
            rotation: self.rotation.slerp(other.rotation, narrow(part)),
            scale: line(self.scale, other.scale),
        }
    }

    /// How far two are from each other: in units of length, or radians.
    fn distance(&self, other: &Place, channel: Channel) -> f64 {
        let length = |a: [f64; 3], b: [f64; 3]| {
            ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2) + (a[2] - b[2]).powi(2)).sqrt()
        };
        match channel {
            Channel::Translation => length(self.translation, other.translation),
            Channel::Scale => length(self.scale, other.scale),
            _ => {
                let [a, b] = [self.rotation, other.rotation]
                    .map(|rotation| rotation.to_array().map(f64::from));
                let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                let sign = if dot < 0.0 { -1.0 } else { 1.0 };
                let chord: f64 = a.iter().zip(b).map(|(a, b)| (a - b * sign).powi(2)).sum();
                4.0 * (chord.sqrt() * 0.5).min(1.0).asin()
            }
        }
    }

    fn numbers(&self, channel: Channel) -> Vec<f32> {
        match channel {
            Channel::Translation => self.translation.map(narrow).to_vec(),
            Channel::Scale => self.scale.map(narrow).to_vec(),
            _ => self.rotation.to_array().to_vec(),
        }
    }
}

/// How far a joint moves, as far as corners and moments between them tell.
#[derive(Debug, Default)]
struct Range {
    moves: f64,
    turns: f64,
    grows: f64,
    /// The greatest number there is, below whose last digit nothing can be told.
    greatest: f64,
}

impl Range {
    fn of(pieces: &[[(f64, Place); 2]], mut at: impl FnMut(f64) -> Place) -> Range {
        let mut range = Range::default();
        let Some([(_, first), _]) = pieces.first() else { return range };
        for [start, end] in pieces {
            let between = [0.25, 0.5, 0.75].map(|part| at(start.0 + (end.0 - start.0) * part));
            for place in between.iter().chain([&start.1, &end.1]) {
                range.moves = range.moves.max(first.distance(place, Channel::Translation));
                range.turns = range.turns.max(first.distance(place, Channel::Rotation));
                range.grows = range.grows.max(first.distance(place, Channel::Scale));
                range.greatest = place
                    .translation
                    .iter()
                    .chain(&place.scale)
                    .fold(range.greatest, |most, number| most.max(number.abs()));
            }
        }
        range
    }

    fn tolerance(&self, channel: Channel, part: f64) -> f64 {
        let (range, least) = match channel {
            Channel::Translation => (self.moves, self.greatest * f64::from(f32::EPSILON)),
            Channel::Scale => (self.grows, self.greatest * f64::from(f32::EPSILON)),
            _ => (self.turns, 2e-6),
        };
        // A little is left for the rounding of keys, and for what lies between the moments that are
        // looked at.
        (range * part * 0.7).max(least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::euler::EulerOrder;
    use crate::model::machine::{SequenceKey, State, StatePlayer, Transition};
    use crate::model::wave::{Wave, WaveShape};
    use proptest::prelude::*;

    const SHAPES: [WaveShape; 5] = [
        WaveShape::Sawtooth,
        WaveShape::Triangle,
        WaveShape::Once,
        WaveShape::Sine,
        WaveShape::Growth,
    ];

    fn scene(waves: &[[Wave; 3]], end: f32) -> Scene {
        let mut skeleton = Skeleton::nodes("s");
        let mut builder = TimelineBuilder::new("t");
        for (joint, [displacement, angles, offset]) in waves.iter().enumerate() {
            skeleton.joints.push(Joint::new(format!("j{joint}"), None));
            let target = Target::Joint(joint);
            builder.wave(target, Channel::Translation, *displacement).unwrap();
            builder.wave(target, Channel::Euler(EulerOrder::Zyx), *angles).unwrap();
            builder.wave(target, Channel::Offset, *offset).unwrap();
        }
        let clip = Clip { name: "waves".into(), end, ..Clip::default() };
        Scene {
            skeletons: vec![skeleton],
            timelines: vec![builder.finish()],
            clips: vec![clip],
            ..Scene::default()
        }
    }

    fn at(scene: &Scene, clip: &Clip, time: f64) -> Vec<Place> {
        let (timeline, mut pose) = (&scene.timelines[clip.timeline], Pose::default());
        Sampler::new(&scene.skeletons[timeline.skeleton], timeline).sample(time, &mut pose);
        pose.transforms.iter().copied().map(Place::of).collect()
    }

    /// How far the baked scene is from what it was made of, as a part of how far each joint moves
    /// and turns: the greatest of many moments, but for those within a rounding error of a jump.
    fn worst(
        times: &[f64],
        exact: impl Fn(f64) -> Vec<Place>,
        found: impl Fn(f64) -> Vec<Place>,
        end: f64,
    ) -> f64 {
        let joints = exact(0.0).len();
        let mut worst: f64 = 0.0;
        for joint in 0..joints {
            let all: Vec<Place> =
                (0..=400).map(|step| exact(end * f64::from(step) / 400.0)[joint]).collect();
            let range = |channel| {
                all.iter().map(|place| all[0].distance(place, channel)).fold(1e-4, f64::max)
            };
            let (moves, turns) = (range(Channel::Translation), range(Channel::Rotation));
            for time in times {
                let error = |time: f64| {
                    let (a, b) = (exact(time)[joint], found(time)[joint]);
                    (a.distance(&b, Channel::Translation) / moves)
                        .max(a.distance(&b, Channel::Rotation) / turns)
                };
                let near_a_jump = [-1e-6, 1e-6].map(|away| error(time + away * end.max(1.0)));
                worst = worst.max(error(*time).min(near_a_jump[0]).min(near_a_jump[1]));
            }
        }
        worst
    }

    fn wave() -> impl Strategy<Value = Wave> {
        let vector = || prop::array::uniform3(-3.0f32..3.0);
        let shape = prop::sample::select(SHAPES.to_vec());
        (shape, any::<bool>(), vector(), vector(), 0.3f32..4.0, -5.0f32..5.0).prop_map(
            |(shape, backwards, start, end, period, offset)| Wave {
                shape,
                backwards,
                start,
                end,
                period,
                offset,
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn baked_waves_stay_near(waves in prop::collection::vec(prop::array::uniform3(wave()), 1..3), times in prop::collection::vec(0.0f64..1.0, 60)) {
            let scene = scene(&waves, 4.0);
            let baked = scene.baked(&Bake::default()).unwrap();
            prop_assert_eq!(baked.losses.count(&BAKED), 1);
            let found = &*baked.value;
            prop_assert!(found.timelines.iter().flat_map(Timeline::tracks).all(|track| !is_not_plain(track)));
            prop_assert!(crate::validate(found).is_empty());
            let times: Vec<f64> = times.iter().map(|time| time * 4.0).collect();
            let worst = worst(&times, |time| at(&scene, &scene.clips[0], time), |time| at(found, &found.clips[0], time), 4.0);
            prop_assert!(worst < 0.001, "{worst}");
        }
    }

    #[test]
    fn jumps_are_double_keys_and_lines_have_none_between() {
        let wave = Wave { end: [8.0, 0.0, 0.0], period: 2.0, ..Wave::default() };
        let still = Wave::default();
        let baked =
            scene(&[[wave, still, still]], 4.0).baked(&Bake::default()).unwrap().value.into_owned();
        let timeline = &baked.timelines[baked.clips[0].timeline];
        let [track] = timeline.tracks() else { panic!("one track: {:?}", timeline.tracks()) };
        let keys = timeline.keys(track);
        assert_eq!(keys.times, [0.0, 2.0_f32.next_down(), 2.0, 4.0]);
        let x: Vec<f32> = keys.values().map(|value| value[0].round()).collect();
        assert_eq!(x, [0.0, 8.0, 0.0, 8.0]);
    }

    #[test]
    fn what_has_keys_only_is_left_alone() {
        let mut builder = TimelineBuilder::new("t");
        builder
            .keys(Target::Joint(0), Channel::Translation, Interpolation::Linear, &[0.0], &[1.0; 3])
            .unwrap();
        let scene = Scene { timelines: vec![builder.finish()], ..Scene::default() };
        assert!(matches!(scene.baked(&Bake::default()).unwrap().value, Cow::Borrowed(_)));
    }

    #[test]
    fn too_much_is_refused_before_it_is_made() {
        let fast = Wave { end: [1.0; 3], period: 1e-30, ..Wave::default() };
        let error = scene(&[[fast, Wave::default(), Wave::default()]], 60.0)
            .baked(&Bake::default())
            .unwrap_err();
        assert_eq!(error.unit, "moments");
    }

    /// Two waves and a state that goes round them, morphing and switching; and one that plays that
    /// one.
    #[test]
    fn sequences_become_a_clip_of_one_round() {
        let mut scene = scene(
            &[[
                Wave {
                    end: [4.0, 0.0, 0.0],
                    period: 1.5,
                    shape: WaveShape::Sine,
                    ..Wave::default()
                },
                Wave::default(),
                Wave::default(),
            ]],
            1.5,
        );
        let mut builder = TimelineBuilder::new("other");
        builder.constant(Target::Joint(0), Channel::Translation, &[0.0, 6.0, 0.0]).unwrap();
        builder
            .constant(Target::Joint(0), Channel::Euler(EulerOrder::Zyx), &[0.0, 1.0, 0.0])
            .unwrap();
        scene.timelines.push(builder.finish());
        scene.clips.push(Clip { name: "other".into(), timeline: 1, ..Clip::default() });
        let way = |seconds, morph| Transition { seconds, morph };
        let key = |state, forward| SequenceKey {
            state: Some(state),
            exit: true,
            forward,
            backward: way(1.0, true),
        };
        let sequence = |order, keys| Motion::Sequence(Sequence::new(order, 0, keys));
        let states = vec![
            State { name: "waves".into(), motion: Motion::Clip(0) },
            State { name: "other".into(), motion: Motion::Clip(1) },
            State {
                name: "round".into(),
                motion: sequence(
                    SequenceOrder::LoopForwards,
                    vec![key(0, way(1.0, true)), key(1, way(0.5, false))],
                ),
            },
            State {
                name: "nested".into(),
                motion: sequence(
                    SequenceOrder::OnceForwards,
                    vec![key(2, way(4.0, true)), key(1, way(0.5, false))],
                ),
            },
        ];
        scene.machines.push(StateMachine { states, ..StateMachine::default() });
        let baked = scene.baked(&Bake::default()).unwrap().value.into_owned();
        assert_eq!(
            baked.clips.iter().map(|clip| clip.name.as_str()).collect::<Vec<_>>(),
            ["waves", "other", "round", "nested"]
        );
        for (state, end) in [(2, 1.5), (3, 4.0)] {
            let clip = &baked.clips[state];
            assert_eq!(f64::from(clip.end), end);
            let exact = |time: f64| {
                let (mut player, mut pose) =
                    (StatePlayer::new(&scene, 0).unwrap(), Pose::default());
                player.enter(state);
                player.advance(time);
                player.pose(&mut pose);
                pose.transforms.iter().copied().map(Place::of).collect()
            };
            let times: Vec<f64> = (1..200).map(|step| end * f64::from(step) / 200.0).collect();
            let worst = worst(&times, exact, |time| at(&baked, clip, time), end);
            assert!(worst < 0.001, "state {state}: {worst}");
        }
    }
}
