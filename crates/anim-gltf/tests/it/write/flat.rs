//! Flat normals of meshes with morph targets.

use anim_gltf::FromIr;
use anim_ir::{Material, Mesh, MorphTarget, Scene, Topology, Vec3};

use crate::read::there_and_back;
use crate::scenes::{node, painted, part};
use crate::written::{Written, write, write_with};

/// Returns a roof with two slopes, one of which consists of two coplanar triangles. One target
/// lifts the ridge, and the other flattens the roof.
fn roof() -> Scene {
    let target = |name: &str, lift: f32| MorphTarget {
        name: name.into(),
        positions: [0.0, 0.0, lift, lift, 0.0].map(|y| Vec3::new(0.0, y, 0.0)).into(),
        normals: Vec::new(),
    };
    let positions = [[0., 0., 0.], [0., 0., 4.], [1., 1., 0.], [1., 1., 4.], [2., 0., 0.]];
    let mesh = Mesh {
        name: "roof".into(),
        positions: positions.map(Vec3::from).into(),
        texcoords: (0..5).map(|i| [i as f32, 0.5]).collect(),
        morph_targets: vec![target("lifted", 1.0), target("flat", -1.0)],
        primitives: vec![painted(0, part(Topology::Triangles, &[0, 1, 2, 2, 1, 3, 2, 3, 4]))],
        ..Mesh::default()
    };
    let (meshes, nodes) = (vec![mesh], vec![node("roof", 0, None)]);
    Scene { meshes, nodes, materials: vec![Material::new("tiles")], ..Scene::default() }
}

type Corner = ([f32; 3], [f32; 3]);

/// Returns the position and normal of each triangle corner, with a target's weight set to 1.
fn corners(written: &Written, target: Option<usize>) -> Vec<[Corner; 3]> {
    let part = written.part("roof");
    let reader = part.reader(|_| Some(&written.bin));
    let mut places: Vec<_> = reader.read_positions().unwrap().collect();
    let mut normals: Vec<_> = reader.read_normals().unwrap().collect();
    if let Some(target) = target {
        let (moves, turns, _) = reader.read_morph_targets().nth(target).unwrap();
        let add = |to: &mut [f32; 3], by: [f32; 3]| (0..3).for_each(|i| to[i] += by[i]);
        places.iter_mut().zip(moves.unwrap()).for_each(|(place, by)| add(place, by));
        normals.iter_mut().zip(turns.unwrap()).for_each(|(normal, by)| add(normal, by));
    }
    let indices: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
    let corner = |index: u32| (places[index as usize], normals[index as usize]);
    indices.as_chunks().0.iter().map(|triangle| triangle.map(corner)).collect()
}

#[test]
fn each_shape_has_face_normals() {
    let scene = roof();
    let written = write("flat", &scene);
    assert!(written.losses.is_empty());
    // The two vertices of the ridge have a normal for each slope.
    let positions = written.part("roof").get(&gltf::Semantic::Positions).unwrap();
    assert_eq!(positions.count(), 7);
    let source = &scene.meshes[0];
    for target in [None, Some(0), Some(1)] {
        let indices = source.primitives[0].indices.as_chunks::<3>().0;
        for (triangle, indices) in corners(&written, target).iter().zip(indices) {
            let place = |index: u32| {
                let offset = target.map(|t| source.morph_targets[t].positions[index as usize]);
                source.positions[index as usize] + offset.unwrap_or(Vec3::ZERO)
            };
            let [a, b, c] = indices.map(place);
            let (u, v) = (b - a, c - a);
            let normal =
                Vec3::new(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x);
            let normal = normal.normalized().unwrap().to_array();
            for ((found, turned), index) in triangle.iter().zip(indices) {
                assert_eq!(*found, place(*index).to_array());
                let near = turned.iter().zip(normal).all(|(a, b)| (a - b).abs() < 1e-6);
                assert!(near, "{target:?}: expected {normal:?}, found {turned:?}");
            }
        }
    }
}

#[test]
fn added_normals_are_removed_on_reading() {
    let scene = roof();
    let back = there_and_back(&scene, &FromIr::default()).value;
    assert_eq!(back.meshes, scene.meshes);
    // Nothing is removed if the listed vertices are not copies of their originals, as after a
    // change by another program.
    let mut changed = scene.clone();
    let copies = anim_ir::Value::from([("flat_normals", [0.0, 1.0].into_iter().collect())]);
    changed.meshes[0].extras.insert("anim_formats".into(), copies);
    changed.meshes[0].normals = vec![Vec3::new(0.0, 1.0, 0.0); 5];
    let back = there_and_back(&changed, &FromIr::default()).value;
    assert_eq!(back.meshes[0].normals, changed.meshes[0].normals);
    assert_eq!(back.meshes[0].positions, changed.meshes[0].positions);
}

#[test]
fn no_normals_are_added_if_they_are_disabled_or_unnecessary() {
    let normals = |written: &Written| written.part("roof").get(&gltf::Semantic::Normals).is_some();
    let bare = write_with("", &roof(), &FromIr::default().with_no_morph_normals(true));
    assert!(!normals(&bare));
    let mut still = roof();
    still.meshes[0].morph_targets.clear();
    assert!(!normals(&write("", &still)));
    let mut lines = roof();
    lines.meshes[0].primitives = vec![part(Topology::Lines, &[0, 1])];
    assert!(!normals(&write("", &lines)));
    // Far more triangles than a surface with this number of vertices would have.
    let mut pile = roof();
    let corners: Vec<u32> = [0, 1, 2].into_iter().cycle().take(3 * 100).collect();
    pile.meshes[0].primitives = vec![part(Topology::Triangles, &corners)];
    assert!(!normals(&write("", &pile)));
}

#[test]
fn targets_that_rotate_no_face_get_no_normals() {
    let mut scene = roof();
    // With targets that only translate the mesh, no normals change.
    for target in &mut scene.meshes[0].morph_targets {
        target.positions = vec![Vec3::new(1.0, 0.0, 0.0); 5];
    }
    let written = write("", &scene);
    let targets = &written.json["meshes"][0]["primitives"][0]["targets"];
    assert!(targets.as_array().unwrap().iter().all(|target| target.get("NORMAL").is_none()));
    let normals = [[0.0; 3], [0.0; 3], [0.1, 0.0, 0.0]].map(|n| vec![Vec3::from(n); 5]);
    let mesh = &mut scene.meshes[0];
    mesh.normals = vec![Vec3::new(0.0, 1.0, 0.0); 5];
    mesh.morph_targets.push(mesh.morph_targets[0].clone());
    for (target, normals) in mesh.morph_targets.iter_mut().zip(normals) {
        target.normals = normals;
    }
    let written = write("zeros", &scene);
    let targets = written.json["meshes"][0]["primitives"][0]["targets"].as_array().unwrap().clone();
    assert_eq!(targets[0]["NORMAL"], targets[1]["NORMAL"]);
    assert_ne!(targets[0]["NORMAL"], targets[2]["NORMAL"]);
}

/// A face without area has the normal of another shape, or any normal if it has no area in any.
#[test]
fn faces_without_area_have_normals() {
    let mut scene = roof();
    let mesh = &mut scene.meshes[0];
    mesh.positions = [[0., 0., 0.], [1., 0., 0.], [2., 0., 0.]].map(Vec3::from).into();
    mesh.texcoords.clear();
    mesh.morph_targets.truncate(1);
    mesh.primitives = vec![painted(0, part(Topology::Triangles, &[0, 1, 2]))];
    for (lift, expected) in [([0.0, 0.0, 2.0], [0.0, 1.0, 0.0]), ([0.0; 3], [0.0, 0.0, 1.0])] {
        let mesh = &mut scene.meshes[0];
        mesh.morph_targets[0].positions = [[0.0; 3], lift, [0.0; 3]].map(Vec3::from).into();
        let written = write("flat", &scene);
        assert_eq!(corners(&written, None)[0].map(|(_, normal)| normal), [expected; 3], "{lift:?}");
    }
}
