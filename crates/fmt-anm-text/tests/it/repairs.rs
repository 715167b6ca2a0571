//! Repairs fix what they target and introduce no other errors.

use anim_ir::{Limits, Severity, fix};
use fmt_anm_text::{Document, ParseOptions, codes};
use test_oracle::fixtures;

/// Returns the file after all repairs, and the number of rounds needed.
fn repaired(bytes: &[u8]) -> (Vec<u8>, usize) {
    let options =
        ParseOptions::default().with_limits(Limits { fixes: 100_000, ..Limits::default() });
    let mut bytes = bytes.to_vec();
    for round in 0..10 {
        let parsed = Document::parse_with(&bytes[..], &options).unwrap();
        let chosen = fix::choose(&parsed.diagnostics);
        if chosen.is_empty() {
            return (bytes, round);
        }
        bytes = fix::apply(&bytes, chosen.iter().filter_map(|diagnostic| diagnostic.fix.as_ref()));
    }
    panic!("the repairs do not terminate");
}

#[test]
fn every_fixture() {
    let (mut changed, mut shown) = (0, Vec::new());
    for (name, bytes) in fixtures::all("anm-text", &["anm"], 100) {
        let Ok(parsed) = Document::parse(&bytes[..]) else { continue };
        let (after, rounds) = repaired(&bytes);
        let again = Document::parse(&after[..]).unwrap();
        assert!(again.diagnostics.iter().all(|found| found.fix.is_none()), "{name}");
        if again.diagnostics.total(Severity::Error) > parsed.diagnostics.total(Severity::Error) {
            shown.push(name.clone());
        }
        assert_eq!(rounds == 0, after == bytes, "{name}");
        changed += usize::from(rounds > 0);
    }
    assert!(changed > 12, "{changed}");
    assert_eq!(shown, [""; 0]);
}

#[test]
fn only_unambiguous_errors_are_repaired() {
    let text =
        "\u{feff}AS a\r\nbl b +childs +PARENT +parent\r\n  AN 0 5 c # why \r\nan 6 7 d # two\r\n";
    let expected = "as a\r\nbl b +children +parent\r\n# why \r\nan 0 5 c\r\n# two\r\nan 6 7 d\r\n";
    assert_eq!(String::from_utf8(repaired(text.as_bytes()).0).unwrap(), expected);
    // A repaired line is not mistaken for another line that is missing.
    assert_eq!(repaired(b"as a\nBL b\n").0, b"as a\nbl b\n");
    // These are not repaired: truncated files, names with a space, and anything ambiguous.
    for text in [
        "as a\nbl b\nan 0 1 c\nas d\nbl e +chil",
        "as a\nbl b\nan 0 1 c d\n",
        "as a\nbl b children\nann 0 1 c\nan 0 1 c\n",
    ] {
        assert_eq!(repaired(text.as_bytes()), (text.as_bytes().to_vec(), 0));
    }
}

#[test]
fn many_errors_are_repaired_in_one_round() {
    let text = format!("AS a\n{}an 0 1 c\n", "BL b +Parent +childs\nbl c\n".repeat(5_000));
    let parsed = Document::parse(text.as_bytes()).unwrap();
    assert_eq!(parsed.diagnostics.count(&codes::KEYWORD), 1, "only `AS` is reported");
    let (after, rounds) = repaired(text.as_bytes());
    assert_eq!(
        (after, rounds),
        (
            format!("as a\n{}an 0 1 c\n", "bl b +parent +children\nbl c\n".repeat(5_000))
                .into_bytes(),
            1
        )
    );
}
