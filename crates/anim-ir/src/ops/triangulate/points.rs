//! A k-d tree of points in the plane, for finding a point inside a triangle.

/// Sets of about this size are not divided.
const FEW: usize = 16;

/// A k-d tree: each level halves the sets of the level above it, alternating between x and y.
pub(super) struct Points<'a> {
    flat: &'a [[f64; 2]],
    /// The points in the order of the tree.
    order: Vec<usize>,
    /// For each point, its index in `order`; `None` if the point has been removed.
    places: Vec<Option<usize>>,
    /// The sets, level by level from the root. All levels are complete.
    sets: Vec<Set>,
    levels: u32,
    /// The state of the random number generator.
    random: u64,
}

#[derive(Clone, Copy)]
struct Set {
    /// The number of points that have not been removed.
    left: usize,
    min: [f64; 2],
    max: [f64; 2],
}

/// A set during a traversal: its index in `sets`, its level, and its range in `order`.
#[derive(Clone, Copy)]
struct Step {
    set: usize,
    level: u32,
    start: usize,
    end: usize,
}

impl Step {
    fn halves(self) -> [Step; 2] {
        let Step { set, level, start, end } = self;
        let (middle, level) = (start.midpoint(end), level.saturating_add(1));
        let first = set.saturating_mul(2).saturating_add(1);
        let second = first.saturating_add(1);
        [
            Step { set: first, level, start, end: middle },
            Step { set: second, level, start: middle, end },
        ]
    }
}

impl<'a> Points<'a> {
    pub(super) fn new(flat: &'a [[f64; 2]]) -> Points<'a> {
        let mut levels = 0;
        while flat.len() >> levels > FEW {
            levels = u32::saturating_add(levels, 1);
        }
        let empty = Set { left: 0, min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] };
        let mut points = Points {
            flat,
            order: (0..flat.len()).collect(),
            places: Vec::new(),
            sets: vec![empty; (2 << levels) - 1],
            levels,
            random: 1,
        };
        points.divide(points.root());
        points.places = vec![None; flat.len()];
        for (place, point) in points.order.iter().enumerate() {
            if let Some(slot) = points.places.get_mut(*point) {
                *slot = Some(place);
            }
        }
        points
    }

    fn root(&self) -> Step {
        Step { set: 0, level: 0, start: 0, end: self.flat.len() }
    }

    fn divide(&mut self, step: Step) {
        let flat = self.flat;
        let place = |point: usize| flat.get(point).copied().unwrap_or_default();
        let members = self.order.get_mut(step.start..step.end).unwrap_or_default();
        if let Some(set) = self.sets.get_mut(step.set) {
            set.left = members.len();
            for point in members.iter() {
                let [x, y] = place(*point);
                set.min = [set.min[0].min(x), set.min[1].min(y)];
                set.max = [set.max[0].max(x), set.max[1].max(y)];
            }
        }
        if step.level == self.levels {
            return;
        }
        let [first, second] = step.halves();
        // Ordering by both coordinates keeps coincident points together.
        let key = |point: &usize| {
            let [x, y] = place(*point);
            if step.level.is_multiple_of(2) { [x, y] } else { [y, x] }
        };
        members.select_nth_unstable_by(first.end.saturating_sub(step.start), |a, b| {
            let ([a, b], [c, d]) = (key(a), key(b));
            a.total_cmp(&c).then(b.total_cmp(&d))
        });
        self.divide(first);
        self.divide(second);
    }

    pub(super) fn contains(&self, point: usize) -> bool {
        self.places.get(point).is_some_and(Option::is_some)
    }

    pub(super) fn remove(&mut self, point: usize) {
        let Some(place) = self.places.get_mut(point).and_then(Option::take) else { return };
        let mut step = self.root();
        loop {
            if let Some(set) = self.sets.get_mut(step.set) {
                set.left = set.left.saturating_sub(1);
            }
            if step.level == self.levels {
                return;
            }
            let [first, second] = step.halves();
            step = if place < first.end { first } else { second };
        }
    }

    /// Returns a point inside a counter-clockwise triangle or on its border that does not coincide
    /// with a corner. If there are several, picks one at random, since a fixed choice might always
    /// be the next point to be removed.
    pub(super) fn find_inside(&mut self, triangle: [[f64; 2]; 3]) -> Option<usize> {
        self.find(self.root(), &triangle)
    }

    fn find(&mut self, step: Step, triangle: &[[f64; 2]; 3]) -> Option<usize> {
        if self.sets.get(step.set).is_none_or(|set| set.misses(triangle)) {
            return None;
        }
        if step.level == self.levels {
            let members = self.order.get(step.start..step.end).unwrap_or_default();
            let is_inside = |point: usize| {
                self.contains(point)
                    && self.flat.get(point).is_some_and(|place| is_inside(*place, triangle))
            };
            return members.iter().copied().find(|point| is_inside(*point));
        }
        let [first, second] = step.halves();
        // Marsaglia's xorshift.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let (first, second) =
            if self.random.is_multiple_of(2) { (first, second) } else { (second, first) };
        self.find(first, triangle).or_else(|| self.find(second, triangle))
    }
}

impl Set {
    /// Whether the set certainly has no point inside the triangle.
    fn misses(&self, triangle: &[[f64; 2]; 3]) -> bool {
        let Set { left, min, max } = *self;
        let [a, b, c] = *triangle;
        // The corner of the box that is farthest to the left of a side. If it is not on the left,
        // no other point of the box is, even with rounding.
        let is_right_of = |a: [f64; 2], b: [f64; 2]| {
            let x = if b[1] >= a[1] { min[0] } else { max[0] };
            let y = if b[0] >= a[0] { max[1] } else { min[1] };
            turn(a, b, [x, y]) < 0.0
        };
        let is_beyond = |axis: fn(&[f64; 2]) -> f64| {
            let [a, b, c] = triangle.each_ref().map(axis);
            axis(&max) < a.min(b).min(c) || axis(&min) > a.max(b).max(c)
        };
        left == 0
            || is_beyond(|point| point[0])
            || is_beyond(|point| point[1])
            || is_right_of(a, b)
            || is_right_of(b, c)
            || is_right_of(c, a)
            || (min == max && triangle.contains(&min))
    }
}

fn is_inside(point: [f64; 2], triangle: &[[f64; 2]; 3]) -> bool {
    let [a, b, c] = *triangle;
    !triangle.contains(&point)
        && turn(a, b, point) >= 0.0
        && turn(b, c, point) >= 0.0
        && turn(c, a, point) >= 0.0
}

/// Returns twice the area of a triangle: positive if its corners turn left.
pub(super) fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
}
