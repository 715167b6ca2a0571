//! The scene under construction.

use std::collections::{HashMap, HashSet};

use anim_ir::diag::plural;
use anim_ir::{
    Budget, Channel, Clip, Converted, Diagnostics, Interpolation, Joint, JointId, LimitError, Node,
    Resolver, Scene, Skeleton, Skin, TimelineBuilder, TimelineId,
};

use super::choice;
use super::materials::Materials;
use super::mesh_pool::MeshPool;
use super::plan::{Plan, Skipped};
use super::takes::Take;
use super::variants::Shown;
use crate::codes;
use crate::events::Drives;
use crate::graph::{Graph, NodeId};
use crate::options::ToIr;

/// Node types that describe the world around a model and how it is viewed, sorted.
const AROUND_A_MODEL: [&str; 21] = [
    "Background",
    "ComposedCubeMapTexture",
    "Environment",
    "Fog",
    "GeneratedCubeMapTexture",
    "GeoViewpoint",
    "ImageBackground",
    "ImageCubeMapTexture",
    "Info",
    "KambiHeadLight",
    "LocalFog",
    "NavigationInfo",
    "OrthoViewpoint",
    "OrthographicCamera",
    "PerspectiveCamera",
    "ScreenEffect",
    "TextureBackground",
    "Viewpoint",
    "Viewport",
    "WorldInfo",
    "collision proxy",
];

/// Groups whose children turn to the viewer, or have a place or size in the window.
pub(super) const FOLLOWING: [&str; 4] = ["Billboard", "LayoutGroup", "LayoutLayer", "ScreenGroup"];

/// The scene under construction.
pub(super) struct Stage<'o> {
    pub(super) options: &'o ToIr,
    pub(super) files: &'o mut dyn Resolver,
    pub(super) skeleton: Skeleton,
    pub(super) nodes: Vec<Node>,
    pub(super) skins: Vec<Skin>,
    pub(super) pool: MeshPool,
    /// The kinds of shapes whose meshes, with texture coordinates or without, exceed the budget.
    pub(super) refused_shapes: HashMap<(&'static str, bool), LimitError>,
    /// The geometries and points that shapes of the current variant have been built from.
    pub(super) built_from: HashSet<NodeId>,
    pub(super) materials: Materials,
    /// The timelines, one for each take.
    pub(super) builders: Vec<TimelineBuilder>,
    dropped: Skipped,
    hidden: Skipped,
    /// The interpolators whose values are already part of the scene.
    pub(super) used_curves: HashSet<NodeId>,
    /// The nodes that are part of the scene and that sensors may animate.
    pub(super) shown: HashSet<NodeId>,
    pub(super) budget: &'o Budget,
    pub(super) losses: Diagnostics,
}

impl<'o> Stage<'o> {
    pub(super) fn new(
        options: &'o ToIr,
        budget: &'o Budget,
        files: &'o mut dyn Resolver,
        takes: &[Take],
        losses: Diagnostics,
    ) -> Stage<'o> {
        let builder = |take: &Take| TimelineBuilder::new(take.clip.name.clone());
        Stage {
            options,
            files,
            skeleton: Skeleton::nodes("scene"),
            nodes: Vec::new(),
            skins: Vec::new(),
            pool: MeshPool::default(),
            refused_shapes: HashMap::new(),
            built_from: HashSet::new(),
            materials: Materials::default(),
            builders: takes.iter().map(builder).collect(),
            dropped: Skipped::new(),
            hidden: Skipped::new(),
            used_curves: HashSet::new(),
            shown: HashSet::new(),
            budget,
            losses,
        }
    }

    pub(super) fn finish(mut self, takes: Vec<Take>) -> Converted<Scene> {
        self.report_skipped();
        let clip =
            |(number, take): (usize, Take)| Clip { timeline: TimelineId::new(number), ..take.clip };
        let scene = Scene {
            skeletons: vec![self.skeleton],
            timelines: self.builders.into_iter().map(TimelineBuilder::finish).collect(),
            clips: takes.into_iter().enumerate().map(clip).collect(),
            meshes: self.pool.meshes,
            nodes: self.nodes,
            skins: self.skins,
            materials: self.materials.materials,
            images: self.materials.images,
            ..Scene::default()
        };
        Converted { value: scene, losses: self.losses }
    }

    /// Reports children that are not shown and nodes without a counterpart: one loss for each type,
    /// and a single note for all nodes that describe the world around a model.
    fn report_skipped(&mut self) {
        for (kind, (count, span)) in &self.hidden {
            self.losses.push(&codes::NOT_SHOWN, *span, || choice::describe(kind, *count));
        }
        let (around, lost): (Vec<_>, Vec<_>) =
            self.dropped.iter().partition(|(kind, _)| AROUND_A_MODEL.contains(kind));
        for (kind, (count, span)) in lost {
            self.losses.push(&codes::DROPPED, *span, || {
                let nodes = plural(*count, &format!("{kind} node"));
                if FOLLOWING.contains(kind) {
                    return format!("the children of {nodes} do not follow the view");
                }
                let are = if *count == 1 { "is" } else { "are" };
                format!("{nodes} {are} skipped")
            });
        }
        let first = around.iter().map(|(_, (_, span))| *span).min();
        if let Some(first) = first {
            self.losses.push(&codes::AROUND, first, || {
                let kinds: Vec<&str> = around.iter().map(|(kind, _)| **kind).collect();
                format!("skipped, not part of the model: {}", kinds.join(", "))
            });
        }
    }

    /// Reports the fields that sensors animate in nodes that are not part of the scene, such as
    /// children that a `Switch` does not show.
    pub(super) fn report_hidden(&mut self, graph: &Graph, drives: &Drives) {
        for (id, field, sensor) in drives.targets() {
            let Some(node) = graph.node(id).filter(|_| !self.shown.contains(&id)) else { continue };
            self.losses.push(&codes::NOT_ANIMATED, node.span, || {
                let field = node.kind.field_name(field);
                let (node, sensor) = (graph.shown(id), graph.shown(sensor));
                if field == "vector" {
                    return format!(
                        "{field} of {node} keeps its initial value, although {sensor} animates it: \
                         it does not animate the points at the same times"
                    );
                }
                format!("{field} of {node}, which {sensor} animates, is not part of what is drawn")
            });
        }
    }

    /// Records what is not part of a variant. The largest count of any variant is reported.
    pub(super) fn count_skipped(&mut self, plan: &Plan) {
        for (all, found) in [(&mut self.dropped, &plan.dropped), (&mut self.hidden, &plan.hidden)] {
            for (kind, (count, span)) in found {
                let (most, _) = all.entry(kind).or_insert((0, *span));
                *most = (*most).max(*count);
            }
        }
    }

    /// Adds a joint that shows and hides its descendants in the takes with these numbers. In other
    /// takes, they stay at rest.
    pub(super) fn add_switch(
        &mut self,
        name: String,
        parent: Option<JointId>,
        at_rest: bool,
        shown: impl IntoIterator<Item = (usize, Shown)>,
    ) -> JointId {
        let source_index = self.skeleton.joints.len();
        let joint = self.skeleton.add_joint(Joint {
            visible: at_rest,
            source_index,
            ..Joint::new(name, parent)
        });
        for (take, shown) in shown {
            // Most of many variants are hidden in most of many takes.
            if !matches!(shown.as_slice(), [(_, is)] if *is == at_rest) {
                self.add_visibility(joint, take, &shown);
            }
        }
        joint
    }

    /// Adds the times at which a joint is shown or hidden in a take. Without times, there is
    /// nothing to animate.
    pub(super) fn add_visibility(&mut self, joint: JointId, take: usize, shown: &[(f32, bool)]) {
        let Some(builder) = self.builders.get_mut(take) else { return };
        let times: Vec<f32> = shown.iter().map(|(time, _)| *time).collect();
        let values: Vec<f32> = shown.iter().map(|(_, is)| f32::from(u8::from(*is))).collect();
        let (target, channel) = (joint.into(), Channel::Visibility);
        let _ = match values.as_slice() {
            [] => Ok(()),
            [_] => builder.constant(target, channel, &values),
            _ => builder.keys(target, channel, Interpolation::Step, &times, values),
        };
    }

    /// Charges the numbers in the keys of morph weights: each key has the weights of all targets.
    /// Returns whether they fit into the budget.
    pub(super) fn has_room(&mut self, numbers: usize) -> bool {
        if numbers == 0 {
            return true;
        }
        let charged = self.budget.charge_each::<f32>("the weights of morph targets", numbers);
        charged
            .map_err(|error| self.losses.push(&codes::EXPANSION, None, || error.to_string()))
            .is_ok()
    }
}
