//! Routes as edges between the events of nodes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anim_ir::diag::{plural, quote};
use anim_ir::{Diagnostics, Span, insert_all};

use crate::codes;
use crate::graph::{Graph, NodeId, Route};
use crate::nodes::events::{Direction, Event};

/// A valid route.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wire {
    pub(super) from: NodeId,
    pub(super) output: Event,
    pub(super) to: NodeId,
    pub(super) input: Event,
    pub(super) span: Span,
}

/// The valid routes of a scene.
#[derive(Debug, Default)]
pub(super) struct Wiring {
    pub(super) wires: Vec<Wire>,
    /// The routes that start at an event, as indices into `wires`, in file order.
    by_output: HashMap<(NodeId, Event), Vec<usize>>,
}

impl Wiring {
    pub(super) fn of(graph: &Graph, problems: &mut Diagnostics) -> Wiring {
        let mut left_alone = BTreeMap::new();
        let wires = graph.links.routes.iter();
        let mut wires: Vec<Wire> =
            wires.filter_map(|route| wire(graph, route, &mut left_alone, problems)).collect();
        for (id, at) in left_alone {
            problems.push(&codes::ROUTE, at, || {
                format!("{} is left in its initial state", graph.shown(id))
            });
        }
        remove_loops(graph, &mut wires, problems);
        let mut by_output: HashMap<_, Vec<usize>> = HashMap::new();
        for (number, wire) in wires.iter().enumerate() {
            by_output.entry((wire.from, wire.output)).or_default().push(number);
        }
        Wiring { wires, by_output }
    }

    /// Returns the routes that start at an event.
    pub(super) fn from(&self, id: NodeId, output: Event) -> &[usize] {
        self.by_output.get(&(id, output)).map_or(&[], Vec::as_slice)
    }
}

/// Checks a route. Nodes whose events this crate does not know are added to `left_alone`.
fn wire(
    graph: &Graph,
    route: &Route,
    left_alone: &mut BTreeMap<NodeId, Span>,
    problems: &mut Diagnostics,
) -> Option<Wire> {
    // Names that an included file does not export have been reported.
    let (from, to) = (graph.end(route.from)?, graph.end(route.to)?);
    let (sender, receiver) = (graph.node(from)?, graph.node(to)?);
    for (id, node) in [(from, sender), (to, receiver)] {
        if node.kind.has_own_events() {
            // Only the first route of each node is reported.
            left_alone.entry(id).or_insert(route.span);
            return None;
        }
    }
    let found = |id: NodeId, name: &str, direction: Direction, problems: &mut Diagnostics| {
        let event = graph.node(id)?.kind.event(name, direction);
        if event.is_none() {
            problems.push(&codes::ROUTE_FIELD, route.span, || {
                let does = if direction == Direction::Out { "send" } else { "receive" };
                format!("{} does not {does} {}", graph.shown(id), quote(name.as_bytes()))
            });
        }
        event
    };
    let output = found(from, &route.output, Direction::Out, problems);
    let input = found(to, &route.input, Direction::In, problems);
    let ((output, sent), (input, received)) = (output?, input?);
    if sent != received {
        problems.push(&codes::ROUTE_TYPE, route.span, || {
            format!(
                "{} of {} is {sent:?}, but {} of {} is {received:?}",
                quote(route.output.as_bytes()),
                sender.kind.name,
                quote(route.input.as_bytes()),
                receiver.kind.name
            )
        });
        return None;
    }
    Some(Wire { from, output, to, input, span: route.span })
}

/// Removes routes that form loops of nodes that compute their output from their input. (Loops of
/// fields are harmless: a route sends at most one event at a time, ISO/IEC 19775-1, 4.4.8.3.)
fn remove_loops(graph: &Graph, wires: &mut Vec<Wire>, problems: &mut Diagnostics) {
    let computes =
        |wire: &&Wire| matches!((wire.output, wire.input), (Event::Only(_), Event::Only(_)));
    let edges: Vec<(NodeId, NodeId)> =
        wires.iter().filter(computes).map(|wire| (wire.from, wire.to)).collect();
    let forwards = sorted_out(&edges, &BTreeSet::new());
    let turned: Vec<(NodeId, NodeId)> = edges.iter().map(|(from, to)| (*to, *from)).collect();
    let outside = sorted_out(&turned, &forwards);
    let is_inside = |wire: &Wire| {
        computes(&wire) && !outside.contains(&wire.from) && !outside.contains(&wire.to)
    };
    if let Some(first) = wires.iter().find(|wire| is_inside(wire)) {
        let count = wires.iter().filter(|wire| is_inside(wire)).count();
        problems.push(&codes::ROUTE_LOOP, first.span, || {
            format!(
                "{} depends on itself, through {}",
                graph.shown(first.to),
                plural(count, "route")
            )
        });
    }
    wires.retain(|wire| !is_inside(wire));
}

fn nodes_of(edges: &[(NodeId, NodeId)]) -> BTreeSet<NodeId> {
    insert_all(edges.iter().flat_map(|(from, to)| [*from, *to]))
}

/// Returns the nodes that no loop leads to, and those in `without`, whose edges do not count.
fn sorted_out(edges: &[(NodeId, NodeId)], without: &BTreeSet<NodeId>) -> BTreeSet<NodeId> {
    let mut incoming: HashMap<NodeId, usize> = HashMap::new();
    let mut outgoing: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    let counts = |id: &NodeId| !without.contains(id);
    for (from, to) in edges.iter().filter(|(from, to)| counts(from) && counts(to)) {
        let count = incoming.entry(*to).or_default();
        *count = count.saturating_add(1);
        outgoing.entry(*from).or_default().push(*to);
    }
    let all = nodes_of(edges);
    let mut free: Vec<NodeId> =
        all.iter().copied().filter(|id| counts(id) && !incoming.contains_key(id)).collect();
    let mut done = without.clone();
    while let Some(id) = free.pop() {
        done.insert(id);
        for to in outgoing.get(&id).into_iter().flatten() {
            let Some(count) = incoming.get_mut(to) else { continue };
            *count = count.saturating_sub(1);
            if *count == 0 {
                free.push(*to);
            }
        }
    }
    done
}
