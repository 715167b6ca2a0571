//! Checks that one bad line in a file causes few diagnostics.

use anim_ir::diag::escape;
use anim_ir::fix::Wanted;
use test_oracle::random::Rng;

use crate::repairs::Reader;

/// The result of damaging one line of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BadLine {
    /// The number of additional problems, compared with the original file.
    pub problems: u64,
    /// The one-based line number.
    pub line: usize,
    /// The line after it was damaged, escaped and truncated; empty if the line was deleted.
    pub text: String,
}

/// The ways to damage a line.
const WAYS: [fn(&str) -> String; 5] = [
    |_| String::new(),
    // The last word is missing.
    |line| line.trim_end().rsplit_once(char::is_whitespace).unwrap_or_default().0.to_owned(),
    |line| with_last_number(line, "1,5"),
    |line| with_last_number(line, "987654"),
    // A typo in the first word.
    |line| format!("x{line}"),
];

/// Damages up to `count` lines of a text, one at a time. Returns the results, sorted by descending
/// number of problems, or nothing if the original cannot be read. A file that can no longer be read
/// counts as one problem.
pub fn bad_lines(bytes: &[u8], count: usize, read: Reader<'_>) -> Vec<BadLine> {
    let problems = |bytes: &[u8]| {
        let found = read(bytes, Wanted::Problems)?;
        Some(found.counts().iter().map(|(_, count)| count).sum::<u64>())
    };
    let (Some(before), Ok(text)) = (problems(bytes), std::str::from_utf8(bytes)) else {
        return Vec::new();
    };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut random = Rng::new(bytes.len() as u64);
    let mut found = Vec::new();
    for number in 0..count.min(lines.len() * WAYS.len()) {
        let at = random.below(lines.len());
        let (line, end) = lines[at].split_at(lines[at].trim_end_matches(['\r', '\n']).len());
        if line.trim().is_empty() {
            continue;
        }
        let bad = WAYS[number % WAYS.len()](line);
        // Deleting a line also deletes its line ending.
        let end = if bad.is_empty() { "" } else { end };
        let damaged = [&lines[..at].concat(), &bad, end, &lines[at + 1..].concat()].concat();
        found.push(BadLine {
            problems: problems(damaged.as_bytes()).map_or(1, |after| after.saturating_sub(before)),
            line: at + 1,
            text: escape(&bad.chars().take(60).collect::<String>()),
        });
    }
    found.sort_unstable_by(|a, b| b.cmp(a));
    found
}

/// Returns the 95th percentile of the number of problems.
pub fn usual_most(found: &[BadLine]) -> u64 {
    found.get(found.len() / 20).map_or(0, |line| line.problems)
}

/// Replaces the last number in a line, or appends ` ?` if there is none.
fn with_last_number(line: &str, number: &str) -> String {
    let Some(end) = line.rfind(|c: char| c.is_ascii_digit()) else { return format!("{line} ?") };
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-');
    let start = line[..end].rfind(|c| !is_part(c)).map_or(0, |before| before + 1);
    // The preceding character may be several bytes long.
    let start = (start..=end).find(|at| line.is_char_boundary(*at)).unwrap_or(end);
    format!("{}{number}{}", &line[..start], &line[end + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_damaged_in_each_way() {
        let of = |line: &str| WAYS.map(|way| way(line));
        assert_eq!(
            of("f 1/2 3/-4 "),
            ["", "f 1/2", "f 1/2 3/1,5 ", "f 1/2 3/987654 ", "xf 1/2 3/-4 "]
        );
        assert_eq!(of("é"), ["", "", "é ?", "é ?", "xé"]);
    }
}
