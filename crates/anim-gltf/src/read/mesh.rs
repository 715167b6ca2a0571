//! Geometry. Each primitive of a glTF mesh has its own vertices, while a mesh of the scene model
//! has a single vertex list.

use std::collections::HashMap;
use std::iter::once;

use anim_ir::diag::quote;
use anim_ir::{Influences, LimitError, MaterialId, Mesh, MorphTarget, Primitive, Value, Vec3};

use crate::codes;
use crate::json::extras::TARGET_NAMES;
use crate::json::{self, Attributes, gl};
use crate::read::fault::Fault;
use crate::read::flat::remove_flat_normals;
use crate::read::influences::{read_influences, sets, widen};
use crate::read::skin::ReadSkin;
use crate::read::source::Source;
use crate::read::topology::assemble;

/// Converts each mesh of the file. The result is `None` for a mesh if none of its primitives can be
/// read. For each mesh, `skins` contains the skin of the first skinned node that uses it.
pub(crate) fn read(
    source: &mut Source<'_>,
    skins: &[Option<&ReadSkin>],
) -> Result<Vec<Option<Mesh>>, LimitError> {
    let mut meshes = Vec::with_capacity(source.root.meshes.len());
    for (number, json) in source.root.meshes.iter().enumerate() {
        let skin = skins.get(number).copied().flatten();
        let mesh = Reader { number, json, skin, mesh: Mesh::default(), bases: HashMap::new() }
            .read(source)?;
        meshes.push(Some(mesh).filter(|mesh| !mesh.primitives.is_empty()));
    }
    Ok(meshes)
}

/// The vertices of a primitive, which other primitives of the mesh may share.
#[derive(Debug, Default)]
struct Vertices {
    positions: Vec<Vec3>,
    normals: Option<Vec<Vec3>>,
    texcoords: Option<Vec<[f32; 2]>>,
    colors: Option<Vec<[f32; 4]>>,
    influences: Option<Influences>,
    targets: Vec<MorphTarget>,
}

/// A primitive's first vertex in the mesh and its number of vertices.
#[derive(Clone, Copy, Debug)]
struct Base {
    first: usize,
    count: usize,
}

struct Reader<'a> {
    number: usize,
    json: &'a json::Mesh<'a>,
    skin: Option<&'a ReadSkin>,
    mesh: Mesh,
    /// The vertices that have already been read, by their accessors, since primitives often share
    /// all vertices.
    bases: HashMap<(&'a Attributes, &'a [Attributes], bool), Base>,
}

impl<'a> Reader<'a> {
    fn read(mut self, source: &mut Source<'_>) -> Result<Mesh, LimitError> {
        self.mesh.name = self.json.name.clone().into_owned();
        self.mesh.extras = self.json.extras.own.clone().into_owned();
        for (at, part) in self.json.primitives.iter().enumerate() {
            let read = self.read_part(source, at, part);
            if let Some(part) = source.keep(&codes::PRIMITIVE, read)? {
                self.mesh.primitives.extend(Some(part).filter(|part| !part.indices.is_empty()));
            }
        }
        remove_flat_normals(&mut self.mesh, &self.json.extras.ours);
        self.name_targets();
        self.weigh(source);
        Ok(self.mesh)
    }

    fn read_part(
        &mut self,
        source: &mut Source<'_>,
        at: usize,
        part: &'a json::Primitive,
    ) -> Result<Primitive, Fault> {
        let number = self.number;
        let pointer = |field: &str| format!("/meshes/{number}/primitives/{at}{field}");
        // Opaque materials ignore the alpha of vertices.
        let is_opaque = part.attributes.get("COLOR_0").is_some()
            && part
                .material
                .and_then(|material| source.root.materials.get(material))
                .is_none_or(|material| material.alpha_mode == json::AlphaMode::Opaque);
        let key = (&part.attributes, part.targets.as_slice(), is_opaque);
        let base = match self.bases.get(&key) {
            Some(base) => *base,
            None => {
                let mut vertices = self.vertices(source, at, part)?;
                if let Some(colors) = vertices.colors.as_mut().filter(|_| is_opaque) {
                    colors.iter_mut().for_each(|[.., alpha]| *alpha = 1.0);
                }
                self.report_rest(source, part);
                let base =
                    Base { first: self.mesh.positions.len(), count: vertices.positions.len() };
                self.bases.insert(key, base);
                self.append(source, base, vertices)?;
                base
            }
        };
        let (first, count) = (u32::try_from(base.first).ok(), u32::try_from(base.count).ok());
        let last = u32::try_from(base.first.saturating_add(base.count)).ok();
        let (Some(first), Some(count), Some(_)) = (first, count, last) else {
            return Err(Fault::new(
                pointer("/attributes"),
                "more vertices than 32-bit indices can address",
            ));
        };
        let mut corners = match part.indices {
            Some(accessor) => source.integers(accessor, 1)?,
            None => {
                source.spend(base.count.saturating_mul(4))?;
                (0..count).collect()
            }
        };
        let most = corners.iter().fold(0, |most, index| *index.max(&most));
        if !corners.is_empty() && most >= count {
            return Err(Fault::new(
                pointer("/indices"),
                format!("vertex index {most} is out of range for {count} vertices"),
            ));
        }
        if first > 0 {
            corners.iter_mut().for_each(|index| *index = index.saturating_add(first));
        }
        // Strips, fans and loops expand to at most three indices per index in the file.
        if !matches!(part.mode, gl::POINTS | gl::LINES | gl::TRIANGLES) {
            source.spend(corners.len().saturating_mul(12))?;
        }
        let (topology, mut indices) = assemble(part.mode, corners)
            .ok_or_else(|| Fault::new(pointer("/mode"), format!("unknown mode {}", part.mode)))?;
        let odd = indices.len() % topology.corners();
        if odd > 0 {
            source.found.push(&codes::ELEMENTS, None, || {
                format!("{}: {odd} extra indices at the end", pointer("/indices"))
            });
            indices.truncate(indices.len().saturating_sub(odd));
        }
        let material = part.material.filter(|material| {
            let there = *material < source.root.materials.len();
            if !there {
                source.found.push(&codes::REFERENCE, None, || {
                    format!("{}: material {material} does not exist", pointer("/material"))
                });
            }
            there
        });
        let material = material.map(MaterialId::new);
        Ok(Primitive { topology, indices, material })
    }

    fn vertices(
        &self,
        source: &mut Source<'_>,
        at: usize,
        part: &json::Primitive,
    ) -> Result<Vertices, Fault> {
        let pointer = |field: &str| format!("/meshes/{}/primitives/{at}{field}", self.number);
        let Some(positions) = part.attributes.get("POSITION") else {
            return Err(Fault::new(pointer("/attributes"), "missing `POSITION`"));
        };
        let positions: Vec<Vec3> = source.floats(positions, 3)?;
        let count = positions.len();
        let same = |found: usize, field: &str| {
            let message = || format!("{found} elements for {count} vertices");
            if found == count { Ok(()) } else { Err(Fault::new(pointer(field), message())) }
        };
        let mut vertices = Vertices { positions, ..Vertices::default() };
        if let Some(normals) = part.attributes.get("NORMAL") {
            let normals = vertices.normals.insert(source.floats(normals, 3)?);
            same(normals.len(), "/attributes/NORMAL")?;
        }
        if let Some(texcoords) = part.attributes.get("TEXCOORD_0") {
            let texcoords = vertices.texcoords.insert(source.floats(texcoords, 2)?);
            same(texcoords.len(), "/attributes/TEXCOORD_0")?;
        }
        if let Some(colors) = part.attributes.get("COLOR_0") {
            let colors = vertices.colors.insert(read_colors(source, colors)?);
            same(colors.len(), "/attributes/COLOR_0")?;
        }
        if let Some(skin) = self.skin {
            vertices.influences = read_influences(source, &part.attributes, skin, same)?;
        }
        for (number, target) in part.targets.iter().enumerate() {
            let field = |name: &str| format!("/targets/{number}/{name}");
            let positions: Vec<Vec3> = match target.get("POSITION") {
                Some(accessor) => source.floats(accessor, 3)?,
                None => {
                    source.spend(count.saturating_mul(size_of::<Vec3>()))?;
                    vec![Vec3::ZERO; count]
                }
            };
            same(positions.len(), &field("POSITION"))?;
            let normals: Vec<Vec3> = target
                .get("NORMAL")
                .map_or(Ok(Vec::new()), |accessor| source.floats(accessor, 3))?;
            if !normals.is_empty() {
                same(normals.len(), &field("NORMAL"))?;
            }
            vertices.targets.push(MorphTarget { name: String::new(), positions, normals });
        }
        Ok(vertices)
    }

    /// Reports unsupported attributes of a primitive and its morph targets.
    fn report_rest(&self, source: &mut Source<'_>, part: &json::Primitive) {
        const MORPHED: &[&str] = &["POSITION", "NORMAL"];
        const READ: &[&str] = &["POSITION", "NORMAL", "TEXCOORD_0", "COLOR_0"];
        let sets = sets(&part.attributes);
        let is_influence = |name: &str| {
            let set = name.strip_prefix("JOINTS_").or_else(|| name.strip_prefix("WEIGHTS_"));
            set.and_then(|set| set.parse().ok()).is_some_and(|set: usize| set < sets)
        };
        let of_targets = part.targets.iter().map(|target| (target, MORPHED, "morphed "));
        for (attributes, read, morphed) in once((&part.attributes, READ, "")).chain(of_targets) {
            let names = attributes.0.iter().map(|(name, _)| &**name);
            let rest: Vec<&str> =
                names.filter(|name| !read.contains(name) && !is_influence(name)).collect();
            if !rest.is_empty() {
                source.found.push(&codes::ATTRIBUTE, None, || {
                    let names: Vec<String> =
                        rest.iter().take(8).map(|name| quote(name.as_bytes())).collect();
                    let names = names.join(", ");
                    format!("/meshes/{}: {morphed}{names} are not supported", self.number)
                });
            }
        }
    }

    /// Appends vertices to those of the mesh. Attributes that are missing in either of the two are
    /// filled with default values.
    fn append(
        &mut self,
        source: &mut Source<'_>,
        base: Base,
        vertices: Vertices,
    ) -> Result<(), LimitError> {
        let Base { first, count } = base;
        let mesh = &mut self.mesh;
        let mut fill = |has: bool, had: bool, size: usize| match (has, had) {
            (true, false) => source.spend(first.saturating_mul(size)),
            (false, true) => source.spend(count.saturating_mul(size)),
            _ => Ok(()),
        };
        fill(vertices.normals.is_some(), !mesh.normals.is_empty(), 12)?;
        fill(vertices.texcoords.is_some(), !mesh.texcoords.is_empty(), 8)?;
        fill(vertices.colors.is_some(), !mesh.colors.is_empty(), 16)?;
        join(&mut mesh.normals, vertices.normals, base, Vec3::ZERO);
        join(&mut mesh.texcoords, vertices.texcoords, base, [0.0; 2]);
        join(&mut mesh.colors, vertices.colors, base, [1.0; 4]);
        let (has, had) = (vertices.targets.len(), mesh.morph_targets.len());
        mesh.morph_targets.resize(has.max(had), MorphTarget::default());
        let mut targets = vertices.targets.into_iter();
        for target in &mut mesh.morph_targets {
            let more = targets.next();
            fill(more.is_some(), !target.positions.is_empty(), 12)?;
            let more = more.unwrap_or_else(|| MorphTarget {
                positions: vec![Vec3::ZERO; count],
                ..MorphTarget::default()
            });
            let normals = Some(more.normals).filter(|normals| !normals.is_empty());
            fill(normals.is_some(), !target.normals.is_empty(), 12)?;
            join(&mut target.positions, Some(more.positions), base, Vec3::ZERO);
            join(&mut target.normals, normals, base, Vec3::ZERO);
        }
        let per_vertex = vertices
            .influences
            .as_ref()
            .map_or(0, |influences| influences.per_vertex)
            .max(mesh.influences.per_vertex);
        if per_vertex > 0 {
            fill(
                vertices.influences.is_some(),
                mesh.influences.per_vertex > 0,
                per_vertex.saturating_mul(8),
            )?;
            widen(&mut mesh.influences, per_vertex, first);
            let mut more = vertices.influences.unwrap_or_default();
            widen(&mut more, per_vertex, count);
            extend(&mut mesh.influences.joints, more.joints);
            extend(&mut mesh.influences.weights, more.weights);
        }
        extend(&mut mesh.positions, vertices.positions);
        Ok(())
    }

    /// Reads the names of morph targets from their conventional entry in the extras.
    fn name_targets(&mut self) {
        let Some(Value::List(names)) = self.mesh.extras.remove(TARGET_NAMES) else { return };
        for (target, name) in self.mesh.morph_targets.iter_mut().zip(names) {
            if let Value::Text(name) = name {
                target.name = name;
            }
        }
    }

    fn weigh(&mut self, source: &mut Source<'_>) {
        let (weights, targets) = (&self.json.weights, self.mesh.morph_targets.len());
        // Missing weights are equivalent to zeros.
        let fits = weights.is_empty() || weights.len() == targets;
        if fits && weights.iter().all(|weight| *weight == 0.0) {
            return;
        }
        if weights.len() == targets && weights.iter().all(|weight| weight.is_finite()) {
            self.mesh.morph_weights = weights.to_vec();
        } else {
            source.found.push(&codes::MORPH, None, || {
                format!(
                    "/meshes/{}/weights: {} weights for {targets} morph targets, or non-finite \
                     weights",
                    self.number,
                    weights.len()
                )
            });
        }
    }
}

/// Appends values for `count` vertices to the values of the first `first` vertices.
fn join<T: Clone>(all: &mut Vec<T>, more: Option<Vec<T>>, Base { first, count }: Base, instead: T) {
    match more {
        Some(more) => {
            all.resize(first, instead);
            extend(all, more);
        }
        None if all.is_empty() => {}
        None => all.resize(first.saturating_add(count), instead),
    }
}

/// Appends one list to another, without copying if the latter is empty.
fn extend<T>(all: &mut Vec<T>, more: Vec<T>) {
    if all.is_empty() {
        *all = more;
    } else {
        all.extend(more);
    }
}

/// Reads vertex colours: red, green, blue and alpha. Alpha is 1 if missing.
fn read_colors(source: &mut Source<'_>, accessor: usize) -> Result<Vec<[f32; 4]>, Fault> {
    if source.width(accessor)? != 3 {
        return source.floats(accessor, 4);
    }
    let opaque: Vec<[f32; 3]> = source.floats(accessor, 3)?;
    source.spend(opaque.len().saturating_mul(16))?;
    Ok(opaque.into_iter().map(|[red, green, blue]| [red, green, blue, 1.0]).collect())
}
