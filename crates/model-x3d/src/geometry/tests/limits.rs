//! Huge and arbitrary geometries.

use anim_ir::{Budget, Diagnostics, Limits, Mesh, Severity};
use proptest::prelude::*;
use test_oracle::growth::assert_linear;

use super::scene::{SQUARE, Scene, check, floats, ints, near, triangles, word};
use crate::geometry::build;
use crate::graph::{NodeId, Value};
use crate::nodes::{self, Family, FieldKind};

/// The first six types need no points.
/// Without values, these may be empty.
const PLANAR: &str = "Arc2D ArcClose2D Circle2D Disk2D Polyline2D Polypoint2D Rectangle2D \
    TriangleSet2D";
const NAMES: &str = "Box Sphere Cone Cylinder ElevationGrid Extrusion IndexedFaceSet \
    IndexedTriangleSet IndexedTriangleFanSet IndexedTriangleStripSet IndexedQuadSet TriangleSet \
    TriangleFanSet TriangleStripSet QuadSet IndexedLineSet LineSet PointSet";
const NAMES_1: &str = "Cube Sphere Cone Cylinder IndexedFaceSet IndexedLineSet PointSet";

#[test]
fn empty_and_unsupported_geometry_is_reported() {
    for name in NAMES.split(' ').skip(6) {
        let scene = Scene::x3d(name, &[]);
        assert!(scene.clone().build().0.is_none() && scene.codes().is_empty(), "{name}");
        assert_eq!(scene.points(&[]).codes(), [], "{name}");
    }
    for (scene, code) in [
        (Scene::faces(&[0, 1, 2], &[]), "x3d-geometry-empty"),
        (Scene::faces(&[], &[]).points(&SQUARE), "x3d-geometry-empty"),
        (Scene::x3d("Text", &[]), "x3d-geometry-kind"),
        (Scene::vrml1("AsciiText", &[]), "x3d-geometry-kind"),
    ] {
        assert!(scene.build().0.is_none());
        assert_eq!(scene.codes(), [(code, 1)]);
    }
    let mut nowhere = Scene::default();
    nowhere.source.geometry = NodeId(7);
    assert!(nowhere.build().0.is_none());
}

/// Faces around one point, each with a different colour.
fn fan(count: usize) -> Scene {
    let count = count as i32;
    let ring = (0..count)
        .map(|i| f64::from(i) / f64::from(count) * std::f64::consts::TAU)
        .map(|a| [a.cos() as f32, 0.0, -a.sin() as f32]);
    let points: Vec<[f32; 3]> = [[0.0, 1.0, 0.0]].into_iter().chain(ring).collect();
    let index: Vec<i32> = (0..count).flat_map(|i| [0, i + 1, (i + 1) % count + 1, -1]).collect();
    let colors: Vec<f32> = (0..count).flat_map(|i| [i as f32 / count as f32, 0.5, 0.5]).collect();
    let fields = [("creaseAngle", floats(&[0.5])), ("colorPerVertex", Value::Bool(false))];
    Scene::faces(&index, &fields).points(&points).values("Color", "color", &colors)
}

#[test]
fn huge_fans_take_less_than_quadratic_time() {
    let mesh = fan(100_000).mesh();
    assert_eq!(triangles(&mesh).len(), 100_000);
    let apex = mesh.positions.iter().position(|position| position.y == 1.0).unwrap();
    assert!(near(mesh.normals[apex].y, 1.0));
    assert_linear("fan", fan, |scene| drop(scene.clean()), 10_000);
}

/// A sphere-like grid of half a million triangles.
#[test]
fn a_huge_mesh_takes_linear_time() {
    let side = 500_i32;
    let grid = |rows: usize, crease: f32| {
        let rows = rows as i32;
        let points: Vec<[f32; 3]> = (0..side * rows)
            .map(|i| [(i % side) as f32, (i % 7) as f32 * 0.1, (i / side) as f32])
            .collect();
        let cells =
            (0..rows - 1).flat_map(|row| (0..side - 1).map(move |column| row * side + column));
        let corners = |i| [i, i + side, i + side + 1, -1, i, i + side + 1, i + 1, -1];
        let index: Vec<i32> = cells.flat_map(corners).collect();
        let texcoords: Vec<f32> = points.iter().flat_map(|[x, _, z]| [*x, *z]).collect();
        let scene = Scene::faces(&index, &[("creaseAngle", floats(&[crease]))]).points(&points);
        scene.values("TextureCoordinate", "point", &texcoords)
    };
    for crease in [0.0, 1.0, 4.0] {
        assert_eq!(triangles(&grid(500, crease).mesh()).len(), 499 * 499 * 2);
        assert_linear("grid", |rows| grid(rows, crease), |scene| drop(scene.clean()), 50);
    }
}

/// Generates values for a field, including unusual values.
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

const BINDINGS: &str = "OVERALL PER_PART PER_FACE PER_FACE_INDEXED PER_VERTEX PER_VERTEX_INDEXED \
    WRONG DEFAULT";

/// Generates arbitrary geometry in either language.
fn geometries() -> impl Strategy<Value = (Family, &'static str)> {
    let of = |family, names: &'static str| names.split(' ').map(move |name| (family, name));
    let all =
        of(Family::X3d, NAMES).chain(of(Family::X3d, PLANAR)).chain(of(Family::Vrml1, NAMES_1));
    prop::sample::select(all.collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn nothing_makes_it_panic(
        (family, name) in geometries(),
        integers in prop::collection::vec(prop_oneof![8 => -1..8_i32, 1 => any::<i32>()], 0..30),
        other in prop::collection::vec(-1..5_i32, 0..30),
        numbers in prop::collection::vec(prop_oneof![
            Just(0.0_f32), -9.0..9.0_f32, Just(f32::MAX), Just(-f32::MAX), Just(1e-38)
        ], 0..40),
        flags in any::<u32>(),
    ) {
        let flag = |bit: usize| flags >> (bit % 32) & 1 == 1;
        let fields = nodes::find(name, family).unwrap().fields.iter().enumerate();
        let fields = fields.filter(|(at, _)| flag(*at));
        let fields: Vec<_> = fields.filter_map(|(at, field)| {
            let integers = if at % 2 == 0 { &integers } else { &other };
            Some((field.name, value(field.kind, &numbers, integers, flag(at + 7))?))
        }).collect();
        let mut scene = Scene::of(family, name, &fields);
        scene.source.textured = flag(3);
        let parts: &[(&str, &str)] = match family {
            Family::X3d => &[
                ("Coordinate", "point"), ("Color", "color"), ("Normal", "vector"),
                ("TextureCoordinate", "point"), ("TextureTransform", "scale"),
            ],
            Family::Vrml1 => &[
                ("Coordinate3", "point"), ("Material", "diffuseColor"), ("Normal", "vector"),
                ("TextureCoordinate2", "point"),
            ],
        };
        for (at, (name, field)) in parts.iter().enumerate() {
            if at == 0 || flag(at + 11) {
                scene = scene.values(name, field, &numbers[..numbers.len() / (at + 1)]);
            }
        }
        if family == Family::Vrml1 {
            let binding = |at: u32| BINDINGS.split(' ').nth(at as usize % 8).unwrap();
            let of = |at: u32| [("value", word(binding(at)))];
            scene = scene.with("MaterialBinding", &of(flags));
            scene = scene.with("NormalBinding", &of(flags / 8));
        }
        let mut diagnostics = Diagnostics::new();
        let budget = Budget::new(&Limits::default(), 0);
        let built = build(&scene.graph, &scene.source, &budget, &mut diagnostics);
        // A grid without heights is empty, as by default.
        let is_grid = name == "ElevationGrid" && !fields.iter().any(|(name, _)| *name == "height");
        let is_planar = PLANAR.split(' ').any(|planar| planar == name);
        let is_empty = numbers.len() < 3 || is_grid || is_planar;
        let is_said = is_empty || diagnostics.worst() >= Some(Severity::Warning);
        prop_assert!(built.is_some() || is_said, "nothing is dropped silently");
        if let Some(built) = built {
            check(&built.mesh);
            let Mesh { positions, normals, texcoords, colors, .. } = &built.mesh;
            prop_assert!(positions.iter().chain(normals).all(|vector| vector.is_finite()));
            let mut numbers = texcoords.as_flattened().iter().chain(colors.as_flattened());
            prop_assert!(numbers.all(|number| number.is_finite()));
            let positions = built.positions(&scene.graph, &scene.source);
            prop_assert_eq!(positions.len(), built.mesh.positions.len());
            let normals = built.normals(&scene.graph, &scene.source, &positions);
            prop_assert_eq!(normals.len(), built.mesh.normals.len());
        }
    }
}
