//! Where nodes are.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use super::file::{Behaviour, Channel, File, Motion};
use super::keyframes::{Moment, moment_at};
use crate::math::{Mat4, lerp, mul, normalized, rotation, slerp, transform_point, translation};

/// What a state makes of a node's three vectors at some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vectors {
    /// In the model's unit.
    pub displacement: [f64; 3],
    /// In the model's unit.
    pub translation: [f64; 3],
    /// Degrees about x, y and z.
    pub orientation: [f64; 3],
}

/// The order of the three rotations of an orientation, as a product: the last one is applied first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Rx · Ry · Rz: about z first.
    Xyz,
    /// Rx · Rz · Ry: about y first.
    Xzy,
    /// Ry · Rx · Rz: about z first.
    Yxz,
    /// Ry · Rz · Rx: about x first.
    Yzx,
    /// Rz · Rx · Ry: about y first.
    Zxy,
    /// Rz · Ry · Rx: about x first.
    #[default]
    Zyx,
}

impl Order {
    /// Each of them.
    pub const ALL: [Order; 6] =
        [Order::Xyz, Order::Xzy, Order::Yxz, Order::Yzx, Order::Zxy, Order::Zyx];

    /// The axes of the product, from left to right.
    pub fn axes(self) -> [usize; 3] {
        match self {
            Order::Xyz => [0, 1, 2],
            Order::Xzy => [0, 2, 1],
            Order::Yxz => [1, 0, 2],
            Order::Yzx => [1, 2, 0],
            Order::Zxy => [2, 0, 1],
            Order::Zyx => [2, 1, 0],
        }
    }
}

/// Where a node is: turned, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// In the model's unit.
    pub translation: [f64; 3],
    /// A quaternion x y z w of length 1.
    pub rotation: [f64; 4],
}

/// Every node's transform, by the node's name.
pub type Pose = BTreeMap<String, Transform>;

impl Vectors {
    /// T(displacement) · R(orientation) · T(translation).
    pub fn compose(&self, order: Order) -> Transform {
        let [a, b, c] = order.axes().map(|axis| {
            let mut q = [0.0; 4];
            (q[axis], q[3]) = (self.orientation[axis].to_radians() / 2.0).sin_cos();
            q
        });
        let q = normalized(quaternion_product(quaternion_product(a, b), c));
        let moved = transform_point(&rotation(q), self.translation);
        Transform {
            translation: std::array::from_fn(|i| self.displacement[i] + moved[i]),
            rotation: q,
        }
    }
}

impl Transform {
    /// From the node's own space to that around it.
    pub fn matrix(&self) -> Mat4 {
        mul(&translation(self.translation), &rotation(self.rotation))
    }

    /// At the part `u` of the way to another one: the translation straight, the rotation along the
    /// shorter way.
    pub fn blend(&self, to: &Transform, u: f64) -> Transform {
        Transform {
            translation: lerp(self.translation, to.translation, u),
            rotation: slerp(self.rotation, to.rotation, u),
        }
    }
}

/// First `b`, then `a`.
fn quaternion_product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

/// The vector at a time in seconds, which may be below 0: the notes' table.
///
/// # Panics
///
/// On a type that the table does not have.
pub fn channel(channel: &Channel, t: f64) -> [f64; 3] {
    let &Channel { start, end, period, offset, kind } = channel;
    let u = (t + offset) / period;
    match kind {
        0 | 8 => start,
        9 if period > 0.0 => start.map(|x| x * u),
        9 => start.map(|x| x * t),
        1..=7 if period <= 0.0 => start,
        1 => lerp(start, end, fraction(u)),
        2 => lerp(end, start, fraction(u)),
        3 => lerp(start, end, triangle(u)),
        4 => lerp(end, start, triangle(u)),
        5 => lerp(start, end, u.clamp(0.0, 1.0)),
        6 => lerp(end, start, u.clamp(0.0, 1.0)),
        // The sine of the fraction, which has no error, and not of a great angle, which has one.
        7 => std::array::from_fn(|i| {
            (start[i] + end[i]) / 2.0 + (end[i] - start[i]) / 2.0 * (TAU * fraction(u)).sin()
        }),
        _ => panic!("type {kind}"),
    }
}

/// From 0 to 1, below 0 too. (A negative number that is nearly 0 is rounded to 1.)
fn fraction(u: f64) -> f64 {
    u - u.floor()
}

/// From 0 to 1 and back.
fn triangle(u: f64) -> f64 {
    1.0 - (1.0 - 2.0 * fraction(u)).abs()
}

/// What a SINGLE state makes of its nodes at a time in seconds since it was entered, in file order.
///
/// # Panics
///
/// On a KEYFRAME state.
pub fn single(file: &File, state: usize, t: f64) -> Vec<(String, Vectors)> {
    let Motion::Single(nodes) = &file.states[state].motion else { panic!("not SINGLE") };
    let vectors = |behaviour: &Behaviour| match behaviour {
        Behaviour::Static(vectors) => *vectors,
        Behaviour::Dynamic(channels) => channels.map(|moving| channel(&moving, t)),
    };
    let nodes = nodes.iter().map(|node| {
        let [displacement, translation, orientation] = vectors(&node.behaviour);
        (node.name.clone(), Vectors { displacement, translation, orientation })
    });
    nodes.collect()
}

/// The pose of a state of either kind at a time in seconds since it was entered. Found without
/// stepping.
///
/// # Panics
///
/// On names of states that there are not, on keyframe states that play themselves, and on times
/// below 0 in keyframe states.
pub fn pose_at(file: &File, state: usize, t: f64, order: Order) -> Pose {
    pose_within(file, state, t, order, 0)
}

/// The pose of a keyframe state in which the player has got to `moment`, `clock` seconds after the
/// state was entered.
pub(super) fn pose_in(
    file: &File,
    state: usize,
    moment: Option<Moment>,
    clock: f64,
    order: Order,
) -> Pose {
    pose_of_moment(file, state, moment, clock, order, 0)
}

/// `depth` is how many keyframe states play this one.
fn pose_within(file: &File, state: usize, t: f64, order: Order, depth: usize) -> Pose {
    assert!(depth < file.states.len(), "a keyframe state that plays itself");
    match &file.states[state].motion {
        Motion::Single(_) => {
            let mut pose = Pose::new();
            for (name, vectors) in single(file, state, t) {
                pose.entry(name).or_insert_with(|| vectors.compose(order));
            }
            pose
        }
        Motion::Keyframe(sequence) => {
            pose_of_moment(file, state, moment_at(sequence, t), t, order, depth)
        }
    }
}

/// All states that a keyframe state plays have its clock.
fn pose_of_moment(
    file: &File,
    state: usize,
    moment: Option<Moment>,
    clock: f64,
    order: Order,
    depth: usize,
) -> Pose {
    let Motion::Keyframe(sequence) = &file.states[state].motion else { panic!("not KEYFRAME") };
    let Some(moment) = moment else { return Pose::new() };
    let pose = |key: usize| {
        pose_within(file, file.find(&sequence.keys[key].state), clock, order, depth + 1)
    };
    let from = pose(moment.key);
    let Some((next, part)) = moment.blend else { return from };
    let mut blended = pose(next);
    for (name, from) in from {
        let transform = blended.get(&name).map_or(from, |to| from.blend(to, part));
        blended.insert(name, transform);
    }
    blended
}
