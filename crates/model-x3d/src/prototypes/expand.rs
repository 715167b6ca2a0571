//! Replaces the instances of prototypes with the nodes of the prototypes.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use anim_ir::diag::quote;
use anim_ir::number::index32;
use anim_ir::{Budget, Diagnostics, LimitError, Span, insert_all};

use crate::codes;
use crate::graph::{
    Body, DEFAULTS, End, Graph, Node, NodeId, Prototype, Prototypes, Route, Source, Value,
    new_instance,
};

/// Maximum nesting depth of instances.
const DEEPEST: usize = 64;

/// An instance to be expanded.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    id: NodeId,
    /// The prototypes of the file that the instance is in, and the index of its own.
    pub(crate) prototypes: Arc<Prototypes>,
    pub(crate) index: usize,
    /// The number of instances around it.
    depth: usize,
}

/// The state of expanding the instances in a scene.
pub(crate) struct Expansion<'g> {
    pub(crate) graph: &'g mut Graph,
    budget: &'g Budget,
    left: VecDeque<Instance>,
    /// The instances not expanded yet, with the routes that refer to them.
    routes: HashMap<NodeId, Vec<usize>>,
    /// The routes that no field of an instance stands for.
    lost: HashSet<usize>,
}

impl Instance {
    /// Returns the prototype as the file of the instance declares it.
    pub(crate) fn prototype(&self) -> Option<&Prototype> {
        self.prototypes.list.get(self.index)
    }
}

impl<'g> Expansion<'g> {
    pub(crate) fn new(graph: &'g mut Graph, budget: &'g Budget) -> Expansion<'g> {
        let instances = std::mem::take(&mut graph.instances);
        let prototypes = Arc::clone(&graph.prototypes);
        let mut expansion = Expansion {
            graph,
            budget,
            left: VecDeque::new(),
            routes: HashMap::new(),
            lost: HashSet::new(),
        };
        for (id, index) in instances {
            expansion.add(Instance { id, prototypes: Arc::clone(&prototypes), index, depth: 0 });
        }
        expansion.note_routes(0);
        expansion
    }

    /// Adds routes for the fields of exported instances, which files that import them look up.
    pub(crate) fn expose(&mut self) -> Result<(), LimitError> {
        let exported: BTreeSet<NodeId> =
            insert_all(self.graph.links.exports.iter().filter_map(|(_, end)| match end {
                End::Node(id) => Some(*id),
                _ => None,
            }));
        let start = self.graph.links.routes.len();
        for instance in self.left.iter().filter(|instance| exported.contains(&instance.id)) {
            let Some(prototype) = instance.prototype() else { continue };
            let count = prototype.interface.len().saturating_mul(2);
            self.budget.charge_each::<Route>("routes of prototypes", count)?;
            let routes = &mut Arc::make_mut(&mut self.graph.links).routes;
            let (own, outside) = (End::Node(instance.id), End::Outside(instance.id));
            for field in &prototype.interface {
                routes.extend([(own, outside), (outside, own)].map(|(from, to)| Route {
                    from,
                    output: field.name.clone(),
                    to,
                    input: field.name.clone(),
                    span: prototype.span,
                }));
            }
        }
        self.note_routes(start);
        Ok(())
    }

    pub(crate) fn next(&mut self) -> Option<Instance> {
        self.left.pop_front()
    }

    fn add(&mut self, instance: Instance) {
        self.routes.insert(instance.id, Vec::new());
        self.left.push_back(instance);
    }

    /// Notes the routes from this index on that refer to instances.
    fn note_routes(&mut self, from: usize) {
        for (number, route) in self.graph.links.routes.iter().enumerate().skip(from) {
            for end in ends(route) {
                if let Some(routes) = self.routes.get_mut(&end) {
                    routes.push(number);
                }
            }
        }
    }

    pub(crate) fn span(&self, instance: &Instance) -> Option<Span> {
        self.graph.node(instance.id).map(|node| node.span)
    }

    /// Skips an instance that cannot be expanded.
    pub(crate) fn skip(&mut self, instance: &Instance) {
        if let Some(node) = self.graph.nodes.get_mut(instance.id.index()) {
            *node = Arc::new(Node { name: node.name.clone(), ..new_instance(node.span) });
        }
    }

    /// Skips all instances that are left.
    fn skip_all(&mut self) {
        while let Some(instance) = self.next() {
            self.skip(&instance);
        }
    }

    /// Replaces an instance with the nodes of its prototype, which `prototypes` has at `index`.
    pub(crate) fn expand(
        &mut self,
        instance: &Instance,
        (prototypes, index): (&Arc<Prototypes>, usize),
        diagnostics: &mut Diagnostics,
    ) {
        let span = self.span(instance);
        let Some(prototype) = prototypes.list.get(index) else { return };
        let Source::Body(body) = &prototype.source else { return self.skip(instance) };
        let Some(first) = body.graph.roots.first().copied() else {
            diagnostics.push(&codes::PROTO, span, || {
                format!("the prototype {} has no nodes", quote(prototype.name.as_bytes()))
            });
            return self.skip(instance);
        };
        if instance.depth > DEEPEST {
            diagnostics.push(&codes::PROTO, span, || {
                format!(
                    "{} is nested in more than {DEEPEST} prototypes, which may contain each other",
                    quote(prototype.name.as_bytes())
                )
            });
            return self.skip(instance);
        }
        let given = self.given(instance, prototype, diagnostics);
        let fits = self.budget.charge("copies of prototypes", body.cost).and_then(|()| {
            // The first node may be an instance, which then takes this one's place.
            let routes = self.routes.remove(&instance.id).unwrap_or_default();
            let moved = self.copy(instance, (prototypes, body), first);
            self.connect(body, &given, &moved)?;
            self.reroute((instance.id, routes), prototype, (body, &moved), diagnostics)?;
            self.copy_links(body, &moved);
            Ok(())
        });
        if let Err(error) = fits {
            diagnostics.push(&codes::EXPANSION, span, || error.to_string());
            self.skip_all();
        }
    }

    /// Returns the values that the instance gives to fields of its prototype.
    fn given(
        &self,
        instance: &Instance,
        prototype: &Prototype,
        diagnostics: &mut Diagnostics,
    ) -> HashMap<u8, Value> {
        let Some(node) = self.graph.node(instance.id) else { return HashMap::new() };
        let declared = instance.prototype().map_or(&[][..], |declared| &declared.interface);
        let fields = node.fields.iter().filter_map(|(index, value)| {
            let field = declared.get(usize::from(*index))?;
            match prototype.interface.get(usize::from(*index)) {
                Some(own) if own == field => return Some((*index, value.clone())),
                _ => {}
            }
            // The file of an `EXTERNPROTO` may declare the fields in another order.
            let own = prototype.field(&field.name).filter(|(_, kind)| *kind == field.kind);
            if own.is_none() {
                diagnostics.push(&codes::PROTO_FIELD, node.span, || {
                    format!(
                        "the file of the prototype {} declares no field {} of this type",
                        quote(prototype.name.as_bytes()),
                        quote(field.name.as_bytes())
                    )
                });
            }
            Some((own?.0, value.clone()))
        });
        fields.collect()
    }

    /// Copies the nodes of a body. The first one takes the place of the instance. Returns the new
    /// numbers of the nodes.
    fn copy(
        &mut self,
        instance: &Instance,
        (prototypes, body): (&Arc<Prototypes>, &Body),
        first: NodeId,
    ) -> impl Fn(NodeId) -> NodeId + use<> {
        let (id, start) = (instance.id, index32(self.graph.nodes.len()));
        // The node with the defaults and the first node are not in the list of copies.
        let moved = move |old: NodeId| {
            let before = u32::from(old > DEFAULTS).saturating_add(u32::from(old > first));
            if old == first {
                id
            } else {
                NodeId(start.saturating_add(old.0).saturating_sub(before))
            }
        };
        let folder = self.graph.folders.last().map_or("", |(_, folder)| folder);
        if *folder != *prototypes.folder {
            self.graph.folders.push((NodeId(start), Arc::clone(&prototypes.folder)));
        }
        for (old, node) in body.graph.ids().skip(1) {
            let mut node = node.moved(moved);
            if old == first
                && let Some(place) = self.graph.nodes.get_mut(id.index())
            {
                node.name = place.name.clone().or(node.name);
                *place = Arc::new(node);
            } else {
                self.graph.nodes.push(Arc::new(node));
            }
        }
        let depth = instance.depth.saturating_add(1);
        for (old, index) in &body.graph.instances {
            let prototypes = Arc::clone(prototypes);
            self.add(Instance { id: moved(*old), prototypes, index: *index, depth });
        }
        moved
    }

    /// Sets the fields of copies that stand for fields of the prototype.
    fn connect(
        &mut self,
        body: &Body,
        given: &HashMap<u8, Value>,
        moved: &impl Fn(NodeId) -> NodeId,
    ) -> Result<(), LimitError> {
        let mut defaults: Vec<Option<&Value>> = Vec::new();
        for (index, value) in body.defaults() {
            let index = usize::from(*index);
            defaults.resize(defaults.len().max(index.saturating_add(1)), None);
            if let Some(slot) = defaults.get_mut(index) {
                *slot = Some(value);
            }
        }
        for connection in &body.connections {
            let Some(field) = connection.field else { continue };
            let default = || match (*defaults.get(usize::from(connection.interface))?)? {
                Value::Nodes(nodes) => {
                    Some(Value::Nodes(nodes.iter().copied().map(moved).collect()))
                }
                other => Some(other.clone()),
            };
            let value = given.get(&connection.interface).cloned();
            let Some(value) = value.or_else(default) else { continue };
            if let Value::Nodes(nodes) = &value {
                self.budget.charge_each::<NodeId>("copies of prototypes", nodes.len())?;
            }
            let node = self.graph.nodes.get_mut(moved(connection.node).index());
            let Some(node) = node.map(Arc::make_mut) else { continue };
            match node.fields.iter_mut().find(|(index, _)| *index == field) {
                Some((_, old)) => *old = value,
                None => node.fields.push((field, value)),
            }
        }
        Ok(())
    }

    /// Changes the routes of an instance to those of the fields that stand for its own.
    fn reroute(
        &mut self,
        (id, mut numbers): (NodeId, Vec<usize>),
        prototype: &Prototype,
        (body, moved): (&Body, &impl Fn(NodeId) -> NodeId),
        diagnostics: &mut Diagnostics,
    ) -> Result<(), LimitError> {
        if numbers.is_empty() {
            return Ok(());
        }
        let mut targets: HashMap<u8, Vec<(NodeId, &str)>> = HashMap::new();
        for connection in &body.connections {
            let to = (moved(connection.node), &*connection.name);
            targets.entry(connection.interface).or_default().push(to);
        }
        // A route may be listed twice. Once one of its ends has been moved to a node of the body,
        // it no longer belongs to the instance, even though the body's first node has its number.
        let mut listed = HashSet::new();
        numbers.retain(|number| listed.insert(*number));
        for is_output in [true, false] {
            let mut added = Vec::new();
            for number in numbers.iter().copied() {
                let Some(route) = self.graph.links.routes.get(number) else { continue };
                let (end, event) =
                    if is_output { (route.from, &route.output) } else { (route.to, &route.input) };
                if end != End::Node(id) || self.lost.contains(&number) {
                    continue;
                }
                let field = field_of_event(prototype, event, is_output);
                let Some(targets) = field.and_then(|field| targets.get(&field)) else {
                    if !route.is_outside() {
                        report(prototype, route, event, field.is_some(), diagnostics);
                    }
                    self.lost.insert(number);
                    continue;
                };
                self.budget.charge_each::<Route>("routes of prototypes", targets.len())?;
                let (route, start) = (route.clone(), self.graph.links.routes.len());
                self.replace(number, &route, is_output, targets);
                added.extend(start..self.graph.links.routes.len());
            }
            // They may also end at the instance.
            numbers.append(&mut added);
        }
        Ok(())
    }

    /// Replaces a route with routes to each of these fields.
    fn replace(
        &mut self,
        number: usize,
        route: &Route,
        is_output: bool,
        targets: &[(NodeId, &str)],
    ) {
        let routes = &mut Arc::make_mut(&mut self.graph.links).routes;
        for (count, (node, name)) in targets.iter().enumerate() {
            let mut route = route.clone();
            let (end, event) = if is_output {
                (&mut route.from, &mut route.output)
            } else {
                (&mut route.to, &mut route.input)
            };
            (*end, *event) = (End::Node(*node), (*name).into());
            let at = if count == 0 { number } else { routes.len() };
            for end in ends(&route) {
                if let Some(known) = self.routes.get_mut(&end) {
                    known.push(at);
                }
            }
            match routes.get_mut(at) {
                Some(place) => *place = route,
                None => routes.push(route),
            }
        }
    }

    /// Copies the routes and imports of a body.
    fn copy_links(&mut self, body: &Body, moved: &impl Fn(NodeId) -> NodeId) {
        if body.graph.links.routes.is_empty() && body.graph.links.imports.is_empty() {
            return;
        }
        let from = self.graph.links.routes.len();
        Arc::make_mut(&mut self.graph.links).add(&body.graph.links, moved);
        self.note_routes(from);
    }

    /// Removes the routes that no field stands for.
    pub(crate) fn finish(self) {
        if self.lost.is_empty() {
            return;
        }
        let routes = &mut Arc::make_mut(&mut self.graph.links).routes;
        let mut number = 0..;
        routes.retain(|_| number.next().is_some_and(|number| !self.lost.contains(&number)));
    }
}

impl Route {
    /// Whether the route says what a field of an exported instance stands for.
    pub(crate) fn is_outside(&self) -> bool {
        [self.from, self.to].iter().any(|end| matches!(end, End::Outside(_)))
    }
}

/// Returns the nodes at the ends of a route, unless they are imported.
fn ends(route: &Route) -> impl Iterator<Item = NodeId> + use<> {
    let ends = [route.from, route.to];
    let count = if route.from == route.to { 1 } else { 2 };
    ends.into_iter().take(count).filter_map(|end| match end {
        End::Node(id) => Some(id),
        End::Imported(_) | End::Outside(_) => None,
    })
}

/// Returns the field of a prototype that an event belongs to. `set_` before the name of a field
/// and `_changed` after it are optional (ISO/IEC 19775-1, 4.4.2.2).
fn field_of_event(prototype: &Prototype, event: &str, is_output: bool) -> Option<u8> {
    let field = prototype.field(event).or_else(|| prototype.field(bare(event, is_output)?));
    field.map(|(index, _)| index)
}

/// Returns the name of an event without `set_` or `_changed`, if it has that.
pub(crate) fn bare(event: &str, is_output: bool) -> Option<&str> {
    if is_output { event.strip_suffix("_changed") } else { event.strip_prefix("set_") }
}

/// Reports a route that has no counterpart in the body of a prototype.
fn report(
    prototype: &Prototype,
    route: &Route,
    event: &str,
    is_declared: bool,
    diagnostics: &mut Diagnostics,
) {
    let (event, name) = (quote(event.as_bytes()), quote(prototype.name.as_bytes()));
    if is_declared {
        diagnostics.push(&codes::ROUTE, route.span, || {
            format!("the route is ignored: {event} of {name} stands for no field that can be set")
        });
    } else {
        diagnostics.push(&codes::ROUTE_FIELD, route.span, || {
            format!("the prototype {name} has no field {event}")
        });
    }
}
