//! Matches items by name.

use std::collections::{BTreeSet, HashMap};

use crate::ops::diff::difference::Side;
use crate::{insert_all, sort_by};

/// Matched items of two scenes, by index.
#[derive(Debug)]
pub(super) struct Pairs<'a> {
    /// The name of each item, and its index among items with the same name.
    names: [Vec<(&'a str, usize)>; 2],
    /// The index of each item's match in the other scene.
    partners: [Vec<Option<usize>>; 2],
    /// The indices of matched items in both scenes, in the order of the first scene.
    pub(super) both: Vec<[usize; 2]>,
}

impl<'a> Pairs<'a> {
    pub(super) fn of(names: [impl Iterator<Item = &'a str>; 2]) -> Pairs<'a> {
        let names = names.map(|names| {
            let mut seen: HashMap<&str, usize> = HashMap::new();
            let numbered = names.map(|name| {
                let next = seen.entry(name).or_default();
                let nth = *next;
                *next = next.saturating_add(1);
                (name, nth)
            });
            numbered.collect::<Vec<_>>()
        });
        let [a, b] = &names;
        let in_b: HashMap<_, _> =
            b.iter().enumerate().map(|(number, name)| (*name, number)).collect();
        let of_a: Vec<Option<usize>> = a.iter().map(|name| in_b.get(name).copied()).collect();
        let both: Vec<[usize; 2]> = of_a
            .iter()
            .enumerate()
            .filter_map(|(number, partner)| Some([number, (*partner)?]))
            .collect();
        Pairs::with(names, both)
    }

    fn with(names: [Vec<(&'a str, usize)>; 2], both: Vec<[usize; 2]>) -> Pairs<'a> {
        let mut partners = names.each_ref().map(|names| vec![None; names.len()]);
        for pair in &both {
            for side in [Side::A, Side::B] {
                let partners = side.of(partners.each_mut());
                if let Some(partner) = partners.get_mut(side.of(*pair)) {
                    *partner = Some(side.other().of(*pair));
                }
            }
        }
        Pairs { names, partners, both }
    }

    /// Matches these items with each other, and keeps all other matches between the rest.
    pub(super) fn preferring(self, mut both: Vec<[usize; 2]>) -> Pairs<'a> {
        let of = |side: Side| insert_all(both.iter().map(|pair| side.of(*pair)));
        let [in_a, in_b]: [BTreeSet<_>; 2] = [of(Side::A), of(Side::B)];
        let is_free = |[a, b]: &[usize; 2]| !in_a.contains(a) && !in_b.contains(b);
        both.extend(self.both.into_iter().filter(is_free));
        sort_by(&mut both, Ord::cmp);
        Pairs::with(self.names, both)
    }

    /// Returns the index of an item's match in the other scene.
    pub(super) fn partner(&self, side: Side, number: usize) -> Option<usize> {
        side.of(self.partners.each_ref()).get(number).copied().flatten()
    }

    /// Returns the matched items of which at least one is among those given for its scene, in the
    /// order of the first scene.
    pub(super) fn of_either(
        &self,
        [a, b]: [impl Iterator<Item = usize>; 2],
    ) -> BTreeSet<[usize; 2]> {
        let from_a = a.map(|a| Some([a, self.partner(Side::A, a)?]));
        let from_b = b.map(|b| Some([self.partner(Side::B, b)?, b]));
        insert_all(from_a.chain(from_b).flatten())
    }

    /// Returns the items that exist in only one scene: first the items of the first scene in order,
    /// then the items of the second.
    pub(super) fn alone(&self) -> Vec<(Side, usize)> {
        let of = |side: Side| {
            let partners = side.of(self.partners.each_ref()).iter().enumerate();
            partners.filter(|(_, partner)| partner.is_none()).map(move |(number, _)| (side, number))
        };
        of(Side::A).chain(of(Side::B)).collect()
    }

    /// Returns the name of an item: `walk`, or `walk#2` for the second item with that name.
    pub(super) fn label(&self, side: Side, number: usize) -> String {
        match side.of(self.names.each_ref()).get(number) {
            None => String::new(),
            Some((name, 0)) => (*name).to_owned(),
            Some((name, nth)) => format!("{name}#{}", nth.saturating_add(1)),
        }
    }
}

/// Returns the times that occur in only one of two sorted lists, in ascending order.
pub(super) fn unmatched([a, b]: [&[f64]; 2], tolerance: f64) -> Vec<(Side, f64)> {
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    let mut found = Vec::new();
    loop {
        match (a.peek().copied(), b.peek().copied()) {
            (None, None) => return found,
            (Some(x), Some(y)) if (x - y).abs() <= tolerance => {
                a.next();
                b.next();
            }
            (Some(x), y) if y.is_none_or(|y| x < y) => {
                found.push((Side::A, x));
                a.next();
            }
            (_, y) => {
                found.extend(y.map(|y| (Side::B, y)));
                b.next();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicate_names_are_matched_in_order() {
        let names = [&["a", "b", "a", "a"][..], &["a", "c", "a"]];
        let pairs = Pairs::of(names.map(|names| names.iter().copied()));
        assert_eq!(pairs.both, [[0, 0], [2, 2]]);
        let alone = pairs.alone().into_iter();
        let alone = alone.map(|(side, number)| format!("{side:?} {}", pairs.label(side, number)));
        assert!(alone.eq(["A b", "A a#3", "B c"]));
        let partners = [(Side::B, 2), (Side::B, 1), (Side::A, 9)];
        let partners = partners.map(|(side, number)| pairs.partner(side, number));
        assert_eq!(partners, [Some(2), None, None]);
    }

    #[test]
    fn unmatched_times_are_found() {
        let found = unmatched([&[0.0, 1.0, 2.0, 3.0], &[0.0004, 1.5, 2.0, 2.0001, 4.0]], 0.0005);
        let (a, b) = (|time| (Side::A, time), |time| (Side::B, time));
        assert_eq!(found, [a(1.0), b(1.5), b(2.0001), a(3.0), b(4.0)]);
        assert_eq!(unmatched([&[], &[]], 0.0), []);
    }
}
