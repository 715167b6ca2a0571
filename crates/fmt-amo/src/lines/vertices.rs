//! `v`, `vt`, `vn`, `vj` and `vw` lines, and the rows of their blocks.

use anim_ir::number::index32;

use crate::lines::reader::{BlockKind, Reader};
use crate::tokens::{Input, Reject, integers, numbers};

/// Marks an invalid `vw` row until `resolve` replaces it with zeros. Valid rows never contain NaN.
pub(crate) const UNREADABLE_WEIGHTS: [f32; 5] = [f32::NAN; 5];

/// The form of a keyword's rows.
struct Form {
    keyword: &'static str,
    block: BlockKind,
    /// Description of the expected values, for messages.
    expected: &'static str,
    /// The accepted value counts.
    counts: &'static [usize],
}

impl<'a> Reader<'a> {
    /// Returns the number of values in the row, 0 if it is invalid (which is reported), or `None`
    /// if it is a block header.
    #[inline(always)]
    fn count(
        &mut self,
        form: &Form,
        result: Result<usize, Reject>,
        values: Input<'a>,
    ) -> Option<usize> {
        match result {
            Ok(1) if self.opens_block(form.block, form.keyword, values) => return None,
            Ok(count) if form.counts.contains(&count) => return Some(count),
            Ok(count) => {
                let most = form.counts.iter().rfind(|most| **most <= count).unwrap_or(&count);
                self.wrong_count(form.keyword, form.expected, count, *most);
            }
            Err(reject) => self.reject(form.keyword, reject),
        }
        Some(0)
    }

    pub(crate) fn position(&mut self, mut input: Input<'a>) {
        const FORM: Form = Form {
            keyword: "v",
            block: BlockKind::Position,
            expected: "3 coordinates (4 with a weight, 6 or 7 with a colour)",
            counts: &[3, 4, 6, 7],
        };
        let (values, mut row) = (input, [0.0; 7]);
        let result = numbers(&mut input, &mut row);
        let Some(count) = self.count(&FORM, result, values) else { return };
        let rows = &mut self.part.vertices;
        let index = index32(rows.positions.len());
        let [x, y, z, r, g, b, a] = row;
        match count {
            0 => self.part.geometry.unusable.push(index),
            4 => rows.ignored_components += 1,
            6 => rows.colors.push((index, [r, g, b, 1.0])),
            7 => rows.colors.push((index, [r, g, b, a])),
            _ => {}
        }
        rows.positions.push([x, y, z]);
    }

    pub(crate) fn texcoord(&mut self, mut input: Input<'a>) {
        const FORM: Form = Form {
            keyword: "vt",
            block: BlockKind::Texcoord,
            expected: "1 to 3 coordinates",
            counts: &[1, 2, 3],
        };
        let (values, mut row) = (input, [0.0; 3]);
        let result = numbers(&mut input, &mut row);
        let Some(count) = self.count(&FORM, result, values) else { return };
        let [u, v, w] = row;
        let rows = &mut self.part.vertices;
        rows.ignored_components += u64::from(count == 3 && w != 0.0);
        rows.texcoords.push([u, v]);
    }

    pub(crate) fn normal(&mut self, mut input: Input<'a>) {
        const FORM: Form = Form {
            keyword: "vn",
            block: BlockKind::Normal,
            expected: "3 coordinates",
            counts: &[3],
        };
        let (values, mut row) = (input, [0.0; 3]);
        let result = numbers(&mut input, &mut row);
        if self.count(&FORM, result, values).is_some() {
            self.part.vertices.normals.push(row);
        }
    }

    pub(crate) fn joints(&mut self, mut input: Input<'a>) {
        const FORM: Form = Form {
            keyword: "vj",
            block: BlockKind::Joints,
            expected: "4 joint numbers",
            counts: &[4],
        };
        let (values, mut row) = (input, [-1; 5]);
        let result = integers(&mut input, &mut row);
        let rows = &mut self.part.vertices;
        if result == Ok(5) {
            // Only some dialects allow five joint numbers; `resolve` checks this.
            rows.fifth_joints.push((index32(rows.joints.len()), row[4]));
        } else {
            match self.count(&FORM, result, values) {
                None => return,
                Some(0) => row = [-1; 5],
                Some(_) => {}
            }
        }
        let [first @ .., _] = row;
        self.part.vertices.joints.push(first);
        self.part.joint_lines.push(index32(self.line));
    }

    pub(crate) fn weights(&mut self, mut input: Input<'a>) {
        const FORM: Form =
            Form { keyword: "vw", block: BlockKind::Weights, expected: "4 weights", counts: &[4] };
        let (values, mut row) = (input, [0.0; 5]);
        let result = numbers(&mut input, &mut row);
        let rows = &mut self.part.vertices;
        if result == Ok(5) {
            rows.fifth_weights.push((index32(rows.weights.len()), row[4]));
        } else {
            match self.count(&FORM, result, values) {
                None => return,
                Some(0) => row = UNREADABLE_WEIGHTS,
                Some(_) => {}
            }
        }
        let [first @ .., _] = row;
        self.part.vertices.weights.push(first);
        self.part.weight_lines.push(index32(self.line));
    }
}
