//! Checks that the generators of fixtures reproduce the fixtures in `testdata`.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::{Failure, files_below, root};

/// Runs every generator in a copy of `testdata`, in which no file may change or be added.
pub(crate) fn run() -> Result<bool, Failure> {
    let original = root().join("testdata");
    let copy = root().join("target/generators/testdata");
    if copy.exists() {
        fs::remove_dir_all(&copy)?;
    }
    let files = relative(&original)?;
    for file in &files {
        let to = copy.join(file);
        fs::create_dir_all(to.parent().ok_or("a file without a folder")?)?;
        fs::copy(original.join(file), to)?;
    }
    let generators = files.iter().filter(|file| file.extension().is_some_and(|kind| kind == "py"));
    for generator in generators {
        match Command::new("python3").arg("-B").arg(copy.join(generator)).status() {
            Ok(status) if status.success() => {}
            Ok(status) => return Err(format!("{}: {status}", generator.display()).into()),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                println!("skipped: python3, which runs the generators, is not installed");
                return Ok(true);
            }
            Err(error) => return Err(error.into()),
        }
    }
    let mut fine = true;
    for file in relative(&copy)? {
        let is_same = fs::read(original.join(&file)).ok() == Some(fs::read(copy.join(&file))?);
        if !is_same {
            eprintln!(
                "error: testdata/{} is not what its generator writes; change the generator and run \
                 it",
                file.display()
            );
        }
        fine &= is_same;
    }
    Ok(fine)
}

/// Returns the paths of all files in a folder, relative to it.
fn relative(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let files = files_below(folder)?;
    Ok(files
        .iter()
        .map(|file| file.strip_prefix(folder).map(Path::to_path_buf))
        .collect::<Result<_, _>>()?)
}
