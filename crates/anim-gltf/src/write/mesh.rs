//! Geometry.

mod normals;

use std::borrow::Cow;
use std::rc::Rc;

use anim_ir::diag::quote;
use anim_ir::{
    Diagnostics, MaterialId, Mesh, MeshId, MorphTarget, Primitive, Scene, Topology, Vec3,
};

use crate::codes;
use crate::error::FromIrError;
use crate::json::extras::TARGET_NAMES;
use crate::json::{self, Attributes, gl};
use crate::write::accessor::Accessors;
use crate::write::buffer::Piece;
use crate::write::extras::extras;
use crate::write::influences::{SLOTS, Wide};
use crate::write::material::Materials;
use crate::write::shown_mesh;
use crate::write::skin::{Rows, Skins};
use crate::write::variants::Variants;
use normals::{Normals, unit_normals};

/// Largest 16-bit index. glTF forbids 65535, which is the primitive restart value.
const MOST_NARROW: u32 = 65_534;

/// Data shared by all variants of a mesh.
#[derive(Debug)]
struct Shared {
    mesh: MeshId,
    attributes: Attributes,
    targets: Vec<Attributes>,
    /// Non-empty primitives, without the joints and weights of a variant.
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    /// `None`: all vertices in order, as points.
    indices: Option<usize>,
    material: Option<usize>,
    mode: u32,
}

/// Returns the meshes of the glTF file.
pub(crate) fn plan<'a>(
    scene: &'a Scene,
    variants: &Variants,
    skins: &Skins<'a>,
    materials: &mut Materials<'a>,
    accessors: &mut Accessors<'a>,
    losses: &mut Diagnostics,
) -> Result<Vec<json::Mesh<'a>>, FromIrError> {
    let mut meshes = Vec::with_capacity(variants.list.len());
    let mut shared: Option<Shared> = None;
    for (index, variant) in variants.list.iter().enumerate() {
        let Some(mesh) = scene.mesh(variant.mesh) else { continue };
        // Variants of a mesh are adjacent.
        let same = shared.take().filter(|shared| shared.mesh == variant.mesh);
        let common = match same {
            Some(common) => common,
            None => plan_shared(variant.mesh, mesh, materials, accessors, losses)?,
        };
        let mut attributes = common.attributes.clone();
        if let Some(Rows::Eight(wide)) = skins.influences.get(index).and_then(Option::as_ref) {
            attributes.0.extend(plan_eight(wide, accessors)?);
        }
        if let Some(Rows::Four(prepared)) = skins.influences.get(index).and_then(Option::as_ref) {
            let skin = variant
                .skin
                .and_then(|skin| skins.of_scene.get(skin.index()).copied().flatten())
                .and_then(|skin| skins.list.get(skin));
            let (piece, kind) = if skin.is_some_and(|skin| skin.slots.len() <= 256) {
                (Piece::Joints8(Rc::clone(prepared)), gl::UNSIGNED_BYTE)
            } else {
                (Piece::Joints16(Rc::clone(prepared)), gl::UNSIGNED_SHORT)
            };
            let (target, count) = (Some(gl::ARRAY_BUFFER), prepared.vertices());
            let joints = accessors.add(target, piece, kind, "VEC4", count)?;
            let piece = Piece::Weights(Rc::clone(prepared));
            let weights = accessors.add(target, piece, gl::FLOAT, "VEC4", count)?;
            attributes.0.extend([("JOINTS_0".into(), joints), ("WEIGHTS_0".into(), weights)]);
        }
        let parts = common.parts.iter().map(|part| json::Primitive {
            attributes: attributes.clone(),
            indices: part.indices,
            material: part.material,
            mode: part.mode,
            targets: common.targets.clone(),
            extras: json::HasExtras::default(),
        });
        let mut own = extras(&mesh.extras, Vec::new(), losses, || shown_mesh(&mesh.name));
        if mesh.morph_targets.iter().any(|target| !target.name.is_empty()) {
            let names = mesh.morph_targets.iter().map(|target| target.name.as_str());
            own.own.to_mut().insert(TARGET_NAMES.to_owned(), names.collect());
        }
        // Weights default to 0, but VTK crashes if they are missing.
        let weights = if mesh.morph_weights.is_empty() {
            Cow::Owned(vec![0.0; mesh.morph_targets.len()])
        } else {
            Cow::Borrowed(mesh.morph_weights.as_slice())
        };
        meshes.push(json::Mesh {
            name: Cow::Borrowed(&mesh.name),
            primitives: parts.collect(),
            weights,
            extras: own,
        });
        shared = Some(common);
    }
    Ok(meshes)
}

/// Plans joints and weights in two sets.
fn plan_eight(
    wide: &Wide,
    accessors: &mut Accessors<'_>,
) -> Result<Vec<(Cow<'static, str>, usize)>, FromIrError> {
    let mut planned = Vec::with_capacity(4);
    let names = [("JOINTS_0", "WEIGHTS_0"), ("JOINTS_1", "WEIGHTS_1")];
    let target = Some(gl::ARRAY_BUFFER);
    for ((joints, weights), names) in wide.joints.iter().zip(&wide.weights).zip(names) {
        let count = weights.len() / SLOTS;
        let piece = Piece::OwnedShorts(joints.clone());
        let joints = accessors.add(target, piece, gl::UNSIGNED_SHORT, "VEC4", count)?;
        let piece = Piece::OwnedFloats(weights.clone());
        let weights = accessors.add(target, piece, gl::FLOAT, "VEC4", count)?;
        planned.extend([(names.0.into(), joints), (names.1.into(), weights)]);
    }
    Ok(planned)
}

fn plan_shared<'a>(
    id: MeshId,
    mesh: &'a Mesh,
    materials: &mut Materials<'a>,
    accessors: &mut Accessors<'a>,
    losses: &mut Diagnostics,
) -> Result<Shared, FromIrError> {
    let attributes = plan_attributes(mesh, accessors, losses)?;
    let targets = plan_targets(mesh, attributes.get("NORMAL").is_some(), accessors, losses)?;
    let mut parts = Vec::with_capacity(mesh.primitives.len());
    for (number, part) in mesh.primitives.iter().enumerate() {
        if part.indices.is_empty() {
            losses.push(&codes::EMPTY_PRIMITIVE, None, || {
                format!("primitive {number} of {} is empty", shown_mesh(&mesh.name))
            });
            continue;
        }
        let vertices = mesh.positions.len();
        let indices = if is_every_vertex_as_a_point(part, vertices) {
            None
        } else {
            Some(add_indices(part, vertices, accessors)?)
        };
        let material = part.material.map_or_else(|| materials.missing(), MaterialId::index);
        let has_texcoords = !mesh.texcoords.is_empty();
        let see_through = mesh.has_translucent(part);
        let material =
            materials.of_primitive(material, has_texcoords, see_through, losses, &mesh.name);
        let mode = match part.topology {
            Topology::Points => gl::POINTS,
            Topology::Lines => gl::LINES,
            Topology::Triangles => gl::TRIANGLES,
        };
        parts.push(Part { indices, material, mode });
    }
    Ok(Shared { mesh: id, attributes, targets, parts })
}

/// Plans all vertex attributes except joints and weights.
fn plan_attributes<'a>(
    mesh: &'a Mesh,
    accessors: &mut Accessors<'a>,
    losses: &mut Diagnostics,
) -> Result<Attributes, FromIrError> {
    let name = || shown_mesh(&mesh.name);
    let target = Some(gl::ARRAY_BUFFER);
    let vertices = mesh.positions.len();
    let mut list = vec![("POSITION".into(), accessors.add_positions(&mesh.positions)?)];
    match unit_normals(mesh) {
        None => {}
        Some(Normals::AsTheyAre) => {
            list.push(("NORMAL".into(), accessors.add_vectors(&mesh.normals)?));
        }
        Some(Normals::Made { normals, filled }) => {
            if filled > 0 {
                losses.push(&codes::NORMALS, None, || match filled {
                    1 => format!("1 vertex of {} has no normal", name()),
                    _ => format!("{filled} vertices of {} have no normal", name()),
                });
            }
            let piece = Piece::OwnedFloats(normals);
            let normals = accessors.add(target, piece, gl::FLOAT, "VEC3", vertices)?;
            list.push(("NORMAL".into(), normals));
        }
    }
    if !mesh.texcoords.is_empty() {
        let piece = Piece::Floats(mesh.texcoords.as_flattened());
        let texcoords = accessors.add(target, piece, gl::FLOAT, "VEC2", vertices)?;
        list.push(("TEXCOORD_0".into(), texcoords));
    }
    if !mesh.colors.is_empty() {
        let numbers = mesh.colors.as_flattened();
        let (low, high) = color_range(&mesh.colors);
        let in_range = low.iter().all(|low| *low >= 0.0) && high.iter().all(|high| *high <= 1.0);
        let piece = if in_range {
            Piece::Floats(numbers)
        } else {
            losses.push(&codes::COLOR_RANGE, None, || {
                format!("{} has colours outside 0 to 1", name())
            });
            Piece::OwnedFloats(numbers.iter().map(|number| number.clamp(0.0, 1.0)).collect())
        };
        list.push(("COLOR_0".into(), accessors.add(target, piece, gl::FLOAT, "VEC4", vertices)?));
    }
    Ok(Attributes(list))
}

fn plan_targets<'a>(
    mesh: &'a Mesh,
    has_normals: bool,
    accessors: &mut Accessors<'a>,
    losses: &mut Diagnostics,
) -> Result<Vec<Attributes>, FromIrError> {
    let mut targets = Vec::with_capacity(mesh.morph_targets.len());
    let is_still = |target: &MorphTarget| target.normals.iter().all(|n| *n == Vec3::ZERO);
    // three.js uses the mesh's normals as deltas if a target has none, so write them for all
    // targets or none.
    let any = has_normals && mesh.morph_targets.iter().any(|target| !target.normals.is_empty());
    let mut still = None;
    for morph in &mesh.morph_targets {
        let mut list = vec![("POSITION".into(), accessors.add_positions(&morph.positions)?)];
        if any {
            let vertices = mesh.positions.len();
            let normals = match (is_still(morph), still) {
                (false, _) => accessors.add_vectors(&morph.normals)?,
                (true, Some(known)) => known,
                (true, None) => {
                    let zeros = vec![0.0; vertices.saturating_mul(3)];
                    let piece = Piece::OwnedFloats(zeros);
                    let target = Some(gl::ARRAY_BUFFER);
                    *still.insert(accessors.add(target, piece, gl::FLOAT, "VEC3", vertices)?)
                }
            };
            list.push(("NORMAL".into(), normals));
        } else if !has_normals && !morph.normals.is_empty() {
            losses.push(&codes::MORPH_NORMALS, None, || {
                let (morph, mesh) = (quote(morph.name.as_bytes()), shown_mesh(&mesh.name));
                format!("morph target {morph} of {mesh} has normals, but the mesh does not")
            });
        }
        targets.push(Attributes(list));
    }
    Ok(targets)
}

/// Whether a primitive draws each vertex once, in order, as a point. gltfpack drops indexed points.
fn is_every_vertex_as_a_point(part: &Primitive, vertices: usize) -> bool {
    part.topology == Topology::Points
        && part.indices.len() == vertices
        && part.indices.iter().zip(0_u32..).all(|(index, vertex)| *index == vertex)
}

/// Adds indices, as 16-bit values if they fit and as 32-bit values otherwise.
fn add_indices<'a>(
    part: &'a Primitive,
    vertices: usize,
    accessors: &mut Accessors<'a>,
) -> Result<usize, FromIrError> {
    // With this few vertices, all indices fit in 16 bits and do not need to be checked.
    let few =
        u32::try_from(vertices).is_ok_and(|vertices| vertices.saturating_sub(1) <= MOST_NARROW);
    let narrow = few || part.indices.iter().fold(0, |most, index| *index.max(&most)) <= MOST_NARROW;
    let (piece, kind) = if narrow {
        (Piece::Narrow(&part.indices), gl::UNSIGNED_SHORT)
    } else {
        (Piece::Wide(&part.indices), gl::UNSIGNED_INT)
    };
    accessors.add(Some(gl::ELEMENT_ARRAY_BUFFER), piece, kind, "SCALAR", part.indices.len())
}

/// Returns the minimum and maximum of red, green, blue and alpha.
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
