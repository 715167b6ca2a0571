//! Runs the fuzz targets on files, or on all files in folders, as every readable format and in
//! pairs. Needs neither a fuzzer nor a nightly compiler:
//!
//! ```sh
//! cargo run --release --manifest-path fuzz/Cargo.toml --no-default-features -- testdata
//! ```

use std::cell::RefCell;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anim_formats::{Format, detect};
use anim_formats_fuzz::{formats, several};

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
    let mut paths = Vec::new();
    for argument in std::env::args_os().skip(1) {
        collect(Path::new(&argument), &mut paths)?;
    }
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        files.push((std::fs::read(&path)?, path));
    }
    let mut findings = 0_usize;
    for (bytes, path) in &files {
        for format in Format::readable() {
            let what = || format!("{} as {format}", path.display());
            findings += usize::from(!holds(what, || formats::exercise(format, bytes)));
        }
    }
    let detected =
        |bytes: &[u8], path: &Path| Some(detect(bytes, path.to_str()).into_iter().next()?.format);
    for apart in APART {
        for ((first, a), (second, b)) in files.iter().zip(files.iter().cycle().skip(apart)) {
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
    println!("{} files, {findings} findings", files.len());
    Ok(if findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
