//! Checks the indices of faces, lines and points, and finds their spans in the source.

use std::collections::HashSet;

use anim_ir::Span;
use anim_ir::number::index32;

use crate::content::{Element, with_corners};
use crate::dialect::Dialect;
use crate::lines::Geometry;
use crate::resolve::Resolver;
use crate::resolve::missing::Missing;
use crate::tokens::{ABSENT, words_of_line};

impl Resolver<'_> {
    pub(crate) fn elements(&mut self, geometry: Geometry) {
        let Geometry { elements, mut corners, greatest, zero_index, relative, unusable } = geometry;
        let draft = self.content.dialect == Dialect::Extobj;
        if draft {
            // In the draft, joint and weight indices are zero-based.
            corners.renumber_bindings();
        }
        for place in &relative {
            let at = place.corner as usize;
            let Some(mut corner) = corners.get(at) else { continue };
            if let Some(slot) = corner.slots.get_mut(usize::from(place.slot)) {
                *slot = i32::try_from(place.value.max(0)).unwrap_or(0);
            }
            corners.set(at, corner);
        }
        let counts = self.content.vertices.counts();
        let in_range = greatest.iter().zip(counts).all(|(greatest, count)| {
            *greatest <= 0 || usize::try_from(*greatest).is_ok_and(|index| index <= count)
        });
        self.content.elements = elements;
        self.content.corners = corners;
        if !in_range || zero_index || !relative.is_empty() || !unusable.is_empty() || draft {
            let from_one = unusable.into_iter().filter_map(|row| i32::try_from(row + 1).ok());
            self.check_indices(&from_one.collect());
        }
    }

    /// Checks every index, and removes elements with an invalid position.
    fn check_indices(&mut self, unusable: &HashSet<i32>) {
        let counts = self.content.vertices.counts();
        let elements = std::mem::take(&mut self.content.elements);
        let mut corners = std::mem::take(&mut self.content.corners);
        let mut sections = std::mem::take(&mut self.content.sections);
        let mut kept: Vec<Element> = Vec::with_capacity(elements.len());
        let (mut kept_corners, mut next_section) = (0, 0);
        let mut missing = Missing::default();
        for (number, (element, range)) in (0_u32..).zip(with_corners(&elements, corners.len())) {
            while let Some(section) =
                sections.get_mut(next_section).filter(|section| section.first_element <= number)
            {
                section.first_element = index32(kept.len());
                next_section += 1;
            }
            let mut drop = false;
            for (at, place) in range.clone().enumerate() {
                let Some(mut corner) = corners.get(place) else { continue };
                let slots = &mut corner.slots;
                if !slots.iter().zip(counts).all(|(slot, count)| is_fine(*slot, count)) {
                    drop |= out_of_range(&mut missing, element, at, slots, counts);
                }
                if !drop && unusable.contains(&slots[0]) {
                    missing.note(element, at, (0, slots[0]), true);
                    drop = true;
                }
                corners.set(place, corner);
            }
            if !drop {
                kept.push(Element { first_corner: index32(kept_corners), ..*element });
                let count = range.len();
                corners.move_to(kept_corners, range);
                kept_corners += count;
            }
        }
        self.report_missing(&missing, counts);
        corners.truncate(kept_corners);
        for section in sections.iter_mut().skip(next_section) {
            section.first_element = index32(kept.len());
        }
        self.content.sections = sections;
        self.content.elements = kept;
        self.content.corners = corners;
    }

    /// Returns the span of a corner: its token, or the first of its five or three tokens in a bare
    /// row.
    pub(crate) fn corner_span(&self, element: &Element, at: usize) -> Span {
        if self.is_row(element.line) {
            self.slot_span(element, at, 0)
        } else {
            self.token(element.line, at + 1)
        }
    }

    /// Returns the span of one of a corner's indices.
    pub(crate) fn slot_span(&self, element: &Element, at: usize, slot: usize) -> Span {
        if self.is_row(element.line) {
            let rigged = words_of_line(self.source, element.line).count() != 9;
            return self.token(element.line, at * if rigged { 5 } else { 3 } + slot);
        }
        let token = self.token(element.line, at + 1);
        let mut start = token.start;
        for (number, piece) in self.bytes(token).split(|byte| *byte == b'/').enumerate() {
            if number == slot {
                return Span::new(start, start + piece.len());
            }
            start += piece.len() + 1;
        }
        token
    }
}

/// Whether a one-based index is absent or at most `count`.
fn is_fine(slot: i32, count: usize) -> bool {
    slot == ABSENT || usize::try_from(slot).is_ok_and(|index| (1..=count).contains(&index))
}

/// Records a corner's out-of-range indices and replaces them with 0. Returns whether the element
/// must be dropped because its position is one of them.
fn out_of_range(
    missing: &mut Missing,
    element: &Element,
    at: usize,
    corner: &mut [i32; 5],
    counts: [usize; 5],
) -> bool {
    let mut drop = false;
    for (number, (slot, count)) in corner.iter_mut().zip(counts).enumerate() {
        if is_fine(*slot, count) {
            continue;
        }
        missing.note(element, at, (number, *slot), false);
        // Use 0 and not ABSENT, since the corner has an index here. It has just been recorded as
        // invalid.
        *slot = 0;
        drop |= number == 0;
    }
    drop
}
