//! Makes all unambiguous repairs to a file.

use anim_ir::ParseError;
use anim_ir::fix::{self, Endless, Wanted};
use anim_ir::format::options::Settings;
use thiserror::Error;

use crate::registry::{AnyDocument, Format};

pub use anim_ir::fix::{LeftOut, Repaired, Round};

/// The maximum number of repairs in one round.
const AT_ONCE: usize = 100_000;

/// An error that prevents a file from being repaired.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RepairError {
    /// The file cannot be read.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// Spans of the decoded text do not match the bytes.
    #[error(
        "the file is compressed or not in UTF-8: decompress it, or save it as UTF-8, and try again"
    )]
    Encoding,
    /// Every repair introduces another problem.
    #[error("every repair introduces another problem to repair")]
    Endless,
}

impl From<Endless> for RepairError {
    fn from(_: Endless) -> RepairError {
        RepairError::Endless
    }
}

/// Makes all unambiguous repairs ([`anim_ir::Diagnostic::fix`]), in rounds until no more are
/// offered. A repair that would increase the number of errors with any code is skipped
/// ([`Repaired::left_out`]).
///
/// # Errors
///
/// Returns a [`RepairError`] if the file cannot be repaired safely.
pub fn repair(
    bytes: Vec<u8>,
    format: Format,
    settings: &Settings,
) -> Result<Repaired, RepairError> {
    let mut collecting = settings.clone();
    collecting.limits.fixes = AT_ONCE;
    fix::repair(bytes, |bytes, wanted| match wanted {
        Wanted::Problems => Ok(AnyDocument::parse(bytes, format, settings)?.diagnostics),
        Wanted::Repairs => {
            let parsed = AnyDocument::parse(bytes, format, &collecting)?;
            let is_repairable = parsed.diagnostics.iter().any(|found| found.fix.is_some());
            if is_repairable && parsed.value.text() != bytes {
                return Err(RepairError::Encoding);
            }
            Ok(parsed.diagnostics)
        }
    })
}
