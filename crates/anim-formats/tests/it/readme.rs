//! The README's examples, compiled and run.

use std::error::Error;
use std::process::Command;

use crate::testdata;

const README: &str = include_str!("../../../../README.md");
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

/// In a folder that looks like the top of the repository, since one of them writes a file. The
/// folder that a process is in is that of all its tests, so they run in a process of their own.
#[test]
fn the_examples_run() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("testdata/amo/ok"))?;
    for name in ["octopus_arm.amo", "octopus_arm.mtl", "octopus_arm.png"] {
        let name = format!("amo/ok/{name}");
        std::fs::copy(testdata(&name), folder.path().join("testdata").join(name))?;
    }
    let mut again = Command::new(std::env::current_exe()?);
    again.args(["--exact", "readme::the_examples"]).current_dir(&folder).env(HERE, "1");
    let ran = again.output()?;
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
    assert!(std::fs::read(folder.path().join("arm.glb"))?.starts_with(b"glTF"));
    Ok(())
}

/// Set where the examples may write a file: in the process that [`the_examples_run`] starts.
const HERE: &str = "ANIM_FORMATS_README";

#[test]
fn the_examples() -> Result<(), Box<dyn Error>> {
    if std::env::var_os(HERE).is_none() {
        return Ok(());
    }
    one_format()?;
    all_formats()
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
    use anim_formats::{Format, LoadOptions, Settings, convert, load};

    let loaded = load("testdata/amo/ok/octopus_arm.amo", &LoadOptions::default())?;
    println!("{}, {} clips", loaded.document.format().title(), loaded.scene.clips.len());
    let glb = convert(&loaded.scene, "glb".parse::<Format>()?, &Settings::default(), "arm")?;
    std::fs::write("arm.glb", glb.value.main)?;
    Ok(())
}
