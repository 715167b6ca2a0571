//! Vertex joints and weights: `vj` and `vw`.

use anim_ir::number::shortest;
use anim_ir::{Diagnostic, Span};

use crate::codes;
use crate::dialect::Dialect;
use crate::repairs;
use crate::resolve::Resolver;

impl Resolver<'_> {
    /// Converts joint numbers to indices.
    pub(crate) fn joint_rows(&mut self, lines: &[u32]) {
        let first = self.content.dialect.first_joint_of_vertices();
        let declared = i32::try_from(self.declared).unwrap_or(i32::MAX);
        let mut rows = std::mem::take(&mut self.content.vertices.joints);
        for (row, line) in rows.iter_mut().zip(lines) {
            // Almost all rows: each joint is declared or unused.
            let indices = row.map(|number| number.saturating_sub(first));
            if indices.iter().all(|index| *index < declared) {
                *row = indices.map(|index| index.max(-1));
                continue;
            }
            for (entry, joint) in row.iter_mut().enumerate() {
                *joint = self.vertex_joint(*joint, *line, entry);
            }
        }
        self.content.vertices.joints = rows;
        let mut fifth = std::mem::take(&mut self.content.vertices.fifth_joints);
        for (row, joint) in &mut fifth {
            let line = lines.get(*row as usize).copied().unwrap_or_default();
            if self.content.dialect == Dialect::Lines {
                *joint = self.vertex_joint(*joint, line, 4);
            } else {
                *joint = -1;
                self.fifth_entry(line, "`vj` needs 4 joint numbers, found 5");
            }
        }
        self.content.vertices.fifth_joints = fifth;
    }

    fn vertex_joint(&mut self, number: i32, line: u32, entry: usize) -> i32 {
        let number = i64::from(number);
        let first = i64::from(self.content.dialect.first_joint_of_vertices());
        let Ok(index) = usize::try_from(number - first) else { return -1 };
        self.joint_index(index, number, |this| this.value_token(line, entry))
            .and_then(|joint| i32::try_from(joint).ok())
            .unwrap_or(-1)
    }

    fn fifth_entry(&mut self, line: u32, message: &str) {
        let span = self.value_token(line, 4);
        self.diagnostics.push(&codes::FIELDS, span, || message.to_owned());
    }

    pub(crate) fn weight_rows(&mut self, lines: &[u32]) {
        let five = self.content.dialect == Dialect::Lines;
        let mut fifth = std::mem::take(&mut self.content.vertices.fifth_weights);
        let mut fifths = fifth.iter().peekable();
        let mut rows = std::mem::take(&mut self.content.vertices.weights);
        for ((index, row), line) in (0_u32..).zip(&mut rows).zip(lines) {
            if row.iter().any(|weight| weight.is_nan()) {
                *row = [0.0; 4];
                continue;
            }
            let extra = fifths.next_if(|(at, _)| *at == index).map_or(0.0, |(_, weight)| *weight);
            self.weight_row(row, extra, *line);
        }
        self.content.vertices.weights = rows;
        if !five {
            for (row, weight) in &mut fifth {
                *weight = 0.0;
                let line = lines.get(*row as usize).copied().unwrap_or_default();
                self.fifth_entry(line, "`vw` needs 4 weights, found 5");
            }
        }
        self.content.vertices.fifth_weights = fifth;
    }

    /// Reports weights that are negative, that are all 0, or (except in the engine's dialects) that
    /// do not sum to 1.
    fn weight_row(&mut self, row: &[f32; 4], extra: f32, line: u32) {
        let sum = row.iter().sum::<f32>() + extra;
        if row.iter().any(|weight| *weight < 0.0) || extra < 0.0 {
            let entry = row.iter().position(|weight| *weight < 0.0).unwrap_or(4);
            let span = self.value_token(line, entry);
            self.diagnostics.push(&codes::WEIGHT_NEGATIVE, span, || {
                format!("weight {} is negative", entry + 1)
            });
        } else if sum == 0.0 {
            let span = self.values(line);
            self.diagnostics.push(&codes::WEIGHT_ZERO, span, || {
                "all weights are 0: the vertices stay at rest".to_owned()
            });
        // Weights in the engine's dialects are not normalised to a sum of 1.
        } else if !self.content.dialect.groups_keys()
            && (sum - 1.0).abs() > 1e-3
            && !self.ends_in_joints
        {
            let span = self.values(line);
            // The sum cannot overflow an f64.
            let exact: f64 = row.iter().map(|weight| f64::from(*weight)).sum();
            let is_certain = self.content.is_dialect_certain;
            let (source, rounded) = (self.source, shortest((sum * 1e4).round() / 1e4));
            self.diagnostics.report_fix(&codes::WEIGHT_SUM, || {
                let message = format!("the weights sum to {rounded}, not 1");
                let diagnostic =
                    Diagnostic::new(&codes::WEIGHT_SUM, span, message).help(if is_certain {
                        "they are normalised on evaluation"
                    } else {
                        "they are normalised on evaluation; other dialects allow any sum, and \
                         nothing in this file identifies its dialect; use `--dialect spec` with \
                         `--fix` to normalise them"
                    });
                // A fifth weight is reported separately.
                let fix = if extra == 0.0 && is_certain && repairs::ends_in_line(source, span) {
                    repairs::divide_four(source, span, exact)
                } else {
                    None
                };
                Diagnostic { fix, ..diagnostic }
            });
        }
    }

    /// Returns the span of all values on a line.
    fn values(&self, line: u32) -> Span {
        Span::new(self.value_token(line, 0).start, self.token(line, usize::MAX).end)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::{Dialect, Document, ParseOptions};

    /// Returns the joints of the only `vj` row of a file with three joints.
    fn joints(dialect: Dialect, numbers: [i32; 4]) -> Vec<Option<usize>> {
        let [a, b, c, d] = numbers;
        let text = format!("j a 0\nj b 0\nj c 0\nv 0 0 0\nvj {a} {b} {c} {d}\n");
        let options = ParseOptions::default().with_dialect(Some(dialect));
        let document = Document::parse_with(text.as_bytes(), &options).unwrap().value;
        document.vertex_joints(0).collect()
    }

    proptest! {
        /// A joint that is not declared makes a row take the slow path.
        #[test]
        fn other_joints_of_a_row_do_not_change_a_joint(
            dialect in prop::sample::select(vec![Dialect::Spec, Dialect::Extobj, Dialect::Lines]),
            numbers in prop::array::uniform4(prop_oneof![-3..4_i32, Just(i32::MIN)]),
        ) {
            let [a, b, c, _] = numbers;
            let (fast, slow) = (joints(dialect, numbers), joints(dialect, [a, b, c, 9]));
            prop_assert_eq!(&fast[..3], &slow[..3]);
        }
    }
}
