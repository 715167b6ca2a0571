//! Finds the repairs that would introduce errors.

use crate::{Code, Diagnostic, Diagnostics, Edits, Fix, Severity};

/// The reason for skipping repairs that were not tried individually.
pub(super) const TOO_MANY: &str = "too many other repairs would introduce errors";

/// The outcome of one round of repairs.
#[derive(Default)]
pub(super) struct Tried {
    pub(super) made: Vec<Diagnostic>,
    pub(super) left_out: Vec<(Diagnostic, String)>,
}

/// Tries all repairs together. If they do harm, bisects them to find the individual repairs
/// responsible. When the trials are used up, the remaining repairs are skipped.
pub(super) fn try_all(
    source: &[u8],
    repairs: &[Diagnostic],
    mut harm: impl FnMut(&[u8]) -> Option<String>,
    trials: &mut usize,
) -> Tried {
    let mut tried = Tried::default();
    let mut open = vec![repairs];
    while let Some(next) = open.pop() {
        let more_than_one = next.len() > 1;
        let mut together = tried.made.clone();
        together.extend_from_slice(next);
        let why = if *trials == 0 {
            Some(TOO_MANY.to_owned())
        } else {
            *trials = trials.saturating_sub(1);
            harm(&edits_of(source.len(), &together).apply(source))
        };
        match why {
            None => tried.made = together,
            Some(_) if more_than_one && *trials > 0 => {
                let (first, second) = next.split_at(next.len() / 2);
                open.extend([second, first]);
            }
            Some(why) => {
                let why = if more_than_one { TOO_MANY.to_owned() } else { why };
                let all = next.iter().map(|repair| (repair.clone(), why.clone()));
                tried.left_out.extend(all);
            }
        }
    }
    tried
}

/// Returns the number of errors for each code.
pub(super) fn errors(diagnostics: &Diagnostics) -> Vec<(&'static Code, u64)> {
    let counts = diagnostics.counts().iter().copied();
    counts.filter(|(code, _)| code.severity == Severity::Error).collect()
}

/// Subtracts the diagnostics that have a repair from the numbers of errors.
pub(super) fn without(
    mut errors: Vec<(&'static Code, u64)>,
    diagnostics: &Diagnostics,
) -> Vec<(&'static Code, u64)> {
    for found in diagnostics.iter().filter(|found| found.fix.is_some()) {
        let known = errors.iter_mut().find(|(code, _)| std::ptr::eq(*code, found.code));
        if let Some((_, count)) = known {
            *count = count.saturating_sub(1);
        }
    }
    errors
}

/// Describes the errors that are more frequent than before.
pub(super) fn new_errors(
    before: &[(&'static Code, u64)],
    after: &[(&'static Code, u64)],
) -> Option<String> {
    let new = |(code, count): &(&'static Code, u64)| {
        let known = before.iter().find(|(known, _)| std::ptr::eq(*known, *code));
        let more = count.saturating_sub(known.map_or(0, |(_, count)| *count));
        (more > 0).then(|| format!("{more} {}", code.id))
    };
    let new: Vec<String> = after.iter().filter_map(new).collect();
    (!new.is_empty()).then(|| format!("it would introduce {}", new.join(", ")))
}

/// Returns the edits of non-overlapping repairs, as returned by [`super::choose`]. Repairs that are
/// outside the file or overlap an earlier one are skipped.
pub(super) fn edits_of(length: usize, repairs: &[Diagnostic]) -> Edits<'_> {
    edits(length, repairs.iter().filter_map(|diagnostic| diagnostic.fix.as_ref()))
}

pub(super) fn edits<'a>(length: usize, fixes: impl IntoIterator<Item = &'a Fix>) -> Edits<'a> {
    let mut edits = Edits::of_length(length);
    for fix in fixes {
        // Skip edits that cannot be made.
        let _ = edits.replace(fix.span, fix.replacement.as_str());
    }
    edits
}
