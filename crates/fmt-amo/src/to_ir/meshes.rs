//! Converts each object with faces, lines or points to a mesh.

use std::collections::HashMap;
use std::ops::Range;

use anim_ir::color::to_linear;
use anim_ir::number::{index32, narrow};
use anim_ir::{
    Diagnostics, Extras, Influences, JointId, LimitError, Limits, MaterialId, Mesh, Node,
    Primitive, Scene, SkinId, Topology, Value, Vec3, insert_all, triangulate,
};

use crate::codes;
use crate::content::{Content, ElementKind, Object, ObjectKind, Section, Vertices, with_corners};
use crate::corners::Corner;
use crate::dialect::Dialect;
use crate::document::Document;
use crate::to_ir::vertices::VertexSet;

/// Maximum number of groups to list per mesh.
const GROUPS: usize = 1000;

/// Adds the meshes to the scene, each with its own node. `joints` are the indices of the document's
/// joints in the skeleton. Returns the number of groups that the meshes' extras list.
pub(crate) fn meshes(
    document: &Document<'_>,
    joints: &[JointId],
    limits: &Limits,
    scene: &mut Scene,
    losses: &mut Diagnostics,
) -> usize {
    let content = &document.content;
    // If any row has a fifth joint and any has a fifth weight other than 0, all vertices get
    // five influences.
    let Vertices { positions, fifth_joints, fifth_weights, .. } = &content.vertices;
    let five = !fifth_joints.is_empty() && fifth_weights.iter().any(|(_, weight)| *weight != 0.0);
    let per_vertex = if five { 5 } else { 4 };
    let objects = parts_of_objects(content);
    let count = positions.len();
    losses.lost(&codes::LOSS_VERTICES, objects.is_empty() && count > 0, || {
        format!("{count} vertices are not used by any face, line or point")
    });
    let mut vertices = VertexSet::new(&content.corners, count);
    let mut listed = vec![false; content.groups.len()];
    for (object, parts) in objects {
        let mut builder = MeshBuilder::new(document, &mut vertices);
        for (section, elements) in parts {
            builder.add(section, elements, limits, losses);
        }
        for group in &builder.groups {
            if let Some(is_listed) = listed.get_mut(*group as usize) {
                *is_listed = true;
            }
        }
        let object = object.and_then(|object| content.objects.get(object as usize));
        let mesh = builder.finish(object, joints, per_vertex);
        let skinned = mesh.influences.per_vertex > 0 && !scene.skins.is_empty();
        let skin = skinned.then_some(SkinId::default());
        let name = mesh.name.clone();
        let mesh = Some(scene.add_mesh(mesh));
        scene.add_node(Node { name, mesh, skin, ..Node::default() });
    }
    listed.into_iter().filter(|is_listed| *is_listed).count()
}

/// An object (`None` before the first) and its sections, each with the range of its elements.
pub(crate) type Parts = (Option<u32>, Vec<(Section, Range<usize>)>);

/// Returns the objects that have elements, ordered by their first element.
pub(crate) fn parts_of_objects(content: &Content) -> Vec<Parts> {
    let count = content.elements.len();
    let mut objects: Vec<Parts> = Vec::new();
    let mut by_object: HashMap<usize, usize> = HashMap::new();
    let starts = [Section::default()].into_iter().chain(content.sections.iter().copied());
    let ends = content.sections.iter().map(|next| next.first_element as usize).chain([count]);
    for (section, end) in starts.zip(ends) {
        let elements = section.first_element as usize..end.min(count);
        if elements.is_empty() {
            continue;
        }
        let object = section.object.map_or(usize::MAX, |object| object as usize);
        let at = *by_object.entry(object).or_insert_with(|| {
            objects.push((section.object, Vec::new()));
            objects.len() - 1
        });
        if let Some((_, parts)) = objects.get_mut(at) {
            parts.push((section, elements));
        }
    }
    objects
}

/// A mesh under construction.
struct MeshBuilder<'a, 'b> {
    document: &'a Document<'a>,
    vertices: &'b mut VertexSet<'a>,
    primitives: Vec<Primitive>,
    by_part: HashMap<(ElementKind, Option<MaterialId>), usize>,
    groups: Vec<u32>,
}

impl<'a, 'b> MeshBuilder<'a, 'b> {
    fn new(document: &'a Document<'a>, vertices: &'b mut VertexSet<'a>) -> Self {
        vertices.clear();
        let (primitives, by_part, groups) = Default::default();
        MeshBuilder { document, vertices, primitives, by_part, groups }
    }

    /// Adds consecutive elements of the object.
    fn add(
        &mut self,
        section: Section,
        elements: Range<usize>,
        limits: &Limits,
        losses: &mut Diagnostics,
    ) {
        let content = &self.document.content;
        if let Some(group) = section.group
            && !self.groups.contains(&group)
            && self.groups.len() < GROUPS
        {
            self.groups.push(group);
        }
        let material = section.material.or(content.texture.is_some().then_some(0));
        let material = material.map(|material| MaterialId::new(material as usize));
        let end = content.corners_of(&elements).end;
        let mut rest = with_corners(content.elements.get(elements).unwrap_or_default(), end)
            .map(|(element, corners)| (element.kind, corners))
            .peekable();
        while let Some(kind) = rest.peek().map(|(kind, _)| *kind) {
            let most = rest.size_hint().0;
            let part = self.part(kind, material);
            let Some(primitive) = self.primitives.get_mut(part) else { return };
            let indices = &mut primitive.indices;
            if kind == ElementKind::Face {
                indices.reserve(most * 3);
            }
            while let Some((_, corners)) = rest.next_if(|(next, _)| *next == kind) {
                let result =
                    add_element(self.document, kind, corners, self.vertices, indices, limits);
                if let Err(error) = result {
                    losses.push(&codes::LOSS_POLYGON, None, || error.to_string());
                }
            }
        }
    }

    /// Returns the index of the primitive for elements of this kind.
    fn part(&mut self, kind: ElementKind, material: Option<MaterialId>) -> usize {
        *self.by_part.entry((kind, material)).or_insert_with(|| {
            let topology = match kind {
                ElementKind::Face => Topology::Triangles,
                ElementKind::Line => Topology::Lines,
                ElementKind::Points => Topology::Points,
            };
            self.primitives.push(Primitive { topology, indices: Vec::new(), material });
            self.primitives.len() - 1
        })
    }

    fn finish(self, object: Option<&Object>, joints: &[JointId], per_vertex: usize) -> Mesh {
        let document = self.document;
        let rows = &document.content.vertices;
        let vertices = self.vertices.corners();
        let any = |rows: usize, has: fn(Corner) -> bool| rows > 0 && vertices.clone().any(has);
        let has_normals = any(rows.normals.len(), |corner| corner.normal().is_some());
        let has_texcoords = any(rows.texcoords.len(), |corner| corner.texcoord().is_some());
        let is_bound = any(rows.joints.len(), |corner| {
            corner.joints().is_some() && corner.weights().is_some()
        });
        let room = |has: bool| if has { vertices.len() } else { 0 };
        let mut primitives = self.primitives;
        // Polygons that cannot be triangulated leave a primitive empty.
        primitives.retain(|primitive| !primitive.indices.is_empty());
        let mut mesh = Mesh {
            name: object.map_or(String::new(), |object| object.name.clone()),
            positions: Vec::with_capacity(vertices.len()),
            normals: Vec::with_capacity(room(has_normals)),
            texcoords: Vec::with_capacity(room(has_texcoords)),
            extras: extras(document, object, &self.groups),
            primitives,
            ..Mesh::default()
        };
        // In files from editamo, v points down, as in glTF; in all other files, it points up.
        let flips = document.dialect() != Dialect::Editamo;
        // A single pass, since accesses to corners mostly miss the cache.
        for corner in vertices.clone() {
            mesh.positions.push(position(document, corner));
            if has_normals {
                mesh.normals.push(row(&rows.normals, corner.normal()).into());
            }
            if has_texcoords {
                let [u, v] = row(&rows.texcoords, corner.texcoord());
                mesh.texcoords.push([u, if flips { 1.0 - v } else { v }]);
            }
        }
        if !rows.colors.is_empty() {
            let color = |corner: Corner| {
                let key = |(index, _): &(u32, _)| *index as usize;
                let at = rows.colors.binary_search_by_key(&corner.position(), key).ok();
                at.and_then(|at| rows.colors.get(at)).map_or([1.0; 4], |(_, color)| linear(*color))
            };
            mesh.colors = vertices.clone().map(color).collect();
        }
        if is_bound {
            mesh.influences = influences(document, joints, vertices, per_vertex);
        }
        mesh
    }
}

/// Appends the indices of an element, with polygons as triangles.
#[inline]
fn add_element(
    document: &Document<'_>,
    kind: ElementKind,
    corners: Range<usize>,
    vertices: &mut VertexSet<'_>,
    indices: &mut Vec<u32>,
    limits: &Limits,
) -> Result<(), LimitError> {
    match kind {
        ElementKind::Face if corners.len() == 3 => {
            indices.extend(corners.map(|at| vertices.index(at)));
        }
        ElementKind::Face => {
            let list = document.content.corners.range(corners.clone());
            let positions: Vec<Vec3> = list.map(|corner| position(document, corner)).collect();
            let triangles = triangulate(&positions, limits)?;
            let polygon: Vec<u32> = corners.map(|at| vertices.index(at)).collect();
            indices.extend(triangles.iter().flatten().filter_map(|corner| polygon.get(*corner)));
        }
        ElementKind::Line => {
            let line: Vec<u32> = corners.map(|at| vertices.index(at)).collect();
            indices.extend(line.windows(2).flatten());
        }
        ElementKind::Points => indices.extend(corners.map(|at| vertices.index(at))),
    }
    Ok(())
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
        Extras::from([("amo".to_owned(), Value::Map(insert_all(extras)))])
    }
}

/// Converts a colour from sRGB to linear. Alpha is kept.
pub(super) fn linear([red, green, blue, alpha]: [f32; 4]) -> [f32; 4] {
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
    vertices: impl ExactSizeIterator<Item = Corner>,
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
