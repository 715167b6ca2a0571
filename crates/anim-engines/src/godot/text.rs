//! Godot 3's text format for resources.

use std::fmt::Write as _;

use crate::quoted::quoted;

/// The sub-resources of a file.
#[derive(Debug, Default)]
pub(crate) struct Resource {
    out: String,
    count: usize,
}

/// How a state is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    /// Its animation starts at the beginning.
    Immediate,
    /// Its animation starts at the position of the one before.
    Sync,
    /// At the end of the animation before, and its animation starts at the beginning.
    AtEnd,
}

/// A transition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) switch: Switch,
    /// The duration of the blend, in seconds.
    pub(crate) xfade: f32,
    /// Whether it happens without a request.
    pub(crate) auto: bool,
}

/// A state machine: its states with their resources, and the transitions between them.
#[derive(Debug, Default)]
pub(crate) struct Machine {
    states: String,
    transitions: String,
    count: usize,
    start: Option<String>,
}

impl Resource {
    /// Adds a sub-resource with properties, and returns its number.
    pub(crate) fn add(&mut self, kind: &str, properties: &str) -> usize {
        self.count = self.count.saturating_add(1);
        let _ =
            writeln!(self.out, "[sub_resource type=\"{kind}\" id={}]\n{properties}", self.count);
        self.count
    }

    /// Adds a node that plays an animation.
    pub(crate) fn add_animation(&mut self, name: &str) -> usize {
        self.add("AnimationNodeAnimation", &format!("animation = {}\n", quoted(name)))
    }

    /// Adds a transition.
    pub(crate) fn add_transition(&mut self, way: Way) -> usize {
        let mut properties = String::new();
        properties.push_str(match way.switch {
            Switch::Immediate => "",
            Switch::Sync => "switch_mode = 1\n",
            Switch::AtEnd => "switch_mode = 2\n",
        });
        if way.auto {
            properties.push_str("auto_advance = true\n");
        }
        if way.xfade > 0.0 {
            let _ = writeln!(properties, "xfade_time = {:?}", way.xfade);
        }
        self.add("AnimationNodeStateMachineTransition", &properties)
    }

    /// Returns the whole file.
    pub(crate) fn finish(self, root: &Machine) -> String {
        // The number includes the resource itself.
        let steps = self.count.saturating_add(1);
        format!(
            "[gd_resource type=\"AnimationNodeStateMachine\" load_steps={steps} format=2]\n\n\
             {}[resource]\n{}",
            self.out,
            root.text()
        )
    }
}

impl Machine {
    /// Adds a state. The first is the start.
    pub(crate) fn add(&mut self, name: &str, node: usize) {
        const COLUMNS: usize = 8;
        let (column, row) = (self.count % COLUMNS, self.count / COLUMNS);
        let [node_key, position] = ["node", "position"].map(|of| key(name, of));
        let (x, y) = (column.saturating_mul(240), row.saturating_mul(120));
        let _ = writeln!(self.states, "{node_key} = SubResource( {node} )");
        let _ = writeln!(self.states, "{position} = Vector2( {x}, {y} )");
        self.count = self.count.saturating_add(1);
        self.start.get_or_insert_with(|| name.to_owned());
    }

    /// Adds a transition.
    pub(crate) fn connect(&mut self, from: &str, to: &str, transition: usize) {
        let comma = if self.transitions.is_empty() { "" } else { ", " };
        let (from, to) = (quoted(from), quoted(to));
        let _ = write!(self.transitions, "{comma}{from}, {to}, SubResource( {transition} )");
    }

    /// Returns the properties of the machine.
    pub(crate) fn text(&self) -> String {
        let mut out = self.states.clone();
        if !self.transitions.is_empty() {
            let _ = writeln!(out, "transitions = [ {} ]", self.transitions);
        }
        if let Some(start) = &self.start {
            let _ = writeln!(out, "start_node = {}", quoted(start));
        }
        out
    }
}

/// Returns the name of a state's property, quoted if necessary.
fn key(state: &str, of: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let name = format!("states/{state}/{of}");
    if state.chars().all(is_plain) { name } else { quoted(&name) }
}
