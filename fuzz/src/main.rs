//! Runs the fuzz targets without a fuzzer, which needs no nightly compiler. The arguments are files,
//! or folders of files.
//!
//! ```sh
//! # Every target, on inputs made from ordinary files, as every readable format and in pairs:
//! cargo run --release --manifest-path fuzz/Cargo.toml --no-default-features -- testdata
//! # One target, on inputs that a fuzzer has found:
//! cargo run --release --manifest-path fuzz/Cargo.toml --no-default-features -- \
//!     --target edits fuzz/corpus/edits
//! # Writes seeds for all targets to fuzz/corpus/<target>:
//! cargo run --release --manifest-path fuzz/Cargo.toml --no-default-features -- \
//!     --seeds fuzz/corpus testdata
//! ```

use std::cell::RefCell;
use std::ffi::OsString;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anim_formats::{Format, detect};
use anim_formats_fuzz::targets::{self, Target};
use anim_formats_fuzz::{formats, seeds, several};

/// Strides through the file list when pairing inputs.
const APART: [usize; 3] = [1, 97, 389];
/// Files that take longer than this are reported, but not as failures, since speed varies between
/// machines.
const SLOW: Duration = Duration::from_secs(5);

thread_local! {
    static PANIC: RefCell<String> = RefCell::default();
}

fn main() -> io::Result<ExitCode> {
    panic::set_hook(Box::new(|info| {
        PANIC.with_borrow_mut(|message| *message = info.to_string().replace('\n', "\n    "));
    }));
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let (option, paths) = match &arguments[..] {
        [option, value, paths @ ..] if option == "--target" || option == "--seeds" => {
            (Some((option.to_str(), value)), paths)
        }
        paths => (None, paths),
    };
    let files = read(paths)?;
    let findings = match option {
        Some((Some("--target"), name)) => {
            let named = targets::ALL.into_iter().find(|target| *name == *target.name);
            run(named.ok_or_else(|| io::Error::other("unknown target"))?, inputs_of(&files))
        }
        Some((_, folder)) => {
            write_seeds(Path::new(folder), &files)?;
            0
        }
        None => {
            let others = targets::ALL
                .into_iter()
                .filter(|target| !["formats", "several"].contains(&target.name));
            let seeds = |target| seeds::seeds(target, &files).into_iter();
            let of_others = others.map(|target| run(target, seeds(target))).sum::<usize>();
            as_every_format(&files) + in_pairs(&files) + of_others
        }
    };
    println!("{} files, {findings} findings", files.len());
    Ok(if findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Reads files and all files in folders.
fn read(paths: &[OsString]) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut found = Vec::new();
    paths.iter().try_for_each(|path| collect(Path::new(path), &mut found))?;
    found.sort();
    found.into_iter().map(|path| Ok((path.clone(), std::fs::read(path)?))).collect()
}

fn inputs_of(files: &[(PathBuf, Vec<u8>)]) -> impl Iterator<Item = (String, Vec<u8>)> {
    files.iter().map(|(path, bytes)| (path.display().to_string(), bytes.clone()))
}

fn write_seeds(folder: &Path, files: &[(PathBuf, Vec<u8>)]) -> io::Result<()> {
    for target in targets::ALL {
        let folder = folder.join(target.name);
        std::fs::create_dir_all(&folder)?;
        for (name, seed) in seeds::seeds(target, files) {
            std::fs::write(folder.join(name), seed)?;
        }
    }
    Ok(())
}

/// Runs a target on inputs. Returns the number of findings.
fn run(target: Target, inputs: impl Iterator<Item = (String, Vec<u8>)>) -> usize {
    let fails = |(name, input): &(String, Vec<u8>)| {
        !holds(|| format!("{}: {name}", target.name), || (target.run)(input))
    };
    inputs.filter(fails).count()
}

fn as_every_format(files: &[(PathBuf, Vec<u8>)]) -> usize {
    let mut findings = 0;
    for (path, bytes) in files {
        for format in Format::readable() {
            let what = || format!("{} as {format}", path.display());
            findings += usize::from(!holds(what, || formats::exercise(format, bytes)));
        }
    }
    findings
}

fn in_pairs(files: &[(PathBuf, Vec<u8>)]) -> usize {
    let detected =
        |bytes: &[u8], path: &Path| Some(detect(bytes, path.to_str()).into_iter().next()?.format);
    let mut findings = 0;
    for apart in APART {
        for ((a, first), (b, second)) in files.iter().zip(files.iter().cycle().skip(apart)) {
            let Some(formats) = detected(first, a).zip(detected(second, b)) else { continue };
            for files in [
                [(formats.0, &first[..]), (formats.1, &second[..])],
                [(formats.1, &second[..]), (formats.0, &first[..])],
            ] {
                let what = || format!("{} and {}", a.display(), b.display());
                findings += usize::from(!holds(what, || several::exercise(&files)));
            }
        }
    }
    findings
}

/// Lists all files below a path.
fn collect(path: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        into.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        collect(&entry?.path(), into)?;
    }
    Ok(())
}

/// Returns whether a function runs without panicking. Reports panics and long run times.
fn holds(what: impl Fn() -> String, work: impl FnOnce()) -> bool {
    let started = Instant::now();
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let taken = started.elapsed();
    if taken > SLOW {
        println!("slow: {}: {:.1} s", what(), taken.as_secs_f32());
    }
    if result.is_err() {
        println!("FOUND: {}\n    {}", what(), PANIC.take());
    }
    result.is_ok()
}
