//! Differences between morphed shapes whose morph targets differ.

use std::collections::BTreeMap;

use crate::ops::diff::differ::Differ;
use crate::ops::diff::difference::{Difference, Side, Worst, excess};
use crate::ops::diff::placing::{Placing, are_placed_alike};
use crate::ops::diff::shape::Shape;
use crate::ops::diff::shapes::cost;
use crate::ops::diff::vertices::Corners;
use crate::{Deformer, NodeId, Pose, Scene};

/// How to compare the morph weights of two nodes.
pub(super) enum Morphs<'a> {
    /// The same weights produce the same shape, so the weights are compared. Also used for shapes
    /// that cannot be compared, because their elements differ or because of the limits.
    Weights,
    /// The morph targets differ, so the same weights may produce different shapes, and different
    /// weights the same shape. Files that were merged share their targets, for example.
    Shapes(Box<Morphed<'a>>),
}

/// The vertices of two shapes with different morph targets.
pub(super) struct Morphed<'a> {
    corners: Corners<'a>,
    placing: Placing,
    /// The largest coordinate, which distances are relative to.
    length: f64,
    deformers: Deformers,
}

/// How to compare the morph weights of each pair of nodes whose weights differ anywhere.
pub(super) type Known<'a> = BTreeMap<[usize; 2], Morphs<'a>>;

/// The comparison of the morph weights in a clip.
pub(super) struct MorphWeights<'k, 'a> {
    known: &'k mut Known<'a>,
    worst: BTreeMap<[usize; 2], Worst<f64>>,
    /// Whether some shapes were not compared because of the limits.
    in_part: bool,
}

impl<'k, 'a> MorphWeights<'k, 'a> {
    pub(super) fn new(known: &'k mut Known<'a>) -> MorphWeights<'k, 'a> {
        MorphWeights { known, worst: BTreeMap::new(), in_part: false }
    }

    /// Compares the morph weights of all nodes in two poses.
    pub(super) fn compare(&mut self, differ: &Differ<'a>, [a, b]: [&Pose; 2], time: f64) {
        let tolerance = differ.options.tolerance;
        let nodes = [a, b].map(|pose| pose.morph_weights.iter().map(|(node, _)| node.index()));
        for pair in differ.nodes.of_either(nodes) {
            let weights = |side: Side| {
                let node = NodeId::new(side.of(pair));
                let found = side.of([a, b]).weights_of(node);
                found.unwrap_or_else(|| default_weights(side.of(differ.scenes), node))
            };
            let [x, y] = Side::BOTH.map(weights);
            let mut by = farthest_apart(x, y);
            // The targets are compared as part of whole scenes only.
            if excess(by, tolerance) > 1.0 || !differ.options.whole {
                let morphs =
                    self.known.entry(pair).or_insert_with(|| differ.morphs_of(pair, [x, y]));
                if let Morphs::Shapes(shapes) = morphs {
                    if !differ.affords(shapes.cost([x, y])) {
                        self.in_part = true;
                        continue;
                    }
                    by = shapes.distance([x, y]);
                }
            }
            self.worst.entry(pair).or_default().take(excess(by, tolerance), time, by);
        }
    }

    /// Reports the nodes whose weights or morphed shapes differ.
    pub(super) fn report(self, differ: &mut Differ<'_>, clip: &str) {
        for (nodes, Worst { excess, time, gap: by }) in self.worst {
            if excess > 1.0 {
                let (clip, node) = (clip.to_owned(), differ.nodes.label(Side::A, nodes[0]));
                differ.push(match self.known.get(&nodes) {
                    Some(Morphs::Shapes(_)) => Difference::Morphed { clip, node, time, by },
                    _ => Difference::Weights { clip, node, time, by },
                });
            }
        }
        if self.in_part {
            differ.found.clips_in_part = differ.found.clips_in_part.saturating_add(1);
        }
    }
}

impl<'a> Differ<'a> {
    /// Determines how to compare the weights of two nodes, given some that belong to the same time.
    fn morphs_of(&self, nodes: [usize; 2], weights: [&[f32]; 2]) -> Morphs<'a> {
        let [a, b] = self.scenes;
        let (Some(x), Some(y)) = (shape(a, nodes[0]), shape(b, nodes[1])) else {
            return Morphs::Weights;
        };
        let shapes = [x, y];
        if x.counts != y.counts || !self.affords(cost(shapes)) {
            return Morphs::Weights;
        }
        let tolerance = self.options.tolerance;
        let alike = are_placed_alike(self.scenes, shapes, &self.followed, tolerance);
        let placing = Placing::of(self.scenes, shapes, &self.followed, alike);
        let mut corners = Corners::of(shapes, &placing);
        let length = corners.length(&placing);
        let mut deformers = Deformers::default();
        // The rest shapes may be those of different clips, but these should be the same.
        if deformers.farthest(&corners, &placing, weights) > tolerance * length {
            let [a, b] = &deformers.0;
            corners.match_triangles([a.positions(), b.positions()], &placing);
        }
        if deformers.find_same_targets(&corners, &placing, tolerance * length) {
            return Morphs::Weights;
        }
        Morphs::Shapes(Box::new(Morphed { corners, placing, length, deformers }))
    }
}

impl Morphed<'_> {
    /// Returns the number of samples required for [`distance`](Self::distance).
    pub(super) fn cost(&self, weights: [&[f32]; 2]) -> usize {
        let used = |weights: &[f32]| weights.iter().filter(|weight| **weight != 0.0).count();
        let used = weights.map(used).into_iter().fold(2, usize::saturating_add);
        self.corners.len().saturating_mul(used)
    }

    /// Returns the largest distance between corresponding vertices at the given morph weights,
    /// relative to the largest coordinate of the shapes.
    pub(super) fn distance(&mut self, weights: [&[f32]; 2]) -> f64 {
        self.deformers.farthest(&self.corners, &self.placing, weights) / self.length
    }
}

/// One deformer per scene.
#[derive(Default)]
struct Deformers([Deformer; 2]);

impl Deformers {
    /// Returns the largest distance between corresponding vertices at the given morph weights, in
    /// the space of comparison.
    fn farthest(&mut self, corners: &Corners<'_>, placing: &Placing, weights: [&[f32]; 2]) -> f64 {
        let [a, b] = &mut self.0;
        let [in_a, in_b] = corners.meshes();
        a.deform(in_a, weights[0], &[]);
        b.deform(in_b, weights[1], &[]);
        corners.farthest([a.positions(), b.positions()], placing)
    }

    /// Whether the same morph weights always produce the same shape.
    fn find_same_targets(&mut self, corners: &Corners<'_>, placing: &Placing, most: f64) -> bool {
        let counts = corners.meshes().map(|mesh| mesh.morph_targets.len());
        let mut weights = vec![0.0; counts[0]];
        let is_same = |deformers: &mut Deformers, weights: &[f32]| {
            deformers.farthest(corners, placing, [weights, weights]) <= most
        };
        if counts[0] != counts[1] || !is_same(self, &weights) {
            return false;
        }
        (0..weights.len()).all(|target| {
            weights.iter_mut().enumerate().for_each(|(index, weight)| {
                *weight = if index == target { 1.0 } else { 0.0 };
            });
            is_same(self, &weights)
        })
    }
}

/// Returns the largest difference between two lists of morph weights. A missing weight is 0.
fn farthest_apart(a: &[f32], b: &[f32]) -> f64 {
    let weight =
        |weights: &[f32], index: usize| f64::from(weights.get(index).copied().unwrap_or(0.0));
    let apart = (0..a.len().max(b.len())).map(|index| (weight(a, index) - weight(b, index)).abs());
    apart.fold(0.0, f64::max)
}

fn shape(scene: &Scene, node: usize) -> Option<Shape<'_>> {
    let id = NodeId::new(node);
    let node = scene.node(id)?;
    Some(Shape::of(id, node, scene.mesh(node.mesh?)?))
}

/// Returns the weights of a node without a track: the default weights of its mesh.
fn default_weights(scene: &Scene, node: NodeId) -> &[f32] {
    let mesh = scene.node(node).and_then(|node| scene.mesh(node.mesh?));
    mesh.map_or(&[], |mesh| mesh.morph_weights.as_slice())
}
