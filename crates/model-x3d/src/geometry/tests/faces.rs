//! Faces, and what their corners have.

use anim_ir::color::to_srgb;
use anim_ir::{Span, Vec3};

use super::scene::{SQUARE, Scene, area, area_vector, floats, ints, minus, near, triangles};
use crate::graph::Value;
use crate::nodes::Family;

#[test]
fn faces_share_vertices_and_leave_out_unused_points() {
    let scene = Scene::x3d("IndexedFaceSet", &[("coordIndex", ints(&[1, 2, 3, 4, -1, 4, 5, 1]))])
        .points(&[[9.0; 3], SQUARE[0], SQUARE[1], SQUARE[2], SQUARE[3], [-1.0, 0.0, 0.0]]);
    let mesh = scene.clean().mesh;
    assert_eq!(
        mesh.positions,
        [SQUARE[0], SQUARE[1], SQUARE[2], SQUARE[3], [-1.0, 0.0, 0.0]].map(Vec3::from)
    );
    assert_eq!(mesh.primitives[0].indices, [0, 1, 2, 0, 2, 3, 3, 4, 0]);
    assert!(mesh.normals.is_empty() && mesh.texcoords.is_empty() && mesh.colors.is_empty());
}

#[test]
fn a_concave_face_keeps_its_area_either_way_round() {
    let arrow =
        [[0.0, 0.0, 2.0], [4.0, 0.0, 2.0], [4.0, 3.0, 2.0], [2.0, 1.0, 2.0], [0.0, 3.0, 2.0]];
    let shoelace = (0..5)
        .map(|i| (arrow[i], arrow[(i + 1) % 5]))
        .map(|(a, b)| a[0] * b[1] - b[0] * a[1])
        .sum::<f32>()
        / 2.0;
    for (ccw, sign) in [(true, 1.0), (false, -1.0)] {
        let fields = [
            ("coordIndex", ints(&[0, 1, 2, 3, 4, -1])),
            ("ccw", Value::Bool(ccw)),
            ("convex", Value::Bool(true)),
            ("solid", Value::Bool(false)),
        ];
        let built = Scene::x3d("IndexedFaceSet", &fields).points(&arrow).clean();
        assert!(built.double_sided);
        let up: Vec<f32> = triangles(&built.mesh)
            .into_iter()
            .map(|triangle| area_vector(triangle).z * sign)
            .collect();
        assert!(up.iter().all(|area| *area > 0.0));
        assert!(near(up.iter().sum(), shoelace));
    }
}

#[test]
fn a_wrong_index_drops_its_face_only() {
    let index =
        [0, 1, 4, -1, 0, 1, 2, -1, 0, -7, 2, -1, i32::MIN, i32::MAX, 0, -1, 0, 2, 3, -1, 0, 1, -1];
    let scene = Scene::x3d("IndexedFaceSet", &[("coordIndex", ints(&index))]).points(&SQUARE);
    let (built, diagnostics) = scene.build();
    assert!(near(area(&built.unwrap().mesh), 1.0));
    assert_eq!(scene.codes(), [("x3d-index", 3), ("x3d-face-corners", 1)]);
    let first = diagnostics.iter().next().unwrap();
    assert_eq!(
        (first.message.as_str(), first.span),
        ("face 0 has the coordinate index 4, and there are 4", Some(Span::new(0, 5)))
    );
}

#[test]
fn colours_go_with_corners_points_or_faces() {
    let square = |fields: &[(&str, Value)], colors: &[f32]| {
        let fields = [&[("coordIndex", ints(&[0, 1, 2, -1, 0, 2, 3, -1]))], fields].concat();
        Scene::x3d("IndexedFaceSet", &fields).points(&SQUARE).with(
            Family::X3d,
            "Color",
            &[("color", floats(colors))],
        )
    };
    let reds = |scene: &Scene| -> Vec<f32> {
        let mesh = scene.clean().mesh;
        mesh.primitives[0]
            .indices
            .iter()
            .map(|index| mesh.colors[*index as usize])
            .inspect(|color| assert_eq!(color[3], 1.0))
            // As the file has it.
            .map(|[red, ..]| (to_srgb(red) * 10.0).round() / 10.0)
            .collect()
    };
    let four = [0.1, 0.0, 0.0, 0.2, 0.0, 0.0, 0.3, 0.0, 0.0, 0.4, 0.0, 0.0];
    let per_face = ("colorPerVertex", Value::Bool(false));
    assert_eq!(reds(&square(&[], &four)), [0.1, 0.2, 0.3, 0.1, 0.3, 0.4]);
    assert_eq!(
        reds(&square(&[("colorIndex", ints(&[3, 2, 1, -1, 0, 0, 0]))], &four)),
        [0.4, 0.3, 0.2, 0.1, 0.1, 0.1]
    );
    let faces = square(std::slice::from_ref(&per_face), &four);
    assert_eq!(reds(&faces), [0.1, 0.1, 0.1, 0.2, 0.2, 0.2]);
    assert_eq!(faces.clean().mesh.positions.len(), 6, "two colours, two vertices");
    assert_eq!(reds(&square(&[per_face.clone(), ("colorIndex", ints(&[2, 2]))], &four)), [0.3; 6]);
    assert_eq!(
        square(&[per_face, ("colorIndex", ints(&[2, 4]))], &four).codes(),
        [("x3d-index", 1)]
    );
    assert_eq!(square(&[], &four[..9]).codes(), [("x3d-too-few-values", 1)]);
    assert_eq!(
        square(&[("colorIndex", ints(&[0, 0, 0, -1, 0]))], &four).codes(),
        [("x3d-too-few-values", 1)]
    );
}

#[test]
fn dropped_faces_still_count() {
    let fields = [
        ("coordIndex", ints(&[0, 9, 2, -1, 0, 1, -1, 0, 2, 3, -1])),
        ("colorPerVertex", Value::Bool(false)),
    ];
    let scene = Scene::x3d("IndexedFaceSet", &fields).points(&SQUARE).with(
        Family::X3d,
        "ColorRGBA",
        &[("color", floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0.5, 2.0, 0.25]))],
    );
    assert_eq!(scene.build().0.unwrap().mesh.colors, [[0.214_041_14, 0.214_041_14, 1.0, 0.25]; 3]);
}

#[test]
fn normals_of_the_file_go_with_corners_points_or_faces() {
    let square = |fields: &[(&str, Value)], normals: &[f32]| {
        let fields = [&[("coordIndex", ints(&[0, 1, 2, -1, 0, 2, 3, -1]))], fields].concat();
        Scene::x3d("IndexedFaceSet", &fields).points(&SQUARE).with(
            Family::X3d,
            "Normal",
            &[("vector", floats(normals))],
        )
    };
    let two = [0.0, 0.0, 1.0, 0.0, 1.0, 0.0];
    let xs = |scene: &Scene| -> Vec<Vec3> {
        let mesh = scene.clean().mesh;
        mesh.primitives[0].indices.iter().map(|index| mesh.normals[*index as usize]).collect()
    };
    let [z, y] = [Vec3::new(0.0, 0.0, 1.0), Vec3::new(0.0, 1.0, 0.0)];
    let per_face = ("normalPerVertex", Value::Bool(false));
    assert_eq!(xs(&square(std::slice::from_ref(&per_face), &two)), [z, z, z, y, y, y]);
    assert_eq!(xs(&square(&[per_face, ("normalIndex", ints(&[1, 0]))], &two)), [y, y, y, z, z, z]);
    assert_eq!(
        xs(&square(&[("normalIndex", ints(&[0, 1, 0, -1, 0, 0, 1, -1]))], &two)),
        [z, y, z, z, z, y]
    );
}

#[test]
fn other_frames_have_the_same_vertices_elsewhere() {
    let frame = |points: &[[f32; 3]]| {
        let fields =
            [("coordIndex", ints(&[3, 2, 1, -1, 4, 3, 1])), ("creaseAngle", floats(&[4.0]))];
        Scene::x3d("IndexedFaceSet", &fields).points(points)
    };
    let flat =
        frame(&[[0.0; 3], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]])
            .clean();
    assert!(flat.mesh.normals.iter().all(|normal| normal.z == -1.0));
    // One corner is lifted: its normal is that of its triangle alone, (1, 0, -1) turned inwards.
    let bent =
        frame(&[[0.0; 3], [0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
    let positions = flat.positions(&bent.graph, &bent.source);
    assert_eq!(
        positions,
        [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Vec3::from)
    );
    let normals = flat.normals(&bent.graph, &bent.source, &positions);
    let of_first = area_vector([positions[0], positions[1], positions[2]]).normalized().unwrap();
    assert!(minus(normals[1], of_first).length() < 1e-6 && of_first.z > -0.9);
    assert_eq!(normals[3], Vec3::new(0.0, 0.0, -1.0));
    // A frame with too few points, or none, is no reason to fall over.
    for points in [&SQUARE[..2], &[]] {
        let short = frame(points);
        let positions = flat.positions(&short.graph, &short.source);
        assert_eq!(positions.len(), 4);
        assert_eq!(flat.normals(&short.graph, &short.source, &positions).len(), 4);
    }
}
