//! Configuration of a format's tests.

use anim_ir::Confidence;

use crate::subject::{Reading, Subject};

/// A name, a size, and a generator of files: reading four times that size may take about four times
/// as long. The size should be large enough that reading takes some milliseconds.
pub type Growth = (&'static str, usize, fn(usize) -> Vec<u8>);

/// A crate's formats and fixtures, and the settings of their tests.
pub struct Suite {
    /// The formats of a crate. The extension of a fixture selects one of them.
    pub subjects: Vec<Subject>,
    /// The folder of the fixtures in `testdata`.
    pub folder: &'static str,
    /// Its subfolders.
    pub severities: &'static [&'static str],
    /// The number of fixtures must exceed this.
    pub more_than: usize,
    /// Precision of the table of fixtures.
    pub table: Table,
    /// Whether losses of converting to a scene count as problems of the file, as for formats that
    /// only read companion files then.
    pub losses_count: bool,
    /// Whether companion files of a fixture can be opened.
    pub opens_files: bool,
    /// Fixtures (`err/S04_keys.stt`) for which the table does not match the reader, such as those
    /// that only detection rejects.
    pub is_unjudged: fn(&str) -> bool,
    /// The name of the snapshot with the diagnostics of a fixture (`err/S04_keys.stt`), without
    /// `row_`.
    pub row: fn(&str) -> Option<&str>,
    /// The diagnostics of a fixture, for its snapshot.
    pub said: fn(&Reading) -> String,
    /// Whether there is a snapshot of the scene of a valid fixture (`lamp_static.stt`).
    pub is_shown: fn(&str) -> bool,
    /// The content of that snapshot.
    pub shown: fn(&Reading) -> String,
    /// The confidence of detection for a fixture (`ok/lamp.stt`), which may be rejected; `None`:
    /// any.
    pub confidence: fn(&str, is_refused: bool) -> Option<Confidence>,
    /// Whether a readable fixture (`err/S04_keys.stt`) must have exactly one error.
    pub has_one_error: fn(&str) -> bool,
    /// Codes that a canonical form never has; for all others, it has as many as the file. `None`:
    /// codes are not compared.
    pub gone: Option<Vec<&'static str>>,
    /// Additional comparison of a file with its canonical form.
    pub in_common: fn(&[u8], &[u8]),
    /// Only fixtures smaller than this are truncated and have bits flipped.
    pub small: usize,
    /// The number of damaged files per test, except in a sweep.
    pub cases: usize,
    /// Additional operation to run on every damaged file.
    pub also: fn(&[u8]),
    /// Files that would be slow in a reader that backtracks, looks ahead or recurses; for the first
    /// of the formats.
    pub growth: Vec<Growth>,
}

/// Precision of a table of fixtures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// It distinguishes `ok` from `note` and `error` from `refused`.
    Exact,
    /// `ok` may have notes, and an `error` without a place may mean that the file cannot be read.
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
    /// Names, help texts and defaults of options, and ids of codes are well-formed.
    pub fn options_and_codes_are_declared_well(&self) {
        for subject in &self.subjects {
            let wrong = (subject.declared)().problems(&subject.info);
            assert!(wrong.is_empty(), "{}: {}", subject.info.id, wrong.join("\n"));
        }
    }
}

/// The row of a fixture in the list of bad inputs: `S04` for `err/S04_keys.stt`.
fn row_of_bad_inputs(name: &str) -> Option<&str> {
    let (_, file) = name.split_once('/')?;
    let (row, _) = file.split_once('_')?;
    let [letter, digits @ ..] = row.as_bytes() else { return None };
    let is_row =
        letter.is_ascii_uppercase() && digits.len() == 2 && digits.iter().all(u8::is_ascii_digit);
    is_row.then_some(row)
}
