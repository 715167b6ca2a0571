//! How the alpha of textures and vertices is used, and whether textures are multiplied by colours,
//! survives conversion.

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{
    AlphaMode, Image, ImageId, Material, MaterialId, Mesh, Node, Primitive, Scene, Vec3, diff,
    is_complete_image,
};
use anim_formats::{AnyDocument, LoadOptions, MemoryFiles, Settings, read_images};

use crate::{format, written};

/// Returns the start and the end of a PNG file with this colour type.
fn png(color_type: u8) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08".to_vec();
    bytes.push(color_type);
    bytes.extend(b"\0\0\0....\0\0\0\0IEND....");
    assert!(is_complete_image(&bytes));
    bytes
}

const GRAY_ALPHA: u8 = 4;
const RGB: u8 = 2;
const RGBA: u8 = 6;

/// Returns a scene with a triangle for each material, whose vertices have this alpha.
fn triangles(materials: Vec<Material>, images: Vec<Image>, alpha: &[f32]) -> Scene {
    let mut scene = Scene { images, ..Scene::default() };
    for (material, alpha) in materials.into_iter().zip(alpha) {
        let material = scene.add_material(material);
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let part =
            Primitive { indices: vec![0, 1, 2], material: Some(material), ..Primitive::default() };
        let mesh = scene.add_mesh(Mesh {
            positions: corners.map(Vec3::from).to_vec(),
            texcoords: vec![[0.0; 2]; 3],
            colors: vec![[1.0, 1.0, 1.0, *alpha]; 3],
            primitives: vec![part],
            ..Mesh::default()
        });
        scene.add_node(Node { mesh: Some(mesh), ..Node::default() });
    }
    scene
}

/// Returns the name of a material's alpha mode, and its cutoff.
fn mode(material: &gltf::Material<'_>) -> (gltf::material::AlphaMode, Option<f32>) {
    (material.alpha_mode(), material.alpha_cutoff())
}

fn glb(scene: &Scene) -> gltf::Gltf {
    gltf::Gltf::from_slice(&written(scene, "glb", &[]).unwrap().value.main).unwrap()
}

/// Returns the alpha modes and cutoffs of all materials in the GLB of a scene.
fn modes(scene: &Scene) -> Vec<(gltf::material::AlphaMode, Option<f32>)> {
    glb(scene).materials().map(|material| mode(&material)).collect()
}

/// Reads a file, with images beside it.
fn read(id: &str, bytes: &[u8], images: &[(&str, Vec<u8>)]) -> Scene {
    let document = AnyDocument::parse(bytes, format(id), &Settings::default()).unwrap().value;
    let mut files = MemoryFiles::default();
    for (name, bytes) in images {
        files.insert(name, bytes.clone());
    }
    let mut files = files.companions("file", &LoadOptions::default());
    let settings = Settings::default();
    let mut context = Context { name: "", files: &mut files, settings: &settings };
    let mut scene = document.to_scene(&mut context).value;
    read_images(&mut scene, &mut files);
    scene
}

fn textured(alpha: AlphaMode) -> Material {
    let image = Some(ImageId::new(0));
    Material { alpha_mode: alpha, base_color_image: image, ..Material::new("") }
}

#[test]
fn alpha_modes_are_written_and_read() {
    let alphas = [
        AlphaMode::Colors,
        AlphaMode::Texture,
        AlphaMode::Blend,
        AlphaMode::Mask(0.5),
        AlphaMode::Mask(0.25),
    ];
    use gltf::material::AlphaMode::{Blend, Mask, Opaque};
    let faint = (Mask, Some(0.25));
    for (color_type, texture) in [(RGB, (Opaque, None)), (RGBA, faint), (GRAY_ALPHA, faint)] {
        let images = vec![Image::embedded(png(color_type))];
        let mut materials = alphas.map(textured).to_vec();
        // Equal materials become one.
        for (number, material) in materials.iter_mut().enumerate() {
            material.name = format!("m{number}");
        }
        let scene = triangles(materials, images, &[1.0; 5]);
        let expected = [(Opaque, None), texture, (Blend, None), (Mask, None), (Mask, Some(0.25))];
        assert_eq!(modes(&scene), expected);
        for to in ["glb", "x3d", "x3dv"] {
            let from = if to == "glb" { "gltf" } else { "x3d" };
            let bytes = written(&scene, to, &[]).unwrap().value.main;
            assert_eq!(modes(&read(from, &bytes, &[])), expected, "{to}");
        }
    }
}

/// Vertices of opaque materials in glTF are opaque, whatever their alpha; in scenes, they make
/// their material translucent.
#[test]
fn the_alpha_of_vertices() {
    let materials = || vec![Material::new("a"), Material::new("b")];
    let scene = triangles(materials(), Vec::new(), &[0.5, 1.0]);
    let bytes = written(&scene, "gltf", &[]).unwrap().value;
    assert_eq!(
        modes(&scene),
        [(gltf::material::AlphaMode::Blend, None), (gltf::material::AlphaMode::Opaque, None)]
    );
    let opaque = String::from_utf8(bytes.main).unwrap().replace("BLEND", "OPAQUE");
    let buffers: Vec<_> =
        bytes.companions.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    let again = read("gltf", opaque.as_bytes(), &buffers);
    assert_eq!(again.meshes[0].colors, vec![[1.0; 4]; 3]);
    assert_eq!(modes(&again), [(gltf::material::AlphaMode::Opaque, None); 2]);
    // A material that is shared remains opaque for opaque vertices.
    let mut shared = triangles(materials(), Vec::new(), &[0.5, 1.0]);
    for mesh in &mut shared.meshes {
        mesh.primitives[0].material = Some(MaterialId::new(0));
    }
    shared.materials.truncate(1);
    let glb = glb(&shared);
    let parts = glb.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>());
    let found: Vec<_> = parts.map(|part| mode(&part.material()).0).collect();
    assert_eq!(found, [gltf::material::AlphaMode::Blend, gltf::material::AlphaMode::Opaque]);
}

/// Each primitive is opaque or translucent by its own vertices, and `diff` sees the difference.
#[test]
fn parts_of_a_mesh_are_opaque_by_themselves() {
    let mut scene = triangles(vec![Material::new("skin"), Material::new("glass")], vec![], &[1.0]);
    let mesh = &mut scene.meshes[0];
    mesh.positions.extend([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]].map(Vec3::from));
    mesh.texcoords.extend([[0.0; 2]; 3]);
    mesh.colors.extend([[1.0, 1.0, 1.0, 0.5]; 3]);
    scene.add_material(Material::new("glass"));
    let glass = Some(MaterialId::new(1));
    let part = Primitive { indices: vec![3, 4, 5], material: glass, ..Primitive::default() };
    scene.meshes[0].primitives.push(part);
    use gltf::material::AlphaMode::{Blend, Opaque};
    assert_eq!(modes(&scene), [(Opaque, None), (Blend, None)]);
    let blended = |material: usize| {
        let mut other = scene.clone();
        other.materials[material].alpha_mode = AlphaMode::Blend;
        diff::diff(&scene, &other, &diff::Options::default()).unwrap().differences.len()
    };
    assert_eq!([blended(0), blended(1)], [1, 0]);
}

const SHAPE: &str = "coord Coordinate { point [0 0 0, 1 0 0, 0 1 0] } coordIndex [0 1 2]";

/// Returns the materials of an X3D file with this appearance, and a texture with alpha.
fn appearance(header: &str, fields: &str) -> Material {
    let text = format!(
        "{header} utf8\nShape {{ appearance Appearance {{ {fields} }}
        geometry IndexedFaceSet {{ {SHAPE} }} }}"
    );
    read("x3d", text.as_bytes(), &[("a.png", png(RGBA))]).materials[0].clone()
}

#[test]
fn appearances_say_how_alpha_is_used() {
    let texture = "texture ImageTexture { url \"a.png\" }";
    for (fields, expected) in [
        ("", AlphaMode::Texture),
        ("alphaMode \"OPAQUE\"", AlphaMode::Colors),
        ("alphaMode \"MASK\" alphaCutoff 0.25", AlphaMode::Mask(0.25)),
        ("alphaMode \"BLEND\"", AlphaMode::Blend),
        ("alphaChannel \"NONE\"", AlphaMode::Colors),
        ("alphaChannel \"TEST\"", AlphaMode::Mask(0.5)),
        ("alphaChannel \"BLENDING\"", AlphaMode::Blend),
    ] {
        let found = appearance("#X3D V4.0", &format!("{fields} {texture}"));
        assert_eq!(found.alpha_mode, expected, "{fields}");
    }
}

/// ISO/IEC 19775-1:2013, table 17.3, and X3D 4.0.
#[test]
fn textures_replace_or_multiply_colours() {
    let red = [1.0, 0.0, 0.0, 1.0];
    let texture = "texture ImageTexture { url \"a.png\" }";
    let old = "material Material { diffuseColor 1 0 0 }";
    let physical = "material PhysicalMaterial { baseColor 1 0 0 }";
    let unlit = "material UnlitMaterial { emissiveColor 1 0 0 }";
    for (header, material, expected) in [
        ("#VRML V2.0", old, [1.0; 4]),
        ("#X3D V3.3", old, [1.0; 4]),
        ("#X3D V4.0", old, red),
        ("#X3D V4.1", old, red),
        ("#X3D V3.3", physical, red),
        ("#X3D V3.3", unlit, red),
    ] {
        let found = appearance(header, &format!("{material} {texture}"));
        assert_eq!(found.base_color, expected, "{header} {material}");
    }
    let frame = "<Scene><Shape><Appearance><Material diffuseColor='1 0 0'/>\
                 <ImageTexture url='a.png'/></Appearance><IndexedFaceSet coordIndex='0 1 2'>\
                 <Coordinate point='0 0 0 1 0 0 0 1 0'/></IndexedFaceSet></Shape></Scene></X3D>";
    for (version, expected) in [("3.3", [1.0; 4]), ("4.0", red)] {
        let frame = format!("<X3D version='{version}'>{frame}");
        let frames = format!("<animation name='a'><frame time='0'>{frame}</frame></animation>");
        assert_eq!(read("castle", frames.as_bytes(), &[]).materials[0].base_color, expected);
        assert_eq!(read("x3d", frame.as_bytes(), &[]).materials[0].base_color, expected);
    }
}

#[test]
fn frames_keep_the_colour_of_textures() {
    let material = Material { base_color: [1.0, 0.0, 0.0, 1.0], ..textured(AlphaMode::Colors) };
    let mut scene = triangles(vec![material], vec![Image::at("a.png")], &[1.0]);
    scene.meshes[0].colors.clear();
    let bytes = written(&scene, "castle", &[]).unwrap().value.main;
    assert_eq!(read("castle", &bytes, &[]).materials[0].base_color, [1.0, 0.0, 0.0, 1.0]);
}

/// `map_d` enables the alpha of the texture.
#[test]
fn material_libraries() {
    let text = b"mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl a\nf 1/1 2/1 3/1\n\
                 usemtl b\nf 1/1 2/1 3/1\n";
    let library = b"newmtl a\nmap_Kd a.png\nnewmtl b\nmap_Kd a.png\nmap_d a.png\n".to_vec();
    let scene = read("amo", text, &[("m.mtl", library), ("a.png", png(RGBA))]);
    let found: Vec<AlphaMode> =
        scene.materials.iter().map(|material| material.alpha_mode).collect();
    assert_eq!(found, [AlphaMode::Colors, AlphaMode::Texture]);
}
