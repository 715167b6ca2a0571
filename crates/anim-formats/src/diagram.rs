//! Draws state machines as Graphviz DOT and Mermaid diagrams.

use std::fmt::{self, Write as _};

use anim_ir::diag::escape;
use anim_ir::format::{Format, Output, Write};
use anim_ir::{Converted, Diagnostics, FormatInfo, Motion, Scene, Sequence, StateMachine};
use thiserror::Error;

/// State machines as a graph in Graphviz's DOT language.
#[derive(Clone, Copy, Debug)]
pub struct Dot;

/// State machines as a state diagram for Mermaid.
#[derive(Clone, Copy, Debug)]
pub struct Mermaid;

anim_ir::options! {
    /// Options for drawing; only the limits can be set.
    pub struct FromIr {}
}

/// The scene has no states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the input has no state machine to draw; only STT files and glTF files converted from them do"
)]
pub struct NoMachine;

impl Format for Dot {
    const INFO: FormatInfo = FormatInfo::text("dot", "Graphviz DOT", &["dot", "gv"], &[]);
}

impl Write for Dot {
    const EXTENSIONS: &'static [&'static str] = &["dot", "gv"];
    const NEEDS_STATES: bool = true;
    type FromIr = FromIr;
    type Error = NoMachine;

    fn from_ir(scene: &Scene, _: &FromIr, _: &str) -> Result<Converted<Output>, NoMachine> {
        let head = "digraph states {\n  rankdir=LR;\n  compound=true;\n  node [shape=box, \
                    style=rounded];\n";
        drawn(scene, head, dot_machine, "}\n")
    }
}

impl Format for Mermaid {
    const INFO: FormatInfo = FormatInfo::text("mermaid", "Mermaid", &["mmd", "mermaid"], &[]);
}

impl Write for Mermaid {
    const EXTENSIONS: &'static [&'static str] = &["mmd", "mermaid"];
    const NEEDS_STATES: bool = true;
    type FromIr = FromIr;
    type Error = NoMachine;

    fn from_ir(scene: &Scene, _: &FromIr, _: &str) -> Result<Converted<Output>, NoMachine> {
        drawn(scene, "stateDiagram-v2\n  direction LR\n", mermaid_machine, "")
    }
}

/// Draws all state machines of a scene between a header and a footer.
fn drawn(
    scene: &Scene,
    head: &str,
    draw: fn(&mut String, usize, &StateMachine) -> fmt::Result,
    tail: &str,
) -> Result<Converted<Output>, NoMachine> {
    scene.machines.first().ok_or(NoMachine)?;
    let mut out = head.to_owned();
    for (number, machine) in scene.machines.iter().enumerate() {
        // Writing to a `String` cannot fail.
        let _ = draw(&mut out, number, machine);
    }
    out.push_str(tail);
    // That a drawing shows no motion is not reported as a loss: it was requested.
    Ok(Converted { value: Output::alone(out.into_bytes()), losses: Diagnostics::new() })
}

fn dot_machine(out: &mut String, number: usize, machine: &StateMachine) -> fmt::Result {
    let mut leads_out = false;
    for (index, state) in machine.states.iter().enumerate() {
        let id = format!("m{number}s{index}");
        let Motion::Sequence(sequence) = &state.motion else {
            writeln!(out, "  {id} [label={}];", dot_text(&state.name))?;
            continue;
        };
        let label = dot_text(&format!("{}\n{}", state.name, sequence.order_label()));
        writeln!(out, "  subgraph cluster_{id} {{\n    label={label};")?;
        if sequence.keys().is_empty() {
            writeln!(out, "    {id}k0 [label=\"no keys\", style=dotted];")?;
        } else {
            let start = sequence.start();
            writeln!(out, "    {id}start [shape=point];\n    {id}start -> {id}k{start};")?;
        }
        for (place, key) in sequence.keys().iter().enumerate() {
            let border = if key.exit { ", peripheries=2" } else { "" };
            let label = dot_text(&key_label(machine, sequence, place));
            writeln!(out, "    {id}k{place} [label={label}{border}];")?;
        }
        for (from, to, way) in sequence.ways() {
            let style = if way.morph { "" } else { ", style=dashed" };
            let label = dot_text(&way.to_string());
            writeln!(out, "    {id}k{from} -> {id}k{to} [label={label}{style}];")?;
        }
        writeln!(out, "  }}")?;
        for (place, when) in sequence.exit_labels() {
            let label = dot_text(&when);
            writeln!(
                out,
                "  {id}k{place} -> m{number}any [label={label}, color=gray50, fontcolor=gray50, \
                 arrowhead=vee];"
            )?;
            leads_out = true;
        }
    }
    if leads_out {
        let label = "any state\\n(one that plays a clip can be left at any time)";
        writeln!(out, "  m{number}any [label=\"{label}\", shape=plaintext, fontcolor=gray50];")?;
    }
    // Each key has an edge to the state that it plays, or to the cluster around that state's keys.
    for (index, state) in machine.states.iter().enumerate() {
        let Motion::Sequence(sequence) = &state.motion else { continue };
        for (place, key) in sequence.keys().iter().enumerate() {
            let Some(played) = key.state else { continue };
            let (target, head) = match machine.motion(played) {
                Some(Motion::Sequence(inner)) => (
                    format!("m{number}s{played}k{}", inner.start()),
                    format!(", lhead=cluster_m{number}s{played}"),
                ),
                Some(Motion::Clip(_)) => (format!("m{number}s{played}"), String::new()),
                _ => continue,
            };
            writeln!(
                out,
                "  m{number}s{index}k{place} -> {target} [style=dotted, arrowhead=open, \
                 constraint=false{head}];"
            )?;
        }
    }
    Ok(())
}

fn mermaid_machine(out: &mut String, number: usize, machine: &StateMachine) -> fmt::Result {
    for (index, state) in machine.states.iter().enumerate() {
        let id = format!("m{number}s{index}");
        let Motion::Sequence(sequence) = &state.motion else {
            writeln!(out, "  state {} as {id}", mermaid_text(&state.name))?;
            continue;
        };
        let title = format!("{} ({})", state.name, sequence.order_label());
        writeln!(out, "  state {} as {id} {{\n    direction LR", mermaid_text(&title))?;
        if sequence.keys().is_empty() {
            writeln!(out, "    state \"no keys\" as {id}k0")?;
        } else {
            writeln!(out, "    [*] --> {id}k{}", sequence.start())?;
        }
        for (place, key) in sequence.keys().iter().enumerate() {
            let exit = if key.exit { " (exit)" } else { "" };
            let label = mermaid_text(&format!("{}{exit}", key_label(machine, sequence, place)));
            writeln!(out, "    state {label} as {id}k{place}")?;
        }
        for (from, to, way) in sequence.ways() {
            writeln!(out, "    {id}k{from} --> {id}k{to} : {way}")?;
        }
        for (place, when) in sequence.exit_labels() {
            writeln!(out, "    {id}k{place} --> [*] : to any state, {when}")?;
        }
        writeln!(out, "  }}")?;
    }
    Ok(())
}

/// Returns the label of a key: the name of the state that it plays.
fn key_label(machine: &StateMachine, sequence: &Sequence, place: usize) -> String {
    let state = sequence.keys().get(place).and_then(|key| machine.state(key.state?));
    state.map_or_else(|| "(undefined)".to_owned(), |state| state.name.clone())
}

/// Returns a quoted string in DOT syntax.
fn dot_text(text: &str) -> String {
    let lines =
        text.split('\n').map(|line| escape(line).replace('\\', "\\\\").replace('"', "\\\""));
    format!("\"{}\"", lines.collect::<Vec<_>>().join("\\n"))
}

/// Returns a quoted string in Mermaid syntax, with special characters as numeric entities.
fn mermaid_text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in escape(text).chars() {
        if c.is_alphanumeric() || " ()-_.,+'/".contains(c) {
            out.push(c);
        } else {
            let _ = write!(out, "#{};", u32::from(c));
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use anim_ir::{ClipId, SequenceKey, SequenceOrder, State, StateId, Transition};

    fn scene() -> Scene {
        let way = |seconds, morph| Transition { seconds, morph };
        let key = |state: Option<usize>, exit| SequenceKey {
            state: state.map(StateId::new),
            exit,
            forward: way(1.5, true),
            backward: way(0.25, false),
        };
        let keys = vec![key(Some(0), true), key(Some(1), false), key(None, true)];
        let sequence = |order, keys| Motion::Sequence(Sequence::new(order, 1, keys));
        let states = vec![
            State { name: "say \"hi\"".to_owned(), motion: Motion::Clip(ClipId::new(0)) },
            State { name: "b; c".to_owned(), motion: Motion::Clip(ClipId::new(1)) },
            State {
                name: "there and\nback".to_owned(),
                motion: sequence(SequenceOrder::PingPongForwards, keys),
            },
            State {
                name: "nested".to_owned(),
                motion: sequence(SequenceOrder::Stay, vec![key(Some(2), false)]),
            },
            State {
                name: "empty".to_owned(),
                motion: sequence(SequenceOrder::LoopForwards, Vec::new()),
            },
        ];
        Scene {
            machines: vec![StateMachine { states, ..StateMachine::default() }],
            ..Scene::default()
        }
    }

    fn drawing<F: Write<FromIr = FromIr, Error = NoMachine>>(
        scene: &Scene,
    ) -> Result<String, NoMachine> {
        let drawn = F::from_ir(scene, &FromIr::default(), "")?.value;
        Ok(String::from_utf8(drawn.main).unwrap())
    }

    #[test]
    fn states_and_ways_in_dot() {
        insta::assert_snapshot!(drawing::<Dot>(&scene()).unwrap());
        assert_eq!(drawing::<Dot>(&Scene::default()), Err(NoMachine));
    }

    #[test]
    fn states_and_ways_in_mermaid() {
        insta::assert_snapshot!(drawing::<Mermaid>(&scene()).unwrap());
    }
}
