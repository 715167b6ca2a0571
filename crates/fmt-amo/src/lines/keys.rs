//! `ap`, `ar` and `k` lines, and key rows.

use anim_ir::number::index32;

use crate::lines::part::{RawKey, RawKind};
use crate::lines::reader::{BlockKind, Reader};
use crate::tokens::{Input, next_token, number, numbers};

impl<'a> Reader<'a> {
    /// Reads `ap` and `ar`, with a time or, in dialects with key groups, without.
    pub(crate) fn key(&mut self, kind: RawKind, mut input: Input<'a>) {
        let (keyword, without_time) = if kind == RawKind::Position { ("ap", 4) } else { ("ar", 5) };
        let mut row = [0.0; 8];
        match numbers(&mut input, &mut row) {
            Ok(count) => {
                self.part.evidence.key_without_time |= count == without_time;
                self.part.evidence.key_with_time |= count == without_time + 1;
                self.push_key(kind, count, row);
            }
            Err(reject) => self.reject(keyword, reject),
        }
    }

    fn push_key(&mut self, kind: RawKind, count: usize, numbers: [f32; 8]) {
        let count = u8::try_from(count).unwrap_or(u8::MAX);
        self.part.keys.push(RawKey { line: index32(self.line), kind, count, numbers });
    }

    /// Reads `k`, which begins a group of keys.
    pub(crate) fn group(&mut self, mut input: Input<'a>) {
        self.part.evidence.key_group = true;
        let (mut row, mut announced) = ([0.0; 8], input);
        match numbers(&mut input, &mut row) {
            Ok(count) => {
                self.push_key(RawKind::Group, count, row);
                if count == 2 && next_token(&mut announced) && number(&mut announced).is_ok() {
                    self.open_block(BlockKind::Key, "k", announced);
                }
            }
            Err(reject) => self.reject("k", reject),
        }
    }

    /// Reads a row of a key group: joint, position, rotation (w first).
    pub(crate) fn key_row(&mut self, mut input: Input<'a>) {
        const WHAT: &str = "a key row";
        let mut row = [0.0; 8];
        match numbers(&mut input, &mut row) {
            Ok(8) => self.push_key(RawKind::Row, 8, row),
            Ok(count) => self.wrong_count(WHAT, "8 numbers (joint, position, rotation)", count, 8),
            Err(reject) => self.reject(WHAT, reject),
        }
    }
}
