//! Reduction to a palette of at most 255 colours and a transparent one, by median cut.

use crate::picture::Picture;

/// Pixels as indices into a palette.
pub(super) struct Indexed {
    /// Red, green and blue of each colour.
    pub(super) palette: Vec<u8>,
    pub(super) pixels: Vec<u8>,
    pub(super) transparent: Option<u8>,
}

/// The number of opaque colours. The next index is transparent.
const COLORS: usize = 255;
/// The number of high bits of each component that a palette is chosen by.
const BITS: u32 = 5;

/// All colours whose components agree in their high bits.
#[derive(Clone, Copy, Default)]
struct Cell {
    count: u32,
    /// The sums of the components.
    sum: [u64; 3],
}

fn cell_of([red, green, blue, _]: [u8; 4]) -> usize {
    let high = |component: u8| usize::from(component >> (8 - BITS));
    high(red) << (2 * BITS) | high(green) << BITS | high(blue)
}

/// The position of a cell along an axis: 0 for red, 1 for green, 2 for blue.
const fn along(cell: u32, axis: u32) -> u32 {
    cell >> (BITS * 2_u32.saturating_sub(axis)) & ((1 << BITS) - 1)
}

/// Whether the high bit of the alpha is set.
pub(super) const fn is_opaque([.., alpha]: &[u8; 4]) -> bool {
    *alpha >= 128
}

/// Counts the distinct colours of opaque pixels, at the precision at which a palette is chosen.
pub(super) fn count(picture: &Picture) -> usize {
    let mut seen = vec![false; 1 << (3 * BITS)];
    for pixel in picture.pixels.iter().filter(|pixel| is_opaque(pixel)) {
        if let Some(seen) = seen.get_mut(cell_of(*pixel)) {
            *seen = true;
        }
    }
    seen.into_iter().filter(|seen| *seen).count()
}

pub(super) fn reduce(picture: &Picture) -> Indexed {
    let mut cells = vec![Cell::default(); 1 << (3 * BITS)];
    for pixel in picture.pixels.iter().filter(|pixel| is_opaque(pixel)).copied() {
        if let Some(cell) = cells.get_mut(cell_of(pixel)) {
            cell.count = cell.count.saturating_add(1);
            for (sum, component) in cell.sum.iter_mut().zip(pixel) {
                *sum = sum.saturating_add(component.into());
            }
        }
    }
    let numbered = (0_u32..).zip(&cells);
    let used = numbered.filter(|(_, cell)| cell.count > 0).map(|(at, _)| at);
    let groups = split(used.collect(), &cells);
    let mut palette = Vec::new();
    let mut index_of = vec![0_u8; cells.len()];
    for (index, group) in (0..=u8::MAX).zip(&groups) {
        palette.extend(mean(group, &cells));
        for cell in group {
            if let Some(to) = index_of.get_mut(*cell as usize) {
                *to = index;
            }
        }
    }
    let none = u8::try_from(groups.len()).unwrap_or(u8::MAX);
    let index = |pixel: &[u8; 4]| {
        if is_opaque(pixel) {
            index_of.get(cell_of(*pixel)).copied().unwrap_or_default()
        } else {
            none
        }
    };
    let pixels: Vec<u8> = picture.pixels.iter().map(index).collect();
    palette.extend([0; 3]);
    let sees_through = picture.pixels.iter().any(|pixel| !is_opaque(pixel));
    Indexed { palette, pixels, transparent: sees_through.then_some(none) }
}

fn count_of(cells: &[Cell], at: u32) -> u64 {
    cells.get(at as usize).map_or(0, |cell| cell.count.into())
}

/// A group of cells that may be split.
struct Group {
    members: Vec<u32>,
    /// The axis along which the members differ most.
    axis: u32,
    /// How much the group gains from being split.
    gain: u64,
}

impl Group {
    fn new(members: Vec<u32>, cells: &[Cell]) -> Group {
        let mut ends = [(u32::MAX, 0); 3];
        let mut count = 0_u64;
        for cell in &members {
            count = count.saturating_add(count_of(cells, *cell));
            for (axis, (low, high)) in (0..3).zip(&mut ends) {
                let at = along(*cell, axis);
                (*low, *high) = (at.min(*low), at.max(*high));
            }
        }
        let (axis, widest) = (0..3)
            .zip(ends.map(|(low, high)| high.saturating_sub(low)))
            .fold((0, 0), |best, next| if next.1 > best.1 { next } else { best });
        // Rare colours count too, or thin lines would lose theirs.
        Group { axis, gain: count.isqrt().saturating_mul(u64::from(widest).pow(2)), members }
    }

    /// Splits the group at the median of its pixels along its longest axis.
    fn split(mut self, cells: &[Cell]) -> (Vec<u32>, Vec<u32>) {
        // Numbers that begin with the position along the axis are sorted fastest.
        for cell in &mut self.members {
            *cell |= along(*cell, self.axis) << (3 * BITS);
        }
        self.members.sort_unstable();
        for cell in &mut self.members {
            *cell &= (1 << (3 * BITS)) - 1;
        }
        let total: u64 = self.members.iter().map(|cell| count_of(cells, *cell)).sum();
        let mut before = 0_u64;
        let middle = self.members.iter().position(|cell| {
            before = before.saturating_add(count_of(cells, *cell));
            before.saturating_mul(2) >= total
        });
        let last = self.members.len().saturating_sub(1);
        let at = middle.unwrap_or_default().saturating_add(1).min(last).max(1);
        let after = self.members.split_off(at.min(self.members.len()));
        (self.members, after)
    }
}

/// Splits the cells into at most [`COLORS`] groups.
fn split(used: Vec<u32>, cells: &[Cell]) -> Vec<Vec<u32>> {
    if used.is_empty() {
        return Vec::new();
    }
    if used.len() <= COLORS {
        return used.into_iter().map(|cell| vec![cell]).collect();
    }
    let mut groups = vec![Group::new(used, cells)];
    while groups.len() < COLORS {
        let best = groups
            .iter()
            .enumerate()
            .max_by_key(|(at, group)| (group.gain, std::cmp::Reverse(*at)));
        let Some(at) = best.filter(|(_, group)| group.gain > 0).map(|(at, _)| at) else { break };
        let (a, b) = groups.swap_remove(at).split(cells);
        groups.extend([a, b].map(|members| Group::new(members, cells)));
    }
    groups.into_iter().map(|group| group.members).collect()
}

fn mean(group: &[u32], cells: &[Cell]) -> [u8; 3] {
    let members = || group.iter().filter_map(|cell| cells.get(*cell as usize));
    let count: u64 = members().map(|cell| u64::from(cell.count)).sum();
    [0, 1, 2].map(|axis| {
        let sum = |cell: &Cell| cell.sum.get(axis).copied().unwrap_or_default();
        let sum: u64 = members().map(sum).sum();
        let rounded = sum.saturating_add(count / 2).checked_div(count).unwrap_or_default();
        u8::try_from(rounded).unwrap_or(u8::MAX)
    })
}
