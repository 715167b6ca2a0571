//! The samples that a triangle covers, in exact integer arithmetic.

use std::ops::Range;

use super::model::Viewport;

/// Coordinates are multiples of 1/256 of a pixel.
pub(super) const UNIT: i64 = 256;

/// The edges of a triangle. Clipping keeps coordinates below 2^27, so that all products fit into 64
/// bits.
pub(super) struct Edges {
    /// The rows of samples that may be covered.
    pub(super) rows: Range<u32>,
    columns: i64,
    /// Where the covered samples of a row start and end. A triangle with a single edge at a side
    /// has it twice.
    starts: [Bound; 2],
    ends: [Bound; 2],
}

/// A function from rows to columns: (`slope` · row + `first`) / `scale`, rounded down.
#[derive(Clone, Copy)]
struct Bound {
    slope: i64,
    first: i64,
    scale: i64,
}

impl Edges {
    /// The corners are clockwise in the picture. Returns `None` for triangles beside the picture,
    /// or between two rows or columns of samples.
    pub(super) fn new([p, q, r]: [[i64; 2]; 3], viewport: &Viewport) -> Option<Edges> {
        let grid = Grid::new(viewport.samples);
        let rows = grid.samples_within([p[1], q[1], r[1]], viewport.height);
        let columns = grid.samples_within([p[0], q[0], r[0]], viewport.width);
        let mut rows = rows.filter(|_| columns.is_some())?;
        let (mut starts, mut ends) = (None, None);
        for [[x0, y0], [x1, y1]] in [[p, q], [q, r], [r, p]] {
            // a·x + b·y + c is at least 0 on the side of the triangle. Samples on the line belong
            // to the triangle below or to the right of it.
            let (a, b) = (y0 - y1, x1 - x0);
            let is_top_left = a > 0 || (a == 0 && b > 0);
            let c = (a + b) * grid.first - (a * x0 + b * y0) - i64::from(!is_top_left);
            let (a, b) = (a * grid.step, b * grid.step);
            let add = |bounds: &mut Option<[Bound; 2]>, bound| {
                *bounds = Some([bounds.map_or(bound, |[first, _]| first), bound]);
            };
            if a > 0 {
                add(&mut starts, Bound { slope: -b, first: a - 1 - c, scale: a });
            } else if a < 0 {
                add(&mut ends, Bound { slope: b, first: c - a, scale: -a });
            } else if b > 0 {
                rows.start = rows.start.max((b - 1 - c).div_euclid(b));
            } else if b < 0 {
                rows.end = rows.end.min(c.div_euclid(-b) + 1);
            }
        }
        let rows = u32::try_from(rows.start).ok()?..u32::try_from(rows.end).ok()?;
        let columns = i64::from(viewport.width) * i64::from(viewport.samples);
        (!rows.is_empty()).then_some(Edges { rows, columns, starts: starts?, ends: ends? })
    }

    /// Returns the covered columns of each row from `first` on.
    pub(super) fn spans(&self, first: u32) -> impl Iterator<Item = Range<usize>> + use<> {
        let [mut a, mut b] = self.starts.map(|bound| Walk::new(bound, first));
        let [mut c, mut d] = self.ends.map(|bound| Walk::new(bound, first));
        let columns = self.columns;
        std::iter::from_fn(move || {
            let start = a.step().max(b.step()).max(0);
            let end = c.step().min(d.step()).min(columns).max(start);
            Some(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
        })
    }
}

/// The places of samples along an axis, in units.
struct Grid {
    step: i64,
    first: i64,
}

impl Grid {
    fn new(samples: u32) -> Grid {
        let step = UNIT / i64::from(samples.max(1));
        Grid { step, first: step / 2 }
    }

    /// Returns the samples between the lowest and the highest coordinate and in the picture, if
    /// there are any.
    fn samples_within(&self, [a, b, c]: [i64; 3], side: u32) -> Option<Range<i64>> {
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let start = (low - self.first + self.step - 1).div_euclid(self.step);
        let end = (high - self.first).div_euclid(self.step) + 1;
        let range = start.max(0)..end.min(i64::from(side) * UNIT / self.step);
        (!range.is_empty()).then_some(range)
    }
}

/// Evaluates a bound row by row, without divisions.
struct Walk {
    column: i64,
    rest: i64,
    /// What each row adds to the column and the rest.
    columns: i64,
    rests: i64,
    scale: i64,
}

impl Walk {
    fn new(Bound { slope, first, scale }: Bound, row: u32) -> Walk {
        let at = slope * i64::from(row) + first;
        let divided = |value: i64| (value.div_euclid(scale), value.rem_euclid(scale));
        let ((column, rest), (columns, rests)) = (divided(at), divided(slope));
        Walk { column, rest, columns, rests, scale }
    }

    /// Returns the column of a row and goes to the next one.
    #[inline]
    fn step(&mut self) -> i64 {
        let column = self.column;
        let rest = self.rest.wrapping_add(self.rests);
        let carry = rest >= self.scale;
        self.rest = if carry { rest.wrapping_sub(self.scale) } else { rest };
        self.column = column.wrapping_add(self.columns).wrapping_add(i64::from(carry));
        column
    }
}
