//! Step-by-step playback of states.

use super::pose::{self, Moment, Pose};
use super::{File, Key, Motion, Order, Sequence, Way};

/// Plays the states of a file in the order in which they are requested.
#[derive(Clone, Debug)]
pub struct Player<'a> {
    file: &'a File,
    state: usize,
    /// Seconds since the state was entered.
    clock: f64,
    /// The position in a keyframe state with keys.
    place: Option<Place>,
    requested: Option<usize>,
}

/// The last key that was reached, and the direction of playback.
#[derive(Clone, Copy, Debug)]
struct Place {
    key: usize,
    forwards: bool,
    /// The time when the key was reached, on the state's clock.
    reached: f64,
}

impl<'a> Player<'a> {
    /// Starts playing a state.
    pub fn enter(file: &'a File, state: usize) -> Self {
        let place = match &file.states[state].motion {
            Motion::Single(_) => None,
            Motion::Keyframe(sequence) => sequence.start_key().map(|key| {
                let forwards = !matches!(sequence.kind, 2 | 4);
                Place { key, forwards: turned_at_the_end(sequence, key, forwards), reached: 0.0 }
            }),
        };
        let mut player = Self { file, state, clock: 0.0, place, requested: None };
        player.advance(0.0);
        player
    }

    /// Requests another state (or a restart of the same state), replacing any earlier request. A
    /// SINGLE state is left immediately. A KEYFRAME state is left as soon as the player is at a key
    /// with `exit`: immediately while it holds such a key, otherwise on reaching one.
    pub fn request(&mut self, state: usize) {
        self.requested = Some(state);
        self.advance(0.0);
    }

    /// Advances by `dt` seconds. Any time left over when a state ends carries over to the next.
    ///
    /// # Panics
    ///
    /// If `dt` is negative, or if a key's time is too short to advance the clock.
    pub fn advance(&mut self, dt: f64) {
        assert!(dt >= 0.0);
        let mut end = self.clock + dt;
        loop {
            if let Some(state) = self.requested.filter(|_| self.may_leave()) {
                end -= self.clock;
                *self = Self::enter(self.file, state);
                continue;
            }
            match self.next_place() {
                Some(next) if next.reached <= end => {
                    self.clock = next.reached;
                    self.place = Some(next);
                }
                _ => break,
            }
        }
        self.clock = end;
    }

    pub fn state(&self) -> usize {
        self.state
    }

    /// Seconds since the state was entered.
    pub fn clock(&self) -> f64 {
        self.clock
    }

    /// Returns the pending request.
    pub fn requested(&self) -> Option<usize> {
        self.requested
    }

    /// Returns the most recent key. `None` in a SINGLE state or without keys.
    pub fn key(&self) -> Option<usize> {
        self.place.map(|place| place.key)
    }

    /// Returns the progress of a KEYFRAME state. `None` in a SINGLE state or without keys.
    pub fn moment(&self) -> Option<Moment> {
        let Place { key, reached, .. } = self.place?;
        let blend = self
            .way()
            .filter(|(_, way)| way.morph)
            .map(|(next, way)| (next, (self.clock - reached) / way.time));
        Some(Moment { key, blend })
    }

    /// Returns the transform of each node.
    pub fn pose(&self, order: Order) -> Pose {
        let Self { file, state, clock, .. } = *self;
        match &file.states[state].motion {
            Motion::Single(_) => pose::pose_at(file, state, clock, order),
            Motion::Keyframe(sequence) => {
                pose::pose_of_moment(file, sequence, self.moment(), clock, order, 0)
            }
        }
    }

    /// Returns the sequence of a KEYFRAME state with keys, and the player's position in it.
    fn sequence(&self) -> Option<(&'a Sequence, Place)> {
        match &self.file.states[self.state].motion {
            Motion::Keyframe(sequence) => Some((sequence, self.place?)),
            Motion::Single(_) => None,
        }
    }

    fn may_leave(&self) -> bool {
        let Some((sequence, place)) = self.sequence() else { return true };
        let held = self.way().is_none_or(|(_, way)| !way.morph);
        sequence.keys[place.key].exit && (held || self.clock == place.reached)
    }

    /// Returns the next key and the transition to it, or `None` if the player stays at the current
    /// key.
    fn way(&self) -> Option<(usize, Way)> {
        let (sequence, place) = self.sequence()?;
        let count = sequence.keys.len();
        if stays(sequence, place.key) {
            None
        } else if place.forwards {
            Some(((place.key + 1) % count, sequence.keys[place.key].forward))
        } else {
            Some(((place.key + count - 1) % count, sequence.keys[place.key].backward))
        }
    }

    fn next_place(&self) -> Option<Place> {
        let (sequence, place) = self.sequence()?;
        let (key, way) = self.way()?;
        let reached = place.reached + way.time;
        assert!(
            way.time == 0.0 || reached > place.reached,
            "a time too short to advance the clock"
        );
        Some(Place { key, forwards: turned_at_the_end(sequence, key, place.forwards), reached })
    }
}

/// Whether the player stays at a key: always for type 0, at the last key for type 5, and for all
/// other types if the whole cycle has zero duration.
fn stays(sequence: &Sequence, key: usize) -> bool {
    let keys = &sequence.keys;
    let last = keys.len() - 1;
    let forwards = |keys: &[Key]| keys.iter().all(|key| key.forward.time == 0.0);
    let backwards = |keys: &[Key]| keys.iter().all(|key| key.backward.time == 0.0);
    match sequence.kind {
        0 => true,
        1 => forwards(keys),
        2 => backwards(keys),
        3 | 4 => forwards(&keys[..last]) && backwards(&keys[1..]),
        5 => key == last,
        kind => panic!("type {kind}"),
    }
}

/// Whether the player continues forwards from a key that it has reached; a ping-pong sequence
/// reverses at both ends.
fn turned_at_the_end(sequence: &Sequence, key: usize, forwards: bool) -> bool {
    match sequence.kind {
        3 | 4 if key + 1 == sequence.keys.len() => false,
        3 | 4 if key == 0 => true,
        _ => forwards,
    }
}
