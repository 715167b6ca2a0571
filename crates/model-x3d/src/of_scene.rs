//! Converts scenes that were read from files of other formats to nodes, so that they can be frames
//! of an animation and the content of `Inline` nodes.

use std::collections::HashMap;

use anim_ir::{
    Budget, Deformer, JointRef, LimitError, Mesh, MeshId, Scene, SkinId, Span, Transform,
};

use crate::graph::{Graph, NodeId, Value};
use crate::make::{Maker, VertexLists, Vertices, transform};

/// The largest difference between a matrix and its parts that is taken for rounding.
const ROUNDING: f32 = 1e-5;

impl Graph {
    /// Converts a scene to nodes. The scene is at rest: skinned meshes become the shape that their
    /// joints give them at rest, and morph targets have the default weights of their mesh.
    ///
    /// `format` is the name of the scene's format, such as `glTF`: scenes of different formats are
    /// never blended. Diagnostics refer to `span`. The paths of images are relative to the folder
    /// of the graph.
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if the nodes do not fit into the budget.
    pub fn of_scene(
        scene: &Scene,
        (format, span): (&'static str, Span),
        budget: &Budget,
    ) -> Result<Graph, LimitError> {
        let mut builder = Builder {
            maker: Maker::new(scene, span, budget, "models in frames"),
            meshes: HashMap::new(),
        };
        let root = builder.maker.add("Group", &scene.name, Vec::new())?;
        let joints = builder.joints(root)?;
        for node in &scene.nodes {
            let of = |joint: JointRef| {
                joints.get(joint.skeleton.index())?.get(joint.joint.index()).copied()
            };
            let parent = node.parent.and_then(of).unwrap_or(root);
            builder.place(node, parent, root)?;
        }
        Ok(builder.maker.finish(vec![root], Vec::new(), format))
    }
}

struct Builder<'s> {
    maker: Maker<'s>,
    /// The vertices of meshes that nothing bends.
    meshes: HashMap<MeshId, Vertices>,
}

impl Builder<'_> {
    /// Adds the joints of all skeletons. Returns their nodes.
    fn joints(&mut self, root: NodeId) -> Result<Vec<Vec<NodeId>>, LimitError> {
        let mut of_skeletons = Vec::with_capacity(self.maker.scene.skeletons.len());
        for skeleton in &self.maker.scene.skeletons {
            let mut of_joints: Vec<NodeId> = Vec::with_capacity(skeleton.joints.len());
            for joint in &skeleton.joints {
                // Matrices are blended element by element, so one that is a translation, rotation
                // and scale except for rounding becomes these.
                let exact = joint
                    .exact_rest
                    .filter(|exact| !joint.rest.to_matrix().is_near(*exact, ROUNDING));
                let (kind, mut fields) = match exact {
                    Some(matrix) => {
                        let numbers = Value::Floats(matrix.to_columns().to_vec().into());
                        ("MatrixTransform", vec![("matrix", numbers)])
                    }
                    None => ("Transform", transform(&joint.rest)),
                };
                if !joint.visible {
                    fields.push(("visible", Value::Bool(false)));
                }
                let id = self.maker.add(kind, &joint.name, fields)?;
                let parent = joint.parent.and_then(|parent| of_joints.get(parent.index()));
                self.maker.attach(parent.copied().unwrap_or(root), id);
                of_joints.push(id);
            }
            of_skeletons.push(of_joints);
        }
        Ok(of_skeletons)
    }

    /// Whether a joint or one above it is hidden at rest.
    fn is_hidden(&self, at: JointRef) -> bool {
        let mut next = self.maker.scene.joint(at);
        while let Some(joint) = next.filter(|joint| joint.visible) {
            let parent = joint.parent;
            next = parent.and_then(|joint| self.maker.scene.joint(JointRef { joint, ..at }));
        }
        next.is_some()
    }

    /// Adds the shapes or the camera of a node of the scene.
    fn place(
        &mut self,
        node: &anim_ir::Node,
        parent: NodeId,
        root: NodeId,
    ) -> Result<(), LimitError> {
        // A skin places its mesh by itself, but the joint may hide it.
        let mut parent = if node.skin.is_some() { root } else { parent };
        if node.skin.is_some() && node.parent.is_some_and(|joint| self.is_hidden(joint)) {
            parent = self.maker.add("Group", "", vec![("visible", Value::Bool(false))])?;
            self.maker.attach(root, parent);
        }
        if node.skin.is_none() && node.transform != Transform::IDENTITY {
            let placed = self.maker.add("Transform", &node.name, transform(&node.transform))?;
            self.maker.attach(parent, placed);
            parent = placed;
        }
        if node.camera.is_some() {
            let camera = self.maker.add("Viewpoint", &node.name, Vec::new())?;
            self.maker.attach(parent, camera);
        }
        let Some((id, mesh)) = node.mesh.and_then(|id| Some((id, self.maker.scene.mesh(id)?)))
        else {
            return Ok(());
        };
        let vertices = self.vertices((id, mesh), node.skin)?;
        let name = if node.name.is_empty() { &mesh.name } else { &node.name };
        for part in &mesh.primitives {
            let shape = self.maker.shape(name, (mesh, part), vertices)?;
            self.maker.attach(parent, shape);
        }
        Ok(())
    }

    /// Returns the nodes of a mesh's vertices. Nodes of the scene share a mesh unless skins bend
    /// it.
    fn vertices(
        &mut self,
        (id, mesh): (MeshId, &Mesh),
        skin: Option<SkinId>,
    ) -> Result<Vertices, LimitError> {
        if let Some(known) = self.meshes.get(&id).filter(|_| skin.is_none()) {
            return Ok(*known);
        }
        let mut deformer = Deformer::default();
        let skinning = self.maker.skin_at_rest(skin);
        deformer.deform(mesh, &mesh.morph_weights, &skinning);
        let vertices = self.maker.vertices(
            "",
            &VertexLists {
                positions: deformer.positions().into(),
                normals: deformer.normals().into(),
                texcoords: (&*mesh.texcoords).into(),
            },
        )?;
        if skin.is_none() {
            self.meshes.insert(id, vertices);
        }
        Ok(vertices)
    }
}
