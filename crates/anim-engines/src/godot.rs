//! State machines for Godot's `AnimationTree`.

mod text;

use std::collections::HashSet;

use anim_ir::diag::quote;
use anim_ir::{
    ClipId, Converted, Diagnostics, Motion, Scene, Sequence, StateId, StateMachine, require_valid,
};

use crate::codes;
use crate::error::FromIrError;
use crate::names::{self, Animations};
use crate::phase::{self, Span};
use crate::tree::{self, Tree};
use crate::visits::{Visit, visits};
use text::{Machine, Resource, Switch, Way};

/// The largest number of states with a transition from each to each.
const MOST_CONNECTED: usize = 32;
/// What Godot 3 recognises at the end of a name as an animation that repeats.
const LOOP_SUFFIX: &str = "-loop";

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
/// Returns [`FromIrError`] if the scene is invalid ([`anim_ir::validate`]) or has no state machine.
pub fn godot(scene: &Scene, options: &ToGodot) -> Result<Converted<String>, FromIrError> {
    require_valid(scene)?;
    let machine = scene.machines.first().ok_or(FromIrError::NoMachine)?;
    let mut losses = Diagnostics::new();
    losses.lost_some(
        &codes::LOSS_MACHINES,
        scene.machines.len().saturating_sub(1),
        "dropped state machines",
    );
    let mut writer = Writer {
        scene,
        machine,
        names: names::states(machine, &['/'], &mut losses),
        animations: animations(scene, machine, options, &mut losses),
        tree: Tree::new(machine),
        resource: Resource::default(),
        nodes: vec![None; machine.states.len()],
        empty: None,
        losses,
    };
    let root = writer.root();
    Ok(Converted { value: writer.resource.finish(&root), losses: writer.losses })
}

/// Returns the names of the animations of all clips once Godot has imported them, and reports
/// those of the machine's states that are not unique or do not repeat.
fn animations(
    scene: &Scene,
    machine: &StateMachine,
    options: &ToGodot,
    losses: &mut Diagnostics,
) -> Vec<String> {
    let mut all = Animations::new(scene).clips;
    for (name, clip) in all.iter_mut().zip(&scene.clips) {
        if names::repeats(clip) && options.loop_suffix {
            name.push_str(LOOP_SUFFIX);
        }
        name.retain(|c| c.is_ascii_alphanumeric() || "_- ".contains(c));
    }
    let mut seen = HashSet::new();
    for id in names::played(machine) {
        let (Some(clip), Some(name)) = (scene.clip(id), all.get(id.index())) else { continue };
        let quoted = || quote(clip.name.as_bytes());
        losses.lost(&codes::GODOT_LOSS_ANIMATION, !seen.insert(name), || {
            format!(
                "the animation of clip {} is imported as {}, like another",
                quoted(),
                quote(name.as_bytes())
            )
        });
        let lower = name.to_ascii_lowercase();
        let is_loop = ["loop", "cycle"].iter().any(|end| lower.ends_with(end));
        losses.lost(&codes::GODOT_LOSS_LOOP, names::repeats(clip) && !is_loop, || {
            format!(
                "clip {} repeats, but Godot 3 only repeats animations whose name ends with `loop`",
                quoted()
            )
        });
    }
    all
}

struct Writer<'s> {
    scene: &'s Scene,
    machine: &'s StateMachine,
    /// The names of the states.
    names: Vec<String>,
    /// The names of the animations of all clips.
    animations: Vec<String>,
    tree: Tree,
    resource: Resource,
    /// The resource of each state, once it has been written.
    nodes: Vec<Option<usize>>,
    /// The resource of all states without motion.
    empty: Option<usize>,
    losses: Diagnostics,
}

impl Writer<'_> {
    /// Writes the nodes of all states, and returns the machine that contains them.
    fn root(&mut self) -> Machine {
        let clips: Vec<(StateId, ClipId)> = self
            .machine
            .enumerate_states()
            .filter_map(|(id, state)| match state.motion {
                Motion::Clip(clip) => Some((id, clip)),
                _ => None,
            })
            .collect();
        for (state, clip) in clips {
            let node = self.clip(clip);
            let node = node.unwrap_or_else(|| self.lost_rest(state, "has no motion"));
            self.set_node(state, node);
        }
        for state in std::mem::take(&mut self.tree.order) {
            let Some(sequence) = tree::sequence(self.machine, state) else { continue };
            let node = self.sequence(state, sequence);
            self.set_node(state, node);
        }
        let mut root = Machine::default();
        for (number, name) in self.names.clone().iter().enumerate() {
            let node = self.nodes.get(number).copied().flatten();
            let node = node.unwrap_or_else(|| self.rest());
            root.add(name, node);
        }
        self.connect(&mut root);
        root
    }

    fn set_node(&mut self, state: StateId, node: usize) {
        if let Some(place) = self.nodes.get_mut(state.index()) {
            *place = Some(node);
        }
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

    /// Writes a node for a clip. Godot keeps the weight of a node in the node, so each place needs
    /// its own.
    fn clip(&mut self, id: ClipId) -> Option<usize> {
        self.scene.clip(id).filter(|clip| names::is_animation(self.scene, clip))?;
        let name = self.animations.get(id.index())?;
        Some(self.resource.add_animation(name))
    }

    /// Returns a node that plays a state within a sequence.
    fn node(&mut self, played: Option<StateId>) -> usize {
        let node = match played.and_then(|played| self.machine.motion(played)) {
            Some(Motion::Clip(clip)) => self.clip(*clip),
            _ => played.and_then(|played| self.nodes.get(played.index()).copied().flatten()),
        };
        node.unwrap_or_else(|| self.rest())
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
        let steps: Vec<Step> = visits
            .iter()
            .enumerate()
            .map(|at| self.step(state, sequence, at, &mut machine))
            .collect();
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
        let played = self.tree.played(state, key.state);
        let span = played.and_then(|played| phase::span(self.scene, self.machine, Some(played)));
        let shown = key.state.map_or("(undefined)", |played| self.name(played));
        let exit = if key.exit { " (exit)" } else { "" };
        let place = number.saturating_add(1);
        let enter = format!("{place} {shown} (enter)");
        let name = format!("{place} {shown}{exit}");
        let is_clip = played.is_some_and(|played| tree::sequence(self.machine, played).is_none());
        // A key that is held blends with itself.
        let is_held = !visit.morph && visit.seconds > 0.0 && visit.next.is_some();
        // Only the position of an animation can be carried over.
        let switch = if is_clip { Switch::Sync } else { Switch::Immediate };
        let hold = is_held.then_some(Way { switch, xfade: visit.seconds, auto: true });
        let enter = if is_held { enter } else { name.clone() };
        if played.is_none() {
            self.lost_rest(state, "has a key without a state that it can play");
        }
        if is_held {
            let node = self.node(played);
            machine.add(&enter, node);
        }
        let node = self.node(played);
        machine.add(&name, node);
        // A sequence restarts where the key is held.
        let restarts = is_held && !is_clip && span.is_some() && visit.entered < visit.start;
        self.report_clock(state, restarts, &name);
        Step { enter, leave: name, hold, span, is_clip }
    }

    /// Returns how a visit is entered so that its animation is where the clock of the sequence is.
    fn switch(
        &mut self,
        state: StateId,
        (visit, to): (&Visit, &Step),
        from: &Step,
        round: Option<f64>,
    ) -> Switch {
        if to.is_clip && phase::same_pace(from.span, to.span) {
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
        let count = tree::uneven_morphs(self.scene, self.machine, sequence);
        let name = quote(self.name(state).as_bytes());
        self.losses.lost(&codes::LOSS_JOINTS, count > 0, || {
            format!("sequence {name}: morphs between states that move different joints: {count}")
        });
    }

    /// Adds transitions from each state that can be left to all others.
    fn connect(&mut self, root: &mut Machine) {
        let count = self.names.len();
        let leavable = self.machine.enumerate_states().filter(|(state, _)| {
            let keys = tree::sequence(self.machine, *state).map_or(&[][..], Sequence::keys);
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
    is_clip: bool,
}
