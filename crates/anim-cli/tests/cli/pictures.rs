//! The pictures in the docs are what the program draws.
//!
//! After an intended change, `TRYCMD=overwrite cargo test -p anim-cli pictures` draws them again.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::program::{Folder, Run, command, pixels};

/// The pictures in `docs`, and what `render` is given to draw them, in `testdata`.
const PICTURES: [(&str, &str); 3] = [
    ("octopus_arm.png", "amo/ok/octopus_arm.amo --size 200x220 --background #f3f4f6"),
    ("lamp_states.svg", "cookbook/lamp.stt"),
    ("robot_timeline.svg", "cookbook/cuts.anm --with cookbook/robot.gltf"),
];

#[test]
fn the_pictures_in_the_docs_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Folder::new();
    for (name, line) in PICTURES {
        let drawn = folder.path(name);
        let line = format!("render {line} -o {}", drawn.to_str().unwrap());
        let mut command = command();
        let command = command.args(line.split(' ')).current_dir(root.join("testdata"));
        Run::of(command, &line, Some(&folder)).exits(0);
        let committed = root.join("docs").join(name);
        if std::env::var_os("TRYCMD").as_deref() == Some(OsStr::new("overwrite")) {
            fs::copy(&drawn, &committed).unwrap();
        }
        let [committed, drawn] = [committed, drawn].map(|path| fs::read(path).unwrap());
        assert!(is_like(&committed, &drawn), "{name} differs");
    }
}

/// Whether two files have the same text, or pictures whose colours differ by at most 1 of 255.
fn is_like(a: &[u8], b: &[u8]) -> bool {
    if !a.starts_with(b"\x89PNG") {
        return a == b;
    }
    let [(size, a), (other, b)] = [a, b].map(pixels);
    size == other && a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| a.abs_diff(*b) <= 1)
}

#[test]
fn every_picture_in_the_docs_is_drawn_by_the_program() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for entry in fs::read_dir(docs).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_drawn = PICTURES.iter().any(|(picture, _)| *picture == name);
        let is_picture = [".svg", ".png", ".gif"].iter().any(|end| name.ends_with(end));
        assert!(is_drawn || !is_picture, "{name} is not in the list");
    }
}
