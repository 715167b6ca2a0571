//! What is in effect in VRML 1.0.

use anim_ir::Vec3;
use anim_ir::color::to_srgb;

use super::scene::{SQUARE, Scene, area_vector, floats, ints, triangles, word};
use crate::graph::Value;
use crate::nodes::Family;

fn square_1(binding: &str, fields: &[(&str, Value)]) -> Scene {
    let fields = [&[("coordIndex", ints(&[0, 1, 2, -1, 0, 2, 3, -1]))], fields].concat();
    let colors: Vec<f32> = (0..6_u8).flat_map(|i| [f32::from(i) / 10.0, 0.0, 0.0]).collect();
    let scene = Scene::vrml1("IndexedFaceSet", &fields).points_1(&SQUARE);
    let material = [("diffuseColor", floats(&colors)), ("transparency", floats(&[0.0, 0.25]))];
    scene.with(Family::Vrml1, "Material", &material).with(
        Family::Vrml1,
        "MaterialBinding",
        &[("value", word(binding))],
    )
}

#[test]
fn material_bindings_of_vrml_1() {
    let tens = |scene: &Scene| -> Vec<i32> {
        let mesh = scene.clean().mesh;
        let red = |index: &u32| {
            mesh.colors
                .get(*index as usize)
                .map_or(-1, |[red, ..]| (to_srgb(*red) * 10.0).round() as i32)
        };
        mesh.primitives[0].indices.iter().map(red).collect()
    };
    let index = |list: &[i32]| [("materialIndex", ints(list))];
    assert_eq!(tens(&square_1("OVERALL", &[])), [-1; 6]);
    assert_eq!(tens(&square_1("DEFAULT", &[])), [-1; 6]);
    assert_eq!(tens(&square_1("PER_FACE", &[])), [0, 0, 0, 1, 1, 1]);
    assert_eq!(tens(&square_1("PER_PART", &[])), [0, 0, 0, 1, 1, 1]);
    assert_eq!(tens(&square_1("PER_FACE_INDEXED", &index(&[3, 2]))), [3, 3, 3, 2, 2, 2]);
    assert_eq!(tens(&square_1("PER_VERTEX", &[])), [0, 1, 2, 3, 4, 5]);
    assert_eq!(tens(&square_1("PER_VERTEX_INDEXED", &[])), [0, 1, 2, 0, 2, 3]);
    assert_eq!(
        tens(&square_1("PER_VERTEX_INDEXED", &index(&[5, 4, 3, -1, 2, 1, 0, -1]))),
        [5, 4, 3, 2, 1, 0]
    );
    // The last transparency goes on.
    let alphas: Vec<f32> =
        square_1("PER_VERTEX", &[]).clean().mesh.colors.iter().map(|color| color[3]).collect();
    assert_eq!(alphas, [1.0, 0.75, 0.75, 0.75, 0.75, 0.75]);
}

#[test]
fn normal_bindings_of_vrml_1() {
    let normals = [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0)];
    let vectors = floats(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let bound = |binding: &str, fields: &[(&str, Value)]| {
        let scene = square_1("OVERALL", fields).with(
            Family::Vrml1,
            "Normal",
            &[("vector", vectors.clone())],
        );
        scene.with(Family::Vrml1, "NormalBinding", &[("value", word(binding))])
    };
    let of_corners = |scene: &Scene| -> Vec<usize> {
        let mesh = scene.clean().mesh;
        mesh.primitives[0]
            .indices
            .iter()
            .map(|index| usize::from(mesh.normals[*index as usize] == normals[1]))
            .collect()
    };
    assert_eq!(of_corners(&bound("OVERALL", &[])), [0; 6]);
    assert_eq!(of_corners(&bound("PER_FACE", &[])), [0, 0, 0, 1, 1, 1]);
    assert_eq!(
        of_corners(&bound("DEFAULT", &[("normalIndex", ints(&[0, 1, 0, -1, 1, 0, 1, -1]))])),
        [0, 1, 0, 1, 0, 1]
    );
    // Too few for one for each vertex: made, from the default crease angle of half a radian.
    let made = bound("DEFAULT", &[]);
    assert_eq!(made.codes(), [("x3d-too-few-values", 1)]);
    assert!(
        made.build()
            .0
            .unwrap()
            .mesh
            .normals
            .iter()
            .all(|normal| *normal == Vec3::new(0.0, 0.0, 1.0))
    );
}

#[test]
fn shape_hints_of_vrml_1() {
    for (hints, up, double_sided) in [
        (None, true, true),
        (Some(["UNKNOWN_ORDERING", "SOLID"]), true, true),
        (Some(["COUNTERCLOCKWISE", "SOLID"]), true, false),
        (Some(["CLOCKWISE", "SOLID"]), false, false),
        (Some(["CLOCKWISE", "UNKNOWN_SHAPE_TYPE"]), false, true),
    ] {
        let mut scene = square_1("OVERALL", &[]);
        if let Some([ordering, shape]) = hints {
            scene = scene.with(
                Family::Vrml1,
                "ShapeHints",
                &[("vertexOrdering", word(ordering)), ("shapeType", word(shape))],
            );
        }
        let built = scene.clean();
        assert_eq!(built.double_sided, double_sided);
        assert!(
            triangles(&built.mesh)
                .into_iter()
                .all(|triangle| (area_vector(triangle).z > 0.0) == up)
        );
    }
}

#[test]
fn parts_and_segments_of_vrml_1_have_materials() {
    let colors = floats(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    let per_part = |scene: Scene| {
        let scene = scene.with(Family::Vrml1, "Material", &[("diffuseColor", colors.clone())]);
        scene.with(Family::Vrml1, "MaterialBinding", &[("value", word("PER_PART"))]).clean().mesh
    };
    let mesh = per_part(Scene::vrml1("Cylinder", &[]));
    for (color, normal) in mesh.colors.iter().zip(&mesh.normals) {
        let part = if normal.y == 0.0 {
            0
        } else if normal.y > 0.0 {
            1
        } else {
            2
        };
        assert_eq!(color[part], 1.0);
    }
    let mesh = per_part(
        Scene::vrml1("IndexedLineSet", &[("coordIndex", ints(&[0, 1, 2, -1, 2, 3]))])
            .points_1(&SQUARE),
    );
    let segments: Vec<[f32; 4]> =
        mesh.primitives[0].indices.iter().map(|index| mesh.colors[*index as usize]).collect();
    assert_eq!(
        segments
            .iter()
            .map(|color| color.iter().position(|c| *c == 1.0).unwrap())
            .collect::<Vec<_>>(),
        [0, 0, 1, 1, 2, 2]
    );
}
