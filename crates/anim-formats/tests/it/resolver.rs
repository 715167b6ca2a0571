//! Tests companion files in memory, for library users who open files themselves. Does not use the
//! `load` feature.

use std::collections::HashMap;

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{ResolveError, Resolver, Scene, Severity};
use anim_formats::{AnyDocument, Settings, detect, read_images, scene_of};

use crate::{glb_of, testdata, written};

/// Files, keyed by the URIs that other files use for them.
struct InMemory(HashMap<String, Vec<u8>>);

impl Resolver for InMemory {
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        self.0.get(address).cloned().ok_or(ResolveError::NotFound)
    }

    fn exists(&mut self, address: &str) -> bool {
        self.0.contains_key(address)
    }
}

/// Returns the files in a subfolder of the fixtures.
fn in_memory(folder: &str, names: &[&str]) -> InMemory {
    let file =
        |name: &&str| ((*name).to_owned(), std::fs::read(testdata(folder).join(name)).unwrap());
    InMemory(names.iter().map(file).collect())
}

/// Returns the scene of a file, which must have no problems or losses.
fn read(files: &mut InMemory, name: &str) -> Scene {
    let bytes = files.read(name).unwrap();
    let format = detect(&bytes, Some(name))[0].format;
    let settings = Settings::default();
    let parsed = AnyDocument::parse(bytes, format, &settings).unwrap();
    let loaded = scene_of(parsed, &mut Context { name: "file", files, settings: &settings });
    assert!(loaded.diagnostics.worst() < Some(Severity::Warning), "{:?}", loaded.diagnostics);
    assert!(loaded.losses.worst() < Some(Severity::Warning), "{:?}", loaded.losses);
    loaded.scene
}

#[test]
fn materials_and_images() {
    let mut files = in_memory("amo/ok", &["octopus_arm.amo", "octopus_arm.mtl", "octopus_arm.png"]);
    let mut scene = read(&mut files, "octopus_arm.amo");
    let [image] = &scene.images[..] else { panic!("{:?}", scene.images) };
    assert_eq!((image.path.as_deref(), &image.bytes), (Some("octopus_arm.png"), &None));
    assert!(read_images(&mut scene, &mut files).is_empty());
    let image = &files.0["octopus_arm.png"];
    let glb = written(&scene, "glb", &[]).unwrap().value.main;
    assert!(glb.windows(image.len()).any(|window| window == image));
}

#[test]
fn frames_in_other_files() {
    let animation = "<animation name='go'><frame time='0' url='frames/a.x3d'/><frame time='1' \
                     url='frames/b.x3d'/></animation>";
    let frame = |x: &str| {
        format!(
            "<X3D><Scene><Shape><PointSet><Coordinate point='{x} 0 0'/></PointSet></Shape>\
             </Scene></X3D>"
        )
    };
    let mut files = InMemory(HashMap::from([
        ("go.castle-anim-frames".to_owned(), animation.into()),
        ("frames/a.x3d".to_owned(), frame("1").into()),
        ("frames/b.x3d".to_owned(), frame("3").into()),
    ]));
    let model = glb_of(&read(&mut files, "go.castle-anim-frames"));
    let drawn = model.drawn_at(Some(0), 0.5);
    assert_eq!(drawn[0].points[0].place, [2.0, 0.0, 0.0]);
}

/// Readers request the companion files under the names that writers use.
#[test]
fn buffers() {
    let scene = read(&mut in_memory("amo/ok", &["spec.amo"]), "spec.amo");
    let output = written(&scene, "gltf", &[]).unwrap().value;
    assert_eq!(output.companions.len(), 1);
    let mut files = InMemory(output.companions.into_iter().collect());
    files.0.insert("scene.gltf".to_owned(), output.main);
    let back = read(&mut files, "scene.gltf");
    assert_eq!(back.clips.len(), scene.clips.len());
    assert_eq!(glb_of(&back).key_times(0), glb_of(&scene).key_times(0));
}
