//! Walks the node tree once for all frames of equal structure.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use anim_ir::number::index32;
use anim_ir::{Budget, Diagnostics, Span, Transform};

use super::choice;
use super::plan::{Look, Plan, PlannedJoint, PlannedShape};
use super::stage::FOLLOWING;
use super::step::{Part, Step};
use super::variants::versions;
use crate::codes;
use crate::events::Drives;
use crate::geometry::Source;
use crate::graph::{Graph, Node, NodeId, Value};
use crate::nodes::{Family, FieldKind};

/// The memory charged for each visit beyond the number of nodes: the planned shape and the node of
/// the scene, to which writers add their own. Nested reuse multiplies: a node used twice inside a
/// node used twice is visited four times, so even a small file can cause a huge number of visits.
const VISIT_BYTES: usize = 160;
/// Maximum number of texture transforms in effect, and of transforms below a changing matrix. Each
/// shape stores lists of both, which would otherwise grow with the nesting depth.
const MOST_STEPS: usize = 256;

/// The state in effect at a point in the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) joint: Option<usize>,
    baked: Vec<Step>,
    /// The skin that bends shapes.
    pub(super) skin: Option<usize>,
    /// The name of the innermost named ancestor.
    name: Option<Arc<str>>,
    // The nodes in effect in VRML 1.0.
    source: Source,
    look: Look,
}

pub(super) enum Task {
    Visit(NodeId),
    /// Restores the state from before a group that isolates its state.
    Restore(Box<State>),
    /// Adds the shapes of a skin.
    Skin(NodeId),
    /// Visits a child of a `Switch` whose choice changes.
    Choice(NodeId, u32, NodeId),
    /// Restores only the transforms.
    RestoreTransform(Option<usize>, Vec<Step>),
}

/// Walks the scene. All frames must have equal structure. Without frames, the plan is empty.
pub(super) fn plan(
    frames: &[Arc<Graph>],
    drives: &Drives,
    budget: &Budget,
    diagnostics: &mut Diagnostics,
) -> Plan {
    let Some(graph) = frames.first() else { return Plan::default() };
    let mut walk = Walk {
        frames,
        graph,
        drives,
        diagnostics,
        plan: Plan::default(),
        tasks: Vec::new(),
        state: State::default(),
        budget,
        loose: BTreeSet::new(),
        shown: BTreeMap::new(),
        visited: vec![false; graph.nodes.len()],
        ends: HashMap::new(),
    };
    walk.push(&graph.roots);
    let mut first_visits = graph.nodes.len();
    while let Some(task) = walk.tasks.pop() {
        match task {
            Task::Visit(id) => {
                if first_visits > 0 {
                    first_visits = first_visits.saturating_sub(1);
                } else if let Err(error) = budget.charge("reused nodes", VISIT_BYTES) {
                    walk.diagnostics.push(&codes::EXPANSION, None, || error.to_string());
                    break;
                }
                if let Some(visited) = walk.visited.get_mut(id.index()) {
                    *visited = true;
                }
                walk.visit(id);
            }
            Task::Restore(state) => walk.state = *state,
            Task::Skin(id) => walk.skinned_shapes(id),
            Task::Choice(switch, number, child) => walk.choice(switch, number, child),
            Task::RestoreTransform(joint, baked) => {
                (walk.state.joint, walk.state.baked) = (joint, baked)
            }
        }
    }
    walk.report_loose();
    walk.count_hidden();
    walk.plan
}

pub(super) struct Walk<'f> {
    frames: &'f [Arc<Graph>],
    pub(super) graph: &'f Graph,
    drives: &'f Drives,
    pub(super) diagnostics: &'f mut Diagnostics,
    pub(super) plan: Plan,
    pub(super) tasks: Vec<Task>,
    pub(super) state: State,
    budget: &'f Budget,
    /// Geometries, materials and other parts of shapes among the children of groups.
    pub(super) loose: BTreeSet<NodeId>,
    /// The children shown by groups that may hide some, computed once for all uses of a group.
    shown: BTreeMap<NodeId, Arc<[NodeId]>>,
    /// Which nodes of the graph have been visited.
    pub(super) visited: Vec<bool>,
    /// The planned joint that each transform ends in.
    pub(super) ends: HashMap<NodeId, usize>,
}

impl Walk<'_> {
    pub(super) fn push(&mut self, nodes: &[NodeId]) {
        self.tasks.extend(nodes.iter().rev().map(|id| Task::Visit(*id)));
    }

    /// Visits nodes and restores the current state afterwards.
    pub(super) fn push_apart(&mut self, nodes: &[NodeId]) {
        self.tasks.push(Task::Restore(Box::new(self.state.clone())));
        self.push(nodes);
    }

    fn visit(&mut self, id: NodeId) {
        let graph = self.graph;
        let Some(node) = graph.node(id) else { return };
        match node.kind.family {
            Family::X3d => self.visit_x3d(id, node),
            Family::Vrml1 => self.visit_vrml1(id, node),
        }
    }

    pub(super) fn enter(&mut self, id: NodeId, node: &Node, children: &[NodeId]) {
        let graph = self.graph;
        self.push_apart(children);
        if let Some(name) = graph.label(node) {
            self.state.name = Some(name);
        }
        let has = |field: &str| node.kind.field_index(field).is_some();
        let is_transform = has("translation") || has("matrix");
        // A matrix that changes does not become a joint that could be hidden.
        let is_hidden = self.visibility(id, node, has("translation"));
        if is_transform {
            let first = self.plan.joints.len();
            self.transform(id, node);
            if let Some(joint) = self.plan.joints.get_mut(first).filter(|_| is_hidden) {
                joint.visible = false;
            }
        }
    }

    /// Adds a step for the visibility of a node that is hidden or may become hidden. A node that
    /// `becomes_joint` and is never shown needs none: returns whether its own joint is hidden.
    fn visibility(&mut self, id: NodeId, node: &Node, becomes_joint: bool) -> bool {
        let field = node.kind.field("visible");
        if field.is_none_or(|field| field.kind != FieldKind::SFBool) {
            return false;
        }
        let is_driven = self.drives.any(id, node, "visible");
        let is_hidden = !is_driven && !node.flag("visible");
        if is_driven || is_hidden && !becomes_joint {
            self.step(Step { node: id, part: Part::Visible }, node, ".visible");
        }
        is_hidden && becomes_joint
    }

    /// Visits a child of a `Switch` whose choice changes.
    fn choice(&mut self, switch: NodeId, number: u32, child: NodeId) {
        let graph = self.graph;
        let Some(node) = graph.node(switch) else { return };
        self.push_apart(&[child]);
        self.step(Step { node: switch, part: Part::Choice(number) }, node, ".choice");
    }

    /// Returns the children of a group that it shows.
    fn shown(&mut self, id: NodeId, node: &Node) -> Arc<[NodeId]> {
        let of_group = || choice::shown(node, self.graph.children(id, "children")).into();
        Arc::clone(self.shown.entry(id).or_insert_with(of_group))
    }

    fn visit_x3d(&mut self, id: NodeId, node: &Node) {
        let graph = self.graph;
        match node.kind.name {
            "Shape" => self.shape(id, node),
            "Inline" => match graph.inlined.get(&id) {
                Some(roots) => {
                    self.drop_all_but(&[], node);
                    self.push_apart(roots)
                }
                None => self.drop(node),
            },
            "Switch" if self.drives.any(id, node, "whichChoice") => {
                self.enter(id, node, &[]);
                let choices = graph.children(id, "children").iter().enumerate().rev();
                self.tasks.extend(choices.map(|(at, child)| Task::Choice(id, index32(at), *child)));
            }
            "Switch" | "LOD" | "CADLayer" => {
                self.drop_all_but(&["children"], node);
                let shown = self.shown(id, node);
                self.enter(id, node, &shown);
            }
            "Skin" => self.skin(id, node),
            "HAnimHumanoid" => self.humanoid(id, node),
            name => {
                if FOLLOWING.contains(&name) {
                    self.drop(node);
                }
                if self.drives.uses(id) {
                } else if node.kind.field_index("children").is_some() {
                    self.drop_all_but(&["children"], node);
                    self.enter(id, node, graph.children(id, "children"));
                } else if node.kind.container != "children" {
                    self.loose.insert(id);
                } else {
                    self.drop(node);
                }
            }
        }
    }

    /// Counts the children that are not shown, except those that are used elsewhere: files use a
    /// `Switch` as a library of nodes.
    fn count_hidden(&mut self) {
        for id in self.shown.keys() {
            let Some(group) = self.graph.node(*id) else { continue };
            let children = self.graph.children(*id, "children").iter();
            let is_hidden = |child: &&NodeId| self.visited.get(child.index()) == Some(&false);
            let hidden = children.filter(is_hidden).count();
            if hidden > 0 {
                let (count, _) = self.plan.hidden.entry(group.kind.name).or_insert((0, group.span));
                *count = count.saturating_add(hidden);
            }
        }
    }

    fn visit_vrml1(&mut self, id: NodeId, node: &Node) {
        let graph = self.graph;
        let children = graph.children(id, "children");
        match node.kind.name {
            "Separator" | "WWWAnchor" => self.enter(id, node, children),
            "Group" => self.push(children),
            "TransformSeparator" => {
                self.tasks.push(Task::RestoreTransform(self.state.joint, self.state.baked.clone()));
                self.push(children);
            }
            "Switch" => {
                let shown = self.shown(id, node);
                self.push(&shown);
            }
            "LOD" => {
                let shown = self.shown(id, node);
                self.enter(id, node, &shown);
            }
            "WWWInline" => match graph.inlined.get(&id) {
                // A Castle Game Engine extension: state that the file sets stays in effect
                // after it.
                Some(roots) if !node.flag("separate") => self.push(roots),
                Some(roots) => self.push_apart(roots),
                None => self.drop(node),
            },
            "Translation" | "Rotation" | "Scale" | "Transform" | "MatrixTransform" => {
                self.transform(id, node)
            }
            "Coordinate3" => self.state.source.coordinates = Some(id),
            "Normal" => self.state.source.normals = Some(id),
            "NormalBinding" => self.state.source.normal_binding = Some(id),
            "TextureCoordinate2" => self.state.source.texcoords = Some(id),
            "Texture2Transform" if self.state.source.texture_transform.len() < MOST_STEPS => {
                self.state.source.texture_transform.push(id)
            }
            "Texture2Transform" => self.too_many_steps(node),
            "ShapeHints" => self.state.source.shape_hints = Some(id),
            "MaterialBinding" => self.state.source.material_binding = Some(id),
            "Material" => {
                (self.state.source.material, self.state.look.material) = (Some(id), Some(id))
            }
            "Texture2" => self.state.look.texture = Some(id),
            "IndexedFaceSet" | "IndexedLineSet" | "PointSet" | "Cube" | "Sphere" | "Cone"
            | "Cylinder" | "AsciiText" => {
                let mut source = self.state.source.clone();
                source.geometry = id;
                source.textured = self.state.look.texture.is_some();
                let look = Look { family: Some(Family::Vrml1), ..self.state.look.clone() };
                self.add_shape(source, look, node.name.clone());
            }
            _ => self.drop(node),
        }
    }

    fn shape(&mut self, id: NodeId, node: &Node) {
        let graph = self.graph;
        let Some(geometry) = graph.child(id, "geometry") else { return };
        let part = |field: &str| graph.child(geometry, field);
        let appearance = graph.child(id, "appearance");
        let mut look = self.look(appearance);
        let colors = part("color").and_then(|id| graph.node(id));
        look.has_alpha = colors.is_some_and(|node| node.kind.name == "ColorRGBA");
        look.modulates = colors.is_some_and(|node| node.strings("mode") == ["MODULATE"]);
        let source = Source {
            geometry,
            coordinates: part("coord"),
            normals: part("normal"),
            colors: part("color"),
            texcoords: part("texCoord"),
            texture_transform: appearance
                .and_then(|appearance| graph.child(appearance, "textureTransform"))
                .into_iter()
                .collect(),
            textured: look.textures().iter().any(Option::is_some),
            flipped: look
                .textures()
                .into_iter()
                .flatten()
                .filter_map(|texture| graph.node(texture))
                .any(|texture| texture.flag("flipVertically")),
            ..Source::default()
        };
        self.drop_all_but(&["appearance", "geometry"], node);
        let own = graph.node(geometry);
        own.inspect(|own| self.drop_all_but(&["coord", "normal", "color", "texCoord"], own));
        let own = own.and_then(|geometry| geometry.name.clone());
        let parent = self.state.joint;
        self.visibility(id, node, false);
        self.add_shape(source, look, graph.label(node).or(own));
        self.state.joint = parent;
    }

    fn add_shape(&mut self, source: Source, look: Look, name: Option<Arc<str>>) {
        let name = name.or(self.state.name.clone());
        let name = self.name(name.as_deref().unwrap_or_default());
        self.plan.shapes.push(PlannedShape {
            name,
            joint: self.state.joint,
            baked: self.state.baked.clone(),
            skin: self.skin_of(&source),
            source,
            look,
            own: None,
        });
    }

    /// Leaves a skin at a transform among its shapes, unless that changes nothing: a skin places
    /// its shapes by itself.
    fn leave_skin(&mut self, id: NodeId, node: &Node) {
        let step = Step { node: id, part: Part::Whole { oriented: false } };
        let moves = |graph: &Arc<Graph>| step.transform(graph) != Transform::IDENTITY;
        let is_driven = |field| self.drives.any(id, node, field);
        let is_placed = node.kind.name == "MatrixTransform"
            || self.frames.iter().any(moves)
            || ["translation", "rotation", "scale"].into_iter().any(is_driven);
        if is_placed {
            self.state.skin = None;
            self.diagnostics.push(&codes::NOT_ANIMATED, node.span, || {
                format!("joints do not bend the shapes in {} of a skin", self.graph.shown(id))
            });
        }
    }

    fn transform(&mut self, id: NodeId, node: &Node) {
        if self.state.skin.is_some() {
            self.leave_skin(id, node);
        }
        if node.kind.name == "MatrixTransform" {
            let step = Step { node: id, part: Part::Matrix };
            let first = step.matrix(self.graph);
            let changes = self.frames.iter().any(|graph| step.matrix(graph) != first);
            if changes && self.state.baked.is_empty() {
                self.state.baked.push(step);
            } else {
                self.step(step, node, "");
            }
            return;
        }
        let any = |test: &dyn Fn(&Node) -> bool| versions(self.frames, id).any(test);
        let has = |field: &str| node.kind.field_index(field).is_some();
        let turned_scale = |node: &Node| {
            let [x, y, z] = node.array::<3>(if node.kind.family == Family::Vrml1 {
                "scaleFactor"
            } else {
                "scale"
            });
            let [a, b, c, angle] = node.array::<4>("scaleOrientation");
            angle != 0.0 && [a, b, c] != [0.0; 3] && (x != y || y != z)
        };
        let drives = |field: &str| self.drives.any(id, node, field);
        let is_turned = |node: &Node| node.array::<4>("scaleOrientation")[3] != 0.0;
        let oriented = has("scaleOrientation")
            && (any(&turned_scale)
                || drives("scaleOrientation")
                || drives("scale") && any(&is_turned));
        let is_off_center = |node: &Node| node.array::<3>("center") != [0.0; 3];
        let centered = has("center") && (any(&is_off_center) || drives("center"));
        self.step(Step { node: id, part: Part::Whole { oriented } }, node, "");
        if oriented {
            self.step(Step { node: id, part: Part::Orientation }, node, ".scale");
            self.step(Step { node: id, part: Part::OrientationBack }, node, ".level");
        }
        if centered {
            self.step(Step { node: id, part: Part::CenterBack }, node, ".center");
        }
        self.ends.extend(self.state.joint.map(|joint| (id, joint)));
    }

    pub(super) fn step(&mut self, step: Step, node: &Node, suffix: &str) {
        if !self.state.baked.is_empty() {
            if self.state.baked.len() < MOST_STEPS {
                self.state.baked.push(step);
            } else {
                self.too_many_steps(node);
            }
            return;
        }
        let label = self.graph.label(node);
        let mut name = self.name(label.as_deref().unwrap_or(node.kind.name));
        name.push_str(suffix);
        let visible = step.is_visible(self.graph);
        self.plan.joints.push(PlannedJoint { name, parent: self.state.joint, step, visible });
        self.state.joint = self.plan.joints.len().checked_sub(1);
    }

    /// Returns a copy of a name, or an empty string if names take too much memory.
    fn name(&mut self, name: &str) -> String {
        // Each use of a reused node adds its name again.
        if let Err(error) = self.budget.charge("the names of nodes", name.len()) {
            self.diagnostics.push(&codes::EXPANSION, None, || error.to_string());
            return String::new();
        }
        name.to_owned()
    }

    fn too_many_steps(&mut self, node: &Node) {
        let message = || {
            format!(
                "more than {MOST_STEPS} transforms are in effect at the same time, including \
                this {}",
                node.kind.name
            )
        };
        self.diagnostics.push(&codes::EXPANSION, node.span, message);
    }

    /// Counts the nodes in all fields of a node except `fields` and `metadata`, since they have no
    /// counterpart.
    pub(super) fn drop_all_but(&mut self, fields: &[&str], node: &Node) {
        for (index, value) in &node.fields {
            let field = node.kind.field_name(*index);
            if let Value::Nodes(inside) = value
                && field != "metadata"
                && !fields.contains(&field)
            {
                for inside in inside.iter().filter_map(|id| self.graph.node(*id)) {
                    // A proxy is only used for collisions and never drawn (ISO/IEC 19775-1,
                    // 23.4.2).
                    let kind = if field == "proxy" { "collision proxy" } else { inside.kind.name };
                    self.drop_kind(kind, inside.span);
                }
            }
        }
    }

    pub(super) fn drop(&mut self, node: &Node) {
        self.drop_kind(node.kind.name, node.span);
    }

    fn drop_kind(&mut self, kind: &'static str, span: Span) {
        let (count, _) = self.plan.dropped.entry(kind).or_insert((0, span));
        *count = count.saturating_add(1);
    }
}
