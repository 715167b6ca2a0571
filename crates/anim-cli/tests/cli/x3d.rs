//! X3D as an output.

use std::fs;

use crate::program::{Folder, animfmt};

/// A folder with an animated model.
fn reed() -> Folder {
    let folder = Folder::new();
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/cookbook/reed.amo");
    folder.write("reed.amo", fs::read(model).unwrap());
    folder
}

#[test]
fn the_extension_decides_encoding_and_compression() {
    let folder = reed();
    for (name, start) in [
        ("reed.x3d", &b"<?xml "[..]),
        ("reed.x3dv", b"#X3D V4.0 utf8\n"),
        ("reed.x3dz", b"\x1f\x8b"),
        ("reed.x3dvz", b"\x1f\x8b"),
        ("reed.x3d.gz", b"\x1f\x8b"),
        ("reed.x3dv.gz", b"\x1f\x8b"),
    ] {
        folder.convert(&format!("reed.amo {name}")).exits(0);
        assert!(fs::read(folder.path(name)).unwrap().starts_with(start), "{name}");
        folder.run(&format!("diff {name} reed.x3d")).exits(0);
    }
    folder.convert("reed.amo reed.glb.gz").exits(2).err_has("GLB cannot be written compressed");
}

#[test]
fn a_file_in_its_own_encoding_stays_as_it_is() {
    let folder = reed();
    folder.convert("reed.amo reed.x3d").exits(0);
    folder.convert("reed.x3d copy.x3d").exits(0);
    let same =
        |a: &str, b: &str| fs::read(folder.path(a)).unwrap() == fs::read(folder.path(b)).unwrap();
    assert!(same("reed.x3d", "copy.x3d"));
    folder.convert("reed.x3d other.x3dv").exits(0);
    folder.convert("other.x3dv back.x3d").exits(0);
    folder.run("diff reed.x3d back.x3d").exits(0);
    folder.write(
        "old.wrl",
        "#VRML V2.0 utf8\nDEF A Transform { children Shape { geometry Box { } } }\n",
    );
    folder.convert("old.wrl new.x3d").exits(0);
    let new = fs::read_to_string(folder.path("new.x3d")).unwrap();
    assert!(new.starts_with("<?xml ") && new.contains("<Transform DEF='A'>"), "{new}");
}

#[test]
fn addresses_are_not_copied_to_another_folder() {
    let folder = reed();
    folder.convert("reed.amo reed.x3d").exits(0);
    folder.write("all.x3d", "<X3D><Scene><Inline url='\"reed.x3d\"'/></Scene></X3D>");
    fs::create_dir(folder.path("out")).unwrap();
    folder.convert("all.x3d out/all.x3d").exits(0);
    folder.run("diff reed.x3d out/all.x3d --only motion,shapes").exits(0);
    animfmt("check --explain x3d-loss-skin").exits(0);
}

/// The document is compressed or unpacked; nothing else changes.
#[test]
fn the_name_of_a_copy_decides_its_compression() {
    let folder = Folder::new();
    let lit = "<X3D><head><meta name='a' content='b'/></head><!-- keep --><Scene>\
               <DirectionalLight/><Shape><Box/></Shape></Scene></X3D>";
    let classic = "#X3D V3.0 utf8\n# keep\nDirectionalLight { }\nShape { geometry Box { } }\n";
    for (text, plain, packed) in [(lit, "x3d", "x3dz"), (classic, "x3dv", "x3dvz")] {
        folder.write(&format!("a.{plain}"), text);
        folder.convert(&format!("a.{plain} b.{packed}")).exits(0).err_lacks("loss");
        folder.convert(&format!("b.{packed} c.{plain}")).exits(0).err_lacks("loss");
        assert_eq!(folder.text(&format!("c.{plain}")), text);
        folder.shell(&format!("gzip -dc < b.{packed} > d.{plain}")).exits(0);
        assert_eq!(folder.text(&format!("d.{plain}")), text);
        let printed = folder.convert(&format!("b.{packed} -o - --to {plain}")).exits(0);
        assert_eq!(printed.stdout(), text);
    }
    folder.convert("b.x3dz same.x3dz").exits(0);
    assert_eq!(folder.read("same.x3dz"), folder.read("b.x3dz"));
    folder.convert("a.x3d packed.x3d --gzip").exits(0).err_lacks("convert-through-scene");
    assert!(folder.read("packed.x3d").starts_with(b"\x1f\x8b"));
    folder.write("in/e.x3dz", folder.read("b.x3dz"));
    folder.convert("in -o out --to x3d").exits(0);
    assert_eq!(folder.text("out/e.x3d"), lit);
}

/// A round of 6 s has 12 frames at 2 frames per second, and the first one again.
#[test]
fn the_sampling_rate_applies_to_waves() {
    let folder = Folder::with(&[("lamp.stt", "../cookbook/lamp.stt")]);
    let keys = |options: &str| {
        folder.convert(&format!("lamp.stt lamp.x3d --clip swinging --force{options}")).exits(0);
        let text = folder.text("lamp.x3d");
        let turns = text.split("<OrientationInterpolator").nth(1).unwrap();
        let keys = turns.split("key='").nth(1).unwrap().split('\'').next().unwrap();
        keys.split_whitespace().map(|key| key.parse::<f64>().unwrap() * 6.0).collect::<Vec<_>>()
    };
    assert!(keys("").len() > 40);
    let frames = (0..=12).map(|frame| f64::from(frame) / 2.0);
    let keys = keys(" --fps 2");
    assert_eq!(keys.len(), 13, "{keys:?}");
    assert!(keys.iter().zip(frames).all(|(a, b)| (a - b).abs() < 1e-5), "{keys:?}");
}
