//! Keys with shared times.

use crate::Interpolation;

/// The keys of tracks with the same times and interpolation. Each row contains the values at one
/// time, so sampling all these tracks takes a single search.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyTable {
    pub(crate) interpolation: Interpolation,
    pub(crate) times: Vec<f32>,
    pub(crate) width: usize,
    pub(crate) values: Vec<f32>,
}

impl KeyTable {
    /// Returns the interpolation between rows.
    pub const fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// Returns the times in seconds: finite, strictly increasing and never empty.
    pub fn times(&self) -> &[f32] {
        &self.times
    }

    /// Returns the number of values in a row.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Returns the values in a row, or an empty slice if there is no such row.
    pub fn row(&self, index: usize) -> &[f32] {
        let start = index.saturating_mul(self.width);
        self.values.get(start..start.saturating_add(self.width)).unwrap_or_default()
    }

    /// Returns the keys of a track, given the index of its first component in a row and the number
    /// of components per value.
    pub(crate) fn keys(&self, column: usize, width: usize) -> Keys<'_> {
        Keys {
            times: &self.times,
            interpolation: self.interpolation,
            values: &self.values,
            stride: self.width,
            column,
            width: width.saturating_mul(self.interpolation.values_per_key()),
        }
    }

    /// Whether a track moves between two rows, given the index of its first component in a row and
    /// the number of components per value. A track of steps moves at the second row.
    pub fn moves_between(&self, (column, width): (usize, usize), [a, b]: [usize; 2]) -> bool {
        let numbers = width.saturating_mul(self.interpolation.values_per_key());
        let key =
            |row| self.row(row).get(column..column.saturating_add(numbers)).unwrap_or_default();
        let (a, b) = (key(a), key(b));
        if self.interpolation != Interpolation::Cubic {
            return a != b;
        }
        // The slopes after the first key and before the second one bend the curve.
        let (mut a, mut b) = (a.chunks_exact(width.max(1)).skip(1), b.chunks_exact(width.max(1)));
        let (from, leaves) = (a.next(), a.next());
        let (arrives, to) = (b.next(), b.next());
        let mut slopes = [leaves, arrives].into_iter().flatten().flatten();
        from != to || slopes.any(|slope| *slope != 0.0)
    }

    /// Returns the row at or before `time`, the next row, and the fraction of `time` between them
    /// (0 to 1). `hint` is the row to try first.
    #[inline]
    pub(crate) fn locate(&self, time: f32, hint: usize) -> (usize, usize, f32) {
        let last = self.times.len().saturating_sub(1);
        let at = |row: usize| self.times.get(row).copied().unwrap_or(f32::INFINITY);
        let holds = |row: usize| at(row) <= time && time < at(row.saturating_add(1));
        let row = if holds(hint) {
            hint
        } else if holds(hint.saturating_add(1)) {
            hint.saturating_add(1)
        } else {
            self.times.partition_point(|key| *key <= time).saturating_sub(1)
        };
        let (start, next) = (at(row), row.saturating_add(1));
        if row >= last || time <= start {
            return (row.min(last), row.min(last), 0.0);
        }
        (row, next, (time - start) / (at(next) - start))
    }
}

/// The keys of a track.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'a> {
    /// The times in seconds, strictly increasing.
    pub times: &'a [f32],
    /// The interpolation between keys.
    pub interpolation: Interpolation,
    values: &'a [f32],
    stride: usize,
    column: usize,
    width: usize,
}

impl<'a> Keys<'a> {
    /// No keys.
    pub(crate) const NONE: Keys<'static> = Keys { times: &[], ..Keys::constant(&[]) };

    /// Returns a single key at time 0.
    pub(crate) const fn constant(value: &'a [f32]) -> Keys<'a> {
        Keys {
            times: &[0.0],
            interpolation: Interpolation::Step,
            values: value,
            stride: value.len(),
            column: 0,
            width: value.len(),
        }
    }

    /// Returns the number of components in a key.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Iterates over the components of each key, in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &'a [f32]> + Clone + use<'a> {
        let (column, width) = (self.column, self.width);
        self.values
            .chunks_exact(self.stride.max(1))
            .map(move |row| row.get(column..).and_then(|row| row.get(..width)).unwrap_or_default())
    }
}
