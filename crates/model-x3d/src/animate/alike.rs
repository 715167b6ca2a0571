//! Equal nodes of shapes, which are converted once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::plan::PlannedShape;
use crate::graph::{Graph, Node, NodeId, Value};
use crate::nodes::Family;

/// The largest node that is compared, in bytes. Larger ones take no longer to convert than to read.
const LARGEST: usize = 512;

/// Everything that determines what a node shows.
#[derive(PartialEq, Eq, Hash)]
struct Content<'a> {
    kind: (&'static str, Family),
    name: Option<&'a str>,
    /// The folder that addresses are relative to.
    folder: &'a str,
    fields: Vec<u8>,
}

/// Makes shapes refer to the first of equal nodes, so that they share what is made of it. A
/// compressed file can contain very many, and making each would take much longer than reading it.
/// `moving` are the nodes that sensors animate.
pub(super) fn share_equal_nodes(
    shapes: &mut [PlannedShape],
    frames: &[Arc<Graph>],
    moving: &HashSet<NodeId>,
) {
    let ([first, others @ ..], [_, _, ..]) = (frames, &*shapes) else { return };
    let mut known: HashMap<Content<'_>, NodeId> = HashMap::new();
    let mut found: HashMap<NodeId, NodeId> = HashMap::new();
    let mut share = |id: &mut NodeId| {
        let same = *found.entry(*id).or_insert_with(|| {
            let Some(node) = first.node(*id).filter(|_| !moving.contains(id)) else { return *id };
            let is_same = |graph: &Arc<Graph>| graph.node(*id) == Some(node);
            let content = content(first, *id, node).filter(|_| others.iter().all(is_same));
            content.map_or(*id, |content| *known.entry(content).or_insert(*id))
        });
        *id = same;
    };
    for PlannedShape { source, look, own, .. } in shapes {
        let before = (source.clone(), look.clone());
        share(&mut source.geometry);
        let textures = [
            &mut look.material,
            &mut look.texture,
            &mut look.emissive,
            &mut look.metallic_roughness,
            &mut look.normal,
            &mut look.occlusion,
        ];
        textures.into_iter().flatten().for_each(&mut share);
        source.texture_transform.iter_mut().for_each(&mut share);
        if (&before.0, &before.1) != (source, look) {
            *own = Some(Box::new(before));
        }
    }
}

/// Returns the content of a small node without child nodes.
fn content<'a>(graph: &'a Graph, id: NodeId, node: &'a Node) -> Option<Content<'a>> {
    let mut fields = Vec::new();
    for (index, value) in &node.fields {
        fields.push(*index);
        let length = |length: usize| u64::try_from(length).unwrap_or(u64::MAX).to_le_bytes();
        match value {
            Value::Bool(value) => fields.push(u8::from(*value)),
            Value::Ints(values) if values.len() <= LARGEST / size_of::<i32>() => {
                fields.extend(length(values.len()));
                fields.extend_from_slice(bytemuck::cast_slice(values));
            }
            Value::Floats(values) if values.len() <= LARGEST / size_of::<f32>() => {
                fields.extend(length(values.len()));
                fields.extend_from_slice(bytemuck::cast_slice(values));
            }
            Value::Strings(values) if values.iter().map(String::len).sum::<usize>() <= LARGEST => {
                fields.extend(length(values.len()));
                for value in values.iter() {
                    fields.extend(length(value.len()));
                    fields.extend_from_slice(value.as_bytes());
                }
            }
            Value::Nodes(nodes) if nodes.is_empty() => {}
            _ => return None,
        }
    }
    let kind = (node.kind.name, node.kind.family);
    let name = node.name.as_deref();
    Some(Content { kind, name, folder: graph.folder(id), fields })
}
