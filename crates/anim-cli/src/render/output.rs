//! The output, and what is reported about it.

use std::borrow::Cow;
use std::path::Path;

use serde::Serialize;

use crate::read_files::ReadFiles;
use crate::status::Failure;
use crate::write::write_new;

#[derive(Serialize)]
pub(super) struct FileReport<'a> {
    pub(super) file: Cow<'a, str>,
    pub(super) output: Option<Cow<'a, str>>,
    /// The size of the output.
    pub(super) bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
}

impl<'a> FileReport<'a> {
    pub(super) fn new(file: Cow<'a, str>) -> FileReport<'a> {
        FileReport { file, output: None, bytes: None, error: None }
    }
}

pub(super) fn is_stdout(output: &Path) -> bool {
    output.as_os_str() == "-"
}

/// Writes the output, unless it is standard output.
pub(super) fn put(
    output: &Path,
    bytes: &[u8],
    force: bool,
    read: &ReadFiles,
) -> Result<(), Failure> {
    if is_stdout(output) {
        return Ok(());
    }
    write_new(output, bytes, force, read)
}
