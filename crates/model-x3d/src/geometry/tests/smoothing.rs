//! Normals computed from crease angles.

use anim_ir::Vec3;

use super::scene::{SQUARE, Scene, floats, near};

const CUBE_FACES: [i32; 30] = [
    4, 5, 7, 6, -1, 1, 0, 2, 3, -1, 0, 4, 6, 2, -1, 5, 1, 3, 7, -1, 6, 7, 3, 2, -1, 0, 1, 5, 4, -1,
];

fn cube(crease_angle: f32) -> Scene {
    // The index of a point consists of three bits: right, top, front.
    let corner = |at: u8| [1, 2, 4].map(|bit| if at & bit == 0 { -1.0 } else { 1.0 });
    let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(corner);
    Scene::faces(&CUBE_FACES, &[("creaseAngle", floats(&[crease_angle]))]).points(&corners)
}

#[test]
fn crease_angles() {
    // A flat cube has eight shared vertices and no normals.
    for flat in [0.0, 0.5, 1.57, -1.0] {
        let mesh = cube(flat).mesh();
        assert_eq!((mesh.positions.len(), mesh.normals.len()), (8, 0), "{flat}");
    }
    // The normals of a smooth cube point along its diagonals.
    for smooth in [1.6, 3.0, 4.0] {
        let mesh = cube(smooth).mesh();
        assert_eq!(mesh.positions.len(), 8);
        for (position, normal) in mesh.positions.iter().zip(&mesh.normals) {
            assert!((position.normalized().unwrap() - *normal).length() < 1e-6);
        }
    }
}

#[test]
fn a_crease_angle_splits_only_sharp_edges() {
    // A ridge with slopes of 20° on the left and right, and a wall under the right eave.
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
    let index = [0, 1, 2, 3, -1, 3, 2, 4, 5, -1, 5, 4, 6, 7];
    let scene = Scene::faces(&index, &[("creaseAngle", floats(&[0.8]))]);
    let mesh = scene.points(&points).mesh();
    // The two points of the eave have two vertices each.
    assert_eq!(mesh.positions.len(), 10);
    for (position, normal) in mesh.positions.iter().zip(&mesh.normals) {
        if position.x == 0.0 {
            assert!(
                (*normal - Vec3::new(0.0, 1.0, 0.0)).length() < 1e-6,
                "the ridge has the mean normal of the slopes"
            );
        }
    }
    let of_eave = |(p, _): &(&Vec3, &Vec3)| near(p.x, cos) && p.y == 0.0;
    let eave: Vec<_> = mesh.positions.iter().zip(&mesh.normals).filter(of_eave).collect();
    assert_eq!(eave.len(), 4);
    for (_, n) in eave {
        assert!(near(n.x, 1.0) || (near(n.x, sin) && near(n.y, cos)), "{n:?}");
    }
}

#[test]
fn the_two_sides_of_a_sheet_do_not_cancel_out() {
    let sheet = Scene::faces(&[0, 1, 2, -1, 2, 1, 0, -1], &[("creaseAngle", floats(&[4.0]))]);
    let mesh = sheet.points(&SQUARE).mesh();
    assert_eq!(mesh.normals, [Vec3::new(0.0, 0.0, 1.0); 3]);
}
