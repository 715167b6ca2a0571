//! What sensors animate.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use anim_ir::insert_all;

use super::changes::Changes;
use super::curve::Path;
use crate::graph::{Node, NodeId};

/// What sets a field over time.
#[derive(Clone, Debug)]
pub(crate) enum Drive {
    /// The values of an interpolator or sequencer.
    Curve(Curve),
    /// A flag or a whole number that is constant while the sensor is active.
    Constant(i32),
}

impl Drive {
    /// Combines two drives of the same field. Returns `None` if they set it to different values at
    /// the same time. An event may arrive on several routes, and a `BooleanFilter` sends one of two
    /// events.
    pub(super) fn with(&self, other: &Drive) -> Option<Drive> {
        match (self, other) {
            (Drive::Curve(a), Drive::Curve(b))
                if a.node == b.node && Arc::ptr_eq(&a.path, &b.path) =>
            {
                let filter = a.filter.with(b.filter)?;
                Some(Drive::Curve(Curve { filter, changes: Arc::default(), ..a.clone() }))
            }
            (Drive::Constant(a), Drive::Constant(b)) if a == b => Some(Drive::Constant(*a)),
            _ => None,
        }
    }
}

/// The values of an interpolator or sequencer over time.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    pub(crate) node: NodeId,
    pub(super) path: Arc<Path>,
    /// How the nodes on the way change the events.
    pub(super) filter: Filter,
    /// The changes of a sequencer, once something needs them.
    pub(super) changes: Arc<OnceLock<Changes>>,
}

/// What `BooleanFilter` and `IntegerTrigger` nodes make of the events of a `BooleanSequencer`
/// (ISO/IEC 19775-1, 30.4): the values that follow from FALSE and from TRUE, if any. `None` if all
/// events pass as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter(Option<[Option<i32>; 2]>);

impl Filter {
    pub(super) const ALL: Filter = Filter(None);
    pub(super) const NEGATED: Filter = Filter(Some([Some(1), Some(0)]));

    /// Only events with this value pass.
    pub(super) const fn only(value: bool) -> Filter {
        Filter(Some(if value { [None, Some(1)] } else { [Some(0), None] }))
    }

    /// Each event becomes this number.
    pub(super) const fn number(value: i32) -> Filter {
        Filter(Some([Some(value); 2]))
    }

    /// Returns the value that follows from an event, if any.
    pub(super) const fn pass(self, value: i32) -> Option<i32> {
        match self.0 {
            None => Some(value),
            Some([_, of_true]) if value != 0 => of_true,
            Some([of_false, _]) => of_false,
        }
    }

    /// Returns the filter for events that have already passed another one; none if no event passes
    /// both.
    pub(super) fn after(self, first: Filter) -> Option<Filter> {
        let Some(values) = first.0 else { return Some(self) };
        let values = values.map(|value| self.pass(value?));
        values.iter().any(Option::is_some).then_some(Filter(Some(values)))
    }

    /// Returns what passes either filter; `None` if they make different values of an event.
    fn with(self, other: Filter) -> Option<Filter> {
        if self == other {
            return Some(self);
        }
        let ([a, b], [c, d]) = (self.0?, other.0?);
        let either = |one: Option<i32>, other: Option<i32>| match one.zip(other) {
            Some((one, other)) if one != other => None,
            _ => Some(one.or(other)),
        };
        Some(Filter(Some([either(a, c)?, either(b, d)?])))
    }
}

impl Drive {
    /// Returns the events that pass a filter, if any may.
    pub(super) fn filtered(&self, filter: Filter) -> Option<Drive> {
        match self {
            Drive::Constant(value) => filter.pass(*value).map(Drive::Constant),
            Drive::Curve(curve) => {
                let filter = filter.after(curve.filter)?;
                Some(Drive::Curve(Curve { filter, changes: Arc::default(), ..curve.clone() }))
            }
        }
    }
}

/// The fields that sensors animate. Each sensor that animates anything becomes a take.
#[derive(Debug, Default)]
pub(crate) struct Drives {
    /// The sensors, by take.
    pub(crate) sensors: Vec<NodeId>,
    /// The field that each take animates, if it is only one.
    pub(super) only_fields: Vec<Option<(NodeId, u8)>>,
    pub(super) by_field: HashMap<(NodeId, u8), Vec<(usize, Drive)>>,
    /// The sensors, interpolators and other nodes whose events are used.
    pub(super) used: HashSet<NodeId>,
    /// The number of valid keys of each interpolator and sequencer.
    pub(super) key_counts: HashMap<NodeId, usize>,
}

impl Drives {
    /// Returns the takes that animate a field.
    pub(crate) fn of(&self, id: NodeId, node: &Node, field: &str) -> &[(usize, Drive)] {
        if self.by_field.is_empty() {
            return &[];
        }
        let index = node.kind.field_index(field);
        index.and_then(|index| self.by_field.get(&(id, index))).map_or(&[], Vec::as_slice)
    }

    /// Whether any take animates a field.
    pub(crate) fn any(&self, id: NodeId, node: &Node, field: &str) -> bool {
        !self.of(id, node, field).is_empty()
    }

    /// Returns the only field that a take animates.
    pub(crate) fn only_field_of(&self, take: usize) -> Option<(NodeId, u8, &Drive)> {
        let (id, field) = self.only_fields.get(take).copied().flatten()?;
        match self.by_field.get(&(id, field))?.as_slice() {
            [(_, drive)] => Some((id, field, drive)),
            _ => None,
        }
    }

    /// Returns the fields that takes animate, with the sensor of the first take, in file order.
    pub(crate) fn targets(&self) -> BTreeSet<(NodeId, u8, NodeId)> {
        let sensor = |take: &usize| self.sensors.get(*take).copied();
        let target = |((id, field), drives): (&(NodeId, u8), &Vec<(usize, Drive)>)| {
            Some((*id, *field, sensor(&drives.first()?.0)?))
        };
        insert_all(self.by_field.iter().filter_map(target))
    }

    /// Whether events of the node become animation.
    pub(crate) fn uses(&self, id: NodeId) -> bool {
        self.used.contains(&id)
    }
}
