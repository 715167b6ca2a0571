//! Buffer contents from the binary chunk, data URIs or companion files.

use std::borrow::Cow;
use std::collections::HashMap;

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, LimitError, Limits, Resolver, address};

use crate::codes;
use crate::json;

/// The contents of all buffers.
#[derive(Debug, Default)]
pub(crate) struct Bytes<'a> {
    sources: Vec<Cow<'a, [u8]>>,
    /// For each buffer, its source and how many bytes of the source it uses.
    of_buffer: Vec<Option<(usize, usize)>>,
}

impl<'a> Bytes<'a> {
    pub(crate) fn load(
        list: &'a [json::Buffer],
        bin: Option<&'a [u8]>,
        files: &mut dyn Resolver,
        limits: &Limits,
        found: &mut Diagnostics,
    ) -> Result<Bytes<'a>, LimitError> {
        let mut bytes = Bytes::default();
        let mut known: HashMap<&str, usize> = HashMap::new();
        for (number, buffer) in list.iter().enumerate() {
            let source = match (buffer.uri.as_deref(), bin) {
                // Read each file only once, even if several buffers use it.
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
                        format!("/buffers/{number}: neither a URI nor a binary chunk")
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
                        "/buffers/{number}/byteLength: {} bytes declared, {length} found",
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

    /// Returns the available bytes of a buffer, or `None` if the buffer does not exist or could not
    /// be loaded.
    pub(crate) fn buffer(&self, number: usize) -> Option<&[u8]> {
        let (source, length) = (*self.of_buffer.get(number)?)?;
        self.sources.get(source)?.get(..length)
    }

    /// Returns the number of bytes loaded, excluding the file itself.
    pub(crate) fn loaded(&self) -> usize {
        self.sources.iter().fold(0, |sum, source| {
            if let Cow::Owned(bytes) = source { sum.saturating_add(bytes.len()) } else { sum }
        })
    }
}

fn fetch(uri: &str, files: &mut dyn Resolver) -> Result<Vec<u8>, String> {
    address::data(uri).unwrap_or_else(|| files.read(uri)).map_err(|error| error.to_string())
}
