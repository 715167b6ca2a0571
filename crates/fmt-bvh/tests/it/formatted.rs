//! Tests of the canonical form.

use fmt_bvh::Document;

fn formatted(text: &str) -> String {
    let document = Document::parse(text.as_bytes()).unwrap().value;
    String::from_utf8(document.formatted()).unwrap()
}

#[test]
fn statements_and_rows_are_written_on_separate_lines() {
    let text = "\u{feff}# by hand\r\n #x \r\nhierarchy root  two  words { channels 1 YROTATION \
                offset 0 1. 0\rEND SITE{ OFFSET 0 -.5 0 } } motion Frames:2\nframe time :\t.10\n\
                1e1\n\n 20 \n\ntail";
    let expected = "# by hand\n#x\nHIERARCHY\nROOT two  words\n{\n\tCHANNELS 1 Yrotation\n\
                    \tOFFSET 0 1. 0\n\tEnd Site\n\t{\n\t\tOFFSET 0 -.5 0\n\t}\n}\nMOTION\n\
                    Frames: 2\nFrame Time: .10\n1e1\n20\ntail\n";
    assert_eq!(formatted(text), expected);
}

#[test]
fn lines_outside_the_grammar_are_unchanged() {
    let start = "HIERARCHY\nROOT a\n{\n\tOFFSET 0 1 0\n\tCHANNELS 1 Yrotation\n";
    for rest in [
        "\tCOLOUR  1\n}\n",
        "JOINT  b\nOFFSET 0 0  0\n",
        "\tOFFSET 0  x 0\n",
        "MOTION  Frames: 1\n",
    ] {
        assert_eq!(formatted(&format!("{start}{rest}")), format!("{start}{}", rest.trim_start()));
    }
    let motion = "}\nMOTION\nFrames: 2\nFrame Time: 0.1\n";
    for rows in ["1 2 x\n3  4\n", "1  nan\n", "1\n2\n3 4 5\n"] {
        let text = format!("{start}{motion}{rows}").replace("CHANNELS 1", "CHANNELS 2 Xrotation");
        assert_eq!(formatted(&text), text, "{rows}");
    }
    for text in ["HIERARCHY\nROOT\nROOT  a\n{\n}\n", "HIERARCHY\nROOT\n\n JOINT b{\n"] {
        assert_eq!(formatted(text), text);
    }
    // A misspelt keyword is not the name of a channel.
    let text = "HIERARCHY\nROOT a\n{\nCHANNELS 6 Xrotation a\nFrame Time:  nan\n";
    assert_eq!(formatted(text), text);
    // The number is the value of a row.
    let text = format!("{start}}}\nMOTION\nFrames:  \n2\nFrame Time: 0.1\n");
    assert_eq!(formatted(&text), text);
}
