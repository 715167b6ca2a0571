//! Faces, and what their corners have.

use anim_ir::color::to_srgb;
use anim_ir::{Span, Vec3};

use super::scene::{SQUARE, Scene, area, area_vector, at_corners, floats, ints, near, triangles};
use crate::graph::Value;

#[test]
fn faces_share_vertices_and_leave_out_unused_points() {
    let [a, b, c, d] = SQUARE;
    let points = [[9.0; 3], a, b, c, d, [-1.0, 0.0, 0.0]];
    let mesh = Scene::faces(&[1, 2, 3, 4, -1, 4, 5, 1], &[]).points(&points).mesh();
    assert_eq!(mesh.positions, [a, b, c, d, [-1.0, 0.0, 0.0]].map(Vec3::from));
    assert_eq!(mesh.primitives[0].indices, [0, 1, 2, 0, 2, 3, 3, 4, 0]);
    assert!(mesh.normals.is_empty() && mesh.texcoords.is_empty() && mesh.colors.is_empty());
}

#[test]
fn a_concave_face_keeps_its_area_either_way_round() {
    let arrow =
        [[0.0, 0.0, 2.0], [4.0, 0.0, 2.0], [4.0, 3.0, 2.0], [2.0, 1.0, 2.0], [0.0, 3.0, 2.0]];
    let pairs = (0..5).map(|i| (arrow[i], arrow[(i + 1) % 5]));
    let shoelace = pairs.map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f32>() / 2.0;
    for (ccw, sign) in [(true, 1.0), (false, -1.0)] {
        let fields = [("ccw", ccw), ("convex", true), ("solid", false)]
            .map(|(field, flag)| (field, Value::Bool(flag)));
        let built = Scene::faces(&[0, 1, 2, 3, 4, -1], &fields).points(&arrow).clean();
        assert!(built.double_sided);
        let up = triangles(&built.mesh).into_iter().map(|corners| area_vector(corners).z * sign);
        let up: Vec<f32> = up.collect();
        assert!(up.iter().all(|area| *area > 0.0));
        assert!(near(up.iter().sum(), shoelace));
    }
}

#[test]
fn a_wrong_index_drops_its_face_only() {
    let index =
        [0, 1, 4, -1, 0, 1, 2, -1, 0, -7, 2, -1, i32::MIN, i32::MAX, 0, -1, 0, 2, 3, -1, 0, 1, -1];
    let scene = Scene::faces(&index, &[]).points(&SQUARE);
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
    let four = [0.1, 0.0, 0.0, 0.2, 0.0, 0.0, 0.3, 0.0, 0.0, 0.4, 0.0, 0.0];
    let square = |per_vertex: bool, index: &[i32], colors: usize| {
        let per_vertex = ("colorPerVertex", Value::Bool(per_vertex));
        let scene = Scene::halves(&[per_vertex, ("colorIndex", ints(index))]);
        scene.values("Color", "color", &four[..colors * 3])
    };
    for (per_vertex, index, tenths) in [
        (true, &[][..], [1, 2, 3, 1, 3, 4]),
        (true, &[3, 2, 1, -1, 0, 0, 0], [4, 3, 2, 1, 1, 1]),
        (false, &[], [1, 1, 1, 2, 2, 2]),
        (false, &[2, 2], [3; 6]),
    ] {
        let mesh = square(per_vertex, index, 4).mesh();
        for ([red, .., alpha], tenths) in at_corners(&mesh, &mesh.colors).into_iter().zip(tenths) {
            // As the file has it.
            assert_eq!(((to_srgb(red) * 10.0).round() as i32, alpha), (tenths, 1.0), "{index:?}");
        }
    }
    assert_eq!(square(false, &[], 4).mesh().positions.len(), 6, "two colours, two vertices");
    assert_eq!(square(false, &[2, 4], 4).codes(), [("x3d-index", 1)]);
    assert_eq!(square(true, &[], 3).codes(), [("x3d-too-few-values", 1)]);
    assert_eq!(square(true, &[0, 0, 0, -1, 0], 4).codes(), [("x3d-too-few-values", 1)]);
}

#[test]
fn dropped_faces_still_count() {
    let index = [0, 9, 2, -1, 0, 1, -1, 0, 2, 3, -1];
    let scene = Scene::faces(&index, &[("colorPerVertex", Value::Bool(false))]).points(&SQUARE);
    let colors = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0.5, 2.0, 0.25];
    let scene = scene.values("ColorRGBA", "color", &colors);
    assert_eq!(scene.build().0.unwrap().mesh.colors, [[0.214_041_14, 0.214_041_14, 1.0, 0.25]; 3]);
}

#[test]
fn normals_of_the_file_go_with_corners_points_or_faces() {
    let [z, y] = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]].map(Vec3::from);
    for (per_vertex, index, normals) in [
        (false, &[][..], [z, z, z, y, y, y]),
        (false, &[1, 0], [y, y, y, z, z, z]),
        (true, &[0, 1, 0, -1, 0, 0, 1, -1], [z, y, z, z, z, y]),
    ] {
        let per_vertex = ("normalPerVertex", Value::Bool(per_vertex));
        let scene = Scene::halves(&[per_vertex, ("normalIndex", ints(index))]);
        let mesh = scene.values("Normal", "vector", &[0.0, 0.0, 1.0, 0.0, 1.0, 0.0]).mesh();
        assert_eq!(at_corners(&mesh, &mesh.normals), normals, "{index:?}");
    }
}

#[test]
fn other_frames_have_the_same_vertices_elsewhere() {
    let frame = |points: &[[f32; 3]]| {
        Scene::faces(&[3, 2, 1, -1, 4, 3, 1], &[("creaseAngle", floats(&[4.0]))]).points(points)
    };
    let [a, b, c, d] = SQUARE;
    let flat = frame(&[[0.0; 3], a, b, c, d]).clean();
    assert!(flat.mesh.normals.iter().all(|normal| normal.z == -1.0));
    // One corner is lifted: its normal is that of its triangle alone, (1, 0, -1) turned inwards.
    let lifted = [1.0, 0.0, 1.0];
    let bent = frame(&[[0.0; 3], a, lifted, c, d]);
    let positions = flat.positions(&bent.graph, &bent.source);
    assert_eq!(positions, [c, lifted, a, d].map(Vec3::from));
    let normals = flat.normals(&bent.graph, &bent.source, &positions);
    let of_first = area_vector([positions[0], positions[1], positions[2]]).normalized().unwrap();
    assert!((normals[1] - of_first).length() < 1e-6 && of_first.z > -0.9);
    assert_eq!(normals[3], Vec3::new(0.0, 0.0, -1.0));
    // A frame with too few points, or none, is no reason to fall over.
    for points in [&SQUARE[..2], &[]] {
        let short = frame(points);
        let positions = flat.positions(&short.graph, &short.source);
        assert_eq!(positions.len(), 4);
        assert_eq!(flat.normals(&short.graph, &short.source, &positions).len(), 4);
    }
}
