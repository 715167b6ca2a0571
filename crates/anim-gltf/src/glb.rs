//! The GLB container: a header and chunks (glTF 2.0, section 4).

use std::ops::Range;

use anim_ir::encoding::text_start;
use anim_ir::{Diagnostics, ParseError, Span};

use crate::codes;

/// The magic number at the start of a GLB.
const MAGIC: &[u8] = b"glTF";

/// The byte ranges of a file's two parts.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) json: Range<usize>,
    /// The binary chunk of a GLB.
    pub(crate) bin: Option<Range<usize>>,
}

/// Whether the content is a GLB, as opposed to plain JSON.
pub(crate) fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

pub(crate) fn split(bytes: &[u8], found: &mut Diagnostics) -> Result<Parts, ParseError> {
    if !is_glb(bytes) {
        return Ok(Parts { json: text_start(bytes)..bytes.len(), bin: None });
    }
    let wrong = |message: String| {
        let message = format!("invalid GLB: {message}");
        ParseError::structure(Span::new(0, bytes.len()), message)
    };
    let Some(([_, version, length], _)) = words::<3>(bytes) else {
        return Err(wrong("the header is incomplete".to_owned()));
    };
    if version != 2 {
        return Err(wrong_version(Span::new(4, 8), &version.to_string()));
    }
    let Some(all) = usize::try_from(length).ok().and_then(|length| bytes.get(..length)) else {
        return Err(wrong(format!("expected {length} bytes, found {}", bytes.len())));
    };
    if all.len() < bytes.len() {
        found.push(&codes::TRAILING, None, || {
            format!(
                "{} trailing bytes after the end of the GLB",
                bytes.len().saturating_sub(all.len())
            )
        });
    }
    let (mut json, mut bin) = (None, None);
    let mut rest = all.get(HEADER..).unwrap_or_default();
    let mut number = 0_usize;
    while !rest.is_empty() {
        let chunk = words::<2>(rest).and_then(|([length, kind], rest)| {
            let (content, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
            Some((kind.to_le_bytes(), content, rest))
        });
        // Ranges of chunks are relative to the start of the file.
        let place = |content: &[u8], behind: &[u8]| {
            let end = all.len().saturating_sub(behind.len());
            end.saturating_sub(content.len())..end
        };
        let Some((kind, content, behind)) = chunk else {
            return Err(wrong(format!("chunk {number} extends past the end of the file")));
        };
        match (&kind, number) {
            (b"JSON", 0) => json = Some(place(content, behind)),
            (b"BIN\0", 1) => bin = Some(place(content, behind)),
            // The specification requires readers to skip unknown chunks.
            _ => {}
        }
        rest = behind;
        number = number.saturating_add(1);
    }
    let Some(json) = json else { return Err(wrong("the first chunk is not JSON".to_owned())) };
    Ok(Parts { json, bin })
}

/// Returns the error for a file whose version is not 2.
pub(crate) fn wrong_version(span: impl Into<Option<Span>>, version: &str) -> ParseError {
    ParseError::format(
        span,
        format!("unsupported glTF version {version}; only glTF 2 is supported"),
    )
}

/// Splits `N` little-endian 32-bit values off the start of the bytes.
fn words<const N: usize>(bytes: &[u8]) -> Option<([u32; N], &[u8])> {
    let (words, _) = bytes.as_chunks::<4>();
    let words: &[[u8; 4]; N] = words.get(..N)?.try_into().ok()?;
    Some((words.map(u32::from_le_bytes), bytes.get(N.checked_mul(4)?..)?))
}

/// Length in bytes of the file header.
const HEADER: usize = 12;
/// Length in bytes of a chunk header.
const CHUNK_HEADER: usize = 8;

/// Returns the length in bytes of a GLB with chunks of these lengths. An empty binary chunk is
/// omitted.
pub(crate) fn length(json: usize, bin: usize) -> usize {
    let bin_chunk = if bin > 0 { bin.saturating_add(CHUNK_HEADER) } else { 0 };
    json.saturating_add(HEADER + CHUNK_HEADER).saturating_add(bin_chunk)
}

/// Writes everything except the content of the binary chunk. The length of the JSON must be a
/// multiple of 4 bytes. Returns `None` if a length does not fit in 32 bits.
pub(crate) fn put(out: &mut Vec<u8>, json: &[u8], bin: usize) -> Option<()> {
    let word = |number: usize| u32::try_from(number).ok().map(u32::to_le_bytes);
    let total = word(length(json.len(), bin))?;
    for part in [MAGIC, &2_u32.to_le_bytes(), &total, &word(json.len())?, b"JSON", json] {
        out.extend_from_slice(part);
    }
    if bin > 0 {
        out.extend_from_slice(&word(bin)?);
        out.extend_from_slice(b"BIN\0");
    }
    Some(())
}
