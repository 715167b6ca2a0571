//! Skins of the scene, and the weights of their vertices.

use anim_ir::diag::plural;
use anim_ir::{
    Budget, Diagnostics, Influences, JointId, LimitError, SkeletonId, Skin, SkinId, sort_by,
};

use super::plan::{PlannedShape, PlannedSkin};
use super::stage::Stage;
use crate::codes;
use crate::geometry::Built;
use crate::graph::{Graph, Node};

/// Maximum number of joints that move a point of a humanoid. Few programs support more.
const MOST_PER_POINT: usize = 8;

impl Stage<'_> {
    /// Adds the skins of a plan. Returns their indices.
    pub(super) fn add_skins(&mut self, planned: &[PlannedSkin], joints: &[JointId]) -> Vec<SkinId> {
        let skin = |planned: &PlannedSkin| {
            let joint = |at: usize| joints.get(at).copied().unwrap_or_default();
            Skin {
                skeleton: SkeletonId::default(),
                joints: planned.joints.iter().map(|(_, at, _)| joint(*at)).collect(),
                inverse_bind: planned.joints.iter().map(|(_, _, bind)| *bind).collect(),
            }
        };
        let first = self.skins.len();
        self.skins.extend(planned.iter().map(skin));
        (first..self.skins.len()).map(SkinId::new).collect()
    }
}

/// Adds the weights of a shape's vertices to its mesh.
pub(super) fn weigh(
    built: &mut Built,
    graph: &Graph,
    (shape, skin): (&PlannedShape, &PlannedSkin),
    budget: &Budget,
    problems: &mut Diagnostics,
) -> Result<(), LimitError> {
    let Some(geometry) = graph.node(shape.source.geometry) else { return Ok(()) };
    let is_humanoid = graph.node(skin.node).is_some_and(|node| node.kind.name == "HAnimHumanoid");
    let rows = if is_humanoid {
        let points = shape.source.coordinates.and_then(|id| graph.node(id));
        let count = points.map_or(0, |node| node.floats("point").len() / 3);
        Rows::of_humanoid(graph, skin, count, budget, problems)?
    } else {
        Rows::of_geometry(geometry, skin.joints.len(), problems)
    };
    let vertices = built.vertex_points();
    let numbers = vertices.len().saturating_mul(rows.width);
    budget.charge("the weights of a skin", numbers.saturating_mul(8))?;
    let row = |at: u32| {
        let start = (at as usize).saturating_mul(rows.width);
        start..start.saturating_add(rows.width)
    };
    let mut influences = Influences { per_vertex: rows.width, ..Influences::default() };
    let (no_joints, no_weights) = (vec![0; rows.width], vec![0.0; rows.width]);
    for point in vertices {
        let joints = rows.joints.get(row(*point)).unwrap_or(&no_joints);
        influences.joints.extend_from_slice(joints);
        influences.weights.extend_from_slice(rows.weights.get(row(*point)).unwrap_or(&no_weights));
    }
    built.mesh.influences = influences;
    Ok(())
}

/// Joints and weights, in rows of equal width for each point.
struct Rows {
    width: usize,
    joints: Vec<u32>,
    weights: Vec<f32>,
}

impl Rows {
    /// Reads the weights in a geometry below a `Skin`.
    fn of_geometry(geometry: &Node, joint_count: usize, problems: &mut Diagnostics) -> Rows {
        let (joints, weights) = (geometry.ints("skinJoints0"), geometry.floats("skinWeights0"));
        let points = joints.len().min(weights.len()) / 4;
        if joints.len() != weights.len() {
            problems.push(&codes::SKIN, geometry.span, || {
                format!("{} joint indices for {} weights", joints.len(), weights.len())
            });
        }
        let mut rows = Rows { width: 4, joints: Vec::new(), weights: Vec::new() };
        let pairs = joints.as_chunks::<4>().0.iter().zip(weights.as_chunks::<4>().0).take(points);
        let mut wrong = None;
        for (joints, weights) in pairs {
            let mut row = [(0_u32, 0.0_f32); 4];
            for ((place, joint), weight) in row.iter_mut().zip(joints).zip(weights) {
                let index = u32::try_from(*joint).ok();
                match index.filter(|index| (*index as usize) < joint_count) {
                    Some(index) => *place = (index, weight.max(0.0)),
                    None if *weight > 0.0 => wrong = wrong.or(Some(*joint)),
                    None => {}
                }
            }
            rows.add(&mut row);
        }
        if let Some(wrong) = wrong {
            problems.push(&codes::INDEX, geometry.span, || {
                format!(
                    "joint {wrong} in skinJoints0 of a skin with {}",
                    plural(joint_count, "joint")
                )
            });
        }
        rows
    }

    /// Reads the weights in the joints of a humanoid.
    fn of_humanoid(
        graph: &Graph,
        skin: &PlannedSkin,
        points: usize,
        budget: &Budget,
        problems: &mut Diagnostics,
    ) -> Result<Rows, LimitError> {
        let mut counts = vec![0_usize; points];
        let joints = || {
            let nodes = (0_u32..).zip(&skin.joints);
            nodes.filter_map(|(at, (id, _, _))| Some((at, graph.node(*id)?)))
        };
        for (_, node) in joints() {
            let (indices, weights) = (node.ints("skinCoordIndex"), node.floats("skinCoordWeight"));
            if indices.len() != weights.len() {
                problems.push(&codes::SKIN, node.span, || {
                    format!(
                        "{} points in skinCoordIndex, but {} weights",
                        indices.len(),
                        weights.len()
                    )
                });
            }
            let mut wrong = None;
            for index in indices.iter().take(weights.len()) {
                match usize::try_from(*index).ok().and_then(|index| counts.get_mut(index)) {
                    Some(count) => *count = count.saturating_add(1),
                    None => wrong = wrong.or(Some(*index)),
                }
            }
            if let Some(wrong) = wrong {
                problems.push(&codes::INDEX, node.span, || {
                    format!(
                        "point {wrong} in skinCoordIndex of a skin with {}",
                        plural(points, "point")
                    )
                });
            }
        }
        let width = counts.iter().copied().max().unwrap_or(0).clamp(1, MOST_PER_POINT);
        budget.charge("the weights of a skin", points.saturating_mul(width).saturating_mul(8))?;
        let mut lists: Vec<Vec<(u32, f32)>> = vec![Vec::new(); points];
        for (joint, node) in joints() {
            let pairs = node.ints("skinCoordIndex").iter().zip(node.floats("skinCoordWeight"));
            for (index, weight) in pairs {
                let list = usize::try_from(*index).ok().and_then(|index| lists.get_mut(index));
                if let Some(list) = list {
                    list.push((joint, weight.max(0.0)));
                }
            }
        }
        let humanoid = u32::try_from(skin.joints.len().saturating_sub(1)).unwrap_or(0);
        let mut rows = Rows { width, joints: Vec::new(), weights: Vec::new() };
        let mut cut = 0_usize;
        for mut list in lists {
            if list.iter().all(|(_, weight)| *weight == 0.0) {
                list = vec![(humanoid, 1.0)];
            }
            sort_by(&mut list, |(_, a), (_, b)| b.total_cmp(a));
            let has_more = list.get(width).is_some_and(|(_, weight)| *weight > 0.0);
            cut = cut.saturating_add(usize::from(has_more));
            list.resize(width, (0, 0.0));
            rows.add(&mut list);
        }
        if cut > 0 {
            let span = graph.node(skin.node).map(|node| node.span);
            problems.push(&codes::INFLUENCES, span, || {
                format!(
                    "more than {MOST_PER_POINT} joints move {} of {}; the largest \
                     {MOST_PER_POINT} weights are kept",
                    plural(cut, "point"),
                    graph.shown(skin.node)
                )
            });
        }
        Ok(rows)
    }

    /// Adds a row, with weights that sum to 1, or to 0 if they are all 0.
    fn add(&mut self, row: &mut [(u32, f32)]) {
        let sum: f32 = row.iter().map(|(_, weight)| weight).sum();
        let scale = if sum > 0.0 { sum } else { 1.0 };
        for (joint, weight) in row {
            self.joints.push(*joint);
            self.weights.push(*weight / scale);
        }
    }
}
