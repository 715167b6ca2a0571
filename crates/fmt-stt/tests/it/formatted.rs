//! The canonical form has the same content as the file, and is stable.

use anim_ir::Severity;
use fmt_stt::Document;
use test_oracle::random::Rng;
use test_oracle::stt::generate::{self, Layout, Options};

/// Strips whitespace outside of names.
fn characters(bytes: &[u8]) -> Vec<u8> {
    let mut inside = false;
    let kept = |byte: &&u8| {
        inside = match byte {
            b'{' => true,
            b'}' => false,
            _ => inside,
        };
        inside || !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
    };
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).iter().filter(kept).copied().collect()
}

/// Asserts that a file and its canonical form have the same content.
pub(crate) fn in_common(file: &[u8], formatted: &[u8]) {
    let said = |bytes: &[u8]| {
        let document = Document::parse(bytes).unwrap().value;
        (document.data(), document.version().into_owned(), document.is_latin1())
    };
    assert_eq!(said(file), said(formatted));
    // In the canonical form, a line break follows the last token, even inside an unclosed name.
    // Ignore it.
    let [file, formatted] = [file, formatted].map(|bytes| characters(bytes.trim_ascii_end()));
    assert_eq!(file, formatted);
}

fn check(name: &str, text: &str) -> Vec<u8> {
    crate::conformance().canonical(name, text.as_bytes()).unwrap()
}

/// The writer's output is in canonical form, and any other layout is normalised to the layout of
/// the specification's examples.
#[test]
fn all_layouts_are_normalised() {
    for seed in 0..50 {
        for layout in Layout::ALL {
            let text =
                generate::file(&mut Rng::new(seed), &Options { layout, ..Options::default() });
            let parsed = Document::parse(text.as_bytes()).unwrap();
            assert!(parsed.diagnostics.worst() < Some(Severity::Error));
            let formatted = check(&format!("{seed} {layout:?}"), &text);
            let built = Document::build(&parsed.value.data()).unwrap();
            assert_eq!(built.formatted(), *built.to_bytes());
            let lines = |bytes: &[u8]| {
                bytes
                    .split(|byte| *byte == b'\n')
                    .map(|line| line.split(|byte| *byte == b' ').count())
                    .collect::<Vec<_>>()
            };
            assert_eq!(
                lines(&formatted),
                lines(&built.to_bytes()),
                "numbers may be spelt differently"
            );
        }
    }
}

#[test]
fn text_outside_of_the_grammar_is_kept() {
    let text = "\u{feff} #MINDRENDER  1.1 2 {a}SINGLE 1 {n}STATIC +1 2.50 3 4 5 6 7 8 9 {b} \
                single\r\n  1 ";
    let expected = "#MINDRENDER 1.1\n2\n{a}\nSINGLE\n1\n{n}\nSTATIC\n+1 2.50 3\n4 5 6\n7 8 \
                    9\n{b}\nsingle\n1\n";
    assert_eq!(String::from_utf8(check("single", text)).unwrap(), expected);
}
