//! The canonical form says the same as the file, once and for all.

use std::fmt::Write as _;

use anim_ir::{Diagnostics, Severity};
use fmt_amo::{Document, ToIr, codes, to_ir};
use test_oracle::amo::{self, generate};

use crate::common::fixtures;

/// Everything that the document says, without places.
fn said(document: &Document<'_>) -> String {
    let mut text = format!(
        "{} {:?} {:?}\n",
        document.dialect(),
        document.materials(),
        document.material_libraries()
    );
    let rows = document.positions().len().max(1_000);
    write!(
        text,
        "{:?}\n{:?}\n{:?}\n",
        document.positions(),
        document.texcoords(),
        document.normals()
    )
    .unwrap();
    document.elements().for_each(|element| writeln!(text, "{element:?}").unwrap());
    for row in 0..rows {
        let (joints, weights): (Vec<_>, Vec<_>) =
            (document.vertex_joints(row).collect(), document.vertex_weights(row).collect());
        write!(text, "{joints:?} {weights:?} ").unwrap();
    }
    document.objects().iter().for_each(|object| {
        writeln!(text, "{:?} {:?} {:?}", object.kind, object.name, object.mask).unwrap()
    });
    for joint in document.joints() {
        writeln!(text, "{:?} {:?} {:?} {:?}", joint.name, joint.parent, joint.rest, joint.tail)
            .unwrap();
    }
    for animation in document.animations() {
        writeln!(
            text,
            "{:?} {:?} {:?}",
            animation.name, animation.duration_ms, animation.group_times
        )
        .unwrap();
        animation
            .keys
            .iter()
            .for_each(|key| writeln!(text, "{} {} {:?}", key.joint, key.time, key.value).unwrap());
    }
    for kept in document.kept() {
        writeln!(text, "{} {:?}", kept.keyword, kept.object).unwrap();
    }
    text + &anim_ir::dump(&to_ir(document, &ToIr::default()).value)
}

/// The words of all lines: no comment, name or number is lost, and nothing is put in.
fn words(bytes: &[u8]) -> Vec<&[u8]> {
    let words = bytes.split(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    words
        .map(|word| word.strip_prefix(b"\xef\xbb\xbf").unwrap_or(word))
        .filter(|word| !word.is_empty() && *word != b"\\")
        .collect()
}

/// Everything but the mark in front, which goes.
fn problems(diagnostics: &Diagnostics) -> Vec<(&'static str, u64)> {
    let counts = diagnostics.counts().iter().filter(|(code, _)| code.id != codes::BOM.id);
    let mut problems: Vec<_> = counts.map(|(code, count)| (code.id, *count)).collect();
    problems.sort_unstable();
    problems
}

#[track_caller]
fn check(name: &str, bytes: &[u8]) -> Vec<u8> {
    let parsed = Document::parse(bytes).unwrap();
    let formatted = parsed.value.formatted();
    let again = Document::parse(&formatted[..]).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(said(&parsed.value), said(&again.value), "{name}");
    assert_eq!(problems(&parsed.diagnostics), problems(&again.diagnostics), "{name}");
    assert_eq!(words(bytes), words(&formatted), "{name}");
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
    for (name, bytes) in fixtures() {
        if Document::parse(&bytes[..]).is_ok() {
            formatted += usize::from(check(&name, &bytes) != bytes);
        }
    }
    assert!(formatted > 20, "{formatted}");
}

#[test]
fn generated_files() {
    for dialect in [
        amo::Dialect::Extobj,
        amo::Dialect::Spec,
        amo::Dialect::Editamo,
        amo::Dialect::Lines,
        amo::Dialect::Counted,
    ] {
        for seed in 0..30 {
            let bytes = generate::amo(dialect, seed);
            assert!(
                Document::parse(&bytes[..]).unwrap().diagnostics.worst() < Some(Severity::Error)
            );
            check(&format!("{dialect:?} {seed}"), &bytes);
        }
    }
}

#[test]
fn blanks_and_lines_go_to_their_places() {
    let cases: [(&str, &str); 12] = [
        ("\u{feff}\tv  1 2\t3  # c  \r\n\r\n\r\nv 0 0 0\r", "v 1 2 3 # c\n\nv 0 0 0\n"),
        ("v 1 2 3\n\n \n\t\n", "v 1 2 3\n"),
        ("  # indented \nv 0 0 0", "# indented\nv 0 0 0\n"),
        // A name may have blanks.
        ("v 0 0 0\n o   my  name  \n", "v 0 0 0\no my  name\n"),
        ("v 0 0 0\nj left  arm   -1  # c", "v 0 0 0\nj left  arm   -1 # c\n"),
        ("v 0 0 0\nf 1 \\\n  1 \\\r\n 1 # c\n", "v 0 0 0\nf 1 1 1 # c\n"),
        // What nobody knows stays.
        ("v 0 0 0\n  wobble   1 \n", "v 0 0 0\n  wobble   1 \n"),
        // A comment's backslash joins lines, unless it begins in the first column.
        ("v 0 0 0 # a \\\nv 1 1 1\nv 2 2 2\n", "v 0 0 0 # a \\\nv 1 1 1\nv 2 2 2\n"),
        ("v 0 0 0\n # a \\\nv 1 1 1\n", "v 0 0 0\n # a \\\nv 1 1 1\n"),
        ("v 0 0 0 # a \\ \nv 1 1 1\n", "v 0 0 0 # a \\ \nv 1 1 1\n"),
        ("v 0 0 0\no x\\", "v 0 0 0\no x\\ \n"),
        // Not what the first line would say.
        ("\n\n#Generated by editamo\nv 0 0 0\n", "\n#Generated by editamo\nv 0 0 0\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(String::from_utf8(check(text, text.as_bytes())).unwrap(), expected);
    }
}

#[test]
fn rows_of_blocks() {
    let matrix = "1  0 0 0 0 1 0 0 0 0 1 0 0 0 0 1";
    let text = format!("ao x\nv 1\n 0  0 0\nj 1\n f  1   -1 {matrix} \na 0\n");
    let formatted =
        String::from_utf8(check("a joint with the name of a keyword", text.as_bytes())).unwrap();
    assert_eq!(formatted, format!("ao x\nv 1\n0 0 0\nj 1\nf  1   -1 {matrix}\na 0\n"));
}
