//! What is said of a file with one bad line: one mistake should bring up few problems.

use anim_ir::diag::escape;
use anim_ir::fix::Wanted;
use test_oracle::random::Rng;

use crate::repairs::Reader;

/// What is said of a file in which one line is damaged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BadLine {
    /// How many problems there are more than with the file itself.
    pub problems: u64,
    /// Number of the line, from 1.
    pub line: usize,
    /// What stands there.
    pub text: String,
}

/// How a line is damaged.
const WAYS: [fn(&str) -> String; 5] = [
    |_| String::new(),
    // Without its last word.
    |line| line.trim_end().rsplit_once(char::is_whitespace).unwrap_or_default().0.to_owned(),
    |line| with_last_number(line, "1,5"),
    |line| with_last_number(line, "987654"),
    // A slip of the hand in the first word.
    |line| format!("x{line}"),
];

/// Damages so many lines of a text, one at a time. What is said of each, the most first; nothing
/// where the file itself cannot be read. A file that can no longer be read is one problem.
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
        // A line that is taken out goes with its end.
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

/// The number of problems that no more than one of twenty lines exceeds.
pub fn usual_most(found: &[BadLine]) -> u64 {
    found.get(found.len() / 20).map_or(0, |line| line.problems)
}

/// The line with another last number in it.
fn with_last_number(line: &str, number: &str) -> String {
    let Some(end) = line.rfind(|c: char| c.is_ascii_digit()) else { return format!("{line} ?") };
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-');
    let start = line[..end].rfind(|c| !is_part(c)).map_or(0, |before| before + 1);
    // What is before it may be of several bytes.
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
