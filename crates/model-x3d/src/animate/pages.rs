//! Shapes spread over several meshes, where they are more than a mesh may have.

use super::curves::Curves;
use super::shapes::Shapes;
use super::takes::Take;
use super::variants::Keys;
use crate::options::ToIr;

/// A mesh of the scene to be: a shape, and those that it is blended to. One is enough unless there
/// are more shapes than a mesh may have.
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    /// The first one is that of the mesh itself, the others are its morph targets.
    pub(super) shapes: Vec<usize>,
    /// Morph targets behind those.
    pub(super) curves: Vec<(usize, usize)>,
    curve_targets: usize,
}

/// What a key needs of the page that is shown from it on.
struct Needed {
    /// The key's shape, and the one that it is blended to.
    shapes: Vec<usize>,
    curve: Option<(usize, usize)>,
    /// How many morph targets the curve takes.
    curve_targets: usize,
}

impl Page {
    fn new(shape: usize) -> Page {
        Page { shapes: vec![shape], ..Page::default() }
    }

    pub(super) fn target_count(&self) -> usize {
        self.shapes.len().saturating_sub(1).saturating_add(self.curve_targets)
    }

    /// The curve that is needed, where the page does not have it.
    fn missing_curve(&self, needed: &Needed) -> Option<(usize, usize)> {
        needed.curve.filter(|curve| !self.curves.contains(curve))
    }

    /// How many morph targets the page would get.
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

/// Spreads the shapes over as many meshes as it takes. Gives them, and for each take and key the
/// one that is shown from it on.
pub(super) fn find(
    shapes: &Shapes,
    curves: &Curves,
    keys: &[Keys],
    takes: &[Take],
    options: &ToIr,
) -> (Vec<Page>, Vec<Vec<usize>>) {
    let most = if options.flip_book { 0 } else { options.morph_targets.max(4) };
    let shape = |frame: usize| shapes.of_frame.get(frame).copied().unwrap_or(0);
    let mut pages = vec![Page::new(0)];
    let mut page_of = Vec::with_capacity(takes.len());
    let mut last = 0_usize;
    for (keys, take) in keys.iter().zip(takes) {
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
            // The page that is shown already, one that has it all, the newest, or a new one.
            let newest = pages.len().saturating_sub(1);
            let can = |page: usize| pages.get(page).is_some_and(fits);
            let page = if can(last) {
                Some(last)
            } else {
                let whole = pages.iter().position(|page| page.missing(&needed) == 0);
                whole.or(Some(newest).filter(|page| can(*page)))
            };
            last = page.unwrap_or_else(|| {
                pages.push(Page::new(shape(*frame)));
                pages.len().saturating_sub(1)
            });
            if let Some(page) = pages.get_mut(last) {
                page.add(&needed);
            }
            of_key.push(last);
        }
        page_of.push(of_key);
    }
    (pages, page_of)
}
