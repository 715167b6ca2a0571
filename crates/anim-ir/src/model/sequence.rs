//! Sequences of states.

use std::collections::HashSet;
use std::fmt;

use crate::StateId;
use crate::file::number::narrow;
use crate::names::named;

/// The order in which a sequence plays its keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SequenceOrder {
    /// Stays at the start key.
    #[default]
    Stay,
    /// Plays forwards, then transitions from the last key to the first.
    LoopForwards,
    /// Plays backwards, then transitions from the first key to the last.
    LoopBackwards,
    /// Alternates between playing forwards and backwards, starting forwards.
    PingPongForwards,
    /// Alternates between playing backwards and forwards, starting backwards.
    PingPongBackwards,
    /// Plays forwards to the last key and stays there.
    OnceForwards,
}

named!(SequenceOrder, "sequence order", {
    Stay => "stay",
    LoopForwards => "loop forwards",
    LoopBackwards => "loop backwards",
    PingPongForwards => "ping-pong forwards",
    PingPongBackwards => "ping-pong backwards",
    OnceForwards => "once forwards",
});

/// The transition from a key of a sequence to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Transition {
    /// Duration in seconds, never negative.
    pub seconds: f32,
    /// Whether the pose is blended during the transition. Otherwise it switches at the end.
    pub morph: bool,
}

/// For example `morph over 2.5 s`.
impl fmt::Display for Transition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.morph { "morph over" } else { "switch after" };
        write!(f, "{how} {} s", self.seconds)
    }
}

/// A state that a sequence plays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SequenceKey {
    /// The state to play, or `None` if the file refers to a missing state, which shows the rest
    /// pose.
    pub state: Option<StateId>,
    /// Whether the machine may leave the sequence at this key.
    pub exit: bool,
    /// The transition to the next key.
    pub forward: Transition,
    /// The transition to the previous key.
    pub backward: Transition,
}

/// States that are played in order. They all share the clock of the sequence, which starts at 0
/// when the sequence is entered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    order: SequenceOrder,
    start: usize,
    keys: Vec<SequenceKey>,
    legs: Vec<Leg>,
}

/// A transition within a round of the sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Leg {
    from: usize,
    to: usize,
    /// Start in seconds from the start of the round.
    start: f64,
    end: f64,
    morph: bool,
}

/// A position in a sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The current key; during a transition, the key that it starts from.
    pub key: usize,
    /// During a blended transition, the next key and the progress from 0 to 1.
    pub blend: Option<(usize, f64)>,
}

impl Sequence {
    /// Creates a sequence that starts at the given key, or at the first key if it does not exist.
    /// Negative and non-finite durations count as 0.
    pub fn new(order: SequenceOrder, start: usize, keys: Vec<SequenceKey>) -> Sequence {
        let count = keys.len();
        let start = if start < count { start } else { 0 };
        let mut sequence = Sequence { order, start, keys, legs: Vec::new() };
        let last = count.saturating_sub(1);
        // The transitions of a round: the start key of each, and whether it leads forwards.
        let up = |from: usize, to: usize| (from..to).map(|key| (key, true));
        let down =
            |from: usize, to: usize| (to.saturating_add(1)..=from).rev().map(|key| (key, false));
        let around = |forwards: bool| {
            let key = move |step| if forwards { start + step } else { start + count - step };
            (0..count).map(move |step| (key(step) % count.max(1), forwards))
        };
        let ways: Vec<(usize, bool)> = match order {
            _ if count == 0 => Vec::new(),
            SequenceOrder::Stay => Vec::new(),
            SequenceOrder::LoopForwards => around(true).collect(),
            SequenceOrder::LoopBackwards => around(false).collect(),
            SequenceOrder::PingPongForwards => {
                up(start, last).chain(down(last, 0)).chain(up(0, start)).collect()
            }
            SequenceOrder::PingPongBackwards => {
                down(start, 0).chain(up(0, last)).chain(down(last, start)).collect()
            }
            SequenceOrder::OnceForwards => up(start, last).collect(),
        };
        let mut now = 0.0_f64;
        for (from, forwards) in ways {
            let Some(key) = sequence.keys.get(from) else { continue };
            let Transition { seconds, morph } = if forwards { key.forward } else { key.backward };
            let to = if forwards { (from + 1) % count } else { (from + count - 1) % count };
            let end = now + if seconds.is_finite() { f64::from(seconds).max(0.0) } else { 0.0 };
            sequence.legs.push(Leg { from, to, start: now, end, morph });
            now = end;
        }
        if now == 0.0 && order != SequenceOrder::OnceForwards {
            // A round without a duration would repeat without ever advancing, so the sequence stays
            // at the start.
            sequence.legs.clear();
        }
        sequence
    }

    /// Returns the order in which the keys are played.
    pub const fn order(&self) -> SequenceOrder {
        self.order
    }

    /// Returns the index of the start key.
    pub const fn start(&self) -> usize {
        self.start
    }

    /// Returns the keys.
    pub fn keys(&self) -> &[SequenceKey] {
        &self.keys
    }

    /// Returns the duration of a whole round in seconds, or the time up to the last key if the
    /// sequence stays there. 0 if the sequence stays at the start.
    pub fn duration(&self) -> f64 {
        self.legs.last().map_or(0.0, |leg| leg.end)
    }

    /// Returns the times within a round at which keys are reached, in seconds, in ascending order.
    pub fn boundaries(&self) -> impl Iterator<Item = f64> {
        self.legs.iter().map(|leg| leg.end)
    }

    /// Returns the distinct transitions that occur, in the order of a round. Each is returned with
    /// its start key and end key.
    pub fn ways(&self) -> impl Iterator<Item = (usize, usize, Transition)> {
        // A ping-pong round uses transitions in both directions, which count separately.
        let mut seen = HashSet::new();
        let seconds = |leg: &Leg| narrow(leg.end - leg.start);
        self.legs.iter().filter(move |leg| seen.insert((leg.from, leg.to))).map(move |leg| {
            (leg.from, leg.to, Transition { seconds: seconds(leg), morph: leg.morph })
        })
    }

    /// Whether the sequence repeats after [`Sequence::duration`].
    const fn repeats(&self) -> bool {
        !matches!(self.order, SequenceOrder::OnceForwards)
    }

    /// Returns the state of a key.
    pub(crate) fn state_of(&self, key: usize) -> Option<StateId> {
        self.keys.get(key)?.state
    }

    /// Returns the position at a time in seconds since the sequence was entered, or `None` if it
    /// has no keys. Negative times return the start.
    pub fn at(&self, time: f64) -> Option<Moment> {
        if self.keys.is_empty() {
            return None;
        }
        let (_, leg, now) = self.locate(time);
        Some(match self.legs.get(leg) {
            Some(Leg { from, to, start, end, morph: true }) => {
                Moment { key: *from, blend: Some((*to, (now - start) / (end - start))) }
            }
            Some(Leg { from, .. }) => Moment { key: *from, blend: None },
            None => Moment { key: self.resting(), blend: None },
        })
    }

    /// Returns the key at which the sequence stops.
    fn resting(&self) -> usize {
        self.legs.last().filter(|_| !self.repeats()).map_or(self.start, |leg| leg.to)
    }

    /// Returns when the current round began, the index of the current leg, and the time within the
    /// round. After the last leg, the sequence is at rest.
    fn locate(&self, time: f64) -> (f64, usize, f64) {
        let duration = self.duration();
        let time = if time.is_finite() { time.max(0.0) } else { 0.0 };
        let began = if self.repeats() && duration > 0.0 {
            (time / duration).floor() * duration
        } else {
            0.0
        };
        let mut now = (time - began).max(0.0);
        if self.repeats() && duration > 0.0 && now >= duration {
            now = 0.0;
        }
        (began, self.legs.partition_point(|leg| leg.end <= now), now)
    }

    /// Whether the sequence may be left at a time: it must be at a key that allows it, and not in a
    /// blended transition unless the transition starts at exactly this time.
    pub(crate) fn may_leave_at(&self, time: f64) -> bool {
        let (_, leg, now) = self.locate(time);
        let key = match self.legs.get(leg) {
            Some(leg) if leg.morph && leg.start < now => return false,
            Some(leg) => leg.from,
            None => self.resting(),
        };
        self.keys.get(key).is_none_or(|key| key.exit)
    }

    /// Whether any key has an exit, even if it is not reached.
    pub(crate) fn has_exit(&self) -> bool {
        self.keys.iter().any(|key| key.exit)
    }

    /// Returns the first time after `from`, up to and including `to`, at which the sequence reaches
    /// a key where it may be left, and the index of that key.
    pub(crate) fn next_exit(&self, from: f64, to: f64) -> Option<(f64, usize)> {
        let (mut began, first, _) = self.locate(from);
        // An exit that does not occur within one full round never occurs.
        let rounds = if self.repeats() { 2 } else { 1 };
        for round in 0..rounds {
            let skipped = if round == 0 { first } else { 0 };
            for leg in self.legs.iter().skip(skipped) {
                let time = began + leg.end;
                if time > to {
                    return None;
                }
                if time > from && self.keys.get(leg.to).is_some_and(|key| key.exit) {
                    return Some((time, leg.to));
                }
            }
            began += self.duration();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(forward: f32, backward: f32, morph: bool) -> SequenceKey {
        let [forward, backward] = [forward, backward].map(|seconds| Transition { seconds, morph });
        SequenceKey { forward, backward, ..SequenceKey::default() }
    }

    /// Returns a sequence of three keys whose forward transitions take 1, 2 and 4 s and whose
    /// backward transitions take 0.5, 0.25 and 0.125 s, without blending.
    fn sequence(order: SequenceOrder, start: usize) -> Sequence {
        let keys = vec![key(1.0, 0.5, false), key(2.0, 0.25, false), key(4.0, 0.125, false)];
        Sequence::new(order, start, keys)
    }

    #[test]
    fn positions_match_hand_computed_values() {
        use SequenceOrder::{
            LoopBackwards, LoopForwards, OnceForwards, PingPongBackwards, PingPongForwards, Stay,
        };
        // Each time is listed with the key that is current at that time.
        for (order, start, keys) in [
            (Stay, 1, &[(0.0, 1), (99.0, 1)][..]),
            (LoopForwards, 1, &[(-1.0, 1), (0.0, 1), (1.9, 1), (2.0, 2), (5.9, 2), (6.0, 0)]),
            (LoopForwards, 1, &[(6.9, 0), (7.0, 1), (9.0, 2)]),
            (
                LoopBackwards,
                1,
                &[(0.0, 1), (0.25, 0), (0.74, 0), (0.75, 2), (0.874, 2), (0.875, 1)],
            ),
            // 1 → 2 takes 2 s, 2 → 1 takes 0.125 s, 1 → 0 takes 0.25 s and 0 → 1 takes 1 s.
            (PingPongForwards, 1, &[(0.0, 1), (1.9, 1), (2.0, 2), (2.124, 2), (2.125, 1)]),
            (PingPongForwards, 1, &[(2.374, 1), (2.375, 0), (3.374, 0), (3.375, 1), (5.375, 2)]),
            (PingPongForwards, 2, &[(0.0, 2), (0.124, 2), (0.125, 1), (0.375, 0), (1.375, 1)]),
            (PingPongForwards, 2, &[(3.375, 2)]),
            (PingPongBackwards, 1, &[(0.0, 1), (0.25, 0), (1.25, 1), (3.25, 2), (3.375, 1)]),
            (OnceForwards, 0, &[(0.5, 0), (1.0, 1), (2.9, 1), (3.0, 2), (1e9, 2)]),
        ] {
            for (time, key) in keys {
                let moment = sequence(order, start).at(*time).unwrap();
                assert_eq!(moment.key, *key, "{order} from {start} at {time}");
            }
        }
        assert_eq!(sequence(SequenceOrder::PingPongForwards, 1).duration(), 3.375);
        let empty = Sequence::new(LoopForwards, 7, Vec::new());
        assert_eq!((empty.at(1.0), empty.duration()), (None, 0.0));
        let at_once = Sequence::new(LoopForwards, 1, vec![key(0.0, 0.0, true); 3]);
        assert_eq!(at_once.at(5.0), Some(Moment { key: 1, blend: None }));
        let once = Sequence::new(OnceForwards, 0, vec![key(0.0, 0.0, true); 3]);
        assert_eq!(once.at(0.0), Some(Moment { key: 2, blend: None }));
        let morph = Sequence::new(LoopForwards, 0, vec![key(4.0, 0.0, true), key(0.0, 0.0, true)]);
        assert_eq!(morph.at(1.0), Some(Moment { key: 0, blend: Some((1, 0.25)) }));
    }
}
