//! States that play clips, or other states one after the other, and a player that goes from state
//! to state.

use std::collections::HashMap;

use crate::file::number::narrow;
use crate::math::linear::Transform;
use crate::model::extras::Extras;
use crate::model::scene::Scene;
use crate::model::skeleton::Skeleton;
use crate::play::sample::{Pose, Sampler};

/// Named states of a skeleton, one of which is played at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateMachine {
    /// Name; may be empty.
    pub name: String,
    /// Index of the skeleton in the scene.
    pub skeleton: usize,
    /// In the order of the file.
    pub states: Vec<State>,
    /// What the format says beyond this.
    pub extras: Extras,
}

/// A state.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Name in the file; not necessarily unique.
    pub name: String,
    /// What is played in it.
    pub motion: Motion,
}

/// What a state plays.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// A clip of the scene, by its number. Waves run on behind its end.
    Clip(usize),
    /// Other states.
    Sequence(Sequence),
}

/// In which order a sequence plays its keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SequenceOrder {
    /// Stays at the start.
    #[default]
    Stay,
    /// Forwards, and from the last key to the first.
    LoopForwards,
    /// Backwards, and from the first key to the last.
    LoopBackwards,
    /// Forwards to the last key, back to the first, and so on.
    PingPongForwards,
    /// Backwards to the first key, forth to the last, and so on.
    PingPongBackwards,
    /// Forwards to the last key, where it stays.
    OnceForwards,
}

impl SequenceOrder {
    /// `stay`, `loop forwards`, …
    pub const fn name(self) -> &'static str {
        match self {
            SequenceOrder::Stay => "stay",
            SequenceOrder::LoopForwards => "loop forwards",
            SequenceOrder::LoopBackwards => "loop backwards",
            SequenceOrder::PingPongForwards => "ping-pong forwards",
            SequenceOrder::PingPongBackwards => "ping-pong backwards",
            SequenceOrder::OnceForwards => "once forwards",
        }
    }
}

/// The way from a key of a sequence to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Transition {
    /// How long it takes, in seconds, not negative.
    pub seconds: f32,
    /// Whether the pose changes on the way. Otherwise it stays, and changes at the end.
    pub morph: bool,
}

/// A state that a sequence plays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SequenceKey {
    /// Index in the machine; `None` where the file names a state that is not there: everything is
    /// at rest.
    pub state: Option<usize>,
    /// Whether the machine may leave the sequence here.
    pub exit: bool,
    /// To the next key.
    pub forward: Transition,
    /// To the previous one.
    pub backward: Transition,
}

/// States that are played one after the other. Each plays by the clock of the sequence, which
/// starts at 0 when that is entered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    order: SequenceOrder,
    start: usize,
    keys: Vec<SequenceKey>,
    legs: Vec<Leg>,
}

/// A way that is taken in a round of the sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Leg {
    from: usize,
    to: usize,
    /// Seconds from the start of the round.
    start: f64,
    end: f64,
    morph: bool,
}

/// Where a sequence is at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The key that is shown, or that the way leads from.
    pub key: usize,
    /// The key that the way leads to and how far along it is, from 0 to 1, while the pose changes.
    pub blend: Option<(usize, f64)>,
}

impl Sequence {
    /// A sequence that starts at one of its keys; at the first where there is no such key. Times
    /// that are negative or not finite count as 0.
    pub fn new(order: SequenceOrder, start: usize, keys: Vec<SequenceKey>) -> Sequence {
        let count = keys.len();
        let start = if start < count { start } else { 0 };
        let mut sequence = Sequence { order, start, keys, legs: Vec::new() };
        let last = count.saturating_sub(1);
        // Where the round leads: forwards or not, and from which keys on.
        let up = |from: usize, to: usize| (from..to).map(|key| (key, true));
        let down =
            |from: usize, to: usize| (to.saturating_add(1)..=from).rev().map(|key| (key, false));
        let around = |forwards: bool| {
            (0..count).map(move |step| {
                (
                    if forwards { start + step } else { start + count - step } % count.max(1),
                    forwards,
                )
            })
        };
        let ways: Vec<(usize, bool)> = match order {
            _ if count == 0 => Vec::new(),
            SequenceOrder::Stay => Vec::new(),
            SequenceOrder::LoopForwards => around(true).collect(),
            SequenceOrder::LoopBackwards => around(false).collect(),
            SequenceOrder::PingPongForwards => {
                up(start, last).chain(down(last, 0)).chain(up(0, start)).collect()
            }
            SequenceOrder::PingPongBackwards => {
                down(start, 0).chain(up(0, last)).chain(down(last, start)).collect()
            }
            SequenceOrder::OnceForwards => up(start, last).collect(),
        };
        let mut now = 0.0_f64;
        for (from, forwards) in ways {
            let Some(key) = sequence.keys.get(from) else { continue };
            let Transition { seconds, morph } = if forwards { key.forward } else { key.backward };
            let to = if forwards { (from + 1) % count } else { (from + count - 1) % count };
            let end = now + if seconds.is_finite() { f64::from(seconds).max(0.0) } else { 0.0 };
            sequence.legs.push(Leg { from, to, start: now, end, morph });
            now = end;
        }
        if now == 0.0 && order != SequenceOrder::OnceForwards {
            // A round that takes no time leads nowhere.
            sequence.legs.clear();
        }
        sequence
    }

    /// How it is played.
    pub const fn order(&self) -> SequenceOrder {
        self.order
    }

    /// The key that it starts with.
    pub const fn start(&self) -> usize {
        self.start
    }

    /// Its keys.
    pub fn keys(&self) -> &[SequenceKey] {
        &self.keys
    }

    /// Seconds that a whole round takes, or the way to the last key where it stays there; 0 where
    /// it stays at the start.
    pub fn duration(&self) -> f64 {
        self.legs.last().map_or(0.0, |leg| leg.end)
    }

    /// The moments of a round at which keys are reached, in seconds, in order.
    pub fn boundaries(&self) -> impl Iterator<Item = f64> {
        self.legs.iter().map(|leg| leg.end)
    }

    /// The ways that are taken, each once, in the order of a round: from which key, to which, and
    /// how.
    pub fn ways(&self) -> impl Iterator<Item = (usize, usize, Transition)> {
        // A round that goes there and back takes some ways twice, but none of them in the same
        // direction.
        let mut seen = std::collections::HashSet::new();
        let seconds = |leg: &Leg| narrow(leg.end - leg.start);
        self.legs.iter().filter(move |leg| seen.insert((leg.from, leg.to))).map(move |leg| {
            (leg.from, leg.to, Transition { seconds: seconds(leg), morph: leg.morph })
        })
    }

    /// Whether it starts again after [`Sequence::duration`].
    const fn repeats(&self) -> bool {
        !matches!(self.order, SequenceOrder::OnceForwards)
    }

    /// Where it is at a time in seconds since it was entered; `None` where it has no keys. Before 0
    /// it is at the start.
    pub fn at(&self, time: f64) -> Option<Moment> {
        if self.keys.is_empty() {
            return None;
        }
        let (_, leg, now) = self.locate(time);
        Some(match self.legs.get(leg) {
            Some(Leg { from, to, start, end, morph: true }) => {
                Moment { key: *from, blend: Some((*to, (now - start) / (end - start))) }
            }
            Some(Leg { from, .. }) => Moment { key: *from, blend: None },
            None => Moment { key: self.resting(), blend: None },
        })
    }

    /// The key that is shown where no way is taken any more.
    fn resting(&self) -> usize {
        self.legs.last().filter(|_| !self.repeats()).map_or(self.start, |leg| leg.to)
    }

    /// When the round began, which leg it is at, and how far the round is. Behind the last leg: at
    /// rest.
    fn locate(&self, time: f64) -> (f64, usize, f64) {
        let duration = self.duration();
        let time = if time.is_finite() { time.max(0.0) } else { 0.0 };
        let began = if self.repeats() && duration > 0.0 {
            (time / duration).floor() * duration
        } else {
            0.0
        };
        let mut now = (time - began).max(0.0);
        if self.repeats() && duration > 0.0 && now >= duration {
            now = 0.0;
        }
        (began, self.legs.partition_point(|leg| leg.end <= now), now)
    }

    /// Whether it may be left at a time: it is at a key that allows that, not on a way on which the
    /// pose changes, unless that begins just then.
    fn may_leave_at(&self, time: f64) -> bool {
        let (_, leg, now) = self.locate(time);
        let key = match self.legs.get(leg) {
            Some(leg) if leg.morph && leg.start < now => return false,
            Some(leg) => leg.from,
            None => self.resting(),
        };
        self.keys.get(key).is_none_or(|key| key.exit)
    }

    /// The first time after `from`, not after `to`, at which it reaches a key that it may be left
    /// at.
    fn next_exit(&self, from: f64, to: f64) -> Option<f64> {
        let (mut began, first, _) = self.locate(from);
        // What is not found in a round is never found.
        let rounds = if self.repeats() { 2 } else { 1 };
        for round in 0..rounds {
            let skipped = if round == 0 { first } else { 0 };
            for leg in self.legs.iter().skip(skipped) {
                let time = began + leg.end;
                if time > to {
                    return None;
                }
                if time > from && self.keys.get(leg.to).is_some_and(|key| key.exit) {
                    return Some(time);
                }
            }
            began += self.duration();
        }
        None
    }
}

/// How deep sequences of sequences are followed. What lies deeper is at rest; each level may double
/// the work.
pub(crate) const DEEPEST: usize = 8;
/// Samplers that are kept for the next time. More are made anew.
const KEPT: usize = 64;

/// Plays a state machine: in a game loop `advance`, then `pose`. Once every state has been shown
/// nothing is allocated.
#[derive(Clone, Debug)]
pub struct StatePlayer<'a> {
    scene: &'a Scene,
    machine: &'a StateMachine,
    skeleton: &'a Skeleton,
    state: usize,
    clock: f64,
    requested: Option<usize>,
    samplers: HashMap<usize, Sampler<'a>>,
    spare: Vec<Posed>,
}

/// A pose, and which joints have a part in it; the others are at rest.
#[derive(Clone, Debug, Default)]
struct Posed {
    pose: Pose,
    moved: Vec<bool>,
}

impl<'a> StatePlayer<'a> {
    /// How deep sequences of sequences are followed: a sequence of clips is one level. What lies
    /// deeper is at rest.
    pub const DEEPEST: usize = DEEPEST;

    /// A player in the first state of a machine; `None` where the scene has no such machine, or not
    /// its skeleton.
    pub fn new(scene: &'a Scene, machine: usize) -> Option<StatePlayer<'a>> {
        let machine = scene.machines.get(machine)?;
        let skeleton = scene.skeletons.get(machine.skeleton)?;
        Some(StatePlayer {
            scene,
            machine,
            skeleton,
            state: 0,
            clock: 0.0,
            requested: None,
            samplers: HashMap::new(),
            spare: Vec::new(),
        })
    }

    /// Goes to a state, whatever is played now. Its clock starts at 0.
    pub fn enter(&mut self, state: usize) {
        (self.state, self.clock, self.requested) = (state, 0.0, None);
    }

    /// The state that is played.
    pub const fn state(&self) -> usize {
        self.state
    }

    /// Seconds since it was entered.
    pub const fn clock(&self) -> f64 {
        self.clock
    }

    /// The state that is waited for.
    pub const fn requested(&self) -> Option<usize> {
        self.requested
    }

    /// Where the sequence is that is played; `None` in a state that plays a clip.
    pub fn moment(&self) -> Option<Moment> {
        self.sequence()?.at(self.clock)
    }

    fn sequence(&self) -> Option<&'a Sequence> {
        match &self.machine.states.get(self.state)?.motion {
            Motion::Sequence(sequence) => Some(sequence),
            Motion::Clip(_) => None,
        }
    }

    /// Asks for a state: a clip is left at once, a sequence when it is at a key that allows it. A
    /// later request takes the place of an earlier one.
    pub fn request(&mut self, state: usize) {
        self.requested = Some(state);
        self.leave_if_possible();
    }

    fn leave_if_possible(&mut self) {
        let may_leave = self.sequence().is_none_or(|sequence| sequence.may_leave_at(self.clock));
        if let Some(state) = self.requested.filter(|_| may_leave) {
            self.enter(state);
        }
    }

    /// Lets time pass, in seconds. A state that is entered on the way has what is left of it.
    pub fn advance(&mut self, seconds: f64) {
        let seconds = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        let until = self.clock + seconds;
        if let (Some(state), Some(sequence)) = (self.requested, self.sequence())
            && let Some(exit) = sequence.next_exit(self.clock, until)
        {
            self.enter(state);
            self.clock = until - exit;
            return;
        }
        self.clock = until;
        self.leave_if_possible();
    }

    /// The pose at this moment.
    pub fn pose(&mut self, pose: &mut Pose) {
        let mut made = self.spare.pop().unwrap_or_default();
        std::mem::swap(&mut made.pose, pose);
        self.fill(self.state, self.clock, DEEPEST, &mut made);
        std::mem::swap(&mut made.pose, pose);
        self.spare.push(made);
    }

    /// The pose of a state at a time of its clock.
    fn fill(&mut self, state: usize, time: f64, depth: usize, into: &mut Posed) {
        match self.machine.states.get(state).map(|state| &state.motion) {
            Some(Motion::Clip(clip)) => self.fill_clip(*clip, time, into),
            Some(Motion::Sequence(sequence)) if depth > 0 => {
                let Some(Moment { key, blend }) = sequence.at(time) else {
                    return self.fill_rest(into);
                };
                let state_of = |key: usize| sequence.keys.get(key).and_then(|key| key.state);
                self.fill_key(state_of(key), time, depth, into);
                let Some((next, part)) = blend else { return };
                let mut other = self.spare.pop().unwrap_or_default();
                self.fill_key(state_of(next), time, depth, &mut other);
                into.blend(&other, narrow(part));
                self.spare.push(other);
            }
            _ => self.fill_rest(into),
        }
    }

    fn fill_key(&mut self, state: Option<usize>, time: f64, depth: usize, into: &mut Posed) {
        match state {
            Some(state) => self.fill(state, time, depth.saturating_sub(1), into),
            None => self.fill_rest(into),
        }
    }

    fn fill_clip(&mut self, number: usize, time: f64, into: &mut Posed) {
        let scene = self.scene;
        let Some((clip, timeline)) = scene
            .clips
            .get(number)
            .and_then(|clip| Some((clip, scene.timelines.get(clip.timeline)?)))
        else {
            return self.fill_rest(into);
        };
        if self.samplers.len() >= KEPT && !self.samplers.contains_key(&number) {
            self.samplers.clear();
        }
        let skeleton = self.skeleton;
        let sampler = self
            .samplers
            .entry(number)
            .or_insert_with(|| Sampler::for_clip(skeleton, timeline, clip));
        sampler.sample(f64::from(clip.start) + time, &mut into.pose);
        into.moved.clear();
        into.moved.extend((0..skeleton.joints.len()).map(|joint| clip.has_joint(joint)));
    }

    fn fill_rest(&self, into: &mut Posed) {
        let Pose { transforms, space, visible, morph_weights } = &mut into.pose;
        transforms.clear();
        transforms.extend(self.skeleton.joints.iter().map(|joint| joint.rest));
        *space = crate::model::timeline::PoseSpace::ParentRelative;
        visible.clear();
        morph_weights.clear();
        into.moved.clear();
        into.moved.resize(self.skeleton.joints.len(), false);
    }
}

impl Posed {
    /// Goes a part of the way to another pose. What moves in one of the two only is as it is there.
    fn blend(&mut self, other: &Posed, part: f32) {
        for (((transform, moved), to), to_moved) in self
            .pose
            .transforms
            .iter_mut()
            .zip(&mut self.moved)
            .zip(&other.pose.transforms)
            .zip(&other.moved)
        {
            match (*moved, *to_moved) {
                (true, true) => *transform = blend(transform, to, part),
                (false, true) => *transform = *to,
                _ => {}
            }
            *moved |= *to_moved;
        }
    }
}

/// Places and scales along a line, rotations along the shorter way.
fn blend(from: &Transform, to: &Transform, part: f32) -> Transform {
    let line = |a: [f32; 3], b: [f32; 3]| {
        let [x, y, z] = [(a[0], b[0]), (a[1], b[1]), (a[2], b[2])].map(|(a, b)| a + (b - a) * part);
        [x, y, z].into()
    };
    Transform {
        translation: line(from.translation.to_array(), to.translation.to_array()),
        rotation: from.rotation.slerp(to.rotation, part),
        scale: line(from.scale.to_array(), to.scale.to_array()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::linear::Vec3;
    use crate::model::clip::Clip;
    use crate::model::skeleton::Joint;
    use crate::model::timeline::{Channel, Target, TimelineBuilder};
    use crate::model::wave::Wave;

    fn key(state: usize, exit: bool, forward: f32, backward: f32, morph: bool) -> SequenceKey {
        let way = |seconds| Transition { seconds, morph };
        SequenceKey { state: Some(state), exit, forward: way(forward), backward: way(backward) }
    }

    /// Keys with forward times 1, 2, 4 and backward times 0.5, 0.25, 0.125; they switch.
    fn sequence(order: SequenceOrder, start: usize) -> Sequence {
        Sequence::new(
            order,
            start,
            vec![
                key(0, false, 1.0, 0.5, false),
                key(1, true, 2.0, 0.25, false),
                key(2, false, 4.0, 0.125, false),
            ],
        )
    }

    #[test]
    fn rounds_worked_out_by_hand() {
        let at = |order, start, times: &[f64]| -> Vec<usize> {
            times.iter().map(|time| sequence(order, start).at(*time).unwrap().key).collect()
        };
        assert_eq!(at(SequenceOrder::Stay, 1, &[0.0, 99.0]), [1, 1]);
        assert_eq!(
            at(SequenceOrder::LoopForwards, 1, &[-1.0, 0.0, 1.9, 2.0, 5.9, 6.0, 6.9, 7.0, 9.0]),
            [1, 1, 1, 2, 2, 0, 0, 1, 2]
        );
        assert_eq!(
            at(SequenceOrder::LoopBackwards, 1, &[0.0, 0.25, 0.74, 0.75, 0.874, 0.875]),
            [1, 0, 0, 2, 2, 1]
        );
        // 1 → 2 takes 2 s, back 2 → 1 0.125 s, 1 → 0 0.25 s, forth 0 → 1 1 s.
        assert_eq!(
            at(
                SequenceOrder::PingPongForwards,
                1,
                &[0.0, 1.9, 2.0, 2.124, 2.125, 2.374, 2.375, 3.374, 3.375, 5.375]
            ),
            [1, 1, 2, 2, 1, 1, 0, 0, 1, 2]
        );
        assert_eq!(
            at(SequenceOrder::PingPongForwards, 2, &[0.0, 0.124, 0.125, 0.375, 1.375, 3.375]),
            [2, 2, 1, 0, 1, 2]
        );
        assert_eq!(
            at(SequenceOrder::PingPongBackwards, 1, &[0.0, 0.25, 1.25, 3.25, 3.375]),
            [1, 0, 1, 2, 1]
        );
        assert_eq!(at(SequenceOrder::OnceForwards, 0, &[0.5, 1.0, 2.9, 3.0, 1e9]), [0, 1, 1, 2, 2]);
        assert_eq!(sequence(SequenceOrder::PingPongForwards, 1).duration(), 3.375);
        let empty = Sequence::new(SequenceOrder::LoopForwards, 7, Vec::new());
        assert_eq!((empty.at(1.0), empty.duration()), (None, 0.0));
        let at_once =
            Sequence::new(SequenceOrder::LoopForwards, 1, vec![key(0, true, 0.0, 0.0, true); 3]);
        assert_eq!(at_once.at(5.0), Some(Moment { key: 1, blend: None }));
        let once =
            Sequence::new(SequenceOrder::OnceForwards, 0, vec![key(0, true, 0.0, 0.0, true); 3]);
        assert_eq!(once.at(0.0), Some(Moment { key: 2, blend: None }));
        let morph = Sequence::new(
            SequenceOrder::LoopForwards,
            0,
            vec![key(0, true, 4.0, 0.0, true), key(1, true, 0.0, 0.0, true)],
        );
        assert_eq!(morph.at(1.0), Some(Moment { key: 0, blend: Some((1, 0.25)) }));
    }

    /// A state for each number: joint 0 is there, along x; and one that plays the first three in a
    /// loop.
    fn scene(order: SequenceOrder, morph: bool) -> Scene {
        let mut skeleton = Skeleton::nodes("s");
        skeleton.joints.push(Joint::new("a", None));
        skeleton.joints.push(Joint::new("b", None));
        let mut scene = Scene { skeletons: vec![skeleton], ..Scene::default() };
        let mut states = Vec::new();
        for number in 0..3_u8 {
            let mut builder = TimelineBuilder::new("");
            let x = f32::from(number) * 10.0;
            let wave =
                Wave { start: [x, 0.0, 0.0], end: [x, 8.0, 0.0], period: 8.0, ..Wave::default() };
            builder.wave(Target::Joint(0), Channel::Translation, wave).unwrap();
            if number == 1 {
                builder.constant(Target::Joint(1), Channel::Translation, &[7.0, 0.0, 0.0]).unwrap();
            }
            scene.timelines.push(builder.finish());
            let joints = Some(if number == 1 { [0, 1].into() } else { [0].into() });
            scene.clips.push(Clip { timeline: usize::from(number), joints, ..Clip::default() });
            states.push(State {
                name: number.to_string(),
                motion: Motion::Clip(usize::from(number)),
            });
        }
        let keys = vec![
            key(0, false, 1.0, 1.0, morph),
            key(1, true, 2.0, 2.0, morph),
            key(2, false, 4.0, 4.0, morph),
        ];
        states.push(State {
            name: "all".to_owned(),
            motion: Motion::Sequence(Sequence::new(order, 0, keys)),
        });
        scene.machines.push(StateMachine { states, ..StateMachine::default() });
        scene
    }

    fn places(player: &mut StatePlayer<'_>) -> [Vec3; 2] {
        let mut pose = Pose::default();
        player.pose(&mut pose);
        [pose.transforms[0].translation, pose.transforms[1].translation]
    }

    #[test]
    fn poses_of_a_sequence_by_its_own_clock() {
        let scene = scene(SequenceOrder::LoopForwards, true);
        let mut player = StatePlayer::new(&scene, 0).unwrap();
        player.enter(3);
        player.advance(0.25);
        // A quarter of the way from 0 to 10; the clock is at 0.25 s of 8 s, which is 0.25 of 8
        // along y. Joint 1 moves in the second state only.
        assert_eq!(places(&mut player), [Vec3::new(2.5, 0.25, 0.0), Vec3::new(7.0, 0.0, 0.0)]);
        player.advance(7.0);
        assert_eq!(places(&mut player), [Vec3::new(2.5, 7.25, 0.0), Vec3::new(7.0, 0.0, 0.0)]);
        player.enter(9);
        assert_eq!(places(&mut player), [Vec3::ZERO; 2]);
    }

    #[test]
    fn a_sequence_is_left_where_it_may_be() {
        let scene = scene(SequenceOrder::LoopForwards, true);
        let mut player = StatePlayer::new(&scene, 0).unwrap();
        player.request(3);
        assert_eq!((player.state(), player.requested()), (3, None), "a clip is left at once");
        player.advance(0.5);
        player.request(2);
        assert_eq!((player.state(), player.requested()), (3, Some(2)));
        player.advance(0.25);
        assert_eq!(player.state(), 3);
        player.advance(1.0);
        assert_eq!(
            (player.state(), player.clock(), player.requested()),
            (2, 0.75, None),
            "at 1 s it was at the key"
        );
        player.enter(3);
        player.advance(1.5);
        player.request(0);
        player.advance(100.0);
        assert_eq!((player.state(), player.clock()), (0, 93.5), "at 8 s it was there again");
    }

    #[test]
    fn a_key_that_holds_may_be_left_while_it_does() {
        let scene = scene(SequenceOrder::OnceForwards, false);
        let mut player = StatePlayer::new(&scene, 0).unwrap();
        player.enter(3);
        player.advance(2.0);
        player.request(1);
        assert_eq!(player.state(), 1);
        player.enter(3);
        player.advance(50.0);
        player.request(1);
        player.advance(50.0);
        assert_eq!(
            (player.state(), player.requested()),
            (3, Some(1)),
            "the last key never lets go"
        );
    }

    #[test]
    fn sequences_of_themselves_end() {
        let mut scene = scene(SequenceOrder::LoopForwards, true);
        let keys = vec![key(3, true, 1.0, 1.0, true); 2];
        scene.machines[0].states[3].motion =
            Motion::Sequence(Sequence::new(SequenceOrder::LoopForwards, 0, keys));
        let mut player = StatePlayer::new(&scene, 0).unwrap();
        player.enter(3);
        player.advance(0.5);
        assert_eq!(places(&mut player), [Vec3::ZERO; 2]);
    }
}
