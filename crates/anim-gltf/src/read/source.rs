//! State shared by the parts of the reader: the JSON, the bytes and the diagnostics.

use anim_ir::{Budget, Code, Diagnostics, LimitError, Limits, Resolver};

use crate::json;
use crate::read::buffer::Bytes;
use crate::read::fault::Fault;

/// How many additional times the size of the file counts as input. Accessors may share bytes, and
/// sparse accessors may have none, so all accessors are charged, even those whose bytes are in the
/// file, where a component may take only one byte.
const UNPACKED: usize = 3;

/// A file that is being read.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    pub(crate) root: &'a json::Root<'a>,
    pub(crate) found: Diagnostics,
    bytes: Bytes<'a>,
    budget: Budget,
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
        let size = file.saturating_add(bytes.loaded());
        let budget = Budget::new(limits, size);
        budget.add_input(size.saturating_mul(UNPACKED));
        Ok(Source { root, found, bytes, budget })
    }

    /// Charges an upcoming allocation to the budget.
    pub(crate) fn spend(&mut self, bytes: usize) -> Result<(), LimitError> {
        self.budget.charge("the contents of accessors", bytes)
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
