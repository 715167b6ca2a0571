//! Geometry.

use std::rc::Rc;

use anim_ir::diag::quote;
use anim_ir::number::narrow;
use anim_ir::{Diagnostics, Mesh, Scene, Topology, Vec3};

use crate::buffer::{Bin, Piece};
use crate::codes;
use crate::error::WriteError;
use crate::extras::{JsonExtras, extras};
use crate::json::{self, gl};
use crate::material::Materials;
use crate::skin::{Skins, Variants};
use crate::svd::{cross, dot};

/// How far the squared length of a normal that is left as it is may be from 1: texts often have
/// four decimals.
const UNIT_NORMAL: f32 = 2e-4;
/// Greatest index that 16 bits hold; 65535 itself restarts a strip on some hardware, and glTF
/// forbids it.
const MOST_NARROW: u32 = 65_534;

/// What all variants of a mesh share.
#[derive(Debug)]
struct Shared {
    mesh: usize,
    attributes: json::Attributes,
    targets: Vec<json::MorphTarget>,
    /// Primitives that draw anything; their joints and weights are the variant's.
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    indices: usize,
    material: Option<usize>,
    mode: Option<u8>,
}

/// Accessors, and the buffer that they describe.
#[derive(Debug)]
pub(crate) struct Accessors<'a> {
    pub(crate) list: Vec<json::Accessor>,
    pub(crate) bin: Bin<'a>,
}

impl<'a> Accessors<'a> {
    /// None yet, for a buffer that may become so many bytes long.
    pub(crate) fn new(most_bytes: usize) -> Accessors<'a> {
        Accessors { list: Vec::new(), bin: Bin::new(most_bytes) }
    }

    /// An accessor over all of a view of its own.
    pub(crate) fn add(
        &mut self,
        target: Option<u16>,
        piece: Piece<'a>,
        component_type: u16,
        element: &'static str,
        count: usize,
    ) -> Result<usize, WriteError> {
        let buffer_view = self.bin.add_view(target, [piece])?;
        self.list.push(json::Accessor {
            buffer_view,
            byte_offset: 0,
            component_type,
            count,
            element,
            max: Vec::new(),
            min: Vec::new(),
        });
        Ok(self.list.len().saturating_sub(1))
    }

    fn add_vectors(&mut self, vectors: &'a [Vec3]) -> Result<usize, WriteError> {
        self.add(
            Some(gl::ARRAY_BUFFER),
            Piece::Floats(bytemuck::cast_slice(vectors)),
            gl::FLOAT,
            "VEC3",
            vectors.len(),
        )
    }

    fn add_positions(&mut self, positions: &'a [Vec3]) -> Result<usize, WriteError> {
        let (low, high) = bounds(positions);
        let at = self.add_vectors(positions)?;
        if let Some(accessor) = self.list.last_mut() {
            (accessor.min, accessor.max) = (low.into(), high.into());
        }
        Ok(at)
    }
}

/// The meshes of the glTF file.
pub(crate) fn plan<'a>(
    scene: &'a Scene,
    variants: &Variants,
    skins: &Skins<'a>,
    materials: &mut Materials<'a>,
    accessors: &mut Accessors<'a>,
    losses: &mut Diagnostics,
) -> Result<Vec<json::Mesh<'a>>, WriteError> {
    let mut meshes = Vec::with_capacity(variants.list.len());
    let mut shared: Option<Shared> = None;
    for (index, variant) in variants.list.iter().enumerate() {
        let Some(mesh) = scene.meshes.get(variant.mesh) else { continue };
        // Variants of a mesh stand side by side.
        let same = shared.take().filter(|shared| shared.mesh == variant.mesh);
        let common = match same {
            Some(common) => common,
            None => plan_shared(variant.mesh, mesh, materials, accessors, losses)?,
        };
        let mut attributes = common.attributes;
        if let Some(prepared) = skins.influences.get(index).and_then(Option::as_ref) {
            let skin = variant
                .skin
                .and_then(|skin| skins.of_scene.get(skin).copied().flatten())
                .and_then(|skin| skins.list.get(skin));
            let small = skin.is_some_and(|skin| skin.slots.len() <= 256);
            let count = prepared.vertices();
            let target = Some(gl::ARRAY_BUFFER);
            attributes.joints = Some(if small {
                accessors.add(
                    target,
                    Piece::Joints8(Rc::clone(prepared)),
                    gl::UNSIGNED_BYTE,
                    "VEC4",
                    count,
                )?
            } else {
                accessors.add(
                    target,
                    Piece::Joints16(Rc::clone(prepared)),
                    gl::UNSIGNED_SHORT,
                    "VEC4",
                    count,
                )?
            });
            attributes.weights = Some(accessors.add(
                target,
                Piece::Weights(Rc::clone(prepared)),
                gl::FLOAT,
                "VEC4",
                count,
            )?);
        }
        let parts = common.parts.iter().map(|part| json::Primitive {
            attributes,
            indices: part.indices,
            material: part.material,
            mode: part.mode,
            targets: common.targets.clone(),
        });
        let mut own = extras(&mesh.extras, Vec::new(), losses, || {
            format!("mesh {}", quote(mesh.name.as_bytes()))
        });
        if mesh.morph_targets.iter().any(|target| !target.name.is_empty()) {
            own = Some(JsonExtras::with_list(
                own,
                "targetNames",
                mesh.morph_targets.iter().map(|target| target.name.as_str()),
            ));
        }
        let weights = if mesh.morph_weights.iter().any(|weight| *weight != 0.0) {
            mesh.morph_weights.as_slice()
        } else {
            &[]
        };
        meshes.push(json::Mesh {
            name: &mesh.name,
            primitives: parts.collect(),
            weights,
            extras: own,
        });
        shared = Some(common);
    }
    Ok(meshes)
}

fn plan_shared<'a>(
    index: usize,
    mesh: &'a Mesh,
    materials: &mut Materials<'a>,
    accessors: &mut Accessors<'a>,
    losses: &mut Diagnostics,
) -> Result<Shared, WriteError> {
    let name = || quote(mesh.name.as_bytes());
    let target = Some(gl::ARRAY_BUFFER);
    let vertices = mesh.positions.len();
    let position = accessors.add_positions(&mesh.positions)?;
    let normal = match unit_normals(mesh) {
        None => None,
        Some(Normals::AsTheyAre) => Some(accessors.add_vectors(&mesh.normals)?),
        Some(Normals::Made { normals, filled }) => {
            if filled > 0 {
                losses.push(&codes::NORMALS, None, || {
                    format!("{filled} normals of mesh {} have no direction", name())
                });
            }
            Some(accessors.add(target, Piece::OwnedFloats(normals), gl::FLOAT, "VEC3", vertices)?)
        }
    };
    let texcoord = if mesh.texcoords.is_empty() {
        None
    } else {
        Some(accessors.add(
            target,
            Piece::Floats(mesh.texcoords.as_flattened()),
            gl::FLOAT,
            "VEC2",
            vertices,
        )?)
    };
    let mut see_through = false;
    let color = if mesh.colors.is_empty() {
        None
    } else {
        let numbers = mesh.colors.as_flattened();
        let (low, high) = color_range(&mesh.colors);
        see_through = low[3] < 1.0;
        let in_range = low.iter().all(|low| *low >= 0.0) && high.iter().all(|high| *high <= 1.0);
        let piece = if in_range {
            Piece::Floats(numbers)
        } else {
            losses.push(&codes::COLOR_RANGE, None, || {
                format!("mesh {} has colours out of 0 to 1", name())
            });
            Piece::OwnedFloats(numbers.iter().map(|number| number.clamp(0.0, 1.0)).collect())
        };
        Some(accessors.add(target, piece, gl::FLOAT, "VEC4", vertices)?)
    };
    let mut targets = Vec::with_capacity(mesh.morph_targets.len());
    for morph in &mesh.morph_targets {
        let position = accessors.add_positions(&morph.positions)?;
        let normal = if morph.normals.is_empty() {
            None
        } else if normal.is_none() {
            losses.push(&codes::MORPH_NORMALS, None, || {
                format!(
                    "morph target {} of mesh {} has normals, the mesh has none",
                    quote(morph.name.as_bytes()),
                    name()
                )
            });
            None
        } else {
            Some(accessors.add_vectors(&morph.normals)?)
        };
        targets.push(json::MorphTarget { position, normal });
    }
    let mut parts = Vec::with_capacity(mesh.primitives.len());
    for (number, part) in mesh.primitives.iter().enumerate() {
        if part.indices.is_empty() {
            losses.push(&codes::EMPTY_PRIMITIVE, None, || {
                format!("part {number} of mesh {} draws nothing", name())
            });
            continue;
        }
        // Up to so many vertices no index needs a look.
        let few =
            u32::try_from(vertices).is_ok_and(|vertices| vertices.saturating_sub(1) <= MOST_NARROW);
        let narrow =
            few || part.indices.iter().fold(0, |most, index| *index.max(&most)) <= MOST_NARROW;
        let (piece, kind) = if narrow {
            (Piece::Narrow(&part.indices), gl::UNSIGNED_SHORT)
        } else {
            (Piece::Wide(&part.indices), gl::UNSIGNED_INT)
        };
        let indices = accessors.add(
            Some(gl::ELEMENT_ARRAY_BUFFER),
            piece,
            kind,
            "SCALAR",
            part.indices.len(),
        )?;
        let material = part.material.unwrap_or_else(|| materials.missing());
        let material =
            materials.of_primitive(material, texcoord.is_some(), see_through, losses, &mesh.name);
        let mode = match part.topology {
            Topology::Points => Some(gl::POINTS),
            Topology::Lines => Some(gl::LINES),
            Topology::Triangles => None,
        };
        parts.push(Part { indices, material, mode });
    }
    let attributes =
        json::Attributes { position, normal, texcoord, color, joints: None, weights: None };
    Ok(Shared { mesh: index, attributes, targets, parts })
}

/// The least and the greatest of each coordinate. Twelve numbers at a time, for which processors
/// have instructions.
fn bounds(points: &[Vec3]) -> ([f32; 3], [f32; 3]) {
    let (mut low, mut high) = ([f32::INFINITY; 12], [f32::NEG_INFINITY; 12]);
    let (chunks, rest) = bytemuck::cast_slice::<Vec3, f32>(points).as_chunks::<12>();
    let widen = |low: &mut [f32; 12], high: &mut [f32; 12], numbers: &[f32]| {
        for ((low, high), number) in low.iter_mut().zip(high).zip(numbers) {
            *low = if *number < *low { *number } else { *low };
            *high = if *number > *high { *number } else { *high };
        }
    };
    for chunk in chunks {
        widen(&mut low, &mut high, chunk);
    }
    widen(&mut low, &mut high, rest);
    let lanes = |all: [f32; 12], pick: fn(f32, f32) -> f32| {
        let [a, b, c, d] = bytemuck::cast::<[f32; 12], [[f32; 3]; 4]>(all);
        let [x, y, z] =
            [[a[0], b[0], c[0], d[0]], [a[1], b[1], c[1], d[1]], [a[2], b[2], c[2], d[2]]]
                .map(|[a, b, c, d]| pick(pick(a, b), pick(c, d)));
        [x, y, z]
    };
    (lanes(low, f32::min), lanes(high, f32::max))
}

/// The least and the greatest of red, green, blue and alpha.
fn color_range(colors: &[[f32; 4]]) -> ([f32; 4], [f32; 4]) {
    let (mut low, mut high) = ([f32::INFINITY; 4], [f32::NEG_INFINITY; 4]);
    for color in colors {
        for ((low, high), number) in low.iter_mut().zip(&mut high).zip(color) {
            *low = if *number < *low { *number } else { *low };
            *high = if *number > *high { *number } else { *high };
        }
    }
    (low, high)
}

enum Normals {
    AsTheyAre,
    Made { normals: Vec<f32>, filled: usize },
}

/// Normals of length 1; `None` where the mesh has none.
fn unit_normals(mesh: &Mesh) -> Option<Normals> {
    if mesh.normals.is_empty() {
        return None;
    }
    let is_unit = |n: &Vec3| (n.x * n.x + n.y * n.y + n.z * n.z - 1.0).abs() <= UNIT_NORMAL;
    // No early end: see the weights.
    if mesh.normals.iter().fold(true, |all, normal| all & is_unit(normal)) {
        return Some(Normals::AsTheyAre);
    }
    let mut filled = 0_usize;
    let mut normals = Vec::with_capacity(mesh.normals.len().saturating_mul(3));
    for normal in &mesh.normals {
        let unit =
            if is_unit(normal) { *normal } else { normal.normalized().unwrap_or(Vec3::ZERO) };
        filled = filled.saturating_add(usize::from(unit == Vec3::ZERO));
        normals.extend(unit.to_array());
    }
    if filled > 0 {
        let sums = face_normals(mesh);
        for (normal, sum) in normals.as_chunks_mut::<3>().0.iter_mut().zip(&sums) {
            if *normal == [0.0; 3] {
                let length = dot(*sum, *sum).sqrt();
                *normal = if length > 0.0 && length.is_finite() {
                    sum.map(|e| narrow(e / length))
                } else {
                    [0.0, 0.0, 1.0]
                };
            }
        }
    }
    Some(Normals::Made { normals, filled })
}

/// For each vertex the sum of its triangles' normals, each as long as twice the triangle's area.
fn face_normals(mesh: &Mesh) -> Vec<[f64; 3]> {
    let mut sums = vec![[0.0; 3]; mesh.positions.len()];
    for part in mesh.primitives.iter().filter(|part| part.topology == Topology::Triangles) {
        for corners in part.indices.as_chunks::<3>().0 {
            let [Some(a), Some(b), Some(c)] =
                corners.map(|corner| mesh.positions.get(usize::try_from(corner).ok()?))
            else {
                continue;
            };
            let [a, b, c] = [a, b, c].map(|corner| corner.to_array().map(f64::from));
            let edge =
                |from: [f64; 3], to: [f64; 3]| [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
            let normal = cross(edge(a, b), edge(a, c));
            for corner in corners {
                if let Some(sum) =
                    usize::try_from(*corner).ok().and_then(|corner| sums.get_mut(corner))
                {
                    *sum = [sum[0] + normal[0], sum[1] + normal[1], sum[2] + normal[2]];
                }
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bounds_are_those_of_every_point(points in prop::collection::vec(prop::array::uniform3(-1e3f32..1e3), 1..40)) {
            let all: Vec<Vec3> = points.iter().copied().map(Vec3::from).collect();
            let (low, high) = bounds(&all);
            for axis in 0..3 {
                prop_assert_eq!(low[axis], points.iter().map(|p| p[axis]).fold(f32::MAX, f32::min));
                prop_assert_eq!(high[axis], points.iter().map(|p| p[axis]).fold(f32::MIN, f32::max));
            }
        }
    }
}
