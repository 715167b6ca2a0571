//! The `DEF` names of a file.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use anim_ir::diag::quote;
use anim_ir::encoding::truncate;
use anim_ir::{Budget, Diagnostics, LimitError, UniqueNames};

use crate::codes;
use crate::graph::{Graph, Node, NodeId, Value};
use crate::label::ORIGINAL_NAME;
use crate::make::NODE_BYTES;
use crate::nodes::{Family, find};

/// The names of the nodes that have one, are used more than once or are part of a route, by number.
pub(crate) struct Names(Vec<Option<String>>);

impl Names {
    pub(crate) fn of(graph: &Graph, losses: &mut Diagnostics) -> Names {
        let mut uses = vec![0_usize; graph.nodes.len()];
        let mut count = |id: NodeId, times: usize| {
            if let Some(uses) = uses.get_mut(id.index()) {
                *uses = uses.saturating_add(times);
            }
        };
        graph.roots.iter().for_each(|root| count(*root, 1));
        for (_, node) in graph.ids() {
            for (_, value) in &node.fields {
                if let Value::Nodes(nodes) = value {
                    nodes.iter().for_each(|id| count(*id, 1));
                }
            }
        }
        for (from, to, _) in graph.node_routes() {
            count(from, 2);
            count(to, 2);
        }
        let mut unique = UniqueNames::new();
        let mut names = vec![None; graph.nodes.len()];
        // Programs play clips by the names of their sensors, so these come first.
        let is_sensor =
            |id: &NodeId| graph.node(*id).is_some_and(|it| it.kind.name == "TimeSensor");
        let (sensors, others): (Vec<NodeId>, Vec<NodeId>) =
            graph.ids().map(|(id, _)| id).partition(is_sensor);
        for id in sensors.into_iter().chain(others) {
            let Some(node) = graph.node(id) else { continue };
            let name = match &node.name {
                Some(name) => {
                    let claimed = unique.claim_fitted(name.to_string(), fit);
                    if *claimed != **name && is_of_scene(node.kind.name) {
                        losses.push(&codes::LOSS_NAME, None, || {
                            format!(
                                "the {} {} is written as {}",
                                node.kind.name,
                                quote(name.as_bytes()),
                                quote(claimed.as_bytes())
                            )
                        });
                    }
                    claimed
                }
                None if uses.get(id.index()).is_some_and(|uses| *uses > 1) => {
                    unique.claim_fitted(node.kind.name, fit)
                }
                None => continue,
            };
            if let Some(place) = names.get_mut(id.index()) {
                *place = Some(name.into_owned());
            }
        }
        Names(names)
    }

    /// Adds the names that these names replace as metadata, and the names of all clips that move
    /// nothing, since other sensors without routes are no clips.
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if the metadata exceeds the budget.
    pub(crate) fn keep_originals(
        &self,
        graph: &mut Graph,
        budget: &Budget,
    ) -> Result<(), LimitError> {
        let Some(kind) = find("MetadataString", Family::X3d) else { return Ok(()) };
        let moving: HashSet<NodeId> = graph.node_routes().map(|(from, ..)| from).collect();
        let replaced = |(id, node): (NodeId, &Node)| {
            let name = node.name.clone().filter(|_| is_of_scene(node.kind.name))?;
            let is_still_clip = node.kind.name == "TimeSensor" && !moving.contains(&id);
            (is_still_clip || self.get(id)? != &*name).then_some((id, name, node.span))
        };
        let replaced: Vec<_> = graph.ids().filter_map(replaced).collect();
        let fields = ["name", "value"].map(|field| kind.field_index(field));
        let [Some(of_name), Some(of_value)] = fields else { return Ok(()) };
        budget.charge("names of nodes", replaced.len().saturating_mul(NODE_BYTES))?;
        let strings = |text: &str| Value::Strings([text.to_owned()].as_slice().into());
        // Clones share the list.
        let original_name = strings(ORIGINAL_NAME);
        graph.nodes.reserve_exact(replaced.len());
        for (id, name, span) in replaced {
            let fields = vec![(of_name, original_name.clone()), (of_value, strings(&name))];
            let metadata = NodeId(u32::try_from(graph.nodes.len()).unwrap_or(u32::MAX));
            graph.nodes.push(Arc::new(Node { kind, name: None, fields, span }));
            if let Some(node) = graph.nodes.get_mut(id.index()).map(Arc::make_mut)
                && let Some(field) = node.kind.field_index("metadata")
            {
                node.fields.reserve_exact(1);
                node.fields.push((field, Value::Nodes(vec![metadata])));
            }
        }
        Ok(())
    }

    pub(super) fn get(&self, id: NodeId) -> Option<&str> {
        self.0.get(id.index())?.as_deref()
    }
}

/// Whether a type of node has the name of a part of the scene, by which programs find it.
fn is_of_scene(kind: &str) -> bool {
    matches!(
        kind,
        "TimeSensor"
            | "Transform"
            | "HAnimHumanoid"
            | "HAnimJoint"
            | "Shape"
            | "PhysicalMaterial"
            | "UnlitMaterial"
            | "ImageTexture"
    )
}

/// The length of a name in bytes, without a number. Readers limit names, this project's to 4,096
/// bytes.
const LONGEST: usize = 4000;

/// Makes a name valid in both encodings: letters, digits, `_` and `-`, of which digits and
/// `-` do not come first (ISO/IEC 19776-2, table A.1; XML 1.0, section 2.3).
fn fit<'n>(name: Cow<'n, str>, number: &str) -> Cow<'n, str> {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c >= '\u{c0}' && c.is_alphabetic();
    let starts = |c: char| is_letter(c) || c == '_';
    let is_allowed = |c: char| starts(c) || c.is_ascii_digit() || c == '-';
    let fits = name.len() <= LONGEST && name.starts_with(starts) && name.chars().all(is_allowed);
    if number.is_empty() && fits {
        return name;
    }
    let known = |c: char| if is_allowed(c) { c } else { '_' };
    let mut fitted: String = name.chars().map(known).collect();
    truncate(&mut fitted, LONGEST);
    fitted.extend(number.chars().map(known));
    if !fitted.starts_with(starts) {
        fitted.insert(0, '_');
    }
    Cow::Owned(fitted)
}
