//! Writes meshes, once for each node that uses them, with joints and weights.

use std::collections::HashMap;

use anim_ir::diag::escape;
use anim_ir::number::index32;
use anim_ir::{JointRef, Mat4, Mesh, Node, Skin, Topology, Vec3, sort_by};

use crate::codes;
use crate::from_ir::Conversion;
use crate::writer::SpecText;

/// One-based joint numbers, or 0 if unused, and their weights.
type Row = [(u32, f32); 4];

impl Conversion<'_> {
    pub(crate) fn meshes(&mut self) {
        let mut before = [0; 3];
        let mut rows = WeightRows::default();
        for node in &self.scene.nodes {
            let Some(mesh) = node.mesh.and_then(|mesh| self.scene.mesh(mesh)) else {
                continue;
            };
            self.mesh(node, mesh, before, &mut rows);
            let [positions, texcoords, normals] = &mut before;
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

    /// Writes a mesh. `before` counts the positions, texture coordinates and normals written so
    /// far.
    fn mesh(&mut self, node: &Node, mesh: &Mesh, before: [usize; 3], rows: &mut WeightRows) {
        let skin = node
            .skin
            .and_then(|skin| self.scene.skin(skin))
            .filter(|_| mesh.influences.per_vertex > 0);
        let carrier = node.parent.filter(|_| skin.is_none());
        self.text.gap();
        self.named(if skin.is_some() || carrier.is_some() { "ao" } else { "o" }, &node.name);
        // A mesh that is attached to a joint is written in its rest position and bound to that
        // joint alone.
        let place = match (skin, carrier) {
            (Some(_), _) => Mat4::IDENTITY,
            (None, Some(carrier)) => self.binding.at_rest(carrier) * node.transform.to_matrix(),
            (None, None) => node.transform.to_matrix(),
        };
        self.vertices(mesh, place);
        let count = mesh.positions.len();
        let weights: Vec<Option<usize>> = match (skin, carrier) {
            (Some(skin), _) => {
                (0..count).map(|vertex| Some(self.weights(rows, mesh, vertex, skin))).collect()
            }
            (None, Some(carrier)) => {
                let joint = index32(self.binding.number(carrier));
                let row = [(joint, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)];
                vec![Some(rows.add(&mut self.text, row)); count]
            }
            (None, None) => vec![None; count],
        };
        self.elements(mesh, before, &weights);
        self.mesh_losses(mesh);
    }

    fn vertices(&mut self, mesh: &Mesh, place: Mat4) {
        let mut overflowed = 0_usize;
        for position in &mesh.positions {
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
        for normal in &mesh.normals {
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

    /// Returns the one-based number of the row with a vertex's influences, of which at most the
    /// four largest are kept.
    fn weights(&mut self, rows: &mut WeightRows, mesh: &Mesh, vertex: usize, skin: &Skin) -> usize {
        let width = mesh.influences.per_vertex;
        let start = vertex * width;
        let joints = mesh.influences.joints.get(start..start + width).unwrap_or_default();
        let weights = mesh.influences.weights.get(start..start + width).unwrap_or_default();
        let number = |joint: &u32| {
            let joint = skin.joints.get(*joint as usize).copied();
            let joint = joint.map(|joint| JointRef { skeleton: skin.skeleton, joint });
            joint.map_or(0, |joint| index32(self.binding.number(joint)))
        };
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
            self.losses.push(&codes::LOSS_INFLUENCES, None, || {
                format!("vertex {vertex} of a mesh has more than four influences")
            });
        }
        let mut row = Row::default();
        row.iter_mut().zip(pairs).for_each(|(slot, pair)| *slot = pair);
        rows.add(&mut self.text, row)
    }

    fn elements(&mut self, mesh: &Mesh, before: [usize; 3], weights: &[Option<usize>]) {
        let [vertices, texcoords, normals] = before;
        let slots = |index: &u32| {
            let vertex = *index as usize;
            let texcoord = (!mesh.texcoords.is_empty()).then_some(texcoords + vertex + 1);
            let normal = (!mesh.normals.is_empty()).then_some(normals + vertex + 1);
            let row = weights.get(vertex).copied().flatten();
            [Some(vertices + vertex + 1), texcoord, normal, row, row]
        };
        let mut material = None;
        for part in &mesh.primitives {
            if part.material != material {
                material = part.material;
                let material = material.and_then(|material| self.scene.material(material));
                self.named("usemtl", material.map_or("", |material| &material.name));
            }
            let (keyword, shown) = match part.topology {
                Topology::Triangles => ("f", 5),
                Topology::Lines => ("l", 2),
                Topology::Points => ("p", 1),
            };
            for element in part.indices.chunks_exact(part.topology.corners()) {
                let corners: Vec<[Option<usize>; 5]> = element.iter().map(slots).collect();
                self.text.element(keyword, corners.iter().filter_map(|corner| corner.get(..shown)));
            }
        }
    }
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
