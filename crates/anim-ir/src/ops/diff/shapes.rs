//! Differences between shapes: the nodes with meshes.

use std::collections::{BTreeMap, HashSet, VecDeque};

use crate::ops::diff::differ::{Differ, budget};
use crate::ops::diff::difference::{Difference, Side};
use crate::ops::diff::materials::Looks;
use crate::ops::diff::pairs::Pairs;
use crate::ops::diff::placing::{Followed, Placing, are_placed_alike};
use crate::ops::diff::shape::{Shape, TOPOLOGIES};
use crate::ops::diff::vertices::Corners;
use crate::{Node, Scene};

impl Differ<'_> {
    pub(super) fn compare_shapes(&mut self) {
        let shapes = self.scenes.map(shapes);
        let (pairs, alone, labels) = pair(shapes.each_ref().map(Vec::as_slice));
        if self.options.shapes {
            for (side, number) in alone {
                let labels = side.of(labels.each_ref());
                let shape = labels.get(number).cloned().unwrap_or_default();
                self.push(Difference::ShapeOnly { shape, side });
            }
        }
        self.found.shapes = pairs.len();
        self.left = budget(self.options);
        let followed = Followed::of(self.scenes, &self.joints);
        let mut looks = Looks::of(self.scenes, shapes.each_ref().map(Vec::as_slice));
        // A mesh that is reused at the same place of the same joint is compared once.
        let mut compared = HashSet::new();
        for [in_a, in_b] in pairs {
            let [x, y] = &shapes;
            let (Some(a), Some(b)) = (x.get(in_a), y.get(in_b)) else { continue };
            let name = labels[0].get(in_a).cloned().unwrap_or_default();
            if a.counts != b.counts {
                self.compare_counts(&name, [a, b]);
                continue;
            }
            let shapes = [*a, *b];
            let is_new = compared.insert(shapes.map(|Shape { node, .. }| (node.mesh, node.skin)));
            let Some(left) = self.left.checked_sub(cost_of_placing(self.scenes, shapes)) else {
                self.found.shapes_in_part = self.found.shapes_in_part.saturating_add(1);
                continue;
            };
            self.left = left;
            let alike = are_placed_alike(self.scenes, shapes, &followed, self.options.tolerance);
            if alike && !is_new {
                continue;
            }
            let Some(left) = self.left.checked_sub(cost(shapes)) else {
                self.found.shapes_in_part = self.found.shapes_in_part.saturating_add(1);
                continue;
            };
            self.left = left;
            let placing =
                if alike { Placing::Own } else { Placing::at_rest(self.scenes, shapes, &followed) };
            if self.options.shapes {
                Corners::of(shapes).compare(self, &name, &placing, &followed);
            }
            looks.match_elements(&name, shapes);
        }
        if self.options.materials {
            self.compare_materials(looks);
        }
    }

    fn compare_counts(&mut self, name: &str, [a, b]: [&Shape<'_>; 2]) {
        if !self.options.shapes {
            return;
        }
        for ((topology, x), y) in TOPOLOGIES.into_iter().zip(a.counts).zip(b.counts) {
            if x != y {
                let shape = name.to_owned();
                self.push(Difference::Elements { shape, topology, counts: [x, y] });
            }
        }
    }
}

/// The number of samples that comparing two shapes takes.
fn cost(shapes: [Shape<'_>; 2]) -> usize {
    let of = |Shape { mesh, .. }: Shape<'_>| {
        let corners = mesh.primitives.iter().map(|part| part.indices.len());
        let all = corners.fold(mesh.positions.len(), usize::saturating_add);
        let numbers = all.saturating_mul(mesh.morph_targets.len().saturating_add(1));
        numbers.saturating_add(mesh.influences.joints.len())
    };
    shapes.map(of).into_iter().fold(0, usize::saturating_add)
}

/// The number of samples that placing two shapes takes.
fn cost_of_placing(scenes: [&Scene; 2], shapes: [Shape<'_>; 2]) -> usize {
    let skins = scenes
        .into_iter()
        .zip(shapes)
        .filter_map(|(scene, shape)| scene.skin(shape.node.skin?).map(|skin| skin.joints.len()));
    skins.fold(1, usize::saturating_add)
}

fn shapes<'a>(scene: &'a Scene) -> Vec<Shape<'a>> {
    let counts: Vec<[usize; 3]> =
        scene.meshes.iter().map(|mesh| TOPOLOGIES.map(|topology| mesh.count(topology))).collect();
    let shape = |node: &'a Node| {
        let mesh = node.mesh?;
        let counts = counts.get(mesh.index()).copied()?;
        Some(Shape { node, mesh: scene.mesh(mesh)?, counts })
    };
    scene.nodes.iter().filter_map(shape).filter(|shape| shape.counts != [0; 3]).collect()
}

type Paired = (Vec<[usize; 2]>, Vec<(Side, usize)>, [Vec<String>; 2]);

/// Pairs shapes of the same name; then, among the others, the first of each size with the first.
/// Formats name shapes differently, or not at all. Returns the pairs, the unmatched shapes, and the
/// names of all.
fn pair(shapes: [&[Shape<'_>]; 2]) -> Paired {
    let pairs = Pairs::of(shapes.map(|shapes| shapes.iter().map(Shape::name)));
    let label = |side: Side, number: usize| match pairs.label(side, number) {
        name if name.is_empty() || name.starts_with('#') => {
            format!("#{}", number.saturating_add(1))
        }
        name => name,
    };
    let labels = Side::BOTH.map(|side| {
        (0..side.of(shapes).len()).map(|number| label(side, number)).collect::<Vec<_>>()
    });
    let mut left: BTreeMap<[usize; 3], [VecDeque<usize>; 2]> = BTreeMap::new();
    for (side, number) in pairs.alone() {
        if let Some(shape) = side.of(shapes).get(number) {
            side.of(left.entry(shape.counts).or_default().each_mut()).push_back(number);
        }
    }
    let mut both = pairs.both.clone();
    let mut alone = Vec::new();
    for [a, b] in left.values_mut() {
        while let (Some(x), Some(y)) = (a.front().copied(), b.front().copied()) {
            both.push([x, y]);
            (a.pop_front(), b.pop_front());
        }
        alone.extend(a.iter().map(|number| (Side::A, *number)));
        alone.extend(b.iter().map(|number| (Side::B, *number)));
    }
    both.sort_unstable();
    alone.sort_unstable();
    (both, alone, labels)
}
