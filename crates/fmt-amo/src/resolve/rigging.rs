//! Checks the corners of rigged files: reports mismatched joints and weights, and faces without
//! joints or weights.

use std::collections::HashSet;

use anim_ir::Span;
use anim_ir::source::locate;

use crate::codes;
use crate::content::{Content, Element, ElementKind, ObjectKind, with_corners};
use crate::corners::{Corner, Corners};
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
        if pairs.all_match(&content.corners) {
            return;
        }
        // The value that marks an unused joint depends on the dialect.
        let is_unknown = self.ends_in_joints && !content.is_dialect_certain;
        let elements = std::mem::take(&mut self.content.elements);
        let corners = std::mem::take(&mut self.content.corners);
        let mut reported = HashSet::new();
        let mut broken_pairs = BrokenPairs::default();
        let mut unskinned = Unskinned::default();
        let mut section = 0;
        for (number, (element, range)) in (0_u32..).zip(with_corners(&elements, corners.len())) {
            let sections = &self.content.sections;
            while sections.get(section).is_some_and(|next| next.first_element <= number) {
                section += 1;
            }
            let mut lacking = None;
            for (at, corner) in corners.range(range).enumerate() {
                let [.., joints, weights] = corner.slots;
                if joints == ABSENT || weights == ABSENT {
                    lacking = lacking.or(Some(at));
                } else if !is_unknown
                    && let Some(broken) = pairs.check(corner)
                    && reported.insert((joints, weights))
                {
                    broken_pairs.note(element, at, corner, broken);
                }
            }
            if let Some(at) = lacking.filter(|_| element.kind == ElementKind::Face) {
                self.unskinned(&mut unskinned, element, at, section);
            }
        }
        self.report_unskinned(&unskinned);
        for of_a_kind in [&broken_pairs.unused, &broken_pairs.length] {
            self.broken_pairs(of_a_kind, joint_lines);
        }
        self.content.elements = elements;
        self.content.corners = corners;
    }

    /// Reports each mismatched pair, or all together if there are many, since a single missing or
    /// extra row shifts every pair after it.
    fn broken_pairs(&mut self, of_a_kind: &OfAKind, joint_lines: &[u32]) {
        let OfAKind { first, count } = of_a_kind;
        if *count > BrokenPairs::ONE_BY_ONE {
            first.iter().take(1).for_each(|pair| self.broken_pair(pair, *count, joint_lines));
        } else {
            first.iter().for_each(|pair| self.broken_pair(pair, 1, joint_lines));
        }
    }

    fn broken_pair(&mut self, pair: &Pair, count: usize, joint_lines: &[u32]) {
        let Pair { element, at, corner, broken } = pair;
        let in_all = match count {
            1 => String::new(),
            _ => format!(" (the first of {count} such pairs)"),
        };
        let BrokenPair::Unused(entry) = *broken else {
            let span = self.slot_span(element, *at, 4);
            return self.diagnostics.push(&codes::WEIGHT_PAIR, span, || {
                format!("the corner has a different number of weights than joints{in_all}")
            });
        };
        let line = corner.joints().and_then(|row| joint_lines.get(row)).copied();
        let span = line.map(|line| self.value_token(line, entry));
        // The engine's exporters do not normalise weights and do not always write 0 for unused
        // entries.
        let grouped = self.content.dialect.groups_keys();
        let code = if grouped { &codes::WEIGHT_DROPPED } else { &codes::WEIGHT_UNUSED };
        let source = self.source;
        self.diagnostics.push(code, span, || {
            let face = locate(source, element.line as usize).line;
            format!(
                "this joint is unused, but the face on line {face} assigns it a non-zero \
                 weight{in_all}"
            )
        });
    }

    /// Records a face without joints or weights in an animated object.
    fn unskinned(&self, found: &mut Unskinned, element: &Element, at: usize, next_section: usize) {
        let content = &self.content;
        let section = next_section.checked_sub(1).and_then(|at| content.sections.get(at));
        let Some(number) = section.and_then(|section| section.object) else { return };
        let object = content.objects.get(number as usize);
        if object.is_some_and(|object| object.kind == ObjectKind::Animated) {
            match found.objects.last_mut() {
                Some((last, _, faces)) if *last == number => *faces += 1,
                _ => found.objects.push((number, self.corner_span(element, at), 1)),
            }
        }
    }

    /// Reports unskinned faces, once per object.
    fn report_unskinned(&mut self, found: &Unskinned) {
        for (_, span, faces) in &found.objects {
            self.diagnostics.push(&codes::UNSKINNED, *span, || match faces {
                1 => "this corner of an animated object has no joints or weights and stays at rest"
                    .to_owned(),
                _ => format!(
                    "{faces} faces of an animated object have corners without joints or weights, \
                     which stay at rest; this is the first"
                ),
            });
        }
    }
}

/// Faces without joints or weights in animated objects: for each object, its index, the span of the
/// first such face, and the number of faces.
#[derive(Default)]
struct Unskinned {
    objects: Vec<(u32, Span, usize)>,
}

/// Pairs of mismatched joint and weight rows.
#[derive(Default)]
struct BrokenPairs {
    unused: OfAKind,
    length: OfAKind,
}

/// The first mismatched pairs of a type, and their total number.
#[derive(Default)]
struct OfAKind {
    first: Vec<Pair>,
    count: usize,
}

/// A corner with mismatched joint and weight rows.
struct Pair {
    element: Element,
    at: usize,
    corner: Corner,
    broken: BrokenPair,
}

impl BrokenPairs {
    /// Up to this many pairs of the same type are reported individually.
    const ONE_BY_ONE: usize = 3;

    fn note(&mut self, element: &Element, at: usize, corner: Corner, broken: BrokenPair) {
        let OfAKind { first, count } = match broken {
            BrokenPair::Unused(_) => &mut self.unused,
            BrokenPair::Length => &mut self.length,
        };
        *count += 1;
        if *count <= BrokenPairs::ONE_BY_ONE {
            first.push(Pair { element: *element, at, corner, broken });
        }
    }
}

#[derive(Clone, Copy)]
enum BrokenPair {
    /// The index of the entry.
    Unused(usize),
    Length,
}

/// Bit masks of the unused joints in each `vj` row and the non-zero weights in each `vw` row. Both
/// also mark rows with five entries ([`PairCheck::FIVE`]).
struct PairCheck {
    unused: Vec<u8>,
    weighted: Vec<u8>,
}

impl PairCheck {
    /// The bit that marks a row with five entries.
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

    /// Whether all corners have joints and weights that match, as almost always: a third of the
    /// work of the detailed check.
    fn all_match(&self, corners: &Corners) -> bool {
        let of = |bits: &[u8], slot: i32| {
            usize::try_from(slot).ok()?.checked_sub(1).and_then(|row| bits.get(row).copied())
        };
        let match_each_other = |[joints, weights]: &[i32; 2]| {
            let pair = (of(&self.unused, *joints), of(&self.weighted, *weights));
            let (Some(unused), Some(weighted)) = pair else { return false };
            PairCheck::broken(unused, weighted).is_none()
        };
        let bindings = corners.bindings();
        bindings.len() == corners.len() && bindings.iter().all(match_each_other)
    }

    fn check(&self, corner: Corner) -> Option<BrokenPair> {
        let unused = self.unused.get(corner.joints()?)?;
        let weighted = self.weighted.get(corner.weights()?)?;
        PairCheck::broken(*unused, *weighted)
    }

    /// Compares the bits of a pair of rows.
    fn broken(unused: u8, weighted: u8) -> Option<BrokenPair> {
        if (unused ^ weighted) & PairCheck::FIVE != 0 {
            Some(BrokenPair::Length)
        } else {
            let both = unused & weighted & !PairCheck::FIVE;
            (both != 0).then(|| BrokenPair::Unused(both.trailing_zeros() as usize))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use proptest::prelude::*;

    proptest! {
        /// The check of all corners at once says what the check of each does.
        #[test]
        fn all_match_if_each_does(
            unused in prop::collection::vec(prop::sample::select(vec![0, 0, 8, 0x80]), 1..4),
            weighted in prop::collection::vec(prop::sample::select(vec![0, 1, 8, 0x80]), 1..4),
            slots in prop::collection::vec((-1..5_i32, 0..5_i32), 0..4),
        ) {
            let pairs = PairCheck { unused, weighted };
            let mut corners = Corners::default();
            for (joints, weights) in slots {
                corners.push(Corner { slots: [1, 1, 1, joints, weights] });
            }
            let is_bound = |corner: &Corner| {
                let rows = corner.joints().zip(corner.weights());
                rows.is_some_and(|(joints, weights)| {
                    joints < pairs.unused.len() && weights < pairs.weighted.len()
                })
            };
            let each = corners
                .range(0..corners.len())
                .all(|corner| is_bound(&corner) && pairs.check(corner).is_none());
            prop_assert_eq!(pairs.all_match(&corners), each);
        }
    }
}
