//! The layout of fuzz inputs: one file, or several files in records.
//!
//! The first byte of a record selects the format, and the next two are the length of the file. If an
//! input has as many records as its target accepts, the last has no length.

use std::sync::LazyLock;

use anim_formats::Format;

/// The format named by the environment variable `FORMAT`.
static FORMAT: LazyLock<Option<Format>> =
    LazyLock::new(|| Some(std::env::var("FORMAT").ok()?.parse().expect("a known format")));

/// A file in a fuzz input.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Selects the [`format`](Self::format). Records that are not files use it differently.
    pub choice: u8,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
}

impl Record {
    /// Creates a record of a file that is read as this format.
    pub fn new(format: Format, bytes: impl Into<Vec<u8>>) -> Record {
        let choice = Format::readable().position(|other| other == format);
        let choice = choice.and_then(|choice| choice.try_into().ok());
        Record { choice: choice.expect("few formats, all readable"), bytes: bytes.into() }
    }

    /// Returns the readable format that the first byte selects.
    pub fn format(&self) -> Format {
        let formats: Vec<Format> = Format::readable().collect();
        formats[usize::from(self.choice) % formats.len()]
    }
}

/// Returns the file in the input of a target for single files. The first byte selects the format,
/// unless `FORMAT` names it: then the input is an ordinary file.
pub fn file(input: &[u8]) -> Option<(Format, &[u8])> {
    match (*FORMAT, input) {
        (Some(format), file) => Some((format, file)),
        (None, [choice, file @ ..]) => {
            Some((Record { choice: *choice, bytes: Vec::new() }.format(), file))
        }
        (None, []) => None,
    }
}

/// Splits an input into records.
pub fn records(mut input: &[u8], most: usize) -> Vec<Record> {
    let mut records = Vec::new();
    while let [choice, rest @ ..] = input {
        let choice = *choice;
        match rest {
            [low, high, files @ ..] if records.len() + 1 < most => {
                let length = usize::from(u16::from_le_bytes([*low, *high])).min(files.len());
                let (bytes, after) = files.split_at(length);
                records.push(Record { choice, bytes: bytes.to_vec() });
                input = after;
            }
            file => {
                records.push(Record { choice, bytes: file.to_vec() });
                break;
            }
        }
    }
    records
}

/// Joins records to an input. Returns `None` if a file is too long to be followed by others.
pub fn join(records: &[Record], most: usize) -> Option<Vec<u8>> {
    let mut input = Vec::new();
    for (number, record) in records.iter().enumerate() {
        input.push(record.choice);
        if number + 1 < most {
            let length = u16::try_from(record.bytes.len()).ok()?;
            input.extend(length.to_le_bytes());
        }
        input.extend(&record.bytes);
    }
    debug_assert!(records.len() <= most);
    Some(input)
}
