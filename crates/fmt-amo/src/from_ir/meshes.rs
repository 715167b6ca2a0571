//! Writes meshes, once for each node that uses them, with joints and weights.

use std::collections::HashMap;

use anim_ir::diag::escape;
use anim_ir::number::index32;
use anim_ir::{Deformer, JointRef, Mat4, MaterialId, Mesh, Node, Skin, Topology, Vec3, sort_by};

use crate::codes;
use crate::from_ir::Conversion;
use crate::writer::SpecText;

/// One-based joint numbers, or 0 if unused, and their weights.
type Row = [(u32, f32); 4];

impl Conversion<'_> {
    pub(crate) fn meshes(&mut self) {
        let mut written = Written::default();
        for node in &self.scene.nodes {
            let Some(mesh) = node.mesh.and_then(|mesh| self.scene.mesh(mesh)) else {
                continue;
            };
            self.mesh(node, mesh, &mut written);
            let [positions, texcoords, normals] = &mut written.before;
            *positions += mesh.positions.len();
            *texcoords += mesh.texcoords.len();
            *normals += mesh.normals.len();
        }
        if !self.scene.nodes.iter().any(|node| node.mesh.is_some()) {
            // If the scene contains only joints, or nothing, the keyword identifies the file as
            // Animated OBJ.
            let skeleton = self.scene.skeletons.first();
            self.named("ao", skeleton.map_or(&self.scene.name, |skeleton| &skeleton.name));
        }
    }

    fn mesh(&mut self, node: &Node, mesh: &Mesh, written: &mut Written) {
        let skin = node
            .skin
            .and_then(|skin| self.scene.skin(skin))
            .filter(|_| mesh.influences.per_vertex > 0);
        let carrier = node.parent.filter(|_| skin.is_none());
        self.text.gap();
        self.named(if skin.is_some() || carrier.is_some() { "ao" } else { "o" }, &node.name);
        // A mesh that is attached to a joint is written in its bind position and bound to that
        // joint alone.
        let place = match (skin, carrier) {
            (Some(_), _) => Mat4::IDENTITY,
            (None, Some(carrier)) => self.place(carrier) * node.transform.to_matrix(),
            (None, None) => node.transform.to_matrix(),
        };
        // A mirroring matrix of a node flips the winding of faces, but those of joints do not.
        let is_mirrored = place.determinant() < 0.0;
        match skin.filter(|_| self.scene.clips.is_empty()) {
            Some(skin) if self.deforms_at_rest(skin, &mut written.skinning) => {
                written.deformer.deform(mesh, &[], &written.skinning);
                let (positions, normals) =
                    (written.deformer.positions(), written.deformer.normals());
                self.vertices(mesh, [positions, normals], place);
            }
            _ => self.vertices(mesh, [&mesh.positions, &mesh.normals], place),
        }
        let count = mesh.positions.len();
        let weights: Vec<Option<usize>> = match (skin, carrier) {
            (Some(skin), _) => self.weights(mesh, skin, &mut written.rows),
            (None, Some(carrier)) => {
                let joint = index32(self.binding.number(carrier));
                let row = [(joint, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)];
                vec![Some(written.rows.add(&mut self.text, row)); count]
            }
            (None, None) => vec![None; count],
        };
        self.elements(mesh, is_mirrored, &weights, written);
        self.mesh_losses(mesh);
    }

    /// The matrix that places a mesh attached to a joint.
    fn place(&self, carrier: JointRef) -> Mat4 {
        let rest = self.binding.at_rest(carrier);
        // Without animations, nothing moves the mesh to its rest position. A mesh that is scaled to
        // nothing at rest stays invisible.
        if self.scene.clips.is_empty() || rest.inverse().is_none() {
            rest
        } else {
            self.binding.bound(carrier).unbind
        }
    }

    /// Computes the skinning matrices of the rest pose. Returns whether any moves vertices.
    fn deforms_at_rest(&self, skin: &Skin, skinning: &mut Vec<Mat4>) -> bool {
        skin.matrices(self.binding.rest(skin.skeleton), skinning);
        skinning.iter().any(|matrix| !matrix.is_near(Mat4::IDENTITY, 1e-6))
    }

    fn vertices(&mut self, mesh: &Mesh, [positions, normals]: [&[Vec3]; 2], place: Mat4) {
        let mut overflowed = 0_usize;
        for position in positions {
            let mut place = place.transform_point(*position).to_array();
            if !place.iter().all(|number| number.is_finite()) {
                overflowed = overflowed.saturating_add(1);
                let finite = |number: f32| if number.is_nan() { 0.0 } else { number };
                place = place.map(|number| finite(number).clamp(f32::MIN, f32::MAX));
            }
            self.text.numbers("v", &place);
        }
        self.losses.lost(&codes::LOSS_OVERFLOW, overflowed > 0, || {
            format!("{overflowed} of the vertices of mesh `{}`", escape(&mesh.name))
        });
        for [u, v] in &mesh.texcoords {
            self.text.numbers("vt", &[*u, 1.0 - v]);
        }
        // Normals are transformed by the inverse transpose.
        let columns = place.inverse().unwrap_or_default().columns;
        for normal in normals {
            let along =
                |axis: [f32; 4]| axis[0] * normal.x + axis[1] * normal.y + axis[2] * normal.z;
            let turned = Vec3::new(along(columns[0]), along(columns[1]), along(columns[2]));
            let turned = if place == Mat4::IDENTITY {
                *normal
            } else {
                turned.normalized().unwrap_or(turned)
            };
            self.text.numbers("vn", &turned.to_array());
        }
    }

    /// Returns the one-based number of the row with each vertex's influences, of which at most the
    /// four largest are kept.
    fn weights(&mut self, mesh: &Mesh, skin: &Skin, rows: &mut WeightRows) -> Vec<Option<usize>> {
        let width = mesh.influences.per_vertex;
        let number = |joint: &u32| {
            let joint = skin.joints.get(*joint as usize).copied();
            let joint = joint.map(|joint| JointRef { skeleton: skin.skeleton, joint });
            joint.map_or(0, |joint| index32(self.binding.number(joint)))
        };
        let mut shortened = 0_usize;
        let mut numbers = Vec::with_capacity(mesh.positions.len());
        for vertex in 0..mesh.positions.len() {
            let start = vertex * width;
            let joints = mesh.influences.joints.get(start..start + width).unwrap_or_default();
            let weights = mesh.influences.weights.get(start..start + width).unwrap_or_default();
            let mut pairs: Vec<(u32, f32)> = joints
                .iter()
                .map(number)
                .zip(weights.iter().copied())
                .filter(|(_, weight)| *weight > 0.0)
                .collect();
            if pairs.len() > 4 {
                sort_by(&mut pairs, |(_, a), (_, b)| b.total_cmp(a));
                pairs.truncate(4);
                let sum: f32 = pairs.iter().map(|(_, weight)| weight).sum();
                pairs.iter_mut().for_each(|(_, weight)| *weight /= sum);
                shortened = shortened.saturating_add(1);
            }
            let mut row = Row::default();
            row.iter_mut().zip(pairs).for_each(|(slot, pair)| *slot = pair);
            numbers.push(Some(rows.add(&mut self.text, row)));
        }
        self.losses.lost(&codes::LOSS_INFLUENCES, shortened > 0, || {
            let (name, count) = (escape(&mesh.name), mesh.positions.len());
            format!(
                "mesh `{name}` has more than four influences at {shortened} of {count} vertices"
            )
        });
        numbers
    }

    fn elements(
        &mut self,
        mesh: &Mesh,
        is_mirrored: bool,
        weights: &[Option<usize>],
        Written { before, material, .. }: &mut Written,
    ) {
        let [vertices, texcoords, normals] = *before;
        let slots = |index: &u32| {
            let vertex = *index as usize;
            let texcoord = (!mesh.texcoords.is_empty()).then_some(texcoords + vertex + 1);
            let normal = (!mesh.normals.is_empty()).then_some(normals + vertex + 1);
            let row = weights.get(vertex).copied().flatten();
            [Some(vertices + vertex + 1), texcoord, normal, row, row]
        };
        let is_bound = weights.iter().any(Option::is_some);
        for part in &mesh.primitives {
            // The material applies to all elements that follow, even those of other objects.
            if part.material != *material {
                *material = part.material;
                self.use_material(part.material);
            }
            // Lines and points of Wavefront OBJ have no normals, but need all slots for joints.
            let (keyword, shown) = match part.topology {
                Topology::Triangles => ("f", 5),
                Topology::Lines => ("l", if is_bound { 5 } else { 2 }),
                Topology::Points => ("p", if is_bound { 5 } else { 1 }),
            };
            for element in part.indices.chunks_exact(part.topology.corners()) {
                let mut corners: Vec<[Option<usize>; 5]> = element.iter().map(slots).collect();
                if is_mirrored && let [_, b, c] = corners.as_mut_slice() {
                    std::mem::swap(b, c);
                }
                self.text.element(keyword, corners.iter().filter_map(|corner| corner.get(..shown)));
            }
        }
    }

    /// Writes `usemtl`. Without a name, it resets the material, so a material without a name gets
    /// one.
    fn use_material(&mut self, id: Option<MaterialId>) {
        let name = id.and_then(|id| self.scene.material(id)).map(|material| &*material.name);
        match (id, name) {
            (Some(id), Some("")) => {
                self.named("usemtl", &format!("material_{}", id.index().saturating_add(1)));
            }
            (_, name) => self.named("usemtl", name.unwrap_or_default()),
        }
    }
}

/// State carried over from the meshes written so far.
#[derive(Default)]
struct Written {
    /// The number of positions, texture coordinates and normals.
    before: [usize; 3],
    /// The material of the last element.
    material: Option<MaterialId>,
    rows: WeightRows,
    deformer: Deformer,
    skinning: Vec<Mat4>,
}

/// The joint and weight rows written so far, so that identical rows are shared.
#[derive(Default)]
struct WeightRows {
    rows: HashMap<[(u32, u32); 4], usize>,
}

impl WeightRows {
    /// Returns the one-based number of the row, writing it if it is new.
    fn add(&mut self, text: &mut SpecText, row: Row) -> usize {
        let next = self.rows.len() + 1;
        *self.rows.entry(row.map(|(joint, weight)| (joint, weight.to_bits()))).or_insert_with(
            || {
                text.vertex_joints(row.map(|(joint, _)| joint));
                text.numbers("vw", &row.map(|(_, weight)| weight));
                next
            },
        )
    }
}
