//! Formatting of excerpts and counts for messages.

use std::fmt::Write as _;

/// Quotes an excerpt of a file for a message: in backticks, truncated to 64 characters, with
/// invalid UTF-8, control and bidirectional characters, and whitespace other than spaces escaped.
///
/// ```
/// assert_eq!(anim_ir::diag::quote(b"a\x1b[2Jb"), r"`a\u{1b}[2Jb`");
/// ```
pub fn quote(bytes: &[u8]) -> String {
    const LONGEST: usize = 64;
    let mut out = String::from("`");
    let mut written = 0_usize;
    for chunk in
        bytes.get(..bytes.len().min(LONGEST.saturating_mul(4))).unwrap_or_default().utf8_chunks()
    {
        let invalid = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        let pieces = chunk.valid().chars().map(escape_character).chain(invalid);
        for piece in pieces {
            let length = piece.chars().count();
            if written.saturating_add(length) > LONGEST {
                out.push_str("…`");
                return out;
            }
            written = written.saturating_add(length);
            out.push_str(&piece);
        }
    }
    out.push_str(if bytes.len() > LONGEST.saturating_mul(4) { "…`" } else { "`" });
    out
}

/// Quotes a path like [`quote`], but shortens a long one in the middle, since its end is the most
/// specific part.
///
/// ```
/// let path = format!("{}/skin.png", "textures/".repeat(20));
/// assert!(anim_ir::diag::quote_path(&path).ends_with("/skin.png`"));
/// ```
pub fn quote_path(path: &str) -> String {
    const START: usize = 20;
    const END: usize = 40;
    let mut from_end = path.char_indices().rev();
    let Some((end, _)) = from_end.nth(END).filter(|_| from_end.nth(START).is_some()) else {
        return quote(path.as_bytes());
    };
    let start = path.char_indices().nth(START).map_or(0, |(at, _)| at);
    let (start, end) = (path.get(..start), path.get(end..));
    let [start, end] = [start, end].map(|part| escape(part.unwrap_or_default()));
    format!("`{start}…{end}`")
}

/// Formats a count with its noun: `1 key`, `2 keys`.
pub fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Formats a time for display, such as `1.208 s`: to the millisecond or, if it is below a second,
/// to four significant digits.
pub fn seconds(time: impl Into<f64>) -> String {
    let time: f64 = time.into();
    let text = if time.abs() < 1.0 { format!("{time:.3e}") } else { format!("{time:.3}") };
    format!("{} s", text.parse().unwrap_or(time))
}

/// Escapes control and bidirectional characters, and whitespace other than spaces, for output to a
/// terminal.
pub fn escape(text: &str) -> String {
    text.chars().map(escape_character).collect()
}

fn escape_character(c: char) -> String {
    let mut out = String::new();
    let turns_direction = matches!(
        c,
        '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
    );
    // Other whitespace would look like an ordinary space.
    let odd_blank = c.is_whitespace() && c != ' ';
    if c.is_control() || turns_direction || odd_blank {
        // Writing to a String cannot fail.
        let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
    } else {
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_as_many_digits_as_make_sense() {
        let of_f32 = [1.208_333_4_f32, 0.1, -2.5, 0.0, 1.0 / 30.0, 12_345.678, 1e-6, 1.0];
        assert_eq!(
            of_f32.map(seconds).join(", "),
            "1.208 s, 0.1 s, -2.5 s, 0 s, 0.03333 s, 12345.678 s, 0.000001 s, 1 s"
        );
        assert_eq!(seconds(0.999_999_f64), "1 s");
        assert_eq!(seconds(f32::INFINITY), "inf s");
    }

    #[test]
    fn quotes_are_truncated_and_escaped() {
        assert_eq!(quote(b"a\xe9\0"), r"`a\xe9\u{0}`");
        assert_eq!(quote("\u{202e}abc".as_bytes()), r"`\u{202e}abc`");
        assert!(quote(&[b'x'; 1_000]).len() < 80);
        assert!(quote("é".repeat(500).as_bytes()).chars().count() < 80);
        let long = format!("{}/\u{202e}skin.png", "é".repeat(500));
        let shown = quote_path(&long);
        assert!(shown.ends_with("é/\\u{202e}skin.png`") && shown.starts_with("`éé"), "{shown}");
        assert!(shown.chars().count() < 80, "{shown}");
        assert_eq!(quote_path("a/skin.png"), "`a/skin.png`");
    }
}
