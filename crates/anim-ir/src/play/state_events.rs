//! The events of states, and those that a step of a state machine crosses.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::model::machine::DEEPEST;
use crate::play::crossing::Crossing;
use crate::{ClipId, Event, Moment, Motion, Scene, StateId, StateMachine, sort_by};

/// Maximum number of states whose events are kept.
const KEPT: usize = 64;

/// An event of a clip that a state plays.
#[derive(Clone, Copy, Debug)]
struct Timed<'a> {
    /// The time on the clock of the state.
    time: f64,
    event: &'a Event,
    clip: ClipId,
}

/// The events of the states of a machine, and which of them the last step crosses.
#[derive(Clone, Debug)]
pub(super) struct StateEvents<'a> {
    scene: &'a Scene,
    machine: &'a StateMachine,
    /// Whether the scene has no events at all, as in most scenes with states.
    is_silent: bool,
    of_states: HashMap<StateId, Arc<[Timed<'a>]>>,
    /// What the last step plays of the state at its start, and of the state that it enters.
    spans: [Option<Span<'a>>; 2],
}

/// A part of a step that plays one state.
#[derive(Clone, Debug)]
struct Span<'a> {
    state: StateId,
    events: Arc<[Timed<'a>]>,
    /// The next event, and the end of those that are crossed.
    next: usize,
    end: usize,
    /// The time from the clock of the state to that of the step, in seconds.
    offset: f64,
}

impl<'a> StateEvents<'a> {
    pub(super) fn of(scene: &'a Scene, machine: &'a StateMachine) -> StateEvents<'a> {
        let is_silent = scene.timelines.iter().all(|timeline| timeline.events.is_empty());
        StateEvents { scene, machine, is_silent, of_states: HashMap::new(), spans: [None, None] }
    }

    /// Forgets the events of the last step that were not taken.
    pub(super) fn clear(&mut self) {
        if !self.is_silent {
            self.spans = [None, None];
        }
    }

    /// Adds a part of a step, `begins` seconds after its start: the events after one time on the
    /// clock of the state, or also at that time, up to and including the other.
    pub(super) fn add(
        &mut self,
        state: StateId,
        (from, to): (f64, f64),
        includes_from: bool,
        begins: f64,
    ) {
        if self.is_silent {
            return;
        }
        let events = self.of_state(state);
        if events.is_empty() {
            return;
        }
        let is_past = |time: f64| time < from || !includes_from && time == from;
        let next = events.partition_point(|timed| is_past(timed.time));
        let end = events.partition_point(|timed| timed.time <= to);
        let span = Span { state, events, next, end, offset: begins - from };
        let [first, second] = &mut self.spans;
        *(if first.is_none() { first } else { second }) = Some(span);
    }

    /// Takes the next event that the step crosses.
    pub(super) fn next(&mut self) -> Option<Crossing<'a>> {
        for span in self.spans.iter_mut().flatten() {
            while span.next < span.end
                && let Some(Timed { time, event, clip }) = span.events.get(span.next).copied()
            {
                span.next = span.next.saturating_add(1);
                if shows(self.machine, span.state, time, clip, DEEPEST) {
                    let after = (time + span.offset).max(0.0);
                    return Some(Crossing { event, time, after, backwards: false });
                }
            }
        }
        None
    }

    /// Returns the events of all clips that a state may show, in order of time.
    fn of_state(&mut self, state: StateId) -> Arc<[Timed<'a>]> {
        if let Some(events) = self.of_states.get(&state) {
            return Arc::clone(events);
        }
        let mut events: Vec<Timed<'a>> = Vec::new();
        for id in clips_of(self.machine, state) {
            let scene = self.scene;
            let Some(clip) = scene.clip(id) else { continue };
            let Some(timeline) = scene.timeline(clip.timeline) else { continue };
            let start = f64::from(clip.start);
            events.extend(timeline.events_in(clip).map(|event| Timed {
                time: f64::from(event.time) - start,
                event,
                clip: id,
            }));
        }
        sort_by(&mut events, |a, b| a.time.total_cmp(&b.time));
        if self.of_states.len() >= KEPT {
            self.of_states.clear();
        }
        let events: Arc<[Timed<'a>]> = events.into();
        self.of_states.insert(state, Arc::clone(&events));
        events
    }
}

/// Returns the clips that a state may show.
fn clips_of(machine: &StateMachine, state: StateId) -> BTreeSet<ClipId> {
    let (mut clips, mut seen) = (BTreeSet::new(), BTreeSet::new());
    seen.insert(state);
    let mut open = vec![state];
    while let Some(state) = open.pop() {
        match machine.motion(state) {
            Some(Motion::Clip(clip)) => {
                clips.insert(*clip);
            }
            Some(Motion::Sequence(sequence)) => {
                let states = sequence.keys().iter().filter_map(|key| key.state);
                open.extend(states.filter(|state| seen.insert(*state)));
            }
            None => {}
        }
    }
    clips
}

/// Whether a state shows a clip at a time on its clock. The depth bounds the cost, as it does for
/// poses.
fn shows(machine: &StateMachine, state: StateId, time: f64, wanted: ClipId, depth: usize) -> bool {
    match machine.motion(state) {
        Some(Motion::Clip(clip)) => *clip == wanted,
        Some(Motion::Sequence(sequence)) if depth > 0 => {
            let Some(Moment { key, blend }) = sequence.at(time) else { return false };
            let below = |key: usize| {
                let state = sequence.state_of(key);
                state.is_some_and(|state| shows(machine, state, time, wanted, depth - 1))
            };
            below(key) || blend.is_some_and(|(next, _)| below(next))
        }
        _ => false,
    }
}
