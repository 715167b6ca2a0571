//! Node poses, and the progress of a keyframe state at a given time, computed by dividing the time
//! by the length of a cycle.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use super::{Behaviour, Channel, File, Key, Motion, Node, Order, Sequence, Way};
use crate::math::{self, Mat4, lerp, mul, normalized, slerp, transform_point};

/// The transform of a node: rotated, then translated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// The translation in model units.
    pub translation: [f64; 3],
    /// The rotation as a unit quaternion x y z w.
    pub rotation: [f64; 4],
}

/// The transform of each node, by name.
pub type Pose = BTreeMap<String, Transform>;

impl Transform {
    /// Creates a transform from displacement, translation and orientation (in degrees):
    /// T(displacement) · R(orientation) · T(translation).
    pub fn of([displacement, translation, orientation]: [[f64; 3]; 3], order: Order) -> Self {
        let rotation = normalized(order.turn(orientation.map(f64::to_radians)));
        let moved = transform_point(&math::rotation(rotation), translation);
        Self { translation: std::array::from_fn(|i| displacement[i] + moved[i]), rotation }
    }

    /// Returns the matrix from node space to parent space.
    pub fn matrix(&self) -> Mat4 {
        mul(&math::translation(self.translation), &math::rotation(self.rotation))
    }

    /// Interpolates towards another transform: the translation linearly, the rotation along the
    /// shorter arc.
    pub fn blend(&self, to: &Transform, u: f64) -> Transform {
        Transform {
            translation: lerp(self.translation, to.translation, u),
            rotation: slerp(self.rotation, to.rotation, u),
        }
    }
}

/// Evaluates a channel according to the notes' table. The time in seconds may be negative.
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
        // Use the sine of the fraction, since a large angle would not be exact.
        7 => std::array::from_fn(|i| {
            (start[i] + end[i]) / 2.0 + (end[i] - start[i]) / 2.0 * (TAU * fraction(u)).sin()
        }),
        _ => panic!("type {kind}"),
    }
}

/// Returns the fractional part of a number: from 0 to 1, even for negative numbers. (A tiny
/// negative number rounds to 1.)
fn fraction(u: f64) -> f64 {
    u - u.floor()
}

/// Evaluates a triangle wave, which runs from 0 to 1 and back.
fn triangle(u: f64) -> f64 {
    1.0 - (1.0 - 2.0 * fraction(u)).abs()
}

/// Returns the nodes of a SINGLE state at a time in seconds since it was entered, in file order:
/// names with displacement, translation and orientation.
pub fn single(file: &File, state: usize, t: f64) -> Vec<(&str, [[f64; 3]; 3])> {
    let Motion::Single(nodes) = &file.states[state].motion else { panic!("not SINGLE") };
    let vectors = |node: &Node| match node.behaviour {
        Behaviour::Static(vectors) => vectors,
        Behaviour::Dynamic(channels) => channels.map(|moving| channel(&moving, t)),
    };
    nodes.iter().map(|node| (&*node.name, vectors(node))).collect()
}

/// The progress of the player in a keyframe state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The most recent key.
    pub key: usize,
    /// The key to which the pose blends, and the progress from 0 to below 1. `None` while the key
    /// is held.
    pub blend: Option<(usize, f64)>,
}

/// The step from one key to another.
struct Leg {
    from: usize,
    to: usize,
    way: Way,
}

/// Returns the progress at a time in seconds since the state was entered. `None` without keys.
///
/// Forward steps use the forward transition of the key from which they start; backward steps use
/// its backward transition:
///
/// | type | order |
/// |---|---|
/// | 0 | stays at the start |
/// | 1 | forwards; from the last key to the first with the last key's forward transition |
/// | 2 | backwards; from the first key to the last with the first key's backward transition |
/// | 3 | forwards; reverses at the last key, even if it is the start, and at the first key |
/// | 4 | backwards; reverses at the first key, even if it is the start, and at the last key |
/// | 5 | forwards to the last key, where it stays |
///
/// # Panics
///
/// On negative times and other types.
pub fn moment_at(sequence: &Sequence, t: f64) -> Option<Moment> {
    assert!(t >= 0.0);
    let start = sequence.start_key()?;
    let held = |key: usize| Some(Moment { key, blend: None });
    let legs = legs(&sequence.keys, sequence.kind, start);
    let round: f64 = legs.iter().map(|leg| leg.way.time).sum();
    let t = match sequence.kind {
        0 => return held(start),
        5 if t >= round => return held(sequence.keys.len() - 1),
        5 => t,
        _ if round == 0.0 => return held(start),
        _ => t.rem_euclid(round),
    };
    let mut begin = 0.0;
    for leg in &legs {
        let end = begin + leg.way.time;
        if t < end {
            let part = (t - begin) / leg.way.time;
            return Some(Moment { key: leg.from, blend: leg.way.morph.then_some((leg.to, part)) });
        }
        begin = end;
    }
    panic!("{t} is in no leg of {round} s")
}

/// Returns the steps of one cycle from the start, or all steps for type 5.
fn legs(keys: &[Key], kind: u8, start: usize) -> Vec<Leg> {
    let count = keys.len();
    let forward = |from: usize| Leg { from, to: (from + 1) % count, way: keys[from].forward };
    let backward =
        |from: usize| Leg { from, to: (from + count - 1) % count, way: keys[from].backward };
    // Rotates a cycle to start with the step at `first`.
    let rotated = |mut legs: Vec<Leg>, first: usize| {
        legs.rotate_left(first);
        legs
    };
    let (there, back) = ((0..count - 1).map(forward), (1..count).rev().map(backward));
    match kind {
        0 => Vec::new(),
        1 => rotated((0..count).map(forward).collect(), start),
        2 => rotated((0..count).rev().map(backward).collect(), count - 1 - start),
        // Forwards, then backwards. If the start is the last key, the step at `start` goes
        // backwards.
        3 => rotated(there.chain(back).collect(), start),
        // Backwards, then forwards. If the start is the first key, the step at `count - 1 - start`
        // goes forwards.
        4 => rotated(back.chain(there).collect(), count - 1 - start),
        5 => (start..count - 1).map(forward).collect(),
        _ => panic!("type {kind}"),
    }
}

/// Returns the pose of a state of either kind at a time in seconds since it was entered, without
/// stepping.
///
/// # Panics
///
/// On references to missing states, keyframe states that play themselves, and negative times in
/// keyframe states.
pub fn pose_at(file: &File, state: usize, t: f64, order: Order) -> Pose {
    pose_within(file, state, t, order, 0)
}

/// `depth` is the number of nested keyframe states that play this one.
fn pose_within(file: &File, state: usize, t: f64, order: Order, depth: usize) -> Pose {
    assert!(depth < file.states.len(), "a keyframe state that plays itself");
    match &file.states[state].motion {
        Motion::Single(_) => {
            let mut pose = Pose::new();
            for (name, vectors) in single(file, state, t) {
                pose.entry(name.to_owned()).or_insert_with(|| Transform::of(vectors, order));
            }
            pose
        }
        Motion::Keyframe(sequence) => {
            pose_of_moment(file, sequence, moment_at(sequence, t), t, order, depth)
        }
    }
}

/// Returns the pose of a keyframe state at `moment`. All states that it plays share its clock, in
/// seconds since it was entered.
pub(super) fn pose_of_moment(
    file: &File,
    sequence: &Sequence,
    moment: Option<Moment>,
    clock: f64,
    order: Order,
    depth: usize,
) -> Pose {
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
