//! Edits change only the bytes they target.

use fmt_bvh::{ChannelType, Decimals, Document, EditError, NewJoint, NewMotion};

const FILE: &str = "HIERARCHY\nROOT a\n{\n\tOFFSET 0.0 1 0\n\tCHANNELS 3 Xrotation Yrotation \
                    Zrotation\n\tEnd Site\n\t{\n\t\tOFFSET 0 1 0\n\t}\n}\nMOTION\nFrames: 2\nFrame \
                    Time: 0.033333\n1 2.0  3\n4\t5 6.50\n\n";

fn document() -> Document<'static> {
    Document::parse(FILE.as_bytes().to_vec()).unwrap().value
}

/// Returns the file with one piece of text replaced.
fn with(old: &str, new: &str) -> String {
    assert_eq!(FILE.matches(old).count(), 1, "{old}");
    FILE.replace(old, new)
}

fn text(document: &Document<'_>) -> String {
    String::from_utf8(document.to_bytes().into_owned()).unwrap()
}

type Edit = fn(&mut Document<'static>) -> Result<(), EditError>;

#[test]
fn each_edit_changes_only_its_target() {
    let cases: [(Edit, String); 11] = [
        (|file| file.set_value(0, 1, 2.5), with("1 2.0  3", "1 2.500000  3")),
        (|file| file.set_value(0, 1, 2.0), FILE.to_owned()),
        (|file| file.set_frame(1, &[4.0, 1e-9, 6.5]), with("4\t5 6.50", "4\t1e-9 6.50")),
        (|file| file.set_frame_time(1.0 / 60.0), with("0.033333", "0.016667")),
        (|file| file.set_offset(0, [0.0, 1.0, 2.0]), with("0.0 1 0", "0.0 1 2.000000")),
        (|file| file.rename(0, "the hips"), with("ROOT a", "ROOT the hips")),
        (|file| file.rename(1, "tip"), with("End Site", "End Site tip")),
        (|file| file.rename(1, ""), FILE.to_owned()),
        (
            |file| file.push_frame(&[7.0, 8.0, 9.0]),
            with("6.50\n", "6.50\n7.000000 8.000000 9.000000\n").replace("Frames: 2", "Frames: 3"),
        ),
        (|file| file.pop_frame(), with("\n4\t5 6.50", "").replace("Frames: 2", "Frames: 1")),
        (
            |file| {
                file.pop_frame()
                    .and_then(|()| file.pop_frame())
                    .and_then(|()| file.push_frame(&[0.0; 3]))
            },
            with("\n1 2.0  3\n4\t5 6.50", "\n0.000000 0.000000 0.000000")
                .replace("Frames: 2", "Frames: 1"),
        ),
    ];
    for (index, (edit, expected)) in cases.into_iter().enumerate() {
        let mut file = document();
        edit(&mut file).unwrap();
        assert_eq!(text(&file), expected, "case {index}");
        assert_eq!(file, Document::parse(expected.into_bytes()).unwrap().value, "case {index}");
    }
}

#[test]
fn rejected_edits_change_nothing() {
    let cases: [(Edit, &str); 11] = [
        (|file| file.set_value(2, 0, 0.0), "there is no frame 2"),
        (|file| file.set_value(0, 3, 0.0), "there is no channel 3"),
        (|file| file.set_value(0, 0, f32::NAN), "a number is not finite"),
        (|file| file.set_frame(0, &[0.0]), "expected 3 values per frame, found 1"),
        (|file| file.push_frame(&[0.0; 4]), "expected 3 values per frame, found 4"),
        (|file| file.set_frame_time(0.0), "invalid frame time 0: it must be positive"),
        (|file| file.set_offset(2, [0.0; 3]), "there is no joint 2"),
        (|file| file.rename(2, "b"), "there is no joint 2"),
        (|file| file.rename(0, ""), "the name `` cannot be written"),
        (|file| file.rename(0, "a\nb"), "the name `a\\u{a}b` cannot be written"),
        (|file| file.rename(0, "a {"), "the name `a {` cannot be written"),
    ];
    for (edit, expected) in cases {
        let mut file = document();
        let error = edit(&mut file).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
        assert_eq!(text(&file), FILE);
    }
}

#[test]
fn frames_are_added_to_rows_on_several_lines() {
    let start = "HIERARCHY\r\nROOT a\r\n{\r\nOFFSET 0 1 0\r\nCHANNELS 3 Xrotation Yrotation \
                 Zrotation\r\n}\r\nMOTION\r\nFrames: 1\r\nFrame Time: 0.1\r\n";
    let mut file = Document::parse(format!("{start}1 2\r\n3\r\nend").into_bytes()).unwrap().value;
    file.push_frame(&[4.0, 5.0, 6.0]).unwrap();
    assert_eq!(file.frame(1).map(|frame| frame.values().to_vec()), Some(vec![4.0, 5.0, 6.0]));
    assert!(text(&file).ends_with(
        "Frames: 2\r\nFrame Time: 0.1\r\n1 2\r\n3\r\n4.000000\r\n5.000000\r\n6.000000\r\nend"
    ));
    // The frame would be read as the rest of the previous row.
    let mut file = Document::parse(format!("{start}1 2\r\n3\r\n4 5").into_bytes()).unwrap().value;
    assert!(file.push_frame(&[4.0, 5.0, 6.0]).is_err());
}

/// Removing a row also removes the line break before it. Here, the values after the row would then
/// be on the line of `Frames:`, which has no number.
#[test]
fn a_frame_is_not_removed_if_other_text_becomes_the_count() {
    let start = "HIERARCHY\nROOT a\n{\n\tOFFSET 0 1 0\n\tCHANNELS 3 Xrotation Yrotation \
                 Zrotation\n\tEnd Site\n\t{\n\t\tOFFSET 0 1 0\n\t}\n}\nMOTION\nFrames:  \n";
    let source = format!("{start}0 0 0HIERARCHY10 20 30\n");
    let mut file = Document::parse(source.clone().into_bytes()).unwrap().value;
    assert!(file.pop_frame().is_err());
    assert_eq!(text(&file), source);
}

#[test]
fn latin1_names_stay_latin1() {
    let bytes = [FILE.replace("ROOT a", "ROOT ").into_bytes(), Vec::new()].concat();
    let at = FILE.find("ROOT a").unwrap() + 5;
    let bytes = [&bytes[..at], b"\xe9", &bytes[at..]].concat();
    let mut file = Document::parse(bytes.clone()).unwrap().value;
    let span = file.joint(0).unwrap().span();
    assert_eq!((file.is_latin1(), span.start, span.end), (true, at, at + 1));
    assert!(!document().is_latin1());
    assert_eq!(file.joint(0).unwrap().name(), "\u{e9}");
    file.rename(0, "\u{fc}").unwrap();
    assert_eq!(file.to_bytes()[at], 0xfc);
    assert!(file.rename(0, "\u{20ac}").is_err());
    // With a name like that, the file is UTF-8.
    assert!(file.rename(0, "\u{c3}\u{a9}").is_err());
    assert_eq!(file.to_bytes()[at], 0xfc);
}

/// A new file has the joints, channels and rows that the format can store, and no others.
#[test]
fn files_are_built_from_consistent_parts() {
    let joint = |parent, channels: &[ChannelType]| NewJoint {
        name: "a".to_owned(),
        parent,
        channels: channels.to_vec(),
        ..NewJoint::default()
    };
    let build = |joints: &[NewJoint], motion: Option<&NewMotion>| {
        Document::build(joints, motion, Decimals::Exact)
    };
    let rows =
        |frames, values: &[f32]| NewMotion { frame_time: 0.5, frames, values: values.into() };
    let one = [joint(None, &[ChannelType::Xposition])];
    let still = build(&one, None).unwrap();
    assert!(!still.has_motion() && !text(&still).contains("MOTION"));
    assert_eq!(anim_ir::format::Document::facts(&still, false), []);
    let moving = build(&one, Some(&rows(2, &[1.0, 2.0]))).unwrap();
    assert!(
        moving.has_motion()
            && moving.frames().flat_map(|frame| frame.values().to_vec()).eq([1.0, 2.0])
    );
    let fixed = build(&[joint(None, &[])], Some(&rows(3, &[]))).unwrap();
    assert_eq!(fixed.declared_frames(), Some(3), "rows without channels have no lines");
    for (joints, motion, says) in [
        (vec![joint(Some(1), &[])], None, "the joints are not in depth-first order"),
        (
            vec![joint(None, &[ChannelType::Unknown])],
            None,
            "a channel of unknown type cannot be written",
        ),
        (one.to_vec(), Some(rows(2, &[1.0])), "the rows do not have one value per channel"),
    ] {
        let error = build(&joints, motion.as_ref()).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}
