//! What the nodes of skinned meshes do, although only joints place such meshes: they hide them, and
//! they determine their winding.

use anim_gltf::{FromIr, codes, from_ir};
use anim_ir::{JointRef, Scene};
use serde_json::{Value, json};

use super::foreign::changed;
use super::there_and_back;
use crate::scenes::waving;

/// Returns the index of a node.
fn find(json: &Value, name: &str) -> usize {
    let nodes = json["nodes"].as_array().unwrap();
    nodes.iter().position(|node| node["name"] == name).unwrap()
}

/// Moves a root below a new root.
fn put_below(json: &mut Value, node: usize, mut parent: Value) {
    parent["children"] = json!([node]);
    let nodes = json["nodes"].as_array_mut().unwrap();
    nodes.push(parent);
    let last = nodes.len() - 1;
    for root in json["scenes"][0]["nodes"].as_array_mut().unwrap() {
        if *root == node {
            *root = last.into();
        }
    }
}

/// Whether the node of each skinned mesh in a file, or one above it, is hidden.
fn are_hidden(json: &Value) -> Vec<bool> {
    let nodes = json["nodes"].as_array().unwrap();
    let hides = |node: usize| {
        nodes[node]["extensions"]["KHR_node_visibility"]["visible"] == Value::Bool(false)
    };
    let is_hidden = |mut node: usize| loop {
        let is_parent = |other: &Value| {
            other["children"].as_array().is_some_and(|children| children.contains(&node.into()))
        };
        match nodes.iter().position(is_parent) {
            _ if hides(node) => return true,
            Some(parent) => node = parent,
            None => return false,
        }
    };
    (0..nodes.len()).filter(|node| nodes[*node].get("skin").is_some()).map(is_hidden).collect()
}

fn json_of(glb: &[u8]) -> Value {
    serde_json::from_slice(&gltf::Glb::from_slice(glb).unwrap().json).unwrap()
}

#[test]
fn hidden_skinned_meshes_stay_hidden() {
    let hidden = json!({"KHR_node_visibility": {"visible": false}});
    let own = changed(&waving(), |json| {
        let sleeve = find(json, "sleeve");
        json["nodes"][sleeve]["extensions"] = hidden.clone();
    });
    let of_parent = changed(&waving(), |json| {
        let sleeve = find(json, "sleeve");
        put_below(json, sleeve, json!({"name": "group", "extensions": hidden}));
    });
    for (name, scene) in [("sleeve", own.value), ("group", of_parent.value)] {
        let hides = |at: JointRef| {
            let joint = scene.joint(at).unwrap();
            (joint.name == name, joint.visible)
        };
        assert_eq!(scene.nodes[0].parent.map(hides), Some((true, false)), "{name}");
        let written = from_ir(&scene, &FromIr::default()).unwrap();
        assert_eq!(are_hidden(&json_of(&written.value)), [true], "{name}");
        assert_eq!(written.losses.count(&codes::VISIBILITY), 1, "{name}");
        let back = there_and_back(&scene, &FromIr::default()).value;
        assert_eq!(back.nodes, scene.nodes, "{name}");
    }
    // The node of a mesh that is never hidden does not matter.
    let shown = changed(&waving(), |json| {
        let sleeve = find(json, "sleeve");
        put_below(json, sleeve, json!({"name": "group"}));
    });
    assert_eq!(shown.value.nodes[0].parent, None);
}

/// glTF 2.0, 3.7.4: the determinant of the node's global transform determines the winding.
#[test]
fn nodes_that_mirror_reverse_the_triangles_of_skinned_meshes() {
    let mirror = json!([-1.0, 1.0, 1.0]);
    let indices = |scene: &Scene| {
        let of_node = scene.nodes.iter().map(|node| scene.mesh(node.mesh.unwrap()).unwrap());
        of_node.map(|mesh| mesh.primitives[0].indices.clone()).collect::<Vec<_>>()
    };
    let mirrored = changed(&waving(), |json| {
        let sleeve = find(json, "sleeve");
        put_below(json, sleeve, json!({"scale": mirror}));
    });
    assert_eq!(indices(&mirrored.value), [[0, 2, 1]]);
    let twice = changed(&waving(), |json| {
        let sleeve = find(json, "sleeve");
        json["nodes"][sleeve]["scale"] = json!([1.0, 1.0, -1.0]);
        put_below(json, sleeve, json!({"scale": mirror}));
    });
    assert_eq!(indices(&twice.value), [[0, 1, 2]]);
    // Two nodes share the mesh, and one of them mirrors.
    let shared = changed(&waving(), |json| {
        let sleeve = find(json, "sleeve");
        let other = json["nodes"][sleeve].clone();
        json["nodes"][sleeve]["scale"] = mirror;
        let nodes = json["nodes"].as_array_mut().unwrap();
        nodes.push(other);
        let last = nodes.len() - 1;
        json["scenes"][0]["nodes"].as_array_mut().unwrap().push(last.into());
    });
    assert_eq!(indices(&shared.value), [[0, 2, 1], [0, 1, 2]]);
    assert_eq!(shared.value.meshes.len(), 2);
}
