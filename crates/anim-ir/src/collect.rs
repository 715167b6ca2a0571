//! Sorting and collecting with small code size. The standard library instantiates its sort for each
//! item type and comparison, which made up a tenth of the web module.

use std::cmp::Ordering;

/// Lists up to this length are sorted by insertion, without allocating.
const FEW: usize = 16;

/// Collects items into a map or a set by inserting one after another. (`collect` sorts them first.)
pub fn insert_all<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut all = C::default();
    all.extend(items);
    all
}

/// Sorts items and keeps the order of equal ones, like [`slice::sort_by`]. All item types share
/// one instance. Slower than the standard sort, except for items that are sorted already.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if !items.is_sorted_by(|a, b| compare(a, b).is_le()) {
        sort(&mut Items { items, compare });
    }
}

/// What sorting needs of items and their order.
trait Sortable {
    fn len(&self) -> usize;
    fn compare(&self, a: usize, b: usize) -> Ordering;
    fn swap(&mut self, a: usize, b: usize);
}

struct Items<'a, T, C> {
    items: &'a mut [T],
    compare: C,
}

impl<T, C: Fn(&T, &T) -> Ordering> Sortable for Items<'_, T, C> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn compare(&self, a: usize, b: usize) -> Ordering {
        match (self.items.get(a), self.items.get(b)) {
            (Some(a), Some(b)) => (self.compare)(a, b),
            _ => Ordering::Equal,
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.items.swap(a, b);
    }
}

fn sort(items: &mut dyn Sortable) {
    if items.len() <= FEW {
        return insert(items);
    }
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|a, b| items.compare(*a, *b));
    arrange(&order, items);
}

/// Moves each item before all greater ones.
fn insert(items: &mut dyn Sortable) {
    for next in 1..items.len() {
        for place in (0..next).rev() {
            if items.compare(place, place + 1).is_le() {
                break;
            }
            items.swap(place, place + 1);
        }
    }
}

/// Moves each item to its place in `order`.
fn arrange(order: &[usize], items: &mut dyn Sortable) {
    let mut target = vec![0; order.len()];
    for (place, item) in order.iter().enumerate() {
        if let Some(target) = target.get_mut(*item) {
            *target = place;
        }
    }
    for place in 0..target.len() {
        // Each swap brings an item to its place.
        while let Some(goal) = target.get(place).copied().filter(|goal| *goal != place) {
            items.swap(place, goal);
            target.swap(place, goal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_items_keep_their_order() {
        let mut number = 7_u32;
        for len in 0..60 {
            let mut items: Vec<(u32, usize)> = (0..len)
                .map(|place| {
                    number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (number >> 28, place)
                })
                .collect();
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            sort_by(&mut items, |(a, _), (b, _)| a.cmp(b));
            assert_eq!(items, expected);
        }
    }
}
