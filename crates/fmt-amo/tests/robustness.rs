//! No input makes the reader panic, and none costs more than its size: cut files, flipped bytes,
//! files of a million of everything.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    reason = "tests fail loudly"
)]

mod common;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anim_ir::{Limits, Severity};
use fmt_amo::{Dialect, Document, FromIr, ParseError, ParseOptions, ToIr, from_ir, to_ir};
use proptest::prelude::*;

/// Everything that can be done with a file: read, write back, make a scene, check it, write that.
fn exercise(bytes: &[u8], options: &ParseOptions) {
    let Ok(parsed) = Document::parse_with(bytes, options) else { return };
    assert_eq!(parsed.value.to_bytes(), bytes, "unedited, every byte");
    for diagnostic in &parsed.diagnostics {
        if let Some(span) = diagnostic.span {
            assert!(span.start <= span.end && span.end <= bytes.len(), "{diagnostic:?}");
        }
        assert!(diagnostic.message.len() <= 500, "{}", diagnostic.message);
    }
    let formatted = parsed.value.formatted();
    let again = Document::parse_with(&formatted[..], options).unwrap().value;
    assert_eq!(
        (again.dialect(), again.positions(), again.animations().len()),
        (parsed.value.dialect(), parsed.value.positions(), parsed.value.animations().len())
    );
    assert_eq!(again.formatted(), formatted);
    let scene = to_ir(&parsed.value, &ToIr::default());
    let problems = anim_ir::validate(&scene.value);
    assert!(problems.is_empty(), "{problems:?}");
    from_ir(&scene.value, &FromIr::default()).unwrap();
}

/// The smallest files are the ones to cut: each names its point, and most lines of all dialects
/// occur.
fn small_fixtures() -> impl Iterator<Item = (String, Vec<u8>)> {
    common::fixtures().into_iter().filter(|(_, bytes)| bytes.len() < 16 << 10)
}

#[test]
fn every_truncation_of_every_small_file() {
    for (_, bytes) in small_fixtures() {
        for length in 0..bytes.len() {
            exercise(&bytes[..length], &ParseOptions::default());
        }
    }
}

#[test]
fn every_byte_flipped() {
    for (_, mut bytes) in small_fixtures() {
        for at in 0..bytes.len() {
            for mask in [0x01, 0x10, 0xff] {
                bytes[at] ^= mask;
                exercise(&bytes, &ParseOptions::default());
                bytes[at] ^= mask;
            }
        }
    }
}

#[test]
fn every_file_in_every_dialect() {
    for (_, bytes) in small_fixtures() {
        for dialect in Dialect::ALL {
            exercise(&bytes, &ParseOptions { dialect: Some(dialect), ..ParseOptions::default() });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Lines of the right shape in any order, with numbers of every kind.
    #[test]
    fn lines_in_any_order(lines in prop::collection::vec((prop::sample::select(vec![
        "v", "vt", "vn", "vj", "vw", "f", "l", "p", "j", "jp", "a", "an", "ap", "ar", "k", "o", "ao", "cl", "g", "s", "usemtl", "mtllib", "t", "bb",
        "hk", "rb", "cv", "ci", "ih", "hnd", "end", "#", "", "0", "call",
    ]), prop::collection::vec(prop::sample::select(vec![
        "0", "1", "2", "3", "-1", "-2", "0.5", "1e3", "nan", "1/1/1", "1/1/1/1/1", "1//2", "-1/-1/-1/-1/-1", "0/0/0/0/0", "name", "#x", "99", "4294967296", "\\", "é",
    ]), 0..20)), 0..40)) {
        let mut text = String::new();
        for (keyword, values) in lines {
            writeln!(text, "{keyword} {}", values.join(" ")).unwrap();
        }
        exercise(text.as_bytes(), &ParseOptions::default());
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        exercise(&bytes, &ParseOptions::default());
    }
}

/// What one thread reads, several read as well.
#[test]
fn threads_make_no_difference() {
    for seed in 0..3 {
        let text = large(seed, 40_000);
        let one = Document::parse(text.as_bytes()).unwrap();
        for threads in [2, 3, 7] {
            let many = Document::parse_with(
                text.as_bytes(),
                &ParseOptions { threads, ..ParseOptions::default() },
            )
            .unwrap();
            assert_eq!(one.diagnostics.counts(), many.diagnostics.counts());
            assert_eq!(
                anim_ir::dump(&to_ir(&one.value, &ToIr::default()).value),
                anim_ir::dump(&to_ir(&many.value, &ToIr::default()).value)
            );
        }
    }
}

/// Plain lines take a short way, lines with a comment do not: a comment on every line must make no
/// difference.
#[test]
fn the_short_way_reads_what_the_long_way_reads() {
    let generated = (0..3).map(|seed| (format!("large {seed}"), large(seed, 20_000).into_bytes()));
    let mut compared = 0;
    for (name, bytes) in common::fixtures().into_iter().chain(generated) {
        // A line end behind a `\\` or a carriage return means something else once a comment stands
        // before it.
        if bytes.contains(&b'\r') || bytes.windows(2).any(|pair| pair == b"\\\n") {
            continue;
        }
        let commented: Vec<u8> = bytes
            .split(|byte| *byte == b'\n')
            .map(
                |line| if line.starts_with(b"#") { line.to_vec() } else { [line, b" # "].concat() },
            )
            .collect::<Vec<_>>()
            .join(&b'\n');
        let (Ok(plain), Ok(commented)) =
            (Document::parse(&bytes[..]), Document::parse(&commented[..]))
        else {
            continue;
        };
        assert_eq!(plain.diagnostics.counts(), commented.diagnostics.counts(), "{name}");
        let dump =
            |document: &Document<'_>| anim_ir::dump(&to_ir(document, &ToIr::default()).value);
        assert_eq!(dump(&plain.value), dump(&commented.value), "{name}");
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

/// A file of lines of all kinds, some with relative indices, some wrong, some continued.
fn large(seed: u32, lines: u32) -> String {
    let mut text = String::from(
        "ao big\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvj 1 0 0 0\nvw 1 0 0 0\nj root -1\na clip\n",
    );
    for n in 0..lines {
        let x = n.wrapping_mul(2_654_435_761).wrapping_add(seed);
        match x % 13 {
            0..=4 => writeln!(text, "v {}.{} 1 -{n}", x % 7, x % 1000),
            5 => writeln!(text, "f -1 -2 -3"),
            6 => writeln!(text, "f 1/1 2/1 {}", n % 4 + 1),
            7 => writeln!(text, "vt 0.{} 0.5", x % 999),
            8 => writeln!(text, "f -3///-1/-1 -2///-1/-1 \\\n -1///-1/-1"),
            9 => writeln!(text, "ap {} 1 0 {n} 0", n),
            10 => writeln!(text, "usemtl m{}", n % 3),
            11 => writeln!(text, "f 1 2 999999999"),
            _ => writeln!(text, "v 1 {} x", n),
        }
        .unwrap();
    }
    text
}

fn parse(text: &str) -> anim_ir::Parsed<Document<'_>> {
    let start = Instant::now();
    let parsed = Document::parse(text.as_bytes()).unwrap();
    // Without optimisation and on a busy machine: still far from what a quadratic step would take.
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    parsed
}

/// Row O08.
#[test]
fn a_face_of_a_million_corners() {
    let mut text = String::new();
    for n in 0..200_000 {
        writeln!(text, "v {n} {} 0", u64::from(n % 2_u32) * 5).unwrap();
    }
    text.push('f');
    (1..=200_000).for_each(|n| write!(text, " {n}").unwrap());
    (1..=800_000).for_each(|n| write!(text, " {}", n % 200_000 + 1).unwrap());
    text.push('\n');
    let parsed = parse(&text);
    assert_eq!(parsed.value.elements().next().unwrap().1.len(), 1_000_000);
    // Not convex: cutting it takes too long, which is said.
    let losses = to_ir(&parsed.value, &ToIr::default()).losses;
    assert_eq!(
        anim_ir::listing(text.as_bytes(), &losses),
        "error[amo-loss-polygon]: a polygon that is not convex has 1000000 corners, more than the \
         limit of 2048\n"
    );
}

/// Rows O14 and O17: chains and circles of a million joints.
#[test]
fn chains_of_a_million_joints() {
    let count = 1_000_000;
    let mut chain = String::from("ao worm\nv 0 0 0\na still\n");
    (0..count).for_each(|n| {
        writeln!(chain, "j b{n} {}", if n == 0 { "-1".to_owned() } else { n.to_string() }).unwrap()
    });
    let parsed = parse(&chain);
    assert!(parsed.diagnostics.is_empty());
    let scene = to_ir(&parsed.value, &ToIr::default()).value;
    assert_eq!(scene.skeletons[0].joints.last().unwrap().parent, Some(count - 2));
    let written = from_ir(&scene, &FromIr::default()).unwrap().value;
    assert_eq!(written.joints().len(), count);
    drop((parsed, scene, written));

    let mut circle = String::from("ao worm\nv 0 0 0\n");
    (0..count).for_each(|n| writeln!(circle, "j b{n} {}", if n == 0 { count } else { n }).unwrap());
    let parsed = parse(&circle);
    insta::assert_snapshot!(anim_ir::listing(circle.as_bytes(), &parsed.diagnostics), @r"
    error[amo-joint-cycle] 3:6: joints are their own ancestors: `b0` → `b999999` → `b999998` → `b999997` → `b999996` → `b999995` → `b999994` → `b999993` → `b999992` → `b999991` → … (1000000 joints)
        j b0 1000000
             ^^^^^^^
    ");
}

/// Row O25, with a smaller limit so that the test needs no gigabyte.
#[test]
fn lines_and_files_beyond_the_limits() {
    let limits = Limits { line_bytes: 1 << 20, input_bytes: 4 << 20, ..Limits::default() };
    let options = ParseOptions { limits, ..ParseOptions::default() };
    let error =
        |text: &str| Document::parse_with(text.as_bytes(), &options).unwrap_err().to_string();
    assert_eq!(
        error(&format!("v 0 0 0\n#{}", "#".repeat(2 << 20))),
        "a line has 2097153 bytes, more than the limit of 1048576"
    );
    assert_eq!(
        error(&"v 0 0 0\n".repeat(600_000)),
        "the input has 4800000 bytes, more than the limit of 4194304"
    );
    assert!(matches!(Document::parse_with(&b""[..], &options), Err(ParseError::NotAmo)));
}

/// Row X10, and floods of each kind: counted, not kept.
#[test]
fn a_million_wrong_lines() {
    for line in [
        "wobble\n",
        "f 1 2 3\n",
        "ap 0 1 0 0\n",
        "v 1 x 2\n",
        "f 0\n",
        "vj 1 2 3\n",
        "0 0 0\n",
        "a twin\n",
        "usemtl m\n",
        "j twin -1\n",
        "vj 1 9 0 0\nvw 2 -1 0 0\n",
    ] {
        let text = format!("ao x\nv 0 0 0\n{}", line.repeat(200_000));
        let parsed = parse(&text);
        let kept = parsed.diagnostics.iter().count();
        assert!(kept <= 40, "{line}: {kept}");
        let worst = parsed.diagnostics.worst().unwrap_or(Severity::Note);
        assert!(worst > Severity::Note || line.starts_with("usemtl"), "{line}");
    }
}

/// Two sizes: eight times the input must not take much more than eight times as long.
#[test]
fn time_is_linear() {
    let time = |lines: u32| {
        let text = large(1, lines);
        let start = Instant::now();
        let parsed = Document::parse(text.as_bytes()).unwrap();
        let scene = to_ir(&parsed.value, &ToIr::default());
        std::hint::black_box(scene);
        start.elapsed().as_secs_f64()
    };
    time(10_000);
    let (small, great) = (
        (0..3).map(|_| time(20_000)).fold(f64::MAX, f64::min),
        (0..3).map(|_| time(160_000)).fold(f64::MAX, f64::min),
    );
    assert!(great < small * 8.0 * 4.0, "{small} s and {great} s");
}
