//! All certain repairs of a file at once.

use anim_ir::ParseError;
use anim_ir::fix::{self, Endless, Wanted};
use anim_ir::format::options::Settings;
use thiserror::Error;

use crate::registry::{AnyDocument, Format};

pub use anim_ir::fix::{LeftOut, Repaired, Round};

/// Repairs that are made in one round.
const AT_ONCE: usize = 100_000;

/// Why a file is left as it is although there are repairs.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RepairError {
    /// The file cannot be read.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// Places of the text are not those of the bytes.
    #[error("it is compressed or not in UTF-8: unpack it, or save it as UTF-8, and try again")]
    Encoding,
    /// Each repair brings up another one.
    #[error("each repair brings up another one, without end")]
    Endless,
}

impl From<Endless> for RepairError {
    fn from(_: Endless) -> RepairError {
        RepairError::Endless
    }
}

/// Makes all repairs that are certain ([`anim_ir::Diagnostic::fix`]), round after round until there
/// are none. A repair that would make any kind of error more frequent than it was at first is left
/// out ([`Repaired::left_out`]); the others are made.
///
/// # Errors
///
/// [`RepairError`] where the file is better left as it is.
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
