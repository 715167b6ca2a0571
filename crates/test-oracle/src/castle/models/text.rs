//! Frames as OBJ and X3D, and text in XML.

use std::fmt::Write as _;

use super::scene::{Primitive, Scene};
use crate::random::Rng;

/// Returns text as the content of an XML element.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Writes a flat scene: an object for each node.
pub(super) fn obj(scene: &Scene, rng: &mut Rng) -> Vec<u8> {
    let mut text = String::from("# generated\n");
    let mut before = 0;
    for node in &scene.nodes {
        writeln!(text, "o {}", node.name).unwrap();
        let primitive = &scene.meshes[node.mesh.unwrap()].primitives[0];
        for [x, y, z] in &primitive.points {
            writeln!(text, "v {x} {y} {z}").unwrap();
        }
        let count = primitive.points.len();
        let backwards = rng.chance(20);
        for corners in triangles(primitive).chunks_exact(3) {
            let index = |corner: &usize| match backwards {
                true => (*corner as i64 - count as i64).to_string(),
                false => (before + corner + 1).to_string(),
            };
            let corners: Vec<String> = corners.iter().map(index).collect();
            writeln!(text, "f {}", corners.join(" ")).unwrap();
        }
        before += count;
    }
    text.into_bytes()
}

/// Writes a scene without skins, morph targets, points and lines.
pub(super) fn x3d(scene: &Scene) -> Vec<u8> {
    let mut text = String::from("<X3D version='3.3' profile='Interchange'><Scene>\n");
    scene.roots.iter().for_each(|root| x3d_node(scene, *root, &mut text));
    text += "</Scene></X3D>\n";
    text.into_bytes()
}

fn x3d_node(scene: &Scene, node: usize, text: &mut String) {
    let node = &scene.nodes[node];
    let joined = |v: &[f64]| v.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    let [x, y, z, w] = node.rotation;
    let length = (x * x + y * y + z * z).sqrt();
    let turn = if length == 0.0 {
        [0.0, 0.0, 1.0, 0.0]
    } else {
        [x / length, y / length, z / length, 2.0 * length.atan2(w)]
    };
    write!(
        text,
        "<Transform DEF='{}' translation='{}' rotation='{}' scale='{}'>",
        node.name,
        joined(&node.translation),
        joined(&turn),
        joined(&node.scale)
    )
    .unwrap();
    for primitive in node.mesh.iter().flat_map(|mesh| &scene.meshes[*mesh].primitives) {
        let corners = triangles(primitive);
        let faces: Vec<String> =
            corners.chunks_exact(3).map(|c| format!("{} {} {} -1", c[0], c[1], c[2])).collect();
        writeln!(
            text,
            "<Shape><IndexedFaceSet coordIndex='{}'><Coordinate point='{}'/></IndexedFaceSet>\
             </Shape>",
            faces.join(" "),
            joined(primitive.points.as_flattened())
        )
        .unwrap();
    }
    node.children.iter().for_each(|child| x3d_node(scene, *child, text));
    *text += "</Transform>\n";
}

/// Returns the corners of the triangles of a primitive, which are a list.
fn triangles(primitive: &Primitive) -> Vec<usize> {
    assert_eq!(primitive.mode, 4, "not a list of triangles");
    primitive.indices.clone().unwrap_or_else(|| (0..primitive.points.len()).collect())
}
