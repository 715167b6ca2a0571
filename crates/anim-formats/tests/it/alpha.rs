//! How the alpha of textures and vertices is used, and whether textures are multiplied by colours,
//! survives conversion.

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{
    AlphaMode, Image, ImageId, Material, MaterialId, Mesh, Node, Primitive, Scene, Vec3, diff,
    is_complete_image,
};
use anim_formats::{AnyDocument, LoadOptions, MemoryFiles, Settings, read_images, scene_of};

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
    let parsed = AnyDocument::parse(bytes.to_vec(), format(id), &Settings::default()).unwrap();
    let mut files = MemoryFiles::default();
    for (name, bytes) in images {
        files.insert(name, bytes.clone());
    }
    let mut files = files.companions("file", &LoadOptions::default());
    let settings = Settings::default();
    let mut context = Context { name: "", files: &mut files, settings: &settings };
    let mut scene = scene_of(parsed, &mut context).scene;
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
        for (id, text) in [("castle", &frames), ("x3d", &frame)] {
            let found = read(id, text.as_bytes(), &[("a.png", png(RGBA))]);
            assert_eq!(found.materials[0].base_color, expected, "{id} {version}");
        }
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

/// A texture replaces the colour of the material (ISO/IEC 14772-1, table 4.6). If its image cannot
/// be used, the colour is shown.
#[test]
fn unusable_textures_leave_the_colour_of_the_material() {
    let texture = |node: &str, url: &str| {
        let fields = format!(
            "material Material {{ diffuseColor 1 0 0 transparency 0.25 }}
            texture {node} {{ url \"{url}\" }}"
        );
        let text = format!(
            "#VRML V2.0 utf8\nShape {{ appearance Appearance {{ {fields} }}
            geometry IndexedFaceSet {{ {SHAPE} }} }}"
        );
        let short = png(RGBA)[..30].to_vec();
        let images = [("a.gif", b"GIF89a..........".to_vec()), ("short.png", short)];
        read("x3d", text.as_bytes(), &[&images[..], &[("a.png", png(RGBA))]].concat())
    };
    for (node, url) in [
        ("ImageTexture", "a.gif"),
        ("ImageTexture", "missing.png"),
        ("ImageTexture", "short.png"),
        ("MovieTexture", "a.mpg"),
        // Not an image, even if it has the name of one.
        ("MovieTexture", "a.png"),
    ] {
        let scene = texture(node, url);
        assert!(scene.images.is_empty(), "{url}");
        assert_eq!(scene.materials[0].base_color, [1.0, 0.0, 0.0, 0.75], "{url}");
    }
    assert_eq!(texture("ImageTexture", "a.png").materials[0].base_color, [1.0, 1.0, 1.0, 0.75]);
}

/// X3D 4.0, `Appearance`: `OPAQUE` ignores all alpha, and `MASK` compares it with `alphaCutoff`.
#[test]
fn appearances_without_textures_say_how_alpha_is_used() {
    use gltf::material::AlphaMode::{Blend, Mask, Opaque};
    let read_with = |fields: &str, colors: &str| {
        let text = format!(
            "#X3D V4.0 utf8\nShape {{ appearance Appearance {{ {fields}
            material UnlitMaterial {{ transparency 0.75 }} }}
            geometry IndexedFaceSet {{ {SHAPE} {colors} }} }}"
        );
        read("x3d", text.as_bytes(), &[])
    };
    let colors = "color ColorRGBA { color [1 0 0 0.5, 0 1 0 0.25, 0 0 1 1] }";
    for (fields, colors, mode, alpha) in [
        ("", "", (Blend, None), 0.25),
        ("alphaMode \"OPAQUE\"", "", (Opaque, None), 1.0),
        ("alphaMode \"OPAQUE\"", colors, (Opaque, None), 1.0),
        ("alphaMode \"MASK\"", "", (Mask, None), 0.25),
        ("alphaMode \"MASK\" alphaCutoff 0.125", "", (Mask, Some(0.125)), 0.25),
        ("alphaMode \"BLEND\"", "", (Blend, None), 0.25),
    ] {
        let scene = read_with(fields, colors);
        assert_eq!(modes(&scene), [mode], "{fields} {colors}");
        assert_eq!(scene.materials[0].base_color[3], alpha, "{fields} {colors}");
        assert!(scene.meshes[0].colors.iter().all(|color| color[3] == 1.0));
    }
}

/// `ColorRGBA` replaces the transparency of the material, and `Color` does not (ISO/IEC 19775-1,
/// 12.2.2 and 11.4.3).
#[test]
fn colours_of_vertices_replace_the_transparency() {
    for (colors, alpha, alphas) in [
        ("ColorRGBA { color [1 0 0 0.5, 0 1 0 0.25, 0 0 1 1] }", 1.0, [0.5, 0.25, 1.0]),
        ("Color { color [1 0 0, 0 1 0, 0 0 1] }", 0.25, [1.0; 3]),
    ] {
        let text = format!(
            "#X3D V3.3 utf8\nShape {{ appearance Appearance {{
            material Material {{ transparency 0.75 }} }}
            geometry IndexedFaceSet {{ {SHAPE} color {colors} }} }}"
        );
        let scene = read("x3d", text.as_bytes(), &[]);
        assert_eq!(scene.materials[0].base_color[3], alpha, "{colors}");
        let found: Vec<f32> = scene.meshes[0].colors.iter().map(|color| color[3]).collect();
        assert_eq!(found, alphas, "{colors}");
    }
}

/// Writers multiply the colours by the alpha of the material, which they replace.
#[test]
fn the_alpha_of_materials_is_written_once() {
    let material = Material { base_color: [1.0, 1.0, 1.0, 0.5], ..Material::new("glass") };
    let mut scene = triangles(vec![material], Vec::new(), &[0.5]);
    for (to, transparency) in [("x3d", "transparency='0.5'"), ("castle", "transparency=\"0.5\"")] {
        let text = String::from_utf8(written(&scene, to, &[]).unwrap().value.main).unwrap();
        let numbers = text.replace(',', "");
        assert!(numbers.contains("1 1 1 0.25 1 1 1 0.25 1 1 1 0.25"), "{text}");
        assert!(!text.contains("transparency"), "{text}");
        let again = read(to, text.as_bytes(), &[]);
        assert_eq!(again.materials[0].base_color, [1.0; 4], "{to}");
        assert_eq!(again.meshes[0].colors, [[1.0, 1.0, 1.0, 0.25]; 3], "{to}");
        let mut plain = scene.clone();
        plain.meshes[0].colors.clear();
        let text = String::from_utf8(written(&plain, to, &[]).unwrap().value.main).unwrap();
        assert!(text.contains(transparency), "{text}");
    }
    // An opaque list of three components has no alpha.
    scene.meshes[0].colors = vec![[1.0; 4]; 3];
    let bytes = written(&scene, "castle", &[]).unwrap().value.main;
    assert_eq!(read("castle", &bytes, &[]).materials[0].base_color[3], 0.5);
}

/// The images of frames are not loaded, so they may have an alpha channel unless they are JPEG.
#[test]
fn opaque_materials_of_frames_stay_opaque() {
    for (path, is_stated) in [("a.png", true), ("a.JPG", false), ("b.jpeg", false)] {
        let materials = vec![textured(AlphaMode::Colors)];
        let scene = triangles(materials, vec![Image::at(path)], &[1.0]);
        let text = String::from_utf8(written(&scene, "castle", &[]).unwrap().value.main).unwrap();
        assert_eq!(text.contains("alphaMode=\"OPAQUE\""), is_stated, "{path}");
        let again = read("castle", text.as_bytes(), &[(path, png(RGBA))]);
        let expected = if is_stated { AlphaMode::Colors } else { AlphaMode::Texture };
        assert_eq!(again.materials[0].alpha_mode, expected, "{path}");
    }
}

#[test]
fn emissive_textures_are_written_to_frames() {
    let material = Material {
        emissive: [1.0; 3],
        emissive_image: Some(ImageId::new(0)),
        ..Material::new("lamp")
    };
    let mut scene = triangles(vec![material], vec![Image::at("a.png")], &[1.0]);
    let bytes = written(&scene, "castle", &[]).unwrap().value.main;
    let again = read("castle", &bytes, &[("a.png", png(RGB))]);
    let material = &again.materials[0];
    assert_eq!((material.emissive, material.base_color_image), ([1.0; 3], None));
    assert_eq!(
        again.images[material.emissive_image.unwrap().index()].path.as_deref(),
        Some("a.png")
    );
    // Without the texture, the whole surface would be as bright as its brightest parts.
    scene.images[0].path = None;
    let bytes = written(&scene, "castle", &[]).unwrap().value.main;
    assert_eq!(read("castle", &bytes, &[]).materials[0].emissive, [0.0; 3]);
}

/// The version of each file decides, not that of the file that includes it.
#[test]
fn included_files_have_their_own_versions() {
    let file = |version: &str, content: &str| {
        format!("<X3D version='{version}'><Scene>{content}</Scene></X3D>").into_bytes()
    };
    let shape = "<Shape><Appearance><Material diffuseColor='1 0 0'/><ImageTexture url='a.png'/>\
                 </Appearance><IndexedFaceSet coordIndex='0 1 2'>\
                 <Coordinate point='0 0 0 1 0 0 0 1 0'/></IndexedFaceSet></Shape>";
    let files =
        [("v3.x3d", file("3.3", shape)), ("v4.x3d", file("4.0", shape)), ("a.png", png(RGBA))];
    let (white, red) = ([1.0; 4], [1.0, 0.0, 0.0, 1.0]);
    let colors = |scene: Scene| {
        let materials = scene.materials.iter();
        materials.map(|material| material.base_color).collect::<Vec<_>>()
    };
    let inline = |name: &str| format!("<Inline url='{name}'/>");
    for (version, names, expected) in [
        ("3.3", &["v4.x3d"][..], &[red][..]),
        ("4.0", &["v3.x3d"], &[white]),
        ("4.0", &["v3.x3d", "v4.x3d"], &[white, red]),
    ] {
        let content: String = names.iter().map(|name| inline(name)).collect();
        let scene = read("x3d", &file(version, &content), &files);
        assert_eq!(colors(scene), expected, "{version} {names:?}");
    }
}
