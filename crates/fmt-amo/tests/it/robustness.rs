//! The reader never panics, and time and memory grow linearly with input size. In addition to the
//! common suite, these tests use lines of arbitrary words and files with a million elements.

use std::fmt::Write as _;

use anim_ir::{
    Channel, Clip, Event, Joint, JointId, Limits, ParseErrorKind, Scene, Severity, Skeleton, Span,
    TimelineBuilder, TimelineId,
};
use conformance::Growth;
use fmt_amo::{Dialect, Document, FromIr, ParseOptions, ToIr, codes, from_ir, to_ir};
use proptest::prelude::*;
use test_oracle::growth::assert_linear;

use crate::fixtures;

/// Checks in addition to the common suite: the canonical form has the same content, and every scene
/// can be written.
pub(crate) fn also(bytes: &[u8]) {
    also_with(bytes, &ParseOptions::default());
}

fn also_with(bytes: &[u8], options: &ParseOptions) {
    let Ok(parsed) = Document::parse_with(bytes, options) else { return };
    let again = Document::parse_with(parsed.value.formatted(), options).unwrap().value;
    let said = |document: &Document<'_>| {
        (document.dialect(), document.positions().to_vec(), document.animations().len())
    };
    assert_eq!(said(&again), said(&parsed.value));
    let scene = to_ir(&parsed.value, &ToIr::default());
    let problems = anim_ir::validate(&scene.value);
    assert!(problems.is_empty(), "{problems:?}");
    from_ir(&scene.value, &FromIr::default()).unwrap();
}

#[test]
fn every_file_in_every_dialect() {
    for (_, bytes) in fixtures().into_iter().filter(|(_, bytes)| bytes.len() < 16 << 10) {
        for dialect in Dialect::ALL {
            also_with(&bytes, &ParseOptions::default().with_dialect(Some(dialect)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Well-formed lines in any order, with all kinds of numbers.
    #[test]
    fn lines_in_any_order(lines in prop::collection::vec((prop::sample::select(vec![
        "v", "vt", "vn", "vj", "vw", "f", "l", "p", "j", "jp", "a", "an", "ap", "ar", "k", "o",
        "ao", "cl", "g", "s", "usemtl", "mtllib", "t", "bb",
        "hk", "rb", "cv", "ci", "ih", "hnd", "end", "#", "", "0", "call",
    ]), prop::collection::vec(prop::sample::select(vec![
        "0", "1", "2", "3", "-1", "-2", "0.5", "1e3", "nan", "1/1/1", "1/1/1/1/1", "1//2",
        "-1/-1/-1/-1/-1", "0/0/0/0/0", "name", "#x", "99", "4294967296", "\\", "é",
    ]), 0..20)), 0..40)) {
        let mut text = String::new();
        for (keyword, values) in lines {
            writeln!(text, "{keyword} {}", values.join(" ")).unwrap();
        }
        crate::conformance().exercise(text.as_bytes());
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        crate::conformance().exercise(&bytes);
    }
}

/// The content does not depend on the number of threads.
#[test]
fn the_number_of_threads_does_not_affect_the_result() {
    for seed in 0..3 {
        let text = large(seed, 40_000);
        let one = Document::parse(text.as_bytes()).unwrap();
        for threads in [2, 3, 7] {
            let options = ParseOptions::default().with_threads(threads);
            let many = Document::parse_with(text.as_bytes(), &options).unwrap();
            assert_eq!(one.diagnostics.counts(), many.diagnostics.counts());
            assert_eq!(
                anim_ir::dump(&to_ir(&one.value, &ToIr::default()).value),
                anim_ir::dump(&to_ir(&many.value, &ToIr::default()).value)
            );
        }
    }
}

/// Plain lines take the fast path; lines with a comment take the slow path. Adding a comment to
/// every line must not change the result.
#[test]
fn the_fast_and_slow_paths_agree() {
    let generated = (0..3).map(|seed| (format!("large {seed}"), large(seed, 20_000).into_bytes()));
    let mut compared = 0;
    for (name, bytes) in fixtures().into_iter().chain(generated) {
        // After a comment, a line break that follows a `\` or a carriage return would change
        // meaning.
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

/// A file with all kinds of lines: some contain relative indices, some are invalid, and some are
/// continued on the next line.
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

/// A non-convex face with the given number of corners.
fn face(corners: usize) -> String {
    let vertices = corners.min(200_000);
    let mut text = String::new();
    for n in 0..vertices {
        writeln!(text, "v {n} {} 0", n % 2 * 5).unwrap();
    }
    text.push('f');
    (1..=vertices).for_each(|n| write!(text, " {n}").unwrap());
    (1..=corners - vertices).for_each(|n| write!(text, " {}", n % vertices + 1).unwrap());
    text + "\n"
}

/// A chain of joints, each the child of the previous joint. With `circle`, the first is the child
/// of the last.
fn chain(count: usize, circle: bool) -> String {
    let first = if circle { count.to_string() } else { "-1".to_owned() };
    let mut text = format!("ao worm\nv 0 0 0\nj b0 {first}\n");
    (1..count).for_each(|n| writeln!(text, "j b{n} {n}").unwrap());
    text + "a still\n"
}

/// Invalid or unusual lines, to be repeated many times.
const ODD: [&str; 11] = [
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
];

fn flood(line: &str, count: usize) -> String {
    format!("ao x\nv 0 0 0\n{}", line.repeat(count))
}

/// Faces with mismatched joint and weight rows, which are not shared between faces.
fn broken_pairs(count: usize) -> String {
    let mut text = String::from("ao x\nv 0 0 0\nj a -1\n");
    for n in 1..=count {
        writeln!(text, "vj 1 0 0 0\nvw 0.5 0.5 0 0\nf 1///{n}/{n} 1///{n}/{n} 1///{n}/{n}")
            .unwrap();
    }
    text
}

/// Parses a file with more items than the default limits allow.
fn parse(text: &str) -> anim_ir::Parsed<Document<'_>> {
    let limits = Limits { memory: Some(8 << 30), ..Limits::default() };
    Document::parse_with(text.as_bytes(), &ParseOptions::default().with_limits(limits)).unwrap()
}

/// Row O08: the face is read, but it is too large to be triangulated.
#[test]
fn a_face_of_a_million_corners() {
    let text = face(1_000_000);
    let parsed = parse(&text);
    assert_eq!(parsed.value.elements().next().unwrap().1.len(), 1_000_000);
    // Triangulating a non-convex face of this size would take too long, so the face is dropped,
    // which is reported.
    let losses = to_ir(&parsed.value, &ToIr::default()).losses;
    assert_eq!(
        anim_ir::listing(text.as_bytes(), &losses),
        "error[amo-loss-polygon]: a concave polygon must not exceed 16384 corners \
         (found 1000000)\n"
    );
}

/// Rows O14 and O17: chains and cycles of a million joints.
#[test]
fn chains_of_a_million_joints() {
    let count = 1_000_000;
    let text = chain(count, false);
    let parsed = parse(&text);
    assert!(parsed.diagnostics.is_empty());
    let scene = to_ir(&parsed.value, &ToIr::default()).value;
    assert_eq!(scene.skeletons[0].joints.last().unwrap().parent, Some(JointId::new(count - 2)));
    let written = from_ir(&scene, &FromIr::default()).unwrap().value;
    assert_eq!(written.joints().len(), count);
    drop((parsed, scene, written));

    let circle = chain(count, true);
    let parsed = parse(&circle);
    insta::assert_snapshot!(anim_ir::listing(circle.as_bytes(), &parsed.diagnostics));
}

/// Row O25, with a smaller limit so that the test does not need a gigabyte.
#[test]
fn lines_and_files_beyond_the_limits() {
    let limits = Limits { line_bytes: 1 << 20, input_bytes: 4 << 20, ..Limits::default() };
    let options = ParseOptions::default().with_limits(limits);
    let error =
        |text: &str| Document::parse_with(text.as_bytes(), &options).unwrap_err().to_string();
    assert_eq!(
        error(&format!("v 0 0 0\n#{}", "#".repeat(2 << 20))),
        "a line must not exceed 1048576 bytes (found 2097153)"
    );
    assert_eq!(
        error(&"v 0 0 0\n".repeat(600_000)),
        "the input must not exceed 4194304 bytes (found 4800000)"
    );
    let nothing = Document::parse_with(&b""[..], &options).unwrap_err();
    assert_eq!(nothing.kind(), ParseErrorKind::Format);
}

#[test]
fn names_beyond_the_limit_are_truncated() {
    let limits = Limits { name_bytes: 4, ..Limits::default() };
    let options = ParseOptions::default().with_limits(limits);
    for (name, codes) in [("limb", &[][..]), ("limbs", &["amo-name-too-long"])] {
        let text = format!("ao {name}\nv 0 0 0\n");
        let parsed = Document::parse_with(text.as_bytes(), &options).unwrap();
        assert_eq!(parsed.value.objects()[0].name, "limb");
        let found: Vec<_> = parsed.diagnostics.iter().map(|one| one.code.id).collect();
        assert_eq!(found, codes, "{name}");
    }
}

#[test]
fn control_characters_in_names_are_located() {
    let parsed = Document::parse(&b"ao li\x01mb\nv 0 0 0\n"[..]).unwrap();
    let found = parsed.diagnostics.iter().find(|one| one.code == &codes::CONTROL).unwrap();
    assert_eq!(found.span, Some(Span::new(5, 6)));
}

/// Row X10, and many occurrences of each problem: diagnostics beyond the first few are counted but
/// not kept.
#[test]
fn a_million_wrong_lines() {
    for line in ODD {
        let text = flood(line, 200_000);
        let parsed = parse(&text);
        let kept = parsed.diagnostics.iter().count();
        assert!(kept <= 40, "{line}: {kept}");
        let worst = parsed.diagnostics.worst().unwrap_or(Severity::Note);
        assert!(worst > Severity::Note || line.starts_with("usemtl"), "{line}");
    }
}

pub(crate) fn growth() -> Vec<Growth> {
    vec![
        ("all kinds of lines", 20_000, |n| large(1, n as u32).into_bytes()),
        ("a face", 20_000, |n| face(n).into_bytes()),
        ("a chain of joints", 20_000, |n| chain(n, false).into_bytes()),
        ("a cycle of joints", 20_000, |n| chain(n, true).into_bytes()),
        ("joints and weights", 5_000, |n| broken_pairs(n).into_bytes()),
        ("libraries", 10_000, |n| {
            (0..n).flat_map(|n| format!("mtllib {n}.mtl\n").into_bytes()).collect()
        }),
    ]
}

#[test]
fn many_problems_are_handled_in_linear_time() {
    let run = |text: &String| drop(to_ir(&parse(text).value, &ToIr::default()));
    for line in ODD {
        assert_linear(line, |count| flood(line, count), run, 10_000);
    }
}

#[test]
fn clips_that_each_move_one_joint_take_linear_time() {
    let scene = |count: usize| {
        let mut scene = Scene { skeletons: vec![Skeleton::new("rig")], ..Scene::default() };
        for number in 0..count {
            let joint = scene.skeletons[0].add_joint(Joint::new(format!("j{number}"), None));
            let mut builder = TimelineBuilder::new(format!("t{number}"));
            builder.constant(joint.into(), Channel::Translation, &[1.0, 0.0, 0.0]).unwrap();
            scene.timelines.push(builder.finish());
            let timeline = TimelineId::new(number);
            scene.clips.push(Clip { timeline, end: 1.0, ..Clip::default() });
        }
        scene
    };
    let write = |scene: &Scene| drop(from_ir(scene, &FromIr::default()).unwrap());
    assert_linear("clips of joints", scene, write, 1000);
}

#[test]
fn clips_and_events_of_many_groups_take_linear_time() {
    let scene = |count: usize| {
        let group = |number: usize| Some(format!("a name that is not short {number}"));
        let event = |number| Event { time: 0.5, group: group(number), ..Event::default() };
        let clip = |number| Clip { end: 1.0, group: group(number), ..Clip::default() };
        let mut builder = TimelineBuilder::new("take");
        (0..count).for_each(|number| builder.event(event(number)));
        Scene {
            skeletons: vec![Skeleton::new("rig")],
            timelines: vec![builder.finish()],
            clips: (0..count).map(clip).collect(),
            ..Scene::default()
        }
    };
    let write = |scene: &Scene| drop(from_ir(scene, &FromIr::default()).unwrap());
    assert_linear("groups", scene, write, 1500);
}

/// Names are truncated at the limit and reported.
#[test]
fn long_names_are_truncated() {
    let limits = Limits { name_bytes: 3, ..Limits::default() };
    let parse = |text: &'static str| {
        let options = ParseOptions::default().with_limits(limits);
        Document::parse_with(text.as_bytes(), &options).unwrap()
    };
    let parsed = parse("ao x\nv 0 0 0\nj abcd -1\n");
    assert_eq!(parsed.value.joints()[0].name, "abc");
    let [found] = parsed.diagnostics.iter().collect::<Vec<_>>()[..] else {
        panic!("{:?}", parsed.diagnostics)
    };
    assert_eq!(
        (found.code, &*found.message),
        (&codes::NAME, "a name of 4 bytes is truncated to 3")
    );
    assert!(parse("ao x\nv 0 0 0\nj abc -1\n").diagnostics.is_empty());
}

/// Joints are created for numbers that no line declares, but not without bound.
#[test]
fn made_up_joints_are_limited() {
    let keys: String = (2..70_000).map(|joint| format!("ap 0 {joint} 0 0 0\n")).collect();
    let text = format!("ao x\nv 0 0 0\nj a -1\na walk\n{keys}");
    let parsed = Document::parse(text.as_bytes()).unwrap();
    assert_eq!(parsed.value.joints().len(), 1 + (1 << 16));
    assert_eq!(parsed.value.animations()[0].keys.len(), 1 << 16);
}

/// Threads share a file at its line breaks, so a last line that is longer than all others belongs
/// to one of them.
#[test]
fn threads_and_one_long_line() {
    let text = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n# {}", "x".repeat(4 << 20));
    let parse = |threads| {
        let options = ParseOptions::default().with_threads(threads);
        let parsed = Document::parse_with(text.as_bytes(), &options).unwrap();
        (parsed.value.positions().to_vec(), parsed.diagnostics.iter().count())
    };
    assert_eq!(parse(4), parse(1));
    assert_eq!(parse(4).0.len(), 3);
}

/// Statements of two bytes stand for items that take thousands of bytes in a scene.
#[test]
fn items_must_be_paid_for() {
    let what = |text: &str| match Document::parse(text.as_bytes()).map_err(|error| error.kind()) {
        Err(ParseErrorKind::Limit(error)) => error.what,
        other => panic!("{:?}", other.is_ok()),
    };
    let with = |line: &str, count| format!("ao x\nv 0 0 0\n{}", line.repeat(count));
    assert_eq!(what(&with("a\n", 80_000)), "animations");
    assert_eq!(what(&with("j a -1\n", 80_000)), "joints");
    assert_eq!(what(&with("o\nf 1 1 1\n", 80_000)), "objects");
    let materials: String = (0..80_000).map(|n| format!("usemtl {n:x}\n")).collect();
    assert_eq!(what(&with(&materials, 1)), "materials");
    let lines = with("o a longer name\nv 0 0 0\nf 1 1 1\nusemtl one\ng two\ns off\n", 60_000);
    assert!(Document::parse(lines.as_bytes()).is_ok());
}
