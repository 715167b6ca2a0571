//! Unity Animator Controllers.

mod yaml;

use anim_ir::diag::{plural, quote};
use anim_ir::{Converted, Diagnostics, Motion, Scene, Sequence, StateId, StateMachine};

use crate::codes;
use crate::error::FromIrError;
use crate::machine::machine_of;
use crate::moving::{self, Animations};
use crate::names;
use crate::phase;
use crate::visits::{Visit, visits};
use yaml::{Asset, Condition, Kind, Leaving, Machine, State};

/// The length of an animation in a GLB if nothing moves, in seconds.
const STILL: f64 = 1.0 / 60.0;
/// The length of a Unity state without an animation, in seconds.
const WITHOUT_MOTION: f64 = 1.0;

anim_ir::options! {
    /// Options for writing an Animator Controller; only the limits can be set.
    pub struct ToUnity {}
}

/// Writes a scene's first state machine as an Animator Controller with this name, and reports
/// losses.
///
/// The integer parameter `state` selects a state by its index in the machine. A state is left for
/// the one that is selected as soon as it may be left: a clip at any time, a sequence at its exit
/// keys. Each sequence is a sub-state machine whose states follow each other by exit times.
///
/// # Errors
///
/// Returns [`FromIrError`] if the scene is invalid ([`anim_ir::validate`]) or has no state machine,
/// or if its motion exceeds a limit.
pub fn unity(
    scene: &Scene,
    options: &ToUnity,
    name: &str,
) -> Result<Converted<String>, FromIrError> {
    let Converted { value: machine, mut losses } = machine_of(scene)?;
    let animations = Animations::new(scene, machine, &options.limits)?;
    let states = names::states(machine, &['/', '.'], &mut losses);
    for (id, state) in machine.enumerate_states() {
        let repeats = animations.is_shown(id) && animations.repeats(id);
        losses.lost(&codes::UNITY_LOSS_LOOP, repeats, || {
            format!("state {} repeats", quote(state.name.as_bytes()))
        });
    }
    losses.lost(&codes::UNITY_LOSS_MOTION, !states.is_empty(), || {
        format!("{} without motion", plural(states.len(), "state"))
    });
    let asset = Asset::new(name);
    let mut writer = Writer { scene, machine, names: states, animations, asset, losses };
    writer.root();
    Ok(Converted { value: writer.asset.finish(), losses: writer.losses })
}

struct Writer<'s> {
    scene: &'s Scene,
    machine: &'s StateMachine,
    names: Vec<String>,
    animations: Animations<'s>,
    asset: Asset,
    losses: Diagnostics,
}

impl Writer<'_> {
    fn root(&mut self) {
        let root = Asset::ROOT;
        let mut all = Machine { name: "Base Layer".to_owned(), ..Machine::default() };
        for (state, content) in self.machine.enumerate_states() {
            let selected = Condition { equal: true, state: state.index() };
            let entered = match &content.motion {
                Motion::Sequence(sequence) if !sequence.keys().is_empty() => {
                    let (machine, first) = self.sequence(state, sequence);
                    // From the exit of the sequence to that of the layer, which leads to the entry.
                    let on = self.asset.leave(Kind::Transition, &Leaving::default());
                    all.machines.push((machine, on));
                    all.start.get_or_insert(first);
                    Leaving {
                        machine: Some(machine),
                        conditions: Some(selected),
                        ..Leaving::default()
                    }
                }
                _ => {
                    let node = self.single(state);
                    all.states.push(node);
                    all.start.get_or_insert(node);
                    Leaving { state: Some(node), conditions: Some(selected), ..Leaving::default() }
                }
            };
            all.entries.push(self.asset.leave(Kind::Transition, &entered));
        }
        self.asset.machine(root, &all);
    }

    fn name(&self, state: StateId) -> &str {
        self.names.get(state.index()).map_or("", String::as_str)
    }

    /// Writes a state that plays a clip, or nothing, until another is selected.
    fn single(&mut self, state: StateId) -> u64 {
        let animation = match self.animations.of(state) {
            Some(name) => name.to_owned(),
            None => self.lost_rest(state, "has no motion"),
        };
        let leave = self.unselected(state);
        let name = self.name(state).to_owned();
        self.asset.state(&State { name, animation, transitions: vec![leave] })
    }

    fn lost_rest(&mut self, state: StateId, why: &str) -> String {
        let name = quote(self.name(state).as_bytes());
        self.losses.push(&codes::LOSS_REST, None, || format!("state {name} {why}"));
        String::new()
    }

    /// Writes the transition that leaves a state once another is selected.
    fn unselected(&mut self, state: StateId) -> u64 {
        let conditions = Some(Condition { equal: false, state: state.index() });
        let leaving = Leaving { conditions, ..Leaving::default() };
        self.asset.leave(Kind::StateTransition, &leaving)
    }

    /// Writes the transition to the next key. Unity never fires a transition with an exit time of
    /// 0, and ignores one with neither an exit time nor a condition. A state that is left
    /// immediately therefore has a condition instead: that the sequence is selected.
    fn selected(&mut self, state: StateId, leaving: Leaving) -> u64 {
        let at_once = leaving.exit_time.is_none();
        let conditions = at_once.then_some(Condition { equal: true, state: state.index() });
        self.asset.leave(Kind::StateTransition, &Leaving { conditions, ..leaving })
    }

    /// Writes a sequence as a sub-state machine. Returns it and its first state.
    fn sequence(&mut self, state: StateId, sequence: &Sequence) -> (u64, u64) {
        let visits = visits(sequence);
        let round = visits.last().filter(|last| last.next.is_some());
        let round = round.map(|last| last.start + f64::from(last.seconds));
        let nodes: Vec<u64> = visits.iter().map(|_| self.asset.reserve(Kind::State)).collect();
        for (number, (visit, node)) in visits.iter().zip(&nodes).enumerate() {
            let key = sequence.keys().get(visit.key).copied().unwrap_or_default();
            let mut transitions = Vec::new();
            if key.exit {
                transitions.push(self.unselected(state));
            }
            let next = visit.next.and_then(|next| Some((visits.get(next)?, *nodes.get(next)?)));
            if let Some((next, to)) = next {
                let leaving = self.step((visit, key.state), (next, to), sequence, round);
                transitions.push(self.selected(state, leaving));
                // A key that may not be left also morphs if another state is selected.
                if visit.morph && !key.exit {
                    transitions.push(self.asset.leave(
                        Kind::StateTransition,
                        &Leaving {
                            conditions: Some(Condition { equal: false, state: state.index() }),
                            ..leaving
                        },
                    ));
                }
            }
            let animation = self.played(state, key.state);
            let shown = key.state.map_or("(undefined)", |played| self.name(played));
            let exit = if key.exit { " (exit)" } else { "" };
            let name = format!("{} {shown}{exit}", number.saturating_add(1));
            self.report_clock(state, visit, key.state, round);
            self.asset.state_at(*node, &State { name, animation, transitions });
        }
        self.report_joints(state, sequence);
        let first = nodes.first().copied().unwrap_or_default();
        let name = self.name(state).to_owned();
        let machine = Machine { name, states: nodes, start: Some(first), ..Machine::default() };
        let id = self.asset.reserve(Kind::Machine);
        self.asset.machine(id, &machine);
        (id, first)
    }

    /// Returns the animation of a key.
    fn played(&mut self, state: StateId, played: Option<StateId>) -> String {
        match played.and_then(|played| self.animations.of(played)) {
            Some(name) => name.to_owned(),
            None => self.lost_rest(state, "has a key without motion"),
        }
    }

    /// Returns the length of the Unity state for a key, in seconds.
    fn length(&self, played: Option<StateId>) -> f64 {
        match self.animations.span(played) {
            Some(span) if span.seconds > 0.0 => span.seconds,
            Some(_) => STILL,
            None => WITHOUT_MOTION,
        }
    }

    /// Returns where in its animation a key starts, in seconds.
    fn start(&self, visit: &Visit, played: Option<StateId>, round: Option<f64>) -> (f64, bool) {
        let span = self.animations.span(played);
        span.map_or((0.0, true), |span| phase::phase(visit, span, round))
    }

    /// Returns the transition to the next key. A morph starts as soon as the key is reached.
    fn step(
        &self,
        (visit, played): (&Visit, Option<StateId>),
        (next, to): (&Visit, u64),
        sequence: &Sequence,
        round: Option<f64>,
    ) -> Leaving {
        let (start, _) = self.start(visit, played, round);
        // The time in the state when the transition starts.
        let time = start + (visit.start - visit.entered.max(0.0)) + f64::from(visit.seconds);
        let next_played = sequence.keys().get(next.key).and_then(|key| key.state);
        let (offset, _) = self.start(next, next_played, round);
        Leaving {
            state: Some(to),
            exit_time: (!visit.morph).then(|| time / self.length(played)),
            seconds: if visit.morph { visit.seconds } else { 0.0 },
            offset: offset / self.length(next_played),
            ..Leaving::default()
        }
    }

    fn report_clock(
        &mut self,
        state: StateId,
        visit: &Visit,
        played: Option<StateId>,
        round: Option<f64>,
    ) {
        let (_, holds) = self.start(visit, played, round);
        let shown = played.map_or("", |played| self.name(played));
        let [name, shown] = [self.name(state), shown].map(|name| quote(name.as_bytes()));
        self.losses.lost(&codes::LOSS_CLOCK, !holds, || {
            format!("sequence {name}: {shown} restarts in each round")
        });
    }

    fn report_joints(&mut self, state: StateId, sequence: &Sequence) {
        let count = moving::uneven_morphs(self.scene, self.machine, sequence);
        let name = quote(self.name(state).as_bytes());
        self.losses.lost(&codes::LOSS_JOINTS, count > 0, || {
            format!("sequence {name}: morphs between states that move different joints: {count}")
        });
    }
}
