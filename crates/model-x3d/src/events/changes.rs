//! The values of a sequencer over time, found by value.

use anim_ir::sort_by;

/// The times at which a sequencer changes its value.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Times, each with the value from then on.
    all: Vec<(f32, i32)>,
    /// Indices into `all`, by value, then by time: each child of a `Switch` needs only its own.
    by_value: Vec<usize>,
}

impl Changes {
    pub(super) fn new(mut all: Vec<(f32, i32)>) -> Changes {
        all.dedup_by_key(|(_, value)| *value);
        let mut by_value: Vec<usize> = (0..all.len()).collect();
        let value = |at: &usize| all.get(*at).map(|(_, value)| *value);
        sort_by(&mut by_value, |a, b| value(a).cmp(&value(b)));
        Changes { all, by_value }
    }

    /// Returns the times from which the value is `wanted` or not. The initial value stays until the
    /// first event that passes the filter.
    pub(crate) fn of_value(&self, wanted: i32, initial: i32) -> Vec<(f32, bool)> {
        let value = |at: &usize| self.all.get(*at).map(|(_, value)| *value);
        let start = self.by_value.partition_point(|at| value(at) < Some(wanted));
        let own = self.by_value.get(start..).unwrap_or_default().iter();
        let mut out = self.start(|value| value == wanted, initial);
        for at in own.take_while(|at| value(at) == Some(wanted)) {
            let turn = self.all.iter().skip(*at).take(2);
            out.extend(turn.map(|(time, value)| (*time, *value == wanted)));
        }
        out.dedup_by_key(|(_, is)| *is);
        out
    }

    /// Returns the times from which the value is true or false.
    pub(crate) fn of_flags(&self, initial: i32) -> Vec<(f32, bool)> {
        let mut out = self.start(|value| value != 0, initial);
        out.extend(self.all.iter().map(|(time, value)| (*time, *value != 0)));
        out.dedup_by_key(|(_, is)| *is);
        out
    }

    /// Returns the initial state, and the state from the first change on.
    fn start(&self, is: impl Fn(i32) -> bool, initial: i32) -> Vec<(f32, bool)> {
        let Some((time, value)) = self.all.first() else { return Vec::new() };
        let before = (*time > 0.0).then(|| (0.0, is(initial)));
        before.into_iter().chain([(*time, is(*value))]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_has_its_own_changes() {
        let changes = Changes::new(vec![(1.0, 2), (2.0, 0), (3.0, 0), (4.0, 2), (5.0, 1)]);
        assert_eq!(
            changes.of_value(2, 0),
            [(0.0, false), (1.0, true), (2.0, false), (4.0, true), (5.0, false)]
        );
        assert_eq!(changes.of_value(0, 0), [(0.0, true), (1.0, false), (2.0, true), (4.0, false)]);
        assert_eq!(changes.of_value(1, 0), [(0.0, false), (5.0, true)]);
        assert_eq!(changes.of_value(7, 7), [(0.0, true), (1.0, false)]);
        assert_eq!(changes.of_value(7, 0), [(0.0, false)]);
        assert_eq!(changes.of_flags(0), [(0.0, false), (1.0, true), (2.0, false), (4.0, true)]);
        let none = Changes::new(Vec::new());
        assert_eq!((none.of_value(0, 0), none.of_flags(1)), (vec![], vec![]));
    }
}
