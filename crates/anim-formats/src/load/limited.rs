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
    let expected = usize::try_from(expected).unwrap_or(usize::MAX);
    limits.check_input(expected)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(expected).map_err(io::Error::other)?;
    let bound = limits.largest_input().saturating_add(1);
    reader.take(u64::try_from(bound).unwrap_or(u64::MAX)).read_to_end(&mut bytes)?;
    if bytes.len() == bound {
        // How much more there is stays unknown.
        let unknown = |error| LimitError { found: usize::MAX, ..error };
        limits.check_input(bound).map_err(unknown)?;
    }
    Ok(bytes)
}
