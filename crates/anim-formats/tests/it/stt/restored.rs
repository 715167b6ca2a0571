//! Tests restoring states from the GLB they were written to.

use anim_formats::anim_ir::{EulerOrder, Scene, validate};
use anim_formats::{AnyDocument, Settings, put_motion_on};
use test_oracle::fixtures::scale;
use test_oracle::stt;

use super::{Case, generated, one_node};
use crate::{format, scene_of as scene_of_document, testdata, written};

fn glb(scene: &Scene) -> Vec<u8> {
    written(scene, "glb", &[]).unwrap().value.main
}

fn scene_of(bytes: &[u8]) -> Scene {
    let parsed = AnyDocument::parse(bytes, format("gltf"), &Settings::default()).unwrap();
    assert!(parsed.diagnostics.is_empty());
    let read = scene_of_document(&parsed.value, &[]);
    assert!(validate(&read.value).is_empty());
    read.value
}

fn text_of(scene: &Scene) -> String {
    String::from_utf8(written(scene, "stt", &[]).unwrap().value.main).unwrap()
}

fn names(scene: &Scene) -> Vec<String> {
    scene.playables().into_iter().map(|(name, _)| name.to_owned()).collect()
}

/// The full content of the file is restored: waves, types without effect, transitions.
#[test]
fn the_same_file() {
    for seed in 5000..scale(5020, 5040) {
        let case = Case::new(&generated(seed, seed % 2 == 0));
        let read = scene_of(&glb(&case.scene));
        assert_eq!(stt::parse(&text_of(&read)), case.file, "seed {seed}");
        let counts = |scene: &Scene| (names(scene), scene.clips.len(), scene.timelines.len());
        // Keys baked from waves are removed.
        assert_eq!(counts(&read), counts(&case.scene), "seed {seed}");
    }
}

/// If the animations have been edited, they take precedence over the states.
#[test]
fn states_of_an_edited_file_are_not_restored() {
    let text = std::fs::read_to_string(testdata("stt/ok/published_3.stt")).unwrap();
    let mut bytes = glb(&Case::new(&text).scene);
    let name = b"my_second_state";
    // The last occurrence is in the animation, after the scene's extras.
    let at = bytes.windows(name.len()).rposition(|word| word == name).unwrap();
    bytes[at] = b'M';
    let read = scene_of(&bytes);
    assert!(read.machines.is_empty());
    assert!(names(&read).contains(&"My_second_state".to_owned()));
}

/// Returns a GLB of a wave from 0 to 10 of 4 s, and the place of the key value 10 in it.
fn waving() -> (Vec<u8>, usize) {
    let text = one_node("0 0 0 10 0 0 4 0 3", "0 0 0 0 0 0 0 0 8", "0 0 0 0 0 0 0 0 8");
    let bytes = glb(&Case::new(&text).scene);
    let key: Vec<u8> = [10.0_f32, 0.0, 0.0].into_iter().flat_map(f32::to_le_bytes).collect();
    let at = bytes.windows(key.len()).rposition(|place| place == key).unwrap();
    (bytes, at)
}

fn codes(bytes: &[u8]) -> Vec<&'static str> {
    let parsed = AnyDocument::parse(bytes, format("gltf"), &Settings::default()).unwrap();
    let read = scene_of_document(&parsed.value, &[]);
    read.losses.iter().map(|loss| loss.code.id).collect()
}

/// Another program may change keys and keep the extras.
#[test]
fn edited_keys_take_precedence_over_the_states() {
    let (mut bytes, at) = waving();
    assert_eq!(codes(&bytes), [""; 0]);
    assert_eq!(scene_of(&bytes).machines.len(), 1);
    bytes[at..at + 4].copy_from_slice(&100.0_f32.to_le_bytes());
    assert_eq!(codes(&bytes), ["states-edited"]);
    let read = scene_of(&bytes);
    assert!(read.machines.is_empty());
    let table = &read.timelines[0].tables()[0];
    assert!((0..table.times().len()).any(|key| table.row(key).contains(&100.0)));
}

/// The waves are those of the node's old name.
#[test]
fn the_keys_of_a_renamed_node_are_kept() {
    let (mut bytes, _) = waving();
    let name = br#""name":"node""#;
    let places: Vec<usize> = bytes
        .windows(name.len())
        .enumerate()
        .filter_map(|(at, word)| (word == name).then_some(at))
        .collect();
    for at in places {
        // The extras of the scene have the name, too.
        let mut renamed = bytes.clone();
        renamed[at + 8..at + 12].copy_from_slice(b"knee");
        let read = scene_of(&renamed);
        if read.skeletons[0].joints[0].name == "knee" {
            assert_eq!(codes(&renamed), ["states-edited"]);
            assert!(read.timelines[0].key_count() > 1);
            bytes.clear();
        }
    }
    assert!(bytes.is_empty(), "no node was renamed");
}

/// Fewer keys than those that were baked are no edit.
#[test]
fn states_are_restored_from_resampled_keys() {
    for seed in 5001..5009 {
        let case = Case::new(&generated(seed, false));
        let bytes = written(&case.scene, "glb", &[("fps", "20")]).unwrap().value.main;
        assert_eq!(codes(&bytes), [""; 0], "seed {seed}");
        assert_eq!(stt::parse(&text_of(&scene_of(&bytes))), case.file);
    }
}

/// The file stores the rotation order with which its angles were read.
#[test]
fn the_chosen_rotation_order_is_restored() {
    let text = one_node("0 0 0 0 0 0 0 0 8", "0 0 0 0 0 0 0 0 8", "10 20 30 40 50 60 2 0 1");
    for rotation_order in EulerOrder::ALL {
        let case = Case::with(&text, &[("rotation-order", rotation_order.name())]);
        let read = scene_of(&glb(&case.scene));
        assert_eq!(read.timelines, case.scene.timelines, "{}", rotation_order.name());
    }
}

/// States that were applied to a model are restored from the model's GLB, and the model keeps its
/// own content.
#[test]
fn states_are_restored_through_a_model() {
    let text = one_node("0 0 0 9 0 0 2 0 1", "0 0 0 0 0 0 0 0 8", "0 0 0 0 90 0 4 0 1");
    let case = Case::new(&text);
    let model = scene_of(
        br#"{"asset":{"version":"2.0"},"nodes":[
            {"name":"base","children":[1]},{"name":"node","translation":[0,5,0]}]}"#,
    );
    let mut moved = model.clone();
    assert!(put_motion_on(&mut moved, case.scene).is_empty());
    let read = scene_of(&glb(&moved));
    assert_eq!(read.skeletons, model.skeletons);
    assert_eq!(stt::parse(&text_of(&read)), case.file);
}
