//! VRML 1.0 state.

use anim_ir::Vec3;
use anim_ir::color::to_srgb;

use super::scene::{SQUARE, Scene, area_vector, at_corners, floats, ints, triangles, word};

/// Returns a square of two triangles with six materials in a VRML 1.0 binding. `field` is the field
/// for `index`; it is only set if `index` is not empty.
fn square_1(binding: &str, field: &str, index: &[i32]) -> Scene {
    let fields = [("coordIndex", ints(&[0, 1, 2, -1, 0, 2, 3, -1])), (field, ints(index))];
    let fields = &fields[..if index.is_empty() { 1 } else { 2 }];
    let colors: Vec<f32> = (0..6_u8).flat_map(|i| [f32::from(i) / 10.0, 0.0, 0.0]).collect();
    let scene = Scene::vrml1("IndexedFaceSet", fields).points_1(&SQUARE);
    let material = [("diffuseColor", floats(&colors)), ("transparency", floats(&[0.0, 0.25]))];
    scene.with("Material", &material).with("MaterialBinding", &[("value", word(binding))])
}

#[test]
fn material_bindings_of_vrml_1() {
    for (binding, index, tenths) in [
        ("OVERALL", &[][..], &[][..]),
        ("DEFAULT", &[], &[]),
        ("PER_FACE", &[], &[0, 0, 0, 1, 1, 1]),
        ("PER_PART", &[], &[0, 0, 0, 1, 1, 1]),
        ("PER_FACE_INDEXED", &[3, 2], &[3, 3, 3, 2, 2, 2]),
        ("PER_VERTEX", &[], &[0, 1, 2, 3, 4, 5]),
        ("PER_VERTEX_INDEXED", &[], &[0, 1, 2, 0, 2, 3]),
        ("PER_VERTEX_INDEXED", &[5, 4, 3, -1, 2, 1, 0, -1], &[5, 4, 3, 2, 1, 0]),
    ] {
        let mesh = square_1(binding, "materialIndex", index).mesh();
        let colors = if mesh.colors.is_empty() { vec![] } else { at_corners(&mesh, &mesh.colors) };
        let reds: Vec<i32> =
            colors.iter().map(|[red, ..]| (to_srgb(*red) * 10.0).round() as i32).collect();
        assert_eq!(reds, tenths, "{binding} {index:?}");
    }
    // The last transparency value is repeated.
    let colors = square_1("PER_VERTEX", "", &[]).mesh().colors;
    assert!(colors.iter().map(|color| color[3]).eq([1.0, 0.75, 0.75, 0.75, 0.75, 0.75]));
}

#[test]
fn normal_bindings_of_vrml_1() {
    let bound = |binding: &str, index: &[i32]| {
        square_1("OVERALL", "normalIndex", index)
            .values("Normal", "vector", &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0])
            .with("NormalBinding", &[("value", word(binding))])
    };
    let [x, y] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Vec3::from);
    for (binding, index, normals) in [
        ("OVERALL", &[][..], [x; 6]),
        ("PER_FACE", &[], [x, x, x, y, y, y]),
        ("DEFAULT", &[0, 1, 0, -1, 1, 0, 1, -1], [x, y, x, y, x, y]),
    ] {
        let mesh = bound(binding, index).mesh();
        assert_eq!(at_corners(&mesh, &mesh.normals), normals, "{binding}");
    }
    // Too few for one per vertex, but exactly one per face.
    let by_face = bound("DEFAULT", &[]);
    assert_eq!(by_face.codes(), [("x3d-binding", 1)]);
    let mesh = by_face.build().0.unwrap().mesh;
    assert_eq!(at_corners(&mesh, &mesh.normals), [x, x, x, y, y, y]);
    // Too few indices: normals are computed with the default crease angle of 0.5 rad.
    let made = bound("DEFAULT", &[0, 1, 0, -1, 1, 0]);
    assert_eq!(made.codes(), [("x3d-too-few-values", 1)]);
    assert_eq!(made.build().0.unwrap().mesh.normals, [Vec3::new(0.0, 0.0, 1.0); 4]);
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
        let mut scene = square_1("OVERALL", "", &[]);
        if let Some([ordering, shape]) = hints.map(|hints| hints.map(word)) {
            scene = scene.with("ShapeHints", &[("vertexOrdering", ordering), ("shapeType", shape)]);
        }
        let built = scene.clean();
        assert_eq!(built.double_sided, double_sided);
        assert!(triangles(&built.mesh).into_iter().all(|abc| (area_vector(abc).z > 0.0) == up));
    }
}

#[test]
fn parts_and_segments_of_vrml_1_have_materials() {
    let per_part = |scene: Scene| {
        scene
            .values("Material", "diffuseColor", &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
            .with("MaterialBinding", &[("value", word("PER_PART"))])
            .mesh()
    };
    let part = |color: &[f32; 4]| color.iter().position(|c| *c == 1.0).unwrap();
    let mesh = per_part(Scene::vrml1("Cylinder", &[]));
    for (color, normal) in mesh.colors.iter().zip(&mesh.normals) {
        let side = normal.y == 0.0;
        assert_eq!(part(color), if side { 0 } else { 1 + usize::from(normal.y < 0.0) });
    }
    let index = [("coordIndex", ints(&[0, 1, 2, -1, 2, 3]))];
    let mesh = per_part(Scene::vrml1("IndexedLineSet", &index).points_1(&SQUARE));
    assert!(at_corners(&mesh, &mesh.colors).iter().map(part).eq([0, 0, 1, 1, 2, 2]));
}
