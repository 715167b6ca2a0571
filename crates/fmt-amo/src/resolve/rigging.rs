//! Corners of rigged files: joints and weights that do not fit each other, and faces that lack
//! them.

use std::collections::HashSet;

use anim_ir::source::locate;

use crate::codes;
use crate::content::{Content, Corner, Element, ElementKind, ObjectKind, with_corners};
use crate::dialect::Dialect;
use crate::resolve::Resolver;
use crate::tokens::ABSENT;

impl Resolver<'_> {
    pub(crate) fn rigging(&mut self, joint_lines: &[u32]) {
        let content = &self.content;
        if content.vertices.joints.is_empty()
            && !content.joints.iter().any(|joint| joint.span.is_some())
        {
            return;
        }
        let pairs = PairCheck::new(content);
        let elements = std::mem::take(&mut self.content.elements);
        let corners = std::mem::take(&mut self.content.corners);
        let mut reported = HashSet::new();
        let mut section = 0;
        for (number, (element, range)) in (0_u32..).zip(with_corners(&elements, corners.len())) {
            let sections = &self.content.sections;
            while sections.get(section).is_some_and(|next| next.first_element <= number) {
                section += 1;
            }
            let mut lacking = None;
            let own = corners.get(range).unwrap_or_default();
            for (at, corner) in own.iter().enumerate() {
                let [.., joints, weights] = corner.slots;
                if joints == ABSENT || weights == ABSENT {
                    lacking = lacking.or(Some(at));
                } else if let Some(broken) = pairs.check(*corner)
                    && reported.insert((joints, weights))
                {
                    self.broken_pair(element, at, *corner, broken, joint_lines);
                }
            }
            if let Some(at) = lacking.filter(|_| element.kind == ElementKind::Face) {
                self.unskinned(element, at, section);
            }
        }
        self.content.elements = elements;
        self.content.corners = corners;
    }

    fn broken_pair(
        &mut self,
        element: &Element,
        at: usize,
        corner: Corner,
        broken: BrokenPair,
        joint_lines: &[u32],
    ) {
        let BrokenPair::Unused(entry) = broken else {
            let span = self.slot_span(element, at, 4);
            return self.diagnostics.push(&codes::WEIGHT_PAIR, span, || {
                "these weights and the joints they belong to differ in number".to_owned()
            });
        };
        let line = corner.joints().and_then(|row| joint_lines.get(row)).copied();
        let span = line.map(|line| self.value_token(line, entry));
        // What the engine's exporters write is not normalised, and its unused entries are not
        // always 0.
        let grouped = self.content.dialect.groups_keys();
        let code = if grouped { &codes::WEIGHT_DROPPED } else { &codes::WEIGHT_UNUSED };
        let source = self.source;
        self.diagnostics.push(code, span, || {
            let face = locate(source, element.line as usize).line;
            format!(
                "this joint is unused, but the face in line {face} pairs it with a weight that is \
                 not 0"
            )
        });
    }

    fn unskinned(&mut self, element: &Element, at: usize, next_section: usize) {
        let content = &self.content;
        let section = next_section.checked_sub(1).and_then(|at| content.sections.get(at));
        let object = section
            .and_then(|section| section.object)
            .and_then(|object| content.objects.get(object as usize));
        if object.is_some_and(|object| object.kind == ObjectKind::Animated) {
            let span = self.corner_span(element, at);
            self.diagnostics.push(&codes::UNSKINNED, span, || {
                "a corner of an animated object without joints and weights: it stays at rest"
                    .to_owned()
            });
        }
    }
}

#[derive(Clone, Copy)]
enum BrokenPair {
    /// Which entry.
    Unused(usize),
    Length,
}

/// Which joints of a `vj` row are unused and which weights of a `vw` row are not 0, as bits, to
/// test a pair with one `&`.
struct PairCheck {
    unused: Vec<u8>,
    weighted: Vec<u8>,
}

impl PairCheck {
    /// The bit for a row of five.
    const FIVE: u8 = 1 << 7;

    fn new(content: &Content) -> PairCheck {
        let bits = |row: [bool; 4]| {
            row.into_iter().rev().fold(0_u8, |bits, bit| bits << 1 | u8::from(bit))
        };
        let mut unused: Vec<u8> =
            content.vertices.joints.iter().map(|row| bits(row.map(|joint| joint < 0))).collect();
        let mut weighted: Vec<u8> = content
            .vertices
            .weights
            .iter()
            .map(|row| bits(row.map(|weight| weight != 0.0)))
            .collect();
        if content.dialect == Dialect::Lines {
            for (row, joint) in &content.vertices.fifth_joints {
                if let Some(bits) = unused.get_mut(*row as usize) {
                    *bits |= PairCheck::FIVE | u8::from(*joint < 0) << 4;
                }
            }
            for (row, weight) in &content.vertices.fifth_weights {
                if let Some(bits) = weighted.get_mut(*row as usize) {
                    *bits |= PairCheck::FIVE | u8::from(*weight != 0.0) << 4;
                }
            }
        }
        PairCheck { unused, weighted }
    }

    fn check(&self, corner: Corner) -> Option<BrokenPair> {
        let unused = self.unused.get(corner.joints()?)?;
        let weighted = self.weighted.get(corner.weights()?)?;
        if (unused ^ weighted) & PairCheck::FIVE != 0 {
            Some(BrokenPair::Length)
        } else {
            let both = unused & weighted & !PairCheck::FIVE;
            (both != 0).then(|| BrokenPair::Unused(both.trailing_zeros() as usize))
        }
    }
}
