//! Differences between morphed shapes whose morph targets differ.

use std::collections::BTreeMap;

use crate::ops::diff::differ::Differ;
use crate::ops::diff::difference::{Difference, Side, Worst, excess};
use crate::ops::diff::moments::{KeyTimes, Spacing};
use crate::ops::diff::placing::{Placing, are_placed_alike};
use crate::ops::diff::shape::Shape;
use crate::ops::diff::shapes::cost;
use crate::ops::diff::vertices::Corners;
use crate::{Clip, Deformer, Mesh, NodeId, Pose, Sampler, Scene, Timeline, Track};

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

impl<'a> Differ<'a> {
    /// Compares the morph weights of the nodes in a clip, each node at its own keys.
    pub(super) fn compare_weights(
        &mut self,
        clip: &str,
        takes: [(&'a Timeline, &'a Clip); 2],
        times: &[KeyTimes<'a>; 2],
        spacing: &Spacing,
        known: &mut Known<'a>,
    ) {
        for pair in self.nodes.of_either(times.each_ref().map(|of| of.of_nodes.keys().copied())) {
            let keys = Side::BOTH.map(|side| side.of(times.each_ref()).of_node(side.of(pair)));
            let cost = Side::BOTH.map(|side| target_count(side.of(self.scenes), side.of(pair)));
            let cost = cost.into_iter().fold(1, usize::saturating_add);
            let moments = self.afford_moments(spacing.moments(keys), cost);
            let mut weights = Side::BOTH.map(|side| {
                let node = side.of(pair);
                let track = side.of(times.each_ref()).of_nodes.get(&node).map(|(_, track)| *track);
                Weights::of(side.of(self.scenes), node, side.of(takes), track)
            });
            let mut worst = Worst::default();
            for moment in moments {
                let [a, b] = &mut weights;
                let weights = [a.at(moment[0]), b.at(moment[1])];
                let Some(by) = self.weights_apart(pair, weights, known) else {
                    self.found.clips_in_part = self.found.clips_in_part.saturating_add(1);
                    break;
                };
                worst.take(excess(by, self.options.tolerance), moment[0], by);
            }
            let Worst { excess, time, gap: by } = worst;
            if excess > 1.0 {
                let (clip, node) = (clip.to_owned(), self.nodes.label(Side::A, pair[0]));
                self.push(match known.get(&pair) {
                    Some(Morphs::Shapes(_)) => Difference::Morphed { clip, node, time, by },
                    _ => Difference::Weights { clip, node, time, by },
                });
            }
        }
    }

    /// Returns how far apart the weights of two nodes are, or their morphed shapes. Returns `None`
    /// if the budget does not allow to compare the shapes.
    fn weights_apart(
        &self,
        pair: [usize; 2],
        weights: [&[f32]; 2],
        known: &mut Known<'a>,
    ) -> Option<f64> {
        let by = farthest_apart(weights[0], weights[1]);
        // The targets are compared as part of whole scenes only.
        if excess(by, self.options.tolerance) <= 1.0 && self.options.whole {
            return Some(by);
        }
        match known.entry(pair).or_insert_with(|| self.morphs_of(pair, weights)) {
            Morphs::Weights => Some(by),
            Morphs::Shapes(shapes) => {
                self.affords(shapes.cost(weights)).then(|| shapes.distance(weights))
            }
        }
    }

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

/// The morph weights of a node over time.
struct Weights<'a> {
    /// The weights without a track: the default weights of the mesh.
    default: &'a [f32],
    node: NodeId,
    track: Option<Sampler<'a>>,
    /// The time at which the clip starts.
    start: f64,
    pose: Pose,
}

impl<'a> Weights<'a> {
    fn of(
        scene: &'a Scene,
        node: usize,
        (timeline, clip): (&'a Timeline, &'a Clip),
        track: Option<&'a Track>,
    ) -> Weights<'a> {
        Weights {
            default: mesh(scene, node).map_or(&[], |mesh| mesh.morph_weights.as_slice()),
            node: NodeId::new(node),
            track: track.map(|track| Sampler::for_weights(timeline, track)),
            start: clip.start.into(),
            pose: Pose::default(),
        }
    }

    /// Returns the weights at a time relative to the start of the clip.
    fn at(&mut self, time: f64) -> &[f32] {
        if let Some(track) = &mut self.track {
            track.sample(self.start + time, &mut self.pose);
        }
        self.pose.weights_of(self.node).unwrap_or(self.default)
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

fn mesh(scene: &Scene, node: usize) -> Option<&Mesh> {
    scene.mesh(scene.node(NodeId::new(node))?.mesh?)
}

fn target_count(scene: &Scene, node: usize) -> usize {
    mesh(scene, node).map_or(0, |mesh| mesh.morph_targets.len())
}
