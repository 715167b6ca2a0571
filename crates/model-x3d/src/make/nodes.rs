//! A list of nodes that grows, and values of fields.

use std::collections::HashMap;
use std::sync::Arc;

use anim_ir::number::narrow;
use anim_ir::{
    Budget, ImageId, LimitError, Mat4, MaterialId, Pose, Quat, Scene, SkeletonId, SkinId, Span,
    Transform,
};

use crate::graph::{Graph, Links, Node, NodeId, Route, Value};
use crate::nodes::{Family, find};

/// The memory charged for a node.
pub(crate) const NODE_BYTES: usize = 256;

/// A list of nodes that grows.
pub(crate) struct Maker<'s> {
    pub(crate) scene: &'s Scene,
    /// The place to which diagnostics about the nodes refer.
    pub(crate) span: Span,
    pub(crate) budget: &'s Budget,
    /// What the budget is charged for.
    pub(crate) what: &'static str,
    /// Whether images whose content is known become part of the graph.
    pub(crate) embeds: bool,
    nodes: Vec<Node>,
    /// The children of each node.
    children: Vec<Vec<NodeId>>,
    pub(super) materials: HashMap<(Option<MaterialId>, [bool; 2]), NodeId>,
    pub(super) images: HashMap<ImageId, NodeId>,
    /// The model matrices of each skeleton's joints at rest.
    models: HashMap<SkeletonId, Vec<Mat4>>,
}

impl<'s> Maker<'s> {
    pub(crate) fn new(
        scene: &'s Scene,
        span: Span,
        budget: &'s Budget,
        what: &'static str,
    ) -> Maker<'s> {
        Maker {
            scene,
            span,
            budget,
            what,
            embeds: false,
            nodes: Vec::new(),
            children: Vec::new(),
            materials: HashMap::new(),
            images: HashMap::new(),
            models: HashMap::new(),
        }
    }

    /// Returns the matrices of a skin at rest; none without a skin.
    pub(crate) fn skin_at_rest(&mut self, id: Option<SkinId>) -> Vec<Mat4> {
        let mut matrices = Vec::new();
        if let Some(skin) = id.and_then(|id| self.scene.skin(id)) {
            let model = self.models.entry(skin.skeleton).or_insert_with(|| {
                let mut model = Vec::new();
                if let Some(skeleton) = self.scene.skeleton(skin.skeleton) {
                    Pose::default().model_matrices(skeleton, &mut model);
                }
                model
            });
            skin.matrices(model, &mut matrices);
        }
        matrices
    }

    /// Adds a node. Its type and fields must exist.
    pub(crate) fn add(
        &mut self,
        kind: &'static str,
        name: &str,
        fields: Vec<(&str, Value)>,
    ) -> Result<NodeId, LimitError> {
        let numbers = fields.iter().map(|(_, value)| match value {
            Value::Floats(numbers) => size_of_val::<[f32]>(numbers),
            Value::Ints(numbers) => size_of_val::<[i32]>(numbers),
            Value::Strings(strings) => strings.iter().map(String::len).sum(),
            _ => 0,
        });
        let bytes = numbers.fold(NODE_BYTES.saturating_add(name.len()), usize::saturating_add);
        self.budget.charge(self.what, bytes)?;
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let Some(kind) = find(kind, Family::X3d) else { return Ok(id) };
        let fields = fields.into_iter();
        // Scenes may have many nodes, so no room is left over.
        let mut known = Vec::with_capacity(fields.size_hint().0);
        known.extend(fields.filter_map(|(field, value)| Some((kind.field_index(field)?, value))));
        self.nodes.push(Node {
            kind,
            name: (!name.is_empty()).then(|| name.into()),
            fields: known,
            span: self.span,
        });
        self.children.push(Vec::new());
        Ok(id)
    }

    /// Adds a node to the children of another.
    pub(crate) fn attach(&mut self, parent: NodeId, child: NodeId) {
        if let Some(children) = self.children.get_mut(parent.index()) {
            children.push(child);
        }
    }

    /// Returns the children of a node, to put them in another order.
    pub(crate) fn children_mut(&mut self, parent: NodeId) -> &mut [NodeId] {
        self.children.get_mut(parent.index()).map_or(&mut [], Vec::as_mut_slice)
    }

    /// Sets a field of a node that has been added without it.
    pub(crate) fn set(&mut self, node: NodeId, field: &str, value: Value) {
        if let Some(node) = self.nodes.get_mut(node.index())
            && let Some(field) = node.kind.field_index(field)
        {
            node.fields.push((field, value));
        }
    }

    pub(crate) fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.index())
    }

    /// Returns the graph.
    pub(crate) fn finish(
        mut self,
        roots: Vec<NodeId>,
        routes: Vec<Route>,
        format: &'static str,
    ) -> Graph {
        for (node, children) in self.nodes.iter_mut().zip(self.children) {
            if let Some(field) = node.kind.field_index("children")
                && !children.is_empty()
            {
                node.fields.push((field, Value::Nodes(children)));
            }
        }
        Graph {
            nodes: self.nodes.into_iter().map(Arc::new).collect(),
            roots,
            format,
            links: Arc::new(Links { routes, ..Links::default() }),
            ..Graph::default()
        }
    }
}

/// Returns a field of numbers.
pub(crate) fn floats(numbers: impl Into<Vec<f32>>) -> Value {
    Value::Floats(Arc::new(numbers.into()))
}

/// Returns the axis and angle of a rotation, as a field has them.
pub(crate) fn axis_angle(rotation: Quat) -> [f32; 4] {
    let (axis, angle) = rotation.to_axis_angle();
    let [x, y, z] = axis.to_array();
    [x, y, z, narrow(angle)]
}

/// Returns the fields of a `Transform`, without those that have their default.
pub(crate) fn transform(transform: &Transform) -> Vec<(&'static str, Value)> {
    let Transform { translation, rotation, scale } = *transform;
    let rest = Transform::IDENTITY;
    let mut fields = Vec::new();
    if translation != rest.translation {
        fields.push(("translation", floats(translation.to_array())));
    }
    if rotation != rest.rotation {
        fields.push(("rotation", floats(axis_angle(rotation))));
    }
    if scale != rest.scale {
        fields.push(("scale", floats(scale.to_array())));
    }
    fields
}
