//! What is special about a format's tests.

use anim_ir::Confidence;

use crate::subject::{Reading, Subject};

/// A name, a size, and what makes a file of a size: four times that size may take about four times
/// as long. The size should be so great that reading takes some milliseconds.
pub type Growth = (&'static str, usize, fn(usize) -> Vec<u8>);

/// A format's types and fixtures, and what is special about them.
pub struct Suite {
    /// The formats of a crate. A fixture is of the one that has its extension.
    pub subjects: Vec<Subject>,
    /// The folder of the fixtures in `testdata`.
    pub folder: &'static str,
    /// The folders in it.
    pub severities: &'static [&'static str],
    /// There are more fixtures than this.
    pub more_than: usize,
    /// How exact the table of the fixtures is.
    pub table: Table,
    /// Whether what was lost in making the scene counts like what was wrong with the file, as where
    /// the files that it names are read only then.
    pub losses_count: bool,
    /// Whether the files beside a fixture can be opened.
    pub opens_files: bool,
    /// Fixtures (`err/S04_keys.stt`) that are not in the table as they are read, such as those that
    /// only detection refuses.
    pub is_unjudged: fn(&str) -> bool,
    /// The snapshot that has what is said of a fixture (`err/S04_keys.stt`), without `row_`.
    pub row: fn(&str) -> Option<&str>,
    /// What is said of a fixture, for its snapshot.
    pub said: fn(&Reading) -> String,
    /// Whether there is a snapshot of the scene of a good fixture (`lamp_static.stt`).
    pub is_shown: fn(&str) -> bool,
    /// What there is in that snapshot.
    pub shown: fn(&Reading) -> String,
    /// How sure detection is of a fixture (`ok/lamp.stt`), which may be refused; `None`: that may
    /// be as it wants.
    pub confidence: fn(&str, is_refused: bool) -> Option<Confidence>,
    /// Whether a fixture that can be read (`err/S04_keys.stt`) has one error and no more.
    pub has_one_error: fn(&str) -> bool,
    /// Codes of what is never wrong with a canonical form; of all others there are as many as with
    /// the file. `None`: that may be otherwise.
    pub gone: Option<Vec<&'static str>>,
    /// What else a file and its canonical form have in common.
    pub in_common: fn(&[u8], &[u8]),
    /// Fixtures of fewer bytes are cut and flipped.
    pub small: usize,
    /// How many cut or flipped files a test usually takes.
    pub cases: usize,
    /// What else is tried with every cut or flipped file.
    pub also: fn(&[u8]),
    /// Files that would be slow in a reader that looks back, looks ahead or calls itself; of the
    /// first of the formats.
    pub growth: Vec<Growth>,
}

/// How exact a table of fixtures is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// It tells `ok` from `note` and `error` from `refused`.
    Exact,
    /// `ok` may have notes, and an `error` without a place may be that nothing can be read.
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
    /// Names, helps and defaults of options, and ids of codes are as programs need them.
    pub fn options_and_codes_are_declared_well(&self) {
        for subject in &self.subjects {
            let wrong = (subject.declared)().problems(&subject.info);
            assert!(wrong.is_empty(), "{}: {}", subject.info.id, wrong.join("\n"));
        }
    }
}

/// The row of the list of bad inputs that a fixture is of: `S04` for `err/S04_keys.stt`.
fn row_of_bad_inputs(name: &str) -> Option<&str> {
    let (_, file) = name.split_once('/')?;
    let (row, _) = file.split_once('_')?;
    let [letter, digits @ ..] = row.as_bytes() else { return None };
    let is_row =
        letter.is_ascii_uppercase() && digits.len() == 2 && digits.iter().all(u8::is_ascii_digit);
    is_row.then_some(row)
}
