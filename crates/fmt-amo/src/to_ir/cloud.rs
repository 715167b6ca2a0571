//! Converts a file with only vertices to a mesh of points. Such files are point clouds, of scanners
//! for example, or were cut off; then the points are all that is left.

use anim_ir::number::index32;
use anim_ir::{Diagnostics, MaterialId, Mesh, Node, Primitive, Scene, Topology};

use super::meshes::linear;
use crate::codes;
use crate::document::Document;

/// Whether a document has vertices, and nothing that uses them.
pub(super) fn is_cloud(document: &Document<'_>) -> bool {
    !document.positions().is_empty()
        && document.content.elements.is_empty()
        && document.joints().is_empty()
        && document.animations().is_empty()
}

/// Adds the vertices of the document as points.
pub(super) fn add(document: &Document<'_>, scene: &mut Scene, losses: &mut Diagnostics) {
    let positions = document.positions();
    let vertices = &document.content.vertices;
    let dropped = [
        ("the names of several objects", document.objects().len() > 1),
        ("all materials but the first", scene.materials.len() > 1),
        ("normals", !vertices.normals.is_empty()),
        ("texture coordinates", !vertices.texcoords.is_empty()),
    ];
    let dropped: Vec<&str> =
        dropped.into_iter().filter(|(_, is_given)| *is_given).map(|(what, _)| what).collect();
    losses.lost(&codes::LOSS_CLOUD, !dropped.is_empty(), || {
        format!("not kept in the point cloud: {}", dropped.join(", "))
    });
    let given = &vertices.colors;
    let mut colors = Vec::new();
    if !given.is_empty() {
        colors.resize(positions.len(), [1.0; 4]);
        for (position, color) in given {
            if let Some(place) = colors.get_mut(*position as usize) {
                *place = linear(*color);
            }
        }
    }
    let material = (!scene.materials.is_empty()).then_some(MaterialId::default());
    let indices = (0..index32(positions.len())).collect();
    let name = match document.objects() {
        [object] => object.name.clone(),
        _ => String::new(),
    };
    let mesh = Mesh {
        name: name.clone(),
        positions: positions.iter().map(|position| (*position).into()).collect(),
        colors,
        primitives: vec![Primitive { topology: Topology::Points, indices, material }],
        ..Mesh::default()
    };
    let mesh = Some(scene.add_mesh(mesh));
    scene.add_node(Node { name, mesh, ..Node::default() });
}
