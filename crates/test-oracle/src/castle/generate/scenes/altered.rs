//! Scenes that are not structurally equal to others.

use super::parts::{Made, Options};
use super::vrml1::vrml1_shapes;
use super::x3d::x3d_mesh;
use crate::castle::generate::tree::{Node, Value};
use crate::random::Rng;

/// The scene with a change that makes it another structure.
pub(crate) fn altered(scene: &Node, rng: &mut Rng) -> Node {
    let mut altered = scene.clone();
    let is_faces = |node: &Node| node.kind == "IndexedFaceSet" && !node.used;
    let is_points = |node: &Node| matches!(node.kind, "Coordinate" | "Coordinate3") && !node.used;
    let way = rng.below(4);
    match (way, altered.find(&is_faces).is_some()) {
        (0, true) => {
            // The first polygon once more, in all lists.
            let faces = altered.find(&is_faces).unwrap();
            for list in ["coordIndex", "texCoordIndex", "textureCoordIndex"] {
                if let Some(numbers) = faces.integers(list) {
                    let end = numbers.iter().position(|&number| number < 0).unwrap();
                    numbers.extend_from_within(..=end);
                }
            }
        }
        (1, true) => altered.find(&is_faces).unwrap().def = Some("Renamed".to_owned()),
        (2, true) => {
            // One point more.
            if let Some((_, Value::Numbers { values, .. })) =
                altered.find(&is_points).unwrap().fields.first_mut()
            {
                values.extend([0.1, 0.2, 0.3]);
            }
        }
        _ => add_node(&mut altered, rng),
    }
    altered
}

/// Adds a mesh to the root, or in VRML 1.0 to the first Separator.
fn add_node(scene: &mut Node, rng: &mut Rng) {
    // Names that are not there yet.
    let made = &mut Made { names: 1000, ..Made::new(true, Options::default()) };
    let vrml1 = scene.find(&|node| node.kind == "Separator").is_some();
    let (holder, more) = if vrml1 {
        // In a Separator of its own, so that it leaves nothing behind.
        let more =
            Node::new("Separator").with("children", Value::Nodes(vrml1_shapes(true, made, rng)));
        (scene.find(&|node| node.kind == "Separator"), more)
    } else {
        (Some(scene), x3d_mesh(made, rng))
    };
    let children =
        holder.and_then(|node| node.fields.iter_mut().find(|(name, _)| *name == "children"));
    match children {
        Some((_, Value::Nodes(children))) => children.push(more),
        _ => panic!("a root without children"),
    }
}
