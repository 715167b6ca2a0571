//! The configuration of a format's tests.

use anim_ir::Confidence;

use crate::subject::{Reading, Subject};

/// A name, a size, and a file generator. Reading a file of four times that size must take less than
/// ten times as long. The size should be large enough for reading to take a few milliseconds.
pub type Growth = (&'static str, usize, fn(usize) -> Vec<u8>);

/// A crate's formats and fixtures, and the settings of their tests.
pub struct Suite {
    /// The formats of a crate. The extension of a fixture selects its format.
    pub subjects: Vec<Subject>,
    /// The folder of the fixtures in `testdata`.
    pub folder: &'static str,
    /// The subfolders of `folder`.
    pub severities: &'static [&'static str],
    /// The number of fixtures must exceed this.
    pub more_than: usize,
    /// The precision of the fixture table.
    pub table: Table,
    /// Whether losses from converting to a scene count as problems in the file, as for formats that
    /// read companion files only during that conversion.
    pub losses_count: bool,
    /// Whether the companion files of a fixture can be opened.
    pub opens_files: bool,
    /// Returns whether a fixture (`err/S04_keys.stt`) is not compared with the table, for example
    /// because only detection rejects it.
    pub is_unjudged: fn(&str) -> bool,
    /// Returns the name of the snapshot with the diagnostics of a fixture (`err/S04_keys.stt`),
    /// without `row_`.
    pub row: fn(&str) -> Option<&str>,
    /// Returns the diagnostics of a fixture, for its snapshot.
    pub said: fn(&Reading) -> String,
    /// Returns whether the scene of a valid fixture (`lamp_static.stt`) has a snapshot.
    pub is_shown: fn(&str) -> bool,
    /// Returns the text of a scene's snapshot.
    pub shown: fn(&Reading) -> String,
    /// Returns the expected confidence of detection for a fixture (`ok/lamp.stt`), which may be
    /// rejected. `None` accepts any confidence.
    pub confidence: fn(&str, is_refused: bool) -> Option<Confidence>,
    /// Returns whether a readable fixture (`err/S04_keys.stt`) must have exactly one error.
    pub has_one_error: fn(&str) -> bool,
    /// Codes that never occur in the canonical form. All other codes must occur as often as in the
    /// file. `None` means that codes are not compared.
    pub gone: Option<Vec<&'static str>>,
    /// An additional comparison of a file with its canonical form.
    pub in_common: fn(&[u8], &[u8]),
    /// Only fixtures smaller than this are truncated or have bits flipped.
    pub small: usize,
    /// The number of damaged files per test, except in a sweep.
    pub cases: usize,
    /// An additional operation to run on every damaged file.
    pub also: fn(&[u8]),
    /// Files in the first format of `subjects` that would be slow to read with backtracking,
    /// lookahead or recursion.
    pub growth: Vec<Growth>,
}

/// The precision of a fixture table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Distinguishes `ok` from `note` and `error` from `refused`.
    Exact,
    /// `ok` may have notes, and `error` may mean that the file cannot be read.
    Coarse,
}

impl Default for Suite {
    fn default() -> Suite {
        Suite {
            subjects: Vec::new(),
            folder: "",
            severities: &["ok", "warn", "err"],
            more_than: 0,
            table: Table::Exact,
            losses_count: false,
            opens_files: false,
            is_unjudged: |_| false,
            row: row_of_bad_inputs,
            said: |reading| reading.listing(&reading.diagnostics),
            is_shown: |file| file.starts_with(|first: char| first.is_ascii_lowercase()),
            shown: |reading| reading.listing(&reading.losses) + &anim_ir::dump(&reading.scene),
            confidence: |name, _| name.starts_with("ok/").then_some(Confidence::Certain),
            has_one_error: |_| false,
            gone: None,
            in_common: |_, _| (),
            small: 16 << 10,
            cases: 10_000,
            also: |_| (),
            growth: Vec::new(),
        }
    }
}

impl Suite {
    /// Option names, help texts, defaults and code ids are well-formed.
    pub fn options_and_codes_are_declared_well(&self) {
        for subject in &self.subjects {
            let wrong = (subject.declared)().problems(&subject.info);
            assert!(wrong.is_empty(), "{}: {}", subject.info.id, wrong.join("\n"));
        }
    }
}

/// Returns the row of a fixture in the list of invalid inputs: `S04` for `err/S04_keys.stt`.
fn row_of_bad_inputs(name: &str) -> Option<&str> {
    let (_, file) = name.split_once('/')?;
    let (row, _) = file.split_once('_')?;
    let [letter, digits @ ..] = row.as_bytes() else { return None };
    let is_row =
        letter.is_ascii_uppercase() && digits.len() == 2 && digits.iter().all(u8::is_ascii_digit);
    is_row.then_some(row)
}
