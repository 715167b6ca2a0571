//! Benchmarks of the whole program: a batch of 1,000 files on one and on two threads, and the
//! startup time. `TMPDIR` selects the disk.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FILES: usize = 1_000;
/// Runs with one and two threads alternate, so that other load on the machine affects both equally.
const PAIRS: usize = 30;
const STARTS: u32 = 1_000;

fn main() {
    for (name, lines) in [
        ("spec.amo", ["convert in -q --to glb -o", "info in", "check in"].as_slice()),
        ("octopus_arm.amo", &["info in", "check in"]),
    ] {
        let source = fs::read_to_string(fixtures().join(name)).unwrap();
        // Omits materials, since all files would refer to the same library.
        let source: String = source
            .split_inclusive('\n')
            .filter(|line| !line.starts_with("mtllib") && !line.starts_with("usemtl"))
            .collect();
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("in")).unwrap();
        for number in 0..FILES {
            fs::write(folder.path().join(format!("in/{number:03}.amo")), &source).unwrap();
        }
        for line in lines {
            let mut best = [Duration::MAX; 2];
            for pair in 0..PAIRS {
                for (threads, best) in (1..).zip(&mut best) {
                    // Each run writes to a new folder, since ext4 is slow to recreate files that
                    // have just been deleted.
                    let out = if line.ends_with("-o") {
                        format!(" out/{pair}/{threads}")
                    } else {
                        String::new()
                    };
                    *best = time(folder.path(), &format!("{line}{out} -j {threads}")).min(*best);
                }
            }
            let [one, two] = best.map(|time| time.as_secs_f64() * 1e3);
            println!(
                "{FILES} files of {} bytes, {line}: {one:.1} ms on one thread, {two:.1} ms on \
                 two, {:.2} times as fast",
                source.len(),
                one / two
            );
        }
    }
    if let Some(before) = children_user_time() {
        for _ in 0..STARTS {
            time(&fixtures(), "info spec.amo");
        }
        let spent = children_user_time().unwrap() - before;
        println!(
            "info of a small file: {:.2} ms of user time",
            spent.as_secs_f64() * 1e3 / f64::from(STARTS)
        );
    }
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/amo/ok")
}

/// Returns the duration of one run of the program.
fn time(folder: &Path, line: &str) -> Duration {
    let mut command = Command::new(env!("CARGO_BIN_EXE_animfmt"));
    command.args(line.split(' ')).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
    let started = Instant::now();
    assert!(command.status().unwrap().success());
    started.elapsed()
}

/// Returns the user time of all terminated child processes (`cutime` in proc(5), in hundredths of a
/// second), on systems with `/proc`.
fn children_user_time() -> Option<Duration> {
    let line = fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may contain spaces. The state after it is the third field, and
    // `cutime` is the sixteenth.
    let ticks: u64 = line.rsplit_once(')')?.1.split_whitespace().nth(13)?.parse().ok()?;
    Some(Duration::from_millis(ticks * 10))
}
