//! Makes appearances of materials.

use anim_ir::color::to_srgb;
use anim_ir::{AlphaMode, Image, ImageId, LimitError, MaterialId, Topology};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::nodes::{Maker, floats};
use crate::graph::{NodeId, Value};

impl Maker<'_> {
    /// Adds the appearance of a material, unless it has been added. Lines and points, which light
    /// does not reach, are drawn in the emissive colour (ISO/IEC 19775-1, 12.2.2). `colored` means
    /// that vertices have colours, which include the transparency.
    pub(crate) fn appearance(
        &mut self,
        material: Option<MaterialId>,
        topology: Topology,
        colored: bool,
    ) -> Result<NodeId, LimitError> {
        let usual = anim_ir::Material::default();
        let found = material.and_then(|id| self.scene.material(id)).unwrap_or(&usual);
        let unlit = found.unlit || topology != Topology::Triangles;
        let [r, g, b, alpha] = found.base_color;
        let is_replaced = colored && alpha != 1.0;
        let key = (material, [unlit, is_replaced]);
        if let Some(known) = self.materials.get(&key) {
            return Ok(*known);
        }
        let color = |color: [f32; 3]| floats(color.map(to_srgb));
        let number = |number: f32| floats([number]);
        let transparency = if is_replaced { 0.0 } else { 1.0 - alpha };
        let mut fields = vec![("transparency", number(transparency))];
        let kind = if unlit {
            fields.push(("emissiveColor", color([r, g, b])));
            "UnlitMaterial"
        } else {
            fields.extend([
                ("baseColor", color([r, g, b])),
                ("emissiveColor", color(found.emissive)),
                ("metallic", number(found.metallic)),
                ("roughness", number(found.roughness)),
                ("occlusionStrength", number(found.occlusion_strength)),
            ]);
            "PhysicalMaterial"
        };
        fields.push(("normalScale", number(found.normal_scale)));
        let lit = |slot: &'static str| if unlit { "" } else { slot };
        let slots = [
            if unlit { "emissiveTexture" } else { "baseTexture" },
            lit("emissiveTexture"),
            lit("metallicRoughnessTexture"),
            "normalTexture",
            lit("occlusionTexture"),
        ];
        for (slot, image) in slots.into_iter().zip(found.images()) {
            if let Some(image) = image.filter(|_| !slot.is_empty()) {
                fields.push((slot, Value::Nodes(vec![self.image(image)?])));
            }
        }
        let surface = self.add(kind, &found.name, fields)?;
        let mut fields = vec![("material", Value::Nodes(vec![surface]))];
        if let Some(alpha) = found.stated_alpha_mode(self.scene) {
            let mode = match alpha {
                AlphaMode::Mask(cutoff) => {
                    fields.push(("alphaCutoff", number(cutoff)));
                    "MASK"
                }
                AlphaMode::Blend => "BLEND",
                AlphaMode::Colors | AlphaMode::Texture => "OPAQUE",
            };
            fields.push(("alphaMode", Value::Strings([mode.to_owned()].into())));
        }
        let appearance = self.add("Appearance", "", fields)?;
        self.materials.insert(key, appearance);
        Ok(appearance)
    }

    fn image(&mut self, id: ImageId) -> Result<NodeId, LimitError> {
        if let Some(known) = self.images.get(&id) {
            return Ok(*known);
        }
        let usual = Image::default();
        let image = self.scene.image(id).unwrap_or(&usual);
        let content = || {
            let kind = image.mime_type().unwrap_or_default();
            Some(format!("data:{kind};base64,{}", STANDARD.encode(image.bytes.as_deref()?)))
        };
        let path = image.path.as_ref().map(|path| path.replace('%', "%25"));
        let url = if self.embeds { content().or(path) } else { path.or_else(content) };
        let fields = vec![("url", Value::Strings(url.into_iter().collect()))];
        let node = self.add("ImageTexture", &image.name, fields)?;
        self.images.insert(id, node);
        Ok(node)
    }
}
