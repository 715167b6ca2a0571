//! `animfmt render`

use std::fs;

use crate::program::{Folder, Run, animfmt, command, testdata};

/// Returns a folder with the files of the cookbook.
fn cookbook() -> Folder {
    let folder = Folder::new();
    for name in ["lamp.stt", "cuts.anm", "robot.gltf", "reed.amo", "broken.amo"] {
        folder.write(name, fs::read(testdata().join("../cookbook").join(name)).unwrap());
    }
    folder
}

#[test]
fn the_diagram_follows_from_the_name_of_the_output_or_the_content() {
    let folder = cookbook();
    for (line, title) in [
        ("lamp.stt -o a.svg", "States"),
        ("lamp.stt -o lamp_timeline.svg", "Clips and events"),
        ("lamp.stt --diagram timeline -o states.svg", "Clips and events"),
        ("lamp.stt --clip swinging -o b.svg", "Curves of swinging"),
        ("reed.amo -o c.svg", "Curves of sway"),
        ("cuts.anm -o d.SVG", "Clips and events"),
        ("cuts.anm --with robot.gltf --clip walk -o curves.svg", "Curves of Body/walk"),
    ] {
        let output = line.rsplit(' ').next().unwrap();
        folder.run(&format!("render {line}")).exits(0).err_has(format!("wrote {output} ("));
        let svg = folder.text(output);
        assert!(svg.contains(&format!("<title>{title}</title>")), "{line}: {svg}");
    }
}

#[test]
fn standard_input_and_output() {
    let folder = cookbook();
    let stt = folder.read("lamp.stt");
    let piped = Run::fed(&mut command(), "render - --diagram states -o -", &stt).exits(0);
    folder.run("render lamp.stt -o states.svg -q").exits(0).err_lacks("wrote");
    assert_eq!(piped.stdout(), folder.text("states.svg"));
    folder.run("render lamp.stt -o - --json").exits(2).err_has("standard output");
}

#[test]
fn json_names_the_picture() {
    let folder = cookbook();
    let json = folder.run("render reed.amo -o curves.svg --json").exits(0).only("render");
    assert_eq!(
        (json["file"].as_str(), json["output"].as_str()),
        (Some("reed.amo"), Some("curves.svg"))
    );
    assert_eq!(json["bytes"].as_u64(), Some(folder.read("curves.svg").len() as u64));
    let json = folder.run("render reed.amo -o curves.svg --json").exits(2).only("render");
    assert!(json["error"].as_str().unwrap().contains("--force") && json["output"].is_null());
}

#[test]
fn errors_say_what_to_do() {
    let folder = cookbook();
    for (line, status, message) in [
        ("reed.amo -o reed.jpg", 2, "error: reed.amo: cannot draw reed.jpg: "),
        ("reed.amo -o reed", 2, ".svg"),
        ("reed.amo --clip swey -o a.svg", 2, "no such clip: `swey` (did you mean `sway`?)"),
        ("lamp.stt --clip evening -o a.svg", 2, "--diagram states"),
        ("lamp.stt --clip calm -o states.svg", 2, "--clip is for --diagram curves"),
        ("reed.amo --diagram states -o a.svg", 1, "no state machine to draw"),
        ("lamp.stt -o curves.svg", 2, "several states: #1 calm, #2 swinging, #3 evening"),
        ("none.amo -o a.svg", 2, "error: none.amo: "),
    ] {
        let run = folder.run(&format!("render {line}")).exits(status);
        run.err_starts("error: ").err_has(message);
    }
    let written = folder.names("");
    assert!(written.iter().all(|name| !name.ends_with("svg")), "{written:?}");
    // The status of a file with errors is 1 although it is drawn.
    folder.run("render broken.amo -o timeline.svg").exits(1);
}

#[test]
fn neither_inputs_nor_existing_files_are_overwritten() {
    let folder = cookbook();
    folder.write("reed.svg", "mine");
    folder.run("render reed.amo -o reed.svg").exits(2).err_has("use --force to overwrite it");
    assert_eq!(folder.text("reed.svg"), "mine");
    folder.run("render reed.amo -o reed.svg --force").exits(0);
    let reed = folder.read("reed.amo");
    folder.write("in.svg", &reed);
    folder.run("render in.svg --from amo -o in.svg --force").exits(2).err_has("never overwritten");
    assert_eq!(folder.read("in.svg"), reed);
    animfmt("render ok/spec.amo").exits(2).err_has("--output <OUT>");
}
