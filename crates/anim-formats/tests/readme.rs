//! The README's examples, compiled and run.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail loudly"
)]
#![cfg(all(feature = "amo", feature = "gltf", feature = "load"))]

use std::error::Error;

const README: &str = include_str!("../../../README.md");
const THIS: &str = include_str!("readme.rs");

/// Every line of the README's Rust code stands in this file, which is compiled.
#[test]
fn the_code_in_the_readme_is_this_code() {
    let blocks: Vec<&str> =
        README.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 2);
    let normal = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    for line in blocks.iter().flat_map(|block| block.lines()).filter(|line| !line.trim().is_empty())
    {
        assert!(normal(THIS).contains(line.trim()), "{line}");
    }
}

/// In a folder that looks like the top of the repository, since one of them writes a file.
#[test]
fn the_examples_run() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/amo/ok");
    std::fs::create_dir_all(folder.path().join("testdata/amo/ok"))?;
    for name in ["octopus_arm.amo", "octopus_arm.mtl", "octopus_arm.png"] {
        std::fs::copy(
            format!("{fixtures}/{name}"),
            folder.path().join("testdata/amo/ok").join(name),
        )?;
    }
    std::env::set_current_dir(&folder)?;
    one_format()?;
    all_formats()?;
    assert!(std::fs::read("arm.glb")?.starts_with(b"glTF"));
    Ok(std::env::set_current_dir("/")?)
}

fn one_format() -> Result<(), Box<dyn Error>> {
    use anim_formats::amo as fmt_amo;
    use anim_formats::anim_ir;
    let bytes = std::fs::read("testdata/amo/ok/octopus_arm.amo")?;
    let parsed = fmt_amo::Document::parse(&bytes)?;
    for problem in &parsed.diagnostics {
        eprintln!("{}: {}", problem.code.id, problem.message);
    }
    let scene = fmt_amo::to_ir(&parsed.value, &fmt_amo::ToIr::default()).value;

    let mut sampler = anim_ir::Sampler::new(&scene.skeletons[0], &scene.timelines[0]);
    let (mut pose, mut matrices) = (anim_ir::Pose::default(), Vec::new());
    sampler.sample(0.25, &mut pose); // seconds; allocates on the first call only
    pose.model_matrices(&scene.skeletons[0], &mut matrices);
    assert_eq!(matrices.len(), scene.skeletons[0].joints.len());
    Ok(())
}

fn all_formats() -> Result<(), Box<dyn Error>> {
    use anim_formats::{ConvertOptions, LoadOptions, Target, convert, load};

    let loaded = load("testdata/amo/ok/octopus_arm.amo".as_ref(), &LoadOptions::default())?;
    println!("{}, {} clips", loaded.document.format().title(), loaded.scene.clips.len());
    let glb = convert(&loaded.scene, Target::Glb, &ConvertOptions::default())?.value.main;
    std::fs::write("arm.glb", glb)?;
    Ok(())
}
