//! Root motion.

use anim_ir::{
    Clip, ClipId, Joint, JointId, Player, Pose, PoseSpace, Quat, RootMotion, Scene, Skeleton,
    TimelineBuilder, Transform, Vec3,
};
use test_oracle::play::root_motion as oracle;
use test_oracle::play::{self, Wrap};
use test_oracle::random::Rng;

use super::takes::{Take, random_transform};
use super::{distance, wrap};

const ROOT: JointId = JointId::new(0);

/// A joint that a clip moves.
struct World {
    scene: Scene,
    take: Take,
    rest: play::Transform,
    /// Whether the values of the clip are relative to the rest pose.
    deltas: bool,
    /// The axis of the yaw.
    up: Option<[f64; 3]>,
}

impl World {
    fn random(rng: &mut Rng) -> World {
        let take = Take::random(rng, 1, &[]);
        let (rest, deltas) = (random_transform(rng), rng.chance(30));
        let mut scene = Scene::default();
        let mut skeleton = Skeleton::new("s");
        skeleton.add_joint(Joint { rest: transform(&rest), ..Joint::new("root", None) });
        scene.add_skeleton(skeleton);
        let space = if deltas { PoseSpace::DeltaFromRest } else { PoseSpace::ParentRelative };
        let mut builder = TimelineBuilder::new("t").with_pose_space(space);
        take.add_to(&mut builder);
        let timeline = scene.add_timeline(builder.finish());
        scene.add_clip(Clip { timeline, end: take.duration as f32, ..Clip::default() });
        let up = rng.pick(&[None, Some([0.0, 1.0, 0.0]), Some([0.6, 0.0, 0.8])]);
        World { scene, take, rest, deltas, up }
    }

    /// Returns the joint's transform relative to its parent.
    fn motion(&self, time: f64) -> play::Transform {
        let keys = &self.take.joints[0];
        if self.deltas {
            self.rest.mul(&keys.at(time, &play::Transform::IDENTITY))
        } else {
            keys.at(time, &self.rest)
        }
    }

    fn player(&self, mode: Wrap) -> Player<'_> {
        let yaw = self.up.map(Vec3::from_f64);
        let player = Player::new(&self.scene, ClipId::new(0)).unwrap();
        player.with_wrap(wrap(mode)).with_root_motion(RootMotion { joint: ROOT, yaw })
    }

    /// Returns the joint's transform relative to its parent in the current pose.
    fn posed(&self, player: &mut Player<'_>) -> Transform {
        let mut pose = Pose::default();
        player.pose(&mut pose);
        pose.local_transform(&self.scene.skeletons[0].joints[0], ROOT)
    }
}

pub(super) fn transform(of: &play::Transform) -> Transform {
    let [x, y, z, w] = of.rotation.map(|number| number as f32);
    Transform {
        translation: Vec3::from_f64(of.translation),
        rotation: Quat::new(x, y, z, w),
        scale: Vec3::from_f64(of.scale),
    }
}

/// Returns a transform without rounding.
fn exact(of: &Transform) -> play::Transform {
    play::Transform {
        translation: of.translation.to_f64(),
        rotation: of.rotation.to_array().map(f64::from),
        scale: of.scale.to_f64(),
    }
}

#[track_caller]
fn check(found: &Transform, expected: &play::Transform, tolerance: f64, place: &str) {
    let error = distance(found, expected);
    assert!(error < tolerance, "{place}: {error}");
}

/// Random steps of up to 3 s, some of them backwards.
fn random_steps(rng: &mut Rng) -> Vec<f64> {
    let backwards = rng.chance(30);
    let step = |rng: &mut Rng| {
        let step = rng.below(200) as f64 / 64.0;
        if backwards && rng.chance(60) { -step } else { step }
    };
    (0..rng.between(1, 6)).map(|_| step(rng)).collect()
}

#[test]
fn deltas_match_the_oracle_and_their_product_that_of_a_single_step() {
    for seed in 0..500 {
        let mut rng = Rng::new(seed);
        let world = World::random(&mut rng);
        let mode = rng.pick(&Wrap::ALL);
        let motion = |time: f64| world.motion(time);
        let duration = world.take.duration;
        let root = oracle::RootMotion { motion: &motion, duration, wrap: mode, up: world.up };
        let speed = rng.pick(&[1.0, 1.0, 2.0, -1.0, -0.5]);
        let mut player = world.player(mode).with_speed(speed);
        let mut position = rng.below(16) as f64 / 16.0 * duration;
        player.seek(position);
        let mut whole = player.clone();
        let (mut object, mut total) = (play::Transform::IDENTITY, 0.0);
        for _ in 0..rng.between(1, 6) {
            let step = rng.below(200) as f64 / 64.0;
            total += step;
            let _ = player.advance(step);
            let to = position + step * speed;
            let place = format!("run {seed}: {mode:?}, {:?}, {position} to {to}", world.up);
            let delta = player.root_delta();
            check(&delta, &root.delta(position, to), 1e-5, &place);
            check(&world.posed(&mut player), &root.remainder(player.time()), 1e-5, &place);
            object = object.mul(&exact(&delta));
            position = to;
            if mode == Wrap::Once {
                position = position.clamp(0.0, duration);
            } else if mode == Wrap::PingPongOnce {
                position = position.clamp(0.0, 2.0 * duration);
            }
        }
        let _ = whole.advance(total);
        check(&whole.root_delta(), &object, 1e-5, &format!("run {seed}: the whole"));
    }
}

#[test]
fn object_and_pose_together_are_the_motion_continued_over_all_rounds() {
    for seed in 0..500 {
        let mut rng = Rng::new(seed);
        let world = World::random(&mut rng);
        let mode = rng.pick(&[Wrap::Loop, Wrap::Loop, Wrap::PingPong, Wrap::Unspecified]);
        let motion = |time: f64| world.motion(time);
        let duration = world.take.duration;
        let root = oracle::RootMotion { motion: &motion, duration, wrap: mode, up: world.up };
        let mut player = world.player(mode);
        let (mut object, mut position, mut way) = (play::Transform::IDENTITY, 0.0, 0.0);
        for step in random_steps(&mut rng) {
            let _ = player.advance(step);
            (position, way) = (position + step, way + step.abs());
            object = object.mul(&exact(&player.root_delta()));
            let together = object.mul(&exact(&world.posed(&mut player)));
            let place = format!("run {seed}: {mode:?} at {position} of {duration}");
            // A round covers a few units, and the delta of each is rounded to single precision.
            let tolerance = f64::max(1e-5, 4e-6 * way / duration);
            check(&transform(&together), &root.continued(position), tolerance, &place);
        }
    }
}

#[test]
fn the_delta_of_a_million_rounds_is_computed_at_once() {
    let take = Take {
        duration: 1.0,
        joints: vec![test_oracle::play::clip::Keys {
            translation: vec![(0.0, [0.0; 3]), (1.0, [0.5, 0.0, 0.0])],
            ..Default::default()
        }],
        ..Take::default()
    };
    let mut world = World::random(&mut Rng::new(0));
    let mut builder = TimelineBuilder::new("t");
    take.add_to(&mut builder);
    (world.scene.timelines[0], world.scene.clips[0].end) = (builder.finish(), 1.0);
    world.up = None;
    let mut player = world.player(Wrap::Loop);
    let _ = player.advance(1e6 + 0.5);
    assert_eq!(player.root_delta().translation, Vec3::new(500_000.25, 0.0, 0.0));
    let _ = player.advance(-1e6);
    assert_eq!(player.root_delta().translation, Vec3::new(-500_000.0, 0.0, 0.0));
    assert_eq!(player.rounds(), 0);
}
