//! Selects a surface's textures from all fields that may contain them.

use super::plan::{Look, LookAlpha};
use super::walk::Walk;
use crate::codes;
use crate::graph::{Node, NodeId, Value};

/// Texture fields and their counterparts in glTF. If several fields of an appearance have the same
/// meaning, the material takes precedence over the shader, and both over the appearance.
const TEXTURE_FIELDS: [(&str, &str, Slot); 14] = [
    ("Material", "diffuseTexture", Slot::BaseColor),
    ("Material", "emissiveTexture", Slot::Emissive),
    ("Material", "normalTexture", Slot::Normal),
    ("Material", "occlusionTexture", Slot::Occlusion),
    ("PhysicalMaterial", "baseTexture", Slot::BaseColor),
    ("PhysicalMaterial", "emissiveTexture", Slot::Emissive),
    ("PhysicalMaterial", "metallicRoughnessTexture", Slot::MetallicRoughness),
    ("PhysicalMaterial", "normalTexture", Slot::Normal),
    ("PhysicalMaterial", "occlusionTexture", Slot::Occlusion),
    // An unlit surface shows only its emissive colour.
    ("UnlitMaterial", "emissiveTexture", Slot::BaseColor),
    ("CommonSurfaceShader", "multiDiffuseAlphaTexture", Slot::BaseColor),
    ("CommonSurfaceShader", "diffuseTexture", Slot::BaseColor),
    ("CommonSurfaceShader", "emissiveTexture", Slot::Emissive),
    ("CommonSurfaceShader", "normalTexture", Slot::Normal),
];

/// Environment map textures, which are not part of a model.
const ENVIRONMENTS: [&str; 3] =
    ["ComposedCubeMapTexture", "GeneratedCubeMapTexture", "ImageCubeMapTexture"];

/// A glTF texture slot.
#[derive(Clone, Copy)]
enum Slot {
    BaseColor,
    Emissive,
    MetallicRoughness,
    Normal,
    Occlusion,
}

/// Returns how an appearance uses alpha. `alphaChannel` is the extension of Castle Game Engine that
/// preceded `alphaMode` of X3D 4.0.
fn alpha_of(appearance: &Node) -> LookAlpha {
    let word = |field: &str| appearance.strings(field).first().map_or("", String::as_str);
    match (word("alphaMode"), word("alphaChannel")) {
        ("OPAQUE", _) | ("AUTO" | "", "NONE") => LookAlpha::Colors,
        ("MASK", _) | ("AUTO" | "", "TEST") => {
            LookAlpha::Mask(appearance.float("alphaCutoff").to_bits())
        }
        ("BLEND", _) | ("AUTO" | "", "BLENDING") => LookAlpha::Blend,
        _ => LookAlpha::Texture,
    }
}

impl Walk<'_> {
    /// Determines the look of an X3D shape and reports textures without a counterpart.
    pub(super) fn look(&mut self, appearance: Option<NodeId>) -> Look {
        let graph = self.graph;
        let mut look = Look { family: Some(crate::nodes::Family::X3d), ..Look::default() };
        let Some((id, node)) = appearance.and_then(|id| Some((id, graph.node(id)?))) else {
            return look;
        };
        self.drop_all_but(
            &["material", "texture", "textureTransform", "normalMap", "shaders"],
            node,
        );
        look.material = graph.child(id, "material");
        look.alpha = alpha_of(node);
        if let Some(material) = look.material.and_then(|material| graph.node(material)) {
            self.textures_of(material, &mut look);
            // The materials of X3D 4.0 are multiplied by textures, wherever these are.
            let is_new = ["PhysicalMaterial", "UnlitMaterial"].contains(&material.kind.name);
            look.multiplies = look.texture.is_some() || is_new || graph.multiplies_textures(id);
        }
        for shader in graph.children(id, "shaders").iter().filter_map(|id| graph.node(*id)) {
            if shader.kind.name == "CommonSurfaceShader" {
                self.textures_of(shader, &mut look);
            } else {
                self.drop(shader);
            }
        }
        if let Some(texture) = graph.child(id, "normalMap") {
            self.set(&mut look.normal, texture);
        }
        if let Some(texture) = graph.child(id, "texture") {
            self.set(&mut look.texture, texture);
        }
        look
    }

    /// Assigns the textures in the fields of a material or a shader.
    fn textures_of(&mut self, node: &Node, look: &mut Look) {
        for (index, value) in &node.fields {
            let field = node.kind.field_name(*index);
            let Value::Nodes(textures) = value else { continue };
            let Some(texture) = textures.first().filter(|_| field != "metadata") else { continue };
            let known =
                |(kind, name, _): &&(&str, &str, Slot)| (*kind, *name) == (node.kind.name, field);
            match TEXTURE_FIELDS.iter().find(known) {
                Some((_, _, Slot::BaseColor)) => self.set(&mut look.texture, *texture),
                Some((_, _, Slot::Emissive)) => self.set(&mut look.emissive, *texture),
                Some((_, _, Slot::MetallicRoughness)) => {
                    self.set(&mut look.metallic_roughness, *texture)
                }
                Some((_, _, Slot::Normal)) => self.set(&mut look.normal, *texture),
                Some((_, _, Slot::Occlusion)) => self.set(&mut look.occlusion, *texture),
                None => self.diagnostics.push(&codes::TEXTURE, node.span, || {
                    format!("the texture in {field} of a {} is ignored", node.kind.name)
                }),
            }
        }
    }

    /// Assigns a texture to a slot if the slot is free.
    fn set(&mut self, slot: &mut Option<NodeId>, texture: NodeId) {
        let texture = self.first_texture(texture);
        let Some(node) = self.graph.node(texture) else { return };
        if ENVIRONMENTS.contains(&node.kind.name) {
            self.drop(node);
        } else if slot.is_none() {
            self.drop_all_but(&[], node);
            *slot = Some(texture);
        }
    }

    /// Returns the first texture of a `MultiTexture`, since glTF only supports one; any other
    /// texture is returned unchanged.
    fn first_texture(&mut self, texture: NodeId) -> NodeId {
        let graph = self.graph;
        let Some(node) = graph.node(texture).filter(|node| node.kind.name == "MultiTexture") else {
            return texture;
        };
        if graph.children(texture, "texture").len() > 1 {
            self.drop(node);
        }
        graph.child(texture, "texture").unwrap_or(texture)
    }
}
