//! Sets, strips, grids, extrusions, lines and points.

use std::f32::consts::{PI, TAU};

use anim_ir::{Topology, Vec3};

use super::scene::{
    SQUARE, Scene, area, area_vector, euler, floats, ints, near, triangles, volume,
};
use crate::graph::Value;

#[test]
fn sets_strips_and_fans_produce_the_same_surface() {
    // A strip of two squares, by columns: all triangles face up.
    let strip = [[0.0, 1.0], [0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [2.0, 1.0], [2.0, 0.0]]
        .map(|[x, y]| [x, y, 0.0]);
    let fan = [1, 5, 4, 0].map(|at| strip[at]);
    let twice = [0, 1, 2, 0, 2, 3].map(|at| fan[at]);
    let flat = ("normalPerVertex", Value::Bool(false));
    let index = |index: &[i32]| vec![("index", ints(index))];
    for (name, fields, points) in [
        ("IndexedTriangleSet", index(&[0, 1, 2, 0, 2, 3]), &fan[..]),
        ("IndexedQuadSet", index(&[0, 1, 2, 3]), &fan),
        ("IndexedTriangleFanSet", index(&[0, 1, 2, 3, -1]), &fan),
        ("IndexedTriangleStripSet", index(&[0, 1, 2, 3, -1, 2, 3, 4, 5]), &strip),
        ("TriangleSet", vec![], &twice),
        ("QuadSet", vec![], &fan),
        ("TriangleFanSet", vec![("fanCount", ints(&[4]))], &fan),
        ("TriangleFanSet", vec![("fanCount", ints(&[3, 3]))], &twice),
        ("TriangleStripSet", vec![("stripCount", ints(&[6]))], &strip),
    ] {
        let mesh = Scene::x3d(name, &fields).points(points).mesh();
        assert!(triangles(&mesh).into_iter().all(|abc| area_vector(abc).z > 0.0), "{name}");
        assert!(near(area(&mesh), 2.0), "{name}");
        // The normals are smooth, and all faces are in one plane.
        assert!(mesh.normals.iter().all(|normal| *normal == Vec3::new(0.0, 0.0, 1.0)), "{name}");
        let flat = Scene::x3d(name, &[fields, vec![flat.clone()]].concat()).points(points).mesh();
        assert!(flat.normals.is_empty(), "{name}");
    }
}

#[test]
fn invalid_counts_are_reported() {
    for (name, field) in [
        ("TriangleFanSet", "fanCount"),
        ("TriangleStripSet", "stripCount"),
        ("LineSet", "vertexCount"),
    ] {
        for (counts, codes) in [
            (&[3, i32::MAX][..], &[("x3d-geometry-count", 1)][..]),
            (&[i32::MIN, -1, 0, 4], &[("x3d-geometry-count", 3)]),
            (&[5], &[("x3d-geometry-count", 1), ("x3d-geometry-empty", 1)]),
        ] {
            let scene = Scene::x3d(name, &[(field, ints(counts))]).points(&SQUARE);
            assert_eq!(scene.codes(), codes, "{name}");
        }
    }
    let grid = |x, z| {
        let [x, z] =
            [("xDimension", x), ("zDimension", z)].map(|(name, size)| (name, ints(&[size])));
        Scene::x3d("ElevationGrid", &[x, z, ("height", floats(&[0.0; 6]))])
    };
    for (x, z) in [(i32::MAX, i32::MAX), (0, i32::MAX), (i32::MAX, 0), (-2, -3), (1, 6), (3, 3)] {
        assert_eq!(grid(x, z).codes(), [("x3d-geometry-count", 1)]);
    }
    assert_eq!(triangles(&grid(2, 3).mesh()).len(), 4);
    let long = vec![0.5; 12_000];
    let extrusion =
        Scene::x3d("Extrusion", &[("crossSection", floats(&long)), ("spine", floats(&long))]);
    assert_eq!(extrusion.codes(), [("x3d-geometry-limit", 1)]);
}

#[test]
fn elevation_grids_face_up() {
    let fields = [
        ("xDimension", ints(&[3])),
        ("zDimension", ints(&[2])),
        ("xSpacing", floats(&[2.0])),
        ("zSpacing", floats(&[5.0])),
        ("height", floats(&[1.0; 6])),
    ];
    let mesh = Scene::x3d("ElevationGrid", &fields).textured().mesh();
    assert!(triangles(&mesh).into_iter().all(|triangle| area_vector(triangle).y > 0.0));
    assert!(near(area(&mesh), 20.0));
    for (position, [u, v]) in mesh.positions.iter().zip(&mesh.texcoords) {
        assert_eq!([*u, *v], [position.x / 4.0, 1.0 - position.z / 5.0]);
    }
}

#[test]
fn the_default_extrusion_is_a_block() {
    let mesh = Scene::x3d("Extrusion", &[]).textured().mesh();
    assert!(near(volume(&mesh), 4.0) && near(area(&mesh), 16.0));
    assert_eq!(euler(&mesh), 2);
    assert!(mesh.texcoords.as_flattened().iter().all(|c| (0.0..=1.0).contains(c)));
}

#[test]
fn an_extrusion_follows_its_spine() {
    let square = ("crossSection", floats(&[1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0]));
    // Straight extrusions keep their width in every direction.
    for spine in [[3.0, 0.0, 0.0], [0.0, 0.0, -3.0], [0.0, -3.0, 0.0], [0.0, 1.8, 2.4]] {
        let spine = [[0.0; 3], spine].concat();
        let mesh = Scene::x3d("Extrusion", &[square.clone(), ("spine", floats(&spine))]).mesh();
        assert!(near(volume(&mesh), 12.0), "{spine:?} {}", volume(&mesh));
        assert_eq!(euler(&mesh), 2);
    }
    // A ring without caps forms a torus.
    let spine: Vec<f32> = (0..=48_u8)
        .map(|i| (f32::from(i % 48) / 48.0 * TAU).sin_cos())
        .flat_map(|(sin, cos)| [10.0 * cos, 0.0, 10.0 * sin])
        .collect();
    let no = Value::Bool(false);
    let fields = [square, ("spine", floats(&spine)), ("beginCap", no.clone()), ("endCap", no)];
    let mesh = Scene::x3d("Extrusion", &fields).mesh();
    assert_eq!(euler(&mesh), 0);
    // Pappus: area of the section times the path length of its centre.
    assert!((volume(&mesh) / (4.0 * TAU * 10.0) - 1.0).abs() < 0.01, "{}", volume(&mesh));
    // The spine goes up, to the right and up again. At a bend, the section is tilted by 45° and not
    // flipped. The middle segment is thinner along its whole length, the outer segments towards the
    // bend.
    let spine = floats(&[0.0, 0.0, 0.0, 0.0, 8.0, 0.0, 8.0, 8.0, 0.0, 8.0, 16.0, 0.0]);
    let mesh = Scene::x3d("Extrusion", &[("spine", spine)]).mesh();
    let lean = 0.5_f32.sqrt();
    let ends = 2.0 * 8.0 * 4.0 * (1.0 + lean) / 2.0;
    assert!(near(volume(&mesh), ends + 8.0 * 4.0 * lean), "{}", volume(&mesh));
    // The scale makes a truncated pyramid. The orientation rotates it by 90° about the spine, which
    // maps it to itself.
    let stump = [
        ("scale", floats(&[1.0, 1.0, 0.5, 0.5])),
        ("orientation", floats(&[0.0, 1.0, 0.0, PI / 2.0])),
    ];
    assert!(near(volume(&Scene::x3d("Extrusion", &stump).mesh()), (4.0 + 1.0 + 2.0) / 3.0));
}

#[test]
fn lines_and_points() {
    let red_and_blue = ("color", floats(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0]));
    let fields =
        [("coordIndex", ints(&[0, 1, 2, -1, 3, 0])), ("colorPerVertex", Value::Bool(false))];
    let lines = Scene::x3d("IndexedLineSet", &fields);
    let mesh = lines.points(&SQUARE).with("Color", &[red_and_blue]).textured().mesh();
    assert_eq!(mesh.primitives[0].topology, Topology::Lines);
    assert_eq!(mesh.primitives[0].indices, [0, 1, 1, 2, 3, 4]);
    assert_eq!(mesh.colors[..3], [[1.0, 0.0, 0.0, 1.0]; 3]);
    assert_eq!(mesh.positions[4], mesh.positions[0], "one point, two colours");
    assert!(mesh.normals.is_empty() && mesh.texcoords.is_empty());
    let mesh = Scene::x3d("LineSet", &[("vertexCount", ints(&[2, 2]))]).points(&SQUARE).mesh();
    assert_eq!(mesh.primitives[0].indices, [0, 1, 2, 3]);
    let mesh = Scene::x3d("PointSet", &[]).points(&SQUARE).mesh();
    assert_eq!((mesh.primitives[0].topology, mesh.positions.len()), (Topology::Points, 4));
    let some = [("startIndex", ints(&[1])), ("numPoints", ints(&[2]))];
    let mesh = Scene::vrml1("PointSet", &some).points_1(&SQUARE).mesh();
    assert_eq!(mesh.positions, [SQUARE[1], SQUARE[2]].map(Vec3::from));
}
