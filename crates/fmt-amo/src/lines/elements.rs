//! `f`, `l` and `p` lines, and face rows.

use anim_ir::number::index32;
use anim_ir::{Diagnostic, Span, diag::plural};

use crate::codes;
use crate::content::{Element, ElementKind};
use crate::corners::Corner;
use crate::lines::part::{Part, Relative};
use crate::lines::reader::{BlockKind, Reader};
use crate::tokens::{ABSENT, Input, Reason, Reject, corner, integers, next_token, spans};

impl<'a> Reader<'a> {
    pub(crate) fn face(&mut self, input: Input<'a>) {
        // Faces without slashes are rare, so this check need not be fast.
        if !input.contains(&b'/')
            && spans(input).nth(1).is_none()
            && self.opens_block(BlockKind::Face, "f", input)
        {
            return;
        }
        self.element(ElementKind::Face, input);
    }

    pub(crate) fn element(&mut self, kind: ElementKind, mut input: Input<'a>) {
        let first = self.part.geometry.corners.len();
        let before = self.part.geometry.relative.len();
        let result = self.corners(&mut input);
        let count = self.part.geometry.corners.len() - first;
        let (name, fewest) = match kind {
            ElementKind::Face => ("face", 3),
            ElementKind::Line => ("line", 2),
            ElementKind::Points => ("point", 1),
        };
        if result.is_ok() && count >= fewest {
            return self.push_element(first, kind);
        }
        self.part.geometry.corners.truncate(first);
        self.part.geometry.relative.truncate(before);
        match result {
            Err(reject) => {
                let (span, token) = self.rejected(reject);
                let message = match reject.reason {
                    Reason::ManySlots => format!("corner {token} has more than five indices"),
                    Reason::NoPosition => format!("corner {token} has no position"),
                    _ => format!("{token} is not a valid corner"),
                };
                let help = "a corner is position, position/texcoord/normal or \
                            position/texcoord/normal/joints/weights";
                self.part.diagnostics.report(&codes::CORNER, || {
                    Diagnostic::new(&codes::CORNER, span, message).help(help)
                });
            }
            Ok(()) => {
                let token = spans(self.text()).next().unwrap_or(0..0);
                let span = Span::new(self.line + token.start, self.line + token.end);
                self.part.diagnostics.push(&codes::FACE_CORNERS, span, || {
                    format!("{name} with {}: at least {fewest} required", plural(count, "corner"))
                });
            }
        }
    }

    fn corners(&mut self, input: &mut Input<'a>) -> Result<(), Reject> {
        while next_token(input) {
            let mut slots = corner(input)?;
            if slots.iter().any(|slot| *slot < 0 && *slot != ABSENT) {
                self.relative(&mut slots);
            }
            self.push_corner(slots);
        }
        Ok(())
    }

    fn push_corner(&mut self, slots: [i32; 5]) {
        for (greatest, slot) in self.part.geometry.greatest.iter_mut().zip(slots) {
            *greatest = slot.max(*greatest);
        }
        self.part.geometry.zero_index |= slots.contains(&0);
        self.part.evidence.zero_in_face |= slots[3] == 0 || slots[4] == 0;
        self.part.geometry.corners.push(Corner { slots });
    }

    /// Records relative indices, which are resolved once the counts of the preceding parts are
    /// known.
    fn relative(&mut self, slots: &mut [i32; 5]) {
        let Part { vertices, geometry, .. } = &mut self.part;
        let counts = vertices.counts();
        for ((number, slot), count) in (0_u8..).zip(slots).zip(counts) {
            if *slot < 0 && *slot != ABSENT {
                let value = i64::from(index32(count)) + i64::from(*slot) + 1;
                geometry.relative.push(Relative {
                    corner: index32(geometry.corners.len()),
                    slot: number,
                    value,
                });
                // The index is in range unless the file has no rows.
                *slot = 1;
            }
        }
    }

    fn push_element(&mut self, first_corner: usize, kind: ElementKind) {
        let (first_corner, line) = (index32(first_corner), index32(self.line));
        self.part.geometry.elements.push(Element { first_corner, line, kind });
    }

    /// Reads the zero-based indices of a face row: fifteen if it is rigged, otherwise nine.
    pub(crate) fn face_row(&mut self, mut input: Input<'a>) {
        const WHAT: &str = "a face row";
        let mut row = [0; 15];
        let first = self.part.geometry.corners.len();
        // Indices are stored one-based, as elsewhere; -1 becomes 0, which is never a valid index.
        let from_one = |index: i32| index.checked_add(1).filter(|index| *index >= 0).unwrap_or(0);
        match integers(&mut input, &mut row) {
            Ok(15) => {
                row.as_chunks().0.iter().for_each(|corner| self.push_corner(corner.map(from_one)));
            }
            Ok(9) => {
                for [v, vt, vn] in row.as_chunks().0.iter().take(3).copied() {
                    let [v, vt, vn] = [v, vt, vn].map(from_one);
                    self.push_corner([v, vt, vn, ABSENT, ABSENT]);
                }
            }
            Ok(count) => {
                let expected = "9 indices, or 15 with joints and weights";
                return self.wrong_count(WHAT, expected, count, 15);
            }
            Err(reject) => return self.reject(WHAT, reject),
        }
        self.push_element(first, ElementKind::Face);
    }
}
