//! Converts each object with faces, lines or points to a mesh.

use std::collections::HashMap;

use anim_ir::color::to_linear;
use anim_ir::number::{index32, narrow};
use anim_ir::{
    Diagnostics, Extras, Influences, JointId, LimitError, Limits, MaterialId, Mesh, Node,
    Primitive, Scene, SkinId, Topology, Value, Vec3, triangulate,
};

use crate::codes;
use crate::content::{Corner, ElementKind, Object, ObjectKind, Section, Vertices};
use crate::dialect::Dialect;
use crate::document::Document;

/// Maximum number of groups to list per mesh.
const GROUPS: usize = 1000;

/// Adds the meshes to the scene, each with its own node. `joints` are the indices of the document's
/// joints in the skeleton.
pub(crate) fn meshes(
    document: &Document<'_>,
    joints: &[JointId],
    limits: &Limits,
    scene: &mut Scene,
    losses: &mut Diagnostics,
) {
    let content = &document.content;
    let mut builders: Vec<(Option<u32>, MeshBuilder)> = Vec::new();
    let mut by_object: HashMap<Option<u32>, usize> = HashMap::new();
    let mut sections = content.sections.iter().peekable();
    let mut section = Section::default();
    for (number, (kind, corners)) in (0_u32..).zip(document.elements()) {
        while let Some(next) = sections.next_if(|next| next.first_element <= number) {
            section = *next;
        }
        let at = *by_object.entry(section.object).or_insert_with(|| {
            builders.push((section.object, MeshBuilder::default()));
            builders.len() - 1
        });
        let Some((_, builder)) = builders.get_mut(at) else { continue };
        if let Some(group) = section.group
            && !builder.groups.contains(&group)
            && builder.groups.len() < GROUPS
        {
            builder.groups.push(group);
        }
        let material = section.material.or(content.texture.is_some().then_some(0));
        let material = material.map(|material| MaterialId::new(material as usize));
        if let Err(error) = builder.add(document, kind, corners, material, limits) {
            losses.push(&codes::LOSS_POLYGON, None, || error.to_string());
        }
    }
    // If any row has a fifth joint and any has a fifth weight other than 0, all vertices get
    // five influences.
    let Vertices { positions, fifth_joints, fifth_weights, .. } = &content.vertices;
    let five = !fifth_joints.is_empty() && fifth_weights.iter().any(|(_, weight)| *weight != 0.0);
    let per_vertex = if five { 5 } else { 4 };
    let count = positions.len();
    losses.lost(&codes::LOSS_VERTICES, builders.is_empty() && count > 0, || {
        format!("{count} vertices are not used by any face, line or point")
    });
    for (object, builder) in builders {
        let object = object.and_then(|object| content.objects.get(object as usize));
        let mesh = builder.finish(document, object, joints, per_vertex);
        let skinned = mesh.influences.per_vertex > 0 && !scene.skins.is_empty();
        let skin = skinned.then_some(SkinId::default());
        let name = mesh.name.clone();
        let mesh = Some(scene.add_mesh(mesh));
        scene.add_node(Node { name, mesh, skin, ..Node::default() });
    }
}

/// The vertices of a mesh, one for each distinct combination of the five indices.
#[derive(Default)]
struct MeshBuilder {
    vertices: Vec<Corner>,
    by_corner: HashMap<Corner, u32>,
    primitives: Vec<Primitive>,
    by_part: HashMap<(ElementKind, Option<MaterialId>), usize>,
    groups: Vec<u32>,
}

impl MeshBuilder {
    fn add(
        &mut self,
        document: &Document<'_>,
        kind: ElementKind,
        corners: &[Corner],
        material: Option<MaterialId>,
        limits: &Limits,
    ) -> Result<(), LimitError> {
        let triangles = match (kind, corners.len()) {
            (ElementKind::Face, 0..=2) => return Ok(()),
            (ElementKind::Face, 3) => vec![[0, 1, 2]],
            (ElementKind::Face, _) => {
                let positions: Vec<Vec3> =
                    corners.iter().map(|corner| position(document, *corner)).collect();
                triangulate(&positions, limits)?
            }
            _ => Vec::new(),
        };
        let vertices: Vec<u32> = corners.iter().map(|corner| self.vertex(*corner)).collect();
        let at = *self.by_part.entry((kind, material)).or_insert_with(|| {
            let topology = match kind {
                ElementKind::Face => Topology::Triangles,
                ElementKind::Line => Topology::Lines,
                ElementKind::Points => Topology::Points,
            };
            self.primitives.push(Primitive { topology, indices: Vec::new(), material });
            self.primitives.len() - 1
        });
        let Some(part) = self.primitives.get_mut(at) else { return Ok(()) };
        match kind {
            ElementKind::Face => part
                .indices
                .extend(triangles.iter().flatten().filter_map(|corner| vertices.get(*corner))),
            ElementKind::Line => part.indices.extend(vertices.windows(2).flatten()),
            ElementKind::Points => part.indices.extend(&vertices),
        }
        Ok(())
    }

    fn vertex(&mut self, corner: Corner) -> u32 {
        *self.by_corner.entry(corner).or_insert_with(|| {
            self.vertices.push(corner);
            index32(self.vertices.len() - 1)
        })
    }

    fn finish(
        self,
        document: &Document<'_>,
        object: Option<&Object>,
        joints: &[JointId],
        per_vertex: usize,
    ) -> Mesh {
        let rows = &document.content.vertices;
        let vertices = self.vertices.as_slice();
        let any = |has: fn(&Corner) -> bool| vertices.iter().any(has);
        let mut mesh = Mesh {
            name: object.map_or(String::new(), |object| object.name.clone()),
            positions: vertices.iter().map(|corner| position(document, *corner)).collect(),
            extras: extras(document, object, &self.groups),
            primitives: self.primitives,
            ..Mesh::default()
        };
        if any(|corner| corner.normal().is_some()) {
            let normal = |corner: &Corner| row(&rows.normals, corner.normal()).into();
            mesh.normals = vertices.iter().map(normal).collect();
        }
        if any(|corner| corner.texcoord().is_some()) {
            // In files from editamo, v points down, as in glTF; in all other files, it points up.
            let flips = document.dialect() != Dialect::Editamo;
            let texcoord = |corner: &Corner| {
                let [u, v] = row(&rows.texcoords, corner.texcoord());
                [u, if flips { 1.0 - v } else { v }]
            };
            mesh.texcoords = vertices.iter().map(texcoord).collect();
        }
        if !rows.colors.is_empty() {
            let color = |corner: &Corner| {
                let key = |(index, _): &(u32, _)| *index as usize;
                let at = rows.colors.binary_search_by_key(&corner.position(), key).ok();
                at.and_then(|at| rows.colors.get(at)).map_or([1.0; 4], |(_, color)| linear(*color))
            };
            mesh.colors = vertices.iter().map(color).collect();
        }
        if any(|corner| corner.joints().is_some() && corner.weights().is_some()) {
            mesh.influences = influences(document, joints, vertices, per_vertex);
        }
        mesh
    }
}

fn extras(document: &Document<'_>, object: Option<&Object>, groups: &[u32]) -> Extras {
    let mut extras: Vec<(String, Value)> = Vec::new();
    if object.is_some_and(|object| object.kind == ObjectKind::Collision) {
        extras.push(("kind".into(), Value::from("collision")));
    }
    let mask = object.and_then(|object| u32::try_from(object.mask?).ok());
    extras.extend(mask.map(|mask| ("mask".into(), Value::from(mask))));
    if !groups.is_empty() {
        let names = groups.iter().filter_map(|at| document.content.groups.get(*at as usize));
        extras.push(("groups".into(), names.cloned().collect()));
    }
    if extras.is_empty() {
        Extras::default()
    } else {
        Extras::from([("amo".to_owned(), Value::Map(extras.into_iter().collect()))])
    }
}

/// Converts a colour from sRGB to linear. Alpha is kept.
fn linear([red, green, blue, alpha]: [f32; 4]) -> [f32; 4] {
    let [red, green, blue] = [red, green, blue].map(to_linear);
    [red, green, blue, alpha]
}

/// Returns a row, or zeros if it is missing.
fn row<const N: usize>(rows: &[[f32; N]], index: Option<usize>) -> [f32; N] {
    index.and_then(|index| rows.get(index)).copied().unwrap_or([0.0; N])
}

fn position(document: &Document<'_>, corner: Corner) -> Vec3 {
    row(document.positions(), Some(corner.position())).into()
}

/// Returns the influences given by the `vj` and `vw` rows, with weights normalised to a sum of 1.
fn influences(
    document: &Document<'_>,
    places: &[JointId],
    vertices: &[Corner],
    per_vertex: usize,
) -> Influences {
    let size = vertices.len() * per_vertex;
    let (mut joints, mut weights) = (Vec::with_capacity(size), Vec::with_capacity(size));
    for corner in vertices {
        let mut row = [(0_u32, 0.0_f64); 5];
        if let (Some(vj), Some(vw)) = (corner.joints(), corner.weights()) {
            let pairs = document.vertex_joints(vj).zip(document.vertex_weights(vw));
            for (slot, (joint, weight)) in row.iter_mut().zip(pairs) {
                // Weights of unused joints and negative weights are dropped.
                let place = joint.and_then(|joint| places.get(joint)).filter(|_| weight > 0.0);
                if let Some(place) = place {
                    *slot = (index32(place.index()), f64::from(weight));
                }
            }
        }
        let sum: f64 = row.iter().map(|(_, weight)| weight).sum();
        for (joint, weight) in row.iter().take(per_vertex) {
            joints.push(*joint);
            weights.push(if sum > 0.0 { narrow(weight / sum) } else { 0.0 });
        }
    }
    Influences { per_vertex, joints, weights }
}
