//! Ear clipping of large polygons.

use std::collections::BTreeSet;

use crate::ops::triangulate::points::{Points, turn};

/// Cuts off the same ears in the same order as [`super::cut_ears`], but tests a corner again only
/// after one of its neighbours, or the corner that was found inside its triangle, has been cut off.
pub(super) fn cut_ears(flat: &[[f64; 2]]) -> Vec<[usize; 3]> {
    let mut ring = Ring::of(flat);
    let mut triangles = Vec::with_capacity(flat.len());
    let mut before = 0;
    for _ in 3..flat.len() {
        let ear = ring.next_ear(before);
        let [a, b, c] = ring.triangle(ear);
        triangles.push([a, b, c]);
        ring.cut(b);
        // As in `super::cut_ears`, the next corner to test is `c`, or the one after it if the
        // search wrapped around.
        before = if a < b { a } else { c };
    }
    let last = ring.next(before);
    let mut last = ring.triangle(last);
    last.sort_unstable();
    triangles.push(last);
    triangles
}

/// The remaining corners of a polygon.
struct Ring<'a> {
    flat: &'a [[f64; 2]],
    /// The previous and next corner of each corner.
    around: Vec<[usize; 2]>,
    points: Points<'a>,
    /// Convex corners that may be ears. No other corner is an ear.
    promising: BTreeSet<usize>,
    /// Corners that are collinear with their neighbours.
    straight: BTreeSet<usize>,
    /// For each corner, the corners whose triangles were found to contain it.
    blocks: Vec<Vec<usize>>,
}

impl<'a> Ring<'a> {
    fn of(flat: &'a [[f64; 2]]) -> Ring<'a> {
        let count = flat.len();
        let last = count.saturating_sub(1);
        let around = (0..count).map(|corner| {
            let next = if corner == last { 0 } else { corner.saturating_add(1) };
            [corner.checked_sub(1).unwrap_or(last), next]
        });
        let mut ring = Ring {
            flat,
            around: around.collect(),
            points: Points::new(flat),
            promising: BTreeSet::new(),
            straight: BTreeSet::new(),
            blocks: vec![Vec::new(); count],
        };
        let turns: Vec<f64> = (0..count).map(|corner| ring.turn(corner)).collect();
        let corners = |is: fn(f64) -> bool| {
            turns.iter().enumerate().filter(move |(_, turn)| is(**turn)).map(|(corner, _)| corner)
        };
        ring.promising = corners(|turn| turn > 0.0).collect();
        ring.straight = corners(|turn| turn == 0.0).collect();
        ring
    }

    /// Returns the triangle of a corner and its neighbours.
    fn triangle(&self, corner: usize) -> [usize; 3] {
        let [before, after] = self.around.get(corner).copied().unwrap_or_default();
        [before, corner, after]
    }

    fn next(&self, corner: usize) -> usize {
        self.triangle(corner)[2]
    }

    fn turn(&self, corner: usize) -> f64 {
        let [a, b, c] = self.triangle(corner).map(|corner| self.place(corner));
        turn(a, b, c)
    }

    fn place(&self, corner: usize) -> [f64; 2] {
        self.flat.get(corner).copied().unwrap_or_default()
    }

    /// Returns the first ear after a corner. If there is none, the polygon is degenerate: returns a
    /// collinear corner or, failing that, any corner.
    fn next_ear(&mut self, before: usize) -> usize {
        let mut from = before.saturating_add(1);
        while let Some(corner) = first_from(&self.promising, from) {
            self.promising.remove(&corner);
            let triangle = self.triangle(corner).map(|corner| self.place(corner));
            let Some(inside) = self.points.find_inside(triangle) else { return corner };
            if let Some(blocked) = self.blocks.get_mut(inside) {
                blocked.push(corner);
            }
            from = corner.saturating_add(1);
        }
        let next = self.next(before);
        first_from(&self.straight, next.saturating_add(1)).unwrap_or_else(|| self.next(next))
    }

    /// Cuts off a corner.
    fn cut(&mut self, corner: usize) {
        let [a, _, c] = self.triangle(corner);
        if let Some([_, after]) = self.around.get_mut(a) {
            *after = c;
        }
        if let Some([before, _]) = self.around.get_mut(c) {
            *before = a;
        }
        self.points.remove(corner);
        self.promising.remove(&corner);
        self.straight.remove(&corner);
        let blocked = self.blocks.get_mut(corner).map(std::mem::take).unwrap_or_default();
        for other in blocked {
            if self.points.contains(other) && self.turn(other) > 0.0 {
                self.promising.insert(other);
            }
        }
        for end in [a, c] {
            let turn = self.turn(end);
            set(&mut self.promising, end, turn > 0.0);
            set(&mut self.straight, end, turn == 0.0);
        }
    }
}

/// Returns the first corner at or after `from`, wrapping around.
fn first_from(corners: &BTreeSet<usize>, from: usize) -> Option<usize> {
    corners.range(from..).next().or_else(|| corners.first()).copied()
}

fn set(corners: &mut BTreeSet<usize>, corner: usize, is_member: bool) {
    if is_member {
        corners.insert(corner);
    } else {
        corners.remove(&corner);
    }
}
