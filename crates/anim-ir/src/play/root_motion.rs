//! Root motion: the movement of a joint as that of the whole object.

use crate::file::number::count;
use crate::math::double;
use crate::play::step::{Course, Legs};
use crate::{Joint, JointId, Pose, PoseSpace, Quat, Sampler, Transform, Vec3};

/// Which motion to take out of the pose of a clip ([`crate::Player::with_root_motion`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMotion {
    /// The joint that carries the object, such as the hips.
    pub joint: JointId,
    /// The axis about which the object turns with the joint, usually up, in the space of the
    /// joint's parent; need not be a unit vector. `None` to take the translation only.
    pub yaw: Option<Vec3>,
}

impl RootMotion {
    /// The translation of a joint.
    pub const fn of(joint: JointId) -> RootMotion {
        RootMotion { joint, yaw: None }
    }

    /// The translation of a joint and its rotation about an axis.
    #[must_use]
    pub const fn with_yaw(mut self, axis: Vec3) -> RootMotion {
        self.yaw = Some(axis);
        self
    }

    /// Returns the part of a joint's transform that moves the object.
    fn part(&self, transform: &Transform) -> Part {
        let axis = self.yaw.and_then(|axis| double::unit(axis.to_f64()));
        let rotation = axis.map_or(NO_TURN, |[x, y, z]| {
            let [i, j, k, w] = transform.rotation.to_f64();
            let along = x * i + y * j + z * k;
            let twist = [x * along, y * along, z * along, w];
            if along == 0.0 && w == 0.0 { NO_TURN } else { double::normalized(twist) }
        });
        Part { translation: transform.translation.to_f64(), rotation }
    }
}

const NO_TURN: double::Quat = [0.0, 0.0, 0.0, 1.0];

/// A translation and a rotation, in double precision, since many are multiplied.
#[derive(Clone, Copy, Debug)]
struct Part {
    translation: [f64; 3],
    rotation: double::Quat,
}

impl Part {
    const IDENTITY: Part = Part { translation: [0.0; 3], rotation: NO_TURN };

    fn then(self, inner: Part) -> Part {
        let moved = double::transform(double::to_matrix(self.rotation), inner.translation);
        let [[x, y, z], [dx, dy, dz]] = [self.translation, moved];
        let rotation = double::normalized(double::multiply(self.rotation, inner.rotation));
        Part { translation: [x + dx, y + dy, z + dz], rotation }
    }

    fn inverse(self) -> Part {
        let rotation = double::conjugate(self.rotation);
        let moved = double::transform(double::to_matrix(rotation), self.translation);
        Part { translation: moved.map(|number| -number), rotation }
    }

    /// Repeats a motion.
    fn power(self, mut count: usize) -> Part {
        let (mut result, mut square) = (Part::IDENTITY, self);
        while count > 0 {
            if count & 1 == 1 {
                result = result.then(square);
            }
            square = square.then(square);
            count >>= 1;
        }
        result
    }
}

/// The root motion of a clip that is being played.
#[derive(Clone, Debug)]
pub(super) struct Root<'a> {
    motion: RootMotion,
    joint: &'a Joint,
    /// Samples the joint only.
    sampler: Sampler<'a>,
    pose: Pose,
    /// The start of the clip on its timeline, in seconds.
    start: f64,
    at_start: Part,
    /// The last step.
    pub(super) legs: Legs,
}

impl<'a> Root<'a> {
    pub(super) fn new(
        motion: RootMotion,
        joint: &'a Joint,
        sampler: Sampler<'a>,
        start: f64,
    ) -> Root<'a> {
        let mut root = Root {
            motion,
            joint,
            sampler,
            pose: Pose::default(),
            start,
            at_start: Part::IDENTITY,
            legs: Legs::none_at(0.0),
        };
        root.at_start = root.part_at(0.0);
        root
    }

    fn part_at(&mut self, clock: f64) -> Part {
        self.sampler.sample(self.start + clock, &mut self.pose);
        let id = self.motion.joint;
        self.motion.part(&self.pose.local_transform(self.joint, id))
    }

    /// Returns the motion between two times on the clock of the clip.
    fn between(&mut self, from: f64, to: f64) -> Part {
        self.part_at(from).inverse().then(self.part_at(to))
    }

    /// Returns the motion of the object in the last step.
    pub(super) fn delta(&mut self) -> Transform {
        let (legs, rounds) = (self.legs.clone(), self.legs.rounds());
        let (from, to) = legs.ends();
        let moved = match legs.course() {
            Course::Loop(duration) if rounds != 0.0 => {
                let (end, start) = if rounds > 0.0 { (duration, 0.0) } else { (0.0, duration) };
                let round = self.between(start, end).power(count(rounds.abs() - 1.0));
                self.between(from, end).then(round).then(self.between(start, to))
            }
            // Nothing jumps where a clip turns around.
            Course::PingPong(fold) | Course::ThereAndBack(fold) => {
                let clock =
                    |position: f64| if position > fold { 2.0 * fold - position } else { position };
                self.between(clock(from), clock(to))
            }
            _ => self.between(from, to),
        };
        let Part { translation, rotation } =
            self.at_start.then(moved).then(self.at_start.inverse());
        Transform {
            translation: Vec3::from_f64(translation),
            rotation: Quat::from_f64(rotation),
            scale: Vec3::ONE,
        }
    }

    /// Takes the motion out of a pose.
    pub(super) fn take_from(&self, pose: &mut Pose) {
        let id = self.motion.joint;
        let own = pose.local_transform(self.joint, id);
        let taken = self.at_start.then(self.motion.part(&own).inverse());
        let moved = taken
            .then(Part { translation: own.translation.to_f64(), rotation: own.rotation.to_f64() });
        let Part { translation, rotation } = match pose.space {
            PoseSpace::ParentRelative => moved,
            PoseSpace::DeltaFromRest => {
                let rest = self.joint.rest;
                let at_rest = Part {
                    translation: rest.translation.to_f64(),
                    rotation: rest.rotation.to_f64(),
                };
                let Part { translation: [x, y, z], rotation } = at_rest.inverse().then(moved);
                let [a, b, c] = rest.scale.to_f64();
                Part { translation: [x / a, y / b, z / c], rotation }
            }
        };
        let (translation, rotation) = (Vec3::from_f64(translation), Quat::from_f64(rotation));
        // A joint whose rest pose has no size cannot be moved.
        if let Some(transform) = pose.transforms.get_mut(id.index())
            && translation.is_finite()
        {
            (transform.translation, transform.rotation) = (translation, rotation);
        }
    }
}
