//! What a keyframe state plays at a time, by dividing time by the length of a round.

use super::file::{Key, Sequence, Way};

/// How far the player of a keyframe state has got.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The last key that was reached.
    pub key: usize,
    /// The key that its pose blends into, and the part of the way there, 0 to below 1. `None` while
    /// the key is held.
    pub blend: Option<(usize, f64)>,
}

/// From one key to another.
struct Leg {
    from: usize,
    to: usize,
    way: Way,
}

/// What is played at a time in seconds since the state was entered. `None` without keys.
///
/// From a key forwards its forward numbers count, backwards its backward numbers:
///
/// | type | way |
/// |---|---|
/// | 0 | stays at the start |
/// | 1 | forwards; from the last key to the first one with the last one's forward numbers |
/// | 2 | backwards; from the first key to the last one with the first one's backward numbers |
/// | 3 | forwards; at the last key, even if the start, backwards; at the first forwards again |
/// | 4 | backwards; at the first key, even if the start, forwards; at the last backwards again |
/// | 5 | forwards until the last key, where it stays |
///
/// # Panics
///
/// On times below 0 and on other types.
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

/// All ways from the start: one round, or for the type 5 all that there are.
fn legs(keys: &[Key], kind: u8, start: usize) -> Vec<Leg> {
    let count = keys.len();
    let forward = |from: usize| Leg { from, to: (from + 1) % count, way: keys[from].forward };
    let backward =
        |from: usize| Leg { from, to: (from + count - 1) % count, way: keys[from].backward };
    // A round of which the start is the part at `first`.
    let rotated = |mut legs: Vec<Leg>, first: usize| {
        legs.rotate_left(first);
        legs
    };
    match kind {
        0 => Vec::new(),
        1 => rotated((0..count).map(forward).collect(), start),
        2 => rotated((0..count).rev().map(backward).collect(), count - 1 - start),
        // There and back. From the last key on, the part at `start` goes backwards.
        3 => rotated(
            (0..count - 1).map(forward).chain((1..count).rev().map(backward)).collect(),
            start,
        ),
        // Back and there. From the first key on, the part at its distance from the last one goes
        // forwards.
        4 => rotated(
            (1..count).rev().map(backward).chain((0..count - 1).map(forward)).collect(),
            count - 1 - start,
        ),
        5 => (start..count - 1).map(forward).collect(),
        _ => panic!("type {kind}"),
    }
}
