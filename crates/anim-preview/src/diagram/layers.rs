//! Layered layout of boxes and the arrows between them, from left to right.

use anim_ir::{Budget, LimitError};

/// The distance between layers, in pixels.
const BETWEEN_LAYERS: f64 = 72.0;
/// The distance between boxes of a layer.
const BETWEEN_BOXES: f64 = 22.0;
/// The height that an arrow takes in a layer that it passes through.
const PASSAGE: f64 = 12.0;
/// The bytes that a passage takes: in the list of items, which doubles when it grows, a link to
/// either side with what the allocator adds, and the indices in its route and its layer.
const PASSAGE_BYTES: usize = 2 * size_of::<Item>() + 2 * 32 + 4 * size_of::<usize>();
/// How often the order of boxes and their heights are improved.
const SWEEPS: usize = 6;

/// The size of a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size {
    pub(super) width: f64,
    pub(super) height: f64,
}

/// An arrow from the right side of a box, at a distance from its top, to the left side of another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Arrow {
    pub(super) from: usize,
    /// The distance of the start from the top of its box.
    pub(super) port: f64,
    pub(super) to: usize,
}

/// The route of an arrow.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Route {
    /// To a later layer, through the places in the layers between: where it enters and leaves each.
    Forwards(Vec<(f64, f64, f64)>),
    /// Around everything, to the same or an earlier layer.
    Back,
}

/// The result: the upper left corners of the boxes, the routes, and the size of the whole.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    pub(super) places: Vec<(f64, f64)>,
    /// The right ends of the layers that the boxes are in.
    pub(super) ends: Vec<f64>,
    pub(super) routes: Vec<Route>,
    pub(super) size: Size,
}

/// A box, or the passage of an arrow through a layer.
struct Item {
    layer: usize,
    size: Size,
    y: f64,
    /// The items before and after it, and where the arrow leaves the one before, from its top.
    before: Vec<(usize, f64)>,
    after: Vec<(usize, f64)>,
}

/// Where arrows enter a box, from its top.
pub(super) fn entry(height: f64) -> f64 {
    (height / 2.0).min(20.0)
}

/// Places boxes in layers such that arrows lead to the right, apart from those of cycles.
pub(super) fn layout(
    boxes: &[Size],
    arrows: &[Arrow],
    budget: &Budget,
) -> Result<Layout, LimitError> {
    let (layers, is_back) = layers(boxes.len(), arrows);
    let item = |layer: usize, size: Size| Item {
        layer,
        size,
        y: 0.0,
        before: Vec::new(),
        after: Vec::new(),
    };
    let mut items: Vec<Item> =
        layers.iter().zip(boxes).map(|(layer, size)| item(*layer, *size)).collect();
    let mut passages: Vec<Vec<usize>> = Vec::with_capacity(arrows.len());
    for (arrow, is_back) in arrows.iter().zip(&is_back) {
        let mut own = Vec::new();
        if !is_back {
            let of = |index: usize| layers.get(index).copied().unwrap_or_default();
            let (first, last) = (of(arrow.from), of(arrow.to));
            let passages = last.saturating_sub(first).saturating_sub(1);
            let bytes = passages.saturating_mul(PASSAGE_BYTES);
            budget.charge("the arrows of the diagram", bytes)?;
            own.reserve_exact(passages);
            let (mut from, mut port) = (arrow.from, arrow.port);
            for layer in first.saturating_add(1)..last {
                let next = items.len();
                let size = Size { width: 0.0, height: PASSAGE };
                let [before, after] = [Vec::with_capacity(1), Vec::with_capacity(1)];
                items.push(Item { layer, size, y: 0.0, before, after });
                connect(&mut items, from, port, next);
                own.push(next);
                (from, port) = (next, PASSAGE / 2.0);
            }
            connect(&mut items, from, port, arrow.to);
        }
        passages.push(own);
    }
    let mut orders = orders(&items);
    arrange(&mut orders, &mut items);
    Ok(finish(boxes.len(), &items, &orders, &passages, &is_back))
}

fn connect(items: &mut [Item], from: usize, port: f64, to: usize) {
    if let Some(item) = items.get_mut(from) {
        item.after.push((to, port));
    }
    if let Some(item) = items.get_mut(to) {
        item.before.push((from, port));
    }
}

/// Returns the layer of each box, and which arrows close a cycle. A box is in the layer after its
/// last predecessor; without predecessors, it is in the layer before its first successor.
fn layers(count: usize, arrows: &[Arrow]) -> (Vec<usize>, Vec<bool>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        No,
        Open,
        Done,
    }
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (number, arrow) in arrows.iter().enumerate() {
        if let Some(list) = leaving.get_mut(arrow.from) {
            list.push(number);
        }
    }
    let mut seen = vec![Seen::No; count];
    let mut is_back = vec![false; arrows.len()];
    // Boxes after all boxes that they lead to.
    let mut finished = Vec::with_capacity(count);
    let mut open: Vec<(usize, usize)> = Vec::new();
    for start in 0..count {
        if seen.get(start) != Some(&Seen::No) {
            continue;
        }
        set(&mut seen, start, Seen::Open);
        open.push((start, 0));
        while let Some((current, next)) = open.last_mut() {
            let arrow = leaving.get(*current).and_then(|list| list.get(*next)).copied();
            let Some(arrow) = arrow else {
                set(&mut seen, *current, Seen::Done);
                finished.push(*current);
                open.pop();
                continue;
            };
            *next = next.saturating_add(1);
            let Some(to) = arrows.get(arrow).map(|arrow| arrow.to) else { continue };
            match seen.get(to) {
                Some(Seen::No) => {
                    set(&mut seen, to, Seen::Open);
                    open.push((to, 0));
                }
                Some(Seen::Open) | None => set(&mut is_back, arrow, true),
                Some(Seen::Done) => {}
            }
        }
    }
    let forwards = |current: usize| {
        let list = leaving.get(current).into_iter().flatten();
        let list = list.filter(|arrow| is_back.get(**arrow) == Some(&false));
        list.filter_map(|arrow| arrows.get(*arrow)).map(|arrow| arrow.to)
    };
    let mut layers = vec![0_usize; count];
    let mut has_before = vec![false; count];
    for current in finished.iter().rev() {
        let next = layers.get(*current).copied().unwrap_or_default().saturating_add(1);
        for to in forwards(*current) {
            set(&mut has_before, to, true);
            if let Some(layer) = layers.get_mut(to) {
                *layer = next.max(*layer);
            }
        }
    }
    for current in 0..count {
        if has_before.get(current) == Some(&false) {
            let first = forwards(current).filter_map(|to| layers.get(to)).min().copied();
            set(&mut layers, current, first.unwrap_or(1).saturating_sub(1));
        }
    }
    (layers, is_back)
}

fn set<T>(list: &mut [T], index: usize, value: T) {
    if let Some(item) = list.get_mut(index) {
        *item = value;
    }
}

/// Returns the items of each layer.
fn orders(items: &[Item]) -> Vec<Vec<usize>> {
    let count = items.iter().map(|item| item.layer.saturating_add(1)).max().unwrap_or_default();
    let mut orders = vec![Vec::new(); count];
    for (number, item) in items.iter().enumerate() {
        if let Some(order) = orders.get_mut(item.layer) {
            order.push(number);
        }
    }
    orders
}

/// Orders the items of each layer by the mean height of those they are connected with, and moves
/// them there as far as there is room.
fn arrange(orders: &mut [Vec<usize>], items: &mut [Item]) {
    for order in orders.iter() {
        let places: Vec<(usize, f64)> = order.iter().map(|index| (*index, 0.0)).collect();
        stack(&places, items);
    }
    for sweep in 0..SWEEPS {
        let is_forwards = sweep % 2 == 0;
        let count = orders.len();
        for number in 0..count {
            let layer = if is_forwards { number } else { count - 1 - number };
            let Some(order) = orders.get_mut(layer) else { continue };
            let mut places: Vec<(usize, f64)> = order
                .iter()
                .filter_map(|index| {
                    let item = items.get(*index)?;
                    Some((*index, wanted(item, items, is_forwards).unwrap_or(item.y)))
                })
                .collect();
            // The last sweeps keep the order, so that boxes settle.
            if sweep + 2 < SWEEPS {
                places.sort_by(|a, b| a.1.total_cmp(&b.1));
                order.clear();
                order.extend(places.iter().map(|(index, _)| *index));
            }
            stack(&places, items);
        }
    }
}

/// Returns where the top of an item should be for its arrows to be level.
fn wanted(item: &Item, items: &[Item], is_forwards: bool) -> Option<f64> {
    let top = |index: usize| items.get(index).map_or(0.0, |other| other.y);
    let enter = |size: Size| entry(size.height);
    let (sum, count) = if is_forwards {
        let ends = item.before.iter().map(|(other, port)| top(*other) + port - enter(item.size));
        ends.fold((0.0, 0.0), |(sum, count), end| (sum + end, count + 1.0))
    } else {
        let ends = item.after.iter().map(|(other, port)| {
            top(*other) + items.get(*other).map_or(0.0, |other| enter(other.size)) - port
        });
        ends.fold((0.0, 0.0), |(sum, count), end| (sum + end, count + 1.0))
    };
    (count > 0.0).then(|| sum / count)
}

/// Places the items of a layer below each other, near where they should be.
fn stack(places: &[(usize, f64)], items: &mut [Item]) {
    let mut bottom = f64::NEG_INFINITY;
    let (mut moved, mut count) = (0.0, 0.0);
    for (index, wanted) in places {
        let Some(item) = items.get_mut(*index) else { continue };
        item.y = wanted.max(bottom);
        (moved, count) = (moved + item.y - wanted, count + 1.0);
        bottom = item.y + item.size.height + BETWEEN_BOXES;
    }
    // Items were only moved down; together, they are moved back up.
    for (index, _) in places {
        if let Some(item) = items.get_mut(*index) {
            item.y -= moved / f64::max(count, 1.0);
        }
    }
}

/// Returns the places of all boxes and the routes between them.
fn finish(
    count: usize,
    items: &[Item],
    orders: &[Vec<usize>],
    passages: &[Vec<usize>],
    is_back: &[bool],
) -> Layout {
    let mut left = Vec::with_capacity(orders.len());
    let mut x = 0.0;
    for order in orders {
        let sizes = order.iter().filter_map(|index| items.get(*index)).map(|item| item.size);
        let width = sizes.map(|size| size.width).fold(0.0, f64::max);
        left.push((x, width));
        x += width + BETWEEN_LAYERS;
    }
    let top = items.iter().map(|item| item.y).fold(f64::INFINITY, f64::min);
    let top = if top.is_finite() { top } else { 0.0 };
    let bottom = items.iter().map(|item| item.y + item.size.height).fold(top, f64::max);
    let of = |item: &Item| left.get(item.layer).copied().unwrap_or_default();
    let places = items.iter().take(count).map(|item| (of(item).0, item.y - top)).collect();
    let ends = items.iter().take(count).map(|item| of(item).0 + of(item).1).collect();
    let routes = passages.iter().zip(is_back).map(|(own, is_back)| {
        if *is_back {
            return Route::Back;
        }
        let passage = |index: &usize| {
            let item = items.get(*index)?;
            let (left, width) = of(item);
            Some((left, left + width, item.y - top + PASSAGE / 2.0))
        };
        Route::Forwards(own.iter().filter_map(passage).collect())
    });
    let size = Size { width: (x - BETWEEN_LAYERS).max(0.0), height: bottom - top };
    Layout { places, ends, routes: routes.collect(), size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anim_ir::Limits;

    const BOX: Size = Size { width: 100.0, height: 40.0 };

    fn placed(count: usize, arrows: &[(usize, usize)]) -> Layout {
        let arrows: Vec<Arrow> =
            arrows.iter().map(|(from, to)| Arrow { from: *from, port: 20.0, to: *to }).collect();
        layout(&vec![BOX; count], &arrows, &Budget::new(&Limits::default(), 0)).unwrap()
    }

    #[test]
    fn arrows_lead_to_the_right_except_in_cycles() {
        // 0 → 1 → 2 → 0, 0 → 2, and 3 → 2, which nothing leads to.
        let layout = placed(4, &[(0, 1), (1, 2), (2, 0), (0, 2), (3, 2)]);
        let x: Vec<f64> = layout.places.iter().map(|place| place.0).collect();
        assert_eq!(x, [0.0, 172.0, 344.0, 172.0]);
        let is_back: Vec<bool> = layout.routes.iter().map(|route| *route == Route::Back).collect();
        assert_eq!(is_back, [false, false, true, false, false]);
        let Route::Forwards(through) = &layout.routes[3] else { panic!("not forwards") };
        assert_eq!(through.len(), 1, "a passage through the layer between");
    }

    #[test]
    fn boxes_of_a_layer_do_not_overlap() {
        let arrows: Vec<(usize, usize)> =
            (0..30).map(|index| (index % 7, 7 + index % 23)).collect();
        let layout = placed(30, &arrows);
        for (number, a) in layout.places.iter().enumerate() {
            for b in &layout.places[..number] {
                assert!(a.0 != b.0 || (a.1 - b.1).abs() >= 40.0 + BETWEEN_BOXES - 1e-6);
            }
            assert!(a.1 >= 0.0 && a.1 + 40.0 <= layout.size.height + 1e-6);
        }
    }

    #[test]
    fn long_chains_are_no_recursion_and_are_charged() {
        let count = 100_000;
        let chain: Vec<Arrow> =
            (1..count).map(|to| Arrow { from: to - 1, port: 0.0, to }).collect();
        let (layers, _) = layers(count, &chain);
        assert_eq!(layers[count - 1], count - 1);
        let to_last = (0..count - 1).map(|from| Arrow { from, port: 0.0, to: count - 1 });
        let all: Vec<Arrow> = chain.iter().copied().chain(to_last).collect();
        let budget = Budget::new(&Limits::default(), 0);
        let error = layout(&vec![BOX; count], &all, &budget).unwrap_err();
        assert!(error.to_string().starts_with("the arrows of the diagram need "), "{error}");
    }
}
