//! Compiles and runs `readme/example.rs`, which is the example in the README.

use std::error::Error;
use std::process::Command;

use crate::testdata;

mod example {
    include!("readme/example.rs");

    pub(super) fn run() -> Result<(), Box<dyn std::error::Error>> {
        main()
    }
}

#[test]
fn the_readme_shows_the_example() {
    let readme = include_str!("../../../../README.md");
    let block = readme.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    let example = include_str!("readme/example.rs");
    assert_eq!(block, example.split_once("\n\n").map(|(_, code)| code));
}

/// Runs the example in a folder that mimics the repository's root, since it writes a file. All
/// tests in a process share the current directory, so the example runs in a separate process.
#[test]
fn the_example_runs() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("testdata/amo/ok"))?;
    for name in ["octopus_arm.amo", "octopus_arm.mtl", "octopus_arm.png"] {
        let name = format!("amo/ok/{name}");
        std::fs::copy(testdata(&name), folder.path().join("testdata").join(name))?;
    }
    let mut again = Command::new(std::env::current_exe()?);
    again.args(["--exact", "readme::the_example"]).current_dir(&folder).env(HERE, "1");
    let ran = again.output()?;
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
    let glb = std::fs::read(folder.path().join("arm.glb"))?;
    let texture = std::fs::read(testdata("amo/ok/octopus_arm.png"))?;
    assert!(glb.starts_with(b"glTF"));
    assert!(glb.windows(texture.len()).any(|window| window == texture));
    Ok(())
}

/// Set in the process started by [`the_example_runs`], in which the example may write a file.
const HERE: &str = "ANIM_FORMATS_README";

#[test]
fn the_example() -> Result<(), Box<dyn Error>> {
    if std::env::var_os(HERE).is_none() { Ok(()) } else { example::run() }
}
