//! Texture coordinates.

use std::f32::consts::PI;

use super::scene::{SQUARE, Scene, floats, ints, near};
use crate::nodes::Family;

#[test]
fn texture_coordinates_are_turned_and_shared() {
    let fields = [
        ("coordIndex", ints(&[0, 1, 2, -1, 0, 2, 3, -1])),
        ("texCoordIndex", ints(&[0, 1, 2, -1, 3, 4, 5, -1])),
    ];
    // Listed for every corner, as exporters do: points 0 and 2 have one value in both faces.
    let texcoords =
        ("point", floats(&[0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.75]));
    let scene = Scene::x3d("IndexedFaceSet", &fields).points(&SQUARE).with(
        Family::X3d,
        "TextureCoordinate",
        &[texcoords],
    );
    assert_eq!(scene.clean().mesh.texcoords, [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.25]]);
    // (u, v) + translation + center, a quarter turn, the scale, - center.
    let transform = [
        ("translation", floats(&[1.0, 0.0])),
        ("center", floats(&[0.5, 0.25])),
        ("rotation", floats(&[PI / 2.0])),
        ("scale", floats(&[2.0, 4.0])),
    ];
    let moved = scene.with(Family::X3d, "TextureTransform", &transform).clean().mesh.texcoords;
    // (0, 0.75): (1.5, 1) → (-1, 1.5) → (-2, 6) → (-2.5, 5.75), v down.
    assert!(near(moved[3][0], -2.5) && near(moved[3][1], 1.0 - 5.75), "{moved:?}");
}

#[test]
fn texture_transforms_of_vrml_1_accumulate() {
    let scene =
        Scene::vrml1("IndexedFaceSet", &[("coordIndex", ints(&[0, 1, 2]))]).points_1(&SQUARE);
    let scene = scene
        .with(
            Family::Vrml1,
            "TextureCoordinate2",
            &[("point", floats(&[1.0, 0.0, 0.0, 1.0, 0.5, 0.5, 0.0, 0.0]))],
        )
        .textured();
    let scene =
        scene.with(Family::Vrml1, "Texture2Transform", &[("translation", floats(&[10.0, 0.0]))]);
    let scene = scene.with(
        Family::Vrml1,
        "Texture2Transform",
        &[
            ("scaleFactor", floats(&[2.0, 2.0])),
            ("rotation", floats(&[PI / 2.0])),
            ("center", floats(&[0.5, 0.5])),
        ],
    );
    // (1, 0) about (0.5, 0.5): (0.5, -0.5) → (1, -1) → (1, 1) → (1.5, 1.5); then (11.5, 1.5).
    let texcoords = scene.clean().mesh.texcoords;
    assert!(near(texcoords[0][0], 11.5) && near(texcoords[0][1], -0.5), "{texcoords:?}");
    assert!(near(texcoords[2][0], 10.5) && near(texcoords[2][1], 0.5), "the center stays");
}

#[test]
fn without_texture_coordinates_the_two_longest_sides_count() {
    let points = [[5.0, 1.0, 1.0], [5.0, 1.0, 5.0], [5.0, 3.0, 5.0], [50.0, 50.0, 50.0]];
    let scene = Scene::x3d("IndexedFaceSet", &[("coordIndex", ints(&[0, 1, 2]))]).points(&points);
    assert!(scene.clean().mesh.texcoords.is_empty());
    assert_eq!(scene.textured().clean().mesh.texcoords, [[0.0, 1.0], [1.0, 1.0], [1.0, 0.5]]);
}
