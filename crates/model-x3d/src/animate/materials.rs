//! Materials and images of surfaces.

use std::collections::{BTreeMap, HashMap};

use anim_ir::address::{is_data, join, percent_decoded};
use anim_ir::color::to_linear;
use anim_ir::{
    AlphaMode, Diagnostics, Image, ImageId, Material, MaterialId, Mesh, Resolver, Topology, Value,
    insert_all,
};

use super::plan::Look;
use crate::codes;
use crate::graph::{Graph, Node, NodeId};
use crate::nodes::Family;

/// The materials and images of a scene, each stored once.
#[derive(Debug, Default)]
pub(super) struct Materials {
    pub(super) materials: Vec<Material>,
    pub(super) images: Vec<Image>,
    /// Indices of materials, keyed by all material properties.
    known: HashMap<String, MaterialId>,
    image_of: HashMap<Vec<String>, ImageId>,
}

impl Materials {
    /// Adds the material of a shape, unless an equal one exists. Returns its index.
    pub(super) fn add(
        &mut self,
        graph: &Graph,
        look: &Look,
        mesh: &mut Mesh,
        double_sided: bool,
        files: &mut dyn Resolver,
        problems: &mut Diagnostics,
    ) -> MaterialId {
        let node = look.material.and_then(|id| graph.node(id));
        let lines = mesh.primitives.iter().all(|part| part.topology != Topology::Triangles);
        let are_replaced = !mesh.colors.is_empty() && !look.modulates;
        let mut material = material(node, look, lines, are_replaced);
        let name = node.and_then(|node| graph.label(node));
        material.name = name.map_or(String::new(), |name| name.to_string());
        material.double_sided = double_sided;
        let textures = look.textures().map(|texture| texture.filter(|_| !lines));
        for (slot, texture) in material.images_mut().into_iter().zip(textures) {
            *slot = texture.and_then(|texture| self.image(graph, texture, files, problems));
        }
        let replaces = look.family == Some(Family::X3d) && !look.multiplies;
        if material.base_color_image.is_some() && replaces {
            // The `texture` of an appearance replaces the diffuse colour up to X3D 3.3
            // (ISO/IEC 19775-1:2013, table 17.3, and ISO/IEC 14772-1, table 4.6). VRML 1.0 and
            // X3D 4.0 multiply it by the colour. Castle Game Engine does so in every version, but
            // the 0.8 grey beside the textures of its older files is Blender's default.
            let [r, g, b, alpha] = material.base_color;
            material.base_color = [1.0, 1.0, 1.0, alpha];
            material.color_without_image = Some([r, g, b]);
        }
        set_alpha_mode(&mut material, look.alpha.mode(), mesh);
        let key = format!("{material:?}");
        *self.known.entry(key).or_insert_with(|| {
            self.materials.push(material);
            MaterialId::new(self.materials.len().saturating_sub(1))
        })
    }

    fn image(
        &mut self,
        graph: &Graph,
        id: NodeId,
        files: &mut dyn Resolver,
        problems: &mut Diagnostics,
    ) -> Option<ImageId> {
        let node = graph.node(id)?;
        let addresses = match node.kind.name {
            "Texture2" => node.strings("filename"),
            // The URLs are those of videos.
            "MovieTexture" => &[],
            _ => node.strings("url"),
        };
        let folder = graph.folder(id);
        let addresses: Vec<String> = addresses
            .iter()
            .filter(|address| !address.is_empty())
            .map(|address| join(folder, without_slashes(address)))
            .collect();
        if addresses.is_empty() {
            problems.push(&codes::TEXTURE, node.span, || {
                format!("the {} does not refer to an image file and is ignored", node.kind.name)
            });
            return None;
        }
        let unrepeated = |field: &&str| node.kind.field(field).is_some() && !node.flag(field);
        let clamped = |field: &&str| node.strings(field).iter().any(|word| word == "CLAMP");
        if ["repeatS", "repeatT"].iter().any(unrepeated) || ["wrapS", "wrapT"].iter().any(clamped) {
            problems.push(&codes::TEXTURE, node.span, || {
                format!("the {} is clamped in the file, but repeated in glTF", node.kind.name)
            });
        }
        if let Some(known) = self.image_of.get(&addresses) {
            return Some(*known);
        }
        let choices: Vec<&str> = addresses.iter().map(String::as_str).collect();
        let address = choices.get(files.pick(&choices)).or(choices.first())?;
        let path = if is_data(address) {
            (*address).to_owned()
        } else {
            String::from_utf8_lossy(&percent_decoded(address)).into_owned()
        };
        let name = graph.label(node).map_or(String::new(), |name| name.to_string());
        self.images.push(Image { name, ..Image::at(path) });
        let at = ImageId::new(self.images.len().saturating_sub(1));
        self.image_of.insert(addresses, at);
        Some(at)
    }
}

/// Sets how a material uses alpha. X3D 4.0 ignores all alpha if a shape is stated to be opaque.
fn set_alpha_mode(material: &mut Material, mode: AlphaMode, mesh: &mut Mesh) {
    material.alpha_mode = mode;
    match mode {
        AlphaMode::Colors => {
            material.base_color[3] = 1.0;
            mesh.colors.iter_mut().for_each(|color| color[3] = 1.0);
        }
        AlphaMode::Texture if material.base_color_image.is_none() => {
            material.alpha_mode = AlphaMode::Colors;
        }
        AlphaMode::Texture | AlphaMode::Blend | AlphaMode::Mask(_) => {}
    }
}

/// Trims the URL of an image and strips the prefix `//`, which in Blender denotes the folder of
/// the file.
fn without_slashes(address: &str) -> &str {
    let address = address.trim();
    address.strip_prefix("//").unwrap_or(address)
}

/// Converts a material. Colours in files are sRGB, as in the engine; colours in the IR are linear.
///
/// `has_colors`: colours of vertices replace that of the material.
///
/// Lit surfaces use the diffuse or base colour. Lines and points are unlit; in X3D they use the
/// emissive colour (ISO/IEC 19775-1, 12.4.3 and 17.2.2). Without a material, surfaces are unlit and
/// white in X3D, and have the default material in VRML 1.0.
fn material(node: Option<&Node>, look: &Look, lines: bool, has_colors: bool) -> Material {
    let mut material = Material::default();
    let Some(node) = node else {
        // Without a `Material` node, VRML 1.0 uses the default material: grey, with lit surfaces.
        let vrml1 = look.family == Some(Family::Vrml1);
        material.unlit = !vrml1 || lines;
        if vrml1 && !has_colors {
            let gray = to_linear(0.8);
            material.base_color = [gray, gray, gray, 1.0];
        }
        return material;
    };
    let color = |field: &str| node.array::<3>(field).map(to_linear);
    let [r, g, b] = match node.kind.name {
        "PhysicalMaterial" => color("baseColor"),
        "UnlitMaterial" => color("emissiveColor"),
        _ if lines && node.kind.family == Family::X3d => color("emissiveColor"),
        _ => color("diffuseColor"),
    };
    material.unlit = lines || node.kind.name == "UnlitMaterial";
    material.base_color = if has_colors { [1.0; 4] } else { [r, g, b, 1.0] };
    // Vertex colours from VRML 1.0 materials include the transparency, and `ColorRGBA` replaces it.
    if !(has_colors && (node.kind.family == Family::Vrml1 || look.has_alpha)) {
        material.base_color[3] = 1.0 - node.float("transparency");
    }
    // The rest has no effect on lines, points and unlit surfaces.
    if !material.unlit {
        material.emissive = color("emissiveColor");
        let number = |field: &str, missing: f32| match node.kind.field_index(field) {
            Some(_) => node.float(field),
            None => missing,
        };
        material.metallic = number("metallic", material.metallic);
        material.roughness = number("roughness", material.roughness);
        material.normal_scale = number("normalScale", material.normal_scale);
        material.occlusion_strength = number("occlusionStrength", material.occlusion_strength);
    }
    let kept = ["ambientIntensity", "specularColor", "shininess"].into_iter().filter_map(|field| {
        let numbers = node.given(field).and(Some(node.floats(field)))?;
        Some((field.to_owned(), numbers.iter().copied().take(4).collect::<Value>()))
    });
    let kept: BTreeMap<String, Value> = insert_all(kept);
    if !kept.is_empty() {
        material.extras.insert("x3d".to_owned(), Value::Map(kept));
    }
    material
}
