//! Playing clips.

use crate::{Clip, ClipId, Pose, Sampler, Scene, Skeleton, Timeline, Wrap};

/// A player for a clip: in a game loop, call `advance`, then `pose`. Only the first pose allocates.
///
/// What happens at the end is up to the clip's [`Wrap`], or another one that you set:
///
/// | wrap mode | at the end |
/// |---|---|
/// | `Once` | holds the last pose and is finished |
/// | `Loop` | starts again |
/// | `PingPong` | plays backwards to the start, then forwards, and so on |
/// | `PingPongOnce` | plays backwards to the start, holds the pose there and is finished |
/// | `Unspecified` | time runs on: keys hold their last value, waves continue |
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
    /// Seconds of the clip played since its start. Greater than the duration while a ping-pong clip
    /// plays backwards.
    clock: f64,
}

impl<'a> Player<'a> {
    /// A player at the start of a clip; `None` if the scene lacks the clip, its timeline or its
    /// skeleton.
    pub fn new(scene: &'a Scene, clip: ClipId) -> Option<Player<'a>> {
        let clip = scene.clip(clip)?;
        let (timeline, skeleton) = scene.motion_of(clip)?;
        Some(Player::for_clip(skeleton, timeline, clip))
    }

    /// A player at the start of a clip, from its parts.
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

    /// Sets the wrap mode; that of the clip by default.
    #[must_use]
    pub fn with_wrap(mut self, wrap: Wrap) -> Player<'a> {
        self.wrap = wrap;
        self.clock = self.wrapped(self.clock);
        self
    }

    /// Sets the speed; 1 by default.
    #[must_use]
    pub fn with_speed(mut self, speed: f64) -> Player<'a> {
        self.set_speed(speed);
        self
    }

    /// Changes the speed, in seconds of the clip per second. A negative speed plays backwards. A
    /// number that is not finite counts as 0.
    pub const fn set_speed(&mut self, speed: f64) {
        self.speed = if speed.is_finite() { speed } else { 0.0 };
    }

    /// The speed, in seconds of the clip per second.
    pub const fn speed(&self) -> f64 {
        self.speed
    }

    /// The wrap mode.
    pub const fn wrap(&self) -> Wrap {
        self.wrap
    }

    /// Duration of the clip in seconds.
    pub const fn duration(&self) -> f64 {
        self.duration
    }

    /// The skeleton that it moves.
    pub const fn skeleton(&self) -> &'a Skeleton {
        self.skeleton
    }

    /// Advances the time by some seconds; negative to go back.
    pub fn advance(&mut self, seconds: f64) {
        let step = seconds * self.speed;
        self.clock = self.wrapped(self.clock + if step.is_finite() { step } else { 0.0 });
    }

    /// Jumps to a time, in seconds from the clip's start. A ping-pong clip then plays forwards,
    /// unless the time is after its end.
    pub fn seek(&mut self, seconds: f64) {
        self.clock = self.wrapped(if seconds.is_finite() { seconds } else { 0.0 });
    }

    /// The current time within the clip, in seconds from its start.
    pub fn time(&self) -> f64 {
        match self.wrap {
            Wrap::PingPong | Wrap::PingPongOnce if self.clock > self.duration => {
                2.0 * self.duration - self.clock
            }
            _ => self.clock,
        }
    }

    /// Whether advancing further changes nothing: a clip that stops has reached its end or, if it
    /// plays backwards, its start.
    pub fn is_finished(&self) -> bool {
        let end = match self.wrap {
            Wrap::Once => self.duration,
            Wrap::PingPongOnce => 2.0 * self.duration,
            _ => return false,
        };
        if self.speed < 0.0 { self.clock <= 0.0 } else { self.clock >= end }
    }

    /// Computes the current pose. Only the first call for a pose allocates.
    pub fn pose(&mut self, pose: &mut Pose) {
        let time = self.start + self.time();
        self.sampler.sample(time, pose);
    }

    /// Reduces the time as the wrap mode allows, so that the clock stays exact however long it
    /// runs.
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

/// The remainder of a division by a positive number: at least 0, and less than the divisor.
fn remainder(number: f64, of: f64) -> f64 {
    let left = number.rem_euclid(of);
    // A number slightly below 0 rounds up to the divisor.
    if left < of { left } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Channel, Interpolation, Joint, JointId, TimelineBuilder};

    /// A joint at x = time on a timeline from 0 to 10 s, and a clip from 2 to 5 s.
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

    /// The position of the joint after each step.
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
    fn each_wrap_mode_by_hand() {
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
    fn seeking_wraps_too_and_odd_numbers_do_no_harm() {
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
        assert_eq!(player.time(), 2.0, "on the way back");
        assert_eq!(player.with_wrap(Wrap::Once).time(), 3.0);
    }

    #[test]
    fn a_clip_of_one_moment_stays_there() {
        let mut scene = scene(Wrap::Loop);
        scene.clips[0].end = 2.0;
        for wrap in Wrap::ALL.into_iter().filter(|wrap| *wrap != Wrap::Unspecified) {
            let mut player = Player::new(&scene, ClipId::new(0)).unwrap().with_wrap(wrap);
            assert_eq!(places(&mut player, &[0.0, 1.0, -7.0]), [2.0; 3]);
        }
        assert!(Player::new(&scene, ClipId::new(1)).is_none());
    }
}
