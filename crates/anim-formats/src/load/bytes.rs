//! Detects the format of bytes, parses them, and reads them within the limits.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;

use anim_ir::{Diagnostics, Limits, Parsed};

use super::error::LoadError;
use super::limited::read_limited;
use super::options::LoadOptions;
use crate::codes;
use crate::detect::{detect, why_unknown};
use crate::registry::{AnyDocument, Format};

/// Detects the format of bytes and parses them, without building a scene or opening companion
/// files.
///
/// # Errors
///
/// Returns a [`LoadError`] if the bytes cannot be read at all.
pub fn parse_bytes(
    bytes: Vec<u8>,
    name: Option<&str>,
    options: &LoadOptions,
) -> Result<Parsed<AnyDocument<'static>>, LoadError> {
    let format = format_of(&bytes, name, options)?;
    Ok(AnyDocument::parse(bytes, format, &options.settings)?)
}

/// Detects the format of bytes by content, or by name if the content is inconclusive.
///
/// # Errors
///
/// Returns [`LoadError::Unknown`] or [`LoadError::Ambiguous`].
pub fn format_of(
    bytes: &[u8],
    name: Option<&str>,
    options: &LoadOptions,
) -> Result<Format, LoadError> {
    if let Some(format) = options.format {
        return Ok(format);
    }
    let candidates = detect(bytes, name);
    match candidates.as_slice() {
        [] => Err(LoadError::Unknown(why_unknown(bytes, name))),
        [first, second, ..]
            if first.confidence == second.confidence && first.is_named == second.is_named =>
        {
            Err(LoadError::Ambiguous(candidates))
        }
        [first, ..] => Ok(first.format),
    }
}

/// The bytes of a file, or only the leading bytes of a long file.
#[derive(Clone, Debug, Default)]
pub struct FileBytes {
    /// The bytes of the file, or only the leading bytes if the file is longer than its format can
    /// address.
    pub bytes: Vec<u8>,
    /// Contains a warning if only the leading bytes were read.
    pub diagnostics: Diagnostics,
}

/// Reads a file in memory within the limits: like `read_file`, all of it unless it is longer than
/// its format can address.
///
/// # Errors
///
/// Returns an error if the file is too large.
pub fn read_bytes(
    bytes: &[u8],
    path: impl AsRef<Path>,
    options: &LoadOptions,
) -> Result<FileBytes, LoadError> {
    let path = path.as_ref();
    options.on_read.call(path);
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    read_whole(bytes, length, is_named(path, options), &options.settings.limits)
}

/// Returns whether a file has the wanted format or, without one, an extension of a format.
pub(super) fn is_named<'p>(
    path: &'p Path,
    options: &'p LoadOptions,
) -> impl Fn(&Format) -> bool + 'p {
    let extension = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    move |format| match options.format {
        Some(wanted) => wanted == *format,
        None => {
            extension.as_ref().is_some_and(|name| format.info().extensions.contains(&name.as_str()))
        }
    }
}

/// Reads a stream until it ends, within the limits. Reading an endless stream fails at the limit.
///
/// # Errors
///
/// Returns an error if the system reports one, or the stream exceeds the limit.
pub fn read_stream(reader: impl Read, options: &LoadOptions) -> Result<FileBytes, LoadError> {
    let named = |format: &Format| options.format == Some(*format);
    read_whole(reader, 0, named, &options.settings.limits)
}

/// Larger than any file that a format with bounded offsets can address ([`Format::reach`]).
const HEAD: u64 = 2 << 20;

/// Reads the whole file or, for a format with bounded offsets, only the part that its offsets can
/// address, however long the file is.
pub(super) fn read_whole(
    mut reader: impl Read,
    expected: u64,
    is_named: impl Fn(&Format) -> bool,
    limits: &Limits,
) -> Result<FileBytes, LoadError> {
    // Reserves one byte more than expected, so that the end of the file is detected without growing
    // the buffer.
    let mut head = Vec::with_capacity(
        usize::try_from(expected.saturating_add(1).min(HEAD)).unwrap_or_default(),
    );
    reader.by_ref().take(HEAD).read_to_end(&mut head)?;
    if u64::try_from(head.len()).unwrap_or(u64::MAX) < HEAD {
        limits.check_input(head.len())?;
        return Ok(FileBytes { bytes: head, ..FileBytes::default() });
    }
    let reach = Format::readable().find_map(|format| format.reach(&head, is_named(&format)));
    if let Some(reach) = reach {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(&codes::NOT_READ, None, || {
            format!("the file is longer; only its first {reach} bytes were read")
        });
        head.truncate(reach);
        return Ok(FileBytes { bytes: head, diagnostics });
    }
    Ok(FileBytes {
        bytes: read_limited(head.as_slice().chain(reader), expected, limits)?,
        ..FileBytes::default()
    })
}
