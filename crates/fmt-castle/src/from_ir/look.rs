//! Conversion of materials to X3D.

use std::fmt::Write as _;

use anim_ir::color::to_srgb;
use anim_ir::diag::{plural, quote};
use anim_ir::number::shortest;
use anim_ir::{AlphaMode, Diagnostics, ImageId, Material, Primitive, Scene, Topology};

use crate::codes;

/// Writes the `Appearance` of a primitive. `colored` means that it has vertex colours, which
/// replace the material's colour.
pub(super) fn appearance(scene: &Scene, part: &Primitive, colored: bool) -> String {
    let plain = Material::new("");
    let (material, topology) = (material(scene, part).unwrap_or(&plain), part.topology);
    let [red, green, blue, alpha] = material.base_color;
    let color = screen([red, green, blue]);
    // Lines and points are unlit and use the emissive colour (ISO/IEC 19775-1, 12.4.3).
    let lit = topology == Topology::Triangles && !material.unlit;
    let (node, field) = match (lit, topology) {
        (true, _) => ("Material", "diffuseColor"),
        (false, Topology::Triangles) => ("UnlitMaterial", "emissiveColor"),
        (false, _) => ("Material", "emissiveColor"),
    };
    let mut out = "<Appearance".to_owned();
    // Writing to a String cannot fail.
    if let Some(alpha) = material.stated_alpha_mode(scene) {
        let _ = match alpha {
            AlphaMode::Mask(cutoff) => {
                write!(out, " alphaMode=\"MASK\" alphaCutoff=\"{}\"", shortest(cutoff))
            }
            AlphaMode::Blend => write!(out, " alphaMode=\"BLEND\""),
            _ => write!(out, " alphaMode=\"OPAQUE\""),
        };
    }
    let _ = write!(out, "><{node}");
    if !colored {
        let _ = write!(out, " {field}=\"{color}\"");
    }
    if lit && material.emissive != [0.0; 3] {
        let _ = write!(out, " emissiveColor=\"{}\"", screen(material.emissive));
    }
    if alpha != 1.0 {
        let _ = write!(out, " transparency=\"{}\"", shortest(1.0 - alpha));
    }
    out.push_str("/>");
    let path_of = |id: Option<ImageId>| {
        id.and_then(|id| scene.image(id)).and_then(|image| image.path.as_deref())
    };
    // The value is a list of quoted strings. Percent-encoding makes further escaping unnecessary.
    if let Some(path) = path_of(material.base_color_image) {
        let _ = write!(out, "<ImageTexture url='\"{}\"'/>", encode(path));
    }
    // `normalMap` is an extension of Castle Game Engine that predates normal maps in X3D.
    if let Some(path) = path_of(material.normal_image).filter(|_| lit) {
        let url = encode(path);
        let _ = write!(out, "<ImageTexture containerField=\"normalMap\" url='\"{url}\"'/>");
    }
    out.push_str("</Appearance>");
    out
}

/// Formats a linear colour as sRGB, which X3D uses.
fn screen(color: [f32; 3]) -> String {
    color.map(|component| shortest(to_srgb(component))).join(" ")
}

/// Returns the material of a primitive.
pub(super) fn material<'s>(scene: &'s Scene, part: &Primitive) -> Option<&'s Material> {
    scene.material(part.material?)
}

/// Reports properties and names of materials and images that are lost.
pub(super) fn losses(scene: &Scene, losses: &mut Diagnostics) {
    for material in &scene.materials {
        let plain = material.normal_image.is_none() || material.normal_scale == 1.0;
        let properties = [
            ("roughness", material.roughness != 1.0),
            ("metalness", material.metallic != 0.0),
            ("metallic-roughness texture", material.metallic_roughness_image.is_some()),
            ("emissive texture", material.emissive_image.is_some()),
            ("occlusion texture", material.occlusion_image.is_some()),
            ("normal scale", !plain),
        ];
        for (property, _) in properties.into_iter().filter(|(_, is_lost)| *is_lost) {
            losses.push(&codes::LOSS_MATERIAL, None, || {
                format!(
                    "the {property} of material {} is not written",
                    quote(material.name.as_bytes())
                )
            });
        }
    }
    // Frames leave out what is hidden, so none of them is certain to hold the first use of a name.
    let named = scene.materials.iter().filter(|material| !material.name.is_empty()).count();
    if named > 0 {
        losses.push(&codes::LOSS_NAME, None, || {
            format!("the names of {} are not written", plural(named, "material"))
        });
    }
    scene.images.iter().for_each(|image| image.report_outside(losses));
    for image in scene.images.iter().filter(|image| image.path.is_none()) {
        losses.push(&codes::LOSS_IMAGE, None, || {
            format!("the embedded image {} is not written", quote(image.name.as_bytes()))
        });
    }
}

/// Converts a path to a URL by percent-encoding (RFC 3986, section 2).
fn encode(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte))
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
