//! Applies repairs to a file, changing only the bytes that they cover.

mod trial;

use std::fmt::Display;

use crate::file::diag::code::WITHHELD;
use crate::{Code, Diagnostic, Diagnostics, Edits, Fix, sort_by};
use trial::{TOO_MANY, edits, edits_of, errors, new_errors, try_all, without};

/// Maximum number of rounds in a pass. Several may be needed, since a repair may reveal another
/// problem that can be repaired.
const ROUNDS: usize = 64;
/// Maximum number of passes. Several may be needed, since a repair may make another one harmless.
const PASSES: usize = 16;
/// Maximum number of trials in a pass to find repairs that would introduce errors. Each trial reads
/// the file once or twice.
const TRIALS: usize = 200;
/// Minimum number of trials in a pass, for large files: enough to find a few harmful repairs among
/// thousands.
const FEWEST_TRIALS: usize = 24;
/// The number of bytes that the trials of a pass may read, unless that allows too few trials.
const TRIED_BYTES: usize = 10_000_000;

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

    /// Records repairs that are not made after the last round.
    fn leave(&mut self, repairs: Vec<&Diagnostic>, why: &str) {
        let round = self.rounds.len();
        self.left_out.extend(repairs.into_iter().map(|found| LeftOut {
            diagnostic: found.clone(),
            round,
            why: why.to_owned(),
        }));
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
    let mut repaired = pass(bytes, &mut read)?;
    for _ in 0..PASSES {
        if repaired.rounds.is_empty() || repaired.left_out.is_empty() {
            return Ok(repaired);
        }
        // Other repairs may have made those harmless that were skipped.
        let next = match pass(repaired.bytes.clone(), &mut read) {
            Ok(next) if !next.rounds.is_empty() => next,
            _ => return Ok(repaired),
        };
        let rounds = repaired.rounds.len();
        let moved = |left: LeftOut| LeftOut { round: left.round.saturating_add(rounds), ..left };
        repaired.left_out = next.left_out.into_iter().map(moved).collect();
        repaired.rounds.extend(next.rounds);
        repaired.bytes = next.bytes;
    }
    Err(Endless.into())
}

/// Makes all repairs, trying each only once. If it takes too many trials to find the harmful ones,
/// all repairs with their codes are skipped. If only those were skipped that were not tried, a
/// second run would make some of them.
fn pass<E: From<Endless> + Display>(
    bytes: Vec<u8>,
    read: &mut impl FnMut(&[u8], Wanted) -> Result<Diagnostics, E>,
) -> Result<Repaired, E> {
    let most = (TRIED_BYTES / bytes.len().max(1)).clamp(FEWEST_TRIALS, TRIALS);
    let mut skipped: Vec<&'static Code> = Vec::new();
    loop {
        let mut trials = most;
        let mut repaired = in_rounds(bytes.clone(), read, true, &skipped, &mut trials)?;
        if trials > 0 {
            let Some(first) = repaired.rounds.first() else { return Ok(repaired) };
            let before = errors(&read(&first.before, Wanted::Problems)?);
            let after = errors(&read(&repaired.bytes, Wanted::Problems)?);
            if new_errors(&before, &after).is_none() {
                return Ok(repaired);
            }
            // Some errors that a round introduced were not repaired by the next. Start again, and
            // skip all repairs that introduce errors.
            trials = most;
            repaired = in_rounds(bytes.clone(), read, false, &skipped, &mut trials)?;
            if trials > 0 {
                return Ok(repaired);
            }
        }
        let known = skipped.len();
        // The codes of repairs that are known to do harm; of all that are left, if none is known.
        let is_harmful = |left: &LeftOut| left.why != TOO_MANY;
        let any_is = repaired.left_out.iter().any(is_harmful);
        for left in repaired.left_out.iter().filter(|left| is_harmful(left) == any_is) {
            if !skipped.iter().any(|code| std::ptr::eq(*code, left.diagnostic.code)) {
                skipped.push(left.diagnostic.code);
            }
        }
        if skipped.len() == known {
            // No code to skip was found.
            return Ok(Repaired { bytes, ..Repaired::default() });
        }
    }
}

/// Makes all repairs in rounds. If `trusts_next_round` is set, new errors that have a repair are
/// ignored. Repairs of the codes in `skipped` are not made.
fn in_rounds<E: From<Endless> + Display>(
    bytes: Vec<u8>,
    read: &mut impl FnMut(&[u8], Wanted) -> Result<Diagnostics, E>,
    trusts_next_round: bool,
    skipped: &[&'static Code],
    trials: &mut usize,
) -> Result<Repaired, E> {
    let mut repaired = Repaired { bytes, ..Repaired::default() };
    // The positions of the skipped repairs in the current bytes.
    let mut left_out: Vec<(&'static Code, Fix)> = Vec::new();
    let mut at_first = None;
    loop {
        let found = read(&repaired.bytes, Wanted::Repairs)?;
        let is_skipped = |diagnostic: &Diagnostic| {
            skipped.iter().any(|code| std::ptr::eq(*code, diagnostic.code))
        };
        let is_open = |diagnostic: &Diagnostic, fix: &Fix| {
            !is_skipped(diagnostic)
                && !left_out
                    .iter()
                    .any(|(code, known)| std::ptr::eq(*code, diagnostic.code) && known == fix)
        };
        let repairs: Vec<Diagnostic> = choose_of(&found, &is_open).into_iter().cloned().collect();
        if repairs.is_empty() {
            repaired.leave(choose_of(&found, &|found, _| is_skipped(found)), TOO_MANY);
            // Reading more to find all repairs may show that the file is truncated.
            if found.withholds_fixes {
                let offered = read(&repaired.bytes, Wanted::Problems)?;
                repaired.leave(choose_of(&offered, &is_open), WITHHELD);
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

/// Returns the diagnostics whose repairs can be applied together, in file order. If two repairs
/// overlap, the first is used.
pub fn choose(diagnostics: &Diagnostics) -> Vec<&Diagnostic> {
    choose_of(diagnostics, &|_, _| true)
}

fn choose_of<'a>(
    diagnostics: &'a Diagnostics,
    is_open: &dyn Fn(&Diagnostic, &Fix) -> bool,
) -> Vec<&'a Diagnostic> {
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

/// Applies non-overlapping repairs, as returned by [`choose`], to the bytes. Repairs that are
/// outside the bytes or overlap an earlier one are skipped.
pub fn apply<'a>(source: &[u8], fixes: impl IntoIterator<Item = &'a Fix>) -> Vec<u8> {
    edits(source.len(), fixes).apply(source).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Category, Limits, Severity, Span};

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
        assert!(reads <= 2 * TRIALS + 8, "{reads}");
    }

    /// Whether or not the trials suffice, nothing is left to repair in the result.
    #[test]
    fn repairs_of_other_codes_are_made_and_the_result_stays() {
        static DIGIT: Code = Code { id: "t-digit", severity: Severity::Warning, ..WRONG };
        let read = |bytes: &[u8], wanted| -> Result<Diagnostics, String> {
            let mut found = read(bytes, wanted)?;
            for at in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'1').map(|(at, _)| at)
            {
                let span = Span::new(at, at + 1);
                found.report_fix(&DIGIT, || Diagnostic::new(&DIGIT, span, "1").fix(span, "2"));
            }
            Ok(found)
        };
        for count in [1, 8, 25, 40, 60, 100, 200, 400] {
            let repaired = super::repair("XA1".repeat(count).into_bytes(), read).unwrap();
            let text = String::from_utf8(repaired.bytes.clone()).unwrap();
            assert!(text == "Xa2".repeat(count) || text == "XA2".repeat(count), "{count}: {text}");
            assert_eq!(text.contains('a'), count < 50, "{count}");
            let again = super::repair(repaired.bytes.clone(), read).unwrap();
            assert_eq!(again.bytes, repaired.bytes, "{count}");
            assert_eq!(again.left_out.len(), repaired.left_out.len(), "{count}");
        }
    }

    #[test]
    fn endless_repairs_are_an_error() {
        let grows = |bytes: &[u8], _: Wanted| -> Result<Diagnostics, String> {
            Ok(offered(&[(bytes.len(), bytes.len(), "a")]))
        };
        assert_eq!(repair(Vec::new(), grows).unwrap_err(), "endless");
    }
}
