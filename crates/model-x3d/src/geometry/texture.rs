//! Texture coordinates, from the file or generated, and their transforms.

use std::borrow::Cow;

use anim_ir::{Diagnostics, Vec3, sort_by};

use super::form::Values;
use super::source::Source;
use crate::codes;
use crate::graph::{Graph, Node, NodeId};
use crate::math::to_f32;

/// Returns the file's texture coordinates, with v pointing up.
pub(super) fn coordinates<'a>(
    graph: &'a Graph,
    source: &Source,
    diagnostics: &mut Diagnostics,
) -> Option<Values<'a, [f32; 2]>> {
    let node = first_of(graph, source.texcoords?, "MultiTextureCoordinate", "texCoord")?;
    match node.kind.name {
        "TextureCoordinate" | "TextureCoordinate2" => {
            Some(Values::of(node.floats("point").as_chunks::<2>().0))
        }
        _ => {
            not_understood(node, diagnostics);
            None
        }
    }
}

/// Returns the texture coordinates of a grid, from 0 to 1 in each direction.
pub(super) fn grid(columns: i32, rows: i32) -> Vec<[f32; 2]> {
    let share = |at: i32, of: i32| to_f32(f64::from(at) / f64::from(of.saturating_sub(1)));
    (0..rows)
        .flat_map(|row| (0..columns).map(move |column| [share(column, columns), share(row, rows)]))
        .collect()
}

/// Generates texture coordinates (ISO/IEC 19775-1, 13.3.6): s runs from 0 to 1 along the longest
/// side of the bounding box, t along the second longest at the same scale. If sides are equal,
/// x takes precedence over y, and y over z.
pub(super) fn default_mapping<'a>(
    points: &Cow<'a, [Vec3]>,
    used: impl Iterator<Item = Vec3>,
) -> Values<'a, [f32; 2]> {
    let mut least = [f64::INFINITY; 3];
    let mut most = [f64::NEG_INFINITY; 3];
    for point in used {
        for ((least, most), c) in least.iter_mut().zip(&mut most).zip(point.to_array()) {
            *least = least.min(f64::from(c));
            *most = most.max(f64::from(c));
        }
    }
    let mut axes = [(least[0], most[0], 0), (least[1], most[1], 1), (least[2], most[2], 2)];
    // A stable sort keeps the order of x, y and z.
    sort_by(&mut axes, |(a, b, _), (c, d, _)| (d - c).total_cmp(&(b - a)));
    let [(s_start, s_end, s), (t_start, _, t), _] = axes;
    let size = if s_end > s_start { s_end - s_start } else { 1.0 };
    let along = move |point: &Vec3, axis: usize, start: f64| {
        let c = point.to_array().get(axis).copied().unwrap_or_default();
        to_f32((f64::from(c) - start) / size)
    };
    let place = move |point: &Vec3| [along(point, s, s_start), along(point, t, t_start)];
    match *points {
        Cow::Borrowed(points) => {
            Values::new(points.len(), move |number| points.get(number).map(place))
        }
        Cow::Owned(ref points) => Values::of(points.iter().map(place).collect::<Vec<_>>()),
    }
}

/// Applies texture transforms to texture coordinates, the last first, and flips them so that v
/// points down. If the texture is flipped, v already points down.
pub(super) fn transformed<'a>(
    values: Values<'a, [f32; 2]>,
    graph: &Graph,
    source: &Source,
    diagnostics: &mut Diagnostics,
) -> Values<'a, [f32; 2]> {
    let mut whole = Affine::IDENTITY;
    let flipped = source.flipped;
    for node in source
        .texture_transform
        .iter()
        .filter_map(|id| first_of(graph, *id, "MultiTextureTransform", "textureTransform"))
    {
        whole = match Affine::of(node) {
            Some(affine) => whole.after(affine),
            None => {
                not_understood(node, diagnostics);
                whole
            }
        };
    }
    values.map(move |value| {
        let [u, v] = if whole == Affine::IDENTITY {
            value
        } else {
            whole.apply(value.map(f64::from)).map(to_f32)
        };
        [u, if flipped { v } else { 1.0 - v }]
    })
}

/// Returns the first child of a node for multiple textures, otherwise the node itself, since glTF
/// only supports one texture.
fn first_of<'a>(graph: &'a Graph, id: NodeId, kind: &str, field: &str) -> Option<&'a Node> {
    let node = graph.node(id)?;
    if node.kind.name == kind { graph.node(graph.child(id, field)?) } else { Some(node) }
}

fn not_understood(node: &Node, diagnostics: &mut Diagnostics) {
    let name = node.kind.name;
    diagnostics.push(&codes::GEOMETRY_KIND, node.span, || {
        format!("{name} is not supported for texture coordinates")
    });
}

/// The two columns of a 2 × 2 matrix, and a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Affine([[f64; 2]; 3]);

impl Affine {
    const IDENTITY: Affine = Affine([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]);

    fn of(node: &Node) -> Option<Affine> {
        let pair = |field: &str| node.array::<2>(field).map(f64::from);
        let moved = |[x, y]: [f64; 2]| Affine([[1.0, 0.0], [0.0, 1.0], [x, y]]);
        let scaled = |[x, y]: [f64; 2]| Affine([[x, 0.0], [0.0, y], [0.0, 0.0]]);
        let (translation, center) = (moved(pair("translation")), pair("center"));
        let (to_center, back) = (moved(center), moved(center.map(|c| -c)));
        let (sin, cos) = f64::from(node.float("rotation")).sin_cos();
        let rotation = Affine([[cos, sin], [-sin, cos], [0.0, 0.0]]);
        match node.kind.name {
            // Tc' = -C × S × R × C × T × Tc (ISO/IEC 19775-1, 18.4.8).
            "TextureTransform" => Some(
                back.after(scaled(pair("scale")))
                    .after(rotation)
                    .after(to_center)
                    .after(translation),
            ),
            // In order: scale and rotation about the center, translation (VRML 1.0c,
            // "Texture2Transform").
            "Texture2Transform" => Some(
                translation
                    .after(to_center)
                    .after(rotation)
                    .after(scaled(pair("scaleFactor")))
                    .after(back),
            ),
            _ => None,
        }
    }

    fn apply(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let Affine([a, b, t]) = self;
        [a[0] * x + b[0] * y + t[0], a[1] * x + b[1] * y + t[1]]
    }

    /// Composes two transforms: applies `first`, then `self`.
    fn after(self, first: Affine) -> Affine {
        let Affine([a, b, t]) = first;
        let zero = self.apply([0.0, 0.0]);
        let linear = |column: [f64; 2]| {
            let [x, y] = self.apply(column);
            [x - zero[0], y - zero[1]]
        };
        Affine([linear(a), linear(b), self.apply(t)])
    }
}
