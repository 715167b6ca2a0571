//! The container: a header and chunks (glTF 2.0, section 4).

use std::ops::Range;

use anim_ir::{Confidence, Diagnostics, Sniff};

use super::codes;
use super::error::ReadError;

/// Where the two parts of a file are.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) json: Range<usize>,
    /// The binary chunk of a GLB.
    pub(crate) bin: Option<Range<usize>>,
}

/// Whether the bytes are a GLB; otherwise they may be the JSON alone.
pub(crate) fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(b"glTF")
}

/// Whether bytes look like a glTF file, by their beginning.
pub fn sniff(bytes: &[u8]) -> Sniff {
    /// Where `asset` commonly stands, which every file has.
    const HEAD: usize = 1 << 16;
    if is_glb(bytes) {
        return Sniff::new(Confidence::Certain, "it begins with glTF");
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let head = text.get(..HEAD).unwrap_or(text);
    let asset = head.starts_with(b"{")
        && head.windows(7).any(|word| word == b"\"asset\"")
        && head.windows(9).any(|word| word == b"\"version\"");
    match (asset, head.starts_with(b"{")) {
        (true, _) => Sniff::new(Confidence::Likely, "it is JSON with an asset and a version"),
        (false, true) if text.len() > HEAD => {
            Sniff::new(Confidence::Possible, "it begins like JSON")
        }
        (false, _) => Sniff::new(Confidence::No, "it is neither a GLB nor JSON with an asset"),
    }
}

pub(crate) fn split(bytes: &[u8], found: &mut Diagnostics) -> Result<Parts, ReadError> {
    if !is_glb(bytes) {
        let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        return Ok(Parts { json: mark..bytes.len(), bin: None });
    }
    let wrong = |message: String| ReadError::Glb(message);
    let Some(([_, version, length], _)) = words::<3>(bytes) else {
        return Err(wrong("it ends in its header".to_owned()));
    };
    if version != 2 {
        return Err(ReadError::Version(version.to_string()));
    }
    let Some(all) = usize::try_from(length).ok().and_then(|length| bytes.get(..length)) else {
        return Err(wrong(format!("it should have {length} bytes and has {}", bytes.len())));
    };
    if all.len() < bytes.len() {
        found.push(&codes::TRAILING, None, || {
            format!("{} bytes behind the GLB are not read", bytes.len().saturating_sub(all.len()))
        });
    }
    let (mut json, mut bin) = (None, None);
    let mut rest = all.get(12..).unwrap_or_default();
    let mut number = 0_usize;
    while !rest.is_empty() {
        let chunk = words::<2>(rest).and_then(|([length, kind], rest)| {
            let (content, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
            Some((kind.to_le_bytes(), content, rest))
        });
        // Chunks are parts of the file from its start on.
        let place = |content: &[u8], behind: &[u8]| {
            let end = all.len().saturating_sub(behind.len());
            end.saturating_sub(content.len())..end
        };
        let Some((kind, content, behind)) = chunk else {
            return Err(wrong(format!("chunk {number} ends beyond the file")));
        };
        match (&kind, number) {
            (b"JSON", 0) => json = Some(place(content, behind)),
            (b"BIN\0", 1) => bin = Some(place(content, behind)),
            // What is not known is to be skipped.
            _ => {}
        }
        rest = behind;
        number = number.saturating_add(1);
    }
    let Some(json) = json else { return Err(wrong("its first chunk is no JSON".to_owned())) };
    Ok(Parts { json, bin })
}

/// So many little-endian numbers, and what is behind them.
fn words<const N: usize>(bytes: &[u8]) -> Option<([u32; N], &[u8])> {
    let (words, _) = bytes.as_chunks::<4>();
    let words: &[[u8; 4]; N] = words.get(..N)?.try_into().ok()?;
    Some((words.map(u32::from_le_bytes), bytes.get(N.checked_mul(4)?..)?))
}
