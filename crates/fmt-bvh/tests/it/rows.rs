//! The assignment of values to rows, regardless of line breaks, and recovery from invalid values.

use anim_ir::Curve;
use fmt_bvh::{Document, ToIr, codes, to_ir};

const HIERARCHY: &str = "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 3 Xposition Yposition \
                         Zposition\n}\n";

/// Returns the frame numbers, their values, and the codes of the diagnostics.
fn read(frames: usize, rows: &str) -> (Vec<usize>, Vec<f32>, Vec<&'static str>) {
    let text = format!("{HIERARCHY}MOTION\nFrames: {frames}\nFrame Time: 0.1\n{rows}");
    let parsed = Document::parse(text.as_bytes()).unwrap();
    let frames = parsed.value.frames();
    (
        frames.clone().map(|frame| frame.number()).collect(),
        frames.flat_map(|frame| frame.values().to_vec()).collect(),
        parsed.diagnostics.iter().map(|found| found.code.id).collect(),
    )
}

const SHORT: &str = codes::ROW_SHORT.id;
const LONG: &str = codes::ROW_LONG.id;
const FRAMES: &str = codes::FRAMES.id;

#[test]
fn values_are_split_by_count_if_no_line_has_the_right_length() {
    let both = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    for rows in
        ["1 2 3\n4 5 6\n", "1 2 3 4 5 6", "1\n2\n3\n\n4\n5\n6", "1 2\n3\n4\n5 6\n", "1 2\n3 4\n5 6"]
    {
        assert_eq!(read(2, rows), (vec![0, 1], both.clone(), vec![]), "{rows}");
    }
}

#[test]
fn each_line_is_a_row_if_any_line_has_the_right_length() {
    assert_eq!(
        read(4, "1 2 3\n4 5\n6 7 8 9\n7 8 9\n"),
        (vec![0, 2, 3], vec![1., 2., 3., 6., 7., 8., 7., 8., 9.], vec![SHORT, LONG])
    );
    // Lines are not joined: a line that would make a row too long starts the next one.
    assert_eq!(read(9, "1 2\n3 4\n5 6\n"), (vec![], vec![], vec![FRAMES, SHORT]));
    assert_eq!(
        read(2, "1 2 3 4\n1 2 3 4\n"),
        (vec![0, 1], vec![1., 2., 3., 1., 2., 3.], vec![LONG]),
        "rows with the same length are reported once"
    );
}

#[test]
fn an_invalid_number_is_replaced_with_the_previous_value() {
    let (numbers, values, found) = read(3, "1 2 x\n4 nan 6\n1e99 8 9");
    assert_eq!(numbers, [0, 1, 2]);
    assert_eq!(values, [1., 2., 0., 4., 2., 6., 4., 8., 9.]);
    assert_eq!(found, [codes::NUMBER.id, codes::NOT_FINITE.id, codes::NOT_FINITE.id]);
}

#[test]
fn a_skipped_row_is_interpolated() {
    let text = format!("{HIERARCHY}MOTION\nFrames: 3\nFrame Time: 0.1\n0 0 0\n1 1\n4 0 0\n");
    let document = Document::parse(text.as_bytes()).unwrap().value;
    let scene = to_ir(&document, &ToIr::default()).value;
    assert_eq!(scene.clips[0].end, 0.2);
    assert_eq!(scene.timelines[0].tables()[0].times(), [0.0, 0.2]);
}

#[test]
fn the_declared_frame_count_allocates_nothing() {
    let (numbers, _, found) = read(1_000_000_000, "1 2 3\n");
    assert_eq!((numbers, found), (vec![0], vec![FRAMES]));
}

#[test]
fn the_frame_rate_can_be_overridden() {
    let text = format!("{HIERARCHY}MOTION\nFrames: 2\nFrame Time: 0.0083333\n0 0 0\n1 1 1\n");
    let document = Document::parse(text.as_bytes()).unwrap().value;
    assert_eq!(document.frame_time_text().as_deref(), Some("0.0083333"));
    assert_eq!(
        (document.frame_time(), document.frames_per_second()),
        (Some(0.0083333), Some(120.0))
    );
    let end = |rate| {
        let options = ToIr::default().with_frames_per_second(rate);
        to_ir(&document, &options).value.clips[0].end
    };
    assert_eq!(
        [None, Some(10.0), Some(0.0), Some(f64::NAN)].map(end),
        [1.0 / 120.0, 0.1, 1.0 / 120.0, 1.0 / 120.0]
    );
}

/// A joint that is open where the motion begins is checked. One at which the file ends may have
/// been cut off before what it lacks.
#[test]
fn joints_that_are_not_closed() {
    let open = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n";
    let said = |rest: &str| {
        let parsed = Document::parse(format!("{open}{rest}").into_bytes()).unwrap();
        parsed.diagnostics.iter().map(|found| found.code.id).collect::<Vec<_>>()
    };
    assert_eq!(
        said("MOTION\nFrames: 0\nFrame Time: 0.1\n"),
        ["bvh-channels-missing", "bvh-unclosed"]
    );
    assert_eq!(said(""), ["bvh-unclosed"]);
    assert_eq!(said("JOINT b\n{\n"), ["bvh-unclosed", "bvh-channels-missing"]);
}

/// Frames so short that their times are equal in f32 have no motion; the first row is kept.
#[test]
fn frames_at_equal_times_are_still() {
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\n}\nMOTION\nFrames: \
                2\nFrame Time: 1e-60\n3\n4\n";
    let parsed = Document::parse(text.as_bytes()).unwrap().value;
    let scene = to_ir(&parsed, &ToIr::default()).value;
    let [track] = scene.timelines[0].tracks() else { panic!("{:?}", scene.timelines) };
    assert_eq!(track.curve, Curve::Constant(vec![3.0, 0.0, 0.0]));
}
