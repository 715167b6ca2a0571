//! Faces and corner attributes.

use anim_ir::color::to_srgb;
use anim_ir::{Span, Vec3};

use super::scene::{SQUARE, Scene, area, area_vector, at_corners, floats, ints, near, triangles};
use crate::graph::Value;

#[test]
fn faces_share_vertices_and_unused_points_are_dropped() {
    let [a, b, c, d] = SQUARE;
    let points = [[9.0; 3], a, b, c, d, [-1.0, 0.0, 0.0]];
    let mesh = Scene::faces(&[1, 2, 3, 4, -1, 4, 5, 1], &[]).points(&points).mesh();
    assert_eq!(mesh.positions, [a, b, c, d, [-1.0, 0.0, 0.0]].map(Vec3::from));
    assert_eq!(mesh.primitives[0].indices, [0, 1, 2, 0, 2, 3, 3, 4, 0]);
    assert!(mesh.normals.is_empty() && mesh.texcoords.is_empty() && mesh.colors.is_empty());
}

#[test]
fn concave_faces_keep_their_area_in_either_winding() {
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
fn an_invalid_index_only_drops_its_face() {
    let index =
        [0, 1, 4, -1, 0, 1, 2, -1, 0, -7, 2, -1, i32::MIN, i32::MAX, 0, -1, 0, 2, 3, -1, 0, 1, -1];
    let scene = Scene::faces(&index, &[]).points(&SQUARE);
    let (built, diagnostics) = scene.build();
    assert!(near(area(&built.unwrap().mesh), 1.0));
    assert_eq!(scene.codes(), [("x3d-index", 3), ("x3d-face-corners", 1)]);
    let first = diagnostics.iter().next().unwrap();
    assert_eq!(
        (first.message.as_str(), first.span),
        ("coordinate index 4 in face 0 is out of range; the count is 4", Some(Span::new(0, 5)))
    );
}

#[test]
fn colours_are_bound_to_corners_points_or_faces() {
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
            // The red component, in tenths, identifies the colour of the corner.
            assert_eq!(((to_srgb(red) * 10.0).round() as i32, alpha), (tenths, 1.0), "{index:?}");
        }
    }
    assert_eq!(square(false, &[], 4).mesh().positions.len(), 6, "two colours, two vertices");
    assert_eq!(square(false, &[2, 4], 4).codes(), [("x3d-index", 1)]);
    assert_eq!(square(true, &[], 3).codes(), [("x3d-too-few-values", 1)]);
    assert_eq!(square(true, &[0, 0, 0, -1, 0], 4).codes(), [("x3d-too-few-values", 1)]);
}

#[test]
fn too_few_values_use_the_only_other_binding_that_fits() {
    let hundredths =
        |count: u8| -> Vec<f32> { (0..count * 3).map(|at| f32::from(at / 3) / 100.0).collect() };
    // The two triangles of a square have 4 points, 2 faces and 6 corners. Five triangles of a
    // hexagon's fan have 7 points, 5 faces and 15 corners.
    let points: Vec<[f32; 3]> =
        (0..7_u8).map(|at| [f32::from(at), f32::from(at * at), 0.0]).collect();
    let fan: Vec<i32> = (1..6).flat_map(|at| [0, at, at + 1, -1]).collect();
    let colors = |per_vertex: bool, count: u8| {
        let per_vertex = ("colorPerVertex", Value::Bool(per_vertex));
        let scene = Scene::faces(&fan, &[per_vertex]).points(&points);
        scene.values("Color", "color", &hundredths(count))
    };
    let red = |scene: &Scene| -> Vec<i32> {
        let mesh = scene.build().0.unwrap().mesh;
        let colors = at_corners(&mesh, &mesh.colors);
        colors.iter().map(|color| (to_srgb(color[0]) * 100.0).round() as i32).collect()
    };
    let per_face = colors(true, 5);
    assert_eq!(per_face.codes(), [("x3d-binding", 1)]);
    assert_eq!(red(&per_face), (0..5).flat_map(|face| [face; 3]).collect::<Vec<i32>>());
    assert_eq!(colors(true, 6).codes(), [("x3d-too-few-values", 1)]);
    assert!(colors(true, 6).build().0.unwrap().mesh.colors.is_empty());
    assert!(colors(false, 7).codes().is_empty(), "extra values do not change the binding");

    // With four points and four faces, the binding is ambiguous.
    let tetrahedron = [0, 1, 2, -1, 0, 2, 3, -1, 0, 3, 1, -1, 1, 3, 2, -1];
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let scene = Scene::faces(&tetrahedron, &[]).points(&corners);
    assert_eq!(scene.values("Color", "color", &hundredths(3)).codes(), [("x3d-too-few-values", 1)]);

    // There is one colour per point, although colours are bound to faces.
    let square = [0, 1, 2, -1, 0, 2, 3, -1, 0, 1, 3, -1, 1, 2, 3, -1, 3, 2, 1, -1];
    let per_vertex = ("colorPerVertex", Value::Bool(false));
    let scene = Scene::faces(&square, &[per_vertex]).points(&corners);
    let scene = scene.values("Color", "color", &hundredths(4));
    assert_eq!(scene.codes(), [("x3d-binding", 1)]);
    let (_, found) = scene.build();
    assert_eq!(
        found.iter().next().unwrap().message,
        "expected 5 colours, found 4, one for each point"
    );
    assert_eq!(red(&scene), [0, 1, 2, 0, 2, 3, 0, 1, 3, 1, 2, 3, 3, 2, 1]);

    // Texture coordinates are bound to points or corners, not to faces.
    let scene = Scene::faces(&fan, &[]).points(&points);
    let five: Vec<f32> = (0..10_u8).map(f32::from).collect();
    assert_eq!(
        scene.values("TextureCoordinate", "point", &five).codes(),
        [("x3d-too-few-values", 1)]
    );
}

#[test]
fn dropped_faces_count_for_face_attributes() {
    let index = [0, 9, 2, -1, 0, 1, -1, 0, 2, 3, -1];
    let scene = Scene::faces(&index, &[("colorPerVertex", Value::Bool(false))]).points(&SQUARE);
    let colors = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0.5, 2.0, 0.25];
    let scene = scene.values("ColorRGBA", "color", &colors);
    assert_eq!(scene.build().0.unwrap().mesh.colors, [[0.214_041_14, 0.214_041_14, 1.0, 0.25]; 3]);
}

#[test]
fn normals_in_the_file_are_bound_to_corners_points_or_faces() {
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
fn arcs_of_other_frames_are_as_long_as_their_angle() {
    for name in ["Arc2D", "ArcClose2D"] {
        let frame = |end: f32| Scene::x3d(name, &[("endAngle", floats(&[end]))]);
        let [quarter, half] = [1.0_f32, 2.0].map(|quarters| quarters * std::f32::consts::FRAC_PI_2);
        let drawn = frame(quarter).clean();
        for (end, last) in [(quarter, [0.0, 1.0, 0.0]), (half, [-1.0, 0.0, 0.0])] {
            let other = frame(end);
            let positions = drawn.positions(&other.graph, &other.source);
            for corner in [[1.0, 0.0, 0.0], last].map(Vec3::from) {
                assert!(positions.iter().any(|position| (*position - corner).length() < 1e-6));
            }
            let on_circle = positions.iter().filter(|position| position.length() > 0.999);
            assert_eq!(on_circle.count(), 25, "{name}");
        }
    }
}

#[test]
fn other_frames_have_the_same_vertices_at_other_positions() {
    let frame = |points: &[[f32; 3]]| {
        Scene::faces(&[3, 2, 1, -1, 4, 3, 1], &[("creaseAngle", floats(&[4.0]))]).points(points)
    };
    let [a, b, c, d] = SQUARE;
    let flat = frame(&[[0.0; 3], a, b, c, d]).clean();
    assert!(flat.mesh.normals.iter().all(|normal| normal.z == -1.0));
    // One corner is lifted. Its normal is the normal of its only triangle, (1, 0, -1), which points
    // inwards.
    let lifted = [1.0, 0.0, 1.0];
    let bent = frame(&[[0.0; 3], a, lifted, c, d]);
    let positions = flat.positions(&bent.graph, &bent.source);
    assert_eq!(positions, [c, lifted, a, d].map(Vec3::from));
    let normals = flat.normals(&bent.graph, &bent.source, &positions);
    let of_first = area_vector([positions[0], positions[1], positions[2]]).normalized().unwrap();
    assert!((normals[1] - of_first).length() < 1e-6 && of_first.z > -0.9);
    assert_eq!(normals[3], Vec3::new(0.0, 0.0, -1.0));
    // A frame with too few points, or none, must not panic.
    for points in [&SQUARE[..2], &[]] {
        let short = frame(points);
        let positions = flat.positions(&short.graph, &short.source);
        assert_eq!(positions.len(), 4);
        assert_eq!(flat.normals(&short.graph, &short.source, &positions).len(), 4);
    }
}
