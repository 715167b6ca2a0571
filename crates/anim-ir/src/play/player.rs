//! Clip playback.

use crate::play::crossing::{ClipEvents, Crossing};
use crate::play::root_motion::{Root, RootMotion};
use crate::play::step::{Course, Legs};
use crate::{Clip, ClipId, JointMask, Pose, Sampler, Scene, Skeleton, Timeline, Transform, Wrap};

/// Plays a clip. In a game loop, call `advance`, then `pose`. Only the first call of `pose`
/// allocates.
///
/// The behaviour at the end depends on the clip's [`Wrap`] mode, which can be overridden:
///
/// | Wrap mode | At the end |
/// |---|---|
/// | `Once` | stops at the last pose |
/// | `Loop` | restarts from the beginning |
/// | `PingPong` | plays backwards to the start, then forwards again, and so on |
/// | `PingPongOnce` | plays backwards to the start and stops there |
/// | `Unspecified` | time continues: keys hold their last value, waves continue |
///
/// ```
/// use anim_ir::{Clip, Event, Joint, Player, Pose, Scene, Skeleton, TimelineBuilder, Wrap};
///
/// let mut scene = Scene::default();
/// let mut skeleton = Skeleton::new("arm");
/// skeleton.add_joint(Joint::new("shoulder", None));
/// scene.add_skeleton(skeleton);
/// let mut timeline = TimelineBuilder::new("take").finish();
/// timeline.events.push(Event { time: 0.25, name: "snap".to_owned(), ..Event::default() });
/// let timeline = scene.add_timeline(timeline);
/// let clip = Clip { timeline, end: 2.0, wrap: Wrap::Loop, ..Clip::default() };
/// let clip = scene.add_clip(clip);
///
/// let mut player = Player::new(&scene, clip).ok_or("no such clip")?;
/// let mut pose = Pose::default();
/// for crossing in player.advance(2.5) {
///     println!("{} after {} s", crossing.event.name, crossing.after); // after 0.25 s and 2.25 s
/// }
/// player.pose(&mut pose);
/// assert_eq!((player.time(), player.rounds()), (0.5, 1));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug)]
pub struct Player<'a> {
    sampler: Sampler<'a>,
    skeleton: &'a Skeleton,
    joints: JointMask,
    start: f64,
    duration: f64,
    wrap: Wrap,
    speed: f64,
    /// Time played since the start of the clip, in seconds. Exceeds the duration while a ping-pong
    /// clip plays backwards.
    clock: f64,
    rounds: i64,
    /// Whether the events at the current time are still to come.
    is_fresh: bool,
    events: ClipEvents<'a>,
    root: Option<Box<Root<'a>>>,
}

/// The events that a step of a [`Player`] crosses, in the order in which they occur. Those that are
/// not taken before the next step are left out.
#[derive(Debug)]
pub struct Crossings<'p, 'a>(&'p mut Player<'a>);

impl<'a> Iterator for Crossings<'_, 'a> {
    type Item = Crossing<'a>;

    #[inline]
    fn next(&mut self) -> Option<Crossing<'a>> {
        self.0.next_crossing()
    }
}

impl<'a> Player<'a> {
    /// Creates a player at the start of a clip. Returns `None` if the clip, its timeline or its
    /// skeleton does not exist in the scene.
    pub fn new(scene: &'a Scene, clip: ClipId) -> Option<Player<'a>> {
        let clip = scene.clip(clip)?;
        let (timeline, skeleton) = scene.motion_of(clip)?;
        Some(Player::for_clip(skeleton, timeline, clip))
    }

    /// Creates a player at the start of a clip, without a scene.
    pub fn for_clip(skeleton: &'a Skeleton, timeline: &'a Timeline, clip: &Clip) -> Player<'a> {
        Player {
            sampler: Sampler::for_clip(skeleton, timeline, clip),
            skeleton,
            joints: JointMask::of_clip(skeleton, timeline, clip),
            start: f64::from(clip.start),
            duration: clip.duration(),
            wrap: clip.wrap,
            speed: 1.0,
            clock: 0.0,
            rounds: 0,
            is_fresh: true,
            events: ClipEvents::of(timeline, clip),
            root: None,
        }
    }

    /// Sets the wrap mode. The default is the wrap mode of the clip.
    #[must_use]
    pub fn with_wrap(mut self, wrap: Wrap) -> Player<'a> {
        self.wrap = wrap;
        self.clock = self.wrapped(self.clock);
        self.events.forget();
        self
    }

    /// Sets the speed. The default is 1.
    #[must_use]
    pub fn with_speed(mut self, speed: f64) -> Player<'a> {
        self.set_speed(speed);
        self
    }

    /// Starts at another time than 0, in seconds from the start of the clip, like
    /// [`Player::seek`].
    #[must_use]
    pub fn with_offset(mut self, seconds: f64) -> Player<'a> {
        self.seek(seconds);
        self
    }

    /// Takes the motion of a joint out of the poses, and returns it as that of the object
    /// ([`Player::root_delta`]). A joint that the skeleton does not have is ignored.
    #[must_use]
    pub fn with_root_motion(mut self, motion: RootMotion) -> Player<'a> {
        let sampler = self.sampler.only(motion.joint.index());
        let joint = self.skeleton.joint(motion.joint);
        self.root = joint.map(|joint| Box::new(Root::new(motion, joint, sampler, self.start)));
        self
    }

    /// Sets the speed, as a multiple of normal speed. A negative speed plays backwards. A
    /// non-finite speed counts as 0.
    pub const fn set_speed(&mut self, speed: f64) {
        self.speed = if speed.is_finite() { speed } else { 0.0 };
    }

    /// Returns the speed, as a multiple of normal speed.
    pub const fn speed(&self) -> f64 {
        self.speed
    }

    /// Returns the wrap mode.
    pub const fn wrap(&self) -> Wrap {
        self.wrap
    }

    /// Returns the duration of the clip in seconds.
    pub const fn duration(&self) -> f64 {
        self.duration
    }

    /// Returns the skeleton that the clip moves.
    pub const fn skeleton(&self) -> &'a Skeleton {
        self.skeleton
    }

    /// Advances the time by `seconds` times the speed. A negative value goes back in time, and a
    /// non-finite value has no effect.
    ///
    /// Returns the events that the step crosses: those after the old time up to and including the
    /// new time, and, in the first step of a new player or after [`Player::seek`], those at the old
    /// time. A loop crosses the events at its end and then those at its start. The events are
    /// computed as they are taken, and the iterator can be dropped.
    #[inline]
    pub fn advance(&mut self, seconds: f64) -> Crossings<'_, 'a> {
        self.step(seconds * self.speed, 1.0 / self.speed.abs());
        Crossings(self)
    }

    /// Moves the clock by seconds of the clip, each of which takes `pace` seconds.
    pub(super) fn step(&mut self, way: f64, pace: f64) {
        let (course, from) = (self.course(), self.clock);
        let target = from + way;
        let is_step = way != 0.0 && target.is_finite();
        let (mut to, mut rounds) = (if is_step { target } else { from }, 0.0);
        let period = course.period();
        match self.wrap {
            Wrap::Unspecified => {}
            _ if period.is_finite() => {
                if !(0.0..period).contains(&to) {
                    let past = to;
                    to = remainder(past, period);
                    rounds = ((past - to) / period).round();
                    self.rounds = self.rounds.saturating_add(whole(rounds));
                }
            }
            _ => to = self.wrapped(to),
        }
        let legs = if is_step {
            Legs::new(course, (from, to), rounds.abs(), way < 0.0, self.is_fresh)
        } else {
            Legs::none_at(from)
        };
        if let Some(root) = &mut self.root {
            root.legs = legs.clone();
        }
        self.events.start(legs, rounds != 0.0, pace);
        self.clock = to;
        self.is_fresh &= !is_step;
    }

    #[inline]
    pub(super) fn next_crossing(&mut self) -> Option<Crossing<'a>> {
        self.events.next()
    }

    /// Jumps to a time, in seconds from the start of the clip. A ping-pong clip then plays
    /// forwards, unless the time is after its end. Events that lie between do not occur; those at
    /// the new time do in the next step.
    pub fn seek(&mut self, seconds: f64) {
        self.clock = self.wrapped(if seconds.is_finite() { seconds } else { 0.0 });
        self.is_fresh = true;
        if let Some(root) = &mut self.root {
            root.legs = Legs::none_at(self.clock);
        }
        self.events.forget();
    }

    /// Returns the current time, in seconds from the start of the clip.
    pub fn time(&self) -> f64 {
        match self.wrap {
            Wrap::PingPong | Wrap::PingPongOnce if self.clock > self.duration => {
                2.0 * self.duration - self.clock
            }
            _ => self.clock,
        }
    }

    /// Returns the current time as a fraction of the duration; 0 if the clip has no duration.
    pub fn phase(&self) -> f64 {
        if self.duration > 0.0 { self.time() / self.duration } else { 0.0 }
    }

    /// Returns how often a loop has continued at its start, or a ping-pong clip has returned to it.
    /// Playing backwards counts down.
    pub const fn rounds(&self) -> i64 {
        self.rounds
    }

    /// Whether a clip that stops has reached its end or, if it plays backwards, its start.
    pub fn is_finished(&self) -> bool {
        let end = match self.wrap {
            Wrap::Once => self.duration,
            Wrap::PingPongOnce => 2.0 * self.duration,
            _ => return false,
        };
        if self.speed < 0.0 { self.clock <= 0.0 } else { self.clock >= end }
    }

    /// Computes the current pose. Only the first call with a given `pose` allocates.
    pub fn pose(&mut self, pose: &mut Pose) {
        let time = self.start + self.time();
        self.sampler.sample(time, pose);
        if let Some(root) = &self.root {
            root.take_from(pose);
        }
    }

    /// Returns the root motion of the last step, in the space of the object: its transform is
    /// multiplied by this one from the right. The identity without
    /// [`Player::with_root_motion`].
    pub fn root_delta(&mut self) -> Transform {
        self.root.as_mut().map_or(Transform::IDENTITY, |root| root.delta())
    }

    /// Returns the joints that the clip moves.
    pub const fn joints(&self) -> &JointMask {
        &self.joints
    }

    fn course(&self) -> Course {
        match self.wrap {
            Wrap::PingPongOnce => Course::ThereAndBack(self.duration),
            Wrap::Loop if self.duration > 0.0 => Course::Loop(self.duration),
            Wrap::PingPong if self.duration > 0.0 => Course::PingPong(self.duration),
            _ => Course::Straight,
        }
    }

    /// Wraps the time according to the wrap mode, to keep the clock accurate during long playback.
    fn wrapped(&self, clock: f64) -> f64 {
        let round = 2.0 * self.duration;
        match self.wrap {
            Wrap::Unspecified => clock,
            Wrap::Once => clock.clamp(0.0, self.duration),
            Wrap::PingPongOnce => clock.clamp(0.0, round),
            _ if self.duration <= 0.0 => 0.0,
            Wrap::Loop => remainder(clock, self.duration),
            Wrap::PingPong => remainder(clock, round),
        }
    }
}

/// Converts a whole number, which saturates.
#[expect(clippy::cast_possible_truncation, reason = "saturates")]
const fn whole(number: f64) -> i64 {
    number as i64
}

/// Returns the non-negative remainder of a division by a positive number; always less than the
/// divisor.
fn remainder(number: f64, of: f64) -> f64 {
    let left = number.rem_euclid(of);
    // For numbers slightly below 0, the remainder is rounded up to the divisor.
    if left < of { left } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Channel, Interpolation, Joint, JointId, Quat, TimelineBuilder, Vec3};

    /// Returns a scene with a joint whose x is the time on a timeline from 0 to 10 s, and a clip
    /// from 2 to 5 s.
    fn scene(wrap: Wrap) -> Scene {
        let mut scene = Scene::default();
        let mut skeleton = Skeleton::new("s");
        let joint = skeleton.add_joint(Joint::new("j", None));
        scene.add_skeleton(skeleton);
        let mut builder = TimelineBuilder::new("t");
        let (line, keys) = (Interpolation::Linear, [0.0, 0.0, 0.0, 10.0, 0.0, 0.0]);
        builder.keys(joint.into(), Channel::Translation, line, &[0.0, 10.0], &keys).unwrap();
        let timeline = scene.add_timeline(builder.finish());
        scene.add_clip(Clip { timeline, start: 2.0, end: 5.0, wrap, ..Clip::default() });
        scene
    }

    /// Returns the positions of the joint after each step.
    fn places(player: &mut Player<'_>, steps: &[f64]) -> Vec<f32> {
        let mut pose = Pose::default();
        let place = |step: &f64| {
            player.advance(*step);
            player.pose(&mut pose);
            pose.transform(JointId::new(0)).unwrap().translation.x
        };
        steps.iter().map(place).collect()
    }

    fn play(wrap: Wrap, speed: f64, steps: &[f64]) -> (Vec<f32>, bool) {
        let scene = scene(wrap);
        let mut player = Player::new(&scene, ClipId::new(0)).unwrap().with_speed(speed);
        (places(&mut player, steps), player.is_finished())
    }

    #[test]
    fn wrap_modes_match_hand_computed_positions() {
        let steps = [0.0, 1.0, 1.5, 1.5, 3.0];
        assert_eq!(play(Wrap::Once, 1.0, &steps), (vec![2.0, 3.0, 4.5, 5.0, 5.0], true));
        assert_eq!(play(Wrap::Loop, 1.0, &steps), (vec![2.0, 3.0, 4.5, 3.0, 3.0], false));
        assert_eq!(play(Wrap::PingPong, 1.0, &steps), (vec![2.0, 3.0, 4.5, 4.0, 3.0], false));
        assert_eq!(play(Wrap::PingPongOnce, 1.0, &steps), (vec![2.0, 3.0, 4.5, 4.0, 2.0], true));
        assert_eq!(play(Wrap::Unspecified, 1.0, &steps), (vec![2.0, 3.0, 4.5, 6.0, 9.0], false));
    }

    /// The events that a step crosses: their names, times and moments.
    fn crossed(player: &mut Player<'_>, seconds: f64) -> Vec<(String, f64, f64)> {
        let crossings = player.advance(seconds);
        crossings.map(|one| (one.event.name.clone(), one.time, one.after)).collect()
    }

    #[test]
    fn steps_cross_the_events_between_their_ends() {
        let mut scene = scene(Wrap::Loop);
        let events = [(1.9, "before"), (2.0, "start"), (3.0, "a"), (3.0, "b"), (5.0, "end")];
        scene.timelines[0].events = events
            .map(|(time, name)| crate::Event { time, name: name.to_owned(), ..Default::default() })
            .into();
        let named = |name: &str, time: f64, after: f64| (name.to_owned(), time, after);
        let mut player = Player::new(&scene, ClipId::new(0)).unwrap();
        assert_eq!(crossed(&mut player, 0.0), []);
        assert_eq!(
            crossed(&mut player, 1.0),
            [named("start", 0.0, 0.0), named("a", 1.0, 1.0), named("b", 1.0, 1.0)]
        );
        assert_eq!(crossed(&mut player, 2.0), [named("end", 3.0, 2.0), named("start", 0.0, 2.0)]);
        assert_eq!(crossed(&mut player, -1.0), [named("end", 3.0, 0.0)]);
        player.seek(1.0);
        player.set_speed(-2.0);
        assert_eq!(
            crossed(&mut player, 1.0),
            [
                named("b", 1.0, 0.0),
                named("a", 1.0, 0.0),
                named("start", 0.0, 0.5),
                named("end", 3.0, 0.5)
            ]
        );
        // A step whose events are not taken, or not all, does not mislead the next.
        let mut player = Player::new(&scene, ClipId::new(0)).unwrap();
        for taken in [0, 1] {
            player.seek(0.5);
            assert_eq!(crossed(&mut player, 0.25), []);
            assert_eq!(player.advance(0.5).take(taken).count(), taken);
            assert_eq!(crossed(&mut player, -0.5), [named("b", 1.0, 0.25), named("a", 1.0, 0.25)]);
        }
        let mut player = Player::new(&scene, ClipId::new(0)).unwrap();
        assert_eq!(player.advance(30.0).count(), 41, "ten rounds, and the start of the eleventh");
        assert_eq!((player.rounds(), player.time()), (10, 0.0));
        // A step of very many rounds takes no time until its events are taken.
        assert_eq!(player.advance(1e300).take(3).count(), 3);
        let mut player = player.with_wrap(Wrap::PingPong);
        player.seek(2.5);
        let turned = [named("end", 3.0, 0.5), named("b", 1.0, 2.5), named("a", 1.0, 2.5)];
        assert_eq!(crossed(&mut player, 3.0), turned);
        let mut player = player.with_wrap(Wrap::Once);
        player.seek(2.5);
        assert_eq!(crossed(&mut player, 9.0), [named("end", 3.0, 0.5)]);
        assert_eq!(crossed(&mut player, 9.0), []);
    }

    #[test]
    fn root_motion_adds_up_over_rounds() {
        let mut scene = scene(Wrap::Loop);
        let mut builder = TimelineBuilder::new("turn");
        let (line, joint) = (Interpolation::Linear, JointId::new(0));
        let turn = Quat::from_axis_angle(Vec3::new(0.0, 1.0, 0.0), std::f64::consts::FRAC_PI_2);
        let turns = [Quat::IDENTITY.to_array(), turn.to_array()].concat();
        builder.keys(joint.into(), Channel::Rotation, line, &[2.0, 5.0], turns).unwrap();
        let ways = [1.0_f32, 0.0, 0.0, 1.0, 0.0, 3.0];
        builder.keys(joint.into(), Channel::Translation, line, &[2.0, 5.0], &ways[..]).unwrap();
        scene.timelines[0] = builder.finish();
        let start = Transform { translation: Vec3::new(1.0, 0.0, 0.0), ..Transform::IDENTITY };
        for (yaw, expected) in [
            (None, [1.0, 0.0, 12.0]),
            // Four quarter turns, each after walking 3 forwards, end where they began.
            (Some(Vec3::new(0.0, 2.0, 0.0)), [1.0, 0.0, 0.0]),
        ] {
            for (steps, seconds) in [(1, 12.0), (48, 0.25), (5, 2.4)] {
                let mut player = Player::new(&scene, ClipId::new(0))
                    .unwrap()
                    .with_root_motion(RootMotion { joint, yaw });
                let (mut object, mut pose) = (Transform::IDENTITY, Pose::default());
                for _ in 0..steps {
                    player.advance(seconds);
                    object = object * player.root_delta();
                }
                player.pose(&mut pose);
                assert!(pose.transforms[0].translation.distance(start.translation) < 1e-6);
                let place = (object * pose.transforms[0]).translation;
                assert!(place.distance(expected.into()) < 1e-5, "{steps} {place:?}");
            }
        }
    }

    #[test]
    fn a_negative_speed_plays_backwards() {
        assert_eq!(play(Wrap::Loop, -2.0, &[0.0, 0.5, 1.0]), (vec![2.0, 4.0, 2.0], false));
        assert_eq!(play(Wrap::PingPong, -1.0, &[1.0, 2.0, 1.0]), (vec![3.0, 5.0, 4.0], false));
        assert_eq!(play(Wrap::Once, -1.0, &[1.0]), (vec![2.0], true));
        let scene = scene(Wrap::Once);
        let mut player = Player::new(&scene, ClipId::new(0)).unwrap().with_speed(-1.0);
        player.seek(player.duration());
        assert!(!player.is_finished());
        assert_eq!(places(&mut player, &[1.0, 1.0, 5.0]), [4.0, 3.0, 2.0]);
        assert!(player.is_finished());
    }

    #[test]
    fn seeking_wraps_and_accepts_non_finite_times() {
        let scene = scene(Wrap::Loop);
        let mut player = Player::new(&scene, ClipId::new(0)).unwrap();
        let mut time_at = |seconds: f64| {
            player.seek(seconds);
            player.time()
        };
        assert_eq!([-1.0, 3.0, 7.5, f64::NAN].map(&mut time_at), [2.0, 0.0, 1.5, 0.0]);
        assert!((0.0..3.0).contains(&time_at(-1e-300)));
        player.seek(1.0);
        player.set_speed(f64::INFINITY);
        player.advance(1.0);
        assert_eq!((player.time(), player.speed()), (1.0, 0.0));
        let mut player = player.with_speed(1.0).with_wrap(Wrap::PingPong);
        player.seek(4.0);
        assert_eq!(player.time(), 2.0, "playing backwards");
        assert_eq!(player.with_wrap(Wrap::Once).time(), 3.0);
    }

    #[test]
    fn a_clip_without_duration_stays_at_its_start() {
        let mut scene = scene(Wrap::Loop);
        scene.clips[0].end = 2.0;
        for wrap in Wrap::ALL.into_iter().filter(|wrap| *wrap != Wrap::Unspecified) {
            let mut player = Player::new(&scene, ClipId::new(0)).unwrap().with_wrap(wrap);
            assert_eq!(places(&mut player, &[0.0, 1.0, -7.0]), [2.0; 3]);
        }
        assert!(Player::new(&scene, ClipId::new(1)).is_none());
    }
}
