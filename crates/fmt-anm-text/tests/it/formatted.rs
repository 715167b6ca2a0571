//! The canonical form has the same content as the file, and formatting it again changes nothing.

use fmt_anm_text::Document;
use test_oracle::anm_text::generate;
use test_oracle::random::Rng;

fn words(line: &[u8]) -> Vec<&[u8]> {
    line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty()).collect()
}

/// Returns the words of each line that is not empty.
fn lines(bytes: &[u8]) -> Vec<Vec<&[u8]>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).map(words);
    lines.filter(|words| !words.is_empty()).collect()
}

/// Asserts that a file and its canonical form have the same data and words.
pub(crate) fn in_common(file: &[u8], formatted: &[u8]) {
    let data = |bytes: &[u8]| Document::parse(bytes).unwrap().value.data();
    assert_eq!(data(file), data(formatted));
    assert_eq!(lines(file), lines(formatted));
}

fn check(name: &str, text: &str) -> String {
    String::from_utf8(crate::conformance().canonical(name, text.as_bytes()).unwrap()).unwrap()
}

#[test]
fn generated_files() {
    let mut written = 0;
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let tree = generate::tree(&mut rng, 12);
        let text = generate::file(&mut rng, &tree, &generate::Options::default());
        check(&seed.to_string(), &text);
        // Some valid names cannot be written.
        if let Ok(built) = Document::build(&Document::parse(text.as_bytes()).unwrap().value.data())
        {
            assert_eq!(built.to_bytes(), built.formatted(), "written files are in canonical form");
            written += 1;
        }
    }
    assert!(written > 10, "{written}");
}

#[test]
fn whitespace_and_line_breaks_are_normalised() {
    let cases = [
        (
            "\u{feff}\n\n  #  head \r\n\tas  a\r\n\r\n\r\nbl\t b  +children \rev 0  e\nan 0 +1.50 \
             c  ",
            "#  head\nas a\n\nbl b +children\nev 0 e\nan 0 +1.50 c\n",
        ),
        // An empty line is inserted before a set and its comments.
        (
            "as a\nbl b\nan 0 1 c\n# of b\n # too\nas b\nbl b\nan 0 1 c\n\n\n",
            "as a\nbl b\nan 0 1 c\n\n# of b\n# too\nas b\nbl b\nan 0 1 c\n",
        ),
        (
            "as a\nbl b\nan 0 1 c\n# of a\n\nas b\nbl b\nan 0 1 c",
            "as a\nbl b\nan 0 1 c\n# of a\n\nas b\nbl b\nan 0 1 c\n",
        ),
        (
            "as a\nbl b\nan 0 1 c\nas b\nbl b\nan 0 1 c\n",
            "as a\nbl b\nan 0 1 c\n\nas b\nbl b\nan 0 1 c\n",
        ),
        // Lines that do not start with a keyword are unchanged.
        ("as a\nbl b\n  wobble  1 \nan 0 1 c\n", "as a\nbl b\n  wobble  1 \nan 0 1 c\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(check(text, text), expected);
    }
}

/// Without its leading blank line, this file would look like UTF-16.
#[test]
fn a_first_line_with_nuls_keeps_a_blank_line_before_it() {
    assert_eq!(check("nuls", "\n\n \0 \0 as\nas a\n"), "\n \0 \0 as\n\nas a\n");
}
