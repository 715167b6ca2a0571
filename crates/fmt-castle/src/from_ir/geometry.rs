//! Conversion of meshes to X3D, with placeholders for vertex positions, since vertices may move.

use std::collections::HashMap;
use std::fmt::Write as _;

use anim_ir::number::index32;
use anim_ir::{Mesh, Primitive, Scene, Topology, UniqueNames, Vec3};

use super::colors::Colors;
use super::def_name::{def_name, definition};
use super::{look, number};

/// The shapes of a mesh: pieces of text, with placeholders for coordinates between them.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    pieces: Vec<Piece>,
}

#[derive(Debug)]
enum Piece {
    Text(String),
    /// Placeholder for the positions of these vertices.
    Points(Vec<u32>),
}

impl Shapes {
    /// Builds the shapes of a mesh. Their `DEF` names begin with `name`.
    pub(super) fn of(
        scene: &Scene,
        mesh: &Mesh,
        name: &str,
        names: &mut UniqueNames<'static>,
    ) -> Shapes {
        let mut shapes = Shapes::default();
        let mut unique = |what: &str| def_name(names, &format!("{name}_{what}"), "");
        let welded = Welded::of(mesh);
        let mut colors = Colors::of(scene, mesh);
        let triangles =
            |part: &&Primitive| part.topology == Topology::Triangles && !part.indices.is_empty();
        let share_texcoords = mesh.primitives.iter().filter(triangles).count() > 1;
        let (mut coordinates, mut texcoords) = (None, None);
        let have_alpha = colors.as_ref().map(Colors::have_alpha);
        let of_vertices = [have_alpha.is_some(), have_alpha == Some(true)];
        for part in mesh.primitives.iter().filter(|part| !part.indices.is_empty()) {
            shapes.text("<Shape>");
            shapes.text(&look::appearance(scene, part, of_vertices));
            let node = match part.topology {
                Topology::Triangles => "IndexedFaceSet",
                Topology::Lines => "IndexedLineSet",
                Topology::Points => "PointSet",
            };
            shapes.text(&format!("<{node}"));
            if part.topology == Topology::Triangles {
                if look::material(scene, part).is_none_or(|material| material.double_sided) {
                    shapes.text(" solid=\"false\"");
                }
                if is_smooth(mesh, part) {
                    // This angle exceeds any angle between faces, so all edges are smooth.
                    shapes.text(" creaseAngle=\"4\"");
                }
            }
            if part.topology == Topology::Points {
                shapes.text("><Coordinate point=\"");
                shapes.pieces.push(Piece::Points(part.indices.clone()));
                shapes.text("\"/>");
                if let Some(colors) = &colors {
                    shapes.text(&colors.of_points(part));
                }
            } else {
                shapes.indices("coordIndex", part, |vertex| welded.place(vertex));
                // Attributes without a separate index list use the indices of the
                // coordinates.
                let textured = triangles(&part) && !mesh.texcoords.is_empty();
                if textured && welded.joins {
                    shapes.indices("texCoordIndex", part, |vertex| vertex);
                }
                let list = colors.as_ref().map_or(0, |colors| colors.list(part));
                if let Some(colors) = &colors
                    && (welded.joins || !colors.is_whole(list))
                {
                    shapes.indices("colorIndex", part, |vertex| colors.place(list, vertex));
                }
                if let Some(name) = &coordinates {
                    shapes.text(&format!("><Coordinate USE=\"{name}\"/>"));
                } else {
                    let name = coordinates.insert(unique("coordinates"));
                    shapes.text(&format!("><Coordinate DEF=\"{name}\" point=\""));
                    shapes.pieces.push(Piece::Points(welded.vertices.clone()));
                    shapes.text("\"/>");
                }
                if let Some(colors) = &mut colors {
                    shapes.text(&colors.node(part, list, || unique("colors")));
                }
                if let Some(name) = texcoords.as_ref().filter(|_| textured) {
                    shapes.text(&format!("<TextureCoordinate USE=\"{name}\"/>"));
                } else if textured {
                    texcoords = share_texcoords.then(|| unique("texcoords"));
                    shapes.texcoords(mesh, texcoords.as_deref());
                }
            }
            shapes.text(&format!("</{node}></Shape>"));
        }
        shapes
    }

    /// Fills in the vertex positions.
    pub(super) fn write(&self, positions: &[Vec3], out: &mut String) {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Points(vertices) => {
                    let places =
                        vertices.iter().filter_map(|vertex| positions.get(*vertex as usize));
                    number::list(places.flat_map(|place| place.to_array()), out);
                }
            }
        }
    }

    fn text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }

    /// Formats the indices of each element, followed by -1.
    fn indices(&mut self, field: &str, part: &Primitive, index: impl Fn(u32) -> u32) {
        let mut text = format!(" {field}=\"");
        for element in part.indices.chunks_exact(part.topology.corners()) {
            for vertex in element {
                // Writing to a String cannot fail.
                let _ = write!(text, "{} ", index(*vertex));
            }
            text.push_str("-1 ");
        }
        self.text(text.trim_end());
        self.text("\"");
    }

    /// Formats texture coordinates, flipped so that v points up.
    fn texcoords(&mut self, mesh: &Mesh, name: Option<&str>) {
        let mut text = format!("<TextureCoordinate{} point=\"", definition(name));
        number::list(mesh.texcoords.iter().flat_map(|[u, v]| [*u, 1.0 - v]), &mut text);
        text.push_str("\"/>");
        self.text(&text);
    }
}

/// Merged vertices. Vertices that always move together are merged, which undoes splits caused by
/// texture coordinates.
struct Welded {
    /// A representative mesh vertex for each merged vertex.
    vertices: Vec<u32>,
    /// The merged vertex of each mesh vertex.
    places: Vec<u32>,
    /// Whether any vertices were merged.
    joins: bool,
}

impl Welded {
    fn of(mesh: &Mesh) -> Welded {
        let mut welded = Welded {
            vertices: Vec::new(),
            places: Vec::with_capacity(mesh.positions.len()),
            joins: false,
        };
        let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
        let width = mesh.influences.per_vertex;
        for (vertex, position) in mesh.positions.iter().enumerate() {
            // Treat minus zero as zero.
            let bits = |point: &Vec3| point.to_array().map(|number| (number + 0.0).to_bits());
            let mut key = bits(position).to_vec();
            let targets = mesh.morph_targets.iter();
            key.extend(targets.filter_map(|target| target.positions.get(vertex)).flat_map(bits));
            let row = vertex.saturating_mul(width)..vertex.saturating_add(1).saturating_mul(width);
            key.extend(mesh.influences.joints.get(row.clone()).unwrap_or_default());
            let weights = mesh.influences.weights.get(row).unwrap_or_default();
            key.extend(weights.iter().map(|weight| weight.to_bits()));
            let next = index32(welded.vertices.len());
            let place = *known.entry(key).or_insert(next);
            if place == next {
                welded.vertices.push(index32(vertex));
            }
            welded.places.push(place);
        }
        welded.joins = welded.vertices.len() < mesh.positions.len();
        welded
    }

    fn place(&self, vertex: u32) -> u32 {
        self.places.get(vertex as usize).copied().unwrap_or(vertex)
    }
}

/// Whether a part is smooth-shaded, that is, whether any triangle has differing corner normals.
fn is_smooth(mesh: &Mesh, part: &Primitive) -> bool {
    let normal = |vertex: &u32| mesh.normals.get(*vertex as usize).copied();
    let corners = part.indices.as_chunks::<3>().0;
    corners.iter().any(|[a, b, c]| normal(a) != normal(b) || normal(b) != normal(c))
}
