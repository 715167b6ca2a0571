//! State machines for Godot's `AnimationTree`.

mod text;

use std::collections::HashMap;

use anim_ir::diag::quote;
use anim_ir::{Converted, Diagnostics, Scene, Sequence, State, StateId, StateMachine};

use crate::codes;
use crate::error::FromIrError;
use crate::machine::machine_of;
use crate::moving::{self, Animations};
use crate::names;
use crate::phase::{self, Span};
use crate::visits::{Visit, visits};
use text::{Machine, Resource, Switch, Way};

/// The largest number of states with a transition from each to each.
const MOST_CONNECTED: usize = 32;
/// What Godot 3 recognises at the end of a name as an animation that repeats.
const LOOP_SUFFIX: &str = "-loop";
/// The state at which a sequence starts, for one frame: it ends at once, and a transition at the
/// end of a state also ends the blend that was going on when the sequence was left before.
const START: &str = "start";

anim_ir::options! {
    /// Options for writing a state machine for Godot.
    pub struct ToGodot {
        /// Whether the animations of states that repeat have names that end with `-loop`, which
        /// makes Godot 3 repeat them.
        loop_suffix (with_loop_suffix): bool = false,
            flag("loop-suffix",
                "Append `-loop` to the names of animations that repeat, as in a GLB whose \
                 animations have been named so with --clip-names: Godot 3 only repeats \
                 animations with such names");
    }
}

/// Writes a scene's first state machine as an `AnimationNodeStateMachine` in Godot 3's text format,
/// and reports losses.
///
/// Each key of a sequence becomes a state that fades to the next over the time of the transition
/// (`xfade_time`). A key that is held and then switched fades to a second state with the same
/// animation, since Godot has no other way to wait for a given time.
///
/// # Errors
///
/// Returns [`FromIrError`] if the scene is invalid ([`anim_ir::validate`]) or has no state machine,
/// or if its motion exceeds a limit.
pub fn godot(scene: &Scene, options: &ToGodot) -> Result<Converted<String>, FromIrError> {
    let Converted { value: machine, mut losses } = machine_of(scene)?;
    let mut writer = Writer {
        scene,
        machine,
        names: names::states(machine, &['/'], &mut losses),
        animations: animations(scene, machine, options, &mut losses)?,
        resource: Resource::default(),
        empty: None,
        losses,
    };
    let root = writer.root();
    Ok(Converted { value: writer.resource.finish(&root), losses: writer.losses })
}

/// Returns the name of the animation of each state once Godot has imported it, and reports those
/// that are not unique or do not repeat.
fn animations(
    scene: &Scene,
    machine: &StateMachine,
    options: &ToGodot,
    losses: &mut Diagnostics,
) -> Result<Vec<Option<String>>, FromIrError> {
    let animations = Animations::new(scene, machine, &options.limits)?;
    let mut imported: HashMap<String, &str> = HashMap::new();
    let name = |(state, content): (StateId, &State)| {
        let own = animations.of(state)?;
        let repeats = animations.repeats(state);
        let suffix = if repeats && options.loop_suffix { LOOP_SUFFIX } else { "" };
        let is_kept = |c: &char| c.is_ascii_alphanumeric() || "_- ".contains(*c);
        let name: String = own.chars().chain(suffix.chars()).filter(is_kept).collect();
        let lower = name.to_ascii_lowercase();
        let is_loop = ["loop", "cycle"].iter().any(|end| lower.ends_with(end));
        let is_shown = animations.is_shown(state);
        losses.lost(&codes::GODOT_LOSS_LOOP, is_shown && repeats && !is_loop, || {
            let [state, name] = [&*content.name, own].map(|name| quote(name.as_bytes()));
            format!("state {state} repeats, but Godot 3 plays the animation {name} once")
        });
        losses.lost(&codes::GODOT_LOSS_POSE, is_shown && animations.is_partial(state), || {
            format!("state {} moves only some of the joints", quote(content.name.as_bytes()))
        });
        let other = *imported.entry(name.clone()).or_insert(own);
        losses.lost(&codes::GODOT_LOSS_ANIMATION, other != own, || {
            let [own, other, name] = [own, other, &name].map(|name| quote(name.as_bytes()));
            format!("the animations {other} and {own} are both imported as {name}")
        });
        Some(name)
    };
    Ok(machine.enumerate_states().map(name).collect())
}

struct Writer<'s> {
    scene: &'s Scene,
    machine: &'s StateMachine,
    /// The names of the states.
    names: Vec<String>,
    /// The names of the animations that show the states.
    animations: Vec<Option<String>>,
    resource: Resource,
    /// The resource of all states without motion.
    empty: Option<usize>,
    losses: Diagnostics,
}

impl Writer<'_> {
    /// Writes the nodes of all states, and returns the machine that contains them.
    fn root(&mut self) -> Machine {
        let machine = self.machine;
        let mut root = Machine::default();
        for ((id, _), name) in machine.enumerate_states().zip(self.names.clone()) {
            let node = match moving::sequence(machine, id) {
                Some(sequence) => self.sequence(id, sequence),
                None if self.animation(id).is_none() => self.lost_rest(id, "has no motion"),
                None => self.node(Some(id)),
            };
            root.add(&name, node);
        }
        self.connect(&mut root);
        root
    }

    /// Returns the node of states that show no animation.
    fn rest(&mut self) -> usize {
        *self.empty.get_or_insert_with(|| self.resource.add("AnimationNodeBlendTree", ""))
    }

    fn name(&self, state: StateId) -> &str {
        self.names.get(state.index()).map_or("", String::as_str)
    }

    fn lost_rest(&mut self, state: StateId, why: &str) -> usize {
        let name = quote(self.name(state).as_bytes());
        self.losses.push(&codes::LOSS_REST, None, || format!("state {name} {why}"));
        self.rest()
    }

    fn animation(&self, state: StateId) -> Option<&str> {
        self.animations.get(state.index())?.as_deref()
    }

    /// Writes a node that plays the animation of a state. Godot stores the weight of a node in the
    /// node, so that each place needs its own.
    fn node(&mut self, played: Option<StateId>) -> usize {
        let name = played.and_then(|played| self.animations.get(played.index())?.as_deref());
        match name {
            Some(name) => self.resource.add_animation(name),
            None => self.rest(),
        }
    }

    /// Writes a sequence as a state machine of its own.
    fn sequence(&mut self, state: StateId, sequence: &Sequence) -> usize {
        let visits = visits(sequence);
        if visits.is_empty() {
            return self.lost_rest(state, "has no keys");
        }
        self.report_exits(state, sequence);
        self.report_joints(state, sequence);
        let mut machine = Machine::default();
        if visits.len() > 1 {
            let rest = self.rest();
            machine.add(START, rest);
        }
        let steps: Vec<Step> = visits
            .iter()
            .enumerate()
            .map(|at| self.step(state, sequence, at, &mut machine))
            .collect();
        if let Some(first) = steps.first().filter(|_| visits.len() > 1) {
            let way = Way { switch: Switch::AtEnd, xfade: 0.0, auto: true };
            self.leads(&mut machine, START, &first.enter, way);
        }
        let round = visits.last().filter(|last| last.next.is_some());
        let round = round.map(|last| last.start + f64::from(last.seconds));
        for (visit, from) in visits.iter().zip(&steps) {
            if let Some(hold) = from.hold {
                self.leads(&mut machine, &from.enter, &from.leave, hold);
            }
            let next = visit.next.and_then(|next| Some((visits.get(next)?, steps.get(next)?)));
            let Some((next, to)) = next else { continue };
            let switch = self.switch(state, (next, to), from, round);
            let xfade = if visit.morph { visit.seconds } else { 0.0 };
            self.leads(&mut machine, &from.leave, &to.enter, Way { switch, xfade, auto: true });
        }
        let text = machine.text();
        self.resource.add("AnimationNodeStateMachine", &text)
    }

    /// Adds the states of a visit.
    fn step(
        &mut self,
        state: StateId,
        sequence: &Sequence,
        (number, visit): (usize, &Visit),
        machine: &mut Machine,
    ) -> Step {
        let key = sequence.keys().get(visit.key).copied().unwrap_or_default();
        let played = key.state.filter(|played| self.animation(*played).is_some());
        if played.is_none() {
            self.lost_rest(state, "has a key without motion");
        }
        let shown = key.state.map_or("(undefined)", |played| self.name(played));
        let exit = if key.exit { " (exit)" } else { "" };
        let place = number.saturating_add(1);
        let (enter, name) = (format!("{place} {shown} (enter)"), format!("{place} {shown}{exit}"));
        let span = phase::span(self.scene, self.machine, played);
        // A key that is held blends with itself.
        if !visit.morph && visit.seconds > 0.0 && visit.next.is_some() {
            let first = self.node(played);
            machine.add(&enter, first);
            let second = self.node(played);
            machine.add(&name, second);
            let hold = Way { switch: Switch::Sync, xfade: visit.seconds, auto: true };
            return Step { enter, leave: name, hold: Some(hold), span };
        }
        let node = self.node(played);
        machine.add(&name, node);
        Step { enter: name.clone(), leave: name, hold: None, span }
    }

    /// Returns how a visit is entered so that its animation is where the clock of the sequence is.
    fn switch(
        &mut self,
        state: StateId,
        (visit, to): (&Visit, &Step),
        from: &Step,
        round: Option<f64>,
    ) -> Switch {
        if phase::same_pace(from.span, to.span) {
            return Switch::Sync;
        }
        if let Some(span) = to.span {
            let (start, holds) = phase::phase(visit, span, round);
            self.report_clock(state, start > 0.0 || !holds, &to.leave);
        }
        Switch::Immediate
    }

    fn report_clock(&mut self, state: StateId, restarts: bool, key: &str) {
        let [name, key] = [self.name(state), key].map(|name| quote(name.as_bytes()));
        self.losses.lost(&codes::LOSS_CLOCK, restarts, || {
            format!("sequence {name}: {key} restarts when its key is reached")
        });
    }

    fn leads(&mut self, machine: &mut Machine, from: &str, to: &str, way: Way) {
        let transition = self.resource.add_transition(way);
        machine.connect(from, to, transition);
    }

    fn report_exits(&mut self, state: StateId, sequence: &Sequence) {
        let count = sequence.keys().iter().filter(|key| key.exit).count();
        let all = sequence.keys().len();
        let name = quote(self.name(state).as_bytes());
        self.losses.lost(&codes::GODOT_LOSS_EXIT, count < all, || match count {
            0 => format!("sequence {name} may never be left"),
            _ => format!("sequence {name} may only be left at {count} of its {all} keys"),
        });
    }

    fn report_joints(&mut self, state: StateId, sequence: &Sequence) {
        let count = moving::uneven_morphs(self.scene, self.machine, sequence);
        let name = quote(self.name(state).as_bytes());
        self.losses.lost(&codes::LOSS_JOINTS, count > 0, || {
            format!("sequence {name}: morphs between states that move different joints: {count}")
        });
    }

    /// Adds transitions from each state that can be left to all others.
    fn connect(&mut self, root: &mut Machine) {
        let count = self.names.len();
        let leavable = self.machine.enumerate_states().filter(|(state, _)| {
            let keys = moving::sequence(self.machine, *state).map_or(&[][..], Sequence::keys);
            keys.is_empty() || keys.iter().any(|key| key.exit)
        });
        let leavable: Vec<usize> = leavable.map(|(state, _)| state.index()).collect();
        if leavable.is_empty() || count < 2 {
            return;
        }
        if count > MOST_CONNECTED {
            self.losses.push(&codes::GODOT_LOSS_TRANSITIONS, None, || {
                format!("{count} states without transitions between them")
            });
            return;
        }
        let way = Way { switch: Switch::Immediate, xfade: 0.0, auto: false };
        let transition = self.resource.add_transition(way);
        for from in leavable {
            for to in (0..count).filter(|to| *to != from) {
                if let (Some(from), Some(to)) = (self.names.get(from), self.names.get(to)) {
                    root.connect(from, to, transition);
                }
            }
        }
    }
}

/// The states that show a visit.
struct Step {
    enter: String,
    leave: String,
    /// The transition from the first to the second, if the key is held.
    hold: Option<Way>,
    span: Option<Span>,
}
