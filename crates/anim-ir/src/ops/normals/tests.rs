use super::*;
use crate::{MorphTarget, Primitive};

/// Returns a closed flat-shaded shape with a different length along each axis and a wedge on top,
/// for which only the correct turn fits.
fn wedge() -> Mesh {
    let corner = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
    let (a, b, c, d) =
        (corner(0., 0., 0.), corner(4., 0., 0.), corner(4., 0., 3.), corner(0., 0., 3.));
    let (e, f, g, h) =
        (corner(0., 1., 0.), corner(4., 1., 0.), corner(4., 2., 3.), corner(0., 2., 3.));
    // Vertices are in counter-clockwise order when seen from outside.
    let sides =
        [[a, b, c, d], [e, h, g, f], [a, e, f, b], [d, c, g, h], [a, d, h, e], [b, f, g, c]];
    let mut mesh = Mesh::default();
    let mut indices = Vec::new();
    for [p, q, r, s] in sides {
        let normal = (q - p).cross(r - p).normalized().unwrap();
        let first = u32::try_from(mesh.positions.len()).unwrap();
        mesh.positions.extend([p, q, r, s]);
        mesh.normals.extend([normal; 4]);
        indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }
    mesh.primitives = vec![Primitive { indices, ..Primitive::default() }];
    mesh
}

/// Returns a smooth sphere. Adjacent faces share their vertices, except at the poles.
fn ball(rings: u32, around: u32) -> Mesh {
    let mut mesh = Mesh::default();
    for ring in 0..=rings {
        for step in 0..around {
            let down = std::f64::consts::PI * f64::from(ring) / f64::from(rings);
            let turn = std::f64::consts::TAU * f64::from(step) / f64::from(around);
            let place = [turn.cos() * down.sin(), down.cos(), turn.sin() * down.sin()];
            mesh.positions.push(Vec3::from_f64(place.map(|c| c * 2.0)));
            mesh.normals.push(Vec3::from_f64(place));
        }
    }
    let mut indices = Vec::new();
    for ring in 0..rings {
        for step in 0..around {
            let at = |ring, step| ring * around + step % around;
            let (a, b) = (at(ring, step), at(ring, step + 1));
            let (c, d) = (at(ring + 1, step), at(ring + 1, step + 1));
            indices.extend([a, b, d, a, d, c]);
        }
    }
    mesh.primitives = vec![Primitive { indices, ..Primitive::default() }];
    mesh
}

fn turned(mut mesh: Mesh, turn: AxisTurn) -> Mesh {
    mesh.turn_normals(turn);
    mesh
}

#[test]
fn every_turn_is_found_and_undone() {
    for turn in AxisTurn::all() {
        let good = wedge();
        let mut scene = Scene { meshes: vec![turned(good.clone(), turn)], ..Scene::default() };
        let found = scene.treat_normals(Normals::Fix);
        assert_eq!(scene.meshes[0], good, "after {turn}");
        assert_eq!(found.len(), usize::from(turn != AxisTurn::NONE), "after {turn}");
        assert_eq!(scene.treat_normals(Normals::Fix), [], "a second run finds nothing to repair");
    }
}

#[test]
fn smooth_normals_of_coarse_shapes_are_fine() {
    for (rings, around) in [(2, 4), (4, 5), (16, 24)] {
        assert_eq!(ball(rings, around).normals_verdict(), NormalsVerdict::Agree);
    }
}

#[test]
fn inward_faces_are_reversed_if_normals_point_outwards() {
    let good = wedge();
    let mut wrong = good.clone();
    wrong.reverse_faces();
    assert_eq!(wrong.normals_verdict(), NormalsVerdict::FacesReversed);
    // The position of the shape does not matter.
    wrong.positions.iter_mut().for_each(|place| *place += Vec3::new(900.0, -70.0, 5.0));
    assert_eq!(wrong.normals_verdict(), NormalsVerdict::FacesReversed);
    let mut scene = Scene { meshes: vec![wrong], ..Scene::default() };
    assert_eq!(scene.treat_normals(Normals::Fix).len(), 1);
    assert_eq!(scene.meshes[0].primitives, good.primitives);
    assert_eq!(scene.meshes[0].normals, good.normals);
    // In a room, which is seen from inside, both the faces and the normals correctly point inwards.
    let mut room = turned(good, AxisTurn::INVERSION);
    room.reverse_faces();
    assert_eq!(room.normals_verdict(), NormalsVerdict::Agree);
}

/// Returns a flat, horizontal sheet on which all vertices have the given normal.
fn sheet(normal: Vec3) -> Mesh {
    let mut mesh = Mesh::default();
    let mut indices = Vec::new();
    for x in 0..6_u8 {
        for z in 0..6_u8 {
            mesh.positions.push(Vec3::new(f32::from(x), 0.0, f32::from(z)));
            mesh.normals.push(normal);
            if x < 5 && z < 5 {
                let at = u32::from(x) * 6 + u32::from(z);
                indices.extend([at, at + 1, at + 7, at, at + 7, at + 6]);
            }
        }
    }
    mesh.primitives = vec![Primitive { indices, ..Primitive::default() }];
    mesh
}

#[test]
fn normals_are_unchanged_if_several_turns_fit() {
    assert_eq!(sheet(Vec3::new(0.0, 1.0, 0.0)).normals_verdict(), NormalsVerdict::Agree);
    assert_eq!(
        sheet(Vec3::new(0.0, -1.0, 0.0)).normals_verdict(),
        NormalsVerdict::Disagree { against: 50, of: 50 }
    );
    // Normals may lie in the plane of their faces, as on the upright leaves of plants in many
    // games, whose normals all point up. No normal points to the back of its face.
    assert_eq!(sheet(Vec3::new(1.0, 0.0, 0.0)).normals_verdict(), NormalsVerdict::Agree);
}

#[test]
fn a_partly_wrong_shape_is_reported_and_unchanged() {
    let mut mesh = ball(8, 12);
    let half = mesh.normals.len() / 2;
    mesh.normals.iter_mut().take(half).for_each(|normal| *normal = -*normal);
    let before = mesh.clone();
    let mut scene = Scene { meshes: vec![mesh], ..Scene::default() };
    let found = scene.treat_normals(Normals::Fix);
    assert!(matches!(found[..], [(_, NormalsVerdict::Disagree { .. })]), "{found:?}");
    assert_eq!(scene.meshes[0], before);
}

#[test]
fn few_faces_and_slivers_give_no_verdict_and_two_sided_faces_disagree() {
    let mut few = turned(wedge(), AxisTurn::INVERSION);
    few.primitives[0].indices.truncate(7 * 3);
    assert_eq!(few.normals_verdict(), NormalsVerdict::Unknown);
    let mut slivers = turned(wedge(), AxisTurn::INVERSION);
    slivers.positions.iter_mut().for_each(|place| (place.y, place.z) = (0.0, 0.0));
    assert_eq!(slivers.normals_verdict(), NormalsVerdict::Unknown);
    assert_eq!(Mesh { normals: Vec::new(), ..wedge() }.normals_verdict(), NormalsVerdict::Unknown);
    // Each face appears twice, once per side, and both sides use the same normals.
    let mut both = ball(8, 12);
    let again = both.primitives.clone();
    both.reverse_faces();
    both.primitives.extend(again);
    assert!(matches!(both.normals_verdict(), NormalsVerdict::Disagree { .. }));
}

#[test]
fn morph_targets_follow() {
    let turn = AxisTurn::all().nth(3).unwrap();
    assert_eq!(turn.to_string(), "rotated 180° about z");
    let mut mesh = turned(wedge(), turn);
    let count = mesh.positions.len();
    mesh.morph_targets = vec![MorphTarget {
        positions: vec![Vec3::ZERO; count],
        normals: vec![Vec3::new(1.0, 2.0, 3.0); count],
        ..MorphTarget::default()
    }];
    let mut scene = Scene { meshes: vec![mesh], ..Scene::default() };
    scene.treat_normals(Normals::Fix);
    assert_eq!(scene.meshes[0].morph_targets[0].normals[0], Vec3::new(-1.0, -2.0, 3.0));
}

#[test]
fn recomputed_normals_are_smooth_at_shared_vertices_and_hard_at_split_ones() {
    let flat = wedge();
    let mut bare = Mesh { normals: Vec::new(), ..flat.clone() };
    bare.recompute_normals();
    for (made, given) in bare.normals.iter().zip(&flat.normals) {
        assert!(made.distance(*given) < 1e-6);
    }
    let mut smooth = ball(12, 16);
    let given = std::mem::take(&mut smooth.normals);
    smooth.morph_targets = vec![MorphTarget {
        // The sphere, scaled to one third along y.
        positions: smooth.positions.iter().map(|p| Vec3::new(0.0, p.y / -1.5, 0.0)).collect(),
        ..MorphTarget::default()
    }];
    smooth.recompute_normals();
    // The poles are excluded, since each vertex there has only one face.
    for (vertex, given) in given.iter().enumerate().take(given.len() - 16).skip(16) {
        assert!(smooth.normals[vertex].distance(*given) < 0.06, "{vertex}");
        let Vec3 { x, y, z } = *given;
        let squeezed = Vec3::new(x, y * 3.0, z).normalized().unwrap();
        let moved = smooth.normals[vertex] + smooth.morph_targets[0].normals[vertex];
        assert!(moved.distance(squeezed) < 0.15, "{vertex}: {moved:?} {squeezed:?}");
    }
}
