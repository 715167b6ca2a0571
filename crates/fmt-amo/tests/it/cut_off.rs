//! Files that look cut off. The problem is reported first and only once, and nothing is repaired.

use anim_ir::Diagnostics;
use fmt_amo::{Dialect, Document, ParseOptions, codes};

/// A skinned triangle in a Vasall engine dialect, in which weights may have any sum.
const LINES: &str = "ao x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvj 0 2 -1 -1\nvw 0.9 0.4 0 0\nf 1///1/1 \
                     2///1/1 3///1/1\nj a -1\nj b 1\nj d 1\na c\nk 0\nap 1 0 0 0\n";

fn read(text: &str) -> Diagnostics {
    Document::parse(text.as_bytes()).unwrap().diagnostics
}

fn codes_of(diagnostics: &Diagnostics) -> Vec<&'static str> {
    diagnostics.iter().map(|found| found.code.id).collect()
}

/// The text before the line that begins with `line`.
fn before<'a>(text: &'a str, line: &str) -> &'a str {
    let at = text.find(&format!("\n{line}")).unwrap();
    &text[..=at]
}

#[test]
fn a_file_without_its_joints_is_cut_off_and_its_weights_are_kept() {
    assert_eq!(codes_of(&read(LINES)), [""; 0]);
    let found = read(before(LINES, "j a"));
    assert_eq!(codes_of(&found), [codes::CUT_OFF.id]);
    let found = read(before(LINES, "j b"));
    assert_eq!(codes_of(&found), [codes::CUT_OFF.id]);
    let message = &found.iter().next().unwrap().message;
    assert!(message.ends_with("bound to joints up to 2, but it ends after 1 joint"), "{message}");
}

#[test]
fn weights_are_repaired_only_if_the_dialect_is_certain() {
    let weight = |text: &str, dialect: Option<Dialect>| {
        let options = ParseOptions::default().with_dialect(dialect);
        let found = Document::parse_with(text.as_bytes(), &options).unwrap().diagnostics;
        let mut sums = found.iter().filter(|found| found.code == &codes::WEIGHT_SUM);
        sums.next().map(|found| (found.fix.is_some(), found.help.clone().unwrap()))
    };
    // With all joints but no key, the dialect is uncertain.
    let text = before(LINES, "a c");
    let (is_repaired, help) = weight(text, None).unwrap();
    assert!(!is_repaired && help.contains("`--dialect spec`"), "{help}");
    assert!(weight(text, Some(Dialect::Spec)).unwrap().0, "dialect specified by the user");
    assert_eq!(weight(text, Some(Dialect::Lines)), None);
    let with_a_time = format!("{text}a c\nap 0 1 0 0 0\n");
    assert!(weight(&with_a_time, None).unwrap().0, "dialect identified by the key");
}

#[test]
fn a_number_at_the_very_end_is_not_repaired() {
    let head = "v 0 0 0\nj a -1\na c\nap 0 1 0 0 0\n";
    for last in ["ar 0 1 0 0 0 3", "vw 0.5 0 0 0"] {
        let fixes = |text: String| read(&text).iter().filter(|found| found.fix.is_some()).count();
        assert_eq!(fixes(format!("{head}{last}")), 0, "{last}");
        assert_eq!(fixes(format!("{head}{last}\n")), 1, "{last}");
    }
}

#[test]
fn an_incomplete_last_line_is_reported_once_and_prevents_repairs() {
    let head = "V 0 0 0\nj a -1\na c\nap 0 1 0 0 0\n";
    let found = read(&format!("{head}ap 1 1 0"));
    assert_eq!(codes_of(&found), [codes::TRUNCATED.id, codes::KEYWORD.id]);
    assert!(found.iter().all(|found| found.fix.is_none()));
    let first = found.iter().next().unwrap();
    assert!(first.message.contains("`ap` needs a time, a joint and 3 coordinates"));
    assert!(first.help.as_ref().unwrap().ends_with("a file that looks truncated is not repaired"));
    // With a line break, the line is an ordinary error.
    let found = read(&format!("{head}ap 1 1 0\n"));
    assert_eq!(codes_of(&found), [codes::KEYWORD.id, codes::FIELDS.id]);
    assert!(found.iter().next().unwrap().fix.is_some());
}

#[test]
fn an_incomplete_block_at_the_end_is_reported_once() {
    let counted = "ao x\nv 3\n0 0 0\n1 0 0\n0 1 0\nj 1\nroot 0 -1 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 \
                   1\na 1\nan c 1000 1\nk 0.0 2\n0 0 0 0 1 0 0 0\n";
    for (text, message) in [
        (before(counted, "0 1 0"), "`v` declares 3 rows, but the file ends after 2"),
        (counted, "`k` declares 2 rows, but the file ends after 1"),
        (before(counted, "an"), "`a` declares 1 animation, but the file ends after 0"),
    ] {
        let found = read(text);
        assert_eq!(codes_of(&found), [codes::TRUNCATED.id], "{text}");
        let found = &found.iter().next().unwrap().message;
        assert!(found.ends_with(message), "{found}");
    }
}

/// Many faces can refer to the same missing or invalid line.
#[test]
fn a_missing_row_is_reported_once() {
    let faces = "f 1///1/2 2///1/3 3///1/4\nf 1///1/2 2///1/3 3///1/4\n".repeat(500);
    let head = "ao x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvj 1 0 0 0\n";
    let tail = "j a -1\na c\nap 0 1 0 0 0\n";
    let found = read(&format!("{head}vw 1 0 0 0\n{faces}{tail}"));
    assert_eq!(found.count(&codes::ATTRIBUTE_INDEX), 3, "one per missing row");
    let found = read(&format!("{head}{faces}{tail}"));
    let messages: Vec<&str> = found.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(
        messages[0],
        "weight row 2 does not exist: the file has no `vw` lines (the first of 1000 corners)"
    );
    assert_eq!(found.count(&codes::ATTRIBUTE_INDEX), 3);
    let found = read("v 0 0 0\nv 1 0 0\nv 0 0 x\nf 1 2 3\nf 2 1 3\n");
    assert_eq!(codes_of(&found), [codes::NUMBER.id, codes::UNUSABLE.id]);
}

#[test]
fn rows_without_a_header_are_reported_once() {
    let rows = "0 0 0\n".repeat(1_000);
    let found = read(&format!("v 2\n0 0 0\n1 0 0\nx 1000\n{rows}vn 1\n0 0 1\n"));
    assert_eq!(codes_of(&found), [codes::KEYWORD.id, codes::STRAY_ROW.id]);
    let stray = found.iter().last().unwrap();
    assert_eq!(stray.message, "1000 rows outside any block, starting with `0`");
    // A row whose first number is invalid does not end its block.
    let found = read(&format!("v 1002\n0 0 0\nx0 0 0\n{rows}vn 1\n0 0 1\nusemtl x\n"));
    assert_eq!(codes_of(&found), [codes::NUMBER.id]);
}

#[test]
fn a_file_that_ends_in_its_vertices_is_cut_off() {
    let rows = "ao x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\n";
    let found = read(rows);
    assert_eq!(codes_of(&found), [codes::CUT_OFF.id]);
    let message = &found.iter().next().unwrap().message;
    assert!(message.contains("3 positions but no face"), "{message}");
    let counted = "ao x\nv 3\n0 0 0\n1 0 0\n0 1 0\n";
    assert_eq!(codes_of(&read(counted)), [codes::CUT_OFF.id]);
    for complete in ["p 1 2 3\n", "f 1 2 3\n", "# end\n", "j a -1\n"] {
        assert_eq!(codes_of(&read(&format!("{rows}{complete}"))), [""; 0], "{complete}");
    }
    assert_eq!(codes_of(&read("ao x\nv 0 0 0\nv 1 0 0\n")), [""; 0], "too few for a face");
}

/// Whether digits are missing cannot be known, so the number is only pointed out.
#[test]
fn a_number_at_the_very_end_is_noted() {
    let text = "ao x\nv 0 0 0\nv 1 0 0\nv 1 2 0\nf 1 2 3\nvt 0 0.98";
    let note = codes::NO_LINE_BREAK.id;
    for (end, expected) in [("", vec![note]), ("\n", vec![]), ("\r", vec![]), (" ", vec![])] {
        assert_eq!(codes_of(&read(&format!("{text}{end}"))), expected, "{end:?}");
    }
    assert_eq!(codes_of(&read("v 0 0 0\no name")), [""; 0], "not a number");
}

#[test]
fn a_cut_in_the_last_corner_is_an_error() {
    let corner = "1/1/1/1/1";
    let head = "ao x\nv 0 0 0\nvt 0 0\nvn 0 0 1\nvj 1 0 0 0\nvw 1 0 0 0\n";
    for cut in ["1", "1/", "1/1", "1/1/", "1/1/1/", "1/1/1/1/"] {
        let found = read(&format!("{head}f {corner} {corner} {cut}"));
        assert_eq!(codes_of(&found), [codes::TRUNCATED.id], "{cut}");
    }
    let whole = read(&format!("{head}f {corner} {corner} {corner}\n"));
    assert_eq!(codes_of(&whole), [codes::CUT_OFF.id], "only its joints are missing");
}

#[test]
fn a_cut_in_a_row_of_a_block_is_one_error() {
    let found = read("ao x\nv 3\n0 0 0\n1 0");
    assert_eq!(codes_of(&found), [codes::TRUNCATED.id]);
    assert!(found.iter().next().unwrap().message.contains("`v` declares 3 rows"));
}

/// A line that ends before its last value, at the end of a file without a line break, is a sign of
/// truncation, not an error to be corrected.
#[test]
fn a_joint_without_its_parent_at_the_end_looks_cut_off() {
    let codes = |text: &str| -> Vec<&'static str> {
        let parsed = Document::parse(text.as_bytes()).unwrap();
        parsed.diagnostics.iter().map(|found| found.code.id).collect()
    };
    for end in ["j tip", "j tip "] {
        assert_eq!(codes(&format!("ao a\nv 0 0 0\nj hand -1\n{end}")), ["amo-truncated"], "{end}");
    }
    assert_eq!(codes("ao a\nv 0 0 0\nj tip\nj hand -1\n"), ["amo-parent"]);
}
