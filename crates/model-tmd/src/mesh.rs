//! Conversion of an object's packets to a mesh.

use std::collections::HashMap;

use anim_ir::color::to_linear;
use anim_ir::number::narrow;
use anim_ir::{MaterialId, Mesh, Primitive, Topology, Vec3};

use crate::document::{Document, Object};
use crate::packet::{Corner, Line, Polygon};

/// The triangles of a polygon, as indices of its corners. Front faces are clockwise in the file
/// but counter-clockwise in the mesh.
const TRIANGLES: [[usize; 3]; 2] = [[0, 2, 1], [1, 2, 3]];

pub(crate) struct MeshBuilder<'a> {
    document: &'a Document<'a>,
    object: &'a Object,
    /// The vertices of the mesh, one per distinct corner.
    corners: Vec<Corner>,
    known: HashMap<Corner, u32>,
    primitives: Vec<Primitive>,
    /// Primitive indices, keyed by the number of vertices per element and the material.
    parts: HashMap<(usize, MaterialId), usize>,
}

impl<'a> MeshBuilder<'a> {
    pub(crate) fn new(document: &'a Document<'a>, object: &'a Object) -> MeshBuilder<'a> {
        MeshBuilder {
            document,
            object,
            corners: Vec::new(),
            known: HashMap::new(),
            primitives: Vec::new(),
            parts: HashMap::new(),
        }
    }

    /// Adds a polygon if its vertices exist. Returns whether they do.
    pub(crate) fn polygon(
        &mut self,
        polygon: &Polygon,
        material: impl FnOnce() -> MaterialId,
    ) -> bool {
        let corners = polygon.corners();
        let triangles = TRIANGLES.get(..corners.len().saturating_sub(2)).unwrap_or_default();
        self.add(Topology::Triangles, corners, triangles.as_flattened(), material)
    }

    /// Adds a line or a dot if its vertices exist. Returns whether they do.
    pub(crate) fn line(&mut self, line: &Line, material: impl FnOnce() -> MaterialId) -> bool {
        let [from, to] = line.vertices;
        let [first, second] = line.colors;
        let end = |vertex, color| Corner { vertex, color: Some(color), ..Corner::default() };
        let ends = [end(from, first), end(to, second)];
        if from == to {
            self.add(Topology::Points, &ends, &[0], material)
        } else {
            self.add(Topology::Lines, &ends, &[0, 1], material)
        }
    }

    /// Adds elements; `order` contains indices into `corners`.
    fn add(
        &mut self,
        topology: Topology,
        corners: &[Corner],
        order: &[usize],
        material: impl FnOnce() -> MaterialId,
    ) -> bool {
        if corners.iter().any(|corner| self.document.vertex(self.object, corner.vertex).is_none()) {
            return false;
        }
        let part = self.part(topology, material());
        for corner in order.iter().filter_map(|at| corners.get(*at)) {
            let vertex = self.vertex(*corner);
            if let Some(primitive) = self.primitives.get_mut(part) {
                primitive.indices.push(vertex);
            }
        }
        true
    }

    fn part(&mut self, topology: Topology, material: MaterialId) -> usize {
        *self.parts.entry((topology.corners(), material)).or_insert_with(|| {
            self.primitives.push(Primitive {
                topology,
                indices: Vec::new(),
                material: Some(material),
            });
            self.primitives.len().saturating_sub(1)
        })
    }

    fn vertex(&mut self, corner: Corner) -> u32 {
        *self.known.entry(corner).or_insert_with(|| {
            self.corners.push(corner);
            u32::try_from(self.corners.len().saturating_sub(1)).unwrap_or(u32::MAX)
        })
    }

    /// Returns the mesh, with positions multiplied by `factor`.
    pub(crate) fn finish(self, factor: f64) -> Mesh {
        let (document, object) = (self.document, self.object);
        let position = |corner: &Corner| {
            let [x, y, z] = document
                .vertex(object, corner.vertex)
                .unwrap_or_default()
                .xyz
                .map(|component| narrow(f64::from(component) * factor));
            Vec3::new(x, y, z)
        };
        let normal = |corner: &Corner| {
            let [x, y, z] = corner
                .normal
                .and_then(|index| document.normal(object, index))
                .unwrap_or_default()
                .xyz
                .map(f32::from);
            Vec3::new(x, y, z).normalized().unwrap_or_default()
        };
        let any = |has: fn(&Corner) -> bool| self.corners.iter().any(has);
        let mut mesh = Mesh {
            positions: self.corners.iter().map(position).collect(),
            primitives: self.primitives,
            ..Mesh::default()
        };
        if any(|corner| corner.normal.is_some()) {
            mesh.normals = self.corners.iter().map(normal).collect();
        }
        if any(|corner| corner.uv.is_some()) {
            let texcoord = |corner: &Corner| {
                corner.uv.unwrap_or_default().map(|texel| f32::from(texel) / 256.0)
            };
            mesh.texcoords = self.corners.iter().map(texcoord).collect();
        }
        if any(|corner| corner.color.is_some()) {
            mesh.colors = self.corners.iter().map(color).collect();
        }
        mesh
    }
}

/// Returns the linear colour of a corner. For textured polygons, 128 is white, which leaves the
/// texture unchanged, and higher values are clamped to 128.
fn color(corner: &Corner) -> [f32; 4] {
    let white = if corner.uv.is_some() { 128.0 } else { 255.0 };
    let [red, green, blue] = corner.color.map_or([1.0; 3], |color| {
        color.map(|component| to_linear((f32::from(component) / white).min(1.0)))
    });
    [red, green, blue, 1.0]
}
