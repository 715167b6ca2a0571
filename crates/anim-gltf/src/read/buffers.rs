//! The bytes of buffers, wherever they are.

use std::borrow::Cow;
use std::collections::HashMap;

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, LimitError, Limits};
use base64::Engine as _;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::engine::{DecodePaddingMode, general_purpose};

use super::codes;
use super::json;

/// Where the files are that a `.gltf` refers to. The library opens none itself.
pub trait Buffers {
    /// The content of a file.
    /// `path` is what the glTF file says, percent-decoded: relative to the glTF file, with forward slashes, unless somebody wrote something else there (`../`,
    /// `/etc`, `http:`), which is for the implementation to refuse.
    ///
    /// # Errors
    ///
    /// Why there is none, in words that go behind a colon.
    fn read(&mut self, path: &str) -> Result<Vec<u8>, String>;
}

/// No files at all: a GLB needs none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoBuffers;

impl Buffers for NoBuffers {
    fn read(&mut self, _: &str) -> Result<Vec<u8>, String> {
        Err("no other files are opened here".to_owned())
    }
}

/// The bytes of all buffers.
#[derive(Debug, Default)]
pub(crate) struct Bytes<'a> {
    sources: Vec<Cow<'a, [u8]>>,
    /// For each buffer its source, and how many bytes of it are the buffer's.
    of_buffer: Vec<Option<(usize, usize)>>,
}

impl<'a> Bytes<'a> {
    pub(crate) fn load(
        list: &'a [json::Buffer],
        bin: Option<&'a [u8]>,
        files: &mut dyn Buffers,
        limits: &Limits,
        found: &mut Diagnostics,
    ) -> Result<Bytes<'a>, LimitError> {
        let mut bytes = Bytes::default();
        let mut known: HashMap<&str, usize> = HashMap::new();
        for (number, buffer) in list.iter().enumerate() {
            let source = match (buffer.uri.as_deref(), bin) {
                // The same file twice is read once.
                (Some(uri), _) if known.contains_key(uri) => known.get(uri).copied(),
                (Some(uri), _) => fetch(uri, files)
                    .map(|content| known.insert(uri, bytes.add(Cow::Owned(content))))
                    .map(|_| known.get(uri).copied())
                    .unwrap_or_else(|why| {
                        found.push(&codes::BUFFER, None, || {
                            format!("/buffers/{number}/uri: {}: {why}", quote(uri.as_bytes()))
                        });
                        None
                    }),
                (None, Some(bin)) if number == 0 => Some(bytes.add(Cow::Borrowed(bin))),
                (None, _) => {
                    found.push(&codes::BUFFER, None, || {
                        format!(
                            "/buffers/{number}: it has no URI, and there is no binary chunk for it"
                        )
                    });
                    None
                }
            };
            let length = source
                .and_then(|source| bytes.sources.get(source))
                .map_or(0, |source| source.len());
            limits.check_input(length)?;
            if source.is_some() && length < buffer.byte_length {
                found.push(&codes::BUFFER, None, || {
                    format!(
                        "/buffers/{number}/byteLength: {} bytes are declared, {length} are there",
                        buffer.byte_length
                    )
                });
            }
            bytes.of_buffer.push(source.map(|source| (source, length.min(buffer.byte_length))));
        }
        Ok(bytes)
    }

    fn add(&mut self, content: Cow<'a, [u8]>) -> usize {
        self.sources.push(content);
        self.sources.len().saturating_sub(1)
    }

    /// The bytes of a buffer, as far as they are there; `None` where there is no such buffer.
    pub(crate) fn buffer(&self, number: usize) -> Option<&[u8]> {
        let (source, length) = (*self.of_buffer.get(number)?)?;
        self.sources.get(source)?.get(..length)
    }

    /// How many bytes were loaded, not counting those of the file itself.
    pub(crate) fn loaded(&self) -> usize {
        self.sources.iter().fold(0, |sum, source| {
            if let Cow::Owned(bytes) = source { sum.saturating_add(bytes.len()) } else { sum }
        })
    }
}

fn fetch(uri: &str, files: &mut dyn Buffers) -> Result<Vec<u8>, String> {
    match data_uri(uri) {
        Some(decoded) => decoded.map(|(_, bytes)| bytes),
        None => files.read(&path_of(uri)?),
    }
}

/// A URI reference as a path.
pub(crate) fn path_of(uri: &str) -> Result<String, String> {
    let path = percent_encoding::percent_decode_str(uri).decode_utf8();
    path.map(Cow::into_owned).map_err(|_| "it is no UTF-8".to_owned())
}

/// The media type and the content of a data URI (RFC 2397); `None` where it is another URI.
pub(crate) fn data_uri(uri: &str) -> Option<Result<(String, Vec<u8>), String>> {
    // Padding is often left out.
    const LENIENT: GeneralPurposeConfig =
        general_purpose::PAD.with_decode_padding_mode(DecodePaddingMode::Indifferent);
    const BASE64: GeneralPurpose = GeneralPurpose::new(&base64::alphabet::STANDARD, LENIENT);
    let (scheme, rest) = uri.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("data") {
        return None;
    }
    let Some((head, payload)) = rest.split_once(',') else {
        return Some(Err("a data URI without a comma".to_owned()));
    };
    let mut parameters = head.split(';');
    let kind = parameters.next().unwrap_or_default().to_ascii_lowercase();
    let decoded: Cow<'_, [u8]> = percent_encoding::percent_decode_str(payload).into();
    if !parameters.any(|parameter| parameter.eq_ignore_ascii_case("base64")) {
        return Some(Ok((kind, decoded.into_owned())));
    }
    Some(
        BASE64
            .decode(&*decoded)
            .map(|bytes| (kind, bytes))
            .map_err(|error| format!("its base64 is broken: {error}")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_uris() {
        let decoded = |uri| data_uri(uri).map(|found| found.ok());
        assert_eq!(
            decoded("data:application/octet-stream;base64,AAEC"),
            Some(Some(("application/octet-stream".to_owned(), vec![0, 1, 2])))
        );
        assert_eq!(decoded("DATA:;charset=x;BASE64,AA"), Some(Some((String::new(), vec![0]))));
        assert_eq!(decoded("data:,a%20b"), Some(Some((String::new(), b"a b".to_vec()))));
        assert_eq!(
            (decoded("data:;base64,!"), decoded("data:AA"), decoded("a.bin")),
            (Some(None), Some(None), None)
        );
    }
}
