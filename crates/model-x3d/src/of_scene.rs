//! Converts scenes that were read from files of other formats to nodes, so that they can be frames
//! of an animation and the content of `Inline` nodes.

use std::collections::HashMap;
use std::sync::Arc;

use anim_ir::color::to_srgb;
use anim_ir::number::narrow;
use anim_ir::{
    Budget, Deformer, ImageId, JointRef, LimitError, Mat4, MaterialId, Mesh, MeshId, Pose,
    Primitive, Scene, SkeletonId, SkinId, Span, Topology, Transform,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::graph::{Graph, Node, NodeId, Value};
use crate::nodes::{Family, find};

/// The largest difference between a matrix and its parts that is taken for rounding.
const ROUNDING: f32 = 1e-5;
/// The memory charged for a node.
const NODE_BYTES: usize = 256;

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
            scene,
            span,
            budget,
            nodes: Vec::new(),
            children: Vec::new(),
            materials: HashMap::new(),
            images: HashMap::new(),
            meshes: HashMap::new(),
            skinning: HashMap::new(),
            models: HashMap::new(),
        };
        let root = builder.add("Group", &scene.name, Vec::new())?;
        let joints = builder.joints(root)?;
        for node in &scene.nodes {
            let of = |joint: JointRef| {
                joints.get(joint.skeleton.index())?.get(joint.joint.index()).copied()
            };
            let parent = node.parent.and_then(of).unwrap_or(root);
            builder.place(node, parent, root)?;
        }
        Ok(builder.finish(root, format))
    }
}

struct Builder<'s> {
    scene: &'s Scene,
    span: Span,
    budget: &'s Budget,
    nodes: Vec<Node>,
    /// The children of each node.
    children: Vec<Vec<NodeId>>,
    materials: HashMap<Option<MaterialId>, NodeId>,
    images: HashMap<ImageId, NodeId>,
    /// The vertices of meshes that nothing bends.
    meshes: HashMap<MeshId, Vertices>,
    /// The matrices of each skin at rest.
    skinning: HashMap<SkinId, Vec<Mat4>>,
    /// The matrices of each skeleton's joints at rest.
    models: HashMap<SkeletonId, Vec<Mat4>>,
}

/// The nodes that hold the vertices of a mesh.
#[derive(Clone, Copy, Default)]
struct Vertices {
    points: Option<NodeId>,
    normals: Option<NodeId>,
    texcoords: Option<NodeId>,
}

impl Builder<'_> {
    fn add(
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
        self.budget.charge("models in frames", bytes)?;
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let Some(kind) = find(kind, Family::X3d) else { return Ok(id) };
        let fields = fields.into_iter();
        let fields = fields.filter_map(|(field, value)| Some((kind.field_index(field)?, value)));
        self.nodes.push(Node {
            kind,
            name: (!name.is_empty()).then(|| name.into()),
            fields: fields.collect(),
            span: self.span,
        });
        self.children.push(Vec::new());
        Ok(id)
    }

    fn attach(&mut self, parent: NodeId, child: NodeId) {
        if let Some(children) = self.children.get_mut(parent.index()) {
            children.push(child);
        }
    }

    /// Adds the joints of all skeletons. Returns their nodes.
    fn joints(&mut self, root: NodeId) -> Result<Vec<Vec<NodeId>>, LimitError> {
        let mut of_skeletons = Vec::with_capacity(self.scene.skeletons.len());
        for skeleton in &self.scene.skeletons {
            let mut of_joints: Vec<NodeId> = Vec::with_capacity(skeleton.joints.len());
            for joint in &skeleton.joints {
                // Matrices are blended element by element, so one that is a translation, rotation
                // and scale except for rounding becomes these.
                let exact = joint
                    .exact_rest
                    .filter(|exact| !joint.rest.to_matrix().is_near(*exact, ROUNDING));
                let (kind, mut fields) = match exact {
                    Some(matrix) => {
                        let numbers = Value::Floats(matrix.to_columns().into());
                        ("MatrixTransform", vec![("matrix", numbers)])
                    }
                    None => ("Transform", transform(&joint.rest)),
                };
                if !joint.visible {
                    fields.push(("visible", Value::Bool(false)));
                }
                let id = self.add(kind, &joint.name, fields)?;
                let parent = joint.parent.and_then(|parent| of_joints.get(parent.index()));
                self.attach(parent.copied().unwrap_or(root), id);
                of_joints.push(id);
            }
            of_skeletons.push(of_joints);
        }
        Ok(of_skeletons)
    }

    /// Adds the shapes or the camera of a node of the scene.
    fn place(
        &mut self,
        node: &anim_ir::Node,
        parent: NodeId,
        root: NodeId,
    ) -> Result<(), LimitError> {
        // A skin places its mesh by itself.
        let mut parent = if node.skin.is_some() { root } else { parent };
        if node.skin.is_none() && node.transform != Transform::IDENTITY {
            let placed = self.add("Transform", &node.name, transform(&node.transform))?;
            self.attach(parent, placed);
            parent = placed;
        }
        if node.camera.is_some() {
            let camera = self.add("Viewpoint", &node.name, Vec::new())?;
            self.attach(parent, camera);
        }
        let Some((id, mesh)) = node.mesh.and_then(|id| Some((id, self.scene.mesh(id)?))) else {
            return Ok(());
        };
        let vertices = self.vertices((id, mesh), node.skin)?;
        let name = if node.name.is_empty() { &mesh.name } else { &node.name };
        for part in &mesh.primitives {
            let shape = self.shape(name, mesh, part, vertices)?;
            self.attach(parent, shape);
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
        let skinning = skin.map_or(&[][..], |skin| self.matrices(skin));
        deformer.deform(mesh, &mesh.morph_weights, skinning);
        let vectors = |list: &[anim_ir::Vec3]| Value::Floats(bytemuck::cast_slice(list).into());
        let mut vertices = Vertices {
            points: Some(self.add(
                "Coordinate",
                "",
                vec![("point", vectors(deformer.positions()))],
            )?),
            ..Vertices::default()
        };
        if !deformer.normals().is_empty() {
            let normals = vec![("vector", vectors(deformer.normals()))];
            vertices.normals = Some(self.add("Normal", "", normals)?);
        }
        if !mesh.texcoords.is_empty() {
            // In X3D, v points up.
            let points: Arc<[f32]> =
                mesh.texcoords.iter().flat_map(|[u, v]| [*u, 1.0 - v]).collect();
            let points = vec![("point", Value::Floats(points))];
            vertices.texcoords = Some(self.add("TextureCoordinate", "", points)?);
        }
        if skin.is_none() {
            self.meshes.insert(id, vertices);
        }
        Ok(vertices)
    }

    /// Returns the matrices of a skin at rest.
    fn matrices(&mut self, id: SkinId) -> &[Mat4] {
        let Builder { scene, skinning, models, .. } = self;
        skinning.entry(id).or_insert_with(|| {
            let mut matrices = Vec::new();
            if let Some(skin) = scene.skin(id) {
                let model = models.entry(skin.skeleton).or_insert_with(|| {
                    let mut model = Vec::new();
                    if let Some(skeleton) = scene.skeleton(skin.skeleton) {
                        Pose::default().model_matrices(skeleton, &mut model);
                    }
                    model
                });
                skin.matrices(model, &mut matrices);
            }
            matrices
        })
    }

    fn shape(
        &mut self,
        name: &str,
        mesh: &Mesh,
        part: &Primitive,
        vertices: Vertices,
    ) -> Result<NodeId, LimitError> {
        let node = |id: NodeId| Value::Nodes(vec![id]);
        let index = |at: &u32| i32::try_from(*at).unwrap_or(i32::MAX);
        let corners = part.indices.iter().map(index);
        let double_sided =
            part.material.and_then(|id| self.scene.material(id)).is_none_or(|it| it.double_sided);
        let mut fields = Vec::new();
        let kind = match part.topology {
            Topology::Triangles => {
                fields.push(("index", Value::Ints(corners.collect())));
                fields.push(("solid", Value::Bool(!double_sided)));
                fields.extend(vertices.normals.map(|id| ("normal", node(id))));
                fields.extend(vertices.texcoords.map(|id| ("texCoord", node(id))));
                "IndexedTriangleSet"
            }
            Topology::Lines => {
                let lines = part.indices.as_chunks::<2>().0.iter();
                let lines = lines.flat_map(|[from, to]| [index(from), index(to), -1]);
                fields.push(("coordIndex", Value::Ints(lines.collect())));
                "IndexedLineSet"
            }
            Topology::Points => "PointSet",
        };
        let drawn = |list: &[f32], width: usize| -> Arc<[f32]> {
            let row = |at: &u32| list.chunks_exact(width).nth(*at as usize).unwrap_or_default();
            part.indices.iter().flat_map(row).copied().collect()
        };
        let (mut points, mut colors) = (vertices.points, self.colors(mesh, part));
        if part.topology == Topology::Points {
            // A set of points draws all of them, in order.
            let own = points.and_then(|id| self.nodes.get(id.index()));
            let own = own.map(|node| drawn(node.floats("point"), 3)).unwrap_or_default();
            points = Some(self.add("Coordinate", "", vec![("point", Value::Floats(own))])?);
            colors = colors.map(|colors| drawn(&colors, 4));
        }
        fields.extend(points.map(|id| ("coord", node(id))));
        if let Some(colors) = colors {
            let colors = self.add("ColorRGBA", "", vec![("color", Value::Floats(colors))])?;
            fields.push(("color", node(colors)));
        }
        let geometry = self.add(kind, "", fields)?;
        let appearance = self.appearance(part.material)?;
        let fields = vec![("geometry", node(geometry)), ("appearance", node(appearance))];
        self.add("Shape", name, fields)
    }

    /// Returns the colours of the vertices in sRGB, or `None` if there are none. In X3D they
    /// replace the colour of the material instead of multiplying it.
    fn colors(&self, mesh: &Mesh, part: &Primitive) -> Option<Arc<[f32]>> {
        let material = part.material.and_then(|id| self.scene.material(id));
        let [r, g, b, _] = material.map_or([1.0; 4], |material| material.base_color);
        let screen = |[red, green, blue, alpha]: &[f32; 4]| {
            [to_srgb(red * r), to_srgb(green * g), to_srgb(blue * b), *alpha]
        };
        (!mesh.colors.is_empty()).then(|| mesh.colors.iter().flat_map(screen).collect())
    }

    fn appearance(&mut self, material: Option<MaterialId>) -> Result<NodeId, LimitError> {
        if let Some(known) = self.materials.get(&material) {
            return Ok(*known);
        }
        let usual = anim_ir::Material::default();
        let found = material.and_then(|id| self.scene.material(id)).unwrap_or(&usual);
        let color = |color: [f32; 3]| Value::Floats(color.map(to_srgb).as_slice().into());
        let number = |number: f32| Value::Floats([number].as_slice().into());
        let [r, g, b, alpha] = found.base_color;
        let mut fields = vec![("transparency", number(1.0 - alpha))];
        let kind = if found.unlit {
            fields.push(("emissiveColor", color([r, g, b])));
            "UnlitMaterial"
        } else {
            fields.extend([
                ("baseColor", color([r, g, b])),
                ("emissiveColor", color(found.emissive)),
                ("metallic", number(found.metallic)),
                ("roughness", number(found.roughness)),
                ("occlusionStrength", number(found.occlusion_strength)),
            ]);
            "PhysicalMaterial"
        };
        fields.push(("normalScale", number(found.normal_scale)));
        let base = if found.unlit { "emissiveTexture" } else { "baseTexture" };
        let slots = [
            base,
            if found.unlit { "" } else { "emissiveTexture" },
            "metallicRoughnessTexture",
            "normalTexture",
            "occlusionTexture",
        ];
        for (slot, image) in slots.into_iter().zip(found.images()) {
            if let Some(image) = image.filter(|_| !slot.is_empty()) {
                fields.push((slot, Value::Nodes(vec![self.image(image)?])));
            }
        }
        let surface = self.add(kind, &found.name, fields)?;
        let fields = vec![("material", Value::Nodes(vec![surface]))];
        let appearance = self.add("Appearance", "", fields)?;
        self.materials.insert(material, appearance);
        Ok(appearance)
    }

    fn image(&mut self, id: ImageId) -> Result<NodeId, LimitError> {
        if let Some(known) = self.images.get(&id) {
            return Ok(*known);
        }
        let (mut name, mut url) = (String::new(), String::new());
        if let Some(image) = self.scene.image(id) {
            name.clone_from(&image.name);
            url = match (&image.path, &image.bytes) {
                (Some(path), _) => path.replace('%', "%25"),
                (None, Some(bytes)) => {
                    // Whoever reads the image finds its type by its content.
                    format!("data:;base64,{}", STANDARD.encode(bytes))
                }
                (None, None) => String::new(),
            };
        }
        let fields = vec![("url", Value::Strings([url].as_slice().into()))];
        let node = self.add("ImageTexture", &name, fields)?;
        self.images.insert(id, node);
        Ok(node)
    }

    fn finish(mut self, root: NodeId, format: &'static str) -> Graph {
        for (node, children) in self.nodes.iter_mut().zip(self.children) {
            if let Some(field) = node.kind.field_index("children")
                && !children.is_empty()
            {
                node.fields.push((field, Value::Nodes(children)));
            }
        }
        Graph {
            nodes: self.nodes.into_iter().map(Arc::new).collect(),
            roots: vec![root],
            format,
            ..Graph::default()
        }
    }
}

/// Returns the fields of a `Transform`.
fn transform(transform: &Transform) -> Vec<(&'static str, Value)> {
    let numbers = |numbers: &[f32]| Value::Floats(numbers.into());
    let (axis, angle) = transform.rotation.to_axis_angle();
    let [x, y, z] = axis.to_array();
    vec![
        ("translation", numbers(&transform.translation.to_array())),
        ("rotation", numbers(&[x, y, z, narrow(angle)])),
        ("scale", numbers(&transform.scale.to_array())),
    ]
}
