//! The shapes of a mesh.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use anim_ir::{Budget, Diagnostics, LimitError, Vec3};

use super::matrix_blend::{baked_matrix, place, turn_faces, turn_normals};
use super::plan::PlannedShape;
use super::variants::{Played, Pose};
use crate::codes;
use crate::geometry::{Built, Source};
use crate::graph::{Graph, NodeId};
use crate::options::ToIr;

/// Maximum number of characters of a clip name used in a morph target name.
const LONGEST_LABEL: usize = 40;

/// A mesh and its shapes.
#[derive(Debug)]
pub(super) struct Shapes {
    pub(super) built: Built,
    /// The distinct shapes, starting with the shape of the first frame.
    pub(super) positions: Vec<Vec<Vec3>>,
    pub(super) labels: Vec<String>,
    /// The normals of each shape, if morph targets have normals.
    pub(super) normals: Vec<Vec<Vec3>>,
    /// The shape of each frame of the variant.
    pub(super) of_frame: Vec<usize>,
}

/// The memory charged for a vertex of a shape: its position and normal, here and as a morph target.
pub(super) const VERTEX_BYTES: usize = 48;

impl Shapes {
    pub(super) fn of(
        built: Built,
        shape: &PlannedShape,
        played: &Played<'_>,
        (options, budget): (&ToIr, &Budget),
        problems: &mut Diagnostics,
    ) -> Shapes {
        let mut shapes = Shapes {
            built,
            positions: Vec::new(),
            labels: Vec::new(),
            normals: Vec::new(),
            of_frame: Vec::new(),
        };
        let labels = labels(played);
        let mut by_content: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut before: Option<&Arc<Graph>> = None;
        for (number, graph) in played.frames.iter().enumerate() {
            let last = shapes.of_frame.last().copied().unwrap_or(0);
            if before.replace(graph).is_some_and(|before| nodes_are_shared(before, graph, shape)) {
                shapes.of_frame.push(last);
                continue;
            }
            // A small file with few points but many corners produces many vertices in every frame.
            let coordinates = shape.source.coordinates.and_then(|id| graph.node(id));
            let given = coordinates.map_or(0, |node| node.floats("point").len() / 3);
            let vertices = shapes.positions.first().map_or(0, Vec::len);
            let extra = vertices.saturating_sub(given);
            if let Err(error) = budget.charge("morph targets", extra.saturating_mul(VERTEX_BYTES)) {
                shapes.hold(&error, shape, played, problems);
                return shapes;
            }
            let (positions, normals) = shapes.read(shape, graph, number == 0, options);
            let label = labels.get(number).map_or("", String::as_str);
            shapes.add_frame((positions, normals), label, &mut by_content);
        }
        for (pose, label) in played.poses.iter().zip(labels.iter().skip(played.frames.len())) {
            match shapes.pose(shape, pose, played, (options, budget)) {
                Ok(built) => shapes.add_frame(built, label, &mut by_content),
                Err(error) => {
                    shapes.hold(&error, shape, played, problems);
                    break;
                }
            }
        }
        shapes
    }

    /// Holds the last shape for the remaining frames and poses, and reports that the budget is
    /// exhausted.
    fn hold(
        &mut self,
        error: &LimitError,
        shape: &PlannedShape,
        played: &Played<'_>,
        problems: &mut Diagnostics,
    ) {
        problems.push(&codes::EXPANSION, shape.span(played.frames), || {
            format!("{}: {error}", shape.shown())
        });
        let last = self.of_frame.last().copied().unwrap_or(0);
        self.of_frame.resize(played.frame_count(), last);
    }

    /// Adds a frame with this shape, which is stored if it is new.
    fn add_frame(
        &mut self,
        (positions, normals): (Vec<Vec3>, Option<Vec<Vec3>>),
        label: &str,
        by_content: &mut HashMap<u64, Vec<usize>>,
    ) {
        let mut hasher = DefaultHasher::new();
        bytemuck::cast_slice::<Vec3, u8>(&positions).hash(&mut hasher);
        let candidates = by_content.entry(hasher.finish()).or_default();
        let known =
            candidates.iter().copied().find(|at| self.positions.get(*at) == Some(&positions));
        self.of_frame.push(known.unwrap_or(self.positions.len()));
        if known.is_none() {
            candidates.push(self.positions.len());
            self.add(positions, normals, label.to_owned());
        }
    }

    /// Builds the shape in a pose. Also returns its normals if morph targets have normals.
    fn pose(
        &self,
        shape: &PlannedShape,
        pose: &Pose<'_>,
        played: &Played<'_>,
        (options, budget): (&ToIr, &Budget),
    ) -> Result<(Vec<Vec3>, Option<Vec<Vec3>>), LimitError> {
        let vertices = self.positions.first().map_or(0, Vec::len);
        let given = if pose.is_given { pose.points.len() / 3 } else { 0 };
        let extra = vertices.saturating_sub(given);
        budget.charge("morph targets", extra.saturating_mul(VERTEX_BYTES))?;
        let points = bytemuck::cast_slice(pose.points.as_chunks::<3>().0);
        let positions = self.built.positions_of(points);
        let wants = !options.no_morph_normals && self.has_normals();
        let graph = played.frames.first().filter(|_| wants);
        let own = pose.normals.as_ref().filter(|_| wants);
        let own = own.and_then(|vectors| self.built.normals_of(vectors));
        let usual = |graph: &Arc<Graph>| self.built.normals(graph, &shape.source, &positions);
        let normals = own.or_else(|| graph.map(usual));
        Ok((positions, normals))
    }

    /// Builds the shape in a frame. Also returns its normals if morph targets have normals.
    fn read(
        &mut self,
        shape: &PlannedShape,
        graph: &Graph,
        is_first: bool,
        options: &ToIr,
    ) -> (Vec<Vec3>, Option<Vec<Vec3>>) {
        let mut positions = if is_first {
            std::mem::take(&mut self.built.mesh.positions)
        } else {
            self.built.positions(graph, &shape.source)
        };
        let mut normals = (!options.no_morph_normals && self.has_normals())
            .then(|| self.built.normals(graph, &shape.source, &positions));
        if !shape.baked.is_empty() {
            let matrix = baked_matrix(&shape.baked, graph, graph, 0.0);
            positions.iter_mut().for_each(|position| *position = place(matrix, *position));
            if let Some(normals) = &mut normals {
                turn_normals(normals, matrix);
            }
            if is_first {
                turn_normals(&mut self.built.mesh.normals, matrix);
                turn_faces(&mut self.built.mesh, matrix);
            }
        }
        (positions, normals)
    }

    /// Adds a new shape.
    pub(super) fn add(&mut self, positions: Vec<Vec3>, normals: Option<Vec<Vec3>>, label: String) {
        self.positions.push(positions);
        self.normals.extend(normals);
        self.labels.push(label);
    }

    pub(super) fn has_normals(&self) -> bool {
        !self.built.mesh.normals.is_empty()
    }

    /// Returns the label of a frame's shape.
    pub(super) fn label(&self, frame: usize) -> &str {
        let shape = self.of_frame.get(frame);
        shape.and_then(|shape| self.labels.get(*shape)).map_or("", String::as_str)
    }
}

/// Returns a label for each frame of the variant: the take and the index of the first key that
/// shows the frame.
fn labels(played: &Played<'_>) -> Vec<String> {
    let mut labels = vec![String::new(); played.frame_count()];
    for (keys, (_, take)) in played.keys.iter().zip(&played.takes) {
        for (number, (_, frame)) in keys.iter().enumerate() {
            if let Some(label) = labels.get_mut(*frame).filter(|label| label.is_empty()) {
                // Truncate long names, since many labels contain the same name.
                let name = if played.is_of_many {
                    take.clip.name.chars().take(LONGEST_LABEL).collect()
                } else {
                    "frame".to_owned()
                };
                *label = format!("{name} {number}");
            }
        }
    }
    labels
}

/// Whether two frames share everything that determines a shape's vertices.
fn nodes_are_shared(a: &Graph, b: &Graph, shape: &PlannedShape) -> bool {
    let Source { geometry, coordinates, normals, .. } = &shape.source;
    let nodes = [Some(*geometry), *coordinates, *normals]
        .into_iter()
        .flatten()
        .chain(shape.baked.iter().map(|step| step.node));
    let shared = |id: NodeId| match (a.nodes.get(id.index()), b.nodes.get(id.index())) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        _ => false,
    };
    nodes.into_iter().all(shared)
}
