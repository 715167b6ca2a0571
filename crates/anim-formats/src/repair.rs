//! All certain repairs of a file at once.

use anim_ir::format::options::Settings;
use anim_ir::{Code, Diagnostic, Diagnostics, ParseError, Severity, fix};
use thiserror::Error;

use crate::registry::{AnyDocument, Format};

/// Repairs that are made in one round.
const AT_ONCE: usize = 100_000;
/// A repair may show what can be repaired only now, and more than [`AT_ONCE`] take several rounds.
const ROUNDS: usize = 64;

/// A file after its repairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repaired {
    /// The bytes: those that were given but for what the repairs name.
    pub bytes: Vec<u8>,
    /// What was repaired, in rounds. The places of a round are those of the bytes before it.
    pub rounds: Vec<Round>,
}

/// Repairs that were made together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Round {
    /// The bytes before.
    pub before: Vec<u8>,
    /// Diagnostics with a repair each, in the order of the file; no two of them overlap.
    pub repairs: Vec<Diagnostic>,
}

impl Repaired {
    /// What was repaired.
    pub fn repairs(&self) -> impl Iterator<Item = &Diagnostic> {
        self.rounds.iter().flat_map(|round| &round.repairs)
    }
}

/// Why a file is left as it is although there are repairs.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RepairError {
    /// The file cannot be read, before or after its repairs.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// Places of the text are not those of the bytes.
    #[error("it is compressed or not in UTF-8: unpack it, or save it as UTF-8, and try again")]
    Encoding,
    /// The repairs would bring up an error that there is not now.
    #[error("the repairs would bring up errors that do not show now: {0}")]
    NewErrors(String),
    /// Each repair brings up another one.
    #[error("the repairs do not come to an end")]
    Endless,
}

/// Makes all repairs that are certain ([`Diagnostic::fix`]), and sees to it that they are gone and
/// no kind of error is more frequent than before.
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
    let mut repaired = Repaired { bytes, ..Repaired::default() };
    loop {
        let parsed = AnyDocument::parse(&repaired.bytes[..], format, &collecting)?;
        let repairs: Vec<Diagnostic> =
            fix::choose(&parsed.diagnostics).into_iter().cloned().collect();
        if repairs.is_empty() {
            break;
        }
        if parsed.value.text() != repaired.bytes {
            return Err(RepairError::Encoding);
        }
        if repaired.rounds.len() == ROUNDS {
            return Err(RepairError::Endless);
        }
        let after = fix::apply(
            &repaired.bytes,
            repairs.iter().filter_map(|diagnostic| diagnostic.fix.as_ref()),
        );
        drop(parsed);
        let before = std::mem::replace(&mut repaired.bytes, after);
        repaired.rounds.push(Round { before, repairs });
    }
    if let Some(first) = repaired.rounds.first() {
        let errors = |bytes: &[u8]| {
            AnyDocument::parse(bytes, format, settings).map(|parsed| parsed.diagnostics)
        };
        check_errors(&errors(&first.before)?, &errors(&repaired.bytes)?)?;
    }
    Ok(repaired)
}

fn check_errors(before: &Diagnostics, after: &Diagnostics) -> Result<(), RepairError> {
    let new = |(code, count): &(&'static Code, u64)| {
        let more = count.saturating_sub(before.count(code));
        (code.severity == Severity::Error && more > 0).then(|| format!("{more} {}", code.id))
    };
    let new: Vec<String> = after.counts().iter().filter_map(new).collect();
    if new.is_empty() { Ok(()) } else { Err(RepairError::NewErrors(new.join(", "))) }
}
