//! State machines, played tick by tick.

use std::collections::BTreeSet;

use crate::stt::{Moment, Sequence, moment_at};

/// The longest time of a sequence, in ticks, that is searched for an exit.
const LONGEST: i64 = 100_000;

/// A state machine. The times of all sequences are whole numbers of ticks, and their keys refer to
/// states by name.
#[derive(Clone, Debug)]
pub struct Machine {
    pub states: Vec<State>,
}

#[derive(Clone, Debug)]
pub struct State {
    pub name: String,
    pub motion: Motion,
}

#[derive(Clone, Debug)]
pub enum Motion {
    /// The duration of a clip, and the times of its events in file order.
    Clip {
        duration: i64,
        events: Vec<i64>,
    },
    Sequence(Sequence),
}

/// The answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Entered,
    /// The state will be entered at a key of the sequence, in some ticks.
    Waiting {
        key: usize,
        ticks: i64,
    },
    /// The machine has no such state.
    UnknownState,
    /// No key of the sequence has an exit.
    NoExit,
    /// The sequence reaches none of its keys with exit any more.
    NoExitAhead,
}

/// An event that occurs in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The state whose clip has the event.
    pub state: usize,
    /// The index of the event in the clip.
    pub event: usize,
    /// The time on the clock of the state that the machine is in.
    pub time: i64,
    /// Ticks since the start of the step.
    pub after: i64,
}

/// The result of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The state that was entered, and how many ticks into the step.
    pub entered: Option<(usize, i64)>,
    pub events: Vec<Occurrence>,
}

/// A state machine that is being played.
#[derive(Clone, Debug)]
pub struct Player<'a> {
    machine: &'a Machine,
    state: usize,
    clock: i64,
    fresh: bool,
    /// The requested state, and the tick on the clock at which it is entered.
    requested: Option<(usize, i64)>,
}

impl<'a> Player<'a> {
    /// Starts in the first state.
    pub fn new(machine: &'a Machine) -> Self {
        Self { machine, state: 0, clock: 0, fresh: true, requested: None }
    }

    pub fn state(&self) -> usize {
        self.state
    }

    /// Returns the ticks since the state was entered.
    pub fn clock(&self) -> i64 {
        self.clock
    }

    pub fn requested(&self) -> Option<usize> {
        self.requested.map(|(state, _)| state)
    }

    pub fn enter(&mut self, state: usize) {
        *self = Self { state, ..Self::new(self.machine) };
    }

    pub fn request(&mut self, state: usize) -> Answer {
        if state >= self.machine.states.len() {
            return Answer::UnknownState;
        }
        let Motion::Sequence(sequence) = &self.machine.states[self.state].motion else {
            self.enter(state);
            return Answer::Entered;
        };
        if may_leave(sequence, self.clock) {
            self.enter(state);
            return Answer::Entered;
        }
        if !sequence.keys.iter().any(|key| key.exit) {
            return Answer::NoExit;
        }
        // All keys that are ever reached again are reached within two rounds.
        let reached = reached(sequence, self.clock + 2 * longest_round(sequence) + 1);
        let is_exit = |(time, key): &(i64, usize)| *time > self.clock && sequence.keys[*key].exit;
        let Some((time, key)) = reached.into_iter().find(is_exit) else {
            return Answer::NoExitAhead;
        };
        self.requested = Some((state, time));
        Answer::Waiting { key, ticks: time - self.clock }
    }

    /// Advances by some ticks.
    pub fn advance(&mut self, ticks: i64) -> Step {
        let mut step = Step::default();
        for after in 1..=ticks {
            if std::mem::take(&mut self.fresh) {
                self.occur(after - 1, &mut step);
            }
            self.clock += 1;
            self.occur(after, &mut step);
            if let Some((requested, _)) = self.requested.filter(|(_, exit)| *exit == self.clock) {
                self.enter(requested);
                step.entered = Some((requested, after));
            }
        }
        step
    }

    /// Adds the events at the current tick.
    fn occur(&self, after: i64, step: &mut Step) {
        let mut shown = BTreeSet::new();
        self.machine.shown(self.state, self.clock, 0, &mut shown);
        // Events at the same time are in the order of the file.
        for state in shown {
            let Motion::Clip { duration, events } = &self.machine.states[state].motion else {
                continue;
            };
            for (event, time) in events.iter().enumerate() {
                if *time == self.clock && (0..=*duration).contains(time) {
                    step.events.push(Occurrence { state, event, time: *time, after });
                }
            }
        }
    }
}

impl Machine {
    /// Collects the states with clips that a state shows at a time.
    fn shown(&self, state: usize, clock: i64, depth: usize, into: &mut BTreeSet<usize>) {
        assert!(depth < 8, "sequences nested too deeply");
        let Motion::Sequence(sequence) = &self.states[state].motion else {
            into.insert(state);
            return;
        };
        let Some(Moment { key, blend }) = moment_at(sequence, clock as f64) else { return };
        for key in [Some(key), blend.map(|blend| blend.0)].into_iter().flatten() {
            let name = &sequence.keys[key].state;
            if let Some(state) = self.states.iter().position(|state| state.name == *name) {
                self.shown(state, clock, depth + 1, into);
            }
        }
    }
}

/// Whether a sequence is at a key with exit: it rests there, holds the key, or has just reached it.
fn may_leave(sequence: &Sequence, clock: i64) -> bool {
    // Without keys, there is nothing to wait for.
    let Some(moment) = moment_at(sequence, clock as f64) else { return true };
    sequence.keys[moment.key].exit && moment.blend.is_none_or(|blend| blend.1 == 0.0)
}

/// Returns at least the duration of a round.
fn longest_round(sequence: &Sequence) -> i64 {
    sequence.keys.iter().map(|key| (key.forward.time + key.backward.time) as i64).sum()
}

/// Returns the keys that a sequence reaches after its start key, with the tick of each, up to a
/// tick.
fn reached(sequence: &Sequence, until: i64) -> Vec<(i64, usize)> {
    assert!(until < LONGEST);
    let last = sequence.keys.len() - 1;
    let mut key = sequence.start_key().unwrap();
    let mut step: i64 = if matches!(sequence.kind, 2 | 4) { -1 } else { 1 };
    let mut now = 0;
    let mut found = Vec::new();
    // The number of steps since the time advanced.
    let mut at_once = 0;
    loop {
        match sequence.kind {
            0 => return found,
            5 if key == last => return found,
            3 | 4 if last == 0 => return found,
            3 | 4 if key == last => step = -1,
            3 | 4 if key == 0 => step = 1,
            _ => {}
        }
        let way = if step > 0 { sequence.keys[key].forward } else { sequence.keys[key].backward };
        assert_eq!(way.time.fract(), 0.0, "a part of a tick");
        now += way.time as i64;
        key = (key as i64 + step).rem_euclid(last as i64 + 1) as usize;
        at_once = if way.time > 0.0 { 0 } else { at_once + 1 };
        if now > until {
            return found;
        }
        if at_once > 2 * sequence.keys.len() {
            // A round without duration: the sequence stays at its start.
            return Vec::new();
        }
        found.push((now, key));
    }
}
