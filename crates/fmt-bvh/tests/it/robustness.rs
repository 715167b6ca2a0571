//! The reader never panics, and its cost is linear in input size. In addition to the common suite,
//! these tests use random words and files designed to be slow.

use conformance::Growth;
use fmt_bvh::Document;
use proptest::prelude::*;
use test_oracle::fixtures;

/// Checks in addition to the common suite: after each kind of edit, the document equals the
/// reparsed file.
pub(crate) fn also(bytes: &[u8]) {
    let Ok(parsed) = Document::parse(bytes) else { return };
    let document = parsed.value;
    let width = document.channels().len();
    let edit = |change: &dyn Fn(&mut Document<'_>) -> Result<(), fmt_bvh::EditError>| {
        let mut edited = document.clone();
        if change(&mut edited).is_ok() {
            let again = Document::parse(edited.to_bytes().into_owned()).unwrap().value;
            assert_eq!(again, edited.clone().into_owned());
        }
        edited.into_owned()
    };
    let last = document.frames().len().wrapping_sub(1);
    edit(&|edited| edited.set_value(last, width.wrapping_sub(1), 1.5));
    edit(&|edited| edited.set_offset(0, [1.5, 2.0, -0.0]));
    edit(&|edited| edited.rename(document.joints().len().wrapping_sub(1), "other name"));
    edit(&|edited| edited.set_frame_time(0.04));
    let shorter = edit(&|edited| edited.pop_frame());
    let longer = edit(&|edited| edited.push_frame(&vec![0.25; width]));
    let frames = [&shorter, &document, &longer].map(|document| document.frames().len());
    assert!(frames.is_sorted() && frames[2] - frames[0] <= 2, "{frames:?}");
}

/// Keywords of the format, and other words.
const WORDS: [&str; 24] = [
    "ROOT",
    "JOINT",
    "End",
    "Site",
    "OFFSET",
    "CHANNELS",
    "MOTION",
    "Frames:",
    "Frame Time:",
    "{",
    "}",
    "\n",
    "\r\n",
    "\t",
    "a",
    "0",
    "1.5",
    "-2e3",
    "3",
    "nan",
    "Xposition",
    "zrotation",
    "\0",
    "\u{e9}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Random words.
    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..80)) {
        crate::conformance().exercise(format!("HIERARCHY {}", words.join(" ")).as_bytes());
        let start = "HIERARCHY\nROOT a\n{ OFFSET 0 0 0 CHANNELS 2 Xposition Zrotation\n";
        crate::conformance().exercise(format!("{start}{}", words.join(" ")).as_bytes());
        let motion = "} MOTION\nFrames: 3\nFrame Time: 0.1\n";
        crate::conformance().exercise(format!("{start}{motion}{}", words.join(" ")).as_bytes());
    }
}

const JOINT: &str = "OFFSET 0 0 0 CHANNELS 3 Xrotation Yrotation Zrotation\n";

fn with_motion(joints: &str, frames: &str, rows: &str) -> Vec<u8> {
    let rest = format!("MOTION\nFrames: {frames}\nFrame Time: 0.01\n{rows}");
    format!("HIERARCHY\n{joints}{rest}").into_bytes()
}

/// Files that would be slow to read with backtracking.
pub(crate) fn growth() -> Vec<Growth> {
    vec![
        ("a chain", 5_000, |count| nested(count)),
        ("an unclosed chain", 5_000, |count| {
            let joints: String = (0..count).map(|n| format!("JOINT {n}\n{{\n{JOINT}")).collect();
            format!("HIERARCHY\n{joints}").into_bytes()
        }),
        ("roots with the same name", 5_000, |count| {
            let joints = format!("ROOT a\n{{\n{JOINT}}}\n").repeat(count);
            with_motion(&joints, "0", "")
        }),
        ("unnamed end sites", 5_000, |count| {
            let ends = "End Site\n{\nOFFSET 0 1 0\n}\n".repeat(count);
            with_motion(&format!("ROOT a\n{{\n{JOINT}{ends}}}\n"), "0", "")
        }),
        ("rows", 20_000, |count| one_joint(&"1 2 3\n".repeat(count))),
        ("one row for many channels", 5_000, |count| {
            let joints = format!("ROOT a\n{{\n{JOINT}}}\n").repeat(count);
            with_motion(&joints, "1", &"1 ".repeat(3 * count))
        }),
        ("short rows for many channels", 3_000, |count| {
            let joints = format!("ROOT a\n{{\n{JOINT}}}\n").repeat(count);
            let full = "1 ".repeat(3 * count);
            with_motion(&joints, "1", &format!("{full}\n{}", "1\n".repeat(3 * count)))
        }),
        ("one number per line", 20_000, |count| one_joint(&"1\n".repeat(3 * count))),
        ("invalid numbers", 20_000, |count| one_joint(&"1 x,5 3\n".repeat(count))),
        ("lines of text", 20_000, |count| one_joint(&"text\n".repeat(count))),
        ("braces", 50_000, |count| {
            format!("HIERARCHY\nROOT a\n{}", "{".repeat(count)).into_bytes()
        }),
        ("closing braces", 50_000, |count| {
            format!("HIERARCHY\n{}", "}".repeat(count)).into_bytes()
        }),
        ("unknown words", 5_000, |count| {
            format!("HIERARCHY\n{}", "JOIN x\n".repeat(count)).into_bytes()
        }),
        ("channels", 10_000, |count| {
            let names = "Xrotation Wrotation ".repeat(count);
            format!("HIERARCHY\nROOT a\n{{\nCHANNELS {} {names}", 2 * count).into_bytes()
        }),
    ]
}

fn one_joint(rows: &str) -> Vec<u8> {
    with_motion(&format!("ROOT a\n{{\n{JOINT}}}\n"), "1000000000", rows)
}

fn nested(count: usize) -> Vec<u8> {
    let mut joints = "ROOT r\n{\nOFFSET 0 0 0 CHANNELS 0\n".to_owned();
    joints.extend((1..count).map(|n| format!("JOINT {n}\n{{\nOFFSET 0 0 0 CHANNELS 0\n")));
    with_motion(&(joints + &"}".repeat(count) + "\n"), "0", "")
}

/// Stack usage of reading, formatting, sampling and writing does not depend on depth.
#[test]
fn a_very_long_chain_of_joints_does_not_overflow_the_stack() {
    let count = fixtures::scale(50_000, 1_000_000);
    let bytes = nested(count);
    let parsed = Document::parse(&bytes[..]).unwrap();
    assert!(parsed.diagnostics.is_empty());
    assert_eq!(parsed.value.joints().len(), count);
    assert!(parsed.value.formatted().len() < 10 * bytes.len());
    let scene = fmt_bvh::to_ir(&parsed.value, &fmt_bvh::ToIr::default()).value;
    let written = fmt_bvh::from_ir(&scene, &fmt_bvh::FromIr::default()).unwrap().value;
    assert_eq!(written.joints().len(), count + 1, "including an end site");
}
