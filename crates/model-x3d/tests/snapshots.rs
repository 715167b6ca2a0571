//! What is said of every fixture that is not fine, as a person reads it; and what becomes of some
//! that are.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    reason = "tests fail loudly"
)]

mod common;

use std::fmt::Write as _;

/// One snapshot for the warnings, one for the errors: all files, each with its diagnostics.
#[test]
fn diagnostics() {
    for folder in ["warn", "err"] {
        let mut text = String::new();
        for (name, bytes) in common::fixtures().iter().filter(|(name, _)| name.starts_with(folder))
        {
            writeln!(text, "== {name}").unwrap();
            match common::load(name, bytes) {
                Ok(loaded) => {
                    text.push_str(&anim_ir::listing(loaded.text.as_bytes(), &loaded.diagnostics))
                }
                Err(error) => writeln!(text, "nothing can be read: {error}").unwrap(),
            }
            text.push('\n');
        }
        insta::assert_snapshot!(folder, text);
    }
}

/// Files that each show something else.
const SHOWN: [&str; 16] = [
    "colour_per_face_indexed.x3d",
    "crease_slanted_sides.x3d",
    "def_use.x3d",
    "image_texture_generated.x3d",
    "indexed_line_set_colour_per_line.x3d",
    "inline_1.wrl",
    "material.x3d",
    "material_per_vertex_1.wrl",
    "matrix_transform_sheared_1.wrl",
    "no_appearance.x3d",
    "point_set_colours.x3d",
    "shape_hints_clockwise_1.wrl",
    "texture_transform.x3d",
    "transform_all_fields.x3d",
    "transforms_accumulate_1.wrl",
    "viewpoint.x3d",
];

#[test]
fn scenes() {
    let fixtures = common::fixtures();
    for file in SHOWN {
        let name = format!("ok/{file}");
        let (_, bytes) = fixtures.iter().find(|(fixture, _)| *fixture == name).unwrap();
        let loaded = common::load(&name, bytes).unwrap();
        assert!(anim_ir::validate(&loaded.scene).is_empty(), "{name}");
        let text = anim_ir::listing(loaded.text.as_bytes(), &loaded.diagnostics)
            + &anim_ir::dump(&loaded.scene);
        insta::assert_snapshot!(format!("scene_{}", file.replace('.', "_")), text);
    }
}
