//! Applies repairs to a file, changing only the bytes that they cover.

use std::fmt::Display;

use crate::file::diag::code::WITHHELD;
use crate::{Code, Diagnostic, Diagnostics, Edits, Fix, Severity, sort_by};

/// Maximum number of rounds in a pass. Several may be needed, since a repair may reveal another
/// problem that can be repaired.
const ROUNDS: usize = 64;
/// Maximum number of trials to find repairs that would introduce errors. Each trial reads the file
/// once or twice.
const TRIALS: usize = 200;

/// A file after its repairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repaired {
    /// The repaired bytes.
    pub bytes: Vec<u8>,
    /// The repairs, in rounds. The spans in each round refer to the bytes before that round.
    pub rounds: Vec<Round>,
    /// The repairs that were not made, and why.
    pub left_out: Vec<LeftOut>,
}

/// Repairs that were applied together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Round {
    /// The bytes before this round.
    pub before: Vec<u8>,
    /// The repaired diagnostics, in file order. Their repairs do not overlap.
    pub repairs: Vec<Diagnostic>,
}

/// A repair that was not made.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// The diagnostic with its repair.
    pub diagnostic: Diagnostic,
    /// The number of rounds after which the spans apply ([`Repaired::after`]).
    pub round: usize,
    /// The reason, such as `it would introduce 2 amo-position-index`.
    pub why: String,
}

/// The error for repairs that do not terminate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endless;

impl Repaired {
    /// Returns the repairs that were made.
    pub fn repairs(&self) -> impl Iterator<Item = &Diagnostic> {
        self.rounds.iter().flat_map(|round| &round.repairs)
    }

    /// Returns the bytes after the given number of rounds, or the final bytes if there were fewer.
    pub fn after(&self, rounds: usize) -> &[u8] {
        self.rounds.get(rounds).map_or(&self.bytes, |next| &next.before)
    }
}

/// The purpose for which a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The file is read to find as many repairs as possible ([`crate::Limits::fixes`]).
    Repairs,
    /// The file is read to find the problems that a user would see.
    Problems,
}

/// Makes all repairs that the reader offers, in rounds, until none are left. A repair is skipped if
/// it would make any kind of error more frequent than in the original file, not counting errors
/// that the next round repairs.
///
/// # Errors
///
/// Returns the reader's error for the original file, or [`Endless`].
pub fn repair<E: From<Endless> + Display>(
    bytes: Vec<u8>,
    mut read: impl FnMut(&[u8], Wanted) -> Result<Diagnostics, E>,
) -> Result<Repaired, E> {
    let mut trials = [TRIALS; 2];
    let mut repaired = pass(bytes, &mut read, &mut trials)?;
    // Other repairs may have made those harmless that were skipped.
    while !repaired.rounds.is_empty() && !repaired.left_out.is_empty() && !trials.contains(&0) {
        let Ok(next) = pass(repaired.bytes.clone(), &mut read, &mut trials) else { break };
        if next.rounds.is_empty() {
            break;
        }
        let rounds = repaired.rounds.len();
        let moved = |left: LeftOut| LeftOut { round: left.round.saturating_add(rounds), ..left };
        repaired.left_out = next.left_out.into_iter().map(moved).collect();
        repaired.rounds.extend(next.rounds);
        repaired.bytes = next.bytes;
    }
    Ok(repaired)
}

/// Makes all repairs, trying each only once. `trials` are left for rounds that trust the next one,
/// and for those that do not.
fn pass<E: From<Endless> + Display>(
    bytes: Vec<u8>,
    read: &mut impl FnMut(&[u8], Wanted) -> Result<Diagnostics, E>,
    [trusting, doubting]: &mut [usize; 2],
) -> Result<Repaired, E> {
    let repaired = in_rounds(bytes, read, true, trusting)?;
    let Some(first) = repaired.rounds.first() else { return Ok(repaired) };
    let before = errors(&read(&first.before, Wanted::Problems)?);
    if new_errors(&before, &errors(&read(&repaired.bytes, Wanted::Problems)?)).is_none() {
        return Ok(repaired);
    }
    // Some errors that a round introduced were not repaired by the next. Start again, and skip all
    // repairs that introduce errors.
    in_rounds(first.before.clone(), read, false, doubting)
}

/// Makes all repairs in rounds. If `trusts_next_round` is set, new errors that have a repair are
/// ignored.
fn in_rounds<E: From<Endless> + Display>(
    bytes: Vec<u8>,
    read: &mut impl FnMut(&[u8], Wanted) -> Result<Diagnostics, E>,
    trusts_next_round: bool,
    trials: &mut usize,
) -> Result<Repaired, E> {
    let mut repaired = Repaired { bytes, ..Repaired::default() };
    // The positions of the skipped repairs in the current bytes.
    let mut left_out: Vec<(&'static Code, Fix)> = Vec::new();
    let mut at_first = None;
    loop {
        let found = read(&repaired.bytes, Wanted::Repairs)?;
        let is_open = |diagnostic: &Diagnostic, fix: &Fix| {
            !left_out
                .iter()
                .any(|(code, known)| std::ptr::eq(*code, diagnostic.code) && known == fix)
        };
        let repairs: Vec<Diagnostic> = choose_of(&found, is_open).into_iter().cloned().collect();
        if repairs.is_empty() {
            // Reading more to find all repairs may show that the file is truncated.
            if found.withholds_fixes {
                let offered = read(&repaired.bytes, Wanted::Problems)?;
                let round = repaired.rounds.len();
                let why = || WITHHELD.to_owned();
                repaired.left_out.extend(
                    choose_of(&offered, is_open).into_iter().map(|found| LeftOut {
                        diagnostic: found.clone(),
                        round,
                        why: why(),
                    }),
                );
            }
            return Ok(repaired);
        }
        if repaired.rounds.len() == ROUNDS {
            return Err(Endless.into());
        }
        let at_first = match &at_first {
            Some(errors) => errors,
            None => at_first.insert(errors(&read(&repaired.bytes, Wanted::Problems)?)),
        };
        let harm = |bytes: &[u8]| {
            let mut harm = || {
                let after = errors(&read(bytes, Wanted::Problems)?);
                let new = new_errors(at_first, &after);
                Ok(match new {
                    Some(_) if trusts_next_round => {
                        new_errors(at_first, &without(after, &read(bytes, Wanted::Repairs)?))
                    }
                    new => new,
                })
            };
            harm().unwrap_or_else(|error: E| {
                Some(format!("it would make the file unreadable: {error}"))
            })
        };
        let tried = try_all(&repaired.bytes, &repairs, harm, trials);
        let edits = edits_of(repaired.bytes.len(), &tried.made);
        // Once the trials are used up, this is the last round and many repairs may be left, so
        // their positions are not computed.
        if *trials > 0 {
            let new = tried
                .left_out
                .iter()
                .filter_map(|(found, _)| Some((found.code, found.fix.clone()?)));
            left_out.extend(new);
            left_out.iter_mut().for_each(|(_, fix)| fix.span = edits.moved(fix.span));
        }
        let round = repaired.rounds.len();
        let not_made = tried.left_out.into_iter();
        repaired.left_out.extend(not_made.map(|(diagnostic, why)| LeftOut {
            diagnostic,
            round,
            why,
        }));
        if !tried.made.is_empty() {
            let after = edits.apply(&repaired.bytes).into_owned();
            let before = std::mem::replace(&mut repaired.bytes, after);
            repaired.rounds.push(Round { before, repairs: tried.made });
        }
        if *trials == 0 {
            return Ok(repaired);
        }
    }
}

/// The outcome of one round of repairs.
#[derive(Default)]
struct Tried {
    made: Vec<Diagnostic>,
    left_out: Vec<(Diagnostic, String)>,
}

/// Tries all repairs together. If they do harm, bisects them to find the individual repairs
/// responsible. When the trials are used up, the remaining repairs are skipped.
fn try_all(
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
            Some("too many other repairs would introduce errors".to_owned())
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
                let all = next.iter().map(|repair| (repair.clone(), why.clone()));
                tried.left_out.extend(all);
            }
        }
    }
    tried
}

/// Returns the number of errors for each code.
fn errors(diagnostics: &Diagnostics) -> Vec<(&'static Code, u64)> {
    let counts = diagnostics.counts().iter().copied();
    counts.filter(|(code, _)| code.severity == Severity::Error).collect()
}

/// Subtracts the diagnostics that have a repair from the numbers of errors.
fn without(
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
fn new_errors(before: &[(&'static Code, u64)], after: &[(&'static Code, u64)]) -> Option<String> {
    let new = |(code, count): &(&'static Code, u64)| {
        let known = before.iter().find(|(known, _)| std::ptr::eq(*known, *code));
        let more = count.saturating_sub(known.map_or(0, |(_, count)| *count));
        (more > 0).then(|| format!("{more} {}", code.id))
    };
    let new: Vec<String> = after.iter().filter_map(new).collect();
    (!new.is_empty()).then(|| format!("it would introduce {}", new.join(", ")))
}

/// Returns the diagnostics whose repairs can be applied together, in file order. If two repairs
/// overlap, the first is used.
pub fn choose(diagnostics: &Diagnostics) -> Vec<&Diagnostic> {
    choose_of(diagnostics, |_, _| true)
}

fn choose_of(
    diagnostics: &Diagnostics,
    is_open: impl Fn(&Diagnostic, &Fix) -> bool,
) -> Vec<&Diagnostic> {
    let mut found: Vec<(&Diagnostic, &Fix)> = diagnostics
        .iter()
        .filter_map(|diagnostic| Some((diagnostic, diagnostic.fix.as_ref()?)))
        .filter(|(diagnostic, fix)| is_open(diagnostic, fix))
        .collect();
    sort_by(&mut found, |(_, a), (_, b)| a.span.cmp(&b.span));
    let mut edits = Edits::of_length(usize::MAX);
    found.retain(|(_, fix)| edits.replace(fix.span, fix.replacement.as_str()).is_ok());
    found.into_iter().map(|(diagnostic, _)| diagnostic).collect()
}

/// Returns the edits of non-overlapping repairs, as returned by [`choose`]. Repairs that are
/// outside the file or overlap an earlier one are skipped.
fn edits_of(length: usize, repairs: &[Diagnostic]) -> Edits<'_> {
    edits(length, repairs.iter().filter_map(|diagnostic| diagnostic.fix.as_ref()))
}

fn edits<'a>(length: usize, fixes: impl IntoIterator<Item = &'a Fix>) -> Edits<'a> {
    let mut edits = Edits::of_length(length);
    for fix in fixes {
        // Skip edits that cannot be made.
        let _ = edits.replace(fix.span, fix.replacement.as_str());
    }
    edits
}

/// Applies non-overlapping repairs, as returned by [`choose`], to the bytes. Repairs that are
/// outside the bytes or overlap an earlier one are skipped.
pub fn apply<'a>(source: &[u8], fixes: impl IntoIterator<Item = &'a Fix>) -> Vec<u8> {
    edits(source.len(), fixes).apply(source).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Category, Limits, Span};

    static WRONG: Code = Code {
        id: "t-wrong",
        severity: Severity::Error,
        category: Category::Syntax,
        meaning: "",
        example: "",
        action: "",
    };

    static ODD: Code = Code { id: "t-odd", severity: Severity::Warning, ..WRONG };

    fn offered(fixes: &[(usize, usize, &str)]) -> Diagnostics {
        let mut diagnostics = Diagnostics::within(&Limits { fixes: 1_000, ..Limits::default() });
        for (start, end, replacement) in fixes {
            diagnostics.report_fix(&WRONG, || {
                Diagnostic::new(&WRONG, None, "x").fix(Span::new(*start, *end), *replacement)
            });
        }
        diagnostics
    }

    fn repaired(source: &str, fixes: &[(usize, usize, &str)]) -> String {
        let diagnostics = offered(fixes);
        let chosen = choose(&diagnostics);
        let fixes = chosen.iter().filter_map(|diagnostic| diagnostic.fix.as_ref());
        String::from_utf8(apply(source.as_bytes(), fixes)).unwrap()
    }

    #[test]
    fn repairs_that_do_not_overlap_are_applied_together() {
        assert_eq!(repaired("abcdef", &[(4, 5, "E"), (0, 1, ""), (1, 2, "BB")]), "BBcdEf");
        assert_eq!(repaired("abcdef", &[(2, 4, "x"), (1, 3, "y"), (3, 6, "z")]), "ayz");
        assert_eq!(repaired("ab", &[(1, 1, "x"), (1, 1, "y"), (2, 2, "!")]), "axb!");
        let one = "of an insertion and a replacement at the same offset, only the first is made";
        assert_eq!(repaired("ab", &[(1, 1, "x"), (1, 2, "y")]), "axb", "{one}");
        assert_eq!(repaired("ab", &[(1, 9, "x")]), "ab", "outside the file");
    }

    impl From<Endless> for String {
        fn from(_: Endless) -> String {
            "endless".to_owned()
        }
    }

    /// A reader that expects lower case. Every capital letter is a warning with a repair, `x` is an
    /// error, and `!` makes the file unreadable. The repair of `?` inserts `!`, and that of `O`
    /// reveals a `P`.
    fn read(bytes: &[u8], wanted: Wanted) -> Result<Diagnostics, String> {
        let fixes = if wanted == Wanted::Repairs { 1_000 } else { 0 };
        let mut found = Diagnostics::within(&Limits { fixes, ..Limits::default() });
        for (at, byte) in bytes.iter().enumerate() {
            let span = Span::new(at, at + 1);
            let small = match byte {
                b'?' => "!".to_owned(),
                b'O' => "oP".to_owned(),
                _ => char::from(byte.to_ascii_lowercase()).to_string(),
            };
            match byte {
                b'!' => return Err("unreadable".to_owned()),
                b'x' => found.push(&WRONG, span, String::new),
                b'A'..=b'Z' | b'?' => {
                    found.report_fix(&ODD, || Diagnostic::new(&ODD, span, "odd").fix(span, small))
                }
                _ => {}
            }
        }
        Ok(found)
    }

    #[test]
    fn only_harmful_repairs_are_skipped() {
        let repair = |text: &str| repair(text.as_bytes().to_vec(), read).unwrap();
        let repaired = repair("ABXOC?DX");
        assert_eq!(repaired.bytes, b"abXopc?dX");
        let left_out: Vec<(usize, usize, &str)> = repaired
            .left_out
            .iter()
            .map(|left| (left.diagnostic.span.unwrap().start, left.round, left.why.as_str()))
            .collect();
        assert_eq!(
            left_out,
            [
                (2, 0, "it would introduce 1 t-wrong"),
                (5, 0, "it would make the file unreadable: unreadable"),
                (7, 0, "it would introduce 1 t-wrong"),
            ]
        );
        assert_eq!(repaired.rounds.len(), 2, "a second round for the `P` revealed by the `O`");
        assert_eq!(repaired.after(0), b"ABXOC?DX");
        assert_eq!(repaired.after(1), b"abXoPc?dX");
        assert_eq!(repaired.after(2), repaired.bytes);

        let none = repair("X");
        assert_eq!((none.bytes, none.rounds.len(), none.left_out.len()), (b"X".to_vec(), 0, 1));
    }

    /// A repair that would do harm at first is made once another has removed the reason.
    #[test]
    fn skipped_repairs_are_tried_again() {
        // `b` is an error before `C`.
        let read = |bytes: &[u8], wanted| -> Result<Diagnostics, String> {
            let mut found = read(bytes, wanted)?;
            let at = |letter| bytes.iter().position(|byte| *byte == letter);
            if at(b'b').is_some() && at(b'C').is_some() {
                found.push(&WRONG, None, String::new);
            }
            Ok(found)
        };
        let repaired = super::repair(b"BC".to_vec(), read).unwrap();
        assert_eq!((repaired.bytes.as_slice(), repaired.left_out.len()), (&b"bc"[..], 0));
        let repaired = super::repair(b"BCX".to_vec(), read).unwrap();
        assert_eq!(repaired.bytes, b"bcX");
        let left = &repaired.left_out[0];
        let span = left.diagnostic.span.unwrap();
        assert_eq!(&repaired.after(left.round)[span.start..span.end], b"X");
    }

    /// An error that a repair introduces is accepted if it has a repair. If that one turns out to
    /// do harm, the first one is not made either.
    #[test]
    fn repairs_that_rely_on_harmful_repairs_are_skipped() {
        // `A` becomes `#`, an error whose repair makes the file unreadable.
        let read = |bytes: &[u8], wanted| -> Result<Diagnostics, String> {
            let fixes = if wanted == Wanted::Repairs { 1_000 } else { 0 };
            let mut found = Diagnostics::within(&Limits { fixes, ..Limits::default() });
            for (at, byte) in bytes.iter().enumerate() {
                let (code, small) = match byte {
                    b'A' => (&ODD, "#"),
                    b'B' => (&ODD, "b"),
                    b'#' => (&WRONG, "!"),
                    b'!' => return Err("unreadable".to_owned()),
                    _ => continue,
                };
                let span = Span::new(at, at + 1);
                found.report_fix(code, || Diagnostic::new(code, span, "x").fix(span, small));
            }
            Ok(found)
        };
        let repaired = super::repair(b"AB".to_vec(), read).unwrap();
        assert_eq!((repaired.bytes.as_slice(), repaired.rounds.len()), (&b"Ab"[..], 1));
        let why: Vec<&str> = repaired.left_out.iter().map(|left| left.why.as_str()).collect();
        assert_eq!(why, ["it would introduce 1 t-wrong"]);
    }

    #[test]
    fn many_harmful_repairs_cost_a_bounded_number_of_trials() {
        let text = "X".repeat(1_000) + "A";
        let mut reads = 0;
        let repaired = super::repair(text.clone().into_bytes(), |bytes, wanted| {
            reads += 1;
            read(bytes, wanted)
        });
        let repaired = repaired.unwrap();
        assert_eq!((repaired.bytes, repaired.left_out.len()), (text.into_bytes(), 1_001));
        assert!(reads <= 2 * TRIALS + 4, "{reads}");
    }

    #[test]
    fn endless_repairs_are_an_error() {
        let grows = |bytes: &[u8], _: Wanted| -> Result<Diagnostics, String> {
            Ok(offered(&[(bytes.len(), bytes.len(), "a")]))
        };
        assert_eq!(repair(Vec::new(), grows).unwrap_err(), "endless");
    }
}
