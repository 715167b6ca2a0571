//! State shared by the parts of the reader: the JSON, the bytes and the diagnostics.

use anim_ir::{Code, Diagnostics, LimitError, Limits, Resolver};

use crate::json;
use crate::read::buffer::Bytes;
use crate::read::fault::Fault;

/// Limits the expanded size to this multiple of the file's size, plus a base amount (see [`BASE`]).
/// Accessors may share bytes, and sparse accessors do not need any, so a small file could otherwise
/// request a lot of memory.
const TIMES: usize = 16;

/// The base amount, to which even the smallest file may expand, is the maximum input size divided
/// by this number.
const BASE: usize = 4;

/// A file that is being read.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    pub(crate) root: &'a json::Root<'a>,
    pub(crate) found: Diagnostics,
    bytes: Bytes<'a>,
    /// The total memory budget in bytes; `left` is the remaining part of it.
    budget: usize,
    left: usize,
}

impl<'a> Source<'a> {
    pub(crate) fn new(
        root: &'a json::Root<'a>,
        file: usize,
        bin: Option<&'a [u8]>,
        files: &mut dyn Resolver,
        limits: &Limits,
    ) -> Result<Source<'a>, LimitError> {
        let mut found = Diagnostics::new();
        let bytes = Bytes::load(&root.buffers, bin, files, limits, &mut found)?;
        let budget = file
            .saturating_add(bytes.loaded())
            .saturating_mul(TIMES)
            .saturating_add(limits.input_bytes / BASE);
        Ok(Source { root, found, bytes, budget, left: budget })
    }

    /// Charges an upcoming allocation to the budget.
    pub(crate) fn spend(&mut self, bytes: usize) -> Result<(), LimitError> {
        let Some(left) = self.left.checked_sub(bytes) else {
            let found = self.budget.saturating_sub(self.left).saturating_add(bytes);
            return Err(LimitError {
                what: "the unpacked file",
                unit: "bytes",
                found,
                most: self.budget,
            });
        };
        self.left = left;
        Ok(())
    }

    /// Returns the value, or reports the error and returns `None`.
    pub(crate) fn keep<T>(
        &mut self,
        code: &'static Code,
        result: Result<T, Fault>,
    ) -> Result<Option<T>, LimitError> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Fault::Limit(error)) => Err(error),
            Err(Fault::Told) => Ok(None),
            Err(fault @ Fault::Item { .. }) => {
                self.found.push(code, None, || fault.to_string());
                Ok(None)
            }
        }
    }

    /// Returns the bytes of a buffer view.
    pub(crate) fn view(&self, number: usize) -> Result<&[u8], Fault> {
        let pointer = || format!("/bufferViews/{number}");
        let view = self
            .root
            .buffer_views
            .get(number)
            .ok_or_else(|| Fault::new(pointer(), "the buffer view does not exist"))?;
        let buffer = self.bytes.buffer(view.buffer).ok_or_else(|| {
            match self.root.buffers.get(view.buffer) {
                Some(_) => Fault::Told,
                None => Fault::new(
                    pointer() + "/buffer",
                    format!("buffer {} does not exist", view.buffer),
                ),
            }
        })?;
        let end = view.byte_offset.checked_add(view.byte_length);
        end.and_then(|end| buffer.get(view.byte_offset..end)).ok_or_else(|| {
            let message = format!(
                "{} bytes at offset {} exceed the buffer of {} bytes",
                view.byte_length,
                view.byte_offset,
                buffer.len()
            );
            Fault::new(pointer() + "/byteLength", message)
        })
    }
}
