//! Materials, textures and surroundings.

use anim_ir::{Converted, ImageId, NoFiles, Scene};
use model_x3d::{Document, ToIr, to_ir, to_ir_with};

use crate::frames::{files, make, scene};

const TRIANGLE: &str = "<IndexedFaceSet coordIndex='0 1 2 -1'>\
     <Coordinate point='0 0 0 1 0 0 0 1 0'/></IndexedFaceSet>";

fn read(text: &str) -> Converted<Scene> {
    let document = Document::parse(text.as_bytes()).unwrap();
    assert!(document.diagnostics.is_empty(), "{:?}", document.diagnostics);
    to_ir(&document.value, &ToIr::default())
}

fn with_appearance(appearance: &str) -> Converted<Scene> {
    read(&scene(&format!("<Shape><Appearance>{appearance}</Appearance>{TRIANGLE}</Shape>")))
}

fn image(field: &str, name: &str) -> String {
    format!("<ImageTexture containerField='{field}' url='\"{name}\"'/>")
}

/// Returns the image files of the only material, in the order of [`anim_ir::Material::images`].
fn images(scene: &Scene) -> [&str; 5] {
    let [material] = &scene.materials[..] else { panic!("{:?}", scene.materials) };
    let path = |image: ImageId| scene.images[image.index()].path.as_deref();
    material.images().map(|image| image.and_then(path).unwrap_or_default())
}

fn diagnostics(made: &Converted<Scene>) -> Vec<String> {
    made.losses.iter().map(|loss| format!("{}: {}", loss.code.id, loss.message)).collect()
}

#[test]
fn castle_game_engine_normal_maps_become_normal_textures() {
    let made = with_appearance(&(image("texture", "skin.png") + &image("normalMap", "bumps.png")));
    assert_eq!(images(&made.value), ["skin.png", "", "", "bumps.png", ""]);
    assert_eq!(diagnostics(&made), [""; 0]);
    assert_eq!(made.value.meshes[0].texcoords.len(), 3, "generated, since the file has none");
    let made = with_appearance(&image("normalMap", "bumps.png"));
    assert_eq!(images(&made.value), ["", "", "", "bumps.png", ""]);
    assert_eq!(made.value.meshes[0].texcoords.len(), 3);
}

#[test]
fn x3d_4_material_textures_are_read() {
    let physical: String = [
        ("baseTexture", "base.png"),
        ("emissiveTexture", "glow.png"),
        ("metallicRoughnessTexture", "metal.png"),
        ("normalTexture", "bumps.png"),
        ("occlusionTexture", "shade.png"),
    ]
    .map(|(field, name)| image(field, name))
    .concat();
    let fields = "baseColor='1 0 1' emissiveColor='1 1 1' metallic='0.25' roughness='0.5' \
                  normalScale='2' occlusionStrength='0.75'";
    let made = with_appearance(&format!(
        "<PhysicalMaterial {fields}>{physical}</PhysicalMaterial>{}",
        image("texture", "unused.png")
    ));
    assert_eq!(
        images(&made.value),
        ["base.png", "glow.png", "metal.png", "bumps.png", "shade.png"],
        "the material's textures take precedence over the appearance's"
    );
    assert_eq!(diagnostics(&made), [""; 0]);
    let material = &made.value.materials[0];
    assert_eq!(material.base_color, [1.0, 0.0, 1.0, 1.0], "multiplied by the texture");
    assert_eq!(
        (material.metallic, material.roughness, material.normal_scale, material.occlusion_strength),
        (0.25, 0.5, 2.0, 0.75)
    );

    let material = "<Material diffuseColor='0 1 0'>";
    let made = with_appearance(&format!(
        "{material}{}{}</Material>",
        image("diffuseTexture", "skin.png"),
        image("specularTexture", "shine.png")
    ));
    assert_eq!(images(&made.value), ["skin.png", "", "", "", ""]);
    assert_eq!(made.value.materials[0].base_color, [0.0, 1.0, 0.0, 1.0]);
    assert_eq!(
        diagnostics(&made),
        ["x3d-texture: the texture in specularTexture of a Material is ignored"]
    );

    let made = with_appearance(&format!(
        "<UnlitMaterial>{}</UnlitMaterial>",
        image("emissiveTexture", "sky.png")
    ));
    assert_eq!(images(&made.value), ["sky.png", "", "", "", ""]);
}

/// Points are unlit, so these factors have no effect, and glTF readers ignore them.
#[test]
fn points_are_neither_metallic_nor_rough() {
    let text = "#X3D V4.0 utf8\nPROFILE Full Shape { geometry Polypoint2D { point [ 0 0 ] } \
                appearance Appearance { material PhysicalMaterial { metallic 1 roughness 0 } } }";
    let made = make(vec![files([text.to_owned()])], &ToIr::default());
    let material = &made.value.materials[0];
    let default = anim_ir::Material::default();
    assert!(material.unlit);
    assert_eq!([material.metallic, material.roughness], [default.metallic, default.roughness]);
}

#[test]
fn common_surface_shader_textures_are_read() {
    let shader = |inside: &str| {
        format!(
            "<Material/><CommonSurfaceShader containerField='shaders'>{inside}\
             </CommonSurfaceShader>"
        )
    };
    let made = with_appearance(&shader(
        &(image("multiDiffuseAlphaTexture", "leaf.png") + &image("normalTexture", "bumps.png")),
    ));
    assert_eq!(images(&made.value), ["leaf.png", "", "", "bumps.png", ""]);
    assert_eq!(diagnostics(&made), [""; 0]);
    let made = with_appearance(&shader(&image("shininessTexture", "shine.png")));
    assert_eq!(
        diagnostics(&made),
        ["x3d-texture: the texture in shininessTexture of a CommonSurfaceShader is ignored"]
    );
}

#[test]
fn nodes_without_a_counterpart_are_reported_in_any_field() {
    let made = with_appearance(
        "<FillProperties/><ComposedShader containerField='shaders' language='GLSL'><ShaderPart \
         url='\"a.fs\"'/></ComposedShader>",
    );
    assert_eq!(
        diagnostics(&made),
        [
            "x3d-dropped: 1 ComposedShader node is skipped",
            "x3d-dropped: 1 FillProperties node is skipped",
        ]
    );
    let shape = format!("<Shape>{TRIANGLE}</Shape>");
    let made = read(&scene(&format!(
        "<Collision><Shape containerField='proxy'><Box/></Shape>{shape}</Collision>"
    )));
    assert_eq!(
        diagnostics(&made),
        ["x3d-surroundings: skipped, not part of the model: collision proxy"]
    );
    assert_eq!(made.value.meshes.len(), 1);
}

#[test]
fn surroundings_are_reported_in_one_note() {
    let around = "<NavigationInfo/><Background DEF='Sky'/><Fog/><Viewpoint/><WorldInfo/>";
    let mirror = "<Shape><Appearance><ImageCubeMapTexture DEF='Sea' url='\"sea.dds\"' \
                  alien='1'><TextureProperties/></ImageCubeMapTexture></Appearance><Box/></Shape>";
    let made = read(&scene(&format!("{around}{mirror}<Fog/><PointLight/>")));
    assert_eq!(
        diagnostics(&made),
        [
            "x3d-dropped: 1 PointLight node is skipped",
            "x3d-surroundings: skipped, not part of the model: Background, Fog, \
             ImageCubeMapTexture, NavigationInfo, Viewpoint, WorldInfo",
        ]
    );
    assert_eq!((made.value.images.len(), made.value.meshes.len()), (0, 1));
    let classic = "#X3D V3.3 utf8\nNavigationInfo { } Shape { appearance Appearance { texture DEF \
                   Sea ImageCubeMapTexture { url \"sea.dds\" size 3 [ { } ] } } geometry Box { } } \
                   Shape { appearance Appearance { texture USE Sea } geometry Box { } }";
    assert_eq!(
        diagnostics(&read(classic)),
        ["x3d-surroundings: skipped, not part of the model: ImageCubeMapTexture, \
             NavigationInfo"]
    );
}

#[test]
fn diagnostics_in_companion_files_name_the_file_and_line() {
    struct Parts;
    impl anim_ir::Resolver for Parts {
        fn read(&mut self, address: &str) -> Result<Vec<u8>, anim_ir::ResolveError> {
            let text = match address {
                "parts/wheel.wrl" => {
                    "#VRML V2.0 utf8\n\nInline { url \"tyre.wrl\" }\nInline { url \"lost.wrl\" }"
                }
                "parts/tyre.wrl" => {
                    "#VRML V2.0 utf8\nShape {\n  geometry IndexedFaceSet {\n    coord Coordinate \
                     { point [0 0 0, 1 0 0, 0 1 0] }\n    coordIndex [0 1 2 -1]\n    color Color { \
                     color [1 0 0, 0 1 0] }\n  }\n}\n"
                }
                _ => return Err(anim_ir::ResolveError::NotFound),
            };
            Ok(text.as_bytes().to_vec())
        }
    }
    let text = scene("<Group/>\n<Inline url='\"parts/wheel.wrl\"'/>");
    let document = Document::parse(text.as_bytes()).unwrap().value;
    let made = to_ir_with(&document, &ToIr::default(), &mut Parts, &[]);
    let inline = text.find("Inline").unwrap();
    let found: Vec<(String, Option<usize>)> = made
        .losses
        .iter()
        .map(|loss| (loss.message.clone(), loss.span.map(|span| span.start)))
        .collect();
    let lost = "`parts/wheel.wrl`: line 4: the file `parts/lost.wrl` cannot be used: ";
    assert!(found[0].0.starts_with(lost), "{found:?}");
    assert_eq!(
        found[1],
        ("`parts/tyre.wrl`: line 3: expected 3 colours, found 2".to_owned(), Some(inline))
    );
    // The Inline that was not resolved is skipped.
    assert!(found[2].0.ends_with("line 4: 1 Inline node is skipped"), "{found:?}");
    assert_eq!((found.len(), found[0].1), (3, Some(inline)));
    // If the files are not read, the diagnostic points at the Inline.
    let made = to_ir_with(&document, &ToIr::default(), &mut NoFiles, &[]);
    assert_eq!(made.losses.iter().next().unwrap().span.unwrap().start, inline);
}

#[test]
fn one_texture_of_several_is_used() {
    let two = image("texture", "a.png") + &image("texture", "b.png");
    let made = with_appearance(&format!("<MultiTexture>{two}</MultiTexture>"));
    assert_eq!(images(&made.value), ["a.png", "", "", "", ""]);
    assert_eq!(diagnostics(&made), ["x3d-dropped: 1 MultiTexture node is skipped"]);
    let made =
        with_appearance(&format!("<MultiTexture>{}</MultiTexture>", image("texture", "a.png")));
    assert_eq!(diagnostics(&made), [""; 0]);
}

/// The content of the image is its address.
#[test]
fn textures_may_be_part_of_the_file() {
    let made = with_appearance(&image("texture", "data:image/png;base64,iVBORw0%4b"));
    assert_eq!(images(&made.value)[0], "data:image/png;base64,iVBORw0%4b");
}

#[test]
fn other_kinds_of_texture_coordinates_are_reported() {
    let shape = |appearance: &str, texcoords: &str| {
        let image = image("texture", "a.png");
        let face = TRIANGLE.replace("<Coordinate", &format!("{texcoords}<Coordinate"));
        let text = format!("<Shape><Appearance>{image}{appearance}</Appearance>{face}</Shape>");
        diagnostics(&read(&scene(&text)))
    };
    assert_eq!(shape("", "<TextureCoordinate point='0 0 1 0 0 1'/>"), [""; 0]);
    assert_eq!(
        shape("", "<TextureCoordinateGenerator/>"),
        ["x3d-geometry-kind: TextureCoordinateGenerator is not supported for texture coordinates"]
    );
    assert_eq!(
        shape("<TextureTransform3D/>", ""),
        ["x3d-geometry-kind: TextureTransform3D is not supported for texture coordinates"]
    );
}

#[test]
fn billboards_do_not_turn() {
    let shape = format!("<Shape>{TRIANGLE}</Shape>");
    let made = read(&scene(&format!("<Billboard>{shape}</Billboard>")));
    assert_eq!(
        diagnostics(&made),
        ["x3d-dropped: the children of 1 Billboard node do not follow the view"]
    );
    assert_eq!(made.value.nodes.len(), 1);
}

/// In VRML 1.0, points have the materials of the corners.
#[test]
fn points_of_vrml_1_have_colours() {
    let made = read(
        "#VRML V1.0 ascii\nSeparator { Coordinate3 { point [0 0 0, 1 0 0] } Material { \
         diffuseColor [1 0 0, 0 0 1] } MaterialBinding { value PER_VERTEX } PointSet { } }",
    );
    assert_eq!(made.value.meshes[0].colors, [[1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]]);
}

/// A rotation about no axis is no rotation.
#[test]
fn an_extrusion_with_an_orientation_without_axis() {
    let positions = |orientation: &str| {
        let made = read(&scene(&format!(
            "<Shape><Extrusion spine='0 0 0 0 1 0' orientation='{orientation}'/></Shape>"
        )));
        made.value.meshes[0].positions.clone()
    };
    assert_eq!(positions("0 0 0 1"), positions("0 1 0 0"));
    assert_ne!(positions("0 1 0 1"), positions("0 1 0 0"));
}
