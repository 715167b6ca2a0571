//! Sorting and collecting with small code size. The standard library instantiates its sort for each
//! item type and comparison, which made up a tenth of the web module.

use std::cmp::Ordering;

/// Collects items into a map or a set by inserting one after another. (`collect` sorts them first.)
pub fn insert_all<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut all = C::default();
    all.extend(items);
    all
}

/// Sorts items and keeps the order of equal ones, like [`slice::sort_by`]. All item types share
/// one instance, which sorts indices. Slower than the standard sort.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if items.is_sorted_by(|a, b| compare(a, b).is_le()) {
        return;
    }
    let order = order(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    arrange(&order, &mut |a, b| items.swap(a, b));
}

/// Returns the places of items in order.
fn order(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

/// Moves each item to its place in `order`.
fn arrange(order: &[usize], swap: &mut dyn FnMut(usize, usize)) {
    let mut target = vec![0; order.len()];
    for (place, item) in order.iter().enumerate() {
        if let Some(target) = target.get_mut(*item) {
            *target = place;
        }
    }
    for place in 0..target.len() {
        // Each swap brings an item to its place.
        while let Some(goal) = target.get(place).copied().filter(|goal| *goal != place) {
            swap(place, goal);
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
