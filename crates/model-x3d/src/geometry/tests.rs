//! Geometry against what can be worked out without it: areas, volumes, corners by hand, normals of
//! spheres.
#![allow(
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "tests fail loudly"
)]

use std::collections::{HashMap, HashSet};
use std::f32::consts::{PI, TAU};
use std::sync::Arc;
use std::time::Instant;

use anim_ir::color::to_srgb;
use anim_ir::{Diagnostics, Limits, Mesh, Severity, Span, Topology, Vec3};
use proptest::prelude::*;

use super::{Built, Source, build};
use crate::graph::{Graph, Node, NodeId, Value};
use crate::nodes::{self, Family, FieldKind};

const NAMES: [&str; 18] = [
    "Box",
    "Sphere",
    "Cone",
    "Cylinder",
    "ElevationGrid",
    "Extrusion",
    "IndexedFaceSet",
    "IndexedTriangleSet",
    "IndexedTriangleFanSet",
    "IndexedTriangleStripSet",
    "IndexedQuadSet",
    "TriangleSet",
    "TriangleFanSet",
    "TriangleStripSet",
    "QuadSet",
    "IndexedLineSet",
    "LineSet",
    "PointSet",
];
const NAMES_1: [&str; 7] =
    ["Cube", "Sphere", "Cone", "Cylinder", "IndexedFaceSet", "IndexedLineSet", "PointSet"];

#[derive(Clone, Default)]
struct Scene {
    graph: Graph,
    source: Source,
}

fn ints(numbers: &[i32]) -> Value {
    Value::Ints(numbers.into())
}

fn floats(numbers: &[f32]) -> Value {
    Value::Floats(numbers.into())
}

fn word(word: &str) -> Value {
    Value::Strings([word.to_owned()].into())
}

impl Scene {
    fn node(&mut self, family: Family, name: &str, fields: &[(&str, Value)]) -> NodeId {
        let kind = nodes::find(name, family).unwrap_or_else(|| panic!("no node {name}"));
        let fields = fields.iter().map(|(field, value)| {
            let index =
                kind.field_index(field).unwrap_or_else(|| panic!("no field {name}.{field}"));
            (index, value.clone())
        });
        let start = self.graph.nodes.len();
        self.graph.nodes.push(Arc::new(Node {
            kind,
            name: None,
            fields: fields.collect(),
            span: Span::new(start * 10, start * 10 + 5),
        }));
        NodeId(start as u32)
    }

    fn x3d(name: &str, fields: &[(&str, Value)]) -> Scene {
        let mut scene = Scene::default();
        scene.source.geometry = scene.node(Family::X3d, name, fields);
        scene
    }

    fn vrml1(name: &str, fields: &[(&str, Value)]) -> Scene {
        let mut scene = Scene::default();
        scene.source.geometry = scene.node(Family::Vrml1, name, fields);
        scene
    }

    fn with(mut self, family: Family, name: &str, fields: &[(&str, Value)]) -> Scene {
        let id = self.node(family, name, fields);
        let source = &mut self.source;
        match name {
            "Coordinate" | "Coordinate3" => source.coordinates = Some(id),
            "Normal" => source.normals = Some(id),
            "Color" | "ColorRGBA" => source.colors = Some(id),
            "TextureCoordinate" | "TextureCoordinate2" => source.texcoords = Some(id),
            "TextureTransform" | "Texture2Transform" => source.texture_transform.push(id),
            "Material" => source.material = Some(id),
            "MaterialBinding" => source.material_binding = Some(id),
            "NormalBinding" => source.normal_binding = Some(id),
            "ShapeHints" => source.shape_hints = Some(id),
            _ => panic!("{name} goes nowhere"),
        }
        self
    }

    fn points(self, points: &[[f32; 3]]) -> Scene {
        self.with(Family::X3d, "Coordinate", &[("point", floats(points.as_flattened()))])
    }

    fn points_1(self, points: &[[f32; 3]]) -> Scene {
        self.with(Family::Vrml1, "Coordinate3", &[("point", floats(points.as_flattened()))])
    }

    fn textured(mut self) -> Scene {
        self.source.textured = true;
        self
    }

    fn build(&self) -> (Option<Built>, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let built = build(&self.graph, &self.source, &Limits::default(), &mut diagnostics);
        if let Some(built) = &built {
            check(&built.mesh);
            assert_eq!(
                built.positions(&self.graph, &self.source),
                built.mesh.positions,
                "the first frame is a frame too"
            );
            assert_eq!(
                built.normals(&self.graph, &self.source, &built.mesh.positions),
                built.mesh.normals
            );
        }
        (built, diagnostics)
    }

    /// Builds what nothing is wrong with.
    fn clean(&self) -> Built {
        let (built, diagnostics) = self.build();
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        built.unwrap()
    }

    /// The codes that are reported.
    fn codes(&self) -> Vec<(&'static str, u64)> {
        self.build().1.counts().iter().map(|(code, count)| (code.id, *count)).collect()
    }
}

/// What every mesh holds to.
fn check(mesh: &Mesh) {
    let vertices = mesh.positions.len();
    assert!(
        [0, vertices].contains(&mesh.normals.len())
            && [0, vertices].contains(&mesh.colors.len())
            && [0, vertices].contains(&mesh.texcoords.len())
    );
    assert_eq!(mesh.primitives.len(), 1);
    let primitive = &mesh.primitives[0];
    assert_eq!(primitive.indices.len() % primitive.topology.corners(), 0);
    let used: HashSet<u32> = primitive.indices.iter().copied().collect();
    assert_eq!(used.len(), vertices, "every vertex is used");
    assert!(used.iter().all(|index| (*index as usize) < vertices));
}

fn minus(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(a.x - b.x, a.y - b.y, a.z - b.z)
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

fn dot(a: Vec3, b: Vec3) -> f32 {
    a.x * b.x + a.y * b.y + a.z * b.z
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() <= 1e-4 * (1.0 + b.abs())
}

fn triangles(mesh: &Mesh) -> Vec<[Vec3; 3]> {
    let primitive = &mesh.primitives[0];
    assert_eq!(primitive.topology, Topology::Triangles);
    primitive
        .indices
        .as_chunks::<3>()
        .0
        .iter()
        .map(|triangle| triangle.map(|index| mesh.positions[index as usize]))
        .collect()
}

fn area_vector([a, b, c]: [Vec3; 3]) -> Vec3 {
    let n = cross(minus(b, a), minus(c, a));
    Vec3::new(n.x / 2.0, n.y / 2.0, n.z / 2.0)
}

fn area(mesh: &Mesh) -> f32 {
    triangles(mesh).into_iter().map(|triangle| area_vector(triangle).length() as f32).sum()
}

/// By the divergence theorem: negative where faces look inwards.
fn volume(mesh: &Mesh) -> f32 {
    triangles(mesh).into_iter().map(|triangle| dot(triangle[0], area_vector(triangle)) / 3.0).sum()
}

/// Vertices - edges + faces, vertices told apart by their place; every edge has to have two faces,
/// one each way.
fn euler(mesh: &Mesh) -> i64 {
    let mut places: HashMap<[i64; 3], usize> = HashMap::new();
    let mut place = |p: Vec3| {
        let next = places.len();
        *places.entry(p.to_array().map(|c| (c * 1e5).round() as i64)).or_insert(next)
    };
    let faces: Vec<[usize; 3]> =
        triangles(mesh).into_iter().map(|triangle| triangle.map(&mut place)).collect();
    let edges: HashSet<(usize, usize)> =
        faces.iter().flat_map(|[a, b, c]| [(*a, *b), (*b, *c), (*c, *a)]).collect();
    assert_eq!(edges.len(), faces.len() * 3, "no edge twice in one direction");
    assert!(edges.iter().all(|(a, b)| edges.contains(&(*b, *a))), "closed");
    places.len() as i64 - edges.len() as i64 / 2 + faces.len() as i64
}

/// Whether the normals look to the side from which triangles are counter-clockwise.
fn normals_agree(mesh: &Mesh) {
    assert!(!mesh.normals.is_empty());
    for (triangle, corners) in
        triangles(mesh).into_iter().zip(mesh.primitives[0].indices.as_chunks::<3>().0)
    {
        for corner in corners {
            let normal = mesh.normals[*corner as usize];
            assert!((normal.length() - 1.0).abs() < 1e-5);
            assert!(dot(normal, area_vector(triangle)) > 0.0);
        }
    }
}

const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
const CUBE: [[f32; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [-1.0, 1.0, 1.0],
    [1.0, 1.0, 1.0],
];
const CUBE_FACES: [i32; 30] = [
    4, 5, 7, 6, -1, 1, 0, 2, 3, -1, 0, 4, 6, 2, -1, 5, 1, 3, 7, -1, 6, 7, 3, 2, -1, 0, 1, 5, 4, -1,
];

fn cube(crease_angle: f32) -> Scene {
    Scene::x3d(
        "IndexedFaceSet",
        &[("coordIndex", ints(&CUBE_FACES)), ("creaseAngle", floats(&[crease_angle]))],
    )
    .points(&CUBE)
}

#[test]
fn a_box_is_six_squares() {
    let built = Scene::x3d("Box", &[("size", floats(&[2.0, 4.0, 6.0]))]).textured().clean();
    let mesh = &built.mesh;
    assert_eq!((mesh.positions.len(), triangles(mesh).len()), (24, 12));
    assert!(near(area(mesh), 88.0) && near(volume(mesh), 48.0));
    assert_eq!(euler(mesh), 2);
    normals_agree(mesh);
    assert!(!built.double_sided);
    // On the front the picture is upright, with glTF's v down.
    for ((position, normal), [u, v]) in
        mesh.positions.iter().zip(&mesh.normals).zip(&mesh.texcoords)
    {
        let expected = match normal.to_array() {
            [0.0, 0.0, 1.0] => [position.x / 2.0 + 0.5, 0.5 - position.y / 4.0],
            [0.0, 1.0, 0.0] => [position.x / 2.0 + 0.5, 0.5 + position.z / 6.0],
            [1.0, 0.0, 0.0] => [0.5 - position.z / 6.0, 0.5 - position.y / 4.0],
            _ => continue,
        };
        assert_eq!([*u, *v], expected);
    }
}

#[test]
fn round_shapes_are_closed_and_nearly_round() {
    let size = [("height", floats(&[3.0]))];
    let radius = |field| [size.as_slice(), &[(field, floats(&[2.0]))]].concat();
    let full = PI * 4.0 * 3.0;
    for (scene, expected) in [
        (Scene::x3d("Sphere", &[("radius", floats(&[2.0]))]), 4.0 / 3.0 * PI * 8.0),
        (Scene::x3d("Cylinder", &radius("radius")), full),
        (Scene::x3d("Cone", &radius("bottomRadius")), full / 3.0),
        (Scene::vrml1("Cylinder", &radius("radius")), full),
        (Scene::vrml1("Cone", &radius("bottomRadius")), full / 3.0),
        (Scene::vrml1("Sphere", &[("radius", floats(&[2.0]))]), 4.0 / 3.0 * PI * 8.0),
    ] {
        let mesh = scene.textured().clean().mesh;
        assert_eq!(euler(&mesh), 2);
        normals_agree(&mesh);
        let volume = volume(&mesh);
        assert!(volume < expected && volume > expected * 0.95, "{volume} {expected}");
        // No picture is mirrored: in its own plane every triangle turns as in space, v being down.
        for corners in mesh.primitives[0].indices.as_chunks::<3>().0 {
            let [a, b, c] = corners.map(|corner| mesh.texcoords[corner as usize]);
            let turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            assert!(turn < 0.0, "{a:?} {b:?} {c:?}");
        }
    }
}

#[test]
fn a_sphere_has_its_own_normals_and_map() {
    let mesh = Scene::x3d("Sphere", &[("radius", floats(&[3.0]))]).textured().clean().mesh;
    for ((position, normal), [u, v]) in
        mesh.positions.iter().zip(&mesh.normals).zip(&mesh.texcoords)
    {
        assert!(minus(position.normalized().unwrap(), *normal).length() < 1e-6);
        assert!(
            near((-v + 0.5) * PI, (position.y / 3.0).clamp(-1.0, 1.0).asin()),
            "{v} {position:?}"
        );
        // From the back to the left, the front, the right.
        if position.x.hypot(position.z) > 1e-3 {
            assert!(near((u * TAU).sin(), -position.x / position.x.hypot(position.z)));
        }
    }
}

#[test]
fn a_cone_is_as_steep_in_its_normals() {
    let mesh = Scene::x3d(
        "Cone",
        &[
            ("bottomRadius", floats(&[3.0])),
            ("height", floats(&[4.0])),
            ("bottom", Value::Bool(false)),
        ],
    )
    .clean()
    .mesh;
    assert!(mesh.texcoords.is_empty(), "no texture");
    for normal in &mesh.normals {
        assert!(near(normal.y, 0.6) && near(normal.x.hypot(normal.z), 0.8));
    }
}

#[test]
fn parts_can_be_missing() {
    let no = Value::Bool(false);
    let open = Scene::x3d("Cylinder", &[("top", no.clone()), ("bottom", no.clone())]).clean().mesh;
    let disk = Scene::vrml1("Cylinder", &[("parts", word("TOP"))]).clean().mesh;
    let whole = Scene::x3d("Cylinder", &[]).clean().mesh;
    assert!(near(area(&open) + 2.0 * area(&disk), area(&whole)));
    assert!(disk.positions.iter().all(|position| position.y == 1.0));
    assert_eq!(
        Scene::x3d("Cone", &[("side", no.clone()), ("bottom", no)]).codes(),
        [("x3d-geometry-empty", 1)]
    );
}

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
fn crease_angles() {
    // Flat: eight shared vertices, and no normals.
    for flat in [0.0, 0.5, 1.57, -1.0] {
        let mesh = cube(flat).clean().mesh;
        assert_eq!((mesh.positions.len(), mesh.normals.len()), (8, 0), "{flat}");
    }
    // Smooth: the diagonals.
    for smooth in [1.6, 3.0, 4.0] {
        let mesh = cube(smooth).clean().mesh;
        assert_eq!(mesh.positions.len(), 8);
        for (position, normal) in mesh.positions.iter().zip(&mesh.normals) {
            assert!(minus(position.normalized().unwrap(), *normal).length() < 1e-6);
        }
    }
}

#[test]
fn a_crease_angle_between_splits_at_sharp_edges_only() {
    // A ridge: slopes of 20° left and right, and a wall under the right eave.
    let (sin, cos) = 20_f32.to_radians().sin_cos();
    let points = [
        [-cos, 0.0, 0.0],
        [-cos, 0.0, 1.0],
        [0.0, sin, 1.0],
        [0.0, sin, 0.0],
        [cos, 0.0, 1.0],
        [cos, 0.0, 0.0],
        [cos, -1.0, 1.0],
        [cos, -1.0, 0.0],
    ];
    let scene = Scene::x3d(
        "IndexedFaceSet",
        &[
            ("coordIndex", ints(&[0, 1, 2, 3, -1, 3, 2, 4, 5, -1, 5, 4, 6, 7])),
            ("creaseAngle", floats(&[0.8])),
        ],
    );
    let mesh = scene.points(&points).clean().mesh;
    // Two points of the eave are two vertices each.
    assert_eq!(mesh.positions.len(), 10);
    for (position, normal) in mesh.positions.iter().zip(&mesh.normals) {
        if position.x == 0.0 {
            assert!(minus(*normal, Vec3::new(0.0, 1.0, 0.0)).length() < 1e-6, "the slopes' mean");
        }
    }
    let eave: Vec<&Vec3> = mesh
        .positions
        .iter()
        .zip(&mesh.normals)
        .filter(|(p, _)| near(p.x, cos) && p.y == 0.0)
        .map(|(_, n)| n)
        .collect();
    assert_eq!(eave.len(), 4);
    assert!(
        eave.iter()
            .all(|normal| near(normal.x, 1.0) || (near(normal.x, sin) && near(normal.y, cos))),
        "{eave:?}"
    );
}

#[test]
fn the_two_sides_of_a_sheet_do_not_cancel_out() {
    let mesh = Scene::x3d(
        "IndexedFaceSet",
        &[("coordIndex", ints(&[0, 1, 2, -1, 2, 1, 0, -1])), ("creaseAngle", floats(&[4.0]))],
    );
    let mesh = mesh.points(&SQUARE).clean().mesh;
    assert_eq!(mesh.normals, [Vec3::new(0.0, 0.0, 1.0); 3]);
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

#[test]
fn a_sphere_grows() {
    let [small, great] =
        [1.0, 2.0].map(|radius| Scene::x3d("Sphere", &[("radius", floats(&[radius]))]));
    let built = small.clean();
    let positions = built.positions(&great.graph, &great.source);
    assert!(positions.iter().zip(&built.mesh.positions).all(|(great, small)| near(
        great.length() as f32,
        2.0
    ) && dot(
        *great, *small
    ) > 1.99));
}

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

#[test]
fn sets_strips_and_fans_are_the_same_surface() {
    // A strip of two squares, by columns: all triangles look up.
    let strip = [
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [1.0, 0.0, 0.0],
        [2.0, 1.0, 0.0],
        [2.0, 0.0, 0.0],
    ];
    let fan = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let flat = ("normalPerVertex", Value::Bool(false));
    let pick = |points: &[[f32; 3]], index: &[usize]| -> Vec<[f32; 3]> {
        index.iter().map(|index| points[*index]).collect()
    };
    for (name, fields, points) in [
        ("IndexedTriangleSet", vec![("index", ints(&[0, 1, 2, 0, 2, 3]))], fan.to_vec()),
        ("IndexedQuadSet", vec![("index", ints(&[0, 1, 2, 3]))], fan.to_vec()),
        ("IndexedTriangleFanSet", vec![("index", ints(&[0, 1, 2, 3, -1]))], fan.to_vec()),
        (
            "IndexedTriangleStripSet",
            vec![("index", ints(&[0, 1, 2, 3, -1, 2, 3, 4, 5]))],
            strip.to_vec(),
        ),
        ("TriangleSet", vec![], pick(&fan, &[0, 1, 2, 0, 2, 3])),
        ("QuadSet", vec![], fan.to_vec()),
        ("TriangleFanSet", vec![("fanCount", ints(&[4]))], fan.to_vec()),
        ("TriangleFanSet", vec![("fanCount", ints(&[3, 3]))], pick(&fan, &[0, 1, 2, 0, 2, 3])),
        ("TriangleStripSet", vec![("stripCount", ints(&[6]))], strip.to_vec()),
    ] {
        let mesh = Scene::x3d(name, &fields).points(&points).clean().mesh;
        assert!(
            triangles(&mesh).into_iter().all(|triangle| area_vector(triangle).z > 0.0),
            "{name}"
        );
        assert!(near(area(&mesh), 2.0), "{name}");
        // Smooth normals, of one plane.
        assert!(mesh.normals.iter().all(|normal| *normal == Vec3::new(0.0, 0.0, 1.0)), "{name}");
        let flat =
            Scene::x3d(name, &[fields, vec![flat.clone()]].concat()).points(&points).clean().mesh;
        assert!(flat.normals.is_empty(), "{name}");
    }
}

#[test]
fn counts_that_do_not_fit() {
    for (name, field) in [
        ("TriangleFanSet", "fanCount"),
        ("TriangleStripSet", "stripCount"),
        ("LineSet", "vertexCount"),
    ] {
        let scene = |counts: &[i32]| Scene::x3d(name, &[(field, ints(counts))]).points(&SQUARE);
        assert_eq!(scene(&[3, i32::MAX]).codes(), [("x3d-geometry-count", 1)], "{name}");
        assert_eq!(scene(&[i32::MIN, -1, 0, 4]).codes(), [("x3d-geometry-count", 3)], "{name}");
        assert_eq!(
            scene(&[5]).codes(),
            [("x3d-geometry-count", 1), ("x3d-geometry-empty", 1)],
            "{name}"
        );
    }
    let grid = |x, z| {
        Scene::x3d(
            "ElevationGrid",
            &[
                ("xDimension", ints(&[x])),
                ("zDimension", ints(&[z])),
                ("height", floats(&[0.0; 6])),
            ],
        )
    };
    for (x, z) in [(i32::MAX, i32::MAX), (0, i32::MAX), (i32::MAX, 0), (-2, -3), (1, 6), (3, 3)] {
        assert_eq!(grid(x, z).codes(), [("x3d-geometry-count", 1)]);
    }
    assert_eq!(triangles(&grid(2, 3).clean().mesh).len(), 4);
    let long = vec![0.5; 12_000];
    let extrusion =
        Scene::x3d("Extrusion", &[("crossSection", floats(&long)), ("spine", floats(&long))]);
    assert_eq!(extrusion.codes(), [("x3d-geometry-limit", 1)]);
}

#[test]
fn a_grid_of_heights_looks_up() {
    let fields = [
        ("xDimension", ints(&[3])),
        ("zDimension", ints(&[2])),
        ("xSpacing", floats(&[2.0])),
        ("zSpacing", floats(&[5.0])),
        ("height", floats(&[1.0; 6])),
    ];
    let mesh = Scene::x3d("ElevationGrid", &fields).textured().clean().mesh;
    assert!(triangles(&mesh).into_iter().all(|triangle| area_vector(triangle).y > 0.0));
    assert!(near(area(&mesh), 20.0));
    for (position, [u, v]) in mesh.positions.iter().zip(&mesh.texcoords) {
        assert_eq!([*u, *v], [position.x / 4.0, 1.0 - position.z / 5.0]);
    }
}

#[test]
fn an_extrusion_as_it_comes_is_a_block() {
    let mesh = Scene::x3d("Extrusion", &[]).textured().clean().mesh;
    assert!(near(volume(&mesh), 4.0) && near(area(&mesh), 16.0));
    assert_eq!(euler(&mesh), 2);
    let flat: Vec<_> = mesh.texcoords.iter().flatten().collect();
    assert!(flat.iter().all(|c| (0.0..=1.0).contains(*c)));
}

#[test]
fn an_extrusion_follows_its_spine() {
    let square = ("crossSection", floats(&[1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0]));
    // Straight ones keep their width, whichever way they go.
    for spine in [[3.0, 0.0, 0.0], [0.0, 0.0, -3.0], [0.0, -3.0, 0.0], [0.0, 1.8, 2.4]] {
        let spine = [[0.0; 3], spine].concat();
        let mesh =
            Scene::x3d("Extrusion", &[square.clone(), ("spine", floats(&spine))]).clean().mesh;
        assert!(near(volume(&mesh), 12.0), "{spine:?} {}", volume(&mesh));
        assert_eq!(euler(&mesh), 2);
    }
    // A ring without caps is a torus.
    let spine: Vec<f32> = (0..=48_u8)
        .map(|i| (f32::from(i % 48) / 48.0 * TAU).sin_cos())
        .flat_map(|(sin, cos)| [10.0 * cos, 0.0, 10.0 * sin])
        .collect();
    let no = Value::Bool(false);
    let fields = [square, ("spine", floats(&spine)), ("beginCap", no.clone()), ("endCap", no)];
    let mesh = Scene::x3d("Extrusion", &fields).clean().mesh;
    assert_eq!(euler(&mesh), 0);
    // Pappus: area of the section times the way of its centre.
    assert!((volume(&mesh) / (4.0 * TAU * 10.0) - 1.0).abs() < 0.01, "{}", volume(&mesh));
    // To the right and up again: at a bend the section leans by 45°, and it is not turned over. The
    // middle piece is thinner all along, the outer ones towards the bend.
    let spine = floats(&[0.0, 0.0, 0.0, 0.0, 8.0, 0.0, 8.0, 8.0, 0.0, 8.0, 16.0, 0.0]);
    let mesh = Scene::x3d("Extrusion", &[("spine", spine)]).clean().mesh;
    let lean = 0.5_f32.sqrt();
    let ends = 2.0 * 8.0 * 4.0 * (1.0 + lean) / 2.0;
    assert!(near(volume(&mesh), ends + 8.0 * 4.0 * lean), "{}", volume(&mesh));
    // Scale and orientation: a pyramid's stump, turned by 90° about the spine, which changes
    // nothing.
    let stump = [
        ("scale", floats(&[1.0, 1.0, 0.5, 0.5])),
        ("orientation", floats(&[0.0, 1.0, 0.0, PI / 2.0])),
    ];
    assert!(near(volume(&Scene::x3d("Extrusion", &stump).clean().mesh), (4.0 + 1.0 + 2.0) / 3.0));
}

#[test]
fn lines_and_points() {
    let red_and_blue = ("color", floats(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0]));
    let lines = Scene::x3d(
        "IndexedLineSet",
        &[("coordIndex", ints(&[0, 1, 2, -1, 3, 0])), ("colorPerVertex", Value::Bool(false))],
    );
    let mesh =
        lines.points(&SQUARE).with(Family::X3d, "Color", &[red_and_blue]).textured().clean().mesh;
    assert_eq!(mesh.primitives[0].topology, Topology::Lines);
    assert_eq!(mesh.primitives[0].indices, [0, 1, 1, 2, 3, 4]);
    assert_eq!(mesh.colors[..3], [[1.0, 0.0, 0.0, 1.0]; 3]);
    assert_eq!(mesh.positions[4], mesh.positions[0], "one point, two colours");
    assert!(mesh.normals.is_empty() && mesh.texcoords.is_empty());
    let mesh =
        Scene::x3d("LineSet", &[("vertexCount", ints(&[2, 2]))]).points(&SQUARE).clean().mesh;
    assert_eq!(mesh.primitives[0].indices, [0, 1, 2, 3]);
    let mesh = Scene::x3d("PointSet", &[]).points(&SQUARE).clean().mesh;
    assert_eq!((mesh.primitives[0].topology, mesh.positions.len()), (Topology::Points, 4));
    let mesh = Scene::vrml1("PointSet", &[("startIndex", ints(&[1])), ("numPoints", ints(&[2]))])
        .points_1(&SQUARE)
        .clean()
        .mesh;
    assert_eq!(mesh.positions, [SQUARE[1], SQUARE[2]].map(Vec3::from));
}

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

#[test]
fn what_has_nothing_to_show_or_is_not_known() {
    for name in NAMES.iter().skip(6) {
        let scene = Scene::x3d(name, &[]);
        assert!(scene.clone().build().0.is_none() && scene.codes().is_empty(), "{name}");
        assert_eq!(scene.points(&[]).codes(), [], "{name}");
    }
    let face = ("coordIndex", ints(&[0, 1, 2]));
    assert_eq!(
        Scene::x3d("IndexedFaceSet", std::slice::from_ref(&face)).codes(),
        [("x3d-geometry-empty", 1)]
    );
    assert_eq!(
        Scene::x3d("IndexedFaceSet", &[]).points(&SQUARE).codes(),
        [("x3d-geometry-empty", 1)]
    );
    assert!(Scene::x3d("Text", &[]).build().0.is_none());
    assert_eq!(Scene::x3d("Text", &[]).codes(), [("x3d-geometry-kind", 1)]);
    assert_eq!(Scene::vrml1("AsciiText", &[]).codes(), [("x3d-geometry-kind", 1)]);
    let mut nowhere = Scene::default();
    nowhere.source.geometry = NodeId(7);
    assert!(nowhere.build().0.is_none());
}

/// A hundred thousand faces around one point, each with a colour of its own.
#[test]
fn a_great_fan_takes_no_square_of_time() {
    let count = 100_000_i32;
    let ring = (0..count)
        .map(|i| f64::from(i) / f64::from(count) * std::f64::consts::TAU)
        .map(|a| [a.cos() as f32, 0.0, -a.sin() as f32]);
    let points: Vec<[f32; 3]> = [[0.0, 1.0, 0.0]].into_iter().chain(ring).collect();
    let index: Vec<i32> = (0..count).flat_map(|i| [0, i + 1, (i + 1) % count + 1, -1]).collect();
    let colors: Vec<f32> = (0..count).flat_map(|i| [i as f32 / count as f32, 0.5, 0.5]).collect();
    let start = Instant::now();
    let fields = [
        ("coordIndex", ints(&index)),
        ("creaseAngle", floats(&[0.5])),
        ("colorPerVertex", Value::Bool(false)),
    ];
    let mesh = Scene::x3d("IndexedFaceSet", &fields)
        .points(&points)
        .with(Family::X3d, "Color", &[("color", floats(&colors))])
        .clean()
        .mesh;
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
    assert_eq!(triangles(&mesh).len(), 100_000);
    let apex = mesh.positions.iter().position(|position| position.y == 1.0).unwrap();
    assert!(near(mesh.normals[apex].y, 1.0));
}

/// A sphere-like grid of half a million triangles.
#[test]
fn a_great_mesh_is_quick() {
    let side = 500_i32;
    let points: Vec<[f32; 3]> = (0..side * side)
        .map(|i| [(i % side) as f32, (i % 7) as f32 * 0.1, (i / side) as f32])
        .collect();
    let corners = |i: i32| [i, i + side, i + side + 1, i, i + side + 1, i + 1];
    let cells = (0..side - 1).flat_map(|row| (0..side - 1).map(move |column| row * side + column));
    let index: Vec<i32> = cells
        .flat_map(|i| {
            let [a, b, c, d, e, f] = corners(i);
            [a, b, c, -1, d, e, f, -1]
        })
        .collect();
    let texcoords: Vec<f32> = points.iter().flat_map(|[x, _, z]| [*x, *z]).collect();
    for crease in [0.0, 1.0, 4.0] {
        let scene = Scene::x3d(
            "IndexedFaceSet",
            &[("coordIndex", ints(&index)), ("creaseAngle", floats(&[crease]))],
        )
        .points(&points);
        let scene = scene.with(Family::X3d, "TextureCoordinate", &[("point", floats(&texcoords))]);
        let mut diagnostics = Diagnostics::new();
        let start = Instant::now();
        let built =
            build(&scene.graph, &scene.source, &Limits::default(), &mut diagnostics).unwrap();
        let made = start.elapsed();
        let positions = built.positions(&scene.graph, &scene.source);
        let placed = start.elapsed() - made;
        built.normals(&scene.graph, &scene.source, &positions);
        let turned = start.elapsed() - made - placed;
        eprintln!(
            "{} triangles, crease angle {crease}: {made:?}, positions {placed:?}, normals \
             {turned:?}",
            triangles(&built.mesh).len()
        );
        assert!(made.as_secs() < 10);
    }
}

/// Values for a field, wild ones too.
fn value(kind: FieldKind, numbers: &[f32], integers: &[i32], flag: bool) -> Option<Value> {
    let first = |count: usize| (numbers.len() >= count).then(|| floats(&numbers[..count]));
    match kind {
        FieldKind::SFBool => Some(Value::Bool(flag)),
        FieldKind::SFInt32 => integers.first().map(|integer| ints(&[*integer])),
        FieldKind::MFInt32 => Some(ints(integers)),
        FieldKind::SFFloat => first(1),
        FieldKind::SFVec2f => first(2),
        FieldKind::SFVec3f => first(3),
        FieldKind::MFVec2f
        | FieldKind::MFVec3f
        | FieldKind::MFFloat
        | FieldKind::MFRotation
        | FieldKind::MFColor => Some(floats(numbers)),
        _ => None,
    }
}

proptest! {
    #[test]
    fn nothing_makes_it_panic(
        name in 0..NAMES.len() + NAMES_1.len(),
        integers in prop::collection::vec(prop_oneof![8 => -1..8_i32, 1 => any::<i32>()], 0..30),
        other in prop::collection::vec(-1..5_i32, 0..30),
        numbers in prop::collection::vec(prop_oneof![Just(0.0_f32), -9.0..9.0_f32, Just(f32::MAX), Just(-f32::MAX), Just(1e-38)], 0..40),
        flags in any::<u32>(),
    ) {
        let (family, name) = NAMES.get(name).map_or_else(|| (Family::Vrml1, NAMES_1[name - NAMES.len()]), |name| (Family::X3d, *name));
        let flag = |bit: usize| flags >> (bit % 32) & 1 == 1;
        let fields = nodes::find(name, family).unwrap().fields.iter().enumerate().filter(|(at, _)| flag(*at));
        let fields: Vec<_> = fields.filter_map(|(at, field)| {
            let integers = if at % 2 == 0 { &integers } else { &other };
            Some((field.name, value(field.kind, &numbers, integers, flag(at + 7))?))
        }).collect();
        let mut scene = Scene::default();
        scene.source.geometry = scene.node(family, name, &fields);
        scene.source.textured = flag(3);
        let parts: &[(&str, &str)] = match family {
            Family::X3d => &[("Coordinate", "point"), ("Color", "color"), ("Normal", "vector"), ("TextureCoordinate", "point"), ("TextureTransform", "scale")],
            Family::Vrml1 => &[("Coordinate3", "point"), ("Material", "diffuseColor"), ("Normal", "vector"), ("TextureCoordinate2", "point")],
        };
        for (at, (name, field)) in parts.iter().enumerate().filter(|(at, _)| *at == 0 || flag(at + 11)) {
            scene = scene.with(family, name, &[(*field, floats(&numbers[..numbers.len() / (at + 1)]))]);
        }
        if family == Family::Vrml1 {
            let bindings = ["OVERALL", "PER_PART", "PER_FACE", "PER_FACE_INDEXED", "PER_VERTEX", "PER_VERTEX_INDEXED", "WRONG", "DEFAULT"];
            scene = scene.with(family, "MaterialBinding", &[("value", word(bindings[flags as usize % 8]))]);
            scene = scene.with(family, "NormalBinding", &[("value", word(bindings[flags as usize / 8 % 8]))]);
        }
        let mut diagnostics = Diagnostics::new();
        let built = build(&scene.graph, &scene.source, &Limits::default(), &mut diagnostics);
        prop_assert!(built.is_some() || numbers.len() < 3 || diagnostics.worst() >= Some(Severity::Warning), "nothing without a word");
        if let Some(built) = built {
            check(&built.mesh);
            let Mesh { positions, normals, texcoords, colors, .. } = &built.mesh;
            prop_assert!(positions.iter().chain(normals).all(|vector| vector.is_finite()));
            prop_assert!(texcoords.as_flattened().iter().chain(colors.as_flattened()).all(|number| number.is_finite()));
            let positions = built.positions(&scene.graph, &scene.source);
            prop_assert_eq!(positions.len(), built.mesh.positions.len());
            prop_assert_eq!(built.normals(&scene.graph, &scene.source, &positions).len(), built.mesh.normals.len());
        }
    }
}
