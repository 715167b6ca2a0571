//! The values of a channel's keys: their source in the scene, and their conversion, which is
//! deferred until they are written.

use std::iter::repeat_n;

use anim_ir::KeyTable;
use anim_ir::double::{Mat3, Quat, multiply, transform};

use crate::math::{finite_all, unit};
use crate::write::bytes::put_words;

/// Number of values to compute at a time.
const BLOCK: usize = 1024;

/// The conversion of a key's values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum KeyMap {
    /// Copies the values unchanged.
    Copy,
    /// Normalises rotations and multiplies them from the left by another rotation, if any. Tangents
    /// are not normalised.
    Rotation(Option<Quat>),
    /// Applies a matrix and then a translation, which is omitted for tangents.
    Affine(Mat3, [f64; 3]),
    /// Multiplies each of the three components by a factor.
    Factors([f64; 3]),
    /// Writes 0 or 1 as a uniform scale.
    Show,
    /// Writes 0 or 1 as a byte.
    Flag,
}

#[derive(Debug)]
pub(crate) enum KeyValues<'a> {
    /// Rows of a table, starting at `first`; the values start at `column`.
    Rows { table: &'a KeyTable, first: usize, column: usize },
    /// The same value for all keys.
    One(Vec<f32>),
}

/// The keys of a channel, computed when they are written.
#[derive(Debug)]
pub(crate) struct KeyOutput<'a> {
    pub(crate) values: KeyValues<'a>,
    pub(crate) map: KeyMap,
    /// Components per value.
    pub(crate) width: usize,
    /// Values per key: 1, or 3 with tangents.
    pub(crate) parts: usize,
    pub(crate) count: usize,
}

impl KeyOutput<'_> {
    /// Returns the length in bytes.
    pub(crate) fn len(&self) -> usize {
        let bytes = match self.map {
            KeyMap::Flag => 1,
            KeyMap::Show => 12,
            _ => self.width.saturating_mul(4),
        };
        self.count.saturating_mul(self.parts).saturating_mul(bytes)
    }

    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        match self.map {
            KeyMap::Copy if self.width == 3 => self.put_values::<3, 3>(out, |value, _| value),
            KeyMap::Copy => self.keys().for_each(|key| put_words(out, key)),
            KeyMap::Rotation(before) => self.put_values(out, |value, is_tangent| {
                let value = value.map(f64::from);
                let turned = before.map_or(value, |before| multiply(before, value));
                finite_all(if is_tangent { turned } else { unit(turned) })
            }),
            KeyMap::Affine(matrix, origin) => self.put_values(out, |value, is_tangent| {
                let [x, y, z] = transform(matrix, value.map(f64::from));
                let [a, b, c] = if is_tangent { [0.0; 3] } else { origin };
                finite_all([x + a, y + b, z + c])
            }),
            KeyMap::Show => self.put_values(out, |[shown]: [f32; 1], _| [shown; 3]),
            KeyMap::Flag => out.extend(
                self.keys().map(|key| u8::from(key.first().is_some_and(|shown| *shown != 0.0))),
            ),
            KeyMap::Factors([a, b, c]) => self.put_values(out, |value, _| {
                let [x, y, z] = value.map(f64::from);
                finite_all([x * a, y * b, z * c])
            }),
        }
    }

    /// Returns the values of each key.
    fn keys(&self) -> impl Iterator<Item = &[f32]> {
        let (rows, one) = match &self.values {
            KeyValues::One(value) => (None, Some(repeat_n(value.as_slice(), self.count))),
            KeyValues::Rows { table, first, column } => {
                let range = *column..column.saturating_add(self.parts.saturating_mul(self.width));
                let rows = *first..first.saturating_add(self.count);
                (
                    Some(
                        rows.map(move |row| table.row(row).get(range.clone()).unwrap_or_default()),
                    ),
                    None,
                )
            }
        };
        rows.into_iter().flatten().chain(one.into_iter().flatten())
    }

    /// Writes the result of `map` for each value. The second argument of `map` is whether the value
    /// is a tangent.
    fn put_values<const WIDTH: usize, const OUT: usize>(
        &self,
        out: &mut Vec<u8>,
        map: impl Fn([f32; WIDTH], bool) -> [f32; OUT],
    ) {
        // Work in blocks, since pushing single values is slow.
        let mut block: Vec<[f32; OUT]> =
            Vec::with_capacity(BLOCK.min(self.count).saturating_mul(self.parts));
        for key in self.keys() {
            if block.len() >= BLOCK {
                put_words(out, block.as_flattened());
                block.clear();
            }
            for (number, value) in key.as_chunks::<WIDTH>().0.iter().enumerate() {
                block.push(map(*value, self.parts == 3 && number != 1));
            }
        }
        put_words(out, block.as_flattened());
    }
}
