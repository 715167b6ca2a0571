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
    /// Whether both are the same event, which may arrive on several routes.
    pub(super) fn is_same(&self, other: &Drive) -> bool {
        match (self, other) {
            (Drive::Curve(a), Drive::Curve(b)) => {
                a.node == b.node && a.filter == b.filter && Arc::ptr_eq(&a.path, &b.path)
            }
            (Drive::Constant(a), Drive::Constant(b)) => a == b,
            _ => false,
        }
    }
}

/// The values of an interpolator or sequencer over time.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    pub(crate) node: NodeId,
    pub(super) path: Arc<Path>,
    /// What a `BooleanFilter` makes of the events.
    pub(super) filter: Filter,
    /// The changes of a sequencer, once something needs them.
    pub(super) changes: Arc<OnceLock<Changes>>,
}

/// What one or more `BooleanFilter` nodes make of events (ISO/IEC 19775-1, 30.4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    /// Only events with this value pass.
    only: Option<bool>,
    /// Events that pass are negated.
    is_negated: bool,
}

impl Filter {
    pub(super) const ALL: Filter = Filter { only: None, is_negated: false };
    pub(super) const NEGATED: Filter = Filter { only: None, is_negated: true };

    /// Only events with this value pass.
    pub(super) const fn only(value: bool) -> Filter {
        Filter { only: Some(value), is_negated: false }
    }

    /// Returns the value that follows from an event, if any.
    pub(super) fn pass(self, value: i32) -> Option<i32> {
        let flag = value != 0;
        if self.only.is_some_and(|wanted| wanted != flag) {
            return None;
        }
        Some(if self.is_negated { i32::from(!flag) } else { value })
    }

    /// Returns the filter for events that have already passed another one; none if no event passes
    /// both.
    pub(super) fn after(self, first: Filter) -> Option<Filter> {
        let wanted = self.only.map(|wanted| wanted != first.is_negated);
        if first.only.zip(wanted).is_some_and(|(first, then)| first != then) {
            return None;
        }
        let is_negated = first.is_negated != self.is_negated;
        Some(Filter { only: first.only.or(wanted), is_negated })
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
