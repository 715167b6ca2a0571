//! `animfmt fmt`

use crate::program::{Folder, Run, animfmt, assert_runs, command, fixture, list};

const LOOSE: &str = "ao  x\r\n\r\n\r\n  v 0  0 0 # c\r\n";
const CANONICAL: &str = "ao x\n\nv 0 0 0 # c\n";

#[test]
fn text_report() {
    let folder = Folder::new();
    folder.write("loose.amo", LOOSE);
    folder.write("fine.amo", CANONICAL);
    folder.write("wrong.amo", "v 0 0 0\nf 1 2\n");
    folder.write("lamp.stt", "#MINDRENDER 1.1 1 {a} SINGLE 1 {n} STATIC 1 2 3 4 5 6 7 8 9");
    folder.write("a.kanim", "<animation ><frame time='0' ><X3D><Scene/></X3D></frame></animation>");
    assert_runs!(
        "fmt",
        [
            "fmt --check OUT/loose.amo OUT/fine.amo OUT/lamp.stt OUT/a.kanim",
            "fmt --stdout OUT/loose.amo",
            "fmt OUT/lamp.stt -o OUT/out.stt",
            "fmt OUT/lamp.stt -o OUT/out.stt",
            "fmt OUT/loose.amo OUT/fine.amo OUT/wrong.amo OUT/lamp.stt OUT/a.kanim",
            "fmt --check OUT/loose.amo OUT/fine.amo OUT/lamp.stt OUT/a.kanim OUT/out.stt",
            "fmt ../castle/ok/frames/high.x3d",
            "fmt --json --check OUT/fine.amo OUT/wrong.amo",
        ]
        .map(|line| folder.animfmt(line))
    );
    assert_eq!(folder.text("loose.amo"), CANONICAL);
    assert_eq!(folder.text("wrong.amo"), "v 0 0 0\nf 1 2\n");
    assert_eq!(folder.text("lamp.stt"), folder.text("out.stt"));
    assert_eq!(folder.names("").len(), 6, "nothing else is left behind");
}

#[test]
fn json_report() {
    let files = "ok/spec.amo ok/crlf.amo err/O07_one_corner.amo";
    let json = animfmt(format!("fmt --json --check {files}")).exits(1).json("fmt");
    let changed: Vec<_> =
        list(&json["files"]).iter().map(|file| file["changed"].as_bool()).collect();
    assert_eq!(changed, [Some(false), Some(true), None]);
}

#[test]
fn through_a_pipe() {
    let run = Run::fed(&mut command(), "fmt -", LOOSE.as_bytes()).exits(0);
    assert_eq!(run.stdout(), CANONICAL);
}

/// All files in a folder are formatted; those without a canonical form are skipped.
#[test]
fn folders() {
    let folder = Folder::with(&[("in/dot.tmd", "../tmd/ok/dot.tmd")]);
    folder.write("in/sub/loose.amo", LOOSE);
    folder.write(
        "in/cuts.anm",
        "as  arm\nbl a +children +parent\n\tev 1  x\nan 0 1 y\n# c  c \nas leg\nbl b\nan 0 1 y\n",
    );
    let run = folder.run("fmt in").exits(0);
    assert!(
        run.stderr().ends_with("2 files: 2 formatted; 1 other file skipped\n"),
        "{}",
        run.shown()
    );
    assert_eq!(folder.text("in/sub/loose.amo"), CANONICAL);
    assert_eq!(
        folder.text("in/cuts.anm"),
        "as arm\nbl a +children +parent\nev 1 x\nan 0 1 y\n\n# c  c\nas leg\nbl b\nan 0 1 y\n"
    );
    folder.run("fmt --check in").exits(0);
}

/// Binary formats have no canonical form.
#[test]
fn binary_files_are_refused() {
    for file in ["../tmd/ok/dot.tmd", "../tmd-anm/ok/T04_rate_10.anm"] {
        animfmt(format!("fmt {file}")).exits(2).err_has("is binary and has no canonical form");
    }
}

/// All byte order marks are removed, so formatting a second time changes nothing.
#[test]
fn byte_order_marks() {
    let folder = Folder::new();
    let marks = "\u{feff}\u{feff}";
    folder.write("a.amo", format!("{marks}ao x\nv 0 0 0\n"));
    let text = String::from_utf8(fixture("../anm-text/ok/example.anm")).unwrap();
    folder.write("b.anm", format!("{marks}{text}"));
    folder.run("check a.amo").out_has("begins with 2 byte order marks").out_lacks("amo-keyword");
    folder.run("fmt a.amo").exits(0);
    assert_eq!(folder.text("a.amo"), "ao x\nv 0 0 0\n");
    folder.run("check b.anm").out_has("begins with 2 byte order marks");
}

/// An input is rewritten in place, not replaced by an output of the same name.
#[test]
fn outputs_are_not_inputs() {
    let folder = Folder::new();
    folder.write("in/a.amo", "ao  x\nv 0 0 0\n");
    for output in ["in/a.amo", "in/../in/a.amo"] {
        let run = folder.run(&format!("fmt in/a.amo -o {output} --force")).exits(2);
        run.err_has("-o names the input; omit it to rewrite the file in place");
    }
    assert_eq!(folder.text("in/a.amo"), "ao  x\nv 0 0 0\n");
}
