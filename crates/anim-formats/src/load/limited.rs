//! Reads input within the limits.

use std::io::{self, Read};

use anim_ir::{LimitError, Limits};

use super::error::LoadError;

/// Reads the whole input, or fails soon after the limit is exceeded.
pub(super) fn read_limited(
    reader: impl Read,
    expected: u64,
    limits: &Limits,
) -> Result<Vec<u8>, LoadError> {
    let most = limits.input_bytes;
    let expected = usize::try_from(expected).unwrap_or(usize::MAX);
    let check = |found| match found {
        found if found > most => Err(LimitError { what: "the input", unit: "bytes", found, most }),
        _ => Ok(()),
    };
    check(expected)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(expected).map_err(io::Error::other)?;
    let bound = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    reader.take(bound).read_to_end(&mut bytes)?;
    check(bytes.len())?;
    Ok(bytes)
}
