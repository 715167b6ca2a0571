//! Differences in the materials of shapes.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::model::image::have_same_pixels;
use crate::ops::diff::differ::Differ;
use crate::ops::diff::difference::{Difference, Side};
use crate::ops::diff::pairs::Pairs;
use crate::ops::diff::shape::{Shape, TOPOLOGIES};
use crate::{AlphaMode, Image, ImageId, Material, MaterialId, Mesh, Scene, Topology, insert_all};

type Pair = [Option<MaterialId>; 2];

/// The materials used by the elements of two scenes.
pub(super) struct Looks {
    /// The materials that the elements of each scene use.
    used: [BTreeSet<MaterialId>; 2],
    /// The materials of corresponding elements in both scenes, with the number of such elements in
    /// each shape.
    pairs: BTreeMap<Pair, Vec<(String, usize)>>,
}

impl Looks {
    pub(super) fn of(scenes: [&Scene; 2], shapes: [&[Shape<'_>]; 2]) -> Looks {
        let used = Side::BOTH.map(|side| {
            let scene = side.of(scenes);
            let meshes: BTreeSet<_> =
                insert_all(side.of(shapes).iter().filter_map(|shape| shape.node.mesh));
            let meshes = meshes.into_iter().filter_map(|mesh| scene.mesh(mesh));
            let parts = meshes.flat_map(|mesh| &mesh.primitives);
            let parts = parts.filter(|part| !part.indices.is_empty());
            insert_all(parts.filter_map(|part| part.material))
        });
        Looks { used, pairs: BTreeMap::new() }
    }

    /// Records the materials of the elements of two shapes with the same number of elements.
    pub(super) fn match_elements(&mut self, name: &str, [a, b]: [Shape<'_>; 2]) {
        let mut counts: BTreeMap<Pair, usize> = BTreeMap::new();
        for topology in TOPOLOGIES {
            let [mut x, mut y] = [a, b].map(|shape| runs(shape.mesh, topology).peekable());
            let (mut left_x, mut left_y) = (0_usize, 0_usize);
            let (mut in_a, mut in_b) = (None, None);
            loop {
                if left_x == 0 {
                    let Some(next) = x.next() else { break };
                    (in_a, left_x) = next;
                }
                if left_y == 0 {
                    let Some(next) = y.next() else { break };
                    (in_b, left_y) = next;
                }
                let both = left_x.min(left_y);
                let count = counts.entry([in_a, in_b]).or_default();
                *count = count.saturating_add(both);
                left_x = left_x.saturating_sub(both);
                left_y = left_y.saturating_sub(both);
            }
        }
        for (pair, elements) in counts {
            self.pairs.entry(pair).or_default().push((name.to_owned(), elements));
        }
    }
}

/// Returns the material and the number of elements of each non-empty primitive with a topology.
fn runs(mesh: &Mesh, topology: Topology) -> impl Iterator<Item = (Option<MaterialId>, usize)> {
    let parts = mesh.primitives.iter().filter(move |part| part.topology == topology);
    let runs = parts.map(move |part| (part.material, part.indices.len() / topology.corners()));
    runs.filter(|(_, elements)| *elements > 0)
}

impl Differ<'_> {
    pub(super) fn compare_materials(&mut self, looks: Looks) {
        let [a, b] = self.scenes;
        let Looks { used, pairs } = looks;
        let name = |scene: &'_ Scene, id: Option<MaterialId>| {
            id.and_then(|id| scene.material(id)).map(|material| material.name.clone())
        };
        let used_names = Side::BOTH.map(|side| {
            let scene = side.of(self.scenes);
            let used = side.of(used.each_ref()).iter().filter_map(|id| scene.material(*id));
            used.map(|material| material.name.as_str()).collect::<HashSet<_>>()
        });
        let has_name = |side: Side, name: &str| side.of(used_names.each_ref()).contains(name);
        let (mut same, mut assigned) = (BTreeSet::new(), Vec::new());
        for (pair, shapes) in pairs {
            let both = [name(a, pair[0]), name(b, pair[1])];
            let is_elsewhere = match &both {
                [Some(in_a), Some(in_b)] => {
                    in_a != in_b && (has_name(Side::B, in_a) || has_name(Side::A, in_b))
                }
                _ => false,
            };
            if is_elsewhere {
                assigned.extend(shapes.into_iter().map(|(shape, elements)| {
                    Difference::Assignment { shape, elements, materials: both.clone() }
                }));
            } else {
                same.insert(pair);
            }
        }
        // The remaining materials are matched by name.
        let left = Side::BOTH.map(|side| {
            let matched: BTreeSet<_> =
                insert_all(same.iter().filter_map(|pair: &Pair| side.of(*pair)));
            side.of(used.each_ref()).difference(&matched).copied().collect::<Vec<_>>()
        });
        let by_name = Pairs::of([(a, &left[0]), (b, &left[1])].map(|(scene, left)| {
            left.iter().map(|id| scene.material(*id).map_or("", |found| found.name.as_str()))
        }));
        for [x, y] in &by_name.both {
            same.insert([left[0].get(*x).copied(), left[1].get(*y).copied()]);
        }
        let alone: Vec<Difference> = by_name
            .alone()
            .into_iter()
            .map(|(side, number)| Difference::MaterialOnly {
                material: by_name.label(side, number),
                side,
            })
            .collect();
        alone.into_iter().chain(assigned).for_each(|difference| self.push(difference));
        self.found.materials = same.iter().filter(|pair| !pair.contains(&None)).count();
        let translucent = self.scenes.map(|scene| {
            let parts = scene
                .meshes
                .iter()
                .flat_map(|mesh| mesh.primitives.iter().filter(|part| mesh.has_translucent(part)));
            insert_all::<BTreeSet<_>, _>(parts.filter_map(|part| part.material))
        });
        let alphas = self.scenes.map(|scene| scene.alpha_modes(&self.budget.renewed()));
        for pair in same {
            // The vertices themselves are compared as well.
            let has_translucent = Side::BOTH.into_iter().any(|side| {
                side.of(pair).is_some_and(|id| side.of(translucent.each_ref()).contains(&id))
            });
            self.compare_material(pair, [&alphas[0], &alphas[1]], has_translucent);
        }
    }

    /// `alphas` are the alpha modes of both scenes' materials, and `has_translucent` is whether
    /// vertices with either material are translucent.
    fn compare_material(&mut self, [x, y]: Pair, alphas: [&[AlphaMode]; 2], has_translucent: bool) {
        let [a, b] = self.scenes;
        let number = x.or(y).map_or(0, MaterialId::index).saturating_add(1);
        let none = Material::default();
        let alphas = [(x, alphas[0]), (y, alphas[1])].map(|(id, alphas)| {
            id.and_then(|id| alphas.get(id.index())).copied().unwrap_or_default()
        });
        let [x, y] =
            [(a, x), (b, y)].map(|(scene, id)| (id.and_then(|id| scene.material(id)), scene));
        let has_name = x.0.is_some() && y.0.is_some();
        let [(x, a), (y, b)] = [x, y].map(|(found, scene)| (found.unwrap_or(&none), scene));
        let mut found = Vec::new();
        if has_name && x.name != y.name {
            found.push(("name", [x.name.clone(), y.name.clone()]));
        }
        let tolerance = self.options.tolerance;
        for ((what, x), (_, y)) in factors(x).into_iter().zip(factors(y)) {
            let mut both = x.iter().zip(&y);
            if both.any(|(x, y)| (f64::from(*x) - f64::from(*y)).abs() > tolerance) {
                found.push((what, [numbers(&x), numbers(&y)]));
            }
        }
        for ((what, x), (_, y)) in images(x).into_iter().zip(images(y)) {
            let x = x.map(|image| Picture::of(a, image));
            let y = y.map(|image| Picture::of(b, image));
            let is_same = match (&x, &y) {
                (Some(x), Some(y)) => x.is_like(y),
                (x, y) => x.is_none() && y.is_none(),
            };
            if !is_same {
                let shown = |image: &Option<Picture<'_>>| {
                    image.as_ref().map_or("none".to_owned(), Picture::shown)
                };
                let [in_a, mut in_b] = [shown(&x), shown(&y)];
                if in_a == in_b {
                    in_b.push_str(" with other content");
                }
                found.push((what, [in_a, in_b]));
            }
        }
        for (what, x, y) in
            [("double-sided", x.double_sided, y.double_sided), ("unlit", x.unlit, y.unlit)]
        {
            if x != y {
                found.push((what, [yes(x), yes(y)]));
            }
        }
        // What is blended because of its colours may also be stated to be blended.
        let is_blended = |alpha| matches!(alpha, AlphaMode::Colors | AlphaMode::Blend);
        let is_explained =
            alphas.into_iter().all(is_blended) && (x.base_color[3] < 1.0 || has_translucent);
        if alphas[0] != alphas[1] && !is_explained {
            found.push(("alpha", alphas.map(shown_alpha)));
        }
        let named = [&x.name, &y.name].into_iter().find(|name| !name.is_empty());
        let material = named.cloned().unwrap_or_else(|| format!("#{number}"));
        for (what, values) in found {
            self.push(Difference::Material { material: material.clone(), what, values });
        }
    }
}

fn shown_alpha(alpha: AlphaMode) -> String {
    match alpha {
        AlphaMode::Colors | AlphaMode::Texture => "opaque".to_owned(),
        AlphaMode::Blend => "blended".to_owned(),
        AlphaMode::Mask(cutoff) => format!("visible from {cutoff}"),
    }
}

/// Returns the factors of a material, with their names.
fn factors(material: &Material) -> [(&'static str, Vec<f32>); 6] {
    [
        ("base colour", material.base_color.to_vec()),
        ("emissive colour", material.emissive.to_vec()),
        ("metallic", vec![material.metallic]),
        ("roughness", vec![material.roughness]),
        ("normal scale", vec![material.normal_scale]),
        ("occlusion strength", vec![material.occlusion_strength]),
    ]
}

/// Returns the images of a material, with their roles.
fn images(material: &Material) -> [(&'static str, Option<ImageId>); 5] {
    [
        ("base colour texture", material.base_color_image),
        ("emissive texture", material.emissive_image),
        ("metallic-roughness texture", material.metallic_roughness_image),
        ("normal texture", material.normal_image),
        ("occlusion texture", material.occlusion_image),
    ]
}

fn numbers(numbers: &[f32]) -> String {
    numbers.iter().map(f32::to_string).collect::<Vec<_>>().join(" ")
}

fn yes(is: bool) -> String {
    if is { "yes".to_owned() } else { "no".to_owned() }
}

/// The comparable properties of an image.
struct Picture<'a> {
    /// The file name without folders or extension, or else the name of the image.
    name: &'a str,
    image: Option<&'a Image>,
}

impl<'a> Picture<'a> {
    fn of(scene: &'a Scene, id: ImageId) -> Picture<'a> {
        let image = scene.image(id);
        let path = image.and_then(|image| image.path.as_deref());
        let name = path.or_else(|| Some(image?.name.as_str())).unwrap_or_default();
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        Picture { name: name.rsplit_once('.').map_or(name, |(stem, _)| stem), image }
    }

    /// Compares the content if both have it, otherwise the names. If only one image has content, a
    /// missing name matches any name. Folders are not compared, since paths are relative to
    /// different files.
    fn is_like(&self, other: &Picture<'_>) -> bool {
        match (self.bytes(), other.bytes()) {
            (Some(a), Some(b)) => have_same_pixels(a, b),
            (None, None) => self.name == other.name,
            _ => self.name == other.name || self.name.is_empty() || other.name.is_empty(),
        }
    }

    fn bytes(&self) -> Option<&[u8]> {
        self.image?.bytes.as_deref()
    }

    fn shown(&self) -> String {
        match self.image.and_then(|image| image.path.as_ref()) {
            Some(path) => path.clone(),
            None if self.name.is_empty() => "embedded".to_owned(),
            None => format!("{} (embedded)", self.name),
        }
    }
}
