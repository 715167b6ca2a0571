//! Finds the shapes of two scenes that belong together.

use std::collections::{BTreeMap, VecDeque};

use crate::ops::diff::clip_start::Seen;
use crate::ops::diff::difference::Side;
use crate::ops::diff::pairs::Pairs;
use crate::ops::diff::shape::{Shape, TOPOLOGIES};
use crate::{Node, NodeId, Scene, sort_by};

/// The shapes of both scenes, and which belong together.
#[derive(Clone)]
pub(super) struct ShapePairs<'a> {
    pub(super) of: [Vec<Shape<'a>>; 2],
    /// The indices of matched shapes, in the order of the first scene.
    pub(super) both: Vec<[usize; 2]>,
    pub(super) alone: Vec<(Side, usize)>,
    pub(super) labels: [Vec<String>; 2],
}

impl<'a> ShapePairs<'a> {
    /// Collects up to `most` visibilities of joints to find hidden shapes, unless the scenes are
    /// compared as a whole.
    pub(super) fn of(scenes: [&'a Scene; 2], whole: bool, most: usize) -> ShapePairs<'a> {
        let of = scenes.map(|scene| {
            let mut shapes = shapes(scene);
            if !whole && let Some(seen) = Seen::in_clip(scene, most) {
                shapes.retain(|shape| {
                    shape.node.parent.is_none_or(|joint| seen.is_ever_seen(scene, joint))
                });
            }
            shapes
        });
        let (both, alone, labels) = pair(scenes, of.each_ref().map(Vec::as_slice));
        ShapePairs { of, both, alone, labels }
    }

    /// Returns the matched nodes: those of matched shapes, and others by name.
    pub(super) fn nodes(&self, scenes: [&'a Scene; 2]) -> Pairs<'a> {
        let [of_a, of_b] = &self.of;
        let both = self
            .both
            .iter()
            .filter_map(|[x, y]| Some([of_a.get(*x)?.id.index(), of_b.get(*y)?.id.index()]));
        Pairs::of(scenes.map(|scene| scene.nodes.iter().map(|node| node.name.as_str())))
            .preferring(both.collect())
    }
}

fn shapes(scene: &Scene) -> Vec<Shape<'_>> {
    let counts: Vec<[usize; 3]> =
        scene.meshes.iter().map(|mesh| TOPOLOGIES.map(|topology| mesh.count(topology))).collect();
    let shape = |(id, node): (NodeId, &'_ Node)| {
        let mesh = node.mesh?;
        let counts = counts.get(mesh.index()).copied()?;
        Some(Shape { id, node: scene.node(id)?, mesh: scene.mesh(mesh)?, counts })
    };
    scene.enumerate_nodes().filter_map(shape).filter(|shape| shape.counts != [0; 3]).collect()
}

/// The criteria for pairing shapes, strictest first.
#[derive(Clone, Copy)]
enum Pass {
    /// Shapes are paired by name, joint and size, since several shapes may have the same name, in
    /// any order.
    All,
    /// Named shapes are paired by name and joint.
    Joint,
    Name,
    Size,
}

type Paired = (Vec<[usize; 2]>, Vec<(Side, usize)>, [Vec<String>; 2]);

/// Pairs shapes with the same name, preferably on the same joint and of the same size. The
/// remaining shapes are paired by size, in order, since formats may name shapes differently or not
/// at all. Returns the pairs, the unmatched shapes, and labels for all shapes.
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
            (Pass::All, name) => Some((name, joint, shape.counts)),
            (Pass::Joint | Pass::Name, "") => None,
            (Pass::Joint, name) => Some((name, joint, [0; 3])),
            (Pass::Name, name) => Some((name, "", [0; 3])),
            (Pass::Size, _) => Some(("", "", shape.counts)),
        }
    };
    let (mut both, mut alone) = (Vec::new(), shapes.map(|shapes| (0..shapes.len()).collect()));
    for pass in [Pass::All, Pass::Joint, Pass::Name, Pass::Size] {
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
        rest.iter_mut().for_each(|rest| sort_by(rest, Ord::cmp));
        alone = rest;
    }
    let of = |side: Side, alone: &[usize]| -> Vec<(Side, usize)> {
        alone.iter().map(|number| (side, *number)).collect()
    };
    let [of_a, of_b] = &alone;
    let alone = [of(Side::A, of_a), of(Side::B, of_b)].concat();
    sort_by(&mut both, Ord::cmp);
    (both, alone, labels)
}
