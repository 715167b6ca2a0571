//! Shapes, compared with independently computed areas, volumes and normals.

use std::f32::consts::{PI, TAU};

use super::scene::{Scene, area, dot, euler, floats, near, normals_agree, triangles, volume, word};
use crate::graph::Value;

#[test]
fn a_box_is_six_squares() {
    let built = Scene::x3d("Box", &[("size", floats(&[2.0, 4.0, 6.0]))]).textured().clean();
    let mesh = &built.mesh;
    assert_eq!((mesh.positions.len(), triangles(mesh).len()), (24, 12));
    assert!(near(area(mesh), 88.0) && near(volume(mesh), 48.0));
    assert_eq!(euler(mesh), 2);
    normals_agree(mesh);
    assert!(!built.double_sided);
    // The texture is upright on the front, with v pointing down as in glTF.
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
        let mesh = scene.textured().mesh();
        assert_eq!(euler(&mesh), 2);
        normals_agree(&mesh);
        let volume = volume(&mesh);
        assert!(volume < expected && volume > expected * 0.95, "{volume} {expected}");
        // No texture is mirrored: every triangle has the same winding in texture space (v down) as
        // in 3D.
        for corners in mesh.primitives[0].indices.as_chunks::<3>().0 {
            let [a, b, c] = corners.map(|corner| mesh.texcoords[corner as usize]);
            let turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            assert!(turn < 0.0, "{a:?} {b:?} {c:?}");
        }
    }
}

#[test]
fn spheres_have_exact_normals_and_texture_coordinates() {
    let mesh = Scene::x3d("Sphere", &[("radius", floats(&[3.0]))]).textured().mesh();
    for ((position, normal), [u, v]) in
        mesh.positions.iter().zip(&mesh.normals).zip(&mesh.texcoords)
    {
        assert!((position.normalized().unwrap() - *normal).length() < 1e-6);
        let rise = (position.y / 3.0).clamp(-1.0, 1.0).asin();
        assert!(near((-v + 0.5) * PI, rise), "{v} {position:?}");
        // u runs from the back of the sphere through the left, the front and the right.
        if position.x.hypot(position.z) > 1e-3 {
            assert!(near((u * TAU).sin(), -position.x / position.x.hypot(position.z)));
        }
    }
}

#[test]
fn the_normals_of_a_cone_match_its_slope() {
    let [radius, height] = [("bottomRadius", floats(&[3.0])), ("height", floats(&[4.0]))];
    let mesh = Scene::x3d("Cone", &[radius, height, ("bottom", Value::Bool(false))]).mesh();
    assert!(mesh.texcoords.is_empty(), "there is no texture");
    for normal in &mesh.normals {
        assert!(near(normal.y, 0.6) && near(normal.x.hypot(normal.z), 0.8));
    }
}

#[test]
fn parts_can_be_missing() {
    let no = Value::Bool(false);
    let open = Scene::x3d("Cylinder", &[("top", no.clone()), ("bottom", no.clone())]).mesh();
    let disk = Scene::vrml1("Cylinder", &[("parts", word("TOP"))]).mesh();
    let whole = Scene::x3d("Cylinder", &[]).mesh();
    assert!(near(area(&open) + 2.0 * area(&disk), area(&whole)));
    assert!(disk.positions.iter().all(|position| position.y == 1.0));
    assert_eq!(
        Scene::x3d("Cone", &[("side", no.clone()), ("bottom", no)]).codes(),
        [("x3d-geometry-empty", 1)]
    );
}

#[test]
fn a_sphere_grows() {
    let built = Scene::x3d("Sphere", &[]).clean();
    let great = Scene::x3d("Sphere", &[("radius", floats(&[2.0]))]);
    let positions = built.positions(&great.graph, &great.source);
    for (great, small) in positions.iter().zip(&built.mesh.positions) {
        assert!(near(great.length() as f32, 2.0) && dot(*great, *small) > 1.99);
    }
}
