//! Layers of a mixer.

use crate::file::number::narrow;
use crate::play::crossing::Crossing;
use crate::play::posed::Posed;
use crate::{
    Joint, JointId, JointMask, NodeId, Player, Pose, PoseSpace, Quat, Skeleton, StatePlayer,
    Transform, Vec3,
};

/// A clip or a state machine that a [`crate::Mixer`] plays over the layers below it.
///
/// A layer moves the joints of its clip that are in its mask. By default, it has full weight, no
/// mask, and replaces what is below.
#[derive(Clone, Debug)]
pub struct Layer<'a> {
    voice: Voice<'a>,
    /// What the layer played before, while that fades out.
    old: Option<(Voice<'a>, Crossfade)>,
    weight: Fade,
    mask: JointMask,
    mode: Mode,
}

/// How a layer changes what is below it.
#[derive(Clone, Debug)]
enum Mode {
    Override,
    /// Adds the difference from a pose; `None` for the rest pose.
    Additive(Option<Box<Pose>>),
}

#[derive(Clone, Debug)]
enum Source<'a> {
    Clip(Player<'a>),
    Machine(StatePlayer<'a>),
}

/// What a layer plays.
#[derive(Clone, Debug)]
struct Voice<'a> {
    source: Source<'a>,
    posed: Posed,
    /// The next event of the last step, if it has been looked at but not taken.
    peeked: Option<Crossing<'a>>,
}

/// A weight that changes linearly over time.
#[derive(Clone, Copy, Debug)]
struct Fade {
    from: f32,
    to: f32,
    seconds: f64,
    clock: f64,
}

#[derive(Clone, Copy, Debug)]
struct Crossfade {
    seconds: f64,
    clock: f64,
    is_synchronised: bool,
}

impl Fade {
    const fn at(weight: f32) -> Fade {
        Fade { from: weight, to: weight, seconds: 0.0, clock: 0.0 }
    }

    fn weight(&self) -> f32 {
        if self.clock >= self.seconds {
            return self.to;
        }
        let part = self.clock / self.seconds;
        narrow(f64::from(self.from) + f64::from(self.to - self.from) * part)
    }
}

impl Crossfade {
    /// The share of the new motion after some of the time.
    fn share(&self, clock: f64) -> f64 {
        if clock >= self.seconds { 1.0 } else { clock / self.seconds }
    }
}

/// Returns a weight from 0 to 1. NaN counts as 0.
const fn clamped(weight: f32) -> f32 {
    if weight.is_nan() { 0.0 } else { weight.clamp(0.0, 1.0) }
}

/// Returns a duration that is not negative. NaN counts as 0.
const fn duration(seconds: f64) -> f64 {
    if seconds.is_nan() { 0.0 } else { seconds.max(0.0) }
}

impl<'a> Voice<'a> {
    fn new(source: Source<'a>) -> Voice<'a> {
        Voice { source, posed: Posed::default(), peeked: None }
    }

    fn advance(&mut self, seconds: f64) {
        self.peeked = None;
        match &mut self.source {
            Source::Clip(player) => drop(player.advance(seconds)),
            Source::Machine(player) => drop(player.advance(seconds)),
        }
    }

    fn peek(&mut self) -> Option<Crossing<'a>> {
        if self.peeked.is_none() {
            self.peeked = match &mut self.source {
                Source::Clip(player) => player.next_crossing(),
                Source::Machine(player) => player.next_crossing(),
            };
        }
        self.peeked
    }

    fn sample(&mut self) {
        match &mut self.source {
            Source::Clip(player) => {
                player.pose(&mut self.posed.pose);
                let joints = player.joints();
                let count = self.posed.pose.transforms.len();
                self.posed.moved.clear();
                self.posed.moved.extend((0..count).map(|joint| joints.has(joint)));
            }
            Source::Machine(player) => player.posed(&mut self.posed),
        }
    }

    /// The player, its duration in seconds, and how many rounds it plays per second.
    fn paced(&mut self) -> Option<(&mut Player<'a>, f64, f64)> {
        let Source::Clip(player) = &mut self.source else { return None };
        let (length, speed) = (player.duration(), player.speed());
        (length > 0.0 && speed != 0.0).then_some((player, length, speed / length))
    }
}

/// Plays two clips at a common rate, which changes from that of the old one to that of the new one
/// during the crossfade. Returns `false` if one of them has no rate.
fn advance_together(
    old: &mut Voice<'_>,
    new: &mut Voice<'_>,
    fade: Crossfade,
    seconds: f64,
) -> bool {
    let (Some((old_player, old_length, old_rate)), Some((new_player, new_length, new_rate))) =
        (old.paced(), new.paced())
    else {
        return false;
    };
    let during = seconds.min(fade.seconds - fade.clock);
    // The rate changes linearly, so its mean is that in the middle.
    let share = fade.share(fade.clock + during / 2.0);
    let rounds = during * (old_rate + (new_rate - old_rate) * share);
    let play = |player: &mut Player<'_>, way: f64, seconds: f64| {
        player.step(way, if way == 0.0 { 0.0 } else { seconds / way.abs() });
    };
    play(old_player, rounds * old_length, during);
    let after = (seconds - during) * new_rate;
    play(new_player, (rounds + after) * new_length, seconds);
    (old.peeked, new.peeked) = (None, None);
    true
}

impl<'a> Layer<'a> {
    /// Creates a layer that plays a clip.
    pub fn clip(player: Player<'a>) -> Layer<'a> {
        Layer::of(Source::Clip(player))
    }

    /// Creates a layer that plays a state machine.
    pub fn machine(player: StatePlayer<'a>) -> Layer<'a> {
        Layer::of(Source::Machine(player))
    }

    fn of(source: Source<'a>) -> Layer<'a> {
        Layer {
            voice: Voice::new(source),
            old: None,
            weight: Fade::at(1.0),
            mask: JointMask::ALL,
            mode: Mode::Override,
        }
    }

    /// Sets the weight, from 0 to 1.
    #[must_use]
    pub const fn with_weight(mut self, weight: f32) -> Layer<'a> {
        self.weight = Fade::at(clamped(weight));
        self
    }

    /// Sets the joints that the layer may move. The default is all.
    #[must_use]
    pub fn with_mask(mut self, mask: JointMask) -> Layer<'a> {
        self.mask = mask;
        self
    }

    /// Adds the difference from the rest pose instead of replacing what is below.
    #[must_use]
    pub fn additive(mut self) -> Layer<'a> {
        self.mode = Mode::Additive(None);
        self
    }

    /// Adds the difference from a pose of the same skeleton instead of replacing what is below.
    #[must_use]
    pub fn additive_to(mut self, reference: Pose) -> Layer<'a> {
        self.mode = Mode::Additive(Some(Box::new(reference)));
        self
    }

    /// Returns the current weight.
    pub fn weight(&self) -> f32 {
        self.weight.weight()
    }

    /// Changes the weight linearly over time, starting from the current weight.
    pub fn fade_to(&mut self, weight: f32, seconds: f64) {
        let (from, to) = (self.weight(), clamped(weight));
        self.weight = Fade { from, to, seconds: duration(seconds), clock: 0.0 };
    }

    /// Replaces what the layer plays with a clip, from one pose to the other in the given time. The
    /// two are interpolated while both play on; what an unfinished crossfade was fading out is
    /// dropped.
    ///
    /// If synchronised, the clip starts at the phase of the old clip, and both play at a common
    /// rate of rounds per second, which changes from that of the old to that of the new: feet keep
    /// touching the ground together when a walk becomes a run. State machines, and clips without
    /// duration or speed, are not synchronised.
    pub fn crossfade(&mut self, mut player: Player<'a>, seconds: f64, is_synchronised: bool) {
        if is_synchronised && let Source::Clip(old) = &self.voice.source {
            player.seek(old.phase() * player.duration());
        }
        let new = Voice::new(Source::Clip(player));
        let old = std::mem::replace(&mut self.voice, new);
        let fade = Crossfade { seconds: duration(seconds), clock: 0.0, is_synchronised };
        self.old = (fade.seconds > 0.0).then_some((old, fade));
    }

    /// Whether a crossfade is not finished yet.
    pub fn is_crossfading(&self) -> bool {
        self.fading().is_some()
    }

    /// Returns the player of the layer's clip, or `None` if it plays a state machine.
    pub const fn player_mut(&mut self) -> Option<&mut Player<'a>> {
        if let Source::Clip(player) = &mut self.voice.source { Some(player) } else { None }
    }

    /// Returns the player of the layer's state machine, or `None` if it plays a clip.
    pub const fn states_mut(&mut self) -> Option<&mut StatePlayer<'a>> {
        if let Source::Machine(player) = &mut self.voice.source { Some(player) } else { None }
    }

    pub(super) fn advance(&mut self, seconds: f64) {
        let forwards = duration(seconds);
        self.weight.clock += forwards;
        if !self.is_crossfading() {
            self.old = None;
        }
        let Some((old, fade)) = &mut self.old else { return self.voice.advance(seconds) };
        let together = fade.is_synchronised
            && seconds > 0.0
            && advance_together(old, &mut self.voice, *fade, seconds);
        if !together {
            old.advance(seconds.min(fade.seconds - fade.clock));
            self.voice.advance(seconds);
        }
        fade.clock += forwards;
    }

    fn voices(&mut self) -> impl Iterator<Item = &mut Voice<'a>> {
        self.old.iter_mut().map(|(old, _)| old).chain([&mut self.voice])
    }

    /// When in the last step the next event occurs, in seconds.
    pub(super) fn next_after(&mut self) -> Option<f64> {
        let times = self.voices().filter_map(|voice| Some(voice.peek()?.after));
        times.min_by(f64::total_cmp)
    }

    pub(super) fn next_crossing(&mut self) -> Option<Crossing<'a>> {
        let next = self.next_after()?;
        let mut voices =
            self.voices().filter(|voice| voice.peeked.is_some_and(|own| own.after == next));
        voices.next()?.peeked.take()
    }

    /// Computes the poses of what the layer plays.
    pub(super) fn sample(&mut self) {
        self.voices().for_each(Voice::sample);
    }

    /// Returns the pose space of what the layer plays.
    pub(super) const fn space(&self) -> PoseSpace {
        self.voice.posed.pose.space
    }

    /// Returns the motion that is fading out, with the share of the new one.
    fn fading(&self) -> Option<(&Voice<'a>, f32)> {
        let (old, fade) = self.old.as_ref()?;
        // After the end of the step that completes the crossfade, the old motion is only kept for
        // its events.
        (fade.clock < fade.seconds).then(|| (old, narrow(fade.share(fade.clock))))
    }

    /// Returns all pose spaces that the layer uses.
    pub(super) fn spaces(&self) -> impl Iterator<Item = PoseSpace> {
        let reference = match &self.mode {
            Mode::Additive(Some(reference)) => Some(reference.space),
            _ => None,
        };
        let old = self.fading().map(|(old, _)| old.posed.pose.space);
        [self.space()].into_iter().chain(old).chain(reference)
    }

    /// Converts the poses to transforms relative to the parent.
    pub(super) fn make_parent_relative(&mut self, skeleton: &Skeleton) {
        self.voices().for_each(|voice| voice.posed.pose.make_parent_relative(skeleton));
    }

    /// Returns what the layer plays: the old motion if it is still fading, the new one, and the
    /// share of the new one.
    pub(super) fn parts(&self) -> (Option<&Posed>, &Posed, f32) {
        match self.fading() {
            Some((old, share)) => (Some(&old.posed), &self.voice.posed, share),
            None => (None, &self.voice.posed, 1.0),
        }
    }

    pub(super) fn has(&self, joint: usize) -> bool {
        self.mask.has(joint)
    }

    pub(super) fn is_additive(&self) -> bool {
        matches!(self.mode, Mode::Additive(_))
    }

    /// Returns the pose from which differences are taken, unless it is the rest pose.
    fn reference(&self) -> Option<&Pose> {
        if let Mode::Additive(Some(reference)) = &self.mode { Some(reference) } else { None }
    }

    /// Applies the layer to a joint of a pose.
    #[inline]
    pub(super) fn apply(
        &self,
        (id, joint): (JointId, &Joint),
        space: PoseSpace,
        (value, weight): (&Transform, f32),
        result: &mut Transform,
    ) {
        if !self.is_additive() {
            *result = if weight >= 1.0 { *value } else { result.lerp(*value, weight) };
            return;
        }
        let reference = match self.reference() {
            Some(pose) if pose.space == space => pose.transform(id).copied(),
            Some(pose) => Some(pose.local_transform(joint, id)),
            None => None,
        };
        let reference = reference.unwrap_or_else(|| at_rest(joint, space));
        let add = |to: Vec3, from: Vec3, value: Vec3| to + (value - from) * weight;
        let turn = reference.rotation.conjugate() * value.rotation;
        let turn = if weight >= 1.0 { turn } else { Quat::IDENTITY.slerp(turn, weight) };
        *result = Transform {
            translation: add(result.translation, reference.translation, value.translation),
            rotation: (result.rotation * turn).normalized(),
            scale: add(result.scale, reference.scale, value.scale),
        };
    }
}

impl Layer<'_> {
    /// Applies the layer to the morph weights of a node, given those of its mesh.
    pub(super) fn apply_weights(
        &self,
        node: NodeId,
        rest: &[f32],
        (values, weight): (&[f32], f32),
        result: &mut Vec<f32>,
    ) {
        if result.len() < values.len() {
            result.resize(values.len(), 0.0);
        }
        let from = self.reference().and_then(|pose| pose.weights_of(node)).unwrap_or(rest);
        let from = from.iter().copied().chain(std::iter::repeat(0.0));
        for ((result, value), from) in result.iter_mut().zip(values).zip(from) {
            *result = match self.mode {
                Mode::Additive(_) => *result + (value - from) * weight,
                Mode::Override if weight >= 1.0 => *value,
                Mode::Override => *result + (value - *result) * weight,
            };
        }
    }
}

/// Returns the transform of a joint at rest, in a pose space.
pub(super) const fn at_rest(joint: &Joint, space: PoseSpace) -> Transform {
    match space {
        PoseSpace::ParentRelative => joint.rest,
        PoseSpace::DeltaFromRest => Transform::IDENTITY,
    }
}
