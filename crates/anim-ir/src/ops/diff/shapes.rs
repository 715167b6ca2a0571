//! Differences between shapes (nodes with meshes).

use std::collections::{BTreeMap, HashSet, VecDeque};

use crate::ops::diff::differ::Differ;
use crate::ops::diff::difference::{Difference, Side};
use crate::ops::diff::materials::Looks;
use crate::ops::diff::pairs::Pairs;
use crate::ops::diff::placing::{Placing, are_placed_alike};
use crate::ops::diff::shape::{Shape, TOPOLOGIES};
use crate::ops::diff::vertices::Corners;
use crate::{Node, Scene};

impl Differ<'_> {
    pub(super) fn compare_shapes(&mut self) {
        let shapes = self.scenes.map(shapes);
        let (pairs, alone, labels) = pair(self.scenes, shapes.each_ref().map(Vec::as_slice));
        if self.options.shapes {
            for (side, number) in alone {
                let labels = side.of(labels.each_ref());
                let shape = labels.get(number).cloned().unwrap_or_default();
                self.push(Difference::ShapeOnly { shape, side });
            }
        }
        self.found.shapes = pairs.len();
        self.renew_budget();
        let mut looks = Looks::of(self.scenes, shapes.each_ref().map(Vec::as_slice));
        // Several nodes may use the same mesh and skin. Of the pairs whose placements agree between
        // the scenes, only the first is compared, whatever the order of the others.
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
            if !self.affords(cost_of_placing(self.scenes, shapes)) {
                self.found.shapes_in_part = self.found.shapes_in_part.saturating_add(1);
                continue;
            }
            let tolerance = self.options.tolerance;
            let alike = are_placed_alike(self.scenes, shapes, &self.followed, tolerance);
            let mut is_new =
                || compared.insert(shapes.map(|Shape { node, .. }| (node.mesh, node.skin)));
            if alike && !is_new() {
                continue;
            }
            if !self.affords(cost(shapes)) {
                self.found.shapes_in_part = self.found.shapes_in_part.saturating_add(1);
                continue;
            }
            let placing = Placing::of(self.scenes, shapes, &self.followed, alike);
            if self.options.shapes {
                Corners::of(shapes, &placing).compare(self, &name, &placing);
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

/// Returns the number of samples required for comparing two shapes.
pub(super) fn cost(shapes: [Shape<'_>; 2]) -> usize {
    let of = |Shape { mesh, .. }: Shape<'_>| {
        let corners = mesh.primitives.iter().map(|part| part.indices.len());
        let all = corners.fold(mesh.positions.len(), usize::saturating_add);
        let numbers = all.saturating_mul(mesh.morph_targets.len().saturating_add(1));
        numbers.saturating_add(mesh.influences.joints.len())
    };
    shapes.map(of).into_iter().fold(0, usize::saturating_add)
}

/// Returns the number of samples required for placing two shapes.
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

/// The criteria for pairing shapes, strictest first.
#[derive(Clone, Copy)]
enum Pass {
    /// Shapes are paired by name and joint, unnamed shapes by size and joint.
    Joint,
    Name,
    Size,
}

type Paired = (Vec<[usize; 2]>, Vec<(Side, usize)>, [Vec<String>; 2]);

/// Pairs shapes with the same name, preferably on the same joint. The remaining shapes are paired
/// by size, in order, since formats may name shapes differently or not at all. Returns the pairs,
/// the unmatched shapes, and labels for all shapes.
fn pair(scenes: [&Scene; 2], shapes: [&[Shape<'_>]; 2]) -> Paired {
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
    let key = |side: Side, number: usize, pass: Pass| {
        let shape = side.of(shapes).get(number)?;
        let joint = shape.node.parent.and_then(|joint| side.of(scenes).joint(joint));
        let joint = joint.map_or("", |joint| joint.name.as_str());
        match (pass, shape.name()) {
            (Pass::Joint, "") => Some(("", joint, shape.counts)),
            (Pass::Joint, name) => Some((name, joint, [0; 3])),
            (Pass::Name, "") => None,
            (Pass::Name, name) => Some((name, "", [0; 3])),
            (Pass::Size, _) => Some(("", "", shape.counts)),
        }
    };
    let (mut both, mut alone) = (Vec::new(), shapes.map(|shapes| (0..shapes.len()).collect()));
    for pass in [Pass::Joint, Pass::Name, Pass::Size] {
        let mut groups: BTreeMap<_, [VecDeque<usize>; 2]> = BTreeMap::new();
        let mut rest = [Vec::new(), Vec::new()];
        for side in Side::BOTH {
            for number in std::mem::take::<Vec<usize>>(side.of(alone.each_mut())) {
                match key(side, number, pass) {
                    Some(key) => {
                        side.of(groups.entry(key).or_default().each_mut()).push_back(number)
                    }
                    None => side.of(rest.each_mut()).push(number),
                }
            }
        }
        for [mut a, mut b] in groups.into_values() {
            while let (Some(x), Some(y)) = (a.front().copied(), b.front().copied()) {
                both.push([x, y]);
                a.pop_front();
                b.pop_front();
            }
            let [of_a, of_b] = &mut rest;
            of_a.extend(a);
            of_b.extend(b);
        }
        rest.iter_mut().for_each(|rest| rest.sort_unstable());
        alone = rest;
    }
    let of = |side: Side, alone: &[usize]| -> Vec<(Side, usize)> {
        alone.iter().map(|number| (side, *number)).collect()
    };
    let [of_a, of_b] = &alone;
    let alone = [of(Side::A, of_a), of(Side::B, of_b)].concat();
    both.sort_unstable();
    (both, alone, labels)
}
