//! Reports changes between frames that cannot be animated.

use std::collections::HashMap;

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, sort_by};

use super::motion::Motion;
use super::plan::PlannedShape;
use super::variants::Played;
use crate::codes;
use crate::compare::changed_fields;
use crate::graph::{Node, NodeId};
use crate::options::ToIr;

/// Fields that determine the positions of vertices, by node type. Changes to these fields are
/// animated.
const MOVING: [(&str, &[&str]); 20] = [
    ("Coordinate", &["point"]),
    ("CoordinateDouble", &["point"]),
    ("Coordinate3", &["point"]),
    ("Box", &["size"]),
    ("Cube", &["width", "height", "depth"]),
    ("Sphere", &["radius"]),
    ("Cone", &["bottomRadius", "height"]),
    ("Cylinder", &["radius", "height"]),
    ("ElevationGrid", &["height", "xSpacing", "zSpacing"]),
    ("Arc2D", &["radius", "startAngle", "endAngle"]),
    ("ArcClose2D", &["radius", "startAngle", "endAngle"]),
    ("Circle2D", &["radius"]),
    ("Disk2D", &["outerRadius"]),
    ("Polyline2D", &["lineSegments"]),
    ("Polypoint2D", &["point"]),
    ("Rectangle2D", &["size"]),
    ("TriangleSet2D", &["vertices"]),
    ("Extrusion", &["spine", "crossSection", "orientation", "scale"]),
    ("MatrixTransform", &["matrix"]),
    ("Transform", &["translation"]),
];

/// The fields of nodes that change between frames but cannot be animated. Shapes may share nodes,
/// so each is compared once.
pub(super) type Unmoved = HashMap<NodeId, Vec<&'static str>>;

/// Reports changes between frames that cannot be animated, such as colours and texture coordinates,
/// and normals that keep the values of the first shape.
pub(super) fn report(
    unmoved: &mut Unmoved,
    shape: &PlannedShape,
    motion: &Motion,
    played: &Played<'_>,
    options: &ToIr,
    problems: &mut Diagnostics,
) {
    let source = &shape.source;
    let single = [
        Some(source.geometry),
        source.coordinates,
        source.normals,
        source.colors,
        source.texcoords,
        source.material,
    ];
    let looks = [shape.look.material].into_iter().chain(shape.look.textures());
    let nodes =
        single.into_iter().chain(looks).flatten().chain(source.texture_transform.iter().copied());
    let mut seen: Vec<NodeId> = Vec::new();
    for id in nodes {
        if seen.contains(&id) {
            continue;
        }
        seen.push(id);
        let Some(first) = played.frames.first().and_then(|graph| graph.node(id)) else { continue };
        for field in unmoved.entry(id).or_insert_with(|| changed(id, first, played, options)) {
            problems.push(&codes::NOT_ANIMATED, first.span, || {
                let name = first
                    .name
                    .as_ref()
                    .map_or(String::new(), |name| format!(" {}", quote(name.as_bytes())));
                format!(
                    "{field} of {}{name} changes between frames, but keeps its first value",
                    first.kind.name
                )
            });
        }
    }
    if motion.morphs() && motion.shapes.has_normals() && options.no_morph_normals {
        problems.push(&codes::MORPH_NORMALS, shape.span(played.frames), || {
            format!("the normals of {} keep the values of its first shape", shape.shown())
        });
    }
}

/// Returns the fields of a node that change between frames but cannot be animated.
fn changed(id: NodeId, first: &Node, played: &Played<'_>, options: &ToIr) -> Vec<&'static str> {
    let moving = MOVING
        .iter()
        .find(|(kind, _)| *kind == first.kind.name)
        .map_or(&[][..], |(_, fields)| fields);
    let normals = first.kind.name == "Normal" && !options.no_morph_normals;
    let others = played.versions(id).filter(|node| !std::ptr::eq(*node, first));
    let mut changed: Vec<&str> = others
        .flat_map(|node| changed_fields(first, node))
        .filter(|field| !moving.contains(field) && !normals)
        .collect();
    sort_by(&mut changed, Ord::cmp);
    changed.dedup();
    changed
}
