//! Flat normals for meshes that have morph targets but no normals.
//!
//! A mesh without normals is shaded flat (glTF 2.0, 3.7.2.1). Programs that generate flat normals
//! give each face its own vertices. Some of them do not update the morph targets, which then move
//! the wrong vertices. The writer therefore adds normals to the mesh and each of its targets.
//! Vertices shared by faces with different normals are duplicated. The duplicates follow the mesh's
//! own vertices, and the extras list their originals.

use std::borrow::Cow;

use anim_ir::double::{cross, length};
use anim_ir::number::{index32, narrow};
use anim_ir::{Mesh, Scene, Topology, Value, Vec3};

use crate::json::extras::{FLAT_NORMALS, NAMESPACE};

/// Maximum difference between the normals of two faces for them to share a vertex.
const SAME: f32 = 1e-4;
/// Maximum number of copies of a vertex to compare with a face, so that the total work is linear.
const COMPARED: usize = 16;
/// Meshes with more triangles per vertex get no normals. A closed surface has about two. With many
/// more, the triangles do not form a surface, and the normals could be far larger than the mesh.
const TRIANGLES_PER_VERTEX: usize = 3;

/// Adds flat normals to all meshes that need them.
pub(crate) fn with_flat_normals(mut scene: Cow<'_, Scene>) -> Cow<'_, Scene> {
    let needs: Vec<bool> = scene.meshes.iter().map(needs_normals).collect();
    if needs.contains(&true) {
        for (mesh, _) in scene.to_mut().meshes.iter_mut().zip(needs).filter(|(_, needs)| *needs) {
            add_normals(mesh);
        }
    }
    scene
}

fn needs_normals(mesh: &Mesh) -> bool {
    let triangles = mesh.count(Topology::Triangles);
    mesh.normals.is_empty()
        && !mesh.morph_targets.is_empty()
        && triangles > 0
        && triangles <= mesh.positions.len().saturating_mul(TRIANGLES_PER_VERTEX)
        && mesh.morph_targets.iter().all(|target| target.normals.is_empty())
}

/// The face normals of the mesh and each of its targets, one row per face.
struct Faces {
    /// Length of a row: 1 for the mesh plus 1 per target.
    shapes: usize,
    normals: Vec<Vec3>,
}

impl Faces {
    fn row(&self, face: usize) -> &[Vec3] {
        let start = face.saturating_mul(self.shapes);
        self.normals.get(start..start.saturating_add(self.shapes)).unwrap_or_default()
    }

    fn push(&mut self, mesh: &Mesh, corners: [u32; 3]) {
        let base = corner_positions(&mesh.positions, corners).unwrap_or_default();
        let start = self.normals.len();
        self.normals.push(face_normal(base));
        for target in &mesh.morph_targets {
            let moved = corner_positions(&target.positions, corners).unwrap_or_default();
            let mut shape = base;
            for (corner, offset) in shape.iter_mut().zip(moved) {
                *corner = [corner[0] + offset[0], corner[1] + offset[1], corner[2] + offset[2]];
            }
            self.normals.push(face_normal(shape));
        }
        // A face with zero area in one shape gets its normal from another shape.
        let row = self.normals.get_mut(start..).unwrap_or_default();
        let is_normal = |normal: &&Vec3| **normal != Vec3::ZERO;
        let any = row.iter().find(is_normal).copied().unwrap_or(Vec3::new(0.0, 0.0, 1.0));
        let base = row.first().copied().filter(|normal| *normal != Vec3::ZERO).unwrap_or(any);
        row.iter_mut().filter(|normal| **normal == Vec3::ZERO).for_each(|normal| *normal = base);
    }

    fn are_same(&self, a: usize, b: usize) -> bool {
        let near = |(a, b): (&Vec3, &Vec3)| {
            (a.x - b.x).abs().max((a.y - b.y).abs()).max((a.z - b.z).abs()) <= SAME
        };
        a == b || self.row(a).iter().zip(self.row(b)).all(near)
    }
}

fn corner_positions(positions: &[Vec3], corners: [u32; 3]) -> Option<[[f64; 3]; 3]> {
    let position = |corner: u32| Some(positions.get(usize::try_from(corner).ok()?)?.to_f64());
    let [a, b, c] = corners;
    Some([position(a)?, position(b)?, position(c)?])
}

/// Returns the unit normal of a triangle; zero if the area is zero.
fn face_normal([a, b, c]: [[f64; 3]; 3]) -> Vec3 {
    let edge = |to: [f64; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
    let normal = cross(edge(b), edge(c));
    let length = length(normal);
    if length > 0.0 && length.is_finite() {
        Vec3::from(normal.map(|number| narrow(number / length)))
    } else {
        Vec3::ZERO
    }
}

/// The vertices of the mesh with normals. All faces of a vertex have the same normal, to within
/// [`SAME`].
struct Corners {
    /// For each vertex, followed by each copy, the face that determines its normal.
    face_of: Vec<Option<usize>>,
    /// For each copy, its original vertex.
    copies: Vec<u32>,
    /// For each vertex, its most recent copy. For each copy, `older` contains the previous copy of
    /// the same vertex.
    newest: Vec<Option<usize>>,
    older: Vec<Option<usize>>,
}

impl Corners {
    fn new(vertices: usize) -> Corners {
        Corners {
            face_of: vec![None; vertices],
            copies: Vec::new(),
            newest: vec![None; vertices],
            older: Vec::new(),
        }
    }

    /// Returns the vertex, or the copy of it, that has the normal of a face.
    fn of_face(&mut self, vertex: u32, face: usize, faces: &Faces) -> Option<u32> {
        let own = usize::try_from(vertex).ok()?;
        let vertices = self.newest.len();
        match self.face_of.get(own)? {
            None => {
                *self.face_of.get_mut(own)? = Some(face);
                return Some(vertex);
            }
            Some(known) if faces.are_same(*known, face) => return Some(vertex),
            Some(_) => {}
        }
        let mut next = *self.newest.get(own)?;
        for _ in 0..COMPARED {
            let Some(copy) = next else { break };
            let at = vertices.saturating_add(copy);
            if self.face_of.get(at)?.is_some_and(|known| faces.are_same(known, face)) {
                return Some(index32(at));
            }
            next = self.older.get(copy).copied().flatten();
        }
        let copy = self.copies.len();
        self.copies.push(vertex);
        self.face_of.push(Some(face));
        self.older.push(self.newest.get_mut(own)?.replace(copy));
        Some(index32(vertices.saturating_add(copy)))
    }
}

fn add_normals(mesh: &mut Mesh) {
    let shapes = mesh.morph_targets.len().saturating_add(1);
    let triangles = mesh.count(Topology::Triangles);
    let mut faces = Faces { shapes, normals: Vec::with_capacity(triangles.saturating_mul(shapes)) };
    let mut corners = Corners::new(mesh.positions.len());
    let mut face = 0_usize;
    let mut primitives = std::mem::take(&mut mesh.primitives);
    for part in primitives.iter_mut().filter(|part| part.topology == Topology::Triangles) {
        for triangle in part.indices.as_chunks_mut::<3>().0 {
            faces.push(mesh, *triangle);
            for corner in triangle {
                *corner = corners.of_face(*corner, face, &faces).unwrap_or(*corner);
            }
            face = face.saturating_add(1);
        }
    }
    mesh.primitives = primitives;
    let Corners { face_of, copies, .. } = corners;
    repeat(&mut mesh.positions, &copies, 1);
    repeat(&mut mesh.texcoords, &copies, 1);
    repeat(&mut mesh.colors, &copies, 1);
    let per_vertex = mesh.influences.per_vertex;
    repeat(&mut mesh.influences.joints, &copies, per_vertex);
    repeat(&mut mesh.influences.weights, &copies, per_vertex);
    // Vertices without faces get an arbitrary normal.
    let none = vec![Vec3::new(0.0, 0.0, 1.0); shapes];
    let row = |face: &Option<usize>| face.map_or(none.as_slice(), |face| faces.row(face));
    let in_shape =
        |face: &Option<usize>, shape: usize| row(face).get(shape).copied().unwrap_or(Vec3::ZERO);
    mesh.normals = face_of.iter().map(|face| in_shape(face, 0)).collect();
    for (shape, target) in (1_usize..).zip(&mut mesh.morph_targets) {
        repeat(&mut target.positions, &copies, 1);
        let faces_and_bases = face_of.iter().zip(&mesh.normals);
        target.normals =
            faces_and_bases.map(|(face, base)| in_shape(face, shape) - *base).collect();
    }
    // The targets do not need normals if no face rotates.
    if mesh.morph_targets.iter().all(|target| target.normals.iter().all(|n| *n == Vec3::ZERO)) {
        mesh.morph_targets.iter_mut().for_each(|target| target.normals.clear());
    }
    let copies: Value = copies.iter().map(|vertex| f64::from(*vertex)).collect();
    let ours = mesh.extras.entry(NAMESPACE.to_owned()).or_insert_with(|| Value::Map([].into()));
    if let Value::Map(ours) = ours {
        ours.insert(FLAT_NORMALS.to_owned(), copies);
    }
}

/// Appends copies of these vertices' rows.
fn repeat<T: Copy>(list: &mut Vec<T>, vertices: &[u32], width: usize) {
    if list.is_empty() {
        return;
    }
    list.reserve(vertices.len().saturating_mul(width));
    for vertex in vertices.iter().filter_map(|vertex| usize::try_from(*vertex).ok()) {
        let start = vertex.saturating_mul(width);
        let end = start.saturating_add(width);
        if end <= list.len() {
            list.extend_from_within(start..end);
        }
    }
}
