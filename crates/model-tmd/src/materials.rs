//! Creates a material for each combination of surface properties in use.

use std::collections::HashMap;
use std::fmt::Write as _;

use anim_ir::{Extras, Material, MaterialId, Value};

use crate::packet::{Body, Packet, Texture};

/// The surface properties of a packet, except for colours, which are stored per vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Surface {
    unlit: bool,
    double_sided: bool,
    pub(crate) semi_transparent: bool,
    pub(crate) texture: Option<Texture>,
}

impl Surface {
    pub(crate) fn of(packet: &Packet<'_>) -> Surface {
        let texture = if let Body::Polygon(polygon) = packet.body { polygon.texture } else { None };
        Surface {
            unlit: packet.is_unlit(),
            double_sided: packet.is_double_sided(),
            semi_transparent: packet.is_semi_transparent(),
            texture,
        }
    }

    /// The name of the material, such as `unlit`, `lit_double_sided` or
    /// `lit_page_0x001a_clut_0x7c00`.
    fn name(self) -> String {
        let mut name = String::from(if self.unlit { "unlit" } else { "lit" });
        for (part, said) in
            [("_double_sided", self.double_sided), ("_semi_transparent", self.semi_transparent)]
        {
            name.push_str(if said { part } else { "" });
        }
        if let Some(Texture { clut, page }) = self.texture {
            // Writing to a String cannot fail.
            let _ = write!(name, "_page_{page:#06x}_clut_{clut:#06x}");
        }
        name
    }

    fn material(self) -> Material {
        let mut material = Material {
            unlit: self.unlit,
            double_sided: self.double_sided,
            ..Material::new(self.name())
        };
        if self.semi_transparent {
            material.base_color = [1.0, 1.0, 1.0, 0.5];
        }
        if let Some(Texture { clut, page }) = self.texture {
            let places = Value::from([
                ("clut", Value::from(u32::from(clut))),
                ("page", Value::from(u32::from(page))),
            ]);
            material.extras = Extras::from([("tmd".to_owned(), places)]);
        }
        material
    }
}

/// The materials in use, without duplicates.
#[derive(Debug, Default)]
pub(crate) struct Materials {
    pub(crate) list: Vec<Material>,
    known: HashMap<Surface, MaterialId>,
}

impl Materials {
    /// Returns the material of a surface, creating it on first use.
    pub(crate) fn id(&mut self, surface: Surface) -> MaterialId {
        *self.known.entry(surface).or_insert_with(|| {
            self.list.push(surface.material());
            MaterialId::new(self.list.len().saturating_sub(1))
        })
    }
}
