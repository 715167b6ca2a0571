//! Conversion of frames to motion: changes become keys and morph targets, and everything else is
//! stored once.
//!
//! Frames of equal structure form a variant ([`variants`]), whose tree is walked once ([`walk`]) to
//! collect a list of joints and shapes ([`plan`]). Joints get keys ([`joints`]); changes to the
//! vertices of a shape become morph targets ([`motion`]).

mod alike;
mod choice;
mod curves;
mod driven;
mod joints;
mod looks;
mod loose;
mod materials;
mod matrix_blend;
mod mesh_pool;
mod motion;
mod pages;
mod plan;
mod posed;
mod shapes;
mod skin_plan;
mod skins;
mod stage;
mod step;
mod takes;
mod tracks;
mod unmoved;
mod variants;
mod walk;
mod weights;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use anim_ir::{
    Budget, Converted, Diagnostics, JointId, JointRef, LimitError, MaterialId, MeshId, Node,
    NodeId as SceneNodeId, Resolver, Scene, SkeletonId, SkinId,
};

use self::unmoved::Unmoved;
use crate::codes;
use crate::events::Drives;
use crate::geometry::{self, Built, CornerCount, Source};
use crate::graph::Graph;
use crate::options::ToIr;
use motion::Motion;
use plan::{Look, PlannedShape, PlannedSkin};
use stage::Stage;
use step::Step;
pub use takes::{Frame, Take};
use variants::{Played, Variant, find_runs, shown_of};

/// Converts frame-by-frame animations to a scene. All takes animate the same scene: common parts
/// are stored once, and each take hides the parts that only other takes use.
///
/// Consecutive frames of equal structure are blended: transforms field by field, as for `Transform`
/// nodes in X3D, and vertex coordinates as morph targets. A frame with a different structure
/// replaces the previous frame at its time, without blending. `files` is used to find out which of
/// several alternative images exist. Spans of losses are those of nodes in the graphs or of frames.
pub fn animate(
    mut takes: Vec<Take>,
    options: &ToIr,
    budget: &Budget,
    files: &mut dyn Resolver,
) -> Converted<Scene> {
    let mut losses = Diagnostics::within(&options.limits);
    drop_repeats(&mut takes, budget, &mut losses);
    report_routes(&takes, &mut losses);
    let drives = Drives::default();
    let mut variants: Vec<Variant> = Vec::new();
    let mut by_structure: HashMap<u64, Vec<usize>> = HashMap::new();
    let runs: Vec<_> = takes
        .iter_mut()
        .enumerate()
        .map(|take| find_runs(take, &mut variants, &mut by_structure, &mut losses))
        .collect();

    let mut stage = Stage::new(options, budget, files, &takes, losses);
    for (index, variant) in variants.iter().enumerate() {
        let root = (variants.len() > 1).then(|| {
            let at_rest = index == 0;
            let mine = |take: &usize| variant.runs.get(take).map_or(&[][..], Vec::as_slice);
            // Parts that are visible at rest must be hidden in takes that do not show them.
            let changed: Vec<usize> = if at_rest {
                (0..takes.len()).collect()
            } else {
                variant.runs.keys().copied().collect()
            };
            let shown = changed.iter().filter_map(|take| {
                Some((*take, shown_of(takes.get(*take)?, runs.get(*take)?, mine(take))))
            });
            stage.add_switch(format!("frames {}", index.saturating_add(1)), None, at_rest, shown)
        });
        stage.add_variant(&Played::new(variant, &takes, &runs, &drives), root);
    }
    stage.finish(takes)
}

/// Converts a scene with what its sensors animate: one take for each of `takes`, without frames.
pub(crate) fn animate_scene(
    graph: Graph,
    (takes, drives): (Vec<Take>, &Drives),
    options: &ToIr,
    budget: &Budget,
    files: &mut dyn Resolver,
) -> Converted<Scene> {
    let losses = Diagnostics::within(&options.limits);
    let mut stage = Stage::new(options, budget, files, &takes, losses);
    let frames = [Arc::new(graph)];
    let played = Played { all_takes: &takes, ..Played::still(&frames, drives) };
    stage.add_variant(&played, None);
    let [graph] = &frames;
    stage.report_hidden(graph, drives);
    stage.finish(takes)
}

/// The memory charged for a node of a frame that an earlier frame has shown: its keys, and what the
/// frame is compared with.
const REPEATED_NODE_BYTES: usize = 64;
/// The memory charged for a corner of a geometry that is used again. It takes about four times as
/// much in a mesh, but large models in many colours should fit.
const REPEATED_CORNER_BYTES: usize = 8;

/// Charges frames that show the same file as an earlier frame, which may be thousands, and drops
/// those that exceed the budget.
fn drop_repeats(takes: &mut [Take], budget: &Budget, losses: &mut Diagnostics) {
    let mut known: HashSet<*const Graph> = HashSet::new();
    for take in takes {
        take.frames.retain(|frame| {
            if known.insert(Arc::as_ptr(&frame.graph)) {
                return true;
            }
            let bytes = frame.graph.nodes.len().saturating_mul(REPEATED_NODE_BYTES);
            let Err(error) = budget.charge("repeated frames", bytes) else { return true };
            losses.push(&codes::EXPANSION, frame.span, || error.to_string());
            false
        });
    }
}

/// Reports the routes of frames, each once.
fn report_routes(takes: &[Take], losses: &mut Diagnostics) {
    let mut before = None;
    for frame in takes.iter().flat_map(|take| &take.frames) {
        let links = &frame.graph.links;
        if before.replace(links).is_some_and(|before| Arc::ptr_eq(before, links)) {
            continue;
        }
        for route in &links.routes {
            losses.push(&codes::ROUTE, route.span, || {
                "a route in a frame of an animation has no effect".to_owned()
            });
        }
    }
}

/// The motion, material and meshes of a shape. Several shapes may share them.
struct Model<'v> {
    motion: Motion,
    /// What plays the shape's poses, if an interpolator sets its points. Without the poses, which
    /// are part of the motion.
    posed: Option<Played<'v>>,
    is_generated: bool,
    material: MaterialId,
    /// The mesh of each page, once it has been added.
    meshes: Vec<MeshId>,
    /// Why an earlier shape could not be added. No other can be, since the budget only shrinks.
    refused: Option<LimitError>,
}

/// What was made of the first shape with a [`ModelKey`].
struct Made<'v> {
    model: Option<Model<'v>>,
    problems: Diagnostics,
    /// How often the problems have been reported.
    reported: u64,
}

/// Everything that determines the [`Model`] of a shape. Shapes with equal keys share their model.
#[derive(PartialEq, Eq, Hash)]
struct ModelKey<'p>(&'p Source, &'p [Step], &'p Look, Option<usize>);

impl PlannedShape {
    fn key(&self) -> ModelKey<'_> {
        ModelKey(&self.source, &self.baked, &self.look, self.skin)
    }
}

impl Stage<'_> {
    fn add_variant(&mut self, played: &Played<'_>, root: Option<JointId>) {
        let Some(first) = played.frames.first() else { return };
        self.built_from.clear();
        let mut problems = Diagnostics::within(&self.options.limits);
        let budget = self.budget.half();
        let mut planned = walk::plan(played.frames, played.drives, &budget, &mut problems);
        let moving = played.drives.targets().into_iter().map(|(node, ..)| node).collect();
        alike::share_equal_nodes(&mut planned.shapes, played.frames, &moving);
        // Cannot fail, since at most half of the remaining budget was spent.
        let _ = self.budget.charge("reused nodes", budget.spent());
        self.count_skipped(&planned);
        let joints = self.add_joints(&planned.joints, played, root);
        let skins = self.add_skins(&planned.skins, &joints);
        let mut uses: HashMap<ModelKey<'_>, usize> = HashMap::new();
        for shape in &planned.shapes {
            let count = uses.entry(shape.key()).or_default();
            *count = count.saturating_add(1);
        }
        // A model is kept until its last use.
        let mut models: HashMap<ModelKey<'_>, Made<'_>> = HashMap::new();
        let mut unmoved = Unmoved::new();
        let most = self.options.limits.diagnostics;
        for shape in &planned.shapes {
            let skin = shape.skin.and_then(|skin| planned.skins.get(skin));
            let mut build = |shape: &PlannedShape| {
                let mut found = Diagnostics::within(&self.options.limits);
                let model = self.build((shape, skin), played, &mut unmoved, &mut found);
                problems.append(found.clone());
                Made { model, problems: found, reported: 1 }
            };
            let mut made = match models.remove(&shape.key()) {
                None => build(shape),
                // Problems of equal nodes are reported for each.
                Some(mut made) if shape.own.is_some() && !made.problems.is_empty() => {
                    if made.reported < most {
                        shape.apart().as_ref().map(build);
                    } else {
                        problems.append(made.problems.clone());
                    }
                    made.reported = made.reported.saturating_add(1);
                    made
                }
                Some(made) => made,
            };
            let parent = shape.joint.and_then(|joint| joints.get(joint).copied()).or(root);
            if let Some(model) = &mut made.model {
                let skin = shape.skin.and_then(|skin| skins.get(skin).copied());
                let added = match model.refused {
                    Some(error) => Err(error),
                    None => self.add_shape(shape, model, (parent, skin), played),
                };
                if let Err(error) = added {
                    self.refuse_alike(shape, model, first, error);
                    model.refused = Some(error);
                    problems.push(&codes::EXPANSION, shape.span(played.frames), || {
                        format!("{}: {error}", shape.shown())
                    });
                }
            }
            if let Some(left) = uses.get_mut(&shape.key()) {
                *left = left.saturating_sub(1);
                if *left > 0 {
                    models.insert(shape.key(), made);
                }
            }
        }
        self.losses.append(problems);
    }

    fn build<'v>(
        &mut self,
        (shape, skin): (&PlannedShape, Option<&PlannedSkin>),
        played: &Played<'v>,
        unmoved: &mut Unmoved,
        problems: &mut Diagnostics,
    ) -> Option<Model<'v>> {
        let first = played.frames.first()?;
        let kind = first.node(shape.source.geometry).map_or("", |node| node.kind.name);
        if let Some(error) = self.refused_shapes.get(&(kind, shape.source.textured)) {
            problems.push(&codes::EXPANSION, shape.span(played.frames), || {
                format!("{}: {error}", shape.shown())
            });
            return None;
        }
        if let Err(error) = self.charge_repeated(shape, first) {
            problems.push(&codes::GEOMETRY_LIMIT, shape.span(played.frames), || {
                format!("{}: {error}", shape.shown())
            });
            return None;
        }
        let mut built = geometry::build(first, &shape.source, self.budget, problems)?;
        if let Some(skin) = skin
            && let Err(error) =
                skins::weigh(&mut built, first, (shape, skin), self.budget, problems)
        {
            problems.push(&codes::EXPANSION, shape.span(played.frames), || error.to_string());
            return None;
        }
        let Stage { materials, files, .. } = self;
        let Built { mesh, double_sided, is_generated, .. } = &mut built;
        let (double_sided, is_generated) = (*double_sided, *is_generated);
        let material = materials.add(first, &shape.look, mesh, double_sided, *files, problems);
        let posed = self.posed(shape, played, problems);
        let played = posed.as_ref().unwrap_or(played);
        let motion = Motion::of(built, shape, played, (self.options, self.budget), problems);
        unmoved::report(unmoved, shape, &motion, played, self.options, problems);
        let posed = posed.map(|posed| Played { poses: Vec::new(), keys: Vec::new(), ..posed });
        Some(Model { motion, posed, is_generated, material, meshes: Vec::new(), refused: None })
    }

    /// Charges for building a shape from what another shape has been built from, such as a geometry
    /// that is used again with another material. The first use is in proportion to the file.
    fn charge_repeated(&mut self, shape: &PlannedShape, first: &Graph) -> Result<(), LimitError> {
        let Source { geometry, coordinates, .. } = &shape.source;
        let is_again = !self.built_from.insert(*geometry);
        let shares = coordinates.is_some_and(|points| !self.built_from.insert(points));
        let count = CornerCount::of(first, &shape.source);
        let listed = if is_again { count.listed } else { 0 };
        let implied = if is_again || shares { count.implied } else { 0 };
        let bytes = listed.saturating_add(implied).saturating_mul(REPEATED_CORNER_BYTES);
        self.budget.charge("repeated geometries", bytes)
    }

    /// Records that a box, sphere or similar shape exceeded the budget, so that others of its kind,
    /// which are as large, are not built only to be rejected.
    fn refuse_alike(
        &mut self,
        shape: &PlannedShape,
        model: &Model<'_>,
        first: &Graph,
        error: LimitError,
    ) {
        let morphs = model.motion.pages.iter().any(|page| page.target_count() > 0);
        let node = first.node(shape.source.geometry);
        if let Some(node) = node.filter(|node| geometry::is_shape(node) && !morphs) {
            self.refused_shapes.insert((node.kind.name, shape.source.textured), error);
        }
    }

    /// Adds the nodes that draw a shape, one node per page.
    fn add_shape(
        &mut self,
        shape: &PlannedShape,
        model: &mut Model<'_>,
        (parent, skin): (Option<JointId>, Option<SkinId>),
        played: &Played<'_>,
    ) -> Result<(), LimitError> {
        let Model { motion, posed, is_generated, material, meshes, .. } = model;
        let played = posed.as_ref().unwrap_or(played);
        if meshes.is_empty() {
            let morph_normals = !self.options.no_morph_normals;
            let budget = is_generated.then_some(self.budget);
            let added: Result<Vec<MeshId>, LimitError> = motion
                .pages
                .iter()
                .map(|page| motion.mesh(page, &shape.name, *material, morph_normals))
                .map(|mesh| self.pool.add(mesh, budget))
                .collect();
            *meshes = added?;
        }
        // After the first take whose keys exceed the budget, the shape does not move.
        let counts = motion.key_counts().into_iter();
        let refused =
            counts.map(|keys| motion.number_count(keys)).position(|count| !self.has_room(count));
        let moving = refused.unwrap_or(usize::MAX);
        let showing = motion.keys_of_pages();
        for ((number, page), showing) in motion.pages.iter().enumerate().zip(&showing) {
            let mut joint = parent;
            if motion.pages.len() > 1 {
                let at_rest = number == 0;
                // Parts that are visible at rest must be hidden in takes that do not show them.
                let changed: Vec<usize> = if at_rest {
                    (0..played.takes.len()).collect()
                } else {
                    showing.keys().copied().collect()
                };
                let shown = changed.into_iter().filter_map(|at| {
                    let mine = showing.get(&at).map_or(&[][..], Vec::as_slice);
                    Some((played.takes.get(at)?.0, motion.shown(number, at, mine)))
                });
                let name = format!("{} page {}", shape.name, number.saturating_add(1));
                joint = Some(self.add_switch(name, parent, at_rest, shown));
            }
            let target = SceneNodeId::new(self.nodes.len()).into();
            self.nodes.push(Node {
                name: shape.name.clone(),
                parent: joint.map(|joint| JointRef { skeleton: SkeletonId::default(), joint }),
                mesh: meshes.get(number).copied(),
                skin,
                ..Node::default()
            });
            if page.target_count() > 0 {
                for (at, mine) in showing.range(..moving) {
                    let Some((take_number, take)) = played.takes.get(*at) else { continue };
                    let numbers = page.curve_numbers(mine.len());
                    let charged =
                        self.budget.charge_each::<f32>("the keys of blended shapes", numbers);
                    if let Err(error) = charged {
                        self.losses.push(&codes::EXPANSION, shape.span(played.frames), || {
                            error.to_string()
                        });
                        continue;
                    }
                    let Some(builder) = self.builders.get_mut(*take_number) else { continue };
                    motion.add_weights(page, (*at, mine), take.step, target, builder);
                }
            }
        }
        Ok(())
    }
}
