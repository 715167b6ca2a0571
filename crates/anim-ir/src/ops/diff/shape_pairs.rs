//! Finds the shapes of two scenes that belong together.

use std::collections::{BTreeMap, VecDeque};

use crate::ops::diff::clip_start::Seen;
use crate::ops::diff::difference::Side;
use crate::ops::diff::pairs::Pairs;
use crate::ops::diff::shape::{Shape, TOPOLOGIES};
use crate::{Bounds, Mat4, Node, NodeId, Scene, Skeleton, Vec3, sort_by};

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

/// The criteria for pairing shapes, strictest first. Shapes in the same place have the same center
/// at rest, in the cells of one of two grids, since noise may move it across the border of a cell.
#[derive(Clone, Copy)]
enum Pass {
    /// Shapes are paired by name, joint, size and place, since several shapes may have the same
    /// name, in any order.
    AllInPlace(usize),
    /// Named shapes are paired by name, joint and size.
    Named,
    /// Shapes are paired by size and place: formats may name shapes differently or not at all.
    Place(usize),
    /// Shapes are paired by name, joint and size.
    All,
    /// Named shapes are paired by name and joint.
    Joint,
    Name,
    Size,
}

const PASSES: [Pass; 9] = [
    Pass::AllInPlace(0),
    Pass::AllInPlace(1),
    Pass::Named,
    Pass::Place(0),
    Pass::Place(1),
    Pass::All,
    Pass::Joint,
    Pass::Name,
    Pass::Size,
];

/// The number of cells between the origin and the most distant center.
const CELLS: f64 = 4096.0;

/// The cell of a point in a grid, as the bits of its coordinates.
type Cell = [u64; 3];

/// Returns the cells of the centers of all shapes at rest in two grids, half a cell apart.
fn places(scenes: [&Scene; 2], shapes: [&[Shape<'_>]; 2]) -> [Vec<[Cell; 2]>; 2] {
    let centers = Side::BOTH.map(|side| centers(side.of(scenes), side.of(shapes)));
    let distances = centers.iter().flatten().flatten().map(|coordinate| coordinate.abs());
    let most = distances.filter(|distance| distance.is_finite()).fold(0.0, f64::max);
    let size = if most > 0.0 { most / CELLS } else { 1.0 };
    // Adding 0 makes -0 positive.
    let cell = |center: &[f64; 3], shift: f64| {
        center.map(|coordinate| ((coordinate / size + shift).floor() + 0.0).to_bits())
    };
    centers.map(|centers| centers.iter().map(|at| [cell(at, 0.0), cell(at, 0.5)]).collect())
}

fn centers(scene: &Scene, shapes: &[Shape<'_>]) -> Vec<[f64; 3]> {
    let rest: Vec<Vec<Mat4>> = scene.skeletons.iter().map(Skeleton::rest_model_matrices).collect();
    let of_meshes: Vec<Vec3> = scene
        .meshes
        .iter()
        .map(|mesh| {
            let bounds = Bounds::of(mesh.positions.iter().copied());
            let [low, high] = bounds.map_or([[0.0; 3]; 2], |Bounds { min, max }| [min, max]);
            let ([x, y, z], [to_x, to_y, to_z]) = (low, high);
            Vec3::from_f64([x.midpoint(to_x), y.midpoint(to_y), z.midpoint(to_z)])
        })
        .collect();
    let center = |Shape { node, .. }: &Shape<'_>| {
        let mesh = node.mesh.and_then(|mesh| of_meshes.get(mesh.index()).copied());
        let parent =
            node.parent.and_then(|at| rest.get(at.skeleton.index())?.get(at.joint.index()));
        let center = mesh.unwrap_or_default();
        parent.map_or(center, |matrix| matrix.transform_point(center)).to_f64()
    };
    shapes.iter().map(center).collect()
}

type Paired = (Vec<[usize; 2]>, Vec<(Side, usize)>, [Vec<String>; 2]);

/// Pairs shapes with the same name, preferably on the same joint, of the same size and in the same
/// place. The remaining shapes are paired by size and place, then by size, in order. Returns the
/// pairs, the unmatched shapes, and labels for all shapes.
fn pair(scenes: [&Scene; 2], shapes: [&[Shape<'_>]; 2]) -> Paired {
    let pairs = Pairs::of(shapes.map(|shapes| shapes.iter().map(Shape::name)));
    let places = places(scenes, shapes);
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
        let place = |grid: usize| {
            let cells = side.of(places.each_ref()).get(number)?;
            cells.get(grid).copied()
        };
        match (pass, shape.name()) {
            (Pass::Named | Pass::Joint | Pass::Name, "") => None,
            (Pass::AllInPlace(grid), name) => Some((name, joint, shape.counts, place(grid))),
            (Pass::Named | Pass::All, name) => Some((name, joint, shape.counts, None)),
            (Pass::Place(grid), _) => Some(("", "", shape.counts, place(grid))),
            (Pass::Joint, name) => Some((name, joint, [0; 3], None)),
            (Pass::Name, name) => Some((name, "", [0; 3], None)),
            (Pass::Size, _) => Some(("", "", shape.counts, None)),
        }
    };
    let (mut both, mut alone) = (Vec::new(), shapes.map(|shapes| (0..shapes.len()).collect()));
    for pass in PASSES {
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
