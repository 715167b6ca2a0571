//! Clip playback.

use crate::{Clip, ClipId, Pose, Sampler, Scene, Skeleton, Timeline, Wrap};

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
/// use anim_ir::{Clip, Joint, Player, Pose, Scene, Skeleton, TimelineBuilder, Wrap};
///
/// let mut scene = Scene::default();
/// let mut skeleton = Skeleton::new("arm");
/// skeleton.add_joint(Joint::new("shoulder", None));
/// scene.add_skeleton(skeleton);
/// let timeline = scene.add_timeline(TimelineBuilder::new("take").finish());
/// let clip = Clip { timeline, end: 2.0, wrap: Wrap::Loop, ..Clip::default() };
/// let clip = scene.add_clip(clip);
///
/// let mut player = Player::new(&scene, clip).ok_or("no such clip")?;
/// let mut pose = Pose::default();
/// player.advance(2.5);
/// player.pose(&mut pose);
/// assert_eq!(player.time(), 0.5);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug)]
pub struct Player<'a> {
    sampler: Sampler<'a>,
    skeleton: &'a Skeleton,
    start: f64,
    duration: f64,
    wrap: Wrap,
    speed: f64,
    /// Time played since the start of the clip, in seconds. Exceeds the duration while a ping-pong
    /// clip plays backwards.
    clock: f64,
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
            start: f64::from(clip.start),
            duration: clip.duration(),
            wrap: clip.wrap,
            speed: 1.0,
            clock: 0.0,
        }
    }

    /// Sets the wrap mode. The default is the wrap mode of the clip.
    #[must_use]
    pub fn with_wrap(mut self, wrap: Wrap) -> Player<'a> {
        self.wrap = wrap;
        self.clock = self.wrapped(self.clock);
        self
    }

    /// Sets the speed. The default is 1.
    #[must_use]
    pub fn with_speed(mut self, speed: f64) -> Player<'a> {
        self.set_speed(speed);
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
    pub fn advance(&mut self, seconds: f64) {
        let step = seconds * self.speed;
        self.clock = self.wrapped(self.clock + if step.is_finite() { step } else { 0.0 });
    }

    /// Jumps to a time, in seconds from the start of the clip. A ping-pong clip then plays
    /// forwards, unless the time is after its end.
    pub fn seek(&mut self, seconds: f64) {
        self.clock = self.wrapped(if seconds.is_finite() { seconds } else { 0.0 });
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
    use crate::{Channel, Interpolation, Joint, JointId, TimelineBuilder};

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
