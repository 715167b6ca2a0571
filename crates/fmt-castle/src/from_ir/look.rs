//! Conversion of materials to X3D.

use std::fmt::Write as _;

use anim_ir::color::to_srgb;
use anim_ir::diag::{plural, quote};
use anim_ir::number::shortest;
use anim_ir::{AlphaMode, Diagnostics, ImageId, Material, Primitive, Scene, Topology};

use crate::codes;

/// Writes the `Appearance` of a primitive. `colored` is whether its vertices have colours, which
/// replace that of the material, and `translucent` whether these have alpha.
pub(super) fn appearance(
    scene: &Scene,
    part: &Primitive,
    [colored, translucent]: [bool; 2],
) -> String {
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
    let glow = texture(scene, material.emissive_image, " containerField=\"emissiveTexture\"");
    // Without its texture, the emissive colour would make the whole surface glow.
    let is_whole = material.emissive_image.is_none() || glow.is_some();
    if lit && is_whole && material.emissive != [0.0; 3] {
        let _ = write!(out, " emissiveColor=\"{}\"", screen(material.emissive));
    }
    if alpha != 1.0 && !translucent {
        let _ = write!(out, " transparency=\"{}\"", shortest(1.0 - alpha));
    }
    let _ = match glow.filter(|_| lit) {
        Some(glow) => write!(out, ">{glow}</{node}>"),
        None => write!(out, "/>"),
    };
    out.extend(texture(scene, material.base_color_image, ""));
    if lit {
        // An extension of Castle Game Engine that predates normal maps in X3D.
        out.extend(texture(scene, material.normal_image, " containerField=\"normalMap\""));
    }
    out.push_str("</Appearance>");
    out
}

/// Formats the texture of an image that has a path.
fn texture(scene: &Scene, image: Option<ImageId>, attribute: &str) -> Option<String> {
    // The value is a list of quoted strings. Percent-encoding makes further escaping unnecessary.
    let url = encode(scene.image(image?)?.path.as_deref()?);
    Some(format!("<ImageTexture{attribute} url='\"{url}\"'/>"))
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
        let glow = material.emissive_image.and_then(|image| scene.image(image));
        let glows = !material.unlit && glow.is_some_and(|image| image.path.is_some());
        let properties = [
            ("roughness", material.roughness != 1.0),
            ("metalness", material.metallic != 0.0),
            ("metallic-roughness texture", material.metallic_roughness_image.is_some()),
            ("emissive texture", material.emissive_image.is_some() && !glows),
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
