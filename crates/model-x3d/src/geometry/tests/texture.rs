//! Texture coordinates.

use std::f32::consts::PI;

use super::scene::{SQUARE, Scene, floats, ints, near};

#[test]
fn texture_coordinates_are_transformed_and_shared() {
    // The file has one entry per face corner, as exporters write them. Points 0 and 2 have the same
    // value in both faces.
    let texcoords = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.75];
    let scene = Scene::halves(&[("texCoordIndex", ints(&[0, 1, 2, -1, 3, 4, 5, -1]))]);
    let scene = scene.values("TextureCoordinate", "point", &texcoords);
    assert_eq!(scene.mesh().texcoords, [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.25]]);
    // (u, v) + translation + center, rotated by 90°, scaled, - center.
    let transform = [
        ("translation", floats(&[1.0, 0.0])),
        ("center", floats(&[0.5, 0.25])),
        ("rotation", floats(&[PI / 2.0])),
        ("scale", floats(&[2.0, 4.0])),
    ];
    let moved = scene.with("TextureTransform", &transform).mesh().texcoords;
    // (0, 0.75): (1.5, 1) → (-1, 1.5) → (-2, 6) → (-2.5, 5.75), v down.
    assert!(near(moved[3][0], -2.5) && near(moved[3][1], 1.0 - 5.75), "{moved:?}");
}

#[test]
fn texture_transforms_of_vrml_1_accumulate() {
    let turn = [
        ("scaleFactor", floats(&[2.0, 2.0])),
        ("rotation", floats(&[PI / 2.0])),
        ("center", floats(&[0.5, 0.5])),
    ];
    let scene = Scene::vrml1("IndexedFaceSet", &[("coordIndex", ints(&[0, 1, 2]))])
        .points_1(&SQUARE)
        .values("TextureCoordinate2", "point", &[1.0, 0.0, 0.0, 1.0, 0.5, 0.5, 0.0, 0.0])
        .textured()
        .values("Texture2Transform", "translation", &[10.0, 0.0])
        .with("Texture2Transform", &turn);
    // (1, 0) about (0.5, 0.5): (0.5, -0.5) → (1, -1) → (1, 1) → (1.5, 1.5); then (11.5, 1.5).
    let texcoords = scene.mesh().texcoords;
    assert!(near(texcoords[0][0], 11.5) && near(texcoords[0][1], -0.5), "{texcoords:?}");
    assert!(near(texcoords[2][0], 10.5) && near(texcoords[2][1], 0.5), "the center is not rotated");
}

#[test]
fn generated_texture_coordinates_use_the_two_longest_sides() {
    let points = [[5.0, 1.0, 1.0], [5.0, 1.0, 5.0], [5.0, 3.0, 5.0], [50.0, 50.0, 50.0]];
    let scene = Scene::faces(&[0, 1, 2], &[]).points(&points);
    assert!(scene.mesh().texcoords.is_empty());
    assert_eq!(scene.textured().mesh().texcoords, [[0.0, 1.0], [1.0, 1.0], [1.0, 0.5]]);
}
