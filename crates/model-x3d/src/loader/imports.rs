//! Resolves the names that are imported from included files.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use anim_ir::diag::quote;
use anim_ir::{Budget, Diagnostics, LimitError, sort_by};

use crate::codes;
use crate::graph::{End, Graph, Import, NodeId, Route};
use crate::prototypes::bare;

/// Reports imports of names that the included file does not export. A file that cannot be included
/// has already been reported.
pub(super) fn report(
    graph: &Graph,
    imports: &[Import],
    of_frames: &BTreeSet<NodeId>,
    diagnostics: &mut Diagnostics,
) {
    for Import { inline, name, span } in imports {
        let Some(exports) = graph.exported.get(inline) else { continue };
        let shown = || quote(name.as_bytes());
        if exports.contains_key(name) {
        } else if of_frames.contains(inline) {
            diagnostics.push(&codes::ROUTE, *span, || {
                format!("{} is ignored: only the first frame of the animation is shown", shown())
            });
        } else {
            diagnostics.push(&codes::ROUTE_NODE, *span, || {
                format!("the included file does not export {}", shown())
            });
        }
    }
}

/// Connects routes of imported instances of prototypes to what the fields of the prototypes stand
/// for. `own` is the number of routes in the scene itself, which precede those of included files.
pub(super) fn connect(
    graph: &mut Graph,
    own: usize,
    budget: &Budget,
    diagnostics: &mut Diagnostics,
) -> Result<(), LimitError> {
    // The routes that say what the fields of an instance stand for.
    let mut fields: HashMap<NodeId, Vec<usize>> = HashMap::new();
    for (number, route) in graph.links.routes.iter().enumerate().skip(own) {
        for end in [route.from, route.to] {
            if let End::Outside(id) = end {
                fields.entry(id).or_default().push(number);
            }
        }
    }
    if fields.is_empty() {
        return Ok(());
    }
    let name = |number: &usize| graph.links.routes.get(*number).map(field_name);
    for numbers in fields.values_mut() {
        sort_by(numbers, |a, b| name(a).cmp(&name(b)));
    }
    let mut routes = graph.links.routes.get(..own).unwrap_or_default().to_vec();
    for is_output in [true, false] {
        let mut connected = Vec::with_capacity(routes.len());
        for route in routes {
            let end = if is_output { route.from } else { route.to };
            let id = graph.end(end).filter(|_| matches!(end, End::Imported(_)));
            match id.and_then(|id| fields.get(&id)) {
                Some(fields) => {
                    let through = through(graph, &route, is_output, fields);
                    budget.charge_each::<Route>("routes of prototypes", through.len())?;
                    if through.is_empty() {
                        report_field(&route, is_output, diagnostics);
                    }
                    connected.extend(through);
                }
                None => connected.push(route),
            }
        }
        routes = connected;
    }
    let links = Arc::make_mut(&mut graph.links);
    routes.extend_from_slice(links.routes.get(own..).unwrap_or_default());
    links.routes = routes;
    Ok(())
}

/// Returns a route of an imported instance as routes to what its field stands for. `fields` are in
/// the order of their names.
fn through(graph: &Graph, route: &Route, is_output: bool, fields: &[usize]) -> Vec<Route> {
    let event = if is_output { &route.output } else { &route.input };
    let name = |number: &usize| graph.links.routes.get(*number).map(field_name);
    let named = |wanted: &str| -> Vec<Route> {
        let start = fields.partition_point(|number| name(number) < Some(wanted));
        let fields = fields.get(start..).unwrap_or_default().iter();
        let fields = fields.take_while(|number| name(number) == Some(wanted));
        let fields = fields.filter_map(|number| graph.links.routes.get(*number));
        let connected = fields.filter_map(|field| match (field.from, field.to) {
            (from, End::Outside(_)) if is_output => {
                Some(Route { from, output: field.output.clone(), ..route.clone() })
            }
            (End::Outside(_), to) if !is_output => {
                Some(Route { to, input: field.input.clone(), ..route.clone() })
            }
            _ => None,
        });
        connected.collect()
    };
    let found = named(event);
    match bare(event, is_output) {
        Some(bare) if found.is_empty() => named(bare),
        _ => found,
    }
}

/// Returns the field of a prototype that a route is for.
fn field_name(route: &Route) -> &str {
    if matches!(route.to, End::Outside(_)) { &route.input } else { &route.output }
}

fn report_field(route: &Route, is_output: bool, diagnostics: &mut Diagnostics) {
    let (event, does) = if is_output { (&route.output, "send") } else { (&route.input, "receive") };
    diagnostics.push(&codes::ROUTE_FIELD, route.span, || {
        format!("the imported instance of a prototype does not {does} {}", quote(event.as_bytes()))
    });
}
