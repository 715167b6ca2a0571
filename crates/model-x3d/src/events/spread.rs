//! Follows the events of each sensor to the fields they set.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use anim_ir::diag::plural;
use anim_ir::{Budget, Diagnostics, Span};

use super::curve::Path;
use super::drives::{Curve, Drive, Drives, Filter};
use super::wiring::{Wire, Wiring};
use crate::codes;
use crate::graph::{Graph, Node, NodeId};
use crate::nodes::events::Event;

/// The memory charged for an event beyond the first of each route: several sensors may use the
/// same routes.
const EVENT_BYTES: usize = 96;

/// The fields of transforms.
const TRANSFORM: [&str; 5] = ["center", "rotation", "scale", "scaleOrientation", "translation"];

/// An event on its way.
#[derive(Clone)]
enum Signal {
    /// The fraction of a sensor.
    Fraction(Arc<Path>),
    Value(Drive),
}

/// Finds out what the sensors of a scene animate. Reports routes without effect.
pub(crate) fn read(graph: &Graph, budget: &Budget, problems: &mut Diagnostics) -> Drives {
    let wiring = Wiring::of(graph, problems);
    let sent_by = vec![None; wiring.wires.len()];
    let mut spread = Spread {
        graph,
        wiring: &wiring,
        budget,
        problems,
        drives: Drives::default(),
        free_events: wiring.wires.len(),
        sent_by,
    };
    for (id, node) in graph.ids().filter(|(_, node)| node.kind.name == "TimeSensor") {
        if !spread.sensor(id, node) {
            break;
        }
    }
    spread.report_unused();
    spread.drives
}

/// A field that a sensor sets.
struct Set {
    target: (NodeId, u8),
    drive: Drive,
    /// The span of the route.
    at: Span,
}

struct Spread<'s> {
    graph: &'s Graph,
    wiring: &'s Wiring,
    budget: &'s Budget,
    problems: &'s mut Diagnostics,
    drives: Drives,
    /// The number of events that are already paid for.
    free_events: usize,
    /// The sensor whose event each route sent last. At any time, a route sends at most one event.
    sent_by: Vec<Option<NodeId>>,
}

impl<'s> Spread<'s> {
    /// Follows the events of a sensor. Returns false if there is no memory for more.
    fn sensor(&mut self, id: NodeId, node: &Node) -> bool {
        let outputs = ["fraction_changed", "isActive"].map(Event::Only);
        if outputs.iter().all(|output| self.wiring.from(id, *output).is_empty()) {
            if self.graph.original_name(node).is_some() {
                // A clip that moves nothing.
                self.drives.used.insert(id);
                self.drives.sensors.push(id);
                self.drives.only_fields.push(None);
            }
            return true;
        }
        let is_forwards = node.flag("fractionIncreasing");
        let path = Signal::Fraction(Arc::new(Path::of_cycle(self.cycle(node), is_forwards)));
        let mut queue: VecDeque<(usize, Signal)> = VecDeque::new();
        for (output, signal) in outputs.into_iter().zip([path, Signal::Value(Drive::Constant(1))]) {
            self.send(id, (id, output), &signal, &mut queue);
        }
        let mut set: Vec<Set> = Vec::new();
        while let Some((number, signal)) = queue.pop_front() {
            let Some(wire) = self.wiring.wires.get(number) else { continue };
            if self.free_events > 0 {
                self.free_events = self.free_events.saturating_sub(1);
            } else if let Err(error) = self.budget.charge("events", EVENT_BYTES) {
                self.problems.push(&codes::EXPANSION, wire.span, || error.to_string());
                return false;
            }
            self.receive(id, wire, signal, &mut queue, &mut set);
        }
        if !set.is_empty() {
            self.drives.used.insert(id);
            self.drives.sensors.push(id);
            let first = set.first().map(|first| first.target);
            let is_only = set.iter().all(|other| Some(other.target) == first);
            self.drives.only_fields.push(first.filter(|_| is_only));
        }
        let take = self.drives.sensors.len().saturating_sub(1);
        for Set { target, drive, at } in set {
            let drives = self.drives.by_field.entry(target).or_default();
            match drives.last_mut() {
                Some((last, before)) if *last == take => {
                    if let Some(both) = before.with(&drive) {
                        *before = both;
                        continue;
                    }
                    *before = drive;
                    self.problems.push(&codes::ROUTE_FAN_IN, at, || {
                        format!(
                            "an earlier route sets the same field of {} at the same time",
                            self.graph.shown(target.0)
                        )
                    });
                }
                _ => drives.push((take, drive)),
            }
        }
        true
    }

    /// Returns the length of a sensor's cycle in seconds.
    fn cycle(&mut self, node: &Node) -> f32 {
        let cycle = node.float("cycleInterval");
        if cycle > 0.0 {
            return cycle;
        }
        self.problems.push(&codes::CYCLE_INTERVAL, node.span, || {
            format!("the cycleInterval of a TimeSensor is {cycle}, but must be positive")
        });
        1.0
    }

    /// Queues an event for all routes that start at it, unless they have sent one for this sensor.
    fn send(
        &mut self,
        sensor: NodeId,
        (id, output): (NodeId, Event),
        signal: &Signal,
        queue: &mut VecDeque<(usize, Signal)>,
    ) {
        for number in self.wiring.from(id, output) {
            let Some(slot) = self.sent_by.get_mut(*number) else { continue };
            if slot.replace(sensor) == Some(sensor) {
                // The routes of an event are used together, so the others have sent it, too.
                return;
            }
            queue.push_back((*number, signal.clone()));
        }
    }

    fn receive(
        &mut self,
        sensor: NodeId,
        wire: &Wire,
        signal: Signal,
        queue: &mut VecDeque<(usize, Signal)>,
        set: &mut Vec<Set>,
    ) {
        let Some(node) = self.graph.node(wire.to) else { return };
        match (wire.input, node.kind.name) {
            (Event::Only("set_fraction"), _) => {
                let Some(path) = self.path(signal) else { return };
                self.check_keys(wire.to, node);
                self.drives.used.insert(wire.to);
                let (filter, changes) = (Filter::ALL, Arc::default());
                let curve = Drive::Curve(Curve { node: wire.to, path, filter, changes });
                let is_ease = node.kind.name == "EaseInEaseOut";
                let output = if is_ease { "modifiedFraction_changed" } else { "value_changed" };
                let output = Event::Only(output);
                self.send(sensor, (wire.to, output), &Signal::Value(curve), queue);
            }
            (Event::Only("set_boolean"), "IntegerTrigger") => {
                self.drives.used.insert(wire.to);
                let key = node.ints("integerKey").first().copied().unwrap_or(-1);
                let Signal::Value(drive) = &signal else { return };
                let Some(number) = drive.filtered(Filter::number(key)) else { return };
                let number = Signal::Value(number);
                self.send(sensor, (wire.to, Event::Only("triggerValue")), &number, queue);
            }
            (Event::Only("set_boolean"), "BooleanFilter") => {
                self.drives.used.insert(wire.to);
                let Signal::Value(drive) = &signal else { return };
                for (output, filter) in [
                    ("inputTrue", Filter::only(true)),
                    ("inputFalse", Filter::only(false)),
                    ("inputNegate", Filter::NEGATED),
                ] {
                    if let Some(passed) = drive.filtered(filter) {
                        let passed = Signal::Value(passed);
                        self.send(sensor, (wire.to, Event::Only(output)), &passed, queue);
                    }
                }
            }
            (Event::Field(field), _) => {
                self.set(sensor, wire, node, field, &signal, set);
                self.send(sensor, (wire.to, Event::Field(field)), &signal, queue);
            }
            (Event::Only(name), _) => self.lose(sensor, wire, name),
        }
    }

    /// Returns the fractions of an interpolator that receives a signal.
    fn path(&mut self, signal: Signal) -> Option<Arc<Path>> {
        let curve = match signal {
            Signal::Fraction(path) => return Some(path),
            Signal::Value(Drive::Curve(curve)) => curve,
            Signal::Value(Drive::Constant(_)) => return None,
        };
        let keyed = self.drives.vectors(self.graph, &curve, 1, self.budget);
        match keyed.and_then(|keyed| keyed.lines(self.budget)) {
            Ok(vertices) => (!vertices.is_empty()).then(|| Arc::new(Path { vertices })),
            Err(error) => {
                let at = self.graph.node(curve.node).map(|node| node.span);
                self.problems.push(&codes::EXPANSION, at, || error.to_string());
                None
            }
        }
    }

    /// Sets a field, or reports that it cannot be animated.
    fn set(
        &mut self,
        sensor: NodeId,
        wire: &Wire,
        node: &Node,
        field: u8,
        signal: &Signal,
        set: &mut Vec<Set>,
    ) {
        let name = node.kind.field_name(field);
        let Signal::Value(drive) = signal else { return self.lose(sensor, wire, name) };
        let moves = match node.kind.name {
            "Transform" | "CADPart" | "EspduTransform" | "HAnimHumanoid" | "HAnimJoint"
            | "HAnimSegment" | "HAnimSite" => TRANSFORM.contains(&name) || name == "visible",
            "Coordinate" | "CoordinateDouble" => name == "point",
            // Only together with the points.
            "Normal" => name == "vector",
            "Switch" => matches!(name, "whichChoice" | "visible"),
            _ => name == "visible",
        };
        if !moves {
            return self.lose(sensor, wire, name);
        }
        set.push(Set { target: (wire.to, field), drive: drive.clone(), at: wire.span });
    }

    /// Reports a field that keeps its value.
    fn lose(&mut self, sensor: NodeId, wire: &Wire, field: &str) {
        self.drives.used.insert(sensor);
        self.problems.push(&codes::NOT_ANIMATED, wire.span, || {
            format!(
                "{field} of {} keeps its initial value, although {} animates it",
                self.graph.shown(wire.to),
                self.graph.shown(sensor)
            )
        });
    }

    /// Checks the keys of an interpolator or sequencer, and counts those that are valid. Lists of
    /// points are checked with their targets.
    fn check_keys(&mut self, id: NodeId, node: &Node) {
        if self.drives.key_counts.contains_key(&id) {
            return;
        }
        let keys = node.floats("key");
        let fall = keys.iter().zip(keys.iter().skip(1)).position(|(a, b)| a > b);
        if let Some(at) = fall {
            self.problems.push(&codes::KEY_ORDER, node.span, || {
                let [from, to] =
                    [at, at.saturating_add(1)].map(|at| keys.get(at).copied().unwrap_or(0.0));
                format!("keys of {} out of order: {to} after {from}", self.graph.shown(id))
            });
        }
        let valid = fall.map_or(keys.len(), |at| at.saturating_add(1));
        self.drives.key_counts.insert(id, valid);
        let is_ease = node.kind.name == "EaseInEaseOut";
        let name = if is_ease { "easeInEaseOut" } else { "keyValue" };
        let field = node.kind.field(name);
        let is_of_lists = matches!(
            node.kind.name,
            "CoordinateInterpolator" | "CoordinateInterpolator2D" | "NormalInterpolator"
        );
        let width = field.map_or(1, |field| field.kind.width());
        let values = node.ints(name).len().max(node.floats(name).len() / width);
        // Without keys and values, as by default, there are no events.
        let lacks_keys = keys.is_empty() && values > 0;
        if lacks_keys || (!is_of_lists && values != keys.len()) {
            self.problems.push(&codes::KEY_COUNT, node.span, || {
                format!(
                    "{} has {} and {}",
                    self.graph.shown(id),
                    plural(keys.len(), "key"),
                    plural(values, "value")
                )
            });
        }
        let velocities = node.floats("keyVelocity").len() / width;
        if velocities != 0 && velocities != 2 && velocities != keys.len() {
            self.problems.push(&codes::KEY_COUNT, node.span, || {
                format!(
                    "{} has {} and {velocities} velocities",
                    self.graph.shown(id),
                    plural(keys.len(), "key")
                )
            });
        }
    }

    /// Reports the nodes whose routes never send an event, each once, at its first route.
    fn report_unused(&mut self) {
        let mut reported = BTreeSet::new();
        for (wire, sensor) in self.wiring.wires.iter().zip(&self.sent_by) {
            if sensor.is_none()
                && !self.drives.used.contains(&wire.from)
                && reported.insert(wire.from)
            {
                self.problems.push(&codes::ROUTE, wire.span, || {
                    format!(
                        "{} is left in its initial state: no TimeSensor sends it events",
                        self.graph.shown(wire.from)
                    )
                });
            }
        }
    }
}
