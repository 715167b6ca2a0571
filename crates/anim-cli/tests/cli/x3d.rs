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
