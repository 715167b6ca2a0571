//! Differences between shapes (nodes with meshes).

use std::collections::HashSet;

use crate::Scene;
use crate::ops::diff::differ::Differ;
use crate::ops::diff::difference::Difference;
use crate::ops::diff::materials::Looks;
use crate::ops::diff::placing::{Placing, are_placed_alike};
use crate::ops::diff::shape::{Shape, TOPOLOGIES};
use crate::ops::diff::shape_pairs::ShapePairs;
use crate::ops::diff::vertices::Corners;

impl Differ<'_> {
    pub(super) fn compare_shapes(&mut self) {
        let ShapePairs { of: shapes, both: pairs, alone, labels } = self.shapes.clone();
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
            if self.is_decided() {
                return;
            }
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
