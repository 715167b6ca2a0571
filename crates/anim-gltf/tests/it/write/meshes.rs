//! Geometry, materials and morph targets.

use anim_gltf::{FromIr, to_gltf};
use anim_ir::Interpolation::{Cubic, Linear};
use anim_ir::{
    Image, ImageId, Material, Mesh, MorphTarget, Node, Scene, TimelineBuilder, Topology, Transform,
    Vec3,
};
use gltf::animation::{Interpolation as Kind, Property};

use crate::scenes::{
    arm, at, clip, count, extras, moved, node, painted, part, quarter_turn, triangle, weights,
};
use crate::written::{folder, write, write_with};

/// One white pixel.
const PNG: [u8; 67] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0,
    1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 0x0a, 0x49, 0x44, 0x41, 0x54,
    0x78, 0x9c, 0x63, 0xf8, 0x0f, 0, 1, 1, 1, 0, 0x1b, 0xb6, 0xee, 0x56, 0, 0, 0, 0, 0x49, 0x45,
    0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

fn meshes() -> Vec<Mesh> {
    let plain = Mesh {
        texcoords: vec![[0.0, 0.25], [1.0, 0.5], [0.5, 1.0]],
        normals: vec![Vec3::new(0.0, 0.0, 3.0), Vec3::ZERO, Vec3::new(0.6, 0.0, 0.8)],
        primitives: vec![
            painted(0, part(Topology::Triangles, &[0, 1, 2])),
            part(Topology::Triangles, &[]),
            painted(1, part(Topology::Lines, &[0, 1])),
        ],
        extras: extras("obj", "mesh"),
        ..triangle("plain")
    };
    let colored = Mesh {
        colors: vec![[1.0, 0.0, 0.0, 1.0], [2.0, 0.0, 0.0, 1.0], [-1.0, 0.5, 0.0, 0.5]],
        normals: vec![Vec3::ZERO; 3],
        primitives: vec![
            part(Topology::Points, &[0, 2]),
            painted(0, part(Topology::Lines, &[0, 1, 1, 2])),
        ],
        ..triangle("colored")
    };
    let empty = Mesh { primitives: vec![part(Topology::Points, &[])], ..triangle("empty") };
    vec![plain, colored, empty, triangle("unused")]
}

/// Meshes and materials with all properties, both valid and invalid.
fn all_kinds() -> Scene {
    let textured = Material {
        base_color_image: Some(ImageId::new(0)),
        base_color: [1.0, 0.5, 0.25, 0.5],
        ..Material::new("textured")
    };
    let odd = Material {
        base_color: [2.0, -1.0, 0.5, 1.0],
        emissive: [0.0, 9.0, 0.0],
        roughness: 0.5,
        double_sided: false,
        base_color_image: Some(ImageId::new(1)),
        extras: extras("mtl", "x"),
        ..Material::new("odd")
    };
    let inside = |name: &str, bytes: &[u8]| Image { name: name.into(), ..Image::embedded(bytes) };
    let turned =
        Transform { rotation: quarter_turn(), scale: Vec3::new(1., 2., 3.), ..moved(1., 2., 3.) };
    Scene {
        meshes: meshes(),
        materials: vec![textured, odd],
        images: vec![
            inside("pixel", &PNG),
            Image::at("images/white pixel.png"),
            Image::at(""),
            inside("bmp", b"BM"),
        ],
        skeletons: vec![arm()],
        nodes: vec![
            Node { transform: turned, ..node("a", 0, None) },
            Node { parent: at(0, 1), ..node("b", 1, None) },
            node("c", 2, None),
            Node { extras: extras("x", 1.0), ..node("", 0, None) },
        ],
        extras: extras("obj", "scene"),
        ..Scene::default()
    }
}

#[test]
fn meshes_of_all_kinds() {
    let scene = all_kinds();
    std::fs::create_dir_all(folder().join("images")).unwrap();
    std::fs::write(folder().join("images/white pixel.png"), PNG).unwrap();
    let written = write("meshes", &scene);
    insta::assert_snapshot!(written.pretty());
    let codes = [
        ("gltf-empty-mesh", 1),
        ("gltf-image", 2),
        ("gltf-color-range", 2),
        ("gltf-normals", 2),
        ("gltf-empty-primitive", 1),
        ("gltf-no-texcoords", 1),
    ];
    assert_eq!(written.codes(), codes);
    let normals = |node: &str| -> Vec<[f32; 3]> {
        let part = written.part(node);
        part.reader(|_| Some(&written.bin)).read_normals().unwrap().collect()
    };
    assert_eq!(normals("a"), [[0., 0., 1.], [0., 0., 1.], [0.6, 0.0, 0.8]]);
    assert_eq!(normals("b"), [[0., 0., 1.]; 3]);
    let part = written.part("b");
    let colors: Vec<_> =
        part.reader(|_| Some(&written.bin)).read_colors(0).unwrap().into_rgba_f32().collect();
    assert_eq!(colors[1..], [[1.0, 0.0, 0.0, 1.0], [0.0, 0.5, 0.0, 0.5]]);
    assert_eq!(written.world(None, 0.0, "b")[3], [0.0, 1.0, 0.0, 1.0], "attached to the elbow");
    // The validator also checks the `.gltf` form, which embeds the image that has no path.
    let files = to_gltf(&scene, &FromIr::default(), "meshes").unwrap().value;
    std::fs::write(folder().join("meshes.gltf"), files.main).unwrap();
    let (name, bin) = &files.companions[0];
    std::fs::write(folder().join(name), bin).unwrap();
}

#[test]
fn points_that_draw_all_vertices_in_order_need_no_indices() {
    let drawn = |topology, indices: &[u32]| Mesh {
        primitives: vec![part(topology, indices)],
        ..triangle("points")
    };
    let scene = Scene {
        meshes: vec![
            drawn(Topology::Points, &[0, 1, 2]),
            drawn(Topology::Points, &[0, 1]),
            drawn(Topology::Points, &[0, 2, 1]),
            drawn(Topology::Triangles, &[0, 1, 2]),
        ],
        nodes: (0..4).map(|i| node("", i, None)).collect(),
        ..Scene::default()
    };
    let written = write("points", &scene);
    let parts = written.document.meshes().map(|mesh| mesh.primitives().next().unwrap());
    let indexed: Vec<_> = parts.map(|part| part.indices().is_some()).collect();
    assert_eq!(indexed, [false, true, true, true]);
}

#[test]
fn indices_use_the_smallest_type() {
    let count = 70_000_u32;
    let many = |highest: u32| Mesh {
        positions: (0..count).map(|i| Vec3::new(i as f32, 0.0, -1.0)).collect(),
        primitives: vec![part(Topology::Points, &[0, highest])],
        ..Mesh::default()
    };
    let scene = Scene {
        meshes: vec![many(65_534), many(65_535), many(69_999)],
        nodes: (0..3).map(|i| node("", i, None)).collect(),
        ..Scene::default()
    };
    let written = write("indices", &scene);
    let parts: Vec<_> =
        written.document.meshes().map(|mesh| mesh.primitives().next().unwrap()).collect();
    let kinds = parts.iter().map(|part| part.indices().unwrap().data_type());
    use gltf::accessor::DataType;
    assert!(kinds.eq([DataType::U16, DataType::U32, DataType::U32]));
    let indices = parts[2].reader(|_| Some(&written.bin)).read_indices().unwrap();
    assert!(indices.into_u32().eq([0, 69_999]));
}

#[test]
fn shapes_are_blended() {
    let morph = |name: &str, x: f32, normals: bool| MorphTarget {
        name: name.into(),
        positions: vec![Vec3::new(x, -0.0, 0.5); 3],
        normals: if normals { vec![Vec3::new(0.0, 0.1, 0.0); 3] } else { vec![] },
    };
    let face = Mesh {
        normals: vec![Vec3::new(0., 0., 1.); 3],
        morph_targets: vec![morph("smile", 1.0, true), morph("", -1.0, true)],
        morph_weights: vec![0.25, 0.0],
        ..triangle("face")
    };
    let bare = Mesh {
        morph_targets: vec![morph("", 1.0, true)],
        morph_weights: vec![0.0],
        ..triangle("bare")
    };
    let mut builder = TimelineBuilder::new("t");
    weights(&mut builder, 0, Linear, &[0.0, 1.0], &[0., 1., 1., 0.]);
    weights(&mut builder, 2, Cubic, &[0.0, 1.0], &count(12));
    weights(&mut builder, 1, Cubic, &[0.5], &[9., 0.5, 9.]);
    let scene = Scene {
        meshes: vec![face, bare],
        nodes: vec![node("a", 0, None), node("b", 1, None), node("c", 0, None)],
        timelines: vec![builder.finish()],
        clips: vec![clip("t", 0.0, 1.0)],
        ..Scene::default()
    };
    let written = write_with("morphs", &scene, &FromIr::default().with_cubic(true));
    assert_eq!(written.codes(), [("gltf-morph-normals", 1)]);
    let keys = |node: &str| written.channel("t", node, Property::MorphTargetWeights);
    assert_eq!(keys("a"), (vec![0.0, 1.0], vec![0., 1., 1., 0.], Kind::Linear));
    assert_eq!(keys("c").1, count(12));
    assert_eq!(keys("b"), (vec![0.5], vec![0.5], Kind::Step), "a spline requires two keys");
    let mesh = &written.json["meshes"][0];
    assert_eq!(mesh["extras"].to_string(), r#"{"targetNames":["smile",""]}"#);
    assert_eq!(mesh["weights"].to_string(), "[0.25,0.0]");
    assert_eq!(written.json["meshes"][1]["weights"].to_string(), "[0.0]");
    let part = written.part("a");
    let (positions, normals, _) =
        part.reader(|_| Some(&written.bin)).read_morph_targets().nth(1).unwrap();
    assert!(positions.unwrap().eq([[-1.0, 0.0, 0.5]; 3]) && normals.unwrap().count() == 3);
}

/// All parts of a mesh without texture coordinates share one copy of the material.
#[test]
fn a_material_without_its_textures_is_written_once() {
    let mut wood = Material::new("wood");
    wood.base_color_image = Some(ImageId::default());
    let mut mesh = triangle("plank");
    mesh.primitives = vec![painted(0, part(Topology::Triangles, &[0, 1, 2])); 2];
    let scene = Scene {
        images: vec![Image::at("wood.png")],
        materials: vec![wood],
        meshes: vec![mesh],
        nodes: vec![node("plank", 0, None)],
        ..Scene::default()
    };
    let written = write("", &scene);
    assert!(written.codes().contains(&("gltf-no-texcoords", 2)), "{:?}", written.codes());
    let materials: Vec<u64> = written.json["meshes"][0]["primitives"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["material"].as_u64().unwrap())
        .collect();
    assert_eq!(materials[0], materials[1]);
    assert!(
        written.json["materials"][materials[0] as usize]["pbrMetallicRoughness"]
            .get("baseColorTexture")
            .is_none()
    );
}
