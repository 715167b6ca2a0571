//! Distributes shapes over several meshes ("pages") if there are too many for one mesh.

use std::collections::HashMap;

use super::curves::Curves;
use super::shapes::Shapes;
use super::takes::Take;
use super::variants::Keys;
use crate::options::ToIr;

/// Number of keys between two frames if weights are splines. One would suffice for programs that
/// use the tangents in the file, but Blender computes its own.
pub(super) const KEYS_ON_THE_WAY: u32 = 8;

/// A mesh of the resulting scene: a shape, and the shapes it is blended with. There is only one
/// page unless the shapes exceed the limit for one mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    /// The first shape is the mesh itself; the others are its morph targets.
    pub(super) shapes: Vec<usize>,
    /// The curves. Their morph targets come after those of the shapes.
    pub(super) curves: Vec<(usize, usize)>,
    curve_targets: usize,
}

/// The shapes and curves that a page needs in order to be shown from a key on.
struct Needed {
    /// The shape of the key, and the shape it is blended with.
    shapes: Vec<usize>,
    curve: Option<(usize, usize)>,
    /// Number of morph targets that the curve needs.
    curve_targets: usize,
}

impl Page {
    fn new(shape: usize) -> Page {
        Page { shapes: vec![shape], ..Page::default() }
    }

    pub(super) fn target_count(&self) -> usize {
        self.shapes.len().saturating_sub(1).saturating_add(self.curve_targets)
    }

    /// Returns how many numbers the keys of splines through that many frames have: every key has
    /// the weights of all morph targets, with two tangents. 0 if there are no curves.
    pub(super) fn curve_numbers(&self, frames: usize) -> usize {
        if self.curves.is_empty() {
            return 0;
        }
        let keys = frames.saturating_mul(KEYS_ON_THE_WAY as usize);
        keys.saturating_mul(self.target_count()).saturating_mul(3)
    }

    /// Returns the required curve, if the page lacks it.
    fn missing_curve(&self, needed: &Needed) -> Option<(usize, usize)> {
        needed.curve.filter(|curve| !self.curves.contains(curve))
    }

    /// Returns the number of required morph targets that the page lacks.
    fn missing(&self, needed: &Needed) -> usize {
        let is_new = |(at, shape): &(usize, &usize)| {
            !self.shapes.contains(shape) && !needed.shapes.iter().take(*at).any(|s| s == *shape)
        };
        let shapes = needed.shapes.iter().enumerate().filter(is_new).count();
        let curve = self.missing_curve(needed).map_or(0, |_| needed.curve_targets);
        shapes.saturating_add(curve)
    }

    fn add(&mut self, needed: &Needed) {
        for shape in &needed.shapes {
            if !self.shapes.contains(shape) {
                self.shapes.push(*shape);
            }
        }
        if let Some(curve) = self.missing_curve(needed) {
            self.curves.push(curve);
            self.curve_targets = self.curve_targets.saturating_add(needed.curve_targets);
        }
    }
}

/// Distributes the shapes over as many pages as necessary. Returns the pages, and for each key of
/// each take, the page shown from that key on.
pub(super) fn find(
    shapes: &Shapes,
    curves: &Curves,
    keys: &[Keys],
    takes: &[(usize, &Take)],
    options: &ToIr,
) -> (Vec<Page>, Vec<Vec<usize>>) {
    let most = if options.flip_book { 0 } else { options.morph_targets.max(4) };
    let shape = |frame: usize| shapes.of_frame.get(frame).copied().unwrap_or(0);
    let mut pages = vec![Page::new(0)];
    // For each shape, the pages that contain it.
    let mut pages_of: HashMap<usize, Vec<usize>> = HashMap::from([(0, vec![0])]);
    let mut page_of = Vec::with_capacity(takes.len());
    let mut last = 0_usize;
    for (keys, (_, take)) in keys.iter().zip(takes) {
        let mut of_key = Vec::with_capacity(keys.len());
        for (number, (_, frame)) in keys.iter().enumerate() {
            let next = keys
                .get(number.saturating_add(1))
                .map(|(_, next)| *next)
                .filter(|_| !take.step && !options.flip_book);
            let curve = next.and_then(|next| curves.get_key_value(&(*frame, next)));
            let needed = Needed {
                shapes: std::iter::once(*frame).chain(next).map(shape).collect(),
                curve: curve.map(|(pair, _)| *pair),
                curve_targets: curve.map_or(0, |(_, curve)| curve.target_count()),
            };
            let fits = |page: &Page| match page.missing(&needed) {
                0 => true,
                missing => page.target_count().saturating_add(missing) <= most,
            };
            // Prefer the current page, then a page that has everything, then the newest page, then
            // a new page.
            let newest = pages.len().saturating_sub(1);
            let can = |page: usize| pages.get(page).is_some_and(fits);
            let page = if can(last) {
                Some(last)
            } else {
                let having = needed.shapes.iter().map(|shape| pages_of.get(shape));
                let having = having.map(|pages| pages.map_or(&[][..], Vec::as_slice));
                let few = having.min_by_key(|pages| pages.len()).unwrap_or_default();
                let has_all =
                    |page: &usize| pages.get(*page).is_some_and(|page| page.missing(&needed) == 0);
                let whole = few.iter().copied().filter(has_all).min();
                whole.or(Some(newest).filter(|page| can(*page)))
            };
            last = page.unwrap_or_else(|| {
                let new = pages.len();
                pages.push(Page::new(shape(*frame)));
                pages_of.entry(shape(*frame)).or_default().push(new);
                new
            });
            if let Some(page) = pages.get_mut(last) {
                let before = page.shapes.len();
                page.add(&needed);
                for shape in page.shapes.iter().skip(before) {
                    pages_of.entry(*shape).or_default().push(last);
                }
            }
            of_key.push(last);
        }
        page_of.push(of_key);
    }
    (pages, page_of)
}
