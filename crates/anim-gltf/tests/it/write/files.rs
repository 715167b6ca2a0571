//! Output files, and scenes that are rejected.

use anim_gltf::{Document, FromIr, Gltf, from_ir, to_gltf};
use anim_ir::format::{Context, Read, Rewrite};
use anim_ir::{Image, JointId, NoFiles, Scene, Settings};

use crate::scenes::waving;
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
