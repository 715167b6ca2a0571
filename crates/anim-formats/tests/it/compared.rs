//! Compares every fixture with its GLB. All differences must have been reported as losses.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anim_formats::anim_ir::diff::{Options, diff};
use anim_formats::{Format, LoadOptions, convert, load, load_bytes};

use crate::{settings, testdata};

/// The kinds of differences that are allowed, and the losses that must have been reported for them.
const NAMED: [(&str, &str); 4] = [
    ("normals", "gltf-normals"),
    ("joint weights", "gltf-influences"),
    ("event", "gltf-outside-clips"),
    // The extras store the states in the older STT syntax, with the same content.
    ("extras", "ir-baked"),
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn every_fixture_equals_its_glb() {
    let mut paths = Vec::new();
    files(&testdata(""), &mut paths);
    paths.retain(|path| !path.components().any(|part| part.as_os_str() == "err"));
    paths.sort();
    let options = LoadOptions::default().with_root(Some(testdata("")));
    let glb: Format = "glb".parse().unwrap();
    let (mut compared, mut shapes, mut clips) = (0, 0, 0);
    for path in paths {
        let Ok(loaded) = load(&path, &options) else { continue };
        let Ok(written) = convert(&loaded.scene, glb, &settings(&[]), "") else { continue };
        let folder = path.parent().unwrap();
        let back = load_bytes(written.value.main, Some("a.glb"), Some(folder), &options).unwrap();
        let found = diff(&loaded.scene, &back.scene, &Options::default()).unwrap();
        let losses: BTreeSet<&str> =
            loaded.losses.iter().chain(&written.losses).map(|loss| loss.code.id).collect();
        let unexplained: Vec<_> = found
            .differences
            .iter()
            .filter(|difference| {
                !NAMED
                    .iter()
                    .any(|(kind, loss)| *kind == difference.kind() && losses.contains(loss))
            })
            .collect();
        assert!(unexplained.is_empty(), "{}: {unexplained:#?}\n{losses:?}", path.display());
        assert_eq!((found.clips_in_part, found.shapes_in_part), (0, 0), "{}", path.display());
        compared += 1;
        shapes += found.shapes;
        clips += found.clips;
    }
    assert!(compared > 500 && shapes > 300 && clips > 200, "{compared}, {shapes}, {clips}");
}
