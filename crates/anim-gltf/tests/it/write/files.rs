//! Output files, and scenes that are rejected.

use anim_gltf::{Document, FromIr, FromIrError, Gltf, from_ir, to_gltf};
use anim_ir::format::{Context, Read, Rewrite};
use anim_ir::{Camera, CameraId, Event, Image, JointId, NoFiles, Scene, Settings, Value};

use crate::scenes::{extras, waving};
use crate::written::{folder, write};

#[test]
fn gltf_output_has_a_bin_file() {
    let scene = waving();
    let files = to_gltf(&scene, &FromIr::default(), "of wave").unwrap().value;
    let json: serde_json::Value = serde_json::from_slice(&files.main).unwrap();
    let glb = write("", &scene);
    assert_eq!(files.companions, [("of wave.bin".to_owned(), glb.bin)]);
    let (name, bin) = &files.companions[0];
    let buffer = serde_json::json!({"uri": "of%20wave.bin", "byteLength": bin.len()});
    assert_eq!(json["buffers"][0], buffer);
    std::fs::write(folder().join("waving.gltf"), &files.main).unwrap();
    std::fs::write(folder().join(name), bin).unwrap();
}

/// Returns the format to which a file can be copied unchanged, in the same folder and in another
/// folder.
fn written_again(bytes: &[u8]) -> [Option<&'static str>; 2] {
    let document = Document::parse(bytes).unwrap().value;
    let settings = Settings::default();
    ["", "../models"].map(|way| {
        ["gltf", "glb"].into_iter().find(|&to| {
            let request = Rewrite { to, is_untouched: true, way, stem: "x" };
            let mut context = Context { name: "x", files: &mut NoFiles, settings: &settings };
            let written = Gltf::rewrite(&document, &request, &mut context);
            written.is_some_and(|written| written.unwrap().value.main == bytes)
        })
    })
}

#[test]
fn a_file_is_copied_unchanged_if_its_companions_can_be_found() {
    let mut scene = waving();
    let glb = |scene: &Scene| from_ir(scene, &FromIr::default()).unwrap().value;
    assert_eq!(written_again(&glb(&scene)), [Some("glb"); 2]);
    let files = to_gltf(&scene, &FromIr::default(), "x").unwrap().value;
    assert_eq!(written_again(&files.main), [Some("gltf"), None]);
    scene.images = vec![Image::at("a.png")];
    assert_eq!(written_again(&glb(&scene)), [Some("glb"), None]);
    let alone = br#"{"asset":{"version":"2.0"},"images":[{"uri":"DATA:image/png;base64,AA"}]}"#;
    assert_eq!(written_again(alone), [Some("gltf"); 2]);
}

#[test]
fn an_empty_scene_can_be_written() {
    let written = write("nothing", &Scene::default());
    insta::assert_snapshot!(written.json["scenes"], @r#"[{"nodes":[0]}]"#);
    assert!(written.bin.is_empty() && written.losses.is_empty());
    let files = to_gltf(&Scene::default(), &FromIr::default(), "x").unwrap().value;
    assert!(files.companions.is_empty());
}

#[test]
fn invalid_scenes_are_rejected() {
    let mut scene = waving();
    scene.skins[0].joints.push(JointId::new(7));
    let error = from_ir(&scene, &FromIr::default()).unwrap_err();
    let expected = "invalid scene: skin 0: joint is out of bounds: index 7, count 2";
    assert_eq!(error.to_string(), expected);
}

/// Extras nested too deeply for other readers are left out, wherever they are.
#[test]
fn deep_extras_are_reported_with_their_owner() {
    let deep = (0..80).fold(Value::from(true), |inner, _| Value::List(vec![inner]));
    let mut scene = waving();
    scene.cameras = vec![Camera { name: "eye".to_owned(), ..Camera::default() }];
    scene.nodes[0].camera = Some(CameraId::default());
    scene.cameras[0].extras = extras("pit", deep.clone());
    scene.meshes[0].extras = extras("pit", deep.clone());
    scene.skeletons[0].joints[1].extras = extras("pit", deep.clone());
    scene.timelines[0].events = vec![Event {
        time: 0.05,
        name: "bang".to_owned(),
        payload: extras("pit", deep),
        ..Event::default()
    }];
    let losses = from_ir(&scene, &FromIr::default()).unwrap().losses;
    let messages: Vec<&str> = losses
        .iter()
        .filter(|loss| loss.code.id == "gltf-extras-depth")
        .map(|loss| &*loss.message)
        .collect();
    for whose in ["camera `eye`", "mesh `sleeve`", "joint `elbow`", "event `bang`"] {
        let message = format!("extra `pit` of {whose} is nested more than 64 levels deep");
        assert!(messages.contains(&&*message), "{message} is not in {messages:?}");
    }
}

/// A file is not larger than the limit, to the byte.
#[test]
fn files_are_limited() {
    let size = from_ir(&waving(), &FromIr::default()).unwrap().value.len();
    let write = |most| from_ir(&waving(), &FromIr::default().with_max_bytes(most));
    assert_eq!(write(size).unwrap().value.len(), size);
    assert_eq!(write(size - 1).unwrap_err(), FromIrError::TooLarge { most: size - 1 });
}
