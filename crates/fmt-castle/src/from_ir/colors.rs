//! Conversion of vertex colours to X3D, where they replace the material's colour and are therefore
//! multiplied by it.

use std::collections::HashMap;

use anim_ir::color::to_srgb;
use anim_ir::number::index32;
use anim_ir::{Mesh, Primitive, Scene, Topology, sort_by};

use super::def_name::definition;
use super::{look, number};

/// The colours of a mesh. Primitives whose materials have the same colour share a list of them.
pub(super) struct Colors<'s> {
    scene: &'s Scene,
    mesh: &'s Mesh,
    /// The type of the nodes.
    node: &'static str,
    /// The number of components of a colour.
    width: usize,
    lists: Vec<List>,
    /// The list of each material colour, by its bits. The keys are lists since those of other maps
    /// are, which takes less code.
    places: HashMap<Vec<u32>, u32>,
}

/// The vertices that primitives of one material colour use, in ascending order.
#[derive(Default)]
struct List {
    vertices: Vec<u32>,
    /// The number of primitives.
    users: usize,
    /// The `DEF` name, once a list with several users is written.
    name: Option<String>,
}

impl<'s> Colors<'s> {
    /// Prepares the colours. Returns `None` for a mesh without colours.
    pub(super) fn of(scene: &'s Scene, mesh: &'s Mesh) -> Option<Colors<'s>> {
        if mesh.colors.is_empty() {
            return None;
        }
        let opaque = mesh.colors.iter().all(|color| color[3] == 1.0);
        let (node, width) = if opaque { ("Color", 3) } else { ("ColorRGBA", 4) };
        let (lists, places) = (Vec::new(), HashMap::new());
        let mut colors = Colors { scene, mesh, node, width, lists, places };
        for part in mesh.primitives.iter().filter(|part| part.topology != Topology::Points) {
            let next = index32(colors.lists.len());
            let place = *colors.places.entry(colors.key(part)).or_insert(next);
            if place == next {
                colors.lists.push(List::default());
            }
            if let Some(list) = colors.lists.get_mut(place as usize) {
                list.vertices.extend(&part.indices);
                list.users = list.users.saturating_add(usize::from(!part.indices.is_empty()));
            }
        }
        for list in &mut colors.lists {
            sort_by(&mut list.vertices, Ord::cmp);
            list.vertices.dedup();
        }
        Some(colors)
    }

    /// Whether the colours replace the material's transparency, too.
    pub(super) fn have_alpha(&self) -> bool {
        self.width > 3
    }

    /// Returns the list of a primitive.
    pub(super) fn list(&self, part: &Primitive) -> usize {
        self.places.get(&self.key(part)).map_or(0, |place| *place as usize)
    }

    /// Whether a list has the colours of all vertices.
    pub(super) fn is_whole(&self, list: usize) -> bool {
        self.lists.get(list).is_some_and(|list| list.vertices.len() == self.mesh.colors.len())
    }

    /// Returns the place of a vertex's colour in a list that has it.
    pub(super) fn place(&self, list: usize, vertex: u32) -> u32 {
        let list = self.lists.get(list);
        let place = list.and_then(|list| list.vertices.binary_search(&vertex).ok());
        index32(place.unwrap_or_default())
    }

    /// Formats the list of a primitive, or a reference to it if it has been written. `name`
    /// returns a unique `DEF` name.
    pub(super) fn node(
        &mut self,
        part: &Primitive,
        place: usize,
        name: impl FnOnce() -> String,
    ) -> String {
        let Some(list) = self.lists.get(place) else { return String::new() };
        if let Some(name) = &list.name {
            return format!("<{} USE=\"{name}\"/>", self.node);
        }
        let name = (list.users > 1).then(name);
        let text = self.formatted(part, &list.vertices, &definition(name.as_deref()));
        if let Some(list) = self.lists.get_mut(place) {
            list.name = name;
        }
        text
    }

    /// Formats the colours of a primitive without indices.
    pub(super) fn of_points(&self, part: &Primitive) -> String {
        self.formatted(part, &part.indices, "")
    }

    fn formatted(&self, part: &Primitive, vertices: &[u32], attributes: &str) -> String {
        let base = self.base(part);
        let colors = vertices.iter().filter_map(|vertex| self.mesh.colors.get(*vertex as usize));
        let numbers = colors.flat_map(|[r, g, b, a]| {
            let [r, g, b] = [r * base[0], g * base[1], b * base[2]].map(to_srgb);
            [r, g, b, a * base[3]].into_iter().take(self.width)
        });
        let mut text = format!("<{}{attributes} color=\"", self.node);
        number::list(numbers, &mut text);
        text.push_str("\"/>");
        text
    }

    fn key(&self, part: &Primitive) -> Vec<u32> {
        self.base(part).map(f32::to_bits).to_vec()
    }

    /// Returns the colour of a primitive's material.
    fn base(&self, part: &Primitive) -> [f32; 4] {
        look::material(self.scene, part).map_or([1.0; 4], |material| material.base_color)
    }
}
