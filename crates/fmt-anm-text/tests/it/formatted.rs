//! The canonical form says the same as the file, once and for all.

use fmt_anm_text::{Document, codes};
use test_oracle::anm_text::generate;
use test_oracle::fixtures;
use test_oracle::random::Rng;

/// The lines that have words, as their words.
fn lines(bytes: &[u8]) -> Vec<Vec<&[u8]>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let words = |line: &'_ [u8]| {
        line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty()).count()
    };
    let lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| words(line) > 0);
    lines
        .map(|line| {
            line.split(|byte| matches!(byte, b' ' | b'\t'))
                .filter(|word| !word.is_empty())
                .collect()
        })
        .collect()
}

#[track_caller]
fn check(name: &str, bytes: &[u8]) -> Vec<u8> {
    let parsed = Document::parse(bytes).unwrap();
    let formatted = parsed.value.formatted();
    let again = Document::parse(&formatted[..]).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(parsed.value.data(), again.value.data(), "{name}");
    // What the canonical form has none of.
    let gone = [codes::BOM.id, codes::INDENT.id, codes::LINE_END.id];
    let counts = |diagnostics: &anim_ir::Diagnostics| {
        let mut counts: Vec<_> = diagnostics
            .counts()
            .iter()
            .filter(|(code, _)| !gone.contains(&code.id))
            .map(|(code, n)| (code.id, *n))
            .collect();
        counts.sort_unstable();
        counts
    };
    assert_eq!(counts(&parsed.diagnostics), counts(&again.diagnostics), "{name}");
    assert_eq!(lines(bytes), lines(&formatted), "{name}");
    assert!(
        again.value.formatted() == formatted,
        "{name}: again\n{}",
        String::from_utf8_lossy(&formatted)
    );
    formatted
}

#[test]
fn every_fixture() {
    let mut formatted = 0;
    for (name, bytes) in fixtures::all("anm-text", &["anm"], 100) {
        if Document::parse(&bytes[..]).is_ok() {
            formatted += usize::from(check(&name, &bytes) != bytes);
        }
    }
    assert!(formatted > 10, "{formatted}");
}

#[test]
fn generated_files() {
    let mut written = 0;
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let tree = generate::tree(&mut rng, 12);
        let text = generate::file(&mut rng, &tree, &generate::Options::default());
        check(&seed.to_string(), text.as_bytes());
        // Names may be some that are not written.
        if let Ok(built) = Document::build(&Document::parse(text.as_bytes()).unwrap().value.data())
        {
            assert_eq!(built.to_bytes(), built.formatted(), "what is written is in canonical form");
            written += 1;
        }
    }
    assert!(written > 10, "{written}");
}

#[test]
fn blanks_and_lines_go_to_their_places() {
    let cases = [
        (
            "\u{feff}\n\n  #  head \r\n\tas  a\r\n\r\n\r\nbl\t b  +children \rev 0  e\nan 0 +1.50 \
             c  ",
            "#  head\nas a\n\nbl b +children\nev 0 e\nan 0 +1.50 c\n",
        ),
        // A blank line before a set and its comments.
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
        // What begins with no keyword stays.
        ("as a\nbl b\n  wobble  1 \nan 0 1 c\n", "as a\nbl b\n  wobble  1 \nan 0 1 c\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(String::from_utf8(check(text, text.as_bytes())).unwrap(), expected);
    }
}
